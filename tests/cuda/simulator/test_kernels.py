"""Kernels beside which stands what a launch gives: kernels/*.cu, a file per subject, a section per kernel.

// rule: what the section shows
// options, cooperative, kernel: how the module is compiled, and which kernel is launched if not the first
// alone: each thread alone, for which all values are uniform, computes the same
// launch: grid, block, [arguments], and maybe shared_mem=, checks=, step_limit=, kernel=, of several, or chunk=, threads
// that run together
// expect: a Python condition on the parameters, `profile`, `error` and `printed`, which holds for every element
// memory: an array of which several arguments are parts, or what expectations name
// error: the class and the first thread at fault, whose line ends with `// <- here`
// report: each line of its message but those that repeat the source and the thread
// count: beside a line, what the profile counts there

Each launch compiles the text anew, so that it finds variables as they are declared.
"""

import re
from contextlib import nullcontext
from functools import partial, reduce
from pathlib import Path

import numpy as np
import pytest

from nnlib.cuda import KernelError, RawModule, force_simulator, native_code
from nnlib.cuda._engine.simulator.running import launching

CHUNK = launching.CHUNK_THREADS
FILES = sorted((Path(__file__).parent / "kernels").glob("*.cu"))
SECTIONS = {
    f"{file.stem}-{number}": text
    for file in FILES
    for number, text in enumerate(
        re.split(r"^(?=// rule: )", file.read_text(), flags=re.MULTILINE)[1:]
    )
}
# What CUDA's and CuPy's own headers have to compute, too.
ON_A_GPU = re.compile("memcpy_async has arrived|kernels compute as NumPy|halves of every kind")
TYPES = {kind.__name__: kind for kind in (*np.sctypeDict.values(), np.bool_)}
MAKERS = {name: getattr(np, name) for name in ("arange", "array", "full", "ones", "zeros")}
MAKERS["normal"] = lambda size, dtype: np.random.default_rng(0).standard_normal(size).astype(dtype)
REPEATED = r"\n +at .*\n +\d+ \|.*\n *\^|\n  by thread.*| \(kernel \w+\)"


class Launch:
    """A launch of a section: called with the text behind `// launch: `, it knows the names of `// expect: `."""

    def __init__(self, header, text, given, monkeypatch, simulated=True):
        self.said = dict(re.findall(r"^// (\w+):? ?(.*)", header, re.MULTILINE))
        self.text, self.given, self.monkeypatch = text, given, monkeypatch
        self.known = {**vars(np), "reduce": reduce}
        arrays = {name: partial(self.array, make) for name, make in MAKERS.items()}
        with force_simulator() if simulated else nullcontext(), native_code(False):
            names = {**vars(np), **TYPES, **arrays, "launch": self}
            own = {}
            for line in re.findall(r"^// memory: (.*)", given, re.MULTILINE):
                exec(line, names, own)
                names |= own
            self.known |= own
            eval(f"launch({given.splitlines()[0]})", names)

    def array(self, make, *args):
        """An array of float32, unless the last argument is another type."""
        *args, dtype = args if isinstance(args[-1], type) else (*args, np.float32)
        return make(*args, dtype=dtype)

    def __call__(self, grid, block, args, chunk=CHUNK, kernel=None, **options):
        self.monkeypatch.setattr(launching, "CHUNK_THREADS", chunk)
        before = [np.copy(arg) if isinstance(arg, np.ndarray) else arg for arg in args]
        first = re.search(r"__global__ [^;{]*?\b(\w+)\((?!\d)", self.text)[1]
        name = kernel or self.said.get("kernel", first)
        kernel = RawModule(
            self.text,
            options=self.said.get("options", "").split(),
            enable_cooperative_groups="cooperative" in self.said,
            name_expressions=[name] if "<" in name else None,
        ).get_function(name)
        profiled = re.search(r"// count: ", self.text) or re.search(
            "profile[.]|max_blocks", self.given
        )
        try:
            self.known["profile"] = (kernel.profile if profiled else kernel)(
                grid, block, args, **options
            )
            self.known |= zip([p.name for p in kernel.parameters], args, strict=True)
            for lane in range(block if "alone" in self.said else 0):
                alone = [each[lane : lane + 1] for each in before]
                kernel(1, 1, alone)
                np.testing.assert_array_equal([arg[lane] for arg in args], np.ravel(alone))
        except KernelError as error:
            self.known["error"] = error
            for now, old in zip(args, before, strict=True):
                if options.get("checks", True):  # else they are not saved before the launch
                    np.testing.assert_array_equal(now, old)

    def report(self):
        lines = [
            line.strip() for line in re.sub(REPEATED, "", str(self.known["error"])).splitlines()
        ]
        source = [line.partition("  // ")[0].strip() for line in self.text.splitlines()]
        return [line for line in lines if line != "^" and line.partition("  // ")[0] not in source]


@pytest.mark.parametrize("name", SECTIONS)
def test_a_launch_gives_what_stands_beside_it(name, monkeypatch, capsys):
    text = SECTIONS[name]
    lines = text.splitlines()
    header, *launches = re.split(r"^// launch: ", text, flags=re.MULTILINE)
    for fresh, given in enumerate(launches):
        wanted = re.findall(r"^// (\w+): (.*)", given, re.MULTILINE)
        asked = {kind: [line for key, line in wanted if key == kind] for kind, _ in wanted}
        assert asked.keys() <= {"memory", "expect", "error", "report"}
        launch = Launch(header, text + "\n" * fresh, given, monkeypatch)
        launch.known["printed"] = capsys.readouterr().out
        error = launch.known.get("error")
        if error or "error" in asked:
            at = f" thread={error.thread} block={error.block}".replace(", ", ",")
            assert [type(error).__name__ + at * bool(error.thread)] == asked.get("error"), error
            assert launch.report() == asked["report"]
            assert error.line is None or "  // <- here" in lines[error.line - 1], error
        for condition in asked.get("expect", []):
            assert np.all(eval(condition, launch.known)), condition
        for number, line in enumerate(lines, 1):
            for condition in line.partition("  // count: ")[2].split(", "):
                counted = condition and vars(launch.known["profile"].lines[number])
                assert not condition or eval(condition, {}, counted), condition


@pytest.mark.gpu
@pytest.mark.parametrize("name", [name for name in SECTIONS if ON_A_GPU.search(SECTIONS[name])])
def test_a_gpu_computes_the_same(name, monkeypatch):
    header, *launches = re.split(r"^// launch: ", SECTIONS[name], flags=re.MULTILINE)
    for given in launches:
        known = Launch(header, SECTIONS[name], given, monkeypatch, simulated=False).known
        for condition in re.findall(r"^// expect: (.*)", given, re.MULTILINE):
            assert np.all(eval(condition, known)), condition

"""Wrong kernels: each mistake is found and named at the right line, thread and block.

That no right kernel is accused is tested over the corpus, in test_corpus.py and test_random_kernels.py.
"""

import functools
import json
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from nnlib.cuda import KernelError, RawModule, force_simulator
from tests.cuda.language.texts import recorded_messages

FOLDER = Path(__file__).parent / "broken"
NAMES = {"np": np, "floats": lambda *shape: np.zeros(shape, np.float32)}
NAMES |= {name: functools.partial(np.array, dtype=name) for name in ("int32", "uint8", "uint32")}


@dataclass(frozen=True)
class Broken:
    """A section of a file. launch: grid, block, arguments and maybe shared memory, in Python."""

    kernel: str
    error: str
    thread: str | None
    block: str | None
    launch: str
    text: str

    @property
    def line(self) -> int | None:
        """Return the line of the mistake, if it has one."""
        return next(
            (i for i, line in enumerate(self.text.splitlines(), 1) if "// <- here" in line), None
        )

    def run(self) -> None:
        RawModule(self.text).get_function(self.kernel)(
            *eval(self.launch, dict(NAMES)), step_limit=2000
        )


def _read(file: Path) -> list[Broken]:
    result = []
    for text in re.split(r"^(?=// expect:)", file.read_text(), flags=re.MULTILINE)[1:]:
        expect = re.match(r"// expect: (\w+)(?: thread=(\S+) block=(\S+))?", text)
        launch = re.search(r"^// launch: (.*)$", text, re.MULTILINE)
        kernel = re.search(r"__global__ \w+ (?:__launch_bounds__\(\d+\) )?(\w+)\(", text)
        result.append(
            Broken(kernel[1], *expect.groups(), launch[1] if launch else "1, 1, []", text)
        )
    return result


BROKEN = [each for file in sorted(FOLDER.glob("*.cu")) for each in _read(file)]


def test_there_are_many():
    assert len(BROKEN) >= 70 and len({each.kernel for each in BROKEN}) == len(BROKEN)


@pytest.mark.parametrize("broken", BROKEN, ids=lambda broken: broken.kernel)
def test_each_is_found(broken):
    with force_simulator(), pytest.raises(KernelError) as caught:
        broken.run()
    error = caught.value
    assert type(error).__name__ == broken.error, error
    assert str(error) == recorded_messages()[broken.kernel]
    if broken.line is not None:
        assert re.search(rf"kernel\.cu:{broken.line}:\d+.*\n.*\n *\^", str(error)), error
    if broken.thread:
        assert (error.thread, error.block) == (eval(broken.thread), eval(broken.block)), error
        assert (error.file, error.line) == ("kernel.cu", broken.line)
    fields = json.loads(json.dumps(error.as_dict()))
    assert (
        fields["error"] == broken.error
        and fields["message"] == str(error)
        and fields["what"] in str(error)
    )
    assert ("hint: " in str(error)) <= (f"hint: {fields['hint']}" in str(error))
    if broken.error != "KernelSyntaxError":
        assert error.kernel == broken.kernel
        assert broken.kernel in str(error)

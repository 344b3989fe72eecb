"""Every kernel of nnlib under NVIDIA's compute-sanitizer: its four tools over the GPU tests of tests/kernels, and over
a training step on the texts of nnlib/mine.

    python -m tests.benchmarks.sanitizer

CuPy's memory pool is switched off, so that every array is an allocation of its own whose end memcheck knows.
What would take very long is left out: the largest arrays of test_huge and, where racecheck follows every access to
shared memory, the large matrices of test_matmul; the simulator checks the same kernels for races at small sizes. Writes
results/sanitizer.txt.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from .timing import environment

RESULTS = Path(__file__).with_name("results") / "sanitizer.txt"
TOOLS = {
    "memcheck": "not by_arrays and not largest",
    "racecheck": "not by_arrays and not largest and not matmul",
    "initcheck": "not by_arrays and not largest",
    "synccheck": "not by_arrays and not largest",
}
RUN = """
import cupy, pytest, sys
cupy.cuda.set_allocator(None)
sys.exit(pytest.main(["-m", "gpu", "-k", sys.argv[1], "-p", "no:cacheprovider", "tests/kernels",
                      "tests/mine/test_engine.py::test_gradients_of_the_whole_network_against_float64",
                      "tests/mine/test_graph.py"]))
"""


def main() -> None:
    def start(tool: str) -> subprocess.Popen[str]:
        command = [
            "compute-sanitizer",
            "--tool",
            tool,
            "--error-exitcode",
            "3",
            sys.executable,
            "-c",
            RUN,
            TOOLS[tool],
        ]
        return subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )

    runs = {tool: start(tool) for tool in TOOLS}  # side by side
    lines = [f"{name}: {value}" for name, value in environment().items()]
    for tool, run in runs.items():
        output, _ = run.communicate()
        kept = [
            line
            for line in output.splitlines()
            if line.startswith("=========") or " passed" in line
        ]
        lines += ["", f"{tool}: exit code {run.returncode}", *kept[-40:]]
        print(*lines[-3:], sep="\n", flush=True)
        RESULTS.write_text("\n".join(lines) + "\n", encoding="utf-8")
    sys.exit(any(run.returncode for run in runs.values()))


if __name__ == "__main__":
    main()

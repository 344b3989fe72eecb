"""Every kernel under NVIDIA's compute-sanitizer: memcheck, racecheck, synccheck over the GPU tests of tests/kernels.

    python -m tests.benchmarks.sanitizer

CuPy's memory pool is switched off, so that every array is an allocation of its own whose end memcheck knows.
Writes results/sanitizer.txt.
"""

from __future__ import annotations

import subprocess
import sys

from .timing import RESULTS, environment

TOOLS = ("memcheck", "racecheck", "synccheck")
RUN = """
import cupy, pytest, sys
cupy.cuda.set_allocator(None)
sys.exit(pytest.main(["-q", "-m", "gpu", "-k", "not cupy", "-p", "no:cacheprovider", "tests/kernels"]))
"""


def main() -> None:
    lines = [f"{name}: {value}" for name, value in environment().items()]
    failed = False
    for tool in TOOLS:
        command = ["compute-sanitizer", "--tool", tool, "--error-exitcode", "3", sys.executable, "-c", RUN]
        run = subprocess.run(command, capture_output=True, text=True)
        output = run.stdout.splitlines()
        kept = [line for line in output if line.startswith("=========") or " passed" in line or "failed" in line]
        lines += ["", f"{tool}: exit code {run.returncode}", *kept[-40:]]
        print(*lines[-3:], sep="\n", flush=True)
        failed |= run.returncode != 0
    (RESULTS / "sanitizer.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    sys.exit(failed)


if __name__ == "__main__":
    main()

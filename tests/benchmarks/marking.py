"""Measure what it costs to mark a fully solved notebook: CPU seconds and memory. Prints a table.

    python -m tests.benchmarks.marking

CPU seconds, unlike seconds of the clock, depend little on what else the machine does.
"""

from __future__ import annotations

import resource
import tempfile
from pathlib import Path

import nbformat

from nnlib.lessons import notebooks
from nnlib.teaching.marking import mark
from tests.teaching.marking.test_solutions import solved

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"


def core_seconds() -> float:
    """Return the CPU seconds of all child processes that have ended so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    total = 0.0
    for path in notebooks(NOTEBOOKS):
        with tempfile.TemporaryDirectory() as folder:
            nbformat.write(solved(path), Path(folder, path.name))
            before = core_seconds()
            marks = mark(Path(folder, path.name), path.stem[:2], 7)
        seconds = core_seconds() - before
        total += seconds
        megabytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
        print(
            f"{path.stem}: {seconds:.1f} s, {sum(one.solved for one in marks)} of {len(marks)} right, "
            f"at most {megabytes} MB until now",
            flush=True,
        )
    for students in (60, 300, 1000):
        print(f"{students} students, a lesson: {students * total / 8 / 60:.0f} minutes of one core")


if __name__ == "__main__":
    main()

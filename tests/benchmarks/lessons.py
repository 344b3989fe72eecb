"""Seconds that each lesson takes from top to bottom in a fresh kernel, on this machine.

    python -m tests.benchmarks.lessons

Adds this machine's column to results/lessons.json; the teacher's guide shows it.
"""

from __future__ import annotations

import json
import time
from pathlib import Path

from nbformat import read

from nnlib.lessons import notebooks
from nnlib.teaching.execution import run

from .timing import environment, stored_at

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"


def main() -> None:
    stamp = environment()
    machine = stamp.get("gpu") or f"{stamp['cores']} CPU cores"
    seconds = {}
    for path in notebooks(NOTEBOOKS):
        start = time.perf_counter()
        run(read(path, 4), str(NOTEBOOKS))
        seconds[path.stem] = round(time.perf_counter() - start, 1)
        print(f"{path.stem}: {seconds[path.stem]} s")
    known = stored_at("lessons")
    machines = json.loads(known.read_text(encoding="utf-8"))["machines"] if known.exists() else {}
    machines[machine] = {"environment": stamp, "seconds": seconds}
    known.write_text(json.dumps({"machines": machines}, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

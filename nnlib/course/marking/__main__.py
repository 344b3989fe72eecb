"""python -m nnlib.course.marking NOTEBOOK … > marks.csv"""

from __future__ import annotations

import argparse
import os
import re
import secrets
import sys
from pathlib import Path

from nnlib.course.marking.marks import Limits, mark, table


def lesson_of(path: str) -> str | None:
    """The number in the file's name: "03_matmul.ipynb" -> "03"; None where there is none, or several."""
    found = set(re.findall(r"(?<!\d)0[1-8](?!\d)", Path(path).stem))
    return found.pop() if len(found) == 1 else None


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m nnlib.course.marking", description="Marks of handed-in notebooks.")
    parser.add_argument("notebooks", nargs="+", help="files; the lesson is the number in their names")
    parser.add_argument("--lesson", help='"01" to "08", for files whose names do not say it')
    parser.add_argument("--points", type=float, default=1, help="for an exercise (default: %(default)s)")
    parser.add_argument("--star-points", type=float, default=0,
                        help="for each star of a piece beyond the first (default: %(default)s)")
    parser.add_argument("--seed", type=int, help="of the inputs; the same seed gives the same marks")
    parser.add_argument("--seconds", type=float, default=Limits.seconds, help="for an exercise (default: %(default)s)")
    parser.add_argument("--memory", type=int, default=Limits.memory, help="in MB (default: %(default)s)")
    chosen = parser.parse_args()
    lessons = {path: chosen.lesson or lesson_of(path) for path in chosen.notebooks}
    for path, lesson in lessons.items():
        if lesson is None:
            parser.error(f"which lesson is {path}? Say --lesson 03, or put the number into the name")
    files = {os.path.realpath(path): path for path in chosen.notebooks}
    for path in chosen.notebooks:
        if files[os.path.realpath(path)] != path:
            parser.error(f"{path} and {files[os.path.realpath(path)]} are one file: is a folder a link to another's?")
    seed = secrets.randbits(32) if chosen.seed is None else chosen.seed
    print(f"inputs of --seed {seed}", file=sys.stderr)
    marks = []
    for path, lesson in lessons.items():
        marks += mark(path, str(lesson), seed, Limits(chosen.seconds, chosen.memory))
        print(f"{path}: {sum(one.solved for one in marks if one.notebook == path)} solved", file=sys.stderr)
    print(table(marks, chosen.points, chosen.star_points), end="")


if __name__ == "__main__":
    main()

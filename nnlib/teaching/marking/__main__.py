"""python -m nnlib.teaching.marking NOTEBOOK … > marks.csv"""

from __future__ import annotations

import argparse
import os
import re
import secrets
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import partial
from pathlib import Path

from nnlib.lessons import NUMBERS
from nnlib.support import files
from nnlib.teaching.marking.confinement import missing
from nnlib.teaching.marking.marks import Limits, Mark, mark, table, totals


def lesson_of(path: str) -> str | None:
    """The number in the file's name: "03_matmul.ipynb" -> "03"; None where there is none, or several."""
    found = set(re.findall(r"(?<!\d)\d\d(?!\d)", Path(path).stem)) & set(NUMBERS)
    return found.pop() if len(found) == 1 else None


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m nnlib.teaching.marking", description="Marks of handed-in notebooks."
    )
    parser.add_argument(
        "notebooks", nargs="+", help="files; the lesson is the number in their names"
    )
    parser.add_argument("--lesson", choices=NUMBERS, help="for files whose names do not say it")
    parser.add_argument(
        "--points", type=float, default=1, help="for an exercise (default: %(default)s)"
    )
    parser.add_argument(
        "--star-points",
        type=float,
        default=0,
        help="for each star of a piece beyond the first (default: %(default)s)",
    )
    parser.add_argument(
        "--part-points",
        type=float,
        default=0,
        help="for a wrong kernel that is right at more than "
        "half of its stages or sizes (default: %(default)s)",
    )
    parser.add_argument(
        "--seed", type=int, help="of the inputs; the same seed gives the same marks"
    )
    parser.add_argument(
        "--seconds",
        type=float,
        default=Limits.seconds,
        help="for an exercise (default: %(default)s)",
    )
    parser.add_argument(
        "--jobs",
        type=int,
        default=1,
        help="notebooks that are judged at once; each needs a core (default: %(default)s)",
    )
    parser.add_argument(
        "--memory", type=int, default=Limits.memory, help="in MB (default: %(default)s)"
    )
    parser.add_argument(
        "--totals", type=Path, metavar="FILE", help="write a second table, a row for each notebook"
    )
    chosen = parser.parse_args()
    lessons = {path: chosen.lesson or lesson_of(path) for path in chosen.notebooks}
    for path, lesson in lessons.items():
        if lesson is None:
            parser.error(
                f"which lesson is {path}? Say --lesson 03, or put the number into the name"
            )
    real = {os.path.realpath(path): path for path in chosen.notebooks}
    for path in chosen.notebooks:
        if real[os.path.realpath(path)] != path:
            parser.error(
                f"{path} and {real[os.path.realpath(path)]} are one file: is a folder a link to another's?"
            )
    if chosen.totals is not None and not chosen.totals.absolute().parent.is_dir():
        parser.error(f"there is no folder {chosen.totals.parent} for --totals")
    seed = secrets.randbits(32) if chosen.seed is None else chosen.seed
    print(f"inputs of --seed {seed}", file=sys.stderr)
    if lacking := missing():
        print(
            f"This machine has {' and '.join(lacking)} to confine students' Python: what gets past Python's own "
            "audit hook can reach your files.",
            file=sys.stderr,
        )
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # what a terminal or file cannot say
    failed: list[str] = []
    judge = partial(
        mark, seed=seed, limits=Limits(chosen.seconds, chosen.memory), parts=chosen.part_points > 0
    )
    worth = chosen.points, chosen.star_points, chosen.part_points
    marks: list[Mark] = []
    for row in table(_noted(_marks(lessons, judge, chosen.jobs, failed), marks), *worth):
        print(row, end="", flush=True)
    if chosen.totals is not None:
        with files.replacing(chosen.totals) as fresh:
            fresh.write_text("".join(totals(marks, *worth)), "utf-8", "backslashreplace")
    if failed:
        sys.exit(
            f"{len(failed)} of {len(lessons)} notebooks could not be marked: {', '.join(failed)}"
        )


def _marks(
    lessons: dict[str, str | None],
    judge: Callable[[str, str], list[Mark]],
    jobs: int,
    failed: list[str],
) -> Iterator[Mark]:
    """Of several notebooks at once, each as soon as it is judged; `judge` is given its path and lesson.

    A notebook that cannot be marked has one row that says so, and is added to `failed`.
    """
    with ThreadPoolExecutor(jobs) as judges:
        running = {
            judges.submit(judge, path, str(lesson)): path for path, lesson in lessons.items()
        }
        try:
            for done in as_completed(running):
                path = running.pop(done)
                try:
                    marks = done.result()
                except Exception as error:  # whatever it is, the others get their marks
                    failed.append(path)
                    said = (
                        f"could not be marked, look at it yourself: {type(error).__name__}: {error}"
                    )
                    yield Mark(path, "", False, 0, said)
                    continue
                yield from marks
                print(f"{path}: {_summary(marks)}", file=sys.stderr)
        finally:
            judges.shutdown(
                wait=False, cancel_futures=True
            )  # a teacher who stops does not wait for the class


def _noted(marks: Iterator[Mark], noted: list[Mark]) -> Iterator[Mark]:
    """The same marks, which are also in `noted` afterwards."""
    for one in marks:
        noted.append(one)
        yield one


def _summary(marks: list[Mark]) -> str:
    """Return how many answers are right, how many were not judged, and why none is right where all say the same, as of
    a file that is damaged."""
    solved, said = sum(one.solved for one in marks), {one.said.partition("\n")[0] for one in marks}
    late = sum(not one.judged for one in marks)
    counts = f"{solved} solved" + (f", {late} not judged" if late else "")
    return counts if solved or len(said) > 1 else f"{counts}: {said.pop()}"


if __name__ == "__main__":
    main()

"""python -m nnlib.teaching.marking NOTEBOOK … > marks-03.csv, and --again marks-03.csv for the same marks again."""

from __future__ import annotations

import argparse
import os
import re
import secrets
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed

from nnlib.teaching import options
from nnlib.teaching.marking.confinement import MARKING, UNSAFE, confined
from nnlib.teaching.marking.marks import (
    HandedIn,
    Mark,
    lesson_of,
    mark,
    read_table,
    write_table,
)
from nnlib.teaching.options import Limits


def main() -> None:
    """Run the command; its table goes to the standard output, what it is doing to the other."""
    parser = options.marking()
    # A student may call a notebook "--again=marks.ipynb".
    words = [f"./{word}" if re.match(r"(?s)-.*\.ipynb$", word) else word for word in sys.argv[1:]]
    chosen = parser.parse_args(words)
    try:
        handed_in = read_table(chosen.again) if chosen.again else _named(chosen)
    except (ValueError, OSError) as error:
        parser.error(str(error))
    if not handed_in:
        parser.error("name notebooks, or a table of marks with --again")
    if not (chosen.trust_students or confined()):
        parser.exit(1, UNSAFE)
    if chosen.trust_students:
        os.environ[MARKING] = "trust"
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # what a terminal or file cannot say
    failed: list[str] = []

    def judge(one: HandedIn) -> list[Mark]:
        limits = Limits(chosen.seconds, chosen.memory)
        return mark(one.notebook, one.lesson, one.seed, limits, one.part > 0)

    try:
        write_table(_marks(handed_in, judge, chosen.jobs, failed), sys.stdout)
    except OSError as error:
        sys.exit(f"the table of marks is cut short: {error}")
    if failed:
        sys.exit(
            f"{len(failed)} of {len(handed_in)} notebooks could not be marked: {', '.join(failed)}"
        )


def _named(chosen: argparse.Namespace) -> list[HandedIn]:
    """Return the notebooks of the command line.

    Raises ValueError where one has no lesson, where two are one file, or where a folder is a link.
    """
    seed = secrets.randbits(32) if chosen.seed is None else chosen.seed
    found = []
    folders = [os.path.dirname(os.path.abspath(path)) for path in chosen.notebooks]
    around = os.path.commonpath(folders or [""])  # links above are the teacher's
    real = {os.path.realpath(path): path for path in chosen.notebooks}
    for path, folder in zip(chosen.notebooks, folders, strict=True):
        lesson = chosen.lesson or lesson_of(path)
        if lesson is None:
            raise ValueError(
                f"which lesson is {path}? Say --lesson 03, or put the number into the name"
            )
        if (other := real[os.path.realpath(path)]) != path:
            raise ValueError(f"{path} and {other} are one file: is a folder a link to another's?")
        inside = os.path.join(os.path.realpath(around), os.path.relpath(folder, around))
        if os.path.realpath(inside) != os.path.normpath(inside):
            raise ValueError(f"{path} lies behind a link: is its folder a link to another's?")
        found.append(HandedIn(path, lesson, seed, chosen.points, chosen.part_points))
    return found


def _marks(
    handed_in: Sequence[HandedIn],
    judge: Callable[[HandedIn], list[Mark]],
    jobs: int,
    failed: list[str],
) -> Iterator[tuple[HandedIn, Mark]]:
    """Mark several notebooks at once, and yield each mark as soon as its notebook is judged.

    A notebook that cannot be marked has one row that says so, and is added to `failed`.
    """
    with ThreadPoolExecutor(max(1, jobs)) as judges:
        running = {judges.submit(judge, one): one for one in handed_in}
        try:
            for done in as_completed(running):
                one = running.pop(done)
                try:
                    marks = done.result()
                except Exception as error:  # whatever it is, the others get their marks
                    failed.append(one.notebook)
                    said = (
                        f"could not be marked, look at it yourself: {type(error).__name__}: {error}"
                    )
                    yield one, Mark(one.notebook, "", False, 0, said, judged=False)
                    continue
                yield from ((one, mark) for mark in marks)
                print(f"{one.notebook}: {_summary(marks)}", file=sys.stderr)
        finally:
            # A teacher who stops does not wait for the class
            judges.shutdown(wait=False, cancel_futures=True)


def _summary(marks: list[Mark]) -> str:
    """Say how many answers are right and how many were not judged.

    Where none is right and all have the same reason, as in a damaged file, add the reason.
    """
    solved, said = sum(one.solved for one in marks), {one.said.partition("\n")[0] for one in marks}
    late = sum(not one.judged for one in marks)
    counts = f"{solved} solved" + (f", {late} not judged" if late else "")
    return counts if solved or len(said) > 1 else f"{counts}: {said.pop()}"


if __name__ == "__main__":
    main()

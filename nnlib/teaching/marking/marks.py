"""The table of marks: notebooks one after the other, each judged in a process that may fail without harm."""

from __future__ import annotations

import contextlib
import csv
import json
import os
import re
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, TextIO

from nnlib.course.exercises import everything
from nnlib.lessons import NUMBERS
from nnlib.teaching.marking.remote import ROOT, Process
from nnlib.teaching.options import Limits
from nnlib.teaching.reading import naming, number, rows

COLUMNS = (
    *("student", "lesson", "exercise", "points", "of", "stars"),
    *("part", "seed", "handed_in", "notebook", "message"),
)
_PLATFORM = re.compile(
    r"[^_/]+(?:_LATE)?_(?P<canvas>\d+)_\d+_|(?P<moodle>[^_/]+)_\d+_assignsubmission_"
)
UNKNOWN = "?"  # when a notebook came
_LESSON = re.compile(r"(lesson_?)?\d\d(_\w+)?$")  # a folder that is no student's
_LONGEST = 5000  # characters of what is said; a reader of CSV stops at 131,072
_CONTROLS = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160)) if code != ord("\n")}


@dataclass(frozen=True)
class Mark:
    """One exercise of one notebook. said: what `check` says; stars: of a piece of the student's library, else 0.

    part: it is not right, but at most of its stages or sizes it is (parts.py). judged: False where this computer took
    too long for a verdict; the answer is neither right nor wrong then, and can be judged again.
    """

    notebook: str
    exercise: str
    solved: bool
    stars: int
    said: str
    part: bool = False
    judged: bool = True

    def points(self, points: float = 1, star_points: float = 0, part_points: float = 0) -> float:
        """Return the points of an answer.

        points: for a right answer; star_points: for each star beyond the first; part_points: for an answer that is right in part.
        """
        return (
            points + star_points * max(0, self.stars - 1)
            if self.solved
            else part_points * self.part
        )


def lesson_of(path: str) -> str | None:
    """Return the lesson's number in a file name: "03_matmul.ipynb" -> "03"; None where there is none, or several."""
    found = set(re.findall(r"(?<!\d)\d\d(?!\d)", Path(path).stem)) & set(NUMBERS)
    return found.pop() if len(found) == 1 else None


@dataclass(frozen=True)
class HandedIn:
    """A notebook to mark, with everything that its marks follow from; each row of the table repeats it.

    of: the worth of an exercise; part: of a kernel that is right in part.
    """

    notebook: str
    lesson: str
    seed: int
    of: float = 1
    part: float = 0

    @property
    def student(self) -> str:
        """Who handed it in: what Moodle or Canvas write into the name, else the folder's name, else the file's.

        A folder's name counts before the file's, which a student may have chosen.
        """
        path = Path(self.notebook)
        if found := self._platform:
            return found["canvas"] or found["moodle"]
        folders = [part for part in path.parent.parts if not _LESSON.match(part)]
        return folders[-1] if folders and folders[-1] not in ("/", "..") else path.stem

    @property
    def _platform(self) -> re.Match[str] | None:
        path = Path(self.notebook)
        return _PLATFORM.match(path.parent.name) or _PLATFORM.match(path.name)

    @property
    def when(self) -> str:
        """When: by nbgrader's timestamp in the lesson's folder, else by the file's own time.

        "" without a file, and where Canvas calls it in time. UNKNOWN of others from Canvas or Moodle: in their archives
        every file has the time of the download.
        """
        path = Path(self.notebook)
        with contextlib.suppress(OSError, ValueError):
            stamp = path.with_name("timestamp.txt")
            if _LESSON.match(path.parent.name) and stamp.is_file():
                with stamp.open(encoding="utf-8") as file:
                    told = " ".join(file.read(99).split()[:2])
                return datetime.fromisoformat(told).isoformat(timespec="seconds")
            if found := self._platform:
                return "" if found["canvas"] and "_LATE_" not in found[0] else UNKNOWN
            return datetime.fromtimestamp(path.lstat().st_mtime).isoformat(timespec="seconds")
        return ""

    def row(self, mark: Mark) -> list[str | float]:
        """Return a line of the table, in the order of COLUMNS."""
        points = f"{mark.points(self.of, 0, self.part):g}" if mark.judged else ""
        told = [self.student, self.lesson, mark.exercise, points, f"{self.of:g}", mark.stars or ""]
        return [*told, f"{self.part:g}", self.seed, self.when, self.notebook, mark.said]


def read_table(path: Path) -> list[HandedIn]:
    """Return what a table of marks was made from, to mark it again. ValueError where a cell is missing or impossible."""
    found: list[HandedIn] = []
    for line in rows(path):
        with naming(path, "column"):
            numbers = int(number(line["seed"])), number(line["of"]), number(line["part"])
            if line["lesson"] not in NUMBERS:
                raise ValueError(f"{line['lesson']!r} is no lesson")
            found.append(HandedIn(line["notebook"], line["lesson"], *numbers))
    return list(dict.fromkeys(found))


def mark(
    path: str | Path,
    lesson: str,
    seed: int = 0,
    limits: Limits = Limits(),  # noqa: B008
    parts: bool = False,
) -> list[Mark]:
    """Mark a notebook's answers to all exercises of a lesson, on inputs drawn from the seed. parts: see parts.py."""
    names = [exercise.name for exercise in everything(lesson)]
    until = time.monotonic() + limits.notebook(len(names))
    question = {
        "path": str(Path(path).absolute()),
        "seed": seed,
        "seconds": limits.seconds,
        "memory": limits.memory,
        "parts": parts,
    }
    found: list[Mark] = []
    while len(found) < len(names):  # once, unless a process ends or is ended before it has said all
        for verdict in _verdicts(question, names[len(found) :], limits, until):
            name = names[len(found)]
            said = _shown(verdict["said"].removeprefix(f"✗ {name}").lstrip(":, ."))
            found.append(Mark(str(path), name, **verdict | {"said": said}))
    return found


def _shown(said: str) -> str:
    """Return a student's words in a form that a table, a terminal and a browser can show: in one row, with valid Unicode."""
    short = said if len(said) <= _LONGEST else f"{said[:_LONGEST]} …"
    return short.translate(_CONTROLS).encode("utf-8", "backslashreplace").decode("utf-8")


def _verdicts(
    question: dict[str, Any], names: list[str], limits: Limits, until: float
) -> Iterator[dict[str, Any]]:
    """Yield the fields of a mark for each exercise as long as the process judges; what stops it is the last.

    until: when the notebook's time is up.
    """
    if time.monotonic() >= until:
        yield from [not_judged("other answers have used up the time of the notebook")] * len(names)
        return
    command = [sys.executable, "-m", "nnlib.teaching.marking.judge", str(limits.memory)]
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            **os.environ,
            "PYTHONPATH": ROOT,
            "NNLIB_PROGRESS": "",
            "NNLIB_MINE": f"{folder}/mine",
            "CUDA_VISIBLE_DEVICES": "",
            "OPENBLAS_NUM_THREADS": "1",
            "MPLBACKEND": "agg",
        }
        with contextlib.closing(Process(command, folder, environment, leads=True)) as judge:
            for name in names:
                now = time.monotonic()
                # The judge's own limit comes first
                left = min(2 * limits.seconds + 30, until - now)
                try:
                    reply = judge.ask(json.dumps(question | {"exercise": name}), now + left)
                except TimeoutError:
                    yield not_judged(f"it took more than {left:.0f} s on this computer")
                    return
                except (EOFError, OverflowError):
                    yield _none(
                        "the judge ended: by too much memory, or a defect of ours. No verdict."
                    )
                    return
                yield json.loads(reply)


def _none(text: str) -> dict[str, Any]:
    """Return the verdict where the judge has none, and the answer is to blame."""
    return {"solved": False, "stars": 0, "said": text}


def not_judged(why: str) -> dict[str, Any]:
    """Return the verdict where this computer was too slow for one."""
    return _none(
        f"not judged: {why}. This is no verdict, and costs no point: judge it again with a higher --seconds, "
        "or look at it yourself, since an endless loop takes any time."
    ) | {"judged": False}


def write_table(marks: Iterable[tuple[HandedIn, Mark]], file: TextIO) -> None:
    """Write CSV: COLUMNS, then each row as soon as its mark is there."""
    lines = csv.writer(file, lineterminator="\n")
    lines.writerow(COLUMNS)
    for handed_in, mark in marks:
        lines.writerow(map(shown_as_text, handed_in.row(mark)))
        file.flush()


def shown_as_text(value: object) -> str:
    """Return a cell; a student's words that begin like a formula are shown, not computed, by a spreadsheet."""
    text = str(value)
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text

"""A class of sixty by the course's own command: four of them hand in what should stop it, and stop nobody else.

python -m tests.teaching.marking.class_of_sixty FOLDER [JOBS]      prints who got what, and how long it took
"""

from __future__ import annotations

import csv
import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import nbformat

from nnlib.teaching.copies import handed_out
from tests.teaching.marking.end_to_end import LESSON, WRONG, answered, solutions

STUDENTS = 60
BOMB = """%%cuda
#define A x + x
#define B A * A * A * A
#define C B * B * B * B
extern "C" __global__ void transpose(const float* in, float* out, int width, int height)
{ float x = 1; float big[40000000]; for (;;) out[0] = C * C * C; }"""
HOSTILE = {  # instead of their answers
    "bomb": {"transpose": BOMB, "intensity": "def intensity(bm, bn):\n    return 9**9**9**9"},
    "surrogate": {"intensity": "def intensity(bm, bn):\n    raise Exception('\\ud800')"},
    "sleeper": {
        name: f"import time\ndef {name}(*_):\n    time.sleep(10**6)" for name in ["intensity"]
    },
    "unprintable": {
        "intensity": "class E(Exception):\n    __str__ = None\ndef intensity(bm, bn):\n    raise E"
    },
}


def hand_in(folder: Path) -> None:
    """A notebook for each student; every third honest one is wrong in one answer."""
    lesson, right = handed_out(LESSON), solutions()
    names = [*HOSTILE, *(f"student{number:02}" for number in range(STUDENTS - len(HOSTILE)))]
    for number, name in enumerate(names):
        own = HOSTILE.get(name) or ({"intensity": WRONG} if number % 3 == 0 else {})
        notebook = answered(lesson, {**right, **own})
        (folder / name).mkdir(parents=True)
        nbformat.write(notebook, folder / name / LESSON.name)


def marked(folder: Path, jobs: int) -> tuple[dict[str, set[str]], float]:
    """Student -> right answers, and the seconds that it took."""
    began = time.monotonic()
    table = folder / "marks.csv"
    with open(table, "w", encoding="utf-8") as file:
        subprocess.run(
            [
                sys.executable,
                "-m",
                "nnlib.teaching.marking",
                "--seed",
                "7",
                "--jobs",
                str(jobs),
                *map(str, sorted(folder.glob(f"*/{LESSON.name}"))),
            ],
            stdout=file,
            check=True,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": os.getcwd()},
        )
    found: dict[str, set[str]] = {
        path.parent.name: set() for path in folder.glob(f"*/{LESSON.name}")
    }
    with open(table, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert Counter(row["notebook"] for row in rows) == dict.fromkeys(
        {row["notebook"] for row in rows}, 5
    )
    for row in rows:
        if row["points"] != "0":
            found[Path(row["notebook"]).parent.name].add(row["exercise"].removeprefix("03."))
    return found, time.monotonic() - began


def expected(names: list[str]) -> dict[str, set[str]]:
    """Who is to get what."""
    everything = {*solutions()}
    honest = sorted(name for name in names if name not in HOSTILE)
    wrong = {name for number, name in enumerate(honest, len(HOSTILE)) if number % 3 == 0}
    return {
        name: everything - set(HOSTILE.get(name, {"intensity"} if name in wrong else ()))
        for name in names
    }


def main(folder: str, jobs: str = "1") -> None:
    """Print the minutes, and stop where somebody did not get what the answers are worth."""
    place = Path(folder)
    hand_in(place)
    found, seconds = marked(place, int(jobs))
    print(
        f"{len(found)} notebooks in {seconds / 60:.1f} minutes with {jobs} jobs on {os.cpu_count()} cores"
    )
    if len(found) != STUDENTS or found != expected(list(found)):
        raise SystemExit(f"not as expected: {found}")


if __name__ == "__main__":
    main(*sys.argv[1:])

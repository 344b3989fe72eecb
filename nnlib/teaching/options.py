"""The options of a teacher's commands. They need no package: `--help` answers also where a command cannot run."""

from __future__ import annotations

import argparse
import re
import secrets
from dataclasses import dataclass
from pathlib import Path

from nnlib.lessons import NUMBERS
from nnlib.teaching.reading import number

# Of two answers that look like copies: reordered ones score 72 %, independent long ones up to 57 %.
LEAST_SCORE = 0.7
MINUTES = 90  # of an exam


@dataclass(frozen=True)
class Limits:
    """seconds: for one exercise. memory: in megabytes, of addresses that a process may have."""

    seconds: float = 60
    memory: int = 4096

    def notebook(self, exercises: int) -> float:
        """Return the seconds for all exercises of a notebook, of which one without an endless answer needs a fraction."""
        return max(4, exercises) * self.seconds


def slides() -> argparse.ArgumentParser:
    """Return the options of `nnlib slides`."""
    parser = _lessons(
        "slides",
        "One slide deck per lesson: an HTML file that needs no network, no server, no kernel.",
    )
    _flag(parser, "--pdf", "print the decks to PDF as well")
    return parser


def pages() -> argparse.ArgumentParser:
    """Return the options of `nnlib pages`."""
    return _lessons(
        "pages",
        "One HTML page per lesson, for reading and printing. Solutions and answers are folded.",
    )


def student() -> argparse.ArgumentParser:
    """Return the options of `nnlib student`."""
    parser = _folder(
        "student",
        "What students get: lessons and a package without solutions, in a folder that can be a "
        "repository.",
    )
    _flag(
        parser,
        "--pieces",
        "with the course's first text of every piece, which "
        "lesson 08 needs where a student has none",
    )
    parser.add_argument(
        "--term", type=Path, metavar="FILE", help="with a syllabus from the dates and rules in it"
    )
    return parser


def assignment() -> argparse.ArgumentParser:
    """Return the options of `nnlib assignment`."""
    parser = _lessons(
        "assignment", "The lessons as graded assignments, for nbgrader and for otter-grader."
    )
    parser.add_argument(
        "--star-points", type=number, default=0, help="for each star beyond the first (default: 0)"
    )
    _flag(
        parser,
        "--image",
        "also what a container with otter's autograder, or Gradescope's, is built from",
    )
    _judging(parser)
    return parser


def exam() -> argparse.ArgumentParser:
    """Return the options of `nnlib exam`."""
    parser = _folder(
        "exam",
        "A written paper with solutions and a marking scheme, drawn from a bank of questions: "
        "Markdown to edit, HTML to print.",
        "exams",
    )
    parser.add_argument(
        "--seed",
        type=_seed,
        default=secrets.randbelow(1_000_000),
        help="draws the same paper again, so keep it secret until the exam; 7A, 7B and 7C ask the same "
        "questions with other numbers, and 30, 31 and 32 share no question, as a multiple of 3 and the "
        "next two do (default: a new one, which the files are named after)",
    )
    parser.add_argument(
        "--lessons",
        nargs="*",
        default=[],
        metavar="NN",
        help="such as 01 02 03 (default: 01 to 08)",
    )
    parser.add_argument(
        "--minutes",
        type=int,
        default=MINUTES,
        help="at most; the paper says what its questions need (default: %(default)s)",
    )
    parser.add_argument(
        "--term", type=Path, metavar="FILE", help="with the course, the date and the grades"
    )
    parser.add_argument(
        "--bank", type=Path, metavar="FOLDER", help="with questions of your own, LESSON.TOPIC.md"
    )
    _flag(
        parser,
        "--concepts",
        "write the concept inventory and its key, for the first and the last week",
    )
    parser.add_argument(
        "--answers",
        nargs=2,
        type=Path,
        metavar=("BEFORE", "AFTER"),
        help="print gain and statistics of the concept inventory from two tables of answers",
    )
    return parser


def marking() -> argparse.ArgumentParser:
    """Return the options of `python -m nnlib.teaching.marking`."""
    parser = argparse.ArgumentParser(
        prog="python -m nnlib.teaching.marking", description="Marks of handed-in notebooks."
    )
    parser.add_argument(
        "notebooks", nargs="*", help="files; the lesson is the number in their names"
    )
    parser.add_argument("--lesson", choices=NUMBERS, help="for files whose names do not say it")
    parser.add_argument(
        "--again",
        type=Path,
        metavar="MARKS",
        help="mark the notebooks of this table again, with its seeds and points",
    )
    parser.add_argument(
        "--jobs", type=int, default=1, help="notebooks at once; each needs a core (default: 1)"
    )
    _flag(
        parser,
        "--trust-students",
        "mark where nothing confines students' Python: it can do whatever you can",
    )
    _judging(parser)
    return parser


def _judging(parser: argparse.ArgumentParser) -> None:
    """Add what a mark depends on."""
    parser.add_argument(
        "--points", type=number, default=1, help="for an exercise (default: %(default)s)"
    )
    parser.add_argument(
        "--part-points",
        type=number,
        default=0,
        help="for a wrong kernel that is right at more than "
        "half of its stages or sizes (default: %(default)s)",
    )
    parser.add_argument("--seed", type=whole_number, help="of the inputs (default: drawn)")
    parser.add_argument(
        "--seconds",
        type=number,
        default=Limits.seconds,
        help="for an exercise (default: %(default)s)",
    )
    parser.add_argument(
        "--memory", type=whole_number, default=Limits.memory, help="in MB (default: %(default)s)"
    )


def gradebook() -> argparse.ArgumentParser:
    """Return the options of `nnlib gradebook`."""
    parser = argparse.ArgumentParser(
        prog="nnlib gradebook",
        description="A term's marks in one table: lessons, late days, homework, stars, talks, exam.",
    )
    parser.add_argument(
        "folder", type=Path, help="with term.toml, roster.csv, marks*.csv and points*.csv"
    )
    _flag(parser, "--feedback", "write a page for each student into feedback/")
    return parser


def similar() -> argparse.ArgumentParser:
    """Return the options of `nnlib similar`."""
    parser = argparse.ArgumentParser(
        prog="nnlib similar",
        description="Answers in a folder of handed-in notebooks "
        "that look like copies: groups and scores.",
    )
    parser.add_argument(
        "folder", type=Path, help="with notebooks, or with a folder of notebooks for each student"
    )
    parser.add_argument(
        "--least", type=float, default=LEAST_SCORE, help="score to report (default: %(default)s)"
    )
    _flag(parser, "--lines", "print the passages of each pair")
    parser.add_argument("--csv", type=Path, metavar="FILE", help="write a row for each pair")
    return parser


def site() -> argparse.ArgumentParser:
    """Return the options of `nnlib site`."""
    parser = _folder(
        "site",
        "The lessons in the browser: a static folder with JupyterLite, Pyodide, nnlib and slides.",
    )
    _flag(parser, "--cdn", "Pyodide comes from its CDN, even if NNLIB_PYODIDE has one")
    _flag(parser, "--student", "lessons and package without solutions")
    _flag(
        parser,
        "--pieces",
        "for lesson 08, the students' package has the course's first text of every piece",
    )
    parser.add_argument(
        "--serve",
        type=int,
        nargs="?",
        const=8000,
        metavar="PORT",
        help="build nothing, but show the "
        "site that is there at this port of this machine (default: %(const)s)",
    )
    return parser


def whole_number(word: str) -> int:
    """Return the integer in a word of a command; ValueError where it is below zero or none."""
    return int(number(str(int(word))))


def _seed(word: str) -> str:
    """Return the seed of a paper as it is, if files may be named after it."""
    if not re.fullmatch(r"\d+[A-Za-z]?", word):
        raise argparse.ArgumentTypeError(f"{word}: give digits, or digits and a letter, as in 7B")
    return word


def _flag(parser: argparse.ArgumentParser, name: str, does: str) -> None:
    """Add an option without a value."""
    parser.add_argument(name, action="store_true", help=does)


def _folder(command: str, description: str, default: str = "") -> argparse.ArgumentParser:
    """Return a parser with the folder to write into, which is named like the command if no default is given."""
    parser = argparse.ArgumentParser(prog=f"nnlib {command}", description=description)
    parser.add_argument(
        "--to", type=Path, default=Path(default or command), help="folder (default: %(default)s)"
    )
    return parser


def _lessons(command: str, description: str) -> argparse.ArgumentParser:
    """Return a parser with the notebooks to read and the folder to write into."""
    parser = _folder(command, description)
    parser.add_argument("notebooks", nargs="*", type=Path, help="default: all lessons")
    return parser

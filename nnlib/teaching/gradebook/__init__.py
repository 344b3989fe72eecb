"""`nnlib gradebook`: a term's marks, points and late days as one table, and a page for each student.

A folder holds term.toml, roster.csv (an export of Canvas or Moodle), marks*.csv, as marking writes them, and
points*.csv with the columns student, what ("homework 03", "talk", "exam"), points, of. All results follow from these
files: to correct a mark, mark again or change a row, and run it again.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path

from nnlib.support import files
from nnlib.teaching import options
from nnlib.teaching.filling import TEMPLATES, filled
from nnlib.teaching.gradebook.standing import Standing, standing
from nnlib.teaching.gradebook.tables import Roster, platform_table, read_work
from nnlib.teaching.term import PARTS, CourseTerm


def main(arguments: list[str] | None = None) -> None:
    """Run the command `nnlib gradebook`."""
    parser = options.gradebook()
    chosen = parser.parse_args(arguments)
    folder: Path = chosen.folder
    try:
        term, roster = CourseTerm.read(folder / "term.toml"), Roster.read(folder / "roster.csv")
        work = read_work(folder, term, roster)
    except (ValueError, OSError) as error:
        parser.error(str(error))
    if not work.lessons:
        parser.error(f"no marks*.csv of {folder} has a lesson of the term")
    found = [standing(term, student, work) for student in roster.names]
    name = "canvas.csv" if roster.canvas else "moodle.csv"
    lines = [_line(one) for one in found]
    _write_table(folder / "gradebook.csv", [[*lines[0]], *([*line.values()] for line in lines)])
    _write_table(folder / name, platform_table(roster, found))
    print(f"{folder / 'gradebook.csv'}, {folder / name}: {len(found)} students")
    strangers = {who for one in work.lessons.values() for who in one} | {*work.talks, *work.exam}
    for line in _remarks(found, sorted(strangers - {*roster.names})):
        print(line)
    if chosen.feedback:
        pages = folder / "feedback"
        pages.mkdir(exist_ok=True)
        for one in found:
            with files.replacing(pages / f"{_file_name(one.student)}.html") as fresh:
                page = filled(TEMPLATES / "papers" / "feedback.html", term=term, one=one)
                fresh.write_text(page, "utf-8", "backslashreplace")
        print(f"{pages}: a page for each student")


def _line(one: Standing) -> dict[str, str]:
    """Return a student's line of gradebook.csv by column: everything that the mark follows from."""
    line = {"student": one.student}
    for lesson, work in one.lessons.items():
        line |= {
            f"{lesson} points": f"{work.points:g}",
            f"{lesson} stars": str(work.stars),
            f"{lesson} homework": "" if work.homework is None else f"{work.homework:g}",
            f"{lesson} days late": str(work.days),
            f"{lesson} of these free": str(work.free),
            f"{lesson} percent": f"{work.percent:.2f}",
        }
    for part in PARTS:
        percent = one.percent[part]
        line[part] = "" if percent is None else f"{percent:.2f}"
    return line | {
        "dropped": " ".join(one.dropped),
        "late days left": str(one.days_left),
        "mark": f"{one.total:.2f}",
        "grade": one.grade,
    }


def _remarks(found: Sequence[Standing], strangers: Sequence[str]) -> Iterable[str]:
    """Yield what a teacher has to look at: who has not handed in, what nobody has judged, who is unknown."""
    for lesson in found[0].lessons:
        if missing := [one.student for one in found if not one.lessons[lesson].here]:
            yield f"lesson {lesson}: not handed in by {len(missing)}: {', '.join(missing)}"
        if timeless := [one.student for one in found if one.lessons[lesson].timeless]:
            yield f"lesson {lesson}: in time, as long as points.csv has no late {lesson}: {', '.join(timeless)}"
        for one in found:
            if unclear := one.lessons[lesson].unclear:
                yield f"lesson {lesson}: {one.student}: not judged: {', '.join(unclear)}"
    if strangers:
        yield f"not in roster.csv, so without a mark: {', '.join(strangers)}"


def _file_name(student: str) -> str:
    return "".join(letter if letter.isalnum() or letter in "@.-_ " else "_" for letter in student)


def _write_table(path: Path, lines: Iterable[list[str]]) -> None:
    with files.replacing(path) as fresh, fresh.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(lines)

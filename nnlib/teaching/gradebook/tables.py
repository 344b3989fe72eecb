"""The tables of a term: those that it is computed from, and those that Canvas and Moodle import.

Canvas takes a table whose columns are those of its own export up to Section, then assignments; the row "Points
Possible" says what each is out of (lib/gradebook_importer.rb of canvas-lms). Moodle's import of grades takes any table,
and asks which column names the user: "ID number" or "Email address" (grade/import/csv).
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from nnlib.teaching.gradebook.standing import ClassWork, LessonWork, Standing
from nnlib.teaching.marking.marks import UNKNOWN
from nnlib.teaching.reading import naming, number, rows
from nnlib.teaching.term import CourseTerm, moment

LAST_OF_CANVAS = "Section"
WHAT = re.compile(r"(homework|late) (\d\d)|(talk)\b.*|(exam)")


@dataclass(frozen=True)
class Roster:
    """The class as a platform exports it. columns: those that say who somebody is; names: student -> these cells."""

    columns: Sequence[str]
    names: Mapping[str, Sequence[str]]

    @property
    def canvas(self) -> bool:
        """Whether the table is Canvas's."""
        return LAST_OF_CANVAS in self.columns

    @classmethod
    def read(cls, path: Path) -> Roster:
        """Read an export of Canvas's gradebook or of Moodle's participants or grades.

        A student is called by the "student" column if there is one, else by the e-mail address, a login or a number,
        whichever comes first in the table's columns of that kind. Raises ValueError where two would be the same, and
        where nobody is in it.
        """
        lines = rows(path)
        columns = list(lines[0]) if lines else []
        if LAST_OF_CANVAS in columns:
            columns = columns[: columns.index(LAST_OF_CANVAS) + 1]
        else:
            columns = [name for name in columns if "total" not in name and ":" not in name]
        wanted = ("student", "SIS Login ID", "Email address", "Username", "ID number", "ID")
        key = next((name for name in wanted if name in columns), None)
        if key is None:
            raise ValueError(f"{path} has none of the columns {', '.join(wanted)}")
        people = [line for line in lines if line[key].strip()]
        twice = [who for who, times in Counter(line[key] for line in people).items() if times > 1]
        if twice or not people:
            raise ValueError(f"{path} has {twice[0]} twice" if twice else f"{path} has no students")
        return cls(columns, {line[key]: [line[name] for name in columns] for line in people})

    def student(self, called: str) -> str:
        """Return who is called so in a table of marks: by any cell of the roster that only one student has.

        First and last name together and the part of an address before its @ are names, too. Who is not in the roster
        stays under the name given.
        """
        found = [who for who, cells in self.names.items() if called.lower() in self._known(cells)]
        return found[0] if len(found) == 1 else called

    def _known(self, cells: Sequence[str]) -> set[str]:
        named = dict(zip(self.columns, cells, strict=True))
        whole = f"{named.get('First name', '')} {named.get('Last name', named.get('Surname', ''))}"
        low = [cell.strip().lower() for cell in (*cells, whole) if cell.strip()]
        return {*low, *(cell.partition("@")[0] for cell in low)}


def read_work(folder: Path, term: CourseTerm, roster: Roster) -> ClassWork:
    """Read marks*.csv and points*.csv of a folder; of two rows about the same answer the later one counts.

    Raises ValueError for a row that nobody can read, and for two notebooks of one student in one table: a name that a
    student has chosen may be another's.
    """
    marks: dict[tuple[str, str, str], tuple[dict[str, str], Path]] = {}
    for path in sorted(folder.glob("marks*.csv")):
        notebooks: dict[tuple[str, str], str] = {}
        for line in rows(path):
            with naming(path, "column"):
                if line["lesson"] in term.due:
                    student, lesson = roster.student(line["student"]), line["lesson"]
                    first = notebooks.setdefault((student, lesson), line["notebook"])
                    if first != line["notebook"]:
                        raise ValueError(
                            f"{first} and {line['notebook']} are both lesson {lesson} of {student}: "
                            "delete the rows of one"
                        )
                    marks[student, lesson, line["exercise"]] = line, path
    lessons: dict[str, dict[str, LessonWork]] = defaultdict(dict)
    of: dict[str, dict[str, float]] = defaultdict(dict)
    judged = {key[:2] for key in marks if key[2]}
    for (student, lesson, exercise), (line, path) in sorted(marks.items()):
        if not exercise and (student, lesson) in judged:
            continue  # the notebook could not be marked, and was marked later
        work = lessons[lesson].setdefault(student, LessonWork(lesson))
        work.here = True
        with naming(path, "column"):
            when = line["handed_in"]
            work.timeless = when == UNKNOWN
            work.points += number(line["points"] or "0")
            work.stars += max(0, int(line["stars"] or 0) - 1)
            work.said.append((exercise, line["message"]))
            work.handed_in = moment(when) if when.strip(UNKNOWN) else None
            if exercise:
                of[lesson][exercise] = number(line["of"] or "0")
        if not line["points"]:
            work.unclear.append(exercise or "the whole notebook")
    talks, exam = _read_points(folder, term, roster, lessons)
    most = {lesson: sum(of[lesson].values()) for lesson in lessons}
    return ClassWork(dict(sorted(lessons.items())), most, talks, exam)


def _read_points(
    folder: Path, term: CourseTerm, roster: Roster, lessons: dict[str, dict[str, LessonWork]]
) -> tuple[dict[str, list[float]], dict[str, float]]:
    """Add homework and late days to the lessons; return those of talks and exam, as shares of 1."""
    talks: dict[str, list[float]] = defaultdict(list)
    exam: dict[str, float] = {}
    for path in sorted(folder.glob("points*.csv")):
        for line in rows(path):
            with naming(path, "column"):
                found = WHAT.fullmatch(line["what"].strip())
                if found is None:
                    raise ValueError(f"{line['what']} is no homework NN, late NN, talk or exam")
                student, points = roster.student(line["student"]), number(line["points"])
                if lesson := found[2]:
                    if lesson not in term.homework or lesson not in term.due:
                        raise ValueError(f"the term has no points or date for homework {lesson}")
                    work = lessons[lesson].setdefault(student, LessonWork(lesson))
                    if found[1] == "late":
                        work.days, work.handed_in, work.timeless = math.ceil(points), None, False
                    else:
                        work.homework, work.here = points, True
                elif found[3]:
                    talks[student].append(points / number(line["of"]))
                else:
                    exam[student] = points / number(line["of"])
    return talks, exam


def platform_table(roster: Roster, found: Sequence[Standing]) -> Iterator[list[str]]:
    """Yield the lines of the table that the roster's platform imports: percentages, and for Moodle the grade."""
    titles = [*(f"Lesson {lesson}" for lesson in found[0].lessons), "Mark"]
    if roster.canvas:
        yield [*roster.columns, *titles]
        blank = (len(roster.columns) - 1) * [""]
        yield ["    Points Possible", *blank, *(len(titles) * ["100"])]
    else:
        yield [*roster.columns, *titles, "Grade"]
    for cells, one in zip(roster.names.values(), found, strict=True):
        percents = [*(work.percent for work in one.lessons.values()), one.total]
        grade = [] if roster.canvas else [one.grade]
        yield [*cells, *(f"{value:.2f}" for value in percents), *grade]

"""The formula of the teacher's guide: what a student's points, days and stars come to."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from nnlib.course.exercises import PieceExercise, everything
from nnlib.teaching.term import PARTS, CourseTerm

MORE_STARS = 2  # that a kernel can earn beyond the first


@dataclass
class LessonWork:
    """What one student has handed in for one lesson. days: late; free: of these without a penalty.

    here: whether anything was handed in. timeless: whether nobody knows when. unclear: what a machine could not decide.
    said: exercise and the check's words. homework: None while it has no points. share: what the penalty leaves;
    percent: of the whole lesson.
    """

    lesson: str
    points: float = 0
    stars: int = 0
    homework: float | None = None
    handed_in: datetime | None = None
    here: bool = False
    timeless: bool = False
    unclear: list[str] = field(default_factory=list)
    said: list[tuple[str, str]] = field(default_factory=list)
    days: int = 0
    free: int = 0
    share: float = 1
    percent: float = 0


@dataclass(frozen=True)
class ClassWork:
    """Everything that counts: for each student the work of each lesson, and other points as a share of 1.

    of: points of all exercises of a lesson. talks and exam: student -> shares.
    """

    lessons: Mapping[str, Mapping[str, LessonWork]]
    of: Mapping[str, float]
    talks: Mapping[str, Sequence[float]]
    exam: Mapping[str, float]


@dataclass(frozen=True)
class Standing:
    """A student's result. percent: of each part, None where nobody has points yet. dropped: lessons."""

    student: str
    lessons: Mapping[str, LessonWork]
    percent: Mapping[str, float | None]
    dropped: Sequence[str]
    total: float
    grade: str
    days_left: int


def count_days(term: CourseTerm, lessons: Iterable[LessonWork]) -> int:
    """Set days, free days and the remaining share of each lesson, in the order of the due dates; return the days left.

    A day that has begun counts. What arrives after the term closes is worth nothing and takes no free day.
    """
    left = term.late_days
    for work in sorted(lessons, key=lambda work: term.due[work.lesson]):
        if not work.here:
            continue
        if work.handed_in:
            late = (work.handed_in - term.due[work.lesson]).total_seconds() / 86_400
            work.days = max(0, math.ceil(late))
        if work.days > term.closes:
            work.share = 0
            continue
        work.free = min(left, work.days)
        left -= work.free
        work.share = max(0, 1 - (work.days - work.free) * term.penalty / 100)
    return left


def standing(term: CourseTerm, student: str, work: ClassWork) -> Standing:
    """Return what a student has reached so far; parts of which nobody has points yet do not count."""
    own = {lesson: work.lessons[lesson].get(student, LessonWork(lesson)) for lesson in work.lessons}
    left = count_days(term, own.values())
    homework = {}
    for lesson, one in own.items():
        of = work.of[lesson]
        if any(other.homework is not None for other in work.lessons[lesson].values()):
            homework[lesson] = (one.homework or 0) * one.share / (term.homework[lesson] or 1)
            of += term.homework[lesson]
        one.percent = 100 * (one.points + (one.homework or 0)) * one.share / (of or 1)
    spared = min(term.drop, len(homework) - 1) if homework else 0
    dropped = sorted(homework, key=lambda lesson: (homework[lesson], lesson))[:spared]
    possible = sum(MORE_STARS * kernels(lesson) for lesson in own if work.of[lesson])
    shares = {
        "exercises": _part(
            sum(one.points * one.share for one in own.values()), sum(work.of[one] for one in own)
        ),
        "stars": _part(sum(one.stars * (one.share > 0) for one in own.values()), possible),
        "homework": _part(
            sum(share for lesson, share in homework.items() if lesson not in dropped),
            len(homework) - spared,
        ),
        "talks": _part(
            sum(work.talks.get(student, ())), max(map(len, work.talks.values()), default=0)
        ),
        "exam": work.exam.get(student, 0) if work.exam else None,
    }
    percent = {
        part: None if share is None else 100 * min(1, share) for part, share in shares.items()
    }
    counted = {part: value for part in PARTS if (value := percent[part]) is not None}
    weight = sum(term.weights[part] for part in counted)
    total = sum(term.weights[part] * value for part, value in counted.items()) / (weight or 1)
    failed = "exam" in counted and counted["exam"] < term.exam_needed
    return Standing(
        student, own, percent, dropped, total, grade(term, 0 if failed else total), left
    )


def grade(term: CourseTerm, percent: float) -> str:
    """Return the best grade of the term's scale for a percentage, which is not rounded first."""
    return next(
        (name for name, least in term.grades.items() if percent >= least - 1e-9),
        list(term.grades)[-1],
    )


def kernels(lesson: str) -> int:
    """Return how many exercises of a lesson can earn stars."""
    return sum(isinstance(exercise, PieceExercise) for exercise in everything(lesson))


def _part(points: float, of: float) -> float | None:
    return points / of if of else None

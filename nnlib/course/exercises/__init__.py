"""The exercises of the lessons, one module of specifications per lesson."""

from __future__ import annotations

import importlib.util
from typing import Any

from nnlib.course.exercises.checking import _REGISTRY, Exercise
from nnlib.course.exercises.kernels import PIECE_EXERCISES, PieceExercise
from nnlib.lessons import NUMBERS

__all__ = ["PieceExercise", "everything", "find", "lesson_exercises", "lesson_pieces", "right_or"]


def lesson_exercises(lesson: str) -> list[Exercise]:
    """Return the exercises of a lesson, such as "01", in their order; none for a lesson without exercises."""
    module = f"{__name__}.lesson{lesson}"
    if lesson in NUMBERS and importlib.util.find_spec(module):
        importlib.import_module(module)
    return [e for e in _REGISTRY.values() if e.name.startswith(lesson + ".")]


def lesson_pieces(lesson: str) -> list[PieceExercise]:
    """Return the workshops of a lesson: the pieces of the student's library that are written there."""
    return [e for e in PIECE_EXERCISES.values() if e.name.startswith(lesson + ".")]


def everything(lesson: str) -> list[Exercise | PieceExercise]:
    """Return all that `check` accepts in a lesson: its exercises, then its pieces."""
    return [*lesson_exercises(lesson), *lesson_pieces(lesson)]


def find(name: str) -> Exercise | PieceExercise:
    """Return the exercise of that name. Raise KeyError, which lists the names of its lesson, where there is none.

    >>> find("02.grey").judge(16).text.splitlines()[0]
    '✗ 02.grey: needs a kernel, and got something of type int.'
    """
    known = {exercise.name: exercise for exercise in everything(name.split(".")[0])}
    if name not in known:
        there = (
            ", ".join(known)
            or "none for this lesson. A name begins with its lesson, as 01.rotate does"
        )
        raise KeyError(f"no exercise {name!r}; there are: {there}")
    return known[name]


def right_or(name: str, yours: Any, course: Any) -> Any:
    """Return the student's kernel or function if the exercise of that name accepts it, else the course's; say which."""
    called = name.split(".")[1]
    if find(name).judge(yours).solved:
        print(f"{called}: yours")
        return yours
    instead = f": the course's {getattr(course, 'name', 'answer')} runs instead" if course else ""
    print(f"{called} is not right yet{instead}")
    return course

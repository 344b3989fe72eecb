"""The exercises of the lessons, one module of specifications per lesson. Lesson 01."""

from __future__ import annotations

import importlib.util

from nnlib.course.exercises.checking import _REGISTRY, Exercise
from nnlib.course.exercises.pieces import PIECE_EXERCISES, PieceExercise

__all__ = ["PieceExercise", "find", "lesson_exercises"]


def lesson_exercises(lesson: str) -> list[Exercise | PieceExercise]:
    """The exercises of lesson "01" … "08", then its pieces of the student's library; empty when it has none."""
    if importlib.util.find_spec(f"{__name__}.lesson{lesson}") is None:
        return []
    importlib.import_module(f"{__name__}.lesson{lesson}")
    everything: list[Exercise | PieceExercise] = [*_REGISTRY.values(), *PIECE_EXERCISES.values()]
    return [exercise for exercise in everything if exercise.name.startswith(lesson + ".")]


def find(name: str) -> Exercise | PieceExercise:
    """The exercise of that name; KeyError that lists the names of its lesson.

    >>> find("02.sectors").judge(16).text
    '✓ 02.sectors: right.'
    """
    known = {e.name: e for e in lesson_exercises(name.split(".")[0])}
    if name not in known:
        raise KeyError(f"no exercise {name!r}; there are: {', '.join(known) or 'none for this lesson'}")
    return known[name]

"""The exercises of the lessons, one module of specifications per lesson. Lesson 01."""

from __future__ import annotations

import importlib.util

from nnlib.course.exercises.checking import _REGISTRY, Exercise


def lesson_exercises(lesson: str) -> list[Exercise]:
    """The exercises of lesson "01" … "08" in their order; empty when it has none."""
    if importlib.util.find_spec(f"{__name__}.lesson{lesson}") is None:
        return []
    importlib.import_module(f"{__name__}.lesson{lesson}")
    return [e for e in _REGISTRY.values() if e.name.startswith(lesson + ".")]


def find(name: str) -> Exercise:
    """The exercise of that name; KeyError that lists the names of its lesson.

    >>> find("02.sectors").judge(16).text
    '✓ 02.sectors: right.'
    """
    known = {e.name: e for e in lesson_exercises(name.split(".")[0])}
    if name not in known:
        raise KeyError(f"no exercise {name!r}; there are: {', '.join(known) or 'none for this lesson'}")
    return known[name]

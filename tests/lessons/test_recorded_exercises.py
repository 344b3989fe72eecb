"""What every exercise asks and what each of its mistakes computes, as recorded in exercises.json: a changed number of a
case, a limit or a mistake is seen, which would only make a hint fall silent. After a change that is meant:

    python -m tests.lessons.test_recorded_exercises
"""

import json
from pathlib import Path

import numpy as np

from nnlib import mine
from nnlib.course import exercises
from nnlib.course.exercises.checking import FunctionExercise
from nnlib.course.exercises.kernels import KernelExercise
from nnlib.lessons import NUMBERS
from nnlib.teaching.marking.fresh import fresh

STORED = Path(__file__).with_name("exercises.json")
RENEW = "if the change is meant: python -m tests.lessons.test_recorded_exercises"
OF_THEIR_LESSONS = "07.audit", "11.ring"  # whose tests judge them


def number(value):
    """One number that stands for a result: a sum with weights, so that an exchange is seen, too."""
    if isinstance(value, (tuple, list)):
        return [number(part) for part in value]
    if isinstance(value, dict):
        return {name: number(part) for name, part in value.items()}
    if value is None or isinstance(value, str):
        return value
    flat = np.asarray(value, np.float64).ravel()
    known = np.isfinite(flat)
    weights = 1.5 + np.cos(np.arange(flat.size))
    return float(f"{(flat[known] * weights[known]).sum() + 1000 * (~known).sum():.6g}")


def by_hint(cases):
    """Hint -> its number in each case, None where a case has no such mistake."""
    hints = dict.fromkeys(hint for mistakes in cases for hint in mistakes)
    return {hint: [number(mistakes.get(hint)) for mistakes in cases] for hint in hints}


def of_function(exercise):
    given = (
        exercise.inputs(np.random.default_rng(0)) if callable(exercise.inputs) else exercise.inputs
    )
    given = [args if isinstance(args, (tuple, list)) else (args,) for args in given]
    with np.errstate(all="ignore"):
        return {
            "inputs": number(given),
            "reference": [number(exercise.reference(*args)) for args in given],
            "mistakes": {
                hint: [number(mistake(*args)) for args in given]
                for hint, mistake in exercise.mistakes.items()
            },
            "whole": exercise.whole,
            "marking's own inputs": number(fresh(exercise.name, np.random.default_rng(0))),
        }


def of_piece(piece):
    cases = [piece.case(sizes) for sizes in piece.sizes]
    return {
        "sizes": [list(case.sizes.values()) for case in cases],
        "arguments": [list(number(case.arguments).values()) for case in cases],
        "expected": [list(number(case.expected).values()) for case in cases],
        "ruler": piece.ruler,
        "absolute": dict(piece.absolute),
        "numbers": dict(piece.numbers),
        "other launches": number(piece.other_launches),
    }


def of_kernel(exercise):
    cases = [exercise.piece.case(sizes) for sizes in exercise.piece.sizes]
    return of_piece(exercise.piece) | {
        "launches": [number(exercise.launch(**case.sizes)) for case in cases],
        "mistakes": by_hint([dict(exercise.outcomes(case)) for case in cases]),
    }


def everything():
    found = {}
    for lesson in NUMBERS:
        for exercise in exercises.lesson_exercises(lesson):
            if isinstance(exercise, KernelExercise):
                found[exercise.name] = of_kernel(exercise)
            elif isinstance(exercise, FunctionExercise) and exercise.name not in OF_THEIR_LESSONS:
                found[exercise.name] = of_function(exercise)
    return found | {f"piece {name}": of_piece(piece) for name, piece in mine.PIECES.items()}


def same(now, stored):
    """As recorded, apart from the last digits of what another NumPy may round otherwise."""
    if isinstance(stored, float) or isinstance(now, float):
        return isinstance(now, (int, float)) and abs(now - stored) <= 1e-4 * max(1, abs(stored))
    if isinstance(stored, dict):
        return now.keys() == stored.keys() and all(same(now[name], stored[name]) for name in stored)
    if isinstance(stored, list):
        return len(now) == len(stored) and all(map(same, now, stored))
    return now == stored


def differences(now, stored, place=""):
    """Where they differ: the innermost places."""
    if isinstance(now, dict) and isinstance(stored, dict) and now.keys() == stored.keys():
        return [
            line
            for name in stored
            for line in differences(now[name], stored[name], f"{place} / {name}")
        ]
    if isinstance(now, list) and isinstance(stored, list) and len(now) == len(stored):
        return [
            line
            for k in range(len(now))
            for line in differences(now[k], stored[k], f"{place} [{k}]")
        ]
    return [] if same(now, stored) else [f"{place}: {now!r}, recorded {stored!r}"]


def test_exercises_are_as_recorded():
    now = json.loads(json.dumps(everything()))
    stored = json.loads(STORED.read_text("utf-8"))
    assert now.keys() == stored.keys(), RENEW
    assert differences(now, stored) == [], RENEW


if __name__ == "__main__":
    lines = ",\n".join(
        f"{json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}"
        for name, value in everything().items()
    )
    STORED.write_text("{\n" + lines + "\n}\n", "utf-8")

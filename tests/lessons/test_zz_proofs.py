"""Every exercise of every lesson is proved: right answers accepted, at least four wrong ones rejected with a hint.

Runs after the tests of the lessons and prints the table: `pytest tests/lessons -s`.
"""

import re
from importlib import import_module
from pathlib import Path

import pytest

from nnlib.course import exercises
from nnlib.course.exercises import checking

from .conftest import VERDICTS

LESSONS = sorted(Path(exercises.__file__).parent.glob("lesson*.py"))


@pytest.mark.parametrize("lesson", [path.stem for path in LESSONS])
def test_every_exercise_is_proved(lesson, request):
    import_module(f"nnlib.course.exercises.{lesson}")
    tests = f"test_{lesson}.py"
    if not any(tests in item.nodeid for item in request.session.items):
        pytest.skip(f"needs the tests of {tests} in the same run")
    names = [name for name in checking._REGISTRY if re.fullmatch(rf"{lesson[-2:]}\.\w+", name)]
    assert len(names) >= 4
    for name in names:
        said = VERDICTS.get(name, {"right": set(), "wrong": set()})
        print(f"{name}: {len(said['right'])} right answers accepted, {len(said['wrong'])} wrong ones rejected:")
        for text in sorted(said["wrong"]):
            print("   ", text.rsplit("Hint: ", 1)[-1].splitlines()[0])
        assert said["right"], f"{name}: no right answer was tried"
        assert len(said["wrong"]) >= 4, f"{name}: only {len(said['wrong'])} wrong answers were tried"

"""Keeps what every check said during the tests of a lesson, for the table of proofs (`pytest tests/lessons -s`)."""

import re
import textwrap
from pathlib import Path

import pytest

from nnlib.course.exercises import checking, lesson_exercises
from nnlib.course.exercises.kernels import KernelExercise
from nnlib.course.exercises.lesson06 import CuresExercise
from nnlib.course.exercises.lesson11 import RingExercise

KINDS = (checking.FunctionExercise, CuresExercise, RingExercise)
VERDICTS: dict[str, dict[str, set[str]]] = {}


@pytest.fixture(autouse=True)
def recorded_verdicts(monkeypatch, request):
    """Wraps `judge` of every kind of exercise; exercises made up by a test of the kit are left out."""
    for kind in KINDS:

        def judge(self, *answer, _judge=kind.judge):
            verdict = _judge(self, *answer)
            said = VERDICTS.setdefault(self.name, {"right": set(), "wrong": set()})
            said["right" if verdict.solved else "wrong"].add(
                f"{request.node.nodeid}\n{verdict.text}"
            )
            if not verdict.solved:
                assert verdict.text.lower().count("hint:") <= 1, verdict.text
            return verdict

        monkeypatch.setattr(kind, "judge", judge)


def answers(text: str) -> list[tuple[bool, str, str]]:
    """(is it right, what stands beside its mark, the indented lines below) of each answer."""
    return [
        (mark == "✓", words, textwrap.dedent(body))
        for mark, words, body in re.findall(
            r"^([✓✗]) ?(.*)\n((?:    .*\n|\n(?=    ))*)", text, re.MULTILINE
        )
    ]


def stored(name: str) -> str:
    """The text of a file of answers."""
    return Path(__file__).with_name(name).read_text("utf-8")


def asks_for_what_is_there(text: str, code: str) -> bool:
    """Whether the hint asks for a guard, and the code has it: "guard both: x < width and y < height"."""
    hint = re.search(r"hint: .*", text, re.IGNORECASE)
    asked = (
        re.findall(r"\w+ < \w+(?: [*/] \w+)*", hint[0])
        if hint and re.search("guard (both|it|the thread|with)", hint[0])
        else []
    )
    bare = re.sub(r"[\s()]", "", code)
    return bool(asked) and all(
        re.sub(r"\s", "", way) in bare or re.sub(r"\s", "", way).replace("<", ">=") in bare
        for way in asked
    )


def prove(lesson: str) -> None:
    """Every exercise of the lesson was tried: right answers accepted, at least four wrong ones rejected with a hint.

    To be called by the last test of a lesson's file. test_kernels.py proves kernels.
    """
    for name in (
        exercise.name
        for exercise in lesson_exercises(lesson)
        if not isinstance(exercise, KernelExercise)
    ):
        said = VERDICTS.get(name, {"right": set(), "wrong": set()})
        print(
            f"{name}: {len(said['right'])} right answers accepted, {len(said['wrong'])} wrong ones rejected:"
        )
        for text in sorted(said["wrong"]):
            print("   ", text.rsplit("Hint: ", 1)[-1].splitlines()[0])
        assert said["right"], f"{name}: no right answer was tried"
        assert len(said["wrong"]) >= 4, (
            f"{name}: only {len(said['wrong'])} wrong answers were tried"
        )

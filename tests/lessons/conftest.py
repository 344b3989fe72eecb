"""Keeps what every check said during the tests of the lessons, for the table of proofs."""

import re

import pytest

from nnlib.course.exercises import checking

VERDICTS: dict[str, dict[str, set[str]]] = {}


@pytest.hookimpl(tryfirst=True)  # before xdist looks for groups
def pytest_collection_modifyitems(items):
    """The tests of a lesson and the proof that it has enough of them run in one process, however many there are."""
    for item in items:
        if lesson := re.search(r"tests/lessons/.*(lesson\d\d)", item.nodeid):
            item.add_marker(pytest.mark.xdist_group(lesson[1]))


@pytest.fixture(autouse=True)
def recorded_verdicts(monkeypatch, request):
    """Wraps `judge` of every kind of exercise; exercises made up by a test of the kit are left out."""
    for kind in (checking.KernelExercise, checking.FunctionExercise, checking.AnswerExercise):
        def judge(self, *answer, _judge=kind.judge):
            verdict = _judge(self, *answer)
            said = VERDICTS.setdefault(self.name, {"right": set(), "wrong": set()})
            said["right" if verdict.solved else "wrong"].add(f"{request.node.nodeid}\n{verdict.text}")
            return verdict

        monkeypatch.setattr(kind, "judge", judge)

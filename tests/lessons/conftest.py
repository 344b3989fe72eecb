"""Keeps what every check said during the tests of the lessons, for the table of proofs."""

import pytest

from nnlib.exercises import checking

VERDICTS: dict[str, dict[str, set[str]]] = {}


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

"""Lesson 03: every check accepts right answers written differently and names the mistake of wrong ones."""

import pytest

from nnlib.course.exercises import find

from .conftest import prove


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("03.intensity", lambda bm, bn: 2 * bm * bn / (4 * (bm + bn))),
        ("03.intensity", lambda bm, bn: 0.5 / (1 / bm + 1 / bn)),
    ],
)
def test_right_functions_are_accepted(name, answer):
    verdict = find(name).judge(answer)
    assert verdict.solved, verdict.text


@pytest.mark.parametrize(
    ("name", "answer", "hint"),
    [
        ("03.intensity", lambda bm, bn: 2 * bm * bn // (4 * (bm + bn)), "/ and not //"),
        ("03.intensity", lambda bm, bn: bm * bn / (bm + bn), "4 bytes for each float"),
        ("03.intensity", lambda bm, bn: bm * bn, "count the additions, too"),
        ("03.intensity", lambda bm, bn: 2 * bm * bn / 4 * (bm + bn), "brackets: divide"),
        ("03.intensity", lambda bm, bn: 2 * bm * bn / (4 * bm + bn), "brackets: 4 bytes"),
        ("03.intensity", lambda bm, bn: bm * bn / (4 * (bm + bn)), "two operations"),
        ("03.intensity", lambda bm, bn: 2 * bm * bn / (bm + bn), "4 bytes"),
        ("03.intensity", lambda bm, bn: 2 * bm * bn, "divide them by the bytes"),
        ("03.intensity", lambda bm, bn: bm / 4, "square blocks only: bn"),
        ("03.intensity", lambda bm, bn: 0.25 * bn, "square blocks only: bm"),
        ("03.intensity", lambda bm, bn: 2 * (bm + bn) / (bm * bn), "turn the fraction over"),
        ("03.intensity", lambda bm, bn: 2 * bm * bn / (8 * (bm + bn)), "a float has 4 bytes"),
        ("03.intensity", lambda bm, bn: min(bm, bn) / 4, "the smaller side alone"),
        ("03.intensity", lambda bm, bn: (bm + bn) / 8, "take no mean"),
        ("03.intensity", lambda bm, bn: (bm * bn) ** 0.5 / 4, "take no root"),
    ],
)
def test_wrong_functions_are_told_why(name, answer, hint):
    verdict = find(name).judge(answer)
    assert not verdict.solved and hint in verdict.text, verdict.text


def test_every_exercise_is_proved():
    prove("03")

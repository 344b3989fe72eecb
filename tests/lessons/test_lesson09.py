"""Lesson 09: every check accepts right answers written differently and names the mistake of wrong ones."""

import numpy as np
import pytest

from nnlib.course.exercises import find

from .conftest import prove


def doubled(gradients):
    scale = 1.0
    while np.abs(gradients).max() * scale * 2 <= 65504:
        scale *= 2
    while np.abs(gradients).max() * scale > 65504:
        scale /= 2
    return scale


@pytest.mark.parametrize(
    "answer", [doubled, lambda g: 2 ** int(np.floor(np.log2(65504 / max(g.max(), -g.min()))))]
)
def test_right_functions_are_accepted(answer):
    verdict = find("09.loss_scale").judge(answer)
    assert verdict.solved, verdict.text


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        (lambda g: 2.0 ** np.ceil(np.log2(65504 / np.abs(g).max())), "this scale overflows"),
        (lambda g: 65504 / np.abs(g).max(), "must be a power of two"),
        (
            lambda g: 2.0 ** np.floor(np.log2(65504 / np.abs(g).min())),
            "the largest gradient decides",
        ),
        (lambda g: 2.0 ** np.floor(np.log2(65504 / np.abs(g).mean())), "the mean gradient"),
        (lambda g: np.floor(np.log2(65504 / np.abs(g).max())), "this is the exponent"),
        (lambda g: 2.0 ** np.floor(np.log2(np.abs(g).max() / 65504)), "not the other way round"),
        (lambda g: 2.0 ** np.floor(np.log2(np.abs(g).max())), "65504 is missing"),
        (lambda g: 1024.0, "it is the same in every case"),
    ],
)
def test_wrong_functions_are_told_why(answer, hint):
    verdict = find("09.loss_scale").judge(answer)
    assert not verdict.solved
    assert hint in verdict.text, verdict.text


def test_every_check_is_proved():
    prove("09")

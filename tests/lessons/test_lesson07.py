"""Lesson 07: every check accepts right answers written differently and names the mistake of wrong ones."""

import numpy as np
import pytest

from nnlib.exercises import find
from nnlib.metrics import confusion_matrix


def counted(predicted, labels, classes):
    matrix = np.zeros((classes, classes), int)
    for p, y in zip(predicted, labels, strict=True):
        matrix[y, p] += 1
    return matrix


def patient(losses, patience):
    best, waited = np.inf, 0
    for epoch, loss in enumerate(losses, 1):
        best, waited = (loss, 0) if loss < best else (best, waited + 1)
        if waited == patience:
            return epoch
    return len(losses)


def impatient(losses, patience):
    return next((e + 1 for e in range(len(losses)) if e and losses[e] > losses[e - 1]), len(losses))


RIGHT = [
    ("07.normalise", lambda p, mean, std: ((p / 255 - mean) / std).astype(np.float32)),
    ("07.normalise", lambda p, mean, std: p.astype(np.float32) / np.float32(255 * std) - np.float32(mean / std)),
    ("07.confusion", counted),
    ("07.confusion", confusion_matrix),
    ("07.patience", patient),
    ("07.patience", lambda v, k: next((e + 1 for e in range(len(v)) if e - int(np.argmin(v[:e + 1])) >= k), len(v))),
]


@pytest.mark.parametrize(("name", "answer"), RIGHT)
def test_right_answers_are_accepted(name, answer):
    verdict = find(name).judge(answer)
    assert verdict.solved, verdict.text


@pytest.mark.parametrize(("name", "answer", "hint"), [
    ("07.normalise", lambda p, mean, std: (p - mean) / std, "of pixel / 255"),
    ("07.normalise", lambda p, mean, std: p / 255 / std - mean, "subtract the mean first"),
    ("07.normalise", lambda p, mean, std: p / 255 / std, "the mean is missing"),
    ("07.normalise", lambda p, mean, std: (p / 255 - mean) * std, "do not multiply"),
    ("07.normalise", lambda p, mean, std: ..., ""),
    ("07.confusion", lambda p, y, n: counted(y, p, n), "rows are true classes"),
    ("07.confusion", lambda p, y, n: np.diag(np.bincount(p[p == y], minlength=n)), "off the diagonal"),
    ("07.confusion", lambda p, y, n: np.minimum(counted(p, y, n), 1), "np.add.at"),
    ("07.confusion", lambda p, y, n: counted(p, y, n) / len(p), ""),
    ("07.patience", lambda v, k: patient(v, k) - 1, "the first one is number 1"),
    ("07.patience", lambda v, k: patient(v, k + 1), "stop as soon as"),
    ("07.patience", impatient, ""),
    ("07.patience", lambda v, k: len(v), ""),
])
def test_wrong_answers_get_their_hint(name, answer, hint):
    verdict = find(name).judge(answer)
    assert not verdict.solved and hint in verdict.text, verdict.text

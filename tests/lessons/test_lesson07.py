"""Lesson 07: every check accepts right answers written differently and names the mistake of wrong ones."""

import math

import numpy as np
import pytest

from nnlib.course.exercises import find
from nnlib.training.metrics import confusion_matrix

from .conftest import prove


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


def centred(image):
    rows, columns = np.nonzero(image >= 0)
    weights = image.reshape(-1) / image.sum(dtype=float)
    return np.roll(image, (int(np.rint(14 - rows @ weights)), int(np.rint(14 - columns @ weights))), axis=(0, 1))


def centred_step_by_step(image):
    total = float(image.sum())
    row = sum(r * float(image[r].sum()) for r in range(28)) / total
    column = sum(c * float(image[:, c].sum()) for c in range(28)) / total
    return np.roll(np.roll(image, round(14 - row), axis=0), round(14 - column), axis=1)


def to_middle(image, row, column):
    return np.roll(image, (round(14 - row), round(14 - column)), axis=(0, 1))


def box(image):
    rows, columns = np.nonzero(image)
    return to_middle(image, (rows.min() + rows.max()) / 2, (columns.min() + columns.max()) / 2)


def pixels_counted(image):
    rows, columns = np.nonzero(image)
    return to_middle(image, rows.mean(), columns.mean())


def mass(image):
    ink = image.astype(float) / image.sum()
    return (ink.sum(1) * np.arange(28)).sum(), (ink.sum(0) * np.arange(28)).sum()


def grumpy(losses, patience):
    waited, best = 0, np.inf
    for epoch, loss in enumerate(losses, 1):
        waited += loss >= best
        best = min(best, loss)
        if waited == patience:
            return epoch
    return len(losses)


def lenient(losses, patience):
    best, waited = np.inf, 0
    for epoch, loss in enumerate(losses, 1):
        best, waited = (loss, 0) if loss <= best else (best, waited + 1)
        if waited == patience:
            return epoch
    return len(losses)


def hasty(losses, patience, best=None):
    best, waited = losses[0] if best is None else best, 0
    for epoch, loss in enumerate(losses, 1):
        best, waited = (loss, 0) if loss < best else (best, waited + 1)
        if waited == patience:
            return epoch
    return len(losses)


def cautious(losses, patience):
    return hasty(losses, patience, best=1.0)


def over_a_window(losses, patience):
    return next((e + 1 for e in range(patience, len(losses)) if losses[e] >= losses[e - patience]), len(losses))


def one_row_many_times(predicted, labels, classes):
    matrix = [[0] * classes] * classes
    for p, y in zip(predicted, labels, strict=True):
        matrix[y][p] += 1
    return matrix


def plural(predicted, labels, classes):
    matrix = np.zeros((classes, classes), int)
    for guess in predicted:
        matrix[labels, guess] += 1
    return matrix


def everything_with_everything(predicted, labels, classes):
    matrix = np.zeros((classes, classes), int)
    for p in predicted:
        for y in labels:
            matrix[y, p] += 1
    return matrix


def impatient(losses, patience):
    return next((e + 1 for e in range(len(losses)) if e and losses[e] > losses[e - 1]), len(losses))


RIGHT = [
    ("07.normalise", lambda p, mean, std: ((p / 255 - mean) / std).astype(np.float32)),
    ("07.normalise", lambda p, mean, std: p.astype(np.float32) / np.float32(255 * std) - np.float32(mean / std)),
    ("07.steps", lambda n, size, epochs: epochs * math.ceil(n / size)),
    ("07.steps", lambda n, size, epochs: len(range(0, n, size)) * epochs),
    ("07.steps", lambda n, size, epochs: epochs * (n // size + (n % size > 0))),
    ("07.centre", centred),
    ("07.centre", centred_step_by_step),
    ("07.confusion", counted),
    ("07.confusion", lambda p, y, n: tuple(map(tuple, counted(p, y, n)))),
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
    ("07.normalise", lambda p, mean, std: ((p - mean) / std) / 255, "divide by 255 first"),
    ("07.normalise", lambda p, mean, std: (p / 256 - mean) / std, "not 256"),
    ("07.normalise", lambda p, mean, std: p / 255 / std - mean, "subtract the mean first"),
    ("07.normalise", lambda p, mean, std: p / 255 - mean / std, "brackets"),
    ("07.normalise", lambda p, mean, std: (p // 255 - mean) / std, "use /"),
    ("07.normalise", lambda p, mean, std: (p / 255 - std) / mean, "exchanged"),
    ("07.normalise", lambda p, mean, std: (p / 255 - (p / 255).mean()) / (p / 255).std(), "you are given"),
    ("07.normalise", lambda p, mean, std: p / 255 / std, "the mean is missing"),
    ("07.normalise", lambda p, mean, std: (p / 255 - mean) * std, "do not multiply"),
    ("07.normalise", lambda p, mean, std: p / 255 - mean, "standard deviation is missing"),
    ("07.normalise", lambda p, mean, std: ..., "not written yet"),
    ("07.steps", lambda n, size, epochs: n // size * epochs, "round up"),
    ("07.steps", lambda n, size, epochs: math.ceil(n * epochs / size), "round up in every epoch"),
    ("07.steps", lambda n, size, epochs: math.ceil(n / size), "one epoch"),
    ("07.steps", lambda n, size, epochs: n * epochs, "not an image"),
    ("07.steps", lambda n, size, epochs: (n + size - 2) // size * epochs, "(91, 30, 3)"),
    ("07.steps", lambda n, size, epochs: (n // size + 1) * epochs, "do not always add one"),
    ("07.steps", lambda n, size, epochs: n // size * epochs + 1, "not only one"),
    ("07.steps", lambda n, size, epochs: n / size * epochs, "a step is whole"),
    ("07.steps", lambda n, size, epochs: n * epochs // size, "round up, and in every epoch"),
    ("07.centre", box, "bounding box"),
    ("07.centre", lambda image: np.roll(image, [int(14 - c) for c in mass(image)], (0, 1)), "use round"),
    ("07.centre", lambda image: np.roll(image, [round(13.5 - c) for c in mass(image)], (0, 1)), "not 13.5"),
    ("07.centre", lambda image: np.roll(image, [math.floor(14 - c) for c in mass(image)], (0, 1)), "not floor"),
    ("07.centre", lambda image: np.roll(image, [round(14 - c) for c in mass(image)]), "one long row"),
    ("07.centre", lambda image: np.roll(image, round(14 - mass(image)[0]), 0), "columns have a centre"),
    ("07.centre", lambda image: np.roll(image, round(14 - mass(image)[1]), 1), "rows have a centre"),
    ("07.centre", lambda image: to_middle(image, *(c * float(image.sum()) for c in mass(image))), "divide by all the ink"),
    ("07.centre", lambda image: to_middle(image, *((image.sum(axis) * np.arange(28)).mean() for axis in (1, 0))), "not by 28"),
    ("07.centre", pixels_counted, "do not count pixels"),
    ("07.centre", lambda image: to_middle(image, *mass(image)[::-1]), "rows and columns are exchanged"),
    ("07.centre", lambda image: np.roll(image, [round(c - 14) for c in mass(image)], (0, 1)), "the wrong way"),
    ("07.centre", lambda image: np.roll(image, [-round(c) for c in mass(image)], (0, 1)), "the distance to 14"),
    ("07.centre", lambda image: image, ""),
    ("07.confusion", lambda p, y, n: counted(y, p, n), "rows are true classes"),
    ("07.confusion", everything_with_everything, "one loop with zip"),
    ("07.confusion", one_row_many_times, "one row many times"),
    ("07.confusion", plural, "one pair at a time"),
    ("07.confusion", lambda p, y, n: counted(p, y, max(p.max(), y.max()) + 1), "has shape (4, 4), should be (5, 5)"),
    ("07.confusion", lambda p, y, n: counted(p[:1], y[:1], n), "return after the loop"),
    ("07.confusion", lambda p, y, n: np.diag(np.bincount(p[p == y], minlength=n)), "off the diagonal"),
    ("07.confusion", lambda p, y, n: np.minimum(counted(p, y, n), 1), "np.add.at"),
    ("07.confusion", lambda p, y, n: counted(p, y, n) / len(p), "do not divide"),
    ("07.confusion", lambda p, y, n: counted(p[p != y], y[p != y], n), "hits belong into it"),
    ("07.patience", lambda v, k: patient(v, k) - 1, "the first one is number 1"),
    ("07.patience", lambda v, k: patient(v, k + 1), "stop as soon as"),
    ("07.patience", impatient, "not for one"),
    ("07.patience", cautious, "larger than 1"),
    ("07.patience", lambda v, k: k if patient(v, k) < len(v) else len(v), "the number of the epoch"),
    ("07.patience", lambda v, k: patient(v, k - 1) if k > 1 else 1, "back to 0, not to 1"),
    ("07.patience", lambda v, k: patient(v, 1), "not for one"),
    ("07.patience", over_a_window, "the result is 3, should be 5"),
    ("07.patience", lenient, "use <"),
    ("07.patience", hasty, "nobody waits yet"),
    ("07.patience", lambda v, k: hasty(v, k, best=0), "no epoch ever counts as better"),
    ("07.patience", lambda v, k: min(len(v), int(np.argmin(v)) + 1 + k), "not known yet"),
    ("07.patience", grumpy, "sets the waiting back"),
    ("07.patience", lambda v, k: int(np.argmin(v[:patient(v, k)])) + 1, "that is the best epoch"),
    ("07.patience", lambda v, k: len(v), "never stops early"),
])
def test_wrong_answers_get_their_hint(name, answer, hint):
    verdict = find(name).judge(answer)
    assert not verdict.solved and hint in verdict.text, verdict.text


@pytest.mark.parametrize("answer", [lambda v, k: patient(v, 2), lambda v, k: int(np.argmin(v)) + 1, lambda v, k: k + 1])
def test_no_hint_by_chance(answer):
    assert "Hint" not in find("07.patience").judge(answer).text


def test_every_exercise_is_proved():
    prove("07")

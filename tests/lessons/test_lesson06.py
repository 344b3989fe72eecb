"""Lesson 06: every check accepts right answers written differently and names the mistake of wrong ones."""

import inspect
import re
from pathlib import Path

import numpy as np
import pytest
from nbformat import read

from nnlib import gradcheck
from nnlib.course import clinic
from nnlib.course.exercises import find, lesson06
from tests.notebooks.template import without_optional

ROWS = {
    "tanh": lambda dy, x, y: dy * (1 - y * y),
    "centre": lambda dy, x, y: dy - dy.mean(1, keepdims=True),
    "leaky ReLU": lambda dy, x, y: dy * np.where(x > 0, 1, 0.1),
    "sigmoid": lambda dy, x, y: dy * y * (1 - y),
    "average pooling": lambda dy, x, y: np.repeat(dy / 2, 2, axis=1),
}


def rows(**changed):
    named = ROWS | {name.replace("_", " "): row for name, row in changed.items()}
    return lambda layer, dy, x, y: named[layer](dy, x, y)


@pytest.mark.parametrize(
    "answer",
    [
        rows(),
        rows(
            sigmoid=lambda dy, x, y: dy * (y - y**2),
            leaky_ReLU=lambda dy, x, y: dy - 0.9 * dy * (x <= 0),
        ),
        rows(
            average_pooling=lambda dy, x, y: (dy[:, :, None] * np.full(2, 0.5)).reshape(x.shape),
            centre=lambda dy, x, y: dy @ (np.eye(dy.shape[1]) - 1 / dy.shape[1]),
        ),
    ],
)
def test_right_rows_are_accepted(answer):
    verdict = find("06.backwards").judge(answer)
    assert verdict.solved and "leaky ReLU" in verdict.text, verdict.text


@pytest.mark.parametrize(
    ("changed", "layer", "hint"),
    [
        (
            {"sigmoid": lambda dy, x, y: 0 * x, "average_pooling": lambda dy, x, y: 0 * x},
            "sigmoid",
            "not written yet",
        ),
        ({"leaky_ReLU": lambda dy, x, y: dy * (x > 0)}, "leaky ReLU", "the slope is 0.1"),
        (
            {"leaky_ReLU": lambda dy, x, y: np.where(x > 0, 0.1 * dy, dy)},
            "leaky ReLU",
            "and 1 where it is positive",
        ),
        (
            {
                "leaky_ReLU": lambda dy, x, y: np.where(dy > 0, dy, 0.1 * dy),
                "sigmoid": lambda dy, x, y: 0 * x,
            },
            "leaky ReLU",
            "ask x, not dy",
        ),
        (
            {"leaky_ReLU": lambda dy, x, y: np.where(x > 0, 1, 0.1)},
            "leaky ReLU",
            "multiply it by dy",
        ),
        ({"sigmoid": lambda dy, x, y: y * (1 - y)}, "sigmoid", "multiply it by dy"),
        ({"sigmoid": lambda dy, x, y: dy * x * (1 - x)}, "sigmoid", "with y, not x"),
        ({"sigmoid": lambda dy, x, y: dy * (1 - y**2)}, "sigmoid", "slope of tanh"),
        (
            {"average_pooling": lambda dy, x, y: np.repeat(dy, 2, axis=1)},
            "average pooling",
            "factor 1/2",
        ),
        (
            {"average_pooling": lambda dy, x, y: np.hstack([dy, dy]) / 2},
            "average pooling",
            "np.repeat(dy, 2, axis=1)",
        ),
        (
            {"average_pooling": lambda dy, x, y: np.repeat(dy / 2, 2)},
            "average pooling",
            "unless you name the axis",
        ),
        (
            {"average_pooling": lambda dy, x, y: dy / 2},
            "average pooling",
            "both pixels get a share",
        ),
        ({"sigmoid": lambda dy, x, y: dy @ x}, "sigmoid", ""),
    ],
)
def test_wrong_rows_are_told_why(changed, layer, hint):
    verdict = find("06.backwards").judge(rows(**changed))
    assert (
        not verdict.solved and f"06.backwards, {layer}: " in verdict.text and hint in verdict.text
    ), verdict.text


def layer_norm_back(dy, x):
    c = x - x.mean(1, keepdims=True)
    s = np.sqrt((c * c).mean(1, keepdims=True))
    y = c / s
    dc = (dy - y * (dy * y).mean(1, keepdims=True)) / s
    return dc - dc.mean(1, keepdims=True)


def by_row(dy, x):
    """With the matrix of all slopes of a row: dy[i] / dx[k] = (δ - 1/n - y y / n) / s."""
    found = []
    for row, one in zip(x, dy, strict=True):
        n, s = len(row), row.std()
        y = (row - row.mean()) / s
        found.append(one @ (np.eye(n) - 1 / n - np.outer(y, y) / n) / s)
    return np.array(found)


def layer_norm(x):
    return (x - x.mean(1, keepdims=True)) / x.std(1, keepdims=True)


def test_the_derived_gradients_are_those_of_differences():
    x = np.random.default_rng(1).standard_normal((3, 6))
    assert max(gradcheck.operation_check(layer_norm, layer_norm_back, x)) < 1e-6
    for layer, forward in lesson06.ROWS.items():

        def backward(dy, x, layer=layer, forward=forward):
            return rows()(layer, dy, x, forward(x))

        assert max(gradcheck.operation_check(forward, backward, x)) < 1e-6, layer


@pytest.mark.parametrize("answer", [layer_norm_back, by_row])
def test_right_derivations_are_accepted(answer):
    verdict = find("06.layer_norm_back").judge(answer)
    assert verdict.solved, verdict.text


def measured(dy, x, forward=layer_norm):
    x = np.array(x)
    return gradcheck.numerical_gradient(lambda: (dy * forward(x)).sum(), x)


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("06.layer_norm_back", measured),
        (
            "06.layer_norm_back",
            lambda dy, x: layer_norm_back(dy.astype(np.float32), x.astype(np.float32)),
        ),
        ("06.backwards", lambda layer, dy, x, y: measured(dy, x, lesson06.ROWS[layer])),
    ],
)
def test_a_gradient_by_small_steps_or_in_float32_is_no_formula(name, answer):
    verdict = find(name).judge(answer)
    assert (
        not verdict.solved and "digits are right" in verdict.text and "small steps" in verdict.text
    ), verdict.text


def derived(
    dc="(dy - y * (dy * y).mean(1, keepdims=True)) / s", dx="dc - dc.mean(1, keepdims=True)", axis=1
):
    def answer(dy, x):
        c = x - x.mean(axis, keepdims=True)
        s = np.sqrt((c * c).mean(axis, keepdims=True))
        names = {"np": np, "dy": dy, "x": x, "c": c, "s": s, "y": c / s}
        names["dc"] = eval(dc, names)
        return eval(dx, names)

    return answer


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        (derived("0 * x"), "not written yet"),
        (derived("dy / s"), "the path through s is missing"),
        (derived("(dy - (dy * y).mean(1, keepdims=True)) / s"), "lacks the factor y"),
        (
            derived("(dy - y * (dy * y).mean(0, keepdims=True)) / s"),
            "its own mean of dy · y: axis 1",
        ),
        (derived("(dy - y * (dy * y).mean()) / s"), "its own mean of dy · y: mean(1"),
        (
            derived("(dy - c * (dy * c).mean(1, keepdims=True)) / s"),
            "both factors are y = c / s, not c",
        ),
        (derived("(dy - y * (dy * c).mean(1, keepdims=True)) / s"), "is one of its two y a c"),
        (derived("(dy - y * dy.mean(1, keepdims=True)) / s"), "not of dy"),
        (
            derived("dy / s - y * (dy * y).mean(1, keepdims=True)"),
            "are the brackets around the difference missing",
        ),
        (derived("(dy - y * (dy * y).mean(1, keepdims=True)) * s"), "do not multiply"),
        (derived("-y * (dy * y).mean(1, keepdims=True) / s"), "to its own y[i] is missing"),
        (derived("dy * (1 - y**2) / s"), "the slope of tanh"),
        (derived("(dy - y * (dy * y).sum(1, keepdims=True) / len(x)) / s"), "not len(x)"),
        (derived("(dy - y * (dy * y).sum(1, keepdims=True) / (x.shape[1] - 1)) / s"), "not n - 1"),
        (derived(dx="dc"), "the mean was treated as a constant"),
        (derived("dy / s", "dc"), "s and the mean were treated"),
        (
            derived("(dy + y * (dy * y).mean(1, keepdims=True)) / s"),
            "the path through s has a minus",
        ),
        (derived(dx="dc + dc.mean(1, keepdims=True)"), "the path through the mean has a minus"),
        (derived("(dy - y * (dy * y).sum(1, keepdims=True)) / s"), "Where is the n?"),
        (derived("(dy - 2 * y * (dy * y).mean(1, keepdims=True)) / s"), "the 2 cancels"),
        (derived("(dy - y * (dy * y).mean(1, keepdims=True) / 2) / s"), "the 2 cancels"),
        (
            derived("dy - y * (dy * y).mean(1, keepdims=True)"),
            "one of the factors 1 / s is missing",
        ),
        (derived("(dy - y * (dy * y).mean(1, keepdims=True)) / s**2"), "not by its square"),
        (
            derived(
                "(dy - y * (dy * y).mean(0, keepdims=True)) / s",
                "dc - dc.mean(0, keepdims=True)",
                axis=0,
            ),
            "axis 1",
        ),
        (lambda dy, x: dy, "dy passes unchanged"),
        (derived(dx="y"), "that is y"),
        (lambda dy, x: dy.sum(), ""),
    ],
)
def test_wrong_derivations_are_told_why(answer, hint):
    verdict = find("06.layer_norm_back").judge(answer)
    assert not verdict.solved and hint in verdict.text, verdict.text


def slopes(tape):
    found = [0.0] * len(tape)
    found[-1] = 1.0
    for k in reversed(range(len(tape))):
        for parent, slope in tape[k]:
            found[parent] += slope * found[k]
    return found


def recursive_slopes(tape):
    """Asks every value who uses it."""

    def slope_of(k):
        return float(k == len(tape) - 1) + sum(
            slope * slope_of(user)
            for user, parents in enumerate(tape)
            for parent, slope in parents
            if parent == k
        )

    return [slope_of(k) for k in range(len(tape))]


@pytest.mark.parametrize("answer", [slopes, recursive_slopes, lambda tape: np.array(slopes(tape))])
def test_right_walks_along_a_tape_are_accepted(answer):
    verdict = find("06.slopes").judge(answer)
    assert verdict.solved, verdict.text


@pytest.mark.parametrize(
    ("old", "new", "hint"),
    [
        ("found[-1] = 1.0", "pass", "Begin with that"),
        ("+=", "=", "+=, not ="),
        ("reversed(range(len(tape)))", "range(len(tape))", "from the end"),
        ("slope * found[k]", "slope", "times the gradient that arrives"),
        ("slope * found[k]", "found[k]", "the slope is missing"),
        ("[0.0] * len", "[1.0] * len", "only the last value begins"),
        ("return found", "return found[:-1] + [0.0]", "left out"),
        ("range(len(tape))", "range(min(3, len(tape)))", "more than three values"),
        ("found[parent] += slope * found[k]", "pass", "no gradient has moved"),
        ("found[parent]", "found[parent, 0]", "TypeError"),
    ],
)
def test_wrong_walks_along_a_tape_are_told_why(old, new, hint):
    source = inspect.getsource(slopes)
    assert old in source
    names = {}
    exec(source.replace(old, new), names)
    verdict = find("06.slopes").judge(names["slopes"])
    assert not verdict.solved and hint in verdict.text, verdict.text


CURES = {
    57: ("the gradient is divided by the batch twice", 3, "backward(net, dlogits)"),
    2: ("e", 2, "header = 8"),
    5: ["a kernel is never launched", 3, "block = (16, 16)"],
    3: ("the mask of ReLU comes from the wrong tensor", 2, "mask = y > 0"),
    5000: ("windows of different images are mixed", 7, "return columns.reshape(-1, 25)"),
}


def test_three_illnesses_are_enough():
    letters = {number: letter for number, letter in CURES.items() if number != 3}
    verdict = find("06.clinic").judge(letters)
    assert verdict.solved and "patients 2, 5, 5000." in verdict.text and "par" not in verdict.text
    case = clinic.admit(2)
    case.probed_by("batch")
    case.probed_by("twice")
    said = find("06.clinic").judge(letters).text
    assert f"2 cost you {case.minutes} minutes, and par is 1. Nobody examined 5, 5000" in said


@pytest.mark.parametrize(
    ("letters", "hint"),
    [
        (..., "case.repair prints it"),
        ("all", "case.repair prints it"),
        ({}, "no letter yet"),
        ({57: CURES[57]}, "no letter of your own yet. Patient 57 does not count"),
        ({5000: CURES[5000]}, "2 more illnesses;"),
        ({5000: CURES[5000], 2: CURES[2], 15: CURES[2]}, "1 more illness;"),
        ({57: CURES[57], 2: CURES[2], 5: CURES[5]}, "1 more illness and a patient from 5000 on"),
        ({2: CURES[2], 5: CURES[5], 3: CURES[3]}, "a patient from 5000 on, whose first layer"),
        ({57: ("a", 3, "backward(net, dlogits)")}, "'a' is not what it has"),
        ({57: ("h", 9, "pass")}, "no line 9"),
        ({57: ("h", 3, "backward(net, dlogits / 2)")}, "length 0.5"),
        ({57: "h"}, "a letter is"),
        ({"57": "h"}, "a number"),
        ({57: ("h", 3, "backward(net, unknown)")}, "NameError"),
        ({57: ("h", 3, "backward(net,")}, "not Python"),
        *(
            ({57: ("h", 3, text)}, "plain arithmetic")
            for text in (
                "import os",
                "backward(net, open('/etc/passwd'))",
                "().__class__",
                "np.load('x')",
                "backward(net, eval('0'))",
                "__builtins__",
                "[x for x in 3]",
                "(lambda: 0)()",
                "f'{dlogits}'",
                "np.einsum = np.zeros",
                "for np.exp in dlogits: pass",
                "np.exp += 1",
                "np.exp, x = 1, 2",
            )
        ),
    ],
)
def test_letters_that_do_not_cure(letters, hint):
    verdict = find("06.clinic").judge(letters)
    assert not verdict.solved and hint in verdict.text, verdict.text


def test_no_letter_changes_the_labels_of_the_next_patient():
    assert "read-only" in find("06.clinic").judge({57: ("h", 3, "label_file().fill(3)")}).text


def test_the_core_of_the_page_is_short_enough():
    """What is optional does not count."""
    cells = without_optional(
        read(Path(__file__).parents[2] / "notebooks" / "06_backprop.ipynb", 4).cells
    )
    headings = [
        line
        for cell in cells
        if cell.cell_type == "markdown"
        for line in re.findall("^## .+", cell.source, re.M)
    ]
    python = [
        line
        for cell in cells
        if cell.cell_type == "code"
        and not cell.source.startswith("%%")
        and not cell.metadata.get("jupyter", {}).get("source_hidden")
        for line in cell.source.split("\n")
        if line.strip()
    ]
    assert len(headings) <= 14 and len(python) <= 160

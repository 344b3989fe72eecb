"""Lesson 06: what its checks say beyond the answers in functions.txt."""

import re
from pathlib import Path

import numpy as np
import pytest
from nbformat import read

from nnlib import gradcheck
from nnlib.course import clinic
from nnlib.course.exercises import find, lesson06
from tests.notebooks.template import without_optional

from .conftest import shared


def layer_norm(x):
    return (x - x.mean(1, keepdims=True)) / x.std(1, keepdims=True)


def test_the_derived_gradients_are_those_of_differences():
    x = np.random.default_rng(1).standard_normal((3, 6))
    derived, rows = shared("06.layer_norm_back")["solution"], shared("06.backwards")["rows"]()
    assert max(gradcheck.operation_check(layer_norm, derived, x)) < 1e-6
    for layer, forward in lesson06.ROWS.items():

        def backward(dy, x, layer=layer, forward=forward):
            return rows(layer, dy, x, forward(x))

        assert max(gradcheck.operation_check(forward, backward, x)) < 1e-6, layer


def measured(dy, x, forward=layer_norm):
    x = np.array(x)
    return gradcheck.numerical_gradient(lambda: (dy * forward(x)).sum(), x)


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("06.layer_norm_back", measured),
        ("06.backwards", lambda layer, dy, x, y: measured(dy, x, lesson06.ROWS[layer])),
    ],
)
def test_a_gradient_by_small_steps_is_no_formula(name, answer):
    verdict = find(name).judge(answer)
    assert (
        not verdict.solved and "digits are right" in verdict.text and "small steps" in verdict.text
    ), verdict.text


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

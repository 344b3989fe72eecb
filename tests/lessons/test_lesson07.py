"""Lesson 07: what its checks compare and refuse beyond the answers in functions.txt."""

from io import StringIO
from pathlib import Path
from tokenize import NEWLINE, generate_tokens

import numpy as np
from nbformat import read

from nnlib import training
from nnlib.course.exercises import find, networks
from nnlib.teaching.marking.fresh import fresh


def test_the_loop_trains_as_fit_does_bit_for_bit():
    """What the exercise compares with is what training.fit does."""
    exercise = find("07.loop")
    for case in exercise.inputs:
        losses, weights = exercise.reference(case)
        fitted = exercise.outcome(
            lambda model, loss, optimizer, examples, epochs, size: (
                training.fit(
                    model, loss, optimizer, examples, epochs=epochs, batch_size=size, progress=None
                ).train_loss
            ),
            case,
        )
        assert losses.tolist() == fitted[0].tolist() and np.array_equal(weights, fitted[1])


def test_an_error_of_python_comes_with_its_line():
    def no_first_value(losses, patience):
        best = None
        return sum(value < best for value in losses)

    said = find("07.patience").judge(no_first_value).text
    assert "in your line: return sum(value < best for value in losses)" in said


def test_an_audit_that_knows_the_networks_of_check_fails_where_marks_are_given():
    known = [[], [4], [0], [0], [0], [0], [0, 4], [0], [0]]
    cases = [*find("07.audit").inputs, *fresh("07.audit", np.random.default_rng(0))]
    assert [find("07.audit").reference(case) for case in cases[:9]] == [
        f"layers {', '.join(map(str, layers)) or 'none'}" for layers in known
    ]
    weights = []

    def by_heart(model, loss, x, y):
        weights.append(float(model.parameters.sum()))
        return known[min(len(weights), 9) - 1]

    assert find("07.audit").judge(by_heart).solved
    wrong = [case for case in cases[9:] if find("07.audit").reference(case) != "layers 0"]
    assert wrong and {type(layer).__name__ for layer in networks._network(wrong[0]).layers} <= {
        "Conv2d",
        "Linear",
        "ReLU",
        "MaxPool2d",
        "Flatten",
    }


def test_the_page_is_short_enough():
    """Lines of Python as Python counts them: one that is broken for a slide is still one."""
    cells = read(Path(__file__).parents[2] / "notebooks" / "07_mnist_training.ipynb", 4).cells
    shown = [
        cell.source
        for cell in cells
        if cell.cell_type == "code"
        and not cell.source.startswith("%%")
        and not cell.metadata.get("jupyter", {}).get("source_hidden")
    ]
    ends = [
        token
        for source in shown
        for token in generate_tokens(StringIO(source).readline)
        if token.type == NEWLINE
    ]
    assert 100 < len(ends) <= 200

"""The lesson kit: feedback names the mistake; figures, steppers and timings read well."""

import re

import numpy as np
import pytest

from nnlib.course.exercises.checking import FunctionExercise
from nnlib.course.exercises.comparing import compare
from nnlib.course.pictures.style import Picture, figure
from nnlib.course.pictures.widgets import Explorer, Stepper
from nnlib.course.timing import Timing, limits, measure
from tests.jupyter import html, shown


def not_written(n):
    raise NotImplementedError


SVG = '<svg xmlns="http://www.w3.org/2000/svg"/>'


@pytest.mark.parametrize(
    "answer, expected",
    [
        (lambda n: -(-n // 128), "✓"),
        (lambda n: (n + 127) // 128, "✓"),
        (lambda n: n // 128, "rounds down"),
        (lambda n: n // 0, "ZeroDivisionError"),
        (lambda n: None, "returned nothing"),
        (lambda n: ..., "not written yet"),
        (lambda: 1, "TypeError"),
        (..., "nothing yet"),
        (not_written, "not written yet"),
    ],
)
def test_function_exercise(answer, expected):
    exercise = FunctionExercise(
        "00.grid",
        lambda n: -(-n // 128),
        [1, 127, 128, 129],
        {"this rounds down": lambda n: n // 128},
    )
    assert expected in exercise.judge(answer).text


def test_figures_carry_alt_text():
    import matplotlib.pyplot as plt

    fig, _ = plt.subplots()
    bundle = shown(figure(fig, alt='Bandwidth "rises" to 4'))
    assert bundle["text/plain"] == 'Figure: Bandwidth "rises" to 4'
    assert 'alt="Bandwidth &quot;rises&quot; to 4"' in bundle["text/html"]
    assert not plt.fignum_exists(fig.number)
    with pytest.raises(ValueError, match="alt text"):
        Picture(SVG, " ")


def test_stepper_leaves_a_picture(environ):
    stepper = Stepper([(SVG, f"Step {i} of the sum") for i in range(3)], still=1)
    bundle = shown(stepper)
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert bundle["text/html"].count("<img") == 1 and "Step 1" in bundle["text/html"]
    environ(NNLIB_PAGE="https://here/")
    assert re.findall(r"<div( hidden)?><figure", html(stepper)) == ["", " hidden", " hidden"]
    environ(NNLIB_DECK="1")
    assert re.findall(r"<div( hidden)?><figure", html(stepper)) == [" hidden", "", " hidden"]


def test_who_can_move_a_stepper_begins_at_its_first_picture():
    play, slider = (
        Stepper([(SVG, f"Step {i} of 3") for i in range(3)])._widget().children[0].children
    )
    assert (play.value, play.max, slider.index) == (0, 2, 0)


def test_explorer_has_every_combination():
    axes = {"block": [32, 64], "grid": [1, 2, 3]}
    explorer = Explorer(axes, lambda b, g: SVG, lambda b, g: f"{b * g} threads in all")
    assert len(explorer.pictures) == 6
    outer = explorer._widget().children[-1]
    assert [len(inner.children) for inner in outer.children] == [3, 3]


def test_timing_reads_well():
    assert str(Timing(1.234e-5, 1e-7, 15)) == "12.3 µs ± 1 %"
    assert measure(lambda: sum(range(100)), repeats=3).median > 0


def test_limits_of_this_machine_are_plausible():
    found = limits()
    assert 1e8 < found.bandwidth < 1e14 and 1e8 < found.flops < 1e16
    assert limits() is found


def test_a_matrix_may_be_a_list_of_lists():
    matrix = np.array([[1, 2], [3, 4], [5, 6]])
    assert compare([[1, 2], [3, 4], [5, 6]], matrix) is None
    assert compare([[1, 2], [3, 4], [5, 7]], matrix)[0] == "the result at [2, 1] is 7, should be 6."
    assert "differ in length" in compare([[1, 2], [3]], matrix)[0]
    assert compare([matrix, 7], (matrix, 7)) is None  # several results as a list


@pytest.mark.parametrize(
    "got, expect, said",
    [
        (np.array([3, 4]), (3, 4), None),
        (((1, 2), (3, 4)), np.array([[1, 2], [3, 4]]), None),
        ((3,), 3, "the result is a tuple with one number."),
        ((3, 4), 3, "2 results where 1 is expected."),
        ("3", 3, "the result is '3', should be 3."),
    ],
)
def test_results_in_other_forms(got, expect, said):
    problem = compare(got, expect)
    assert (problem and problem[0]) == said


@pytest.mark.parametrize(
    "answer, said, hint",
    [
        (lambda n: n // 8, "called with (20): the result is 2, should be 3.", "this rounds down"),
        # Not at 3, yet at most
        (lambda n: n // 8 or 1, "(20): the result is 2", "this rounds down"),
        # Agrees by chance, once
        (lambda n: 2, "(20): the result is 2", "it is the same in every case"),
        (lambda n: n // (n - 3) + 1, "(20): the result is 2", None),  # stops with an error later
        (
            lambda n: 3 if n == 20 else 1 // 0,
            "called with (33): ZeroDivisionError",
            "you divide by 0",
        ),
    ],
)
def test_a_mistake_explains_most_of_the_wrong_results(answer, said, hint):
    exercise = FunctionExercise(
        "00.blocks",
        lambda n: -(-n // 8),
        [20, 33, 17, 8, 3],
        {"this rounds down": lambda n: n // 8},
    )
    text = exercise.judge(answer).text
    assert said in text and ("Hint" in text) == (hint is not None) and (hint or "") in text


def test_not_a_number_is_right_only_where_it_is_expected():
    wanted = np.array([np.nan, 1.0])
    assert compare(wanted.copy(), wanted) is None
    assert compare(np.array([0.0, 1.0]), wanted) and compare(wanted, np.array([0.0, 1.0]))


def test_a_function_that_changes_its_list_is_judged_by_what_it_returns():
    exercise = FunctionExercise("00.largest", reference=max, inputs=[([3, 1, 2],)])

    def drops_what_it_saw(values):
        largest = max(values)
        values.clear()
        return largest

    assert exercise.judge(drops_what_it_saw).solved
    assert exercise.judge(drops_what_it_saw).solved


@pytest.mark.parametrize(
    "answer, said",
    [
        (lambda p: (p + 1).astype(np.float16), "keeps three digits"),
        (lambda p: p + 1, "right"),
    ],
)
def test_half_precision_is_named(answer, said):
    exercise = FunctionExercise(
        "00.up", lambda p: p + 1, inputs=[np.linspace(0, 1, 99, dtype=np.float32).reshape(1, 99)]
    )
    assert said in exercise.judge(answer).text


def test_counts_that_overflow_later_are_refused():
    exercise = FunctionExercise(
        "00.count", lambda x: np.bincount(x), [(np.array([0, 1, 1]),)], whole=True
    )
    assert exercise.judge(np.bincount).solved
    assert "ends at 255" in exercise.judge(lambda x: np.bincount(x).astype(np.uint8)).text
    assert "ends at 32,767" in exercise.judge(lambda x: np.bincount(x).astype(np.int16)).text
    assert exercise.judge(lambda x: np.bincount(x).astype(np.int32)).solved
    assert (
        "must be an integer.\n  Hint: // instead of /"
        in exercise.judge(lambda x: np.bincount(x) / 1).text
    )

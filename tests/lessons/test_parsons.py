"""Parsons problems: every right order is accepted, the first wrong line is named, and a hint follows after two tries."""

import itertools
import json
import re
from pathlib import Path
from string import ascii_uppercase

import numpy as np
import pytest
from nbformat import read

from nnlib import mine
from nnlib.course.exercises import parsons
from nnlib.course.exercises.mistakes import mistakes
from nnlib.course.exercises.parsons import WRONG, arrange, problem, right_order
from nnlib.cuda import RawKernel
from tests.benchmarks.pieces import solutions
from tests.jupyter import shown as bundle

LESSON = Path(__file__).parents[2] / "notebooks" / "03_matmul.ipynb"
FORWARD, LOSS = "03.linear_forward", "04.softmax_cross_entropy"


@pytest.fixture(autouse=True)
def shown(monkeypatch):
    texts = []
    monkeypatch.setattr(parsons, "display", lambda text: texts.append(bundle(text)))
    parsons._tried.clear()
    return texts


def wrong_lines(asked):
    """Wrong line -> its hint."""
    return {
        line: found[1]
        for line in asked.shuffled
        if (found := asked.first_wrong([line])) and found[1] in asked.hints.values()
    }


def letters(name, lines):
    """The letters of these lines; of two equal ones each letter once."""
    left = list(zip(ascii_uppercase, problem(name).shuffled, strict=False))
    found = []
    for line in lines:
        found.append(next(pair for pair in left if pair[1] == line))
        left.remove(found[-1])
    return " ".join(letter for letter, _ in found)


def said(shown, name, lines):
    arrange(name, letters(name, lines))
    return shown.pop()["text/plain"]


@pytest.mark.parametrize("name", WRONG)
def test_the_kernel_as_students_type_it_is_a_right_order(shown, name):
    assert said(shown, name, right_order(name)[1]).startswith("✓")


def test_the_right_loss_keeps_its_digits_among_large_logits():
    head, lines = right_order(LOSS)
    logits, losses = np.array([[10_000, 10_000.5]], np.float32), np.zeros(1, np.float32)
    kernel = RawKernel("\n".join([head, *lines, "}"]), "softmax_cross_entropy")
    kernel((1,), (128,), (logits, np.zeros(1, np.int32), losses, np.zeros_like(logits), 1, 2))
    assert losses[0] == pytest.approx(np.log1p(np.exp(0.5)), rel=1e-6)


@pytest.mark.parametrize("name", WRONG)
def test_neighbours_that_may_change_places_make_the_same_kernel(name):
    asked, (_, lines), piece = problem(name), right_order(name), mine.PIECES[name.split(".")[1]]
    accepted = 0
    for k in range(len(lines) - 1):
        order = [*lines[:k], lines[k + 1], lines[k], *lines[k + 2 :]]
        if lines[k] != lines[k + 1] and asked.first_wrong(order) is None:
            accepted += 1
            assert mine.judge(piece, "\n".join([asked.head, *order, "}"])).right, order
    assert accepted >= 2


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_line_is_a_recorded_mistake_and_named_with_its_hint_after_two_tries(shown, name):
    asked = problem(name)
    for wrong, hint in wrong_lines(asked).items():
        parsons._tried.clear()
        assert (
            said(shown, name, [wrong])
            .splitlines()[0]
            .startswith("✗ The first wrong line is number 1")
        )
        assert "Hint" not in said(shown, name, [wrong])  # the same order once more is no second try
        assert f"Hint: {hint}" in said(shown, name, [wrong, right_order(name)[1][0]])
        assert hint in {mistake.hint for mistake in mistakes(mine.PIECES[name.split(".")[1]])}


def test_a_line_that_comes_too_early_or_twice_is_named(shown):
    lines = right_order(FORWARD)[1]
    store = lines[-1]
    assert f"number 3, {letters(FORWARD, [store])}: {store}" in said(
        shown, FORWARD, [*lines[:2], store]
    )
    arrange(FORWARD, " ".join([letters(FORWARD, lines[:1])] * 2))
    assert "once more than in the kernel" in shown.pop()["text/plain"]
    unclosed = [line for line in lines if line != "}"]
    assert "before this one. Which brace is still open?" in said(shown, FORWARD, unclosed)
    before_the_barrier = [line for line in lines if line != "__syncthreads();"]
    assert "Another line must come before this one: __syncthreads();" in said(
        shown, FORWARD, before_the_barrier
    )


@pytest.mark.parametrize("name", WRONG)
def test_the_lines_have_the_launch_names_and_numbers_of_the_solution(name):
    head, lines = right_order(name)
    solution = solutions()[name.split(".")[1]][0]
    assert head.splitlines()[1] == solution.splitlines()[0]
    words = {word for line in lines for word in re.findall(r"\w+", line)}
    assert words - set(re.findall(r"\w+", solution)) <= {"p"}


def test_the_lines_continue_the_frame_of_the_workshop():
    frame = next(
        cell.source
        for cell in read(LESSON, 4).cells
        if "linear_forward(" in cell.source and "// compute" in cell.source
    )
    given = [line.strip() for line in frame.partition("\n{\n")[2].splitlines()]
    for line in filter(None, given):
        assert line.startswith("//") or any(
            each.startswith(line.rstrip(";")) for each in right_order(FORWARD)[1]
        ), line


def test_two_barriers_may_stand_where_the_simulator_finds_no_race():
    head, lines = right_order(FORWARD)
    others = [line for line in lines if line != "__syncthreads();"]
    for places in itertools.combinations_with_replacement(range(5, 10), 2):
        order = list(others)
        for place in reversed(places):
            order.insert(place, "__syncthreads();")
        right = mine.judge(mine.PIECES["linear_forward"], "\n".join([head, *order, "}"])).right
        assert (problem(FORWARD).first_wrong(order) is None) == right, order


def test_a_beginning_that_is_right_is_said_to_be_so(shown):
    assert said(shown, LOSS, right_order(LOSS)[1][:4]).startswith("Right so far: 4 of 15 lines.")


def test_without_an_order_all_lines_are_shown_as_text(shown):
    arrange(FORWARD)
    text = shown.pop()
    assert set(text) == {"text/plain", "text/html"} and "<pre>" in text["text/html"]
    assert all(line in text["text/plain"] for line in problem(FORWARD).shuffled)
    assert "12 of these lines make the kernel, 4 contain a mistake" in text["text/plain"]
    assert list(problem(FORWARD).shuffled) != [
        *right_order(FORWARD)[1],
        *wrong_lines(problem(FORWARD)),
    ]


def test_letters_and_names_that_are_not_there_are_refused(shown):
    arrange(FORWARD, "A Z")
    assert shown.pop()["text/plain"] == "There is no line Z: the lines are A to P."
    with pytest.raises(KeyError, match=r"03\.linear_forward, 04\.softmax_cross_entropy"):
        arrange("03.transpose")


def test_the_kernel_is_shown_with_its_blocks_indented(shown):
    lines = said(shown, LOSS, right_order(LOSS)[1]).splitlines()
    inside = lines.index("    int label = labels[r];") + 2
    assert lines[inside].startswith("        float p") and lines[inside + 2] == "    }"


@pytest.mark.parametrize("name", WRONG)
def test_a_problem_holds_neither_the_order_nor_which_lines_are_wrong(name):
    held = json.dumps(parsons.record()[name])
    places = [held.index(json.dumps(line)) for line in dict.fromkeys(right_order(name)[1])]
    assert places != sorted(places)
    assert all(held.count(json.dumps(line)) == 1 for line in wrong_lines(problem(name)))


def test_the_loss_may_be_stored_before_the_gradients_but_not_among_them():
    lines = list(right_order(LOSS)[1])
    store, loop = lines.pop(), next(k for k, line in enumerate(lines) if line.endswith("{"))
    assert problem(LOSS).first_wrong([*lines[:loop], store, *lines[loop:]]) is None
    assert problem(LOSS).first_wrong([*lines[: loop + 1], store, *lines[loop + 1 :]])[0] == loop + 1

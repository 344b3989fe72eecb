"""Usual mistakes are data: each can be made in the text of its piece, compiles, and is seen in some case."""

import functools
import re

import numpy as np
import pytest

from nnlib import mine
from nnlib.course.exercises import lesson_exercises, mistakes, recognition
from nnlib.course.exercises.kernels import KernelExercise
from nnlib.course.exercises.mistakes import Mistake, outcome, recognised, usual_text
from nnlib.course.exercises.recognition import same
from nnlib.cuda import RawKernel
from nnlib.lessons import NUMBERS

from .table import judge

PIECES = [*mine.PIECES.values(), mine.AGAIN["linear_forward"], mine.PIECES["sum_columns"].first]
EXERCISES = [
    each
    for lesson in NUMBERS
    for each in lesson_exercises(lesson)
    if isinstance(each, KernelExercise)
]


@pytest.mark.parametrize(
    "piece",
    [*PIECES, *(each.piece for each in EXERCISES)],
    ids=lambda piece: f"{piece.lesson}.{piece.name}{len(piece.integers)}",
)
def test_every_mistake_can_be_made_and_is_seen(piece):
    cases = [piece.case(sizes) for sizes in piece.sizes]
    known = mistakes.mistakes(piece)
    assert len(known) >= (15 if piece in PIECES else 3)
    for mistake in known:
        assert any(  # LookupError where what should be changed does not stand there
            differs(outcome(mistake, case, block), case)
            for block in ((1, 1, 1), (64, 1, 1))
            for case in cases
        ), mistake


def differs(wrote, case):
    return wrote and not all(
        same(case.piece, name, wrote[name], want) for name, want in case.expected.items()
    )


@pytest.mark.parametrize("piece", PIECES[-2:])  # test_answers.py has the others
def test_the_text_in_which_mistakes_are_made_is_right(piece):
    assert mine.judge(piece, usual_text(piece)).right


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.name)
def test_so_is_that_of_an_exercise(exercise):
    exercise.judge(RawKernel(usual_text(exercise.piece), exercise.piece.name))
    assert exercise.judged.right, exercise.judged


@pytest.mark.parametrize("piece", PIECES)
def test_a_hint_says_what_happened_and_then_what_to_do(piece):
    for mistake in mistakes.mistakes(piece):
        assert re.fullmatch(r"\S.*[^.]\. [A-Z].*\.", mistake.hint), mistake.hint
        assert "?" not in mistake.hint and len(mistake.hint) <= 260, mistake.hint


@pytest.mark.parametrize("name", ["conv_forward", "conv_grad_input"])
def test_a_filter_of_three_by_three_is_told(name):
    text = re.sub(r"\b([ij]) < K\b", r"\1 < 3", mine.PIECES[name].plain)
    assert "3 stands where K belongs" in judge(name, text)[1]


def test_no_mistake_is_named_where_none_fits():
    piece = mine.PIECES["relu"]
    case = piece.case({"n": 1000})
    noise = np.random.default_rng(0).standard_normal(1000, np.float32)
    assert recognised(case, {"y": noise}, (256, 1, 1)) is None
    assert recognised(case, case.expected, (256, 1, 1)) is None


def test_a_mistake_in_one_of_two_outputs_is_named_beside_another_in_the_other():
    piece = mine.PIECES["max_pool"]
    case = piece.case(piece.sizes[0])
    other = {"y": case.expected["y"] + 0.5, "argmax": case.expected["argmax"] + 1}
    smallest = next(
        mistake for mistake in mistakes.mistakes(piece) if "not the smallest" in mistake.hint
    )
    assert recognised(case, other, (256, 1, 1)) is None
    assert (
        recognised(case, other | {"y": outcome(smallest, case)["y"]}, (256, 1, 1)) == smallest.hint
    )


@pytest.mark.parametrize(
    ("threads", "block"), [(32, (32, 32, 1)), (8, (8, 8, 1)), (16, (64, 1, 1)), (16, (16, 8, 1))]
)
def test_tiles_are_as_large_as_the_students_block(threads, block):
    piece = mine.PIECES["linear_forward"]
    first = next(
        mistake for mistake in mistakes.mistakes(piece) if "Only the first tile" in mistake.hint
    )
    case = piece.case(piece.sizes[0])
    x, w, b = (case.arguments[name] for name in "xwb")
    want = x[:, :threads] @ w[:, :threads].T + b
    np.testing.assert_allclose(outcome(first, case, block)["y"], want, 1e-4, 1e-4)


@pytest.mark.parametrize(
    ("piece", "block"),
    [
        (mine.PIECES["sum_columns"].first, (256, 1, 1)),
        (mine.PIECES["linear_forward"], (32, 32, 1)),
        (mine.PIECES["max_pool"], (256, 1, 1)),
        (mine.PIECES["max_pool_grad"], (64, 1, 1)),
        (mine.PIECES["softmax_cross_entropy"], (128, 1, 1)),
    ],
    ids=["sum_columns", "linear_forward", "max_pool", "max_pool_grad", "softmax_cross_entropy"],
)
@pytest.mark.filterwarnings("error")
def test_samples_tell_what_the_mistakes_themselves_tell(piece, block, monkeypatch):
    case, samples = piece.case(piece.sizes[0]), {}
    known = mistakes.mistakes(piece)
    # Each is asked for again and again
    wrote = functools.cache(lambda mistake, block: outcome(mistake, case, block))
    monkeypatch.setattr(mistakes, "outcome", lambda mistake, _, block: wrote(mistake, block))
    recognition.record(
        piece,
        [
            (piece.sizes[0], seen, mistake.hint, wrote(mistake, seen))
            for mistake in known
            for seen in mistakes.blocks(piece)
            if wrote(mistake, seen)
        ],
        samples,
    )
    monkeypatch.setattr(recognition, "_recorded", lambda: samples)
    for mistake in known:
        if differs(got := wrote(mistake, block), case):
            assert recognition.recognised(case, got, block) == recognised(case, got, block), mistake


def test_what_stands_in_the_students_text_is_tried_first():
    mistake = Mistake("", (("float sum = b[f];", "float sum = 0.0f;"),))
    assert mistake.stands_in("{\n  float sum=0.0f ;\n}") and not mistake.stands_in(
        "float sum = b[f];"
    )
    assert Mistake("", (("x > 0", "x >= 0"),)).stands_in("if (x >= 0)")
    assert not Mistake("", (("a", ""),)).stands_in("a") and Mistake("", (("- pad", ""),)).stands_in(
        "row + i"
    )


def test_a_mistake_whose_text_has_gone_is_noticed():
    with pytest.raises(LookupError, match="'sum' is not in"):
        Mistake("", (("sum", "total"),)).made_in("float x;")


def test_windows_that_are_asked_several_times_are_told():
    text = re.sub(r"int first_oy = .*;\n", "", mine.PIECES["max_pool_grad"].plain)
    head, _, tail = re.split(r"(    for \(int oy.*\n    \}\n)", text, flags=re.DOTALL)
    loops = """    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++) {
            if (row < i || column < j) continue;
            int oy = (row - i) / stride, ox = (column - j) / stride, window = (plane * OH + oy) * OW + ox;
            if (oy < OH && ox < OW && argmax[window] == WHERE) sum += dy[window];
        }
"""
    _, said = judge("max_pool_grad", head + loops.replace("WHERE", "pixel") + tail)
    assert "a remainder of the division is dropped" in said, said
    loops = loops.replace(
        "column < j)", "column < j || (row - i) % stride || (column - j) % stride)"
    )
    assert judge("max_pool_grad", head + loops.replace("WHERE", "pixel") + tail)[0]
    _, said = judge("max_pool_grad", head + loops.replace("WHERE", "i * size + j") + tail)
    assert "a place in the window" in said, said

"""The contracts, the course's own versions of them, and their scores."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from nnlib import mine
from nnlib.cuda import RawKernel, force_simulator
from nnlib.cuda._engine.arguments.signature import of_text
from nnlib.lessons import notebooks
from nnlib.mine.launch import launch_of
from nnlib.mine.library import SOLUTIONS
from nnlib.mine.stars import STORED
from tests.benchmarks import pieces as benchmark

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"

ALL = list(mine.PIECES.values())
TASKS = {
    "linear_forward",
    "linear_grad_input",
    "linear_grad_weight",
    "sum_columns",
    "softmax_cross_entropy",
    "rms_norm",
    "rms_norm_grad",
}


@pytest.mark.parametrize("piece", ALL, ids=lambda piece: piece.name)
def test_the_best_version_passes_with_three_stars(piece):
    verdict = mine.judge(piece, piece.best)
    assert verdict.solved, verdict.problem
    assert verdict.stars == 3 and "★★★" in str(verdict) and verdict.precision < 5e-5


@pytest.mark.parametrize("name", sorted(TASKS))  # test_answers.py has the others
def test_the_plain_version_is_right_and_lacks_the_task(name):
    verdict = mine.judge(mine.PIECES[name], mine.PIECES[name].plain)
    assert verdict.right and not verdict.solved, verdict.problem


@pytest.mark.parametrize("piece", ALL, ids=lambda piece: piece.name)
def test_the_plain_version_takes_a_quarter_of_the_iterations_that_are_allowed_at_most(piece):
    """The `loop` of a contract is what that version loops over, and a right kernel may take far more iterations."""
    kernel, line = RawKernel(piece.plain, piece.name), launch_of(piece, piece.plain)
    for sizes in (*piece.sizes, piece.ruler):
        grid, block, shared = line.at(**sizes)
        allowed = piece.step_limit(sizes, math.prod((*grid, *block)), 1)
        with force_simulator():
            kernel(
                grid,
                block,
                tuple(piece.case(sizes).copies().values()),
                shared,
                checks=False,
                step_limit=allowed // 4,
            )


@pytest.mark.parametrize("piece", ALL, ids=lambda piece: piece.name)
def test_the_contract_is_consistent(piece):
    assert {p.name for p in piece.signature} == set(piece.shapes) | set(piece.integers) | set(
        piece.numbers
    )
    assert len(piece.sizes) >= 6 and all(
        set(sizes) == set(piece.integers) for sizes in (*piece.sizes, piece.ruler)
    )
    for text in (piece.plain, piece.best):
        parameters = of_text(text, piece.name)
        assert [(p.name, str(p.type)) for p in parameters] == [
            (p.name, str(p.type)) for p in piece.signature
        ]
    first, again = piece.case(piece.sizes[0]), piece.case(piece.sizes[0])
    for name, value in first.arguments.items():
        assert np.array_equal(value, again.arguments[name], equal_nan=True)


def test_a_workshop_says_which_numbers_a_kernel_meets():
    tables = "".join(path.read_text("utf-8") for path in notebooks(NOTEBOOKS))
    for piece in ALL:
        assert f"{piece.defined.rstrip('.')} |" in tables, piece.name


def test_scores_are_what_is_measured_now():
    stored = json.loads(STORED.read_text("utf-8"))
    assert benchmark.measure() == stored, (
        "run python -m tests.benchmarks.pieces and look at what changed"
    )


def test_the_library_knows_the_solutions_of_the_lessons():
    assert json.loads(SOLUTIONS.read_text("utf-8")) == benchmark.marks(), (
        "run python -m tests.benchmarks.pieces"
    )

"""Is a kernel right, does it do its task, and what does it cost: in the simulator, the same on every machine.

Inputs of several ugly sizes, results against NumPy in float64, races and bounds watched; then one size at which the
exact counters are the score, with its results compared as well. What the launch line says for large sizes is judged
without running them. The pieces of the student's library and the kernels of exercises are judged alike.
"""

from __future__ import annotations

import contextlib
import itertools
import math
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from nnlib.cuda import RawKernel, force_simulator
from nnlib.mine.contract import Piece, Sizes
from nnlib.mine.judgement import Failed, Judgement
from nnlib.mine.launch import GivenLaunch
from nnlib.mine.stars import awarded, cost, counters
from nnlib.mine.trials import far, passing, purity, trial
from nnlib.mine.trials.trial import Attempt

Answer = str | RawKernel
Launch = Callable[..., tuple[int | Sequence[int], int | Sequence[int]]]


def judge(
    piece: Piece, answer: Answer, launch: Launch | None = None, *, score: bool = True, seed: int = 0
) -> Judgement:
    """Try a kernel at all sizes of its contract and some more, on inputs that follow the seed.

    answer: a text with a launch line above its kernel; or a kernel where the lesson chooses the launch, which returns
    grid and block for the sizes. `score=False` leaves the task and the counters out. A text whose kernel has the
    parameters of `piece.first` is judged by it.
    """
    piece = _asked(piece, answer)
    try:
        with force_simulator():
            tried = _prepared(piece, answer, launch, seed)
            return _judged(tried, score)
    except Failed as failed:
        return Judgement(piece, **failed.found)


def _asked(piece: Piece, answer: Answer) -> Piece:
    return piece.as_written(answer) if isinstance(answer, str) else piece


def _prepared(piece: Piece, answer: Answer, launch: Launch | None, seed: int = 0) -> Attempt:
    if isinstance(answer, str):
        return trial.prepare(piece, answer, seed)
    assert launch is not None
    return Attempt(piece, answer, GivenLaunch(answer.module, launch), seed)


def _judged(answer: Attempt, score: bool) -> Judgement:
    """Judge an answer; raise Failed where the kernel is wrong or does not do its task."""
    piece, rng = answer.piece, np.random.default_rng(answer.seed)
    drawn = piece.drawn(rng)
    named = answer.named(drawn)
    answer.launch.foresee(
        [
            *piece.sizes,
            piece.ruler,
            *drawn,
            *named,
            *(sizes for large in piece.large for sizes in (large.sizes, large.small)),
        ]
    )
    precision = passing.every_size(answer)
    for one, sizes in itertools.product(piece.other_launches, piece.sizes[:3]):
        trial.run(answer, sizes, one)
    with _all_sizes_passed(piece):
        for given in piece.extremes(rng):
            trial.run(answer, piece.sizes[0], given=given)
        purity.require_same_again(answer)
        spare = passing.launch_line(answer)
        profile = passing.further_sizes(answer, drawn, named)
        if score:
            passing.require_task(answer, profile, spare)
        far.require_right(answer)
        purity.require_same_at_last(answer)
    if not score:
        return Judgement(piece, right=True)
    counted = counters(profile, profile.as_compiled)
    grid, block, _ = answer.launch.at(**piece.ruler)
    heaviest = max(
        profile.lines,
        key=lambda line: cost(counters(profile.lines[line], profile.as_compiled.line(line))),
        default=0,
    )
    return Judgement(
        piece,
        right=True,
        precision=precision,
        counters=counted,
        stars=awarded(piece.name, counted, math.prod(block)),
        line=heaviest,
        spare=spare,
        launched=(grid, block),
    )


@contextlib.contextmanager
def _all_sizes_passed(piece: Piece) -> Iterator[None]:
    """Note in a failure inside that all sizes of the contract were right."""
    try:
        yield
    except Failed as failed:
        failed.found.setdefault("passed", len(piece.sizes))
        raise


def right_at(
    piece: Piece, answer: Answer, launch: Launch | None = None, seed: int = 0
) -> list[bool]:
    """Return for each stage of the piece, or each size where it has none, whether the kernel is right there.

    The kernel is run as by `judge`, but its launch line at other sizes and its task do not count.
    """
    piece = _asked(piece, answer)
    tried = piece.sizes[: len(piece.stages) or None]
    try:
        with force_simulator():
            prepared = _prepared(piece, answer, launch, seed)
            return [_is_right(prepared, sizes) for sizes in tried]
    except Failed:
        return [False for _ in tried]


def _is_right(answer: Attempt, sizes: Sizes) -> bool:
    try:
        trial.run(answer, sizes)
        return True
    except Failed:
        return False


def measured(
    piece: Piece, answer: Answer, launch: Launch | None = None, sizes: Sizes | None = None
) -> dict[str, float]:
    """Count a kernel at these sizes, else at the piece's ruler, as `judge` does, whether or not it does its task."""
    prepared = _prepared(_asked(piece, answer), answer, launch)
    profile = trial.counted(prepared, sizes or piece.ruler)
    return counters(profile, profile.as_compiled)

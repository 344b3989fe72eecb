"""Is a kernel right at sizes beyond every border that shifts, masks, small types and floats have? Run as native code.

A border of 8, 12, 16, 20 or 24 bits need not stand in the text as a number, so each size that a network can reach is
tried beyond it. The simulator would take too long: where a machine has no native code, these sizes are left out.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from nnlib.cuda import native_engine
from nnlib.cuda.limits import MAX_SHARED
from nnlib.cuda.text import nodes, tree
from nnlib.mine.contract import Far, PieceCase, clear, how_far
from nnlib.mine.judgement import Failed
from nnlib.mine.trials import trial
from nnlib.mine.trials.borders import parts, smallest
from nnlib.mine.trials.reach import beyond_limits
from nnlib.mine.trials.trial import Attempt

_CONDITIONS = (tree.If, tree.Conditional, tree.Logical, tree.Switch)
_FEW, _TIMES, _GROWTH = 8, 8, 2  # of what a loop goes over, and how much faster its work may grow
_THREADS = 2**26  # of a launch: more, as where a block makes a few of many sums, take a minute
_LONG = 4096  # iterations of a loop, of which the first ones are also looked at with all checks


def require_right(answer: Attempt) -> None:
    """Run the kernel at the piece's far sizes; raise Failed where it is wrong.

    Left out are sizes whose grid or shared memory no GPU offers, and launches of more than _THREADS threads. A kernel
    that native code cannot run, such as one that prints, is simulated.
    """
    if native_engine() is None:
        return
    shares = "__shared__" in answer.kernel.code  # then threads can race
    skips = _may_skip_barriers(answer)
    further = answer.piece.far(np.random.default_rng(answer.seed))
    long = {name for far in further for name, value in far.sizes.items() if value >= _LONG}
    for name in long.intersection(answer.piece.loop.split()):
        _require_linear(answer, name)
    answer.launch.foresee([far.sizes for far in further])
    for far in further:
        grid, block, shared = answer.launch.at(**far.sizes)
        if (
            math.prod((*grid, *block)) > _THREADS
            or shared > MAX_SHARED
            or beyond_limits(answer.piece, far.sizes, grid, block)
        ):
            continue
        tried = case(answer, far)
        try:
            trial.run_unchecked(answer, tried)
        except Failed as failed:
            if far.along:  # its right results are those of the short case
                failed.found |= {"case": None, "got": {}}
            raise
        if (
            not far.along
            and shares
            and any(far.sizes.get(name, 0) >= _LONG for name in answer.piece.loop.split())
        ):
            if skips:
                trial.run(answer, far.sizes, least=trial.STEP_LIMIT)
            else:
                trial.require_begins_well(answer, tried)


def _require_linear(answer: Attempt, name: str) -> None:
    """Refuse a kernel whose work grows much faster than the plain version's where one size grows over which it loops."""
    piece = answer.piece
    count = max(_FEW, piece.multiple)
    few, many = (smallest(piece.sizes) | {name: each} for each in (count, _TIMES * count))
    own = [trial.counted(answer, sizes).thread_instructions for sizes in (few, many)]
    plain = [
        piece.results_at(sizes) * piece.iterations(sizes, piece.results_at(sizes))
        for sizes in (few, many)
    ]
    grown, expected = own[1] / own[0], plain[1] / plain[0]
    if grown > _GROWTH * expected:
        raise trial.Wasteful(
            f"with {_TIMES} times the {name} it makes {grown:.0f} times the operations, and {expected:.0f} times "
            "would do"
        )


def _may_skip_barriers(answer: Attempt) -> bool:
    """Return whether a condition, or a jump out of an iteration, decides whether threads wait for each other."""
    deciding = [
        part
        for part in parts(answer.launch.module.program)
        if isinstance(part, _CONDITIONS)
        or (
            isinstance(part, tree.LoopStmt)
            and any(isinstance(inner, tree.Continue | tree.Break) for inner in nodes([part]))
        )
    ]
    return any(
        isinstance(part, tree.IntrinsicCall) and part.name.startswith("__sync")
        for part in nodes(deciding)
    )


def case(answer: Attempt, far: Far) -> PieceCase:
    """Return inputs of these sizes with the right results."""
    if not far.along:
        return answer.case(far.sizes)
    short = answer.piece.case(
        far.sizes | {far.along: far.period}, answer.seed, max(far.sizes.values())
    )
    short.arguments[far.along] = far.sizes[far.along]
    return Repeated(answer.piece, far.sizes, short.arguments, short=short, along=far.along)


@dataclass(frozen=True, kw_only=True)
class Repeated(PieceCase):
    """A case whose arrays are those of a short one, again and again along one of the sizes."""

    short: PieceCase
    along: str

    @functools.cached_property
    def expected(self) -> dict[str, np.ndarray]:
        """The results of the short case; of a sum over the size, so many times as much is added."""
        times = self.sizes[self.along] // self.short.sizes[self.along]
        before = {name: self.arguments[name] for name in self.piece.updates}
        return {
            name: want
            if self._axis(name) is not None
            else want * times - before.get(name, 0) * (times - 1)
            for name, want in self.short.expected.items()
        }

    @property
    def inputs(self) -> dict[str, np.ndarray]:
        """None: they are not kept."""
        return {}

    def copies(self) -> dict[str, Any]:
        return {name: self._repeated(name, value) for name, value in self.arguments.items()}

    def how_far(self, name: str, got: np.ndarray) -> float | str:
        """Compare the first period; of the others only what is not equal to it."""
        axis, want = self._axis(name), self.expected[name]
        if axis is None:
            return how_far(self.piece, name, got, want)
        worst, begins = 0.0, [0] * got.ndim
        for part in _parts(got, axis, want.shape[axis]):
            alike = (slice(None),) * axis + (slice(part.shape[axis]),)
            if not begins[axis] or not np.array_equal(part, got[alike]):
                found = how_far(self.piece, name, part, want[alike], begins)
                if isinstance(found, str):
                    return found
                worst = max(worst, found)
            begins[axis] += part.shape[axis]
        return worst

    def _axis(self, name: str) -> int | None:
        names = self.piece.shapes.get(name, "").split()
        return names.index(self.along) if self.along in names else None

    def _repeated(self, name: str, value: Any) -> Any:
        axis = self._axis(name)
        if axis is None:
            return value.copy() if isinstance(value, np.ndarray) else value
        whole = np.empty(
            (*value.shape[:axis], self.sizes[self.along], *value.shape[axis + 1 :]), value.dtype
        )
        if name in self.piece.written and name not in self.piece.updates:
            clear(whole)
            return whole
        for part in _parts(whole, axis, value.shape[axis]):
            part[...] = value[(slice(None),) * axis + (slice(part.shape[axis]),)]
        return whole


def _parts(array: np.ndarray, axis: int, length: int) -> Iterator[np.ndarray]:
    """Yield views of `length` elements of an array along an axis; the last one may be shorter."""
    for first in range(0, array.shape[axis], length):
        yield array[(slice(None),) * axis + (slice(first, first + length),)]

"""A piece's kernel at one size: launched on random inputs, its results compared with NumPy's in float64."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nnlib.cuda import (
    ArgumentError,
    KernelError,
    KernelTimeoutError,
    LaunchError,
    Profile,
    RawKernel,
    RawModule,
    at_most,
)
from nnlib.mine import borders
from nnlib.mine.contract import Piece, PieceCase, Sizes, unwritten
from nnlib.mine.judgement import Failed
from nnlib.mine.launch import LaunchLine, launch_of

# Loop iterations of 1,024 threads, which every computer counts alike.
STEP_LIMIT = 200_000  # where counters are read: more than any answer takes
TRIAL_LIMIT = 25_000  # at the small sizes of the trials: one thread can do the work of all
SIMULATED_LIMIT = 1_000_000  # beyond the small sizes, where there is no native code
_LONG = 5000  # the length of a side from which native code is faster
_RELATIVE = 1e-5  # float32 rounds at 6e-8; sums of a few hundred numbers stay well below
_LEAST, _MOST = 0.1, 30.0  # of the largest result: what cancels may leave less, and rounding does not grow beyond


@dataclass(frozen=True)
class Attempt:
    """A kernel with its launch line, and the seed of its inputs."""

    piece: Piece
    kernel: RawKernel
    launch: LaunchLine
    seed: int = 0

    def case(self, sizes: Sizes) -> PieceCase:
        return self.piece.case(sizes, self.seed)

    def named(self, drawn: Sequence[Sizes]) -> list[Sizes]:
        """Sizes that its text names, see borders.py, besides those drawn."""
        try:
            return borders.named(self.piece, self.launch.module.program, drawn)
        except KernelError:  # the launch line cannot be read, which is told where it is computed
            return []


def prepare(piece: Piece, text: str, seed: int = 0) -> Attempt:
    """Compile the text and read its launch line; raises Failed where it does not fit the contract."""
    try:
        try:
            launch = launch_of(piece, text)
            kernel = _kernel(piece, launch.module)
        except KernelError:  # what is wrong with the text alone is said first
            kernel = _kernel(piece, text)
            launch = launch_of(piece, text)
        return Attempt(piece, kernel, launch, seed)
    except LaunchError as error:
        raise Failed(str(error)) from None
    except KernelError as error:
        raise Failed(str(error), error=error) from None


def _kernel(piece: Piece, code: str | RawModule) -> RawKernel:
    kernel = RawKernel(code, piece.name)
    own = kernel.parameters or ()
    wanted = [str(p.type) for p in piece.signature]
    if [str(p.type) for p in own] != wanted:
        has = ", ".join(f"{p.type} {p.name}" for p in own) or "none"
        raise ArgumentError(f"{piece.name} has the parameters ({has}); its contract is ({piece.parameters})")
    return kernel


def run(answer: Attempt, sizes: Sizes, instead: tuple[int, int] | None = None, least: int = TRIAL_LIMIT) -> float:
    """The largest difference from float64, relative to the largest result; raises Failed.

    instead: grid and block in place of the launch line's. least: see `Piece.step_limit`.
    """
    def checked(grid: Any, block: Any, arguments: tuple, shared: int) -> None:
        answer.kernel(grid, block, arguments, shared, checks=True,
                      step_limit=answer.piece.step_limit(sizes, math.prod((*grid, *block)), least))

    return _launched(answer, sizes, checked, instead)[0]


def counted(answer: Attempt, sizes: Sizes) -> Profile:
    """The profile of the same, which takes three times as long."""
    def profiled(grid: Any, block: Any, arguments: tuple, shared: int) -> Profile:
        return answer.kernel.profile(grid, block, arguments, shared, step_limit=STEP_LIMIT)

    return _launched(answer, sizes, profiled)[1]


def run_unchecked(answer: Attempt, sizes: Sizes, instead: tuple[int, int] | None = None) -> None:
    """The same as `run` without looking for mistakes, several times faster; a wrong one is run again to be explained.

    Where no side is long the simulator begins. What is long, or takes it more than STEP_LIMIT iterations, runs as
    native code, where that can be had. Without native code the simulator stops at SIMULATED_LIMIT, and a kernel that
    may take more is not tried at this size.
    """
    if max(sizes.values()) < _LONG and _simulated(answer, sizes, instead):
        return
    try:
        try:
            _within(answer, sizes, instead, STEP_LIMIT // 2)
        except Failed as failed:
            if not _may_end(failed):
                raise
            _within(answer, sizes, instead, SIMULATED_LIMIT)  # as native code, now that it is known to take long
    except Failed as failed:
        if not _may_end(failed) or _allowed(answer, sizes, *failed.found["launched"]) <= SIMULATED_LIMIT:
            raise


def _within(answer: Attempt, sizes: Sizes, instead: tuple[int, int] | None, most: int) -> None:
    """Compare an unchecked launch, which the simulator stops after `most` iterations if it does not run natively."""
    def launch(grid: Any, block: Any, arguments: tuple, shared: int) -> None:
        with at_most(min(_allowed(answer, sizes, grid, block), most)):
            answer.kernel(grid, block, arguments, shared, checks=False)

    _launched(answer, sizes, launch, instead)


def _simulated(answer: Attempt, sizes: Sizes, instead: tuple[int, int] | None) -> bool:
    """Whether it came to its end within STEP_LIMIT iterations; raises Failed if it is wrong."""
    def launch(grid: Any, block: Any, arguments: tuple, shared: int) -> None:
        answer.kernel(grid, block, arguments, shared, checks=False, step_limit=STEP_LIMIT)

    try:
        _launched(answer, sizes, launch, instead)
    except Failed as failed:
        if _may_end(failed):
            return False
        run(answer, sizes, instead, STEP_LIMIT)
        raise failed from None
    return True


def _allowed(answer: Attempt, sizes: Sizes, grid: Any, block: Any) -> int:
    return answer.piece.step_limit(sizes, math.prod((*grid, *block)), STEP_LIMIT)


def _may_end(failed: Failed) -> bool:
    error = failed.found.get("error")
    return isinstance(error, KernelTimeoutError) and error.may_end


def _launched(answer: Attempt, sizes: Sizes, launch: Callable[..., Any],
              instead: tuple[int, int] | None = None) -> tuple[float, Any]:
    case = answer.case(sizes)
    found: dict[str, Any] = {"sizes": sizes, "case": case}
    arguments = case.copies()
    where = ", ".join(f"{name} = {value}" for name, value in sizes.items())
    where += f", launched with <<<{instead[0]}, {instead[1]}>>>" if instead else ""
    try:
        grid, block, shared = answer.launch.at(**sizes)
        if instead:
            grid, block = (instead[0], 1, 1), (instead[1], 1, 1)
        found["launched"] = grid, block
        result = launch(grid, block, tuple(arguments.values()), shared)
    except LaunchError as error:
        raise Failed(str(error), error=error, **found) from None
    except KernelError as error:
        raise Failed(f"{where}:\n{error}", error=error, **found) from None
    found["got"] = {name: arguments[name] for name in answer.piece.written}
    _require_inputs_unchanged(case, arguments, where, found)
    worst = 0.0
    for name, want in case.expected.items():
        difference = how_far(answer.piece, name, arguments[name], want)
        if isinstance(difference, str):
            raise Failed(f"{where}: {difference}", right=bool(instead), **found)
        worst = max(worst, difference)
    return worst, result


def _require_inputs_unchanged(case: PieceCase, arguments: dict[str, Any], where: str, found: dict[str, Any]) -> None:
    outputs = case.piece.written
    for name, before in case.arguments.items():
        if isinstance(before, np.ndarray) and name not in outputs and not np.array_equal(before, arguments[name]):
            raise Failed(f"{where}: {name} is an input, and the kernel changed it. Write only to "
                         f"{' and '.join(outputs)}.", **found)


def how_far(piece: Piece, name: str, got: np.ndarray, want: np.ndarray) -> float | str:
    """How far `got` is from `want`, relative to its largest value, or what is wrong."""
    largest = float(np.abs(want).max(initial=0)) or 1.0
    with np.errstate(invalid="ignore"):
        error = np.abs(got - want)
        absolute = piece.absolute.get(name, _RELATIVE * min(max(largest, _LEAST), _MOST))
        good = error <= _RELATIVE * np.abs(want) + absolute
    if good.all():
        return float(error.max(initial=0)) / largest
    first = np.unravel_index(good.argmin(), good.shape)
    place = f"{name}[{', '.join(map(str, first))}]"
    missing = unwritten(got)
    if missing[first]:
        return f"no thread wrote {place} ({missing.sum():,} of {got.size:,} are missing)."
    is_now, should_be = got[first] + 0.0, want[first] + 0.0  # 0, not -0
    lost = f", and no thread wrote {missing.sum():,} of them" if missing.any() else ""
    return f"{place} is {is_now:.6g}, it should be {should_be:.6g} ({(~good).sum():,} of {got.size:,} differ{lost})."

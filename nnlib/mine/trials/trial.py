"""A piece's kernel at one size: launched on random inputs, its results compared with NumPy's in float64."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
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
    UnsupportedError,
    at_most,
    native_code,
)
from nnlib.mine.contract import GENEROUS, Piece, PieceCase, Sizes
from nnlib.mine.judgement import Failed
from nnlib.mine.launch import GivenLaunch, LaunchLine, launch_of
from nnlib.mine.trials import borders

# Loop iterations of 1,024 threads, which every computer counts alike.
STEP_LIMIT = 200_000  # where counters are read: more than any answer takes
TRIAL_LIMIT = 25_000  # at the small sizes of the trials: one thread can do the work of all
SIMULATED_LIMIT = 1_000_000  # beyond the small sizes, where there is no native code
_BEGINNING = 1_500  # where a loop is only begun: two steps of a product with 4 x 4 sums a thread
_BLOCK_LIMIT, _LONGEST_BLOCK = 2_000, 10_000  # of a block before all of a launch run natively
_AT_ONCE = 2**28  # iterations of all threads, which native code makes in less than a second
_LONG = 5000  # the length of a side from which a launch takes the simulator long
_SMALL = 2**21  # iterations of all results, and elements, from which it does, too


@dataclass(frozen=True)
class Attempt:
    """A kernel with its launch, and the seed of its inputs."""

    piece: Piece
    kernel: RawKernel
    launch: LaunchLine | GivenLaunch
    seed: int = 0

    @functools.cached_property
    def silent(self) -> RawKernel:
        """The kernel without what it prints, which no native code can have, unless its launches share variables."""
        kernel = self.kernel
        if "printf" not in kernel.code or self.launch.module.program.globals:
            return kernel
        return RawKernel(f"#define printf(...) 0\n{kernel.code}", kernel.name, kernel.options)

    def case(self, sizes: Sizes, given: Mapping[str, float] | None = None) -> PieceCase:
        if given:
            return self.piece.case(sizes, self.seed, given=given)
        return _known(self.piece, tuple(sizes.items()), self.seed)

    def named(self, drawn: Sequence[Sizes]) -> list[Sizes]:
        """Return sizes that the kernel's text suggests, see borders.py, besides those drawn."""
        each = self.piece.multiple
        try:
            return [
                {name: -(-value // each) * each for name, value in sizes.items()}
                for sizes in borders.named(self.piece, self.launch.module.program, drawn)
            ]
        except KernelError:  # the launch line cannot be read, which is told where it is computed
            return []


@functools.lru_cache(maxsize=64)
def _known(piece: Piece, sizes: tuple[tuple[str, int], ...], seed: int) -> PieceCase:
    """Return inputs and right results, which the trials of a piece share."""
    return piece.case(dict(sizes), seed)


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
        raise ArgumentError(
            f"{piece.name} has the parameters ({has}); its contract is ({piece.parameters})"
        )
    return kernel


def run(
    answer: Attempt,
    sizes: Sizes,
    instead: tuple[int, int] | None = None,
    least: int = TRIAL_LIMIT,
    given: Mapping[str, float] | None = None,
) -> float:
    """Run the kernel with all checks; return its largest difference from float64, relative to the largest result.

    Raise Failed where it is wrong. instead: grid and block in place of the launch line's. least: see `Piece.step_limit`.
    given: float parameters that are not drawn.
    """

    def checked(grid: Any, block: Any, *rest: Any) -> None:
        answer.kernel(
            grid,
            block,
            *rest,
            checks=True,
            step_limit=answer.piece.step_limit(sizes, math.prod((*grid, *block)), least),
        )

    return launched(answer, answer.case(sizes, given), checked, instead)[0]


def counted(answer: Attempt, sizes: Sizes, instead: tuple[int, int] | None = None) -> Profile:
    """Run the kernel and return its profile, which takes three times as long as `run`."""

    def profiled(*at: Any) -> Profile:
        return answer.kernel.profile(*at, step_limit=STEP_LIMIT)

    profile: Profile = launched(answer, answer.case(sizes), profiled, instead)[1]
    return profile


def run_unchecked(answer: Attempt, case: PieceCase, instead: tuple[int, int] | None = None) -> None:
    """Run the kernel without checks, many times faster than `run`; run a wrong one again with checks, to explain what is wrong.

    It runs as native code. A kernel that cannot, or any kernel on a machine without native code, is simulated up to
    SIMULATED_LIMIT iterations; one that may take more is not tried at this size.
    """
    try:
        run_natively(answer, case, instead)
    except UnsupportedError:
        run_simulated(answer, case, instead)


def run_simulated(answer: Attempt, case: PieceCase, instead: tuple[int, int] | None = None) -> None:
    """Compare a launch that the simulator stops at SIMULATED_LIMIT; raises Failed, but not where it may take more."""

    def launch(grid: Any, block: Any, *rest: Any) -> None:
        with (
            native_code(False),
            at_most(min(_allowed(answer, case.sizes, grid, block), SIMULATED_LIMIT)),
        ):
            answer.silent(grid, block, *rest, checks=False)

    try:
        launched(answer, case, launch, instead)
    except Failed as failed:
        if (
            not _may_end(failed)
            or _allowed(answer, case.sizes, *failed.found["launched"]) <= SIMULATED_LIMIT
        ):
            raise


def run_natively(answer: Attempt, case: PieceCase, instead: tuple[int, int] | None = None) -> None:
    """Compare a launch as native code; raises Failed, and UnsupportedError for a kernel that cannot run so."""

    def launch(*at: Any) -> None:
        _require_thrift(answer, case, *at)
        with native_code("required"):
            answer.silent(*at, checks=False)

    try:
        launched(answer, case, launch, instead)
    except Failed as failed:
        if not isinstance(failed, Wasteful) and _is_small(answer.piece, case.sizes):
            run(answer, case.sizes, instead, STEP_LIMIT)
        raise failed from None


def _is_small(piece: Piece, sizes: Sizes) -> bool:
    """Return whether the simulator finishes a launch at these sizes quickly, so that it can explain what is wrong."""
    results = piece.results_at(sizes)
    return (
        max(sizes.values()) < _LONG
        and max(results * piece.iterations(sizes, results), piece.elements_at(sizes, piece.shapes))
        < _SMALL
    )


class Wasteful(Failed):
    """A kernel is right, and would take minutes at large sizes; found: what was counted."""

    def __init__(self, found: str) -> None:
        super().__init__(
            f"Right at small sizes, but it works too much: {found}. What does a thread compute that nobody uses, or "
            "look at that it could skip?",
            right=True,
        )


def _require_thrift(
    answer: Attempt, case: PieceCase, grid: Any, block: Any, arguments: tuple[Any, ...], shared: int
) -> None:
    """Raise Failed where a block takes many times the iterations of the plain version, so that the launch would take minutes.

    Native code does not count iterations, so three blocks are simulated.
    """
    each = answer.piece.iterations(case.sizes, math.prod((*grid, *block)))
    limit = max(_BLOCK_LIMIT, GENEROUS * each, _AT_ONCE // math.prod((*grid, *block)))
    if math.prod(grid) <= 3 or limit > _LONGEST_BLOCK:  # few blocks, or a long loop: see far.py
        return
    try:
        answer.silent.profile(grid, block, arguments, shared, max_blocks=3, step_limit=limit)
    except KernelTimeoutError:
        raise Wasteful(
            f"with {case.described} a thread makes more than {limit:,} iterations, and about {each:,} would do"
        ) from None
    except KernelError:  # which the whole launch reports
        pass


def require_begins_well(answer: Attempt, case: PieceCase) -> None:
    """Look for mistakes in the first iterations of two blocks: native code, too, finds no race; raises Failed."""
    (blocks, *_), block, shared = answer.launch.at(**case.sizes)
    grid = min(blocks, 2), 1, 1
    try:
        answer.silent(grid, block, tuple(case.copies().values()), shared, step_limit=_BEGINNING)
    except KernelTimeoutError:
        pass
    except KernelError as error:
        raise Failed(
            f"{case.described}:\n{error}",
            error=error,
            sizes=case.sizes,
            case=case,
            launched=(grid, block),
        ) from None


def _allowed(answer: Attempt, sizes: Sizes, grid: Any, block: Any) -> int:
    return answer.piece.step_limit(sizes, math.prod((*grid, *block)), STEP_LIMIT)


def _may_end(failed: Failed) -> bool:
    error = failed.found.get("error")
    return isinstance(error, KernelTimeoutError) and error.may_end


def launched(
    answer: Attempt,
    case: PieceCase,
    launch: Callable[..., Any],
    instead: tuple[int, int] | None = None,
) -> tuple[float, Any]:
    """Run `launch`; return the largest difference from float64, as `run` does, and what `launch` returns. Raise Failed."""
    sizes = case.sizes
    found: dict[str, Any] = {"sizes": sizes, "case": case}
    arguments = case.copies()
    where = case.described + (
        f", launched with <<<{instead[0]}, {instead[1]}>>>" if instead else ""
    )
    try:
        grid, block, shared = answer.launch.at(**sizes)
        if instead:
            grid, block = (instead[0], 1, 1), (instead[1], 1, 1)
        found["launched"] = grid, block
        result = launch(grid, block, tuple(arguments.values()), shared)
    except UnsupportedError:
        raise
    except LaunchError as error:
        raise Failed(str(error), error=error, **found) from None
    except KernelError as error:
        raise Failed(f"{where}:\n{error}", error=error, **found) from None
    found["got"] = {name: arguments[name] for name in answer.piece.written}
    _require_inputs_unchanged(case, arguments, where, found)
    worst = 0.0
    for name in answer.piece.written:
        difference = case.how_far(name, arguments[name])
        if isinstance(difference, str):
            raise Failed(f"{where}: {difference}", right=bool(instead), **found)
        worst = max(worst, difference)
    return worst, result


def _require_inputs_unchanged(
    case: PieceCase, arguments: dict[str, Any], where: str, found: dict[str, Any]
) -> None:
    for name, before in case.inputs.items():
        if not np.array_equal(before, arguments[name], equal_nan=before.dtype.kind == "f"):
            raise Failed(
                f"{where}: {name} is an input, and the kernel changed it. Write only to "
                f"{' and '.join(case.piece.written)}.",
                **found,
            )

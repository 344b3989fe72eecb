"""What a piece of the student's library is: a kernel with a fixed contract.

The contract says what the kernel is called, what it gets, what it must compute, and for which sizes it is tried.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from nnlib.cuda import KernelError, RawKernel
from nnlib.cuda.text import Parameter, declared_parameters, types

Sizes = dict[str, int]
_NOBODY = np.uint32(0x7FC0BEEF)  # as float32 a NaN that no arithmetic makes
RELATIVE = 1e-5  # float32 rounds at 6e-8; sums of a few hundred numbers stay well below
# Of the largest result: what cancels may leave less, and rounding does not grow beyond
_LEAST, _MOST = (0.1, 30.0)
# Of so many summands, also repeated ones, what cancels can leave less than they round off
_ROUNDS = 2048
_HERE = Path(__file__).parent
GENEROUS = 320  # a warp for each result: 32 lanes, 10 iterations each where a sum has one number


def rounds(sizes: Mapping[str, int]) -> bool:
    """Return whether sums may be so long that float32 rounds much; inputs are then drawn so that their sums are exact."""
    return sizes["longest"] * sizes.get("K", 1) ** 2 >= _ROUNDS


def unwritten(array: np.ndarray) -> np.ndarray:
    """Return which elements of an output (4 bytes each) no thread has written."""
    return np.asarray(np.ascontiguousarray(array).view(np.uint32) == _NOBODY)


def clear(array: np.ndarray) -> None:
    """Fill an output with what shows that no thread has written it."""
    array.reshape(-1).view(np.uint32)[...] = _NOBODY


def tolerance(piece: Piece, name: str, want: np.ndarray) -> float:
    """Return the error that an output may have beside the relative one, where what is right is this."""
    return piece.absolute.get(name, RELATIVE * min(max(_largest(want), _LEAST), _MOST))


def how_far(
    piece: Piece,
    name: str,
    got: np.ndarray,
    want: np.ndarray,
    begins: Sequence[int] = (),
) -> float | str:
    """Return the largest error of `got`, relative to the largest value of `want`, or a sentence that says what is wrong.

    begins: the index of the first element, if both are part of an array.
    """
    missing = unwritten(got)
    with np.errstate(invalid="ignore", over="ignore"):
        same = (got == want.astype(got.dtype)) | (np.isnan(got) & np.isnan(want) & ~missing)
        error = np.where(same, 0, np.abs(got - want))  # infinity, too, is the same as infinity
        largest = _largest(want)
        allowed = RELATIVE * np.abs(want) + tolerance(piece, name, want)
        good = same | np.isfinite(want) & (error <= allowed)
    if good.all():
        return float(error.max(initial=0)) / largest
    first = np.unravel_index(good.argmin(), good.shape)
    at = np.add(first, begins) if len(begins) else first
    place = f"{name}[{', '.join(map(str, at))}]"
    if missing[first]:
        return f"no thread wrote {place} ({missing.sum():,} of {got.size:,} are missing)."
    is_now, should_be = float(got[first]) + 0.0, float(want[first]) + 0.0  # 0, not -0
    lost = f", and no thread wrote {missing.sum():,} of them" if missing.any() else ""
    rule = f" {piece.defined}" if _is_extreme(is_now) or _is_extreme(should_be) else ""
    return f"{place} is {is_now:.6g}, it should be {should_be:.6g} ({(~good).sum():,} of {got.size:,} differ{lost}).{rule}"


def _largest(want: np.ndarray) -> float:
    return float(np.where(np.isfinite(want), np.abs(want), 0).max(initial=0)) or 1.0


def _is_extreme(number: float) -> bool:
    return number != 0 and not 1e-30 < abs(number) < 1e30


class MissingTextError(KernelError):
    """The course's own text of a piece is not part of this package: students get it when their homework is in."""


@dataclass(frozen=True)
class PieceCase:
    """Arguments in the kernel's order; a launch gets copies of them."""

    piece: Piece
    sizes: Sizes
    arguments: dict[str, Any]
    given: Mapping[str, float] = field(default_factory=dict)

    @property
    def described(self) -> str:
        """The sizes, and float parameters that were not drawn, as a sentence has them."""
        return ", ".join(
            [
                *(f"{name} = {value}" for name, value in self.sizes.items()),
                *(f"{name} = {value:g}" for name, value in self.given.items()),
            ]
        )

    @functools.cached_property
    def expected(self) -> dict[str, np.ndarray]:
        """Return what the arrays that the kernel writes must hold afterwards, in float64."""
        return self.piece.results(self.arguments)

    def copies(self) -> dict[str, Any]:
        """Return copies of the arguments for one launch, which may change them."""
        return {
            name: value.copy() if isinstance(value, np.ndarray) else value
            for name, value in self.arguments.items()
        }

    @property
    def inputs(self) -> dict[str, np.ndarray]:
        """The arrays that a launch must leave as they are."""
        return {
            name: value
            for name, value in self.arguments.items()
            if isinstance(value, np.ndarray) and name not in self.piece.written
        }

    def how_far(self, name: str, got: np.ndarray) -> float | str:
        """Return the largest error of an output, relative to its largest value, or a sentence that says what is wrong."""
        return how_far(self.piece, name, got, self.expected[name])

    def written(self, arguments: Mapping[str, Any]) -> dict[str, np.ndarray]:
        """Return which elements of each output a launch with these copies has written."""
        return {
            name: arguments[name] != self.arguments[name]
            if name in self.piece.updates
            else ~unwritten(arguments[name])
            for name in self.piece.written
        }


@dataclass(frozen=True)
class Large:
    """Sizes at which only the launch line is computed: its blocks must reach all results.

    lean: in place of some of them, so that a block is cheap to run. alone: the one size that is large, "" for several.
    """

    sizes: Sizes
    lean: Sizes
    alone: str = ""

    @property
    def small(self) -> Sizes:
        """The sizes at which a block is run, to see how many results it writes."""
        return self.sizes | self.lean


@dataclass(frozen=True)
class Far:
    """Sizes beyond a border, such as 65,536 rows.

    along: a size, of the results or of a sum, along which the inputs repeat themselves after `period`, so that the right
    results need not be computed in full.
    """

    sizes: Sizes
    along: str = ""
    period: int = 0


@dataclass(frozen=True, eq=False)
class Piece:
    """One kernel of the student's library.

    parameters: C, as in the kernel's declaration. shapes: of the arrays, as names of sizes, "N I". reference: the right
    contents of the arrays that are written, in their order, from NumPy arrays in float64 and the sizes.
    sizes: to try, ugly ones. ruler: the sizes at which answers are scored. derived: further sizes that shapes use.
    drawn: more sizes to try, from a random generator: a small one, then some that are run without checks, of which one
    has more results than the ruler. far: sizes beyond the borders that small types, shifts and floats have, from a
    random generator; they are run as native code (see far.py).
    large: sizes up to those of 60,000 images, at which the launch line must reach all results.
    numbers: the float parameters, between which limits; extremes: values for which the kernel must be right as well,
    from a random generator.
    make: how an input is drawn that is not just normally
    distributed.
    loop: the sizes over whose product one thread of the plain version loops.
    updates: arrays that are read and written.
    task: what the lesson asks for beyond the right result; each gives a complaint or None (see tasks.py).
    other_launches: grids and blocks that must do as well as the kernel's own. absolute: error that an output may have.
    stages: what each of the first sizes has that those before it lack; a refusal says how far the kernel came.
    defined: which numbers the arguments may hold, where that is more than finite ones of any size.
    first: the same piece with its last size left out, which is 1 then: what the lesson asks for where it begins.
    multiple: all sizes are multiples of it. most: how large a size of which the work grows as its square is tried.
    """

    name: str
    lesson: str
    parameters: str
    formula: str
    used_by: str
    shapes: Mapping[str, str]
    reference: Callable[..., Any]
    sizes: Sequence[Sizes]
    ruler: Sizes
    drawn: Callable[[np.random.Generator], Sequence[Sizes]]
    large: Sequence[Large]
    far: Callable[[np.random.Generator], Sequence[Far]] = lambda rng: ()
    loop: str = ""
    derived: Callable[[Mapping[str, Any]], Sizes] = lambda sizes: {}
    numbers: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    extremes: Callable[[np.random.Generator], Sequence[Mapping[str, float]]] = lambda rng: ()
    make: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    updates: tuple[str, ...] = ()
    task: Sequence[Callable[..., str | None]] = ()
    other_launches: Sequence[tuple[int, int]] = ()
    absolute: Mapping[str, float] = field(default_factory=dict)
    stages: Sequence[str] = ()
    defined: str = ""
    first: Piece | None = None
    multiple: int = 1
    most: Mapping[str, int] = field(default_factory=dict)

    def as_written(self, text: str) -> Piece:
        """Return the contract that this kernel follows: `first`, unless it has all parameters of this one."""
        declared = declared_parameters(text, self.name)
        whole = self.first is None or declared is None or len(declared) == len(self.signature)
        return self if whole else self.first  # type: ignore[return-value]

    @functools.cached_property
    def signature(self) -> tuple[Parameter, ...]:
        parameters = declared_parameters(self.declaration, self.name)
        if "half" in self.parameters:  # a type of a header
            code = f"#include <cuda_fp16.h>\n{self.declaration} {{}}"
            parameters = RawKernel(code, self.name).parameters
        assert parameters is not None
        return parameters

    @property
    def declaration(self) -> str:
        """The first line of the kernel."""
        return f'extern "C" __global__ void {self.name}({self.parameters})'

    @property
    def integers(self) -> list[str]:
        """The parameters that are sizes: what the launch may depend on."""
        return [p.name for p in self.signature if p.type == types.INT]

    @property
    def written(self) -> list[str]:
        """The arrays that the kernel writes, in order."""
        return [p.name for p in self.signature if isinstance(p.type, types.Pointer) and p.written]

    @property
    def plain(self) -> str:
        """The course's first version: what runs as long as the student has none."""
        try:
            return (_HERE / "plain" / f"{self.name}.cu").read_text("utf-8")
        except FileNotFoundError:
            raise MissingTextError(
                f"this copy of the course has no version of {self.name} to compare with: ask your teacher for the "
                "copy that `make student STUDENT_ARGS=--pieces` makes, and install it"
            ) from None

    @property
    def best(self) -> str:
        """The best version the course knows; the plain one where nothing better is known."""
        file = _HERE / "best" / f"{self.name}.cu"
        return file.read_text("utf-8") if file.exists() else self.plain

    def case(
        self,
        sizes: Sizes,
        seed: int = 0,
        longest: int = 0,
        given: Mapping[str, float] | None = None,
    ) -> PieceCase:
        """Draw inputs of these sizes; return them with outputs full of a NaN that nobody computes, and with the right results.

        longest: how long a side of the case will be of which this one is a part. given: float parameters that are not drawn.
        """
        rng = np.random.default_rng((seed, *map(abs, sizes.values())))
        known = {**sizes, **self.derived(sizes), "longest": max(longest, *sizes.values())}
        arguments: dict[str, Any] = {}
        for parameter in self.signature:
            name = parameter.name
            if not isinstance(parameter.type, types.Pointer):
                arguments[name] = (
                    float(rng.uniform(*self.numbers[name])) if name in self.numbers else sizes[name]
                )
                arguments[name] = (given or {}).get(name, arguments[name])
                continue
            shape = tuple(known[size] for size in self.shapes[name].split())
            if parameter.written and name not in self.updates:
                arguments[name] = np.full(shape, _NOBODY).view(parameter.element)
            elif name in self.make:
                arguments[name] = np.ascontiguousarray(
                    self.make[name](rng, shape, known, arguments), parameter.element
                )
            else:
                drawn = rng.standard_normal(shape, np.float32)
                arguments[name] = np.floor(2 * drawn) / 2 + 0.25 if rounds(known) else drawn
        return PieceCase(self, sizes, arguments, given or {})

    def names(self, output: str) -> str:
        """Return the sizes of an output as part of a sentence: "N, F, OH and OW"."""
        *first, last = self.shapes[output].split()
        return f"{', '.join(first)} and {last}" if first else last

    def results_at(self, sizes: Sizes) -> int:
        """Return how many elements the kernel writes at these sizes, in all outputs."""
        return self.elements_at(sizes, self.written)

    def iterations(self, sizes: Sizes, threads: int) -> int:
        """Return how many loop iterations a thread of the plain version makes at these sizes, if that many share the results."""
        known = {**sizes, **self.derived(sizes)}
        each = -(-self.results_at(sizes) // max(1, threads))
        return each * math.prod(known[size] for size in self.loop.split())

    def step_limit(self, sizes: Sizes, threads: int, least: int) -> int:
        """Return how many loop iterations of 1,024 threads a launch with that many threads may take at these sizes.

        That is GENEROUS times the iterations of the plain version, but at least `least`.
        """
        return max(least, GENEROUS * self.iterations(sizes, threads) * (1 + threads // 1024))

    def elements_at(self, sizes: Sizes, arrays: Iterable[str]) -> int:
        """Return how many elements these arrays have in all."""
        known = {**sizes, **self.derived(sizes)}
        return sum(math.prod(known[size] for size in self.shapes[name].split()) for name in arrays)

    def results(self, arguments: Mapping[str, Any]) -> dict[str, np.ndarray]:
        """Compute in float64 what the kernel must write for these arguments."""
        read = {
            name: value.astype(np.float64)
            if isinstance(value, np.ndarray) and value.dtype.kind == "f"
            else value
            for name, value in arguments.items()
            if name not in self.written or name in self.updates
        }
        results = self.reference(**read, **self.derived(read))
        return dict(
            zip(self.written, results if isinstance(results, tuple) else (results,), strict=True)
        )

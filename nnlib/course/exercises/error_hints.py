"""Turn an error of the simulator into a hint for a workshop, in the words of its contract, from the error's fields.

Each row of ROWS is a kind of error, what must hold, and the hint. The first row that fits is given, and None leaves the
hint of the simulator, which has looked at the conditions on the way to an access.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass

from nnlib.cuda import (
    BarrierError,
    KernelError,
    KernelTimeoutError,
    LaunchError,
    OutOfBoundsError,
    RaceError,
    UninitializedReadError,
)
from nnlib.mine.contract import Piece
from nnlib.mine.judgement import Judgement
from nnlib.mine.trials.tasks import no_atomics, without_atomics

# Answers about a guard that the report itself explains, see KernelError.
EXPLAINED = "other", "late", "either", "both", "inverted", "chained", "equal", "wrapped"
_WARP = 32
_WARP_NUMBER = re.compile(r"/\s*32\b|>>\s*5\b")
_LANE = re.compile(r"threadIdx\.x\s*[%&]")
_OWN = re.compile(r"(thread|block)Idx")
_WHOLE_NUMBER = re.compile(r"blockIdx\.x\s*\*\s*blockDim\.x\s*\+\s*threadIdx\.x")
MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+(.+?)[ \t]*(?://.*)?$", re.MULTILINE)
_GROUPS = re.compile(r"\(\s*(\w+)\s*\+\s*(\d+)\s*\)\s*/\s*(\d+)\b")  # (C + 3) / 4
_FEW = 9  # results that a thread may have; what is divided by more are tiles or blocks
_INT = 2**31 - 1
_SET_BACK = re.compile(r"(?<=\()\s*(\w+)\s*=\s*\w+[^;()=]*\?")  # (k = label ? 1 : 0)


@dataclass(frozen=True)
class Seen:
    """An error, and what it happened to. text: of the kernel."""

    judged: Judgement
    error: KernelError
    text: str

    @property
    def piece(self) -> Piece:
        return self.judged.piece

    @property
    def array(self) -> str | None:
        """The array of the contract that is touched; None where it is one of the kernel's own."""
        return self.error.array if self.error.array in self.piece.shapes else None

    @property
    def condition(self) -> str | None:
        """The condition that let the thread through."""
        return self.named(self.error.condition) if self.error.condition else None

    def named(self, condition: str) -> str:
        """Return a condition of the report with the kernel's macro names in place of their values."""
        for name, body in MACRO.findall(self.text):
            inside = body[1:-1] if re.fullmatch(r"\(.*\)", body) else body
            spelled = r"\s*".join(map(re.escape, re.findall(r"\w+|\S", inside)))
            condition = re.sub(rf"\({spelled}\)|{spelled}", name, condition)
        return condition

    @property
    def turned(self) -> str | None:
        """A condition on the way that lets through what lies beyond a size of the array, as y >= OH does."""
        held = [self.named(condition) for condition in self.error.conditions or ()]
        return next(
            (each for each in held if re.split(" <=? ", each)[0].strip("()") in self.sizes), None
        )

    @property
    def grouped(self) -> tuple[str, str] | None:
        """Find a size of the array that the kernel divides, rounding up, into groups of a few, without ever comparing with it.

        Return the size and the number of elements per group. Groups of a warp or a block do not count.
        """
        held = [self.named(condition).split(" ")[-1] for condition in self.error.conditions or ()]
        for size, less, each in _GROUPS.findall(self.text):
            groups = int(less) + 1 == int(each) < _FEW and int(each) * _WARP != math.prod(
                self.block
            )
            if groups and size in self.sizes and size not in held:
                return size, each
        return None

    @property
    def exactly_guarded(self) -> bool:
        """Return whether that condition lets through exactly one thread for each result, so that something else is wrong."""
        factors = sorted(re.split(r"\s*\*\s*", re.sub(r"^\w+ (>=|<) ", "", self.condition or "")))
        return any(
            factors == sorted(self.piece.shapes[name].split()) for name in self.piece.written
        )

    @property
    def sizes(self) -> list[str]:
        """Names of the sizes of that array."""
        return self.piece.shapes[self.array].split() if self.array else []

    @property
    def is_a_block_for_each(self) -> bool:
        """Return whether an index that no condition limits is blockIdx itself, with one block for each value of a size."""
        found = re.search(rf"\b{self.error.variable}\s*=\s*blockIdx\.([xyz])\s*[;,]", self.text)
        launched, sizes = self.judged.launched, self.judged.sizes or {}
        return bool(found and launched and launched[0]["xyz".index(found[1])] in sizes.values())

    @property
    def block(self) -> tuple[int, int]:
        """The threads of a block in x and y; (0, 0) where none was launched."""
        return self.judged.launched[1][:2] if self.judged.launched else (0, 0)

    @property
    def shape(self) -> tuple[int, ...]:
        """Return the rows and columns of an array that the kernel itself declares."""
        return self.error.shape or ()

    @property
    def written_block(self) -> str:
        """The threads of a block, as a clause."""
        return "a block has {} × {} threads here".format(*self.block)

    @property
    def lane(self) -> int:
        """Return the lane, within its warp, of the thread at fault."""
        x, y, _ = self.error.thread or (0, 0, 0)
        return (x + y * self.block[0]) % _WARP


def about_error(judged: Judgement, error: KernelError, text: str = "") -> str | None:
    """Return the hint of the first row that fits an error; None where the simulator's own hint is better."""
    if error.guard in EXPLAINED and not error.dynamic:
        return None
    seen = Seen(judged, error, text)
    return next(
        (
            hint if isinstance(hint, str) else hint(seen)
            for kind, holds, hint in ROWS
            if isinstance(error, kind) and holds(seen)
        ),
        None,
    )


def _too_large(seen: Seen) -> str:
    """Explain an index beyond an array of the contract."""
    sizes, array, error = seen.sizes, seen.array, seen.error
    counted = f"the shape ({', '.join(sizes)})"
    if len(sizes) == 1:
        only = len(seen.piece.integers) == 1
        counted = f"{sizes[0]} elements" if only else f"one element for each of the {sizes[0]}"
    if seen.turned:
        return (
            f"here {seen.turned}: a condition lets just those threads through that have no element of {array}. Turn "
            "it around"
        )
    if seen.grouped:
        size, each = seen.grouped
        return (
            f"the last group of {each} has fewer where {size} is no multiple of {each}, and nothing stops what lies beyond "
            f"{size}: {array} has {counted}. Ask for the index itself, whether it is less than {size}"
        )
    if error.guard == "missing" and error.variable and not seen.is_a_block_for_each:
        return (
            f"no condition limits {error.variable}: is a guard missing, or is the grid too large? {array} has "
            f"{counted}, counted from 0"
        )
    said = (
        f"The condition {seen.condition} lets this thread through"
        if error.condition and not seen.exactly_guarded
        else "Work it out by hand for the thread named above"
    )
    if len(sizes) == 1:
        return (
            f"{array} has {counted}, from 0 to {sizes[0]} - 1: is that the index that belongs there? {said}. Or is "
            "a factor wrong?"
        )
    limits = ", ".join(f"0 to {name} - 1" for name in sizes)
    return (
        f"{array} has {counted}: its indices go from {limits}; the last one is the fastest. Which of yours goes "
        f"further? {said}. Or is a factor wrong?"
    )


def _small_tile(seen: Seen) -> str:
    """Explain an index beyond an array of rows and columns that the kernel declares itself."""
    (rows, columns), (x, y) = seen.shape[-2:], seen.block
    name = seen.error.array
    if x <= columns and y <= rows:
        return (
            f"{name} has {rows} rows of {columns}, counted from 0 in every step: its indices come from threadIdx, "
            "or from a loop that is as long as a row, not from its place in the whole array"
        )
    return f"{seen.written_block}, and {name} has {rows} rows of {columns}: block and tile must fit each other"


def _two_writers(seen: Seen) -> str:
    """Explain two threads that write the same result: by their index, in a loop, or because each adds a part of it."""
    one = f"each element of {seen.array} is the work of one thread, and here two have the same: "
    if seen.piece.other_launches and _WHOLE_NUMBER.search(seen.text):
        return (
            one
            + "each begins with its own, so is the step of the loop as long as the whole grid has threads?"
        )
    if (
        no_atomics in seen.piece.task
        and "__shfl" not in seen.text
        and "__shared__" not in seen.text
    ):
        return one + (
            "are blockIdx, blockDim and threadIdx in its index? Or do several threads bring a part of one "
            f"result? Then {without_atomics(seen.piece.task)}"
        )
    warp = (
        " Where a warp shares a sum, one lane stores it: if (lane == 0). Where a block does, one thread"
        if "__shfl" in seen.text
        else ""
    )
    sizes = (
        " Is each index multiplied by the sizes behind it, and does a guard stop each that is too large?"
        if len(seen.sizes) > 1
        else ""
    )
    return (
        one
        + "are blockIdx, blockDim and threadIdx in the index, in every direction that the launch has?"
        + sizes
        + warp
    )


def _unfilled(seen: Seen) -> str:
    """Explain shared memory that no thread has filled."""
    column = (seen.error.subscripts or (0,))[-1]
    x, y = seen.block
    if len(seen.shape) > 1 and y > 1 and column >= x:
        return (
            f"{seen.written_block}, so nobody fills column {column} of {seen.error.array}, which only keeps banks "
            f"apart: a loop over the tile ends before {x}"
        )
    return (
        "every thread fills its slot of the tile before the barrier, with 0.0f (or what changes nothing) where "
        "there is no element; a thread that has returned fills nothing"
        + (f", nor does one that was not launched: {seen.written_block}" if x else "")
    )


def _assigned(seen: Seen) -> str:
    """Explain an = in the condition of a loop, which resets its counter."""
    found = _SET_BACK.search(seen.text)
    assert found is not None
    return f"{found[1]} counts the loop, and {found[0].strip(' (')} … stores into it: = assigns; to compare, write =="


def _rounded_up(text: str) -> str:
    """Return how the launch line of this kernel divides a size, rounding up."""
    line = re.search(r"<<<.*>>>", text)
    divisors = {*re.findall(r"/\s*(\d+)", line[0] if line else "")}
    divisor = int(divisors.pop()) if len(divisors) == 1 else 256
    return f"(n + {divisor - 1}) / {divisor} for n / {divisor}"


ROWS: tuple[
    tuple[type[KernelError], Callable[[Seen], object], str | Callable[[Seen], str]], ...
] = (
    (
        OutOfBoundsError,
        lambda seen: seen.array and (seen.error.block or (0,))[0] * seen.block[0] > _INT,
        (
            "the number of this thread is past 2,147,483,647, where an int turns negative: has the grid as many blocks as "
            "there are results? Divide by the threads of a block, rounding up"
        ),
    ),
    (
        OutOfBoundsError,
        lambda seen: seen.array and (seen.error.index or 0) < 0,
        lambda seen: (
            f"the index of {seen.array} is negative here: what does the kernel subtract, and does a guard stop what is below "
            "0?"
        ),
    ),
    (OutOfBoundsError, lambda seen: seen.array, _too_large),
    (
        OutOfBoundsError,
        lambda seen: (
            seen.error.dynamic
            and seen.judged.passed
            and (seen.judged.sizes or {}).get("stride", 1) > 1
        ),
        (
            "with stride 1 it fits: count again how many pixels neighbouring windows see when they lie `stride` apart, and "
            "give the shared array that size"
        ),
    ),
    (
        OutOfBoundsError,
        lambda seen: seen.error.dynamic and seen.judged.launched,
        lambda seen: (
            f"{seen.written_block}: does the kernel count on fewer, as its loops do that go on by a fixed number? Or are the "
            "bytes that the launch gives the shared array not enough for all that the kernel keeps in it?"
        ),
    ),
    (
        OutOfBoundsError,
        lambda seen: seen.error.limit and not seen.error.dynamic and not seen.shape,
        lambda seen: (
            f"{seen.error.array} has {seen.error.limit} elements: which threads have one of them, and does a loop over it end "
            "with it?"
        ),
    ),
    (
        OutOfBoundsError,
        lambda seen: seen.shape and "_matrix_sync" in seen.text,
        lambda seen: (
            f"rows of {seen.error.array} are {seen.shape[-1]} elements apart: the distance is {seen.shape[-1]}. And does "
            "the tile begin where it should?"
        ),
    ),
    (OutOfBoundsError, lambda seen: seen.shape and seen.judged.launched, _small_tile),
    (RaceError, lambda seen: _SET_BACK.search(seen.text), _assigned),
    (
        RaceError,
        lambda seen: seen.array and seen.array not in seen.piece.written,
        lambda seen: f"{seen.array} is an input: write only to {' and '.join(seen.piece.written)}",
    ),
    (RaceError, lambda seen: seen.array, _two_writers),
    (
        RaceError,
        lambda seen: (
            seen.error.space == "shared" and "read" in (seen.error.access, seen.error.other_access)
        ),
        (
            "one thread fills the shared array and another one reads it: between the two, all threads of the block must come "
            "to a __syncthreads(), in a loop also between the reading and the next filling"
        ),
    ),
    (
        RaceError,
        lambda seen: seen.error.space == "shared",
        (
            "two threads write the same element of the shared array: which slot is each one's own? The number of a warp in "
            "its block is threadIdx.x / 32"
        ),
    ),
    (UninitializedReadError, lambda seen: seen.error.space == "shared", _unfilled),
    (KernelTimeoutError, lambda seen: _SET_BACK.search(seen.text), _assigned),
    (
        KernelTimeoutError,
        lambda seen: not _OWN.search(seen.text),
        (
            "every thread goes through the whole loop. The launch is the loop: give each thread its own element, by blockIdx, "
            "blockDim and threadIdx"
        ),
    ),
    (
        KernelTimeoutError,
        lambda seen: seen.judged.sizes not in seen.piece.sizes,
        (
            "it came to its end at smaller sizes: does one thread do the work of many? Share it among all threads. Or is the "
            "counter of the loop of a type that ends before?"
        ),
    ),
    (
        BarrierError,
        lambda seen: seen.error.mask is not None and not seen.error.mask >> seen.lane & 1,
        "the first argument of a shuffle names the lanes that take part, a bit for each: all 32 are 0xffffffff",
    ),
    (
        BarrierError,
        lambda seen: re.search("_matrix_sync|mma_sync|fill_fragment", seen.error.finding),
        (
            "all lanes of a warp hold a tile together: let none of them return before the call, nor a condition about the "
            "lane stand around it. To let one warp make it, ask for the number of the warp, threadIdx.x / 32"
        ),
    ),
    (
        BarrierError,
        lambda seen: _LANE.search(seen.text) and not _WARP_NUMBER.search(seen.text),
        (
            "the lanes of a warp part here: is what the condition asks the same for all 32? Where a warp works for a result, "
            "its number is that of the thread / 32"
        ),
    ),
    (
        BarrierError,
        lambda seen: True,
        (
            "all threads of the block must come to every __syncthreads(), and all lanes of a warp to a shuffle: let none "
            "return, skip it or leave a loop around it before the others; guard the store only"
        ),
    ),
    (
        LaunchError,
        lambda seen: (seen.error.setting or "").startswith("grid") and seen.error.value == 0,
        lambda seen: (
            f"integers: a division cuts off, to 0 when there are few results; round up, {_rounded_up(seen.text)}"
        ),
    ),
    (
        LaunchError,
        lambda seen: (
            (seen.error.setting or "").startswith("block.") and (seen.error.value or 0) > 0
        ),
        "take 256 threads per block, or 16 x 16, however many results there are, and let the grid grow with the sizes",
    ),
)

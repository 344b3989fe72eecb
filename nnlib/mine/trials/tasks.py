"""What a lesson asks for beyond the right result, each as a complaint with a hint of where to look.

A task looks at the profile of a launch at the piece's ruler size, and may run the kernel again at other sizes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from nnlib.cuda import Profile
from nnlib.cuda.limits import SECTOR
from nnlib.mine.contract import Sizes


@dataclass(frozen=True)
class Trial:
    """A right kernel and its profile at the ruler.

    `again(sizes)` profiles it at other sizes, `again(sizes, (grid, block))` with another launch than its own; it returns None
    where that takes too long. iterations: how many the plain version needs for one result.
    """

    profile: Profile
    sizes: Sizes
    again: Callable[..., Profile | None]
    iterations: int = 1

    @property
    def threads(self) -> int:
        return math.prod((*self.profile.grid, *self.profile.block))

    def reads_for(self, sizes: Iterable[str]) -> float:
        """Return how many numbers are read per product, of which there are as many as these sizes multiplied."""
        products = math.prod(self.sizes[name] for name in sizes)
        return float(self.profile.global_load.bytes + self.profile.shared_load.bytes) / 4 / products


Task = Callable[[Trial], "str | None"]
_FEW = 16  # loads of four elements, each needed up to four times
_HALF = 2100  # of 4,096 summands, each thread of two loads 2,048, and perhaps what it adds to them


def many_threads(*sizes: str, each: int = 4) -> Task:
    """Refuse a launch in which a thread does more than `each` results, or most threads leave the work to a few.

    The number of results is the product of these sizes.
    """

    def complaint(trial: Trial) -> str | None:
        wanted = math.prod(trial.sizes[name] for name in sizes)
        if trial.threads * each >= wanted:
            loaded = trial.profile.serial_loads
            if loaded <= max(_FEW, 4 * each * trial.iterations):
                return None
            return (
                f"a thread loads {loaded:,} numbers one after the other, and a result needs {trial.iterations:,}: it "
                f"does the work of many, and others are idle. Share the {wanted:,} results among all threads of the grid"
            )
        threads = "1 thread does" if trial.threads == 1 else f"{trial.threads:,} threads do"
        return (
            f"{threads} the work of {wanted:,}: a GPU runs many thousands at once. Start about "
            "one thread per result: the grid grows with the sizes"
        )

    return complaint


def at_most(counter: str, most: float | Callable[..., float], hint: str) -> Task:
    """Refuse a profile in which this counter is larger. most: a number, or a function of the sizes."""

    def complaint(trial: Trial) -> str | None:
        value = float(attrgetter(counter)(trial.profile))
        limit = most(**trial.sizes) if callable(most) else most
        if value <= limit:
            return None
        name = counter.removeprefix("as_compiled.")
        compiled = ", as compiled" * (name != counter)
        times = f", {value / limit:.1f} times as many" if limit and value >= 1.05 * limit else ""
        return (
            f"{name.replace('_', ' ').replace('.', ' ')}{compiled}: {value:g}{times}, and at most {limit:g} pass. "
            f"{hint[0].upper()}{hint[1:]}"
        )

    return complaint


def an_element_each(trial: Trial) -> str | None:
    """Require that each of n results is one thread's: refuse atomics, and threads that walk over others' elements."""
    if trial.profile.atomics:
        return (
            "each element is one thread's, and no other comes near it: a plain store does what the atomic does, "
            "and the warp need not queue"
        )
    stored = trial.profile.global_store.bytes / 4 / trial.sizes["n"]
    if stored > 4:
        return (
            f"every result is stored {stored:,.0f} times: the threads repeat each other's work. Each result is one "
            "thread's"
        )
    if too_few := many_threads("n")(trial):
        return too_few
    if trial.profile.serial_loads <= _FEW:
        return None
    return (
        f"a thread loads {trial.profile.serial_loads:,} numbers one after the other, and its neighbours are idle: each "
        "result is one thread's"
    )


def neighbours_with_any_grid(trial: Trial) -> str | None:
    """Refuse threads that each walk through a chunk: in a small grid, every lane then reads a sector of its own.

    Lanes that take four elements each, whatever the grid, cost stars.
    """
    profile = trial.again(trial.sizes, (1, 96))
    if profile is None or (loaded := profile.global_load).sectors <= 6 * loaded.bytes / SECTOR:
        return None
    return (
        f"with <<<1, 96>>> it loads {loaded.sectors:,} sectors, and {loaded.bytes // SECTOR:,} would hold all that "
        "is read: neighbouring threads are far apart, as where each walks through a chunk of its own. Let a thread "
        "go on with the element gridDim.x * blockDim.x further, so that all threads read side by side"
    )


def one_writer(trial: Trial) -> str | None:
    """Require that one thread stores each result. Several that store the same value give a right result here, but race."""
    line, array = next(iter(trial.profile.repeated_stores.items()), (0, None))
    if array is None:
        return None
    by_warp = "store_matrix_sync" in trial.profile.source.splitlines()[line - 1]
    one = (
        "warp store it, as in if (threadIdx.x < 32)"
        if by_warp
        else "thread store it, as in if (lane == 0)"
    )
    return (
        f"in line {line} several threads store the same value to one element of {array}. All of them bring the right "
        f"one, so it ends well, but it is a race: let one {one}. If whole blocks repeat each other's work, the grid has "
        "too many"
    )


def no_atomics(trial: Trial) -> str | None:
    """Require the same bits in every run: no additions in the order in which threads happen to arrive."""
    if not trial.profile.atomics:
        return None
    return (
        "atomic additions come in a different order on every run, so the result rounds differently: let one thread "
        "gather all parts of its result, and store their sum"
    )


def through_shared_memory(rows: str, columns: str, depth: str) -> Task:
    """Require a tiled product: tiles of about 16 × 16 in shared memory, each loaded once per block with coalesced reads."""

    def complaint(trial: Trial) -> str | None:
        products = trial.sizes[rows] * trial.sizes[columns] * trial.sizes[depth]
        if not trial.profile.shared_store.requests:
            return (
                "every thread reads its own row and column from global memory: let a block load tiles into "
                "__shared__ memory, and all its threads use them"
            )
        reads = trial.profile.global_load.bytes / 4 / products
        if reads <= 0.19:
            return _strided(trial)
        return (
            f"the kernel reads {reads:.2f} numbers from global memory per product; tiles of 16 × 16, each read "
            "once, need 0.13. Is a tile loaded twice, is it smaller, or are there more blocks than results?"
        )

    return complaint


def _far_apart(loaded: Any) -> bool:
    """Return whether the lanes of a warp read numbers that lie far apart."""
    return bool(loaded.sectors > 1.5 * loaded.bytes / SECTOR)


def _strided(trial: Trial) -> str | None:
    """Refuse loads in which the lanes of a warp read numbers that lie far apart."""
    loaded = trial.profile.global_load
    if not _far_apart(loaded):
        return None
    line, worst = max(
        ((line, counts.global_load) for line, counts in trial.profile.lines.items()),
        key=lambda found: found[1].sectors - found[1].bytes / SECTOR,
    )
    return (
        f"the tiles are loaded with {loaded.sectors:,} sectors, and {loaded.bytes // SECTOR:,} would hold all that "
        f"is read. In line {line} a warp fetches {worst.sectors / worst.requests:.0f} sectors at once, since "
        "neighbouring threads read numbers that lie a whole row apart. Let threadIdx.x run along the last index of "
        "the array; which way the tile lies in shared memory is up to you"
    )


class SharedAmongThreads:
    """Require that several threads share each result, such as a sum, so that none walks over all of it.

    long: sizes of 4,096 or more elements; the others are 1. then: what is left to do after sharing, as part of a sentence.
    """

    def __init__(
        self, result: str, then: str = ", then add up what they have", **long: int
    ) -> None:
        self.result, self.then, self.long = result, then, long

    def __call__(self, trial: Trial) -> str | None:
        profile = trial.again(dict.fromkeys(trial.sizes, 1) | self.long)
        if profile and profile.serial_loads <= _HALF:
            return None
        return (
            f"one thread walks over a whole {self.result}: share a {self.result} among the threads of a block or "
            f"a warp{self.then}"
        )


def without_atomics(task: Iterable[Task]) -> str:
    """Say how a sum is stored once: by the thread that owns it, or by one of those that share it."""
    return (
        "add the parts of all threads by shuffles or in shared memory, and let one thread store the sum"
        if any(isinstance(each, SharedAmongThreads) and each.then for each in task)
        else "turn it around: a thread owns a result, fetches all that belongs to it, and stores it once"
    )


def sums_in_registers(most: float, *sizes: str) -> Task:
    """Require several sums in each thread, so that a number that is read serves several products."""

    def complaint(trial: Trial) -> str | None:
        if (reads := trial.reads_for(sizes)) <= most:
            return None
        return (
            f"a thread reads {reads:.2f} numbers for every product, and at most {most:g} pass. One that has four "
            "channels of its pixel reads a gradient once, and then four weights, for four products: 1.25. Is the "
            "gradient read before the loop over the channels, into a variable?"
        )

    return complaint


def reads_per_product(most: float, *sizes: str) -> Task:
    """Require a tile in shared memory and a tile of sums in registers, so that a number that is read serves several products."""

    def complaint(trial: Trial) -> str | None:
        if not trial.profile.shared_store.requests:
            return (
                "every thread reads its window from global memory: let a block load the part of the image that its "
                "outputs see into __shared__ memory"
            )
        if (reads := trial.reads_for(sizes)) <= most:
            return None
        found = (
            f"a thread reads {reads:.2f} numbers for every product, from global and shared memory"
        )
        if reads > 1.7:
            return (
                f"{found}. Begin with conv_filters: its blocks have four filters, so a pixel that is read serves four "
                "sums. Have you 4 x 4 sums already? Then read the four pixels, and each weight once, into variables before "
                "the loops that use them. Or does the grid have more blocks than the results need?"
            )
        return (
            f"{found}, about as conv_filters does. With 4 x 4 sums in registers it reads 4 pixels and 4 weights for 16 "
            "products, 0.5. Are your sums 4 x 4 already? Then one of the two is still read for every sum: read the four "
            "pixels into variables before the loop over the filters, and each weight before the loop over the rows"
        )

    return complaint


def a_warp_a_row(rows: str, columns: str, arrays: int = 1) -> Task:
    """Require that the lanes of a warp share a row of so many arrays.

    They must read neighbouring elements and exchange what they found by shuffles.
    """

    def complaint(trial: Trial) -> str | None:
        once = arrays * trial.sizes[rows] * (trial.sizes[columns] // 8 + 1)  # sectors of them
        if trial.profile.shared_store.requests or trial.profile.shared_atomic.requests:
            return "the lanes of one warp need no shared memory: they exchange values with __shfl_xor_sync"
        if trial.profile.global_load.sectors > 4.5 * once:
            return (
                f"the kernel loads {trial.profile.global_load.sectors:,} sectors, and the rows have {once:,}: a "
                "warp takes a row, its 32 lanes read neighbouring numbers"
            )
        return None

    return complaint

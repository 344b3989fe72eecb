"""The interface of the machine to CUDA's functions and observers: a chunk of blocks whose threads run in lock-step.

The machine itself is running/machine.py. It calls them, so they know it only by this.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn, Protocol

import numpy as np

from ..errors import KernelError, UnsupportedError
from .masks import Mask, PerThread, spread
from .memory.spaces import SharedMemory, Site


class LatestCall:
    """The threads that made the latest call of a warp function, and what of theirs is known to be right.

    agreed: masks that name the lanes that are there. readable: which lanes they may read, as warp.SourceLanes.
    """

    def __init__(self) -> None:
        self.mask: Mask = False
        self.alive: Mask = False
        self.agreed: set[int] = set()
        self.readable: set[Any] = set()

    def update(self, m: Mask, alive: Mask) -> None:
        """Forget what was known of other threads."""
        if m is not self.mask or alive is not self.alive:
            self.mask, self.alive = m, alive
            self.agreed, self.readable = set(), set()


class MachineProtocol(Protocol):
    """The interface of a machine to functions and observers. A machine runs a chunk of blocks together.

    blocks: how many they are; first: the number of the first among those of the launch. threads: of a block; width: of all
    blocks. alive: mask of the threads that have not returned. cycles: of its clock. step: what one iteration of a loop
    counts, 1 for each 1,024 threads.
    """

    first: int
    blocks: int
    threads: int
    width: int
    block_numbers: np.ndarray  # of its blocks, in the grid
    alive: Mask
    cycles: int
    step: float
    checks: bool
    shared_memories: dict[int, SharedMemory]
    latest_call: LatestCall
    namespace: dict[str, Any]  # of the generated code that runs

    # For each thread: its lane, its warp in the chunk, and the first thread of that, in the block and in the chunk.
    lane: np.ndarray
    lane_u32: np.ndarray
    lane_base: np.ndarray
    warp: np.ndarray
    warp_start: np.ndarray

    @property
    def warps_per_block(self) -> int: ...

    def spread(self, value: PerThread) -> np.ndarray:
        """Return a value, or a mask, with one entry per thread."""

    def lanes_of(self, mask: Mask) -> np.ndarray:
        """Return the numbers of the threads of a mask."""

    def tell(self, hook: str, *details: Any) -> None:
        """Call that hook of all observers."""

    def barrier(self, m: Mask, site: Site) -> None:
        """Bring the threads of m to a barrier of their blocks."""

    def grid_barrier(self, m: Mask, site: Site) -> None:
        """Bring the threads of m to a barrier of the grid."""

    def misaligned(self, m: Mask, site: Site) -> Callable[..., None]:
        """Return what is called with an address that the site's type does not allow."""

    def unsupported(self, site: Site, what: str) -> UnsupportedError:
        """Return an error for what the simulator cannot do, and what to do instead."""

    def fail(
        self,
        error: type[KernelError],
        site: Site,
        lanes: Mask,
        what: str,
        allowed: str = "",
        hint: str = "",
        who: str = "by",
        **fields: Any,
    ) -> NoReturn:
        """Report a fault of the first of the lanes (a mask; None: of no thread in particular). fields: of the error."""


class GroupCall:
    """A call that threads of a machine make together. m: the mask of those that make it."""

    __slots__ = ("m", "rt", "site")

    def __init__(self, rt: MachineProtocol, m: Mask, site: Site) -> None:
        self.rt, self.m, self.site = rt, m, site

    def by(self, m: Mask, site: Site | None = None) -> GroupCall:
        """Return the same call by other threads, or for another site."""
        return GroupCall(self.rt, m, site or self.site)

    @property
    def active(self) -> np.ndarray:
        """The mask with one entry per thread."""
        return spread(self.m, self.rt.width)

    def spread(self, value: PerThread) -> np.ndarray:
        """Return a value with one entry per thread."""
        return spread(value, self.rt.width)

    def fail(
        self,
        error: type[KernelError],
        lanes: Mask,
        what: str,
        allowed: str,
        hint: str,
        **fields: Any,
    ) -> NoReturn:
        """Report a fault of the first of the lanes."""
        self.rt.fail(error, self.site, lanes, what, allowed, hint, **fields)

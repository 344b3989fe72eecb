"""What CUDA's functions and the observers may know of the machine: a chunk of blocks, all threads of which run in step.

The machine itself is running/machine.py. It calls them, so they know it only by this.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn, Protocol

import numpy as np

from ..errors import KernelError
from .memory.spaces import SharedMemory, Site


class MachineProtocol(Protocol):
    """blocks: how many run together; first: the number of the first among those of the launch. threads: of a block;
    width: of all blocks. alive: mask of the threads that have not returned. cycles: of its clock. step: what one
    iteration of a loop counts, 1 for each 1,024 threads."""

    first: int
    blocks: int
    threads: int
    width: int
    block_numbers: np.ndarray  # of its blocks, in the grid
    alive: Any
    cycles: int
    step: float
    checks: bool
    shared_memories: dict[int, SharedMemory]

    # For each thread: its lane, its warp in the chunk, and the first thread of that, in the block and in the chunk.
    lane: np.ndarray
    lane_u32: np.ndarray
    lane_base: np.ndarray
    warp: np.ndarray
    warp_start: np.ndarray

    @property
    def warps_per_block(self) -> int: ...

    def barrier(self, m: Any, site: Site) -> None:
        """The threads of m come to a barrier of their blocks."""

    def grid_barrier(self, m: Any, site: Site) -> None:
        """They come to one of the grid."""

    def misaligned(self, m: Any, site: Site) -> Callable[..., None]:
        """What is called with an address that the site's type does not allow."""

    def fail(
        self,
        error: type[KernelError],
        site: Site,
        lanes: Any,
        what: str,
        allowed: str = "",
        hint: str = "",
        who: str = "by",
        **fields: Any,
    ) -> NoReturn:
        """Report a fault of the first of the lanes (a mask; None: of no thread in particular). fields: of the error."""

"""Options of a launch: the numbers between <<< and >>>, and what the simulator is asked to look for. Lesson 01."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from ...errors import Dim3
from .binding import World


@dataclass(frozen=True)
class LaunchOptions:
    """Options of a launch in the simulator.

    grid, block: (x, y, z). shared_mem: bytes of `extern __shared__` arrays.
    checks: look for errors, all or those named in observers/checks.py; without checks the kernel runs several times faster.
    step_limit: stop the kernel after this many loop iterations, counted for 1,024 threads at a time.
    cooperative: all blocks run together and may wait for each other with grid.sync().
    blocks: the numbers of the blocks to run, x fastest. None runs all blocks, and only then do the arrays change.
    world: the memory around the arguments.
    coroutine_size: the number of threads that run in lock step and wait for others as a group. 0 runs whole chunks and
    splits them where threads wait for each other; None never splits them.
    """

    grid: Dim3
    block: Dim3
    shared_mem: int = 0
    checks: bool | Collection[str] = True
    step_limit: int | None = None
    cooperative: bool = False
    blocks: Sequence[int] | None = None
    world: World | None = None
    coroutine_size: int | None = 0


def sample(grid: Dim3, max_blocks: int | None) -> list[int] | None:
    """Return the numbers of max_blocks blocks spread over the grid, or None if the grid has no more than that."""
    total = math.prod(grid)
    if max_blocks is None or max_blocks >= total:
        return None
    return [k * (total - 1) // max(1, max_blocks - 1) for k in range(max_blocks)]

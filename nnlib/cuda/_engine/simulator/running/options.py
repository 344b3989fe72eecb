"""How a kernel is launched: the numbers between <<< and >>>, and what the simulator is asked to look for. Lesson 01."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from ...errors import Dim3
from .binding import World


@dataclass(frozen=True)
class LaunchOptions:
    """grid, block: (x, y, z). shared_mem: bytes of `extern __shared__` arrays. checks: find faults, all or those named
    in observers/checks.py; without any the kernel runs several times faster. step_limit: loop iterations of 1,024
    threads, in all, after which the kernel is stopped. cooperative: all blocks run together and may wait for each other
    with grid.sync(). blocks: the numbers of those to run, x fastest; None: all, and only then the arrays change.
    world: the memory around the arguments.
    strand: how many threads run in step and wait by themselves; 0: whole chunks, which are split where that is not
    enough; None: whole chunks, come what may.
    """

    grid: Dim3
    block: Dim3
    shared_mem: int = 0
    checks: bool | Collection[str] = True
    step_limit: int | None = None
    cooperative: bool = False
    blocks: Sequence[int] | None = None
    world: World | None = None
    strand: int | None = 0


def sample(grid: Dim3, max_blocks: int | None) -> list[int] | None:
    """The numbers of so many blocks, spread over the grid; None: it has no more."""
    total = math.prod(grid)
    if max_blocks is None or max_blocks >= total:
        return None
    return [k * (total - 1) // max(1, max_blocks - 1) for k in range(max_blocks)]

"""Asynchronous copies from global to shared memory, as each thread has them under way: cuda_pipeline.h. Lesson 08.

The machine copies at once. A copy belongs to its thread: to the batch that it commits next, and it has arrived for that
thread when the thread waits for the batch. Until then neither end of it may be touched: observers/async_copies.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from nnlib.cuda.simulator.masks import spread, without
from nnlib.cuda.simulator.memory.spaces import Access
from nnlib.cuda.simulator.observers.observer import Hooks, tell

Copies = list[tuple[Access, Any]]


class Pipeline:
    """The copies of all threads of a machine. committed: how many batches; one number, or one per thread."""

    def __init__(self, width: int, hooks: Hooks) -> None:
        self.width, self.hooks = width, hooks
        self.committed: Any = 0
        self.under_way: Copies = []  # one end of a copy, and the batch it belongs to
        self.at_barriers: Copies = []  # those of a cuda::barrier, and which

    def start(self, ends: list[Access], barrier: Any = None) -> None:
        """barrier: at which they arrive; None: in the batch that is committed next."""
        for access in ends:
            if barrier is None:
                self.under_way.append((access, self.committed))
            else:
                self.at_barriers.append((access, barrier))
            tell(self.hooks.copy_started, access)

    def commit(self, m: Any) -> None:
        self.committed = self.committed + 1 if m is None else self.committed + m

    def wait(self, m: Any, allowed: Any) -> None:
        """The threads of m wait until at most `allowed` of their latest batches are under way."""
        self.under_way = self._left(self.under_way, m, lambda batch: batch < self.committed - allowed)

    def wait_at(self, m: Any, barrier: Any) -> None:
        """The threads of m have waited at the barrier."""
        self.at_barriers = self._left(self.at_barriers, m, lambda own: own == barrier)

    def _left(self, waiting: Copies, m: Any, arrived: Callable[[Any], Any]) -> Copies:
        """The copies that have not arrived for the threads of m. arrived: says so by their batch or barrier."""
        left: Copies = []
        for access, mark in waiting:
            done = self._among(access.mask, m, arrived(mark))
            if done is not False:
                here = access if done is access.mask else access.by(done)
                tell(self.hooks.copy_arrived, here)
            rest = without(access.mask, done)
            if rest is not False:
                left.append((access if done is False else access.by(rest), mark))
        return left

    def _among(self, mask: Any, m: Any, arrived: Any) -> Any:
        """Threads of mask that are in m and whose batch has arrived."""
        if not np.ndim(arrived):
            if not arrived:
                return False
            if m is None or m is mask:
                return mask
            arrived = m
        elif m is not None:
            arrived = arrived & m
        both = arrived if mask is None else arrived & mask
        if not both.any():
            return False
        return mask if both.sum() == spread(True if mask is None else mask, self.width).sum() else both

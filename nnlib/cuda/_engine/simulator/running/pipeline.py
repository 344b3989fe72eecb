"""Asynchronous copies from global to shared memory, as each thread has them under way: cuda_pipeline.h. Lesson 08.

The data is copied at once. A copy belongs to its thread: to the batch that the thread commits next. It has arrived for
that thread when the thread has waited for the batch. Until then neither end of it may be touched, and
observers/async_copies.py sees to that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..masks import Mask, PerThread, lanes_of, narrow, ndarray, spread, without
from ..memory.addresses import address, is_null
from ..memory.pointers import AnyPointer
from ..memory.spaces import READ, WRITE, Access, Site
from ..observers.observer import Hooks

Copies = list[tuple[Access, Any]]


class Pipeline:
    """The copies of all threads of a machine. committed: how many batches; one number, or one per thread."""

    def __init__(self, width: int, hooks: Hooks) -> None:
        self.width, self.hooks = width, hooks
        self.committed: Any = 0
        self.under_way: Copies = []  # one end of a copy, and the batch it belongs to
        self.at_barriers: Copies = []  # those of a cuda::barrier, and which

    def copy(
        self,
        m: Mask,
        write_site: Site,
        read_site: Site,
        to: AnyPointer,
        source: AnyPointer,
        zfill: PerThread,
        barrier: AnyPointer | None = None,
    ) -> None:
        """Run __pipeline_memcpy_async: copy at once, but allow reads only after the wait.

        The last zfill bytes are zeros; a thread that fills with nothing else does not read. barrier: a pointer to the one at
        which the copy arrives.
        """
        filling = np.asarray(zfill)
        reading = narrow(m, read_site.size > filling)
        value: PerThread = (0,) * read_site.lanes
        if reading is not False:
            value = source.load(0, reading, read_site)
            value = value if read_site.lanes > 1 else (value,)
            if filling.any():
                left = read_site.size - filling
                value = tuple(np.where(left > 4 * k, part, 0) for k, part in enumerate(value))
        to.store(0, value if read_site.lanes > 1 else value[0], m, write_site)
        ends = [
            Access(part.memory, kind, part.offset, where, site)
            for kind, pointer, mask, site in (
                (WRITE, to, m, write_site),
                (READ, source, reading, read_site),
            )
            if mask is not False
            for where, part in pointer.parts(mask)
        ]
        place = None if barrier is None or is_null(barrier).all() else self._place(barrier, m)
        for access in ends:
            if place is None:
                self.under_way.append((access, self.committed))
            else:
                self.at_barriers.append((access, place))
            self.hooks.tell("copy_started", access)

    def commit(self, m: Any) -> None:
        self.committed = self.committed + 1 if m is None else self.committed + m

    def wait(self, m: Any, allowed: Any) -> None:
        """Make the threads of m wait until at most `allowed` of their latest batches are in flight."""
        self.under_way = self._left(
            self.under_way, m, lambda batch: batch < self.committed - allowed
        )

    def wait_at(self, m: Any, barrier: Any) -> None:
        """Finish the copies of the threads of m that arrive at the barrier."""
        place = self._place(barrier, m)
        self.at_barriers = self._left(self.at_barriers, m, lambda own: own == place)

    def _place(self, pointer: Any, m: Any) -> Any:
        """Return what identifies a cuda::barrier; one value for all threads of m, or one for each."""
        places = address(pointer, 1)
        if places.__class__ is not ndarray:
            return int(places)
        own = np.unique(places[lanes_of(m, self.width)])
        return int(own[0]) if own.size == 1 else places

    def _left(self, waiting: Copies, m: Any, arrived: Callable[[Any], Any]) -> Copies:
        """Return the copies that have not arrived for the threads of m. arrived: says so by their batch or barrier."""
        left: Copies = []
        for access, mark in waiting:
            done = self._among(access.mask, m, arrived(mark))
            if done is not False:
                here = access if done is access.mask else access.by(done)
                self.hooks.tell("copy_arrived", here)
            rest = without(access.mask, done)
            if rest is not False:
                left.append((access if done is False else access.by(rest), mark))
        return left

    def _among(self, mask: Any, m: Any, arrived: Any) -> Any:
        """Return the threads of mask that are in m and whose batch has arrived."""
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
        return mask if both.sum() == spread(mask, self.width).sum() else both

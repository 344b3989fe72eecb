"""The C library's time, which is that of the schedule."""

from __future__ import annotations

import struct
import time

from ..lowering.writer import CallSite
from ..runtime.heap import Heap
from ..runtime.schedule import Schedule
from .registry import provides


class Clock:
    """The time of day, seconds since the program began, and sleep."""

    def __init__(self, heap: Heap, schedule: Schedule) -> None:
        self._heap, self._schedule = heap, schedule
        self._begun = time.perf_counter()

    @provides("time")
    def now(self, site: CallSite, result: int) -> int:
        now = int(time.time())
        if result:
            self._heap.store_value(result, "q", now)
        return now

    @provides("__seconds")
    def seconds(self, site: CallSite | None = None) -> float:
        """Since the program began: what the host has taken here, and what the GPU would have taken."""
        return time.perf_counter() - self._begun + self._schedule.host

    def ticks(self) -> int:
        """clock()"""
        return int(self.seconds() * 1e6)

    @provides()
    def gettimeofday(self, site: CallSite, now: int, zone: int) -> int:
        moment = self.seconds()
        self._heap.store_bytes(now, struct.pack("<qq", int(moment), int(moment % 1 * 1e6)))
        return 0

    @provides()
    def clock_gettime(self, site: CallSite, clock: int, now: int) -> int:
        moment = self.seconds()
        self._heap.store_bytes(now, struct.pack("<qq", int(moment), int(moment % 1 * 1e9)))
        return 0

    @provides("usleep", "sleep")
    def sleep(self, site: CallSite, amount: int) -> int:
        self._schedule.host += amount * (1 if site.called == "sleep" else 1e-6)
        return 0

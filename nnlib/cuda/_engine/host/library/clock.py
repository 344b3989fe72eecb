"""The C library's time, which is that of the schedule."""

from __future__ import annotations

import struct
import time

from ..runtime.state import RunState
from .registry import LibraryPart, provides


class Clock(LibraryPart):
    """The time of day, seconds since the program began, and sleep."""

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self._begun = time.perf_counter()

    @provides("time")
    def now(self, result: int) -> int:
        now = int(time.time())
        if result:
            self._heap.store_value(result, "q", now)
        return now

    @provides("__seconds")
    def seconds(self) -> float:
        """Return the seconds since the program began: those of the host here, and those that the GPU would have taken."""
        return time.perf_counter() - self._begun + self._schedule.host

    def ticks(self) -> int:
        """Return what clock() returns."""
        return int(self.seconds() * 1e6)

    @provides("gettimeofday", "clock_gettime")
    def moment(self, first: int, second: int) -> None:
        """Store seconds, and micro- or nanoseconds."""
        now, is_day = self.seconds(), self._site.called == "gettimeofday"
        content = struct.pack("<qq", int(now), int(now % 1 * (1e6 if is_day else 1e9)))
        self._heap.store_bytes(first if is_day else second, content)

    @provides("usleep", "sleep")
    def sleep(self, amount: int) -> None:
        self._schedule.host += amount * (1 if self._site.called == "sleep" else 1e-6)

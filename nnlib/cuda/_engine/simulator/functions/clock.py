"""Simulates clock(), although the simulator knows no time.

Its clock advances whenever it is read, so that waiting for a time ends, and later events have later times. How much
later means nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..machine_protocol import GroupCall
from ..masks import PerThread

CYCLES = 1009  # from one look to the next: a prime, so that whoever waits for a round time waits a little longer


def look(call: GroupCall) -> np.int64:
    """Return the time of clock() and clock64(), in cycles, the same for all threads."""
    call.rt.cycles += CYCLES
    return np.int64(call.rt.cycles)


def sleep(call: GroupCall, nanoseconds: PerThread) -> None:
    """Advance the clock as __nanosleep() does: two cycles a nanosecond, as on a GPU of 2 GHz."""
    call.rt.cycles += 2 * int(np.max(nanoseconds))


CLOCK: dict[str, Callable[..., Any]] = {"clock": look, "clock64": look, "__nanosleep": sleep}

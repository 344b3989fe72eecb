"""A launch whose arguments lie ready in C's memory, so that starting it is one call of the driver. Lesson 08."""

from __future__ import annotations

import array
import threading
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

_WORD = 8  # bytes of an argument's place: enough for an address


class PreparedLaunch:
    """Of a compiled kernel. values: numbers in their C types; where there is an array, each start gives an address.

    Raises ValueError for a number that is larger than an address, such as a struct.
    """

    def __init__(self, function: Any, grid: Sequence[int], block: Sequence[int], values: Sequence[Any],
                 shared: int) -> None:
        self._words = array.array("Q", bytes(_WORD * len(values)))
        first, _ = self._words.buffer_info()
        self._places = array.array("Q", (first + _WORD * k for k in range(len(values))))
        for k, value in enumerate(values):
            if not isinstance(value, np.ndarray):
                if value.nbytes > _WORD:
                    raise ValueError(f"an argument of {value.nbytes} bytes")
                self._words[k] = int.from_bytes(value.tobytes(), "little")
        self._lock = threading.Lock()  # between two threads that write addresses
        self._launch = (function.kernel.ptr, *grid, *block, shared)
        self._arguments = self._places.buffer_info()[0]

    def start(self, addresses: Iterable[tuple[int, int]], stream: int) -> None:
        """addresses: (place among the arguments, address); stream: the driver's, as a number."""
        from cupy.cuda import driver
        words = self._words
        with self._lock:
            for place, address in addresses:
                words[place] = address
            driver.launchKernel(*self._launch, stream, self._arguments, 0)

"""A launch whose arguments lie ready in C's memory, so that starting it is one call of the driver. Lesson 08."""

from __future__ import annotations

import array
import threading
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ..device import is_device_array
from . import cupy_module

_WORD = 8  # bytes of an argument's place: enough for an address
# Which argument is an address, in which memory of a start, how many bytes into it
Place = tuple[int, int, int]


class PreparedLaunch:
    """A launch of the compiled kernel `name` that is ready to repeat. values: numbers in their C types and arrays.

    An array on the GPU stays what it is; for NumPy's, `places` say where each start finds the address.
    Raises ValueError for a number that is larger than an address, such as a struct.
    """

    def __init__(
        self,
        name: str,
        function: Any,
        shape: tuple[Sequence[int], Sequence[int], int],
        values: Sequence[Any],
        places: Iterable[Place] = (),
    ) -> None:
        from cupy.cuda import driver

        grid, block, shared = shape
        cupy_module.allow_shared(name, function, shared)
        self._words = array.array("Q", bytes(_WORD * len(values)))
        first, _ = self._words.buffer_info()
        self._pointers = array.array("Q", (first + _WORD * k for k in range(len(values))))
        for k, value in enumerate(values):
            if is_device_array(value):
                self._words[k] = value.data.ptr
            elif not isinstance(value, np.ndarray):
                if value.nbytes > _WORD:
                    raise ValueError(f"an argument of {value.nbytes} bytes")
                self._words[k] = int.from_bytes(value.tobytes(), "little")
        self._places = tuple(places)
        self._lock = threading.Lock()  # between two threads that write addresses
        self._driver = driver.launchKernel
        self.launch = (function.kernel.ptr, *grid, *block, shared)  # as the driver takes them
        self.arguments = self._pointers.buffer_info()[0]

    def start(self, begins: Sequence[int], stream: int) -> None:
        """Start the launch. begins: where the memories that `places` name begin. stream: the driver's, as a number."""
        words = self._words
        with self._lock:
            for argument, memory, offset in self._places:
                words[argument] = begins[memory] + offset
            self._driver(*self.launch, stream, self.arguments, 0)

"""cuRAND's generators of the host. Lesson 08.

In the simulator all of them are XORWOW, which is cuRAND's default: the same integers and uniform numbers as on a GPU,
and normal ones that differ in the last digits. On a GPU they are CuPy's.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..runtime.state import RunState
from ..runtime.xorwow import Xorwow
from .calculations import Calculator
from .operands import LibraryArguments
from .registry import provides


class RandomGenerators(Calculator):
    """The functions that fill memory with random numbers."""

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self._sequences: dict[
            tuple[int, int], Any
        ] = {}  # by handle, and how often its seed or offset was set

    @provides(
        "curandGenerate",
        "curandGenerateUniform",
        "curandGenerateUniformDouble",
        "curandGenerateNormal",
        "curandGenerateNormalDouble",
        "curandGenerateLogNormal",
        "curandGenerateLogNormalDouble",
    )
    def generate(self, *values: Any) -> None:
        """Generate the next n numbers. Normal ones come in pairs."""
        call = LibraryArguments(self._heap, values)
        on_host, n = call.field("on_host"), call["n"]
        if "mean" in call and n % 2:
            call.report(
                "n",
                f"{call.shown('n')} is {n:,}, but normal numbers come in pairs",
                "ask for one more, and leave it unused",
                "cuRAND returns CURAND_STATUS_LENGTH_NOT_MULTIPLE",
            )
        if not n:
            return
        target = call.vector("outputPtr", n, "host" if on_host else "GPU")
        sequence = self._sequence(call)

        def numbers() -> list[Any]:
            return [
                sequence.numbers(self._site.called.removeprefix("curandGenerate"), n, *values[3:])
            ]

        if on_host:
            self._heap.store_bytes(call["outputPtr"], numbers()[0].tobytes())
        else:
            self.calculate(call, [], [target], numbers)

    def _sequence(self, call: LibraryArguments) -> Any:
        """Return the sequence of the generator, at its current position."""
        key = call["generator"], call.field("changes")
        if key not in self._sequences:
            kind, seed, offset = (call.field(name) for name in ("type", "seed", "offset"))
            start, _ = call.place("start")
            words = np.frombuffer(self._heap.load_bytes(start, 24), np.uint32)
            self._sequences[key] = (
                Xorwow(words, offset)
                if call.field("on_host")
                else (self._device.random_sequence(kind, seed, offset, words))
            )
        return self._sequences[key]

"""Launches whose arrays stay on the device between them, or only for one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..device import owner
from ..language.refusal import Refusal
from .execution import (
    LaunchRequest,
    PreparedDispatch,
    SharedBytes,
    WebGpuDevice,
    grouped,
    prepare,
)


class FaultError(Exception):
    """A kernel met an error, such as an access out of bounds."""


class Session:
    """Keeps arrays on the device, from the first launch that has them to the end.

    whole: with all that was allocated with them, so that views of one array share it; else their own bytes alone, for one
    launch.
    """

    def __init__(self, device: WebGpuDevice, whole: bool = True) -> None:
        self._device, self._whole = device, whole
        self._held: dict[int, tuple[SharedBytes, Any]] = {}
        self._arrays: list[np.ndarray] = []  # whose memory is held
        self._changed: set[int] = set()

    def prepare(self, request: LaunchRequest) -> PreparedDispatch:
        """Return a launch on arrays of this session, to be started here any number of times. Raises Refusal."""
        arrays = request.arrays()
        if self._whole:
            arrays = list(map(owner, arrays))
            if not all(array.flags.forc for array in arrays):
                raise Refusal("a part of an array that has gaps")
        self._arrays += arrays
        allocations = grouped(arrays)
        for allocation in allocations:
            if allocation.start not in self._held:
                self._held[allocation.start] = allocation, self._device.take(allocation)
        buffers = [self._held[allocation.start][1] for allocation in allocations]
        prepared = prepare(self._device, request, allocations, buffers)
        self._changed |= {allocations[number].start for number in prepared.changes}
        return prepared

    def start(self, prepared: PreparedDispatch) -> None:
        """Let a launch follow the others."""
        prepared.start(self._device.target)

    def submit(self) -> None:
        """Let the device begin with what was started."""
        self._device.target.submit()

    def seconds(self, launches: Sequence[PreparedDispatch], times: int) -> float:
        """Return what the device takes for launches that are repeated so many times."""

        def repeat() -> None:
            for _ in range(times):
                for prepared in launches:
                    self.start(prepared)

        return self._device.target.timed(repeat)

    def end(self) -> None:
        """Wait, and bring home what has changed. Raises FaultError, and changes nothing, after a fault."""
        changed = [self._held[start] for start in self._changed]
        wrong, data = self._device.read([(buffer, a.memory.size) for a, buffer in changed])
        if wrong:
            raise FaultError
        for (allocation, _), result in zip(changed, data, strict=True):
            allocation.memory[:] = np.frombuffer(result, np.uint8)

    def close(self) -> None:
        """Let others have the buffers."""
        for _, buffer in self._held.values():
            self._device.give_back(buffer)
        self._held.clear()


def run(device: WebGpuDevice, request: LaunchRequest) -> bool:
    """Launch on copies; say whether no fault was met. After a fault the arrays are as before. Raises Refusal."""
    session = Session(device, whole=False)
    try:
        session.start(session.prepare(request))
        session.end()
    except FaultError:
        return False
    finally:
        session.close()
    return True

"""A row of launches whose arrays stay on the device between them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..device import owner
from .execution import (
    FAULT,
    LaunchRequest,
    PreparedDispatch,
    SharedBytes,
    WebGpuDevice,
    address,
    prepare,
    whole_memory,
)


class FaultError(Exception):
    """A kernel met an error, such as an access out of bounds."""


class Session:
    """Arrays go to the device when a launch first has them, and come back at the end: all that was allocated with
    them, so that views of one array share it."""

    def __init__(self, device: WebGpuDevice) -> None:
        self._device = device
        self._owners: dict[int, tuple[np.ndarray, SharedBytes, Any]] = {}
        self._changed: set[int] = set()

    def prepare(self, request: LaunchRequest) -> PreparedDispatch:
        """Return a launch on arrays of this session, to be started here any number of times. Raises Refusal."""
        owners = {id(whole): whole for whole in map(owner, request.arrays())}
        for key, whole in owners.items():
            if key not in self._owners:
                allocation = whole_memory(whole)
                self._owners[key] = whole, allocation, self._device.memory.take(allocation)
        kept = sorted((self._owners[key] for key in owners), key=lambda one: one[1].start)
        prepared = prepare(self._device, request, [a for _, a, _ in kept], [b for *_, b in kept])
        self._changed |= {id(kept[number][0]) for number in prepared.changes}
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
                    prepared.start(self._device.target)

        return self._device.target.timed(repeat)

    def read(self, *arrays: np.ndarray) -> list[np.ndarray]:
        """Wait, and return what arrays that launches had hold now."""
        found = [self._owners[id(owner(array))] for array in arrays]
        data = self._device.target.read([(buffer, a.memory.size) for _, a, buffer in found])
        return [
            np.frombuffer(bytes, np.uint8)[address(array) - a.start :][: array.nbytes]
            .view(array.dtype)
            .reshape(array.shape)
            for array, (_, a, _), bytes in zip(arrays, found, data, strict=True)
        ]

    def end(self) -> None:
        """Wait, and bring home what has changed. Raises FaultError, and changes nothing, after a fault."""
        changed = [self._owners[key] for key in self._changed]
        fault, *data = self._device.target.read(
            [(self._device.fault, FAULT), *((b, a.memory.size) for _, a, b in changed)]
        )
        if self._device.met_fault(fault):
            raise FaultError
        for (_, allocation, _), result in zip(changed, data, strict=True):
            allocation.memory[:] = np.frombuffer(result, np.uint8)

    def close(self) -> None:
        """Let others have the buffers."""
        for _, _, buffer in self._owners.values():
            self._device.memory.give_back(buffer)
        self._owners.clear()

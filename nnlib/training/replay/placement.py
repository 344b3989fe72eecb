"""Memory for the arrays between the launches of a recorded step."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from nnlib.device import array_module, is_device_array
from nnlib.ops.recording import KernelNode, NotCapturable, Recording, address, owner

Allocate = Callable[[int, Any], Any]  # (elements, dtype) -> flat array


class Placement:
    """Memory for the stand-ins of a recording, taken when they are first asked for.

    allocate: makes a flat array; a counting one tells how much it would take. known: arrays of model and optimizer.
    """

    def __init__(self, recording: Recording, allocate: Allocate, known: Iterable[Any]) -> None:
        self._recording, self._allocate = recording, allocate
        self._known = {id(owner(array)) for array in known}
        self._memory: dict[int, Any] = {}

    def __call__(self, array: np.ndarray) -> Any:
        """Return the memory of a stand-in, or of a view of one, as a flat array."""
        whole = owner(array)
        if id(whole) not in self._memory:
            self._memory[id(whole)] = self._allocate(whole.size, whole.dtype)
        first = (address(array) - address(whole)) // whole.itemsize
        return self._memory[id(whole)][first : first + array.size]

    def keep(self, array: np.ndarray) -> None:
        """Give memory with its contents to an array of the host that every step uses as it is."""
        memory = self._memory[id(owner(array))] = self._allocate(array.size, array.dtype)
        if getattr(memory.flags, "writeable", True):  # else it is only counted
            memory[...] = array_module(memory).asarray(array.ravel())

    def renew(self, *arrays: np.ndarray) -> None:
        """Give these stand-ins other memory from now on."""
        for array in arrays:
            self._memory.pop(id(owner(array)), None)

    def nodes(self, nodes: Iterable[KernelNode]) -> list[KernelNode]:
        """Return the same launches on memory. Raises NotCapturable for one on an array that no launch of the step has written."""
        return [
            replace(node, args=tuple(self._argument(value, node) for value in node.args))
            for node in nodes
        ]

    def _argument(self, value: Any, node: KernelNode) -> Any:
        if (not isinstance(value, np.ndarray) and not is_device_array(value)) or id(
            owner(value)
        ) in self._known:
            return value
        if id(owner(value)) not in self._memory and not self._recording.stands_in(value):
            raise NotCapturable(
                f"{node.kernel.name} works on an array that was computed without a kernel of ours"
            )
        return self(value)

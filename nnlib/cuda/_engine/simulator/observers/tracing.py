"""Trace: one block, statement by statement, for stepping through a kernel in a lesson."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..memory.local_memory import LocalMemory
from ..memory.spaces import Access, Site
from .observer import Observer


@dataclass
class Touch:
    """Memory touched by a statement. index: per thread the element, or None; value: what it finds there, or writes.

    Of an atomic it is what was there before; of a vector, its first part.
    """

    space: str
    name: str
    kind: str  # "read", "write" or "atomic"
    index: list[int | None]
    value: list[Any]


@dataclass
class Step:
    """A statement about to run: line, which threads run it, what their variables hold, what it then touches.

    values: variable -> one value per thread (a list of them for vectors and local arrays).
    """

    line: int
    column: int
    active: list[bool]
    values: dict[str, list[Any]]
    touches: list[Touch] = field(default_factory=list)


@dataclass
class Trace:
    """steps of one block; complete: whether the kernel ended within max_steps."""

    kernel: str
    block: tuple[int, int, int]
    block_index: tuple[int, int, int]
    source: str
    steps: list[Step] = field(default_factory=list)
    complete: bool = True


class Enough(Exception):
    """The trace is as long as was asked for."""


class Tracer(Observer):
    """Writes the steps of a one-block launch."""

    spaces = ("read-only", "written", "constant", "shared")

    def __init__(self, trace: Trace, max_steps: int) -> None:
        self.trace, self.max_steps = trace, max_steps

    def statement(self, mask: Any, site: Site, variables: dict[str, Any]) -> None:
        if len(self.trace.steps) >= self.max_steps:
            self.trace.complete = False
            raise Enough
        active = self.machine.spread(mask).tolist()
        values = {
            name: shown
            for name, value in variables.items()
            if (shown := self._per_thread(value)) is not None
        }
        self.trace.steps.append(Step(site.line, site.column, active, values))

    def _per_thread(self, value: Any) -> Any:
        if isinstance(value, tuple):
            return [list(row) for row in zip(*map(self._per_thread, value), strict=True)]
        if isinstance(value, LocalMemory) and value.kind is None and len(value.values) <= 64:
            return value.rows.T.tolist()
        if isinstance(value, np.ndarray | np.generic):
            return self.machine.spread(value).tolist()
        return None  # pointers, structs and long arrays

    def load(self, access: Access) -> None:
        if not self.trace.steps:
            return
        index: list[int | None] = [None] * self.machine.width
        value: list[Any] = [None] * self.machine.width
        for lane in self.machine.lanes_of(access.mask):
            index[lane], value[lane] = access.element_at(lane), access.value_at(lane).item()
        memory = access.memory
        self.trace.steps[-1].touches.append(
            Touch(memory.space, memory.name, access.kind, index, value)
        )

    store = atomic = load

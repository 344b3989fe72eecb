"""Schedule the operations of all streams: what each waits for, and how long a GPU would take.

Without a GPU the durations are a model's, of a T4 on PCIe 3: a copy is 10 microseconds and its bytes over 6 GB/s
(12 from pinned memory), a kernel 3 microseconds and the bytes of its arrays, once each, over 300 GB/s; a product of
matrices takes as long as its operations, if that is longer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

COPY_START, PAGEABLE, PINNED = 10e-6, 6e9, 12e9  # seconds, bytes per second
KERNEL_START, MEMORY, CALL = 3e-6, 300e9, 2e-6
FLOPS = 8e12  # a second, of float32


@dataclass(eq=False)
class Operation:
    """One thing that the GPU does.

    kind: kernel, copy, memset or event. engine: what does it, one operation at a time. start, end: seconds.
    done: the host knows that it has happened.
    """

    kind: str
    name: str
    line: int
    stream: Stream
    engine: str
    size: int = 0
    start: float = 0.0
    end: float = 0.0
    waits_for: list[Operation] = field(default_factory=list)
    done: bool = False
    races_with: Operation | None = None  # which uses the same memory, in no order with this one
    number: int = 0  # in its stream, from 1
    # Of each stream: up to which number it waits for
    after: dict[Stream, int] = field(default_factory=dict)

    @property
    def words(self) -> str:
        """Return what messages call the operation."""
        return f"kernel {self.name}" if self.kind == "kernel" else f"the {self.kind}"

    def follows(self, other: Operation) -> bool:
        """Return whether it certainly begins after the other one has ended."""
        return other.done or self.after.get(other.stream, 0) >= other.number

    def finish(self) -> None:
        """Mark it as done, and what it waited for: the host has waited."""
        waiting = [self]
        while waiting:
            operation = waiting.pop()
            if not operation.done:
                operation.done = True
                waiting += operation.waits_for


@dataclass(eq=False)
class Stream:
    """A CUDA stream. Number 0 is the default stream.

    blocking: it and the default stream wait for each other. priority: kept for queries only, since operations run in the
    order of the program.
    """

    number: int
    blocking: bool = True
    priority: int = 0
    destroyed: int = 0  # in which line
    last: Operation | None = None
    next_waits: list[Operation] = field(default_factory=list)  # cudaStreamWaitEvent

    @property
    def name(self) -> str:
        return f"stream {self.number}" if self.number else "default stream"


@dataclass(eq=False)
class CudaEvent:
    """recorded: the place in a stream that it marks; graph: or in a graph, while the stream is captured."""

    recorded: Operation | None = None
    graph: object = None
    destroyed: int = 0


class Schedule:
    """host: seconds since the program began, as the host's clock has it. waits: when the host stood still, for what."""

    def __init__(self) -> None:
        self.host = 0.0
        self.default = Stream(0)
        self.streams = [self.default]
        self.operations: list[Operation] = []
        self.waits: list[tuple[float, float, int, str]] = []  # start, end, line, why
        self._free: dict[str, float] = {}  # per engine

    def stream(self, blocking: bool) -> Stream:
        self.streams.append(Stream(len(self.streams), blocking))
        return self.streams[-1]

    def submit(self, operation: Operation, seconds: float) -> Operation:
        """Start an operation as soon as its stream, what it waits for, and its engine allow."""
        stream, engine = operation.stream, operation.engine
        before = [stream.last, *stream.next_waits]
        if stream is self.default:
            before += [other.last for other in self.streams if other.blocking]
        elif stream.blocking:
            before.append(self.default.last)
        stream.next_waits = []
        operation.waits_for = [
            one for k, one in enumerate(before) if one is not None and one not in before[:k]
        ]
        operation.number = stream.last.number + 1 if stream.last else 1
        for earlier in operation.waits_for:
            for known, number in (earlier.after | {earlier.stream: earlier.number}).items():
                operation.after[known] = max(number, operation.after.get(known, 0))
        self.host += CALL
        operation.start = max(
            [self.host, self._free.get(engine, 0.0), *(one.end for one in operation.waits_for)]
        )
        operation.end = operation.start + seconds
        if engine:
            self._free[engine] = operation.end
        stream.last = operation
        self.operations.append(operation)
        return operation

    def wait(self, operations: Sequence[Operation | None], line: int, why: str) -> None:
        """Make the host wait until all of these have happened."""
        until = self.host
        for operation in operations:
            if operation is not None:
                operation.finish()
                until = max(until, operation.end)
        if until > self.host:
            self.waits.append((self.host, until, line, why))
            self.host = until


def copy_seconds(size: int, pinned: bool) -> float:
    return COPY_START + size / (PINNED if pinned else PAGEABLE)


def kernel_seconds(size: int, flops: int = 0) -> float:
    return KERNEL_START + max(size / MEMORY, flops / FLOPS)

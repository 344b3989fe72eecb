"""Streams, events and waiting. Lesson 08."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

from ..lowering.writer import CallSite
from ..runtime.devices import Device
from ..runtime.heap import Heap
from ..runtime.output import Output
from ..runtime.schedule import CudaEvent, Operation, Schedule, Stream
from ..runtime.stream_races import StreamRaces
from .registry import provides


class Destroyable(Protocol):
    """What a program holds by a handle. destroyed: in which line, 0 while it lives."""

    destroyed: int


Handle = TypeVar("Handle", bound=Destroyable)
NOT_READY = 600
NON_BLOCKING = 1
HIGHEST = -5  # priority of a stream


class Streams:
    """The streams and events of a run, and how the host waits for them."""

    def __init__(
        self, schedule: Schedule, heap: Heap, output: Output, device: Device, races: StreamRaces
    ) -> None:
        self.schedule, self._heap, self._output, self._device, self.races = (
            schedule,
            heap,
            output,
            device,
            races,
        )
        self._mistakes, self._report = heap.mistakes, heap.mistakes.report
        self._handles: dict[int, object] = {}
        self.captured: dict[Stream, Any] = {}  # with the graph that each becomes, see graphs.py

    def wait(self, operations: Sequence[Operation | None], site: CallSite, why: str) -> None:
        """The host waits; what kernels have printed appears."""
        self.schedule.wait(operations, site.at.line, why)
        self._output.show_unseen()
        self._heap.settle()

    def wait_for_all(self, site: CallSite, why: str) -> None:
        self.wait([stream.last for stream in self.schedule.streams], site, why)

    def handle_of(self, thing: object) -> int:
        """What the program is to hold of a stream, an event, or a graph."""
        number = (1 << 62) + len(self._handles) + 1
        self._handles[number] = thing
        return number

    @provides("cudaDeviceSynchronize", "cudaThreadSynchronize", "cudaDeviceReset", "cudaThreadExit")
    def cuda_device_synchronize(self, site: CallSite) -> int:
        self._check_capture(site, bool(self.captured))
        self._device.synchronize()
        self.wait_for_all(site, site.called)
        return 0

    def _check_capture(self, site: CallSite, captured: bool) -> None:
        """The host cannot wait for what is only written down."""
        if captured:
            self._report(
                f"{site.called} waits while a stream is captured, where nothing runs yet",
                "wait after cudaGraphLaunch",
                at=site.at,
            )

    @provides("cudaStreamCreate", "cudaStreamCreateWithFlags", "cudaStreamCreateWithPriority")
    def cuda_stream_create(
        self, site: CallSite, stream: int, flags: int = 0, priority: int = 0
    ) -> int:
        made = self.schedule.stream(flags != NON_BLOCKING)
        made.priority = min(max(priority, HIGHEST), 0)
        self._heap.store_value(stream, "q", self.handle_of(made))
        return 0

    @provides("cudaStreamGetPriority")
    def cuda_stream_get_priority(self, site: CallSite, stream: int, priority: int) -> int:
        self._heap.store_value(priority, "i", self.stream(site, stream).priority)
        return 0

    @provides("cudaStreamGetFlags")
    def cuda_stream_get_flags(self, site: CallSite, stream: int, flags: int) -> int:
        self._heap.store_value(
            flags, "i", 0 if self.stream(site, stream).blocking else NON_BLOCKING
        )
        return 0

    @provides("cudaDeviceGetStreamPriorityRange")
    def cuda_device_get_stream_priority_range(
        self, site: CallSite, least: int, greatest: int
    ) -> int:
        self._heap.store_value(least, "i", 0)
        self._heap.store_value(greatest, "i", HIGHEST)
        return 0

    @provides("cudaStreamDestroy")
    def cuda_stream_destroy(self, site: CallSite, stream: int) -> int:
        self.stream(site, stream).destroyed = self._mistakes.line(site)
        return 0

    @provides("cudaStreamSynchronize")
    def cuda_stream_synchronize(self, site: CallSite, stream: int) -> int:
        where = self.stream(site, stream)
        self._check_capture(site, where in self.captured)
        self._device.synchronize()
        waits = [where.last]
        if where is self.schedule.default:
            waits += [other.last for other in self.schedule.streams if other.blocking]
        self.wait(waits, site, "cudaStreamSynchronize")
        return 0

    @provides("cudaStreamQuery")
    def cuda_stream_query(self, site: CallSite, stream: int) -> int:
        return self._ready(site, self.stream(site, stream).last)

    def _ready(self, site: CallSite, operation: Operation | None) -> int:
        """The host asks whether it has happened; asking takes a moment."""
        self.schedule.host += 1e-6
        if operation is None or operation.done:
            return 0
        if self.schedule.host < operation.end:
            return NOT_READY
        self.wait([operation], site, "query")
        return 0

    def wait_event(self, site: CallSite, stream: int, event: int) -> int:
        """What comes next in a stream waits for an event."""
        marked = self.event(site, event)
        if marked.recorded is not None:
            self.stream(site, stream).next_waits.append(marked.recorded)
        return 0

    @provides("cudaEventCreate", "cudaEventCreateWithFlags")
    def cuda_event_create(self, site: CallSite, event: int, flags: int = 0) -> int:
        self._heap.store_value(event, "q", self.handle_of(CudaEvent(len(self._handles))))
        return 0

    @provides("cudaEventDestroy")
    def cuda_event_destroy(self, site: CallSite, event: int) -> int:
        self.event(site, event).destroyed = self._mistakes.line(site)
        return 0

    def record(self, site: CallSite, event: int, stream: int) -> int:
        marked, where = self.event(site, event), self.stream(site, stream)
        marked.recorded = self.schedule.submit(
            Operation("event", "", self._mistakes.line(site), where, ""), 0.0
        )
        return 0

    @provides("cudaEventSynchronize")
    def cuda_event_synchronize(self, site: CallSite, event: int) -> int:
        self._device.synchronize()
        self.wait([self._recorded(site, event, 0).recorded], site, "cudaEventSynchronize")
        return 0

    @provides("cudaEventQuery")
    def cuda_event_query(self, site: CallSite, event: int) -> int:
        return self._ready(site, self.event(site, event).recorded)

    @provides("cudaEventElapsedTime")
    def cuda_event_elapsed_time(
        self, site: CallSite, milliseconds: int, start: int, stop: int
    ) -> int:
        ends = [
            self._recorded(site, event, k + 1).recorded for k, event in enumerate((start, stop))
        ]
        for k, operation in enumerate(ends):
            assert operation is not None
            if not operation.done:
                name = site.names[k + 1] or "the event"
                self._report(
                    f"cudaEventElapsedTime asks for the time of {name}, which may not have happened yet",
                    f"wait for it first: cudaEventSynchronize({name})",
                    at=site.at,
                )
        first, last = ends
        assert first is not None and last is not None
        self._heap.store_value(milliseconds, "f", (last.end - first.end) * 1e3)
        return 0

    def event(self, site: CallSite, handle: int) -> CudaEvent:
        return self.alive(site, handle, CudaEvent, "an event", "cudaEventCreate(&event)")

    def _recorded(self, site: CallSite, handle: int, place: int) -> CudaEvent:
        event = self.event(site, handle)
        if event.recorded is None:
            name = site.names[place] or "the event"
            self._report(
                f"{name} was never recorded",
                f"write cudaEventRecord({name}) where the time is to be taken",
                at=site.at,
            )
        return event

    def stream(self, site: CallSite, handle: int) -> Stream:
        """The stream that a call names."""
        if not handle:
            return self.schedule.default
        return self.alive(site, handle, Stream, "a stream", "cudaStreamCreate(&stream)")

    def alive(
        self, site: CallSite, handle: int, kind: type[Handle], word: str, creation: str
    ) -> Handle:
        """What the handle stands for, which must have been created and not been destroyed."""
        found = self._handles.get(handle)
        if not isinstance(found, kind):
            self._report(
                f"{word} is used that was never created", f"write {creation} first", at=site.at
            )
        if found.destroyed:
            self._report(
                f"{word} is used that was destroyed in line {found.destroyed}",
                "destroy it after its last use",
                at=site.at,
            )
        return found

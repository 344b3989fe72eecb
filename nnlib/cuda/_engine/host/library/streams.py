"""Streams, events and waiting. Lesson 08."""

from __future__ import annotations

from ..runtime.schedule import CudaEvent, Operation, Stream
from ..runtime.streams import Destroyable, Graph
from .registry import LibraryPart, provides

NOT_READY = 600
NON_BLOCKING = 1
HIGHEST = -5  # priority of a stream
DESTROYED: dict[str, type[Destroyable]] = {
    "cudaStreamDestroy": Stream,
    "cudaEventDestroy": CudaEvent,
    "cudaGraphDestroy": Graph,
    "cudaGraphExecDestroy": Graph,
}


class StreamFunctions(LibraryPart):
    """Functions of streams and events."""

    @provides("cudaDeviceSynchronize", "cudaThreadSynchronize", "cudaDeviceReset", "cudaThreadExit")
    def cuda_device_synchronize(self) -> None:
        self._check_capture(bool(self._streams.captured))
        self._device.synchronize()
        self._streams.wait_for_all(self._site.called)

    def _check_capture(self, captured: bool) -> None:
        """Report a host that waits while a stream is captured, when nothing runs yet."""
        if captured:
            self._reject(
                f"{self._site.called} waits while a stream is captured, where nothing runs yet",
                "wait after cudaGraphLaunch",
            )

    @provides("cudaStreamCreate", "cudaStreamCreateWithFlags", "cudaStreamCreateWithPriority")
    def cuda_stream_create(self, stream: int, flags: int = 0, priority: int = 0) -> None:
        made = self._schedule.stream(flags != NON_BLOCKING)
        made.priority = min(max(priority, HIGHEST), 0)
        self._answer(stream, "q", self._streams.handle_of(made))

    @provides("cudaStreamGetPriority")
    def cuda_stream_get_priority(self, stream: int, priority: int) -> None:
        self._answer(priority, "i", self._streams.stream(stream).priority)

    @provides("cudaStreamGetFlags")
    def cuda_stream_get_flags(self, stream: int, flags: int) -> None:
        blocking = self._streams.stream(stream).blocking
        self._answer(flags, "i", 0 if blocking else NON_BLOCKING)

    @provides(*DESTROYED)
    def destroy(self, handle: int) -> None:
        kind = DESTROYED[self._site.called]
        thing = self._streams.alive(handle, kind) if handle else self._schedule.default
        thing.destroyed = self._mistakes.line()

    @provides("cudaStreamSynchronize")
    def cuda_stream_synchronize(self, stream: int) -> None:
        where = self._streams.stream(stream)
        self._check_capture(where in self._streams.captured)
        self._device.synchronize()
        waits = [where.last]
        if where is self._schedule.default:
            waits += [other.last for other in self._schedule.streams if other.blocking]
        self._streams.wait(waits, "cudaStreamSynchronize")

    @provides("cudaStreamQuery")
    def cuda_stream_query(self, stream: int) -> int:
        return self._ready(self._streams.stream(stream).last)

    @provides("cudaEventQuery")
    def cuda_event_query(self, event: int) -> int:
        return self._ready(self._event(event).recorded)

    def _ready(self, operation: Operation | None) -> int:
        """Answer whether an operation has happened; asking takes the host a moment."""
        self._schedule.host += 1e-6
        if operation is None or operation.done:
            return 0
        if self._schedule.host < operation.end:
            return NOT_READY
        self._streams.wait([operation], "query")
        return 0

    # --- events ---------------------------------------------------------------------------

    @provides("cudaEventCreate", "cudaEventCreateWithFlags")
    def cuda_event_create(self, event: int, flags: int = 0) -> None:
        self._answer(event, "q", self._streams.handle_of(CudaEvent()))

    @provides("cudaEventRecord")
    def cuda_event_record(self, handle: int, stream: int) -> None:
        where = self._streams.stream(stream)
        event = self._event(handle)
        event.graph = self._streams.captured.get(where)
        if event.graph is None:
            operation = Operation("event", "", self._mistakes.line(), where, "")
            event.recorded = self._schedule.submit(operation, 0.0)

    @provides("cudaStreamWaitEvent")
    def cuda_stream_wait_event(self, stream: int, event: int, flags: int) -> None:
        """Make a stream wait for an event; one that waits for an event of a captured stream is captured, too."""
        marked, captured = self._event(event), self._streams.captured
        if isinstance(marked.graph, Graph) and marked.graph in captured.values():
            captured[self._streams.stream(stream)] = marked.graph
        elif marked.recorded is not None:
            self._streams.stream(stream).next_waits.append(marked.recorded)

    @provides("cudaEventSynchronize")
    def cuda_event_synchronize(self, event: int) -> None:
        self._device.synchronize()
        self._streams.wait([self._recorded(event, 0)], "cudaEventSynchronize")

    @provides("cudaEventElapsedTime")
    def cuda_event_elapsed_time(self, milliseconds: int, start: int, stop: int) -> None:
        first, last = (self._recorded(event, k) for k, event in enumerate((start, stop), 1))
        for k, operation in enumerate((first, last), 1):
            if not operation.done:
                name = self._site.names[k] or "the event"
                self._reject(
                    f"cudaEventElapsedTime asks for the time of {name}, which may not have happened yet",
                    f"wait for it first: cudaEventSynchronize({name})",
                )
        self._answer(milliseconds, "f", (last.end - first.end) * 1e3)

    def _event(self, handle: int) -> CudaEvent:
        return self._streams.alive(handle, CudaEvent)

    def _recorded(self, handle: int, place: int) -> Operation:
        recorded = self._event(handle).recorded
        if recorded is None:
            name = self._site.names[place] or "the event"
            self._reject(
                f"{name} was never recorded",
                f"write cudaEventRecord({name}) where the time is to be taken",
            )
        return recorded

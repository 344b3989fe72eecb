"""Streams, events and waiting. Lesson 08."""

from __future__ import annotations

from ..lowering.writer import CallSite
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
    """What a program does with streams and events."""

    @provides("cudaDeviceSynchronize", "cudaThreadSynchronize", "cudaDeviceReset", "cudaThreadExit")
    def cuda_device_synchronize(self, site: CallSite) -> int:
        self._check_capture(site, bool(self._streams.captured))
        self._device.synchronize()
        self._streams.wait_for_all(site, site.called)
        return 0

    def _check_capture(self, site: CallSite, captured: bool) -> None:
        """The host cannot wait for what is only written down."""
        if captured:
            self._reject(
                site,
                f"{site.called} waits while a stream is captured, where nothing runs yet",
                "wait after cudaGraphLaunch",
            )

    @provides("cudaStreamCreate", "cudaStreamCreateWithFlags", "cudaStreamCreateWithPriority")
    def cuda_stream_create(
        self, site: CallSite, stream: int, flags: int = 0, priority: int = 0
    ) -> int:
        made = self._schedule.stream(flags != NON_BLOCKING)
        made.priority = min(max(priority, HIGHEST), 0)
        return self._answer(stream, "q", self._streams.handle_of(made))

    @provides("cudaStreamGetPriority")
    def cuda_stream_get_priority(self, site: CallSite, stream: int, priority: int) -> int:
        return self._answer(priority, "i", self._streams.stream(site, stream).priority)

    @provides("cudaStreamGetFlags")
    def cuda_stream_get_flags(self, site: CallSite, stream: int, flags: int) -> int:
        blocking = self._streams.stream(site, stream).blocking
        return self._answer(flags, "i", 0 if blocking else NON_BLOCKING)

    @provides(*DESTROYED)
    def destroy(self, site: CallSite, handle: int) -> int:
        kind = DESTROYED[site.called]
        thing = self._streams.alive(site, handle, kind) if handle else self._schedule.default
        thing.destroyed = self._mistakes.line(site)
        return 0

    @provides("cudaStreamSynchronize")
    def cuda_stream_synchronize(self, site: CallSite, stream: int) -> int:
        where = self._streams.stream(site, stream)
        self._check_capture(site, where in self._streams.captured)
        self._device.synchronize()
        waits = [where.last]
        if where is self._schedule.default:
            waits += [other.last for other in self._schedule.streams if other.blocking]
        self._streams.wait(waits, site, "cudaStreamSynchronize")
        return 0

    @provides("cudaStreamQuery")
    def cuda_stream_query(self, site: CallSite, stream: int) -> int:
        return self._ready(site, self._streams.stream(site, stream).last)

    @provides("cudaEventQuery")
    def cuda_event_query(self, site: CallSite, event: int) -> int:
        return self._ready(site, self._event(site, event).recorded)

    def _ready(self, site: CallSite, operation: Operation | None) -> int:
        """The host asks whether it has happened; asking takes a moment."""
        self._schedule.host += 1e-6
        if operation is None or operation.done:
            return 0
        if self._schedule.host < operation.end:
            return NOT_READY
        self._streams.wait([operation], site, "query")
        return 0

    # --- events ---------------------------------------------------------------------------

    @provides("cudaEventCreate", "cudaEventCreateWithFlags")
    def cuda_event_create(self, site: CallSite, event: int, flags: int = 0) -> int:
        return self._answer(event, "q", self._streams.handle_of(CudaEvent()))

    @provides("cudaEventRecord")
    def cuda_event_record(self, site: CallSite, handle: int, stream: int) -> int:
        where = self._streams.stream(site, stream)
        event = self._event(site, handle)
        event.graph = self._streams.captured.get(where)
        if event.graph is None:
            operation = Operation("event", "", self._mistakes.line(site), where, "")
            event.recorded = self._schedule.submit(operation, 0.0)
        return 0

    @provides("cudaStreamWaitEvent")
    def cuda_stream_wait_event(self, site: CallSite, stream: int, event: int, flags: int) -> int:
        """What comes next in a stream waits; one that waits for an event of a captured stream is captured, too."""
        marked, captured = self._event(site, event), self._streams.captured
        if isinstance(marked.graph, Graph) and marked.graph in captured.values():
            captured[self._streams.stream(site, stream)] = marked.graph
        elif marked.recorded is not None:
            self._streams.stream(site, stream).next_waits.append(marked.recorded)
        return 0

    @provides("cudaEventSynchronize")
    def cuda_event_synchronize(self, site: CallSite, event: int) -> int:
        self._device.synchronize()
        self._streams.wait([self._recorded(site, event, 0)], site, "cudaEventSynchronize")
        return 0

    @provides("cudaEventElapsedTime")
    def cuda_event_elapsed_time(
        self, site: CallSite, milliseconds: int, start: int, stop: int
    ) -> int:
        first, last = (self._recorded(site, event, k) for k, event in enumerate((start, stop), 1))
        for k, operation in enumerate((first, last), 1):
            if not operation.done:
                name = site.names[k] or "the event"
                self._reject(
                    site,
                    f"cudaEventElapsedTime asks for the time of {name}, which may not have happened yet",
                    f"wait for it first: cudaEventSynchronize({name})",
                )
        return self._answer(milliseconds, "f", (last.end - first.end) * 1e3)

    def _event(self, site: CallSite, handle: int) -> CudaEvent:
        return self._streams.alive(site, handle, CudaEvent)

    def _recorded(self, site: CallSite, handle: int, place: int) -> Operation:
        recorded = self._event(site, handle).recorded
        if recorded is None:
            name = site.names[place] or "the event"
            self._reject(
                site,
                f"{name} was never recorded",
                f"write cudaEventRecord({name}) where the time is to be taken",
            )
        return recorded

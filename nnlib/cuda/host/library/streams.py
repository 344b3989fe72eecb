"""Streams, events and waiting."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from nnlib.cuda.host.library.registry import provides
from nnlib.cuda.host.lowering.writer import Site
from nnlib.cuda.host.runtime.schedule import Event, Stream

if TYPE_CHECKING:
    from nnlib.cuda.host.runtime.process import Process

NOT_READY = 600
NON_BLOCKING = 1


@provides("cudaDeviceSynchronize", "cudaThreadSynchronize", "cudaDeviceReset", "cudaThreadExit")
def cuda_device_synchronize(process: Process, site: Site) -> int:
    process.device.synchronize()
    process.wait([stream.last for stream in process.schedule.streams], site, site.call.function.name)
    return 0


@provides("cudaStreamCreate", "cudaStreamCreateWithFlags", "cudaStreamCreateWithPriority")
def cuda_stream_create(process: Process, site: Site, stream: int, flags: int = 0, priority: int = 0) -> int:
    process.store_bytes(stream, struct.pack("<q", process.handle(process.schedule.stream(flags != NON_BLOCKING))))
    return 0


@provides("cudaDeviceGetStreamPriorityRange")
def cuda_device_get_stream_priority_range(process: Process, site: Site, least: int, greatest: int) -> int:
    process.store_bytes(least, struct.pack("<i", 0))
    process.store_bytes(greatest, struct.pack("<i", -5))
    return 0


@provides("cudaStreamDestroy")
def cuda_stream_destroy(process: Process, site: Site, stream: int) -> int:
    process.stream(site, stream).destroyed = process.line(site)
    return 0


@provides("cudaStreamSynchronize")
def cuda_stream_synchronize(process: Process, site: Site, stream: int) -> int:
    where = process.stream(site, stream)
    process.device.synchronize()
    waits = [where.last]
    if where is process.schedule.default:
        waits += [other.last for other in process.schedule.streams if other.blocking]
    process.wait(waits, site, "cudaStreamSynchronize")
    return 0


@provides("cudaStreamQuery")
def cuda_stream_query(process: Process, site: Site, stream: int) -> int:
    return _ready(process, site, process.stream(site, stream).last)


def _ready(process: Process, site: Site, operation: object) -> int:
    """The host asks whether it has happened; asking takes a moment."""
    process.schedule.host += 1e-6
    if operation is None or getattr(operation, "done", False):
        return 0
    if process.schedule.host < operation.end:  # type: ignore[attr-defined]
        return NOT_READY
    process.wait([operation], site, "query")
    return 0


@provides("cudaStreamWaitEvent")
def cuda_stream_wait_event(process: Process, site: Site, stream: int, event: int, flags: int) -> int:
    marked = _event(process, site, event)
    if marked.recorded is not None:
        process.stream(site, stream).next_waits.append(marked.recorded)
    return 0


@provides("cudaEventCreate", "cudaEventCreateWithFlags")
def cuda_event_create(process: Process, site: Site, event: int, flags: int = 0) -> int:
    process.store_bytes(event, struct.pack("<q", process.handle(Event(len(process.handles)))))
    return 0


@provides("cudaEventDestroy")
def cuda_event_destroy(process: Process, site: Site, event: int) -> int:
    _event(process, site, event).destroyed = process.line(site)
    return 0


@provides("cudaEventRecord")
def cuda_event_record(process: Process, site: Site, event: int, stream: int) -> int:
    marked, where = _event(process, site, event), process.stream(site, stream)
    marked.recorded = process.schedule.submit("event", "", process.line(site), where, "", 0.0)
    return 0


@provides("cudaEventSynchronize")
def cuda_event_synchronize(process: Process, site: Site, event: int) -> int:
    process.device.synchronize()
    process.wait([_recorded(process, site, event, 0).recorded], site, "cudaEventSynchronize")
    return 0


@provides("cudaEventQuery")
def cuda_event_query(process: Process, site: Site, event: int) -> int:
    return _ready(process, site, _event(process, site, event).recorded)


@provides("cudaEventElapsedTime")
def cuda_event_elapsed_time(process: Process, site: Site, milliseconds: int, start: int, stop: int) -> int:
    ends = [_recorded(process, site, event, k + 1).recorded for k, event in enumerate((start, stop))]
    for k, operation in enumerate(ends):
        assert operation is not None
        if not operation.done:
            name = site.names[k + 1] or "the event"
            process.mistake(f"cudaEventElapsedTime asks for the time of {name}, which may not have happened yet",
                            f"wait for it first: cudaEventSynchronize({name})", at=site.at)
    first, last = ends
    assert first is not None and last is not None
    process.store_bytes(milliseconds, struct.pack("<f", (last.end - first.end) * 1e3))
    return 0


def _event(process: Process, site: Site, handle: int) -> Event:
    event = process.handles.get(handle)
    if not isinstance(event, Event):
        process.mistake("an event is used that was never created", "write cudaEventCreate(&event) first", at=site.at)
    if event.destroyed:
        process.mistake(f"an event is used that was destroyed in line {event.destroyed}",
                        "destroy it after its last use", at=site.at)
    return event


def _recorded(process: Process, site: Site, handle: int, place: int) -> Event:
    event = _event(process, site, handle)
    if event.recorded is None:
        name = site.names[place] or "the event"
        process.mistake(f"{name} was never recorded", f"write cudaEventRecord({name}) where the time is to be taken",
                        at=site.at)
    return event


def stream_of(process: Process, site: Site, handle: int) -> Stream:
    """The stream that a call names."""
    if not handle:
        return process.schedule.default
    stream = process.handles.get(handle)
    if not isinstance(stream, Stream):
        process.mistake("a stream is used that was never created", "write cudaStreamCreate(&stream) first", at=site.at)
    if stream.destroyed:
        process.mistake(f"a stream is used that was destroyed in line {stream.destroyed}",
                        "destroy it after its last use", at=site.at)
    return stream

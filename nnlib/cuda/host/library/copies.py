"""cudaMemcpy and cudaMemset in all their forms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nnlib.cuda.host.library.registry import provides
from nnlib.cuda.host.lowering.writer import Site
from nnlib.cuda.host.runtime.memory import Allocation
from nnlib.cuda.host.runtime.schedule import COPY_START, MEMORY, Operation, Stream, copy_seconds

if TYPE_CHECKING:
    from nnlib.cuda.host.runtime.process import Process

DEFAULT = 4
KINDS = ("HostToHost", "HostToDevice", "DeviceToHost", "DeviceToDevice", "Default")
ON_GPU = ("device", "symbol")
_SIDES = {0: (False, False), 1: (True, False), 2: (False, True), 3: (True, True)}  # to, from the device


class End:
    """One end of a copy: an allocation and an offset. place: which argument of the call."""

    def __init__(self, process: Process, site: Site, address: int, count: int, place: int, writes: bool) -> None:
        self.process, self.site, self.count, self.writes = process, site, count, writes
        self.verb = "written" if writes else "read"
        call = site.call.function.name
        shown = site.names[place] or ("the target" if writes else "the source")
        if not address:
            process.mistake(f"{call}: {shown} is a null pointer", "allocate the memory first", at=site.at)
        one, self.offset = process.memory.find(address)
        if one is None:
            process.mistake(f"{call}: {shown} points nowhere", "allocate the memory first", at=site.at)
        self.one: Allocation = one
        self.name = one.name or shown
        self.size = site.elements[place]
        if one.freed:
            process.gone(one, self.verb, site.at)
        if one.side == "text" and writes:
            process.mistake("a text in quotes cannot be changed", 'make an array of it: char text[] = "...";',
                            at=site.at)

    def check_room(self) -> None:
        """All bytes must lie in the allocation."""
        one, process = self.one, self.process
        room = one.size - self.offset
        if 0 <= self.offset and self.count <= room:
            return
        has = f"{self.name} has {one.size:,} bytes" + (f" from line {one.made}" if one.made else "")
        behind = f", {room:,} from there on" if 0 < self.offset <= one.size else ""
        elements = f"{self.size} bytes each" if self.size > 1 else ""
        if self.size > 1 and one.asked_in_elements and self.count == one.size * self.size:
            process.mistake(f"{self.count:,} bytes are {self.verb}, but {has}: bytes and elements are confused",
                            f"in line {one.made}, write n * sizeof(...): its elements have {elements}", at=self.site.at)
        if self.size > 1 and self.count == one.size * self.size:
            process.mistake(f"{self.count:,} bytes are {self.verb}, but {has}: bytes and elements are confused",
                            "sizeof is in the number twice", at=self.site.at)
        if self.offset < 0 or self.offset > one.size:
            where = f"{-self.offset:,} before its start" if self.offset < 0 else f"{-room:,} behind its end"
            process.mistake(f"{self.count:,} bytes are {self.verb} outside of {self.name}: {where}",
                            "check what is added to the pointer", has, self.site.at)
        process.mistake(f"{self.count:,} bytes are {self.verb}, past the end of {self.name}",
                        "compare the number of bytes with what was allocated", f"{has}{behind}", self.site.at)


def transfer(process: Process, site: Site, to: int, source: int, count: int, kind: int, *,
             places: tuple[int, int] = (0, 1), counted: int = 2, stream: Stream | None = None, rows: int = 1,
             pitches: tuple[int, int] = (0, 0), look: bool = True) -> None:
    """Copy `rows` times `count` bytes. places, counted: which arguments of the call are the ends and the count.
    stream None: the host waits."""
    if count * rows == 0:
        return
    target = End(process, site, to, pitches[0] * (rows - 1) + count, places[0], True)
    origin = End(process, site, source, pitches[1] * (rows - 1) + count, places[1], False)
    _check_direction(process, site, target, origin, kind)
    for end in (target, origin):
        end.check_room()
    if origin.one.garbage and target.one.on_host:
        raise origin.one.garbage
    if rows == 1 and look:
        _check_count(process, site, target, origin, count, counted)
    lacks = sum(origin.one.lacks(origin.offset + row * pitches[1], count) for row in range(rows))
    pinned = {target.one.side, origin.one.side} & {"pinned", "managed"}
    waits = stream is None or not pinned and not (target.one.side == origin.one.side == "device")
    where = stream or process.schedule.default
    for end in (target, origin):  # an operation of the same stream is in order
        if end.one.pending and kind == 0:
            process.wait_is_missing(end.one, end.offset, end.count, end.writes)
    _move(process, target, origin, count, rows, pitches)
    _unwritten(process, site, target, origin, count * rows, lacks)
    to_device, from_device = (_SIDES[kind] if kind != DEFAULT else
                              (target.one.side in ON_GPU, origin.one.side in ON_GPU))
    if not (to_device or from_device):
        return
    engine = "compute" if to_device and from_device else "copies to the GPU" if to_device else "copies from the GPU"
    seconds = COPY_START / 4 + 2 * count * rows / MEMORY if engine == "compute" else copy_seconds(
        count * rows, bool(pinned))
    arrow = {(True, True): "on the GPU", (True, False): "to the GPU", (False, True): "from the GPU"}.get(
        (to_device, from_device))
    name = target.name if to_device and not from_device else origin.name
    operation = process.schedule.submit("copy", f"{name} {arrow}", process.line(site), where, engine, seconds,
                                        count * rows)
    if waits and stream is None:
        process.wait([operation], site, "copy")
    elif waits:  # pageable memory: the call returns when the copy is done
        process.wait([operation], site, "copy of pageable memory")
    else:
        _leave_pending(process, target, origin, operation)


def _leave_pending(process: Process, target: End, origin: End, operation: Operation) -> None:
    for end in (target, origin):
        if end.one.on_host:
            process.in_use(end.one, end.offset, end.count, operation, end.writes)


def _check_direction(process: Process, site: Site, target: End, origin: End, kind: int) -> None:
    if kind == DEFAULT:
        return
    if kind not in _SIDES:
        process.mistake(f"{kind} is no direction of a copy", "write cudaMemcpyHostToDevice or cudaMemcpyDeviceToHost",
                        at=site.at)
    ends = [target, origin]
    if _fits(ends, kind):
        return
    sides = ["the GPU" if end.one.on_device else "the host" for end in ends]
    right = next((k for k in (1, 2, 3, 0) if _fits(ends, k)), DEFAULT)
    swapped = _fits(ends[::-1], kind)
    hint = f"write cudaMemcpy{KINDS[right]}"
    if swapped:
        hint += "; or are the two swapped? The target comes first"
    process.mistake(f"cudaMemcpy{KINDS[kind]}, but the target {target.name} is memory of {sides[0]} and the source "
                    f"{origin.name} of {sides[1]}", hint, at=site.at)


def _fits(ends: list[End], kind: int) -> bool:
    """Are target and source on the sides that the direction names?"""
    return all(end.one.on_device if device else end.one.on_host for end, device in zip(ends, _SIDES[kind], strict=True))


def _check_count(process: Process, site: Site, target: End, origin: End, count: int, counted: int) -> None:
    """A count without sizeof that is just the number of elements of both."""
    size = origin.size or target.size
    whole = origin.one.size == target.one.size and not origin.offset and not target.offset
    if whole and size > 1 and count * size == origin.one.size and not site.in_bytes[counted]:
        process.mistake(f"{count:,} bytes are copied, of {origin.one.size:,}: bytes and elements are confused",
                        f"write the number of bytes: {count:,} * sizeof(...)",
                        f"{origin.name} has {count:,} elements of {size} bytes", site.at)


def _unwritten(process: Process, site: Site, target: End, origin: End, count: int, lacks: int) -> None:
    """Memory of the GPU that holds nothing yet was copied: the host may have it, but not use it."""
    if lacks == count and target.one.on_host:
        target.one.hollow.append((target.offset, target.offset + target.count, site.at.line, origin.one))
        process.memory.close(target.one)
    elif lacks and target.one.on_host:
        process.note(f"line {site.at.line}: of the {count:,} bytes of {origin.name} that are copied, {lacks:,} were "
                     "never written")


def _move(process: Process, target: End, origin: End, count: int, rows: int, pitches: tuple[int, int]) -> None:
    for row in range(rows):
        to, source = target.offset + row * pitches[0], origin.offset + row * pitches[1]
        process.device.copy(target.one.data, to, origin.one.data, source, count)
        target.one.mark(to, count)
        target.one.fill(to, count)
    if count * rows == target.one.size:
        target.one.garbage = None


# --- the calls ----------------------------------------------------------------------------


@provides("cudaMemcpy")
def cuda_memcpy(process: Process, site: Site, to: int, source: int, count: int, kind: int) -> int:
    transfer(process, site, to, source, count, kind)
    return 0


@provides("cudaMemcpyAsync")
def cuda_memcpy_async(process: Process, site: Site, to: int, source: int, count: int, kind: int, stream: int) -> int:
    transfer(process, site, to, source, count, kind, stream=process.stream(site, stream))
    return 0


@provides("cudaMemcpy2D")
def cuda_memcpy_2d(process: Process, site: Site, to: int, to_pitch: int, source: int, source_pitch: int, width: int,
                   height: int, kind: int) -> int:
    if width > min(to_pitch, source_pitch):
        process.mistake(f"cudaMemcpy2D: rows of {width:,} bytes do not fit the pitch of "
                        f"{min(to_pitch, source_pitch):,}", "width and pitches are bytes: write n * sizeof(...)",
                        at=site.at)
    transfer(process, site, to, source, width, kind, places=(0, 2), counted=4, rows=height,
             pitches=(to_pitch, source_pitch))
    return 0


@provides("cudaMemcpyToSymbol")
def cuda_memcpy_to_symbol(process: Process, site: Site, symbol: int, source: int, count: int, offset: int,
                          kind: int) -> int:
    transfer(process, site, symbol + offset, source, count, kind, look=offset == 0)
    return 0


@provides("cudaMemcpyFromSymbol")
def cuda_memcpy_from_symbol(process: Process, site: Site, to: int, symbol: int, count: int, offset: int,
                            kind: int) -> int:
    transfer(process, site, to, symbol + offset, count, kind, look=offset == 0)
    return 0


@provides("cudaMemset", "cudaMemsetAsync")
def cuda_memset(process: Process, site: Site, pointer: int, value: int, count: int, stream: int = 0) -> int:
    if count:
        _set(process, site, pointer, value, count, count, 1, stream)
    return 0


@provides("cudaMemset2D")
def cuda_memset_2d(process: Process, site: Site, pointer: int, pitch: int, value: int, width: int, height: int) -> int:
    if width and height:
        _set(process, site, pointer, value, width, pitch, height, 0)
    return 0


def _set(process: Process, site: Site, pointer: int, value: int, width: int, pitch: int, rows: int,
         stream: int) -> None:
    end = End(process, site, pointer, pitch * (rows - 1) + width, 0, True)
    if not end.one.on_device:
        process.mistake(f"cudaMemset of {end.name}, memory of the host", "write memset", at=site.at)
    end.check_room()
    for row in range(rows):
        start = end.offset + row * pitch
        process.device.fill(end.one.data, start, width, value & 255)
        end.one.mark(start, width)
    if width * rows == end.one.size:
        end.one.garbage = None
    operation = process.schedule.submit("memset", f"{end.name} set", process.line(site), process.stream(site, stream),
                                        "compute", COPY_START / 4 + width * rows / MEMORY, width * rows)
    if end.one.on_host:
        process.in_use(end.one, end.offset, end.count, operation, True)


# --- the C library ------------------------------------------------------------------------


@provides("memcpy", "memmove")
def memcpy(process: Process, site: Site, to: int, source: int, count: int) -> int:
    transfer(process, site, to, source, count, 0)
    return to


@provides("memset")
def memset(process: Process, site: Site, pointer: int, value: int, count: int) -> int:
    if count:
        End(process, site, pointer, count, 0, True).check_room()
    process.store_bytes(pointer, bytes([value & 255]) * count)
    return pointer


@provides("memcmp")
def memcmp(process: Process, site: Site, a: int, b: int, count: int) -> int:
    left, right = process.load_bytes(a, count), process.load_bytes(b, count)
    return (left > right) - (left < right)

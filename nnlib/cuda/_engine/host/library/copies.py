"""cudaMemcpy and cudaMemset in all their forms. Lesson 01."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..runtime.schedule import COPY_START, MEMORY, Stream, copy_seconds
from ..runtime.spans import Span
from ..runtime.unwritten import unwritten_bytes
from .registry import LibraryPart, provided, provides

DEFAULT = 4
KINDS = ("HostToHost", "HostToDevice", "DeviceToHost", "DeviceToDevice", "Default")
ON_GPU = ("device", "symbol")
# to, from the device
_SIDES = {0: (False, False), 1: (True, False), 2: (False, True), 3: (True, True)}


@dataclass(frozen=True)
class CopyRequest:
    """The rectangle of memory that a copy moves: `rows` times `count` bytes.

    places, counted: which arguments of the call are the two ends and the number of bytes. counted is None for a part of
    something, whose size says nothing.
    """

    to: int
    source: int
    count: int
    kind: int
    rows: int = 1
    pitches: tuple[int, int] = (0, 0)
    places: tuple[int, int] = (0, 1)
    counted: int | None = 2


class Ends(NamedTuple):
    """Both ends of a copy."""

    target: Span
    origin: Span

    def fit(self, kind: int, swapped: bool = False) -> bool:
        """Return whether target and source are on the sides that the direction names."""
        return all(
            end.one.on_device if device else end.one.on_host
            for end, device in zip(self[::-1] if swapped else self, _SIDES[kind], strict=True)
        )

    def on_gpu(self, kind: int) -> tuple[bool, bool]:
        """Return which of the two ends the copy takes for memory of the GPU."""
        if kind != DEFAULT:
            return _SIDES[kind]
        return self.target.one.side in ON_GPU, self.origin.one.side in ON_GPU


class Copies(LibraryPart):
    """Copies between the two sides, and within them."""

    def _copy(self, copy: CopyRequest, handle: int | None = None) -> None:
        """Copy, or add the copy to a graph that is being captured. handle: the stream; with None the host waits."""
        if copy.kind == 0 or not self._streams.take(
            handle or 0, lambda other: self._copy(copy, other)
        ):
            self._transfer(copy, None if handle is None else self._streams.stream(handle))

    def _transfer(self, copy: CopyRequest, stream: Stream | None = None) -> None:
        """Copy the bytes. Without a stream the host waits."""
        if copy.count * copy.rows == 0:
            return
        sizes = [pitch * (copy.rows - 1) + copy.count for pitch in copy.pitches]
        ends = Ends(
            Span(self._heap, copy.places[0], copy.to, sizes[0], True),
            Span(self._heap, copy.places[1], copy.source, sizes[1], False),
        )
        self._check(copy, ends)
        origin = ends.origin
        lacks = sum(
            origin.one.lacks(origin.offset + row * copy.pitches[1], copy.count)
            for row in range(copy.rows)
        )
        for end in ends:  # an operation of the same stream is in order
            if end.one.pending and copy.kind == 0:
                self._heap.wait_is_missing(end.one, end.offset, end.count, end.writes)
        self._move(copy, ends)
        self._unwritten(ends, copy.count * copy.rows, lacks)
        if any(ends.on_gpu(copy.kind)):
            self._leave_behind(copy, ends, stream)

    def _leave_behind(self, copy: CopyRequest, ends: Ends, stream: Stream | None) -> None:
        """Schedule the copy, and make the host wait for it where it would."""
        to_device, from_device = ends.on_gpu(copy.kind)
        size, end = copy.count * copy.rows, ends.target if to_device else ends.origin
        pinned = not {"pinned", "managed"}.isdisjoint(end.one.side for end in ends)
        if to_device and from_device:
            seconds, arrow, engine = COPY_START / 4 + 2 * size / MEMORY, "on the GPU", "compute"
            end = ends.origin
        else:
            seconds, arrow = copy_seconds(size, pinned), f"{'to' if to_device else 'from'} the GPU"
            engine = f"copies {arrow}"
        name, where = f"{end.name} {arrow}", stream or self._schedule.default
        operation = self._submit(("copy", name), where, size, seconds, engine)
        for end, pitch in zip(ends, copy.pitches, strict=True):
            for row in range(copy.rows):
                self._run.races.see(
                    end.one, end.offset + row * pitch, copy.count, operation, end.writes
                )
        if stream is None:
            self._streams.wait([operation], "copy")
        elif not pinned and any(
            end.one.side != "device" for end in ends
        ):  # it returns when the copy is done
            self._streams.wait([operation], "copy of pageable memory")
        else:
            for end in ends:
                self._heap.in_use(end.one, end.offset, end.count, operation, end.writes)

    # --- mistakes -------------------------------------------------------------------------

    def _check(self, copy: CopyRequest, ends: Ends) -> None:
        target, origin = ends
        self._check_direction(ends, copy.kind)
        for end in ends:
            end.check_room()
        if origin.one.garbage and target.one.on_host:
            raise origin.one.garbage
        if copy.rows == 1 and copy.counted is not None and not self._site.in_bytes[copy.counted]:
            self._check_count(ends, copy.count)

    def _check_direction(self, ends: Ends, kind: int) -> None:
        if kind == DEFAULT:
            return
        if kind not in _SIDES:
            self._reject(
                f"{kind} is no direction of a copy",
                "write cudaMemcpyHostToDevice or cudaMemcpyDeviceToHost",
            )
        if ends.fit(kind):
            return
        sides = ["the GPU" if end.one.on_device else "the host" for end in ends]
        right = next((k for k in (1, 2, 3, 0) if ends.fit(k)), DEFAULT)
        hint = f"write cudaMemcpy{KINDS[right]}"
        if ends.fit(kind, swapped=True):
            hint += "; or are the two swapped? The target comes first"
        self._reject(
            f"cudaMemcpy{KINDS[kind]}, but the target {ends.target.name} is memory of {sides[0]} and the "
            f"source {ends.origin.name} of {sides[1]}",
            hint,
        )

    def _check_count(self, ends: Ends, count: int) -> None:
        """Report a count without sizeof that is just the number of elements of both ends."""
        target, origin = ends
        size = origin.element or target.element
        whole = origin.one.size == target.one.size and not origin.offset and not target.offset
        if whole and size > 1 and count * size == origin.one.size:
            self._reject(
                f"{count:,} bytes are copied, of {origin.one.size:,}: bytes and elements are confused",
                f"write the number of bytes: {count:,} * sizeof(...)",
                f"{origin.name} has {count:,} elements of {size} bytes",
            )

    def _unwritten(self, ends: Ends, count: int, lacks: int) -> None:
        """Note a copy from memory of the GPU that holds no values yet: the host may have it, but not use it."""
        target, origin = ends
        # What came from the host without a value is noticed where it is used
        if lacks and target.one.on_host:
            lacks -= int(unwritten_bytes(target.one.data, target.offset, target.count).sum())
        if lacks == count and target.one.on_host:
            target.one.hollow.append(
                (target.offset, target.offset + target.count, self._site.at.line, origin.one)
            )
            self._heap.close(target.one)
        elif lacks > 0 and target.one.on_host:
            self._mistakes.note(
                f"line {self._site.at.line}: of the {count:,} bytes of {origin.name} that are copied, "
                f"{lacks:,} were never written"
            )

    def _pass_on(self, to: int, ends: Ends, source: int, count: int) -> None:
        """Mark as unwritten on the GPU what is unwritten on the host."""
        one, origin = ends.target.one, ends.origin
        if one.side != "device" or not origin.one.on_host:
            return
        lacking = unwritten_bytes(origin.one.data, source, count)
        if lacking.any():
            if one.written is None:
                one.written = np.ones(one.size, bool)
            one.written[to : to + count] = ~lacking
            one.copied_unwritten = self._site.at.line, origin.name

    def _move(self, copy: CopyRequest, ends: Ends) -> None:
        target, origin = ends
        for row in range(copy.rows):
            to, source = (
                target.offset + row * copy.pitches[0],
                origin.offset + row * copy.pitches[1],
            )
            self._device.copy(target.one.data, to, origin.one.data, source, copy.count)
            target.one.mark(to, copy.count)
            self._pass_on(to, ends, source, copy.count)
            target.one.fill(to, copy.count)
        if copy.count * copy.rows == target.one.size:
            target.one.garbage = None

    # --- the calls ------------------------------------------------------------------------

    @provides("cudaMemcpy", "cudaMemcpyAsync")
    def cuda_memcpy(self, to: int, source: int, count: int, kind: int, *stream: int) -> None:
        self._copy(CopyRequest(to, source, count, kind), *stream)

    @provides("cudaMemcpy2D", "cudaMemcpy2DAsync")
    def cuda_memcpy_2d(
        self, to: int, to_pitch: int, source: int, source_pitch: int, *shape: int
    ) -> None:
        """Copy a matrix. shape: width, height, kind and, of the asynchronous version, the stream."""
        width, height, kind, *stream = shape
        if width > min(to_pitch, source_pitch):
            self._reject(
                f"cudaMemcpy2D: rows of {width:,} bytes do not fit the pitch of "
                f"{min(to_pitch, source_pitch):,}",
                "width and pitches are bytes: write n * sizeof(...)",
            )
        self._copy(
            CopyRequest(to, source, width, kind, height, (to_pitch, source_pitch), (0, 2), None),
            *stream,
        )

    @provides(
        "cudaMemcpyToSymbol",
        "cudaMemcpyToSymbolAsync",
        "cudaMemcpyFromSymbol",
        "cudaMemcpyFromSymbolAsync",
    )
    def cuda_memcpy_symbol(self, to: int, source: int, *which: int) -> None:
        """Copy to or from a symbol. which: count, offset in the symbol, kind and, of the asynchronous versions, the stream."""
        count, offset, kind, *stream = which
        if "To" in self._site.called:
            to += offset
        else:
            source += offset
        request = CopyRequest(to, source, count, kind, counted=None if offset else 2)
        self._copy(request, *stream)

    @provides("cudaMemset", "cudaMemsetAsync")
    def cuda_memset(self, pointer: int, value: int, count: int, stream: int = 0) -> None:
        self.cuda_memset_2d(pointer, count, value, count, 1, stream)

    @provides("cudaMemset2D", "cudaMemset2DAsync")
    def cuda_memset_2d(self, pointer: int, pitch: int, value: int, *shape: int) -> None:
        """Set a matrix. shape: width, height and, of the asynchronous version, the stream."""
        width, height, stream = (*shape, 0)[:3]
        size = width * height
        if not size or self._streams.take(
            stream,
            lambda other: self.cuda_memset_2d(pointer, pitch, value, width, height, other),
        ):
            return
        end = Span(self._heap, 0, pointer, pitch * (height - 1) + width, True)
        if not end.one.on_device:
            self._reject(f"cudaMemset of {end.name}, memory of the host", "write memset")
        end.check_room()
        for row in range(height):
            self._device.fill(end.one, end.offset + row * pitch, width, value & 255)
        if size == end.one.size:
            end.one.garbage = None
        where, seconds = self._streams.stream(stream), COPY_START / 4 + size / MEMORY
        operation = self._submit(("memset", f"{end.name} set"), where, size, seconds)
        self._run.races.see(end.one, end.offset, end.count, operation, True)
        self._heap.in_use(end.one, end.offset, end.count, operation, True)

    # --- the C library --------------------------------------------------------------------

    @provides("memcpy", "memmove")
    def memcpy(self, to: int, source: int, count: int) -> int:
        self._transfer(CopyRequest(to, source, count, 0))
        return to

    @provided
    def memset(self, pointer: int, value: int, count: int) -> int:
        if count:
            Span(self._heap, 0, pointer, count, True).check_room()
        self._heap.store_bytes(pointer, bytes([value & 255]) * count)
        return pointer

    @provided
    def memcmp(self, a: int, b: int, count: int) -> int:
        left, right = self._heap.load_bytes(a, count), self._heap.load_bytes(b, count)
        return (left > right) - (left < right)

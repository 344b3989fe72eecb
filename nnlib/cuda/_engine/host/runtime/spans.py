"""The bytes that a call is given by a pointer and a count. Lesson 01."""

from __future__ import annotations

from ..lowering.writer import CallSite
from .address_space import Allocation
from .heap import Heap


class Span:
    """`count` bytes of an allocation. place: which argument of the call leads there; element: bytes of what it points
    to."""

    def __init__(
        self, heap: Heap, site: CallSite, place: int, address: int, count: int, writes: bool
    ) -> None:
        report = heap.mistakes.report
        self.heap, self.site, self.count, self.writes = heap, site, count, writes
        self.verb = "written" if writes else "read"
        shown = site.names[place] or ("the target" if writes else "the source")
        if not address:
            report(
                f"{site.called}: {shown} is a null pointer", "allocate the memory first", at=site.at
            )
        one, self.offset = heap.find(address)
        if one is None:
            report(
                f"{site.called}: {shown} points nowhere", "allocate the memory first", at=site.at
            )
        self.one: Allocation = one
        self.name = one.name or shown
        self.element = site.elements[place]
        if one.freed:
            heap.gone(one, self.verb, site.at)
        if one.side == "text" and writes:
            report(
                "a text in quotes cannot be changed",
                'make an array of it: char text[] = "...";',
                at=site.at,
            )

    def check_room(self) -> None:
        """All bytes must lie in the allocation."""
        one, report, at = self.one, self.heap.mistakes.report, self.site.at
        room = one.size - self.offset
        if 0 <= self.offset and self.count <= room:
            return
        has = f"{self.name} has {one.size:,} bytes" + (f" from line {one.made}" if one.made else "")
        behind = f", {room:,} from there on" if 0 < self.offset <= one.size else ""
        if self.element > 1 and self.count == one.size * self.element:
            report(
                f"{self.count:,} bytes are {self.verb}, but {has}: bytes and elements are confused",
                f"in line {one.made}, write n * sizeof(...): its elements have {self.element} bytes each"
                if one.asked_in_elements
                else "sizeof is in the number twice",
                at=at,
            )
        if self.offset < 0 or self.offset > one.size:
            where = (
                f"{-self.offset:,} before its start"
                if self.offset < 0
                else f"{-room:,} behind its end"
            )
            report(
                f"{self.count:,} bytes are {self.verb} outside of {self.name}: {where}",
                "check what is added to the pointer",
                has,
                at,
            )
        report(
            f"{self.count:,} bytes are {self.verb}, past the end of {self.name}",
            "compare the number of bytes with what was allocated",
            f"{has}{behind}",
            at,
        )

"""The bytes that a call is given by a pointer and a count. Lesson 01."""

from __future__ import annotations

from .address_space import Allocation
from .heap import Heap


class Span:
    """A range of `count` bytes of an allocation that a call uses.

    place: which argument of the call leads there. element: bytes of what that argument points to.
    """

    def __init__(self, heap: Heap, place: int, address: int, count: int, writes: bool) -> None:
        site = heap.mistakes.site
        self._reject, self.count, self.writes = heap.mistakes.reject, count, writes
        self.verb = "written" if writes else "read"
        shown = site.names[place] or ("the target" if writes else "the source")
        if not address:
            self._reject(f"{site.called}: {shown} is a null pointer", "allocate the memory first")
        one, self.offset = heap.find(address)
        if one is None:
            self._reject(f"{site.called}: {shown} points nowhere", "allocate the memory first")
        self.one: Allocation = one
        self.name = one.name or shown
        self.element = site.elements[place]
        if one.freed:
            heap.gone(one, self.verb, site.at)
        if one.side == "text" and writes:
            self._reject(
                "a text in quotes cannot be changed", 'make an array of it: char text[] = "...";'
            )

    def check_room(self) -> None:
        """Report bytes that do not lie in the allocation."""
        one = self.one
        room = one.size - self.offset
        if self.offset >= 0 and self.count <= room:
            return
        has = f"{self.name} has {one.size:,} bytes" + (f" from line {one.made}" if one.made else "")
        behind = f", {room:,} from there on" if 0 < self.offset <= one.size else ""
        if self.element > 1 and self.count == one.size * self.element:
            self._reject(
                f"{self.count:,} bytes are {self.verb}, but {has}: bytes and elements are confused",
                f"in line {one.made}, write n * sizeof(...): its elements have {self.element} bytes each"
                if one.asked_in_elements
                else "sizeof is in the number twice",
            )
        if self.offset < 0 or self.offset > one.size:
            where = (
                f"{-self.offset:,} before its start"
                if self.offset < 0
                else f"{-room:,} behind its end"
            )
            self._reject(
                f"{self.count:,} bytes are {self.verb} outside of {self.name}: {where}",
                "check what is added to the pointer",
                has,
            )
        self._reject(
            f"{self.count:,} bytes are {self.verb}, past the end of {self.name}",
            "compare the number of bytes with what was allocated",
            f"{has}{behind}",
        )

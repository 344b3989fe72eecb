"""new and delete, destructors, and the memory of std::vector and std::string. Lesson 01."""

from __future__ import annotations

import struct
import sys
from collections.abc import Callable, Sequence
from typing import TypeVar

from ..runtime.ending import LabelJump, Thrown
from ..runtime.state import RunState
from ..runtime.unwritten import fresh
from .registry import LibraryPart

T = TypeVar("T")
STANDARD = frozenset(
    [
        "exception",
        "bad_alloc",
        "runtime_error",
        "logic_error",
        "range_error",
        "overflow_error",
        "underflow_error",
        "invalid_argument",
        "out_of_range",
        "length_error",
        "domain_error",
    ]
)
# destructors: bytes from the beginning, and the function
Endings = Sequence[tuple[int, Callable[[int], None]]]


class Objects(LibraryPart):
    """C++'s objects, as the generated code makes and ends them."""

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self._outside = sys.exc_info()[1]  # what Python is handling where the run begins

    def new(self, count: int, size: int, array: bool, zeroed: bool) -> int:
        if count < 0 or count * size > 1 << 32:
            self._reject(f"new of {count:,} elements", "the number is not what was meant")
        one = self._heap.claim(
            self._site.result,
            count * size,
            "new",
            self._mistakes.line(),
            None if zeroed else lambda: fresh(count * size),
        )
        one.array = array
        self._heap.made(one)
        return one.address

    def delete(self, address: int, array: bool, size: int = 1, endings: Endings = ()) -> None:
        """Delete one object or an array. size: bytes of one object. endings: the destructors of each."""
        verb, site = "delete[]" if array else "delete", self._site
        if address:
            one = self._heap.freed(address, verb, ("new",))
            if one.array != array and one.side == "new":
                what = f"{verb} of what new{'[]' * one.array} made"
                instead = f"write {'delete' if array else 'delete[]'}"
                if endings:
                    self._reject(what, instead)
                self._mistakes.note(f"line {self._mistakes.line()}: {what}; {instead}")
            for start in reversed(range(address, address + one.size, size)) if endings else ():
                _end(start, endings)
            self._mistakes.site = site  # destructors make calls of their own
            self._heap.free(one)

    def exception(self, kinds: tuple[str, ...], content: bytes) -> Thrown:
        """Return the exception that throw raises for a value of these bytes."""
        size = len(content)
        address = self._heap.claim("an exception", size, "variable", 0, fresh(size)).address
        self._heap.store_bytes(address, content)
        return Thrown(address, kinds)

    def terminated(self, thrown: Thrown) -> str:
        """Return what a program prints that does not catch an exception."""
        name = "std::" * (thrown.kinds[0] in STANDARD) + thrown.kinds[0]
        said = f"terminate called after throwing an instance of '{name}'\n"
        text = (
            self._heap.load_value(thrown.address + 8, "q") if thrown.kinds[-1] == "exception" else 0
        )
        return said + (f"  what():  {self._heap.text(text)}\n" if text else "")

    def virtual(self, pairs: tuple[tuple[int, T], ...], kind: int) -> T:
        """Return the entry for the struct that an object says it is."""
        known = dict(pairs)
        if kind not in known:
            self._report(
                "this object was never constructed, and a virtual function of it is called",
                "make it with new, or as a variable",
            )
        return known[kind]

    def end_objects(self, scope: dict[int, Endings]) -> None:
        """End the objects of a block, the last first, unless the program ends at once."""
        error = sys.exc_info()[1]
        if error is None or error is self._outside or isinstance(error, LabelJump | Thrown):
            for address, endings in reversed(scope.items()):
                _end(address, endings)

    def copy_vector(self, address: int, element: int, ending: int) -> bytes:
        """Copy a std::vector or std::string by value, with memory of its own. ending: bytes of 0 behind it."""
        first, count, _ = struct.unpack("<qQQ", self._heap.load_bytes(address, 24))
        one = self._heap.claim("a vector", count * element + ending, "malloc", 0)
        one.internal = True
        if count:
            self._heap.store_bytes(one.address, self._heap.load_bytes(first, count * element))
        return struct.pack("<qQQ", one.address, count, count)

    def free_container(self, address: int) -> None:
        """Free the memory of a std::vector or std::string that ends."""
        one, _ = self._heap.find(self._heap.load_value(address, "q"))
        if one is not None and one.internal and not one.freed:
            self._heap.release(one, self._mistakes.position().line)


def _end(address: int, endings: Endings) -> None:
    for offset, destructor in endings:
        destructor(address + offset)

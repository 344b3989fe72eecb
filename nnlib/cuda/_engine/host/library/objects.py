"""C++ at run time on the host: new and delete, destructors, exceptions, virtual calls, memory of std::vector and std::string.

Lowering turns each of them into a call of a method of `Objects`. Addresses are plain numbers in the program's heap.
"""

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
# The destructors of an object: each with the byte offset of the part that it destroys, and called with its address
Destructors = Sequence[tuple[int, Callable[[int], None]]]


class Objects(LibraryPart):
    """What generated code calls to construct and destroy objects, to throw, and to find virtual functions."""

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self._outer_error = sys.exc_info()[1]  # what Python was handling before the run

    def new(self, count: int, size: int, array: bool, zeroed: bool) -> int:
        """Allocate `count` elements of `size` bytes and return their address. array: for new[]. zeroed: filled with 0."""
        if count < 0 or count * size > 1 << 32:
            self._reject(f"new of {count:,} elements", "the number is not what was meant")
        allocation = self._heap.claim(
            self._site.result,
            count * size,
            "new",
            self._mistakes.line(),
            None if zeroed else lambda: fresh(count * size),
        )
        allocation.array = array
        self._heap.made(allocation)
        return allocation.address

    def delete(
        self, address: int, array: bool, size: int = 1, destructors: Destructors = ()
    ) -> None:
        """Delete one object or an array. size: bytes of one object. destructors: those of one object."""
        verb, site = "delete[]" if array else "delete", self._site
        if address:
            freed = self._heap.freed(address, verb, ("new",))
            if freed.array != array and freed.side == "new":
                what = f"{verb} of what new{'[]' * freed.array} made"
                instead = f"write {'delete' if array else 'delete[]'}"
                if destructors:
                    self._reject(what, instead)
                self._mistakes.note(f"line {self._mistakes.line()}: {what}; {instead}")
            if destructors:
                for start in reversed(range(address, address + freed.size, size)):
                    _destroy(start, destructors)
            self._mistakes.site = site  # destructors make calls of their own
            self._heap.free(freed)

    def exception(self, kinds: tuple[str, ...], content: bytes) -> Thrown:
        """Return the Python exception for `throw`. kinds: names of the value's type and of its bases. content: its bytes."""
        size = len(content)
        address = self._heap.claim("an exception", size, "variable", 0, fresh(size)).address
        self._heap.store_bytes(address, content)
        return Thrown(address, kinds)

    def terminated(self, thrown: Thrown) -> str:
        """Return the message of std::terminate for an exception that nothing catches."""
        name = "std::" * (thrown.kinds[0] in STANDARD) + thrown.kinds[0]
        message = f"terminate called after throwing an instance of '{name}'\n"
        # A std::exception stores the address of what() behind the 8 bytes of its type
        text = (
            self._heap.load_value(thrown.address + 8, "q") if thrown.kinds[-1] == "exception" else 0
        )
        return message + (f"  what():  {self._heap.text(text)}\n" if text else "")

    def virtual(self, pairs: tuple[tuple[int, T], ...], kind: int) -> T:
        """Look up an object's dynamic type. pairs: (type, entry) of every possible type. kind: the type stored in the object."""
        entries = dict(pairs)
        if kind not in entries:
            self._report(
                "this object was never constructed, and a virtual function of it is called",
                "make it with new, or as a variable",
            )
        return entries[kind]

    def end_objects(self, scope: dict[int, Destructors]) -> None:
        """Destroy the objects of a block, the last first. scope: their addresses, each with its destructors.

        This runs in a `finally`. When the program stops with an error or exit(), no destructor runs, as in C++.
        """
        error = sys.exc_info()[1]
        if error is None or error is self._outer_error or isinstance(error, LabelJump | Thrown):
            for address, destructors in reversed(scope.items()):
                _destroy(address, destructors)

    def copy_vector(self, address: int, element: int, ending: int) -> bytes:
        """Copy the elements of a std::vector or std::string to new memory and return the bytes of the copy.

        address: of the container, which is a pointer, a size and a capacity. element: bytes of an element. ending: bytes
        of 0 behind the elements, 1 for a string.
        """
        first, count, _ = struct.unpack("<qQQ", self._heap.load_bytes(address, 24))
        copy = self._heap.claim("a vector", count * element + ending, "malloc", 0)
        copy.internal = True
        if count:
            self._heap.store_bytes(copy.address, self._heap.load_bytes(first, count * element))
        return struct.pack("<qQQ", copy.address, count, count)

    def free_container(self, address: int) -> None:
        """Free the elements of a std::vector or std::string whose lifetime ends. address: of the container."""
        elements, _ = self._heap.find(self._heap.load_value(address, "q"))
        if elements is not None and elements.internal and not elements.freed:
            self._heap.release(elements, self._mistakes.position().line)


def _destroy(address: int, destructors: Destructors) -> None:
    for offset, destructor in destructors:
        destructor(address + offset)

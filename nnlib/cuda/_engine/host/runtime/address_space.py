"""The memory of a running program: allocations, and addresses that know which one they belong to.

An address is (number of the allocation) << SHIFT plus an offset in bytes, so a pointer is a plain int that can be kept,
cast and compared as in C, and one that leaves its allocation is noticed.
"""

from __future__ import annotations

import struct
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..card import TOTAL_MEMORY
from .unwritten import suspects, unwritten

# Even an unsigned int that went below 0 leads to no other allocation
SHIFT, OFFSET = (37, (1 << 37) - 1)
LIMIT = 4 << 30  # bytes of all of the host's allocations together; the GPU has as much as it says
EACH = 2048  # bytes that an allocation of the host takes beside its own
REMEMBERED = 100_000  # allocations that are gone
HOST_SIDE = ("malloc", "new", "variable", "text", "pinned", "managed", "managed symbol")
MAKERS = {
    "malloc": "malloc",
    "new": "new",
    "pinned": "cudaMallocHost",
    "managed": "cudaMallocManaged",
    "device": "cudaMalloc",
    "text": "a text",
}
DEVICE_SIDE = ("device", "managed", "pinned", "symbol", "managed symbol")  # what a kernel can reach


class Lost(Exception):
    """An access outside of what may be read or written; the heap says what it is. block: bytes, no element."""

    def __init__(self, address: int, size: int, writes: bool, block: bool = False) -> None:
        super().__init__(address)
        self.address, self.size, self.writes, self.block = address, size, writes, block


@dataclass(eq=False)
class Allocation:
    """A piece of memory.

    side: see above. made, freed: lines of the program. written: of device memory, which bytes have a value.
    asked_in_elements: its size was given without sizeof. internal: of a library, no leak of the user's.
    """

    number: int
    name: str
    side: str
    size: int
    data: Any
    made: int
    freed: int = 0
    written: np.ndarray | None = None
    asked_in_elements: bool = False
    array: bool = False  # made by new[]
    internal: bool = False
    changes: int = 0  # operations of the GPU, or copies, that may have changed it
    registered: str = ""  # what it was before cudaHostRegister
    # The line of the last copy into it from memory that was never written, and the name of that memory
    copied_unwritten: tuple[int, str] | None = None
    # The fault of a kernel that computed its contents from memory that was never written
    garbage: Any = None
    # The operations that still use it, by stream: see Heap.in_use
    pending: dict[Any, deque[Any]] = field(default_factory=dict)
    # (begin, end, line, source): bytes copied in that line from a source that was never written
    hollow: list[tuple[int, int, int, Allocation]] = field(default_factory=list)

    @property
    def address(self) -> int:
        return self.number << SHIFT

    @property
    def on_host(self) -> bool:
        return self.side in HOST_SIDE

    @property
    def on_device(self) -> bool:
        return self.side in DEVICE_SIDE

    @property
    def maker(self) -> str:
        """Return the call or declaration that allocated this memory, in the program's words."""
        return MAKERS.get(self.side, "its declaration")

    def mark(self, start: int, length: int) -> None:
        """Mark these bytes as written."""
        self.changes += 1
        if self.written is not None:
            self.written[start : start + length] = True
            self.settle()

    def settle(self) -> None:
        """Stop noting which bytes have a value, if all have one."""
        if self.written is not None and self.written.all():
            self.written = None

    def fill(self, start: int, length: int) -> None:
        """Mark these bytes as no longer hollow."""
        self.hollow = [
            part for part in self.hollow if part[1] <= start or start + length <= part[0]
        ]

    def lacks(self, start: int, length: int) -> int:
        """Return how many of these bytes are unwritten."""
        if self.written is None:
            return 0
        return length - int(np.count_nonzero(self.written[start : start + length]))


class AddressSpace:
    """All allocations.

    readable, writable: what plain loads and stores may touch, by number. resident: what native code may touch, and its row of
    their table. of_device: those that a kernel can reach.
    """

    def __init__(self) -> None:
        self.allocations: dict[int, Allocation] = {}
        self.readable: dict[int, memoryview] = {}
        self.writable: dict[int, memoryview] = {}
        self.resident: dict[int, np.ndarray] = {}
        self.of_device: dict[int, Allocation] = {}
        self._used = {"host": 0, "device": 0}
        self._gone: deque[int] = deque()
        self._next = 16

    def allocate(
        self, name: str, size: int, side: str, line: int, data: Any = None
    ) -> Allocation | None:
        """Allocate memory; return None where there is not enough. data: the bytes, or what makes them."""
        place = "device" if side == "device" else "host"
        taken = size if side == "device" else size + EACH
        if self._used[place] + taken > (TOTAL_MEMORY if side == "device" else LIMIT):
            return None
        number, self._next = self._next, self._next + 1
        if data is None:
            data = np.zeros(size, np.uint8)
        elif callable(data):
            data = data()
        found = self.allocations[number] = Allocation(number, name, side, size, data, line)
        if side == "device":
            found.written = np.zeros(size, bool)
        self._used[place] += taken
        if found.on_host:
            self.open(found)
        if found.on_device:
            self.of_device[number] = found
        return found

    def open(self, allocation: Allocation) -> None:
        """Let the host use an allocation by plain loads and stores."""
        self.readable[allocation.number] = self.writable[allocation.number] = memoryview(
            allocation.data
        )
        if allocation.side == "text":
            del self.writable[allocation.number]

    def close(self, allocation: Allocation) -> None:
        """Check every use of an allocation by the host from now on."""
        self.readable.pop(allocation.number, None)
        self.writable.pop(allocation.number, None)
        row = self.resident.pop(allocation.number, None)
        if row is not None:
            row[0] = -1

    def release(self, allocation: Allocation, line: int = -1) -> None:
        """Release an allocation; that it existed is remembered for a while."""
        self.close(allocation)
        self.of_device.pop(allocation.number, None)
        if allocation.side == "device":
            self._used["device"] -= allocation.size
        else:
            self._used["host"] -= allocation.size + EACH
        allocation.freed, allocation.data = line, None
        self._gone.append(allocation.number)
        if len(self._gone) > REMEMBERED:
            del self.allocations[self._gone.popleft()]

    def revive(self, allocation: Allocation, data: Any) -> None:
        """Allocate memory that was released again, at the same address."""
        self._gone.remove(allocation.number)
        allocation.freed, allocation.data = 0, data
        allocation.written = np.zeros(allocation.size, bool)
        self._used["device"] += allocation.size

    def find(self, address: int) -> tuple[Allocation | None, int]:
        """Return the allocation of an address and the offset in it, negative for an address before the allocation."""
        number, offset = address >> SHIFT, address & OFFSET
        if offset >> SHIFT - 1 and number + 1 in self.allocations:
            return self.allocations[number + 1], offset - OFFSET - 1
        return self.allocations.get(number), offset

    # --- access ---------------------------------------------------------------------------

    def rescue(self, lost: Lost) -> memoryview:
        """Return the bytes in which an access outside of plain memory is right after all; raise Lost where it is not."""
        raise lost

    def without_value(self, address: int, size: int, value: Any) -> Any:
        """Return a value that looks unwritten, or raise an error where it is."""
        return value

    def accessors(self, code: str) -> tuple[Callable[..., Any], ...]:
        """Return load(address), store(address, value) and raw(address) for values of one of struct's types.

        raw does not ask whether there is a value: it is for one that is only copied.
        """
        form, rescue, without_value = (
            struct.Struct("<" + code.replace("?", "B")),
            self.rescue,
            self.without_value,
        )
        unpack, pack, size, letter_suspects = (
            form.unpack_from,
            form.pack_into,
            form.size,
            suspects(form.format[1:]),
        )
        readable, writable = self.readable, self.writable

        def raw(address: int) -> Any:
            try:
                return unpack(readable[address >> SHIFT], address & OFFSET)[0]
            except (KeyError, struct.error):
                return unpack(rescue(Lost(address, size, False)), address & OFFSET)[0]

        def load(address: int) -> Any:
            try:
                value = unpack(readable[address >> SHIFT], address & OFFSET)[0]
            except (KeyError, struct.error):
                value = unpack(rescue(Lost(address, size, False)), address & OFFSET)[0]
            return without_value(address, size, value) if value in letter_suspects else value

        def store(address: int, value: Any) -> Any:
            try:
                pack(writable[address >> SHIFT], address & OFFSET, value)
            except (KeyError, struct.error):
                pack(rescue(Lost(address, size, True)), address & OFFSET, value)
            return value

        def store_part(address: int, value: Any) -> Any:
            """Store part of a word, whose other bytes may be padding that is never written."""
            store(address, value)
            if value in letter_suspects:
                one, offset = self.find(address)
                if one is not None and unwritten(one.data, offset, size):
                    one.data[offset // 4 * 4 + (offset + size) % 4] = 0
            return value

        def load_flag(address: int) -> bool:
            return bool(load(address))

        return (load_flag if code == "?" else load), (store_part if size < 4 else store), raw

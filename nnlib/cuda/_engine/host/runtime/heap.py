"""The memory of a run, whose every access is right or reported as a mistake. Lesson 01."""

from __future__ import annotations

import struct
from collections import deque
from collections.abc import Sequence
from itertools import chain
from typing import Any, NoReturn

import numpy as np

from ...language.tree import Position
from .address_space import REMEMBERED, SHIFT, AddressSpace, Allocation, Lost
from .mistakes import Mistakes
from .schedule import Operation
from .unwritten import PATTERN, fresh, unwritten

REFUSED = 1_000  # allocations for which there is no room


class Heap(AddressSpace):
    """The program's memory. history: for `Program.memory()`: line, what happened to which allocation."""

    def __init__(self, mistakes: Mistakes) -> None:
        super().__init__()
        self.mistakes, self._report, self._reject = mistakes, mistakes.report, mistakes.reject
        self.history: list[tuple[int, str, Allocation]] = []
        self._refused = 0  # allocations
        self._busy: dict[Allocation, None] = {}  # those that the GPU may still change
        self._texts: dict[str, int] = {}

    # --- allocations ----------------------------------------------------------------------

    def allocate(
        self, name: str, size: int, side: str, line: int, data: Any = None
    ) -> Allocation | None:
        """Allocate memory; as in C, return None where there is not enough. Stop a program that ignores this."""
        one = super().allocate(name, size, side, line, data)
        self._refused += one is None
        if self._refused > REFUSED:
            self._report(
                "memory is allocated again and again, but there is no more",
                "does the loop end, and does each iteration free what it allocates?",
            )
        return one

    def claim(self, name: str, size: int, side: str, line: int, data: Any = None) -> Allocation:
        """Allocate memory; report a mistake where there is no room."""
        one = self.allocate(name, size, side, line, data)
        if one is None:
            self._report(
                f"{size:,} bytes for {name} are more than a program gets here", "use smaller arrays"
            )
        return one

    def enter(self, size: int, name: str) -> int:
        """Allocate a variable of a function that begins; return its address."""
        if size >> 63:
            self._report(
                f"{name} has fewer than 0 elements", "print the number before: what computes it?"
            )
        return self.claim(name, size, "variable", 0, lambda: fresh(size)).address

    def leave(self, *addresses: int) -> None:
        for address in addresses:
            self.release(self.allocations[address >> SHIFT])

    def check_size(self, size: int) -> None:
        """Report a request for a number of bytes that is negative or impossibly large."""
        if size >> 62:
            self._reject(
                f"{self.mistakes.site.called} of {size:,} bytes",
                "the size is negative, or no number of bytes",
            )

    def made(self, one: Allocation, in_bytes: bool = True) -> None:
        """Note that a call of the program has allocated memory. in_bytes: its size may be a number of bytes."""
        one.asked_in_elements, one.internal = not in_bytes, not self.mistakes.site.at.column
        self.remember(one, "made")

    def remember(self, one: Allocation, what: str) -> None:
        """Remember an event for `Program.memory()`."""
        if not one.internal and len(self.history) < REMEMBERED:
            self.history.append((self.mistakes.line(), what, one))

    def freed(self, address: int, verb: str, sides: Sequence[str]) -> Allocation:
        """Return the allocation that is to be freed."""
        one, offset = self.find(address)
        if one is None:
            self._reject(
                f"{verb} of an address that was never allocated",
                "pass what the allocation returned",
            )
        name = one.name or self.mistakes.site.names[0] or "memory"
        if one.freed:
            self._reject(f"{name} is freed twice: first in line {one.freed}", "free it once")
        if one.side not in sides:
            right = {
                "malloc": "free",
                "new": "delete[]" if one.array else "delete",
                "pinned": "cudaFreeHost",
                "device": "cudaFree",
                "managed": "cudaFree",
            }.get(one.side)
            what = f"{verb} of {name}, which is made by {one.maker}"
            if {one.side, *sides} != {"malloc", "new"} or verb == "realloc":
                self._reject(
                    what, f"write {right}" if right else "only what was allocated can be freed"
                )
            self.mistakes.note(f"line {self.mistakes.line()}: {what}; write {right}")
        if offset:
            self._reject(
                f"{verb} of an address {offset:,} bytes behind the beginning of {name}",
                "pass the pointer as the allocation returned it",
            )
        return one

    def free(self, one: Allocation) -> None:
        self.remember(one, "freed")
        self.release(one, self.mistakes.line())

    # --- bytes ----------------------------------------------------------------------------

    def load_bytes(self, address: int, size: int, block: bool = True) -> bytes:
        """Load bytes. block: they are no element of an array."""
        view, offset = self._view(address, size, False, block)
        return bytes(view[offset : offset + size])

    def store_bytes(self, address: int, value: bytes, block: bool = True) -> bytes:
        view, offset = self._view(address, len(value), True, block)
        view[offset : offset + len(value)] = value
        return value

    def _view(
        self, address: int, size: int, writes: bool, block: bool = False
    ) -> tuple[memoryview, int]:
        """Return the memory in which these bytes lie, and the offset in it."""
        one, offset = self.find(address)
        view = (self.writable if writes else self.readable).get(address >> SHIFT)
        if one is None or view is None or offset < 0 or offset + size > one.size:
            view = self.rescue(Lost(address, size, writes, block))
        return view, offset

    def load_value(self, address: int, letter: str) -> Any:
        """Load a number or an address of one of struct's types."""
        form = struct.Struct(f"<{letter}")
        return form.unpack(self.load_bytes(address, form.size))[0]

    def store_value(self, address: int, letter: str, value: Any) -> None:
        self.store_bytes(address, struct.pack(f"<{letter}", value))

    def clear(self, address: int, size: int) -> None:
        self.store_bytes(address, bytes(size))

    # --- texts ----------------------------------------------------------------------------

    def keep(self, content: bytes) -> int:
        """Store a text that may not be changed; return its address."""
        return self.claim(
            "a text", len(content), "text", 0, np.frombuffer(bytearray(content), np.uint8)
        ).address

    def constant_text(self, text: str) -> int:
        """Return the address of a text of the library's."""
        if text not in self._texts:
            self._texts[text] = self.keep(text.encode() + b"\0")
        return self._texts[text]

    def characters(self, address: int) -> bytes:
        """Load bytes up to the 0 that ends them."""
        view, offset = self._view(address, 1, False)
        found = bytes(view[offset:]).partition(b"\0")[0]
        at = found.find(PATTERN)
        if at >= 0 and (offset + at) % 4 == 0:
            name = self.allocations[address >> SHIFT].name or "memory"
            self._report(
                f"{name} is read as a text, but nobody has written it from byte {offset + at:,} on",
                "a text ends with a byte of 0: write one behind its last letter",
            )
        return found

    def text(self, address: int) -> str:
        """Load the characters up to the 0."""
        return self.characters(address).decode("utf-8", "replace")

    # --- mistakes -------------------------------------------------------------------------

    def rescue(self, lost: Lost) -> memoryview:
        """Return the memory of an access that is right after all; report the mistake where it is not."""
        one, offset = self.find(lost.address)
        verb = "written" if lost.writes else "read"
        if one is None:
            if 0 <= lost.address < 1 << 32:
                self._report(
                    f"{verb} through a null pointer",
                    "did malloc, or what should have set it, come before?",
                )
            self._report(
                f"{verb} through a pointer that points nowhere", "give the pointer a value first"
            )
        if one.freed:
            self.gone(one, verb)
        self._check_side(one, lost.writes)
        if offset < 0 or offset + lost.size > one.size:
            self._outside(one, offset, lost, verb)
        self.wait_is_missing(one, offset, lost.size, lost.writes)
        for start, end, line, source in [] if lost.writes else one.hollow:
            if offset < end and start < offset + lost.size:
                self._report(
                    f"{one.name or 'memory'} is read, but it was copied in line {line} from {source.name or 'memory'}, "
                    "which nobody had written",
                    "did the kernel run, and does it write there?",
                    f"{source.maker} in line {source.made} leaves it with whatever was there before",
                )
        if lost.writes and one.hollow:
            one.fill(offset, lost.size)
            self._reopen(one)
        return memoryview(one.data)

    def without_value(self, address: int, size: int, value: Any) -> Any:
        one, offset = self.find(address)
        if one is None or one.data is None or not unwritten(one.data, offset, size):
            return value
        name = one.name or "memory"
        if one.size == size:
            self._report(
                f"{name} is read, but it has no value yet",
                f"give it one where it is declared: {name} = 0"
                if one.side == "variable"
                else "write to it first",
            )
        what = (
            f"{name}[{offset // size}] is"
            if one.side != "variable"
            else (f"{size} bytes of {name}, from byte {offset:,} on, are")
        )
        self._report(
            f"{what} read, but nobody has written {'it' if one.side != 'variable' else 'them'}",
            f"{one.maker} leaves it with whatever was there before: give it a value first",
            f"{name} is made in line {one.made}" if one.made else "",
        )

    def _check_side(self, one: Allocation, writes: bool) -> None:
        """Report an access that the host cannot make to such memory."""
        name = one.name or "memory"
        if not one.on_host:
            self._report(
                f"{name} is memory of the GPU: the host cannot {'write' if writes else 'read'} it",
                f"copy it: cudaMemcpy({('d' * writes and name) or 'host'}, "
                f"{'host' if writes else name}, bytes, "
                f"cudaMemcpy{'HostToDevice' if writes else 'DeviceToHost'})",
                f"it is made by {one.maker} in line {one.made}",
            )
        if one.side == "text" and writes:
            self._report(
                "a text in quotes cannot be changed", 'make an array of it: char text[] = "...";'
            )

    def _outside(self, one: Allocation, offset: int, lost: Lost, verb: str) -> NoReturn:
        """Report an access beyond the ends of its allocation."""
        name = one.name or "memory"
        if lost.block:
            self._report(
                f"{lost.size:,} bytes are {verb} from byte {offset:,} of {name} on, which has {one.size:,}",
                "compare with what was allocated; a text has a byte of 0 at its end",
            )
        count, index = one.size // lost.size, offset // lost.size
        unit = {1: "bytes"}.get(lost.size, f"elements of {lost.size} bytes")
        self._report(
            f"{name}[{index}] is {verb}, but {name} has {count:,} {unit}",
            "work out by hand which index the last iteration of the loop uses"
            if offset >= 0
            else "the index is negative",
            f"it has {one.size:,} bytes, since line {one.made}" if one.made else "",
        )

    def gone(self, one: Allocation, verb: str, at: Position | None = None) -> NoReturn:
        """Report a use of memory that has been freed."""
        if one.freed < 0:
            self._report(
                f"{one.name or 'a variable'} is {verb}, but its function has ended",
                "memory that outlives a function comes from malloc or new",
                at=at,
            )
        self._report(
            f"{one.name or 'memory'} is {verb} after it was freed in line {one.freed}",
            "free it after its last use",
            at=at,
        )

    # --- what the GPU still works on ------------------------------------------------------

    def in_use(
        self, one: Allocation, start: int, length: int, operation: Operation, written: bool
    ) -> None:
        """Note that the GPU reads or writes these bytes, which the host may see, too, until the operation is done."""
        if not one.on_host:
            return
        one.pending.setdefault(operation.stream, deque()).append(
            (start, start + length, operation, written)
        )
        self._busy[one] = None
        self.close(one)

    def wait_is_missing(self, one: Allocation, offset: int, size: int, writes: bool) -> None:
        """Report a use of what an operation that is not done will change, or still reads."""
        for start, end, operation, written in chain.from_iterable(one.pending.values()):
            if operation.done or end <= offset or offset + size <= start or not (written or writes):
                continue
            what = operation.words
            where = f"of line {operation.line} in {operation.stream.name}"
            does = "writes it" if written else "reads it"
            self._report(
                f"{one.name or 'memory'} is {'written' if writes else 'read'} before {what} {where} is done",
                "wait first: cudaDeviceSynchronize(), or cudaStreamSynchronize(stream)",
                f"{what} {does}, and the host does not wait for it by itself",
            )

    def settle(self) -> None:
        """Forget operations that are done, after the host has waited. A stream does one thing after the other."""
        for one in list(self._busy):
            for stream, entries in list(one.pending.items()):
                while entries and entries[0][2].done:
                    entries.popleft()
                if not entries:
                    del one.pending[stream]
            self._reopen(one)
            if not one.pending:
                del self._busy[one]

    def _reopen(self, one: Allocation) -> None:
        """Allow plain access again, if nothing is wrong with it any more."""
        if not one.pending and not one.hollow and not one.freed:
            self.open(one)

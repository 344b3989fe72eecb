"""scanf and its kin, and what streams of C++ read with. Lesson 01."""

from __future__ import annotations

import struct
from collections.abc import Sequence

from ..runtime.files import STDIN
from ..runtime.scanning import Scanned, scanned, unknown
from .registry import LibraryPart, provided, provides

_AHEAD = 1 << 12  # bytes of a file that one call of scanf looks at
_SPACE = b" \t\n\r\v\f"


class Reader(LibraryPart):
    """Reads values out of texts and files. A program has no keyboard: its standard input is at its end."""

    @provided
    def sscanf(self, text: int, form: int, *pointers: int) -> int:
        return self._store(self._scanned(form, self._heap.characters(text)), pointers)

    @provides("scanf", "fscanf")
    def from_file(self, *given: int) -> int:
        file, form, *pointers = given if self._site.called == "fscanf" else (STDIN, *given)
        stream = self._files.opened(file)
        content = b"" if stream is None or not stream.readable() else stream.read(_AHEAD)
        result = self._scanned(form, content)
        if stream is not None and content:
            stream.seek(result.consumed - len(content), 1)
        if result.consumed >= len(content):
            self._files.ended.add(file)
        return self._store(result, pointers)

    def _scanned(self, form: int, content: bytes) -> Scanned:
        text = self._heap.text(form)
        if conversion := unknown(text):
            self._report(
                f"scanf does not know {conversion} of {text!r}",
                "it reads %d %i %u %x %o %f %lf %e %g %s %c %p %n and %[...]",
            )
        return scanned(text, content)

    def _store(self, result: Scanned, pointers: Sequence[int]) -> int:
        """Put the values where the pointers point; how many there were, or -1 at the end of the text."""
        if len(result.values) > len(pointers):
            self._reject(
                f"{self._site.called} finds more values than it was given places for",
                "pass one address for each % of its text",
            )
        rooms = self._site.elements[len(self._site.elements) - len(pointers) :]
        for (letter, size, value), address, room in zip(
            result.values, pointers, rooms, strict=False
        ):
            if letter not in "sc" and room not in (0, size):
                self._reject(
                    f"{self._site.called} writes {size} bytes for a variable of {room}",
                    "%d is for an int, %f for a float, %lf for a double, %ld for a long",
                )
            if letter in "sc":
                content = value + b"\0" * (letter == "s")
            elif letter == "f":
                content = struct.pack("<f" if size == 4 else "<d", value)
            else:
                content = (value & (1 << 8 * size) - 1).to_bytes(size, "little")
            self._heap.store_bytes(address, content)
        return -1 if result.ended else len(result.values)

    # --- streams of C++ ---------------------------------------------------------------------

    @provides("__text_file")
    def text_file(self, content: int, size: int) -> int:
        """Open a stream in memory, such as a std::stringstream has."""
        return self._files.open_text(self._heap.load_bytes(content, size) if size else b"")

    @provides("__word_of")
    def word_of(self, file: int, until: int, length: int) -> int:
        """Read the next word, or the line up to a character, into memory of its own; return 0 at the end of the file."""
        stream = self._files.opened(file)
        found = bytearray()
        ended = True
        while stream is not None and (byte := stream.read(1)):
            ended = False
            if byte == bytes((until & 255,)) if until >= 0 else byte in _SPACE:
                if until >= 0 or found:
                    if until < 0:
                        stream.seek(-1, 1)
                    break
            else:
                found += byte
        if ended or (until < 0 and not found):
            self._files.ended.add(file)
            return 0
        return self._kept(bytes(found), length)

    @provides("__rest_of")
    def rest_of(self, file: int, length: int) -> int:
        """Return all that was written to a stream in memory."""
        stream = self._files.opened(file)
        assert stream is not None
        place = stream.tell()
        stream.seek(0)
        content = stream.read()
        stream.seek(place)
        return self._kept(content, length)

    def _kept(self, content: bytes, length: int) -> int:
        self._heap.store_value(length, "Q", len(content))
        one = self._heap.claim("a string", len(content) + 1, "malloc", 0)
        one.internal = True
        self._heap.store_bytes(one.address, content + b"\0")
        return one.address

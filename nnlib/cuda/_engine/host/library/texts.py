"""The C library's texts: strlen, strcmp, strcpy and their kin."""

from __future__ import annotations

import os
import string
from collections.abc import Callable

from ..runtime.spans import Span
from ..runtime.state import RunState
from .registry import LibraryPart, provided, provides

_KINDS: dict[str, Callable[[str], bool]] = {
    **{
        f"is{name}": getattr(str, f"is{name}")
        for name in ("digit", "space", "alpha", "alnum", "upper", "lower")
    },
    "ispunct": lambda c: c in string.punctuation,
    "isxdigit": lambda c: c in string.hexdigits,
    "isprint": lambda c: " " <= c <= "~",
}


class Texts(LibraryPart):
    """Functions of texts that end with a byte of 0."""

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self._rest = 0  # where strtok goes on

    @provided
    def strlen(self, text: int) -> int:
        return len(self._heap.characters(text))

    @provides("strcmp", "strncmp", "strcasecmp")
    def compare(self, a: int, b: int, count: int | None = None) -> int:
        left, right = (self._heap.characters(text)[:count] for text in (a, b))
        if self._site.called == "strcasecmp":
            left, right = left.lower(), right.lower()
        return (left > right) - (left < right)

    @provided
    def strcpy(self, to: int, source: int) -> int:
        self._heap.store_bytes(to, self._heap.characters(source) + b"\0")
        return to

    @provided
    def strncpy(self, to: int, source: int, count: int) -> int:
        Span(self._heap, 0, to, count, True).check_room()
        self._heap.store_bytes(to, self._heap.characters(source)[:count].ljust(count, b"\0"))
        return to

    @provides("strchr", "strrchr", "strstr")
    def find(self, text: int, wanted: int) -> int:
        """Find where a character, which may be the 0 at the end, or a text stands first, or last."""
        content = self._heap.characters(text) + b"\0"
        if self._site.called == "strstr":
            found = content.find(self._heap.characters(wanted))
        else:
            search = content.find if self._site.called == "strchr" else content.rfind
            found = search(bytes((wanted & 255,)))
        return text + found if found >= 0 else 0

    @provided
    def strspn(self, text: int, marks: int) -> int:
        found = self._heap.characters(text)
        return len(found) - len(found.lstrip(self._heap.characters(marks)))

    @provided
    def strcspn(self, text: int, marks: int) -> int:
        known = self._heap.characters(marks)
        found = self._heap.characters(text)
        return next((k for k, byte in enumerate(found) if byte in known), len(found))

    @provided
    def strtok(self, text: int, marks: int) -> int:
        """Return the next piece between the marks; with a null text, continue where the last call ended."""
        start = text or self._rest
        if not start:
            return 0
        start += self.strspn(start, marks)
        length = self.strcspn(start, marks)
        if not length:
            self._rest = 0
            return 0
        more = len(self._heap.characters(start)) > length
        if more:
            self._heap.store_bytes(start + length, b"\0")
        self._rest = start + length + 1 if more else 0
        return start

    @provided
    def strerror(self, error: int) -> int:
        return self._heap.constant_text(os.strerror(error))

    @provides(*_KINDS)
    def is_kind(self, character: int) -> int:
        return int(0 <= character < 128 and _KINDS[self._site.called](chr(character)))

    @provides("toupper", "tolower")
    def other_case(self, character: int) -> int:
        letter = chr(character) if 0 <= character < 128 else ""
        changed = letter.upper() if self._site.called == "toupper" else letter.lower()
        return ord(changed) if changed else character

    @provided
    def strcat(self, to: int, source: int) -> int:
        self._heap.store_bytes(
            to + len(self._heap.characters(to)), self._heap.characters(source) + b"\0"
        )
        return to

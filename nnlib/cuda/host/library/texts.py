"""The C library's texts: strlen, strcmp, strcpy and their kin."""

from __future__ import annotations

from nnlib.cuda.host.library.registry import provides
from nnlib.cuda.host.lowering.writer import CallSite
from nnlib.cuda.host.runtime.heap import Heap
from nnlib.cuda.host.runtime.spans import Span


class Texts:
    """Functions of texts that end with a byte of 0."""

    def __init__(self, heap: Heap) -> None:
        self._heap = heap

    @provides()
    def strlen(self, site: CallSite, text: int) -> int:
        return len(self._heap.characters(text))

    @provides()
    def strcmp(self, site: CallSite, a: int, b: int) -> int:
        left, right = self._heap.characters(a), self._heap.characters(b)
        return (left > right) - (left < right)

    @provides()
    def strncmp(self, site: CallSite, a: int, b: int, count: int) -> int:
        left, right = self._heap.characters(a)[:count], self._heap.characters(b)[:count]
        return (left > right) - (left < right)

    @provides()
    def strcasecmp(self, site: CallSite, a: int, b: int) -> int:
        left, right = self._heap.characters(a).lower(), self._heap.characters(b).lower()
        return (left > right) - (left < right)

    @provides()
    def strcpy(self, site: CallSite, to: int, source: int) -> int:
        self._heap.store_bytes(to, self._heap.characters(source) + b"\0")
        return to

    @provides()
    def strncpy(self, site: CallSite, to: int, source: int, count: int) -> int:
        Span(self._heap, site, 0, to, count, True).check_room()
        self._heap.store_bytes(to, self._heap.characters(source)[:count].ljust(count, b"\0"))
        return to

    @provides()
    def strcat(self, site: CallSite, to: int, source: int) -> int:
        self._heap.store_bytes(to + len(self._heap.characters(to)), self._heap.characters(source) + b"\0")
        return to

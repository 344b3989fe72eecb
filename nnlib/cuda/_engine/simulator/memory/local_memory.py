"""The memory of each thread: local arrays and structs, and local variables whose address is taken.

While every index is uniform (the usual, unrolled register tile), each member is a plain value in a list, as free as a
variable. The first index that differs between threads, or an access to a part of a member, turns the whole into one
(words, threads) array. A word is as large as the smallest member, or the smallest access so far. Lesson 08.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ...language.layout import Leaf, innermost, leaves, members, path, smallest, unit_of
from ...language.types import Pointer, Scalar, Struct, Type, size_of
from ..masks import Mask, PerThread, lanes_of, ndarray, spread, union, without
from .addresses import AddressBook
from .index import plain
from .pointers import select
from .spaces import NOBODY, READ, WRITE, Memory, Site, Subscripts, Watch, array_dims


class _Layout(NamedTuple):
    """The properties that all variables of a type share.

    number: of the member that begins at a byte. zeros: the members' first values, None for a pointer. dtype, dims: of
    an array of numbers. named: members have names, or are pointers.
    """

    leaves: tuple[Leaf, ...]
    number: dict[int, int]
    zeros: list[PerThread]
    dtype: np.dtype
    dims: tuple[int, ...]
    named: bool


@functools.lru_cache(maxsize=1024)
def _layout(kind: Type) -> _Layout:
    parts, base = leaves(kind), innermost(kind)
    named = isinstance(base, Pointer | Struct)
    return _Layout(
        parts,
        {leaf.offset: k for k, leaf in enumerate(parts)},
        [leaf.type.dtype.type(0) if isinstance(leaf.type, Scalar) else None for leaf in parts],
        base.dtype if isinstance(base, Scalar) else np.dtype(np.uint8),
        () if named else array_dims(kind),
        named,
    )


class LocalMemory(Memory):
    """A variable in each of `width` threads.

    `unset(memory, byte, missing, site, size)` is called when active threads read what they never wrote; None: not
    checked.
    """

    space = "local"

    def __init__(
        self,
        name: str,
        kind: Type,
        width: int,
        book: AddressBook,
        watch: Watch = NOBODY,
        unset: Callable[..., None] | None = None,
    ) -> None:
        self.name, self.width, self.book, self.watch, self.unset = name, width, book, watch, unset
        self._layout, self._type = _layout(kind), kind
        self.kind = kind if self._layout.named else None
        self.dims, self.dtype, self.nbytes = self._layout.dims, self._layout.dtype, size_of(kind)
        self.home, self.at, self.lead = self, 0, 0
        self.values = self._layout.zeros.copy()
        if self._layout.named:
            self.values = [book.null if value is None else value for value in self.values]
        self.written: list[Mask] = [False] * len(self.values)
        self.dense: PerThread = None  # (words, threads)
        self._word = smallest(kind)  # bytes
        self._item = 0 if self._layout.named else self._word  # of an array of numbers

    def mark_written(self) -> None:
        """Mark every member as written by all threads. Values start as 0, so this is all that `= {}` needs."""
        self.written = [None] * len(self.values)

    def begin(self, values: tuple[PerThread, ...]) -> None:
        """Set the members' first values, in all threads."""
        self.values = list(values)
        self.mark_written()

    @property
    def rows(self) -> PerThread:
        """The (elements, threads) of an array of numbers."""
        if self.dense is None:
            return np.array([spread(value, self.width) for value in self.values])
        return np.ascontiguousarray(self.dense.T).view(self.dtype).T

    def known(self, start: int) -> Mask:
        """Return the mask of the threads that have set the member at that byte."""
        if self.dense is None:
            return self.written[self._layout.number[start]]
        return self._set_words[start // self._word]

    def describe(self, byte: int, size: int) -> str:
        """Return the name of what lies there."""
        return self.name if self.kind is None else self.name + path(self.kind, byte, size)

    # --- loads and stores -------------------------------------------------------------------

    def load(
        self, index: PerThread, mask: Mask, site: Site, subscripts: Subscripts = None
    ) -> PerThread:
        index = plain(index)
        if self.watch.load:
            self.seen(self.watch.load, READ, index, mask, site, None, subscripts)
        if site.lanes == 1:
            return self._get(index, mask, site)
        first = index * site.lanes
        return tuple(self._get(first + k, mask, site) for k in range(site.lanes))

    def store(
        self,
        index: PerThread,
        value: PerThread,
        mask: Mask,
        site: Site,
        subscripts: Subscripts = None,
    ) -> None:
        index = plain(index)
        if self.watch.store:
            self.seen(self.watch.store, WRITE, index, mask, site, value, subscripts)
        if site.lanes == 1:
            self._set(index, value, mask, site)
        else:
            for k in range(site.lanes):
                self._set(index * site.lanes + k, value[k], mask, site)

    # In what follows an index counts in units of site.dtype.

    def _member(self, index: PerThread, site: Site) -> int | None:
        """Return the number of the member that an access is exactly to, if members are values of their own."""
        if self.dense is not None or index.__class__ is ndarray:
            return None
        size = site.dtype.itemsize
        number: int | None = index
        if size == self._item:
            return number
        start = int(index) * size
        if not 0 <= start < self.nbytes:
            raise IndexError(f"byte {start} of {self.name}")
        number = self._layout.number.get(start)
        if number is None:
            return None
        kind = self._layout.leaves[number].type
        return (
            number if kind.size == size and isinstance(kind, Pointer) == bool(site.unit) else None
        )

    def _get(self, index: PerThread, mask: Mask, site: Site) -> PerThread:
        number = self._member(index, site)
        if number is None:
            return self._get_dense(index, mask, site)
        if self.unset is not None and self.written[number] is not None:
            self._check_set(number, mask, site)
        value = self.values[number]
        return value if site.unit or value.dtype == site.dtype else value.view(site.dtype)

    def _set(self, index: PerThread, value: PerThread, mask: Mask, site: Site) -> None:
        number = self._member(index, site)
        if number is None:
            self._set_dense(index, value, mask, site)
            return
        if not site.unit and value.dtype != (own := self._layout.zeros[number].dtype):
            value = value.view(own)
        self.values[number] = select(mask, value, self.values[number])
        if self.written[number] is not None:
            self.written[number] = union(self.written[number], mask)

    def _check_set(self, number: int, mask: Mask, site: Site) -> None:
        """Check that what is read was written; of a struct that is copied, any part of it."""
        if site.copied == 0:
            return
        known, parts = self.written[number], self._layout.leaves
        start = parts[number].offset
        for k in range(number + 1, len(parts) if site.copied else 0):
            if known is None or parts[k].offset >= start + (site.copied or 0):
                break
            known = None if self.written[k] is None else union(known, self.written[k])
        self._require(known, start, mask, site)

    def _require(self, known: Mask, start: PerThread, mask: Mask, site: Site) -> None:
        missing = False if known is None else without(mask, known)
        if missing is not False and self.unset is not None:
            self.unset(self, start, missing, site, site.copied or site.size)

    # --- as words -----------------------------------------------------------------------------

    def _make_dense(self) -> None:
        shape = self.nbytes // self._word, self.width
        self.dense = np.zeros(shape, f"u{self._word}")  # takes no memory where nobody writes
        self._set_words, self._lanes = np.zeros(shape, bool), np.arange(self.width)
        for leaf, value, written in zip(
            self._layout.leaves, self.values, self.written, strict=True
        ):
            if written is False:
                continue
            if isinstance(leaf.type, Pointer):
                value = self.book.number(value, unit_of(leaf.type.target))
            end = leaf.offset + leaf.type.size
            words = slice(leaf.offset // self._word, end // self._word)
            self.dense[words] = self._as_words(value)
            self._set_words[words] = True if written is None else written

    def _as_words(self, value: PerThread) -> PerThread:
        """Return the (words, threads) of a value."""
        whole = np.ascontiguousarray(spread(value, self.width))
        return whole.view(f"u{self._word}").reshape(self.width, -1).T

    def _words(self, index: PerThread, site: Site) -> PerThread:
        """Return the first of the words of an access; there are words for all that it may touch."""
        size = site.dtype.itemsize
        if self.dense is None:
            self._make_dense()
        if size < self._word:
            smaller = np.ascontiguousarray(self.dense.T).view(f"u{size}")
            self.dense = np.ascontiguousarray(smaller.T)
            self._set_words = np.repeat(self._set_words, self._word // size, axis=0)
            self._word = size
        words = index if size == self._word else index * np.int64(size // self._word)
        most = (self.nbytes - size) // self._word
        return np.clip(spread(words, self.width), 0, max(most, 0)).astype(np.intp)

    def _places(self, words: PerThread, site: Site) -> PerThread:
        """Return where they are in the flat arrays: (threads,) of one word, (words, threads) of several."""
        first, count = words * self.width + self._lanes, site.dtype.itemsize // self._word
        return first if count == 1 else first + np.arange(count)[:, None] * self.width

    def _get_dense(self, index: PerThread, mask: Mask, site: Site) -> PerThread:
        words = self._words(index, site)
        places = self._places(words, site)
        if self.unset is not None and site.copied != 0:
            self._check_dense(words, places, mask, site)
        value = self.dense.reshape(-1).take(places)
        if value.ndim > 1:
            value = np.ascontiguousarray(value.T)
        value = value.view(site.dtype).reshape(-1)
        return self.book.pointer(value, mask, site.unit) if site.unit else value

    def _check_dense(self, words: PerThread, places: PerThread, mask: Mask, site: Site) -> None:
        """Check that words that are read were written; padding counts as written with the member before it."""
        if self._layout.named:
            count = (site.copied or site.dtype.itemsize) // self._word
            rows = np.minimum(words + np.arange(count)[:, None], len(self.dense) - 1)
            owners = members(self._type)[:: self._word] // self._word
            known = self._set_words[owners[rows], self._lanes]
        else:
            known = self._set_words.reshape(-1).take(places)
        if known.ndim > 1:
            known = known.any(0) if site.copied else known.all(0)
        self._require(None if known.all() else known, words * self._word, mask, site)

    def _set_dense(self, index: PerThread, value: PerThread, mask: Mask, site: Site) -> None:
        if site.unit:
            value = self.book.number(value, site.unit)
        places = self._places(self._words(index, site), site)
        words = self._as_words(value.astype(site.dtype, copy=False)).reshape(places.shape)
        if mask is not None:
            lanes = lanes_of(mask, self.width)
            places, words = places[..., lanes], words[..., lanes]
        self.dense.reshape(-1)[places] = words
        self._set_words.reshape(-1)[places] = True

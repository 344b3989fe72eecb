"""Per-thread memory for structs, and for variables that hold pointers: one value per member, like a variable each.

While every index is uniform a member is a plain value, as in local_memory.py. The first index that differs between
threads, or access to a part of a member, turns the whole into one row of bytes per thread.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from ...language.layout import Leaf, leaves, members, path, unit_of
from ...language.types import Pointer, Scalar, Type, size_of
from ..masks import lanes_of, ndarray, spread, union, without
from .index import plain
from .pointers import select
from .spaces import NOBODY, READ, WRITE, Memory, Watch


@functools.lru_cache(maxsize=1024)
def _parts(kind: Type) -> dict[int, Leaf]:
    """Members by the byte at which they begin."""
    return {leaf.offset: leaf for leaf in leaves(kind)}


class LocalStructs(Memory):
    """A variable of a struct type, or an array of them, in each of `width` threads.

    `unset(memory, byte, missing, site, size)` is called when active threads read what they never wrote; None: not
    checked. null: the null pointer.
    """

    space = "local"

    def __init__(
        self,
        name: str,
        kind: Type,
        width: int,
        null: Any,
        book: Any,
        watch: Watch = NOBODY,
        unset: Any = None,
    ) -> None:
        self.name, self.kind, self.width, self.book = name, kind, width, book
        self.watch, self.dims, self.unset, self.null = watch, (), unset, null
        self.nbytes, self.dtype = size_of(kind), np.dtype(np.uint8)
        self.home, self.at, self.lead = self, 0, 0
        self.parts = _parts(kind)
        self.values: dict[int, Any] = {
            offset: leaf.type.dtype.type(0) if isinstance(leaf.type, Scalar) else null
            for offset, leaf in self.parts.items()
        }
        self.written: dict[int, Any] = dict.fromkeys(self.parts, False)  # masks
        self.dense: Any = None
        self.set_dense: Any = None

    def fill(self) -> None:
        """= {}: all bytes 0, in all threads."""
        self.written = dict.fromkeys(self.parts)

    def begin(self, values: tuple) -> None:
        """The members' first values, in all threads."""
        self.values = dict(zip(self.parts, values, strict=True))
        self.fill()

    # --- loads and stores -------------------------------------------------------------------

    def load(self, index, mask, site, subscripts=None):
        start = self._start(self.watch.load, READ, index, mask, site, None, subscripts)
        if site.lanes == 1:
            return self._get(start, mask, site)
        return tuple(
            self._get(start + k * site.dtype.itemsize, mask, site) for k in range(site.lanes)
        )

    load_pointer = load

    def store(self, index, value, mask, site, subscripts=None):
        start = self._start(self.watch.store, WRITE, index, mask, site, value, subscripts)
        for k, part in enumerate(value if site.lanes > 1 else (value,)):
            self._set(start + k * site.dtype.itemsize, part, mask, site)

    store_pointer = store

    def _start(self, watch, kind, index, mask, site, value, subscripts):
        """The byte at which an access begins."""
        index = plain(index)
        if watch:
            self.seen(watch, kind, index, mask, site, value, subscripts)
        if index.__class__ is ndarray:
            return index.astype(np.int64) * site.size
        return int(index) * site.size

    def _leaf(self, start, site):
        """The member that an access is exactly to, if the members are values of their own."""
        if self.dense is not None or start.__class__ is ndarray:
            return None
        leaf = self.parts.get(start)
        if (
            leaf is None
            or leaf.type.size != site.dtype.itemsize
            or isinstance(leaf.type, Pointer) != bool(site.unit)
        ):
            return None
        return leaf

    def _get(self, start, mask, site):
        leaf = self._leaf(start, site)
        if leaf is None:
            return self._get_dense(start, mask, site)
        if self.unset is not None:
            self._check_set(start, mask, site)
        value = self.values[start]
        return value if site.unit or value.dtype == site.dtype else value.view(site.dtype)

    def _set(self, start, value, mask, site):
        leaf = self._leaf(start, site)
        if leaf is None:
            self._set_dense(start, value, mask, site)
            return
        if not site.unit and value.dtype != leaf.type.dtype:
            value = value.view(leaf.type.dtype)
        self.values[start] = select(mask, value, self.values[start])
        if self.written[start] is not None:
            self.written[start] = union(self.written[start], mask)

    def _check_set(self, start, mask, site):
        """What is read must have been written; of a struct that is copied, any of it."""
        if site.copied == 0:
            return
        known = self.written[start]
        for other in range(start + 1, start + site.copied) if site.copied else ():
            if known is None:
                return
            if other in self.written:
                known = None if self.written[other] is None else union(known, self.written[other])
        if known is not None:
            missing = without(mask, known)
            if missing is not False:
                self.unset(self, start, missing, site, site.copied or site.size)

    def known(self, start: int) -> Any:
        """Mask of the threads that have set the member at that byte."""
        return self.written[start] if self.dense is None else self.set_dense[:, start]

    # --- as bytes ---------------------------------------------------------------------------

    def _make_dense(self):
        self.dense = np.zeros((self.width, self.nbytes), np.uint8)
        self.set_dense = np.zeros((self.width, self.nbytes), bool)
        for offset, leaf in self.parts.items():
            value, end = self.values[offset], offset + leaf.type.size
            if isinstance(leaf.type, Pointer):
                value = self.book.number(value, unit_of(leaf.type.target))
            whole = np.ascontiguousarray(spread(value, self.width))
            self.dense[:, offset:end] = whole.view(np.uint8).reshape(self.width, -1)
            known = self.written[offset]
            self.set_dense[:, offset:end] = (
                True if known is None else spread(known, self.width)[:, None]
            )

    def _bytes(self, start, size):
        """The bytes of an access, by thread."""
        if self.dense is None:
            self._make_dense()
        start = np.clip(spread(start, self.width), 0, max(self.nbytes - size, 0))
        return np.arange(self.width)[:, None], start[:, None] + np.arange(size)

    def _get_dense(self, start, mask, site):
        size = site.dtype.itemsize
        places = self._bytes(start, size)
        if self.unset is not None and site.copied != 0:
            rows, columns = self._bytes(start, site.copied or size)
            known = self.set_dense[rows, members(self.kind)[columns]]
            known = known.any(1) if site.copied else known.all(1)
            missing = without(mask, None if known.all() else known)
            if missing is not False:
                lane = int(np.flatnonzero(spread(missing, self.width))[0])
                self.unset(
                    self, int(spread(start, self.width)[lane]), missing, site, site.copied or size
                )
        value = self.dense[places].view(site.dtype).reshape(-1)
        return self.book.pointer(value, mask, site.unit) if site.unit else value

    def _set_dense(self, start, value, mask, site):
        if site.unit:
            value = self.book.number(value, site.unit)
        lanes = lanes_of(mask, self.width)
        rows, columns = self._bytes(start, site.dtype.itemsize)
        whole = np.ascontiguousarray(spread(value, self.width).astype(site.dtype, copy=False))
        self.dense[rows[lanes], columns[lanes]] = whole.view(np.uint8).reshape(self.width, -1)[
            lanes
        ]
        self.set_dense[rows[lanes], columns[lanes]] = True

    def describe(self, byte: int, size: int) -> str:
        """What lies there, by name."""
        return self.name + path(self.kind, byte, size)

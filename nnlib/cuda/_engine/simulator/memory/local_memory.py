"""Per-thread memory: local arrays, and locals whose address is taken.

While every index is uniform (the usual, unrolled register tile) an element is a plain value in a
list, as free as a variable. The first index that differs between threads turns the whole into one
(elements, threads) array. Lesson 08.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..masks import lanes_of, ndarray, spread, union, without
from .index import plain
from .pointers import select
from .spaces import NOBODY, READ, WRITE, Memory, Watch


class LocalMemory(Memory):
    """`count` elements of `dtype` for each of `width` threads.

    `unset(access, missing)` is called when active threads read what they never wrote; None: not checked.
    """

    space = "local"

    def __init__(self, name, count, dtype, width, watch: Watch = NOBODY, dims=(), unset=None):
        self.name, self.count, self.dtype, self.width = name, count, dtype, width
        self.watch, self.dims, self.unset = watch, dims, unset
        self.nbytes = count * dtype.itemsize
        self.home, self.at, self.lead = self, 0, 0
        self.values = [dtype.type(0)] * count
        self.written: list[Any] = [False] * count  # masks
        self.dense: Any = None

    def fill(self):
        """= {}: all elements 0, in all threads."""
        self.written = [None] * self.count

    def load(self, index, mask, site, subscripts=None):
        index = plain(index)
        if self.watch.load:
            self.seen(self.watch.load, READ, index, mask, site, None, subscripts)
        if site.lanes > 1:
            return tuple(self._get(index * site.lanes + k, mask, site) for k in range(site.lanes))
        return self._get(index, mask, site)

    def store(self, index, value, mask, site, subscripts=None):
        index = plain(index)
        if self.watch.store:
            self.seen(self.watch.store, WRITE, index, mask, site, value, subscripts)
        if site.lanes > 1:
            for k in range(site.lanes):
                self._set(index * site.lanes + k, value[k], mask, site)
        else:
            self._set(index, value, mask, site)

    def _get(self, index, mask, site):
        if site.dtype.itemsize != self.dtype.itemsize:
            return self._get_as(index, mask, site)
        if self.dense is not None or index.__class__ is ndarray:
            return self._get_dense(index, mask, site)
        if self.unset is not None and self.written[index] is not None:
            missing = without(mask, self.written[index])
            if missing is not False:
                self.unset(self, index, missing, site)
        value = self.values[index]
        return value if site.dtype == self.dtype else self._reinterpret(value, site)

    def _set(self, index, value, mask, site):
        if site.dtype.itemsize != self.dtype.itemsize:
            self._set_as(index, value, mask, site)
            return
        if site.dtype != self.dtype:
            value = self._reinterpret(value, site)
        if self.dense is not None or index.__class__ is ndarray:
            self._set_dense(index, value, mask)
            return
        self.values[index] = select(mask, value, self.values[index])
        if self.written[index] is not None:
            self.written[index] = union(self.written[index], mask)

    def _reinterpret(self, value, site):
        return value.view(site.dtype if value.dtype == self.dtype else self.dtype)

    def _make_dense(self):
        self.dense = np.zeros(
            (self.count, self.width), self.dtype
        )  # takes no memory where nobody writes
        self.set_dense = np.zeros((self.count, self.width), bool)
        for k, (value, written) in enumerate(zip(self.values, self.written, strict=True)):
            if written is not False:
                self.dense[k] = value
                self.set_dense[k] = True if written is None else written

    def _places(self, index):
        inside = np.clip(spread(index, self.width), 0, self.count - 1).astype(np.intp)
        return inside * self.width + np.arange(self.width)

    def _get_dense(self, index, mask, site):
        if self.dense is None:
            self._make_dense()
        places = self._places(index)
        if self.unset is not None:
            present = self.set_dense.reshape(-1).take(places)
            missing = without(mask, present if not present.all() else None)
            if missing is not False:
                self.unset(self, index, missing, site)
        value = self.dense.reshape(-1).take(places)
        return value if site.dtype == self.dtype else self._reinterpret(value, site)

    def _set_dense(self, index, value, mask):
        if self.dense is None:
            self._make_dense()
        places = self._places(index)
        if mask is not None:
            lanes = np.flatnonzero(mask)
            places, value = places.take(lanes), spread(value, self.width).take(lanes)
        self.dense.reshape(-1)[places] = value
        self.set_dense.reshape(-1)[places] = True

    # --- as a type of another size: the bytes of an int, the halves of a double -------------

    def _bytes_as(self, index, site):
        """A copy of all bytes, the same bytes as site.dtype, each thread's place there, and its places in set_dense."""
        if self.dense is None:
            self._make_dense()
        size, own, threads = site.dtype.itemsize, self.dtype.itemsize, np.arange(self.width)
        copy = np.ascontiguousarray(self.dense.T).view(np.uint8)
        cast = copy[:, : self.nbytes // size * size].view(site.dtype)
        index = np.clip(spread(index, self.width), 0, cast.shape[1] - 1).astype(np.intp)
        covered = [(index * size // own + k, threads) for k in range(max(1, size // own))]
        return copy, cast, (threads, index), covered

    def _get_as(self, index, mask, site):
        _, cast, places, covered = self._bytes_as(index, site)
        missing = without(mask, np.all([self.set_dense[part] for part in covered], axis=0))
        if self.unset is not None and missing is not False:
            self.unset(self, index, missing, site)
        return cast[places]

    def _set_as(self, index, value, mask, site):
        copy, cast, (_, index), covered = self._bytes_as(index, site)
        lanes = lanes_of(mask, self.width)
        cast[lanes, index[lanes]] = spread(value, self.width)[lanes]
        self.dense[...] = copy.view(self.dtype).T
        for element, _ in covered:
            self.set_dense[element[lanes], lanes] = True

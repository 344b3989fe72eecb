"""Indices: sums whose parts are computed as far out of the loops as they can; ../memory/index.py says what that is good for.

Integers wrap around, so the order of a sum does not matter, and (tile * 16 + y) * N is tile * 16 * N + y * N.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter

import numpy as np

from ...language.layout import units_in
from ...language.tree import Binary, Convert, Expr, Index, Literal
from ...language.types import Scalar
from .analysis import has_effect
from .python import (
    PyConstant,
    PyExpr,
    PyLiteral,
    call,
)
from .writer import M, Writer, scalar


@dataclass(frozen=True)
class Term:
    """A summand of an index. level: depth of the innermost loop that changes it; 0 where it can leave all loops."""

    value: PyExpr
    level: int


class Indices:
    """Lowering of indices; value lowers the expressions in them, is_cheap says which can be computed anywhere."""

    def __init__(
        self,
        writer: Writer,
        value: Callable[[Expr], PyExpr],
        is_cheap: Callable[[Expr, bool], bool],
    ):
        self.writer, self.code, self.value, self.is_cheap = writer, writer.code, value, is_cheap

    def here(self, value: PyExpr) -> Term:
        return Term(value, self.writer.loops.level)

    def terms(self, e: Index) -> tuple[Term, ...]:
        """Return the index of an element, counted in units of its type (layout.unit_of)."""
        index, kind = e.index, scalar(e.index.type)
        as_single_term = units_in(e.type) != 1 or not self.writer.loops.level
        if as_single_term or kind.size < 4 or has_effect(index):
            return (self.term(e, self.value(index)),)
        dtype = np.dtype(np.int64) if kind.dtype == np.uint64 else kind.dtype
        return tuple(self._parts(index, dtype))

    def term(self, e: Index, value: PyExpr, stays: bool = True) -> Term:
        """Return the value of an index as one term. stays: it may be computed outside of loops."""
        value, stride = self.as_index(value, scalar(e.index.type).dtype), units_in(e.type)
        if stride != 1:
            value = value * self.code.constant(np.dtype(np.int32), stride)
        return Term(value, self._level(e.index) if stays else self.writer.loops.level)

    def as_index(self, value: PyExpr, dtype: np.dtype) -> PyExpr:
        """Return an index as int32, uint32 or int64: unsigned 64-bit ones would become floats beside signed ones."""
        if dtype.itemsize < 4:
            return value.method("astype", self.code.dtype(np.dtype(np.int32)))
        return (
            value.method("view", self.code.dtype(np.dtype(np.int64)))
            if dtype == np.uint64
            else value
        )

    def _level(self, e: Expr) -> int:
        return self.writer.loops.level_of(e) if self.is_cheap(e, True) else self.writer.loops.level

    def _parts(self, e: Expr, dtype: np.dtype, negative: bool = False) -> Iterator[Term]:
        """Yield the terms of the sum that e is, each as this integer type."""
        if isinstance(e, Binary) and e.op in ("+", "-"):
            yield from self._parts(e.left, dtype, negative)
            yield from self._parts(e.right, dtype, negative != (e.op == "-"))
            self.writer.note(e.at)
        elif isinstance(e, Convert) and _is_whole(e.operand, dtype):
            yield from self._parts(e.operand, dtype, negative)
        else:
            for term in self._products(e, dtype):
                yield replace(term, value=self._negated(term.value)) if negative else term

    def _products(self, e: Expr, dtype: np.dtype) -> list[Term]:
        """Return one term, or several for a product with a sum whose parts are invariant in different loops."""
        if isinstance(e, Binary) and e.op == "*":
            for whole, factor in ((e.left, e.right), (e.right, e.left)):
                if len(self._levels(whole)) > 1 and self.is_cheap(factor, True):
                    parts = list(self._parts(whole, dtype))
                    by = self._typed(self.value(factor), scalar(factor.type).dtype, dtype)
                    self.writer.note(e.at)
                    level = self._level(factor)
                    return [Term(part.value * by, max(part.level, level)) for part in parts]
        return [Term(self._typed(self.value(e), scalar(e.type).dtype, dtype), self._level(e))]

    def _levels(self, e: Expr) -> set[int]:
        """Return the loop levels of the parts of a sum."""
        if isinstance(e, Binary) and e.op in ("+", "-"):
            return self._levels(e.left) | self._levels(e.right)
        return set() if isinstance(e, Literal) else {self._level(e)}

    def _typed(self, value: PyExpr, old: np.dtype, dtype: np.dtype) -> PyExpr:
        if old == dtype:
            return value
        if isinstance(value, PyConstant):
            return self.code.constant(dtype, value.value.astype(dtype))
        return value.method("view", self.code.dtype(dtype))

    def _negated(self, value: PyExpr) -> PyExpr:
        if isinstance(value, PyConstant):
            return self.code.constant(value.value.dtype, -int(value.value.item()))
        return -value

    # --- adding them up -----------------------------------------------------------------

    def sum(self, terms: Sequence[Term]) -> PyExpr:
        """Add all terms in order, where they stand."""
        return added(term.value for term in terms) if terms else PyLiteral(0)

    def invariant_sum(self, terms: Sequence[Term]) -> PyExpr:
        """Add terms so that those that stay the same longest come first, each outside of the loops in which it does not change.

        Numbers come last: moving a vector of indices by a number costs nothing.
        """
        loops = self.writer.loops
        if not terms or not loops.level:
            return self.sum(terms)
        by_level = attrgetter("level")
        last = max(map(by_level, terms))
        leveled = sorted(
            (Term(t.value, last) if isinstance(t.value, PyConstant) else t for t in terms),
            key=by_level,
        )
        result: PyExpr | None = None
        for level, group in groupby(leveled, key=by_level):
            part = added(term.value for term in group)
            part = part if result is None else call("plus", result, part)
            result = (
                loops.put_before(level, call("invariant", part, M)) if level < loops.level else part
            )
        assert result is not None
        return result


def _is_whole(e: Expr, dtype: np.dtype) -> bool:
    """Return whether an expression is an integer as wide as this type."""
    return (
        isinstance(e.type, Scalar)
        and e.type.dtype.kind in "iu"
        and e.type.dtype.itemsize == dtype.itemsize
    )


def added(values: Iterable[PyExpr]) -> PyExpr:
    first, *rest = values
    for value in rest:
        first = first + value
    return first

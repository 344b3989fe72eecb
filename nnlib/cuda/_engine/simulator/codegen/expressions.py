"""Lowers expressions.

Pure arithmetic stays one Python expression. Loads, calls and effects become statements before it, in C++17's order, so
that each happens once and under the mask of its place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...language.layout import leaves, unit_of, units_in
from ...language.normal.rewriting import updated
from ...language.tree import (
    AddressOf,
    Assign,
    Binary,
    Build,
    BuiltinIndex,
    Call,
    Comma,
    CompoundAssign,
    Conditional,
    Convert,
    Decay,
    Dereference,
    Expr,
    Index,
    IntrinsicCall,
    Literal,
    Logical,
    Member,
    Name,
    PointerDifference,
    PointerOffset,
    Position,
    Temporary,
    Unary,
)
from ...language.types import BOOL, ULONG, VOID, Array, Half, Pointer, Scalar, Type, Vector, is_half
from ..functions import arithmetic, halves
from .analysis import has_effect, is_copy, lives_in_memory
from .calls import Calls
from .indices import Indices
from .places import Places
from .python import (
    PyConstant,
    PyExpr,
    PyLiteral,
    PyName,
    PyTuple,
    assign,
    binary,
    call,
    choice,
    if_,
    is_,
    is_not,
    suspended,
)
from .undefined import divided, is_defined, watched
from .writer import BOOK, NOBODY, RT, M, Writer, scalar, target, vector


class PrintedOperand(Expr):
    """An operand whose Python is known."""

    value: PyExpr


class Expressions:
    """Lowering of expressions."""

    def __init__(self, writer: Writer):
        self.writer, self.code = writer, writer.code
        self.indices = Indices(writer, self.value, self.is_cheap)
        self.places = Places(writer, self.value, self.indices)
        self.calls = Calls(writer, self.values)
        self._lower: dict[type, Callable[[Any], PyExpr]] = {
            Literal: self._literal,
            BuiltinIndex: lambda e: PyName(f"rt.{e.name}{'_' * bool(e.axis)}{e.axis}"),
            Name: self._read,
            Index: self._read,
            Dereference: self._read,
            Member: self._member,
            Unary: self._unary,
            Binary: self._binary,
            Logical: self._logical,
            Conditional: self._conditional,
            Comma: self._comma,
            Convert: lambda e: self.converted(self.value(e.operand), e.operand.type, e.type, e.at),
            Decay: lambda e: self.places.address_of(e.operand),
            AddressOf: lambda e: self.places.address_of(e.operand),
            PointerOffset: self._pointer_offset,
            PointerDifference: self._pointer_difference,
            Assign: self._assign,
            CompoundAssign: self._update,
            Call: self._call,
            IntrinsicCall: self.calls.value,
            Temporary: self._read,
            Build: self._build,
            PrintedOperand: lambda e: e.value,
        }

    def value(self, e: Expr) -> PyExpr:
        """Return the value; what does not change in the loops around is computed before them."""
        loops = self.writer.loops
        if (
            loops.level
            and isinstance(e, Binary | Unary | Convert)
            and self.is_cheap(e, divides=True)
        ):
            level = loops.level_of(e)
            if level < loops.level:
                with loops.outside(level):
                    value = self._lower[type(e)](e)
                return value if isinstance(value, PyName) else loops.put_before(level, value)
        return self._lower[type(e)](e)

    def values(self, expressions: Sequence[Expr]) -> list[PyExpr]:
        """Evaluate expressions one after the other; each keeps its value when a later one has an effect."""
        return [self.held(e, *expressions[k + 1 :]) for k, e in enumerate(expressions)]

    def held(self, e: Expr, *later: Expr) -> PyExpr:
        """Return the value of e as it is before the later expressions."""
        value = self.value(e)
        changes = any(map(has_effect, later)) and not isinstance(value, PyConstant | PyLiteral)
        return self.writer.temporary(value) if changes else value

    def condition(self, e: Expr) -> PyExpr:
        return self.converted(self.value(e), e.type, BOOL, e.at)

    def effect(self, e: Expr) -> None:
        """Evaluate for what it does, not for its value."""
        if isinstance(e, CompoundAssign):
            self._update(e, wanted=False)
        elif isinstance(e, Comma):
            self.effect(e.left)
            self.effect(e.right)
        elif isinstance(
            e, Dereference
        ):  # of the reference that a function returned: nobody reads it
            self.value(e.pointer)
        else:
            value = (
                self.calls.lowered(e, used=False) if isinstance(e, IntrinsicCall) else self.value(e)
            )
            if not isinstance(value, PyName | PyLiteral):
                self.writer.do(value)

    def is_cheap(self, e: Expr, divides: bool = False) -> bool:
        """Return whether an expression has no effects, and does no harm in threads that should not compute it.

        divides: it may be a division.
        """
        if isinstance(e, Literal | BuiltinIndex):
            return True
        if isinstance(e, Name):
            return not lives_in_memory(e.variable) and e.variable not in self.writer.tracked
        if isinstance(e, Unary | Convert):
            is_scalar = isinstance(e.type, Scalar) and isinstance(e.operand.type, Scalar)
            return is_scalar and self.is_cheap(e.operand, divides)
        if isinstance(e, Binary):
            return (
                is_defined(e, divides, self.code.checks)
                and self.is_cheap(e.left, divides)
                and self.is_cheap(e.right, divides)
            )
        # A division on the right has a branch of its own, which stays where it is
        if isinstance(e, Logical):
            return self.is_cheap(e.left, divides) and self.is_cheap(e.right)
        if isinstance(e, Member):
            return self.is_cheap(e.base, divides)
        return False

    # --- values -------------------------------------------------------------------------

    def _literal(self, e: Literal) -> PyExpr:
        if isinstance(e.type, Pointer):
            return self.writer.zero(e.type)
        return self.code.constant(scalar(e.type).dtype, e.value)

    def _read(self, e: Expr) -> PyExpr:
        return self.places.load(self.places.place(e), e.at)

    def _member(self, e: Member) -> PyExpr:
        if isinstance(e.base, Name | Index | Dereference | Member | Temporary):
            return self._read(e)
        whole = self.writer.atom(self.value(e.base))
        return whole[vector(e.base.type).fields.index(e.field)]

    def _build(self, e: Build) -> PyExpr:
        """Return a struct, built from the values of its parts, as the tuple of its leaves."""
        items = e.initializer.items
        given = self.values([value for _, value in items])
        kinds = {leaf.offset: leaf.type for leaf in leaves(e.type)}
        found: dict[int, PyExpr] = {}
        for (offset, item), value in zip(items, given, strict=True):
            own = [(offset + leaf.offset, leaf.type) for leaf in leaves(item.type)]
            if not all(_alike(kinds.get(at), kind) for at, kind in own):
                return self._build_in_memory(e, given)  # a union
            single = isinstance(item.type, Scalar | Pointer)
            parts = [value] if single else self.places.items(value, len(own))
            found |= {at: part for (at, _), part in zip(own, parts, strict=True)}
        return PyTuple([found.get(at) or self.writer.zero(kind) for at, kind in kinds.items()])

    def _build_in_memory(self, e: Build, given: list[PyExpr]) -> PyExpr:
        place = self.places.scratch(e)
        self.writer.do(place.base.method("mark_written"))
        for (offset, item), value in zip(e.initializer.items, given, strict=True):
            self.places.store(self.places.part(place, offset, item.type, e.at), value)
        return self.places.load(place, e.at)

    def _unary(self, e: Unary) -> PyExpr:
        operand = self.value(e.operand)
        self.writer.note(e.at)
        if is_half(e.type):
            return self.code.helper(halves.negative)(operand)
        return call("logical_not", operand) if e.op == "!" else PyExpr(f"({e.op}{operand})")

    def _binary(self, e: Binary) -> PyExpr:
        """Write left op right, both of one type except for shifts."""
        left, right = self.values([e.left, e.right])
        op, type, at = e.op, e.left.type, e.at
        if isinstance(type, Pointer):
            left, right = (call("address", side, unit_of(type.target)) for side in (left, right))
            return binary(left, op, right)
        if is_half(type):
            self.writer.note(
                at, flops=(type.lanes if isinstance(type, Vector) else 1) * (op in "+-*/")
            )
            return self.code.helper(halves.OPERATORS[op])(left, right)
        is_float = scalar(type).is_float
        self.writer.note(at, flops=int(is_float and op in "+-*/"))
        if op in "/%" and not is_float:
            return divided(self.code, self.writer, op, left, right, at)
        if op in ("<<", ">>") and e.right.type != type:
            right = self.converted(right, e.right.type, type, at)
        return watched(self.code, op, left, right, type, at) or binary(left, op, right)

    # --- conversions --------------------------------------------------------------------

    def converted(self, value: PyExpr, source: Type, type: Type, at: Position) -> PyExpr:
        if isinstance(type, Pointer):
            return self._pointer_converted(value, source, type, at)
        if isinstance(source, Pointer):
            dtype = scalar(type).dtype
            if dtype == np.bool_:
                return call("logical_not", call("is_null", value))
            number = BOOK.method("number", value, unit_of(source.target), True)
            return number.method("astype", self.code.dtype(dtype))
        if (
            source not in (type, VOID)
            and type != VOID
            and (isinstance(source, Half) or isinstance(type, Half))
        ):
            return self._half_converted(value, source, type, at)
        if isinstance(type, Scalar) and isinstance(source, Scalar):
            return self._scalar_converted(value, source.dtype, type.dtype, at)
        return value

    def _half_converted(self, value: PyExpr, source: Type, type: Type, at: Position) -> PyExpr:
        """Convert from or to a half, whose bits mean nothing to NumPy."""
        function = halves.conversion(source, type)
        if isinstance(value, PyConstant):
            return self.code.constant(scalar(type).dtype, function(value.value))
        self.writer.note(at)
        return self.code.helper(function)(value)

    def _scalar_converted(
        self, value: PyExpr, old: np.dtype, new: np.dtype, at: Position
    ) -> PyExpr:
        if old == new:
            return value
        if isinstance(value, PyConstant) and old.kind == "f" and new.kind in "iu":
            return self.code.constant(new, arithmetic.float_to_integer(value.value, new))
        if isinstance(value, PyConstant):
            return self.code.constant(new, value.value)
        if new == np.bool_:
            return binary(value, "!=", self.code.constant(old, 0))
        if old.kind == "f" and new.kind != "f":
            self.writer.note(at)
            return call("float_to_integer", value, self.code.dtype(new))
        if old.kind in "iu" and new.kind in "iu" and old.itemsize == new.itemsize:
            return value.method("view", self.code.dtype(new))
        self.writer.note(at)
        return value.method("astype", self.code.dtype(new))

    def _pointer_converted(
        self, value: PyExpr, source: Type, type: Pointer, at: Position
    ) -> PyExpr:
        if isinstance(source, Array):
            return value
        if isinstance(source, Pointer):
            old, new = unit_of(source.target), unit_of(type.target)
        else:
            number = self.converted(value, source, ULONG, at)
            value, old, new = BOOK.method("pointer", number, M, 1), 1, unit_of(type.target)
        if old == new:
            return value
        return self.calls.rescaled(value, old, new, self.code.site(at, type.target))

    # --- pointers -----------------------------------------------------------------------

    def _pointer_offset(self, e: PointerOffset) -> PyExpr:
        pointer, index = self.values([e.pointer, e.index])
        index = self.indices.as_index(index, scalar(e.index.type).dtype)
        count = units_in(target(e.type))
        return pointer.method("moved", index if count == 1 else index * count)

    def _pointer_difference(self, e: PointerDifference) -> PyExpr:
        element = target(e.left.type)
        size = unit_of(element)
        left, right = (call("address", side, size) for side in self.values([e.left, e.right]))
        count = binary(left - right, "//", units_in(element) * size)
        return count.method("astype", self.code.dtype(scalar(e.type).dtype))

    # --- choices ------------------------------------------------------------------------

    def _logical(self, e: Logical) -> PyExpr:
        left = self.value(e.left)
        operator = "&" if e.op == "&&" else "|"
        if self.is_cheap(e.right):
            self.writer.note(e.at)
            return binary(left, operator, self.value(e.right))
        known: Expr = Literal(e.at, BOOL, e.op == "||")
        then, otherwise = (e.right, known) if e.op == "&&" else (known, e.right)
        return self._chosen(left, e.at, e.type, then, otherwise)

    def _conditional(self, e: Conditional) -> PyExpr:
        condition = self.condition(e.condition)
        self.writer.note(e.at)
        if isinstance(e.type, Scalar) and self.is_cheap(e.then) and self.is_cheap(e.otherwise):
            return call("choose", condition, self.value(e.then), self.value(e.otherwise))
        return self._chosen(condition, e.at, e.type, e.then, e.otherwise)

    def _chosen(
        self, condition: PyExpr, at: Position, type: Type, first: Expr, second: Expr
    ) -> PyExpr:
        """Return the first value for threads for which the condition holds, the second for the others."""
        writer = self.writer
        entered, then, otherwise, result = writer.names("entered", "then", "else", "value")
        writer.emit(assign(call("split", M, condition), then, otherwise))
        writer.let(entered, M)
        for mask, part in ((then, first), (otherwise, second)):
            with writer.inside(if_(is_not(mask, NOBODY))), writer.region():
                writer.let(M, mask)
                if type == VOID:
                    self.effect(part)
                    continue
                value = self.value(part)
                if mask is otherwise:
                    value = writer.atom(value)
                    mixed = call("select", then, result, value)
                    value = choice(value, is_(then, NOBODY), mixed)
                writer.let(result, value)
        writer.let(M, entered)
        return PyLiteral(None) if type == VOID else result

    def _comma(self, e: Comma) -> PyExpr:
        self.effect(e.left)
        return self.value(e.right)

    # --- effects ------------------------------------------------------------------------

    def _assign(self, e: Assign) -> PyExpr:
        value = self.held(e.value, e.target)
        copies = is_copy(e.value, e.target, self.writer.flows)
        return self.places.store(self.places.place(e.target), value, copies)

    def _update(self, e: CompoundAssign, wanted: bool = True) -> PyExpr:
        """Write target op= value. wanted: its value is used."""
        by = PrintedOperand(e.at, e.value.type, self.held(e.value, e.target))
        place = self.places.fixed(self.places.place(e.target))
        old = self.places.load(place, e.at)
        if gives_old := wanted and e.gives_old:
            old = self.writer.temporary(old)
        new = self.value(updated(e, PrintedOperand(e.at, e.target.type, old), by))
        stored = self.places.store(place, new)
        return old if gives_old else stored

    # --- calls --------------------------------------------------------------------------

    def _call(self, e: Call) -> PyExpr:
        arguments = [self.writer.atom(value) for value in self.values(e.arguments)]
        self.writer.note(e.at)
        self.writer.end_segment()
        call = PyName(self.code.python_names[e.function.name])(RT, M, *arguments)
        return self.writer.temporary(suspended(call) if self.code.waits else call)


def _alike(one: Type | None, other: Type) -> bool:
    """Return whether a value of the one type can be held as the other."""
    if isinstance(one, Scalar) and isinstance(other, Scalar):
        return one.dtype == other.dtype
    return isinstance(one, Pointer) and isinstance(other, Pointer)

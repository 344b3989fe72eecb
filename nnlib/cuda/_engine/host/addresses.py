"""Host code in its normal form, without pointers: an address is a whole number, and memory is what lies at one.

`tree.Dereference` of a number is what lies at that address; a Name is a variable that has none. Python functions
(lowering) and native loops (loops) are printed from it.
"""

from __future__ import annotations

from typing import Any

from ..language.checking.values import characters
from ..language.layout import offset_of
from ..language.normal.nodes import Act, acts
from ..language.normal.normalizer import Header, Normalizer
from ..language.tree import (
    AddressOf,
    Assign,
    Binary,
    Convert,
    Decay,
    Declare,
    Dereference,
    Expr,
    ExprStmt,
    Index,
    InitializerList,
    Literal,
    Member,
    Name,
    PointerDifference,
    PointerOffset,
    Position,
    Stmt,
    StringLiteral,
    Temporary,
    Text,
    Variable,
)
from ..language.types import LONG, VOID, Array, Pointer, Scalar, Struct, Vector
from .lowering.writer import FunctionWriter, in_memory, name_in, size_of

LVALUES = (Name, Index, Dereference, Member)


class RawWord(Dereference):
    """Bytes that are only copied: they need no value."""


class Moved(Binary):
    """An address and the bytes from there to another one; the sum does not overflow."""


class AddressNormalizer(Normalizer):
    """Brings host code into this form. placed: memory that variables need: name of the address, type, name."""

    def __init__(self, writer: FunctionWriter, header: Header) -> None:
        super().__init__(header)
        self.writer = writer
        self.placed: list[tuple[str, Any, str]] = []

    def kind(self, kind: Any) -> Any:
        return LONG if isinstance(kind, Pointer) else kind

    # --- variables ------------------------------------------------------------------------

    def declare(self, s: Declare) -> Stmt | None:
        variable, initial = s.variable, s.initializer
        if isinstance(initial, InitializerList) and in_memory(variable):
            self.fill(s.at, self.place(s.at, variable), initial, size_of(variable.type))
        else:
            if isinstance(initial, InitializerList):
                initial = initial.items[0][1]
            value = None if initial is None else self.given(initial, variable.name)
            self.declared(s.at, variable, value)
        return None

    def given(self, e: Expr, name: str) -> Any:
        """Return the value that a variable of that name receives."""
        return self.value(e)

    def declared(self, at: Position, variable: Variable, value: Any) -> None:
        if not in_memory(variable):
            super().declared(at, variable, value)
            return
        address = self.place(at, variable)
        if value is not None:
            self.keep(at, address, value)

    def fill(self, at: Position, address: Expr, given: InitializerList, size: int) -> None:
        """Give so many bytes of memory their first values."""
        values = self.values([value for _, value in given.items])
        self.clear(at, address, size)
        for (offset, _), value in zip(given.items, values, strict=True):
            self.keep(at, moved(address, 1, Literal(at, LONG, offset)), value)

    def clear(self, at: Position, address: Expr, size: int) -> None:
        self.before.append(ExprStmt(at, Act(at, VOID, "clear", [address, str(size)])))

    def keep(self, at: Position, address: Expr, value: Expr) -> None:
        """Store a value at an address."""
        self.store(at, Dereference(at, value.type, address), value)

    def named(self, at: Position, variable: Variable) -> Name:
        """Return a variable that is not in memory."""
        return Name(at, self.kind(variable.type), variable)

    def identifier(self, at: Position, name: str, kind: Any = LONG) -> Expr:
        """Return what generated Python knows under that name."""
        return Name(at, kind, Variable(name, kind, "python", at))

    def place(self, at: Position, variable: Variable) -> Expr:
        """Return the address of a variable that is declared here."""
        self.placed.append((self.writer.name_of(variable), variable.type, variable.name))
        return self.address_of(at, variable)

    def address_of(self, at: Position, variable: Variable) -> Expr:
        """Return the address of a variable in memory."""
        return self.identifier(at, self.writer.name_of(variable))

    # --- expressions ----------------------------------------------------------------------

    def address(self, e: Any) -> Any:
        """Return the address of an lvalue, or of memory for a value."""
        match e:
            case Name(variable) if in_memory(variable):
                return self.address_of(e.at, variable)
            case Index(base, index):
                first = self.address if isinstance(base.type, Array) else self.value
                start, index = self.in_order([lambda: first(base), lambda: self.value(index)])
                return moved(start, size_of(e.type), index)
            case Dereference(pointer):
                return self.value(pointer)
            case Temporary(operand):
                return self.address(operand)
            case Member(base, field):
                offset = Literal(e.at, LONG, offset_of(base.type, field))
                return moved(self.address(base), 1, offset)
        name = self.writer.fresh("m")
        self.placed.append((name, e.type, ""))
        address = self.identifier(e.at, name)
        self.keep(e.at, address, self.value(e))
        return address

    def lvalue(self, e: Any) -> Any:
        if isinstance(e, Name) and not in_memory(e.variable):
            return self.named(e.at, e.variable)
        if isinstance(e, LVALUES):
            kind = e.type if isinstance(e.type, Struct | Vector) else self.kind(e.type)
            return Dereference(e.at, kind, self.address(e))
        return super().lvalue(e)

    def value(self, e: Any) -> Any:
        match e:
            case Decay(operand) | AddressOf(operand):
                return self.address(operand)
            case Literal():
                return Literal(e.at, self.kind(e.type), e.value)
            case Text() | StringLiteral():
                return self.identifier(
                    e.at, self.writer.code.text(characters(e.at, e.value) + b"\0")
                )
            case PointerOffset(pointer, index, type=Pointer(target=target)):
                pointer, index = self.values([pointer, index])
                return moved(pointer, size_of(target), index)
            case PointerDifference(Expr(type=Pointer(target=target)) as left, right):
                between = Moved(e.at, LONG, "-", *self.values([left, right]))
                return Binary(e.at, LONG, "/", between, Literal(e.at, LONG, size_of(target)))
        found = super().value(e)
        found.type = self.kind(found.type)
        return found

    def sides(self, e: Any) -> list[Expr]:
        with self.apart() as first:
            value = self._assigned(e)
        self.before += first
        if isinstance(e, Assign) or first or acts(value):
            return self.in_order([lambda: value, lambda: self.lvalue(e.target)])
        return [value, self.lvalue(e.target)]  # of +=, g++ has the target first if it can

    def _assigned(self, e: Any) -> Expr:
        # From memory to memory goes also what has no value
        if (
            isinstance(e, Assign)
            and isinstance(e.value, LVALUES[1:])
            and isinstance(e.type, Scalar)
            and not (isinstance(e.target, Name) and not in_memory(e.target.variable))
        ):
            return RawWord(e.at, self.kind(e.type), self.address(e.value))
        value = self.given(e.value, name_in(e.target))
        plain = isinstance(e, Assign) or not acts(value)
        return value if plain else self.temporary(value)

    def updated(self, e: Any, old: Expr, value: Expr) -> Expr:
        found = super().updated(e, old, value)
        if not isinstance(found, PointerOffset):
            return found
        return moved(found.pointer, size_of(e.type.target), found.index)


def moved(start: Expr, size: int, index: Expr) -> Expr:
    """Return the address of the element with that index, where each element has `size` bytes."""
    at = index.at
    if isinstance(index, Literal):
        offset: Expr = Literal(at, LONG, int(index.value) * size)
        if not index.value:
            return start
    else:
        offset = index if index.type == LONG else Convert(at, LONG, index)
        if size > 1:
            offset = Binary(at, LONG, "*", offset, Literal(at, LONG, size))
    return Moved(at, LONG, "+", start, offset)

"""Places in memory: what can be assigned to, pointed at, read as a pointer."""

from __future__ import annotations

from nnlib.cuda.language.diagnostics import Unsupported
from nnlib.cuda.language.layout import field_of
from nnlib.cuda.language.tree import (
    AddressOf,
    Conditional,
    Convert,
    Decay,
    Dereference,
    Expr,
    Index,
    Member,
    Name,
    PointerOffset,
    Position,
    StringLiteral,
    Temporary,
    Variable,
)
from nnlib.cuda.language.types import Array, Pointer, Struct


def is_lvalue(expression: Expr) -> bool:
    """Does it name a place in memory?"""
    if isinstance(expression, Member):
        return is_lvalue(expression.base)
    return isinstance(expression, (Name, Index, Dereference))


def is_const(place: Expr) -> bool:
    """May the lvalue not be changed?"""
    match place:
        case Name(variable=variable):
            return variable.const
        case Dereference(pointer=pointer):
            return isinstance(pointer.type, Pointer) and pointer.type.const
        case Index(base=base):
            return base.type.const if isinstance(base.type, Pointer) else is_const(base)
        case Member(base=base, field=field):
            return is_const(base) or isinstance(base.type, Struct) and field_of(base.type, field).const
    return False


def chosen(value: Expr) -> Expr:
    """What ?: chooses, as the place that it is if both are."""
    if isinstance(value, Conditional) and is_lvalue(value.then) and is_lvalue(value.otherwise):
        then, otherwise = address_of(value.at, value.then), address_of(value.at, value.otherwise)
        return Dereference(value.at, value.type, Conditional(value.at, then.type, value.condition, then, otherwise))
    return value


def with_place(value: Expr) -> Expr:
    """The value as something that has a place, for a while if it has none of its own."""
    return value if is_lvalue(value) else Temporary(value.at, value.type, value)


def no_text(expression: Expr) -> Expr:
    """The expression, which must not be a text in quotes."""
    if isinstance(expression, StringLiteral):
        raise Unsupported(expression.at, "a text other than the format of printf",
                          "use numbers, or an array of characters: {'a', 'b'}")
    return expression


def decayed(expression: Expr) -> Expr:
    """An array as the pointer to its first element; anything else as it is."""
    if isinstance(expression.type, Array):
        return Decay(expression.at, Pointer(expression.type.element, is_const(expression)), expression)
    return expression


def local_behind(pointer: Expr) -> Variable | None:
    """The local variable that a pointer points to or into, if the expression says so."""
    while isinstance(pointer, (Convert, PointerOffset)):
        pointer = pointer.operand if isinstance(pointer, Convert) else pointer.pointer
    if not isinstance(pointer, (AddressOf, Decay)):
        return None
    place = pointer.operand
    while isinstance(place, Member) or isinstance(place, Index) and isinstance(place.base.type, Array):
        place = place.base
    return place.variable if isinstance(place, Name) and place.variable.space in ("local", "parameter") else None


def address_of(at: Position, place: Expr) -> Expr:
    """&place."""
    match place:
        case Dereference(pointer=pointer):
            return pointer
        case Index(base=base, index=index):
            pointer = decayed(base)
            return PointerOffset(at, pointer.type, pointer, index)
    root = place
    while isinstance(root, Member):
        root = root.base
    if isinstance(root, Name):
        root.variable.address_taken = True
    return AddressOf(at, Pointer(place.type, is_const(place)), place)



"""Conversions written out: (int)x, static_cast<float*>(p), float2{x, y}."""

from __future__ import annotations

from nnlib.cuda.language.checking.context import Context
from nnlib.cuda.language.checking.conversions import convert, fit, is_null
from nnlib.cuda.language.checking.intrinsics import make_vector
from nnlib.cuda.language.checking.lvalues import address_of, is_const, is_lvalue
from nnlib.cuda.language.diagnostics import Fault, Unsupported
from nnlib.cuda.language.tree import Comma, Convert, Dereference, Expr, Literal, Position
from nnlib.cuda.language.types import (
    BOOL,
    DOUBLE,
    FLOAT,
    INT,
    UINT,
    VOID,
    FunctionName,
    Half,
    Pointer,
    Scalar,
    Type,
    Vector,
    is_half,
)


def cast(context: Context, at: Position, value: Expr, kind: Type, style: str) -> Expr:
    """style: "c", "static_cast" or "reinterpret_cast"."""
    given = value.type
    if kind == VOID:
        return Comma(at, INT, value, Literal(at, INT, 0))
    if isinstance(given, Half) and isinstance(kind, Half):
        return convert(convert(value, FLOAT), kind)
    numbers = isinstance(given, Scalar) and isinstance(kind, Scalar) and fit(value, kind) is not None
    if numbers and style != "reinterpret_cast":
        return convert(value, kind)
    if isinstance(kind, Pointer) and is_null(value) and style != "reinterpret_cast":
        return Literal(at, kind, 0)
    if isinstance(given, Pointer) and isinstance(kind, Pointer):
        if style != "c" and given.const and not kind.const:
            raise Fault(at, f"{style} cannot remove const", f"write {style}<{Pointer(kind.target, True)}>(...)")
        if style == "static_cast" and fit(value, kind) is None and given.target != VOID:
            raise Fault(at, f"static_cast cannot turn '{given}' into '{kind}'", f"write reinterpret_cast<{kind}>")
        return Convert(at, kind, value) if kind.volatile else convert(value, kind)
    if isinstance(given, FunctionName) and context.on_host and (
            kind == Pointer(VOID) or fit(value, kind) is not None):  # void*: for cudaLaunchKernel
        return convert(value, kind)
    if isinstance(given, Pointer) and kind == BOOL:
        return convert(value, BOOL)
    if {type(given), type(kind)} == {Pointer, Scalar} and not {FLOAT, DOUBLE} & {given, kind}:
        if context.on_host:
            return convert(value, kind)
        raise Unsupported(at, "addresses as numbers", "compare or subtract pointers instead")
    if given == kind and kind != VOID:
        return value
    raise Fault(at, f"'{given}' cannot be cast to '{kind}'", "convert part by part, or cast a pointer to it")


def seen_as(at: Position, place: Expr, kind: Type) -> Expr:
    """The place as an lvalue of another type: reinterpret_cast<float4&>(x[4])."""
    if not is_lvalue(place):
        raise Fault(at, "only a variable can be seen as a reference", "store the value first")
    return Dereference(at, kind, convert(address_of(at, place), Pointer(kind, is_const(place))))


def construct(context: Context, at: Position, kind: Type, written: str, arguments: list[Expr], braces: bool) -> Expr:
    """type(arguments), or with braces type{arguments}. written: the type's name in the text."""
    if isinstance(kind, Vector):
        if len(arguments) == 1 and arguments[0].type == kind:
            return arguments[0]
        if written == "dim3":
            ones: list[Expr] = [Literal(at, UINT, 1)] * (3 - len(arguments))
            return make_vector(context, at, kind, arguments + ones)
        if arguments and not braces and not (is_half(kind) and len(arguments) == kind.lanes):
            raise Fault(at, f"'{kind}' cannot be built this way", f"write make_{kind}(...)")
        return make_vector(context, at, kind, arguments)
    if len(arguments) > 1:
        raise Fault(at, f"'{kind}' is converted from one value, but {len(arguments)} given", "pass one value")
    if not arguments:
        return convert(Literal(at, INT, 0), kind)
    return cast(context, at, arguments[0], kind, "c")

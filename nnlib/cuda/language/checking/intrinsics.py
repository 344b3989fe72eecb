"""Calls of what CUDA provides: arguments converted, defaults filled in."""

from __future__ import annotations

from nnlib.cuda.language.checking.context import Context
from nnlib.cuda.language.checking.conversions import convert, implicit
from nnlib.cuda.language.checking.overloads import check_count
from nnlib.cuda.language.cuda_functions import INTRINSICS, Overload
from nnlib.cuda.language.diagnostics import Fault
from nnlib.cuda.language.tree import Assign, Convert, Dereference, Expr, IntrinsicCall, Literal, Position
from nnlib.cuda.language.types import VOID, Pointer, Scalar, Vector


def call_intrinsic(context: Context, at: Position, overload: Overload, arguments: list[Expr]) -> Expr:
    """The call of one overload. arguments: checked, arrays decayed."""
    parameters = overload.parameters
    check_count(at, overload.name, len(arguments), len(parameters) - len(overload.defaults), len(parameters),
                [str(p) for p in parameters])
    missing = len(parameters) - len(arguments)
    for value, kind in zip(overload.defaults[len(overload.defaults) - missing:], parameters[len(arguments):],
                           strict=False):
        arguments = [*arguments, Literal(at, kind, value)]
    converted: list[Expr] = []
    for i, (argument, kind, called) in enumerate(zip(arguments, parameters, overload.called.parameters, strict=True)):
        fitting = implicit(argument, kind, f"argument {i + 1} of {overload.name}")
        if isinstance(kind, Pointer) and kind.target == VOID:
            fitting = argument
        converted.append(convert(fitting, called) if isinstance(called, Scalar) else fitting)
    context.warn_double(at, [a.type for a in arguments], arguments, overload.result)
    if overload.kind == "same":
        return converted[0]
    if overload.kind == "load":
        return Dereference(at, overload.result, converted[0])
    if overload.kind == "store":
        pointer, stored = converted
        return Convert(at, VOID, Assign(at, stored.type, Dereference(at, stored.type, pointer), stored))
    return IntrinsicCall(at, overload.result, overload.name, converted)


def make_vector(context: Context, at: Position, kind: Vector, arguments: list[Expr]) -> Expr:
    """make_float4(...), missing lanes zero."""
    zeros: list[Expr] = [Literal(at, kind.base, 0.0 if kind.base.is_float else 0)]
    if len(arguments) > kind.lanes:
        raise Fault(arguments[kind.lanes].at, f"too many values: {kind} has {kind.lanes}", "remove the surplus")
    return call_intrinsic(context, at, INTRINSICS[f"make_{kind.name}"][0],
                          arguments + zeros * (kind.lanes - len(arguments)))

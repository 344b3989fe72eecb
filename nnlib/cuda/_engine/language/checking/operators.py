"""Operators on checked operands: which type they compute in, what they do not work on; those of the source's own."""

from __future__ import annotations

from ..diagnostics import Fault, LikelyMistake, Unsupported
from ..parsing import syntax
from ..tree import (
    Binary,
    Comma,
    CompoundAssign,
    Conditional,
    Expr,
    Index,
    Literal,
    Logical,
    PointerDifference,
    PointerOffset,
    Position,
    StringLiteral,
    Unary,
)
from ..types import (
    BOOL,
    INT,
    LONG,
    LONGLONG,
    VOID,
    Array,
    Opaque,
    Pointer,
    Scalar,
    Struct,
    Type,
    Vector,
    is_half,
    target_of,
)
from .calls import CallChecker
from .names import Context, Overloads
from .objects import address_of, pointee, with_place
from .overloads import matching
from .values import (
    arithmetic,
    common_type,
    convert,
    fit,
    fold,
    implicit,
    is_integer,
    is_null,
    promoted,
)

COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
ORDER = COMPARISONS[:4]
_OF_HALVES = ("+", "-", "*", "/", *COMPARISONS)
INTEGERS_ONLY = ("%", "&", "|", "^", "<<", ">>")


_MIXED = "convert one of them: (float)h, or __float2half(x)"


def truth(value: Expr) -> Expr:
    """Convert a value to bool, as a condition does."""
    if isinstance(value, StringLiteral):  # assert(i < n && "i is too large")
        return Literal(value.at, BOOL, True)
    if not isinstance(value.type, (Scalar, Pointer)) or isinstance(value.type, Opaque):
        raise Fault(
            value, f"a condition cannot be of type '{value.type}'", "compare it with something"
        )
    return convert(value, BOOL)


def unary(at: Position, op: str, operand: Expr) -> Expr:
    """Check + - ~ * ! of a value."""
    if op == "!":
        return fold(Unary(at, BOOL, "!", truth(operand)))
    if op == "*":
        if target_of(operand.type) in (None, VOID):
            raise Fault(
                at,
                f"* needs a pointer, but this is '{operand.type}'",
                "remove the *; a power is x * x or powf(x, y)",
            )
        return pointee(at, operand)
    if op in "+-" and is_half(operand.type):
        return operand if op == "+" else Unary(at, operand.type, op, operand)
    kind = promoted(arithmetic(operand, op, at))
    if op == "~" and kind.is_float:
        raise Fault(
            at,
            f"'~' needs an integer, but this is '{kind}'",
            "for its bits write __float_as_int(x)",
        )
    operand = convert(operand, kind)
    return operand if op == "+" else fold(Unary(at, kind, op, operand))


def increment(at: Position, op: str, target: Expr, prefix: bool) -> Expr:
    """Check ++ or -- of an lvalue that may be changed."""
    if isinstance(target.type, Pointer):
        complete(target, at)
        by = Literal(at, INT, 1 if op == "++" else -1)
        return CompoundAssign(at, target.type, "+", target, by, target.type, not prefix)
    if is_half(target.type):
        raise Unsupported(at, f"{op} of a '{target.type}'", f"write x {op[0]}= 1.0f")
    kind = arithmetic(target, op, at)
    if kind == BOOL:
        raise Fault(at, f"'{op}' does not work on 'bool'", "write x = true or x = !x")
    compute = promoted(kind)
    by = Literal(at, compute, 1)
    return CompoundAssign(at, kind, op[0], target, by, compute, not prefix)


def binary(context: Context, at: Position, op: str, left: Expr, right: Expr) -> Expr:
    """Check any operator between two values, arrays decayed."""
    if op in ("&&", "||"):
        return fold(Logical(at, BOOL, op, truth(left), truth(right)))
    if op == ",":
        return Comma(at, right.type, left, right)
    if isinstance(left.type, Pointer) or isinstance(right.type, Pointer):
        return _pointer_operation(at, op, left, right)
    if left.type == right.type and is_half(left.type) and op in _OF_HALVES:
        return Binary(at, BOOL if op in COMPARISONS else left.type, op, left, right)
    kinds = arithmetic(left, op, at), arithmetic(right, op, at)
    kind = _computes_in(at, op, *kinds)
    if op in ORDER and isinstance(left, Binary) and left.op in ORDER:
        context.warn(
            at,
            LikelyMistake(
                f"this compares the result of {left.op}, which is 0 or 1: "
                f"write a {left.op} b && b {op} c"
            ),
        )
    result = BOOL if op in COMPARISONS else kind
    context.warn_double(at, (left, right), result)
    right_kind = promoted(kinds[1]) if op in ("<<", ">>") else kind
    return fold(Binary(at, result, op, convert(left, kind), convert(right, right_kind)))


def compound(context: Context, at: Position, op: str, target: Expr, value: Expr) -> Expr:
    """Check target op= value."""
    kind = target.type
    if isinstance(kind, Pointer) and op in ("+", "-"):
        if not is_integer(value.type):
            raise Fault(at, f"a pointer moves by an integer, not by '{value.type}'", "use an int")
        complete(target, at)
        return CompoundAssign(at, kind, "+", target, _count(value, negative=op == "-"), kind)
    if is_half(kind) and op in _OF_HALVES:
        return CompoundAssign(at, kind, op, target, implicit(value, kind, f"{op}="), kind)
    kinds = arithmetic(target, f"{op}=", at), arithmetic(value, f"{op}=", at)
    compute = _computes_in(at, op, *kinds)
    context.warn_double(at, (target, value), compute)
    return CompoundAssign(at, kind, op, target, convert(value, compute), compute)


def ternary(context: Context, at: Position, condition: Expr, then: Expr, otherwise: Expr) -> Expr:
    """Check condition ? then : otherwise."""
    if then.type != otherwise.type and (is_half(then.type) or is_half(otherwise.type)):
        raise Fault(
            at, f"the two results of ?: have types '{then.type}' and '{otherwise.type}'", _MIXED
        )
    if (
        isinstance(then.type, Scalar)
        and isinstance(otherwise.type, Scalar)
        and fit(then, otherwise.type) is not None
    ):
        kind: Type = (
            then.type if then.type == otherwise.type else common_type(then.type, otherwise.type)
        )
        context.warn_double(at, (then, otherwise), kind)
    elif fit(otherwise, then.type) is not None:
        kind = then.type
    elif fit(then, otherwise.type) is not None:
        kind = otherwise.type
    else:
        raise Fault(
            at,
            f"the two results of ?: have types '{then.type}' and '{otherwise.type}'",
            "both must be of one type",
        )
    what = "result of ?:"
    if kind != VOID:
        then, otherwise = implicit(then, kind, what), implicit(otherwise, kind, what)
    return fold(Conditional(at, kind, condition, then, otherwise))


def subscript(context: Context, at: Position, base: Expr, index: Expr) -> Expr:
    """Check base[index], arrays not decayed; index[base] means the same."""
    if is_integer(base.type) and isinstance(index.type, Pointer):
        base, index = index, base
    if not isinstance(base.type, (Array, Pointer)):
        hint = (
            "rows and columns have one index: [y * width + x]"
            if isinstance(base, Index)
            else "remove the [ ], or declare it as float x[4] or float* x"
        )
        raise Fault(at, f"[ ] needs an array or a pointer, but this is '{base.type}'", hint)
    if isinstance(base.type, Pointer):
        complete(base, at)
    if not is_integer(index.type):
        hint = (
            "write [row][column], not [row, column]"
            if isinstance(index, Comma)
            else ("declare it int, or convert it: (int)x")
        )
        raise Fault(index, f"an index must be an integer, but this is '{index.type}'", hint)
    if isinstance(index, Comma):
        context.warn(index, "only what follows the comma counts: write one index, [y * width + x]")
    element = base.type.element if isinstance(base.type, Array) else base.type.target
    return Index(at, element, base, _count(index, negative=False))


def complete(pointer: Expr, at: Position) -> None:
    """Raise Fault for a void*, which has no elements."""
    if target_of(pointer.type) == VOID:
        raise Fault(at, "a void* has no element type", "cast it first: (float*)p")


def _computes_in(at: Position, op: str, left: Scalar, right: Scalar) -> Scalar:
    if op in INTEGERS_ONLY:
        for kind in (left, right):
            if kind.is_float:
                hints = {
                    "%": "of whole numbers: keep both int; of floats: fmodf(a, b)",
                    "^": "this is exclusive or; a power is x * x or powf(x, y)",
                }
                hint = hints.get(op, "convert to an integer first: (int)x")
                raise Fault(at, f"'{op}' needs integers, but this is '{kind}'", hint)
    if is_half(left) or is_half(right):
        raise Fault(at, f"'{op}' between '{left}' and '{right}' is ambiguous", _MIXED)
    return promoted(left) if op in ("<<", ">>") else common_type(left, right)


def _pointer_operation(at: Position, op: str, left: Expr, right: Expr) -> Expr:
    if op in ("+", "-") and isinstance(left.type, Pointer) and is_integer(right.type):
        return _offset(at, op, left, right)
    if op == "+" and isinstance(right.type, Pointer) and is_integer(left.type):
        return _offset(at, op, right, left)
    targets = target_of(left.type), target_of(right.type)
    same = None not in targets and (targets[0] == targets[1] or VOID in targets)
    if op == "-" and same:
        complete(left, at)
        return PointerDifference(at, LONG, left, right)
    if op in COMPARISONS:
        if same:
            return Binary(at, BOOL, op, left, right)
        if is_null(right) and isinstance(left.type, Pointer):
            return Binary(at, BOOL, op, left, Literal(right.at, left.type, 0))
        if is_null(left) and isinstance(right.type, Pointer):
            return Binary(at, BOOL, op, Literal(left.at, right.type, 0), right)
    raise Fault(
        at,
        f"'{op}' does not work on '{left.type}' and '{right.type}'",
        "index a pointer with [i] to get a value",
    )


def _offset(at: Position, op: str, pointer: Expr, index: Expr) -> Expr:
    complete(pointer, at)
    return PointerOffset(at, pointer.type, pointer, _count(index, negative=op == "-"))


def _count(index: Expr, negative: bool) -> Expr:
    """Return an index as the tree wants it: at least an int, negated for a subtraction."""
    assert isinstance(index.type, Scalar)
    if not negative:
        return convert(index, promoted(index.type))
    kind = LONGLONG if index.type.is_unsigned else promoted(index.type)
    return fold(Unary(index.at, kind, "-", convert(index, kind)))


def own_operator(calls: CallChecker, at: Position, op: str, operands: list[Expr]) -> Expr | None:
    """Return the call that an operator stands for; None if the program defines none that fits."""
    if not any(isinstance(operand.type, Struct | Vector) for operand in operands):
        return None
    return member_operator(calls, at, op, operands[0], operands[1:]) or _free_operator(
        calls, at, f"operator{op}", operands
    )


def member_operator(
    calls: CallChecker, at: Position, op: str, target: Expr, arguments: list[Expr]
) -> Expr | None:
    """Return the call object.operator+(arguments); None if no member fits."""
    owner = calls.context.classes.get(target.type)
    symbol = owner.scope.get(f"operator{op}") if owner is not None else None
    if not isinstance(symbol, Overloads):
        return None
    fitting = matching(symbol.callees, arguments, calls.fit)
    if not fitting and not symbol.templates and op not in ("()", "[]"):
        return None
    call = syntax.Identifier(at, f"operator{op}")
    return calls.call(
        call,
        arguments,
        Overloads(fitting or symbol.callees, symbol.templates),
        address_of(at, with_place(target)),
    )


def _free_operator(
    calls: CallChecker, at: Position, name: str, operands: list[Expr]
) -> Expr | None:
    symbol = calls.context.scopes[0].get(name)
    if not isinstance(symbol, Overloads):
        return None
    call = syntax.Identifier(at, name)
    made = calls.instantiate(call, symbol.templates, operands, True)
    fitting = matching(symbol.callees + made, operands, calls.fit)
    return calls.call_fitting(at, name, operands, fitting) if fitting else None

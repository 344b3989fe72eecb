"""Which types fit together: promotion, usual arithmetic conversions, implicit conversions."""

from __future__ import annotations

from nnlib.cuda.language.checking.constants import fold
from nnlib.cuda.language.diagnostics import Fault
from nnlib.cuda.language.tree import Convert, Expr, Literal, Position, Text
from nnlib.cuda.language.types import (
    BOOL,
    CHAR,
    DOUBLE,
    FLOAT,
    GRID_GROUP,
    INT,
    LONG,
    LONGLONG,
    SHORT,
    THREAD_GROUP,
    UCHAR,
    UINT,
    ULONG,
    ULONGLONG,
    USHORT,
    VOID,
    Array,
    FunctionName,
    Group,
    Half,
    Opaque,
    Pointer,
    Scalar,
    Struct,
    Type,
)

_SMALL = (BOOL, CHAR, UCHAR, SHORT, USHORT)
_RANK = {INT: 0, UINT: 0, LONG: 1, ULONG: 1, LONGLONG: 2, ULONGLONG: 2}
_UNSIGNED = {INT: UINT, LONG: ULONG, LONGLONG: ULONGLONG}

EXACT, PROMOTION, CONVERSION = 0, 1, 2
USER = 3  # by a constructor, or an operator of a class


def is_integer(kind: Type) -> bool:
    return isinstance(kind, Scalar) and not kind.is_float and not isinstance(kind, Opaque)


def promoted(kind: Scalar) -> Scalar:
    """Integer promotion: whatever is smaller than int computes as int."""
    return INT if kind in _SMALL else kind


def common_type(left: Scalar, right: Scalar) -> Scalar:
    """The type both operands of an arithmetic operator are converted to."""
    for kind in (DOUBLE, FLOAT):
        if kind in (left, right):
            return kind
    left, right = promoted(left), promoted(right)
    if left.is_unsigned == right.is_unsigned:
        return left if _RANK[left] >= _RANK[right] else right
    unsigned, signed = (left, right) if left.is_unsigned else (right, left)
    if _RANK[unsigned] >= _RANK[signed]:
        return unsigned
    return signed if signed.size > unsigned.size else _UNSIGNED[signed]


def convert(expression: Expr, target: Type) -> Expr:
    """The expression in another type, which the caller knows to be possible."""
    if expression.type == target:
        return expression
    if isinstance(expression, Literal) and isinstance(expression.type, Pointer) and isinstance(target, Pointer):
        return Literal(expression.at, target, 0)
    return fold(Convert(expression.at, target, expression))


def is_null(expression: Expr) -> bool:
    """0 or nullptr, which fit every pointer."""
    return isinstance(expression, Literal) and expression.value == 0 and (
        is_integer(expression.type) and expression.type != BOOL or isinstance(expression.type, Pointer))


def fit(expression: Expr, target: Type) -> int | None:
    """How well a value fits a type without a cast: EXACT, PROMOTION, CONVERSION, or None if not at all."""
    if isinstance(expression, Text) and target == Pointer(CHAR):  # C's older form, which nvcc takes
        return CONVERSION
    given = expression.type
    if given == target:
        return EXACT
    if isinstance(given, FunctionName) and isinstance(target, Pointer):
        return EXACT if target.target in given.signatures else None
    if isinstance(given, Opaque) or isinstance(target, Opaque):
        both = isinstance(given, Group) and isinstance(target, Group)
        return CONVERSION if both and target == THREAD_GROUP and given != GRID_GROUP else None
    if isinstance(given, Half) or isinstance(target, Half):
        return _fit_half(given, target)
    if isinstance(given, Scalar) and isinstance(target, Scalar):
        promotes = target == promoted(given) or (given, target) == (FLOAT, DOUBLE)
        return PROMOTION if promotes else CONVERSION
    if isinstance(target, Pointer):
        if is_null(expression):
            return CONVERSION
        if isinstance(given, Pointer) and (target.const or not given.const):
            if given.target == target.target:
                return EXACT
            return CONVERSION if target.target == VOID else None
    return CONVERSION if target == BOOL and isinstance(given, Pointer) else None


def _fit_half(given: Type, target: Type) -> int | None:
    """From a half and to one CUDA has constructors and operators, but not from one kind to the other."""
    if isinstance(given, Half) == isinstance(target, Half) or not (isinstance(given, Scalar) and
                                                                   isinstance(target, Scalar)):
        return None
    return USER + (target == DOUBLE)  # by operator float()


def implicit(expression: Expr, target: Type, what: str) -> Expr:
    """The expression converted as an assignment does. `what` names the place in a complaint."""
    if fit(expression, target) is None:
        raise Fault(expression.at, f"{what}: cannot convert '{expression.type}' to '{target}'",
                    _conversion_hint(expression.type, target))
    if isinstance(target, Pointer) and is_null(expression):
        return Literal(expression.at, target, 0)
    return convert(expression, target)


def _conversion_hint(given: Type, target: Type) -> str:
    if isinstance(given, Pointer) and given.target == target:
        return "a value is needed, but this is a pointer: index it with [i] or *"
    if isinstance(target, Pointer) and target.target == given:
        return "a pointer is needed, but this is a value: is an index missing, p[i]? The address of a variable is &x"
    if isinstance(given, Pointer) and isinstance(target, Pointer):
        if given.const and not target.const and given.target == target.target:
            return f"what is const may not be changed: declare the pointer const {target.target}*"
        if isinstance(target.target, Pointer) and not isinstance(given.target, Pointer):
            return "the function must change the pointer itself, so it needs the pointer's address: write &p"
        return f"write ({target})p to read the memory as another type"
    if isinstance(given, Half) and isinstance(target, Half):
        return f"convert it by way of float: ({target})(float)x"
    if isinstance(target, Array):
        return "arrays cannot be copied as a whole: copy element by element"
    return "the types must agree"


def arithmetic(expression: Expr, op: str, at: Position) -> Scalar:
    """The type of an operand that has to be a number."""
    kind = expression.type
    if isinstance(kind, Scalar) and not isinstance(kind, Opaque):
        return kind
    if kind == VOID:
        hint = "a void function gives no value"
    elif isinstance(kind, Pointer):
        hint = "index the pointer with [i] or * to get a value"
    elif isinstance(kind, FunctionName):
        hint = f"call the function: {kind}(...)"
    elif isinstance(kind, Group):
        hint = "ask the group: g.thread_rank(), g.size()"
    elif isinstance(kind, Struct):
        hint = f"compute with its members, or write an operator{op} for it"
    else:
        hint = "compute with its parts: a.x, a.y"
    raise Fault(at, f"'{op}' does not work on '{kind}'", hint)

"""Values known at compile time, and which types fit together: literals, promotion, implicit conversions."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from ..diagnostics import Fault
from ..tree import (
    Binary,
    Conditional,
    Convert,
    Expr,
    Literal,
    Logical,
    Member,
    Position,
    SizeOf,
    Text,
    Unary,
)
from ..types import (
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
    Vector,
    target_of,
)

Value = int | float | bool

_INTEGER = re.compile(
    r"(0[xX][0-9a-fA-F]+|0[bB][01]+|0[0-7]*|[1-9][0-9]*)([uU]?(?:ll|LL|[lL])?|(?:ll|LL|[lL])[uU])"
)
_REAL = re.compile(
    r"((?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+"
    r"|0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)[pP][+-]?[0-9]+)([fFlL]?)"
)
# A conversion specification of printf.
SPECIFICATION = re.compile(
    r"%(?P<flags>[-+ #0]*)(?P<width>\d*|\*)(?P<precision>(?:\.(?:\d*|\*))?)"
    r"(?P<size>hh|h|ll|l|z|j|t|L)?(?P<kind>[diuxXofFeEgGcps%])"
)
_ESCAPES = {
    "n": 10,
    "t": 9,
    "r": 13,
    "a": 7,
    "b": 8,
    "f": 12,
    "v": 11,
    "\\": 92,
    "'": 39,
    '"': 34,
    "?": 63,
}


def number(at: Position, text: str) -> Literal:
    """Return a number with its C type: 1, 1u, 0xffff, 1ll, 1.0, 1.0f, 1e-3."""
    digits = text.replace("'", "")
    if match := _INTEGER.fullmatch(digits):
        return _integer(at, match[1], match[2].lower(), text)
    if match := _REAL.fullmatch(digits):
        hexadecimal = match[1][:2] in ("0x", "0X")
        try:
            value = float.fromhex(match[1]) if hexadecimal else float(match[1])
        except OverflowError:
            value = math.inf
        return (
            Literal(at, FLOAT, _round(value, FLOAT))
            if match[2] in ("f", "F")
            else Literal(at, DOUBLE, value)
        )
    if re.fullmatch(r"[0-9]+[fF]", digits):
        raise Fault(
            at, f"'{text}' is not a number: the f needs a decimal point", f"write {digits[:-1]}.0f"
        )
    if re.fullmatch(r"0[0-9]+", digits):
        raise Fault(
            at,
            f"'{text}' is not a number: a leading 0 means octal digits, 0 to 7",
            "remove the leading 0",
        )
    product = re.fullmatch(r"([1-9][0-9]*)([a-df-zA-DF-Z_]\w*)", digits)
    times = f"for a product write {product[1]} * {product[2][:40]}; " if product else ""
    raise Fault(
        at,
        f"'{text[:40]}' is not a number",
        times + "numbers look like 12, 12u, 0xff, 1.5f or 1e-3f",
    )


def _integer(at: Position, digits: str, suffix: str, text: str) -> Literal:
    if len(digits) > 70:
        raise Fault(
            at,
            f"'{text[:20]}...' is too large for any integer type",
            "the largest is 18446744073709551615ull",
        )
    octal = digits[0] == "0" and digits[1:].isdigit()
    value = int(digits, 8 if octal else 0)
    kinds = (INT, UINT, LONG, ULONG, LONGLONG, ULONGLONG)[2 * suffix.count("l") :]
    if "u" in suffix:
        kinds = kinds[1::2]
    elif digits[0] != "0":
        kinds = kinds[::2]
    for kind in kinds:
        if value <= _largest(kind):
            return Literal(at, kind, value)
    raise Fault(
        at, f"'{text}' is too large for its type", "add the suffix u, or use a smaller number"
    )


def character(at: Position, text: str) -> Literal:
    r"""Return a character literal: 'a', '\n', '\x41', '\101'."""
    codes = characters(at, text[1:-1])
    if len(codes) != 1:
        raise Fault(at, f"{text[:20]} is not one character", "write for example 'a' or '\\n'")
    return Literal(at, CHAR, codes[0] - 256 if codes[0] > 127 else codes[0])


def characters(at: Position, text: str) -> bytes:
    """Return the bytes of a string literal, given without its quotes."""

    def plain(escape: str) -> str:
        if escape[0] == "x" and len(escape) > 1:
            return chr(int(escape[1:], 16))
        if escape[0] in "01234567":
            return chr(int(escape, 8) & 255)
        if escape not in _ESCAPES:
            raise Fault(
                at, f"\\{escape} in a text has no meaning", "write \\\\ for the character \\"
            )
        return chr(_ESCAPES[escape])

    pieces = re.split(r"\\(x[0-9a-fA-F]{1,2}|[0-7]{1,3}|.)", text)
    return b"".join(
        piece.encode() if k % 2 == 0 else plain(piece).encode("latin-1")
        for k, piece in enumerate(pieces)
    )


# --- folding ------------------------------------------------------------------------------


def _largest(kind: Scalar) -> int:
    return (1 << (8 * kind.size - (not kind.is_unsigned))) - 1


def wrap(value: int, kind: Scalar) -> int:
    """Reduce an integer to what the type holds."""
    bits = 8 * kind.size
    value &= (1 << bits) - 1
    return value - (1 << bits) if not kind.is_unsigned and value >> (bits - 1) else value


def _round(value: float, kind: Scalar) -> float:
    with np.errstate(over="ignore"):
        # In one step: kind.dtype.type() goes by way of a double
        return float(np.asarray(value).astype(kind.dtype))


def fold(expression: Expr) -> Expr:
    """Return a Literal in place of an operator on Literals; else the expression itself. What C leaves undefined stays."""
    kind = expression.type
    if isinstance(kind, Half):  # CUDA computes with them at run time
        return expression
    match expression:
        case Convert(Literal() as operand) if isinstance(kind, Scalar) and isinstance(
            operand.type, Scalar
        ):
            value = convert_value(operand.value, kind)
        case Unary(op, (Literal() as operand)) if isinstance(kind, Scalar):
            given = operand.value
            value = (
                not given
                if op == "!"
                else convert_value(-given if op == "-" else ~int(given), kind)
            )
        case Binary(op, (Literal() as left), (Literal() as right)) if isinstance(left.type, Scalar):
            value = operate(op, left.value, right.value, left.type)
            if value is not None and isinstance(kind, Scalar):
                value = convert_value(value, kind)
        case Logical(op, (Literal() as left), (Literal() as right)):
            value = (
                bool(left.value and right.value) if op == "&&" else bool(left.value or right.value)
            )
        case Conditional(Literal() as condition, (Literal() as then), (Literal() as otherwise)):
            return then if condition.value else otherwise
        case _:
            return expression
    if value is None:
        return expression
    number = (
        SizeOf if any(isinstance(part, SizeOf) for part in vars(expression).values()) else Literal
    )
    return number(expression.at, kind, value)


def divides_by_zero(expression: Expr) -> Expr | None:
    """Return the division that keeps an expression of constants from having a value; else None."""
    match expression:
        case Binary(("/" | "%"), right=Literal(0)):
            return expression
        case Unary(operand=operand) | Convert(operand):
            return divides_by_zero(operand)
        case Binary(_, left, right) | Logical(_, left, right):
            return divides_by_zero(left) or divides_by_zero(right)
    return None


def not_constant(value: Expr, what: str, otherwise: str) -> Fault:
    """Return the Fault for a value that must be known when the kernel is compiled. otherwise: what to write."""
    division = divides_by_zero(value)
    if division is not None:
        return Fault(
            division,
            f"{what} has no value: this divides by zero",
            "check the numbers that it is made of",
        )
    return Fault(value, f"{what} must be known when the kernel is compiled", otherwise)


def convert_value(value: Value, kind: Scalar) -> Value | None:
    """Convert a constant to another type; return None where C does not define the result."""
    if kind == BOOL:
        return bool(value)
    if kind.is_float:
        return _round(value, kind)
    if isinstance(value, float):
        if not math.isfinite(value):
            return None
        smallest = 0 if kind.is_unsigned else -_largest(kind) - 1
        return int(value) if smallest <= int(value) <= _largest(kind) else None
    return wrap(int(value), kind)


_PLAIN: dict[str, Callable[[Any, Any], Value]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


def operate(op: str, a: Value, b: Value, kind: Scalar) -> Value | None:
    """Compute a op b, not yet reduced to what the type holds; return None where C does not define it."""
    if op in _PLAIN:
        return _PLAIN[op](a, b)
    if op in ("<<", ">>"):
        bits = 8 * kind.size
        return (a << b if op == "<<" else a >> b) if 0 <= b < bits else None  # type: ignore[operator]
    if b == 0:
        return None
    if kind.is_float:
        return a / b
    quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    return quotient if op == "/" else a - quotient * b


_SMALL = (BOOL, CHAR, UCHAR, SHORT, USHORT)
_RANK = {INT: 0, UINT: 0, LONG: 1, ULONG: 1, LONGLONG: 2, ULONGLONG: 2}
_UNSIGNED = {INT: UINT, LONG: ULONG, LONGLONG: ULONGLONG}

EXACT, PROMOTION, CONVERSION = 0, 1, 2
USER = 3  # by a constructor, or an operator of a class


def is_integer(kind: Type) -> bool:
    return isinstance(kind, Scalar) and not kind.is_float and not isinstance(kind, Opaque)


def promoted(kind: Scalar) -> Scalar:
    """Promote an integer type: whatever is smaller than int computes as int."""
    return INT if kind in _SMALL else kind


def common_type(left: Scalar, right: Scalar) -> Scalar:
    """Return the type to which both operands of an arithmetic operator are converted."""
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
    """Convert an expression to another type, which the caller knows to be possible."""
    if expression.type == target:
        return expression
    if (
        isinstance(expression, Literal)
        and isinstance(expression.type, Pointer)
        and isinstance(target, Pointer)
    ):
        return Literal(expression.at, target, 0)
    return fold(Convert(expression.at, target, expression))


def is_null(expression: Expr) -> bool:
    """Return whether an expression is 0 or nullptr, which fit every pointer."""
    return (
        isinstance(expression, Literal)
        and expression.value == 0
        and (
            (is_integer(expression.type) and expression.type != BOOL)
            or isinstance(expression.type, Pointer)
        )
    )


def fit(expression: Expr, target: Type) -> int | None:
    """Return how well a value fits a type without a cast: EXACT, PROMOTION, CONVERSION, or None if not at all."""
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
    if isinstance(given, Half) and isinstance(target, Half):
        return None
    if isinstance(given, Scalar) and isinstance(target, Scalar):
        if isinstance(given, Half) or isinstance(target, Half):
            return USER + (target == DOUBLE)  # by a constructor, or by operator float()
        promotes = target == promoted(given) or (given, target) == (FLOAT, DOUBLE)
        return PROMOTION if promotes else CONVERSION
    if isinstance(target, Pointer):
        if is_null(expression):
            return CONVERSION
        if isinstance(given, Pointer) and (target.const or not given.const):
            if given.target == target.target:
                return EXACT
            if isinstance(given.target, Struct) and given.target.derives_from(target.target):
                return CONVERSION
            return CONVERSION if target.target == VOID else None
    if isinstance(given, Struct) and given.derives_from(target):
        return CONVERSION
    return CONVERSION if target == BOOL and isinstance(given, Pointer) else None


def as_base(value: Expr, target: Type) -> Expr:
    """Return the part of an object that is its base; the object itself if it does not derive from the target."""
    while (
        isinstance(value.type, Struct)
        and value.type.base is not None
        and value.type.derives_from(target)
    ):
        value = Member(value.at, value.type.base, value, "#0")
    return value


def implicit(expression: Expr, target: Type, what: str) -> Expr:
    """Convert an expression as an assignment does. what: how a Fault names the place."""
    if fit(expression, target) is None:
        raise Fault(
            expression,
            f"{what}: cannot convert '{expression.type}' to '{target}'",
            _conversion_hint(expression.type, target),
        )
    if isinstance(target, Pointer) and is_null(expression):
        return Literal(expression.at, target, 0)
    return convert(as_base(expression, target), target)


def _conversion_hint(given: Type, target: Type) -> str:
    if target_of(given) == target:
        return "a value is needed, but this is a pointer: index it with [i] or *"
    if target_of(target) == given:
        return "a pointer is needed, but this is a value: is an index missing, p[i]? The address of a variable is &x"
    if isinstance(given, Pointer) and isinstance(target, Pointer):
        if given.const and not target.const and given.target == target.target:
            return f"what is const may not be changed: declare the pointer const {target.target}*"
        if isinstance(target.target, Pointer) and not isinstance(given.target, Pointer):
            return "the function must change the pointer itself, so it needs the pointer's address: write &p"
        return f"should both be {target}? ({target})p reads the same memory as another type"
    if isinstance(given, Half) and isinstance(target, Half):
        return f"convert it by way of float: ({target})(float)x"
    if isinstance(target, Array):
        return "arrays cannot be copied as a whole: copy element by element"
    if isinstance(given, Vector) and isinstance(target, Scalar):
        return f"a {given} is several numbers: compute with its parts, .x and so on"
    # Not __half2
    if isinstance(given, Scalar) and isinstance(target, Vector) and str(target).isalnum():
        return f"write make_{target}(...), or read an array as {target}: ((const {target}*)p)[i]"
    return "the types must agree"


def arithmetic(expression: Expr, op: str, at: Position) -> Scalar:
    """Return the type of an operand that has to be a number."""
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

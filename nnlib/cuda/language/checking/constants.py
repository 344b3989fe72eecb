"""Values known at compile time: literals as written, operators on literals."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from nnlib.cuda.language.diagnostics import Fault
from nnlib.cuda.language.tree import Binary, Conditional, Convert, Expr, Literal, Logical, Position, SizeOf, Unary
from nnlib.cuda.language.types import (
    BOOL,
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    LONG,
    LONGLONG,
    UINT,
    ULONG,
    ULONGLONG,
    Half,
    Scalar,
)

Value = int | float | bool

_INTEGER = re.compile(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|0[0-7]*|[1-9][0-9]*)([uU]?(?:ll|LL|[lL])?|(?:ll|LL|[lL])[uU])")
_REAL = re.compile(r"((?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+"
                   r"|0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)[pP][+-]?[0-9]+)([fFlL]?)")
# A place for a value in the text of printf.
CONVERSION = re.compile(r"%(?P<flags>[-+ #0]*)(?P<width>\d*|\*)(?P<precision>(?:\.(?:\d*|\*))?)"
                        r"(?P<size>hh|h|ll|l|z|j|t|L)?(?P<kind>[diuxXofFeEgGcps%])")
_ESCAPES = {"n": 10, "t": 9, "r": 13, "a": 7, "b": 8, "f": 12, "v": 11, "\\": 92, "'": 39, '"': 34, "?": 63}


def number(at: Position, text: str) -> Literal:
    """A number with its C type: 1, 1u, 0xffff, 1ll, 1.0, 1.0f, 1e-3."""
    digits = text.replace("'", "")
    if match := _INTEGER.fullmatch(digits):
        return _integer(at, match[1], match[2].lower(), text)
    if match := _REAL.fullmatch(digits):
        hexadecimal = match[1][:2] in ("0x", "0X")
        try:
            value = float.fromhex(match[1]) if hexadecimal else float(match[1])
        except OverflowError:
            value = math.inf
        return Literal(at, FLOAT, _round(value, FLOAT)) if match[2] in ("f", "F") else Literal(at, DOUBLE, value)
    if re.fullmatch(r"[0-9]+[fF]", digits):
        raise Fault(at, f"'{text}' is not a number: the f needs a decimal point", f"write {digits[:-1]}.0f")
    if re.fullmatch(r"0[0-9]+", digits):
        raise Fault(at, f"'{text}' is not a number: a leading 0 means octal digits, 0 to 7", "remove the leading 0")
    raise Fault(at, f"'{text[:40]}' is not a number", "numbers look like 12, 12u, 0xff, 1.5f or 1e-3f")


def _integer(at: Position, digits: str, suffix: str, text: str) -> Literal:
    if len(digits) > 70:
        raise Fault(at, f"'{text[:20]}...' is too large for any integer type", "the largest is 18446744073709551615ull")
    if digits[0] == "0" and digits[1:].isdigit():
        value = int(digits, 8)
    else:
        value = int(digits, 0)
    for kind in (INT, UINT, LONG, ULONG, LONGLONG, ULONGLONG):
        unsigned_allowed = "u" in suffix or digits[0] == "0"
        if (("u" in suffix and not kind.is_unsigned) or (kind.is_unsigned and not unsigned_allowed)
                or ("l" in suffix and kind in (INT, UINT)) or ("ll" in suffix and kind in (LONG, ULONG))):
            continue
        if value <= _largest(kind):
            return Literal(at, kind, value)
    raise Fault(at, f"'{text}' is too large for its type", "add the suffix u, or use a smaller number")


def character(at: Position, text: str) -> Literal:
    """'a', '\\n', '\\x41', '\\101'."""
    body = text[1:-1]
    value = None
    if len(body) == 1 and body != "\\":
        value = ord(body)
    elif re.fullmatch(r"\\[0-7]{1,3}", body):
        value = int(body[1:], 8)
    elif len(body) == 2 and body[0] == "\\":
        value = _ESCAPES.get(body[1])
    elif re.fullmatch(r"\\x[0-9a-fA-F]{1,2}", body):
        value = int(body[2:], 16)
    if value is None or value > 255:
        raise Fault(at, f"{text[:20]} is not one character", "write for example 'a' or '\\n'")
    return Literal(at, CHAR, value - 256 if value > 127 else value)


def characters(at: Position, text: str) -> bytes:
    """What a text in quotes, given without them, consists of."""
    def plain(escape: str) -> str:
        if escape[0] == "x" and len(escape) > 1:
            return chr(int(escape[1:], 16))
        if escape[0] in "01234567":
            return chr(int(escape, 8) & 255)
        if escape not in _ESCAPES:
            raise Fault(at, f"\\{escape} in a text has no meaning", "write \\\\ for the character \\")
        return chr(_ESCAPES[escape])
    pieces = re.split(r"\\(x[0-9a-fA-F]{1,2}|[0-7]{1,3}|.)", text)
    return b"".join(piece.encode() if k % 2 == 0 else plain(piece).encode("latin-1")
                    for k, piece in enumerate(pieces))


# --- folding ------------------------------------------------------------------------------


def _largest(kind: Scalar) -> int:
    return (1 << (8 * kind.size - (not kind.is_unsigned))) - 1


def wrap(value: int, kind: Scalar) -> int:
    """An integer reduced to what the type holds."""
    bits = 8 * kind.size
    value &= (1 << bits) - 1
    return value - (1 << bits) if not kind.is_unsigned and value >> (bits - 1) else value


def _round(value: float, kind: Scalar) -> float:
    with np.errstate(over="ignore"):
        return float(kind.dtype.type(value))


def fold(expression: Expr) -> Expr:
    """A Literal in place of an operator on Literals; else the expression itself. What C leaves undefined stays."""
    kind = expression.type
    if isinstance(kind, Half):  # CUDA computes with them at run time
        return expression
    match expression:
        case Convert(operand=Literal() as operand) if isinstance(kind, Scalar) and isinstance(operand.type, Scalar):
            value = convert_value(operand.value, kind)
        case Unary(op=op, operand=Literal() as operand) if isinstance(kind, Scalar):
            given = operand.value
            value = not given if op == "!" else _fit(-given if op == "-" else ~int(given), kind)
        case Binary(op=op, left=Literal() as left, right=Literal() as right) if isinstance(left.type, Scalar):
            value = operate(op, left.value, right.value, left.type)
            value = None if value is None or not isinstance(kind, Scalar) else _fit(value, kind)
        case Logical(op=op, left=Literal() as left, right=Literal() as right):
            value = bool(left.value and right.value) if op == "&&" else bool(left.value or right.value)
        case Conditional(condition=Literal() as condition, then=Literal() as then, otherwise=Literal() as otherwise):
            return then if condition.value else otherwise
        case _:
            return expression
    if value is None:
        return expression
    number = SizeOf if any(isinstance(part, SizeOf) for part in vars(expression).values()) else Literal
    return number(expression.at, kind, value)


def _fit(value: Value, kind: Scalar) -> Value:
    if kind == BOOL:
        return bool(value)
    return _round(value, kind) if kind.is_float else wrap(int(value), kind)


def divides_by_zero(expression: Expr) -> Expr | None:
    """The division that keeps an expression of constants from having a value."""
    match expression:
        case Binary(op="/" | "%", right=Literal(value=0)):
            return expression
        case Unary(operand=operand) | Convert(operand=operand):
            return divides_by_zero(operand)
        case Binary(left=left, right=right) | Logical(left=left, right=right):
            return divides_by_zero(left) or divides_by_zero(right)
    return None


def not_constant(value: Expr, what: str, otherwise: str) -> Fault:
    """The complaint about a value that had to be known when the kernel is compiled. otherwise: what to write."""
    division = divides_by_zero(value)
    if division is not None:
        return Fault(division.at, f"{what} has no value: this divides by zero", "check the numbers that it is made of")
    return Fault(value.at, f"{what} must be known when the kernel is compiled", otherwise)


def convert_value(value: Value, kind: Scalar) -> Value | None:
    """A constant in another type; None where C does not define the result."""
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


_PLAIN: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b,
    "&": lambda a, b: a & b, "|": lambda a, b: a | b, "^": lambda a, b: a ^ b,
    "<": lambda a, b: a < b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b, "!=": lambda a, b: a != b,
}


def operate(op: str, a: Value, b: Value, kind: Scalar) -> Value | None:
    """a op b, not yet reduced to what the type holds; None where C does not define it."""
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

"""Arithmetic of intervals: what an operation of C may give for operands that lie between two numbers each."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from ..types import BOOL, Scalar, Type

MOST_STEP = 64  # what a larger power of two divides counts as this, 0 too


class ValueRange(NamedTuple):
    """The whole numbers from low to high that a step divides, a power of two."""

    low: int
    high: int
    step: int = 1


ANYTHING = ValueRange(-(2**100), 2**100)
TRUTH = ValueRange(0, 1)
MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}


def exactly(value: int) -> ValueRange:
    """Return the interval of one number."""
    return ValueRange(value, value, math.gcd(value, MOST_STEP))


def of_type(kind: Type) -> ValueRange:
    """Return what a value of this type can be."""
    if not isinstance(kind, Scalar) or kind.is_float:
        return ANYTHING
    if kind == BOOL:
        return TRUTH
    return _of_bits(8 * kind.size, kind)


def _of_bits(count: int, kind: Any) -> ValueRange:
    """Return what so many bits hold, with a sign if the type has one."""
    low = 0 if kind.is_unsigned else -(1 << count - 1)
    return ValueRange(low, low + (1 << count) - 1)


def fits_narrow(value: int, kind: Any) -> bool:
    """Return whether 32 bits hold a whole number as they hold one of 64."""
    return contains(_of_bits(32, kind), ValueRange(value, value))


def contains(whole: ValueRange, part: ValueRange) -> bool:
    """Return whether all numbers of one interval lie in another."""
    return whole.low <= part.low and part.high <= whole.high


def join(a: ValueRange, b: ValueRange) -> ValueRange:
    """Return the smallest interval that holds both."""
    return ValueRange(min(a.low, b.low), max(a.high, b.high), math.gcd(a.step, b.step))


def calculated(op: str, a: ValueRange, b: ValueRange) -> ValueRange:
    """Return what an operator gives; ANYTHING where nothing is known."""
    low, high = _limits(op, a, b)
    return ValueRange(low, high, _step(op, a, b))


def _limits(op: str, a: ValueRange, b: ValueRange) -> tuple[int, int]:
    corners: list[int] = []
    if op == "+":
        return a.low + b.low, a.high + b.high
    if op == "-":
        return a.low - b.high, a.high - b.low
    if op == "*":
        corners = [x * y for x in a[:2] for y in b[:2]]
    elif op == "<<" and b.low >= 0 and b.high < 64 and a.low >= 0:
        return a.low << b.low, a.high << b.high
    elif op == "&" and a.low >= 0 and b.low >= 0:
        return 0, min(a.high, b.high)
    elif op in "|^" and a.low >= 0 and b.low >= 0:
        return 0, (1 << max(a.high, b.high).bit_length()) - 1
    elif op == "/" and b.low > 0:
        corners = [math.trunc(x / y) if abs(x) < 2**50 else x // y for x in a[:2] for y in b[:2]]
    elif op == ">>" and b.low >= 0 and b.high < 64:
        corners = [x >> y for x in a[:2] for y in b[:2]]
    elif op == "%" and b.low > 0:
        return (0 if a.low >= 0 else 1 - b.high), min(max(a.high, 0), b.high - 1)
    if corners:
        return min(corners), max(corners)
    return _compared(op, a, b) if op in MIRRORED else ANYTHING[:2]


def _compared(op: str, a: ValueRange, b: ValueRange) -> tuple[int, int]:
    """Return a truth as the numbers that it may be."""
    if op in (">", ">="):
        return _compared(MIRRORED[op], b, a)
    if op in ("!=", "<="):
        low, high = _compared(OPPOSITE[op], a, b) if op == "!=" else _compared("<", b, a)
        return 1 - high, 1 - low
    if op == "<":
        return int(a.high < b.low), int(a.low < b.high)
    return int(a.low == a.high == b.low == b.high), int(a.low <= b.high and b.low <= a.high)


def _step(op: str, a: ValueRange, b: ValueRange) -> int:
    if op in ("+", "-", "|", "^"):
        return math.gcd(a.step, b.step)
    if op == "*":
        return math.gcd(a.step * b.step, MOST_STEP)
    if op == "&":
        return max(a.step, b.step)
    if op == "<<" and 0 <= b.low == b.high:
        return math.gcd(a.step << min(b.low, 6), MOST_STEP)
    return 1

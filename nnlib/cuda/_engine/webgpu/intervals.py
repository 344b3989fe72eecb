"""Arithmetic of intervals: what an operation of C may give for operands that lie between two numbers each."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..language.types import BOOL, Scalar, Type

Interval = tuple[int, int]
ANYTHING: Interval = (-(2**100), 2**100)
TRUTH: Interval = (0, 1)
MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}


def of_type(kind: Type) -> Interval:
    """Return what a value of this type can be."""
    if not isinstance(kind, Scalar) or kind.dtype.kind not in "iub":
        return ANYTHING
    if kind == BOOL:
        return TRUTH
    limits = np.iinfo(kind.dtype)
    return int(limits.min), int(limits.max)


def fits_narrow(value: int, kind: Any) -> bool:
    """Return whether 32 bits hold a whole number as they hold one of 64."""
    limits = np.iinfo(np.uint32 if kind.is_unsigned else np.int32)
    return bool(limits.min <= value <= limits.max)


def join(a: Interval, b: Interval) -> Interval:
    """Return the smallest interval that holds both."""
    return min(a[0], b[0]), max(a[1], b[1])


def calculated(op: str, a: Interval, b: Interval) -> Interval:
    """Return what an operator gives; ANYTHING where nothing is known."""
    if op in "+-":
        return (a[0] + b[0], a[1] + b[1]) if op == "+" else (a[0] - b[1], a[1] - b[0])
    if op == "*":
        corners = [x * y for x in a for y in b]
        return min(corners), max(corners)
    if op == "<<" and 0 <= b[0] and b[1] < 64 and a[0] >= 0:
        return a[0] << b[0], a[1] << b[1]
    if a[0] >= 0 and op == "&" and b[0] >= 0:
        return 0, min(a[1], b[1])
    if a[0] >= 0 and b[0] >= 0 and op in "|^":
        return 0, (1 << max(a[1], b[1]).bit_length()) - 1
    if op == "/" and b[0] > 0:
        corners = [math.trunc(x / y) if abs(x) < 2**50 else x // y for x in a for y in b]
        return min(corners), max(corners)
    if op == ">>" and 0 <= b[0] and b[1] < 64:
        corners = [x >> y for x in a for y in b]
        return min(corners), max(corners)
    if op == "%" and b[0] > 0:
        return (0 if a[0] >= 0 else 1 - b[1]), min(max(a[1], 0), b[1] - 1)
    return TRUTH if op in MIRRORED else ANYTHING

"""Represents C's values in Python.

Numbers are int, float and bool, pointers are int, vectors and structs are bytes, halves are their bits.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from typing import Any

import numpy as np

from ...language.types import DOUBLE, FLOAT, Half, Pointer, Scalar, Type, Vector
from ...simulator.functions import halves
from ...simulator.functions.mathematics import MATH

CODES = {
    "?": "?",
    "i1": "b",
    "u1": "B",
    "i2": "h",
    "u2": "H",
    "i4": "i",
    "u4": "I",
    "i8": "q",
    "u8": "Q",
    "f4": "f",
    "f8": "d",
}


def code_of(kind: Type) -> str:
    """Return the letter of the struct module for a number or pointer."""
    if isinstance(kind, Pointer):
        return "q"
    assert isinstance(kind, Scalar)
    if isinstance(kind, Half):
        return "H"
    return "?" if kind.dtype.kind == "b" else CODES[f"{kind.dtype.kind}{kind.dtype.itemsize}"]


def rounding() -> Callable[[float], float]:
    """Return a function that rounds to float32, for one thread."""
    cell = memoryview(bytearray(4)).cast("f")

    def single(value: float) -> float:
        cell[0] = value
        return cell[0]

    return single


def sticky(value: int) -> int:
    """Return a number of at most 53 bits that rounds to the same float32 as one of 64 bits.

    By way of a double, the number would round twice.
    """
    return value if -(2**53) <= value <= 2**53 else (value >> 12 | (value & 4095 != 0)) << 12


def divide(a: int, b: int) -> int:
    """Divide integers as C does, towards zero."""
    return a // b if (a >= 0) == (b > 0) else -(-a // b)


def remainder(a: int, b: int) -> int:
    """Return what C's division leaves over, with the sign of a."""
    return a - b * divide(a, b)


def quotient(a: float, b: float) -> float:
    """Return a / b with IEEE's infinities."""
    try:
        return a / b
    except ZeroDivisionError:
        return (
            math.nan
            if a == 0 or math.isnan(a)
            else math.copysign(math.inf, a) * math.copysign(1, b)
        )


def whole(value: float) -> int:
    """Truncate a real number; return for NaN and infinities what a PC makes of them."""
    try:
        return int(value)
    except (ValueError, OverflowError):
        return -(2**63)


def built(size: int, parts: tuple[tuple[int, str, Any], ...]) -> bytes:
    """Return the bytes of a struct. parts: offset, letter of the type ("": the value is bytes), value."""
    content = bytearray(size)
    for offset, letter, value in parts:
        if letter:
            struct.pack_into(f"<{letter}", content, offset, value)
        else:
            content[offset : offset + len(value)] = value
    return bytes(content)


def vector_form(kind: Vector) -> struct.Struct:
    return struct.Struct(f"<{kind.lanes}{code_of(kind.base)}")


_QUICK: dict[str, Callable[..., Any]] = {
    "fabs": abs,
    "fabsf": abs,
    "abs": abs,
    "min": min,
    "max": max,
}


def mathematics(name: str, parameters: list[Type], result: Type) -> Callable[..., Any]:
    """Return CUDA's function of that name, for Python numbers."""
    if name in _QUICK and all(
        kind not in (FLOAT, DOUBLE) or name.startswith("fabs") for kind in parameters
    ):
        return _QUICK[name]
    return on_host(MATH[name], parameters, result)


def on_host(
    function: Callable[..., Any], parameters: list[Type], result: Type
) -> Callable[..., Any]:
    """Turn a function of NumPy values into one of the host's values."""

    def call(*values: Any) -> Any:
        with np.errstate(all="ignore"):
            return _back(function(*map(_given, values, parameters)), result)

    return call


def _given(value: Any, kind: Type) -> Any:
    if isinstance(kind, Vector):
        return tuple(_given(part, kind.base) for part in vector_form(kind).unpack(value))
    assert isinstance(kind, Scalar)
    return np.uint16(value).view(kind.dtype) if isinstance(kind, Half) else kind.dtype.type(value)


def _back(found: Any, kind: Type) -> Any:
    if isinstance(kind, Vector):
        return vector_form(kind).pack(*(_back(part, kind.base) for part in found))
    if isinstance(kind, Half):
        found = np.asarray(found).view(np.uint16)
    return found.item() if hasattr(found, "item") else found


def half_conversion(given: Scalar, kind: Scalar) -> Callable[..., Any]:
    """Return the conversion from a half, or to one."""
    return on_host(halves.conversion(given, kind), [given], kind)

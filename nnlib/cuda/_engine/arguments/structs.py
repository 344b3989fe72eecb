"""Structs and vectors among the arguments of a launch: by value, and as the elements of arrays. Lesson 01.

A struct is a NumPy scalar or a one-element array of a structured dtype that lies in memory as CUDA's struct does, or
its bytes, one of two floats also a complex number; a vector such as float3 also three numbers. Names of members do not
matter, places and types do.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..language import layout, types


def record(kind: types.Struct | types.Vector, value: Any) -> Any:
    """Return the value as a NumPy scalar of the struct's own dtype, np.void; None if it does not fit."""
    own = (
        np.dtype([("value", layout.dtype_of(kind))])
        if isinstance(kind, types.Vector)
        else layout.dtype_of(kind)
    )
    if isinstance(value, (bytes, bytearray)):
        return np.frombuffer(bytes(value), own)[0] if len(value) == kind.size else None
    if isinstance(kind, types.Vector) and isinstance(value, (tuple, list, np.ndarray)):
        try:
            given = np.asarray(value)
        except ValueError:  # rows of different lengths
            return None
        if (
            given.shape == (kind.lanes,)
            and given.dtype.fields is None
            and given.dtype.kind in "biuf"
        ):
            made = np.zeros(1, own)
            made["value"] = given
            return made[0]
    if isinstance(value, complex) and isinstance(kind, types.Struct):
        value = np.complex64(value) if kind.size == 8 else np.complex128(value)
    if isinstance(value, tuple) and isinstance(kind, types.Struct):
        try:
            return np.array([value], own)[0]
        except (TypeError, ValueError):
            return None
    known = isinstance(value, (np.void, np.complexfloating, np.ndarray))
    if known and value.size == 1 and alike(value.dtype, layout.dtype_of(kind)):
        return np.frombuffer(np.asarray(value).tobytes(), own)[0]
    return None


def alike(given: np.dtype, wanted: np.dtype) -> bool:
    """Return whether both types have the same layout in memory."""
    return given == wanted or (
        given.itemsize == wanted.itemsize and _places(given, 0) == _places(wanted, 0)
    )


def _places(dtype: np.dtype, start: int) -> list[tuple[int, np.dtype]]:
    """Return each number in a struct with its byte offset."""
    if dtype.subdtype is not None:
        base, shape = dtype.subdtype
        count = int(np.prod(shape))
        return [place for k in range(count) for place in _places(base, start + k * base.itemsize)]
    if dtype.kind == "c":
        half = np.dtype(f"f{dtype.itemsize // 2}")
        return [(start, half), (start + half.itemsize, half)]
    if dtype.fields is None:
        return [(start, dtype)]
    return sorted(
        (
            place
            for inner, offset, *_ in dtype.fields.values()
            for place in _places(inner, start + offset)
        ),
        key=lambda place: place[0],
    )


def described(kind: types.Type) -> str:
    """Say how to write such a value, or the dtype of an array of them."""
    if isinstance(kind, types.Vector):
        return f"np.array([{', '.join('0' * kind.lanes)}], np.{kind.base.dtype.name})"
    if not isinstance(kind, types.Struct):
        return str(layout.dtype_of(kind))
    members = ", ".join(
        f"{field.type} {field.name} at byte {field.offset}" for field in kind.fields[:8]
    )
    return (
        f"one of the dtype that kernel.parameters[k].dtype has: {members}{', ...' * (len(kind.fields) > 8)}; "
        f"{kind.size} bytes in all"
    )

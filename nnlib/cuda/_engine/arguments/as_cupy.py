"""Check a launch as CuPy would carry it out: it passes the bytes that Python or NumPy has, whatever the kernel declares."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..errors import ArgumentError, LaunchError
from ..language import types
from .signature import Parameter

_PYTHON = {bool: np.int64, int: np.int64, float: np.float64, complex: np.complex128}


def check(
    kernel: str, grid: Any, block: Any, parameters: Sequence[Parameter], args: Sequence[Any]
) -> None:
    """Refuse a launch that CuPy refuses, or whose numbers the kernel would read as others.

    Raises LaunchError for a grid or block that is no tuple, ArgumentError for a number of another size or kind.
    """
    for what, size in (("grid", grid), ("block", block)):
        if not isinstance(size, tuple):
            hint = f"write ({size},)" if isinstance(size, int) else "write a tuple"
            said = f"CuPy takes the {what} as a tuple, not {size!r}"
            raise LaunchError(f"{kernel}: {said}; {hint}", what=said, hint=hint, kernel=kernel)
    for number, (parameter, value) in enumerate(zip(parameters, args, strict=False), 1):
        if wrong := _misread(parameter, value):
            what, hint = f"argument {number} {parameter}: {wrong[0]}", wrong[1]
            raise ArgumentError(f"{kernel}: {what}; {hint}", what=what, hint=hint, kernel=kernel)


def _misread(parameter: Parameter, value: Any) -> tuple[str, str] | None:
    """Say what is wrong with the bytes that CuPy passes for a value, and what to write; return None where nothing is."""
    kind = parameter.type
    if isinstance(kind, types.Struct | types.Vector) and isinstance(value, tuple | list | bytes):
        return f"CuPy passes no {type(value).__name__}", "pass an array of NumPy with its bytes"
    passed = np.dtype(_PYTHON.get(type(value), getattr(value, "dtype", np.void)))
    if not isinstance(kind, types.Scalar) or passed.kind not in "biufc":
        return None
    wanted = kind.dtype
    is_whole = passed.kind in "biu" and wanted.kind in "biu"
    if (is_whole and passed.itemsize >= wanted.itemsize) or passed == wanted:
        return None
    written = f"np.{wanted.name}({value.item() if isinstance(value, np.generic) else value})"
    return (
        (
            f"CuPy passes {value!r} as the {passed.itemsize} bytes of {passed.name}, and the kernel reads "
            f"{wanted.itemsize} bytes as {kind}"
        ),
        f"write {written}",
    )

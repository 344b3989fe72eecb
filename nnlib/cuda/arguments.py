"""Arguments against the kernel's own signature, the same on a GPU and in the simulator. Lesson 01.

CuPy passes whatever it is given: a Python float meant for a `float` is read as garbage, a float64 array
as float32. Here both are found before anything runs, or converted where the meaning is clear.
"""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from nnlib.cuda.errors import ArgumentError, LaunchError
from nnlib.cuda.language import types
from nnlib.cuda.limits import MAX_BLOCK, MAX_GRID, MAX_THREADS
from nnlib.cuda.signature import Parameter

_LIMITS = {"grid": MAX_GRID, "block": MAX_BLOCK}


def launch_shape(kernel: str, what: str, size: Any) -> tuple[int, int, int]:
    """`what` ("grid" or "block") as three ints; LaunchError where a GPU would refuse it."""
    sizes = tuple(size) if isinstance(size, (tuple, list)) else (size,)
    if all(type(value) is int for value in sizes):  # 2.0 would meet the cached 2
        return _known_launch_shape(kernel, what, sizes)
    return _launch_shape(kernel, what, sizes)


def _launch_shape(kernel: str, what: str, sizes: tuple[Any, ...]) -> tuple[int, int, int]:
    if not 1 <= len(sizes) <= 3:
        raise LaunchError(f"{kernel}: the {what} has {len(sizes)} dimensions; write one to three, like (64, 4)")
    whole = []
    for axis, value, limit in zip("xyz", sizes, _LIMITS[what], strict=False):
        try:
            value = operator.index(value)
        except TypeError:
            hint = "; to cover n write (n + threads - 1) // threads" if what == "grid" else ""
            raise LaunchError(f"{kernel}: {what}.{axis} is {value!r}, not a whole number{hint}") from None
        if not 1 <= value <= limit:
            raise LaunchError(f"{kernel}: {what}.{axis} is {value}; a GPU takes 1 to {limit}")
        whole.append(value)
    if what == "block" and math.prod(whole) > MAX_THREADS:
        raise LaunchError(f"{kernel}: a block of {' x '.join(map(str, whole))} = {math.prod(whole)} threads; "
                          f"a GPU runs at most {MAX_THREADS} per block, and nothing at all beyond")
    x, y, z = (*whole, 1, 1)[:3]
    return x, y, z


_known_launch_shape = functools.lru_cache(maxsize=1024)(_launch_shape)


def check(kernel: str, parameters: Sequence[Parameter] | None, args: Any) -> list[Any]:
    """The arguments in signature order: arrays as they are, scalars in the declared C type.

    parameters: None when the signature is unknown; then everything passes.
    Raises ArgumentError naming the parameter, what came, and what to write instead.
    """
    if not isinstance(args, (tuple, list)):
        raise ArgumentError(f"{kernel}: the arguments must be a tuple; for a single one write (x,)")
    if parameters is None:
        return list(args)
    if len(args) != len(parameters):
        wanted = ", ".join(map(str, parameters))
        problem = (f"{parameters[len(args)].name!r} is missing" if len(args) < len(parameters)
                   else f"{len(args) - len(parameters)} too many")
        raise ArgumentError(f"{kernel}: {problem}: takes {len(parameters)} arguments, got {len(args)}. "
                            f"Its parameters: {wanted or 'none'}")
    values = []
    for place, (parameter, value) in enumerate(zip(parameters, args, strict=True), 1):
        try:
            values.append(_check_one(parameter, value))
        except ArgumentError as misfit:
            raise ArgumentError(f"{kernel}: argument {place} {parameter}: {misfit}") from None
    return values


def _check_one(parameter: Parameter, value: Any) -> Any:
    kind = parameter.type
    if isinstance(kind, types.Pointer):
        return _check_array(parameter, kind, value)
    if isinstance(kind, types.Scalar):
        return _check_scalar(parameter.name, kind, value)
    if kind is None:
        return value
    raise ArgumentError("pass its fields as separate parameters, or a pointer to an array")


def _check_array(parameter: Parameter, kind: types.Pointer, value: Any) -> Any:
    name, base = parameter.name, parameter.element
    if not (isinstance(value, np.ndarray) or _on_device(value)):
        hint = f"np.array({name}, dtype=np.{base.name})" if base and isinstance(value, (list, tuple)) else "an array"
        raise ArgumentError(f"got {_describe(value)}; pass {hint}")
    if not hasattr(value, "flags"):
        raise ArgumentError(f"got {_describe(value)}; write cupy.asarray({name})")
    if base is not None and value.dtype != base:
        hint = (f"create the array with dtype=np.{base.name}" if parameter.written
                else f"write {name}.astype(np.{base.name})")
        raise ArgumentError(f"got an array of {value.dtype}; {hint}")
    if not value.flags.c_contiguous:
        module = "np" if isinstance(value, np.ndarray) else "cupy"
        back = ", and copy the result back" if parameter.written else ""
        raise ArgumentError(f"the array of shape {value.shape} is a view with gaps or a transpose; a kernel sees "
                            f"plain memory. Write {module}.ascontiguousarray({name}){back}")
    if parameter.written and isinstance(value, np.ndarray) and not value.flags.writeable:
        raise ArgumentError(f"the array is read-only, the parameter is not const; "
                            f"pass {name}.copy() or declare const {kind}")
    return value


def _on_device(value: Any) -> bool:
    # Of the type: asking a CuPy array itself takes longer than launching a kernel.
    return hasattr(type(value), "__cuda_array_interface__")


def _check_scalar(name: str, kind: types.Scalar, value: Any) -> np.generic:
    if isinstance(value, np.generic):
        if value.dtype == kind.dtype:
            return value
        value = value.item()
    if isinstance(value, np.ndarray) or _on_device(value):
        convert = "float" if kind.is_float else "int"
        raise ArgumentError(f"got {_describe(value)}; for one number write {convert}({name})")
    if kind.is_float and isinstance(value, (int, float)):
        if math.isfinite(value) and abs(value) > float(_limits(kind.dtype).max):
            raise ArgumentError(f"{value!r} is too large for a {kind}")
        return kind.dtype.type(value)
    try:
        whole = operator.index(value)
    except TypeError:
        hint = f"; write int({name})" if isinstance(value, float) else ""
        raise ArgumentError(f"got {_describe(value)}{hint}") from None
    if kind == types.BOOL:
        return np.bool_(whole)
    limits = _limits(kind.dtype)
    if not limits.min <= whole <= limits.max:
        raise ArgumentError(f"{whole} does not fit; {kind} holds {limits.min} to {limits.max}")
    return kind.dtype.type(whole)


@functools.cache
def _limits(dtype: np.dtype) -> Any:
    return np.finfo(dtype) if dtype.kind == "f" else np.iinfo(dtype)


def _describe(value: Any) -> str:
    if value is None:
        return "None"
    if hasattr(value, "dtype") and hasattr(value, "shape"):
        return f"an array of {value.dtype} with shape {tuple(value.shape)}"
    if isinstance(value, (bool, int, float)):
        return f"the {type(value).__name__} {value!r}"
    return f"a {type(value).__name__}"

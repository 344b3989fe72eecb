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

from ...limits import MAX_BLOCK, MAX_GRID, MAX_THREADS
from ..errors import ArgumentError, LaunchError
from ..language import layout
from ..language.types import BFLOAT16, BFLOAT162, BOOL, FLOAT, Pointer, Scalar, Struct, Type, Vector
from . import structs
from .signature import Parameter, range_of

_LIMITS = {"grid": MAX_GRID, "block": MAX_BLOCK}


def launch_shape(kernel: str, what: str, size: Any) -> tuple[int, int, int]:
    """Return a size as three ints. Raise LaunchError where a GPU would refuse it. what: "grid" or "block"."""
    sizes = size if isinstance(size, (tuple, list)) else (size,)
    try:
        return _known_launch_shape(kernel, what, *sizes)
    except TypeError:  # what cannot be looked up is no number, or one in an array
        return _launch_shape(kernel, what, *sizes)


def _launch_shape(kernel: str, what: str, *sizes: Any) -> tuple[int, int, int]:
    if not 1 <= len(sizes) <= 3:
        raise _refused(
            kernel, f"the {what} has {len(sizes)} dimensions", "write one to three, like (64, 4)"
        )
    whole = []
    for axis, value, limit in zip("xyz", sizes, _LIMITS[what], strict=False):
        try:
            value = operator.index(value)
        except TypeError:
            raise _refused(
                kernel,
                f"{what}.{axis} is {value!r}, not a whole number",
                "to cover n write (n + threads - 1) // threads" if what == "grid" else "",
            ) from None
        if not 1 <= value <= limit:
            raise _refused(
                kernel,
                f"{what}.{axis} is {_number(value)}; a GPU takes 1 to {limit}",
                setting=f"{what}.{axis}",
                value=value,
                limit=limit,
            )
        whole.append(value)
    if what == "block" and math.prod(whole) > MAX_THREADS:
        raise _refused(
            kernel,
            f"a block of {' x '.join(map(str, whole))} = {math.prod(whole)} threads; "
            f"a GPU runs at most {MAX_THREADS} per block, and nothing at all beyond",
            setting="block",
            value=math.prod(whole),
            limit=MAX_THREADS,
        )
    x, y, z = (*whole, 1, 1)[:3]
    return x, y, z


# 2.0 is not the 2 that was allowed
_known_launch_shape = functools.lru_cache(maxsize=1024, typed=True)(_launch_shape)


def count(kernel: str, what: str, value: Any, least: int, unit: str) -> int:
    """Return `value` as an int that is at least `least`. Raise a LaunchError that says what it counts where it is not."""
    try:
        whole = operator.index(value)
        if whole >= least:
            return whole
        shown = _number(whole)
    except TypeError:
        shown = repr(value)
    raise _refused(kernel, f"{what} is {shown}, but it is a number of {unit}, {least} or more")


def _refused(kernel: str, what: str, hint: str = "", **fields: Any) -> LaunchError:
    return LaunchError(
        f"{kernel}: {_joined(what, hint)}", what=what, hint=hint, kernel=kernel, **fields
    )


def check(kernel: str, parameters: Sequence[Parameter] | None, args: Any) -> list[Any]:
    """Return the arguments in signature order: arrays as they are, scalars in the declared C type.

    parameters: None when the signature is unknown; then everything passes.
    Raises ArgumentError naming the parameter, what came, and what to write instead.
    """
    if not isinstance(args, (tuple, list)):
        hint = "for a single one write (x,)"
        raise ArgumentError(
            f"{kernel}: the arguments must be a tuple; {hint}", hint=hint, kernel=kernel
        )
    if parameters is None:
        return list(args)
    if len(args) != len(parameters):
        wanted = ", ".join(map(str, parameters))
        problem = (
            f"{parameters[len(args)].name!r} is missing"
            if len(args) < len(parameters)
            else f"{len(args) - len(parameters)} too many"
        )
        raise ArgumentError(
            f"{kernel}: {problem}: takes {len(parameters)} arguments, got {len(args)}. "
            f"Its parameters: {wanted or 'none'}",
            kernel=kernel,
        )
    values: list[Any] = []
    try:
        for parameter, value in zip(parameters, args, strict=True):
            usual = parameter.usual(value)
            values.append(_check_one(parameter, value) if usual is None else usual)
    except _Misfit as misfit:
        what = f"argument {len(values) + 1} {parameter}: {misfit.what}"
        raise ArgumentError(
            f"{kernel}: {_joined(what, misfit.hint)}", what=what, hint=misfit.hint, kernel=kernel
        ) from None
    return values


def check_simulated(kernel: str, parameters: Sequence[Parameter]) -> None:
    """Raise ArgumentError for an address in a struct: it says nothing of the array there, and only a GPU could follow it."""
    for place, parameter in enumerate(parameters, 1):
        if isinstance(parameter.type, Struct) and layout.holds_pointers(parameter.type):
            what = f"argument {place} {parameter}: the simulator cannot follow the pointers in a struct of the caller"
            hint = "pass the array as an argument of its own, and let the kernel make the struct"
            raise ArgumentError(
                f"{kernel}: {_joined(what, hint)}", what=what, hint=hint, kernel=kernel
            )


class _Misfit(Exception):
    """A value that does not fit its parameter: what came, and what to write instead."""

    def __init__(self, what: str, hint: str = "") -> None:
        super().__init__(what)
        self.what, self.hint = what, hint


def _joined(what: str, hint: str) -> str:
    return f"{what}; {hint}" if hint else what


def _check_one(parameter: Parameter, value: Any) -> Any:
    kind = parameter.type
    if isinstance(kind, Pointer):
        return _check_array(parameter, kind, value)
    if kind == BFLOAT16:
        return _check_bfloat16(parameter.name, value)
    if isinstance(kind, Scalar):
        return _check_scalar(parameter.name, kind, value)
    if isinstance(kind, Struct | Vector):
        made = structs.record(kind, value)
        if made is None:
            raise _Misfit(f"got {_describe(value)}", f"pass {structs.described(kind)}")
        return made
    return value


def _check_array(parameter: Parameter, kind: Pointer, value: Any) -> Any:
    name, base = parameter.name, parameter.element
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool) and value == 0:
        return np.uintp(0)
    if not (isinstance(value, np.ndarray) or _on_device(value)):
        array = (
            f"np.array({name}, dtype=np.{base.name})"
            if base and isinstance(value, (list, tuple))
            else "an array"
        )
        address = (
            ", not its address" if isinstance(value, (int, np.integer)) and value > 0xFFFF else ""
        )
        raise _Misfit(f"got {_describe(value)}", f"pass {array}{address}")
    if not hasattr(value, "flags"):
        raise _Misfit(f"got {_describe(value)}", f"write cupy.asarray({name})")
    if isinstance(value, np.ma.MaskedArray):
        raise _Misfit("got a masked array", f"a kernel knows no masks: pass {name}.filled(0)")
    if isinstance(value, np.ndarray):
        value = np.ndarray.view(value, np.ndarray)  # of a subclass such as np.matrix
    if base is not None and base.fields is not None and _holds(value, base):
        pass
    elif base is not None and base.fields is not None:
        raise _Misfit(
            f"got an array of {value.dtype}", f"its elements are {structs.described(kind.target)}"
        )
    elif kind.target in (BFLOAT16, BFLOAT162):
        if value.dtype.itemsize != 2 or value.dtype.name not in ("bfloat16", "uint16"):
            raise _Misfit(
                f"got an array of {value.dtype}",
                "a bfloat16 is the upper half of a float32's bits: pass "
                f"({name}.view(np.uint32) >> 16).astype(np.uint16), or an array of ml_dtypes.bfloat16",
            )
        value = value.view(np.uint16)
    elif base is not None and value.dtype != base and not _is_complex(value, kind.target):
        raise _Misfit(
            f"got an array of {value.dtype}",
            f"create the array with dtype=np.{base.name}"
            if parameter.written
            else f"write {name}.astype(np.{base.name})",
        )
    if value.dtype.hasobject:
        raise _Misfit(
            "got an array of Python objects", "give it a number type, such as dtype=np.float32"
        )
    if not value.flags.c_contiguous:
        module = "np" if isinstance(value, np.ndarray) else "cupy"
        back = ", and copy the result back" if parameter.written else ""
        if value.flags.f_contiguous:
            raise _Misfit(
                f"the array of shape {value.shape} is a transpose (or has order='F'): a kernel sees its "
                f"memory, column after column",
                f"write {module}.ascontiguousarray({name}){back}; "
                f"or {name}.T, if the kernel goes by columns",
            )
        raise _Misfit(
            f"the array of shape {value.shape} is a view with gaps or a transpose; a kernel sees "
            "plain memory",
            f"write {module}.ascontiguousarray({name}){back}",
        )
    if parameter.written and isinstance(value, np.ndarray) and not value.flags.writeable:
        raise _Misfit(
            "the array is read-only, the parameter is not const",
            f"pass {name}.copy() or declare const {kind}",
        )
    return value


def _holds(value: Any, base: np.dtype) -> bool:
    """Return whether these are structs of that dtype, or bytes for some of them: CuPy has no arrays of structs."""
    if value.dtype == np.uint8:
        return bool(value.nbytes % base.itemsize == 0)
    return structs.alike(value.dtype, base)


def _is_complex(value: Any, element: Type) -> bool:
    """Return whether these are complex numbers for float2 or double2."""
    return (
        isinstance(element, Vector)
        and element.lanes == 2
        and element.base.is_float
        and value.dtype.kind == "c"
        and value.dtype.itemsize == element.size
    )


def _on_device(value: Any) -> bool:
    # Of the type: asking a CuPy array itself takes longer than launching a kernel.
    return hasattr(type(value), "__cuda_array_interface__")


def _check_scalar(name: str, kind: Scalar, value: Any) -> Any:
    if isinstance(value, np.generic):
        if value.dtype == kind.dtype:
            return value
        if value.dtype.kind in "biuf":  # a date is no number, though it has one inside
            # Of a long double, item() is itself
            value = float(value) if value.dtype.kind == "f" else value.item()
    if isinstance(value, np.ndarray) or _on_device(value):
        single = getattr(value, "size", 0) == 1
        raise _Misfit(
            f"got {_describe(value)}",
            f"for one number write {name}.item()" if single else "this parameter is one number",
        )
    if isinstance(value, (int, float)):
        return _real(kind, value) if kind.is_float else _whole(name, kind, value)
    if hasattr(value, "__index__") and not isinstance(value, type) and not kind.is_float:
        return _whole(name, kind, operator.index(value))
    python = "float" if kind.is_float else "bool" if kind == BOOL else "int"
    raise _Misfit(
        f"got {_describe(value)}", f"write {python}({name})" if hasattr(value, "__float__") else ""
    )


def _check_bfloat16(name: str, value: Any) -> Any:
    """Accept a number, or the bits of a bfloat16 as np.uint16; return the bits."""
    if isinstance(value, np.uint16):
        return value
    if getattr(getattr(value, "dtype", None), "name", "") == "bfloat16":
        return value.view(np.uint16)
    bits = np.asarray(_check_scalar(name, FLOAT, value)).view(np.uint32)
    return np.uint16((bits + 0x7FFF + (bits >> 16 & 1)) >> 16)


def _real(kind: Scalar, value: float) -> Any:
    if abs(value) < _overflow(kind.dtype) or (
        isinstance(value, float) and not math.isfinite(value)
    ):
        return kind.dtype.type(value)
    raise _Misfit(f"{_number(value)} is too large for a {kind}")


def _whole(name: str, kind: Scalar, value: float) -> np.generic:
    if isinstance(value, float):
        python = "bool" if kind == BOOL else "int"
        raise _Misfit(
            f"got {_describe(value)}",
            f"write {python}({name})"
            if math.isfinite(value)
            else f"{kind} holds whole numbers only",
        )
    if kind == BOOL:
        return np.bool_(value)
    _, least, largest = range_of(kind.dtype)
    if not least <= value <= largest:
        raise _Misfit(f"{_number(value)} does not fit; {kind} holds {least} to {largest}")
    return kind.dtype.type(value)


@functools.cache
def _overflow(dtype: np.dtype) -> int:
    """Return the least number that rounds to infinity: half a step above the largest finite one."""
    found = np.finfo(dtype)
    digits = found.nmant + 1
    return int((2 ** (digits + 1) - 1) * 2 ** (int(found.maxexp) - 1 - digits))


def _number(value: float) -> str:
    # Of very long ones Python refuses to print the digits
    if isinstance(value, int) and value.bit_length() > 128:
        return f"a whole number of {value.bit_length():,} bits"
    return repr(value)


def _describe(value: Any) -> str:
    if value is None:
        return "None"
    if isinstance(value, np.generic):
        return f"{value!r}"
    if hasattr(value, "dtype") and isinstance(getattr(value, "shape", 0), tuple):
        return f"an array of {value.dtype} with shape {tuple(value.shape)}"
    if isinstance(value, (bool, int, float)):
        return f"the {type(value).__name__} {_number(value)}"
    return f"a {type(value).__name__}"

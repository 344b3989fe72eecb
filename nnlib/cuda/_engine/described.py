"""Arguments described in words, for launches from a command line: `x=float32[1000]`, `n=1000`, `image=photo.npy`."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .arguments.signature import Parameter
from .errors import ArgumentError
from .kernel import RawKernel
from .language.diagnostics import did_you_mean

_ARRAY = re.compile(r"(?P<dtype>\w*)\[(?P<shape>[\d, ]+)\](?::(?P<fill>\w+))?")
_MOST_BYTES = 4 * 2**30  # of one array: a launch keeps a copy of it, and what is known of each byte
_FILLS: dict[str, Callable[[int], np.ndarray]] = {
    "zeros": np.zeros,
    "ones": np.ones,
    "arange": np.arange,
    "random": lambda size: np.random.default_rng(0).random(size, np.float32),
}


def arguments(kernel: RawKernel, descriptions: Sequence[str]) -> tuple[Any, ...]:
    """Make one value per parameter of the kernel, each described as NAME=VALUE.

    VALUE: a number; TYPE[SHAPE], TYPE[SHAPE]:FILL or [SHAPE] for an array, its type then the parameter's own; or the
    path of an .npy file. FILL: zeros, ones, arange or random (0 to 1, the same at each run); without one, arrays of
    real numbers are random, those of integers zero, so that they serve as indices; structs are zero.
    Raises ArgumentError for a name, a description or a file that does not fit.
    """
    parameters = {parameter.name: parameter for parameter in kernel.parameters or ()}
    values: dict[str, Any] = {}
    for description in descriptions:
        name, _, text = description.partition("=")
        if name not in parameters:
            raise _misfit(
                kernel,
                f"it has no parameter {name!r}",
                did_you_mean(name, parameters)
                or f"describe its own: {', '.join(map(str, parameters.values())) or 'none'}",
            )
        if name in values:
            raise _misfit(kernel, f"{name} is described twice")
        values[name] = _value(kernel, parameters[name], text)
    missing = [parameter for name, parameter in parameters.items() if name not in values]
    if missing:
        raise _misfit(
            kernel,
            f"nothing describes {', '.join(map(str, missing))}",
            f"write {missing[0].name}={'[1000]' if missing[0].element is not None else '1000'}",
        )
    return tuple(values[name] for name in parameters)


def _value(kernel: RawKernel, parameter: Parameter, text: str) -> Any:
    if text.endswith(".npy"):
        try:
            return np.ascontiguousarray(np.load(text))
        except (OSError, ValueError) as error:
            raise _misfit(kernel, f"{parameter.name}: {text} cannot be read ({error})") from None
    if found := _ARRAY.fullmatch(text):
        return _array(kernel, parameter, **found.groupdict())
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            pass
    if text in ("true", "false"):
        return text == "true"
    raise _misfit(
        kernel,
        f"{parameter.name}={text} is no value",
        f"write a number, an array like {parameter.name}=float32[1000], or the path of an .npy file",
    )


def _array(
    kernel: RawKernel, parameter: Parameter, dtype: str, shape: str, fill: str | None
) -> np.ndarray:
    try:
        kind = np.dtype(dtype) if dtype else parameter.element
        sizes = tuple(int(size) for size in shape.split(","))
    except (TypeError, ValueError):
        kind = None
    if kind is not None and math.prod(sizes) * kind.itemsize > _MOST_BYTES:
        raise _misfit(
            kernel,
            f"{parameter.name}={dtype}[{shape}] is more than {_MOST_BYTES // 2**30} GiB",
            "a smaller array shows the same mistakes",
        )
    if kind is not None and kind.fields is not None and fill in (None, "zeros"):
        return np.zeros(sizes, kind)
    if kind is None or kind.kind not in "biuf":
        raise _misfit(
            kernel,
            f"{parameter.name}={dtype}[{shape}] is no array",
            "write one like float32[1000] or int32[64,64]",
        )
    fill = fill or ("random" if kind.kind == "f" else "zeros")
    if fill not in _FILLS:
        raise _misfit(
            kernel,
            f"{parameter.name}: {fill!r} is no way to fill an array",
            f"choose one of {', '.join(_FILLS)}",
        )
    return _FILLS[fill](math.prod(sizes)).astype(kind).reshape(sizes)


def _misfit(kernel: RawKernel, what: str, hint: str = "") -> ArgumentError:
    return ArgumentError(
        f"{kernel.name}: {what}" + (f"; {hint}" if hint else ""),
        what=what,
        hint=hint,
        kernel=kernel.name,
    )

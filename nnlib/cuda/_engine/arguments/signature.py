"""A kernel's parameters: from the checked tree, or, for C++ only a GPU understands, from the text. Lesson 01."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..language import layout, tree, types


@dataclass(frozen=True)
class Parameter:
    """type None: not a type of our CUDA C (a struct, a template argument); passed on unchecked."""

    name: str
    type: types.Type | None

    @functools.cached_property
    def element(self) -> np.dtype | None:
        """NumPy type of the array behind a pointer; None for void*, which takes any."""
        target = self.type.target if isinstance(self.type, types.Pointer) else None
        if isinstance(target, types.Vector):
            target = target.base
        if target is None or target == types.VOID:
            return None
        return layout.dtype_of(layout.flat_element(target))

    @functools.cached_property
    def dtype(self) -> np.dtype | None:
        """Return the NumPy type of the value, or of the array behind a pointer; None where any will do.

        The type for a struct has the struct's layout in memory.
        """
        if isinstance(self.type, types.Pointer) or self.type is None:
            return self.element
        return layout.dtype_of(self.type)

    @functools.cached_property
    def usual(self) -> Callable[[Any], Any]:
        """Return the converted value of the usual kinds of arguments; None for any other, which needs a closer look.

        Every launch waits for this: what the type says is looked up once.
        """
        if self.element is not None:
            return _usual_array(self.element, self.written)
        return (
            _usual_number(self.type.dtype)
            if type(self.type) is types.Scalar
            else lambda value: None
        )

    @functools.cached_property
    def written(self) -> bool:
        """The kernel may change what the caller passed."""
        return not isinstance(self.type, types.Pointer) or not self.type.const

    def __str__(self) -> str:
        return f"{self.name} ({self.type or 'unknown type'})"


def _usual_array(element: np.dtype, written: bool) -> Callable[[Any], Any]:
    def usual(value: Any) -> Any:
        kind = type(value)
        if kind is np.ndarray or (
            hasattr(kind, "__cuda_array_interface__") and hasattr(kind, "flags")
        ):
            flags = value.flags
            if (
                value.dtype is element
                and flags.c_contiguous
                and (not written or kind is not np.ndarray or flags.writeable)
            ):
                return value
        return None

    return usual


def _usual_number(dtype: np.dtype) -> Callable[[Any], Any]:
    python, least, largest = range_of(dtype)
    convert = dtype.type

    def usual(value: Any) -> Any:
        return convert(value) if type(value) is python and least <= value <= largest else None

    return usual


@functools.cache
def range_of(dtype: np.dtype) -> tuple[type, Any, Any]:
    """Return Python's type for such numbers, and the least and the largest of them."""
    if dtype.kind == "b":
        return bool, False, True
    found: Any = np.finfo(dtype) if dtype.kind == "f" else np.iinfo(dtype)
    python = float if dtype.kind == "f" else int
    return python, python(found.min), python(found.max)


def of_function(function: tree.Function) -> tuple[Parameter, ...]:
    """Return the parameters of a kernel that the front end understood."""
    return tuple(Parameter(variable.name, variable.type) for variable in function.parameters)


def of_text(text: str, kernel: str) -> tuple[Parameter, ...] | None:
    """Return the parameters read off the declaration alone; None where even that is beyond a plain list."""
    text = re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.DOTALL)
    declaration = re.search(rf"__global__\b[^;{{}}]*?\b{re.escape(kernel)}\s*\(([^)]*)\)", text)
    if declaration is None or re.search(r"[<>\[]", declaration[1]):
        return None
    return tuple(
        _parameter(piece)
        for piece in declaration[1].split(",")
        if piece.strip() not in ("", "void")
    )


def _parameter(piece: str) -> Parameter:
    before, star, name = piece.rpartition("*")
    words = re.findall(r"\w+", before if star else piece)
    names = [
        word for word in re.findall(r"\w+", name) if "restrict" not in word and word != "const"
    ]
    if not star:
        names = [words.pop()]
    base = _BASES.get(" ".join(sorted(word for word in words if word not in ("const", "volatile"))))
    if base is None or "*" in before:
        return Parameter(names[-1], None)
    return Parameter(names[-1], types.Pointer(base, "const" in words) if star else base)


_BASES = {" ".join(sorted(name.split())): kind for name, kind in types.NAMED.items()} | {
    "unsigned": types.UINT
}

"""The library's functions by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

Method = TypeVar("Method", bound=Callable[..., Any])


def provides(*names: str) -> Callable[[Method], Method]:
    """Programs call the decorated method by these names, or by its own."""

    def mark(method: Method) -> Method:
        method.__dict__["provides"] = names or (method.__name__,)
        return method

    return mark


def functions_of(*parts: object) -> dict[str, Callable[..., Any]]:
    """What these parts of the library provide."""
    return {
        name: getattr(part, method.__name__)
        for part in parts
        for method in vars(type(part)).values()
        for name in getattr(method, "provides", ())
    }

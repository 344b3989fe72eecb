"""The library's functions by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

FUNCTIONS: dict[str, Callable[..., Any]] = {}


def provides(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Make the decorated function known under these names, or its own."""
    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        for name in names or (function.__name__,):
            FUNCTIONS[name] = function
        return function
    return register

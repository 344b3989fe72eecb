"""Two switches for how kernels run, valid inside a `with` block. Lesson 01."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from ..device import has_gpu

_checking = ContextVar("checking", default=True)
_forced = ContextVar("forced", default=False)


@contextmanager
def checks(enabled: bool) -> Iterator[None]:
    """`with checks(False):` simulated launches run without looking for mistakes, several times faster.

    For long runs of kernels known to be right; on a GPU it changes nothing.
    """
    before = _checking.set(enabled)
    try:
        yield
    finally:
        _checking.reset(before)


@contextmanager
def force_simulator() -> Iterator[None]:
    """`with force_simulator():` kernels run in the simulator, also on a machine with a GPU."""
    before = _forced.set(True)
    try:
        yield
    finally:
        _forced.reset(before)


def checking() -> bool:
    """Do simulated launches look for mistakes?"""
    return _checking.get()


def on_gpu() -> bool:
    """Do launches go to the GPU?"""
    return has_gpu() and not _forced.get()

"""Two switches for how kernels run, valid inside a `with` block. Lesson 01."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar

from nnlib.device import has_gpu

_checking = ContextVar("checking", default=True)
_forced = ContextVar("forced", default=False)


def checks(enabled: bool) -> AbstractContextManager[None]:
    """`with checks(False):` simulated launches run without looking for mistakes, several times faster.

    For long runs of kernels known to be right; on a GPU it changes nothing.
    """
    return _switched(_checking, enabled)


def force_simulator() -> AbstractContextManager[None]:
    """`with force_simulator():` kernels run in the simulator, also on a machine with a GPU."""
    return _switched(_forced, True)


def checking() -> bool:
    """Do simulated launches look for mistakes?"""
    return _checking.get()


def on_gpu() -> bool:
    """Do launches go to the GPU?"""
    return has_gpu() and not _forced.get()


@contextmanager
def _switched(switch: ContextVar[bool], value: bool) -> Iterator[None]:
    before = switch.set(value)
    try:
        yield
    finally:
        switch.reset(before)

"""Switches for how kernels run, valid inside a `with` block. Lesson 01."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import Any, Literal

from .device import has_gpu
from .simulator import CHECKS

_checking = ContextVar("checking", default=frozenset(CHECKS))
_forced = ContextVar("forced", default=False)
_most = ContextVar[int | None]("most", default=None)
_native = ContextVar[bool | Literal["required"]]("native", default=True)
_webgpu = ContextVar[bool | Literal["required"]]("webgpu", default=True)
UNATTENDED = 5_000_000  # loop iterations of 1,024 threads: a minute or two on a laptop


def checks(enabled: bool, *names: str) -> AbstractContextManager[None]:
    """Switch checks of simulated launches on or off inside a `with` block; without them launches are several times faster.

    Use it for long runs of kernels known to be right; on a GPU it changes nothing. names: only these, of "bounds",
    "async copies", "uninitialized", "races" and "barriers"; the others stay as they are. Without "barriers",
    __syncthreads() in several places lets a block go on when all its threads wait at some, as GPUs do.
    """
    chosen = known(names) or frozenset(CHECKS)
    return _switched(_checking, _checking.get() | chosen if enabled else _checking.get() - chosen)


def force_simulator() -> AbstractContextManager[None]:
    """Run kernels in the simulator inside a `with` block, even on a machine with a GPU."""
    return _switched(_forced, True)


def native_code(enabled: bool | Literal["required"]) -> AbstractContextManager[None]:
    """Allow native code inside a `with` block, forbid it (False), or require it.

    Where it is forbidden, the simulator runs unchecked launches itself, and the interpreter runs loops of whole programs.
    Native code has the simulator's results, except for sums of floats by atomics and kernels with races.
    With "required" every unchecked launch without a step_limit runs as native code, however short, or raises
    UnsupportedError with the reason. It is compiled once for all sizes of its grid and its arrays. After an error
    the arrays hold what was written until then.
    """
    return _switched(_native, enabled)


def native_allowed() -> bool:
    """Return whether unchecked launches may run as native code."""
    return bool(_native.get())


def native_required() -> bool:
    """Return whether unchecked launches must run as native code."""
    return _native.get() == "required"


def webgpu(enabled: bool | Literal["required"]) -> AbstractContextManager[None]:
    """Allow WebGPU inside a `with` block, forbid it (False), or require it.

    Its results are those of the simulator but for the rounding of floats. With "required" every launch runs there, even on a
    machine with an NVIDIA GPU, or raises UnsupportedError with the reason.
    """
    return _switched(_webgpu, enabled)


def webgpu_allowed() -> bool:
    """Return whether unchecked launches may run through WebGPU."""
    return bool(_webgpu.get()) and not _forced.get()


def webgpu_required() -> bool:
    """Return whether launches must run through WebGPU."""
    return _webgpu.get() == "required"


@contextmanager
def unattended() -> Iterator[None]:
    """Run kernels in the simulator where nobody can interrupt them, as in tests.

    A launch that takes more than UNATTENDED loop iterations counts as endless.
    """
    with force_simulator(), at_most(UNATTENDED):
        yield


def at_most(iterations: int) -> AbstractContextManager[None]:
    """Stop each simulated launch inside a `with` block as endless after so many loop iterations of 1,024 threads.

    A launch with a step_limit keeps that. Iterations are counted, so every computer stops at the same one. Native code
    counts by itself: see BUDGET in native/lowering/control.py.
    """
    return _switched(_most, iterations)


def step_limit() -> int | None:
    """Return what `at_most` allows a simulated launch, or None."""
    return _most.get()


def known(names: Collection[str]) -> frozenset[str]:
    """Return these names of checks as a set. Raise ValueError for an unknown one."""
    for name in names:
        if name not in CHECKS:
            raise ValueError(f"no check is called {name!r}; there are {', '.join(CHECKS)}")
    return frozenset(names)


def checking() -> frozenset[str]:
    """Return what simulated launches look for."""
    return _checking.get()


def on_gpu() -> bool:
    """Return whether launches go to the GPU."""
    return has_gpu() and not _forced.get()


@contextmanager
def _switched(switch: ContextVar[Any], value: Any) -> Iterator[None]:
    before = switch.set(value)
    try:
        yield
    finally:
        switch.reset(before)

"""Launches through WebGPU: whether this computer can have them, and running them, alone or on arrays that stay there.

The simulator is the definition. What is not known here goes to native code, and a fault leaves the arrays as they were,
so that the simulator can run the launch again and say what is wrong.
"""

from __future__ import annotations

import contextlib
import functools
import math
import os
import sys
import weakref
from collections.abc import Iterator
from dataclasses import dataclass

from ..language import tree
from ..language.refusal import Refusal
from ..native.policy import EngineLaunch, Outcome
from . import page_target, wgpu_target
from .execution import LaunchRequest, WebGpuDevice
from .printer import kernel_source, print_kernel
from .session import Session, run
from .shader import KernelSource, small_launch
from .target import DeviceLostError

IN_PAGE = sys.platform == "emscripten"
PER_DISPATCH = 100.0  # seconds of the simulator that one dispatch may be: a driver resets after a second or two

_kernels: weakref.WeakKeyDictionary[tree.TranslationUnit, dict[str, KernelSource | str]] = (
    weakref.WeakKeyDictionary()
)
_lost: list[str] = []


@functools.cache
def _device(software: bool) -> WebGpuDevice | None:
    target = page_target.find(software) if IN_PAGE else wgpu_target.find(software)
    return None if target is None else WebGpuDevice(target)


def device() -> WebGpuDevice | None:
    """Return the GPU that WebGPU reaches here, or None. Tests also take a program on the CPU, slower than native code."""
    return None if _lost else _device(os.environ.get("NNLIB_WEBGPU") == "software")


def device_name() -> str | None:
    """Return the name of the device, and what it is reached through, or None."""
    found = device()
    if found is None:
        return None
    through = "WebGPU on the CPU, for tests" if found.target.software else "WebGPU"
    return f"{found.target.name} ({through})"


def lack() -> str:
    """Say why there is no device."""
    if _lost:
        return _lost[0]
    reached = "no GPU that WebGPU reaches is here"
    return page_target.lack() or reached if IN_PAGE else f"{reached}: pip install wgpu"


async def begin() -> str:
    """Open the GPU of a page, and say in a sentence what kernels run on there."""
    with contextlib.suppress(Exception):  # a broken driver must not take the lessons down
        await page_target.begin()
    return (
        f"Kernels run on {name}."
        if (name := device_name())
        else f"Kernels run on the processor: {lack()}."
    )


def lose(error: Exception) -> None:
    """Go on without the device, and say so once."""
    if not _lost:
        _lost.append(str(error))
        print(
            f"WebGPU: the device is lost ({error}); kernels run without it from now on",
            file=sys.stderr,
        )


def kernel(program: tree.TranslationUnit, name: str) -> KernelSource:
    """Return a kernel in its normal form. Raises Refusal."""
    known = _kernels.setdefault(program, {})
    if name not in known:
        try:
            known[name] = kernel_source(program, name)
        except Refusal as refusal:
            known[name] = str(refusal)
    found = known[name]
    if isinstance(found, str):
        raise Refusal(found)
    return found


def described(program: tree.TranslationUnit, name: str) -> str:
    """Return what runs its long unchecked launches, or why that is not WebGPU."""
    found = device()
    if found is None:
        return lack()
    try:
        source = kernel(program, name)
        print_kernel(source, small_launch(source, found.target.abilities), ())
    except Refusal as refusal:
        return f"no: {refusal}"
    return str(device_name())


@dataclass
class WebGpuLaunch(EngineLaunch):
    """A launch considered for WebGPU. seconds: that the simulator takes for it, where that is known."""

    seconds: float | None = None

    def request(self) -> LaunchRequest:
        """Return what the device needs. Raises Refusal."""
        source = kernel(self.compiled.program, self.name)
        return LaunchRequest(
            source,
            tuple(self.grid),
            tuple(self.block),
            self.shared,
            self.values,
            self.compiled.written(self.name),
            {name: self.compiled.variable(name) for name in source.globals.values()},
            max(1, math.ceil((self.seconds or 0) / PER_DISPATCH)),
        )

    @property
    def is_possible(self) -> bool:
        """Return whether it can run there, as far as one knows before it is compiled."""
        try:
            return device() is not None and bool(kernel(self.compiled.program, self.name))
        except Refusal:
            return False

    def run(self) -> Outcome:
        """Launch it. Where the device is lost on the way, the arrays are as they were."""
        try:
            return self.run_or_refuse()
        except Refusal:
            return Outcome.REFUSED

    def run_or_refuse(self) -> Outcome:
        """Launch it; raise Refusal where it cannot run here."""
        found = device()
        if found is None:
            raise Refusal(lack())
        try:
            return Outcome.DONE if run(found, self.request()) else Outcome.FAULT
        except MemoryError:
            raise Refusal("more memory than this device has") from None
        except DeviceLostError as error:
            lose(error)
            return Outcome.REFUSED


@contextlib.contextmanager
def staying() -> Iterator[Session]:
    """Keep the arrays of launches on the device inside of the `with` block; behind it they are NumPy's again.

    It is all or nothing. Raises Refusal, DeviceLostError, or FaultError where a kernel met one; then every array is as
    it was before.
    """
    found = device()
    if found is None:
        raise Refusal(lack())
    session = Session(found)
    try:
        yield session
        session.end()
    except DeviceLostError as error:
        lose(error)
        raise
    except MemoryError:
        raise Refusal("more memory than this device has") from None
    finally:
        session.close()

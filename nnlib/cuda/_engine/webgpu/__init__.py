"""Kernels on any GPU through WebGPU: Intel's, AMD's, Apple's, a phone's.

    printer.py      the module; in it statements.py, waiting.py (barriers), expressions.py, functions.py (CUDA's),
                    lvalues.py and memory.py (arrays), on writer.py; functions.wgsl has what WGSL lacks
    shader.py       what a kernel is printed for, and what comes out
    target.py       what runs modules: wgpu_target.py in Python, page_target.py with page_gpu.js in a page
    execution.py session.py     arrays there and back, or kept there; policy.py: whether a launch can run here

A kernel comes here when the simulator has passed it. It may always be refused, naming the construct; then native code
runs the launch. Numbers of 32 bits are exact, but for what WGSL lets a GPU round: division, square roots, CUDA's
functions, and a * b + c, which may be rounded once. An access outside of its array changes nothing: the simulator runs
the launch again for its report.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .execution import PreparedDispatch
    from .policy import WebGpuLaunch, begin, described, device_name, staying
    from .session import FaultError, Session
    from .target import DeviceLostError

__all__ = [
    "DeviceLostError",
    "FaultError",
    "PreparedDispatch",
    "Session",
    "WebGpuLaunch",
    "begin",
    "described",
    "device_name",
    "staying",
]
_HOMES = {
    "DeviceLostError": "target",
    "FaultError": "session",
    "PreparedDispatch": "execution",
    "Session": "session",
}


def __getattr__(name: str) -> Any:
    # Imported with its first use: most programs launch nothing here, and shall not wait for it.
    if name in __all__:
        return getattr(importlib.import_module(f".{_HOMES.get(name, 'policy')}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

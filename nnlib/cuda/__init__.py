"""Write a kernel in CUDA C, run it anywhere: on an NVIDIA GPU, or in a simulator that explains mistakes. Lesson 01.

    >>> import numpy as np
    >>> twice = RawKernel('extern "C" __global__ void twice(float* x) { x[threadIdx.x] *= 2; }', "twice")
    >>> x = np.arange(3, dtype=np.float32)
    >>> twice(1, 3, (x,))  # grid, block, arguments
    >>> x
    array([0., 2., 4.], dtype=float32)
"""

import warnings
from typing import TYPE_CHECKING, Any

from nnlib.cuda.errors import (
    ArgumentError,
    BarrierError,
    HostError,
    KernelArithmeticError,
    KernelError,
    KernelSyntaxError,
    KernelTimeoutError,
    LaunchError,
    MisalignedAccessError,
    OutOfBoundsError,
    RaceError,
    UninitializedReadError,
    UnsupportedError,
)
from nnlib.cuda.gpu.occupancy import GPUS, Occupancy, occupancy
from nnlib.cuda.kernel import RawKernel, RawModule
from nnlib.cuda.simulator import Profile, Trace
from nnlib.cuda.switches import checks, force_simulator, native_code
from nnlib.extras import namesake

if TYPE_CHECKING:
    from nnlib.cuda.host import Program, Run

if _clash := namesake():  # here and not in nnlib, whose __init__ may be the other's
    warnings.warn(_clash, stacklevel=2)


def __getattr__(name: str) -> Any:
    # What whole programs need is imported with the first: whoever has only kernels starts quicker.
    if name in ("Program", "Run"):
        from nnlib.cuda import host
        globals().update(Program=host.Program, Run=host.Run)
        return globals()[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def load_ipython_extension(shell: Any) -> None:
    """`%load_ext nnlib.cuda` in a notebook: cells that begin with %%cu are whole programs."""
    from nnlib.cuda.host import register
    register(shell)


__all__ = [
    "GPUS", "ArgumentError", "BarrierError", "HostError", "KernelArithmeticError", "KernelError", "KernelSyntaxError",
    "KernelTimeoutError", "LaunchError", "MisalignedAccessError", "Occupancy", "OutOfBoundsError", "Profile", "Program",
    "RaceError", "RawKernel", "RawModule", "Run", "Trace", "UninitializedReadError", "UnsupportedError", "checks",
    "force_simulator", "load_ipython_extension", "native_code", "occupancy",
]

"""Write a kernel in CUDA C, run it anywhere: on an NVIDIA GPU, or in a simulator that explains mistakes. Lesson 01.

    >>> import numpy as np
    >>> twice = RawKernel('extern "C" __global__ void twice(float* x) { x[threadIdx.x] *= 2; }', "twice")
    >>> x = np.arange(3, dtype=np.float32)
    >>> twice(1, 3, (x,))  # grid, block, arguments
    >>> x
    array([0., 2., 4.], dtype=float32)
"""

import warnings
from typing import Any

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
from nnlib.cuda.host import Program, Run, register
from nnlib.cuda.kernel import RawKernel, RawModule
from nnlib.cuda.simulator import Profile, Trace
from nnlib.cuda.switches import checks, force_simulator, native_code
from nnlib.extras import namesake

if _clash := namesake():  # here and not in nnlib, whose __init__ may be the other's
    warnings.warn(_clash, stacklevel=2)


def load_ipython_extension(shell: Any) -> None:
    """`%load_ext nnlib.cuda` in a notebook: cells that begin with %%cu are whole programs."""
    register(shell)


__all__ = [
    "GPUS", "ArgumentError", "BarrierError", "HostError", "KernelArithmeticError", "KernelError", "KernelSyntaxError",
    "KernelTimeoutError", "LaunchError", "MisalignedAccessError", "Occupancy", "OutOfBoundsError", "Profile", "Program",
    "RaceError", "RawKernel", "RawModule", "Run", "Trace", "UninitializedReadError", "UnsupportedError", "checks",
    "force_simulator", "load_ipython_extension", "native_code", "occupancy",
]

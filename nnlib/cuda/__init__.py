"""Write a kernel in CUDA C, run it anywhere: on an NVIDIA GPU, or in a simulator that explains mistakes. Lesson 01.

    >>> import numpy as np
    >>> twice = RawKernel('extern "C" __global__ void twice(float* x) { x[threadIdx.x] *= 2; }', "twice")
    >>> x = np.arange(3, dtype=np.float32)
    >>> twice(1, 3, (x,))  # grid, block, arguments
    >>> x
    array([0., 2., 4.], dtype=float32)

`text` looks at a source without running it, and `limits` has the numbers that every GPU shares.
"""

from typing import TYPE_CHECKING, Any

from ._engine.device import find_gpu, has_gpu, is_device_array
from ._engine.errors import (
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
from ._engine.gpu import dependent_launches
from ._engine.gpu.cupy_module import shared_limit
from ._engine.gpu.occupancy import GPUS, Occupancy, occupancy
from ._engine.gpu.prepared import PreparedLaunch
from ._engine.kernel import RawKernel, RawModule
from ._engine.measuring import Timing, measure, repeated
from ._engine.native import native_engine
from ._engine.replaying import Replay, can_replay, on_webgpu, open_page_gpu, webgpu_device
from ._engine.simulator import Counts, Interleaving, LaneAccess, Profile, Step, Touch, Trace
from ._engine.simulator.functions import fragments
from ._engine.switches import at_most, checks, force_simulator, native_code, on_gpu, webgpu

if TYPE_CHECKING:
    from ._engine.host import Program, Run

__all__ = [
    "GPUS",
    "ArgumentError",
    "BarrierError",
    "Counts",
    "HostError",
    "Interleaving",
    "KernelArithmeticError",
    "KernelError",
    "KernelSyntaxError",
    "KernelTimeoutError",
    "LaneAccess",
    "LaunchError",
    "MisalignedAccessError",
    "Occupancy",
    "OutOfBoundsError",
    "PreparedLaunch",
    "Profile",
    "Program",
    "RaceError",
    "RawKernel",
    "RawModule",
    "Replay",
    "Run",
    "Step",
    "Timing",
    "Touch",
    "Trace",
    "UninitializedReadError",
    "UnsupportedError",
    "at_most",
    "can_replay",
    "checks",
    "dependent_launches",
    "find_gpu",
    "force_simulator",
    "fragments",
    "has_gpu",
    "is_device_array",
    "load_ipython_extension",
    "measure",
    "native_code",
    "native_engine",
    "occupancy",
    "on_gpu",
    "on_webgpu",
    "open_page_gpu",
    "repeated",
    "shared_limit",
    "webgpu",
    "webgpu_device",
]
for _name in __all__:  # a traceback names an error as programs import it
    if isinstance(_error := globals().get(_name), type) and issubclass(_error, KernelError):
        _error.__module__ = __name__


def __getattr__(name: str) -> Any:
    # What whole programs need is imported with the first: whoever has only kernels starts faster.
    if name in ("Program", "Run"):
        from ._engine import host

        globals().update(Program=host.Program, Run=host.Run)
        return globals()[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def load_ipython_extension(shell: Any) -> None:
    """Make cells that begin with %%cu whole programs, in a notebook that loads this package by %load_ext."""
    from ._engine.host import register

    register(shell)

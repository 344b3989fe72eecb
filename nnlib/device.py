"""Find the GPU that CuPy can use, if there is one, and move arrays to it and back."""

from __future__ import annotations

from typing import Any

import numpy as np

from nnlib.cuda import find_gpu as find
from nnlib.cuda import has_gpu, is_device_array, webgpu_device

Array = Any  # of NumPy or of CuPy

__all__ = [
    "Array",
    "array_module",
    "find",
    "has_gpu",
    "is_device_array",
    "report",
    "synchronize",
    "to_device",
    "to_host",
    "use",
]


def _array_module() -> Any:
    if has_gpu():
        import cupy

        return cupy
    return np


def __getattr__(name: str) -> Any:
    # `nnlib.device.xp` is looked up late, so that `import nnlib` does not touch the driver.
    if name == "xp":
        return _array_module()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def array_module(*arrays: Array) -> Any:
    """Return the module (numpy or cupy) that the arrays belong to."""
    for array in arrays:
        if is_device_array(array):
            return _array_module()
    return np


def to_host(array: Any) -> np.ndarray:
    """Return a NumPy array with the same content; NumPy arrays pass through."""
    return array.get() if is_device_array(array) else np.asarray(array)


def to_device(array: Any) -> Any:
    """Return the array in GPU memory if there is a GPU, else a NumPy array."""
    return _array_module().asarray(array)


def use(number: int) -> None:
    """Run kernels and allocate arrays on this GPU of several, from now on. Raises where there is no such GPU."""
    import cupy

    cupy.cuda.Device(number).use()


def synchronize() -> None:
    """Wait until the GPU has done all its work. Return at once where there is no GPU."""
    if has_gpu():
        _array_module().cuda.Device().synchronize()


def report() -> None:
    """Print, one line each, what was found and what to type to get the GPU."""
    device = find()
    if device.name:
        import cupy

        runtime = cupy.cuda.runtime.runtimeGetVersion()
        print(
            f"Kernels run on: {device.name} (driver {device.driver or 'unknown'}, "
            f"CUDA {runtime // 1000}.{runtime % 1000 // 10}, CuPy {cupy.__version__})"
        )
    elif other := webgpu_device():
        print(f"Kernels run on: {other}; checked by the simulator first.")
    else:
        print("Kernels run in: the nnlib simulator, on the CPU")
        print(f"No GPU because: {device.reason}")
        print(f"To get one:     {device.remedy}")

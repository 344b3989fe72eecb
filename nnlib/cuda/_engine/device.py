"""Find a GPU that CuPy can use, and tell arrays in its memory from those in the host's."""

from __future__ import annotations

import functools
import os
import platform
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

import numpy as np

# PyTorch's CPU tensors have this attribute, too, but reading it raises an error
_INTERFACE = "__cuda_array_interface__"
_GET_CTK = 'pip install "cupy-cuda12x[ctk]>=14.1"'
_PATIENCE = 120  # seconds to wait for nvidia-smi, which may hang with its driver


@dataclass(frozen=True)
class GpuSearch:
    """The result of `find_gpu`: `name` and `driver` version of a GPU; without a GPU, the `reason` and a `remedy`."""

    name: str | None
    reason: str = ""
    remedy: str = ""
    driver: str | None = None


@functools.cache
def find_gpu() -> GpuSearch:
    """Look once for a GPU that can compile and run a kernel.

    Counting devices is not enough: a driver without NVRTC fails only at the first compile.
    """
    if sys.platform == "emscripten":
        return GpuSearch(
            None, "a page in a browser has no CUDA", "on a machine with an NVIDIA GPU: make lab"
        )
    # Marking hides every GPU this way, and then need not wait for CuPy's import
    if os.environ.get("CUDA_VISIBLE_DEVICES") == "":
        return GpuSearch(None, "CUDA_VISIBLE_DEVICES hides every GPU", "unset CUDA_VISIBLE_DEVICES")
    driver = _driver_version()
    try:
        import cupy
    except ImportError:
        if platform.system() == "Darwin":
            return GpuSearch(
                None,
                "macOS has no NVIDIA driver",
                "use Colab, Binder or a Linux machine with an NVIDIA GPU",
            )
        if driver is None:
            return GpuSearch(
                None,
                "no NVIDIA driver found",
                "on a machine with an NVIDIA GPU: install its driver, then " + _GET_CTK,
            )
        return GpuSearch(None, f"NVIDIA driver {driver} found, but not CuPy", _GET_CTK)
    except Exception as error:  # a broken CuPy must not take the lessons down
        return GpuSearch(
            None, f"CuPy does not import ({_first_line(error)})", "reinstall it: " + _GET_CTK
        )
    try:
        if not cupy.is_available():
            if driver is None:
                return GpuSearch(
                    None,
                    "no NVIDIA driver found",
                    "on a machine with an NVIDIA GPU: install its driver",
                )
            return GpuSearch(
                None,
                f"NVIDIA driver {driver} is too old for CUDA 12, or no GPU is visible",
                "update the driver to 525 or newer; check nvidia-smi and CUDA_VISIBLE_DEVICES",
            )
        kernel = cupy.RawKernel('extern "C" __global__ void probe(int* x) { x[0] = 1; }', "probe")
        flag = cupy.zeros(1, np.int32)
        kernel((1,), (1,), (flag,))
        if int(flag[0]) != 1:
            raise RuntimeError("a test kernel ran but wrote nothing")
        name = cupy.cuda.runtime.getDeviceProperties(cupy.cuda.Device().id)["name"].decode()
        return GpuSearch(name, driver=driver)
    except Exception as error:  # CuPy raises many kinds here, also plain RuntimeError
        return GpuSearch(
            None, f"the GPU cannot compile or run a kernel ({_first_line(error)})", _GET_CTK
        )


def has_gpu() -> bool:
    """Return True when kernels run on a GPU, False when they run in the simulator."""
    return find_gpu().name is not None


def is_device_array(array: Any) -> bool:
    """Return True for an array in GPU memory."""
    # Look at the type where that is enough: reading the attribute of a CuPy array takes as long as launching a kernel
    kind = type(array)
    return hasattr(kind, _INTERFACE) and (hasattr(kind, "flags") or hasattr(array, _INTERFACE))


def owner(array: np.ndarray) -> np.ndarray:
    """Return the array that allocated the memory of a view; an array that is no view is its own owner."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def _driver_version() -> str | None:
    try:
        query = subprocess.run(
            ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"],
            capture_output=True,
            text=True,
            timeout=_PATIENCE,
        )
    except subprocess.TimeoutExpired:
        return f"(nvidia-smi took longer than {_PATIENCE} s on this computer)"
    except OSError:
        return None
    lines = query.stdout.split()
    return lines[0] if query.returncode == 0 and lines else None


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:120]

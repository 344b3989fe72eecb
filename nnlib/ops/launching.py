"""Launch kernels of nnlib/kernels for an operation: compiled once, on arrays that they can take."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from nnlib.cuda import RawKernel, RawModule
from nnlib.cuda.limits import MAX_GRID
from nnlib.device import Array, array_module, is_device_array
from nnlib.ops import recording
from nnlib.ops.shapes import ShapeError, require_countable

FOLDER = Path(__file__).parents[1] / "kernels"
BLOCK = 256  # threads


@dataclass(frozen=True)
class Tiling:
    """A kernel with the -D options that it is compiled with, and its grid."""

    file: str
    kernel: str
    options: tuple[str, ...]
    grid: tuple[int, ...]
    block: tuple[int, ...]
    shared: int = 0  # bytes of dynamic shared memory

    def __post_init__(self) -> None:
        if max(self.grid[1:], default=0) > MAX_GRID[1]:
            raise ShapeError(
                f"{self.kernel} would need a grid of {self.grid}; along y and z a GPU takes up to "
                f"{MAX_GRID[1]} blocks: use a smaller batch"
            )


def ceil_div(a: int, b: int) -> int:
    """Return how many groups of b cover a."""
    return -(-a // b)


@functools.cache
def kernel(file: str, name: str, options: tuple[str, ...] = ()) -> RawKernel:
    """Return a kernel of nnlib/kernels/<file>.cu, compiled at its first launch and kept."""
    return RawModule(path=FOLDER / f"{file}.cu", options=options).get_function(name)


def run(tiling: Tiling, *args: Any) -> None:
    """Start a kernel as the tiling says; an empty grid needs no launch."""
    if 0 not in tiling.grid:
        function = kernel(tiling.file, tiling.kernel, tiling.options)
        recording.launch(function, tiling.grid, tiling.block, args, tiling.shared)


def each(file: str, name: str, threads: int, *args: Any, options: tuple[str, ...] = ()) -> None:
    """Launch one thread per element; an empty array needs no launch."""
    if threads:
        recording.launch(kernel(file, name, options), (ceil_div(threads, BLOCK),), (BLOCK,), args)


def contiguous(*arrays: Array) -> Array:
    """Return C-contiguous arrays that begin on 16 bytes, as float4 needs; a view into another array may not."""
    return [_aligned(array) for array in arrays] if len(arrays) > 1 else _aligned(arrays[0])


def _aligned(array: Array) -> Array:
    array, noted = dense(array), recording.current()
    if noted:
        noted.align(array)
        return array  # a recorded step takes weights as they lie; all else begins where memory was allocated
    return array.copy() if is_device_array(array) and array.data.ptr % 16 else array


def dense(array: Array) -> Array:
    """Return C-contiguous arrays, for kernels that read them number by number."""
    require_countable(array.shape)
    return (
        array_module(array).ascontiguousarray(array)
        if array.ndim == 0 or not array.flags.c_contiguous
        else array
    )


def empty(like: Array, shape: Any, dtype: Any = np.float32) -> Array:
    """Return an uninitialized array of that shape in the memory where `like` is; while recording, a stand-in."""
    require_countable(shape if isinstance(shape, tuple) else (shape,))
    return (recording.current() or array_module(like)).empty(shape, dtype)

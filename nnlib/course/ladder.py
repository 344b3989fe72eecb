"""The matmul ladder as a table: every rung from naive to nearly cuBLAS, launched the same way. Lessons 03 and 08.

    for rung in RUNGS: c = rung(a, b)

The kernels are in nnlib/kernels/matmul*.cu; each file says what its rungs add.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

from nnlib.cuda import RawKernel
from nnlib.device import array_module
from nnlib.ops.kernels import cut_depth, kernel
from nnlib.ops.launching import ceil_div


@dataclass(frozen=True)
class Rung:
    """A version of C = A B.

    name: for tables; kernel: in kernels/<file>.cu; block: threads, x first; tile: rows and columns of C per block;
    options: for the compiler; multiple: K and N must be multiples of the first and the second number;
    rows_first: blockIdx.x counts rows of tiles instead of columns; split: where tiles would leave multiprocessors idle,
    several blocks share the sum of each, and a second kernel adds their parts.
    """

    name: str
    kernel: str
    file: str
    block: tuple[int, ...]
    tile: tuple[int, int]
    options: tuple[str, ...] = ()
    multiple: tuple[int, int] = (1, 1)
    rows_first: bool = False
    split: bool = False

    def __call__(self, a: Any, b: Any, out: Any = None) -> Any:
        """Multiply a (M, K) by b (K, N), float32, into `out` (M, N) if given. Raises ValueError for sizes it cannot do."""
        out, grid, args = self.launch(a, b, out)
        self.function(grid, self.block, args)
        partials, parts = args[2], grid[2]
        if parts > 1:
            kernel("linear", "sum_parts")(
                (ceil_div(out.size, 256),), (256,), (partials, out, parts, out.size)
            )
        return out

    def profile(self, a: Any, b: Any, max_blocks: int | None = None) -> Any:
        """Return what the simulator counts while this rung multiplies, a nnlib.cuda.Profile."""
        _, grid, args = self.launch(a, b)
        return self.function.profile(grid, self.block, args, max_blocks=max_blocks)

    @functools.cached_property
    def function(self) -> RawKernel:
        """The kernel; compiled at its first launch."""
        return kernel(self.file, self.kernel, self.options)

    def launch(
        self, a: Any, b: Any, out: Any = None
    ) -> tuple[Any, tuple[int, int, int], tuple[Any, ...]]:
        """Return result, grid and arguments of the launch; if the grid is several parts deep, C is an array of as many."""
        (m, k), (inner, n) = a.shape, b.shape
        if k != inner:
            raise ValueError(
                f"matmul of {a.shape} and {b.shape}: {k} columns do not meet {inner} rows"
            )
        if k % self.multiple[0] or n % self.multiple[1]:
            raise ValueError(
                f"rung {self.name!r} loads float4: K must be a multiple of {self.multiple[0]} and N of "
                f"{self.multiple[1]}, not K = {k} and N = {n}; pad the matrices with zeros"
            )
        empty = array_module(a, b).empty
        if out is None:
            out = empty((m, n), "float32")
        elif out.shape != (m, n):
            raise ValueError(f"out has shape {out.shape}; the product has {(m, n)}")
        rows, columns = ceil_div(m, self.tile[0]), ceil_div(n, self.tile[1])
        # As the linear layer does: few rounds of blocks
        parts = cut_depth(m, n, k, self.tile) if self.split else 1
        c = out if parts == 1 else empty((parts, m, n), "float32")
        return (
            out,
            (rows, columns, parts) if self.rows_first else (columns, rows, parts),
            (a, b, c, m, n, k),
        )


def _square(
    name: str, kernel: str, options: tuple[str, ...] = (), rows_first: bool = False
) -> Rung:
    return Rung(name, kernel, "matmul", (32, 32), (32, 32), options, rows_first=rows_first)


RUNGS = (
    _square("naive, strided", "matmul_strided", rows_first=True),
    _square("naive", "matmul_naive"),
    _square("tiled", "matmul_tiled"),
    _square("tiled, transposed", "matmul_padded", ("-DPAD=0",)),
    _square("padded", "matmul_padded"),
    Rung("2 x 2", "matmul_square", "matmul_registers", (16, 16), (32, 32), ("-DSIDE=2",)),
    Rung("4 x 4", "matmul_square", "matmul_registers", (16, 16), (64, 64), ("-DSIDE=4",)),
    Rung(
        "registers, 1-D",
        "matmul_registers_1d",
        "matmul_registers",
        (512,),
        (64, 64),
        options=("-DBM=64", "-DBN=64", "-DTN=1"),
    ),
    Rung("registers, 2-D", "matmul_registers_2d", "matmul_registers", (256,), (128, 128)),
    Rung("float4", "matmul_float4", "matmul_registers", (256,), (128, 128), multiple=(4, 4)),
    Rung("warp tile", "matmul_warp", "matmul_warp", (256,), (128, 128), multiple=(4, 4)),
    Rung(
        "asynchronous",
        "matmul_async",
        "matmul_async",
        (256,),
        (128, 128),
        multiple=(1, 4),
        options=("-DBN=128", "-DTN=8", "-DBK=16", "-DSTAGES=2", "-DBLOCKS_PER_SM=2"),
    ),
    Rung(
        "asynchronous, 8 x 16", "matmul_async", "matmul_async", (256,), (128, 256), multiple=(1, 4)
    ),
    Rung(
        "asynchronous, K split",
        "matmul_async",
        "matmul_async",
        (256,),
        (128, 256),
        multiple=(1, 4),
        split=True,
    ),
)


def rung(name: str) -> Rung:
    """Return the rung of that name. Raises a KeyError that lists all names if there is none.

    >>> from numpy import ones
    >>> a = ones((32, 32), "float32")
    >>> [rung(name).profile(a, a).global_load.sectors for name in ("naive, strided", "naive", "tiled")]
    [33792, 5120, 256]
    """
    for candidate in RUNGS:
        if candidate.name == name:
            return candidate
    raise KeyError(f"no rung {name!r}; there are {', '.join(r.name for r in RUNGS)}")

"""The ladder on tensor cores as a table: from one tile per warp to mma.sync with all its stages. Lesson 09.

    for rung in rungs("bf16"): c = rung(a, b)

The kernels are in nnlib/kernels/matmul_tensor.cu and matmul_mma.cu; each file says what its rungs add.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

from nnlib.cuda import RawKernel
from nnlib.device import array_module
from nnlib.ops.launching import kernel


@dataclass(frozen=True)
class TensorRung:
    """One version of C = A B with C float32.

    name: for tables. kernel: in kernels/<file>.cu. kind: of A and B, "half", "bf16" (given as uint16) or "tf32" (given
    as float32). threads: of a block. tile: rows and columns of C per block. depth: K must be a multiple of it.
    options: for the compiler. shared: dynamic shared memory of a block, in bytes.
    """

    name: str
    kernel: str
    file: str
    kind: str
    threads: int
    tile: tuple[int, int]
    depth: int
    options: tuple[str, ...] = ()
    shared: int = 0

    def __call__(self, a: Any, b: Any, out: Any = None) -> Any:
        """a (M, K) times b (K, N); into `out` (M, N), float32, where given. ValueError for sizes it cannot do."""
        out, grid, args = self.launch(a, b, out)
        self.function(grid, (self.threads,), args, self.shared)
        return out

    @functools.cached_property
    def function(self) -> RawKernel:
        """The kernel; compiled at its first launch."""
        return kernel(self.file, self.kernel, (*_KINDS[self.kind], *self.options))

    def launch(
        self, a: Any, b: Any, out: Any = None
    ) -> tuple[Any, tuple[int, int], tuple[Any, ...]]:
        """Result, grid and arguments of the launch."""
        (m, k), (inner, n) = a.shape, b.shape
        rows, columns = self.tile
        if k != inner or m % rows or n % columns or k % self.depth:
            raise ValueError(
                f"rung {self.name!r} multiplies (M, K) by (K, N) with M, N, K multiples of {rows}, "
                f"{columns}, {self.depth}, not {a.shape} by {b.shape}; pad the matrices with zeros"
            )
        out = array_module(a, b).empty((m, n), "float32") if out is None else out
        return out, (n // columns, m // rows), (a, b, out, m, n, k)


_KINDS = {"half": (), "bf16": ("-DBFLOAT16",), "tf32": ("-DTF32",)}
_BYTES = {"half": 2, "bf16": 2, "tf32": 4}


def _mma(
    kind: str, rows: int, columns: int, depth: int, warp: tuple[int, int], stages: int, blocks: int
) -> TensorRung:
    """matmul_mma with such tiles. depth: in instructions. blocks: per multiprocessor."""
    k = depth * 32 // _BYTES[kind]
    options = (
        f"-DBM={rows}",
        f"-DBN={columns}",
        f"-DBK={k}",
        f"-DWM={warp[0]}",
        f"-DWN={warp[1]}",
        f"-DSTAGES={stages}",
        f"-DBLOCKS_PER_SM={blocks}",
    )
    return TensorRung(
        f"mma.sync, {rows} x {columns}",
        "matmul_mma",
        "matmul_mma",
        kind,
        32 * rows * columns // (warp[0] * warp[1]),
        (rows, columns),
        k,
        options,
        stages * (rows + columns) * k * _BYTES[kind],
    )


def rungs(kind: str) -> tuple[TensorRung, ...]:
    """The versions for "half", "bf16" or "tf32"; wmma is there for 16 bits only."""
    wmma = (
        TensorRung("wmma", "matmul_wmma", "matmul_tensor", kind, 32, (16, 16), 16),
        TensorRung("wmma, shared", "matmul_wmma_shared", "matmul_tensor", kind, 128, (64, 64), 16),
    )
    return (
        *(wmma if kind != "tf32" else ()),
        _mma(kind, 128, 64, 4, (64, 32), 3, 2),
        _mma(kind, 128, 256, 2, (64, 64), 4 if kind != "tf32" else 5, 1),
    )

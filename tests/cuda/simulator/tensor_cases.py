"""Kernels for tensor cores, with what NumPy computes. Wrong ones stand in kernels/tensor_cores.cu."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

NUMPY = {
    "half": np.float16,
    "__nv_bfloat16": np.uint16,
    "float": np.float32,
    "int": np.int32,
    "signed char": np.int8,
    "unsigned char": np.uint8,
}
TF32 = "wmma::precision::tf32"


@dataclass(frozen=True)
class Product:
    """A text whose kernel k(A, B, C, ...) has one warp compute C = A @ B. types: of A and B; of C. shape: M, N, K.
    layouts: is A, B, C stored column by column?"""

    text: str
    types: tuple[str, str]
    shape: tuple[int, int, int]
    layouts: tuple[bool, bool, bool] = (False, False, False)
    threads: int = 32

    def arguments(self, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """A, B, and zeros for C, as they lie in memory."""
        rng = np.random.default_rng(seed)
        m, n, k = self.shape
        made = [
            self._stored(self._random(rng, size), layout)
            for size, layout in zip(((m, k), (k, n)), self.layouts, strict=False)
        ]
        result = np.zeros((n, m) if self.layouts[2] else (m, n), NUMPY[self.types[1]])
        return made[0], made[1], result

    def _random(self, rng: np.random.Generator, size: tuple[int, int]) -> np.ndarray:
        kind = self.types[0]
        if "char" in kind:
            return rng.integers(np.iinfo(NUMPY[kind]).min, 127, size).astype(NUMPY[kind])
        values = rng.standard_normal(size).astype(np.float32)
        if kind == "__nv_bfloat16":
            return (values.view(np.uint32) >> 16).astype(np.uint16)
        return values.astype(np.float16) if kind == "half" else values

    @staticmethod
    def _stored(matrix: np.ndarray, by_columns: bool) -> np.ndarray:
        return np.ascontiguousarray(matrix.T if by_columns else matrix)

    def expected(self, a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, Any]:
        """Return what C should hold, and by how much a GPU may be off."""
        left, right = (
            self._values(x.T if layout else x)
            for x, layout in zip((a, b), self.layouts, strict=False)
        )
        result = left @ right
        largest = np.abs(left).max() * np.abs(right).max() if left.size else 0
        off = (self.shape[2] + 1) * largest * 2.0**-22 if self.types[1] == "float" else 0
        if self.types[1] == "half":
            off = np.abs(result).max() * 2.0**-9
        return result.T if self.layouts[2] else result, off

    def _values(self, x: np.ndarray) -> np.ndarray:
        if x.dtype == np.uint16:
            x = (x.astype(np.uint32) << 16).view(np.float32)
        elif x.dtype == np.float32:
            x = ((x.view(np.uint32) + np.uint32(0x1000)) & np.uint32(0xFFFFE000)).view(np.float32)
        return x.astype(np.float64)


def wmma(
    kind: str,
    total: str,
    tile: tuple[int, int, int],
    layouts: tuple[bool, bool, bool] = (False, False, False),
    shared: bool = False,
    steps: int = 1,
) -> Product:
    """Return a product of one warp by wmma: one tile of C, `steps` tiles along K."""
    (m, n, k), element = tile, TF32 if kind == "float" else kind
    depth = k * steps
    way = ["wmma::col_major" if layout else "wmma::row_major" for layout in layouts]
    lda, ldb, ldc = m if layouts[0] else depth, depth if layouts[1] else n, m if layouts[2] else n
    step_a, step_b = k * (lda if layouts[0] else 1), k * (1 if layouts[1] else ldb)
    copy = (
        f"""__shared__ {kind} sA[{m * depth}], sB[{n * depth}]; __shared__ {total} sC[{m * n}];
    for (int i = threadIdx.x; i < {m * depth}; i += 32) sA[i] = A[i];
    for (int i = threadIdx.x; i < {n * depth}; i += 32) sB[i] = B[i];
    __syncthreads();"""
        if shared
        else ""
    )
    a, b, c = ("sA", "sB", "sC") if shared else ("A", "B", "C")
    back = (
        f"__syncthreads(); for (int i = threadIdx.x; i < {m * n}; i += 32) C[i] = sC[i];"
        if shared
        else ""
    )
    rounded = (
        "".join(
            f"for (int i = 0; i < {x}.num_elements; i++) {x}.x[i] = wmma::__float_to_tf32({x}.x[i]); "
            for x in "ab"
        )
        if kind == "float"
        else ""
    )
    text = f"""#include <mma.h>
using namespace nvcuda;
extern "C" __global__ void k(const {kind}* A, const {kind}* B, {total}* C) {{
    {copy}
    wmma::fragment<wmma::matrix_a, {m}, {n}, {k}, {element}, {way[0]}> a;
    wmma::fragment<wmma::matrix_b, {m}, {n}, {k}, {element}, {way[1]}> b;
    wmma::fragment<wmma::accumulator, {m}, {n}, {k}, {total}> c;
    wmma::fill_fragment(c, ({total})0);
    for (int step = 0; step < {steps}; step++) {{
        wmma::load_matrix_sync(a, {a} + step * {step_a}, {lda});
        wmma::load_matrix_sync(b, {b} + step * {step_b}, {ldb});
        {rounded}
        wmma::mma_sync(c, a, b, c);
    }}
    wmma::store_matrix_sync({c}, c, {ldc}, wmma::mem_{"col" if layouts[2] else "row"}_major);
    {back}
}}
"""
    return Product(text, (kind, total), (m, n, depth), layouts)


SQUARE, TALL, WIDE = (16, 16, 16), (32, 8, 16), (8, 32, 16)
COLUMNS_B, COLUMNS_A, ALL_COLUMNS = (False, True, False), (True, False, False), (True, True, True)
WMMA = [
    wmma("half", "float", SQUARE),
    wmma("half", "float", SQUARE, COLUMNS_B),
    wmma("half", "float", SQUARE, COLUMNS_A),
    wmma("half", "float", SQUARE, ALL_COLUMNS),
    wmma("half", "float", TALL),
    wmma("half", "float", WIDE, ALL_COLUMNS),
    wmma("half", "half", SQUARE),
    wmma("half", "half", TALL, ALL_COLUMNS),
    wmma("half", "half", WIDE),
    wmma("half", "float", SQUARE, shared=True, steps=3),
    wmma("half", "float", SQUARE, ALL_COLUMNS, True, 2),
    wmma("half", "half", SQUARE, COLUMNS_B, True),
    wmma("half", "float", TALL, shared=True),
    wmma("__nv_bfloat16", "float", SQUARE),
    wmma("__nv_bfloat16", "float", TALL, COLUMNS_B, True, 2),
    wmma("__nv_bfloat16", "float", WIDE, ALL_COLUMNS, steps=4),
    wmma("float", "float", (16, 16, 8)),
    wmma("float", "float", (16, 16, 8), ALL_COLUMNS, steps=3),
    wmma("float", "float", (16, 16, 8), COLUMNS_B, True, 2),
    wmma("signed char", "int", SQUARE),
    wmma("signed char", "int", TALL, COLUMNS_B, True, 2),
    wmma("unsigned char", "int", WIDE, COLUMNS_B),
    wmma("unsigned char", "int", SQUARE, ALL_COLUMNS, True),
]

_PTX = {
    "f16": "half",
    "bf16": "__nv_bfloat16",
    "tf32": "float",
    "s8": "signed char",
    "u8": "unsigned char",
}
_SUMS = {"f32": "float", "f16": "half", "s32": "int"}


def mma(kind: str, total: str, k: int, steps: int = 1) -> Product:
    """mma.sync by the manual's places: A row by row, B column by column."""
    element, packed = _PTX[kind], {"tf32": 1, "f16": 2, "bf16": 2}.get(kind, 4)
    blocks, halved = k // (4 * packed), total == "f16"
    registers, sums, letter = 2 * blocks, 2 if halved else 4, "f" if total == "f32" else "r"
    places = [
        ", ".join(f"%{first + i}" for i in range(count))
        for first, count in ((0, sums), (sums, registers), (sums + registers, blocks))
    ]
    c_type = {"f32": "float", "f16": "unsigned", "s32": "int"}[total]
    word = "rounded(%s)" if kind == "tf32" else "*(const unsigned*)&%s"
    instruction = f"mma.sync.aligned.m16n8k{k}.row.col.{total}.{kind}.{kind}.{total}"
    joined = ", ".join
    store = (
        """
    ((unsigned*)C)[row * 4 + t % 4] = c[0]; ((unsigned*)C)[(row + 8) * 4 + t % 4] = c[1];"""
        if halved
        else """
    C[row * 8 + t % 4 * 2] = c[0]; C[row * 8 + t % 4 * 2 + 1] = c[1];
    C[(row + 8) * 8 + t % 4 * 2] = c[2]; C[(row + 8) * 8 + t % 4 * 2 + 1] = c[3];"""
    )
    text = f"""#include <cuda_fp16.h>
#include <cuda_bf16.h>
__device__ unsigned rounded(float x) {{
    unsigned y;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(y) : "f"(x));
    return y;
}}
extern "C" __global__ void k(const {element}* A, const {element}* B, {_SUMS[total]}* C) {{
    int t = threadIdx.x, row = t / 4, depth = {k * steps};
    {c_type} c[{sums}] = {{}};
    for (int step = 0; step < depth; step += {k}) {{
        unsigned a[{registers}], b[{blocks}];
        for (int block = 0; block < {blocks}; block++) {{
            int column = step + {packed} * (t % 4 + 4 * block);
            a[2 * block] = {word % "A[row * depth + column]"};
            a[2 * block + 1] = {word % "A[(row + 8) * depth + column]"};
            b[block] = {word % "B[row * depth + column]"};
        }}
        asm volatile("{instruction} {{{places[0]}}}, {{{places[1]}}}, {{{places[2]}}}, {{{places[0]}}};"
            : {joined(f'"+{letter}"(c[{i}])' for i in range(sums))}
            : {joined(f'"r"(a[{i}])' for i in range(registers))}, {joined(f'"r"(b[{i}])' for i in range(blocks))});
    }}
    {store}
}}
"""
    return Product(text, (element, _SUMS[total]), (16, 8, k * steps), (False, True, False))


def staged(trans: bool, count: int, wait: str = "cp.async.wait_group 0;") -> Product:
    """cp.async to shared memory, ldmatrix, mma.sync m16n8k16. trans: B lies row by row. count: blocks at once."""
    width = 8 if trans else 16
    row_b = "t % 16" if trans else "t % 8"
    column_b = "0" if trans else "t % 16 / 8 * 8"
    way = ".trans" if trans else ""
    if count == 4:
        load_a = """asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
        : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3]) : "r"(address(&sA[t % 16][t / 16 * 8])));"""
    else:
        load_a = "\n".join(
            f"""asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {{%0}}, [%1];" : "=r"(a[{i}])
        : "r"(address(&sA[t % 8 + {8 * (i % 2)}][{8 * (i // 2)}])));"""
            for i in range(4)
        )
    text = f"""#include <cuda_fp16.h>
__device__ unsigned address(const void* p) {{ return static_cast<unsigned>(__cvta_generic_to_shared(p)); }}
__device__ __forceinline__ void copy(void* to, const void* from) {{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\\n" :: "r"(address(to)), "l"(from));
}}
extern "C" __global__ void k(const half* A, const half* B, float* C) {{
    __shared__ __align__(16) half sA[16][16];
    __shared__ __align__(16) half sB[{128 // width}][{width}];
    int t = threadIdx.x, row = t / 4;
    copy(&sA[t / 2][t % 2 * 8], A + 8 * t);
    if (t < 16) copy(&sB[0][0] + 8 * t, B + 8 * t);
    asm volatile("cp.async.commit_group;\\n" ::);
    asm volatile("{wait}\\n" ::);
    __syncthreads();
    unsigned a[4], b[2];
    float c[4] = {{0.0f, 0.0f, 0.0f, 0.0f}};
    {load_a}
    asm volatile("ldmatrix.sync.aligned.m8n8.x2{way}.shared.b16 {{%0, %1}}, [%2];" : "=r"(b[0]), "=r"(b[1])
        : "r"(address(&sB[{row_b}][{column_b}])));
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {{%0, %1, %2, %3}}, {{%4, %5, %6, %7}}, "
        "{{%8, %9}}, {{%10, %11, %12, %13}};" : "=f"(c[0]), "=f"(c[1]), "=f"(c[2]), "=f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
    C[row * 8 + t % 4 * 2] = c[0]; C[row * 8 + t % 4 * 2 + 1] = c[1];
    C[(row + 8) * 8 + t % 4 * 2] = c[2]; C[(row + 8) * 8 + t % 4 * 2 + 1] = c[3];
}}
"""
    return Product(text, ("half", "float"), (16, 8, 16), (False, not trans, False))


PTX = [
    mma("f16", "f32", 16),
    mma("f16", "f32", 8, 3),
    mma("f16", "f16", 16, 2),
    mma("f16", "f16", 8),
    mma("bf16", "f32", 16, 2),
    mma("bf16", "f32", 8),
    mma("tf32", "f32", 8, 2),
    mma("tf32", "f32", 4),
    mma("s8", "s32", 32),
    mma("s8", "s32", 16, 3),
    mma("u8", "s32", 32, 2),
    mma("u8", "s32", 16),
    staged(True, 4),
    staged(False, 4),
    staged(True, 1),
    staged(False, 1, "cp.async.wait_all;"),
]

NAMED = {
    f"{family} {number}": case
    for family, cases in (("wmma", WMMA), ("ptx", PTX))
    for number, case in enumerate(cases)
}

"""Kernels for tensor cores: right ones with what NumPy computes, and wrong ones with what is said of them."""

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
        """What C should hold, and by how much a GPU may be off."""
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
    """One warp, one tile of C, `steps` tiles along K."""
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

_HEAD = """#include <mma.h>
using namespace nvcuda::wmma;
extern "C" __global__ void k(half* A, half* B, float* C) {
    int t = threadIdx.x;
    fragment<matrix_a, 16, 16, 16, half, row_major> a;
    fragment<matrix_b, 16, 16, 16, half, row_major> b;
    fragment<accumulator, 16, 16, 16, float> c;
"""
_BEFORE = "load_matrix_sync(b, B, 16); fill_fragment(c, 0.0f);\n"
_REGISTERS = "unsigned r[4] = {}; float d[4] = {};\n"
_PRODUCT = (
    'asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, '
    '{%0, %1, %2, %3};" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(r[0]), "r"(r[1]), "r"(r[2]), '
    '"r"(r[3]), "r"(r[0]), "r"(r[1]));'
)
_ROWS = 'asm("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%%0}, [%%1];" : "=r"(r[0]) : "r"(%s));'
_SHARED = "__shared__ half s[16][24];\nfor (int i = t; i < 256; i += blockDim.x) s[i / 16][i % 16] = A[i];\n"
_NUMBER = "(unsigned)__cvta_generic_to_shared(%s)"
# what stands in the kernel, part of what is said of it (the class of the error, then words), threads of the block
WRONG = [
    (
        _BEFORE + "mma_sync(c, a, b, c);",
        "UninitializedReadError: the fragment a is used before it holds",
        32,
    ),
    (
        "load_matrix_sync(a, A, 16); load_matrix_sync(b, B, 16); mma_sync(c, a, b, c);",
        "UninitializedReadError: the fragment c is used before it holds",
        32,
    ),
    ("store_matrix_sync(C, c, 16, mem_row_major);", "UninitializedReadError: the fragment c", 32),
    (
        _BEFORE + "load_matrix_sync(a, A, 16);\nif (t < 16) mma_sync(c, a, b, c);",
        "BarrierError: mma_sync is reached by 16 of the 32 lanes.*move it out of the if",
        32,
    ),
    (
        "if (t % 2) load_matrix_sync(a, A, 16);",
        "BarrierError: load_matrix_sync is reached by 16",
        32,
    ),
    (_BEFORE, "BarrierError: load_matrix_sync is reached by 16.*blocks of a multiple of 32", 48),
    (
        "load_matrix_sync(a, A, 16, mem_row_major);",
        "KernelSyntaxError: .*takes 3 arguments, but 4 given",
        32,
    ),
    (
        "load_matrix_sync(c, C, 16);",
        "KernelSyntaxError: .*an accumulator has no layout of its own",
        32,
    ),
    (
        _BEFORE + "load_matrix_sync(a, A, 16); mma_sync(c, b, a, c);",
        "KernelSyntaxError: .*is no .*<.*matrix_a",
        32,
    ),
    (
        "fragment<accumulator, 32, 8, 16, float> d; "
        + _BEFORE
        + "load_matrix_sync(a, A, 16); mma_sync(d, a, b, d);",
        "KernelSyntaxError: 'M' of .*mma_sync cannot be '32' and '16' at once",
        32,
    ),
    (
        "fragment<accumulator, 16, 16, 16, int> d; mma_sync(d, a, b, d);",
        "KernelSyntaxError: .*no accumulators of",
        32,
    ),
    (
        "fragment<matrix_a, 16, 16, 8, half, row_major> d;",
        "KernelSyntaxError: .*fragment.* is declared, but",
        32,
    ),
    (
        "load_matrix_sync(a, A, 12);",
        "MisalignedAccessError: load_matrix_sync with a leading dimension of 12",
        32,
    ),
    ("load_matrix_sync(a, A + 8, 16);", r"MisalignedAccessError: .*begins at A\[8\], byte 16", 32),
    (
        _SHARED + "__syncthreads(); load_matrix_sync(a, &s[0][0], 16);",
        r"KernelError: .*by 16 elements, but s\[16\]\[24\] has rows of 24",
        32,
    ),
    (
        _SHARED + "load_matrix_sync(a, &s[0][0], 24);",
        r"RaceError: race: reads s\[0\], which thread",
        64,
    ),
    (
        _SHARED + "__syncthreads(); load_matrix_sync(a, &s[0][0], 24); s[t / 8][t % 8] = B[t];",
        "RaceError: race: writes s",
        64,
    ),
    ("load_matrix_sync(a, A, 32);", r"OutOfBoundsError: out-of-bounds read of A\[256\]", 32),
    (
        "load_matrix_sync(a, A + t / 16 * 16, 16);",
        "KernelError: the lanes of a warp give load_matrix_sync diff",
        32,
    ),
    (_REGISTERS + "if (t < 8) " + _PRODUCT, "BarrierError: mma.sync is reached by 8", 32),
    (
        _REGISTERS + _SHARED + "__syncthreads(); " + _ROWS % (_NUMBER % "&s[t % 8][4]"),
        r"MisalignedAccessError: a 16-byte access at s\[4\]",
        32,
    ),
    (
        _REGISTERS + _SHARED + "__syncthreads(); if (t < 8) " + _ROWS % (_NUMBER % "s[t]"),
        "BarrierError: ldmatrix",
        32,
    ),
    (_REGISTERS + _SHARED + _ROWS % (_NUMBER % "s[t % 8]"), "RaceError: race: reads s", 64),
    (
        "fill_fragment(c, t / 32 + 1.0f); store_matrix_sync(C, c, 16, mem_row_major);",
        r"RaceError: race: writes C\[0\], which thread \(0,0,0\)",
        64,
    ),
    (_REGISTERS + _ROWS % (_NUMBER % "A"), "KernelError: A is not in shared memory", 32),
    (_REGISTERS + _ROWS % "t", "KernelError: .*no such address", 32),
    (
        _REGISTERS
        + '__shared__ half s[256];\nasm("cp.async.ca.shared.global [%0], [%1], 8;" :: "r"('
        + _NUMBER % "s + 4 * t"
        + '), "l"(A + 4 * t));\n'
        + _ROWS % (_NUMBER % "s"),
        "RaceError: .*asynchronous copy into it is under way",
        32,
    ),
    (
        'asm("wgmma.fence.sync.aligned;");',
        "UnsupportedError: .*inline PTX: wgmma.fence.sync.aligned",
        32,
    ),
    (
        'asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%4, %5};" :: "r"(1));',
        "UnsupportedError: .*inline PTX: mma.sync.aligned.m8n8k4",
        32,
    ),
]


def wrong(body: str) -> str:
    """The kernel with that in it. A and B have 256 elements, C has 256."""
    return f"{_HEAD}{body}\n}}\n"

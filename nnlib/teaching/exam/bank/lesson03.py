"""Questions on lesson 03: tiles, barriers, banks, the three products of a linear layer, roofs."""

from __future__ import annotations

import math
from random import Random

import numpy as np

from nnlib.teaching.exam.question import Item, counted, drawn, floats, profiled, question, rows

NAIVE = """
    __global__ void matmul(const float* A, const float* B, float* C, int n) {
        int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
        float sum = 0.0f;
        for (int k = 0; k < n; k++) sum += A[y * n + k] * B[k * n + x];
        C[y * n + x] = sum;
    }"""
TILED = """
    __global__ void matmul(const float* A, const float* B, float* C, int n) {
        __shared__ float a[TILE][TILE], b[TILE][TILE];
        int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
        float sum = 0.0f;
        for (int step = 0; step < n / TILE; step++) {
            a[threadIdx.y][threadIdx.x] = A[y * n + step * TILE + threadIdx.x];
            b[threadIdx.y][threadIdx.x] = B[(step * TILE + threadIdx.y) * n + x];
            __syncthreads();
            for (int k = 0; k < TILE; k++) sum += a[threadIdx.y][k] * b[k][threadIdx.x];
            __syncthreads();
        }
        C[y * n + x] = sum;
    }"""


@question("03.reads", 5)
def reads(rng: Random) -> Item:
    """How often threads read each number, naive and with tiles."""
    n, tile = rng.choice([(32, 8), (32, 16), (48, 16), (64, 16)])

    def run() -> tuple:
        A, B, C, grid, block = (
            floats(n, n),
            floats(n, n),
            floats(n, n),
            (n // tile, n // tile),
            (tile, tile),
        )
        naive = profiled(NAIVE, grid, block, A, B, C, n).touched("A")[0][0]
        tiled = profiled(TILED.replace("TILE", str(tile)), grid, block, A, B, C, n).touched("A")[0][
            0
        ]
        return int(naive), int(tiled)

    return Item(
        f"Two {n} × {n} matrices are multiplied, with a thread for each result. How often do threads read the "
        f"element A[0][0] from global memory in the naive kernel? How often with tiles of {tile} × {tile} in "
        "shared memory? By which factor do tiles reduce the reads of global memory?",
        [
            f"once for each of the {n} results of row 0: {n}",
            f"once for each of the {n // tile} blocks of that row: {n // tile}",
            f"{tile}, the side of the tile",
        ],
        (n, n // tile),
        run,
    )


@question("03.intensity", 5)
def intensity(rng: Random) -> Item:
    """Arithmetic intensity of a tile, and which roof it meets."""
    tile, peak, band = rng.choice([8, 16]), rng.choice([20, 40, 60]), rng.choice([2, 4])
    n = 2 * tile

    def run() -> tuple:
        counts = profiled(
            TILED.replace("TILE", str(tile)),
            (2, 2),
            (tile, tile),
            *(floats(n, n) for _ in range(3)),
            n,
        )
        return (counts.flops / counts.global_load.bytes,)

    return Item(
        f"A block computes {tile} × {tile} results of a product, with tiles of both matrices in shared memory. "
        f"How many FLOP does it do for each byte that it loads? Where is the ridge of a card with {peak} "
        f"TFLOP/s and {band} TB/s, and which roof limits the kernel?",
        [
            f"2 · {tile}² · K FLOP for 2 · {tile} · K · 4 bytes: {tile / 4:g} FLOP per byte",
            f"{peak} / {band} = {peak / band:g} FLOP per byte",
            "the memory roof: it lies to the left of the ridge"
            if tile / 4 < peak / band
            else "the roof of arithmetic: it lies to the right of the ridge",
        ],
        (tile / 4,),
        run,
    )


@question("03.bytes", 4)
def loaded(rng: Random) -> Item:
    """Bytes that a tiled product loads."""
    n, tile = rng.choice([(32, 8), (64, 8), (64, 16), (48, 8)])

    def run() -> tuple:
        counts = profiled(
            TILED.replace("TILE", str(tile)),
            (n // tile,) * 2,
            (tile, tile),
            *(floats(n, n) for _ in range(3)),
            n,
        )
        return counts.global_load.bytes, counts.global_store.bytes

    total = 2 * n**3 // tile * 4
    return Item(
        f"A tiled kernel multiplies two {n} × {n} matrices of floats with tiles of {tile} × {tile}. How many "
        "bytes do its threads load from global memory, how many do they store, and how many would they load "
        "without tiles?",
        [
            f"2 · {n}³ / {tile} · 4 = {total:,} bytes",
            f"{n}² · 4 = {4 * n * n:,} bytes",
            f"{tile} times as many: {total * tile:,}",
        ],
        (total, 4 * n * n),
        run,
    )


@question("03.banks", 5)
def banks(rng: Random) -> Item:
    """Wavefronts of a column of shared memory, for a width of the rows."""
    width = rng.choice([20, 24, 32, 33, 36, 40, 48, 64])
    waves = math.gcd(width, 32)
    text = f"""
        __global__ void f(float* out) {{
            __shared__ float tile[32][{width}];
            for (int k = 0; k < {width}; k++) tile[threadIdx.x][k] = 1.0f;
            __syncthreads();
            out[threadIdx.x] = tile[threadIdx.x][5];
        }}"""

    def run() -> tuple:
        return (profiled(text, 1, 32, floats(32)).shared_load.wavefronts,)

    best = next(wider for wider in range(width, width + 33) if math.gcd(wider, 32) == 1)
    return Item(
        f"`__shared__ float tile[32][{width}];`\n\nA warp reads one column: lane i reads `tile[i][5]`. In "
        "which bank does lane i's number lie, how many wavefronts does the request take, and what is the "
        "smallest width of at least this size that needs only one?",
        [
            f"bank ({width} · i + 5) mod 32",
            f"{waves}: the greatest common divisor of {width} and 32",
            f"{best}" + (", the width as it is" if best == width else ""),
        ],
        (waves,),
        run,
    )


@question("03.mapping", 5)
def mapping(rng: Random) -> Item:
    """Sectors of a warp for a shape of the block, with x as column and as row."""
    bx = rng.choice([4, 8, 16, 32])
    by, n = 32 // bx, 64
    text = """
        __global__ void f(const float* A, float* out, int n) {
            int x = threadIdx.x, y = threadIdx.y;
            out[y * blockDim.x + x] = A[y * n + x];
        }"""
    along, across = by * max(1, bx // 8), bx * max(1, by // 8)

    def run() -> tuple:
        return tuple(
            profiled(
                text.replace("A[y * n + x]", read), 1, (bx, by), floats(n, n), floats(32), n
            ).global_load.sectors
            for read in ("A[y * n + x]", "A[x * n + y]")
        )

    return Item(
        f"A block of ({bx}, {by}) threads is one warp. The matrix A has rows of {n} floats, and each row "
        "begins at a sector boundary. How many sectors does the warp fetch for `A[y * n + x]`, and how many "
        "for `A[x * n + y]`, with x and y from threadIdx? Which is the rule to remember?",
        [
            f"{counted(by, 'row')} of {bx} floats side by side: {along}",
            f"{counted(bx, 'row')} of {counted(by, 'float')} each: {across}",
            "threadIdx.x belongs to the index that runs along memory",
        ],
        (along, across),
        run,
    )


@question("03.steps", 5)
def steps(rng: Random) -> Item:
    """The partial sum after the first tile, and the result."""
    A, B = drawn(rng, 1, 5, 4, 4), drawn(rng, 1, 3, 4, 4)
    row, column = rng.randrange(4), rng.randrange(4)
    first = sum(A[row, k] * B[k, column] for k in range(2))
    whole = sum(A[row, k] * B[k, column] for k in range(4))

    def run() -> tuple:
        half, full = floats(4, 4), floats(4, 4)
        text = TILED.replace("TILE", "2")
        profiled(text, (2, 2), (2, 2), A, B, full, 4)
        profiled(text.replace("step < n / 2", "step < 1"), (2, 2), (2, 2), A, B, half, 4)
        return half[row, column], full[row, column]

    return Item(
        f"A = {rows(A)}\n\nB = {rows(B)}\n\nA kernel multiplies them with tiles of 2 × 2. What is the partial "
        f"sum of C[{row}][{column}] after the first step, what is the result, and how many barriers does a "
        "thread pass in all?",
        [
            f"{first:g}, from the first two products",
            f"{whole:g}",
            "2 steps with 2 barriers each: 4",
        ],
        (first, whole),
        run,
    )


@question("03.linear", 6)
def linear(rng: Random) -> Item:
    """The three products of a linear layer on small numbers."""
    x, w, dy = drawn(rng, -2, 4, 2, 2), drawn(rng, -2, 3, 2, 2), drawn(rng, -1, 2, 2, 2)
    text = """
        __global__ void f(const float* x, const float* w, const float* dy, float* y, float* dx, float* dw) {
            int c = threadIdx.x, r = threadIdx.y;
            for (int k = 0; k < 2; k++) {
                y[2 * r + c] += x[2 * r + k] * w[2 * c + k];
                dx[2 * r + c] += dy[2 * r + k] * w[2 * k + c];
                dw[2 * r + c] += dy[2 * k + r] * x[2 * k + c];
            }
        }"""

    def run() -> tuple:
        found = floats(2, 2), floats(2, 2), floats(2, 2)
        profiled(text, 1, (2, 2), x, w, dy, *found)
        return found

    return Item(
        f"A linear layer computes y = x wᵀ, with x (N × I) = {rows(x)}, w (O × I) = {rows(w)}, and without a "
        f"bias. The gradient that arrives is dy = {rows(dy)}. Compute y, dx and dw.",
        [
            f"y = {rows(x @ w.T)} (sum over I)",
            f"dx = {rows(dy @ w)} (sum over O)",
            f"dw = {rows(dy.T @ x)} (sum over N)",
        ],
        (x @ w.T, dy @ w, dy.T @ x),
        run,
    )


@question("03.barrier", 5)
def barrier(rng: Random) -> Item:
    """Barriers of a block, and the threads outside of the matrix that must reach them."""
    tile, n = rng.choice([8, 16]), rng.choice([20, 25, 30, 35, 37])
    side = -(-n // tile)
    outside = (side * tile) ** 2 - n * n
    text = f"""
        __global__ void f(int* c, int n) {{
            int x = blockIdx.x * {tile} + threadIdx.x, y = blockIdx.y * {tile} + threadIdx.y;
            int passed = 0;
            for (int first = 0; first < n; first += {tile}) {{
                __syncthreads(); passed++;
                __syncthreads(); passed++;
            }}
            if (x >= n || y >= n) atomicAdd(&c[0], 1);
            if (x == 0 && y == 0) c[1] = passed;
        }}"""

    def run() -> tuple:
        c = np.zeros(2, np.int32)
        profiled(text, (side, side), (tile, tile), c, n)
        return int(c[0]), int(c[1])

    return Item(
        f"A tiled kernel multiplies two {n} × {n} matrices with tiles of {tile} × {tile}. How many threads of "
        "the grid have no result, how many barriers does each thread pass, and why must a thread without a "
        "result not return at the beginning?",
        [
            f"({side} · {tile})² − {n}² = {outside}",
            f"{side} steps with two barriers: {2 * side}",
            "it loads elements of the tiles that others need, and all threads must reach each barrier",
        ],
        (outside, 2 * side),
        run,
    )

"""Questions on lesson 09: matrix instructions, fragments, layouts, rounding in half, loss scaling, rates."""

from __future__ import annotations

import math
from random import Random

import numpy as np

from nnlib.teaching.exam.question import Item, floats, profiled, question

_LINEAR = """
    #include <mma.h>
    using namespace nvcuda;
    __global__ void f(const half* x, const half* w, float* y, int N, int O, int K) {
        wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
        wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::LAYOUT> b;
        wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
        wmma::fill_fragment(c, 0.0f);
        for (int k = 0; k < K; k += 16) {
            wmma::load_matrix_sync(a, x + 16 * blockIdx.y * K + k, K);
            wmma::load_matrix_sync(b, w + 16 * blockIdx.x * K + k, K);
            wmma::mma_sync(c, a, b, c);
        }
        wmma::store_matrix_sync(y + 16 * blockIdx.y * O + 16 * blockIdx.x, c, O, wmma::mem_row_major);
    }"""
_SHARES = """
    #include <mma.h>
    using namespace nvcuda;
    __global__ void f(const half* x, half* shares) {
        wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
        wmma::load_matrix_sync(a, x, 16);
        for (int i = 0; i < 8; i++) shares[8 * threadIdx.x + i] = a.x[i];
    }"""


def _halves(*shape: int) -> np.ndarray:
    return np.zeros(shape, np.float16)


@question("09.instructions", 5)
def instructions(rng: Random) -> Item:
    """How many matrix instructions a layer takes, beside FMA instructions."""
    n, o, k = (16 * rng.randrange(1, 4) for _ in range(3))
    tensor, fma = n * o * k // 2048, n * o * k // 32

    def run() -> tuple:
        counts = profiled(
            _LINEAR.replace("LAYOUT", "col_major"),
            (o // 16, n // 16),
            32,
            _halves(n, k),
            _halves(o, k),
            floats(n, o),
            n,
            o,
            k,
        )
        return counts.tensor_instructions, counts.flops // 2 // 32

    return Item(
        f"A layer computes y = x wᵀ for N = {n} examples, K = {k} inputs and O = {o} outputs. How many FMA "
        "instructions of a warp are that, if every lane makes one product in each? How many matrix "
        "instructions for 16 × 8 results with 16 products each? Which factor does a matrix instruction save?",
        [
            f"{n} · {o} · {k} products / 32 = {fma:,}",
            f"16 · 8 · 16 = 2,048 products in one, so {tensor:,}",
            "64 times fewer",
        ],
        (tensor, fma),
        run,
    )


@question("09.lane", 5)
def lane(rng: Random) -> Item:
    """Where a fragment has an element of A."""
    row, column = rng.randrange(16), rng.randrange(16)
    owner = 4 * (row % 8) + column % 8 // 2
    place = 4 * (column // 8) + 2 * (row // 8) + column % 2

    def run() -> tuple:
        shares = _halves(32, 8)
        profiled(_SHARES, 1, 32, np.arange(256).astype(np.float16), shares)
        return tuple(int(found) for found in np.argwhere(shares == 16 * row + column)[0])

    return Item(
        "On an H200, the 16 × 16 elements of A are dealt to a warp in four blocks of 8 × 8. In each block four "
        "lanes share a row, in the order of their numbers, and each has two neighbours. The blocks lie in x[0] "
        "and x[1] (top left), x[2] and x[3] (bottom left), x[4] and x[5] (top right), x[6] and x[7] (bottom "
        f"right). Which lane holds the element in row {row}, column {column}, counted from 0, and in which "
        "of its x?",
        [
            f"row {row % 8} of its block belongs to lanes {4 * (row % 8)} to {4 * (row % 8) + 3}",
            f"column {column % 8} of its block is in lane {owner}",
            f"x[{place}]",
        ],
        (owner, place),
        run,
    )


@question("09.layout", 5)
def layout(rng: Random) -> Item:
    """What a wrong layout of B gives."""
    row, column = rng.sample(range(16), 2)
    value = rng.randrange(2, 9)

    def run() -> tuple:
        a, b = _halves(16, 16), _halves(16, 16)
        a[0], b[column, row] = 1, value  # b lies column by column
        found = []
        for how in ("col_major", "row_major"):
            c = floats(16, 16)
            profiled(_LINEAR.replace("LAYOUT", how), 1, 32, a, b, c, 16, 16, 16)
            found.append(int(np.flatnonzero(c[0])[0]))
        return tuple(found)

    return Item(
        f"A is 1 in its first row and 0 elsewhere. B is {value} in row {row}, column {column}, and 0 "
        "elsewhere; both have 16 × 16 elements, and B is stored column by column. Which element of C = A · B "
        "is not 0 if B's fragment is `col_major`? Which one if it is `row_major` by mistake, and what "
        "reports the mistake?",
        [
            f"C[0][{column}] = {value}",
            f"C[0][{row}] = {value}: B is taken for its transpose",
            "nothing: each access is inside the tile, so only a comparison of the result shows it",
        ],
        (column, row),
        run,
    )


@question("09.updates", 5)
def updates(rng: Random) -> Item:
    """Small updates of a weight in half, and of its float32 copy."""
    weight, steps = rng.choice([1, 2, 4, 8]), rng.choice([500, 1000, 2000])
    step = weight / 1024 / rng.choice([4, 8])
    later = weight + steps * step

    def run() -> tuple:
        half, single = np.float16(weight), np.float32(weight)
        for _ in range(steps):
            half, single = (
                np.float16(half + np.float16(step)),
                np.float32(single + np.float32(step)),
            )
        return float(np.spacing(np.float16(weight))), float(half), float(single)

    return Item(
        f"A weight is {weight}, and each of {steps:,} steps adds {step:g}. A half has 10 bits of fraction. "
        f"How far from {weight} is the next larger half? What is the weight after all steps if it is a half, "
        "and what if it is a float?",
        [
            f"{weight} / 1,024 = {weight / 1024:g}",
            f"{weight}: {step:g} is less than half of that, so every sum is rounded back",
            f"{weight} + {steps} · {step:g} = {later:g}",
        ],
        (weight / 1024, float(weight), later),
        run,
    )


@question("09.loss_scale", 5)
def loss_scale(rng: Random) -> Item:
    """The largest scale, and whether it rescues the smallest gradient."""
    largest = rng.choice([0.3, 0.7, 1.5, 3.0, 6.0, 12.0])
    least = rng.choice([1e-9, 3e-9, 1e-8, 1e-13, 4e-14])
    exponent = math.floor(math.log2(65504 / largest))
    fate = "is not 0" if least * 2**exponent > 2**-25 else "is 0"

    def run() -> tuple:
        with np.errstate(over="ignore"):
            fits = max(
                k for k in range(40) if np.isfinite(np.float32(largest * 2.0**k).astype(np.float16))
            )
        scaled = np.float32(least * 2.0**fits).astype(np.float16)
        return (
            fits,
            "is not 0" if np.float32(least).astype(np.float16) else "is 0",
            "is not 0" if scaled else "is 0",
        )

    return Item(
        f"The largest gradient of a step is {largest:g}, and the smallest one {least:g}. The largest half is "
        "65,504, and what is below 2⁻²⁵ = 3 · 10⁻⁸ is rounded to 0. What becomes of the smallest gradient "
        "without a loss scale? Which is the largest power of two that may be the scale, and what becomes of "
        "the smallest gradient then?",
        [
            "it is 0",
            f"65,504 / {largest:g} = {65504 / largest:,.0f}, so 2 to the power of {exponent}",
            f"{least:g} · {2**exponent:,} = {least * 2**exponent:.2g}, which {fate}",
        ],
        (exponent, "is 0", fate),
        run,
    )


@question("09.rates", 6)
def rates(rng: Random) -> Item:
    """Memory or arithmetic: where a product in half stands under the roofs."""
    n = rng.choice([64, 128, 256, 512, 1024, 2048])
    operations, moved = 2 * n**3, 2 * 2 * n**2 + 4 * n**2
    memory, arithmetic = moved / 4.8e12, operations / 989e12
    limit = "memory" if memory > arithmetic else "arithmetic"

    def run() -> tuple:
        a, b, c = (
            np.empty((n, n), np.float16),
            np.empty((n, n), np.float16),
            np.empty((n, n), np.float32),
        )
        moved = a.nbytes + b.nbytes + c.nbytes
        intensity = 2 * c.size * a.shape[1] / moved
        return moved, intensity, "arithmetic" if intensity > 989 / 4.8 else "memory"

    return Item(
        f"Two matrices of {n} × {n} halves are multiplied on tensor cores into a matrix of floats. Each is "
        "moved once. How many bytes are that, and how many operations per byte? An H200 moves 4.8 TB/s and "
        "computes 989 TFLOP/s in half. What limits this product?",
        [
            f"2 · 2 · {n}² + 4 · {n}² = {moved:,} bytes",
            f"2 · {n}³ / {moved:,} = {operations / moved:g}",
            f"989 / 4.8 = 206 operations per byte are needed, so the limit is {limit}",
        ],
        (moved, operations / moved, limit),
        run,
    )

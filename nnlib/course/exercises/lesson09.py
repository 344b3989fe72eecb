"""The exercises of lesson 09, with the usual mistakes."""

from typing import Any

import numpy as np

from nnlib.course.exercises.checking import FunctionExercise
from nnlib.course.exercises.kernels import KernelExercise
from nnlib.cuda import MisalignedAccessError, OutOfBoundsError, RaceError
from nnlib.mine.contract import Far, Piece, rounds
from nnlib.mine.trials.sizes import chosen
from nnlib.mine.trials.tasks import at_most

_T = 16  # rows and columns of a tile


def _halves(rng: Any, shape: Any, sizes: Any, _: Any) -> Any:
    """Draw normal numbers; for long sums round them so that every sum is exact."""
    drawn = rng.standard_normal(shape)
    return np.floor(2 * drawn) / 2 + 0.25 if rounds(sizes) else drawn


_BY_TENSOR_CORE = (
    "let the tensor core multiply: load_matrix_sync and mma_sync, and no loop over elements"
)


KernelExercise(
    Piece(
        "tile",
        "09",
        "const half* a, const half* b, float* c, int K",
        "c[i][j] = Σ over k of a[i][k] · b[k][j], where b lies column by column",
        "",
        {"a": "side K", "b": "side K", "c": "side side"},
        lambda a, b, K, side: a @ b.T,
        sizes=[{"K": 16}, {"K": 48}],
        ruler={"K": 48},
        drawn=lambda rng: [{"K": 16 * int(rng.integers(2, 7))}, {"K": 1280}],
        far=lambda rng: [Far({"K": 33_024})],
        large=(),
        multiple=_T,
        derived=lambda sizes: {"side": _T},
        make={"a": _halves, "b": _halves},
        absolute={"c": 1e-4},
        loop="K",
        task=[at_most("instructions", lambda K: 40 * K / _T + 60, _BY_TENSOR_CORE)],
    ),
    lambda K: (1, 32),
    hints={
        OutOfBoundsError: "in step k the tiles begin at column k of a and at row k of b. a lies row by row, so that is a + "
        "k; b lies column by column, so it is b + k, and not b + k * K. Rows of a and columns of b are K "
        "elements apart, and rows of c 16",
        RaceError: "the whole warp loads and stores a tile together: no thread has one of its own",
        MisalignedAccessError: "a tile begins at a multiple of 16 elements: does the loop over k go on by 16?",
    },
)


KernelExercise(
    Piece(
        "padded",
        "09",
        "const half* a, const half* b, float* c",
        "c[i][j] = Σ over k of a[i][k] · b[k][j]",
        "",
        {"a": "side side", "b": "side side", "c": "side side"},
        lambda a, b, side: a @ b,
        **chosen("warps", [(1,), (2,)], [[(3, 4)]], ruler=(2,)),
        derived=lambda sizes: {"side": _T},
        make={"a": _halves, "b": _halves},
        absolute={"c": 1e-4},
        task=[
            at_most(
                "shared_load.bank_conflicts",
                0,
                "keep the padding: without it rows of a tile share their banks",
            ),
            at_most(
                "global_load.sectors",
                32,
                "copy the tiles to shared memory, and let the warp load them from there",
            ),
            at_most(
                "late_barriers",
                0,
                "a barrier waits for the threads of its block that still run, so behind the return only one warp comes "
                "to it. That works here, because the other warp has copied its part before it returns, but CUDA "
                "promises no visibility: put the barrier before the return, where all threads pass",
            ),
        ],
    ),
    lambda warps: (1, 32 * warps),
    hints={
        RaceError: "both warps store all of c: let one warp multiply and store it, threadIdx.x < 32",
        OutOfBoundsError: "only s is padded: a, b and c have rows of 16 elements",
    },
)


def _linear_exercise(name: Any, tiles: Any, depths: Any, loaded_once: Any, hints: Any) -> Any:
    """Declare y = x wᵀ on tensor cores, in which a warp computes so many tiles of y in each direction.

    depths: K of its two fixed sizes, in as many tiles.
    """
    side = tiles * _T

    def sizes(*in_sides: Any) -> Any:
        return {name: side * count for name, count in zip("NOK", in_sides, strict=True)}

    KernelExercise(
        Piece(
            name,
            "09",
            "const half* x, const half* w, float* y, int N, int O, int K",
            "y[n][o] = Σ over k of x[n][k] · w[o][k]",
            "",
            {"x": "N K", "w": "O K", "y": "N O"},
            lambda x, w, N, O, K: x @ w.T,
            sizes=[sizes(2, 3, depths[0]), sizes(1, 1, 1), sizes(3, 2, depths[1])],
            ruler=sizes(2, 3, depths[0]),
            drawn=lambda rng: [
                sizes(*rng.integers(1, 6, 3).tolist()),
                sizes(1 + 1024 // side, 1, 1),
                sizes(1, 1 + 1024 // side, 2),
            ],
            far=lambda rng: [
                Far(sizes(1, 1, 1) | far) for far in ({"N": 16_640}, {"O": 16_640}, {"K": 33_024})
            ],
            large=(),
            multiple=side,
            make={"x": _halves, "w": _halves},
            absolute={"y": 1e-4},
            loop="K",
            task=[
                at_most(
                    "instructions",
                    lambda N, O, K: N / _T * (O / _T) * (40 * K / _T + 60),
                    _BY_TENSOR_CORE,
                ),
                at_most(
                    "global_load.bytes",
                    lambda N, O, K: 4 * N * O * K // side,
                    loaded_once,
                ),
            ],
        ),
        lambda N, O, K: ((O // side, N // side), 32),
        hints=hints,
    )


_linear_exercise(
    "linear_forward_tc",
    1,
    (4, 7),
    "load each tile once in each step",
    {
        OutOfBoundsError: "a row of x and of w has K elements, a row of y has O; blockIdx.y counts tiles of rows of y, "
        "and blockIdx.x tiles of its columns",
        RaceError: "each block has one warp, and each warp stores one tile of y: 16 rows from 16 * blockIdx.y, 16 columns from "
        "16 * blockIdx.x; and in store_matrix_sync rows of y are O apart",
        MisalignedAccessError: "a tile begins at a multiple of 16 rows and columns: 16 * blockIdx.y and 16 * blockIdx.x; "
        "and the loop over k goes on by 16",
    },
)


_linear_exercise(
    "linear_four_tc",
    2,
    (2, 4),
    "a step loads two tiles of x and two of w, each once, before the four products, and each tile serves two "
    "of them. Is a tile loaded inside the loop over both i and j?",
    {
        OutOfBoundsError: "a row of x and of w has K elements, a row of y has O; a warp has 32 rows from 32 * blockIdx.y and "
        "32 columns from 32 * blockIdx.x, in tiles of 16",
        RaceError: "each block stores four tiles of y: 32 rows from 32 * blockIdx.y, 32 columns from 32 * blockIdx.x. "
        "So blocks are 32 apart, y[0, 64] belongs to block (2, 0); and in store_matrix_sync rows of y are O apart",
        MisalignedAccessError: "a tile begins at a multiple of 16 rows and columns, and the loop over k goes on by 16",
    },
)


def _scale(gradients: Any) -> Any:
    return float(2.0 ** np.floor(np.log2(65504 / np.abs(gradients).max())))


_GRADIENTS = [
    (np.array(values),)
    for values in (
        [0.01, 0.1, 0.002, -0.3],
        [5.0, 7.0, -0.25],
        [1e-3, -2e-6, 4e-4, 0.8e-3, 1e-7],
        [-(2.0**-14), 3e-5],
        [40000.0, -9.0],
        [1e6, -2.0],
        [3e-12, -7e-12],
    )
]


def _loss_scale_mistakes(g: Any) -> dict[str, Any]:
    return {
        "this scale overflows: round the exponent down": (
            2.0 ** np.ceil(np.log2(65504 / np.abs(g).max()))
        ),
        "the scale must be a power of two, so that scaling loses no digit": (
            65504 / np.abs(g).max()
        ),
        "negative gradients overflow, too: take the absolute value": (
            2.0 ** np.floor(np.log2(65504 / g.max()))
        ),
        "the largest gradient decides, not the smallest": (
            2.0 ** np.floor(np.log2(65504 / np.abs(g).min()))
        ),
        "the largest number that half has is 65504, not 65536": (
            2.0 ** np.floor(np.log2(65536 / np.abs(g).max()))
        ),
        "int() cuts toward 0, and np.floor goes down: they differ for a gradient above 65504": (
            2.0 ** int(np.log2(65504 / np.abs(g).max()))
        ),
        "one gradient decides, the largest: np.abs(gradients).max(), not a sum": (
            2.0 ** np.floor(np.log2(65504 / np.abs(g).sum()))
        ),
        "twice this scale still fits: count again how often the largest gradient can be doubled": (
            _scale(g) / 2
        ),
        "this is at most 2 ** 15 divided by a power of two: divide 65504, and round only then": (
            2.0**15 / 2.0 ** np.ceil(np.log2(np.abs(g).max()))
        ),
        "the mean gradient says nothing of the largest": (
            2.0 ** np.floor(np.log2(65504 / np.abs(g).mean()))
        ),
        "this is the exponent; the scale is 2 to the power of it": (
            np.floor(np.log2(65504 / np.abs(g).max()))
        ),
        "a gradient above 65504 needs a scale below 1": max(1.0, _scale(g)),
        "65504 is missing: it says how far the largest gradient may grow": (
            2.0 ** np.floor(np.log2(np.abs(g).max()))
        ),
        "divide the largest half by the gradient, not the other way round": (
            2.0 ** np.floor(np.log2(np.abs(g).max() / 65504))
        ),
    }


FunctionExercise(
    "09.loss_scale",
    reference=_scale,
    inputs=_GRADIENTS,
    mistakes=_loss_scale_mistakes,
)

"""What lesson 09 asks for, and the usual mistakes."""

import itertools
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
    """Of long sums such numbers that all of them are exact."""
    drawn = rng.standard_normal(shape)
    return np.floor(2 * drawn) / 2 + 0.25 if rounds(sizes) else drawn


def _exact(*factors: Any) -> Any:
    a, b = (factor.astype(np.float64) for factor in factors)
    return (a @ b).astype(np.float32)


def _narrow(matrix: Any, k: Any, step: Any) -> Any:
    """The tile that begins at column k of the first rows, loaded as if a row had `step` elements."""
    return np.lib.stride_tricks.as_strided(
        matrix[:, k:], (_T, _T), (step * matrix.itemsize, matrix.itemsize)
    )


def _loaded(rows: Any, columns: Any, of_rows: Any, of_columns: Any) -> Any:
    """Sum over k of the tiles of `rows` and of `columns`, with these two leading dimensions."""
    return sum(
        _exact(_narrow(rows, k, of_rows), _narrow(columns, k, of_columns).T)
        for k in range(0, rows.shape[1], _T)
    )


_BY_TENSOR_CORE = (
    "let the tensor core multiply: load_matrix_sync and mma_sync, and no loop over elements"
)


def _tile_mistakes(a: Any, b: Any, K: Any, side: Any) -> Any:
    columns, tiles = b, K // _T
    b, as_rows = columns.T, columns.reshape(K, _T)
    right = _exact(a, b)
    mistakes = (
        {
            "b lies column by column: its fragment is col_major": _exact(a, as_rows),
            "a lies row by row: its fragment is row_major": _exact(a.T, b),
        }
        if tiles == 1
        else {
            "only the last step is left: fill the accumulator once, before the loop": _exact(
                a[:, -_T:], b[-_T:]
            ),
            "this is the product of the first tiles only: K / 16 steps are needed": _exact(
                a[:, :_T], b[:_T]
            ),
            "a tile is not 256 elements in a row: in step k it begins at a + k (and b + k), and rows are K apart": sum(
                _exact(x.reshape(_T, _T), y.reshape(_T, _T).T)
                for x, y in zip(
                    np.split(a.ravel(), tiles), np.split(columns.ravel(), tiles), strict=True
                )
            ),
            "every step reads the first tiles: move both pointers with the step": _exact(
                a[:, :_T], b[:_T]
            )
            * tiles,
            "every step reads the first tile of a: move both pointers with the step, a + k": sum(
                _exact(a[:, :_T], y) for y in np.split(b, tiles)
            ),
            "every step reads the first tile of b: move both pointers with the step, b + k": sum(
                _exact(x, b[:_T]) for x in np.split(a, tiles, axis=1)
            ),
            "a and b are loaded with a leading dimension of 16; rows of a and columns of b are "
            "K elements apart: write K": _loaded(a, columns, _T, _T),
            "a is loaded with a leading dimension of 16, but its rows are K elements apart: write K": _loaded(
                a, columns, _T, a.shape[1]
            ),
            "b is loaded with a leading dimension of 16, but its columns are K elements apart: write K": _loaded(
                a, columns, a.shape[1], _T
            ),
        }
    )
    return mistakes | {
        "this is c transposed: store it with mem_row_major": right.T,
        "the products are added to nothing: is mma_sync's last argument c?": 0 * right,
    }


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
    _tile_mistakes,
    hints={
        OutOfBoundsError: "in step k the tiles begin at column k of a and at row k of b. a lies row by row, so that is a + "
        "k; b lies column by column, so it is b + k, and not b + k * K. Rows of a and columns of b are K "
        "elements apart, and rows of c 16",
        RaceError: "the whole warp loads and stores a tile together: no thread has one of its own",
        MisalignedAccessError: "a tile begins at a multiple of 16 elements: does the loop over k go on by 16?",
    },
)


def _padded_mistakes(a: Any, b: Any, side: Any) -> Any:
    right = _exact(a, b)
    return {
        "this is c transposed: store it with mem_row_major": right.T,
        "a lies row by row, in global as in shared memory": _exact(a.T, b),
        "b lies row by row, in global as in shared memory": _exact(a, b.T),
    }


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
                "promises nothing for it: put the barrier before the return, where all threads pass",
            ),
        ],
    ),
    lambda warps: (1, 32 * warps),
    _padded_mistakes,
    hints={
        RaceError: "both warps store all of c: let one warp multiply and store it, threadIdx.x < 32",
        OutOfBoundsError: "only s is padded: a, b and c have rows of 16 elements",
    },
)


def _by_tiles(x: Any, outputs: Any, tile: Any) -> Any:
    """x times a matrix of which tile(k, o) begins at row k and column o."""
    y = np.zeros((len(x), outputs), np.float32)
    for k, o in itertools.product(range(0, x.shape[1], _T), range(0, outputs, _T)):
        y[:, o : o + _T] += _exact(x[:, k : k + _T], tile(k, o))
    return y


def _unmultiplied(matrix: Any) -> Any:
    """What tile t of 16 rows holds where its pointer has moved by 16 t elements, and not by as many rows."""
    flat, tile = matrix.ravel(), _T * matrix.shape[1]
    return np.concatenate(
        [flat[first : first + tile] for first in range(0, len(matrix), _T)]
    ).reshape(matrix.shape)


def _narrow_by(x: Any, w: Any, of_rows: Any, of_columns: Any) -> Any:
    """x times w, transposed, tile by tile, with these two leading dimensions; None where an access leaves an array."""
    if any(
        (len(matrix) - _T) * matrix.shape[1] + matrix.shape[1] + (_T - 1) * step > matrix.size
        for matrix, step in ((x, of_rows), (w, of_columns))
    ):
        return None
    return np.block(
        [
            [_loaded(x[n:], w[o:], of_rows, of_columns) for o in range(0, len(w), _T)]
            for n in range(0, len(x), _T)
        ]
    )


def _linear_mistakes(x: Any, w: Any, N: Any, O: Any, K: Any) -> Any:  # noqa: E741, as the lesson names them
    y, steps = _exact(x, w.T), K // _T
    turned = w.reshape(K, O)  # as if w were (K, O)
    distances = {
        f"rows of {said} are K elements apart: the leading dimension is K, not {name}": wrong
        for name, step in (("16", _T), ("N", N), ("O", O))
        for said, steps_of in (("x", (step, K)), ("w", (K, step)), ("x and of w", (step, step)))
        if step != K and (wrong := _narrow_by(x, w, *steps_of)) is not None
    }
    mistakes = distances | {
        "row o of w belongs to output o: as matrix B = wᵀ it lies column by column": _by_tiles(
            x, O, lambda k, o: w[o : o + _T, k : k + _T]
        ),
        "w is (O, K): its rows are K elements apart, not O, and a tile begins at w + column * K + k": _by_tiles(
            x, O, lambda k, o: turned[k : k + _T, o : o + _T].T
        ),
        "w is (O, K), not (K, O): row o of w is column o of matrix B": _exact(x, turned),
        "row n of x begins at x + n * K: the first row is multiplied by K": _exact(
            _unmultiplied(x), w.T
        ),
        "row o of w begins at w + o * K: the first column is multiplied by K": _exact(
            x, _unmultiplied(w).T
        ),
        "each tile of y is transposed: store it with mem_row_major": y.reshape(
            N // _T, _T, O // _T, _T
        )
        .transpose(0, 3, 2, 1)
        .reshape(N, O),
        "this is y of the first tile of x only: row tiles come from blockIdx.y": np.tile(
            y[:_T], (N // _T, 1)
        ),
        "every output tile is that of the first rows of w: columns come from blockIdx.x": np.tile(
            y[:, :_T], O // _T
        ),
        "every block computes the first tile of y: its rows come from blockIdx.y, its columns from blockIdx.x": np.tile(
            y[:_T, :_T], (N // _T, O // _T)
        ),
    }
    if N <= O:
        mistakes["rows of w are outputs, and so columns of y: they begin at 16 * blockIdx.x"] = (
            np.concatenate(
                [np.tile(_exact(x[n : n + _T], w[n : n + _T].T), O // _T) for n in range(0, N, _T)]
            )
        )
    if steps > 1:
        mistakes["only the last step is left: fill the accumulator before the loop"] = _exact(
            x[:, -_T:], w[:, -_T:].T
        )
        mistakes["the loop ends too early: K / 16 steps are needed"] = _exact(
            x[:, :-_T], w[:, :-_T].T
        )
    return mistakes


def _linear_exercise(
    name: Any, tiles: Any, depths: Any, mistakes: Any, loaded_once: Any, hints: Any
) -> Any:
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
            lambda x, w, N, O, K: x @ w.T,  # noqa: E741
            sizes=[sizes(2, 3, depths[0]), sizes(1, 1, 1), sizes(3, 2, depths[1])],
            ruler=sizes(2, 3, depths[0]),
            drawn=lambda rng: [
                sizes(*rng.integers(1, 6, 3).tolist()),
                sizes(1 + 1024 // side, 1, 1),
                sizes(1, 1 + 1024 // side, 2),
            ],
            far=lambda rng: [Far(sizes(1, 1, 1) | {long: 33_024}) for long in "NOK"],
            large=(),
            multiple=side,
            make={"x": _halves, "w": _halves},
            absolute={"y": 1e-4},
            loop="K",
            task=[
                at_most(
                    "instructions",
                    lambda N, O, K: N / _T * (O / _T) * (40 * K / _T + 60),  # noqa: E741
                    _BY_TENSOR_CORE,
                ),
                at_most(
                    "global_load.bytes",
                    lambda N, O, K: 4 * N * O * K // side,  # noqa: E741
                    loaded_once,
                ),
            ],
        ),
        lambda N, O, K: ((O // side, N // side), 32),  # noqa: E741
        mistakes,
        hints=hints,
    )


_linear_exercise(
    "linear_forward_tc",
    1,
    (4, 7),
    _linear_mistakes,
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


def _second_too_near(matrix: Any) -> Any:
    """What a warp loads for its 32 rows where the second tile begins 16 elements behind the first, not 16 rows."""
    near, flat = matrix.copy(), matrix.ravel()
    for row in range(_T, len(matrix), 2 * _T):
        first = (row - _T) * matrix.shape[1] + _T
        near[row : row + _T] = flat[first:][: _T * matrix.shape[1]].reshape(_T, -1)
    return near


def _four_mistakes(x: Any, w: Any, N: Any, O: Any, K: Any) -> Any:  # noqa: E741
    y, side = _exact(x, w.T), 2 * _T
    tiles = y.reshape(N // side, 2, _T, O // side, 2, _T)
    inside = {
        hint: wrong
        for hint, wrong in _linear_mistakes(x, w, N, O, K).items()
        if "blockIdx" not in hint
    }
    second_row, second_column = np.arange(N)[:, None] % side >= _T, np.arange(O) % side >= _T
    near_x, near_w = _second_too_near(x), _second_too_near(w)
    stored = {
        "this is step 1: a block has 32 rows and 32 columns now, so blocks are 32 apart, and y[0, 64] belongs to block (2, 0)": (
            np.arange(N)[:, None] < N // 2
        )
        & (np.arange(O) < O // 2),
        "a block has 32 rows and 32 columns, so blocks are 32 apart, y[0, 64] belongs to block (2, 0): 32 * blockIdx": (
            np.arange(N)[:, None] < N // 2 + _T
        )
        & (np.arange(O) < O // 2 + _T),
        "a block has four tiles of y, and stores only the first: store all four C[i][j]": ~(
            second_row | second_column
        ),
        "only the tiles (0, 0) and (1, 1) are stored: two loops, over i and over j, store all four": second_row
        == second_column,
        "the second row of tiles is not stored: C[1][0] and C[1][1] begin 16 rows below": np.broadcast_to(
            ~second_row, y.shape
        ),
        "the second column of tiles is not stored: C[0][1] and C[1][1] begin 16 columns to the right": np.broadcast_to(
            ~second_column, y.shape
        ),
    }
    return (
        inside
        | {hint: np.where(written, y, np.nan) for hint, written in stored.items()}
        | {
            "only C[0][0] and C[1][1] are multiplied: two loops, over i and over j, multiply all four pairs": np.where(
                second_row == second_column, y, 0
            ),
            "tile i of x begins 16 * i rows below, at x + (row + 16 * i) * K + k: 16 * i is not multiplied by K": _exact(
                near_x, w.T
            ),
            "tile j of w begins 16 * j rows below, at w + (column + 16 * j) * K + k: 16 * j is not multiplied by K": _exact(
                x, near_w.T
            ),
            "tiles 1 of x and w begin 16 rows below: 16 * i is not multiplied by K, as in x + (row + 16 * i) * K + k": _exact(
                near_x, near_w.T
            ),
            "every second step is missing: a tile has 16 columns, so the loop over k goes on by 16": sum(
                _exact(x[:, k : k + _T], w[:, k : k + _T].T) for k in range(0, K, side)
            ),
            "all four products are added to one sum: a warp has four accumulators, C[2][2]": np.broadcast_to(
                tiles.sum(axis=(1, 4), keepdims=True), tiles.shape
            ).reshape(N, O),
            "both tiles of x are the same: the second one begins 16 rows below, at row + 16 * i": np.repeat(
                tiles[:, :1], 2, axis=1
            ).reshape(N, O),
            "both tiles of w are the same: the second one begins 16 rows below, at column + 16 * j": np.repeat(
                tiles[:, :, :, :, :1], 2, axis=4
            ).reshape(N, O),
            "the sums are exchanged: C[i][j] belongs to tile i of x and tile j of w": tiles.transpose(
                0, 4, 2, 3, 1, 5
            ).reshape(N, O),
            "all four sums begin anew, or one alone is multiplied: C[i][j] is mma_sync's first and last argument": np.where(
                np.arange(N)[:, None] % side < _T, y, 0
            )
            * (np.arange(O) % side < _T),
        }
    )


_linear_exercise(
    "linear_four_tc",
    2,
    (2, 4),
    _four_mistakes,
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

"""The exercises of lesson 05, with the usual mistakes."""

from typing import Any

import numpy as np

from nnlib.course.exercises.checking import FunctionExercise
from nnlib.course.exercises.kernels import KernelExercise, alone, threads
from nnlib.cuda import OutOfBoundsError, RaceError, UninitializedReadError
from nnlib.mine.contract import Piece
from nnlib.mine.pieces.network import sliding_windows
from nnlib.mine.trials.sizes import chosen
from nnlib.mine.trials.tasks import at_most


def _unfolded(x: Any, K: Any) -> Any:
    """Return the unfolded images, (planes, K, K, OH, OW)."""
    return sliding_windows(x, K, (1, 2)).transpose(0, 3, 4, 1, 2)


def _numbers(planes: Any, H: Any, W: Any, K: Any) -> Any:
    return planes * K * K * (H - K + 1) * (W - K + 1)


KernelExercise(
    Piece(
        "im2col",
        "05",
        "const float* x, float* columns, int planes, int H, int W, int K",
        "columns[plane][i][j][oy][ox] = x[plane][oy + i][ox + j]",
        "",
        {"x": "planes H W", "columns": "planes K K OH OW"},
        lambda x, K, **_: _unfolded(x, K),
        **chosen(
            "planes H W K",
            [(1, 5, 6, 3), (3, 6, 5, 2), (2, 4, 4, 4), (4, 3, 7, 1)],
            [
                [(2, 4), (5, 11), (5, 11), (1, 4)],
                [(400, 500), (4, 6), (4, 6), (2, 3)],
                [(1, 1), (300, 400), (4, 6), (2, 3)],
                [(1, 1), (4, 6), (300, 400), (2, 3)],
                [(1, 2), (20, 22), (20, 22), (14, 18)],
            ],
            far=[
                (70_000, 5, 4, 2),
                (1, 70_000, 5, 3),
                (1, 5, 70_000, 3),
                (2, 70, 66, 33),
                (70_000, 10, 8, 2),
            ],
            along={4: ("planes", 997)},
        ),
        derived=lambda sizes: {
            "OH": sizes["H"] - sizes["K"] + 1,
            "OW": sizes["W"] - sizes["K"] + 1,
        },
        task=alone(_numbers),
    ),
    threads(_numbers),
    guard=("i < planes * K * K * OH * OW",),
    hints={
        OutOfBoundsError: (
            "guard the thread with i < planes * K * K * OH * OW",
            "take the thread named above, and work out its plane, tap, oy and ox by hand",
        ),
        RaceError: "each number of the columns is the work of one thread",
    },
)


def _folded(columns: Any, n: Any, K: Any, P: Any) -> Any:
    x = np.zeros(n)
    for k in range(K):
        x[k : k + P] += columns[k]
    return x


KernelExercise(
    Piece(
        "fold",
        "05",
        "const float* columns, float* x, int n, int K",
        "x[i] = Σ over k of columns[k][i − k], where 0 ≤ i − k ≤ n − K",
        "",
        {"columns": "K P", "x": "n"},
        _folded,
        **chosen(
            "n K",
            [(40, 3), (33, 5), (3, 3), (7, 1), (1000, 2), (200, 70)],
            [[(50, 500), (2, 8)], [(2000, 3000), (2, 8)], [(400, 500), (260, 300)]],
            far=[(4_200_000, 1), (70_000, 260)],
        ),
        derived=lambda sizes: {"P": sizes["n"] - sizes["K"] + 1},
        loop="K",
        task=[
            at_most("atomics", 0, "a thread that owns its pixel needs no atomics"),
            *alone(lambda n, K: n, stores=8),
        ],
    ),
    threads(lambda n, K: n),
    guard=("i < n",),
    hints={
        OutOfBoundsError: (
            "guard the thread with i < n",
            (
                "k goes from 0 to K - 1, position p = i - k must lie between 0 and n - K, row k begins at "
                "k * (n - K + 1)"
            ),
        ),
        RaceError: "threads meet in one pixel: let the thread own a pixel, and gather",
        UninitializedReadError: "start the sum at 0",
    },
)


def _seen(
    layers: Any,
    one: Any = lambda pixels, size, stride: (pixels - 1) * stride + size,
    backwards: Any = True,
) -> Any:
    """Return how many pixels one number behind the layers sees. one(pixels, size, stride): the step to the previous layer."""
    pixels = 1
    for size, stride in reversed(layers) if backwards else layers:
        pixels = one(pixels, size, stride)
    return pixels


def _field_mistakes(layers: Any) -> dict[str, Any]:
    return {
        "a pair is (window, stride), in this order": _seen([pair[::-1] for pair in layers]),
        "begin at the last layer and walk to the picture: reversed(layers)": (
            _seen(layers, backwards=False)
        ),
        "r numbers side by side have only r - 1 steps between them": (
            _seen(layers, lambda pixels, size, stride: pixels * stride + size)
        ),
        "K is for the first of them, and each of the r - 1 others adds S: (r - 1) * S + K": (
            _seen(layers, lambda pixels, size, stride: pixels * stride + size - 1)
        ),
        "the stride spreads the windows: each step is stride numbers long": (
            _seen(layers, lambda pixels, size, stride: pixels - 1 + size)
        ),
        "windows overlap: do not multiply their sizes": (
            _seen(layers, lambda pixels, size, stride: pixels * size)
        ),
        "this is the last window only: continue with the layer before it": (
            layers[-1][0] if layers else 1
        ),
        "this is the first window only: one number of the last layer sees many of them": (
            layers[0][0] if layers else 1
        ),
        "the window sizes alone are not enough: the strides say where the windows begin": (
            sum(size for size, _ in layers)
        ),
        "that is an area: return the side of the square": _seen(layers) ** 2,
        "start with one number: pixels = 1": (
            _seen(layers) - int(np.prod([stride for _, stride in layers]))
        ),
        "start with one number: one pixel sees itself": _seen(layers) - 1,
        "a window's steps are as long as the strides of the layers before it, not its own": (
            1
            + sum(
                (size - 1) * int(np.prod([stride for _, stride in layers[: k + 1]]))
                for k, (size, _) in enumerate(layers)
            )
        ),
        "strides multiply: one step of a later layer spans many pixels": (
            1 + sum((size - 1) * stride for size, stride in layers)
        ),
    }


FunctionExercise(
    "05.field",
    reference=_seen,
    whole=True,
    inputs=[
        ([(3, 1), (3, 1), (2, 2)],),
        ([(3, 2), (5, 1)],),
        ([(3, 1)],),
        ([(1, 1)],),
        ([(2, 2), (3, 1), (4, 4), (5, 2)],),
        ([(7, 3), (2, 2), (3, 1)],),
        ([(11, 9), (3, 2)],),
    ],
    mistakes=_field_mistakes,
)

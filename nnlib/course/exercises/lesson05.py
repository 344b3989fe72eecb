"""What lesson 05 asks for, and the usual mistakes."""

import numpy as np

from nnlib.course.exercises.checking import (
    FunctionExercise,
    KernelExercise,
    Limit,
    Out,
    Sample,
    alone,
)
from nnlib.cuda import OutOfBoundsError, RaceError, UninitializedReadError
from nnlib.mine.pieces import sliding_windows


def _im2col(rng, planes, H, W, K, block):
    x = rng.standard_normal((planes, H, W), dtype=np.float32)
    windows = sliding_windows(x, K, (1, 2))  # (planes, OH, OW, K, K)
    OH, OW = windows.shape[1:3]
    columns = windows.transpose(0, 3, 4, 1, 2)
    numbers = columns.size

    def stored(*order):
        """The right numbers, stored as if the indices (plane, i, j, oy, ox) came in another order."""
        return columns.transpose(order).reshape(columns.shape)

    def read(address):
        """What lies in x at address(plane, i, j, oy, ox)."""
        return x.ravel()[address(*np.indices(columns.shape)) % x.size]

    return Sample(
        grid=-(-numbers // block),
        block=block,
        args=(x, Out(columns.shape), planes, H, W, K),
        expect=columns,
        mistakes={
            "a row of the columns is a tap: the positions change fastest, ox = i % OW": stored(
                0, 3, 4, 1, 2
            ),
            "the last index is the fastest: first ox = i % OW, then oy": stored(0, 1, 2, 4, 3),
            "a plane has K * K taps, one after the other: the plane is the slowest": stored(
                1, 2, 0, 3, 4
            ),
            "tap / K is the row of the window, tap % K its column": columns.swapaxes(1, 2),
            "the window begins at (oy, ox): add the tap, do not subtract it": columns[
                :, ::-1, ::-1
            ],
            "this is the same pixel for all taps: row = oy + tap / K": read(
                lambda plane, i, j, oy, ox: (plane * H + oy) * W + ox
            ),
            "every plane has its own pixels: plane * H belongs in the index of x": read(
                lambda plane, i, j, oy, ox: (oy + i) * W + ox + j
            ),
            "a row of the picture has W pixels, not OW": read(
                lambda plane, i, j, oy, ox: (plane * H + oy + i) * OW + ox + j
            ),
            "a plane of the picture has H rows, not OH": read(
                lambda plane, i, j, oy, ox: (plane * OH + oy + i) * W + ox + j
            ),
        },
        limits=[alone(numbers)],
    )


KernelExercise(
    "05.im2col",
    _im2col,
    sizes=[(1, 5, 6, 3, 32), (3, 6, 5, 2, 64), (2, 4, 4, 4, 32), (4, 3, 7, 1, 128)],
    guard=("i < planes * K * K * OH * OW",),
    hints={
        OutOfBoundsError: (
            "guard the thread with i < planes * K * K * OH * OW",
            "take the thread named above, and work out its plane, tap, oy and ox by hand",
        ),
        RaceError: "each number of the columns is the work of one thread",
    },
)


def _fold(rng, n, K, block):
    P = n - K + 1
    columns = rng.standard_normal((K, P), dtype=np.float32)
    x, first, behind, overwritten, straight = np.zeros((5, n), np.float32)
    for k in range(K):
        x[k : k + P] += columns[k]
        behind[: max(0, P - k)] += columns[k, k:]
        straight[:P] += columns[k]
        overwritten[k : k + P] = columns[k]
    first[:P] = columns[0]

    def gathered(least, most, place=lambda k, p: k * P + p, taps=K):
        """Every pixel from the places between least and most."""
        return np.array(
            [
                sum(
                    columns.flat[place(k, i - k) % columns.size]
                    for k in range(taps)
                    if least <= i - k <= most
                )
                for i in range(n)
            ]
        )

    return Sample(
        grid=-(-n // block),
        block=block,
        args=(columns, Out(n), n, K),
        expect=x,
        mistakes={
            "tap k of pixel i comes from position i - k, not i + k": behind,
            "only tap 0 is counted": first,
            "there are K taps, not 3: the loop runs while k < K": gathered(0, n - K, taps=3),
            "tap K - 1 is missing: the loop runs while k < K": gathered(0, n - K, taps=K - 1),
            "tap 0 counts, too: begin at k = 0": gathered(0, n - K)
            - np.append(columns[0], 0 * x[P:]),
            "a negative position lands in the row above: test p >= 0, too": gathered(-n, n - K),
            "a position beyond n - K lands in the row below: test p <= n - K, too": gathered(0, n),
            "p may lie outside its row: it must be between 0 and n - K": gathered(-n, n),
            "position 0 counts, too: p >= 0": gathered(1, n - K),
            "position n - K counts, too: p <= n - K": gathered(0, n - K - 1),
            "positions 0 and n - K count, too": gathered(1, n - K - 1),
            "there are n - K + 1 positions, so row k begins at k * (n - K + 1)": gathered(
                0, n - K - 1, lambda k, p: k * (n - K) + p
            ),
            "n - K is the last position: p <= n - K": gathered(0, n - K + 1),
            "a position outside is skipped, and the loop goes on: continue, not break": np.where(
                np.arange(n) < P, x, 0
            ),
            "a position outside is skipped, and the loop goes on: continue, not return": np.where(
                (np.arange(n) < P) & (np.arange(n) >= K - 1), x, np.nan
            ),
            "tap k of pixel i comes from position i - k, not i": straight,
            "row k begins at k * (n - K + 1)": gathered(0, n - K, lambda k, p: p * K + k),
            "row k has n - K + 1 numbers and begins at k * (n - K + 1), not at k * K": gathered(
                0, n - K, lambda k, p: k * K + p
            ),
            "add up all taps; here the last one overwrites the others": overwritten,
        },
        limits=[
            Limit("atomics", most=0, hint="a thread that owns its pixel needs no atomics"),
            alone(n, stores=K + 2),
        ],
    )


_FOLDS = (40, 3, 32), (33, 5, 32), (3, 3, 32), (7, 1, 32), (1000, 2, 64), (300, 140, 64)
KernelExercise(
    "05.fold",
    _fold,
    sizes=_FOLDS,
    rtol=1e-4,
    atol=1e-5,
    long={"n": 20_000},
    guard=("i < n",),
    hints={
        OutOfBoundsError: (
            "guard the thread with i < n",
            "k goes from 0 to K - 1, position p = i - k must lie between 0 and n - K, row k begins at "
            "k * (n - K + 1)",
        ),
        RaceError: "threads meet in one pixel: let the thread own a pixel, and gather",
        UninitializedReadError: "start the sum at 0",
    },
)


def _seen(layers, one=lambda pixels, size, stride: (pixels - 1) * stride + size, backwards=True):
    """Pixels that one number behind the layers sees; one(pixels, size, stride): a layer further to the front."""
    pixels = 1
    for size, stride in reversed(layers) if backwards else layers:
        pixels = one(pixels, size, stride)
    return pixels


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
    ],
    mistakes={
        "a pair is (window, stride), in this order": lambda layers: _seen(
            [pair[::-1] for pair in layers]
        ),
        "begin at the last layer and walk to the picture: reversed(layers)": lambda layers: _seen(
            layers, backwards=False
        ),
        "r numbers side by side have only r - 1 steps between them": lambda layers: _seen(
            layers, lambda pixels, size, stride: pixels * stride + size
        ),
        "the stride spreads the windows: each step is stride numbers long": lambda layers: _seen(
            layers, lambda pixels, size, stride: pixels - 1 + size
        ),
        "windows overlap: do not multiply their sizes": lambda layers: _seen(
            layers, lambda pixels, size, stride: pixels * size
        ),
        "this is the last window only: continue with the layer before it": lambda layers: (
            layers[-1][0] if layers else 1
        ),
        "this is the first window only: one number of the last layer sees many of them": lambda layers: (
            layers[0][0] if layers else 1
        ),
        "the window sizes alone are not enough: the strides say where the windows begin": lambda layers: (
            sum(size for size, _ in layers)
        ),
        "that is an area: return the side of the square": lambda layers: _seen(layers) ** 2,
        "start with one number: pixels = 1": lambda layers: (
            _seen(layers) - int(np.prod([stride for _, stride in layers]))
        ),
        "start with one number: one pixel sees itself": lambda layers: _seen(layers) - 1,
        "a window's steps are as long as the strides of the layers before it, not its own": lambda layers: (
            1
            + sum(
                (size - 1) * int(np.prod([stride for _, stride in layers[: k + 1]]))
                for k, (size, _) in enumerate(layers)
            )
        ),
        "strides multiply: one step of a later layer spans many pixels": lambda layers: (
            1 + sum((size - 1) * stride for size, stride in layers)
        ),
    },
)

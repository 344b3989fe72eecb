"""The linear layer's three matrix products by tiles: nnlib/kernels/linear.cu. Lesson 03."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from nnlib.ops.kernels.launching import BLOCK, contiguous, each, empty, run
from nnlib.ops.shapes import require_matrices, require_shape
from nnlib.ops.tiling import Launch, ceil_div


def linear(x: Any, w: Any, b: Any) -> Any:
    """y (N, OUT) = x wᵀ + b, by tiles; few outputs by one warp each."""
    require_matrices(x, w)
    require_shape("b", b, (w.shape[0],))
    x, w, b = contiguous(x, w, b)
    (N, I), O = x.shape, w.shape[0]
    y = empty(x, (N, O))
    run(linear_forward(N, I, O), x, w, b, y, N, I, O, 0)
    return y


def linear_backward(dy: Any, x: Any, w: Any, needs_dx: bool = True) -> tuple[Any, Any, Any]:
    """(dx, dw, db) from dy (N, OUT); large batches are summed in parts, each of which takes the memory of dw and db."""
    require_matrices(x, w)
    require_shape("dy", dy, (x.shape[0], w.shape[0]))
    dy, x, w = contiguous(dy, x, w)
    (N, I), O = x.shape, w.shape[0]
    parts, weights, biases = linear_gradients(N, I, O)
    dw, db = empty(x, (parts, *w.shape)), empty(x, (parts, O))
    run(weights, dy, x, dw, N, I, O)
    run(biases, dy, db, N, O)
    dx = None
    if needs_dx:
        dx = empty(x, x.shape)
        run(matrix_tiles("linear_backward_input", N, I), dy, w, dx, N, I, O)
    return dx, sum_parts(dw), sum_parts(db)


def linear_gradients(N: int, I: int, O: int) -> tuple[int, Launch, Launch]:
    """(parts, linear_backward_weight, linear_backward_bias): the long sums of few results are cut into parts."""
    tiles = matrix_tiles("linear_backward_weight", O, I)
    parts = max(1, min(N // 512, 1024 // max(1, math.prod(tiles.grid))))
    biases = Launch("linear", "linear_backward_bias", (), (ceil_div(32 * O, BLOCK), parts), (BLOCK,))
    return parts, replace(tiles, grid=(*tiles.grid, parts)), biases


def sum_parts(partials: Any) -> Any:
    """partials.sum(axis=0), in a fixed order."""
    if len(partials) == 1:
        return partials[0]
    sums = empty(partials, partials.shape[1:])
    each("linear", "sum_parts", sums.size, partials, sums, len(partials), sums.size)
    return sums


def matrix_tiles(name: str, rows: int, columns: int) -> Launch:
    """Tiles of 64×64 results, or 32×32 where the larger ones would leave most of the GPU idle."""
    tile = 64 if ceil_div(rows, 64) * ceil_div(columns, 64) >= 128 else 32
    return Launch("linear", name, (f"-DTILE={tile}",), (ceil_div(columns, tile), ceil_div(rows, tile)), (256,))


def linear_forward(N: int, I: int, O: int) -> Launch:
    """linear_forward(x, w, b, y, N, I, O, relu) by tiles, or by one warp per output where outputs are few."""
    if N * O <= 4096:
        return Launch("linear", "linear_forward_warp", (), (ceil_div(N * O, 8),), (256,))
    return matrix_tiles("linear_forward", N, O)

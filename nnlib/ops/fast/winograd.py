"""When and how a 3×3 convolution of stride 1 takes Winograd's way, kernels/fast/winograd.cu.

It needs 2.25 times fewer multiplications than the product of product.py, but whole tiles of 2×2 outputs, and many.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass, replace

from nnlib.device import Array
from nnlib.ops.fast import product
from nnlib.ops.fast.linear import sum_parts
from nnlib.ops.fast.tiling import Convolution, shared_budget
from nnlib.ops.launching import Tiling, ceil_div, empty, run

ROWS, COLUMNS, PLACES, LANE_ROWS = 64, 32, 2, 8  # of a block, as the kernel calls them
THREADS = 32 * 16 // PLACES
DEPTH = THREADS // COLUMNS
# Floats in shared memory: one stage is multiplied while the other is filled. Later some of the 16 products lie there.
_STAGES = 2 * DEPTH * (16 * (ROWS + COLUMNS) + 8)
SHARED = 4 * max(_STAGES, 16 * 4 * LANE_ROWS * (COLUMNS + 4))  # bytes
# The GPU that work is cut for. It is the same on every card, so that sums have the same bits on all of them.
_MULTIPROCESSORS = 132
_STEP = 1.9e-6  # seconds that a block takes for DEPTH channels or tiles, as measured on an H200
_START = 1.6  # steps that its beginning and its end take together
_LAUNCHES = 6e-6  # seconds for the transforms of filters, which move their floats at 3 TB/s
_MOST = 1 << 24  # floats that transformed filters, or all partial sums, may take: 64 MiB


@dataclass(frozen=True)
class Winograd:
    """winograd_filters(w, u, F, C), then winograd(u, x, bias, y, tiles).

    Or, for the weight gradient, winograd(dy, x, dy, du, tiles), and when its parts are summed,
    winograd_filters_gradient(du, dw, F, C).
    """

    filters: Tiling
    tiling: Tiling
    size: int  # floats of u, or of one part of du and db
    tiles: int  # tiles of all images
    steps: int  # steps of each block

    @property
    def parts(self) -> int:
        """The number of partial sums."""
        return self.tiling.grid[2]

    @property
    def seconds(self) -> float:
        """The estimated time, that of the multiprocessor with the most blocks."""
        rounds = ceil_div(math.prod(self.tiling.grid), _MULTIPROCESSORS)
        return (
            rounds * (self.steps + _START) * _STEP + _LAUNCHES + 8 * self.size * self.parts / 3e12
        )


def _tiling(shape: Convolution, grid: tuple[int, int, int], *options: str) -> Tiling:
    sizes = (f"-D{name}={getattr(shape, name)}" for name in ("C", "H", "W", "F", "PH", "PW"))
    return Tiling("fast/winograd", "winograd", (*sizes, *options), grid, (THREADS,), SHARED)


def _tiles(shape: Convolution, N: int) -> int:
    return N * ceil_div(shape.OH, 2) * ceil_div(shape.OW, 2)


def mirrored(shape: Convolution) -> Convolution:
    """Return the convolution of dy with flipped filters, which gives dx."""
    return replace(
        shape, C=shape.F, H=shape.OH, W=shape.OW, F=shape.C, PH=2 - shape.PH, PW=2 - shape.PW
    )


@functools.lru_cache(maxsize=1024)
def convolution(shape: Convolution, N: int, turned: bool = False) -> Winograd:
    """Plan y (N, F, OH, OW) from x (N, C, H, W); turned: dx, `shape` being mirrored."""
    groups, steps, tiles = ceil_div(shape.F, ROWS), ceil_div(shape.C, DEPTH), _tiles(shape, N)
    # Pairs of a filter and a channel, with those that only fill blocks
    pairs = groups * ROWS * steps * DEPTH
    filters = Tiling(
        "fast/winograd",
        "winograd_filters",
        (f"-DTURNED={int(turned)}",),
        (ceil_div(pairs, 256),),
        (256,),
    )
    tiling = _tiling(
        shape,
        (groups * ceil_div(tiles, COLUMNS), 1, 1),
        "-DWEIGHT=0",
        f"-DBIASED={int(not turned)}",
    )
    return Winograd(filters, tiling, 16 * pairs, tiles, steps)


@functools.lru_cache(maxsize=1024)
def weight_gradient(shape: Convolution, N: int) -> Winograd:
    """Plan dw (F, C, 3, 3) and db (F) from dy and x."""
    blocks, tiles = ceil_div(shape.F, ROWS) * ceil_div(shape.C, COLUMNS), _tiles(shape, N)
    pairs, size = shape.F * shape.C, shape.F * (16 * shape.C + 1)
    steps = ceil_div(tiles, DEPTH)
    parts = max(1, min(_MULTIPROCESSORS // blocks, ceil_div(steps, 4), _MOST // size))
    filters = Tiling(
        "fast/winograd", "winograd_filters_gradient", (), (ceil_div(pairs, 256),), (256,)
    )
    return Winograd(
        filters,
        _tiling(shape, (blocks, 1, parts), "-DWEIGHT=1"),
        size,
        tiles,
        ceil_div(steps, parts),
    )


def fits(shape: Convolution) -> bool:
    """Return whether this convolution can be computed by Winograd's algorithm on this GPU."""
    return (
        (shape.KH, shape.KW, shape.SH, shape.SW) == (3, 3, 1, 1)
        and 16 * (shape.F + ROWS) * (shape.C + ROWS) <= _MOST
        and shared_budget(SHARED) == SHARED
    )


def quicker(shape: Convolution, N: int, turned: bool = False) -> bool:
    """Return whether Winograd's algorithm is faster than the product, for y; turned: for dx."""
    if not fits(shape):
        return False
    seen = mirrored(shape) if turned else shape
    return convolution(seen, N, turned).seconds < product.seconds(
        seen.F, N * seen.OH * seen.OW, 9 * seen.C
    )


def quicker_weights(shape: Convolution, N: int) -> bool:
    """Return whether Winograd's algorithm is faster than the product, for dw and db."""
    return fits(shape) and (
        weight_gradient(shape, N).seconds
        < product.seconds(shape.F, 9 * shape.C + 1, N * shape.OH * shape.OW)
    )


def forward(shape: Convolution, x: Array, w: Array, b: Array | None) -> Array:
    """Return y (N, F, OH, OW) from x (N, C, H, W), w (F, C, 3, 3), b (F,); without b the filters are turned."""
    plan = convolution(shape, x.shape[0], turned=b is None)
    u, y = empty(w, plan.size), empty(x, (x.shape[0], *shape.output))
    run(plan.filters, w, u, shape.F, shape.C)
    run(plan.tiling, u, x, u if b is None else b, y, plan.tiles)
    return y


def backward_input(shape: Convolution, dy: Array, w: Array) -> Array:
    """Return dx (N, C, H, W) from dy (N, F, OH, OW) and w."""
    return forward(mirrored(shape), dy, w, None)


def backward_weight(shape: Convolution, dy: Array, x: Array, out: Array) -> None:
    """Write dw (F, C, 3, 3), then db (F), into the flat array `out`, from dy and x."""
    plan = weight_gradient(shape, x.shape[0])
    du = empty(x, plan.size)
    partials = du if plan.parts == 1 else empty(x, (plan.parts, plan.size))
    run(plan.tiling, dy, x, dy, partials, plan.tiles)
    sum_parts(partials, plan.parts, du)
    run(plan.filters, du, out, shape.F, shape.C)

"""How a tiled product is cut: kernels/fast/product.cu, and which tile is best for which shape.

One kernel serves the linear layer and convolution, forwards and backwards: C (rows, columns) = A B, of some depth.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass, replace
from typing import Any

from nnlib.ops.fast.tiling import Convolution
from nnlib.ops.launching import Tiling, ceil_div
from nnlib.ops.mixed_precision import FLOAT32, Precision

DEPTH = 8  # rows of B that a tile holds at a time, for each team of warps
# The GPU that work is cut for. It is the same on every card, so that sums have the same bits on all of them.
_MULTIPROCESSORS = 132
# Multiply-adds per second and multiprocessor with the best tile, as measured.
_RATE = 23e12 / _MULTIPROCESSORS
_MOST = 1 << 24  # floats that all partial sums together may take: 64 MiB
_SHORT = 256  # up to so many products per result, convolution_tiled.cu may be faster
# Multiply-adds from which this kernel is worth its overhead: in a linear layer, and in a convolution.
_WORTH = 1 << 20
_WORTH_DIRECT = 1 << 20
# Multiply-adds per second of convolution_weight.cu; it is slower with many weights or a stride.
_DIRECT_RATE = 6.5e12
_MANY_WEIGHTS = 4000
_CONV_WEIGHT = 1.75  # a product of kind CONV_WEIGHT takes so many times what `seconds` says
_LONG = 1 << 20  # rows or columns: more blocks than the second axis of a grid has
_LAUNCH = 2.5e-6  # seconds that one more kernel takes on the GPU
# Seconds that the kernel which adds the parts takes, with Python's time; the parts move at 2 TB/s.
_SUM = 5e-6
_COPY = 7.5  # copying a number takes as long as so many multiply-adds
# The share of a product's time that is saved where four neighbours of an operand are copied at once.
_TURNED = 0.13


@dataclass(frozen=True)
class Tile:
    """The rows × columns of a result that a block computes, and the part of a thread. speed: relative, on an H100."""

    rows: int
    columns: int
    thread: tuple[int, int]
    lane_rows: int  # the 32 lanes of a warp form so many rows
    blocks: int  # on a multiprocessor at a time, which bounds a thread's registers
    speed: float
    step: float  # microseconds that a tile takes at least
    teams: int = 1  # teams of warps that share the depth

    @property
    def threads(self) -> int:
        """Threads of a block."""
        return self.rows // self.thread[0] * (self.columns // self.thread[1]) * self.teams

    @property
    def depth(self) -> int:
        """Rows of B that a block holds at a time."""
        return DEPTH * self.teams

    def options(self) -> tuple[str, ...]:
        """Return -D options for the kernel."""
        return (
            f"-DBM={self.rows}",
            f"-DBN={self.columns}",
            f"-DTM={self.thread[0]}",
            f"-DTN={self.thread[1]}",
            f"-DLANE_ROWS={self.lane_rows}",
            f"-DBLOCKS_PER_SM={self.blocks}",
            f"-DTEAMS={self.teams}",
        )

    def width(self, side: int, neighbours: int) -> int:
        """Return the floats per copy of an operand whose tile is `side` wide: 4 where its neighbours in memory come in fours."""
        return 4 if neighbours % 4 == 0 and side * self.depth // 4 % self.threads == 0 else 1

    def seconds(
        self,
        rows: int,
        columns: int,
        depth: int,
        parts: int,
        wide: tuple[bool, bool] = (False, False),
    ) -> float:
        """Estimate the time of a product: the multiprocessor with the most blocks decides, then the parts are added up.

        wide: are numbers of A, and of B, copied four at a time?
        """
        blocks = ceil_div(
            ceil_div(rows, self.rows) * ceil_div(columns, self.columns) * parts, _MULTIPROCESSORS
        )
        steps = ceil_div(ceil_div(depth, self.depth), parts)
        alone = self.blocks == 1  # nothing else to do while a tile is filled or stored
        copies = _COPY / self.columns, _COPY / self.rows  # of A and B, for every product
        left = sum(
            copy / 4 if at_once else copy for copy, at_once in zip(copies, wide, strict=True)
        )
        speed = self.speed * (1 + sum(copies)) / (1 + left)
        work = (
            blocks
            * (steps + (4 if alone else 2))
            * self.depth
            * self.rows
            * self.columns
            / (_RATE * speed)
        )
        add = _SUM + (parts + 1) * rows * columns * 4 / 2e12 if parts > 1 else 0.0
        return max(work, ceil_div(blocks, self.blocks) * (steps + 2) * self.step * 1e-6) + add


TILES = (
    Tile(128, 256, (8, 16), 4, 1, 1.0, 0.2),
    Tile(128, 64, (8, 8), 4, 3, 0.825, 0.5),
    Tile(64, 128, (8, 8), 4, 3, 0.807, 0.5),
    Tile(64, 64, (8, 4), 4, 4, 0.664, 0.3),
    Tile(32, 128, (4, 8), 4, 4, 0.592, 0.4),
    Tile(32, 32, (4, 4), 4, 8, 0.44, 0.25),
    Tile(256, 16, (8, 4), 8, 3, 0.517, 0.5),
    Tile(16, 256, (4, 8), 4, 4, 0.486, 0.5),
    Tile(8, 128, (4, 4), 2, 8, 0.304, 0.4),
    Tile(4, 128, (4, 4), 1, 16, 0.15, 0.6),
    Tile(64, 64, (8, 4), 4, 2, 0.72, 0.6, 2),
    Tile(64, 32, (8, 4), 4, 2, 0.56, 0.8, 4),
    Tile(32, 64, (4, 8), 4, 2, 0.56, 0.8, 4),
    Tile(32, 32, (4, 4), 4, 3, 0.44, 0.5, 4),
    Tile(16, 32, (4, 4), 4, 3, 0.35, 0.6, 8),
    Tile(16, 16, (4, 2), 4, 3, 0.24, 0.5, 8),
    Tile(8, 16, (2, 2), 4, 3, 0.15, 0.4, 8),
)


_TENSOR_TILES = tuple(
    tile for tile in TILES if tile.lane_rows * tile.thread[0] % 16 == 0 and tile.teams == 1
)


def _tiles(precision: Precision) -> tuple[Tile, ...]:
    return _TENSOR_TILES if precision.narrow else TILES


@functools.lru_cache(maxsize=1024)
def cut(
    rows: int,
    columns: int,
    depth: int,
    wide: tuple[bool, bool] = (False, False),
    tiles: tuple[Tile, ...] = TILES,
) -> tuple[Tile, int]:
    """Return the fastest of the tiles, and into how many parts the depth is cut."""
    most = max(1, min(ceil_div(depth, 4 * DEPTH), _MOST // max(1, rows * columns)))
    parts = sorted({min(most, n) for n in (*range(1, 17), *range(20, 64, 4), *range(64, 513, 32))})
    choices = ((tile, n) for tile in tiles for n in parts)
    return min(choices, key=lambda choice: choice[0].seconds(rows, columns, depth, choice[1], wide))


def cut_depth(rows: int, columns: int, depth: int, tile: tuple[int, int]) -> int:
    """Return into how many parts the depth is cut where a block computes a tile of so many rows and columns."""
    return cut(rows, columns, depth, tiles=(replace(TILES[0], rows=tile[0], columns=tile[1]),))[1]


def seconds(rows: int, columns: int, depth: int) -> float:
    """Estimate the time of the product at best."""
    tile, parts = cut(rows, columns, depth)
    return tile.seconds(rows, columns, depth, parts)


def _tiling(
    product: str,
    rows: int,
    columns: int,
    chosen: tuple[Tile, int],
    *options: str,
    along_rows: int = 1,
    along_columns: int = 1,
    along_results: int = 1,
) -> Tiling:
    """Return the tiling of a kernel product(a, b, bias, c, rows, columns, depth, size).

    chosen: by `cut`. along_…: neighbours that lie together in memory along m, along n, along a row of C.
    """
    tile, parts = chosen
    widths = (
        f"-DA_WIDTH={tile.width(tile.rows, along_rows)}",
        f"-DB_WIDTH={tile.width(tile.columns, along_columns)}",
        f"-DC_WIDTH={1 if along_results % 4 else 4}",
    )
    grid = (ceil_div(rows, tile.rows) * ceil_div(columns, tile.columns), 1, parts)
    return Tiling(
        "fast/product",
        "product",
        (f"-DPRODUCT={product}", *tile.options(), *widths, *options),
        grid,
        (tile.threads,),
    )


@dataclass(frozen=True)
class Product:
    """One launch of a matrix product: kernels/fast/product.cu or, for small products of a linear layer, linear.cu."""

    tiling: Tiling
    sizes: tuple[int, ...]  # the last arguments of the kernel
    size: int  # floats of the result; other launches may fill a share of them
    biased: bool = True  # the kernel takes a bias, whether or not it needs one
    turned: tuple[bool, bool] = (False, False)  # whether A, and B, is transposed first

    @property
    def parts(self) -> int:
        """The number of partial results, each of `size` floats."""
        return self.tiling.grid[2]

    def arguments(self, a: Any, b: Any, bias: Any, c: Any) -> tuple[Any, ...]:
        """Return the arguments of the kernel; c holds `parts` results."""
        return (a, b, bias, c, *self.sizes) if self.biased else (a, b, c, *self.sizes)


def _large(rows: int, columns: int, depth: int, size: int, tiling: Tiling) -> Product:
    return Product(tiling, (rows, columns, depth, size), size)


def _linear(
    sizes: tuple[int, int, int],
    along_depth: tuple[bool, bool],
    turn: bool,
    precision: Precision,
    *options: str,
    ones: int | None = None,
) -> Product:
    """Plan a product of two matrices: rows, columns, depth.

    along_depth: are neighbours along the depth neighbours in memory? turn: such an operand may be transposed first.
    ones: of dw, which has its place somewhere in a buffer: 1 where B has a last column of ones, which is not in memory
    and whose results lie behind the others. None: the result begins where memory was allocated.
    """
    rows, columns, depth = sizes
    saved = _TURNED * rows * columns * depth / (_RATE * _MULTIPROCESSORS) if turn else 0.0
    a_turned, b_turned = (
        along and saved > _LAUNCH + 8 * side * depth / 3e12
        for along, side in zip(along_depth, (rows, columns), strict=True)
    )
    a_along, b_along = along_depth[0] and not a_turned, along_depth[1] and not b_turned
    laid = (
        f"-DA_ALONG_K={int(a_along)}",
        f"-DB_ALONG_K={int(b_along)}",
        f"-DA_TURNED={int(a_turned)}",
        f"-DB_TURNED={int(b_turned)}",
        f"-DONES={ones or 0}",
    )
    along_rows, along_columns = (
        1 if along else 4 if turned else length
        for along, turned, length in ((a_along, a_turned, rows), (b_along, b_turned, columns))
    )
    along_results = columns if ones is None else 1
    columns += ones or 0
    chosen = cut(
        rows, columns, depth, (along_rows % 4 == 0, along_columns % 4 == 0), _tiles(precision)
    )
    tiling = _tiling(
        "LINEAR",
        rows,
        columns,
        chosen,
        *laid,
        *options,
        along_rows=along_rows,
        along_columns=along_columns,
        along_results=along_results,
    )
    return Product(
        tiling, (rows, columns, depth, rows * columns), rows * columns, turned=(a_turned, b_turned)
    )


def _small(name: str, rows: int, columns: int, sizes: tuple[int, ...], parts: int = 1) -> Product:
    """Return tiles of 64×64 results, or 32×32 where the larger ones would leave most of the GPU idle."""
    tile = 64 if ceil_div(rows, 64) * ceil_div(columns, 64) >= 128 else 32
    grid = (ceil_div(columns, tile), ceil_div(rows, tile))
    parts = max(1, min(parts, 1024 // max(1, grid[0] * grid[1])))
    tiling = Tiling("linear", name, (f"-DTILE={tile}",), (*grid, parts), (256,))
    return Product(tiling, sizes, rows * columns, biased=name == "linear_forward")


def _is_small(precision: Precision, *sizes: int) -> bool:
    """Return whether the multiply-adds are so few that the pipeline of product.cu does not pay."""
    return not precision.narrow and max(sizes) < _LONG and math.prod(sizes) < _WORTH


@functools.lru_cache(maxsize=1024)
def linear_forward(
    N: int, I: int, O: int, relu: bool = False, turn: bool = False, precision: Precision = FLOAT32
) -> Product:
    """Plan y (N, O) = x wᵀ + b, or max(that, 0) where it has one part: a = x, b = w."""
    if _is_small(precision, N, I, O):
        return _small("linear_forward", N, O, (N, I, O, int(relu)))
    return _linear(
        (N, O, I),
        (True, True),
        turn,
        precision,
        "-DBIASED=1",
        f"-DRELU={int(relu)}",
        *precision.options(),
    )


@functools.lru_cache(maxsize=1024)
def linear_backward_input(
    N: int, I: int, O: int, turn: bool = False, precision: Precision = FLOAT32
) -> Product:
    """Plan dx (N, I) = dy w."""
    if _is_small(precision, N, I, O):
        return _small("linear_backward_input", N, I, (N, I, O))
    return _linear((N, I, O), (True, False), turn, precision, *precision.options(a_scaled=True))


@functools.lru_cache(maxsize=1024)
def linear_backward_weight(N: int, I: int, O: int, precision: Precision = FLOAT32) -> Product:
    """Plan dw (O, I) = dyᵀ x, and db (O) behind it where nothing is rounded and that takes less than a launch of its own."""
    if _is_small(precision, N, I, O):
        return _small("linear_backward_weight", O, I, (N, I, O), N // 512)
    ones = (
        not precision.narrow and seconds(O, I + 1, N) < seconds(O, I, N) + _SUM + 4 * N * O / 3e12
    )
    return _linear(
        (O, I, N),
        (False, False),
        False,
        precision,
        *precision.options(a_scaled=True),
        ones=int(ones),
    )


@functools.lru_cache(maxsize=1024)
def conv_forward(shape: Convolution, N: int, precision: Precision = FLOAT32) -> Product:
    """Plan y (N, F, OH, OW): a = w, b = x."""
    rows, columns, depth = shape.F, N * shape.OH * shape.OW, shape.C * shape.KH * shape.KW
    chosen = cut(rows, columns, depth, tiles=_tiles(precision))
    tiling = _tiling(
        "CONV_FORWARD",
        rows,
        columns,
        chosen,
        *shape.options(),
        *precision.options(),
        along_columns=_pixels_together(shape),
    )
    return _large(rows, columns, depth, rows * columns, tiling)


@functools.lru_cache(maxsize=1024)
def conv_backward_input(
    shape: Convolution, N: int, precision: Precision = FLOAT32
) -> tuple[Product, ...]:
    """Plan dx (N, C, H, W): a = w, b = dy. One product per class of pixels, those that the same taps of a stride meet."""
    rows, products, chosen = shape.C, [], None
    for ry in range(shape.SH):
        for rx in range(shape.SW):
            taps = max(0, ceil_div(shape.KH - ry, shape.SH)) * max(
                0, ceil_div(shape.KW - rx, shape.SW)
            )
            high = ceil_div(shape.H - (ry - shape.PH) % shape.SH, shape.SH)
            wide = ceil_div(shape.W - (rx - shape.PW) % shape.SW, shape.SW)
            columns, depth = N * high * wide, shape.F * taps
            # the first class meets most taps; all leave as many parts
            chosen = chosen or cut(rows, columns, depth, tiles=_tiles(precision))
            tiling = _tiling(
                "CONV_INPUT",
                rows,
                columns,
                chosen,
                f"-DRY={ry}",
                f"-DRX={rx}",
                *shape.options(),
                *precision.options(b_scaled=True),
                along_columns=_pixels_together(shape),
            )
            products.append(_large(rows, columns, depth, N * shape.C * shape.H * shape.W, tiling))
    return tuple(products)


@functools.lru_cache(maxsize=1024)
def conv_backward_weight(shape: Convolution, N: int, precision: Precision = FLOAT32) -> Product:
    """Plan dw (F, C, KH, KW), then db (F): a = dy, b = x."""
    rows, columns, depth = shape.F, shape.C * shape.KH * shape.KW + 1, N * shape.OH * shape.OW
    chosen = cut(rows, columns, depth, tiles=_tiles(precision))
    tiling = _tiling(
        "CONV_WEIGHT", rows, columns, chosen, *shape.options(), *precision.options(a_scaled=True)
    )
    return _large(rows, columns, depth, rows * columns, tiling)


def direct(shape: Convolution, N: int, planes: int) -> bool:
    """Return whether convolution_tiled.cu is faster. A result sums the taps of `planes` planes: few, or few in all.

    With a window of 1×1 they use each input too rarely.
    """
    work, taps = shape.weights * N * shape.OH * shape.OW, shape.KH * shape.KW
    return shape.tiled and ((taps > 1 and planes * taps < _SHORT) or work < _WORTH_DIRECT)


def direct_weights(shape: Convolution, N: int) -> bool:
    """Return whether the kernel of convolution_weight.cu is faster for dw and db."""
    pixels = N * shape.OH * shape.OW
    rate = _DIRECT_RATE / (1 + (shape.weights / _MANY_WEIGHTS) ** 2) / max(shape.SH, shape.SW)
    product = _CONV_WEIGHT * seconds(shape.F, shape.C * shape.KH * shape.KW + 1, pixels)
    return shape.tiled and shape.weights * pixels < product * rate


def _pixels_together(shape: Convolution) -> int:
    """Return the pixels that lie together in x and y alike: a plane of a 1×1 convolution, else one."""
    plain = (shape.KH, shape.KW, shape.SH, shape.SW, shape.PH, shape.PW) == (1, 1, 1, 1, 0, 0)
    return shape.H * shape.W if plain else 1

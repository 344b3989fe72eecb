"""Cut the work of the fast convolution kernels into blocks, threads and registers."""

from __future__ import annotations

import functools
import itertools
from dataclasses import dataclass

from nnlib.cuda import on_gpu, shared_limit
from nnlib.ops.launching import Tiling, ceil_div
from nnlib.ops.shapes import Size, pair

# Bytes of shared memory that the tiles of a block may take: two blocks fit on an H100 or A100.
_SHARED = 96 * 1024
_STRIDED = 28 * 1024  # the same for the input gradient of a strided convolution: four blocks fit
# The same for the inputs of a gradient behind pooling, whose lists take the rest of 48 KB.
_INPUTS = 36 * 1024
_SPAN = 4  # windows per warp of the input gradient behind pooling
PARTS = 128  # blocks that share the images in the weight gradient: about one per multiprocessor


def shared_budget(most: int = _SHARED) -> int:
    """Return the bytes of shared memory for the tiles of a block: less on a GPU that has less, such as a T4."""
    return min(most, shared_limit()) if on_gpu() else most


def window_options(H: int, W: int, size: Size, stride: Size, padding: Size = 0) -> tuple[str, ...]:
    """Return the sizes that the kernels of windows.cu are compiled for."""
    sizes = (H, W, *pair(size, "size"), *pair(stride, "stride"), *pair(padding, "padding", 0))
    return tuple(
        f"-D{name}={value}"
        for name, value in zip(["H", "W", "KH", "KW", "SH", "SW", "PH", "PW"], sizes, strict=True)
    )


def pooling_cells(planes: int, H: int, W: int, stride: Size) -> int:
    """Return the threads of the pooling gradients in windows.cu: each writes as many pixels as the window steps over."""
    SH, SW = pair(stride, "stride")
    return planes * ceil_div(H, SH) * ceil_div(W, SW)


@dataclass(frozen=True)
class Convolution:
    """The shape of a convolution, and whether ReLU and 2×2 max pooling follow within the same kernel."""

    C: int
    H: int
    W: int
    F: int
    KH: int
    KW: int
    SH: int
    SW: int
    PH: int
    PW: int
    relu: bool = False
    pool: bool = False

    @classmethod
    def of(
        cls,
        x_shape: tuple[int, ...],
        w_shape: tuple[int, ...],
        stride: tuple[int, int],
        padding: tuple[int, int],
    ) -> Convolution:
        """Build one for images (N, C, H, W), or one image (C, H, W), and filters (F, C, KH, KW)."""
        (C, H, W), (F, _, KH, KW) = x_shape[-3:], w_shape
        return cls(C, H, W, F, KH, KW, *stride, *padding)

    @property
    def OH(self) -> int:
        """Height of the convolution's output, before pooling."""
        return (self.H + 2 * self.PH - self.KH) // self.SH + 1

    @property
    def OW(self) -> int:
        """Width of the convolution's output, before pooling."""
        return (self.W + 2 * self.PW - self.KW) // self.SW + 1

    @property
    def output(self) -> tuple[int, int, int]:
        """(F, height, width) of what the forward kernel writes."""
        return (self.F, self.OH // 2, self.OW // 2) if self.pool else (self.F, self.OH, self.OW)

    @property
    def weights(self) -> int:
        """The number of weights of all filters."""
        return self.F * self.C * self.KH * self.KW

    @property
    def tiled(self) -> bool:
        """Return whether windows are so small that a thread keeps what it needs in registers."""
        return max(self.KH, self.KW) <= 7 and max(self.SH, self.SW) <= 2

    def forward(self, N: int) -> Tiling:
        """Prepare conv_forward(x, w, b, y, argmax)."""
        size = (self.OH // 2 * 2, self.OW // 2 * 2) if self.pool else (self.OH, self.OW)
        return _tiles(
            self, N, "conv_forward", size, self.C, self.F, (self.SH, self.SW), shared_budget()
        )

    def backward_input(self, N: int) -> Tiling:
        """Prepare conv_backward_input(dy, where, w, dx), `where` being argmax behind pooling, else y; stride 1 only."""
        if self.pool:
            return _pooled_blocks(self, N, shared_budget())
        return _tiles(
            self,
            N,
            "conv_backward_input",
            (self.H, self.W),
            self.F,
            self.C,
            (1, 1),
            shared_budget(),
        )

    def backward_input_strided(self, N: int) -> Tiling:
        """Prepare conv_backward_input_strided(dy, w, dx), for few channels."""
        return _strided_blocks(self, N)

    def slices(self, N: int) -> int:
        """Return the parts that one image is cut into: so that small batches fill the GPU, and large images fit into a block."""
        most = min(self.output[1], PARTS)
        slices = max(1, min(most, PARTS // max(N, 1)))
        while self.pool and slices < most and 4 * self.seen(slices) > _INPUTS:
            slices += 1
        return slices

    def parts(self, N: int) -> int:
        """Return the partial sums per weight that backward_weight leaves."""
        slices = self.slices(N)
        return min(N, PARTS // slices) * slices

    def backward_weight(self, N: int) -> Tiling:
        """Prepare conv_backward_weight(dy, where, x, partials, pitch, N), `where` being argmax behind pooling, else y."""
        return _weight_blocks(self, self.slices(N), self.parts(N))

    def seen(self, slices: int) -> int:
        """Return the numbers of one channel that the pooling windows of a slice look at, padded as in convolution_pooled.cu."""
        rows = (2 * ceil_div(self.output[1], slices) - 1) * self.SH + self.KH
        columns = (2 * self.output[2] - 1) * self.SW + self.KW
        return rows * (columns | 1) + 33

    def options(self, **tiles: int) -> tuple[str, ...]:
        """Return -D options for the kernels: the sizes of the convolution, and those of its tiles."""
        return tuple(
            f"-D{name.upper()}={int(value)}" for name, value in (vars(self) | tiles).items()
        )


@functools.lru_cache(maxsize=1024)
def _tiles(
    conv: Convolution,
    N: int,
    kernel: str,
    size: tuple[int, int],
    planes: int,
    outputs: int,
    stride: tuple[int, int],
    budget: int,
) -> Tiling:
    """Choose a tiling; see kernels/fast/convolution_tiled.cu for what tiles, depth, groups, split and chunk mean."""
    cells_h, cells_w = ceil_div(size[0], 2), ceil_div(size[1], 2)
    tile_w = ceil_div(cells_w, ceil_div(cells_w, 16))
    tile_h = ceil_div(cells_h, ceil_div(cells_h, max(1, 96 // tile_w)))
    depth = 8 if planes >= 32 and outputs >= 8 else 4
    rows, columns = (2 * tile_h - 1) * stride[0] + conv.KH, (2 * tile_w - 1) * stride[1] + conv.KW
    inputs, taps = rows * ceil_div(columns, 4) * 4, conv.KH * conv.KW
    groups = ceil_div(outputs, depth)
    most = min(640 // (tile_h * tile_w), ((budget // 4 - inputs) // taps - 4) // depth)
    groups = ceil_div(groups, ceil_div(groups, max(1, most)))
    threads = tile_h * tile_w * groups
    sums = 32 * threads * depth  # bytes that a second half of the threads hands over
    split = 1 if threads >= 320 or planes < 16 or sums > budget else 2
    threads *= split
    plane = 4 * (inputs + taps * (depth * groups + 4))
    chunk = max(1, min(planes, budget // plane))
    chunk = ceil_div(planes, ceil_div(planes, chunk))
    grid = (
        ceil_div(cells_h, tile_h) * ceil_div(cells_w, tile_w),
        ceil_div(outputs, depth * groups),
        N,
    )
    options = conv.options(
        CHUNK=chunk,
        BACKWARD=int(kernel == "conv_backward_input"),
        TILE_H=tile_h,
        TILE_W=tile_w,
        DEPTH=depth,
        GROUPS=groups,
        SPLIT=split,
    )
    return Tiling(
        "fast/convolution_tiled",
        kernel,
        options,
        grid,
        (32 * ceil_div(threads, 32),),
        max(chunk * plane, sums if split > 1 else 0),
    )


@functools.lru_cache(maxsize=1024)
def _strided_blocks(conv: Convolution, N: int) -> Tiling:
    """Give a thread 2×2 cells of as many pixels as the stride steps over; see kernels/fast/convolution_strided.cu."""
    high, wide = (
        ceil_div((size - 1 + padding) // stride - padding // stride + 1, 2)
        for size, padding, stride in ((conv.H, conv.PH, conv.SH), (conv.W, conv.PW, conv.SW))
    )
    tile_w = ceil_div(wide, ceil_div(wide, 16))
    tile_h = ceil_div(high, ceil_div(high, 128 // tile_w))
    channels = ceil_div(conv.C, ceil_div(conv.C, 4))
    taps_h, taps_w = ceil_div(conv.KH, conv.SH), ceil_div(conv.KW, conv.SW)
    seen = (2 * tile_h + taps_h - 1) * ceil_div(2 * tile_w + taps_w - 1, 2) * 2
    weights = conv.SH * conv.SW * channels * taps_h * ceil_div(taps_w, 4) * 4
    chunk = max(1, min(8, conv.F, _STRIDED // 4 // (seen + weights)))
    options = conv.options(
        TILE_H=tile_h,
        TILE_W=tile_w,
        CHANNELS=channels,
        CHUNK=chunk,
        BLOCKS_PER_SM=3 if channels * conv.SH * conv.SW > 12 else 4,
    )
    grid = (ceil_div(high, tile_h) * ceil_div(wide, tile_w), ceil_div(conv.C, channels), N)
    return Tiling(
        "fast/convolution_strided", "conv_backward_input_strided", options, grid, (tile_h * tile_w,)
    )


@functools.lru_cache(maxsize=1024)
def _pooled_blocks(conv: Convolution, N: int, budget: int) -> Tiling:
    """Choose a tiling; see kernels/fast/convolution_pooled_input.cu for what lanes, spans, tiles and bands are."""
    lanes, wide, halo, tiles, bands = _pooled_cut(conv, budget)
    high, channels, patch_w = (
        ceil_div(conv.H + conv.PH, 2),
        ceil_div(conv.C, lanes),
        2 * _SPAN + conv.KW - 1,
    )
    band = ceil_div(high, max(bands, min(high, PARTS // (N * tiles * channels))))
    warps = (band + conv.KH // 2) * (wide + halo)
    parts, part_rows = 32 // lanes, ceil_div(conv.KH + 1, 32 // lanes)
    pitch = next(
        pitch for pitch in itertools.count(conv.KW * lanes) if (part_rows * pitch - lanes) % 32 == 0
    )
    rows = parts * part_rows + 1 if parts > 1 else conv.KH
    filter_bytes = 4 * rows * pitch + 8 * (warps * _SPAN | 1)
    filters = min(32, conv.F, budget // filter_bytes)
    patches = 4 * lanes * (warps * (conv.KH + 1) * patch_w | 1)
    options = conv.options(
        LANES=lanes,
        SPAN=_SPAN,
        SPANS=wide,
        HALO=halo,
        TILES=tiles,
        BAND=band,
        ROW_PITCH=pitch,
        TILE_W=2 * _SPAN * wide if tiles > 1 else conv.W + conv.PW,
        FILTERS=filters,
    )
    return Tiling(
        "fast/convolution_pooled_input",
        "conv_backward_input",
        options,
        (ceil_div(high, band) * tiles, channels, N),
        (32 * warps,),
        max(filters * filter_bytes, patches),
    )


def _pooled_cut(conv: Convolution, budget: int) -> tuple[int, int, int, int, int]:
    """Return (lanes, spans of a tile, spans around it, tiles, bands) with the fewest reads of shared memory.

    Count the windows around each band and tile, which are read as well, and the lanes that have no channel.
    """
    above, around, patch_w = conv.KH // 2, ceil_div(conv.KW - 1, 2 * _SPAN), 2 * _SPAN + conv.KW - 1
    high, spans, found = ceil_div(conv.H + conv.PH, 2), ceil_div(conv.output[2], _SPAN), []
    for lanes, wide in itertools.product((8, 16, 32), range(1, spans + 1)):
        part_rows = ceil_div(conv.KH + 1, 32 // lanes)
        registers, patch = part_rows * patch_w + 24, 4 * lanes * ((conv.KH + 1) * patch_w + 1)
        halo = around if wide < spans else 0
        band = min(32, 2048 // registers, budget // patch) // (wide + halo) - above
        if band > 0:
            tiles = ceil_div(conv.W + conv.PW, 2 * _SPAN * wide) if wide < spans else 1
            bands = ceil_div(high, band)
            windows = bands * (ceil_div(high, bands) + above) * tiles * (wide + halo)
            reads = conv.KW * (conv.KH if lanes == 32 else part_rows) + 1
            found.append(
                (ceil_div(conv.C, lanes) * windows * reads, lanes, wide, halo, tiles, bands)
            )
    return min(found)[1:]


@functools.lru_cache(maxsize=1024)
def _weight_blocks(conv: Convolution, slices: int, parts: int) -> Tiling:
    if not conv.pool:
        depth = 2 if conv.KH * conv.KW <= 25 else 1
        return Tiling(
            "fast/convolution_weight",
            "conv_backward_weight",
            conv.options(SLICES=slices, DEPTH=depth),
            (parts, ceil_div(ceil_div(conv.F, depth) * conv.C, 8)),
            (256,),
        )
    chunk = max(1, min(conv.C, 32, _INPUTS // (4 * conv.seen(slices))))
    warps = min(16, conv.F)
    depth = min(4, ceil_div(conv.F, warps))
    grid = (parts, ceil_div(conv.C, chunk), ceil_div(conv.F, warps * depth))
    return Tiling(
        "fast/convolution_pooled",
        "conv_backward_weight",
        conv.options(SLICES=slices, CHUNK=chunk, WARPS=warps, DEPTH=depth),
        grid,
        (32 * warps,),
    )

"""The tiled product behind the linear layer and convolution: every tile and every split of the sum is right."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from nnlib import device
from nnlib.cuda import force_simulator
from nnlib.ops import arrays
from nnlib.ops.fast import product
from nnlib.ops.fast.linear import multiply
from nnlib.ops.fast.tiling import Convolution

LINEAR = [(37, 21, 70), (20, 12, 64)]  # N, inputs, outputs: whole and broken fours
CONVOLUTIONS = [  # N, C, H, W, F, window, stride, padding
    (2, 3, 7, 9, 5, (3, 3), (1, 1), (1, 1)),
    (1, 8, 6, 5, 10, (3, 3), (1, 1), (0, 0)),  # planes in eights: a tile is one tap
    (2, 8, 9, 8, 8, (3, 2), (2, 3), (2, 1)),  # some pixels meet no tap at all
    (2, 9, 4, 6, 8, (1, 1), (1, 1), (0, 0)),  # copies of four
    (1, 1, 12, 11, 2, (9, 8), (1, 1), (3, 0)),
]
CUT = [(product.TILES[0], 1), *((tile, 3) for tile in product.TILES)]  # tile, parts
PLACES = {"simulator": (), "gpu": (pytest.mark.gpu,)}


def on_tiles(cases, *simulated):
    """Place, tile, parts, case. The simulator takes few cases of each tile: so each meets every number of teams."""
    for (place, marks), (k, (tile, parts)), (j, case) in itertools.product(
        PLACES.items(), enumerate(CUT), enumerate(cases)
    ):
        if place == "gpu" or (j - k) % len(cases) in simulated:
            yield pytest.param(
                place,
                tile,
                parts,
                case,
                marks=marks,
                id=f"{case}-{tile.rows}x{tile.columns} by {tile.teams} in {parts}-{place}",
            )


@pytest.fixture
def forced(tile, parts, monkeypatch):
    """Every product by that tile, small ones too, and in so many parts where it may be split."""
    monkeypatch.setattr(product, "_WORTH", 0)
    monkeypatch.setattr(
        product, "cut", lambda rows, columns, depth, wide=(), tiles=(): (tile, parts)
    )
    forget()
    yield
    forget()


def forget():
    """Products are cut once per shape."""
    for cached in (
        product.linear_forward,
        product.linear_backward_input,
        product.linear_backward_weight,
        product.conv_forward,
        product.conv_backward_input,
        product.conv_backward_weight,
    ):
        cached.cache_clear()


def multiplied(place, products, *operands):
    """Return what the kernel computes of float64 operands, rounded."""
    single = [operand.astype(np.float32) for operand in operands]
    if place == "gpu":
        return device.to_host(multiply(products, *map(device.xp.asarray, single)))
    with force_simulator():
        return multiply(products, *single)


def error(got, right):
    return np.linalg.norm(got - np.ravel(right)) / max(1e-30, np.linalg.norm(right))


@pytest.mark.parametrize(("place", "tile", "parts", "sizes"), [*on_tiles(LINEAR, 0)])
def test_linear(place, tile, parts, forced, monkeypatch, sizes):
    random = np.random.default_rng(sum(sizes))
    N, I, O = sizes
    x, w, b, dy = (random.standard_normal(shape) for shape in ((N, I), (O, I), O, (N, O)))
    y = x @ w.T + b
    whole = product.linear_forward(*sizes)
    assert whole.parts == parts and f"-DBM={tile.rows}" in whole.tiling.options
    assert error(multiplied(place, [whole], x, w, b), y) < 1e-6
    assert error(multiplied(place, [product.linear_backward_input(*sizes)], dy, w), dy @ w) < 1e-6
    # What another launch would cost
    for launch, wanted in ((1e9, [dy.T @ x, dy.sum(axis=0)]), (-1e9, [dy.T @ x])):
        monkeypatch.setattr(product, "_SUM", launch)
        product.linear_backward_weight.cache_clear()
        got = multiplied(place, [product.linear_backward_weight(*sizes)], dy, x)
        assert error(got, np.concatenate([one.ravel() for one in wanted])) < 1e-6
    monkeypatch.setattr(product, "_TURNED", 1e9)  # whatever a transposed copy costs
    turned = (
        product.linear_forward(*sizes, turn=True),
        product.linear_backward_input(*sizes, turn=True),
    )
    assert [one.turned for one in turned] == [(True, True), (True, False)]
    assert error(multiplied(place, turned[:1], x, w, b), y) < 1e-6
    assert error(multiplied(place, turned[1:], dy, w), dy @ w) < 1e-6
    relu = product.linear_forward(*sizes, relu=True)
    assert (
        error(multiplied(place, [relu], x, w, b), np.maximum(y, 0) if relu.parts == 1 else y) < 1e-6
    )


@pytest.mark.parametrize(("place", "tile", "parts", "case"), [*on_tiles(CONVOLUTIONS, 0, 2)])
def test_convolution(place, forced, case):
    N, C, H, W, F, window, stride, padding = case
    random = np.random.default_rng(H)
    x, w, b = (random.standard_normal(shape) for shape in ((N, C, H, W), (F, C, *window), F))
    y = arrays.conv2d(x, w, b, stride, padding)
    dy = random.standard_normal(y.shape)
    dx, dw, db = arrays.conv2d_backward(dy, x, w, stride, padding)
    shape = Convolution.of(x.shape, w.shape, stride, padding)
    assert error(multiplied(place, [product.conv_forward(shape, N)], w, x, b), y) < 1e-6
    assert error(multiplied(place, product.conv_backward_input(shape, N), w, dy), dx) < 1e-6
    gradients = multiplied(place, [product.conv_backward_weight(shape, N)], dy, x)
    assert error(gradients[: w.size], dw) < 1e-6 and error(gradients[w.size :], db) < 1e-6


@pytest.mark.parametrize(
    ("sizes", "wide", "tile", "parts"),
    [
        ((4096, 4096, 4096), True, (128, 256), 1),
        ((2048, 2048, 2048), True, (128, 256), 1),
        ((8192, 8192, 64), True, (128, 64), 1),
        ((1024, 1024, 1024), False, (128, 64), 1),
        ((512, 512, 512), False, (64, 32), 1),
        ((256, 256, 256), False, (16, 32), 1),
        ((64, 256, 784), False, (8, 16), 1),
        ((32, 512, 512), False, (8, 16), 1),
        ((128, 512, 3136), False, (128, 64), 16),
        ((60000, 10, 784), False, (256, 16), 1),
    ],
    ids=str,
)
def test_the_tile_that_was_quickest(sizes, wide, tile, parts):
    """Measured over all tiles and splits on an H100, the two largest on an H200, too. The formula takes the best, or
    one within a tenth of it, and one launch where two are not much quicker."""
    chosen, split = product.cut(*sizes, (wide, wide))
    assert (chosen.rows, chosen.columns) == tile
    assert parts / 2 <= split <= 2 * parts


def test_parts_of_a_sum_stay_small():
    for rows, columns, depth in [
        (10, 784, 10**8),
        (4096, 4096, 10**6),
        (1, 1, 2 * 10**9),
        (512, 4609, 10**7),
    ]:
        _, parts = product.cut(rows, columns, depth)
        assert 1 <= parts <= 512 and (parts == 1 or parts * rows * columns <= 1 << 24)


def test_large_operands_are_transposed_first():
    assert product.linear_forward(4096, 4096, 4096, turn=True).turned == (True, True)
    # A copy of x takes longer
    assert product.linear_forward(60000, 784, 64, turn=True).turned == (False, True)
    assert product.linear_backward_input(2048, 2048, 2048, turn=True).turned == (True, False)

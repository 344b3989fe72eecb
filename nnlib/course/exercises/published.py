"""A published training program, rebuilt with its two silent defects, to be audited. Lesson 07.

CUDA-CNN-from-scratch (Camolese, commit 838e681, `src/optimized`): with glibc's random numbers and the same order of
images, a NumPy program with these defects repeats the losses of its README to four digits.
"""

from __future__ import annotations

from types import MethodType
from typing import Any

from nnlib import device
from nnlib.layers import Conv2d, Flatten, Linear, MaxPool2d, ReLU
from nnlib.model import Sequential
from nnlib.ops import arrays

_LANES = 32


def _backward(layer: Conv2d, dy: Any, needs_dx: bool = True) -> Any:
    """Compute the backward pass of a convolution as the two kernels of the published program do.

    `ConvLayerBackward`, for dx, is launched with blocks of 16 x 16 x 16 = 4,096 threads. It never starts, nobody asks
    for the error, and dx keeps its zeros. In `ConvWeightBackward` every lane of a warp has a weight of its own and adds up
    every 32nd position. Then a shuffle adds the sums of 32 *different* weights: the first weight gets the total, the other
    31 get nothing.
    """
    xp = device.array_module(dy)
    columns = _by_lane(arrays.im2col(layer.x, *layer.weight_shape[2:]))
    places = _by_lane(dy.reshape(*dy.shape[:2], -1))
    weights = (places.swapaxes(1, 2) @ columns).reshape(_LANES, -1)
    # (lane, weight): what the lane would have for it
    sums = xp.concatenate([weights, places.sum(1)], axis=1)
    own = xp.arange(sums.shape[1]) % _LANES == xp.arange(_LANES)[:, None]
    sums = (sums * own).sum(0)
    first = -(-sums.size // _LANES)
    layer.gradients[...] = 0
    layer.gradients[::_LANES] = (
        xp.pad(sums, (0, first * _LANES - sums.size)).reshape(first, _LANES).sum(1)
    )
    return xp.zeros_like(layer.x) if needs_dx else None


def _by_lane(values: Any) -> Any:
    """Rearrange (image, row, position) as (lane, position, row): lane l takes every 32nd position of all images, from l on."""
    rows = values.swapaxes(1, 2).reshape(-1, values.shape[1])
    rows = device.array_module(values).pad(rows, ((0, -len(rows) % _LANES), (0, 0)))
    return rows.reshape(-1, _LANES, rows.shape[1]).swapaxes(0, 1)


def published_network(
    channels: tuple[int, int] = (16, 32), side: int = 28, repaired: bool = False
) -> Sequential:
    """Build the reference network as that program trains it; fewer channels and smaller images make an audit fast.

    repaired: without the two defects.
    """
    first, second = channels
    middle = Conv2d(first, second, 3)
    if not repaired:
        middle.backward = MethodType(_backward, middle)  # type: ignore[method-assign]
    return Sequential(
        Conv2d(1, first, 3),
        ReLU(),
        middle,
        ReLU(),
        MaxPool2d(2),
        Flatten(),
        Linear(second * ((side - 4) // 2) ** 2, 10),
    )

"""Draw what a right kernel computed: the picture that `check` shows below its ✓."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from nnlib import datasets, mine
from nnlib.course.pictures.activations import activation_curves, loss_gradient
from nnlib.course.pictures.charts import curves, image_row
from nnlib.course.pictures.learning import descent
from nnlib.course.pictures.microscope import lane_timeline
from nnlib.course.pictures.style import Picture
from nnlib.cuda import RawKernel
from nnlib.mine.launch import launch_of


def reward(exercise: str, kernel: Any) -> Picture | None:
    """Return the picture for an exercise whose kernel was found right; None where there is none."""
    draw = _DRAWN.get(exercise)
    return draw(kernel) if draw else None


def _digit() -> Any:
    return datasets.load("digits").train.inputs[2, 0] / np.float32(255)


def _rotated(kernel: RawKernel) -> Picture:
    digit = _digit()
    turned = np.zeros_like(digit)
    kernel((4, 4), (8, 8), (digit, turned, 28, 28))
    return image_row({"image": digit, "turned by your kernel": turned})


def _bright(kernel: RawKernel) -> Picture:
    digit, counts = _digit(), np.zeros(28, np.int32)
    kernel((4, 4), (8, 8), (digit, counts, 28, 28))
    rows = (np.arange(28) < counts[:, None]).astype(np.float32)
    return image_row({"image": digit, "your counts, row by row": rows})


def _together(kernel: RawKernel) -> Picture:
    x = np.ones(64, np.float32)
    return lane_timeline(kernel.trace((1,), (64,), (x, np.zeros_like(x), 64)))


def _normalised(kernel: RawKernel) -> Picture:
    images = datasets.load("digits").train.inputs[:3, 0]
    after = np.zeros(images.shape, np.float32)
    mean, std = images.mean() / 255, images.std() / 255
    _run("normalise_images", kernel, images, after, float(mean), float(std), n=images.size)
    pictures = {f"bytes {k}": image / np.float32(255) for k, image in enumerate(images)}
    pictures |= {f"normalised {k}": image for k, image in enumerate(after)}
    return image_row(pictures, width=1.4)


def _grey(kernel: RawKernel) -> Picture:
    digit = _digit()
    colours = np.stack([digit, np.rot90(digit), np.rot90(digit, 2)], axis=-1)
    pixels, grey = np.ascontiguousarray(colours), np.zeros_like(digit)
    kernel((7,), (128,), (pixels, grey, grey.size))
    planes = dict(zip(("red", "green", "blue"), np.moveaxis(pixels, -1, 0), strict=True))
    return image_row(planes | {"your grey": grey})


def _descent(kernel: RawKernel) -> Picture:
    """Let the kernel take four weights down the error w², whose gradient is 2 w."""
    weights = np.array([2, 1.2, -1.6, -0.8], np.float32)
    path = [weights.copy()]
    for _ in range(5):
        _run("sgd_step", kernel, weights, 2 * weights, 0.2, n=4)
        path.append(weights.copy())
    return descent({f"w[{k}]": [float(w[k]) for w in path] for k in range(4)})


def _transposed(kernel: RawKernel) -> Picture:
    high = np.pad(_digit(), ((12, 0), (0, 0)))
    wide = np.zeros((28, 40), np.float32)
    kernel((1, 2), (32, 32), (high, wide, 40, 28))
    return image_row({"x": high, "out, by your kernel": wide})


def _run(name: str, kernel: RawKernel, *args: Any, **sizes: int) -> None:
    """Launch a piece as its own text says; its sizes are the last arguments."""
    piece = mine.PIECES[name]
    grid, block, shared = launch_of(piece.first or piece, kernel.code).at(**sizes)
    kernel(grid, block, (*args, *sizes.values()), shared)


def _product(name: str, words: str) -> Callable[[RawKernel], Picture]:
    """Let a product of the linear layer change an image: rows are averaged, mirrored or become columns."""

    def draw(kernel: RawKernel) -> Picture:
        digit, result = _digit(), np.zeros((28, 28), np.float32)
        apart = np.abs(np.subtract.outer(np.arange(28), np.arange(28)))
        factor = {
            "linear_forward": (apart < 4).astype(np.float32) / 7,
            "linear_grad_input": np.eye(28, dtype=np.float32)[::-1].copy(),
            "linear_grad_weight": np.eye(28, dtype=np.float32),
        }[name]
        bias = [np.zeros(28, np.float32)] * (name == "linear_forward")
        _run(name, kernel, digit, factor, *bias, result, N=28, inputs=28, outputs=28)
        return image_row({"an image": digit, words: result}, width=2.4)

    return draw


def _column_sums(kernel: RawKernel) -> Picture:
    digit, sums = _digit(), np.zeros(28, np.float32)
    _run("sum_columns", kernel, digit, sums, rows=28, columns=28)
    shadow = np.tile(sums / sums.max(), (28, 1))
    return image_row({"an image": digit, "your sums of its columns": shadow}, width=2.4)


def _relu(kernel: RawKernel) -> Picture:
    x: Any = np.linspace(-3, 3, 201, dtype=np.float32)
    y: Any = np.zeros_like(x)
    _run("relu", kernel, x, y, n=201)
    return curves(x, {"y, by your kernel": y}, "x", "y")


def _relu_grad(kernel: RawKernel) -> Picture:
    x: Any = np.linspace(-3, 3, 201, dtype=np.float32)
    y, slope = np.maximum(x, 0), np.zeros_like(x)
    _run("relu_grad", kernel, np.ones_like(x), y, slope, n=201)
    return activation_curves(x, {"ReLU, slope by your kernel": (y, slope)})


def _loss(kernel: RawKernel) -> Picture:
    """Let the kernel find what moves the logits 1, 2, 3 if the label is 2, as in the lesson's example."""
    logits, label = np.array([[1, 2, 3]], np.float32), np.array([2], np.int32)
    loss, gradient = np.zeros(1, np.float32), np.zeros((1, 3), np.float32)
    _run("softmax_cross_entropy", kernel, logits, label, loss, gradient, rows=1, classes=3)
    e = np.exp(logits[0])
    return loss_gradient(e / e.sum(), gradient[0])


def _convolved(kernel: RawKernel) -> Picture:
    """Let the kernel take means of 5 x 5 pixels, which says nothing about the filters that the lesson asks about next."""
    digit, seen = _digit(), np.zeros((28, 28), np.float32)
    weights, bias = np.full(25, 1 / 25, np.float32), np.zeros(1, np.float32)
    sizes = {"N": 1, "C": 1, "H": 28, "W": 28, "F": 1, "K": 5, "stride": 1, "pad": 2}
    _run("conv_forward", kernel, digit, weights, bias, seen, **sizes)
    return image_row({"an image": digit, "means of 5 x 5, by your kernel": seen}, width=2.4)


def _pooled(kernel: RawKernel) -> Picture:
    digit, argmax, pooled = _digit(), np.zeros((14, 14), np.int32), np.zeros((14, 14), np.float32)
    _run("max_pool", kernel, digit, pooled, argmax, planes=1, H=28, W=28, size=2, stride=2)
    winners = np.zeros_like(digit)
    winners.flat[argmax] = pooled
    images = {
        "an image": digit,
        "its maxima, by your kernel": pooled,
        "and where they were": winners,
    }
    return image_row(images, width=2.4)


_DRAWN: dict[str, Callable[[RawKernel], Picture]] = {
    "01.rotate": _rotated,
    "01.bright": _bright,
    "01.together": _together,
    "01.normalise_images": _normalised,
    "02.grey": _grey,
    "02.sgd_step": _descent,
    "03.transpose": _transposed,
    "03.linear_forward": _product("linear_forward", "means of 7, by your kernel"),
    "03.linear_grad_input": _product("linear_grad_input", "mirrored by your kernel"),
    "03.linear_grad_weight": _product("linear_grad_weight", "rows as columns, by your kernel"),
    "04.sum_columns": _column_sums,
    "04.relu": _relu,
    "04.relu_grad": _relu_grad,
    "04.softmax_cross_entropy": _loss,
    "05.conv_forward": _convolved,
    "05.max_pool": _pooled,
}

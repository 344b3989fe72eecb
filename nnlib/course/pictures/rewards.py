"""What a right kernel did, drawn: the picture that `check` shows below its ✓."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from nnlib import datasets, mine
from nnlib.course.pictures.charts import curves, image_row
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
    grid, block, shared = launch_of(mine.PIECES["normalise_images"], kernel.code).at(n=images.size)
    kernel(grid, block, (images, after, float(mean), float(std), images.size), shared)
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
    """Let the kernel bring four weights to where the error (w - goal)² / 2 of each is least."""
    goals = np.array([-2, -1, 0, 1], np.float32)
    weights = np.array([2, 1, -1.5, -1], np.float32)
    grid, block, shared = launch_of(mine.PIECES["sgd_step"], kernel.code).at(n=4)
    path = [weights.copy()]
    for _ in range(15):
        kernel(grid, block, (weights, weights - goals, 0.3, 4), shared)
        path.append(weights.copy())
    lines = {
        f"w[{k}], best at {goal:g}": [float(w[k]) for w in path] for k, goal in enumerate(goals)
    }
    return curves(range(16), lines, "steps of your kernel", "weight")


_DRAWN: dict[str, Callable[[RawKernel], Picture]] = {
    "01.rotate": _rotated,
    "01.bright": _bright,
    "01.together": _together,
    "01.normalise_images": _normalised,
    "02.grey": _grey,
    "02.sgd_step": _descent,
}

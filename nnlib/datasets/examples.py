"""Inputs with their labels, kept as bytes on the device and normalised batch by batch. Lesson 07."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nnlib import device, ops
from nnlib.device import Array
from nnlib.ops.arrays.inputs import scale_and_shift, white

_TOGETHER = 2**22  # numbers that a GPU prepares at once: 16 MB


class DatasetError(Exception):
    """A data file or set is not usable; the message names it and says what to do."""


@dataclass(frozen=True, eq=False)
class Examples:
    """`inputs` (N, ...) as uint8 pixels or floats, `labels` (N,) int32 (or (N, 1) float32 for two classes).

    A batch of pixels becomes float32 `(pixel / 255 - mean) / std`; float inputs `(input - mean) / std`. Tokens, inputs
    and labels (N, T) of int32, stay what they are.
    """

    inputs: Array
    labels: Array
    classes: tuple[str, ...] = ()
    mean: float = 0.0
    std: float = 1.0

    def __post_init__(self) -> None:
        if len(self.inputs) != len(self.labels):
            raise DatasetError(
                f"{len(self.inputs)} inputs, but {len(self.labels)} labels: "
                "every input needs exactly one label"
            )

    def __len__(self) -> int:
        return len(self.inputs)

    def __getitem__(self, index: Any) -> Examples:
        """Return the chosen examples: a slice, a mask, an array of indices, or one index."""
        if isinstance(index, (int, np.integer)):
            # An IndexError past the end is also what ends a loop over examples
            index = range(len(self))[index]
            index = slice(index, index + 1)
        return replace(self, inputs=self.inputs[index], labels=self.labels[index])

    def split(self, count: int, seed: int = 0) -> tuple[Examples, Examples]:
        """Return all but `count` examples, and these `count`, drawn at random with `seed`."""
        if not 0 < count < len(self):
            raise DatasetError(
                f"cannot set {count} of {len(self)} examples aside: choose 1 to {len(self) - 1}"
            )
        order = shuffled(len(self), seed)
        return self[np.sort(order[count:])], self[np.sort(order[:count])]

    def moved(self, reach: int) -> Examples:
        """Return every image in (2 · reach + 1)² positions, up to `reach` pixels away from its own (uint8 images).

            >>> len(Examples(np.zeros((10, 1, 28, 28), np.uint8), np.arange(10, dtype=np.int32)).moved(1))
            90

        What leaves the image on one side comes in on the other: leave a margin of `reach`, as MNIST does.
        """
        places = [
            (down, right) for down in range(-reach, reach + 1) for right in range(-reach, reach + 1)
        ]
        images = np.concatenate(
            [np.roll(device.to_host(self.inputs), place, axis=(2, 3)) for place in places]
        )
        return replace(
            self, inputs=images, labels=np.tile(device.to_host(self.labels), len(places))
        )

    def beside(self, array: Array) -> Examples:
        """Return the same examples in the memory where `array` is (a model's parameters): one copy, not one per batch."""
        move = device.to_device if device.is_device_array(array) else device.to_host
        return replace(self, inputs=move(self.inputs), labels=move(self.labels))

    def normalised(self) -> Examples:
        """Return the same bytes with their own mean and standard deviation (of pixel / 255)."""
        values = device.to_host(self.inputs)
        unit = white(values)
        mean, std = (
            float(values.mean(dtype=np.float64)) / unit,
            float(values.std(dtype=np.float64)) / unit,
        )
        if not std > 0:
            raise DatasetError(
                f"cannot normalise with standard deviation {std}: it must be positive"
            )
        return replace(self, mean=mean, std=std)

    def scale_and_shift(self, inputs: Array) -> tuple[float, float]:
        """Return (scale, shift) with which the network sees inputs · scale - shift: (input / unit - mean) / std."""
        return scale_and_shift(inputs, self.mean, self.std)

    def prepare(self, inputs: Array) -> Array:
        """Return some inputs as the network sees them: float32, normalised, on the same device; tokens as they are."""
        if inputs.dtype == np.int32 and self.labels.ndim == 2:
            return inputs
        return ops.normalise(inputs, self.mean, self.std)

    def batches(self, batch_size: int, order: Array | None = None) -> Iterator[tuple[Array, Array]]:
        """Yield `(x, y)` where the examples are, as stored or in `order` (see `shuffled`); the last may be smaller.

        `order` may leave examples out.

            >>> examples = Examples(np.zeros((10, 1, 28, 28), np.uint8), np.arange(10, dtype=np.int32))
            >>> [y.tolist() for x, y in examples.batches(4, shuffled(10, seed=3))]
            [[9, 6, 0, 2], [1, 4, 7, 5], [3, 8]]
        """
        if batch_size < 1:
            raise ValueError(f"batch_size is {batch_size}: a batch has at least 1 example")
        labels = self.labels
        if order is not None:
            order = device.array_module(self.inputs).asarray(order)  # once per epoch, not per batch
            labels = labels[order]
        together = batch_size * self._batches_together(batch_size)
        for first in range(0, len(self if order is None else order), together):
            chosen = slice(first, first + together)
            inputs = self.prepare(self.inputs[chosen if order is None else order[chosen]])
            for start in range(0, len(inputs), batch_size):
                yield (
                    inputs[start : start + batch_size],
                    labels[first + start : first + start + batch_size],
                )

    def _batches_together(self, batch_size: int) -> int:
        """Return how many batches to prepare at once: on a GPU starting the work takes longer than the work on a small one."""
        if not device.is_device_array(self.inputs):
            return 1
        return max(1, _TOGETHER // max(1, batch_size * int(math.prod(self.inputs.shape[1:]))))


@dataclass(frozen=True, eq=False)
class Dataset:
    """A named set: what to learn from (`train`), what to be judged by (`test`), and the class names."""

    name: str
    train: Examples
    test: Examples

    @property
    def classes(self) -> tuple[str, ...]:
        """Names of the classes, by label."""
        return self.train.classes

    def normalised(self) -> Dataset:
        """Return both parts with the mean and standard deviation of the training part."""
        train = self.train.normalised()
        return Dataset(self.name, train, replace(self.test, mean=train.mean, std=train.std))

    def __str__(self) -> str:
        shape = " x ".join(map(str, self.train.inputs.shape[1:]))
        return (
            f"{self.name}: {len(self.train):,} training and {len(self.test):,} test examples of {shape}, "
            f"{len(self.classes)} classes"
        )


def shuffled(count: int, seed: int, epoch: int = 0) -> np.ndarray:
    """Return the numbers 0 … count - 1 in the order of this seed and epoch, the same on every machine (int32)."""
    return np.random.default_rng((seed, epoch)).permutation(count).astype(np.int32)

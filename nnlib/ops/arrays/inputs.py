"""Pixels as a network sees them. Lesson 01."""

import numpy as np

from nnlib.device import Array

ONLY_BYTES_OR_FLOATS = (
    "pixels from 0 to 255 are np.uint8, all other numbers are np.float32; convert them with "
    "inputs.astype(...)"
)


def normalise(inputs: Array, mean: float, std: float) -> Array:
    """Return (inputs / 255 - mean) / std for pixels (uint8), (inputs - mean) / std for floats; float32.

    >>> normalise(np.array([0, 255], np.uint8), 0.5, 0.5)
    array([-1.,  1.], dtype=float32)
    """
    scale, shift = scale_and_shift(inputs, mean, std)
    values = inputs.astype(np.float32)
    values *= np.float32(scale)
    if shift:
        values -= np.float32(shift)
    return values


def scale_and_shift(inputs: Array, mean: float, std: float) -> tuple[float, float]:
    """Return (scale, shift) with which normalised inputs are inputs · scale - shift."""
    return 1 / (white(inputs) * std), mean / std


def white(inputs: Array) -> float:
    """Return the value that means white: 255 for pixels (uint8), 1 for floats. Raises TypeError for other integers."""
    if inputs.dtype == np.uint8:
        return 255.0
    if inputs.dtype.kind != "f":
        raise TypeError(f"the inputs are {inputs.dtype}: {ONLY_BYTES_OR_FLOATS}")
    return 1.0

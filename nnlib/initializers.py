"""First values of the weights: how wide to draw them so that signals neither vanish nor explode. Lesson 06.

Each draws a float64 array from a NumPy Generator, so a seed gives the same network on every machine.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

Initializer = Callable[[tuple[int, ...], int, int, np.random.Generator], np.ndarray]


def he(shape: tuple[int, ...], fan_in: int, fan_out: int, rng: np.random.Generator) -> np.ndarray:
    """Draw from N(0, 2 / fan_in), which keeps the variance through ReLU, which halves it. He et al. 2015, arXiv:1502.01852."""
    return rng.normal(0, np.sqrt(2 / fan_in), shape)


def xavier(
    shape: tuple[int, ...], fan_in: int, fan_out: int, rng: np.random.Generator
) -> np.ndarray:
    """Draw from U(±√(6 / (fan_in + fan_out))), for sigmoid and tanh, both directions. Glorot and Bengio 2010."""
    bound = np.sqrt(6 / (fan_in + fan_out))
    return rng.uniform(-bound, bound, shape)


def plain(
    shape: tuple[int, ...], fan_in: int, fan_out: int, rng: np.random.Generator
) -> np.ndarray:
    """Draw from N(0, 0.01²), whatever the size of the layer: good enough for one or two layers, not for ten."""
    return rng.standard_normal(shape) * 0.01

"""Is a gradient right? Compare it with a central difference, in float64. Lesson 06.

    errors = gradient_check(model, CrossEntropyLoss(), x, labels)      # {"0.weight": 3e-10, …}

Right gradients agree to 1e-6 or better, wrong ones are off by 1e-2 or more. In float32 the difference of two
almost equal losses is mostly rounding, and with eps ≥ 1e-4 the step crosses kinks of ReLU and max pooling.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from nnlib import ops
from nnlib.device import Array, to_host


def numerical_gradient(
    function: Callable[[], float],
    x: np.ndarray,
    eps: float = 1e-5,
    entries: np.ndarray | None = None,
) -> np.ndarray:
    """Return (f(x + eps) - f(x - eps)) / 2 eps, entry by entry of the float64 array x that `function()` reads.

    x is changed in place and restored. entries: flat indices to look at; all others stay NaN. Raises ValueError where
    the function is not finite: its gradient is unknown there, and no gradient would be found wrong.

    >>> x = np.array([1.0, 2.0, 3.0])
    >>> numerical_gradient(lambda: (x**2).sum(), x).round(6)
    array([2., 4., 6.])
    """
    if x.dtype != np.float64:
        raise ValueError(f"a numerical gradient needs float64, got {x.dtype}")
    gradient = np.full(x.size, np.nan)
    for entry in np.arange(x.size) if entries is None else entries:
        place = np.unravel_index(entry, x.shape)
        value = x[place]
        x[place] = value + eps
        above = float(function())
        x[place] = value - eps
        below = float(function())
        x[place] = value
        if not math.isfinite(above - below):
            raise ValueError(
                f"the function is {below} and {above} on the two sides of entry {entry}, {value}: "
                "there is no gradient to compare with"
            )
        gradient[entry] = (above - below) / (2 * eps)
    return gradient.reshape(x.shape)


def relative_error(gradient: Array, reference: Array) -> float:
    """Return the largest deviation in units of the largest reference entry; entries that are NaN in `reference` are left out.

    >>> relative_error([1.0, 8.0], reference=[2.0, 8.0])
    0.125
    """
    gradient, reference = to_host(gradient), to_host(reference)
    if gradient.shape != reference.shape:
        raise ops.ShapeError(f"gradients of shapes {gradient.shape} and {reference.shape}")
    known = ~np.isnan(reference)
    if not known.any():
        return 0.0
    scale = max(np.abs(reference[known]).max(), 1e-8)
    error = float(np.abs(gradient[known] - reference[known]).max() / scale)
    return math.inf if math.isnan(error) else error  # max() of several errors may pass over NaN


def operation_check(
    forward: Callable[..., Any], backward: Callable[..., Any], *inputs: np.ndarray
) -> list[float]:
    """Return the relative error of each gradient that backward(dy, *inputs) returns, for y = forward(*inputs).

    y is reduced to a number by a fixed random weighting dy. Inputs are float64; a gradient of None is left out, and one
    of another shape than its input is infinitely wrong.

    >>> right, wrong = (lambda dy, x: dy * 2 * x), (lambda dy, x: dy * x)  # of y = x²
    >>> [operation_check(np.square, backward, np.array([1.0, -2.0]))[0] > 1e-6 for backward in (right, wrong)]
    [False, True]
    """
    dy = np.random.default_rng(0).standard_normal(forward(*inputs).shape)
    gradients = backward(dy, *inputs)
    gradients = gradients if isinstance(gradients, tuple) else (gradients,)
    return [
        relative_error(gradient, numerical_gradient(lambda: (forward(*inputs) * dy).sum(), x))
        if np.shape(gradient) == x.shape
        else math.inf
        for gradient, x in zip(gradients, inputs, strict=False)
        if gradient is not None
    ]


def gradient_check(
    model: Any, loss: Any, x: Array, targets: Array, entries: int = 20
) -> dict[str, float]:
    """Return the relative error of the gradients of all parameters and of an input of floats, at `entries` random elements each.

    Runs on a float64 copy of the model, on the CPU and the arrays engine; random layers repeat their mask.
    """
    model = copy.deepcopy(model).to("cpu", np.float64)
    numbers = model.takes == "f"  # tokens have no gradient
    x, targets, rng = to_host(x), to_host(targets), np.random.default_rng(0)
    x = x.astype(np.float64) if numbers else x
    random_layers = [(layer, layer.offset) for layer in model.modules() if hasattr(layer, "offset")]

    def value() -> float:
        for layer, offset in random_layers:
            layer.offset = offset
        return float(loss(model(x), targets))

    with ops.engine("arrays"):
        value()
        dx = model.backward(loss.backward(), needs_dx=numbers)
        checked = {"input": (x, dx)} if numbers else {}
        gradients = model.gradients.copy()
        for name, array in model.state():
            if array.base is model.parameters:
                piece, gradients = np.split(gradients, [array.size])
                checked[name] = array, piece.reshape(array.shape)
        errors = {}
        for name, (array, gradient) in checked.items():
            chosen = rng.choice(array.size, min(entries, array.size), replace=False)
            errors[name] = relative_error(
                gradient, numerical_gradient(value, array, entries=chosen)
            )
    return errors

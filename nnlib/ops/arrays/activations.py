"""Activations, element by element, each beside its derivative. Array shape, dtype kept. Lesson 04."""

import math

from nnlib.device import Array, array_module
from nnlib.ops.shapes import require_shape
from nnlib.support.threads import element_by_element

_GELU_SCALE = math.sqrt(2 / math.pi)
_GELU_CUBIC = 0.044715


def relu(x: Array) -> Array:
    """Return max(x, 0)."""
    return element_by_element(lambda x, out: array_module(x).maximum(x, 0, out=out), x)


def relu_backward(dy: Array, x: Array) -> Array:
    """Return dy where x > 0, else 0. relu's output may stand in for x: both are positive in the same places."""
    require_shape("dy", dy, x.shape)
    return element_by_element(_where_positive, dy, x)


def _where_positive(dy: Array, x: Array, out: Array) -> None:
    out[...] = x > 0  # multiplied by a boolean, NumPy converts piece by piece: half as fast
    out *= dy


def leaky_relu(x: Array, slope: float = 0.01) -> Array:
    """Return x where x > 0, else slope · x."""
    return array_module(x).where(x > 0, x, x * slope)


def leaky_relu_backward(dy: Array, x: Array, slope: float = 0.01) -> Array:
    """Return dy where x > 0, else slope · dy."""
    require_shape("dy", dy, x.shape)
    return array_module(x).where(x > 0, dy, dy * slope)


def sigmoid(x: Array) -> Array:
    """Return 1 / (1 + e⁻ˣ); by way of tanh, which does not overflow."""
    return 0.5 * array_module(x).tanh(0.5 * x) + 0.5


def sigmoid_backward(dy: Array, y: Array) -> Array:
    """Return dy · y (1 - y), from the output y = sigmoid(x)."""
    require_shape("dy", dy, y.shape)
    return dy * y * (1 - y)


def tanh(x: Array) -> Array:
    """Return the hyperbolic tangent."""
    return array_module(x).tanh(x)


def tanh_backward(dy: Array, y: Array) -> Array:
    """Return dy · (1 - y²), from the output y = tanh(x)."""
    require_shape("dy", dy, y.shape)
    return dy * (1 - y * y)


def gelu(x: Array) -> Array:
    """Return x · Φ(x) in the tanh form. Hendrycks and Gimpel 2016, arXiv:1606.08415."""
    return 0.5 * x * (1 + _gelu_tanh(x))


def gelu_backward(dy: Array, x: Array) -> Array:
    """Apply the product rule to 0.5 x (1 + t(x)) with t' = (1 - t²) · inner'."""
    require_shape("dy", dy, x.shape)
    t = _gelu_tanh(x)
    inner_slope = _GELU_SCALE * (1 + 3 * _GELU_CUBIC * x * x)
    return dy * (0.5 * (1 + t) + 0.5 * x * (1 - t * t) * inner_slope)


def _gelu_tanh(x: Array) -> Array:
    return array_module(x).tanh(_GELU_SCALE * (x + _GELU_CUBIC * x * x * x))

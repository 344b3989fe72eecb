"""Activations and their derivatives, four elements per thread: nnlib/kernels/activation.cu. Lesson 04."""

from __future__ import annotations

from typing import Any

from nnlib.ops.kernels.launching import contiguous, each, empty
from nnlib.ops.shapes import require_shape
from nnlib.ops.tiling import ceil_div


def _activate(name: str, x: Any, options: tuple[str, ...] = ()) -> Any:
    x = contiguous(x)
    y = empty(x, x.shape)
    each("activation", "activate", ceil_div(x.size, 4), x, y, x.size, options=(f"-DACTIVATION={name}", *options))
    return y


def _activate_backward(name: str, dy: Any, v: Any, options: tuple[str, ...] = ()) -> Any:
    require_shape("dy", dy, v.shape)
    dy, v = contiguous(dy, v)
    dx = empty(v, v.shape)
    each("activation", "activate_backward", ceil_div(v.size, 4), dy, v, dx, v.size,
          options=(f"-DGRADIENT={name}_gradient", *options))
    return dx


def relu(x: Any) -> Any:
    return _activate("relu", x)


def relu_backward(dy: Any, x: Any) -> Any:
    return _activate_backward("relu", dy, x)


def leaky_relu(x: Any, slope: float = 0.01) -> Any:
    return _activate("leaky_relu", x, (f"-DSLOPE={float(slope)!r}f",))


def leaky_relu_backward(dy: Any, x: Any, slope: float = 0.01) -> Any:
    return _activate_backward("leaky_relu", dy, x, (f"-DSLOPE={float(slope)!r}f",))


def sigmoid(x: Any) -> Any:
    return _activate("sigmoid", x)


def sigmoid_backward(dy: Any, y: Any) -> Any:
    return _activate_backward("sigmoid", dy, y)


def tanh(x: Any) -> Any:
    return _activate("hyperbolic", x)


def tanh_backward(dy: Any, y: Any) -> Any:
    return _activate_backward("hyperbolic", dy, y)


def gelu(x: Any) -> Any:
    return _activate("gelu", x)


def gelu_backward(dy: Any, x: Any) -> Any:
    return _activate_backward("gelu", dy, x)

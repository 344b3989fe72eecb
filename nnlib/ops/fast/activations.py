"""Activations and their derivatives, four elements per thread: nnlib/kernels/activation.cu."""

from nnlib.device import Array
from nnlib.ops.fast.prepared import prepared
from nnlib.ops.launching import ceil_div, contiguous, each, empty
from nnlib.ops.shapes import require_shape


def _activate(name: str, x: Array, options: tuple[str, ...] = ()) -> Array:
    x = contiguous(x)
    y = empty(x, x.shape)
    each(
        "activation",
        "activate",
        ceil_div(x.size, 4),
        x,
        y,
        x.size,
        options=(f"-DACTIVATION={name}", *options),
    )
    return y


def _activate_backward(name: str, dy: Array, v: Array, options: tuple[str, ...] = ()) -> Array:
    require_shape("dy", dy, v.shape)
    dy, v = contiguous(dy, v)
    dx = empty(v, v.shape)
    each(
        "activation",
        "activate_backward",
        ceil_div(v.size, 4),
        dy,
        v,
        dx,
        v.size,
        options=(f"-DGRADIENT={name}_gradient", *options),
    )
    return dx


@prepared
def relu(x: Array) -> Array:
    """Return max(x, 0), y (float32) of x's shape."""
    return _activate("relu", x)


@prepared
def relu_backward(dy: Array, x: Array) -> Array:
    """Return dy where x > 0, else 0; x may be relu's output."""
    return _activate_backward("relu", dy, x)


def leaky_relu(x: Array, slope: float = 0.01) -> Array:
    """Return x where x > 0, else slope · x; the slope is compiled in."""
    return _activate("leaky_relu", x, (f"-DSLOPE={float(slope)!r}f",))


def leaky_relu_backward(dy: Array, x: Array, slope: float = 0.01) -> Array:
    """Return dy where x > 0, else slope · dy."""
    return _activate_backward("leaky_relu", dy, x, (f"-DSLOPE={float(slope)!r}f",))


@prepared
def sigmoid(x: Array) -> Array:
    """Return 1 / (1 + e⁻ˣ)."""
    return _activate("sigmoid", x)


@prepared
def sigmoid_backward(dy: Array, y: Array) -> Array:
    """Return dy · y (1 - y), from the output y."""
    return _activate_backward("sigmoid", dy, y)


@prepared
def tanh(x: Array) -> Array:
    """Return the hyperbolic tangent."""
    return _activate("hyperbolic", x)


@prepared
def tanh_backward(dy: Array, y: Array) -> Array:
    """Return dy · (1 - y²), from the output y."""
    return _activate_backward("hyperbolic", dy, y)


@prepared
def gelu(x: Array) -> Array:
    """Return x · Φ(x) in the tanh form."""
    return _activate("gelu", x)


@prepared
def gelu_backward(dy: Array, x: Array) -> Array:
    """Return dy times the slope of gelu at x."""
    return _activate_backward("gelu", dy, x)

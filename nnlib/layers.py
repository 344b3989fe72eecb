"""Layers: what `forward` computes and what `backward` hands on, written out. PyTorch's names. Lessons 03 to 06.

`backward(dy)` takes dL/d(output) of the latest `forward`, stores dL/d(parameters) and returns dL/d(input).
Shapes: images (N, C, H, W), features (N, IN). Shapes that do not fit raise `nnlib.ops.ShapeError`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from nnlib import device, ops
from nnlib.initializers import Initializer, he
from nnlib.ops.shapes import Size, pair, require_dropout, require_shape

Shape = tuple[int, ...]


class Layer:
    """A differentiable function. `training` is set by `Sequential.train()` and `.eval()`."""

    training = True
    settings: tuple[Any, ...] = ()

    def forward(self, x: Any) -> Any:
        """The output for a batch x, of which what `backward` needs is kept."""
        raise NotImplementedError

    def backward(self, dy: Any, needs_dx: bool = True) -> Any:
        """dL/d(input); layers whose input gradient costs much leave it out, and return None, unless needed."""
        raise NotImplementedError

    def output_shape(self, input_shape: Shape) -> Shape:
        """Shape of one output for one input, both without the batch axis."""
        return input_shape

    def initialize(self, rng: np.random.Generator, init: Initializer = he) -> None:
        """Draw everything random anew."""

    def __call__(self, x: Any) -> Any:
        return self.forward(x)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(str, self.settings))})"


class ParameterLayer(Layer):
    """A layer with `weight` and `bias`, and their gradients `grad_weight` and `grad_bias`.

    All four are views into two flat buffers, `parameters` and `gradients`. A model binds them to its own
    buffers, so that an optimizer updates the whole network in one go.
    """

    def __init__(self, weight_shape: Shape) -> None:
        self.weight_shape = weight_shape
        self.size = math.prod(weight_shape) + weight_shape[0]
        self.bind(*(device.to_device(np.zeros(self.size, np.float32)) for _ in range(2)))
        self.initialize(np.random.default_rng(0))

    def bind(self, parameters: Any, gradients: Any) -> None:
        """Live in these flat buffers of `size` elements from now on."""
        split = math.prod(self.weight_shape)
        self.parameters, self.gradients = parameters, gradients
        self.weight, self.bias = parameters[:split].reshape(self.weight_shape), parameters[split:]
        self.grad_weight, self.grad_bias = (
            gradients[:split].reshape(self.weight_shape),
            gradients[split:],
        )

    def initialize(self, rng: np.random.Generator, init: Initializer = he) -> None:
        outputs, *inputs = self.weight_shape
        window = math.prod(inputs[1:])
        values = init(self.weight_shape, inputs[0] * window, outputs * window, rng)
        self.weight[...] = device.array_module(self.weight).asarray(
            values.astype(self.weight.dtype)
        )
        self.bias[...] = 0


class Linear(ParameterLayer):
    """y = x Wᵀ + b, x (N, in_features), weight (out_features, in_features). Lesson 03."""

    def __init__(self, in_features: int, out_features: int) -> None:
        self.settings = (in_features, out_features)
        super().__init__((out_features, in_features))

    def forward(self, x: Any) -> Any:
        """y (N, out_features) from x (N, in_features)."""
        self.x = x
        return ops.linear(x, self.weight, self.bias)

    def backward(self, dy: Any, needs_dx: bool = True) -> Any:
        """dx (N, in_features), or None, from dy (N, out_features); fills the two gradients."""
        return ops.linear_backward(dy, self.x, self.weight, needs_dx, self.gradients)[0]

    def output_shape(self, input_shape: Shape) -> Shape:
        if input_shape != self.settings[:1]:
            raise ops.ShapeError(f"got {input_shape}, expected {self.settings[:1]}")
        return self.settings[1:]


class Conv2d(ParameterLayer):
    """Convolution of images (N, in_channels, H, W); weight (out_channels, in_channels, KH, KW). Lesson 05.

    >>> Conv2d(1, 16, kernel_size=3, stride=2, padding=1).output_shape((1, 28, 28))
    (16, 14, 14)
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Size,
        stride: Size = 1,
        padding: Size = 0,
    ) -> None:
        self.stride, self.padding = pair(stride, "stride"), pair(padding, "padding", 0)
        self.settings = (in_channels, out_channels, kernel_size)
        if (self.stride, self.padding) != ((1, 1), (0, 0)):
            self.settings += (f"stride={stride}", f"padding={padding}")
        super().__init__((out_channels, in_channels, *pair(kernel_size, "kernel_size")))

    def forward(self, x: Any) -> Any:
        """y (N, out_channels, OH, OW) from x (N, in_channels, H, W)."""
        self.x = x
        return ops.conv2d(x, self.weight, self.bias, self.stride, self.padding)

    def backward(self, dy: Any, needs_dx: bool = True) -> Any:
        """dx of x's shape, or None, from dy (N, out_channels, OH, OW); fills the two gradients."""
        return ops.conv2d_backward(
            dy, self.x, self.weight, self.stride, self.padding, needs_dx, self.gradients
        )[0]

    def output_shape(self, input_shape: Shape) -> Shape:
        F, C, KH, KW = self.weight_shape
        if len(input_shape) != 3 or input_shape[0] != C:
            raise ops.ShapeError(f"got {input_shape}, expected ({C}, H, W)")
        return F, *ops.window_output((1, *input_shape), (KH, KW), self.stride, self.padding)


class Activation(Layer):
    """y = function(x), element by element; dx = derivative(dy, y) if the slope is best told `from_y`, else of x."""

    function: Callable[..., Any]
    derivative: Callable[..., Any]
    from_y = False

    def forward(self, x: Any) -> Any:
        """y of x's shape, which may be any."""
        y = type(self).function(x, *self.settings)
        self.kept = y if self.from_y else x
        return y

    def backward(self, dy: Any, needs_dx: bool = True) -> Any:
        """dx of dy's shape."""
        return type(self).derivative(dy, self.kept, *self.settings)


class ReLU(Activation):
    """max(x, 0). Lesson 04."""

    function, derivative, from_y = ops.relu, ops.relu_backward, True


class LeakyReLU(Activation):
    """x where positive, else negative_slope · x. Lesson 04."""

    function, derivative = ops.leaky_relu, ops.leaky_relu_backward

    def __init__(self, negative_slope: float = 0.01) -> None:
        self.settings = (negative_slope,)


class Sigmoid(Activation):
    """1 / (1 + e⁻ˣ). Lesson 04."""

    function, derivative, from_y = ops.sigmoid, ops.sigmoid_backward, True


class Tanh(Activation):
    """Hyperbolic tangent. Lesson 04."""

    function, derivative, from_y = ops.tanh, ops.tanh_backward, True


class GELU(Activation):
    """x Φ(x), in the tanh form (PyTorch: approximate="tanh"). Lesson 04."""

    function, derivative = ops.gelu, ops.gelu_backward


class _Pool2d(Layer):
    def __init__(self, kernel_size: Size, stride: Size | None = None) -> None:
        self.kernel_size = pair(kernel_size, "kernel_size")
        self.stride = self.kernel_size if stride is None else pair(stride, "stride")
        self.settings = (kernel_size,) if stride is None else (kernel_size, stride)

    def output_shape(self, input_shape: Shape) -> Shape:
        return input_shape[0], *ops.window_output((1, *input_shape), self.kernel_size, self.stride)


class MaxPool2d(_Pool2d):
    """Largest value of each window; its gradient goes to the first maximum. Lesson 05."""

    def forward(self, x: Any) -> Any:
        """y (N, C, OH, OW) from x (N, C, H, W), and the place of every maximum."""
        self.x_shape = x.shape
        y, self.argmax = ops.max_pool2d(x, self.kernel_size, self.stride)
        return y

    def backward(self, dy: Any, needs_dx: bool = True) -> Any:
        """dx (N, C, H, W), zero but for the maxima, from dy (N, C, OH, OW)."""
        return ops.max_pool2d_backward(dy, self.argmax, self.x_shape, self.kernel_size, self.stride)


class AvgPool2d(_Pool2d):
    """Mean of each window. Lesson 05."""

    def forward(self, x: Any) -> Any:
        """y (N, C, OH, OW) from x (N, C, H, W)."""
        self.x_shape = x.shape
        return ops.avg_pool2d(x, self.kernel_size, self.stride)

    def backward(self, dy: Any, needs_dx: bool = True) -> Any:
        """dx (N, C, H, W) from dy (N, C, OH, OW): equal shares."""
        return ops.avg_pool2d_backward(dy, self.x_shape, self.kernel_size, self.stride)


class Dropout(Layer):
    """In training: zero with probability p, the rest scaled by 1 / (1 - p). In evaluation: nothing. Lesson 06.

    Every training step continues the random sequence of `seed`; `offset` says where it stands.
    """

    def __init__(self, p: float = 0.5, seed: int | None = None) -> None:
        require_dropout(p)
        self.settings, self.p, self.offset = (p,), p, 0
        self.fixed_seed = seed
        self.seed = seed or 0

    def initialize(self, rng: np.random.Generator, init: Initializer = he) -> None:
        """Begin the random sequence anew: of the layer's own seed, else of one drawn from `rng`."""
        drawn = int(rng.integers(2**63))
        self.seed, self.offset = drawn if self.fixed_seed is None else self.fixed_seed, 0

    def forward(self, x: Any) -> Any:
        """y of x's shape; in training the mask is kept and the sequence goes on."""
        if not self.training:
            self.mask = None
            return x
        y, self.mask = ops.dropout(x, self.p, self.seed, self.offset)
        self.advance(x.size)
        return y

    def advance(self, elements: int) -> None:
        """Go on in the random sequence, past the numbers that so many elements take: four from each counter."""
        self.offset += -(-elements // 4)

    def backward(self, dy: Any, needs_dx: bool = True) -> Any:
        """dx of dy's shape, through the mask of the latest `forward`."""
        return dy if self.mask is None else ops.dropout_backward(dy, self.mask, self.p)


class Flatten(Layer):
    """(N, C, H, W) becomes (N, C·H·W)."""

    def forward(self, x: Any) -> Any:
        """y (N, C·H·W), a view of x (N, C, H, W)."""
        self.x_shape = x.shape
        return x.reshape(x.shape[0], -1)

    def backward(self, dy: Any, needs_dx: bool = True) -> Any:
        """dx (N, C, H, W), a view of dy (N, C·H·W)."""
        require_shape("dy", dy, (self.x_shape[0], math.prod(self.x_shape[1:])))
        return dy.reshape(self.x_shape)

    def output_shape(self, input_shape: Shape) -> Shape:
        return (math.prod(input_shape),)

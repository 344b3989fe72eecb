"""Layers: what `forward` computes and what `backward` hands on, written out. PyTorch's names. Lessons 03 to 06, and 10.

`backward(dy)` takes dL/d(output) of the latest `forward`, stores dL/d(parameters) and returns dL/d(input).
Shapes: images (N, C, H, W), features (N, IN), tokens (N, T), their embeddings (N, T, E). Shapes that do not fit raise
`nnlib.ops.ShapeError`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from nnlib import device, ops
from nnlib.device import Array
from nnlib.initializers import Initializer, he
from nnlib.ops.shapes import Size, pair, require_dropout, require_shape

Shape = tuple[int, ...]


class Layer:
    """A differentiable function. `training` is set by `Sequential.train()` and `.eval()`."""

    training = True
    settings: tuple[Any, ...] = ()
    takes = "f"  # kinds of dtype that it takes
    size = 0  # numbers in `parameters`, flat, and in `gradients`
    layers: Sequence[Layer] = ()  # inside it
    parameters: Array
    gradients: Array

    def forward(self, x: Array) -> Array:
        """Return the output for a batch x, and keep what `backward` needs of it."""
        raise NotImplementedError

    def backward(self, dy: Array, needs_dx: bool = True) -> Array:
        """Return dL/d(input); layers whose input gradient costs much leave it out, and return None, unless needed."""
        raise NotImplementedError

    def output_shape(self, input_shape: Shape) -> Shape:
        """Return the shape of one output for one input, both without the batch axis."""
        return input_shape

    def bind(self, parameters: Array, gradients: Array) -> None:
        """Live in these flat buffers of `size` elements from now on, with the values that are in them."""

    def initialize(self, rng: np.random.Generator, init: Initializer = he) -> None:
        """Draw everything random anew."""

    def state(self) -> Iterator[tuple[str, Any]]:
        """Yield what a saved model keeps of it: names and arrays."""
        for index, layer in enumerate(self.layers):
            yield from ((f"{index}.{name}", array) for name, array in layer.state())

    def load_state(self, state: dict[str, Any]) -> None:
        """Take over arrays of the names and shapes that `state` yields."""
        for index, layer in enumerate(self.layers):
            layer.load_state({name: state[f"{index}.{name}"] for name, _ in layer.state()})

    def modules(self) -> Iterator[Layer]:
        """Yield this layer and those inside it."""
        yield self
        for layer in self.layers:
            yield from layer.modules()

    def __call__(self, x: Array) -> Array:
        return self.forward(x)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(str, self.settings))})"


class ParameterLayer(Layer):
    """A layer with `weight`, mostly with `bias`, and their gradients `grad_weight` and `grad_bias`.

    All are views into two flat buffers, `parameters` and `gradients`. A model binds them to its own
    buffers, so that an optimizer updates the whole network in one go. std: of the weights at first, as GPT-2's 0.02 in
    tables of rows; without it `init` draws them.
    """

    std = 0.0

    def __init__(self, weight_shape: Shape, has_bias: bool = True) -> None:
        self.weight_shape, self.has_bias = weight_shape, has_bias
        self.size = math.prod(weight_shape) + (weight_shape[0] if has_bias else 0)
        self.bind(*(device.to_device(np.zeros(self.size, np.float32)) for _ in range(2)))
        self.initialize(np.random.default_rng(0))

    def bind(self, parameters: Array, gradients: Array) -> None:
        """Live in these flat buffers of `size` elements from now on; without a bias its part is empty."""
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
        if self.std:
            values = rng.normal(0, self.std, self.weight_shape)
        else:
            values = init(self.weight_shape, inputs[0] * window, outputs * window, rng)
        self.weight[...] = device.array_module(self.weight).asarray(
            values.astype(self.weight.dtype)
        )
        self.bias[...] = 0

    def state(self) -> Iterator[tuple[str, Any]]:
        """Yield weight and bias."""
        yield "weight", self.weight
        if self.has_bias:
            yield "bias", self.bias

    def load_state(self, state: dict[str, Any]) -> None:
        """Copy the values."""
        for name, array in self.state():
            array[...] = device.array_module(array).asarray(state[name])


class Linear(ParameterLayer):
    """y = x Wᵀ + b, x (N, in_features) or (N, T, in_features), weight (out_features, in_features). Lesson 03."""

    def __init__(self, in_features: int, out_features: int) -> None:
        self.settings = (in_features, out_features)
        super().__init__((out_features, in_features))

    def forward(self, x: Array) -> Array:
        """Return y (N, out_features) from x (N, in_features); with T tokens each (N, T, …)."""
        self.x = rows = x.reshape(-1, x.shape[-1]) if x.ndim == 3 else x
        return ops.linear(rows, self.weight, self.bias).reshape(*x.shape[:-1], -1)

    def backward(self, dy: Array, needs_dx: bool = True) -> Array:
        """Return dx of x's shape, or None, from dy of y's; fill the two gradients."""
        rows = dy.reshape(-1, dy.shape[-1]) if dy.ndim == 3 else dy
        dx = ops.linear_backward(rows, self.x, self.weight, needs_dx, self.gradients)[0]
        return dx if dx is None else dx.reshape(*dy.shape[:-1], -1)

    def output_shape(self, input_shape: Shape) -> Shape:
        if input_shape[-1:] != self.settings[:1] or len(input_shape) > 2:
            raise ops.ShapeError(f"got {input_shape}, expected {self.settings[:1]}")
        return *input_shape[:-1], self.settings[1]


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

    def forward(self, x: Array) -> Array:
        """Return y (N, out_channels, OH, OW) from x (N, in_channels, H, W)."""
        self.x = x
        return ops.conv2d(x, self.weight, self.bias, self.stride, self.padding)

    def backward(self, dy: Array, needs_dx: bool = True) -> Array:
        """Return dx of x's shape, or None, from dy (N, out_channels, OH, OW); fill the two gradients."""
        return ops.conv2d_backward(
            dy, self.x, self.weight, self.stride, self.padding, needs_dx, self.gradients
        )[0]

    def output_shape(self, input_shape: Shape) -> Shape:
        F, C, KH, KW = self.weight_shape
        if len(input_shape) != 3 or input_shape[0] != C:
            raise ops.ShapeError(f"got {input_shape}, expected ({C}, H, W)")
        return F, *ops.window_output((1, *input_shape), (KH, KW), self.stride, self.padding)


class Activation(Layer):
    """y = function(x), element by element; dx = derivative(dy, y) if `from_y`, else derivative(dy, x)."""

    function: Callable[..., Any]
    derivative: Callable[..., Any]
    from_y = False

    def forward(self, x: Array) -> Array:
        """Return y of x's shape, which may be any."""
        y = type(self).function(x, *self.settings)
        self.kept = y if self.from_y else x
        return y

    def backward(self, dy: Array, needs_dx: bool = True) -> Array:
        """Return dx of dy's shape."""
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

    def forward(self, x: Array) -> Array:
        """Return y (N, C, OH, OW) from x (N, C, H, W), and the place of every maximum."""
        self.x_shape = x.shape
        y, self.argmax = ops.max_pool2d(x, self.kernel_size, self.stride)
        return y

    def backward(self, dy: Array, needs_dx: bool = True) -> Array:
        """Return dx (N, C, H, W), zero but for the maxima, from dy (N, C, OH, OW)."""
        return ops.max_pool2d_backward(dy, self.argmax, self.x_shape, self.kernel_size, self.stride)


class AvgPool2d(_Pool2d):
    """Mean of each window. Lesson 05."""

    def forward(self, x: Array) -> Array:
        """Return y (N, C, OH, OW) from x (N, C, H, W)."""
        self.x_shape = x.shape
        return ops.avg_pool2d(x, self.kernel_size, self.stride)

    def backward(self, dy: Array, needs_dx: bool = True) -> Array:
        """Return dx (N, C, H, W) from dy (N, C, OH, OW): equal shares."""
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

    def state(self) -> Iterator[tuple[str, Any]]:
        """Yield where the random sequence stands."""
        yield "seed_offset", np.array([self.seed, self.offset])

    def load_state(self, state: dict[str, Any]) -> None:
        """Go on from there."""
        self.seed, self.offset = map(int, state["seed_offset"])

    def forward(self, x: Array) -> Array:
        """Return y of x's shape; in training the mask is kept and the sequence goes on."""
        if not self.training:
            self.mask = None
            return x
        y, self.mask = ops.dropout(x, self.p, self.seed, self.offset)
        self.advance(x.size)
        return y

    def advance(self, elements: int) -> None:
        """Go on in the random sequence, past the numbers that so many elements take: four from each counter."""
        self.offset += -(-elements // 4)

    def backward(self, dy: Array, needs_dx: bool = True) -> Array:
        """Return dx of dy's shape, through the mask of the latest `forward`."""
        return dy if self.mask is None else ops.dropout_backward(dy, self.mask, self.p)


class Flatten(Layer):
    """(N, C, H, W) becomes (N, C·H·W)."""

    def forward(self, x: Array) -> Array:
        """Return y (N, C·H·W), a view of x (N, C, H, W)."""
        self.x_shape = x.shape
        return x.reshape(x.shape[0], -1)

    def backward(self, dy: Array, needs_dx: bool = True) -> Array:
        """Return dx (N, C, H, W), a view of dy (N, C·H·W)."""
        require_shape("dy", dy, (self.x_shape[0], math.prod(self.x_shape[1:])))
        return dy.reshape(self.x_shape)

    def output_shape(self, input_shape: Shape) -> Shape:
        return (math.prod(input_shape),)


class Embedding(ParameterLayer):
    """A row of weight (num_embeddings, embedding_dim) for each token, an integer. Lesson 10."""

    takes = "iu"
    std = 0.02

    def __init__(self, num_embeddings: int, embedding_dim: int) -> None:
        self.settings = (num_embeddings, embedding_dim)
        super().__init__((num_embeddings, embedding_dim), has_bias=False)

    def forward(self, x: Array) -> Array:
        """Return y (N, T, embedding_dim) from tokens x (N, T)."""
        self.x = x
        return ops.embedding(x, self.weight)

    def backward(self, dy: Array, needs_dx: bool = True) -> Array:
        """Return None, as tokens have no gradient; fill that of the rows."""
        ops.embedding_backward(dy, self.x, self.weight, self.gradients)

    def output_shape(self, input_shape: Shape) -> Shape:
        return *input_shape, self.settings[1]


class PositionalEmbedding(ParameterLayer):
    """y = x + weight[:T]: a row of weight (max_tokens, embedding_dim) for each place in a sequence. Lesson 10."""

    std = 0.02

    def __init__(self, max_tokens: int, embedding_dim: int) -> None:
        self.settings = (max_tokens, embedding_dim)
        super().__init__((max_tokens, embedding_dim), has_bias=False)

    def forward(self, x: Array) -> Array:
        """Return y (N, T, embedding_dim) from x of that shape."""
        N, T, _ = x.shape
        self.output_shape(x.shape[1:])
        xp = device.array_module(x)
        self.places = xp.tile(xp.arange(T, dtype=np.int32), (N, 1))
        return ops.add(x, ops.embedding(self.places, self.weight))

    def backward(self, dy: Array, needs_dx: bool = True) -> Array:
        """Return dy; fill the gradient of the rows, their sum over the batch."""
        ops.embedding_backward(dy, self.places, self.weight, self.gradients)
        return dy

    def output_shape(self, input_shape: Shape) -> Shape:
        most, dim = self.settings
        if len(input_shape) != 2 or input_shape[0] > most or input_shape[1] != dim:
            raise ops.ShapeError(
                f"got {input_shape}, expected (T, {dim}) with at most {most} tokens"
            )
        return input_shape


class RMSNorm(ParameterLayer):
    """x / sqrt(mean(x²) + eps) · weight along the last axis, of normalized_shape numbers. Lesson 10."""

    def __init__(self, normalized_shape: int, eps: float = 1e-5) -> None:
        self.settings, self.eps = (normalized_shape,), eps
        super().__init__((normalized_shape,), has_bias=False)

    def initialize(self, rng: np.random.Generator, init: Initializer = he) -> None:
        """Begin with ones."""
        self.weight[...] = 1

    def forward(self, x: Array) -> Array:
        """Return y of x's shape (..., normalized_shape)."""
        self.x = x
        return ops.rms_norm(x, self.weight, self.eps)

    def backward(self, dy: Array, needs_dx: bool = True) -> Array:
        """Return dx of x's shape, or None; fill the gradient of weight."""
        return ops.rms_norm_backward(dy, self.x, self.weight, self.eps, needs_dx, self.gradients)[0]


class _Composite(Layer):
    """Layers inside a layer, their parameters one after another."""

    def __init__(self, *layers: Layer) -> None:
        self.layers = layers
        self.size = sum(layer.size for layer in layers)
        values = [device.to_host(layer.parameters) for layer in layers if layer.size]
        parameters = device.to_device(np.concatenate([np.zeros(0, np.float32), *values]))
        self.bind(parameters, device.to_device(np.zeros(self.size, np.float32)))

    def bind(self, parameters: Array, gradients: Array) -> None:
        self.parameters, self.gradients = parameters, gradients
        start = 0
        for layer in self.layers:
            piece = slice(start, start + layer.size)
            layer.bind(parameters[piece], gradients[piece])
            start += layer.size

    def initialize(self, rng: np.random.Generator, init: Initializer = he) -> None:
        for layer in self.layers:
            layer.initialize(rng, init)


class CausalSelfAttention(_Composite):
    """Every token looks at itself and those before it, with `heads` heads; x and y (N, T, embedding_dim).

    One Linear makes queries, keys and values, another one mixes what the heads found. Lesson 10.
    """

    def __init__(self, embedding_dim: int, heads: int) -> None:
        if heads < 1 or embedding_dim % heads:
            raise ValueError(
                f"{embedding_dim} numbers cannot be shared equally among {heads} heads"
            )
        self.settings, self.heads = (embedding_dim, heads), heads
        super().__init__(
            Linear(embedding_dim, 3 * embedding_dim), Linear(embedding_dim, embedding_dim)
        )

    def forward(self, x: Array) -> Array:
        """Return y (N, T, embedding_dim) from x of that shape."""
        self.qkv = self.layers[0].forward(x)
        self.mixed, self.logsumexp = ops.attention(self.qkv, self.heads)
        return self.layers[1].forward(self.mixed)

    def backward(self, dy: Array, needs_dx: bool = True) -> Array:
        """Return dx (N, T, embedding_dim), or None; fill the gradients of both Linears."""
        dmixed = self.layers[1].backward(dy)
        dqkv = ops.attention_backward(dmixed, self.qkv, self.mixed, self.logsumexp, self.heads)
        return self.layers[0].backward(dqkv, needs_dx)


class Residual(_Composite):
    """y = x + f(x), where f is the layers inside, one after another; dx = dy + df(dy). He and others 2015."""

    def __init__(self, *layers: Layer) -> None:
        self.settings = layers
        super().__init__(*layers)

    def forward(self, x: Array) -> Array:
        """Return y of x's shape."""
        y = x
        for layer in self.layers:
            y = layer.forward(y)
        return ops.add(x, y)

    def backward(self, dy: Array, needs_dx: bool = True) -> Array:
        """Return dx of dy's shape."""
        dx = dy
        for layer in reversed(self.layers):
            dx = layer.backward(dx)
        return ops.add(dy, dx)

    def output_shape(self, input_shape: Shape) -> Shape:
        shape = input_shape
        for layer in self.layers:
            shape = layer.output_shape(shape)
        if shape != input_shape:
            raise ops.ShapeError(f"{input_shape} becomes {shape}, which cannot be added to it")
        return shape

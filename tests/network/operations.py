"""Random cases of every operation with a gradient, away from kinks and ties; shared by the gradient tests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from nnlib import ops
from nnlib.ops.arrays import columns


@dataclass
class GradientCase:
    """y = forward(*inputs); backward(dy, *inputs) gives the gradients by the inputs, in order."""

    forward: Callable[..., Any]
    backward: Callable[..., Any]
    inputs: tuple[np.ndarray, ...]
    setting: str = ""

    def __repr__(self) -> str:
        return f"{self.setting} on {[x.shape for x in self.inputs]}"


repeat = settings(
    max_examples=25, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
seeds = st.integers(0, 2**32 - 1).map(np.random.default_rng)
small = st.integers(1, 3)


def spaced(rng: np.random.Generator, *shape: int) -> np.ndarray:
    """Values around 0, all at least 0.02 apart and 0.01 from 0: no step of 1e-5 crosses a kink or a tie."""
    size = int(np.prod(shape))
    return (rng.permutation(size).reshape(shape) - size // 2) * 0.02 + 0.01


@st.composite
def convolutions(
    draw: Any, forward: Callable[..., Any], backward: Callable[..., Any]
) -> GradientCase:
    rng, kernel, stride = draw(seeds), (draw(small), draw(small)), (draw(small), draw(small))
    padding = (draw(st.integers(0, 2)), draw(st.integers(0, 2)))
    H, W = (draw(st.integers(max(1, k - 2 * p), 7)) for k, p in zip(kernel, padding, strict=True))
    N, C, F = draw(small), draw(small), draw(small)
    x, w, b = (
        rng.standard_normal((N, C, H, W)),
        rng.standard_normal((F, C, *kernel)),
        rng.standard_normal(F),
    )
    return GradientCase(
        lambda x, w, b: forward(x, w, b, stride, padding),
        lambda dy, x, w, b: backward(dy, x, w, stride, padding),
        (x, w, b),
        f"stride {stride}, padding {padding}",
    )


@st.composite
def linears(draw: Any) -> GradientCase:
    rng, N, IN, OUT = draw(seeds), *(draw(st.integers(1, 6)) for _ in range(3))
    return GradientCase(
        ops.linear,
        lambda dy, x, w, b: ops.linear_backward(dy, x, w),
        (rng.standard_normal((N, IN)), rng.standard_normal((OUT, IN)), rng.standard_normal(OUT)),
    )


@st.composite
def pools(draw: Any, kind: str) -> GradientCase:
    rng, size = draw(seeds), (draw(small), draw(small))
    stride = draw(st.one_of(st.none(), st.tuples(small, small)))
    x = spaced(
        rng, draw(small), draw(small), draw(st.integers(size[0], 7)), draw(st.integers(size[1], 7))
    )
    if kind == "avg":
        return GradientCase(
            lambda x: ops.avg_pool2d(x, size, stride),
            lambda dy, x: ops.avg_pool2d_backward(dy, x.shape, size, stride),
            (x,),
            f"{size}, {stride}",
        )
    return GradientCase(
        lambda x: ops.max_pool2d(x, size, stride)[0],
        lambda dy, x: ops.max_pool2d_backward(dy, ops.max_pool2d(x, size, stride)[1], x.shape),
        (x,),
        f"{size}, {stride}",
    )


@st.composite
def elementwise(
    draw: Any, forward: Callable[..., Any], backward: Callable[..., Any]
) -> GradientCase:
    shape = draw(st.lists(st.integers(1, 5), min_size=1, max_size=4))
    return GradientCase(forward, backward, (spaced(draw(seeds), *shape),))


@st.composite
def binary_losses(draw: Any, loss: Callable[..., Any]) -> GradientCase:
    rng, shape = draw(seeds), (draw(st.integers(1, 6)), draw(small))
    targets, predictions = (
        rng.integers(0, 2, shape).astype(np.float64),
        rng.uniform(0.05, 0.95, shape),
    )
    return GradientCase(
        lambda p: loss(p, targets)[0], lambda dy, p: dy * loss(p, targets)[1], (predictions,)
    )


@st.composite
def cross_entropies(draw: Any) -> GradientCase:
    rng, N, K = draw(seeds), draw(st.integers(1, 6)), draw(st.integers(1, 6))
    labels = rng.integers(0, K, N)
    return GradientCase(
        lambda z: ops.softmax_cross_entropy(z, labels)[0],
        lambda dy, z: dy * ops.softmax_cross_entropy(z, labels)[1],
        (3 * rng.standard_normal((N, K)),),
    )


IN_LESSON_05 = convolutions(columns.conv2d, columns.conv2d_backward)
# Under the name of the function that computes the gradient.
CASES = {
    "conv2d_backward": convolutions(ops.conv2d, ops.conv2d_backward),
    "linear_backward": linears(),
    "max_pool2d_backward": pools("max"),
    "avg_pool2d_backward": pools("avg"),
    "relu_backward": elementwise(ops.relu, ops.relu_backward),
    "leaky_relu_backward": elementwise(
        lambda x: ops.leaky_relu(x, 0.1), lambda dy, x: ops.leaky_relu_backward(dy, x, 0.1)
    ),
    "sigmoid_backward": elementwise(
        ops.sigmoid, lambda dy, x: ops.sigmoid_backward(dy, ops.sigmoid(x))
    ),
    "tanh_backward": elementwise(ops.tanh, lambda dy, x: ops.tanh_backward(dy, ops.tanh(x))),
    "gelu_backward": elementwise(ops.gelu, ops.gelu_backward),
    "dropout_backward": elementwise(
        lambda x: ops.dropout(x, 0.4, 7)[0],
        lambda dy, x: ops.dropout_backward(dy, ops.dropout(x, 0.4, 7)[1], 0.4),
    ),
    "softmax_cross_entropy": cross_entropies(),
    "binary_cross_entropy": binary_losses(ops.binary_cross_entropy),
    "binary_cross_entropy_with_logits": binary_losses(ops.binary_cross_entropy_with_logits),
}

"""A training step of the reference network with the kernels the lessons build first, launched one by one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from nnlib import device
from nnlib.model import Sequential
from nnlib.ops.kernels import kernel
from nnlib.ops.launching import ceil_div


def naive_step(
    model: Sequential, inputs: Any, labels: Any, N: int, lr: float
) -> Callable[[Any], None]:
    """step(indices): SGD on the chosen images (uint8, on the device). conv - ReLU - conv - ReLU - max pool - linear."""
    xp = device.xp
    conv1, _, conv2, _, _, _, linear = model.layers

    def buffer(*shape: int, dtype: Any = np.float32) -> Any:
        return xp.empty(shape, dtype)

    a1, r1, a2, r2 = (
        buffer(N, 16, 26, 26),
        buffer(N, 16, 26, 26),
        buffer(N, 32, 24, 24),
        buffer(N, 32, 24, 24),
    )
    pooled, argmax = buffer(N, 32, 12, 12), buffer(N, 32, 12, 12, dtype=np.int32)
    logits, dlogits, losses = buffer(N, 10), buffer(N, 10), buffer(N)
    shape1 = (N, 1, 28, 28, 16, 26, 26, 3, 3, 1, 1, 0, 0)
    shape2 = (N, 16, 26, 26, 32, 24, 24, 3, 3, 1, 1, 0, 0)
    (da1, dr1), (da2, dr2) = ([buffer(*a.shape) for _ in range(2)] for a in (a1, a2))
    dpooled = buffer(N, 4608)

    def each(file: str, name: str, threads: int, *args: Any) -> None:
        kernel(file, name)((ceil_div(threads, 256),), (256,), args)

    def matrix(name: str, rows: int, columns: int, *args: Any) -> None:
        kernel("linear", name)(
            (ceil_div(columns, 16), ceil_div(rows, 16)), (16, 16), (*args, N, 4608, 10)
        )

    def step(indices: Any) -> None:
        x = inputs[indices].astype(np.float32) / 255
        each("convolution", "conv_forward_naive", a1.size, x, conv1.weight, conv1.bias, a1, *shape1)
        each("activation", "relu_forward", a1.size, a1, r1, a1.size)
        each(
            "convolution", "conv_forward_naive", a2.size, r1, conv2.weight, conv2.bias, a2, *shape2
        )
        each("activation", "relu_forward", a2.size, a2, r2, a2.size)
        each(
            "pooling",
            "max_pool_forward",
            pooled.size,
            r2,
            pooled,
            argmax,
            N * 32,
            24,
            24,
            12,
            12,
            2,
            2,
            2,
            2,
        )
        matrix("linear_forward_naive", N, 10, pooled, linear.weight, linear.bias, logits)
        each(
            "loss",
            "softmax_cross_entropy_naive",
            N,
            logits,
            labels[indices],
            losses,
            dlogits,
            N,
            10,
        )
        matrix("linear_backward_weight_naive", 10, 4608, dlogits, pooled, linear.grad_weight)
        each("linear", "linear_backward_bias", 256, dlogits, linear.grad_bias, N, 10)
        matrix("linear_backward_input_naive", N, 4608, dlogits, linear.weight, dpooled)
        dr2.fill(0)
        each(
            "pooling",
            "max_pool_backward_atomic",
            pooled.size,
            dpooled,
            argmax,
            dr2,
            N * 32,
            24,
            24,
            12,
            12,
        )
        each("activation", "relu_backward", a2.size, dr2, a2, da2, a2.size)
        each(
            "convolution",
            "conv_backward_weight_naive",
            conv2.weight.size,
            da2,
            r1,
            conv2.grad_weight,
            *shape2,
        )
        each("convolution", "conv_backward_bias", 256 * 32, da2, conv2.grad_bias, N, 32, 576)
        each("convolution", "conv_backward_input_naive", r1.size, da2, conv2.weight, dr1, *shape2)
        each("activation", "relu_backward", a1.size, dr1, a1, da1, a1.size)
        each(
            "convolution",
            "conv_backward_weight_naive",
            conv1.weight.size,
            da1,
            x,
            conv1.grad_weight,
            *shape1,
        )
        each("convolution", "conv_backward_bias", 256 * 16, da1, conv1.grad_bias, N, 16, 676)
        n = model.parameters.size
        each(
            "optimizer",
            "sgd_step",
            n,
            model.parameters,
            model.gradients,
            model.parameters,
            n,
            lr,
            0.0,
            0,
            0.0,
        )

    return step

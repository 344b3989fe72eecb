"""The kernels a lesson builds first compute what the finished operations compute."""

from __future__ import annotations

import numpy as np
import pytest

from nnlib import device
from nnlib.ops import arrays
from nnlib.ops.kernels import kernel
from nnlib.ops.launching import ceil_div

RNG = np.random.default_rng(5)
TOLERANCE = 2e-5


def normal(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


def launch(file, name, threads, *args, block=256):
    kernel(file, name)((ceil_div(threads, block),), (block,), args)


def elementwise(name, backward):
    def case(move):
        x, dy = normal(700), normal(700)
        out = move(np.empty(700, np.float32))
        if not backward:
            launch("activation", f"{name}_forward", 700, move(x), out, 700)
            return out, getattr(arrays, name)(x)
        launch("activation", f"{name}_backward", 700, move(dy), move(x), out, 700)
        return out, getattr(arrays, f"{name}_backward")(dy, x)

    return case


def linear(which):
    def case(move):
        N, I, O = 9, 21, 18
        x, w, b, dy = normal(N, I), normal(O, I), normal(O), normal(N, O)
        dx, dw, _ = arrays.linear_backward(dy, x, w)
        name, args, expected = {
            "forward": ("linear_forward_naive", (x, w, b), arrays.linear(x, w, b)),
            "input": ("linear_backward_input_naive", (dy, w), dx),
            "weight": ("linear_backward_weight_naive", (dy, x), dw),
        }[which]
        out = move(np.empty(expected.shape, np.float32))
        kernel("linear", name)(
            (ceil_div(expected.shape[1], 16), ceil_div(expected.shape[0], 16)),
            (16, 16),
            (*map(move, args), out, N, I, O),
        )
        return out, expected

    return case


def convolution(which):
    def case(move):
        (N, C, H, W), (F, KH, KW), (SH, SW), (PH, PW) = (3, 2, 8, 7), (4, 3, 2), (2, 1), (2, 1)
        x, w, b = normal(N, C, H, W), normal(F, C, KH, KW), normal(F)
        y = arrays.conv2d(x, w, b, (SH, SW), (PH, PW))
        dy = normal(*y.shape)
        dx, dw, db = arrays.conv2d_backward(dy, x, w, (SH, SW), (PH, PW))
        sizes = (N, C, H, W, F, *y.shape[2:], KH, KW, SH, SW, PH, PW)
        if which == "bias":
            out = move(np.empty(F, np.float32))
            launch("convolution", "conv_backward_bias", 256 * F, move(dy), out, N, F, y[0, 0].size)
            return out, db
        name, args, expected, threads = {
            "forward": ("conv_forward_naive", (x, w, b), y, y.size),
            "input": ("conv_backward_input_naive", (dy, w), dx, dx.size),
            "weight": ("conv_backward_weight_naive", (dy, x), dw, dw.size),
            "weight, atomic": ("conv_backward_weight_atomic", (dy, x), dw, N * dw.size),
            "weight, warp": ("conv_backward_weight_warp", (dy, x), dw, 32 * dw.size),
        }[which]
        out = move(np.zeros(expected.shape, np.float32))
        launch("convolution", name, threads, *map(move, args), out, *sizes)
        return out, expected

    return case


def softmax(loss):
    def case(move):
        N, K = 37, 11
        x, labels = 20 * normal(N, K), RNG.integers(0, K, N).astype(np.int32)
        out = move(np.empty((N, K), np.float32))
        if not loss:
            launch("loss", "softmax_naive", N, move(x), out, N, K)
            return out, arrays.softmax(x)
        losses = move(np.empty(N, np.float32))
        launch("loss", "softmax_cross_entropy_naive", N, move(x), move(labels), losses, out, N, K)
        mean, dlogits = arrays.softmax_cross_entropy(x, labels)
        assert abs(device.to_host(losses).mean() - mean) < 1e-5 * abs(mean)
        return out, dlogits

    return case


def columns(name):
    def case(move):
        x, K = normal(2, 3, 8, 7), 3
        unfolded = arrays.im2col(x, K, K)
        entries = normal(*unfolded.shape)
        source, expected = (
            (x, unfolded) if name == "im2col" else (entries, arrays.col2im(entries, x.shape, K, K))
        )
        threads = unfolded.size if name == "col2im_atomic" else expected.size
        out = move(np.zeros(expected.shape, np.float32))
        launch("convolution", name, threads, move(source), out, 6, 8, 7, K)
        return out, expected

    return case


def tied_images():
    """Few values, so that most windows have several largest."""
    return RNG.integers(0, 3, (2, 3, 7, 8)).astype(np.float32)


def max_pool(move):
    x = tied_images()
    y, argmax = arrays.max_pool2d(x, 3, 2)
    out, place = move(np.empty(y.shape, np.float32)), move(np.empty(y.shape, np.int32))
    launch(
        "pooling",
        "max_pool_forward",
        y.size,
        move(x),
        out,
        place,
        6,
        7,
        8,
        *y.shape[2:],
        3,
        3,
        2,
        2,
    )
    assert np.array_equal(device.to_host(place), argmax)
    return out, y


def max_pool_gradient(name, *window):
    def case(move):
        x = tied_images()
        y, argmax = arrays.max_pool2d(x, 3, 2)
        dy, dx = normal(*y.shape), move(np.zeros(x.shape, np.float32))
        threads = x.size if window else dy.size
        launch("pooling", name, threads, move(dy), move(argmax), dx, 6, 7, 8, *y.shape[2:], *window)
        return dx, arrays.max_pool2d_backward(dy, argmax, x.shape)

    return case


def avg_pool(move):
    x = normal(2, 3, 7, 8)
    expected = arrays.avg_pool2d(x, 3, 2)
    out = move(np.empty(expected.shape, np.float32))
    launch("pooling", "avg_pool", expected.size, move(x), out, 6, 7, 8, 3, 2)
    return out, expected


def avg_pool_gradient(move):
    dy, shape = normal(2, 3, 3, 4), (2, 3, 7, 8)
    out = move(np.empty(shape, np.float32))
    launch("pooling", "avg_pool_backward", out.size, move(dy), out, 6, 7, 8, 3, 4, 3, 2, 2, 2)
    return out, arrays.avg_pool2d_backward(dy, shape, (3, 2), 2)


def dropout(move):
    x = normal(301)
    y, mask = move(np.empty(301, np.float32)), move(np.empty(301, np.uint8))
    launch("dropout", "dropout_naive", 301, move(x), y, mask, 301, int(0.4 * 2**32), 1 / 0.6, 77, 3)
    return y, arrays.dropout(x, 0.4, 77, 3)[0]


CASES = {
    **{
        f"{name} {'backward' if backward else 'forward'}": elementwise(name, backward)
        for name in ("relu", "leaky_relu", "sigmoid", "tanh", "gelu")
        for backward in (False, True)
    },
    **{f"linear {which}": linear(which) for which in ("forward", "input", "weight")},
    **{
        f"convolution {which}": convolution(which)
        for which in ("forward", "input", "weight", "weight, atomic", "weight, warp", "bias")
    },
    **{name: columns(name) for name in ("im2col", "col2im", "col2im_atomic")},
    "softmax": softmax(False),
    "softmax cross-entropy": softmax(True),
    "max pooling": max_pool,
    "max pooling gradient, atomic": max_pool_gradient("max_pool_backward_atomic"),
    "max pooling gradient, gather": max_pool_gradient("max_pool_backward", 3, 3, 2, 2),
    "average pooling": avg_pool,
    "average pooling gradient": avg_pool_gradient,
    "dropout": dropout,
}


@pytest.mark.parametrize("case", CASES)
def test_first_version(case, move):
    got, expected = CASES[case](move)
    np.testing.assert_allclose(
        device.to_host(got), expected, rtol=0, atol=TOLERANCE * np.abs(expected).max()
    )

"""Every operation four ways on random shapes: arrays on NumPy, kernels in the simulator, and both on a GPU."""

from __future__ import annotations

import zlib

import numpy as np
import pytest

from nnlib import device, ops
from nnlib.ops.arrays import columns as lesson

# elements: the second block of 256 threads has one group of four, and three more
TWO_BLOCKS = 4 * 256 + 7
TOLERANCE = 2e-5  # of the largest value: sums of a few hundred float32 products


class Draw:
    """Random arrays and shapes, the same for one case on every way."""

    def __init__(self, name: str) -> None:
        self._random = np.random.default_rng(zlib.crc32(name.encode()))

    def size(self, low: int, high: int) -> int:
        return int(self._random.integers(low, high + 1))

    def array(self, *shape: int) -> np.ndarray:
        return self._random.standard_normal(shape).astype(np.float32)

    def fractions(self, *shape: int) -> np.ndarray:
        return self._random.uniform(0.02, 0.98, shape).astype(np.float32)

    def labels(self, count: int, classes: int) -> np.ndarray:
        return self._random.integers(0, classes, count).astype(np.int32)


def images(draw: Draw, low: int, high: int, channels: int = 3) -> np.ndarray:
    return draw.array(
        draw.size(1, 3), draw.size(1, channels), draw.size(low, high), draw.size(low, high)
    )


def elementwise(name):
    def case(draw):
        return name, (draw.array(draw.size(1, 5), draw.size(1, 70)),), {}

    return case


def elementwise_backward(name):
    def case(draw):
        shape = draw.size(1, 5), draw.size(1, 70)
        return name, (draw.array(*shape), draw.fractions(*shape) - np.float32(0.5)), {}

    return case


def convolution(backward, channels, filters, size, stride=1, padding=0, low=7, high=12):
    def case(draw):
        x = images(draw, low, high, channels)
        kernel = size if isinstance(size, tuple) else (size, size)
        w = draw.array(draw.size(1, filters), x.shape[1], *kernel)
        options = {"stride": stride, "padding": padding}
        if not backward:
            return "conv2d", (x, w, draw.array(w.shape[0])), options
        dy = draw.array(
            x.shape[0], w.shape[0], *ops.window_output(x.shape, kernel, stride, padding)
        )
        return "conv2d_backward", (dy, x, w), options

    return case


def many_planes(backward):
    """Enough channels and filters that several threads share the planes of one output."""

    def case(draw):
        x, w = draw.array(2, 17, 7, 10), draw.array(19, 17, 3, 3)
        if backward:
            return "conv2d_backward", (draw.array(2, 19, 5, 8), x, w), {}
        return "conv2d", (x, w, draw.array(19)), {}

    return case


def several_chunks(backward):
    """More planes than fit into shared memory at a time."""

    def case(draw):
        x, w = draw.array(1, 13, 9, 9), draw.array(33, 13, 7, 7)
        if backward:
            return "conv2d_backward", (draw.array(1, 33, 3, 3), x, w), {}
        return "conv2d", (x, w, draw.array(33)), {}

    return case


def linear(backward, low, high):
    def case(draw):
        N, I, O = draw.size(low, high), draw.size(low, high), draw.size(low, high)
        x, w = draw.array(N, I), draw.array(O, I)
        return (
            ("linear_backward", (draw.array(N, O), x, w), {})
            if backward
            else ("linear", (x, w, draw.array(O)), {})
        )

    return case


def long_sums(draw):
    """Few weights and many rows: several blocks share the rows."""
    N, I, O = 1600, 5, 3
    return "linear_backward", (draw.array(N, O), draw.array(N, I), draw.array(O, I)), {}


def columns(name, size, stride, padding, planes=None):
    def case(draw):
        x = images(draw, 6, 9) if planes is None else draw.array(*planes, 16, 16)
        if name == "im2col":
            return name, (x, *size, stride, padding), {}
        OH, OW = ops.window_output(x.shape, size, stride, padding)
        y = draw.array(x.shape[0], x.shape[1] * size[0] * size[1], OH * OW)
        return name, (y, x.shape, *size, stride, padding), {}

    return case


def pooling(name, size, stride, ties=False):
    def case(draw):
        x = images(draw, 6, 11)
        x = np.round(x) if ties else x
        if name in ("max_pool2d", "avg_pool2d"):
            return name, (x, size, stride), {}
        y, argmax = ops.arrays.max_pool2d(x, size, stride)
        dy = draw.array(*y.shape)
        if name == "max_pool2d_backward":
            return name, (dy, argmax, x.shape), {}
        return name, (dy, x.shape, size, stride), {}

    return case


def loss(name, low=1, high=32):
    def case(draw):
        N, K = draw.size(1, 40), draw.size(low, high)
        if name == "softmax":
            return name, (30 * draw.array(N, K),), {}
        if name == "softmax_cross_entropy":
            return name, (10 * draw.array(N, K), draw.labels(N, K)), {}
        predictions = (
            draw.fractions(N, K) if name == "binary_cross_entropy" else 10 * draw.array(N, K)
        )
        return name, (predictions, draw.labels(N * K, 2).reshape(N, K)), {}

    return case


def dropout(name, *shape):
    def case(draw):
        # Some elements are left over from groups of four
        x = draw.array(*shape or (5, 1 + 2 * draw.size(1, 35)))
        if name == "dropout":
            return name, (x, 0.3, 2**40 + 7, 5), {}
        return name, (x, draw.labels(x.size, 2).reshape(x.shape).astype(np.uint8), 0.3), {}

    return case


def optimizer(name, **options):
    def case(draw):
        n = draw.size(100, 600)
        states = [draw.array(n), draw.array(n)] + [
            draw.fractions(n) for _ in range(2 if name == "adam_step" else 1)
        ]
        return name, (*states, *((3,) if name == "adam_step" else ()), 0.1), options

    return case


def adamw(draw):
    n = draw.size(100, 600)
    moments = draw.array(n), draw.fractions(n)
    return "adamw_step", (draw.array(n), draw.array(n), moments, 3, 0.1), {}


def embedded(backward):
    def case(draw):
        V, D, places = draw.size(2, 9), draw.size(1, 40), (draw.size(1, 3), draw.size(1, 20))
        w, tokens = draw.array(V, D), draw.labels(places[0] * places[1], V).reshape(places)
        if backward:
            return "embedding_backward", (draw.array(*places, D), tokens, w), {}
        return "embedding", (tokens, w), {}

    return case


def normed(backward, rows, most):
    def case(draw):
        x = draw.array(rows, draw.size(1, most))
        w = draw.array(x.shape[1])
        return (
            ("rms_norm_backward", (draw.array(*x.shape), x, w), {})
            if backward
            else ("rms_norm", (x, w), {})
        )

    return case


def attending(backward, T, heads, D):
    """Sequences shorter and longer than a tile; heads that fill a thread's columns, and odd ones."""

    def case(draw):
        qkv = draw.array(draw.size(1, 2), T, 3 * heads * D)
        if not backward:
            return "attention", (qkv, heads), {}
        y, logsumexp = ops.arrays.attention(qkv, heads)
        return "attention_backward", (draw.array(*y.shape), qkv, y, logsumexp, heads), {}

    return case


CASES = {
    **{
        f"attention{'_backward' * backward}, {T} tokens, {heads} heads of {D}": attending(
            backward, T, heads, D
        )
        for backward in (False, True)
        for T, heads, D in ((5, 3, 1), (33, 2, 7), (65, 1, 64), (17, 1, 100))
    },
    "add": lambda draw: ("add", (draw.array(3, 70), draw.array(3, 70)), {}),
    "adamw_step": adamw,
    "embedding": embedded(False),
    "embedding_backward": embedded(True),
    "rms_norm": normed(False, 9, 70),
    "rms_norm_backward": normed(True, 9, 70),
    "rms_norm_backward, many rows": normed(True, 600, 5),
    **{name: elementwise(name) for name in ("relu", "leaky_relu", "sigmoid", "tanh", "gelu")},
    **{
        f"{name}_backward": elementwise_backward(f"{name}_backward")
        for name in ("relu", "leaky_relu", "sigmoid", "tanh", "gelu")
    },
    "dropout": dropout("dropout"),
    "dropout_backward": dropout("dropout_backward"),
    "dropout, two blocks": dropout("dropout", TWO_BLOCKS),
    "dropout_backward, two blocks": dropout("dropout_backward", TWO_BLOCKS),
    "linear, few outputs": linear(False, 1, 40),
    "linear, tiles": linear(False, 65, 90),
    "linear_backward": linear(True, 20, 70),
    "linear_backward, few outputs": linear(True, 1, 16),
    "linear_backward, long sums": long_sums,
    "conv2d 3x3": convolution(False, 3, 5, 3),
    "conv2d 2x4, padded": convolution(False, 2, 3, (2, 4), 1, (1, 2)),
    "conv2d 3x3, stride 2": convolution(False, 2, 9, 3, 2, 1),
    "conv2d 5x5, stride 3": convolution(False, 2, 3, 5, 3, 2),
    "conv2d 1x1": convolution(False, 9, 6, 1),
    "conv2d, several tiles": convolution(False, 1, 2, 3, 1, 1, 33, 35),
    "conv2d, many planes": many_planes(False),
    "conv2d_backward, many planes": many_planes(True),
    "conv2d, several chunks": several_chunks(False),
    "conv2d_backward, several chunks": several_chunks(True),
    "conv2d_backward 3x3": convolution(True, 3, 5, 3),
    "conv2d_backward 2x4, padded": convolution(True, 2, 3, (2, 4), 1, (1, 2)),
    "conv2d_backward 3x3, stride 2": convolution(True, 2, 5, 3, 2, 1),
    "conv2d_backward 5x5, stride 3": convolution(True, 2, 3, 5, 3, 2),
    "conv2d_backward 1x1": convolution(True, 9, 6, 1),
    "im2col": columns("im2col", (3, 3), 1, 0),
    "im2col, strided": columns("im2col", (2, 3), (2, 1), (0, 2)),
    "im2col, many": columns("im2col", (3, 3), 1, 1, (2, 3)),
    "col2im, many": columns("col2im", (3, 3), 1, 1, (2, 3)),
    "col2im": columns("col2im", (3, 3), 1, 0),
    "col2im, strided": columns("col2im", (2, 3), (2, 1), (0, 2)),
    "max_pool2d": pooling("max_pool2d", 2, None),
    "max_pool2d, overlapping": pooling("max_pool2d", 3, 2),
    "max_pool2d, ties": pooling("max_pool2d", 3, 2, ties=True),
    "max_pool2d_backward": pooling("max_pool2d_backward", 2, None),
    "max_pool2d_backward, overlapping": pooling("max_pool2d_backward", 3, 2),
    "avg_pool2d": pooling("avg_pool2d", 2, None),
    "avg_pool2d, gaps": pooling("avg_pool2d", 2, 3),
    "avg_pool2d_backward": pooling("avg_pool2d_backward", 2, None),
    "avg_pool2d_backward, overlapping": pooling("avg_pool2d_backward", (3, 2), (2, 1)),
    **{
        name: loss(name)
        for name in (
            "softmax",
            "softmax_cross_entropy",
            "binary_cross_entropy",
            "binary_cross_entropy_with_logits",
        )
    },
    **{
        f"{name}, many classes": loss(name, 33, 140)
        for name in ("softmax", "softmax_cross_entropy")
    },
    "sgd_step": optimizer("sgd_step"),
    "sgd_step, momentum": optimizer("sgd_step", momentum=0.9, weight_decay=0.01),
    "sgd_step, Nesterov": optimizer("sgd_step", momentum=0.8, nesterov=True),
    "adam_step": optimizer("adam_step"),
    "adam_step, decay": optimizer("adam_step", weight_decay=0.01),
}


def results(operation, args: tuple, options: dict, convert) -> list[np.ndarray]:
    """Return what the operation returns, or, where it works in place, its changed arguments; as NumPy arrays."""

    def fresh(a):
        if isinstance(a, tuple):
            return tuple(map(fresh, a))
        return convert(a.copy()) if isinstance(a, np.ndarray) else a

    args = [fresh(a) for a in args]
    returned = operation(*args, **options)
    if returned is None:
        inside = (a if isinstance(a, tuple) else (a,) for a in args)
        returned = [a for group in inside for a in group if not isinstance(a, (int, float))]
    returned = returned if isinstance(returned, (tuple, list)) else [returned]
    return [np.asarray(device.to_host(r)) for r in returned]


def in_double(array: np.ndarray) -> np.ndarray:
    return array.astype(np.float64) if array.dtype == np.float32 else array


@pytest.mark.parametrize("engine", ops.ENGINES[:2], ids="by_{}".format)
@pytest.mark.parametrize("case", CASES)
def test_operation(case, engine, move):
    name, args, options = CASES[case](Draw(case))
    # The lesson's own, where the array engine's is tuned
    reference = getattr(lesson, name, getattr(ops.arrays, name))
    expected = results(reference, args, options, in_double)
    with ops.engine(engine):
        found = results(getattr(ops, name), args, options, move)
    for got, want in zip(found, expected, strict=True):
        assert got.shape == want.shape
        if want.dtype.kind in "iu":
            np.testing.assert_array_equal(got, want)
        else:
            assert got.dtype == np.float32
            np.testing.assert_allclose(
                got, want, rtol=0, atol=TOLERANCE * max(1e-3, np.abs(want).max())
            )


def zeros(*shape: int) -> np.ndarray:
    return np.zeros(shape, np.float32)


REFUSED = {  # most of them would be broadcast; the message has these words
    "bias": ("linear", zeros(2, 3), zeros(4, 3), zeros(1), r"b.*\(1,\).*\(4,\)"),
    "depth": ("linear", zeros(2, 3), zeros(4, 1), zeros(4), r"\(2, 3\).*\(4, 1\)"),
    "results": (
        "linear_backward",
        zeros(1, 4),
        zeros(2, 3),
        zeros(4, 3),
        r"dy.*\(1, 4\).*\(2, 4\)",
    ),
    "gradients": ("linear_backward", zeros(2, 4), zeros(2, 3), zeros(4, 3), True, zeros(1), ""),
    "bias of filters": ("conv2d", zeros(1, 1, 5, 5), zeros(2, 1, 3, 3), zeros(1), r"b.*\(1,\)"),
    "channels": (
        "conv2d",
        zeros(1, 3, 5, 5),
        zeros(2, 1, 3, 3),
        zeros(2),
        r"\(1, 3, 5, 5\).*\(2, 1, 3, 3\)",
    ),
    "planes": (
        "conv2d_backward",
        zeros(1, 1, 3, 3),
        zeros(1, 1, 5, 5),
        zeros(2, 1, 3, 3),
        r"dy.*\(1, 2, 3, 3\)",
    ),
    "gradients of filters": (
        "conv2d_backward",
        zeros(1, 2, 3, 3),
        zeros(1, 1, 5, 5),
        zeros(2, 1, 3, 3),
        1,
        0,
        True,
        zeros(1),
        "",
    ),
    "images": ("conv2d_backward", zeros(1, 3, 2, 2), zeros(2, 1, 4, 4), zeros(3, 1, 3, 3), "dy"),
    "small image": (
        "conv2d",
        zeros(1, 1, 2, 5),
        zeros(2, 1, 3, 3),
        zeros(2),
        r"3×3.*\(1, 1, 2, 5\)",
    ),
    **{
        name: (f"{name}_backward", zeros(1), zeros(3), "dy")
        for name in ("relu", "leaky_relu", "sigmoid", "tanh", "gelu")
    },
    "one for all of a mask": ("dropout_backward", zeros(5), np.ones(1, np.uint8), 0.5, ""),
    "no planes": ("max_pool2d", zeros(3, 4, 4), 2, r"\(N, C, H, W\).*\(3, 4, 4\)"),
    "small plane": ("max_pool2d", zeros(1, 3, 4, 4), (2, 5), r"2×5.*\(1, 3, 4, 4\)"),
    "no pixels": ("avg_pool2d", zeros(1, 0, 4, 4), 2, r"\(1, 0, 4, 4\).*no pixels"),
    "pixels": (
        "max_pool2d_backward",
        zeros(1, 1, 1, 1),
        np.zeros((1, 1, 2, 2), np.int32),
        (1, 1, 4, 4),
        2,
        "",
    ),
    "means": ("avg_pool2d_backward", zeros(1, 1, 1, 1), (1, 1, 4, 4), 2, ""),
    "columns": (
        "col2im",
        zeros(1, 9, 1),
        (1, 1, 5, 6),
        3,
        3,
        r"columns.*\(1, 9, 1\).*\(1, 9, 12\)",
    ),
    "labels": ("softmax_cross_entropy", zeros(2, 3), np.zeros(1, np.int32), r"\(2, 3\).*\(1,\)"),
    "no rows": ("softmax_cross_entropy", zeros(0, 3), np.zeros(0, np.int32), "empty"),
    "targets": (
        "binary_cross_entropy_with_logits",
        zeros(3, 1),
        zeros(3),
        r"targets.*\(3, 1\).*\(3,\)|targets.*\(3,\).*\(3, 1\)",
    ),
    "no targets": ("binary_cross_entropy", zeros(0), zeros(0), ""),
    "mask": ("dropout_backward", zeros(5), np.ones(3, np.uint8), 0.5, ""),
    "inputs": ("linear_backward", zeros(2, 3), zeros(2, 4), zeros(3, 5), ""),
    "filters": ("conv2d", zeros(1, 1, 5, 5), zeros(0, 1, 3, 3), zeros(0), ""),
    "batch": ("conv2d_backward", zeros(0, 2, 3, 3), zeros(0, 1, 5, 5), zeros(2, 1, 3, 3), ""),
}


@pytest.mark.parametrize("engine", ops.ENGINES)
@pytest.mark.parametrize("case", REFUSED)
def test_what_does_not_fit_is_refused_before_a_kernel_runs(case, engine):
    name, *args, words = REFUSED[case]
    with ops.engine(engine), pytest.raises(ops.ShapeError, match=words or None):
        getattr(ops, name)(*args)

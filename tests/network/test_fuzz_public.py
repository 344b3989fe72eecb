"""10,000 random calls of the public functions: the right result, or an error that says what does not fit."""

import numpy as np
import pytest

from nnlib import losses, ops
from nnlib.datasets import DatasetError, Examples
from nnlib.training import metrics

RNG = np.random.default_rng
SIZES = [0, 1, 1, 2, 3, 4, 5, 7, 8]
KINDS = [np.float32, np.float32, np.float64]


def array(rng, dims, like=None):
    """Random shape (mostly that of `like`), dtype, strides; sometimes NaN, sometimes empty."""
    shape = tuple(rng.choice(SIZES, dims)) if like is None or rng.random() < 0.2 else like
    values = rng.standard_normal(shape).astype(KINDS[rng.integers(len(KINDS))])
    if values.size and rng.random() < 0.1:
        values.flat[rng.integers(values.size)] = rng.choice([np.nan, np.inf, -np.inf, 1e30])
    if rng.random() < 0.3:  # the same numbers in memory with gaps
        wide = np.zeros((*shape[:-1], 2 * shape[-1]), values.dtype)
        wide[..., ::2] = values
        values = wide[..., ::2]
    return values


def size(rng):
    value = int(rng.integers(-1, 5))
    return (value, int(rng.integers(0, 4))) if rng.random() < 0.3 else value


def labels(rng, n):
    return rng.integers(-1, 6, n if rng.random() < 0.9 else n + 1).astype(np.int32)


def images(rng):
    return array(rng, 4)


def convolution(rng):
    x = images(rng)
    w = array(
        rng,
        4,
        (int(rng.integers(1, 4)), x.shape[1], int(rng.integers(1, 4)), int(rng.integers(1, 4))),
    )
    return x, w, array(rng, 1, w.shape[:1]), size(rng), size(rng)


def convolution_gradient(rng):
    x, w, _, stride, padding = convolution(rng)
    try:
        pixels = ops.window_output(x.shape, w.shape[2:], stride, padding)
    except ValueError:
        pixels = x.shape[2:]
    return array(rng, 4, (x.shape[0], w.shape[0], *pixels)), x, w, stride, padding


def dense(rng):
    x = array(rng, 2)
    w = array(rng, 2, (int(rng.integers(1, 5)), x.shape[1]))
    return x, w, array(rng, 1, w.shape[:1])


def dense_gradient(rng):
    x, w, _ = dense(rng)
    return array(rng, 2, (x.shape[0], w.shape[0])), x, w


def same_shape(rng):
    x = array(rng, int(rng.integers(1, 4)))
    return x, array(rng, x.ndim, x.shape)


def probabilities(rng):
    p, targets = same_shape(rng)
    return p if rng.random() < 0.2 else abs(p) % 1, targets


def pool(rng):
    return images(rng), size(rng), size(rng) if rng.random() < 0.5 else None


def classified(rng):
    logits = array(rng, 2)
    return logits, labels(rng, len(logits))


CALLS = {
    "conv2d": (ops.conv2d, convolution),
    "conv2d_backward": (ops.conv2d_backward, convolution_gradient),
    "linear": (ops.linear, dense),
    "linear_backward": (ops.linear_backward, dense_gradient),
    "relu": (ops.relu, lambda rng: (images(rng),)),
    "relu_backward": (ops.relu_backward, same_shape),
    "gelu": (ops.gelu, lambda rng: (images(rng),)),
    "tanh": (ops.tanh, lambda rng: (images(rng),)),
    "sigmoid": (ops.sigmoid, lambda rng: (images(rng),)),
    "max_pool2d": (ops.max_pool2d, pool),
    "avg_pool2d": (ops.avg_pool2d, pool),
    "dropout": (
        ops.dropout,
        lambda rng: (images(rng), float(rng.choice([-0.1, 0, 0.3, 1, 1.5, np.nan])), 3),
    ),
    "im2col": (
        ops.im2col,
        lambda rng: (images(rng), int(rng.integers(0, 4)), 2, size(rng), size(rng)),
    ),
    "softmax": (ops.softmax, lambda rng: (array(rng, 2),)),
    "softmax_cross_entropy": (ops.softmax_cross_entropy, classified),
    "binary_cross_entropy": (ops.binary_cross_entropy, probabilities),
    "binary_cross_entropy_with_logits": (ops.binary_cross_entropy_with_logits, same_shape),
    "CrossEntropyLoss": (losses.CrossEntropyLoss(), classified),
    "accuracy": (metrics.accuracy, lambda rng: (labels(rng, 5), labels(rng, 5))),
    "confusion_matrix": (
        metrics.confusion_matrix,
        lambda rng: (labels(rng, 5), labels(rng, 5), int(rng.integers(4, 9))),
    ),
    "Examples": (Examples, lambda rng: (array(rng, 2), labels(rng, 4))),
}
DOCUMENTED = (ValueError, DatasetError)  # ShapeError is a ValueError
EACH = 10_000 // len(CALLS) + 1


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CALLS)
def test_right_or_a_clear_error(name):
    function, arguments = CALLS[name]
    worked = 0
    for seed in range(EACH):
        args = arguments(RNG(seed))
        before = [np.copy(a) if isinstance(a, np.ndarray) else a for a in args]
        with ops.engine("arrays"):
            try:
                result = function(*args)
            except DOCUMENTED as error:
                message = str(error)
                assert len(message) > 15 and "operands could not be broadcast" not in message, (
                    seed,
                    message,
                )
                assert "reshape" not in message and "matmul" not in message, (seed, message)
                continue
            plain = function(
                *[np.ascontiguousarray(a) if isinstance(a, np.ndarray) else a for a in args]
            )
        worked += 1
        for a, b in zip(args, before, strict=True):
            assert (
                np.array_equal(a, b, equal_nan=True)
                if isinstance(a, np.ndarray) and a.dtype.kind == "f"
                else True
            )
        for got, expected in zip(_leaves(result), _leaves(plain), strict=True):
            np.testing.assert_allclose(
                got, expected, rtol=1e-4, atol=1e-5, err_msg=f"seed {seed}: strides matter"
            )
    assert worked > EACH // 20, (
        f"only {worked} of {EACH} calls were valid: the generator is too wild"
    )


def _leaves(result):
    parts = result if isinstance(result, tuple) else (result,)
    return [
        np.asarray(part) for part in parts if part is not None and not isinstance(part, Examples)
    ]

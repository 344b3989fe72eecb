"""Operations against values known beforehand, against plain loops, and on bad input."""

from __future__ import annotations

import inspect
import os
import signal
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nnlib import device, ops
from nnlib.ops import arrays, kernels
from nnlib.ops.arrays.dropout import philox
from nnlib.support import threads
from tests.network.operations import CASES, repeat


@pytest.fixture(autouse=True)
def _arrays_engine():
    with ops.engine("arrays"):
        yield


def normal(*shape, seed=0, dtype=np.float64):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


# Convolution


def test_col2im_of_ones_counts_the_windows_over_each_pixel():
    image = ops.col2im(np.ones((1, 9, 24 * 24)), (1, 1, 26, 26), 3, 3)[0, 0]
    assert image[0, 0] == image[-1, -1] == 1
    assert image[0, 10] == image[10, -1] == 3
    assert (image[2:-2, 2:-2] == 9).all()


@given(
    CASES["conv2d_backward"],
    st.tuples(st.integers(1, 3), st.integers(1, 3)),
    st.tuples(st.integers(0, 2), st.integers(0, 2)),
)
@repeat
def test_col2im_is_the_adjoint_of_im2col(case, stride, padding):
    x, w, _ = case.inputs
    kernel = tuple(
        min(k, n + 2 * p) for k, n, p in zip(w.shape[2:], x.shape[2:], padding, strict=True)
    )
    columns = ops.im2col(x, *kernel, stride, padding)
    other = normal(*columns.shape)
    assert (columns * other).sum() == pytest.approx(
        (x * ops.col2im(other, x.shape, *kernel, stride, padding)).sum()
    )


@pytest.mark.parametrize("stride, padding", [(1, 0), (2, 1), ((1, 3), (2, 0))])
def test_convolution_is_the_sliding_window(stride, padding):
    x, w, b = normal(2, 3, 7, 8), normal(4, 3, 3, 2, seed=1), normal(4, seed=2)
    (SH, SW), (PH, PW) = (np.broadcast_to(pair, 2) for pair in (stride, padding))
    padded = np.pad(x, ((0, 0), (0, 0), (PH, PH), (PW, PW)))
    y = ops.conv2d(x, w, b, stride, padding)
    for n, f, oh, ow in np.ndindex(y.shape):
        window = padded[n, :, oh * SH : oh * SH + 3, ow * SW : ow * SW + 2]
        assert y[n, f, oh, ow] == pytest.approx((window * w[f]).sum() + b[f])


@pytest.mark.parametrize("channels, filters, size", [(3, 4, 13), (16, 32, 26), (70, 128, 12)])
def test_pieces_and_threads_do_not_show(channels, filters, size):
    x, w, b = (
        normal(19, channels, size, size),
        normal(filters, channels, 3, 3, seed=1),
        normal(filters, seed=2),
    )
    y = ops.conv2d(x, w, b)
    columns = ops.im2col(x, 3, 3)
    assert np.allclose(y.reshape(19, filters, -1), w.reshape(filters, -1) @ columns + b[:, None])
    dy = normal(*y.shape, seed=3)
    dx, dw, db = ops.conv2d_backward(dy, x, w)
    flat = dy.reshape(19, filters, -1)
    assert np.allclose(dx, ops.col2im(w.reshape(filters, -1).T @ flat, x.shape, 3, 3))
    assert np.allclose(dw.reshape(filters, -1), np.einsum("nfp,nkp->fk", flat, columns))
    assert np.allclose(db, dy.sum((0, 2, 3)))


def test_threads_work_under_the_callers_errstate():
    x, w = np.full((40, 16, 18, 18), 3e38, np.float32), np.zeros((32, 16, 3, 3), np.float32)
    w[:, 0, 0, 0] = 1
    with np.errstate(over="raise"), pytest.raises(FloatingPointError):
        ops.conv2d(x, w, np.full(32, 3e38, np.float32))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on this system")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_threads_work_in_a_forked_process(cores):
    cores(2)
    x, w, b = (
        normal(*shape, dtype=np.float32) for shape in ((40, 16, 18, 18), (32, 16, 3, 3), (32,))
    )
    ops.conv2d(x, w, b)
    child = os.fork()
    if not child:
        try:
            signal.alarm(20)
            ops.conv2d(x, w, b)
            os._exit(0)
        finally:
            os._exit(1)
    assert os.waitpid(child, 0)[1] == 0


def test_blas_has_its_threads_back_after_two_trainings_side_by_side(cores):
    library = pytest.importorskip("threadpoolctl")
    entered, leave = threading.Event(), threading.Event()

    def blas_threads():
        known = library.threadpool_info()
        return [one["num_threads"] for one in known if one["user_api"] == "blas"]

    def second():
        with threads.one_blas_thread():
            entered.set()
            leave.wait(600)

    with library.threadpool_limits(2, "blas"):
        cores(2)
        before, thread = blas_threads(), threading.Thread(target=second)
        with threads.one_blas_thread():
            thread.start()
            entered.wait(0.3)  # the second has to wait for its turn
            assert blas_threads() == [1] * len(before)
        leave.set()
        thread.join()
        assert blas_threads() == before
        cores(1)  # as in marking, where no C function may be called
        with threads.one_blas_thread():
            assert blas_threads() == before


# Pooling


def test_of_equal_values_the_first_is_the_maximum():
    y, argmax = ops.max_pool2d(np.zeros((1, 2, 4, 4)), 2)
    assert argmax.dtype == np.int32
    assert argmax[0, 1].tolist() == [[0, 2], [8, 10]]
    dx = ops.max_pool2d_backward(np.ones_like(y), argmax, (1, 2, 4, 4))
    assert dx[0, 0].tolist() == [[1, 0, 1, 0], [0, 0, 0, 0], [1, 0, 1, 0], [0, 0, 0, 0]]


def test_overlapping_windows_add_their_gradients():
    x = np.zeros((1, 1, 3, 3))
    x[0, 0, 1, 1] = 1
    y, argmax = ops.max_pool2d(x, 2, 1)
    assert ops.max_pool2d_backward(np.ones_like(y), argmax, x.shape)[0, 0].tolist() == [
        [0, 0, 0],
        [0, 4, 0],
        [0, 0, 0],
    ]
    assert ops.avg_pool2d_backward(np.ones((1, 1, 2, 2)), x.shape, 2, 1)[0, 0, 1, 1] == 1


def test_pooling_leaves_out_what_does_not_fill_a_window_and_passes_nan_on():
    x = np.arange(25.0).reshape(1, 1, 5, 5)
    assert ops.max_pool2d(x, 2)[0][0, 0].tolist() == [[6, 8], [16, 18]]
    assert ops.avg_pool2d(x, (5, 2), (1, 3))[0, 0].tolist() == [[10.5, 13.5]]
    x[0, 0, 1, 1] = np.nan
    assert np.isnan(ops.max_pool2d(x, 2)[0]).sum() == 1


# Activations and losses


def test_activations_at_known_points():
    x = np.array([-1000.0, -1, 0, 1, 1000])
    with np.errstate(all="raise"):
        assert ops.relu(x).tolist() == [0, 0, 0, 1, 1000]
        assert ops.leaky_relu(x, 0.1).tolist() == [-100, -0.1, 0, 1, 1000]
        assert ops.sigmoid(x) == pytest.approx([0, 0.2689414, 0.5, 0.7310586, 1])
        assert ops.tanh(x) == pytest.approx([-1, -0.7615942, 0, 0.7615942, 1])
        assert ops.gelu(x) == pytest.approx([0, -0.1588080, 0, 0.8411920, 1000])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_losses_are_finite_for_any_finite_input(dtype):
    huge = np.array([[1e4, -1e4], [-1e4, 1e4]], dtype)
    with np.errstate(all="raise", under="ignore"):
        assert ops.softmax(huge).tolist() == [[1, 0], [0, 1]]
        loss, gradient = ops.softmax_cross_entropy(huge, np.array([1, 1]))
        assert loss == pytest.approx(1e4) and np.isfinite(gradient).all()
        loss, gradient = ops.binary_cross_entropy(
            np.array([0, 1, 0, 1], dtype), np.array([0, 1, 1, 0], dtype)
        )
        assert 5 < loss < 50 and np.isfinite(gradient).all()
        loss, gradient = ops.binary_cross_entropy_with_logits(
            huge, np.array([[1, 1], [1, 1]], dtype)
        )
        assert loss == pytest.approx(5e3) and gradient.tolist() == [[0, -0.25], [-0.25, 0]]


def test_losses_at_known_points():
    loss, gradient = ops.softmax_cross_entropy(np.zeros((4, 10)), np.array([0, 3, 9, 9], np.int32))
    assert loss == pytest.approx(np.log(10))
    assert gradient[1, 3] == pytest.approx(-0.9 / 4) and gradient[1, 4] == pytest.approx(0.1 / 4)
    sure = ops.softmax_cross_entropy(np.array([[20.0, 0]]), np.array([0]))[0]
    assert sure == pytest.approx(np.log1p(np.exp(-20)), rel=1e-6)
    unit = np.finfo(np.float32).eps  # probabilities stay this far from 0
    assert ops.binary_cross_entropy(np.zeros(1, np.float32), np.ones(1))[0] == pytest.approx(
        -np.log(unit)
    )
    half, targets = np.full((2, 1), 0.5), np.array([[0.0], [1.0]])
    assert ops.binary_cross_entropy(half, targets)[0] == pytest.approx(np.log(2))
    assert ops.binary_cross_entropy_with_logits(np.zeros((2, 1)), targets)[1].ravel().tolist() == [
        0.25,
        -0.25,
    ]


# Dropout


def test_philox_gives_the_published_numbers():
    # Counter 0, key 0, from the known-answer file of Random123.
    assert [f"{word:08x}" for word in philox(4, 0)] == [
        "6627e8d5",
        "e169c58d",
        "bc57ac4c",
        "9b00dbd8",
    ]


def test_philox_continues_at_an_offset_and_fills_the_words():
    assert np.array_equal(philox(40, 5)[12:], philox(28, 5, offset=3))
    assert not np.array_equal(philox(8, 5), philox(8, 5 + 2**32))
    assert not np.array_equal(philox(8, 5), philox(8, 5, offset=2**32))
    words = philox(100_000, 1) / 2**32
    assert np.histogram(words, 10, (0, 1))[0] == pytest.approx(10_000, abs=500)


@pytest.mark.parametrize("p", [0.0, 0.2, 0.5, 0.9])
def test_dropout_keeps_the_mean(p):
    x = np.ones((100, 1000), np.float32)
    y, mask = ops.dropout(x, p, seed=3)
    sigma = np.sqrt(p * (1 - p) / x.size)
    assert mask.dtype == np.uint8 and (mask == 0).mean() == pytest.approx(p, abs=5 * sigma)
    assert y.mean() == pytest.approx(1, abs=5 * sigma / (1 - p) + 1e-6)
    assert set(np.unique(y)) <= {np.float32(0), np.float32(1 / (1 - p))}
    assert np.array_equal(y, ops.dropout(x, p, seed=3)[0])
    assert ops.dropout(x.astype(np.float64), p, seed=3)[0].max() == 1 / (1 - p)
    assert p == 0 or not np.array_equal(y, ops.dropout(x, p, seed=4)[0])


# Bad input and the engine switch


@pytest.mark.parametrize(
    "call, words",
    [
        (
            lambda: ops.softmax_cross_entropy(normal(2, 3), np.array([0, 3])),
            "labels run from 0 to 3.*0 to 2",
        ),
        (lambda: ops.softmax_cross_entropy(normal(2, 3), np.array([-1, 0])), "labels run from -1"),
        *(
            (lambda given=given: ops.conv2d(*[normal(1, 1, 3, 3)] * 2, normal(1), **given), words)
            for given, words in (
                ({"stride": 0}, "stride.*0"),
                ({"stride": None}, "stride.*None"),
                ({"stride": 1.5}, "stride.*1.5"),
                ({"padding": -1}, "padding.*-1"),
                ({"padding": "same"}, "padding.*'same'"),
            )
        ),
        (lambda: ops.max_pool2d(normal(1, 1, 4, 4), (2, 2, 2)), r"size.*\(2, 2, 2\)"),
        (lambda: ops.dropout(normal(4), 1.0, 0), r"\[0, 1\), got 1.0"),
        (lambda: ops.engine("numpy").__enter__(), "no engine 'numpy'.*arrays, kernels"),
    ],
)
def test_bad_values_are_refused(call, words):
    with pytest.raises(ValueError, match=words):
        call()


@pytest.mark.parametrize("engine", ops.ENGINES)
@pytest.mark.parametrize(
    "call, words",
    [
        (
            lambda: ops.softmax_cross_entropy(normal(2, 2), np.array([True, False])),
            "labels are bool",
        ),
        (
            lambda: ops.softmax_cross_entropy(normal(2, 2), np.array([0.0, 1.0])),
            "labels are float64",
        ),
        (
            lambda: ops.binary_cross_entropy(np.float32([[0.5], [3]]), np.ones((2, 1))),
            "0.5 to 3; .*BCEWithLogitsLoss",
        ),
        (
            lambda: ops.binary_cross_entropy(np.float32([[-1], [0.5]]), np.ones((2, 1))),
            "-1 to 0.5; .*BCEWithLogitsLoss",
        ),
    ],
)
def test_what_a_loss_would_misread_is_refused(engine, call, words):
    with ops.engine(engine), pytest.raises(ValueError, match=words):
        call()


def test_probabilities_that_are_not_a_number_reach_the_loss():
    assert np.isnan(ops.binary_cross_entropy(np.array([[np.nan]]), np.ones((1, 1)))[0])


def test_the_engine_switch_nests_and_survives_errors():
    with ops.engine("kernels"):
        with pytest.raises(RuntimeError), ops.engine("arrays"):
            assert ops.current_engine() == "arrays"
            raise RuntimeError
        assert ops.current_engine() == "kernels"
    assert ops.current_engine() == "arrays"


def test_a_thread_chooses_its_engine_for_itself():
    chosen = []

    def other():
        with ops.engine("kernels"):
            inside.set()
            leave.wait(600)
        chosen.append(ops.current_engine())

    inside, leave = threading.Event(), threading.Event()
    thread = threading.Thread(target=other)
    with ops.engine("arrays"):
        thread.start()
        assert inside.wait(600)
        assert ops.current_engine() == "arrays"
        leave.set()
        thread.join()
        assert ops.current_engine() == "arrays"
    assert chosen == ["kernels" if device.has_gpu() else "arrays"]


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("size", [2, 3])
def test_threads_change_no_result(monkeypatch, cores, count, size):
    """size 3: pooling windows that overlap by one."""
    cores(count)
    random = np.random.default_rng(0)
    x, w = (
        random.standard_normal((20, 4, 22, 22), np.float32),
        random.standard_normal((8, 4, 3, 3), np.float32),
    )

    def results():
        y = arrays.relu(arrays.conv2d(x, w, w[:, 0, 0, 0]))
        pooled, argmax = arrays.max_pool2d(y, size, 2)
        dy = arrays.relu_backward(arrays.max_pool2d_backward(pooled, argmax, y.shape, size, 2), y)
        return [y, pooled, dy, *arrays.conv2d_backward(dy, x, w)]

    found = results()
    monkeypatch.setattr(threads, "MANY", 1000)
    monkeypatch.setattr("nnlib.ops.arrays.pooling.MANY", 1000)
    assert all(np.array_equal(a, b) for a, b in zip(found, results(), strict=True))


@pytest.mark.parametrize("name", arrays.__all__)
def test_both_engines_have_the_same_functions(name):
    ours, theirs = (
        inspect.signature(getattr(engine, name)).parameters for engine in (arrays, kernels)
    )
    assert list(ours) == list(theirs)
    assert [p.default for p in ours.values()] == [p.default for p in theirs.values()]
    assert getattr(ops, name).__doc__ == getattr(arrays, name).__doc__


@pytest.mark.parametrize(
    ("size", "stride", "padding", "expected"),
    [
        (3, 1, 0, (26, 28)),
        (3, 1, 1, (28, 30)),
        (3, 2, 1, (14, 15)),
        (5, 1, 2, (28, 30)),
        ((1, 4), (3, 2), (0, 1), (10, 15)),
    ],
)
def test_output_sizes(size, stride, padding, expected):
    assert ops.window_output((2, 3, 28, 30), size, stride, padding) == expected

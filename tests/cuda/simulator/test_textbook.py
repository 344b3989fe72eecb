"""Kernels in the style of textbooks: none is accused, and each computes what NumPy does."""

from pathlib import Path

import numpy as np
import pytest

from nnlib.cuda import RawModule, force_simulator

TEXT = Path(__file__).with_name("textbook.cu").read_text()
f4, i4 = np.float32, np.int32
RNG = np.random.default_rng(0)


def floats(*shape):
    return RNG.standard_normal(shape).astype(f4)


def zeros(*shape, dtype=f4):
    return np.zeros(shape, dtype)


def forces(p, _, n):
    r = p[None, :, :3].astype(float) - p[:, None, :3]
    return (p[None, :, 3:] * r * ((r**2).sum(-1) + 0.01)[..., None] ** -1.5).sum(1)


def laplace(u, _, *sizes):
    v = np.zeros_like(u)
    v[1:-1, 1:-1, 1:-1] = (
        sum(np.roll(u, s, k) for s in (-1, 1) for k in range(3))[1:-1, 1:-1, 1:-1]
        - 6 * u[1:-1, 1:-1, 1:-1]
    )
    return v


def smoothed(a, _, steps):
    for _ in range(steps):
        a = np.r_[a[:1], f4(0.5) * (a[:-2] + a[2:]), a[-1:]]
    return a


# kernel, grid, block, shared bytes, arguments, which of them is looked at, what it should be
CASES = [
    ("reduce<128>", 4, 128, 0, [floats(512), zeros(4)], 1, lambda x, _: x.reshape(4, 128).sum(1)),
    ("nbody", 2, 64, 1024, [floats(128, 4), zeros(128, 3), 128], 1, forces),
    ("sum", 2, 64, 0, [floats(1000), zeros(1), 1000], 1, lambda x, *_: x.sum(dtype=float)),
    (
        "axpy",
        2,
        32,
        0,
        [np.float16([2]), np.arange(200, dtype=np.float16) / 8, np.ones(200, np.float16), 100],
        2,
        lambda a, x, y, n: 2 * x + 1,
    ),
    (
        "scan",
        1,
        256,
        0,
        [np.arange(256, dtype=i4) * 3 % 7, zeros(256, dtype=i4), 256],
        1,
        lambda x, *_: x.cumsum(),
    ),
    (
        "sumLast",
        16,
        64,
        0,
        [floats(4096), zeros(16), zeros(1), 4096],
        2,
        lambda x, *_: x.sum(dtype=float),
    ),
    (
        "lookback",
        8,
        32,
        0,
        [np.arange(256, dtype=i4) % 5, *(zeros(n, dtype=i4) for n in (256, 8, 8, 1))],
        1,
        lambda x, *_: x.cumsum(),
    ),
    ("locked", 4, 32, 0, [zeros(1, dtype=i4), zeros(1, dtype=i4)], 1, lambda *_: 4),
    (
        "pipe",
        2,
        64,
        0,
        [floats(512), zeros(128)],
        1,
        lambda x, _: x.reshape(2, 4, 64).sum(1).reshape(-1),
    ),
    ("two", 1, 32, 320, [floats(32), zeros(32), zeros(32, dtype=i4)], 1, lambda x, *_: x[::-1]),
    (
        "two",
        1,
        32,
        320,
        [floats(32), zeros(32), zeros(32, dtype=i4)],
        2,
        lambda *_: np.arange(32)[::-1],
    ),
    ("stencil3d", (2, 2, 2), (4, 4, 4), 0, [floats(8, 8, 8), zeros(8, 8, 8), 8, 8, 8], 1, laplace),
    ("jacobi", 2, 32, 0, [np.r_[1, zeros(62), 2].astype(f4), zeros(64), 10], 0, smoothed),
    ("bitonic", 1, 128, 0, [RNG.permutation(256).astype(i4)], 0, lambda _: np.arange(256)),
    (
        "hist",
        3,
        64,
        0,
        [RNG.integers(0, 256, 1000).astype(np.uint8), zeros(16, dtype=np.uint32), 1000],
        1,
        lambda x, *_: np.bincount(x >> 4, minlength=16),
    ),
    (
        "apply",
        1,
        8,
        0,
        [np.arange(8, dtype=f4), zeros(8), 3.0],
        1,
        lambda *_: [1, 4, 8, 15, 36, 135, 738, 5061],
    ),
    (
        "softmax",
        2,
        (32, 4),
        0,
        [floats(7, 50), zeros(7, 50), 7, 50],
        1,
        lambda x, *_: np.exp(x) / np.exp(x).sum(1, keepdims=True),
    ),
    (
        "dot",
        2,
        32,
        0,
        [np.arange(64.0), np.arange(64.0) / 4, np.zeros(1)],
        2,
        lambda x, y, _: (x * y).sum(),
    ),
    (
        "transpose<float, 16>",
        (3, 2),
        (16, 4),
        0,
        [floats(30, 40), zeros(40, 30), 40, 30],
        1,
        lambda x, *_: x.T,
    ),
    (
        "gray",
        1,
        32,
        0,
        [RNG.integers(0, 256, (32, 3)).astype(np.uint8), zeros(32, dtype=np.uint8)],
        1,
        lambda x, _: np.floor(x @ f4([0.299, 0.587, 0.114]) + 0.5),
    ),
    ("handshake", 1, 64, 0, [zeros(2, dtype=i4)], 0, lambda _: [42, 0]),
    (
        "rank",
        1,
        64,
        0,
        [np.arange(64)[::-1].copy(), np.zeros(64, np.int64), np.uint64(64)],
        1,
        lambda *_: np.arange(64),
    ),
]


@pytest.fixture(scope="module")
def textbook():
    return RawModule(
        TEXT,
        name_expressions=("reduce<128>", "transpose<float, 16>"),
        enable_cooperative_groups=True,
    )


@pytest.mark.parametrize("name, grid, block, shared, args, place, expected", CASES)
def test_it_computes_what_numpy_does(textbook, name, grid, block, shared, args, place, expected):
    given = [arg.copy() if isinstance(arg, np.ndarray) else arg for arg in args]
    with force_simulator():
        textbook.get_function(name)(
            *(size if isinstance(size, tuple) else (size,) for size in (grid, block)),
            given,
            shared_mem=shared,
        )
    exact = given[place].dtype.kind in "iu"
    np.testing.assert_allclose(
        given[place],
        np.broadcast_to(expected(*args), given[place].shape),
        rtol=0 if exact else 2e-3,
        atol=0 if exact else 1e-3,
    )


def test_points_in_a_circle(textbook):
    """With a state of cuRAND's for each thread."""
    hits = np.zeros(4, np.uint32)
    with force_simulator():
        textbook.get_function("pi")(4, 32, (np.zeros(128 * 48, np.uint8), hits, 200))
    assert abs(4 * hits.sum() / (200 * 128) - np.pi) < 0.03


def test_lanes_write_without_gaps(textbook):
    """One atomic for a warp, the places by __popc."""
    x, found, count = RNG.integers(-5, 5, 128).astype(i4), np.zeros(128, i4), np.zeros(1, i4)
    with force_simulator():
        textbook.get_function("warpagg")(2, 64, (x, found, count))
    assert (
        sorted(found[: count[0]].tolist()) == sorted(x[x > 0].tolist())
        and not found[count[0] :].any()
    )

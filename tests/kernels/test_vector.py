"""Vector addition and the bandwidth kernels: right for every size, and as coalesced as they claim to be."""

from pathlib import Path

import numpy as np
import pytest

import nnlib
from nnlib import device
from nnlib.cuda import RawModule

MODULE = RawModule(path=Path(nnlib.__file__).parent / "kernels" / "vector.cu")


def numbers(n: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal(n).astype(np.float32)


WAYS = [  # name, threads for n elements (a whole grid where it may be any), further arguments
    ("add", lambda n: n, ()),
    ("add_float4", lambda n: -(-n // 4), ()),
    *(("add_strided", lambda n, threads=threads: threads, ()) for threads in (32, 64, 224)),
    *(("add_chunks", lambda n, each=each: -(-n // each), (each,)) for each in (1, 5, 8)),
    ("copy", lambda n: -(-n // 4), ()),
]


@pytest.mark.parametrize("n", [1, 3, 4, 31, 32, 33, 127, 1000])
@pytest.mark.parametrize(("name", "threads", "more"), WAYS)
def test_every_element_is_reached_with_every_size_and_grid(name, threads, more, n) -> None:
    x, y, out = numbers(n, 1), numbers(n, 2), np.full(n, np.nan, np.float32)
    arrays = (x, out) if name == "copy" else (x, y, out)
    MODULE.get_function(name)((-(-threads(n) // 32),), (32,), (*arrays, n, *more))
    np.testing.assert_array_equal(out, x if name == "copy" else x + y)


def test_chunks_of_8_move_8_times_the_sectors_of_a_grid_stride_loop() -> None:
    n = 4096
    x, y, out = numbers(n, 1), numbers(n, 2), np.zeros(n, np.float32)
    chunks = MODULE.get_function("add_chunks").profile((4,), (128,), (x, y, out, n, 8))
    strided = MODULE.get_function("add_strided").profile((4,), (128,), (x, y, out, n))
    assert chunks.bytes_moved == 8 * strided.bytes_moved


@pytest.mark.parametrize(
    ("stride", "offset", "sectors"),
    [(1, 0, 4), (1, 1, 5), (1, 8, 4), (2, 0, 8), (3, 0, 12), (8, 0, 32), (32, 5, 32)],
)
def test_read_pattern_pays_one_sector_per_32_bytes_that_a_warp_reaches_over(
    stride, offset, sectors
) -> None:
    n = 64
    x, out = numbers(n * stride + offset), np.full(n, np.nan, np.float32)
    profile = MODULE.get_function("read_pattern").profile((1,), (n,), (x, out, n, stride, offset))
    np.testing.assert_array_equal(out, x[offset::stride][:n])
    assert profile.global_load.requests == 2
    assert profile.global_load.sectors == 2 * sectors
    assert profile.global_store.sectors == 2 * 4


def test_float4_moves_the_same_sectors_in_a_quarter_of_the_requests() -> None:
    n = 1024
    x, y, out = numbers(n, 1), numbers(n, 2), np.zeros(n, np.float32)
    plain = MODULE.get_function("add").profile((n // 128,), (128,), (x, y, out, n))
    wide = MODULE.get_function("add_float4").profile((n // 512,), (128,), (x, y, out, n))
    assert plain.global_load.sectors == wide.global_load.sectors == 2 * n * 4 // 32
    assert plain.global_load.requests == 4 * wide.global_load.requests


@pytest.mark.gpu
@pytest.mark.parametrize("n", [1 << 24, (1 << 24) + 3])
def test_on_the_gpu(n: int) -> None:
    xp = device.xp
    x, y = xp.asarray(numbers(n, 1)), xp.asarray(numbers(n, 2))
    calls = {"add": -(-n // 256), "add_float4": -(-n // 1024), "add_strided": 1000}
    for name, grid in calls.items():
        out = xp.full(n, xp.nan, xp.float32)
        MODULE.get_function(name)((grid,), (256,), (x, y, out, n))
        assert bool((out == x + y).all()), name
    out = xp.full(n, xp.nan, xp.float32)
    MODULE.get_function("copy")((-(-n // 1024),), (256,), (x, out, n))
    assert bool((out == x).all())

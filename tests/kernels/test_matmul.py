"""Every rung of the matmul ladder: right on ugly sizes, clear about what it cannot do, with the counters it claims."""

import dataclasses

import numpy as np
import pytest

from nnlib import device
from nnlib.course import ladder
from nnlib.course.ladder import RUNGS, Rung

# (M, N, K), none a multiple of a tile; the last is smaller than every tile.
SIZES = [(37, 45, 19), (133, 260, 20), (129, 132, 41), (5, 3, 1)]
each_rung = pytest.mark.parametrize("rung", RUNGS, ids=lambda rung: rung.name)


def matrices(m: int, n: int, k: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng([m, n, k])
    return rng.standard_normal((m, k)).astype(np.float32), rng.standard_normal((k, n)).astype(
        np.float32
    )


def fitting(rung: Rung, m: int, n: int, k: int) -> tuple[int, int, int]:
    """The size, with K and N rounded up to what the rung needs."""
    k_step, n_step = rung.multiple
    return m, -(-n // n_step) * n_step, -(-k // k_step) * k_step


def assert_product(c, a, b) -> None:
    """Within the rounding of K float32 additions in any order."""
    a, b = (device.to_host(x).astype(np.float64) for x in (a, b))
    bound = a.shape[1] * 2**-24 * (np.abs(a) @ np.abs(b))
    assert np.all(np.abs(device.to_host(c) - a @ b) <= bound + 1e-30)


@each_rung
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_right_for_every_size(rung: Rung, size: tuple[int, int, int]) -> None:
    m, n, k = fitting(rung, *size)
    a, b = matrices(m, n, k)
    out = np.full((m, n), np.nan, np.float32)
    rung(a, b, out)
    assert_product(out, a, b)


def small_tiles(name: str, *options: str) -> Rung:
    """An asynchronous rung with tiles of 64 x 64."""
    options = ("-DBM=64", "-DBN=64", "-DTM=8", "-DTN=8", "-DLANE_ROWS=8", *options)
    return dataclasses.replace(ladder.rung(name), block=(64,), tile=(64, 64), options=options)


def test_asynchronous_with_as_many_stages_as_wanted() -> None:
    a, b = matrices(70, 68, 53)
    for stages in (2, 3, 4):
        assert_product(small_tiles("asynchronous", f"-DSTAGES={stages}")(a, b), a, b)


@pytest.mark.parametrize(("k", "parts"), [(63, 1), (64, 2), (133, 4), (1281, 40)])
def test_k_is_split_into_parts(monkeypatch: pytest.MonkeyPatch, k: int, parts: int) -> None:
    """1281 in 40 parts of 33: the first 39 hold all of it, so the last part is empty."""
    monkeypatch.setattr(ladder, "cut_depth", lambda *sizes: parts)
    a, b = matrices(60, 64, k)
    rung, out = small_tiles("asynchronous, K split"), np.full((60, 64), np.nan, np.float32)
    assert rung.launch(a, b)[1] == (1, 1, parts)
    assert_product(rung(a, b, out), a, b)


def test_k_is_split_only_while_multiprocessors_are_idle() -> None:
    def parts(size: int) -> int:
        square = np.broadcast_to(np.float32(0), (size, size))
        return ladder.rung("asynchronous, K split").launch(square, square, square)[1][2]

    assert [parts(size) for size in (32, 256, 512, 1024, 1536, 2048, 4096)] == [
        1,
        8,
        13,
        4,
        5,
        1,
        1,
    ]


@pytest.mark.parametrize(
    ("name", "n", "k"), [("float4", 6, 4), ("float4", 4, 6), ("asynchronous", 6, 6)]
)
def test_rungs_that_need_multiples_of_four_say_so(name: str, n: int, k: int) -> None:
    a, b = matrices(8, n, k)
    with pytest.raises(
        ValueError, match=rf"{name}.*multiple of \d and N of 4, not K = {k} and N = {n}"
    ):
        ladder.rung(name)(a, b)


def test_wrong_shapes_are_named() -> None:
    a, b = matrices(4, 8, 4)
    with pytest.raises(ValueError, match="4 columns do not meet 8 rows"):
        RUNGS[0](a, b.T.copy())
    with pytest.raises(ValueError, match=r"out has shape \(8, 4\)"):
        RUNGS[0](a, b, np.empty((8, 4), np.float32))
    with pytest.raises(KeyError, match="there are naive, strided, naive"):
        ladder.rung("fastest")


class TestCounters:
    """The counter that each version is there to show, in one block of a 64 x 64 product."""

    size = (64, 64, 32)

    def profile(self, name: str):
        return ladder.rung(name).profile(*matrices(*self.size), max_blocks=1)

    def test_strided_reads_a_sector_per_lane_where_naive_reads_one_for_the_warp(self) -> None:
        strided, naive = (
            self.profile("naive, strided").global_load,
            self.profile("naive").global_load,
        )
        warps, k = 32, self.size[2]
        assert strided.requests == naive.requests == 2 * k * warps
        assert strided.sectors == warps * k * (32 + 1)  # 32 rows of A, one number of B
        assert naive.sectors == warps * k * (1 + 4)  # one number of A, 128 bytes of B

    def test_a_tile_is_loaded_once_instead_of_once_per_thread(self) -> None:
        naive, tiled = self.profile("naive").global_load, self.profile("tiled").global_load
        assert tiled.sectors == 2 * 32 * 32 * 4 // 32
        assert naive.sectors == 20 * tiled.sectors

    def test_storing_a_tile_transposed_waits_for_one_bank_and_padding_cures_it(self) -> None:
        assert self.profile("tiled").shared_store.bank_conflicts == 0
        # Warps store one column each
        assert self.profile("tiled, transposed").shared_store.bank_conflicts == 31 * 32
        assert self.profile("padded").shared_store.bank_conflicts == 0

    def test_registers_save_shared_memory(self) -> None:
        def loads_per_multiply_add(name: str) -> float:
            rung = ladder.rung(name)
            profile = rung.profile(*matrices(*rung.tile, 8), max_blocks=1)
            return profile.shared_load.requests * 32 / (rung.tile[0] * rung.tile[1] * 8)

        # Its tile is 32 deep, three quarters of it zeros
        assert loads_per_multiply_add("tiled") == 2 * 32 / 8
        assert loads_per_multiply_add("registers, 1-D") == pytest.approx((8 + 1) / 8)
        assert loads_per_multiply_add("registers, 2-D") == pytest.approx((8 + 8) / 64)
        assert loads_per_multiply_add("warp tile") == pytest.approx((2 + 2) / 64)  # float4

    def test_the_warp_tile_has_fewer_bank_conflicts_than_rows_of_threads(self) -> None:
        a, b = matrices(128, 128, 8)
        plain, warp = (
            ladder.rung(name).profile(a, b, max_blocks=1).shared_load
            for name in ("float4", "warp tile")
        )
        assert plain.requests == warp.requests
        assert warp.bank_conflicts < plain.bank_conflicts


@pytest.mark.gpu
@each_rung
@pytest.mark.parametrize("size", [(1024, 1024, 1024), (1027, 2052, 516), (255, 128, 4100)], ids=str)
def test_on_the_gpu(rung: Rung, size: tuple[int, int, int]) -> None:
    m, n, k = fitting(rung, *size)
    a, b = (device.to_device(x) for x in matrices(m, n, k))
    out = device.xp.full((m, n), np.nan, np.float32)
    assert_product(rung(a, b, out), a, b)

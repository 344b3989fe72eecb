"""A group's barrier is checked as barriers are, and orders what its threads do."""

import numpy as np
import pytest

from nnlib.cuda import BarrierError, LaunchError, RaceError, RawModule, force_simulator

HEAD = "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"


def run(body, *args, grid=1, block=32, cooperative=False):
    """The kernel's x afterwards."""
    x = np.zeros(256, np.int32)
    text = f'{HEAD}extern "C" __global__ void k(int* x) {{ {body} }}'
    with force_simulator():
        RawModule(text, enable_cooperative_groups=cooperative).get_function("k")(grid, block, (x,))
    return x


BLOCK = "cg::thread_block block = cg::this_thread_block(); "
TILE = BLOCK + "auto tile = cg::tiled_partition<8>(block); "
GRID = "cg::grid_group grid = cg::this_grid(); int i = grid.thread_rank(); "


def test_a_barrier_of_the_block_that_some_threads_miss():
    with pytest.raises(BarrierError, match=r"(?s)16 of 32 threads of a block do not reach this sync\(\).*kernel.cu:3"):
        run(BLOCK + "if (threadIdx.x < 16) block.sync();")


def test_a_barrier_of_a_tile_that_some_of_its_lanes_miss():
    with pytest.raises(BarrierError, match=r"sync: the mask 0xff names lanes that do not take part: 4, 5, 6, 7"):
        run(TILE + "if (threadIdx.x < 4) tile.sync();")
    run(TILE + "if (threadIdx.x < 8) tile.sync();")


def test_a_shuffle_that_reads_an_absent_lane():
    with pytest.raises(BarrierError, match="shfl_down: the mask 0xff names lanes that do not take part"):
        run(TILE + "if (threadIdx.x % 2) x[0] = tile.shfl_down(1, 1);")


def test_the_barrier_of_a_tile_orders_its_lanes_and_no_others():
    exchange = "__shared__ int s[64]; s[threadIdx.x] = threadIdx.x; {}.sync(); x[threadIdx.x] = s[threadIdx.x ^ {}];"
    assert run(TILE + exchange.replace("{}", "tile", 1).replace("{}", "7")).tolist()[:9] == [*range(7, -1, -1), 15]
    assert run(TILE + exchange.replace("{}", "block", 1).replace("{}", "31"))[0] == 31
    with pytest.raises(RaceError):
        run(TILE + exchange.replace("{}", "tile", 1).replace("{}", "31"))


def test_the_barrier_of_the_grid_orders_blocks():
    body = GRID + "x[i] = i; {} x[(i + 64) % 128 + 128] = x[127 - i];"
    x = run(body.replace("{}", "grid.sync();"), grid=4, cooperative=True)
    assert sorted(x[128:].tolist()) == list(range(128))
    with pytest.raises(RaceError):
        run(body.replace("{}", "__syncthreads();"), grid=4, cooperative=True)


def test_the_barrier_of_the_grid_needs_a_launch_that_allows_it():
    with pytest.raises(LaunchError, match="enable_cooperative_groups=True"):
        run(GRID + "grid.sync();", grid=4)


def test_the_barrier_of_the_grid_needs_all_blocks():
    with pytest.raises(BarrierError, match=r"32 threads of the grid do not reach this grid.sync\(\)"):
        run(GRID + "if (blockIdx.x < 3) grid.sync();", grid=4, cooperative=True)
    run(GRID + "if (blockIdx.x == 3) return; grid.sync();", grid=4, cooperative=True)


def test_many_blocks_wait_for_each_other():
    x = run(GRID + "if (threadIdx.x == 0) atomicAdd(x, 1); grid.sync(); if (i == 0) x[1] = x[0];", grid=100, block=256,
            cooperative=True)
    assert x[0] == x[1] == 100

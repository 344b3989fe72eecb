"""A group's barrier is checked as barriers are, and orders what its threads do."""

import numpy as np
import pytest

from nnlib.cuda import (
    BarrierError,
    LaunchError,
    RaceError,
    RawModule,
    UninitializedReadError,
    force_simulator,
)

HEAD = (
    "#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\n"
    "#include <cooperative_groups/scan.h>\n"
    "namespace cg = cooperative_groups;\n"
)


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
    with pytest.raises(
        BarrierError,
        match=r"(?s)16 of 32 threads of a block do not reach this sync\(\).*kernel.cu:5",
    ):
        run(BLOCK + "if (threadIdx.x < 16) block.sync();")


def test_a_barrier_of_a_tile_that_some_of_its_lanes_miss():
    with pytest.raises(
        BarrierError, match=r"sync: the mask 0xff names lanes that do not take part: 4, 5, 6, 7"
    ):
        run(TILE + "if (threadIdx.x < 4) tile.sync();")
    run(TILE + "if (threadIdx.x < 8) tile.sync();")


def test_a_reduction_that_some_of_its_lanes_miss():
    for call in ("reduce(tile, 1, cg::plus<int>())", "inclusive_scan(tile, 1, cg::less<int>())"):
        with pytest.raises(
            BarrierError, match=rf"^{call.partition('(')[0]}: the mask 0xff names lanes that do not"
        ):
            run(TILE + f"if (threadIdx.x < 4) x[0] = cg::{call};")


def test_a_shuffle_that_reads_an_absent_lane():
    with pytest.raises(
        BarrierError, match="shfl_down: the mask 0xff names lanes that do not take part"
    ):
        run(TILE + "if (threadIdx.x % 2) x[0] = tile.shfl_down(1, 1);")


def test_a_shuffle_may_pass_on_what_only_the_lane_that_is_read_has_set():
    body = (
        "auto g = cg::coalesced_threads(); int v; int2 w; if (g.thread_rank() == 0) v = 5, w = make_int2(2, 3); "
        "w = g.shfl(w, 0); x[threadIdx.x] = g.shfl(v, {}) * (w.y - w.x);"
    )
    assert run(body.format(0))[:33].tolist() == [5] * 32 + [0]
    with pytest.raises(UninitializedReadError, match="v is read before it has a value"):
        run(body.format(1))


def test_a_struct_that_only_the_lane_that_is_read_has_set():
    struct = (
        TILE
        + "struct In { int v; }; struct P { int a; In in; } p; if (tile.thread_rank() == 3) p.a = 7; "
    )
    exchanged = (
        struct
        + "if (tile.thread_rank() == 3) p.in.v = threadIdx.x; p = tile.shfl(p, %d); x[threadIdx.x] = "
    )
    assert (
        run(exchanged % 3 + "p.a + p.in.v;")[:32].tolist()
        == [10] * 8 + [18] * 8 + [26] * 8 + [34] * 8
    )
    assert run(exchanged % 3 + "p.a + ((char*)&p)[4] - ((char*)&p)[4];")[31] == 7
    with pytest.raises(UninitializedReadError, match="p.a is read before it has a value"):
        run(exchanged % 2 + "p.a;")
    with pytest.raises(UninitializedReadError, match="p.in.v is read before it has a value"):
        run(struct + "p = tile.shfl(p, 3);")


def test_the_barrier_of_a_tile_orders_its_lanes_and_no_others():
    exchange = "__shared__ int s[64]; s[threadIdx.x] = threadIdx.x; {}.sync(); x[threadIdx.x] = s[threadIdx.x ^ {}];"
    assert run(TILE + exchange.replace("{}", "tile", 1).replace("{}", "7")).tolist()[:9] == [
        *range(7, -1, -1),
        15,
    ]
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


@pytest.mark.parametrize(("block", "most"), [(1024, 264), (1000, 264), (160, 1584), (32, 4224)])
def test_a_cooperative_launch_has_no_more_blocks_than_run_at_once(block, most):
    run(GRID + "grid.sync();", grid=most, block=block, cooperative=True)
    with pytest.raises(LaunchError, match=f"of {most + 1:,} blocks.*holds at most {most:,}"):
        run(GRID + "grid.sync();", grid=most + 1, block=block, cooperative=True)


def test_the_barrier_of_the_grid_needs_all_blocks():
    with pytest.raises(
        BarrierError, match=r"32 threads of the grid do not reach this grid.sync\(\)"
    ):
        run(GRID + "if (blockIdx.x < 3) grid.sync();", grid=4, cooperative=True)
    run(GRID + "if (blockIdx.x == 3) return; grid.sync();", grid=4, cooperative=True)


def test_many_blocks_wait_for_each_other():
    x = run(
        GRID + "if (threadIdx.x == 0) atomicAdd(x, 1); grid.sync(); if (i == 0) x[1] = x[0];",
        grid=100,
        block=256,
        cooperative=True,
    )
    assert x[0] == x[1] == 100


def test_reductions_of_any_number_of_lanes():
    sizes = (1, 2, 3, 7, 8, 12, 31, 32)
    x = run(
        "int t = threadIdx.x; "
        + " ".join(
            f"if (t < {n}) {{ auto g = cg::coalesced_threads(); x[{32 * k} + t] = "
            "cg::reduce(g, t * t + 1, cg::plus<int>()) * 100 "
            "+ cg::reduce(g, t ^ 5, cg::less<int>()); }"
            for k, n in enumerate(sizes)
        )
    )
    for k, n in enumerate(sizes):
        expected = sum(t * t + 1 for t in range(n)) * 100 + min(t ^ 5 for t in range(n))
        assert x[32 * k : 32 * k + 32].tolist() == [expected] * n + [0] * (32 - n)


def test_scans_of_any_number_of_lanes():
    sizes = (1, 2, 3, 7, 8, 12, 31, 32)
    for scan, expected in (
        ("inclusive_scan(g, t + 1, cg::plus<int>())", lambda t: (t + 1) * (t + 2) // 2),
        (
            "inclusive_scan(g, (t * 7) % 10 - 5, cg::greater<int>())",
            lambda t: max((k * 7) % 10 - 5 for k in range(t + 1)),
        ),
        ("exclusive_scan(g, t + 1)", lambda t: t * (t + 1) // 2),
        (
            "exclusive_scan(g, 1 << t % 30, cg::bit_or<int>())",
            lambda t: sum({1 << k % 30 for k in range(t)}),
        ),
    ):
        x = run(
            "int t = threadIdx.x; "
            + " ".join(
                f"if (t < {n}) {{ auto g = cg::coalesced_threads(); x[{32 * k} + t] = cg::{scan}; }}"
                for k, n in enumerate(sizes)
            )
        )
        for k, n in enumerate(sizes):
            assert x[32 * k : 32 * k + n].tolist() == [expected(t) for t in range(n)], (scan, n)


def test_floats_are_added_pair_by_pair():
    """In tiles, and in groups of a power of two; else one after the other."""
    numbers = np.array([1e8, 1, -1e8, 3, 5e7, 2, 7, 11], np.float32)
    values = f"float v[8] = {{{', '.join(map(str, numbers))}}}; int t = threadIdx.x; float w = v[t % 8]; "
    x = run(
        TILE
        + values
        + "x[t] = __float_as_int(cg::reduce(tile, w, cg::plus<float>())); if (t < 5) { "
        "auto g = cg::coalesced_threads(); x[64 + t] = __float_as_int(cg::reduce(g, w, cg::plus<float>())); }"
    )
    pairs = numbers
    for step in (4, 2, 1):
        pairs = pairs + pairs[np.arange(8) ^ step]
    assert x[:32].view(np.float32).tolist() == pairs.tolist() * 4
    assert x[64:69].view(np.float32).tolist() == [np.add.accumulate(numbers[:5])[-1]] * 5
    assert pairs[0] != np.add.accumulate(numbers)[-1]


def test_vectors_and_structs_are_exchanged_part_by_part():
    x = run(
        TILE + "int t = threadIdx.x; int2 v = make_int2(t, -t); int2 w = tile.shfl_xor(v, 3); "
        "struct P { int a; float b; } p = {t, t * 0.5f}; P q = tile.shfl(p, 2); "
        "x[t] = w.x; x[32 + t] = w.y; x[64 + t] = q.a; x[96 + t] = q.b * 2;"
    )
    lanes = np.arange(32)
    assert (
        x[:64].tolist() == [*(lanes ^ 3), *-(lanes ^ 3)]
        and x[64:128].tolist() == [*(lanes // 8 * 8 + 2)] * 2
    )

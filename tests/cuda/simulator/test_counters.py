"""Counters against numbers derived by hand, per warp of 32 lanes."""

import re

import numpy as np
import pytest

from nnlib.cuda import RawKernel

from . import kernel, run

MATMUL = """
#define TILE 16
extern "C" __global__ void naive(const float* A, const float* B, float* C, int n) {
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < n; k++)
        sum += A[row * n + k] * B[k * n + col];
    C[row * n + col] = sum;
}
extern "C" __global__ void tiled(const float* A, const float* B, float* C, int n) {
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float sum = 0.0f;
    for (int t = 0; t < n / TILE; t++) {
        As[ty][tx] = A[row * n + t * TILE + tx];
        Bs[ty][tx] = B[(t * TILE + ty) * n + col];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    C[row * n + col] = sum;
}
"""


def counted(body, block=32, grid=1, elements=4096, before="", **options):
    o = np.zeros(elements, np.float32)
    return run(
        kernel("float* o", "int t = threadIdx.x;\n" + body, before),
        [o],
        block,
        grid,
        profile=True,
        **options,
    )


def test_matmul():
    n = 128
    a = np.ones((n, n), np.float32)
    c = np.zeros_like(a)
    naive = run(MATMUL, [a, a, c, np.int32(n)], (16, 16), (8, 8), "naive", profile=True)
    # 512 warps x 128 steps x 2 loads; each touches 2 sectors: two rows of A, or 64 bytes of B
    assert (naive.global_load.requests, naive.global_load.sectors) == (131_072, 262_144)
    assert (naive.global_store.requests, naive.global_store.sectors) == (512, 2048)
    assert naive.flops == 2 * n**3 and naive.active_lanes == 32 and naive.divergent_branches == 0
    tiled = run(MATMUL, [a, a, c, np.int32(n)], (16, 16), (8, 8), "tiled", profile=True)
    assert (tiled.global_load.requests, tiled.global_load.sectors) == (8192, 32_768)
    assert (tiled.shared_load.requests, tiled.shared_load.bank_conflicts) == (131_072, 0)
    assert (
        tiled.lines[19].shared_load.requests == 131_072
        and tiled.lines[15].shared_store.requests == 4096
    )
    assert (
        tiled.bytes_moved == 32 * (32_768 + 2048)
        and tiled.arithmetic_intensity == 2 * n**3 / tiled.bytes_moved
    )


def test_lanes_that_are_left_out():
    profile = counted("if (t < 40)\n    o[t] = o[t + 64];", 64)
    assert profile.lines[4].global_load.sectors == 5 and profile.lines[4].global_load.bytes == 160
    assert profile.lines[4].active_lanes == 20
    assert (profile.branches, profile.divergent_branches) == (2, 1)


def test_sample_of_blocks():
    o = np.zeros(64 * 100, np.float32)
    text = kernel("float* o", "o[blockIdx.x * 64 + threadIdx.x] = 1;")
    profile = run(text, [o], 64, 100, profile=True, max_blocks=10)
    assert profile.global_store.requests == 20 and (
        profile.blocks_sampled,
        profile.blocks_total,
    ) == (10, 100)
    assert np.flatnonzero(profile.touched("o")[1]).tolist() == [
        11 * k * 64 + t for k in range(10) for t in range(64)
    ]
    assert "10 of 100 blocks" in str(profile) and "10 of 100 blocks" in profile._repr_html_()
    assert not o.any()


def test_accesses_and_heat_map():
    x, o = np.zeros(128, np.float32), np.zeros(128, np.float32)
    body = "__shared__ float s[64]; int t = threadIdx.x; s[t] = x[2 * t];\no[t / 2 * 2] = s[t];"
    profile = run(kernel("const float* x, float* o", body), [x, o], 64, 1, profile=True)
    lanes = [a for a in profile.accesses(2, warp=1) if a.name == "x"]
    assert [a.index for a in lanes] == list(range(64, 128, 2)) and [a.lane for a in lanes] == list(
        range(32)
    )
    assert lanes[4].sector == 72 * 4 // 32 and lanes[4].address == 288
    assert [a.bank for a in profile.accesses(2, warp=1) if a.name == "s"] == list(range(32))
    read, written = profile.touched("x")
    assert read[::2].tolist() == [1] * 64 and not read[1::2].any() and not written.any()
    assert profile.touched("o")[1][:64:2].tolist() == [2] * 32
    with pytest.raises(KeyError, match="'p'"):
        profile.touched("p")
    with pytest.raises(ValueError, match="for the first 1 blocks, not for 1"):
        profile.accesses(2, block=1)


def test_accesses_of_a_later_block_whose_last_warp_is_not_full():
    x, o = np.zeros(120, np.float32), np.zeros(120, np.float32)
    body = "int i = blockIdx.x * blockDim.x + threadIdx.x;\no[i] = x[i];"
    profile = run(kernel("const float* x, float* o", body), [x, o], 40, 3, profile=True)
    for warp, first, lanes in ((0, 80, 32), (1, 112, 8)):
        read = [a.index for a in profile.accesses(3, warp=warp, block=2) if a.name == "x"]
        assert read == list(range(first, first + lanes))


def test_tables_show_every_line_with_counters():
    text = kernel("float* o", "int t = threadIdx.x;\nif (t < 20 && t > 3) o[t] = 1.0f;")
    profile = RawKernel(text, "k").profile(1, 32, (np.zeros(32, np.float32),))
    assert (
        "o[t] = 1.0f" in str(profile) and "t &lt; 20 &amp;&amp; t &gt; 3" in profile._repr_html_()
    )
    assert "k: grid 1 x 1 x 1, block 32 x 1 x 1" in str(profile)


TABLE = """\
k: grid 2 x 1 x 1, block 40 x 1 x 1
  global_load   6 requests, 18 sectors (3.00 per request)
  global_store  4 requests, 10 sectors (2.50 per request)
  shared_load   4 requests, 4 wavefronts, 0 bank conflicts
  shared_store  4 requests, 8 wavefronts, 4 bank conflicts
  global_atomic 2 requests
  shared_atomic 2 requests
  bytes         544 asked for, 896 moved
  flops         164 (0.18 per byte moved)
  branches      16, of which 8 diverge
  active lanes  18.8 of 32

 line lanes   g.load req  g.load sect  g.store req g.store sect   s.load req  s.store req s.store confl        flops
    3  28.0            2            8                                                   4            4          128
    4  20.0
    5  20.0
    6  14.0            4           10            4           10            4                                     36
    7  16.2"""


def test_the_whole_table():
    """A load of 32 threads, one of 18 in two warps, a store with conflicts in pairs: of each of the two blocks."""
    body = (
        "__shared__ float s[64]; int t = threadIdx.x;\nif (t < 32) s[2 * t] = s[2 * t + 1] = x[t] * 2.0f + 1.0f;\n"
        "__syncthreads();\nif (t < 20) atomicAdd(&s[63], 1.0f);\n"
        "if (t % 2 == 0 && t < 36) o[40 * blockIdx.x + t] = s[t] + x[t];\nif (t == 1) atomicAdd(o + 79, 1.0f);"
    )
    text = kernel("const float* x, float* o", body)
    profile = RawKernel(text, "k").profile(
        2, 40, (np.zeros(40, np.float32), np.zeros(80, np.float32))
    )
    sources = ["source", *(line.strip() for line in body.splitlines()[1:])]
    told = str(profile).splitlines()
    for line, source in zip(told[-6:], sources, strict=True):
        assert line.endswith("  " + source)
    told[-6:] = [
        line[: -len(source)].rstrip() for line, source in zip(told[-6:], sources, strict=True)
    ]
    assert told == TABLE.splitlines()
    page = profile._repr_html_()
    for line in TABLE.splitlines()[1:11]:
        assert f">{line[2:16].strip()}</th><td style='text-align:left'>{line[16:]}</td>" in page
    assert re.findall(r"<th>([^<]*)</th>", page) == [
        "line",
        "lanes",
        *re.findall(r"[gs]\.\w+ \w+|flops", told[-6]),
    ]
    assert re.findall(r"<tr><td>(\d)</td><td>([\d.]+)</td>", page) == [
        (line[4], line[7:11]) for line in told[-5:]
    ]
    assert (
        "<td>4</td><td>10</td><td>4</td><td>10</td><td>4</td><td></td><td></td><td>36</td>" in page
    )
    assert profile.arithmetic_intensity == 164 / 896 and profile.lines[5].active_lanes == 20

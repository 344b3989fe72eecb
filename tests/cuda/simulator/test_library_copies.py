"""cuda/pipeline, cuda/barrier, cooperative_groups/memcpy_async.h: texts over the asynchronous copies of the machine."""

from __future__ import annotations

import numpy as np
import pytest

from nnlib.cuda import RawKernel, force_simulator

HEADERS = """#include <cuda/pipeline>
#include <cuda/barrier>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
using barrier = cuda::barrier<cuda::thread_scope_block>;
"""
START = """extern "C" __global__ void k(const float* x, float* y, int n) {
    __shared__ alignas(16) float s[2][64];
    auto block = cg::this_thread_block();
    int t = threadIdx.x;
"""
THREADS, ROWS = 64, 4

# Each row of x backwards and doubled.
RIGHT = {
    "own pipeline": """auto pipe = cuda::make_pipeline();
    for (int row = 0; row < n; row++) {
        pipe.producer_acquire();
        cuda::memcpy_async(&s[row % 2][t], &x[row * 64 + t], sizeof(float), pipe);
        pipe.producer_commit();
        pipe.consumer_wait();
        __syncthreads();
        y[row * 64 + t] = 2 * s[row % 2][63 - t];
        pipe.consumer_release();
    }""",
    "two stages of a thread": """cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
    const auto four = cuda::aligned_size_t<alignof(float4)>(sizeof(float4));
    for (int row = 0, next = 0; row < n; row++) {
        for (; next < n && next < row + 2; next++) {
            pipe.producer_acquire();
            if (4 * t < 64) cuda::memcpy_async(&s[next % 2][4 * t], &x[next * 64 + 4 * t], four, pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        __syncthreads();
        y[row * 64 + t] = 2 * s[row % 2][63 - t];
        __syncthreads();
    }""",
    "waiting for all but one": """auto pipe = cuda::make_pipeline();
    for (int row = 0; row <= n; row++) {
        if (row < n) cuda::memcpy_async(&s[row % 2][t], &x[row * 64 + t], sizeof(float), pipe);
        pipe.producer_commit();
        if (row == 0) continue;
        cuda::pipeline_consumer_wait_prior<1>(pipe);
        __syncthreads();
        y[(row - 1) * 64 + t] = 2 * s[(row - 1) % 2][63 - t];
        __syncthreads();
    }""",
    "pipeline of a block": """
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto pipe = cuda::make_pipeline(block, &state);
    for (int row = 0, next = 0; row < n; row++) {
        for (; next < n && next < row + 2; next++) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, s[next % 2], x + next * 64, cuda::aligned_size_t<16>(256), pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        y[row * 64 + t] = 2 * s[row % 2][63 - t];
        pipe.consumer_release();
    }""",
    "two barriers in turn": """__shared__ barrier bars[2];
    if (block.thread_rank() < 2) init(&bars[block.thread_rank()], block.size());
    block.sync();
    cuda::memcpy_async(block, s[0], x, sizeof(float) * 64, bars[0]);
    for (int row = 0; row < n; row++) {
        if (row + 1 < n) cuda::memcpy_async(&s[(row + 1) % 2][t], &x[row * 64 + 64 + t], 4, bars[(row + 1) % 2]);
        barrier::arrival_token token = bars[row % 2].arrive();
        bars[row % 2].wait(std::move(token));
        y[row * 64 + t] = 2 * s[row % 2][63 - t];
        block.sync();
    }""",
    "a barrier for each warp's copies": """__shared__ barrier a, b;
    if (t == 0) { init(&a, 64); init(&b, 64); }
    block.sync();
    for (int row = 0; row < n; row++) {
        cuda::memcpy_async(&s[0][t], &x[row * 64 + t], 4, t < 32 ? a : b);
        a.arrive_and_wait();
        b.arrive_and_wait();
        y[row * 64 + t] = 2 * s[0][63 - t];
        block.sync();
    }""",
    "batches of a group": """cg::memcpy_async(block, s[0], x, sizeof(float) * 64);
    for (int row = 0; row < n; row++) {
        if (row + 1 < n) cg::memcpy_async(block, s[(row + 1) % 2], x + 64 * (row + 1), cuda::aligned_size_t<16>(256));
        if (row + 1 < n) cg::wait_prior<1>(block); else cg::wait(block);
        y[row * 64 + t] = 2 * s[row % 2][63 - t];
        block.sync();
    }""",
    "by bytes": """__shared__ char bytes[256];
    for (int row = 0; row < n; row++) {
        cg::memcpy_async(block, bytes, (const char*)(x + 64 * row), 256);
        cg::wait(block);
        y[row * 64 + t] = 2 * ((float*)bytes)[63 - t];
        block.sync();
    }""",
}


def launch(body):
    x, y = np.arange(THREADS * ROWS, dtype=np.float32), np.zeros(THREADS * ROWS, np.float32)
    RawKernel(
        HEADERS + START + body + "}",
        "k",
        options=("-I/usr/local/cuda/include", "-I/usr/local/cuda/include/cccl", "-std=c++17"),
    )(1, THREADS, (x, y, ROWS))
    return y


def reversed_rows():
    return 2 * np.arange(THREADS * ROWS, dtype=np.float32).reshape(ROWS, THREADS)[:, ::-1].ravel()


def test_their_costs_stand_at_the_line_that_calls_them():
    text = (
        HEADERS
        + START
        + """    cg::memcpy_async(block, s[0], x, cuda::aligned_size_t<16>(256));
    cg::wait(block);\n    y[t] = s[0][t]; }"""
    )
    profile = RawKernel(text, "k").profile(
        1, 64, (np.zeros(64, np.float32), np.zeros(64, np.float32), 1)
    )
    assert profile.global_load.sectors == 8
    first = (HEADERS + START).count("\n") + 1
    assert [number for number, line in profile.lines.items() if line.global_load.requests] == [
        first
    ]


def test_a_group_reduces_by_an_operation_of_ones_own():
    text = (
        HEADERS
        + """struct Pair { float most; int at; };
    __device__ Pair larger(Pair a, Pair b) { return a.most > b.most ? a : b; }
    extern "C" __global__ void k(const float* x, float* y, int n) {
        auto tile = cg::tiled_partition<32>(cg::this_thread_block());
        Pair own = {x[threadIdx.x], (int)threadIdx.x};
        Pair best = cg::reduce(tile, own, larger);
        y[threadIdx.x] = best.at + cg::reduce(tile, x[threadIdx.x], [](float a, float b) { return fminf(a, b); });
    }"""
    )
    x, y = np.random.default_rng(1).random(64, np.float32), np.zeros(64, np.float32)
    with force_simulator():
        RawKernel(text, "k")(1, 64, (x, y, 0))
    rows = x.reshape(2, 32)
    wanted = rows.argmax(1) + np.array([0, 32]) + rows.min(1)
    np.testing.assert_allclose(y, np.repeat(wanted, 32).astype(np.float32))


@pytest.mark.gpu
@pytest.mark.parametrize("name", RIGHT)
def test_a_gpu_takes_them_too(name):
    np.testing.assert_array_equal(launch(RIGHT[name]), reversed_rows())

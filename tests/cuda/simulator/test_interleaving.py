"""Warps in another order: a race shows in the numbers, an atomic and a barrier do not let it."""

import numpy as np
import pytest

from nnlib.cuda import RawKernel
from nnlib.cuda._engine.errors import KernelTimeoutError, LaunchError, OutOfBoundsError

from . import kernel

REVERSE = """__shared__ float s[128];
int t = threadIdx.x;
s[t] = x[blockIdx.x * 128 + t];
%s
out[blockIdx.x * 128 + t] = s[127 - t];"""
TILES = """__shared__ float s[64];
float sum = 0;
for (int k = 0; k < 3; k++) {
    s[threadIdx.x] = x[64 * k + threadIdx.x];
    __syncthreads();
    sum += s[63 - threadIdx.x];
    %s
}
out[threadIdx.x] = sum;"""


def results(parameters, body, args, block, grid=1, orders=8):
    made = RawKernel(kernel(parameters, body), "k")
    before = [np.copy(array) for array in args]
    found = [
        next(iter(made.interleave(grid, block, args, order=order).results.values()))
        for order in range(orders)
    ]
    assert all(np.array_equal(now, old) for now, old in zip(args, before, strict=True))
    return found


def test_increments_are_lost():
    counts = {
        float(end[0])
        for end in results("float* c", "c[0] += 1.0f;", [np.zeros(1, np.float32)], 128, orders=12)
    }
    # Warps lose those of their lanes in any case
    assert 4.0 in counts and len(counts) > 1 and max(counts) == 4.0


def test_atomics_lose_none():
    ends = results("float* c", "atomicAdd(&c[0], 1.0f);", [np.zeros(1, np.float32)], (32, 4), 3)
    assert [float(end[0]) for end in ends] == [384.0] * 8


def test_old_values_of_atomics_are_remembered():
    ends = results(
        "int* c, int* out",
        "int old = atomicAdd(&c[0], 1); out[old] = threadIdx.x / 32; c[1] = 1;",
        [np.zeros(2, np.int32), np.full(128, -1, np.int32)],
        128,
    )
    assert all(end.tolist() == [128, 1] for end in ends)


def test_a_run_finds_variables_as_the_one_before_found_them():
    made = RawKernel(kernel("int* c", "n += 1; c[0] = n;", "__device__ int n;"), "k")
    assert [
        int(made.interleave(1, 1, (np.zeros(1, np.int32),)).results["c"][0]) for _ in range(2)
    ] == [1, 1]


@pytest.mark.parametrize("barrier, right", [("", False), ("__syncthreads();", True)])
def test_a_missing_barrier_shows_old_values(barrier, right):
    x, out = np.arange(1, 257, dtype=np.float32), np.zeros(256, np.float32)
    wanted = x.reshape(2, 128)[:, ::-1].ravel()
    ends = results("const float* x, float* out", REVERSE % barrier, [x, out], 128, 2)
    assert all(np.array_equal(end, wanted) for end in ends) == right
    assert right or not any(np.array_equal(end, wanted) for end in ends[:2])


@pytest.mark.parametrize("barrier, right", [("", False), ("__syncthreads();", True)])
def test_the_second_barrier_of_a_tile(barrier, right):
    x = np.arange(192, dtype=np.float32)
    ends = results("const float* x, float* out", TILES % barrier, [x, np.zeros(64, np.float32)], 64)
    assert all(np.array_equal(end, x.reshape(3, 64).sum(0)[::-1]) for end in ends) == right


@pytest.mark.parametrize("stay", [40, 32])  # a part of a warp leaves, or all of it
def test_threads_that_leave_early_are_not_waited_for(stay):
    ends = results(
        "float* x",
        f"if (threadIdx.x >= {stay}) return; __syncthreads(); x[threadIdx.x] = 1;",
        [np.zeros(64, np.float32)],
        64,
    )
    assert all(end.sum() == stay for end in ends)


def test_turns_say_who_did_what():
    made = RawKernel(kernel("float* c", "c[0] += 1.0f;"), "k")
    turns = made.interleave(1, 64, (np.zeros(1, np.float32),), order=1).turns
    assert [(t.warp, t.kind, t.index, float(t.value)) for t in turns] == [
        (1, "read", 0, 0),
        (1, "write", 0, 1),
        (0, "read", 0, 1),
        (0, "write", 0, 2),
    ]
    assert turns[0].line == 2 and turns[0].name == "c"


@pytest.mark.parametrize("order", range(8))
def test_every_read_finds_what_was_written_last(order):
    """Also those that a warp makes before its turn."""
    body = "for (int i = 0; i < 6; i++) { int seen = c[i] + c[2]; if (seen < 40) c[i] = c[(seen + i) % 6] + 1; }"
    turns = (
        RawKernel(kernel("int* c", body), "k")
        .interleave(2, 64, (np.zeros(6, np.int32),), order=order)
        .turns
    )
    memory = [0] * 6
    for turn in turns:
        if turn.kind == "write":
            memory[turn.index] = turn.value
        assert memory[turn.index] == turn.value
    assert max(memory) > 0


def test_a_warp_that_waits_for_another_lets_it_run():
    """Whichever comes first: the last warp sets the flag that the first one waits for."""
    body = """if (threadIdx.x == 0) while (atomicAdd(flag, 0) == 0) ;
        if (threadIdx.x == 32) atomicExch(flag, 1);"""
    ends = results("int* flag", body, [np.zeros(1, np.int32)], 64)
    assert all(end.tolist() == [1] for end in ends)


def test_warps_that_wait_forever_are_reported():
    waits = RawKernel(kernel("int* flag", "while (atomicAdd(flag, 0) == 0) ;"), "k")
    with pytest.raises(KernelTimeoutError, match="waits for flag"):
        waits.interleave(1, 64, (np.zeros(1, np.int32),))


def test_what_cannot_be_run():
    made = RawKernel(kernel("float* c", "for (int i = 0; i < 3000; i++) c[0] += 1.0f;"), "k")
    with pytest.raises(KernelTimeoutError, match="2,000 accesses"):
        made.interleave(1, 32, (np.zeros(1, np.float32),))
    with pytest.raises(OutOfBoundsError):
        RawKernel(kernel("float* c", "c[threadIdx.x] = 1;"), "k").interleave(
            1, 32, (np.zeros(1, np.float32),)
        )
    bounded = RawKernel(
        kernel("float* c", "c[0] = 1;").replace("void", "void __launch_bounds__(64)"), "k"
    )
    bounded.interleave(1, 64, (np.zeros(1, np.float32),))
    with pytest.raises(LaunchError, match="65 threads"):
        bounded.interleave(1, 65, (np.zeros(1, np.float32),))
    with pytest.raises(LaunchError, match="order"):
        made.interleave(1, 32, (np.zeros(1, np.float32),), order=-1)

"""Threads and blocks that wait for each other finish as on a GPU; what never ends is told, what is only long is not."""

import numpy as np
import pytest

from nnlib.cuda import (
    BarrierError,
    KernelTimeoutError,
    RawModule,
    checks,
    force_simulator,
)
from nnlib.cuda._engine.simulator.running import launching, progress
from nnlib.cuda._engine.simulator.running.launching import CHUNK_THREADS

from . import kernel, run

LOCK = """__device__ int lock; __device__ int total;
__device__ void take() { while (atomicCAS(&lock, 0, 1) != 0) ; __threadfence(); }
__device__ void give() { __threadfence(); atomicExch(&lock, 0); }
"""


@pytest.mark.parametrize("checked", [True, False])
@pytest.mark.parametrize(
    "to", ["blockIdx.x + 1", "blockIdx.x - 1"]
)  # the first block waits, or the last
def test_blocks_in_a_row(to, checked, monkeypatch):
    """Each block waits for its neighbour's sum, as in a scan with look-back; in one chunk and in several."""
    text = kernel(
        "int* x, int* flag",
        f"""__shared__ int before; int b = blockIdx.x, other = {to};
        if (threadIdx.x == 0) {{
            before = 0;
            if (other >= 0 && other < gridDim.x) {{ while (atomicAdd(&flag[other], 0) == 0) ; before = x[other]; }}
            x[b] += before; __threadfence(); atomicExch(&flag[b], 1);
        }} __syncthreads(); if (threadIdx.x == 1 && before < 0) x[b] = 0;""",
    )
    for chunk in (16_384, 64):
        monkeypatch.setattr(launching, "CHUNK_THREADS", chunk)
        x = np.ones(20, np.int32)
        run(text, [x, np.zeros(20, np.int32)], 64, 20, checks=checked)
        assert sorted(x.tolist()) == list(range(1, 21))


def test_the_profile_of_threads_that_wait_has_what_they_touched():
    x, o = np.zeros(16, np.float32), np.zeros(1, np.float32)
    body = "take(); for (int k = 0; k < 4; k++) o[0] += x[threadIdx.x + k]; give();"
    profile = run(kernel("const float* x, float* o", body, LOCK), [x, o], 8, 2, profile=True)
    assert profile.touched("x")[0][:11].tolist() == [2, 4, 6, 8, 8, 8, 8, 8, 6, 4, 2]
    assert [int(times[0]) for times in profile.touched("o")] == [64, 64]


def test_a_long_loop_is_looked_at_for_some_turns(monkeypatch):
    """Looking costs time: of 1500 turns those from the 200th on, for 128 of them, and from then on ever more rarely."""
    monkeypatch.setattr(progress, "FIRST_LOOK", 200)
    seen = []

    class Watched(progress.Changes):
        def store(self, access):
            seen.append(access)
            super().store(access)

    monkeypatch.setattr(progress, "Changes", Watched)
    run(kernel("int* o", "for (int i = 0; i < 1500; i++) o[0] = i;"), [np.zeros(1, np.int32)], 1)
    assert 128 <= len(seen) <= 3 * 129


def test_what_was_printed_before_the_new_start_is_printed_once(capsys):
    run(
        kernel("int* o", 'printf("%d ", threadIdx.x); take(); o[0] += 1; give();', LOCK),
        [np.zeros(1, np.int32)],
        4,
    )
    assert sorted(capsys.readouterr().out.split()) == ["0", "1", "2", "3"]


def test_a_sample_may_lack_the_block_that_is_waited_for():
    text = kernel(
        "int* flag",
        "if (blockIdx.x == 0) while (atomicAdd(flag, 0) == 0) ;\n"
        "if (blockIdx.x == 5) atomicExch(flag, 1);",
    )
    run(text, [np.zeros(1, np.int32)], 1, 10, profile=True)
    with pytest.raises(KernelTimeoutError, match="max_blocks leaves out"):
        run(text, [np.zeros(1, np.int32)], 1, 10, profile=True, max_blocks=2)


@pytest.mark.parametrize("checked", [True, False])
def test_a_long_loop_is_not_endless(checked, monkeypatch, capsys):
    monkeypatch.setattr(progress, "SILENCE", 10_000)
    x = np.zeros(1, np.float32)
    run(
        kernel(
            "float* x", "float sum = 0;\nfor (int i = 0; i < 300000; i++) sum += 1;\nx[0] = sum;"
        ),
        [x],
        1,
        checks=checked,
    )
    assert x[0] == 300_000
    told = capsys.readouterr().err.splitlines()
    assert 3 <= len(told) <= 6 and all(
        "is making progress, in the loop of line 3" in line for line in told
    )


TWO_BARRIERS = kernel(
    "float* x",
    """__shared__ float s[64]; int t = threadIdx.x; s[t] = x[t];
    if (t < 32) { __syncthreads(); x[t] = s[t + 32]; }
    else { __syncthreads(); x[t] = s[t - 32]; }""",
)


def test_two_barriers_run_as_on_a_gpu_where_that_check_is_off():
    x = np.arange(64, dtype=np.float32)
    with pytest.raises(BarrierError, match="the guide leaves undefined"):
        run(TWO_BARRIERS, [x], 64)
    swap = RawModule(TWO_BARRIERS).get_function("k")
    with force_simulator(), checks(False, "barriers"):
        swap(1, 64, (x,))
    np.testing.assert_array_equal(x, np.roll(np.arange(64), 32))
    with force_simulator():
        swap(1, 64, (x,), checks=False)
        swap(1, 64, (x,), checks={"bounds", "races"})
        with pytest.raises(BarrierError):
            swap(1, 64, (x,), checks={"barriers"})
    np.testing.assert_array_equal(x, np.roll(np.arange(64), 32))


def test_unknown_checks_are_named():
    with pytest.raises(
        ValueError, match="no check is called 'race'; there are bounds, async copies"
    ):
        checks(False, "race")


@pytest.mark.parametrize("cycles", [1000, 10_000, 12_345_000])
def test_who_waits_for_a_time_waits_a_little_longer(cycles):
    waited = np.zeros(2, np.int64)
    run(
        kernel(
            "long long* o",
            f"long long begin = clock64(), now = 0; while (now < {cycles}) now = clock64() - begin; "
            "o[threadIdx.x] = now;",
        ),
        [waited],
        2,
    )
    assert (waited > cycles).all() and (waited < cycles + 2000).all()


def test_to_sleep_takes_two_cycles_a_nanosecond():
    slept = np.zeros(1, np.int64)
    run(
        kernel(
            "long long* o",
            "long long begin = clock64(); __nanosleep(100000); o[0] = clock64() - begin;",
        ),
        [slept],
        1,
    )
    assert 200_000 < slept[0] < 202_000


def test_a_step_limit_counts_the_iterations_of_all_chunks():
    text = kernel(
        "int* o", "int s = 0; for (int i = 0; i < 100; i++) s += i % 7; o[threadIdx.x] = s;"
    )
    blocks = (
        3 * CHUNK_THREADS // 1024
    )  # three chunks, each of whose iterations counts for all its threads
    taken = 3 * 101 * (1 + CHUNK_THREADS // 1024)
    run(text, [np.zeros(1024, np.int32)], 1024, blocks, checks=False, step_limit=taken)
    with pytest.raises(KernelTimeoutError, match="in all, its step_limit"):
        run(text, [np.zeros(1024, np.int32)], 1024, blocks, checks=False, step_limit=taken - 40)

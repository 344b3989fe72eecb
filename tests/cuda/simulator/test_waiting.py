"""Threads and blocks that wait for each other finish as on a GPU; what never ends is told, what is only long is not."""

import numpy as np
import pytest

from nnlib.cuda import (
    BarrierError,
    KernelTimeoutError,
    RaceError,
    RawModule,
    UnsupportedError,
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
@pytest.mark.parametrize("block, grid", [(1, 6), (8, 1), (33, 1), (4, 5)])
def test_spin_lock(block, grid, checked):
    """Every thread takes the lock: also lanes of one warp, which a GPU runs one by one since Volta."""
    text = kernel("int* o", "take(); o[0] = o[0] + 1; give();", LOCK)
    o = np.zeros(1, np.int32)
    run(text, [o], block, grid, checks=checked)
    assert o[0] == block * grid


def test_a_lock_without_fences_is_a_race():
    text = kernel(
        "int* o", "take(); o[0] = o[0] + 1; give();", LOCK.replace("__threadfence();", "")
    )
    with pytest.raises(RaceError, match=r"o\[0\]"):
        run(text, [np.zeros(1, np.int32)], 1, 4)


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


@pytest.mark.parametrize("block, grid, ends", [(256, 16, True), (241, 17, False)])
def test_up_to_4096_threads_wait_for_each_other(block, grid, ends):
    text = kernel(
        "int* flag",
        "int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "if (i == 0) while (atomicAdd(flag, 0) == 0) ;\nelse if (i == 1) atomicExch(flag, 1);",
    )
    if ends:
        run(text, [np.zeros(1, np.int32)], block, grid, checks=False)
    else:
        with pytest.raises(KernelTimeoutError, match="waits for flag"):
            run(text, [np.zeros(1, np.int32)], block, grid, checks=False)


def test_the_profile_of_threads_that_wait_has_what_they_touched():
    x, o = np.zeros(16, np.float32), np.zeros(1, np.float32)
    body = "take(); for (int k = 0; k < 4; k++) o[0] += x[threadIdx.x + k]; give();"
    profile = run(kernel("const float* x, float* o", body, LOCK), [x, o], 8, 2, profile=True)
    assert profile.touched("x")[0][:11].tolist() == [2, 4, 6, 8, 8, 8, 8, 8, 6, 4, 2]
    assert [int(times[0]) for times in profile.touched("o")] == [64, 64]


def in_a_row(flag, wait, fence="__threadfence();"):
    """Each block adds its neighbour's sum, and sets a flag. The sums of 20 blocks."""
    text = kernel(
        f"int* x, {flag}",
        f"""if (threadIdx.x == 0) {{ int b = blockIdx.x, state = 1;
        if (b > 0) {{ {wait} x[b] += x[b - 1]; }} {fence} flag[b] = state; }}""",
    )
    x = np.ones(20, np.int32)
    run(text, [x, np.zeros(20, np.int32)], 32, 20)
    return x.tolist()


@pytest.mark.parametrize(
    "flag, wait",
    [
        ("volatile int* flag", "while (flag[b - 1] == 0) ;"),
        ("volatile int* flag", "do state = flag[b - 1]; while (state == 0);"),
        ("volatile int* const __restrict__ flag", "for (; !flag[b - 1]; ) { }"),
        ("volatile int flag[]", "volatile int& own = flag[b - 1]; while (!own) { }"),
    ],
)
def test_volatile_flags(flag, wait):
    assert in_a_row(flag, wait) == list(range(1, 21))
    with pytest.raises(RaceError, match=r"x\[\d+\](?s:.*)__threadfence\(\) before it"):
        in_a_row(flag, wait, fence="")


def test_flags_that_are_not_volatile():
    with pytest.raises(RaceError, match=r"flag\[0\](?s:.*)wait by atomics"):
        in_a_row("int* flag", "while (flag[b - 1] == 0) ;")


@pytest.mark.parametrize(
    "flag", ["__shared__ volatile int flag;", "__shared__ int flag_; volatile int& flag = flag_;"]
)
def test_warps_hand_over_by_a_volatile_flag(flag):
    body = """int t = threadIdx.x; __shared__ int value; %s if (t == 0) flag = 0; __syncthreads();
        if (t == 32) { value = 42; %s flag = 1; }
        if (t == 0) { while (flag == 0) ; __threadfence_block(); o[0] = value; }"""
    o = np.zeros(1, np.int32)
    run(kernel("int* o", body % (flag, "__threadfence_block();")), [o], 64)
    assert o[0] == 42
    with pytest.raises(RaceError, match="value"):
        run(kernel("int* o", body % (flag, "")), [o], 64)


def test_a_barrier_of_the_grid_made_of_an_atomic():
    text = kernel(
        "int* a, int* b, int* arrived",
        """int i = blockIdx.x * blockDim.x + threadIdx.x; a[i] = i;
        __threadfence(); __syncthreads();
        if (threadIdx.x == 0) { atomicAdd(arrived, 1); while (atomicAdd(arrived, 0) < gridDim.x) ; }
        __syncthreads(); b[i] = a[gridDim.x * blockDim.x - 1 - i];""",
    )
    a, b = np.zeros(256, np.int32), np.zeros(256, np.int32)
    run(text, [a, b, np.zeros(1, np.int32)], 32, 8)
    np.testing.assert_array_equal(b, np.arange(256)[::-1])


def test_warps_of_a_block_wait_for_each_other():
    text = kernel(
        "int* o",
        """__shared__ int s[64]; __shared__ int ready; int t = threadIdx.x;
        if (t == 0) ready = 0;
        __syncthreads();
        if (t < 32) { if (t == 0) while (atomicAdd(&ready, 0) == 0) ; __syncwarp(); o[t] = s[t + 32]; }
        else { s[t] = t; __threadfence_block(); __syncwarp(); if (t == 32) atomicExch(&ready, 1); }""",
    )
    o = np.zeros(32, np.int32)
    run(text, [o], 64)
    assert o.tolist() == list(range(32, 64))


def test_shuffles_and_barriers_of_strands():
    """Lanes that wait for one another between warp functions."""
    text = kernel(
        "int* o",
        """int t = threadIdx.x, v = t;
        take(); o[0] = o[0] + 1; give();
        __syncwarp(); v = __shfl_xor_sync(0xffffffff, v, 1); unsigned votes = __ballot_sync(0xffffffff, t < 5);
        __syncthreads(); o[1 + t] = v + (votes == (t / 32 ? 0 : 31)) * 100 + (o[0] == 64) * 1000;""",
        LOCK,
    )
    o = np.zeros(65, np.int32)
    run(text, [o], 64)
    assert o[1:].tolist() == [1100 + (t ^ 1) for t in range(64)]


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


def test_strands_that_meet_bring_their_own_values():
    """Those that took a lock come one after the other, and each knows its own value only."""
    text = kernel(
        "int* o",
        """int t = threadIdx.x, v = 0, to = 31; take(); o[0] = o[0] + 1; give();
        if (t % 3 == 0) { v = t; to = t / 2; }
        o[1 + t] = __shfl_sync(0xffffffff, v, to); o[33 + t] = __ballot_sync(0xffffffff, v > 9);""",
        LOCK,
    )
    o = np.zeros(65, np.int32)
    run(text, [o], 32)
    own = [t if t % 3 == 0 else 0 for t in range(32)]
    assert o[1:33].tolist() == [own[31 if t % 3 else t // 2] for t in range(32)]
    assert set(o[33:]) == {sum(1 << t for t in range(32) if own[t] > 9)}


def test_a_part_of_a_warp_meets_while_the_others_wait_for_it():
    text = kernel(
        "int* o",
        """int t = threadIdx.x, v = t; __shared__ int ready; if (t == 0) ready = 0;
        __syncwarp();
        if (t >= 16) { while (atomicAdd(&ready, 0) == 0) ; }
        else { v = __shfl_xor_sync(0xffff, t, 1); __syncwarp(0xffff); if (t == 0) atomicExch(&ready, 1); }
        o[t] = v;""",
    )
    o = np.zeros(32, np.int32)
    run(text, [o], 32)
    assert o.tolist() == [t ^ 1 if t < 16 else t for t in range(32)]


def test_strands_that_have_ended_are_not_waited_for():
    text = kernel(
        "int* o",
        "int t = threadIdx.x; take(); o[0] = o[0] + 1; give();\nif (t > 2) return;\n"
        "__syncthreads(); o[1 + t] = o[0];",
        LOCK,
    )
    o = np.zeros(4, np.int32)
    run(text, [o], 8)
    assert o.tolist() == [8] * 4


def test_what_was_printed_before_the_new_start_is_printed_once(capsys):
    run(
        kernel("int* o", 'printf("%d ", threadIdx.x); take(); o[0] += 1; give();', LOCK),
        [np.zeros(1, np.int32)],
        4,
    )
    assert sorted(capsys.readouterr().out.split()) == ["0", "1", "2", "3"]


@pytest.mark.parametrize("checked", [True, False])
@pytest.mark.parametrize(
    "parameters, body, block, grid, words",
    [
        ("int* x", "x[0] = 0;\nwhile (x[0] == 0) ;", 1, 1, r"waits for x\[0\], which stays 0"),
        (
            "int* x",
            "atomicExch(x, 0);\nwhile (atomicAdd(x, 0) == 0) ;",
            64,
            20,
            r"waits for x\[0\], which stays 0",
        ),
        ("const int* x", "while (x[0] == 0)\n;", 64, 300, "changes nothing any more"),
        (
            "int* x",
            "for (;;) { int a = 1; for (int i = 0; i < 5; i++)\na += i; }",
            32,
            2,
            "changes nothing any more",
        ),
        (
            "int* x",
            "if (threadIdx.x == 1)\nwhile (atomicAdd(x, 0) == 0) ;\nif (threadIdx.x == 0) atomicExch(x + 1, 1);",
            32,
            1,
            r"(?s)waits for x\[0\].*no thread has changed it",
        ),
        (
            "int* x",
            "while (atomicCAS(x, 0, 1) != 0) ;\nwhile (atomicAdd(x + 1, 0) == 0) ;\natomicExch(x + 1, 1);",
            2,
            1,
            r"waits for x\[1\], which stays 0",
        ),
        (
            "int* x",
            "if (threadIdx.x == 0) __syncthreads();\nif (threadIdx.x == 0) while (atomicAdd(x, 0) == 1) ;\n"
            "if (threadIdx.x == 1) { atomicExch(x, 1); __syncthreads(); while (atomicAdd(x, 0) == 1) ; }",
            2,
            1,
            r"(?s)which stays 1.*thread \(1,0,0\) of block \(0,0,0\) has changed it last, and is in the loop of line 4",
        ),
    ],
)
def test_no_progress_is_told_soon(parameters, body, block, grid, words, checked):
    x = np.zeros(2, np.int32)
    with pytest.raises(KernelTimeoutError, match=words) as caught:
        run(
            kernel(parameters, body),
            [x],
            block,
            grid,
            checks={"bounds", "races"} if checked else False,
        )
    assert caught.value.line in (2, 3, 4) and not x.any()
    assert caught.value.thread is not None


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


def test_loops_whose_memory_changes_slowly_are_not_endless():
    """Nothing but one element changes, and only every 1,000 turns."""
    x = np.zeros(1, np.int32)
    run(
        kernel(
            "int* x", "for (int k = 0; x[0] < 5; k = k == 999 ? 0 : k + 1) if (k == 0) x[0] += 1;"
        ),
        [x],
        1,
    )
    assert x[0] == 5


@pytest.mark.parametrize("grouped", [True, False])
def test_who_waits_in_a_kernel_with_groups_is_not_told_of_an_endless_loop(grouped):
    """Another kernel of the text may have them."""
    groups = "auto block = cooperative_groups::this_thread_block(); block.sync();"
    text = (
        "#include <cooperative_groups.h>\n"
        + LOCK
        + f"__global__ void other() {{ {groups} }}\n"
        + kernel(
            "int* o",
            f"{groups * grouped} if (threadIdx.x == 0) {{ take(); o[0] = o[0] + 1; give(); }}",
        )
    )
    o = np.zeros(1, np.int32)
    if grouped:
        with pytest.raises(
            UnsupportedError, match="wait for each other in a kernel with cooperative groups"
        ):
            run(text, [o], 32, 4)
    else:
        run(text, [o], 32, 4)
        assert o[0] == 4


def test_a_step_limit_still_stops_what_goes_on():
    with pytest.raises(KernelTimeoutError, match="its step_limit"):
        run(
            kernel("float* x", "for (int i = 0; i >= 0; i = (i + 1) & 1023) x[0] += 1;"),
            [np.zeros(1, np.float32)],
            1,
            step_limit=1500,
        )


def test_a_turn_of_one_of_two_warps_counts_half_for_the_step_limit():
    text = kernel(
        "int* flag, int* x",
        """int t = threadIdx.x; if (t == 0) while (atomicAdd(flag, 0) == 0) ;
        for (int i = 0; i < 1000; i++) x[t] += 1;
        if (t == 63) atomicExch(flag, 1);""",
    )
    x = np.zeros(64, np.int32)
    run(text, [np.zeros(1, np.int32), x], 64, step_limit=2000)
    assert np.all(x == 1000)


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


def test_two_barriers_of_threads_that_wait_elsewhere():
    """They run as strands, where barriers are another matter."""
    body = "take(); o[0] = o[0] + 1; give(); %s"
    o = np.zeros(1, np.int32)
    run(kernel("int* o", body % "__syncthreads();", LOCK), [o], 64)
    assert o[0] == 64
    with pytest.raises(
        BarrierError, match=r"two barriers: __syncthreads\(\) in line 5 and in line 6"
    ):
        run(
            kernel(
                "int* o",
                body % "if (threadIdx.x < 32) __syncthreads();\nelse __syncthreads();",
                LOCK,
            ),
            [o],
            64,
        )


def test_a_barrier_that_some_threads_never_reach():
    text = kernel(
        "float* x", "if (threadIdx.x < 40)\n__syncthreads();\nwhile (atomicAdd(x, 0.0f) == 0) ;"
    )
    with pytest.raises(KernelTimeoutError), force_simulator():
        run(text, [np.zeros(1, np.float32)], 64, checks=False)


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


def test_threads_that_wait_and_change_something_are_stopped_after_so_many_turns():
    text = kernel(
        "int* flag, int* x",
        "if (threadIdx.x == 0) while (atomicAdd(flag, 0) == 0) ;\n"
        "else while (x[0] >= 0) x[0] = (x[0] + 1) & 1023;",
    )
    with pytest.raises(
        KernelTimeoutError, match="20,000 iterations of threads that wait for each other"
    ):
        run(text, [np.zeros(1, np.int32), np.zeros(1, np.int32)], 2, step_limit=50_000)

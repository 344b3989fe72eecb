"""Races by CUDA's rules: pairs of a wrong kernel and its repair."""

from contextlib import nullcontext

import numpy as np
import pytest

from nnlib.cuda import RaceError
from nnlib.cuda._engine.simulator.observers.races import judge
from nnlib.cuda._engine.simulator.observers.races import observer as races
from nnlib.cuda._engine.simulator.running import launching

from . import kernel, run

SHARED = "__shared__ float s[128]; int t = threadIdx.x;\n"
LAST_BLOCK = """__shared__ bool last; int t = threadIdx.x;
if (t == 0) {{ o[1 + blockIdx.x] = 1; {fence} last = atomicInc(&done, gridDim.x - 1) == gridDim.x - 1; }}
__syncthreads();
if (last && t == 0) {{ float sum = 0; for (int i = 0; i < gridDim.x; i++)
sum += o[1 + i];
o[0] = sum; }}"""
DONE = "__device__ unsigned int done; "


def launch(body, before="", block=64, grid=2, **options):
    """Kernel with a global array o of 128 elements."""
    o = np.arange(128, dtype=np.float32)
    return run(kernel("float* o", body, before), [o], block, grid, **options), o


def accused(wrong, words):
    """A launch is accused of a race in these words, or, if nothing is wrong, of nothing."""
    return pytest.raises(RaceError, match=words) if wrong else nullcontext()


@pytest.mark.parametrize(
    "body, block, grid, line, thread",
    [
        (SHARED + "s[t] = o[t];\no[blockIdx.x * 64 + t] = s[63 - t];", 64, 2, 4, (0, 0, 0)),
        (
            SHARED + "s[t] = t;\nfloat v = s[(t + 1) % 32];\no[t] = v;",
            32,
            1,
            4,
            (0, 0, 0),
        ),  # inside one warp
        (
            SHARED
            + "s[t] = t;\n__shfl_sync(0xffffffff, t, 0); float v = s[(t + 1) % 32];\no[t] = v;",
            32,
            1,
            4,
            (0, 0, 0),
        ),
        (
            SHARED
            + "s[t] = t;\n__ballot_sync(0xffffffff, t); float v = s[(t + 1) % 32];\no[t] = v;",
            32,
            1,
            4,
            (0, 0, 0),
        ),
        (
            SHARED
            + "s[t] = t; __syncthreads();\nfor (int d = 32; d > 0; d /= 2)\nif (t < d) s[t] += s[t + d];",
            64,
            1,
            5,
            (0, 0, 0),
        ),
        (
            SHARED
            + "for (int i = 0; i < 2; i++) {\ns[t] = i;\n__syncthreads();\no[blockIdx.x * 64 + t] = s[t ^ 32]; }",
            64,
            2,
            4,
            (0, 0, 0),
        ),  # the second barrier is missing
        (SHARED + "s[t / 2] = t;", 64, 1, 3, (1, 0, 0)),  # two in one instruction
        (SHARED + "if (t < 32) s[t] = 1;\nif (t >= 32) s[t - 32] = 2;", 64, 1, 4, (32, 0, 0)),
        (
            SHARED
            + "s[t] = 1; __syncthreads(); if (t == 0) atomicAdd(&s[5], 1.0f);\nfloat v = s[5]; o[t] = v;",
            64,
            1,
            4,
            (1, 0, 0),
        ),
        ("o[0] += 1.0f;", 1, 4, 2, (0, 0, 0)),
        (
            "int i = blockIdx.x * 64 + threadIdx.x; float v = o[(i + 1) % 128];\n__syncthreads();\no[i] = v;",
            64,
            2,
            4,
            (0, 0, 0),
        ),
        (
            "int i = blockIdx.x * 64 + threadIdx.x; float v = o[i] + o[(i + 1) % 128];\no[i] = v;",
            64,
            2,
            3,
            (0, 0, 0),
        ),
        ("if (blockIdx.x == 0) o[5] = 1;\nelse atomicAdd(o + 5, 1.0f);", 1, 2, 3, (0, 0, 0)),
        ("o[blockIdx.x * blockDim.x + threadIdx.x >> 10] = threadIdx.x;", 1024, 100, 2, (1, 0, 0)),
        (
            "if (threadIdx.x == 0) o[blockIdx.x / 30] = blockIdx.x;",
            1024,
            100,
            2,
            (0, 0, 0),
        ),  # blocks of different chunks
    ],
)
def test_race(body, block, grid, line, thread):
    with pytest.raises(RaceError) as caught:
        launch(body, block=block, grid=grid)
    assert (caught.value.line, caught.value.thread) == (line, thread), str(caught.value)


@pytest.mark.parametrize(
    "kind, same, other",
    [
        ("float", "1", "2"),
        ("float2", "make_float2(3, 1)", "make_float2(3, 2)"),
        ("int", "1", "-1"),
        ("float2", "make_float2(3, 1)", "make_float2(1, 1)"),
        ("float", "NAN", "1"),
        ("float4", "make_float4(1, 1, 1, 1)", "make_float4(1, 1, 1, 2)"),
    ],
)
def test_a_store_that_changes_nothing_is_a_note(kind, same, other):
    """Of whole vectors: in each part."""
    body = f"{kind}* p = ({kind}*)o; int t = threadIdx.x;\nif (t == 0) p[5] = {same};\nif (t == 40) p[5] = %s;"
    launch(body % same, grid=1)
    with pytest.raises(RaceError, match=r"o\[\d+\]"):
        launch(body % other, grid=1)


def test_the_old_unrolled_last_warp_is_told_of_syncwarp():
    step = "if (t < 32) { v[t] += v[t + 32]; v[t] += v[t + 16]; }"
    with pytest.raises(RaceError, match=r"(?s)lanes of a warp.*__syncwarp\(\)"):
        launch(f"{SHARED} s[t] = t; __syncthreads(); volatile float* v = s;\n{step}")


def test_syncwarp_is_not_offered_where_all_warps_share_the_array():
    with pytest.raises(
        RaceError, match=r"(?s)lanes of a warp.*put __syncthreads\(\) between the two"
    ) as caught:
        launch(f"{SHARED} s[t] = t;\no[t] = s[t ^ 1] + s[63 - t];", grid=1)
    assert "__syncwarp" not in str(caught.value)


@pytest.mark.parametrize(
    "body, block, grid",
    [
        (SHARED + "s[t] = o[t]; __syncthreads(); o[blockIdx.x * 64 + t] = s[63 - t];", 64, 1),
        (SHARED + "s[t] = t; __syncwarp(); float v = s[(t + 1) % 32]; o[t] = v;", 32, 1),
        (
            SHARED
            + "s[t] = t; for (int d = 32; d > 0; d /= 2) { __syncthreads(); if (t < d) s[t] += s[t + d]; }",
            64,
            1,
        ),
        (
            SHARED
            + "for (int i = 0; i < 2; i++) { s[t] = i; __syncthreads(); o[blockIdx.x * 64 + t] = s[t ^ 32]; "
            "__syncthreads(); }",
            64,
            2,
        ),
        (
            SHARED
            + "s[t] = 0; __syncthreads(); atomicAdd(&s[t % 3], 1.0f); __syncthreads(); o[blockIdx.x * 64 + t] = s[t];",
            64,
            2,
        ),
        (
            "int i = blockIdx.x * 64 + threadIdx.x; for (int k = 0; k < 9; k++) o[i] = o[i] * 2.0f;",
            64,
            2,
        ),
        (
            "int i = blockIdx.x * 64 + threadIdx.x; o[i] = 1; __syncthreads(); o[blockIdx.x * 64 + 63 - threadIdx.x] += 1;",
            64,
            2,
        ),
        (
            "if (blockIdx.x == 1) { o[threadIdx.x] = 1; __syncthreads(); o[63 - threadIdx.x] = 2; }",
            64,
            2,
        ),
        ("atomicAdd(o, 1.0f);", 1024, 100),
        (
            "int t = threadIdx.x; float4 v = ((float4*)o)[t]; v.x = 1; ((float4*)o)[t] = v; o[t * 4 + 3] = 2;",
            32,
            1,
        ),
        (
            "unsigned char* b = (unsigned char*)o; b[threadIdx.x] = threadIdx.x;",
            64,
            1,
        ),  # bytes of one float
        (
            "int* p = (int*)o; int old = p[3], seen; do { seen = old; old = atomicCAS(p + 3, seen, seen + 1); } "
            "while (old != seen);",
            64,
            2,
        ),
        (
            "int* p = (int*)o; if (p[3] < 9) { int old = *(p + 3); atomicCAS(&p[3], old, old + 1); }",
            64,
            2,
        ),
        (
            "unsigned* p = (unsigned*)(o + threadIdx.x % 2); unsigned seen; do seen = *p; "
            "while (atomicCAS(p, __byte_perm(seen, 0, 0x3210), seen + 1) != seen);",
            64,
            2,
        ),
    ],
)
def test_no_race(body, block, grid):
    launch(body, block=block, grid=grid)


@pytest.mark.parametrize(
    "swap", ["", "atomicCAS((int*)o, -1, 1);", "if (t == 9) atomicCAS((int*)&o[t], -1, 1);"]
)
def test_a_swap_elsewhere_excuses_no_read(swap):
    """Only a read of what is swapped is a guess."""
    with pytest.raises(RaceError, match=r"o\[24\]"):
        launch(
            f"int t = threadIdx.x; atomicAdd(&o[8 + t], 1.0f); {swap} float v = 0; if (t == 50) v += o[24];",
            grid=1,
        )


@pytest.mark.parametrize("grid, block", [(8, 64), (100, 512)])  # in one chunk and in several
def test_last_block_needs_its_fence(grid, block):
    _, o = launch(LAST_BLOCK.format(fence="__threadfence();"), DONE, block, grid)
    assert o[0] == grid
    with pytest.raises(RaceError) as caught:
        launch(LAST_BLOCK.format(fence=""), DONE, block, grid)
    assert caught.value.line == 6 and caught.value.block == (grid - 1, 0, 0)


@pytest.mark.parametrize(
    "told, right",
    [
        ("o[3] = 1; F atomicAdd(&done, 1u);", True),
        ("atomicAdd(o + 3, 1.0f); F atomicAdd(&done, 1u);", True),
        ("F atomicAdd(&done, 1u); atomicAdd(o + 3, 1.0f);", False),
    ],
)
def test_what_a_thread_does_after_its_message_is_not_told(told, right):
    body = (
        f"if (threadIdx.x == 0) {{ {told} }}\nelse if (threadIdx.x == 32 && atomicAdd(&done, 0u) == 1u) {{ F "
        "o[0] = o[3]; }"
    ).replace("F ", "__threadfence(); ")
    with accused(not right, r"reads o\[3\]"):
        launch(body, DONE, grid=1)


def test_an_element_of_shared_memory_is_counted_in_its_block():
    with pytest.raises(RaceError, match=r"writes s\[3\]"):
        launch(SHARED + "if (blockIdx.x == 1) s[3] = t;")


def test_a_fence_is_no_barrier_of_the_block():
    with pytest.raises(RaceError, match="reads last"):
        launch(
            LAST_BLOCK.replace("__syncthreads();", "").format(fence="__threadfence();"),
            DONE,
            grid=2,
        )
    text = (
        "int t = threadIdx.x; if (t == 0) { o[blockIdx.x] = 1; __threadfence(); atomicAdd(&done, 1u); }\n"
        "%s if (t == 1) o[64 + blockIdx.x] = o[blockIdx.x];"
    )
    launch(text % "__syncthreads();", DONE)
    with pytest.raises(RaceError, match=r"reads o\[0\]"):
        launch(text % "", DONE)


@pytest.mark.parametrize("grid, block", [(8, 64), (100, 512)])
def test_the_last_block_may_reset_the_counter(grid, block):
    """As in the programming guide: all other blocks have counted."""
    text = LAST_BLOCK.replace("atomicInc(&done, gridDim.x - 1)", "atomicInc(&done, gridDim.x)")
    _, o = launch(
        text.format(fence="__threadfence();") + "\nif (last && t == 0) done = 0;", DONE, block, grid
    )
    assert o[0] == grid
    with pytest.raises(RaceError, match="writes done"):
        launch(
            text.format(fence="__threadfence();") + "\nif (blockIdx.x == 2 && t == 0) done = 0;",
            DONE,
            block,
            grid,
        )


@pytest.mark.parametrize(
    "fence",
    [
        "__threadfence_block();",  # orders within the block only
        "if (blockIdx.x > 0) __threadfence();",  # one block goes without
        "__threadfence(); o[1 + blockIdx.x] += 1;",  # what comes after the fence is not published
    ],
)
def test_a_fence_that_does_not_help(fence):
    with pytest.raises(RaceError) as caught:
        launch(LAST_BLOCK.format(fence=fence), DONE, grid=8)
    assert caught.value.line == 6


@pytest.mark.parametrize(
    "body, right",
    [
        ("if (t < 4) { __syncwarp(0xf); v = s[t ^ 1]; }", True),
        ("if (t < 4) { __syncwarp(0xf); v = s[t + 4]; }", False),  # lanes 4 to 7 took no part
        ("if (t < 4) __syncwarp(0xf); else __syncwarp(0xfffffff0); v = s[t ^ 1];", True),
        ("if (t < 4) __syncwarp(0xf); else __syncwarp(0xfffffff0); v = s[t ^ 4];", False),
        ("__syncwarp(t < 16 ? 0xffff : 0xffff0000); v = s[t ^ 8];", True),
        ("__syncwarp(t < 16 ? 0xffff : 0xffff0000); v = s[t ^ 16];", False),
        (
            "if (t < 2) __syncwarp(3); if (t == 1 || t == 2) { __syncwarp(6); if (t == 2) v = s[0]; }",
            True,
        ),
        (
            "if (t == 1 || t == 2) __syncwarp(6); if (t < 2) __syncwarp(3); if (t == 2) v = s[0];",
            False,
        ),
        ("if (t < 4) __syncwarp(0xf); __syncwarp(); v = s[31 - t];", True),
    ],
)
def test_a_part_of_a_warp_orders_its_lanes_only(body, right):
    text = (
        "__shared__ float s[32]; int t = threadIdx.x; float v = 0; s[t] = t;\n"
        + body
        + " o[t] = v;"
    )
    with accused(not right, r"reads s.*(?s:.)*lanes of a warp"):
        launch(text, block=32, grid=1)


@pytest.mark.parametrize(
    "before, right",
    [
        (
            "__syncthreads(); if (t == 0) __threadfence();",
            True,
        ),  # thread 0 has seen the writes of its block
        ("__threadfence(); __syncthreads();", True),  # every thread has made its own
        ("if (t == 0) __threadfence();", False),  # it publishes what the other threads do
        ("if (t == 0) __threadfence(); __syncthreads();", False),
        ("__threadfence();", False),  # thread 0 may count before the others have written
        ("__syncthreads(); if (t == 0) __threadfence_block();", False),
        ("__syncthreads(); if (t == 1) __threadfence();", False),
    ],
)
@pytest.mark.parametrize("grid", [4, 600])
def test_a_fence_is_the_thread_s_own(before, right, grid):
    """Every thread writes; the thread that counts must have seen that."""
    text = (
        "__shared__ bool last; int t = threadIdx.x, i = blockIdx.x * 64 + t; p[i] = i;\n"
        + before
        + "\nif (t == 0) last = atomicAdd(&done, 1u) == gridDim.x - 1;\n__syncthreads();\n"
        "if (last) for (int b = 0; b < gridDim.x; b++)\no[t] += p[b * 64 + t];"
    )
    args = [np.zeros(64, np.float32), np.zeros(64 * grid, np.float32)]
    if right:
        run(kernel("float* o, float* p", text, DONE), args, 64, grid)
        assert args[0][1] == sum(range(1, 64 * grid, 64))
    else:
        with pytest.raises(RaceError, match="reads p") as caught:
            run(kernel("float* o, float* p", text, DONE), args, 64, grid)
        assert caught.value.line == 7


def test_messages_go_by_their_own_counter():
    """A fence and an atomic on one counter say nothing to who asks another."""
    text = (
        "int t = threadIdx.x; if (blockIdx.x == 0 && t == 0) { o[5] = 1; __threadfence(); atomicAdd(&done, 1u); }\n"
        "if (blockIdx.x == 1 && t == 0 && atomicAdd(&%s, 0u) == 1u) o[6] = o[5];\n"
        "if (blockIdx.x == 1 && t == 0) atomicAdd(&other, 1u);"
    )
    declared = DONE + "__device__ unsigned int other = 1; "
    launch(text % "done", declared)
    with pytest.raises(RaceError, match=r"reads o\[5\]"):
        launch(text % "other", declared)


@pytest.mark.parametrize("place, right", [(6, True), (14, False), (5, False)])
def test_messages_go_by_the_place_in_memory(place, right):
    """p[14] is q[6]."""
    text = kernel(
        "int* p, int* q, float* o",
        "int t = threadIdx.x; if (blockIdx.x == 0 && t == 0) { o[5] = 1; "
        "__threadfence(); atomicAdd(p + 14, 1); }\nif (blockIdx.x == 1 && t == 0 && "
        f"atomicAdd(q + {place}, 0) < 2) o[6] = o[5];",
    )
    a = np.zeros(24, np.int32)
    args = [a[:16], a[8:], np.zeros(8, np.float32)]
    with accused(not right, r"reads o\[5\]"):
        run(text, args, 32, 2)


@pytest.mark.parametrize("fence, right", [("__threadfence();", True), ("", False)])
def test_a_later_message_takes_the_place_of_an_earlier_one(fence, right):
    """Of block 0, the reader of block 1's message knows only what that block has passed on."""
    text = (
        "int t = threadIdx.x; if (blockIdx.x == 0 && t == 0) { o[5] = 1; __threadfence(); flag = 1; }\n"
        f"if (blockIdx.x == 1 && t == 0) {{ while (flag == 0) ; {fence} flag = 2; }}\n"
        "if (blockIdx.x == 2 && t == 0) { while (flag != 2) ; o[6] = o[5]; }"
    )
    with accused(not right, r"reads o\[5\]"):
        launch(text, "__device__ volatile int flag; ", grid=3)


def test_a_read_through_another_pointer_is_another_read():
    """q[0] is p[8]."""
    a = np.zeros(128, np.int32)
    with pytest.raises(RaceError, match=r"writes p\[8\], which thread \(0,0,0\)"):
        run(
            kernel("int* p, int* q", "int t = threadIdx.x, v = p[t] + q[t];\np[t] = v;"),
            [a, a[8:]],
            64,
        )


@pytest.mark.parametrize(
    "meets, read, right",
    [
        ("__syncwarp();", 40, True),
        ("__syncwarp();", 63, True),
        ("", 40, False),
        ("__syncwarp();", 5, False),
        ("", 33, True),
        ("__syncwarp();", 64, False),
    ],
)
def test_a_fence_publishes_what_the_warp_did_before_its_barrier(meets, read, right):
    """Thread 33 makes the fence, of a block of two warps and a half."""
    body = (
        f"int t = threadIdx.x; if (blockIdx.x == 0) o[t] = 1;\nif (blockIdx.x == 0 && t / 32 == 1) {{ {meets} "
        "if (t == 33) { __threadfence(); atomicAdd(&done, 1u); } }\n"
        f"if (blockIdx.x == 1 && t == 0 && atomicAdd(&done, 0u) == 1u) o[100] = o[{read}];"
    )
    with accused(not right, rf"reads o\[{read}\]"):
        launch(body, DONE, block=80)


@pytest.mark.parametrize(
    "meets, maker, publisher, right",
    [
        ("__syncwarp(half);", 0, 1, True),
        ("__syncwarp(half);", 0, 15, True),
        ("__syncwarp(half);", 0, 16, False),
        ("if (t < 16) __syncwarp(half);", 1, 0, True),
        ("if (t < 16) __syncwarp(half);", 16, 17, False),
    ],
)
def test_a_fence_holds_for_those_who_met_in_their_part_of_the_warp(meets, maker, publisher, right):
    """One thread makes the fence, another lets the other block see it."""
    body = (
        "int t = threadIdx.x; unsigned half = t < 16 ? 0xffff : 0xffff0000;\nif (blockIdx.x == 0) {"
        f"if (t == {maker}) {{ o[0] = 1; __threadfence(); }}\n{meets}\n"
        f"if (t == {publisher}) atomicAdd(&done, 1u); }}\n"
        "if (blockIdx.x == 1 && t == 0 && atomicAdd(&done, 0u) == 1u) o[100] = o[0];"
    )
    with accused(not right, r"reads o\[0\]"):
        launch(body, DONE, block=32)


def test_a_guess_may_go_through_variables():
    launch(
        "int* p = (int*)o; int seen = p[3] + 0, was = seen, old = was; "
        "old = atomicCAS(p + (threadIdx.x > 99) + 3, old, old + 1);"
    )


@pytest.mark.parametrize(
    "order", ["", "__syncwarp();", "__threadfence();"]
)  # the last two: pair by pair
@pytest.mark.parametrize("grid, block", [(2, 64), (100, 512)])
def test_same_value_is_a_note(grid, block, order):
    profile, _ = launch(f"{order} o[3] = 1.0f;", "", block, grid, profile=True)
    assert len(profile.warnings) >= 1 and "same value" in profile.warnings[0]


def test_an_earlier_race_is_reported_before_a_later_fault():
    with pytest.raises(RaceError):
        launch(SHARED + "s[t] = t;\nfloat v = s[63 - t];\no[t + 500] = v;", grid=1)


def test_long_logs_are_folded(monkeypatch):
    folds, remembered = [], judge.remembered
    monkeypatch.setattr(races, "LOG_LIMIT", 1000)
    monkeypatch.setattr(
        judge, "remembered", lambda record: folds.append(record) or remembered(record)
    )
    body = "int i = blockIdx.x * 64 + threadIdx.x; for (int k = 0; k < 20; k++) o[i ^ k ^ k] += o[i] * k;"
    launch(body)
    assert len(folds) > 1
    with pytest.raises(RaceError):
        launch(body + "\no[127 - i] = 1;")


def test_chunks_do_not_order_blocks(monkeypatch):
    monkeypatch.setattr(launching, "CHUNK_THREADS", 64)
    launch("o[blockIdx.x * 64 + threadIdx.x] += 1;")
    with pytest.raises(RaceError, match="another block"):
        launch("if (blockIdx.x == 0) o[0] = 1;\nelse if (threadIdx.x == 0) o[1] = o[0];")


@pytest.mark.parametrize(
    "first, second",
    [
        ("atomicAdd(o, 1.0f);", "o[0] = 1;"),
        ("o[0] = 1;", "atomicAdd(o, 1.0f);"),
        ("o[0] = 1;", "o[0] = 2;"),
        ("o[1] = o[0];", "o[0] = 2;"),
    ],
)
def test_what_blocks_of_different_chunks_may_not_do(first, second, monkeypatch):
    monkeypatch.setattr(launching, "CHUNK_THREADS", 64)
    with pytest.raises(RaceError, match="another block"):
        launch(
            f"if (threadIdx.x == 0) {{ if (blockIdx.x == 0) {{ {first} }} else {{ {second} }} }}"
        )


def test_atomics_of_different_chunks_do_not_race(monkeypatch):
    monkeypatch.setattr(launching, "CHUNK_THREADS", 64)
    _, o = launch("atomicAdd(o, 1.0f);")
    assert o[0] == 128

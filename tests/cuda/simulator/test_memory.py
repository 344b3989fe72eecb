"""Arguments as they lie in memory: overlapping ones, and those that do not begin where an allocation does."""

import numpy as np
import pytest

from nnlib.cuda import MisalignedAccessError, OutOfBoundsError, RaceError

from . import kernel, run

SHIFT = kernel(
    "const float* from, float* to, int n",
    "int i = blockIdx.x * blockDim.x + threadIdx.x;\nif (i < n) to[i] = from[i];",
)


@pytest.mark.parametrize("block, grid", [(64, 1), (32, 2), (512, 40)])  # also in several chunks
def test_overlapping_arguments_are_one_memory(block, grid):
    n = block * grid
    a = np.arange(n + 1, dtype=np.float32)
    for source, target in ((a[:-1], a[1:]), (a[1:], a[:-1])):
        with pytest.raises(RaceError, match="writes to|reads from|writes from|reads to"):
            run(SHIFT, [source, target, np.int32(n)], block, grid)
    np.testing.assert_array_equal(a, np.arange(n + 1))
    run(SHIFT, [a[:-1], np.zeros(n, np.float32), np.int32(n)], block, grid)


def test_overlap_of_other_types_and_of_more_than_two():
    a = np.zeros(64, np.float32)
    text = kernel("float* x, unsigned char* bytes, float* y", "int t = threadIdx.x;\n%s")
    args = [a[:32], a.view(np.uint8)[16:144], a[32:]]
    run(text % "x[t] = 1; y[t] = bytes[0];", [args[0][8:], args[1][:16], args[2][8:]], 8)
    with pytest.raises(RaceError, match=r"reads bytes\[12\], which thread \(7,0,0\).*writes"):
        run(text % "x[t] = 1;\nif (t == 0) y[t] = bytes[12];", args, 8)


def test_parts_of_one_array_that_do_not_overlap_are_apart():
    a = np.arange(64, dtype=np.float32)
    run(SHIFT, [a[:32], a[32:], np.int32(32)], 32)
    assert a[63] == 31


@pytest.mark.parametrize("start, right", [(0, True), (1, False), (2, False), (4, True), (8, True)])
def test_the_base_address_counts_for_alignment(start, right):
    text = kernel(
        "float* x",
        "int t = threadIdx.x;\nfloat4 v = ((float4*)x)[t]; v.x = t; ((float4*)x)[t] = v;",
    )
    x = np.arange(64, dtype=np.float32)
    if right:
        run(text, [x[start : start + 16]], 4)
        assert x[start : start + 16 : 4].tolist() == [0, 1, 2, 3] and x[start + 1] == start + 1
    else:
        with pytest.raises(MisalignedAccessError, match=f"x begins {4 * start} bytes behind"):
            run(text, [x[start : start + 16]], 4)


def test_a_vector_may_begin_inside_a_shifted_array():
    text = kernel(
        "const float* x, float* o", "float4 v = *(const float4*)(x + 3); o[0] = v.x + v.w;"
    )
    x, o = np.arange(20, dtype=np.float32), np.zeros(1, np.float32)
    run(text, [x[1:], o], 1)
    assert o[0] == 4 + 7
    with pytest.raises(MisalignedAccessError):
        run(text, [x, o], 1)


@pytest.mark.parametrize("start, sectors", [(0, 4), (1, 5), (7, 5), (8, 4)])
def test_the_base_address_counts_for_sectors(start, sectors):
    x = np.arange(100, dtype=np.float32)
    profile = run(
        SHIFT, [x[start : start + 32], np.zeros(32, np.float32), np.int32(32)], 32, profile=True
    )
    assert profile.global_load.sectors == sectors and profile.global_store.sectors == 4
    first = profile.accesses(3)[0]
    assert (first.index, first.sector) == (0, 0)
    last = profile.accesses(3)[31]
    assert (last.index, last.address, last.sector) == (
        31,
        start % 8 * 4 + 124,
        (start % 8 + 31) // 8,
    )
    assert profile.touched("from")[0].tolist() == [1] * 32


@pytest.mark.parametrize(
    "kind, count, requests", [("float4", 1, 1), ("float", 3, 3), ("double", 2, 2), ("char", 5, 5)]
)
def test_memcpy_and_memset_take_words_of_the_type(kind, count, requests):
    """A local array is copied from memory, changed, and written back; then the last element is filled."""
    text = kernel(
        f"{kind}* x",
        f"int t = threadIdx.x; {kind} own[{count}];\n"
        f"memcpy(own, x + {count} * t, sizeof(own));\nmemcpy(x + {count} * (t + 8), own, sizeof(own));\n"
        f"memset(x + {count} * (t + 16), 0x11, {count} * sizeof({kind}));",
    )
    x = np.arange(24 * count * 16, dtype=np.uint8)
    size = {"float4": 16, "float": 4, "double": 8, "char": 1}[kind] * count
    profile = run(text, [x[: 24 * size]], 8, profile=True)
    assert x[8 * size : 16 * size].tolist() == list(np.arange(8 * size, dtype=np.uint8))
    assert set(x[16 * size : 24 * size].tolist()) == {0x11}
    assert (profile.global_load.requests, profile.global_store.requests) == (requests, 2 * requests)


def test_an_array_at_an_odd_address_counts_as_aligned():
    x, o = np.zeros(130, np.uint8)[2:].view(np.float32), np.zeros(32, np.float32)
    x[:] = np.arange(32)
    profile = run(
        kernel("const float* x, float* o", "o[threadIdx.x] = x[threadIdx.x];"), [x, o], profile=True
    )
    assert o.tolist() == x.tolist() and profile.global_load.sectors == 4
    assert (profile.accesses(2)[0].index, profile.accesses(2)[0].address) == (0, 0)
    with pytest.raises(
        OutOfBoundsError, match=r"write to x\[32\](?s:.)*x has 32 elements, x\[0\] to x\[31\]"
    ):
        run(kernel("float* x", "x[threadIdx.x + 1] = 1;"), [x])


def test_pointers_that_are_kept_in_memory():
    """To shared arrays, and to arrays of which one begins where the other ends."""
    a, o = np.arange(64, dtype=np.float32), np.zeros(64, np.float32)
    text = kernel(
        "float* x, float* y, float* o",
        """__shared__ float s[32], u[32]; __shared__ float* p[3];
        __shared__ float* q[32]; int t = threadIdx.x; s[t] = t; u[t] = 100 + t; p[t % 3] = t % 3 == 1 ? u : s;
        q[t] = t < 16 ? x + 16 + t : y + (t - 16); __syncthreads(); o[t] = p[t % 3][t]; o[32 + t] = *q[SEEN];""",
    )
    for seen, order in (("t", 1), ("31 - t", -1)):
        run(text.replace("SEEN", seen), [a[:32], a[32:], o])
        assert o[:32].tolist() == [t + 100 * (t % 3 == 1) for t in range(32)]
        assert o[32:].tolist() == list(range(16, 48))[::order]


def test_rows_of_one_and_of_two():
    o = np.zeros(24, np.int32)
    run(
        kernel(
            "int* o, int (*g)[2]",
            """int t = threadIdx.x; __shared__ int s[3][2]; __shared__ int u[3][1];
        int m[2][2][1], w[2][2]; s[t % 3][t / 3] = t; if (t < 3) u[t][0] = 7 * t;
        m[t % 2][1][0] = t; w[1][t % 2] = 2 * t; g[t / 2][t % 2] = 3 * t; __syncthreads();
        o[t] = s[2 - t % 3][t / 3] * 100 + u[t % 3][0];
        for (int i = 0; i < 2; i++) if (i == t % 2) o[6 + t] = m[i][1][0] * 10 + w[1][i] + (&s[0][0])[2 * i + 1];""",
        ),
        [o[:12], o[12:]],
        6,
    )
    assert o[:6].tolist() == [200, 107, 14, 500, 407, 314] and o[12:18].tolist() == [
        3 * t for t in range(6)
    ]
    assert o[6:12].tolist() == [12 * t + 3 + t % 2 for t in range(6)]


@pytest.mark.parametrize("index, element", [("-1", "x[-1]"), ("31", "x[31]")])
def test_bounds_of_a_shifted_array(index, element):
    x = np.arange(40, dtype=np.float32)
    for start in (1, 3, 8):
        with pytest.raises(OutOfBoundsError) as caught:
            run(kernel("float* x", f"x[{index}] = 1;"), [x[start : start + 31]], 1)
        assert element in str(caught.value) and "x has 31 elements, x[0] to x[30]" in str(
            caught.value
        )
        run(kernel("float* x", "x[0] = 1; x[30] = 1;"), [x[start : start + 31]], 1)
        run(kernel("float* x", "x[0] = 1; x[30] = 1;"), [x[start : start + 31]], 1, checks=False)


def test_a_sample_of_a_huge_grid_needs_memory_for_the_sample_only():
    text = kernel("int* o", "if (threadIdx.x == 0) atomicAdd(&o[blockIdx.x > 5], 1);")
    o = np.zeros(2, np.int32)
    profile = run(text, [o], 32, (2**31 - 1, 65535, 65535), profile=True, max_blocks=4)
    assert (profile.blocks_sampled, profile.blocks_total) == (4, (2**31 - 1) * 65535**2)
    assert profile.global_atomic.requests == 4 and not o.any()

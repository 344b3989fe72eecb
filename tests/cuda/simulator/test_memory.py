"""Arguments as they lie in memory: overlapping ones, and those that do not begin where an allocation does."""

import numpy as np
import pytest

from nnlib.cuda import OutOfBoundsError, RaceError

from . import kernel, run

SHIFT = kernel(
    "const float* from, float* to, int n",
    "int i = blockIdx.x * blockDim.x + threadIdx.x;\nif (i < n) to[i] = from[i];",
)


def test_overlap_of_other_types_and_of_more_than_two():
    a = np.zeros(64, np.float32)
    text = kernel("float* x, unsigned char* bytes, float* y", "int t = threadIdx.x;\n%s")
    args = [a[:32], a.view(np.uint8)[16:144], a[32:]]
    run(text % "x[t] = 1; y[t] = bytes[0];", [args[0][8:], args[1][:16], args[2][8:]], 8)
    with pytest.raises(RaceError, match=r"reads bytes\[12\], which thread \(7,0,0\).*writes"):
        run(text % "x[t] = 1;\nif (t == 0) y[t] = bytes[12];", args, 8)


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


def test_a_sample_of_a_huge_grid_needs_memory_for_the_sample_only():
    text = kernel("int* o", "if (threadIdx.x == 0) atomicAdd(&o[blockIdx.x > 5], 1);")
    o = np.zeros(2, np.int32)
    profile = run(text, [o], 32, (2**31 - 1, 65535, 65535), profile=True, max_blocks=4)
    assert (profile.blocks_sampled, profile.blocks_total) == (4, (2**31 - 1) * 65535**2)
    assert profile.global_atomic.requests == 4 and not o.any()

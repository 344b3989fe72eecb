"""CUB's reductions, scans, loads and stores of a warp or block, beside NumPy's."""

import numpy as np
import pytest

from nnlib.cuda import RaceError, RawModule, force_simulator

KERNELS = r"""#include <cub/block/block_reduce.cuh>
#include <cub/cub.cuh>
template <typename T, int B> __global__ void sums(const T* x, T* sum, T* best, T* part, int n) {
    using BlockReduce = cub::BlockReduce<T, B>;
    __shared__ typename BlockReduce::TempStorage temp;
    int i = blockIdx.x * B + threadIdx.x;
    T v = i < n ? x[i] : (T)0, items[2] = {v, v};
    T s = BlockReduce(temp).Sum(v);
    if (threadIdx.x == 0) sum[blockIdx.x] = s;
    BARRIER
    T m = BlockReduce(temp).Reduce(items, cub::Max());
    if (threadIdx.x == 0) best[blockIdx.x] = m;
    __syncthreads();
    T p = BlockReduce(temp).Sum(v, 5);
    if (threadIdx.x == 0) part[blockIdx.x] = p;
}
template <int B, int N> __global__ void scans(const int* x, int* inclusive, int* exclusive, int* one, int* total) {
    using Load = cub::BlockLoad<int, B, N, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
    using Store = cub::BlockStore<int, B, N>;
    typedef cub::BlockScan<int, B> Scan;
    __shared__ union { typename Load::TempStorage l; typename Store::TempStorage s; typename Scan::TempStorage c; } temp;
    int v[N], r[N], t, a;
    Load(temp.l).Load(x, v);
    Scan(temp.c).ExclusiveSum(v, r, t);
    Store(temp.s).Store(exclusive, r);
    __syncthreads();
    Scan(temp.c).ExclusiveScan(x[threadIdx.x], a, 100, cub::Sum());
    one[threadIdx.x] = a;
    __syncthreads();
    Scan(temp.c).InclusiveSum(v, v);
    Store(temp.s).Store(inclusive, v);
    if (threadIdx.x == 0) *total = t;
}
__global__ void warps(const float* x, float* sum, float* before) {
    typedef cub::WarpReduce<float, 8> Reduce;
    typedef cub::WarpScan<float, 8> Scan;
    __shared__ Reduce::TempStorage r[8];
    __shared__ Scan::TempStorage s[8];
    int w = threadIdx.x / 8;
    float total = Reduce(r[w]).Sum(x[threadIdx.x]), value;
    if (threadIdx.x % 8 == 0) sum[w] = total;
    Scan(s[w]).ExclusiveSum(x[threadIdx.x], value);
    before[threadIdx.x] = value;
}"""


def kernel(name, barrier="__syncthreads();"):
    return RawModule(KERNELS.replace("BARRIER", barrier), name_expressions=(name,)).get_function(
        name
    )


@pytest.fixture(autouse=True, scope="module")
def simulated():
    with force_simulator():
        yield


@pytest.mark.parametrize("block", [16, 32, 100, 128, 1024])
def test_blocks(block):
    x = np.random.default_rng(block).integers(-50, 50, 3 * block).astype(np.int32)
    for kind in ("int", "float"):
        values = x.astype(np.float32 if kind == "float" else np.int32)
        found = np.zeros((3, 3), values.dtype)
        kernel(f"sums<{kind}, {block}>")(3, block, (values, *found, 3 * block - 7))
        values = np.where(np.arange(3 * block) < 3 * block - 7, values, 0).reshape(3, block)
        assert (found == [values.sum(1), values.max(1), values[:, :5].sum(1)]).all()
    inclusive, exclusive, one, total = np.zeros((4, 3 * block), np.int32)
    kernel(f"scans<{block}, 3>")(1, block, (x, inclusive, exclusive, one, total))
    sums = np.cumsum(x)
    assert (inclusive == sums).all() and (exclusive == sums - x).all() and total[0] == sums[-1]
    assert (one[:block] == 100 + (sums - x)[:block]).all()


def test_warps():
    x = np.random.default_rng(0).integers(0, 9, 64).astype(np.float32)
    total, before = np.zeros(8, np.float32), np.zeros(64, np.float32)
    kernel("warps")(1, 64, (x, total, before))
    rows = x.reshape(8, 8)
    assert (total == rows.sum(1)).all()
    assert (before.reshape(8, 8) == np.cumsum(rows, 1) - rows).all()


def test_storage_that_is_used_twice_needs_a_barrier():
    with pytest.raises(RaceError):
        kernel("sums<int, 128>", "")(
            1, 128, (np.zeros(128, np.int32), *np.zeros((3, 1), np.int32), 9)
        )

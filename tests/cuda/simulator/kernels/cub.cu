// rule: CUB's functions of a block give NumPy's sums and scans
// launch: 3, 16, [x, *sums, 41], kernel="sums<int, 16>"
// memory: x = (arange(48, int32) * 37 % 101 - 50).astype(int32)
// memory: sums = zeros((3, 3), int32)
// memory: rows = where(arange(48) < 41, x, 0).reshape(3, 16)
// expect: sums == [rows.sum(1), rows.max(1), rows[:, :5].sum(1)]
// launch: 3, 16, [x, *sums, 41], kernel="sums<float, 16>"
// memory: x = (arange(48, int32) * 37 % 101 - 50).astype(float32)
// memory: sums = zeros((3, 3), float32)
// memory: rows = where(arange(48) < 41, x, 0).reshape(3, 16)
// expect: sums == [rows.sum(1), rows.max(1), rows[:, :5].sum(1)]
// launch: 1, 16, [x, *found, zeros(1, int32)], kernel="scans<16, 3>"
// memory: x = arange(48, int32) * 37 % 101 - 50
// memory: found = zeros((3, 48), int32)
// expect: (inclusive == cumsum(x)) & (exclusive == cumsum(x) - x) & (total[0] == x.sum())
// expect: one[:16] == 100 + (cumsum(x) - x)[:16]
// launch: 3, 32, [x, *sums, 89], kernel="sums<int, 32>"
// memory: x = (arange(96, int32) * 37 % 101 - 50).astype(int32)
// memory: sums = zeros((3, 3), int32)
// memory: rows = where(arange(96) < 89, x, 0).reshape(3, 32)
// expect: sums == [rows.sum(1), rows.max(1), rows[:, :5].sum(1)]
// launch: 3, 32, [x, *sums, 89], kernel="sums<float, 32>"
// memory: x = (arange(96, int32) * 37 % 101 - 50).astype(float32)
// memory: sums = zeros((3, 3), float32)
// memory: rows = where(arange(96) < 89, x, 0).reshape(3, 32)
// expect: sums == [rows.sum(1), rows.max(1), rows[:, :5].sum(1)]
// launch: 1, 32, [x, *found, zeros(1, int32)], kernel="scans<32, 3>"
// memory: x = arange(96, int32) * 37 % 101 - 50
// memory: found = zeros((3, 96), int32)
// expect: (inclusive == cumsum(x)) & (exclusive == cumsum(x) - x) & (total[0] == x.sum())
// expect: one[:32] == 100 + (cumsum(x) - x)[:32]
// launch: 3, 100, [x, *sums, 293], kernel="sums<int, 100>"
// memory: x = (arange(300, int32) * 37 % 101 - 50).astype(int32)
// memory: sums = zeros((3, 3), int32)
// memory: rows = where(arange(300) < 293, x, 0).reshape(3, 100)
// expect: sums == [rows.sum(1), rows.max(1), rows[:, :5].sum(1)]
// launch: 3, 100, [x, *sums, 293], kernel="sums<float, 100>"
// memory: x = (arange(300, int32) * 37 % 101 - 50).astype(float32)
// memory: sums = zeros((3, 3), float32)
// memory: rows = where(arange(300) < 293, x, 0).reshape(3, 100)
// expect: sums == [rows.sum(1), rows.max(1), rows[:, :5].sum(1)]
// launch: 1, 100, [x, *found, zeros(1, int32)], kernel="scans<100, 3>"
// memory: x = arange(300, int32) * 37 % 101 - 50
// memory: found = zeros((3, 300), int32)
// expect: (inclusive == cumsum(x)) & (exclusive == cumsum(x) - x) & (total[0] == x.sum())
// expect: one[:100] == 100 + (cumsum(x) - x)[:100]
// launch: 3, 128, [x, *sums, 377], kernel="sums<int, 128>"
// memory: x = (arange(384, int32) * 37 % 101 - 50).astype(int32)
// memory: sums = zeros((3, 3), int32)
// memory: rows = where(arange(384) < 377, x, 0).reshape(3, 128)
// expect: sums == [rows.sum(1), rows.max(1), rows[:, :5].sum(1)]
// launch: 3, 128, [x, *sums, 377], kernel="sums<float, 128>"
// memory: x = (arange(384, int32) * 37 % 101 - 50).astype(float32)
// memory: sums = zeros((3, 3), float32)
// memory: rows = where(arange(384) < 377, x, 0).reshape(3, 128)
// expect: sums == [rows.sum(1), rows.max(1), rows[:, :5].sum(1)]
// launch: 1, 128, [x, *found, zeros(1, int32)], kernel="scans<128, 3>"
// memory: x = arange(384, int32) * 37 % 101 - 50
// memory: found = zeros((3, 384), int32)
// expect: (inclusive == cumsum(x)) & (exclusive == cumsum(x) - x) & (total[0] == x.sum())
// expect: one[:128] == 100 + (cumsum(x) - x)[:128]
// launch: 3, 1024, [x, *sums, 3065], kernel="sums<int, 1024>"
// memory: x = (arange(3072, int32) * 37 % 101 - 50).astype(int32)
// memory: sums = zeros((3, 3), int32)
// memory: rows = where(arange(3072) < 3065, x, 0).reshape(3, 1024)
// expect: sums == [rows.sum(1), rows.max(1), rows[:, :5].sum(1)]
// launch: 3, 1024, [x, *sums, 3065], kernel="sums<float, 1024>"
// memory: x = (arange(3072, int32) * 37 % 101 - 50).astype(float32)
// memory: sums = zeros((3, 3), float32)
// memory: rows = where(arange(3072) < 3065, x, 0).reshape(3, 1024)
// expect: sums == [rows.sum(1), rows.max(1), rows[:, :5].sum(1)]
// launch: 1, 1024, [x, *found, zeros(1, int32)], kernel="scans<1024, 3>"
// memory: x = arange(3072, int32) * 37 % 101 - 50
// memory: found = zeros((3, 3072), int32)
// expect: (inclusive == cumsum(x)) & (exclusive == cumsum(x) - x) & (total[0] == x.sum())
// expect: one[:1024] == 100 + (cumsum(x) - x)[:1024]
// launch: 1, 64, [x, *zeros((1, 8)), zeros(64)], kernel="warps"
// memory: x = (arange(64) * 7 % 9).reshape(8, 8)
// expect: (sum == x.sum(1)) & (before.reshape(8, 8) == cumsum(x, 1) - x)
#include <cub/block/block_reduce.cuh>
#include <cub/cub.cuh>
template <typename T, int B> __global__ void sums(const T* x, T* sum, T* best, T* part, int n) {
    using BlockReduce = cub::BlockReduce<T, B>;
    __shared__ typename BlockReduce::TempStorage temp;
    int i = blockIdx.x * B + threadIdx.x;
    T v = i < n ? x[i] : (T)0, items[2] = {v, v};
    T s = BlockReduce(temp).Sum(v);
    if (threadIdx.x == 0) sum[blockIdx.x] = s;
    __syncthreads();
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
extern "C" __global__ void warps(const float* x, float* sum, float* before) {
    typedef cub::WarpReduce<float, 8> Reduce;
    typedef cub::WarpScan<float, 8> Scan;
    __shared__ Reduce::TempStorage r[8];
    __shared__ Scan::TempStorage s[8];
    int w = threadIdx.x / 8;
    float total = Reduce(r[w]).Sum(x[threadIdx.x]), value;
    if (threadIdx.x % 8 == 0) sum[w] = total;
    Scan(s[w]).ExclusiveSum(x[threadIdx.x], value);
    before[threadIdx.x] = value;
}

// rule: Storage of CUB that is used twice needs a barrier
// launch: 1, 128, [zeros(128, int32), *zeros((2, 1), int32)]
// error: RaceError thread=(32,0,0) block=(0,0,0)
// report: race: writes temp.warps[1], which thread (0,0,0) of the same block reads in line 13
// report: no barrier orders the two
// report: hint: put __syncthreads() between them
#include <cub/cub.cuh>
extern "C" __global__ void k(const int* x, int* sum, int* best)
{
    using BlockReduce = cub::BlockReduce<int, 128>;
    __shared__ typename BlockReduce::TempStorage temp;
    int v = x[threadIdx.x], items[2] = {v, v};
    int s = BlockReduce(temp).Sum(v);
    if (threadIdx.x == 0) *sum = s;
    int m = BlockReduce(temp).Reduce(items, cub::Max());  // <- here
    if (threadIdx.x == 0) *best = m;
}

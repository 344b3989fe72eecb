// CUB's reductions, scans, loads and stores of a warp or block. Sums of floats are added in the order of CUB's default
// reduction; loads and stores take the direct way, whatever their algorithm.
#include <cstdio>
#include <stdexcept>
namespace cub {
struct nnlib_sum { template <typename T> __device__ T operator()(const T& a, const T& b) const { return a + b; } };
struct Sum { template <typename T> __host__ __device__ T operator()(const T& a, const T& b) const { return a + b; } };
struct Max { template <typename T> __host__ __device__ T operator()(const T& a, const T& b) const { return b > a ? b : a; } };
struct Min { template <typename T> __host__ __device__ T operator()(const T& a, const T& b) const { return b < a ? b : a; } };
enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS };
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockLoadAlgorithm {
    BLOCK_LOAD_DIRECT, BLOCK_LOAD_STRIPED, BLOCK_LOAD_VECTORIZE, BLOCK_LOAD_TRANSPOSE, BLOCK_LOAD_WARP_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum BlockStoreAlgorithm {
    BLOCK_STORE_DIRECT, BLOCK_STORE_STRIPED, BLOCK_STORE_VECTORIZE, BLOCK_STORE_TRANSPOSE, BLOCK_STORE_WARP_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};
__device__ int nnlib_thread() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
// How many lanes this warp of a block of that many threads has, and their mask.
__device__ int nnlib_present(int threads) {
    int rest = threads - nnlib_thread() / 32 * 32;
    return rest < 32 ? rest : 32;
}
__device__ unsigned nnlib_mask(int lanes) { return lanes == 32 ? 0xffffffffu : (1u << lanes) - 1; }
// The lanes of the logical warp of that many that this lane is in.
__device__ unsigned nnlib_lanes(int width) {
    return width == 32 ? 0xffffffffu : ((1u << width) - 1) << (nnlib_thread() % 32 / width * width);
}

template <typename T, int WIDTH = 32> struct WarpReduce {
    struct TempStorage { int unused; };
    __device__ WarpReduce(TempStorage& temp) {}
    template <typename Op> __device__ T Reduce(T value, Op op, int valid = WIDTH) {
        int lane = nnlib_thread() % WIDTH;
        for (int step = 1; step < WIDTH; step *= 2) {
            T other = __shfl_down_sync(nnlib_lanes(WIDTH), value, step, WIDTH);
            if (lane + step < valid) value = op(value, other);
        }
        return value;
    }
    __device__ T Sum(T value, int valid = WIDTH) { return Reduce(value, nnlib_sum(), valid); }
};

template <typename T, int WIDTH = 32> struct WarpScan {
    struct TempStorage { int unused; };
    __device__ WarpScan(TempStorage& temp) {}
    template <typename Op> __device__ void InclusiveScan(T value, T& result, Op op) {
        int lane = nnlib_thread() % WIDTH;
        for (int step = 1; step < WIDTH; step *= 2) {
            T other = __shfl_up_sync(nnlib_lanes(WIDTH), value, step, WIDTH);
            if (lane >= step) value = op(other, value);
        }
        result = value;
    }
    template <typename Op> __device__ void InclusiveScan(T value, T& result, Op op, T& total) {
        InclusiveScan(value, result, op);
        total = __shfl_sync(nnlib_lanes(WIDTH), result, WIDTH - 1, WIDTH);
    }
    template <typename Op> __device__ void ExclusiveScan(T value, T& result, T first, Op op) {
        T sum;
        InclusiveScan(value, sum, op);
        T before = __shfl_up_sync(nnlib_lanes(WIDTH), sum, 1, WIDTH);
        if (nnlib_thread() % WIDTH == 0) result = first;
        else result = op(first, before);
    }
    template <typename Op> __device__ void ExclusiveScan(T value, T& result, T first, Op op, T& total) {
        T sum;
        InclusiveScan(value, sum, op, total);
        ExclusiveScan(value, result, first, op);
    }
    __device__ void InclusiveSum(T value, T& result) { InclusiveScan(value, result, nnlib_sum()); }
    __device__ void InclusiveSum(T value, T& result, T& total) { InclusiveScan(value, result, nnlib_sum(), total); }
    __device__ void ExclusiveSum(T value, T& result) { ExclusiveScan(value, result, (T)0, nnlib_sum()); }
    __device__ void ExclusiveSum(T value, T& result, T& total) { ExclusiveScan(value, result, (T)0, nnlib_sum(), total); }
};

template <typename T, int X, BlockReduceAlgorithm ALGORITHM = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1>
struct BlockReduce {
    struct TempStorage { T warps[(X * Y * Z + 31) / 32]; };
    TempStorage* temp;
    __device__ BlockReduce(TempStorage& storage) { temp = &storage; }
    template <typename Op> __device__ T Reduce(T value, Op op, int valid) {
        int t = nnlib_thread(), lane = t % 32, lanes = nnlib_present(X * Y * Z);
        for (int step = 1; step < 32; step *= 2) {
            T other = __shfl_sync(nnlib_mask(lanes), value, lane + step < lanes ? lane + step : lane);
            if (lane + step < lanes && t + step < valid) value = op(value, other);
        }
        if (t % 32 == 0) temp->warps[t / 32] = value;
        __syncthreads();
        if (t == 0) for (int w = 1; 32 * w < valid; w++) value = op(value, temp->warps[w]);
        return value;
    }
    template <typename Op> __device__ T Reduce(T value, Op op) { return Reduce(value, op, X * Y * Z); }
    template <typename Op> __device__ T first_(const T* values, int n, Op op) {
        T value = values[0];
        for (int k = 1; k < n; k++) value = op(value, values[k]);
        return value;
    }
    template <int N, typename Op> __device__ T Reduce(T (&values)[N], Op op) {
        return Reduce(first_(values, N, op), op, X * Y * Z);
    }
    __device__ T Sum(T value) { return Reduce(value, nnlib_sum(), X * Y * Z); }
    __device__ T Sum(T value, int valid) { return Reduce(value, nnlib_sum(), valid); }
    template <int N> __device__ T Sum(T (&values)[N]) {
        return Reduce(first_(values, N, nnlib_sum()), nnlib_sum(), X * Y * Z);
    }
};

template <typename T, int X, BlockScanAlgorithm ALGORITHM = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1> struct BlockScan {
    struct TempStorage { T warps[(X * Y * Z + 31) / 32]; };
    TempStorage* temp;
    __device__ BlockScan(TempStorage& storage) { temp = &storage; }
    // Each thread's sum of all threads up to it, and in `before`, but for the first thread, of those in front of it.
    template <typename Op> __device__ T scan_(T value, T& before, Op op, T& total) {
        int t = nnlib_thread(), lanes = nnlib_present(X * Y * Z);
        unsigned mask = nnlib_mask(lanes);
        for (int step = 1; step < 32; step *= 2) {
            T other = __shfl_up_sync(mask, value, step);
            if (t % 32 >= step) value = op(other, value);
        }
        before = __shfl_up_sync(mask, value, 1);
        if (t % 32 == lanes - 1) temp->warps[t / 32] = value;
        __syncthreads();
        total = temp->warps[0];
        T front = total;
        for (int w = 1; w < (X * Y * Z + 31) / 32; w++) {
            if (w == t / 32) front = total;
            total = op(total, temp->warps[w]);
        }
        if (t >= 32) {
            before = t % 32 == 0 ? front : op(front, before);
            value = op(front, value);
        }
        return value;
    }
    template <typename Op> __device__ void InclusiveScan(T value, T& result, Op op, T& total) {
        T before;
        result = scan_(value, before, op, total);
    }
    template <typename Op> __device__ void InclusiveScan(T value, T& result, Op op) {
        T before, total;
        result = scan_(value, before, op, total);
    }
    template <typename Op> __device__ void ExclusiveScan(T value, T& result, T first, Op op, T& total) {
        T before;
        scan_(value, before, op, total);
        if (nnlib_thread() == 0) result = first;
        else result = op(first, before);
    }
    template <typename Op> __device__ void ExclusiveScan(T value, T& result, T first, Op op) {
        T total;
        ExclusiveScan(value, result, first, op, total);
    }
    template <typename Op> __device__ void items_(T* values, T* results, int n, bool has_first, T first, Op op, T& total) {
        T sum = values[0], before;
        for (int k = 1; k < n; k++) sum = op(sum, values[k]);
        scan_(sum, before, op, total);
        bool begins = nnlib_thread() == 0;
        if (has_first) before = begins ? first : op(first, before);
        for (int k = 0; k < n; k++) {
            T value = values[k];
            if (has_first) {
                results[k] = before;
                before = op(before, value);
            } else {
                before = begins && k == 0 ? value : op(before, value);
                results[k] = before;
            }
        }
    }
    template <int N, typename Op> __device__ void InclusiveScan(T (&values)[N], T (&results)[N], Op op, T& total) {
        items_(values, results, N, false, values[0], op, total);
    }
    template <int N, typename Op> __device__ void InclusiveScan(T (&values)[N], T (&results)[N], Op op) {
        T total;
        items_(values, results, N, false, values[0], op, total);
    }
    template <int N, typename Op>
    __device__ void ExclusiveScan(T (&values)[N], T (&results)[N], T first, Op op, T& total) {
        items_(values, results, N, true, first, op, total);
    }
    template <int N, typename Op> __device__ void ExclusiveScan(T (&values)[N], T (&results)[N], T first, Op op) {
        T total;
        items_(values, results, N, true, first, op, total);
    }
    __device__ void InclusiveSum(T value, T& result) { InclusiveScan(value, result, nnlib_sum()); }
    __device__ void InclusiveSum(T value, T& result, T& total) { InclusiveScan(value, result, nnlib_sum(), total); }
    __device__ void ExclusiveSum(T value, T& result) { ExclusiveScan(value, result, (T)0, nnlib_sum()); }
    __device__ void ExclusiveSum(T value, T& result, T& total) { ExclusiveScan(value, result, (T)0, nnlib_sum(), total); }
    template <int N> __device__ void InclusiveSum(T (&values)[N], T (&results)[N]) {
        T total;
        items_(values, results, N, false, (T)0, nnlib_sum(), total);
    }
    template <int N> __device__ void InclusiveSum(T (&values)[N], T (&results)[N], T& total) {
        items_(values, results, N, false, (T)0, nnlib_sum(), total);
    }
    template <int N> __device__ void ExclusiveSum(T (&values)[N], T (&results)[N]) {
        T total;
        items_(values, results, N, true, (T)0, nnlib_sum(), total);
    }
    template <int N> __device__ void ExclusiveSum(T (&values)[N], T (&results)[N], T& total) {
        items_(values, results, N, true, (T)0, nnlib_sum(), total);
    }
};

template <typename T, int X, int N, BlockLoadAlgorithm ALGORITHM = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1>
struct BlockLoad {
    struct TempStorage { int unused; };
    __device__ BlockLoad(TempStorage& storage) {}
    __device__ int place_(int k) { return ALGORITHM == BLOCK_LOAD_STRIPED ? k * X * Y * Z + nnlib_thread() : nnlib_thread() * N + k; }
    template <int M> __device__ void Load(const T* from, T (&values)[M]) { for (int k = 0; k < N; k++) values[k] = from[place_(k)]; }
    template <int M> __device__ void Load(const T* from, T (&values)[M], int valid) {
        for (int k = 0; k < N; k++) if (place_(k) < valid) values[k] = from[place_(k)];
    }
    template <int M> __device__ void Load(const T* from, T (&values)[M], int valid, T other) {
        for (int k = 0; k < N; k++) values[k] = place_(k) < valid ? from[place_(k)] : other;
    }
};

template <typename T, int X, int N, BlockStoreAlgorithm ALGORITHM = BLOCK_STORE_DIRECT, int Y = 1, int Z = 1>
struct BlockStore {
    struct TempStorage { int unused; };
    __device__ BlockStore(TempStorage& storage) {}
    __device__ int place_(int k) { return ALGORITHM == BLOCK_STORE_STRIPED ? k * X * Y * Z + nnlib_thread() : nnlib_thread() * N + k; }
    template <int M> __device__ void Store(T* to, T (&values)[M]) { for (int k = 0; k < N; k++) to[place_(k)] = values[k]; }
    template <int M> __device__ void Store(T* to, T (&values)[M], int valid) {
        for (int k = 0; k < N; k++) if (place_(k) < valid) to[place_(k)] = values[k];
    }
};
}

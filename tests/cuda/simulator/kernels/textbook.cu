// rule: A block adds its part by a tree in shared memory and shuffles
// kernel: reduce<128>
// launch: 4, 128, [normal(512), zeros(4)]
// expect: allclose(g_odata, g_idata.reshape(4, 128).sum(1), 2e-3, 1e-3)
template <unsigned int BLOCK> __device__ void warpReduce(volatile float* s, unsigned int t)
{
    if (BLOCK >= 64) {
        s[t] += s[t + 32];
        __syncwarp();
    }
}
template <unsigned int BLOCK> __global__ void reduce(const float* g_idata, float* g_odata)
{
    __shared__ float sdata[BLOCK];
    unsigned int tid = threadIdx.x, i = blockIdx.x * BLOCK + tid;
    sdata[tid] = g_idata[i];
    __syncthreads();
    if (BLOCK >= 512) {
        if (tid < 256) {
            sdata[tid] += sdata[tid + 256];
        }
        __syncthreads();
    }
    if (BLOCK >= 256) {
        if (tid < 128) {
            sdata[tid] += sdata[tid + 128];
        }
        __syncthreads();
    }
    if (BLOCK >= 128) {
        if (tid < 64) {
            sdata[tid] += sdata[tid + 64];
        }
        __syncthreads();
    }
    if (tid < 32) {
        float v = sdata[tid] + sdata[tid + 32];
#pragma unroll
        for (int offset = 16; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffff, v, offset);
        if (tid == 0) g_odata[blockIdx.x] = v;
    }
}

// rule: Bodies attract each other; tiles of them pass through shared memory
// launch: 2, 64, [normal((128, 4)), zeros((128, 3)), 128], shared_mem=1024
// expect: allclose(a, (p[:, 3:] * (r := p[None, :, :3] - p[:, None, :3]) * ((r**2).sum(-1) + 0.01)[..., None] ** -1.5).sum(1), 2e-3, 1e-3)
struct Vec3 {
    float x, y, z;
    __host__ __device__ Vec3() : x(0), y(0), z(0) {}
    __host__ __device__ Vec3(float a, float b, float c) : x(a), y(b), z(c) {}
    __host__ __device__ Vec3 operator+(const Vec3& o) const { return Vec3(x + o.x, y + o.y, z + o.z); }
    __host__ __device__ Vec3 operator-(const Vec3& o) const { return {x - o.x, y - o.y, z - o.z}; }
    __host__ __device__ Vec3& operator+=(const Vec3& o)
    {
        x += o.x;
        y += o.y;
        z += o.z;
        return *this;
    }
    __host__ __device__ float dot(const Vec3& o) const { return x * o.x + y * o.y + z * o.z; }
    __host__ __device__ friend Vec3 operator*(float s, const Vec3& v)
    {
        return Vec3(s * v.x, s * v.y, s * v.z);
    }
    __host__ __device__ float operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
};
extern "C" __global__ void nbody(const float4* p, float* a, int n)
{
    extern __shared__ float4 tile[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me = p[i];
    Vec3 acc, mine(me.x, me.y, me.z);
    for (int t = 0; t < n / blockDim.x; ++t) {
        tile[threadIdx.x] = p[t * blockDim.x + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < blockDim.x; ++j) {
            Vec3 r = Vec3(tile[j].x, tile[j].y, tile[j].z) - mine;
            float d2 = r.dot(r) + 0.01f;
            float inv = rsqrtf(d2);
            acc += (tile[j].w * inv * inv * inv) * r;
        }
        __syncthreads();
    }
    for (int k = 0; k < 3; k++) a[3 * i + k] = acc[k];
}

// rule: A grid adds all numbers by groups and one atomic of each block
// cooperative
// launch: 2, 64, [normal(1000), zeros(1), 1000]
// expect: allclose(out, given.sum(dtype=float), 2e-3, 1e-3)
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
extern "C" __global__ void sum(const float* given, float* out, int n)
{
    cg::grid_group grid = cg::this_grid();
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<32>(block);
    float v = 0;
    for (int i = grid.thread_rank(); i < n; i += grid.size()) v += given[i];
    v = cg::reduce(tile, v, cg::plus<float>());
    __shared__ float part[32];
    if (tile.thread_rank() == 0) part[tile.meta_group_rank()] = v;
    block.sync();
    if (tile.meta_group_rank() == 0) {
        v = tile.thread_rank() < tile.meta_group_size() ? part[tile.thread_rank()] : 0.0f;
        v = cg::reduce(tile, v, cg::plus<float>());
        if (tile.thread_rank() == 0) atomicAdd(out, v);
    }
}

// rule: Pairs of halves are multiplied and added
// launch: 2, 32, [array([2], float16), arange(200, float16) / float16(8), ones(200, float16), 100]
// expect: y == 2 * x + 1
#include <cuda_fp16.h>
extern "C" __global__ void axpy(const __half* alpha, const __half2* x, __half2* y, int n)
{
    const __half2 a = __half2half2(*alpha);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        __half2 v = __hfma2(a, x[i], y[i]);
        if (__hgt(__low2half(v), __float2half(1000.0f))) v = __float2half2_rn(0.0f);
        y[i] = v;
    }
}

// rule: Random points in a square: the share in the circle
// launch: 4, 32, [zeros(6144, uint8), zeros(4, uint32), 200]
// expect: abs(4 * hits.sum() / (200 * 128) - pi) < 0.03
#include <curand_kernel.h>
extern "C" __global__ void pi(curandState* states, unsigned* hits, int n)
{
    __shared__ unsigned count;
    int id = threadIdx.x + blockIdx.x * blockDim.x;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    curand_init(1234ULL, id, 0, states + id);
    curandState local = states[id];
    unsigned mine = 0;
    for (int i = 0; i < n; i++) {
        float x = curand_uniform(&local), y = curand_uniform(&local);
        if (x * x + y * y <= 1.0f) ++mine;
    }
    states[id] = local;
    atomicAdd(&count, mine);
    __syncthreads();
    if (!threadIdx.x) hits[blockIdx.x] = count;
}

// rule: Running sums of a block, warp by warp
// launch: 1, 256, [arange(256, int32) * 3 % 7, zeros(256, int32), 256]
// expect: out == given.cumsum()
#define FULL 0xffffffffu
__device__ int warp_scan(int x)
{
    const int lane = threadIdx.x & 31;
    for (int d = 1; d < warpSize; d <<= 1) {
        int y = __shfl_up_sync(FULL, x, d);
        if (lane >= d) x += y;
    }
    return x;
}
extern "C" __global__ void scan(const int* given, int* out, int n)
{
    __shared__ int sums[32];
    int t = threadIdx.x, lane = t & 31, w = t >> 5;
    int x = warp_scan(given[t]);
    if (lane == 31) sums[w] = x;
    __syncthreads();
    if (w == 0) {
        int s = lane < blockDim.x / 32 ? sums[lane] : 0;
        s = warp_scan(s);
        sums[lane] = s;
    }
    __syncthreads();
    if (w > 0) x += sums[w - 1];
    out[t] = x;
}

// rule: The last block that counts itself adds the sums of all
// launch: 16, 64, [normal(4096), zeros(16), zeros(1), 4096]
// expect: allclose(result, given.sum(dtype=float), 2e-3, 1e-3)
__device__ unsigned int retirementCount = 0;
extern "C" __global__ void sumLast(const float* given, volatile float* partial, float* result, int n)
{
    __shared__ float s[64];
    __shared__ bool amLast;
    float v = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) v += given[i];
    s[threadIdx.x] = v;
    __syncthreads();
    for (int k = blockDim.x >> 1; k; k >>= 1) {
        if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = s[0];
        __threadfence();
        unsigned int ticket = atomicInc(&retirementCount, gridDim.x);
        amLast = (ticket == gridDim.x - 1);
    }
    __syncthreads();
    if (amLast) {
        float sum = 0;
        if (threadIdx.x == 0) {
            for (int i = 0; i < gridDim.x; i++) sum += partial[i];
            *result = sum;
            retirementCount = 0;
        }
    }
}

// rule: Running sums over blocks that look back at those before them
// launch: 8, 32, [arange(256, int32) % 5, zeros(256, int32), zeros(8, int32), zeros(8, int32), zeros(1, int32)]
// expect: out == given.cumsum()
extern "C" __global__ void lookback(const int* given, int* out, volatile int* flag, volatile int* value,
                                    int* next)
{
    __shared__ int bid_s, before;
    if (threadIdx.x == 0) bid_s = atomicAdd(next, 1);
    __syncthreads();
    const int bid = bid_s;
    int x = given[bid * blockDim.x + threadIdx.x];
    for (int d = 1; d < 32; d *= 2) {
        int y = __shfl_up_sync(~0u, x, d);
        if (threadIdx.x >= d) x += y;
    }
    if (threadIdx.x == 31) {
        int sum = 0;
        if (bid > 0) {
            while (flag[bid - 1] == 0) {
            }
            __threadfence();
            sum = value[bid - 1];
        }
        value[bid] = sum + x;
        __threadfence();
        flag[bid] = 1;
        before = sum;
    }
    __syncthreads();
    out[bid * blockDim.x + threadIdx.x] = before + x;
}

// rule: Blocks take a lock in turn
// launch: 4, 32, [zeros(1, int32), zeros(1, int32)]
// expect: sum == 4
struct Lock {
    int* mutex;
    __device__ void lock()
    {
        while (atomicCAS(mutex, 0, 1) != 0);
        __threadfence();
    }
    __device__ void unlock()
    {
        __threadfence();
        atomicExch(mutex, 0);
    }
};
extern "C" __global__ void locked(int* mutex, int* sum)
{
    Lock l{mutex};
    if (threadIdx.x == 0) {
        l.lock();
        *sum += 1;
        l.unlock();
    }
}

// rule: Two stages of asynchronous copies
// launch: 2, 64, [normal(512), zeros(128)]
// expect: allclose(out, given.reshape(2, 4, 64).sum(1).ravel(), 2e-3, 1e-3)
#include <cuda_pipeline.h>
extern "C" __global__ void pipe(const float* __restrict__ given, float* out)
{
    __shared__ float buf[2][64];
    const float* p = given + blockIdx.x * 256;
    int t = threadIdx.x;
    __pipeline_memcpy_async(&buf[0][t], p + t, sizeof(float));
    __pipeline_commit();
    float s = 0;
    for (int i = 0; i < 4; i++) {
        if (i + 1 < 4) __pipeline_memcpy_async(&buf[(i + 1) & 1][t], p + (i + 1) * 64 + t, sizeof(float));
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        s += buf[i & 1][(t + 1) % 64] - buf[i & 1][(t + 1) % 64] + buf[i & 1][t];
        __syncthreads();
    }
    out[blockIdx.x * 64 + t] = s;
}

// rule: Two arrays share one extern array
// launch: 1, 32, [normal(32), zeros(32), zeros(32, int32)], shared_mem=320
// expect: y == x[::-1]
// expect: p == arange(32)[::-1]
extern "C" __global__ void two(const float* x, float* y, int* p)
{
    extern __shared__ unsigned char raw[];
    float* f = reinterpret_cast<float*>(raw);
    int* idx = (int*)&f[blockDim.x];
    short* sh = (short*)(idx + blockDim.x);
    int t = threadIdx.x;
    f[t] = x[t];
    idx[t] = t;
    sh[t] = (short)(t - 5);
    __syncthreads();
    y[t] = f[blockDim.x - 1 - t];
    p[t] = idx[31 - t] + sh[t] - (t - 5);
}

// rule: A point minus its six neighbours
// launch: (2, 2, 2), (4, 4, 4), [normal((8, 8, 8)), zeros((8, 8, 8)), 8, 8, 8]
// expect: allclose(v, pad(sum([roll(u, s, k) for s in (-1, 1) for k in range(3)], axis=0)[1:-1, 1:-1, 1:-1] - 6 * u[1:-1, 1:-1, 1:-1], 1), 2e-3, 1e-3)
__constant__ float c_w[7] = {-6.f, 1.f, 1.f, 1.f, 1.f, 1.f, 1.f};
#define IDX(x, y, z) ((size_t)(z) * ny * nx + (y) * nx + (x))
extern "C" __global__ void stencil3d(const float* __restrict__ u, float* __restrict__ v, int nx, int ny,
                                     int nz)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
        z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= nx || y >= ny || z >= nz) return;
    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1 && z > 0 && z < nz - 1)
        v[IDX(x, y, z)] = c_w[0] * u[IDX(x, y, z)] + c_w[1] * u[IDX(x - 1, y, z)] +
                          c_w[2] * u[IDX(x + 1, y, z)] + c_w[3] * u[IDX(x, y - 1, z)] +
                          c_w[4] * u[IDX(x, y + 1, z)] + c_w[5] * u[IDX(x, y, z - 1)] +
                          c_w[6] * u[IDX(x, y, z + 1)];
}

// rule: Each point becomes the mean of its neighbours, ten times over
// cooperative
// launch: 2, 32, [append(append(ones(1), zeros(62)), full(1, 2)), zeros(64), 10]
// expect: allclose(a, reduce(lambda a, _: append(append(a[:1], (a[:-2] + a[2:]) / 2), a[-1:]), range(10), append(append(1, zeros(62)), 2)), 2e-3, 1e-3)
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void jacobi(float* a, float* b, int steps)
{
    auto g = cooperative_groups::this_grid();
    int i = g.thread_rank();
    float *src = a, *dst = b;
    for (int s = 0; s < steps; s++) {
        dst[i] = i == 0 || i == 63 ? src[i] : 0.5f * (src[i - 1] + src[i + 1]);
        g.sync();
        float* t = src;
        src = dst;
        dst = t;
    }
}

// rule: A block sorts by a bitonic network
// launch: 1, 128, [arange(256, int32) * 77 % 256]
// expect: data == arange(256)
extern "C" __global__ void bitonic(int* data)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = data[t];
    s[t + 128] = data[t + 128];
    for (int size = 2; size <= 256; size <<= 1)
        for (int stride = size / 2; stride > 0; stride >>= 1) {
            __syncthreads();
            int pos = 2 * t - (t & (stride - 1));
            bool up = ((2 * t) & size) == 0;
            int a = s[pos], b = s[pos + stride];
            if ((a > b) == up) {
                s[pos] = b;
                s[pos + stride] = a;
            }
        }
    __syncthreads();
    data[t] = s[t];
    data[t + 128] = s[t + 128];
}

// rule: A histogram of bytes by their upper half
// launch: 3, 64, [(arange(1000, int32) * 7919 % 256).astype(uint8), zeros(16, uint32), 1000]
// expect: bins == bincount(data >> 4, minlength=16)
extern "C" __global__ void hist(const unsigned char* data, unsigned int* bins, long n)
{
    __shared__ unsigned int local[16];
    if (threadIdx.x < 16) local[threadIdx.x] = 0;
    __syncthreads();
    for (long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(local + (data[i] >> 4), 1u);
    __syncthreads();
    if (threadIdx.x < 16) atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

// rule: A device function takes a lambda
// launch: 1, 8, [arange(8), zeros(8), 3.0]
// expect: y == [1, 4, 8, 15, 36, 135, 738, 5061]
__device__ int fact(int n) { return n <= 1 ? 1 : n * fact(n - 1); }
template <class F> __device__ float call(F f, float v) { return f(v); }
extern "C" __global__ void apply(const float* x, float* y, float k)
{
    int t = threadIdx.x;
    auto scale = [=](float v) { return v * k; };
    float extra = 0.0f;
    auto add = [&extra](int n) mutable { extra += (float)fact(n); };
    add(t);
    y[t] = call(scale, x[t]) + extra;
}

// rule: A warp reserves room for its lanes by one atomic
// launch: 2, 64, [arange(128, int32) * 37 % 11 - 5, zeros(128, int32), zeros(1, int32)]
// expect: sort(dst[: n[0]]) == sort(src[src > 0])
// expect: dst[n[0] :] == 0
__device__ int atomicAggInc(int* ctr)
{
    unsigned int active = __activemask();
    int leader = __ffs(active) - 1, change = __popc(active);
    unsigned rank = __popc(active & ((1u << (threadIdx.x % 32)) - 1));
    int warp_res;
    if (rank == 0) warp_res = atomicAdd(ctr, change);
    warp_res = __shfl_sync(active, warp_res, leader);
    return warp_res + rank;
}
extern "C" __global__ void warpagg(const int* src, int* dst, int* n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (src[i] > 0) dst[atomicAggInc(n)] = src[i];
}

// rule: A warp computes the softmax of a row in one pass
// launch: 2, (32, 4), [normal((7, 50)), zeros((7, 50)), 7, 50]
// expect: allclose(y, exp(x) / exp(x).sum(1, keepdims=True), 2e-3, 1e-3)
struct __align__(8) MD {
    float m, d;
};
__device__ __forceinline__ MD merge(MD a, MD b)
{
    bool bigger = a.m > b.m;
    MD hi = bigger ? a : b, lo = bigger ? b : a, r;
    r.d = hi.d + lo.d * __expf(lo.m - hi.m);
    r.m = hi.m;
    return r;
}
extern "C" __global__ void softmax(const float* x, float* y, int rows, int cols)
{
    int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= rows) return;
    MD p;
    p.m = -INFINITY;
    p.d = 0.0f;
    for (int c = threadIdx.x; c < cols; c += 32) {
        MD q;
        q.m = x[row * cols + c];
        q.d = 1.0f;
        p = merge(p, q);
    }
    for (int o = 16; o; o >>= 1) {
        MD q;
        q.m = __shfl_xor_sync(0xffffffff, p.m, o);
        q.d = __shfl_xor_sync(0xffffffff, p.d, o);
        p = merge(p, q);
    }
    for (int c = threadIdx.x; c < cols; c += 32) y[row * cols + c] = __expf(x[row * cols + c] - p.m) / p.d;
}

// rule: Doubles are added by compare and swap
// launch: 2, 32, [arange(64, float64), arange(64, float64) / 4, zeros(1, float64)]
// expect: r == (x * y).sum()
__device__ double myAtomicAdd(double* address, double val)
{
    unsigned long long int* a = (unsigned long long int*)address;
    unsigned long long int old = *a, assumed;
    do {
        assumed = old;
        old = atomicCAS(a, assumed, __double_as_longlong(val + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}
extern "C" __global__ void dot(const double* x, const double* y, double* r)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    myAtomicAdd(r, x[i] * y[i]);
}

// rule: A matrix is transposed by padded tiles
// kernel: transpose<float, 16>
// launch: (3, 2), (16, 4), [normal((30, 40)), zeros((40, 30)), 40, 30]
// expect: out == given.T
template <typename T, int TILE> __global__ void transpose(const T* given, T* out, int w, int h)
{
    __shared__ T tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < TILE && y + j < h; j += blockDim.y)
        if (x < w) tile[threadIdx.y + j][threadIdx.x] = given[(y + j) * w + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += blockDim.y)
        if (x < h && y + j < w) out[(y + j) * h + x] = tile[threadIdx.x][threadIdx.y + j];
}

// rule: Colours become grey
// launch: 1, 32, [(arange(96, int32).reshape(32, 3) * 7919 % 256).astype(uint8), zeros(32, uint8)]
// expect: out == floor(rgb @ array([0.299, 0.587, 0.114]) + 0.5)
enum class Channel : int { R = 0, G = 1, B };
template <typename T> struct Image {
    T* data;
    int stride;
    static constexpr int CHANNELS = 3;
    __device__ T& at(int i, Channel c) { return data[i * stride + static_cast<int>(c)]; }
};
extern "C" __global__ void gray(uchar3* rgb, unsigned char* out)
{
    Image<unsigned char> img = {reinterpret_cast<unsigned char*>(rgb), Image<unsigned char>::CHANNELS};
    int i = threadIdx.x;
    float v =
        0.299f * img.at(i, Channel::R) + 0.587f * img.at(i, Channel::G) + 0.114f * img.at(i, Channel::B);
    out[i] = (unsigned char)(v + 0.5f);
}

// rule: Two warps hand over to each other by volatile flags
// launch: 1, 64, [zeros(2, int32)]
// expect: out == [42, 0]
extern "C" __global__ void handshake(int* out)
{
    __shared__ volatile int flag;
    __shared__ volatile int value;
    if (threadIdx.x == 0) flag = 0;
    __syncthreads();
    if (threadIdx.x == 32) {
        value = 42;
        __threadfence_block();
        flag = 1;
    }
    if (threadIdx.x == 0) {
        while (flag == 0);
        __threadfence_block();
        out[0] = value;
    }
}

// rule: Numbers are sorted by counting the smaller ones
// launch: 1, 64, [arange(64, int64)[::-1].copy(), zeros(64, int64), 64]
// expect: b == arange(64)
extern "C" __global__ void rank(const long long* a, long long* b, size_t n)
{
    size_t i = threadIdx.x;
    if (i >= n) return;
    size_t r = 0;
    for (size_t j = n; j-- > 0;) r += a[j] < a[i] || (a[j] == a[i] && j < i);
    b[r] = a[i];
}

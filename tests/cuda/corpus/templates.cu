// Kernels that are templates, namespaces, and small things of C++.

namespace numbers {
template <typename T> __device__ T square(T x) { return x * x; }
template <> __device__ int square(int x) { return x * x + 1; }  // so that one sees which is called
namespace deep { const int SHIFT = 3; }
}
namespace n = numbers;

typedef unsigned int u32;
typedef unsigned int u32;

template <typename T, int TILE = 8>
__global__ void tile_sums(const T* x, T* sums, int n)
{
    __shared__ T tile[TILE];
    int i = blockIdx.x * TILE + threadIdx.x;
    tile[threadIdx.x] = i < n ? n::square(x[i]) : T(0);
    __syncthreads();
    if (threadIdx.x == 0) {
        T sum = 0;
        for (int k = 0; k < TILE; k++) sum += tile[k];
        sums[blockIdx.x] = sum;
    }
}

template <bool UP>
__global__ void shifted(const uint* x, uint* y, int dim3 = 1)
{
    u32 uint = __ldcs(x + threadIdx.x);
    __stcs(y + threadIdx.x, UP ? uint << numbers::deep::SHIFT : uint >> dim3);
}

extern "C" __global__ void waits(long long* passed)
{
    clock_t begin = clock();
    long long later = clock64();
    while (clock64() - later < 20000) __nanosleep(100);
    passed[threadIdx.x] = clock64() - later >= 20000 && later >= begin;
}

typedef float (*unary)(float);

__device__ float square(float x) { return x * x; }
__device__ float half_of(float x) { return 0.5f * x; }

template <typename F> __device__ float twice_applied(F f, float x) { return f(f(x)); }

template <unary F, typename T>
__global__ void mapped(const T* x, T* y)
{
    auto g = half_of;
    y[threadIdx.x] = F(x[threadIdx.x]) + twice_applied(square, x[threadIdx.x]) - twice_applied(g, x[threadIdx.x]);
}

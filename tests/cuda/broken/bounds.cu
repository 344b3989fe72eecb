// Elements outside of their array. Each kernel stands alone: expect: error, first thread and block; launch: as in Python.

// expect: OutOfBoundsError thread=(36,0,0) block=(1,0,0)
// launch: 2, 64, [floats(100), floats(100), floats(100)]
extern "C" __global__ void guard_missing(const float* a, const float* b, float* c)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    c[i] = a[i] + b[i];  // <- here
}

// expect: OutOfBoundsError thread=(36,0,0) block=(1,0,0)
// launch: 2, 64, [floats(128), floats(100), 100]
extern "C" __global__ void guard_off_by_one(const float* a, float* b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n)
        b[i] = a[i];  // <- here
}

// expect: OutOfBoundsError thread=(0,0,0) block=(0,0,0)
// launch: 1, 64, [floats(64), floats(64), 64]
extern "C" __global__ void left_neighbour_of_the_first(const float* a, float* b, int n)
{
    int i = threadIdx.x;
    if (i < n)
        b[i] = a[i] - a[i - 1];  // <- here
}

// expect: OutOfBoundsError thread=(0,0,0) block=(0,0,0)
// launch: 1, 32, [floats(32), floats(32)]
extern "C" __global__ void unsigned_wraps_below_zero(const float* a, float* b)
{
    unsigned int i = threadIdx.x;
    b[i] = a[i - 1u];  // <- here
}

// expect: OutOfBoundsError thread=(0,10,0) block=(0,0,0)
// launch: 1, (16, 16), [floats(10, 20), floats(10, 20), 20, 10]
extern "C" __global__ void second_guard_missing(const float* a, float* b, int width, int height)
{
    int x = threadIdx.x, y = threadIdx.y;
    if (x < width)
        b[y * width + x] = a[y * width + x];  // <- here
}

// expect: OutOfBoundsError thread=(11,0,0) block=(0,0,0)
// launch: 1, (20, 11), [floats(11, 20), floats(20, 11), 20, 11]
extern "C" __global__ void width_for_height(const float* a, float* b, int width, int height)
{
    int x = threadIdx.x, y = threadIdx.y;
    b[x * width + y] = a[y * width + x];  // <- here
}

// expect: OutOfBoundsError thread=(3,0,0) block=(0,0,0)
// launch: 1, 32, [int32([1, 2, 3, 99] * 8), floats(32), floats(32)]
extern "C" __global__ void index_from_data(const int* index, const float* a, float* b)
{
    int i = threadIdx.x;
    b[i] = a[index[i]];  // <- here
}

// expect: OutOfBoundsError thread=(25,0,0) block=(0,0,0)
// launch: 1, 32, [floats(102), floats(128)]
extern "C" __global__ void last_float4(const float* a, float* b)
{
    const float4* v = reinterpret_cast<const float4*>(a);
    reinterpret_cast<float4*>(b)[threadIdx.x] = v[threadIdx.x];  // <- here
}

// expect: OutOfBoundsError thread=(25,0,0) block=(0,0,0)
// launch: 1, 32, [floats(102), floats(128), 102]
extern "C" __global__ void float4_is_cut_off(const float* a, float* b, int n)
{
    const float4* v = (const float4*)a;
    int i = threadIdx.x;
    if (4 * i < n)
        ((float4*)b)[i] = v[i];  // <- here
}

// expect: OutOfBoundsError thread=(6,0,0) block=(0,0,0)
// launch: 1, 32, [floats(128)]
extern "C" __global__ void float4_of_a_table(float* b)
{
    __shared__ float table[5][5];
    ((float4*)table)[threadIdx.x] = ((float4*)b)[threadIdx.x];  // <- here
}

// expect: OutOfBoundsError thread=(31,0,0) block=(0,0,0)
// launch: 1, 32, [floats(100), floats(32)]
extern "C" __global__ void pointer_runs_off(const float* a, float* b)
{
    const float* p = a + 3 * threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < 8; i++)
        sum += *p++;  // <- here
    b[threadIdx.x] = sum;
}

// expect: OutOfBoundsError thread=(9,0,0) block=(0,0,0)
// launch: 1, 32, [floats(10), 32]
extern "C" __global__ void atomic_outside(float* sums, int n)
{
    atomicAdd(&sums[threadIdx.x + 1], 1.0f);  // <- here
}

// expect: OutOfBoundsError thread=(64,0,0) block=(0,0,0)
// launch: 1, 128, [floats(128)]
extern "C" __global__ void block_larger_than_shared(float* a)
{
    __shared__ float s[64];
    s[threadIdx.x] = a[threadIdx.x];  // <- here
    __syncthreads();
    a[threadIdx.x] = s[threadIdx.x ^ 1];
}

// expect: OutOfBoundsError thread=(63,0,0) block=(0,0,0)
// launch: 1, 64, [floats(64)]
extern "C" __global__ void halo_not_allocated(float* a)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = a[t];
    __syncthreads();
    a[t] = 0.5f * (s[t] + s[t + 1]);  // <- here
}

// expect: OutOfBoundsError thread=(32,0,0) block=(0,0,0)
// launch: 1, 64, [floats(64)], 128
extern "C" __global__ void dynamic_shared_too_small(float* a)
{
    extern __shared__ float s[];
    s[threadIdx.x] = a[threadIdx.x];  // <- here
    __syncthreads();
    a[threadIdx.x] = s[63 - threadIdx.x];
}

// expect: OutOfBoundsError thread=(4,0,0) block=(0,0,0)
// launch: 1, 32, [floats(32)]
extern "C" __global__ void local_array_overrun(float* a)
{
    float v[4] = {1.0f, 2.0f, 3.0f, 4.0f};
    a[threadIdx.x] = v[threadIdx.x % 5];  // <- here
}

// expect: OutOfBoundsError thread=(8,0,0) block=(0,0,0)
// launch: 1, 32, [floats(32)]
__constant__ float weights[8] = {1, 2, 3, 4, 5, 6, 7, 8};
extern "C" __global__ void constant_overrun(float* a)
{
    a[threadIdx.x] = weights[threadIdx.x];  // <- here
}

// expect: OutOfBoundsError thread=(20,0,0) block=(0,0,0)
// launch: 1, 32, [floats(40)]
__device__ float third(const float* p)
{
    return p[2 * threadIdx.x];  // <- here
}
extern "C" __global__ void inside_a_device_function(float* a)
{
    a[threadIdx.x] = third(a);
}

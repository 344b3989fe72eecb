// Counting, with atomics on global and on shared memory, and what else atomics do.

extern "C" __global__ void histogram_global(const unsigned char* data, unsigned int* bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&bins[data[i]], 1u);
}

extern "C" __global__ void histogram_shared(const unsigned char* data, unsigned int* bins, int n)
{
    __shared__ unsigned int local[64];
    for (int b = threadIdx.x; b < 64; b += blockDim.x)
        local[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(&local[data[i] >> 2], 1u);
    __syncthreads();
    for (int b = threadIdx.x; b < 64; b += blockDim.x)
        atomicAdd(&bins[b], local[b]);
}

extern "C" __global__ void take_tickets(int* counter, int* holders, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&holders[atomicAdd(counter, 1)], 1);
}

__device__ float atomic_max_float(float* address, float value)
{
    int* as_int = (int*)address;
    int old = *as_int, assumed;
    do {
        assumed = old;
        old = atomicCAS(as_int, assumed, __float_as_int(fmaxf(value, __int_as_float(assumed))));
    } while (assumed != old);
    return __int_as_float(old);
}

extern "C" __global__ void maximum_by_cas(const float* in, float* out, int n)
{
    __shared__ float best;
    if (threadIdx.x == 0)
        best = -3.402823466e+38f;
    __syncthreads();
    int i = threadIdx.x;
    if (i < n)
        atomic_max_float(&best, in[i]);
    __syncthreads();
    if (i == 0)
        out[0] = best;
}

extern "C" __global__ void bitmap(const int* members, unsigned int* bits, unsigned int* flips, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int m = members[i];
        atomicOr(&bits[m / 32], 1u << (m % 32));
        atomicXor(&flips[m / 32], 1u << (m % 32));
    }
}

extern "C" __global__ void scatter_add(const int* index, const float* value, float* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(out + index[i], value[i]);
}

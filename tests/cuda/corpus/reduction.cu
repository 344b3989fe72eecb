// A sum in every way a textbook knows.

extern "C" __global__ void reduce_interleaved(const int* in, int* out, int n)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int step = 1; step < blockDim.x; step *= 2) {
        if (t % (2 * step) == 0)
            s[t] += s[t + step];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}

extern "C" __global__ void reduce_strided_index(const int* in, int* out, int n)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int step = 1; step < blockDim.x; step *= 2) {
        int at = 2 * step * t;
        if (at < blockDim.x)
            s[at] += s[at + step];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}

extern "C" __global__ void reduce_sequential(const float* in, float* out, int n)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    s[t] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half >>= 1) {
        if (t < half)
            s[t] += s[t + half];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}

__device__ float warp_sum(float v)
{
    for (int offset = 16; offset > 0; offset /= 2)
        v += __shfl_down_sync(0xffffffff, v, offset);
    return v;
}

extern "C" __global__ void reduce_shuffle(const float* in, float* out, int n)
{
    __shared__ float partial[32];
    int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
    float sum = 0.0f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += in[i];
    sum = warp_sum(sum);
    if (lane == 0)
        partial[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        sum = lane < blockDim.x / warpSize ? partial[lane] : 0.0f;
        sum = warp_sum(sum);
        if (lane == 0)
            out[blockIdx.x] = sum;
    }
}

extern "C" __global__ void reduce_atomic(const int* in, int* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(out, in[i]);
}

extern "C" __global__ void reduce_shared_atomic(const float* in, float* out, int n)
{
    __shared__ float total;
    if (threadIdx.x == 0)
        total = 0.0f;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&total, in[i]);
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(out, total);
}

extern "C" __global__ void reduce_last_warp(const int* in, int* out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 64 + t];
    __syncthreads();
    if (t < 32) {
        s[t] += s[t + 32];
        __syncwarp();
        for (int half = 16; half > 0; half /= 2) {
            if (t < half)
                s[t] += s[t + half];
            __syncwarp();
        }
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}

extern "C" __global__ void dot_product(const float* a, const float* b, float* out, int n)
{
    extern __shared__ float products[];
    float mine = 0.0f;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        mine += a[i] * b[i];
    products[threadIdx.x] = mine;
    __syncthreads();
    for (unsigned int half = blockDim.x / 2; half; half >>= 1) {
        if (threadIdx.x < half)
            products[threadIdx.x] += products[threadIdx.x + half];
        __syncthreads();
    }
    if (!threadIdx.x)
        *out = products[0];
}

extern "C" __global__ void argmax_rows(const float* in, int* where, int width)
{
    __shared__ float best[64];
    __shared__ int at[64];
    int t = threadIdx.x;
    const float* row = in + blockIdx.x * width;
    float v = -3.402823466e+38f;
    int index = 0;
#pragma unroll 1
    for (int x = t; x < width; x += 64) {
        float candidate = row[x];
        if (candidate > v) {
            v = candidate;
            index = x;
        }
    }
    best[t] = v;
    at[t] = index;
    __syncthreads();
    for (int half = 32; half > 0; half >>= 1) {
        if (t < half) {
            float other = best[t + half];
            int other_at = at[t + half];
            if (other > v || (other == v && other_at < index)) {
                best[t] = v = other;
                at[t] = index = other_at;
            }
        }
        __syncthreads();
    }
    if (t == 0)
        where[blockIdx.x] = at[0];
}

extern "C" __global__ void mean_and_variance(const double* in, double* mean, double* variance, int n)
{
    __shared__ double sums[2][64];
    int t = threadIdx.x;
    double sum = 0.0, squares = 0.0;
    for (int i = t; i < n; i += blockDim.x) {
        double v = in[blockIdx.x * n + i];
        sum += v;
        squares += v * v;
    }
    sums[0][t] = sum;
    sums[1][t] = squares;
    __syncthreads();
    for (int half = 32; half > 0; half /= 2) {
        if (t < half) {
            sums[0][t] += sums[0][t + half];
            sums[1][t] += sums[1][t + half];
        }
        __syncthreads();
    }
    if (t == 0) {
        double m = sums[0][0] / n;
        mean[blockIdx.x] = m;
        variance[blockIdx.x] = sums[1][0] / n - m * m;
    }
}

extern "C" __global__ void min_and_max(const int* in, int* low, int* high, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicMin(low, in[i]);
        atomicMax(high, in[i]);
    }
}

extern "C" __global__ void last_block_adds_up(const int* in, int* partial, unsigned int* finished, int* total, int n)
{
    __shared__ int s[64];
    __shared__ bool last;
    int t = threadIdx.x;
    int i = blockIdx.x * 64 + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int half = 32; half > 0; half /= 2) {
        if (t < half)
            s[t] += s[t + half];
        __syncthreads();
    }
    if (t == 0) {
        atomicExch(&partial[blockIdx.x], s[0]);
        __threadfence();
        last = atomicAdd(finished, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && t == 0) {
        int sum = 0;
        for (int b = 0; b < gridDim.x; b++)
            sum += atomicAdd(&partial[b], 0);
        *total = sum;
    }
}

// One result from many numbers, as lesson 04 comes to it: a thread, atomics, a tree in shared memory, warp shuffles.
//
// The network's own are sum_columns (linear.cu) and the losses of loss.cu.

#ifndef SIZE
#define SIZE 256  // threads of a block of sum_tree, a power of two
#endif

__device__ float warp_sum(float value) {
    for (int offset = 16; offset > 0; offset /= 2)
        value += __shfl_xor_sync(0xffffffffu, value, offset);
    return value;
}

__device__ float warp_max(float value) {
    for (int offset = 16; offset > 0; offset /= 2)
        value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, offset));
    return value;
}

// sums[c] = sum over r of x (rows, columns): a thread per column.  grid = columns / block rounded up.
extern "C" __global__ void sum_first(const float* x, float* sums, int rows, int columns) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= columns) return;
    float sum = 0.0f;
    for (int r = 0; r < rows; r++) sum += x[r * columns + c];
    sums[c] = sum;
}

// sum[0] += all n numbers of x: right, but rounded in another order on every run.  grid = n / block rounded up.
extern "C" __global__ void sum_atomic(const float* x, float* sum, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(sum, x[i]);
}

// One sum per block of SIZE threads.  grid = n / SIZE, n a multiple of it.
extern "C" __global__ void sum_tree(const float* x, float* sums) {
    __shared__ float s[SIZE];
    int t = threadIdx.x;
    s[t] = x[blockIdx.x * SIZE + t];
    for (int stride = SIZE / 2; stride > 0; stride /= 2) {
        __syncthreads();
        if (t < stride) s[t] += s[t + stride];
    }
    if (t == 0) sums[blockIdx.x] = s[0];
}

// One sum per warp.  grid = n / block, n a multiple of the block, the block one of 32.
extern "C" __global__ void sum_warps(const float* x, float* sums) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = warp_sum(x[i]);
    if (i % 32 == 0) sums[i / 32] = sum;
}

// y = softmax of each row of x (N, K), K at most 32: a warp per row.  grid = 32 N / block rounded up.
extern "C" __global__ void softmax_warp(const float* x, float* y, int N, int K) {
    int n = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (n >= N) return;  // a whole warp leaves, or none of it
    float value = lane < K ? x[n * K + lane] : -INFINITY;
    float e = expf(value - warp_max(value));
    float sum = warp_sum(e);
    if (lane < K) y[n * K + lane] = e / sum;
}

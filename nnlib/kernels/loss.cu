// Softmax, cross-entropy and binary cross-entropy, each loss with its gradient. Lessons 04 and 06.
//
// First version: one thread per row of logits (N, K), reading it three times.  grid = ceil(N / 256), block = 256.
// Last version: one warp per row; lanes hold every 32nd entry, shuffles find maximum and sum, and the row is read
// from memory once.  grid = ceil(N / 8), block = 256.
// The largest entry is subtracted first: exp cannot overflow and the quotient stays the same.

__device__ float warp_sum(float value) {
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
    return value;
}

__device__ float warp_max(float value) {
    for (int offset = 16; offset > 0; offset /= 2) value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, offset));
    return value;
}

// --- first version ---------------------------------------------------------------------------

extern "C" __global__ void softmax_naive(const float* x, float* y, int N, int K) {
    int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n >= N) return;
    float largest = x[n * K];
    for (int k = 1; k < K; k++) largest = fmaxf(largest, x[n * K + k]);
    float sum = 0.0f;
    for (int k = 0; k < K; k++) sum += expf(x[n * K + k] - largest);
    for (int k = 0; k < K; k++) y[n * K + k] = expf(x[n * K + k] - largest) / sum;
}

// losses (N): log sum exp(z) - z[label]; dlogits = (softmax - onehot) / N.
extern "C" __global__ void softmax_cross_entropy_naive(const float* logits, const int* labels, float* losses,
                                                       float* dlogits, int N, int K) {
    int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n >= N) return;
    float largest = logits[n * K];
    for (int k = 1; k < K; k++) largest = fmaxf(largest, logits[n * K + k]);
    float sum = 0.0f;
    for (int k = 0; k < K; k++) sum += expf(logits[n * K + k] - largest);
    losses[n] = logf(sum) - (logits[n * K + labels[n]] - largest);
    for (int k = 0; k < K; k++) {
        dlogits[n * K + k] = (expf(logits[n * K + k] - largest) / sum - (k == labels[n])) / N;
    }
}

// --- last version ----------------------------------------------------------------------------

#define LOWEST -3.402823466e38f

#ifndef ENTRIES
#define ENTRIES 1  // per lane: ceil(K / 32)
#endif

// values[e] = row[lane + 32 e]; past the end the lowest number, whose exponential is zero.
__device__ void load_row(float* values, const float* row, int lane, int K) {
    #pragma unroll
    for (int e = 0; e < ENTRIES; e++) values[e] = lane + 32 * e < K ? row[lane + 32 * e] : LOWEST;
}

// values <- exp(values - max); returns their sum over the warp and gives the maximum.
__device__ float exponentials(float* values, float* largest) {
    float top = values[0];
    #pragma unroll
    for (int e = 1; e < ENTRIES; e++) top = fmaxf(top, values[e]);
    top = warp_max(top);
    float sum = 0.0f;
    #pragma unroll
    for (int e = 0; e < ENTRIES; e++) {
        values[e] = expf(values[e] - top);
        sum += values[e];
    }
    *largest = top;
    return warp_sum(sum);
}

extern "C" __global__ void softmax(const float* __restrict__ x, float* __restrict__ y, int N, int K) {
    int n = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (n >= N) return;
    float values[ENTRIES], largest;
    load_row(values, x + (long long)n * K, lane, K);
    float scale = 1.0f / exponentials(values, &largest);
    #pragma unroll
    for (int e = 0; e < ENTRIES; e++) {
        if (lane + 32 * e < K) y[(long long)n * K + lane + 32 * e] = values[e] * scale;
    }
}

extern "C" __global__ void softmax_cross_entropy(const float* __restrict__ logits, const int* __restrict__ labels,
                                                 float* __restrict__ losses, float* __restrict__ dlogits, int N,
                                                 int K) {
    int n = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (n >= N) return;
    float values[ENTRIES], largest;
    load_row(values, logits + (long long)n * K, lane, K);
    float sum = exponentials(values, &largest);
    int label = labels[n];
    if (lane == 0) losses[n] = logf(sum) - (logits[(long long)n * K + label] - largest);
    #pragma unroll
    for (int e = 0; e < ENTRIES; e++) {
        int k = lane + 32 * e;
        if (k < K) dlogits[(long long)n * K + k] = (values[e] / sum - (k == label ? 1.0f : 0.0f)) / N;
    }
}

// losses (n) and dp (n) from probabilities and targets (n); probabilities kept one rounding unit from 0 and 1.
//   grid = ceil(n / 256), block = 256.
extern "C" __global__ void binary_cross_entropy(const float* __restrict__ probabilities,
                                                const float* __restrict__ targets, float* __restrict__ losses,
                                                float* __restrict__ dp, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float unit = 1.1920929e-7f;
    float p = fminf(fmaxf(probabilities[i], unit), 1.0f - unit), t = targets[i];
    losses[i] = -(t * logf(p) + (1.0f - t) * logf(1.0f - p));
    dp[i] = (p - t) / (p * (1.0f - p) * n);
}

// The same from z = log(p / (1 - p)): max(z, 0) - z t + log(1 + e^-|z|), safe for any finite z.
extern "C" __global__ void binary_cross_entropy_with_logits(const float* __restrict__ logits,
                                                            const float* __restrict__ targets,
                                                            float* __restrict__ losses, float* __restrict__ dlogits,
                                                            int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float z = logits[i], t = targets[i], decay = expf(-fabsf(z));
    losses[i] = fmaxf(z, 0.0f) - z * t + log1pf(decay);
    dlogits[i] = ((z >= 0.0f ? 1.0f : decay) / (1.0f + decay) - t) / n;
}

// sums (gridDim.x): each block adds up its part of values (n) in a fixed order and divides by `divisor`. Threads stride
// over the values, warps add up by shuffles, the first warp adds the warps.  any grid, block = 256.
extern "C" __global__ void block_sums(const float* __restrict__ values, float* __restrict__ sums, int n,
                                      float divisor) {
    __shared__ float warps[8];
    float sum = 0.0f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += values[i];
    sum = warp_sum(sum);
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 32) {
        sum = warp_sum(threadIdx.x < 8 ? warps[threadIdx.x] : 0.0f);
        if (threadIdx.x == 0) sums[blockIdx.x] = sum / divisor;
    }
}

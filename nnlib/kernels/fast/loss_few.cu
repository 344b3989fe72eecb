// Softmax and its cross-entropy for few classes, as in loss.cu, but one thread per row. Lesson 08.
//
// With 10 classes a warp per row leaves 22 lanes idle, and a thread per row reads memory with stride 10. So the block
// copies its 256 rows to shared memory as they lie, each thread works on its row there, and the block copies back.
// An odd pitch puts the rows' beginnings into different banks.
// -DCLASSES=K, at most 32.  x, y, logits, dlogits (N, K).  grid = ceil(N / 256), block = 256.

#ifndef CLASSES
#define CLASSES 10
#endif
#define ROWS 256
#define PITCH (CLASSES | 1)
#define BLOCKS_PER_SM (CLASSES <= 12 ? 6 : 3)  // enough threads in flight to keep memory busy

// Numbers in this block's rows; the last block may have fewer than ROWS.
__device__ int numbers_here(int N) { return min(ROWS, N - (int)blockIdx.x * ROWS) * CLASSES; }

// All threads copy the block's rows, then each takes its own into registers.
__device__ void load_row(float* values, float* rows, const float* x, int N) {
    const float* first = x + (long long)blockIdx.x * ROWS * CLASSES;
    int here = numbers_here(N);
    #pragma unroll
    for (int k = 0; k < CLASSES; k++) {
        int i = k * ROWS + threadIdx.x;
        rows[i / CLASSES * PITCH + i % CLASSES] = i < here ? first[i] : 0.0f;
    }
    __syncthreads();
    #pragma unroll
    for (int k = 0; k < CLASSES; k++) values[k] = rows[threadIdx.x * PITCH + k];
}

// And back.
__device__ void store_row(float* y, float* rows, const float* values, int N) {
    #pragma unroll
    for (int k = 0; k < CLASSES; k++) rows[threadIdx.x * PITCH + k] = values[k];
    __syncthreads();
    float* first = y + (long long)blockIdx.x * ROWS * CLASSES;
    int here = numbers_here(N);
    #pragma unroll
    for (int k = 0; k < CLASSES; k++) {
        int i = k * ROWS + threadIdx.x;
        if (i < here) first[i] = rows[i / CLASSES * PITCH + i % CLASSES];
    }
}

// values <- exp(values - max); returns their sum and gives the maximum.
__device__ float exponentials(float* values, float* largest) {
    float top = values[0], sum = 0.0f;
    #pragma unroll
    for (int k = 1; k < CLASSES; k++) top = fmaxf(top, values[k]);
    #pragma unroll
    for (int k = 0; k < CLASSES; k++) {
        values[k] = expf(values[k] - top);
        sum += values[k];
    }
    *largest = top;
    return sum;
}

extern "C" __global__ void __launch_bounds__(ROWS, BLOCKS_PER_SM)
softmax(const float* __restrict__ x, float* __restrict__ y, int N) {
    __shared__ float rows[ROWS * PITCH];
    float values[CLASSES], largest;
    load_row(values, rows, x, N);
    float scale = 1.0f / exponentials(values, &largest);
    #pragma unroll
    for (int k = 0; k < CLASSES; k++) values[k] *= scale;
    store_row(y, rows, values, N);
}

// losses (N): log sum exp(z) - z[label]; dlogits = (softmax - onehot) / N.
extern "C" __global__ void __launch_bounds__(ROWS, BLOCKS_PER_SM)
softmax_cross_entropy(const float* __restrict__ logits, const int* __restrict__ labels, float* __restrict__ losses,
                      float* __restrict__ dlogits, int N) {
    __shared__ float rows[ROWS * PITCH];
    int n = blockIdx.x * ROWS + threadIdx.x, label = n < N ? labels[n] : 0;
    float values[CLASSES], largest;
    load_row(values, rows, logits, N);
    float of_label = rows[threadIdx.x * PITCH + label];
    float sum = exponentials(values, &largest), scale = 1.0f / sum, mean = 1.0f / N;
    if (n < N) losses[n] = logf(sum) - (of_label - largest);
    #pragma unroll
    for (int k = 0; k < CLASSES; k++) values[k] = (values[k] * scale - (k == label ? 1.0f : 0.0f)) * mean;
    store_row(dlogits, rows, values, N);
}

// What a training step needs besides the layers when it runs inside a CUDA graph: everything that changes from step
// to step lies in device memory. Lesson 08.
//
// clock[4]: steps since the optimizer began; steps since the epoch began; first example of this batch, as a position
// in `order`; examples in this batch, of all processes. Where a process has fewer than N of them, as in the last
// batch of an epoch, its missing rows are zeros with label -1, which have no loss and no gradient.

#define STEPS 0
#define EPOCH_STEPS 1
#define FIRST 2
#define COUNT 3

#ifndef INPUT
#define INPUT unsigned char
#endif

// x (N, size) = inputs[order] * scale - shift, and the labels, of this process's part of a batch of `batch` examples.
// order: N entries per step, -1 where the part has no example, and N entries of -1 behind the last step.
//   grid = (ceil(size / 256), N), block = 256.
extern "C" __global__ void load_batch(const INPUT* __restrict__ inputs, const int* __restrict__ all_labels,
                                      const int* __restrict__ order, int* clock, float* __restrict__ x,
                                      int* __restrict__ labels, int size, int examples, int batch, float scale,
                                      float shift) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = blockIdx.y;
    int first = clock[EPOCH_STEPS] * gridDim.y, example = order[first + n];
    bool inside = example >= 0;
    if (i < size) x[(long long)n * size + i] = inside ? inputs[(long long)example * size + i] * scale - shift : 0.0f;
    if (i == 0) labels[n] = inside ? all_labels[example] : -1;
    if (i == 0 && n == 0) {
        clock[FIRST] = first;
        clock[COUNT] = min(batch, examples - clock[EPOCH_STEPS] * batch);
    }
}

// What the student's kernels (nnlib.mine) need around them: the batch that begins at clock[FIRST], as it is stored. An
// example has so many tokens, each with a label; an image counts as one.
//   grid = (ceil(size / 256), N), block = 256.
extern "C" __global__ void take_batch(const INPUT* __restrict__ inputs, const int* __restrict__ all_labels,
                                      const int* __restrict__ order, const int* clock, INPUT* __restrict__ x,
                                      int* __restrict__ labels, int size, int tokens) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = blockIdx.y, example = order[clock[FIRST] + n];
    if (i < size) x[(long long)n * size + i] = inputs[(long long)example * size + i];
    if (i < tokens) labels[n * tokens + i] = all_labels[example * tokens + i];
}

// And behind them: losses and hits go to their places in the epoch, and the clock goes on.  grid = 1, block = 256.
extern "C" __global__ void note_batch(const float* __restrict__ logits, const int* __restrict__ labels,
                                      const float* __restrict__ batch_losses, int* clock, float* __restrict__ losses,
                                      unsigned char* __restrict__ hits, int N, int tokens, int classes) {
    int first = clock[FIRST];
    for (int n = threadIdx.x; n < N * tokens; n += blockDim.x) {
        int best = 0;
        for (int k = 1; k < classes; k++) best = logits[n * classes + k] > logits[n * classes + best] ? k : best;
        losses[first * tokens + n] = batch_losses[n];
        hits[first * tokens + n] = best == labels[n];
    }
    __syncthreads();
    if (threadIdx.x > 0) return;
    clock[STEPS] += 1;
    clock[EPOCH_STEPS] += 1;
    clock[FIRST] = first + N;
}

__device__ float warp_sum(float value) {
    #pragma unroll
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
    return value;
}

__device__ float warp_max(float value) {
    #pragma unroll
    for (int offset = 16; offset > 0; offset /= 2) value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, offset));
    return value;
}

// Softmax cross-entropy of example n of the batch by one warp, logit k in lane k (OUT <= 32): its gradient, divided by
// the size of the batch; its loss and whether it was classified right, at its place in the epoch.
__device__ void cross_entropy(float logit, int n, int label, const int* clock, float* dlogits, float* losses,
                              unsigned char* hits, int outputs) {
    int lane = threadIdx.x % 32;
    bool real = lane < outputs;
    float largest = warp_max(real ? logit : -3.402823466e38f);
    float power = real ? expf(logit - largest) : 0.0f;
    float sum = warp_sum(power);
    float gradient = label < 0 ? 0.0f : (power / sum - (lane == label ? 1.0f : 0.0f)) / clock[COUNT];
    if (real) dlogits[n * outputs + lane] = gradient;
    unsigned int winners = __ballot_sync(0xffffffffu, real && logit == largest);
    if (lane == label) {
        losses[clock[FIRST] + n] = logf(sum) - (logit - largest);
        hits[clock[FIRST] + n] = (winners & ((2u << label) - 1)) == (1u << label);  // the first of equal logits wins
    }
}

__device__ void count_step(int* clock) {
    clock[STEPS] += 1;
    clock[EPOCH_STEPS] += 1;
}

// The loss of logits (N, outputs), outputs <= 32.  grid = N, block = 32.
extern "C" __global__ void batch_cross_entropy(const float* __restrict__ logits, const int* __restrict__ labels,
                                               int* clock, float* __restrict__ dlogits, float* __restrict__ losses,
                                               unsigned char* __restrict__ hits, int outputs) {
    int n = blockIdx.x, lane = threadIdx.x;
    float logit = lane < outputs ? logits[n * outputs + lane] : 0.0f;
    cross_entropy(logit, n, labels[n], clock, dlogits, losses, hits, outputs);
    if (n == 0 && lane == 0) count_step(clock);
}

#ifdef OUT

#ifndef THREADS
#define THREADS 384
#endif
#define AHEAD 3  // inputs, and their weights, that a thread asks for before it uses the first

// A last linear layer with few outputs and its loss in one kernel: one block per example, whose inputs are read once.
//   x (N, IN), w (OUT, IN), b (OUT).  grid = N, block = THREADS.
extern "C" __global__ void __launch_bounds__(THREADS) linear_cross_entropy(
    const float* __restrict__ x, const float* __restrict__ w, const float* __restrict__ b,
    const int* __restrict__ labels, int* clock, float* __restrict__ dlogits, float* __restrict__ losses,
    unsigned char* __restrict__ hits) {
    __shared__ float sums[THREADS / 32][OUT];
    int n = blockIdx.x, lane = threadIdx.x % 32;
    float sum[OUT] = {};
    for (int first = threadIdx.x; first < IN; first += THREADS * AHEAD) {
        float value[AHEAD], weight[AHEAD][OUT];
        #pragma unroll
        for (int a = 0; a < AHEAD; a++) {
            int i = first + a * THREADS;
            value[a] = i < IN ? x[n * IN + i] : 0.0f;
            #pragma unroll
            for (int o = 0; o < OUT; o++) weight[a][o] = i < IN ? w[o * IN + i] : 0.0f;
        }
        #pragma unroll
        for (int a = 0; a < AHEAD; a++) {
            #pragma unroll
            for (int o = 0; o < OUT; o++) sum[o] += value[a] * weight[a][o];
        }
    }
    #pragma unroll
    for (int o = 0; o < OUT; o++) {
        float total = warp_sum(sum[o]);
        if (lane == 0) sums[threadIdx.x / 32][o] = total;
    }
    __syncthreads();
    if (threadIdx.x >= 32) return;
    float logit = lane < OUT ? b[lane] : 0.0f;
    for (int warp = 0; warp < THREADS / 32; warp++) logit += lane < OUT ? sums[warp][lane] : 0.0f;
    cross_entropy(logit, n, labels[n], clock, dlogits, losses, hits, OUT);
    if (n == 0 && lane == 0) count_step(clock);
}

#define COLUMNS 32  // inputs per block, one per lane
#define GROUPS 8    // warps that share the batch
#define ROWS 64     // of the batch at a time

// All gradients of a linear layer with few outputs: a thread keeps OUT weights and OUT sums in registers, so x, w and
// dx pass through it once.  grid = ceil(IN / COLUMNS), block = COLUMNS * GROUPS.
extern "C" __global__ void __launch_bounds__(COLUMNS * GROUPS) linear_backward_few(
    const float* __restrict__ dy, const float* __restrict__ x, const float* __restrict__ w, float* __restrict__ dx,
    float* __restrict__ dw, float* __restrict__ db, int N) {
    __shared__ float rows[ROWS][OUT], sums[GROUPS][OUT][COLUMNS];
    int lane = threadIdx.x % COLUMNS, group = threadIdx.x / COLUMNS, i = blockIdx.x * COLUMNS + lane;
    float weight[OUT], sum[OUT] = {}, bias = 0.0f;
    #pragma unroll
    for (int o = 0; o < OUT; o++) weight[o] = i < IN ? w[o * IN + i] : 0.0f;
    for (int first = 0; first < N; first += ROWS) {
        int count = min(ROWS, N - first);
        for (int k = threadIdx.x; k < count * OUT; k += COLUMNS * GROUPS) rows[k / OUT][k % OUT] = dy[first * OUT + k];
        __syncthreads();
        if (i < IN) {
            #pragma unroll 8
            for (int r = group; r < count; r += GROUPS) {
                int at = (first + r) * IN + i;
                float value = x[at], back = 0.0f;
                #pragma unroll
                for (int o = 0; o < OUT; o++) {
                    sum[o] += rows[r][o] * value;
                    back += rows[r][o] * weight[o];
                }
                dx[at] = back;
            }
        }
        if (blockIdx.x == 0 && threadIdx.x < OUT) {
            for (int r = 0; r < count; r++) bias += rows[r][threadIdx.x];
        }
        __syncthreads();
    }
    #pragma unroll
    for (int o = 0; o < OUT; o++) sums[group][o][lane] = sum[o];
    __syncthreads();
    for (int o = group; o < OUT; o += GROUPS) {
        float total = 0.0f;
        #pragma unroll
        for (int g = 0; g < GROUPS; g++) total += sums[g][o][lane];
        if (i < IN) dw[o * IN + i] = total;
    }
    if (blockIdx.x == 0 && threadIdx.x < OUT) db[threadIdx.x] = bias;
}

#endif

// Optimizer steps over one flat buffer of parameters. Lesson 06, at full speed in lesson 08.
//
// Each parameter and state value is read once and written once, each gradient read.  grid = ceil(n / 256), block = 256.

// Parameter i: v <- momentum v + g, then w <- w - lr v. Nesterov looks ahead: w <- w - lr (g + momentum v).
__device__ void descend(float* params, float g, float* velocity, int i, float lr, float momentum, int nesterov,
                        float weight_decay) {
    float w = params[i];
    g += weight_decay * w;
    if (momentum != 0.0f) {
        float v = momentum * velocity[i] + g;
        velocity[i] = v;
        g = nesterov ? g + momentum * v : v;
    }
    params[i] = w - lr * g;
}

// Kingma and Ba 2014; corrections = 1 - beta^step undo the bias of m and v towards zero.
__device__ float adam_change(float g, float* m, float* v, int i, float beta1, float beta2, float eps,
                             float correction1, float correction2) {
    float mean = m[i], square = v[i];
    mean += (1.0f - beta1) * (g - mean);
    square += (1.0f - beta2) * (g * g - square);
    m[i] = mean;
    v[i] = square;
    return mean / correction1 / (sqrtf(square / correction2) + eps);
}

// params, grads, velocity (n); velocity is untouched when momentum is 0.
extern "C" __global__ void sgd_step(float* params, const float* grads, float* velocity, int n, float lr,
                                    float momentum, int nesterov, float weight_decay) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) descend(params, grads[i], velocity, i, lr, momentum, nesterov, weight_decay);
}

// params, grads, m, v (n).
extern "C" __global__ void adam_step(float* params, const float* grads, float* m, float* v, int n, float lr,
                                     float beta1, float beta2, float eps, float weight_decay, float correction1,
                                     float correction2) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float w = params[i], g = grads[i] + weight_decay * w;
    params[i] = w - lr * adam_change(g, m, v, i, beta1, beta2, eps, correction1, correction2);
}

// The same with weights that shrink beside the gradient's step, not through it. Loshchilov and Hutter 2017.
extern "C" __global__ void adamw_step(float* params, const float* grads, float* m, float* v, int n, float lr,
                                      float beta1, float beta2, float eps, float weight_decay, float correction1,
                                      float correction2) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float w = params[i] * (1.0f - lr * weight_decay);
    params[i] = w - lr * adam_change(grads[i], m, v, i, beta1, beta2, eps, correction1, correction2);
}

// --- inside a CUDA graph: what changes from step to step lies in device memory ----------------------

#define WIDTH 64  // parameters per block where partial sums must be added,
#define GROUPS 8  // and threads that share the sum of one; WIDTH * GROUPS parameters per block elsewhere

// clock: how far training is (see fast/training.cu); the loss has already counted this step
#define STEPS 0
#define EPOCH_STEPS 1

// Which parameter this thread updates, -1 for none, and its gradient. The first `summed` parameters have `parts`
// partial sums, partials[part * summed + i], added here in a fixed order; the others have theirs in grads.
//   grid = ceil(summed / WIDTH) + ceil((n - summed) / (WIDTH * GROUPS)), block = (WIDTH, GROUPS).
__device__ int next_gradient(const float* grads, const float* partials, int parts, int summed, int n, float* gradient) {
    __shared__ float sums[GROUPS][WIDTH];
    int blocks = (summed + WIDTH - 1) / WIDTH;
    if (blockIdx.x >= blocks) {
        int i = summed + ((blockIdx.x - blocks) * GROUPS + threadIdx.y) * WIDTH + threadIdx.x;
        if (i >= n) return -1;
        *gradient = grads[i];
        return i;
    }
    int i = blockIdx.x * WIDTH + threadIdx.x;
    float sum = 0.0f;
    if (i < summed) {
        #pragma unroll 16
        for (int part = threadIdx.y; part < parts; part += GROUPS) sum += partials[part * summed + i];
    }
    sums[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    if (i >= summed || threadIdx.y > 0) return -1;
    sum = 0.0f;
    for (int group = 0; group < GROUPS; group++) sum += sums[group][threadIdx.x];
    *gradient = sum;
    return i;
}

// The gradients of the first `summed` parameters, for processes that add up theirs before the update.
//   grid = ceil(summed / WIDTH), block = (WIDTH, GROUPS).
extern "C" __global__ void sum_gradients(float* grads, const float* __restrict__ partials, int parts, int summed) {
    float g;
    int i = next_gradient(grads, partials, parts, summed, summed, &g);
    if (i >= 0) grads[i] = g;
}

// One SGD step with the learning rate lr[clock[EPOCH_STEPS] - 1].
extern "C" __global__ void sgd_update(float* params, const float* __restrict__ grads,
                                      const float* __restrict__ partials, float* velocity, int n, int parts,
                                      int summed, const float* __restrict__ lr, const int* __restrict__ clock,
                                      float momentum, int nesterov, float weight_decay) {
    float g;
    int i = next_gradient(grads, partials, parts, summed, n, &g);
    if (i >= 0) descend(params, g, velocity, i, lr[clock[EPOCH_STEPS] - 1], momentum, nesterov, weight_decay);
}

// One Adam step; clock[STEPS] is the number of this step, from 1.
extern "C" __global__ void adam_update(float* params, const float* __restrict__ grads,
                                       const float* __restrict__ partials, float* m, float* v, int n, int parts,
                                       int summed, const float* __restrict__ lr, const int* __restrict__ clock,
                                       float beta1, float beta2, float eps, float weight_decay) {
    float g;
    int i = next_gradient(grads, partials, parts, summed, n, &g);
    if (i < 0) return;
    float w = params[i];
    g += weight_decay * w;
    float count = (float)clock[STEPS];
    float change = adam_change(g, m, v, i, beta1, beta2, eps, 1.0f - powf(beta1, count), 1.0f - powf(beta2, count));
    params[i] = w - lr[clock[EPOCH_STEPS] - 1] * change;
}

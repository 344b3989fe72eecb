// Loss and gradient of a row of logits by one warp: lanes hold every 32nd logit (up to 128 of a row in registers, more
// are read again), shuffles find the largest and the sum, so that each logit is read once.
// <<<(rows + 7) / 8, 256>>>
#define KEPT 4
extern "C" __global__ void softmax_cross_entropy(const float* logits, const int* labels, float* losses, float* dlogits,
                                                 int rows, int classes) {
    int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (r >= rows) return;
    const float* z = logits + r * classes;
    float kept[KEPT], largest = -INFINITY, sum = 0.0f;
    for (int e = 0; e < KEPT; e++) {
        kept[e] = lane + 32 * e < classes ? z[lane + 32 * e] : -INFINITY;
        largest = fmaxf(largest, kept[e]);
    }
    for (int k = lane + 32 * KEPT; k < classes; k += 32) largest = fmaxf(largest, z[k]);
    for (int offset = 16; offset > 0; offset /= 2) largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, offset));
    for (int e = 0; e < KEPT; e++) sum += expf(kept[e] - largest);
    for (int k = lane + 32 * KEPT; k < classes; k += 32) sum += expf(z[k] - largest);
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    int label = labels[r];
    for (int k = lane, e = 0; k < classes; k += 32, e++) {
        float value = (e < KEPT ? kept[e % KEPT] : z[k]) - largest;
        dlogits[r * classes + k] = (expf(value) / sum - (k == label ? 1.0f : 0.0f)) / rows;
        if (k == label) losses[r] = logf(sum) - value;
    }
}

// Loss and gradient of a row of logits: one thread per row, which it reads three times. The largest logit is
// subtracted first, so exp cannot overflow.
// <<<(rows + 63) / 64, 64>>>
extern "C" __global__ void softmax_cross_entropy(const float* logits, const int* labels, float* losses, float* dlogits,
                                                 int rows, int classes) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    const float* z = logits + r * classes;
    float largest = z[0], sum = 0.0f;
    for (int k = 1; k < classes; k++) largest = fmaxf(largest, z[k]);
    for (int k = 0; k < classes; k++) sum += expf(z[k] - largest);
    losses[r] = logf(sum) - (z[labels[r]] - largest);
    for (int k = 0; k < classes; k++) {
        dlogits[r * classes + k] = (expf(z[k] - largest) / sum - (k == labels[r] ? 1.0f : 0.0f)) / rows;
    }
}

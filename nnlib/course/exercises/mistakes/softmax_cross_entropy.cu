// A warp per row, whose lanes exchange what they have by shuffles.
// <<<(rows + 7) / 8, 256>>>
extern "C" __global__ void softmax_cross_entropy(const float* logits, const int* labels,
                                                 float* losses, float* dlogits,
                                                 int rows, int classes)
{
    int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (r >= rows) return;
    const float* z = logits + r * classes;
    float largest = -INFINITY;
    for (int k = lane; k < classes; k += 32) largest = fmaxf(largest, z[k]);
    for (int offset = 16; offset > 0; offset /= 2) largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, offset));
    float sum = 0.0f;
    for (int k = lane; k < classes; k += 32) sum += expf(z[k] - largest);
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    int label = labels[r];
    for (int k = lane; k < classes; k += 32) {
        float p = expf(z[k] - largest) / sum;
        dlogits[r * classes + k] = (p - (k == label ? 1.0f : 0.0f)) / rows;
    }
    if (lane == 0) losses[r] = logf(sum) - (z[label] - largest);
}

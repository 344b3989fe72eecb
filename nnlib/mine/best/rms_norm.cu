// y = x s w with s = 1 / sqrt(mean(x^2) + eps) by a warp per row: lanes hold every 32nd number (up to 128 of a row in
// registers, more are read again), shuffles add up the squares.
// <<<(rows + 7) / 8, 256>>>
#define KEPT 4
extern "C" __global__ void rms_norm(const float* x, const float* w, float* y, float eps, int rows, int D) {
    int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (r >= rows) return;
    float kept[KEPT], squares = 0.0f;
    for (int e = 0; e < KEPT; e++) {
        kept[e] = lane + 32 * e < D ? x[r * D + lane + 32 * e] : 0.0f;
        squares += kept[e] * kept[e];
    }
    for (int d = lane + 32 * KEPT; d < D; d += 32) squares += x[r * D + d] * x[r * D + d];
    for (int offset = 16; offset > 0; offset /= 2) squares += __shfl_xor_sync(0xffffffffu, squares, offset);
    float s = 1.0f / sqrtf(squares / D + eps);
    for (int d = lane, e = 0; d < D; d += 32, e++) y[r * D + d] = (e < KEPT ? kept[e % KEPT] : x[r * D + d]) * s * w[d];
}

// dx = s (g - x s^2 mean(g x)) with g = dy w, and each row's share of the gradient of w, by a warp per row: lanes hold
// every 32nd number (up to 128 of a row in registers, more are read again), shuffles add up both sums.
// <<<(rows + 7) / 8, 256>>>
#define KEPT 4
extern "C" __global__ void rms_norm_grad(const float* dy, const float* x, const float* w, float* dx, float* shares,
                                         float eps, int rows, int D) {
    int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (r >= rows) return;
    dy += r * D, x += r * D, dx += r * D, shares += r * D;
    float xs[KEPT], dys[KEPT], ws[KEPT], squares = 0.0f, products = 0.0f;
    for (int e = 0; e < KEPT; e++) {
        int d = lane + 32 * e;
        xs[e] = d < D ? x[d] : 0.0f;
        dys[e] = d < D ? dy[d] : 0.0f;
        ws[e] = d < D ? w[d] : 0.0f;
        squares += xs[e] * xs[e];
        products += dys[e] * ws[e] * xs[e];
    }
    for (int d = lane + 32 * KEPT; d < D; d += 32) {
        squares += x[d] * x[d];
        products += dy[d] * w[d] * x[d];
    }
    for (int offset = 16; offset > 0; offset /= 2) {
        squares += __shfl_xor_sync(0xffffffffu, squares, offset);
        products += __shfl_xor_sync(0xffffffffu, products, offset);
    }
    float s = 1.0f / sqrtf(squares / D + eps), along = s * s * products / D;
    for (int d = lane, e = 0; d < D; d += 32, e++) {
        bool kept = e < KEPT;
        float slope = kept ? dys[e % KEPT] : dy[d], value = kept ? xs[e % KEPT] : x[d];
        dx[d] = s * (slope * (kept ? ws[e % KEPT] : w[d]) - value * along);
        shares[d] = slope * value * s;
    }
}

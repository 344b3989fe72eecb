// dx = s (g - x s^2 mean(g x)) with g = dy w, and each row's share of the gradient of w: one thread per row.
// <<<(rows + 63) / 64, 64>>>
extern "C" __global__ void rms_norm_grad(const float* dy, const float* x, const float* w, float* dx, float* shares,
                                         float eps, int rows, int D) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    float squares = 0.0f, products = 0.0f;
    for (int d = 0; d < D; d++) {
        squares += x[r * D + d] * x[r * D + d];
        products += dy[r * D + d] * w[d] * x[r * D + d];
    }
    float s = 1.0f / sqrtf(squares / D + eps), mean = products / D;
    for (int d = 0; d < D; d++) {
        int i = r * D + d;
        dx[i] = s * (dy[i] * w[d] - x[i] * s * s * mean);
        shares[i] = dy[i] * x[i] * s;
    }
}

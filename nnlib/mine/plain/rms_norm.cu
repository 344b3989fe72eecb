// y = x s w with s = 1 / sqrt(mean(x^2) + eps): one thread per row, which it reads twice.
// <<<(rows + 63) / 64, 64>>>
extern "C" __global__ void rms_norm(const float* x, const float* w, float* y, float eps, int rows, int D) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    float squares = 0.0f;
    for (int d = 0; d < D; d++) squares += x[r * D + d] * x[r * D + d];
    float s = 1.0f / sqrtf(squares / D + eps);
    for (int d = 0; d < D; d++) y[r * D + d] = x[r * D + d] * s * w[d];
}

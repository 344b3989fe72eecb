// A warp per row, whose lanes add up the squares by shuffles.
// <<<(rows + 7) / 8, 256>>>
extern "C" __global__ void rms_norm(const float* x, const float* w, float* y, float eps, int rows, int D)
{
    int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (r >= rows) return;
    float squares = 0.0f;
    for (int d = lane; d < D; d += 32) squares += x[r * D + d] * x[r * D + d];
    for (int offset = 16; offset > 0; offset /= 2) squares += __shfl_xor_sync(0xffffffffu, squares, offset);
    float s = 1.0f / sqrtf(squares / D + eps);
    for (int d = lane; d < D; d += 32) y[r * D + d] = x[r * D + d] * s * w[d];
}

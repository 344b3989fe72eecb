// A warp per row, whose lanes add up two sums by shuffles.
// <<<(rows + 7) / 8, 256>>>
extern "C" __global__ void rms_norm_grad(const float* dy, const float* x, const float* w,
                                         float* dx, float* shares,
                                         float eps, int rows, int D)
{
    int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (r >= rows) return;
    float squares = 0.0f, products = 0.0f;
    for (int d = lane; d < D; d += 32) {
        int i = r * D + d;
        squares += x[i] * x[i];
        products += dy[i] * w[d] * x[i];
    }
    for (int offset = 16; offset > 0; offset /= 2) {
        squares += __shfl_xor_sync(0xffffffffu, squares, offset);
        products += __shfl_xor_sync(0xffffffffu, products, offset);
    }
    float s = 1.0f / sqrtf(squares / D + eps);
    for (int d = lane; d < D; d += 32) {
        int i = r * D + d;
        dx[i] = s * (dy[i] * w[d] - x[i] * s * s * products / D);
        shares[i] = dy[i] * x[i] * s;
    }
}

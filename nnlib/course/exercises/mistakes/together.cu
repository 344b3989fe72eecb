// <<<(n + 63) / 64, 64>>>
extern "C" __global__ void together(const float* x, float* out, int n) {
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, i = blockIdx.x * blockDim.x + 2 * lane + warp;
    if (i >= n) return;
    if (warp == 0)
        out[i] = 2.0f * x[i];
    else
        out[i] = x[i] + 1.0f;
}

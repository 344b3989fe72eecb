// dw = dy^T x: one thread per result.
// <<<dim3((I + 15) / 16, (O + 15) / 16), dim3(16, 16)>>>
extern "C" __global__ void linear_grad_weight(const float* dy, const float* x, float* dw, int N, int I, int O) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, o = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= I || o >= O) return;
    float sum = 0.0f;
    for (int n = 0; n < N; n++) sum += dy[n * O + o] * x[n * I + i];
    dw[o * I + i] = sum;
}

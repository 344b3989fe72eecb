// dw = dy^T x: one thread per result.
// <<<dim3((inputs + 15) / 16, (outputs + 15) / 16), dim3(16, 16)>>>
extern "C" __global__ void linear_grad_weight(const float* dy, const float* x, float* dw, int N, int inputs, int outputs) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, out = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= inputs || out >= outputs) return;
    float sum = 0.0f;
    for (int n = 0; n < N; n++) sum += dy[n * outputs + out] * x[n * inputs + i];
    dw[out * inputs + i] = sum;
}

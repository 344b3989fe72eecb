// y = x w^T + b: one thread per result walks along its row of x and its row of w.
// <<<dim3((outputs + 15) / 16, (N + 15) / 16), dim3(16, 16)>>>
extern "C" __global__ void linear_forward(const float* x, const float* w, const float* b, float* y, int N, int inputs, int outputs) {
    int out = blockIdx.x * blockDim.x + threadIdx.x, n = blockIdx.y * blockDim.y + threadIdx.y;
    if (out >= outputs || n >= N) return;
    float sum = b[out];
    for (int i = 0; i < inputs; i++) sum += x[n * inputs + i] * w[out * inputs + i];
    y[n * outputs + out] = sum;
}

// dx = dy w: one thread per result.
// <<<dim3((inputs + 15) / 16, (N + 15) / 16), dim3(16, 16)>>>
extern "C" __global__ void linear_grad_input(const float* dy, const float* w, float* dx, int N, int inputs, int outputs) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= inputs || n >= N) return;
    float sum = 0.0f;
    for (int out = 0; out < outputs; out++) sum += dy[n * outputs + out] * w[out * inputs + i];
    dx[n * inputs + i] = sum;
}

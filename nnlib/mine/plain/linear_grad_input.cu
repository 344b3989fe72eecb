// dx = dy w: one thread per result.
// <<<dim3((I + 15) / 16, (N + 15) / 16), dim3(16, 16)>>>
extern "C" __global__ void linear_grad_input(const float* dy, const float* w, float* dx, int N, int I, int O) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= I || n >= N) return;
    float sum = 0.0f;
    for (int o = 0; o < O; o++) sum += dy[n * O + o] * w[o * I + i];
    dx[n * I + i] = sum;
}

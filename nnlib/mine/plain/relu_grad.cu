// dx = dy where relu let something through: where its output y is positive.
// <<<(n + 255) / 256, 256>>>
extern "C" __global__ void relu_grad(const float* dy, const float* y, float* dx, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) dx[i] = y[i] > 0.0f ? dy[i] : 0.0f;
}

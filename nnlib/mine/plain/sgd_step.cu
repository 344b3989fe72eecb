// w -= lr * g, by a grid-stride loop: any grid covers any n.
// <<<(n + 255) / 256, 256>>>
extern "C" __global__ void sgd_step(float* w, const float* g, float lr, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) w[i] -= lr * g[i];
}

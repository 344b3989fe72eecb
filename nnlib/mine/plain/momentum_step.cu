// v = momentum * v + g, then w -= lr * v: one thread per parameter.
// <<<(n + 255) / 256, 256>>>
extern "C" __global__ void momentum_step(float* w, float* v, const float* g, float lr, float momentum, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    v[i] = momentum * v[i] + g[i];
    w[i] -= lr * v[i];
}

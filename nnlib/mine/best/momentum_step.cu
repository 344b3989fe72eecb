// v = momentum * v + g, then w -= lr * v: one thread per parameter, the new velocity in a register.
// <<<(n + 255) / 256, 256>>>
extern "C" __global__ void momentum_step(float* w, float* v, const float* g, float lr, float momentum, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float velocity = momentum * v[i] + g[i];
    v[i] = velocity;
    w[i] -= lr * velocity;
}

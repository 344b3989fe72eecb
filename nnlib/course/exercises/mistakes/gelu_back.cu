// <<<(n + 63) / 64, 64>>>
extern "C" __global__ void gelu_back(const float* dy, const float* x, float* dx, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = x[i], u = 0.7978845608f * (v + 0.044715f * v * v * v), t = tanhf(u);
    float slope = 0.7978845608f * (1.0f + 3.0f * 0.044715f * v * v);
    dx[i] = dy[i] * (0.5f * (1.0f + t) + 0.5f * v * (1.0f - t * t) * slope);
}

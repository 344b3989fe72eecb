// Running means of g and g^2, then a step along their ratio, beside a decay of the weight: one thread per parameter.
// <<<(n + 255) / 256, 256>>>
extern "C" __global__ void adamw_step(float* w, float* m, float* v, const float* g, float lr, float beta1, float beta2,
                                      float eps, float weight_decay, float correction1, float correction2, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    m[i] = beta1 * m[i] + (1.0f - beta1) * g[i];
    v[i] = beta2 * v[i] + (1.0f - beta2) * g[i] * g[i];
    w[i] -= lr * weight_decay * w[i];
    w[i] -= lr * (m[i] / correction1) / (sqrtf(v[i] / correction2) + eps);
}

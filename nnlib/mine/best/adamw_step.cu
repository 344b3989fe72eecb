// Running means of g and g^2, then a step along their ratio, beside a decay of the weight: one thread per parameter,
// which reads each number once and keeps the new means in registers.
// <<<(n + 255) / 256, 256>>>
extern "C" __global__ void adamw_step(float* w, float* m, float* v, const float* g, float lr, float beta1, float beta2,
                                      float eps, float weight_decay, float correction1, float correction2, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float slope = g[i], mean = beta1 * m[i] + (1.0f - beta1) * slope, square = beta2 * v[i] + (1.0f - beta2) * slope * slope;
    m[i] = mean;
    v[i] = square;
    w[i] = w[i] * (1.0f - lr * weight_decay) - lr * (mean / correction1) / (sqrtf(square / correction2) + eps);
}

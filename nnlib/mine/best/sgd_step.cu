// w -= lr * g: four weights with each load, and the rest one by one. Any grid covers any n.
// <<<(n + 1023) / 1024, 256>>>
extern "C" __global__ void sgd_step(float* w, const float* g, float lr, int n) {
    int first = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x;
    for (int i = first; i < n / 4; i += stride) {
        float4 old = ((const float4*)w)[i], slope = ((const float4*)g)[i];
        ((float4*)w)[i] = make_float4(old.x - lr * slope.x, old.y - lr * slope.y,
                                      old.z - lr * slope.z, old.w - lr * slope.w);
    }
    for (int i = n / 4 * 4 + first; i < n; i += stride) w[i] -= lr * g[i];
}

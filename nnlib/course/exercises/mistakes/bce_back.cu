// <<<(n + 63) / 64, 64>>>
extern "C" __global__ void bce_back(const float* z, const float* t, float* dz, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float p = 1.0f / (1.0f + expf(-z[i]));
    float d = p - t[i];
    dz[i] = d / n;
}

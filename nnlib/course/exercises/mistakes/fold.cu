// <<<(n + 63) / 64, 64>>>
extern "C" __global__ void fold(const float* columns, float* x, int n, int K) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0.0f;
    for (int k = 0; k < K; k++) {
        int p = i - k;
        if (p >= 0 && p <= n - K) sum += columns[k * (n - K + 1) + p];
    }
    x[i] = sum;
}

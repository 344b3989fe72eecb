// y[r] = w[tokens[r]]: one thread per number.
// <<<(rows * D + 255) / 256, 256>>>
extern "C" __global__ void embedding(const int* tokens, const float* w, float* y, int rows, int D, int V) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows * D) y[i] = w[tokens[i / D] * D + i % D];
}

// dw[v] += all rows of dy whose token is v: one thread per number of the table, which looks through all tokens.
// <<<(V * D + 255) / 256, 256>>>
extern "C" __global__ void embedding_grad(const float* dy, const int* tokens, float* dw, int rows, int D, int V) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= V * D) return;
    int v = i / D, d = i % D;
    float sum = 0.0f;
    for (int r = 0; r < rows; r++) {
        if (tokens[r] == v) sum += dy[r * D + d];
    }
    dw[i] += sum;
}

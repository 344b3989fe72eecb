// sums[c] = sum of x[r][c][k] over rows and places: one thread per column.
// <<<(columns + 63) / 64, 64>>>
extern "C" __global__ void sum_columns(const float* x, float* sums, int rows, int columns, int inner) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= columns) return;
    float sum = 0.0f;
    for (int r = 0; r < rows; r++) {
        for (int k = 0; k < inner; k++) sum += x[(r * columns + c) * inner + k];
    }
    sums[c] = sum;
}

// <<<(rows + 7) / 8, 256>>>
extern "C" __global__ void row_sums(const float* x, float* sums, int rows, int columns) {
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    float sum = 0.0f;
    if (row < rows)
        for (int i = lane; i < columns; i += 32) sum += x[row * columns + i];
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
    if (lane == 0 && row < rows) sums[row] = sum;
}

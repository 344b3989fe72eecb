// sums[c] = sum of x[r][c][k] over rows and places. A block of 8 warps has 32 columns when inner is 1: lanes stand side
// by side, warps share the rows, and a tree in shared memory adds up the warps. With longer columns a block has one.
// <<<inner == 1 ? (columns + 31) / 32 : columns, dim3(32, 8)>>>
extern "C" __global__ void sum_columns(const float* x, float* sums, int rows, int columns, int inner) {
    __shared__ float parts[8][33];
    int lane = threadIdx.x, warp = threadIdx.y;
    float sum = 0.0f;
    if (inner == 1) {
        int c = blockIdx.x * 32 + lane;
        for (int r = warp; r < rows && c < columns; r += 8) sum += x[r * columns + c];
    } else {
        for (int i = warp * 32 + lane; i < rows * inner; i += 256) {
            sum += x[(i / inner * columns + blockIdx.x) * inner + i % inner];
        }
    }
    parts[warp][lane] = sum;
    __syncthreads();
    if (warp > 0) return;
    for (int other = 1; other < 8; other++) sum += parts[other][lane];
    if (inner == 1) {
        if (blockIdx.x * 32 + lane < columns) sums[blockIdx.x * 32 + lane] = sum;
        return;
    }
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
    if (lane == 0) sums[blockIdx.x] = sum;
}

// sums[c] = sum of x[r][c][k] over rows and places. A block has one column: lanes read neighbouring places, shuffles add
// up each warp, and the first warp adds up the sums of all eight.
// <<<columns, 256>>>
extern "C" __global__ void sum_columns(const float* x, float* sums, int rows, int columns, int inner) {
    __shared__ float warps[8];
    int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = t; i < rows * inner; i += 256) {
        sum += x[(i / inner * columns + blockIdx.x) * inner + i % inner];
    }
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    if (t % 32 == 0) warps[t / 32] = sum;
    __syncthreads();
    if (t >= 32) return;
    sum = t < 8 ? warps[t] : 0.0f;
    for (int offset = 4; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    if (t == 0) sums[blockIdx.x] = sum;
}

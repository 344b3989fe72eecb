// sums[c] = sum of x[r][c][k] over rows and places. A block of 8 warps has one column: lanes read neighbouring places,
// the first warp adds up the others, lane by lane, and shuffles add up its lanes.
// <<<columns, dim3(32, 8)>>>
extern "C" __global__ void sum_columns(const float* x, float* sums, int rows, int columns, int inner) {
    __shared__ float parts[8][32];
    int lane = threadIdx.x, warp = threadIdx.y;
    float sum = 0.0f;
    for (int i = warp * 32 + lane; i < rows * inner; i += 256) {
        sum += x[(i / inner * columns + blockIdx.x) * inner + i % inner];
    }
    parts[warp][lane] = sum;
    __syncthreads();
    if (warp > 0) return;
    for (int other = 1; other < 8; other++) sum += parts[other][lane];
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
    if (lane == 0) sums[blockIdx.x] = sum;
}

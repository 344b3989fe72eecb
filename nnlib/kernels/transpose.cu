// y (C, R) = x^T for x (R, C), so that a product can copy four neighbours at once. Lesson 03.
//
// Both memory accesses are along rows: a tile goes into shared memory as it lies and comes out turned. One word more per
// row puts a column into 32 banks.  grid = ceil(R / 32) ceil(C / 32), block = (32, 8).

#define TILE 32

extern "C" __global__ void transpose(const float* __restrict__ x, float* __restrict__ y, int R, int C) {
    __shared__ float tile[TILE][TILE + 1];
    int across = (C + TILE - 1) / TILE;
    int row = blockIdx.x / across * TILE, column = blockIdx.x % across * TILE;
    for (int r = threadIdx.y; r < TILE; r += blockDim.y) {
        if (row + r < R && column + threadIdx.x < C) tile[r][threadIdx.x] = x[(row + r) * C + column + threadIdx.x];
    }
    __syncthreads();
    for (int c = threadIdx.y; c < TILE; c += blockDim.y) {
        if (column + c < C && row + threadIdx.x < R) y[(column + c) * R + row + threadIdx.x] = tile[threadIdx.x][c];
    }
}

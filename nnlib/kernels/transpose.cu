// y (C, pitch) = x^T for x (R, C), so that a product can copy four neighbours at once: R rounded up to a multiple of 4, with
// zeros behind the rows. Lesson 03.
//
// Both memory accesses are along rows: a tile goes into shared memory as it lies and comes out turned. One word more per
// row puts a column into 32 banks.  grid = ceil(R / 32) ceil(C / 32), block = (32, 8).

#define TILE 32

extern "C" __global__ void transpose(const float* __restrict__ x, float* __restrict__ y, int R, int C,
                                     int pitch) {
    __shared__ float tile[TILE][TILE + 1];
    int across = (C + TILE - 1) / TILE;
    int row = blockIdx.x / across * TILE, column = blockIdx.x % across * TILE;
    for (int r = threadIdx.y; r < TILE; r += blockDim.y) {
        if (row + r < R && column + threadIdx.x < C) tile[r][threadIdx.x] = x[(row + r) * C + column + threadIdx.x];
    }
    __syncthreads();
    for (int c = threadIdx.y; c < TILE; c += blockDim.y) {
        int r = row + threadIdx.x;
        if (column + c < C && r < pitch) y[(column + c) * pitch + r] = r < R ? tile[threadIdx.x][c] : 0.0f;
    }
}

// <<<dim3((columns + 31) / 32, (rows + 31) / 32), dim3(32, 32)>>>
extern "C" __global__ void transpose(const float* x, float* out, int rows, int columns) {
    __shared__ float tile[32][33];
    int r = blockIdx.y * 32 + threadIdx.y, c = blockIdx.x * 32 + threadIdx.x;
    if (r < rows && c < columns) tile[threadIdx.y][threadIdx.x] = x[r * columns + c];
    __syncthreads();
    int row = blockIdx.x * 32 + threadIdx.y, column = blockIdx.y * 32 + threadIdx.x;
    if (row < columns && column < rows) out[row * rows + column] = tile[threadIdx.x][threadIdx.y];
}

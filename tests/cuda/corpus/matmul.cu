// C = A B, from one thread per element to a tile of registers per thread.
#ifndef TILE
#define TILE 16
#endif

extern "C" __global__ void matmul_naive(const float* A, const float* B, float* C, int M, int N, int K)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < M && col < N) {
        float sum = 0.0f;
        for (int k = 0; k < K; k++)
            sum += A[row * K + k] * B[k * N + col];
        C[row * N + col] = sum;
    }
}

extern "C" __global__ void matmul_tiled(const float* A, const float* B, float* C, int M, int N, int K)
{
    __shared__ float a[TILE][TILE], b[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;
    for (int start = 0; start < K; start += TILE) {
        int ka = start + threadIdx.x, kb = start + threadIdx.y;
        a[threadIdx.y][threadIdx.x] = row < M && ka < K ? A[row * K + ka] : 0.0f;
        b[threadIdx.y][threadIdx.x] = kb < K && col < N ? B[kb * N + col] : 0.0f;
        __syncthreads();
#pragma unroll 1
        for (int k = 0; k < TILE; k++)
            sum += a[threadIdx.y][k] * b[k][threadIdx.x];
        __syncthreads();
    }
    if (row < M && col < N)
        C[row * N + col] = sum;
}

extern "C" __global__ void matmul_tiled_unrolled(const float* A, const float* B, float* C, int N)
{
    __shared__ float a[16][16];
    __shared__ float b[16][16];
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    float sum = 0.0f;
    for (int tile = 0; tile < N / 16; ++tile) {
        a[threadIdx.y][threadIdx.x] = A[row * N + tile * 16 + threadIdx.x];
        b[threadIdx.y][threadIdx.x] = B[(tile * 16 + threadIdx.y) * N + col];
        __syncthreads();
        for (int k = 0; k < 16; ++k)
            sum += a[threadIdx.y][k] * b[k][threadIdx.x];
        __syncthreads();
    }
    C[row * N + col] = sum;
}

// Each thread computes 4 x 4 elements of a 32 x 32 tile of C.
extern "C" __global__ void matmul_registers(const float* A, const float* B, float* C, int N)
{
    __shared__ float a[8][32 + 1];
    __shared__ float b[8][32];
    int t = threadIdx.y * 8 + threadIdx.x;
    int row0 = blockIdx.y * 32, col0 = blockIdx.x * 32;
    float sum[4][4] = {};
    for (int start = 0; start < N; start += 8) {
        for (int i = t; i < 256; i += 64) {
            a[i % 8][i / 8] = A[(row0 + i / 8) * N + start + i % 8];
            b[i / 32][i % 32] = B[(start + i / 32) * N + col0 + i % 32];
        }
        __syncthreads();
        for (int k = 0; k < 8; k++) {
            float ra[4], rb[4];
            for (int i = 0; i < 4; i++) {
                ra[i] = a[k][threadIdx.y + 8 * i];
                rb[i] = b[k][threadIdx.x + 8 * i];
            }
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 4; j++)
                    sum[i][j] += ra[i] * rb[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            C[(row0 + threadIdx.y + 8 * i) * N + col0 + threadIdx.x + 8 * j] = sum[i][j];
}

extern "C" __global__ void matvec_warp(const float* A, const float* x, float* y, int M, int N)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= M) return;
    float sum = 0.0f;
#pragma unroll 1
    for (int j = lane; j < N; j += 32)
        sum += A[row * N + j] * x[j];
    for (int offset = 16; offset > 0; offset >>= 1)
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    if (lane == 0)
        y[row] = sum;
}

extern "C" __global__ void outer_product(const float* x, const float* y, float* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n * n)
        out[i] = x[i / n] * y[i % n];
}

extern "C" __global__ void spmv_csr(const int* start, const int* column, const float* value, const float* x, float* y,
                                    int rows)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        float sum = 0.0f;
#pragma unroll 1
        for (int j = start[row], end = start[row + 1]; j < end; ++j)
            sum += value[j] * x[column[j]];
        y[row] = sum;
    }
}

extern "C" __global__ void int8_dot_rows(const char* A, const char* B, int* out, int width)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = 0;
    for (int k = 0; k < width; k++)
        sum += A[row * width + k] * B[row * width + k];
    out[row] = sum;
}

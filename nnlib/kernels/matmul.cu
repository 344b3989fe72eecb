// Matrix product C = A B, the first rungs of the ladder: who reads what, and from where. Lesson 03.
// A (M, K), B (K, N), C (M, N), row-major float32, fewer than 2^31 elements each. Continued in matmul_registers.cu,
// matmul_warp.cu and matmul_async.cu.
//
// A product needs 2 M N K operations on (M K + K N + M N) numbers. Naively each operand is read N or M times from
// global memory; a TILE x TILE block that shares its tiles reads it TILE times less often.
//   grid = (ceil(N / TILE), ceil(M / TILE)), block = (TILE, TILE), unless a kernel says otherwise.

#ifndef TILE
#define TILE 32
#endif
#ifndef PAD
#define PAD 1
#endif

// Neighbouring threads own neighbouring rows: a warp reads A and writes C with stride, one sector per lane.
//   grid = (ceil(M / TILE), ceil(N / TILE)).
extern "C" __global__ void matmul_strided(const float* A, const float* B, float* C,
                                          int M, int N, int K) {
    int row = blockIdx.x * TILE + threadIdx.x, column = blockIdx.y * TILE + threadIdx.y;
    if (row >= M || column >= N) return;
    float sum = 0.0f;
    for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * N + column];
    C[row * N + column] = sum;
}

// Neighbouring threads own neighbouring columns: B and C are coalesced, A is one number for the whole warp.
extern "C" __global__ void matmul_naive(const float* A, const float* B, float* C,
                                        int M, int N, int K) {
    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    if (row >= M || column >= N) return;
    float sum = 0.0f;
    for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * N + column];
    C[row * N + column] = sum;
}

// The block loads one tile of A and of B at a time and computes from shared memory.
extern "C" __global__ void matmul_tiled(const float* A, const float* B, float* C,
                                        int M, int N, int K) {
    __shared__ float a_tile[TILE][TILE], b_tile[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;
    for (int k0 = 0; k0 < K; k0 += TILE) {
        int a_column = k0 + threadIdx.x, b_row = k0 + threadIdx.y;
        a_tile[threadIdx.y][threadIdx.x] =
            row < M && a_column < K ? A[row * K + a_column] : 0.0f;
        b_tile[threadIdx.y][threadIdx.x] =
            b_row < K && column < N ? B[b_row * N + column] : 0.0f;
        __syncthreads();  // the tiles are complete
        for (int k = 0; k < TILE; k++)
            sum += a_tile[threadIdx.y][k] * b_tile[k][threadIdx.x];
        __syncthreads();  // this step is done
    }
    if (row < M && column < N) C[row * N + column] = sum;
}

// A's tile stored transposed, as the rungs from float4 on need it. Rows of 32 words put a column into one of the 32
// banks: the store waits 32 times. PAD = 1 word more per row spreads the column over all banks; compare -DPAD=0.
extern "C" __global__ void matmul_padded(const float* A, const float* B, float* C,
                                         int M, int N, int K) {
    __shared__ float a_tile[TILE][TILE + PAD], b_tile[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;
    for (int k0 = 0; k0 < K; k0 += TILE) {
        int a_column = k0 + threadIdx.x, b_row = k0 + threadIdx.y;
        a_tile[threadIdx.x][threadIdx.y] = row < M && a_column < K ? A[row * K + a_column] : 0.0f;
        b_tile[threadIdx.y][threadIdx.x] = b_row < K && column < N ? B[b_row * N + column] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; k++) sum += a_tile[k][threadIdx.y] * b_tile[k][threadIdx.x];
        __syncthreads();
    }
    if (row < M && column < N) C[row * N + column] = sum;
}

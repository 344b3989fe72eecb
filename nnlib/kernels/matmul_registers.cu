// Matrix product C = A B, the middle rungs of the ladder: a thread computes many results. Lessons 03 and 08.
// A (M, K), B (K, N), C (M, N), row-major float32, any sizes; `matmul_float4` needs K and N to be multiples of 4.
//
// From shared memory a multiply-add costs two loads, and a multiprocessor can load only a quarter as many numbers
// per cycle as it can multiply. A thread that computes TM x TN results loads TM + TN numbers for TM TN multiply-adds.
//   A block computes BM x BN results. grid = (ceil(N / BN), ceil(M / BM)), block = (BM / TM) (BN / TN).

#ifndef BM
#define BM 128
#endif
#ifndef BN
#define BN 128
#endif
#ifndef BK
#define BK 8
#endif
#ifndef TM
#define TM 8
#endif
#ifndef TN
#define TN 8
#endif
#define THREADS ((BM / TM) * (BN / TN))
#define PAD 4  // of A's transposed tile, against bank conflicts; rows stay aligned for float4

// The block's threads copy a tile of `rows` x `columns` numbers that starts at (row, column); outside stand zeros.
__device__ __forceinline__ void load_tile(float* tile, int rows, int columns, const float* matrix, int height,
                                          int width, int row, int column) {
    for (int i = threadIdx.x; i < rows * columns; i += THREADS) {
        int r = row + i / columns, c = column + i % columns;
        tile[i] = r < height && c < width ? matrix[(size_t)r * width + c] : 0.0f;
    }
}

// The simplest square: SIDE x SIDE results per thread, 16 apart, from a block of (16, 16) threads; no load has bank conflicts.
//   grid = (ceil(N / (16 SIDE)), ceil(M / (16 SIDE))).
#ifndef SIDE
#define SIDE 2
#endif
extern "C" __global__ void matmul_square(const float* A, const float* B, float* C,
                                         int M, int N, int K) {
    __shared__ float a_tile[16 * SIDE][16], b_tile[16][16 * SIDE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 16 * SIDE + ty, column = blockIdx.x * 16 * SIDE + tx;
    float sum[SIDE][SIDE] = {};
    for (int k0 = 0; k0 < K; k0 += 16) {
        for (int i = 0; i < 16 * SIDE; i += 16) {  // SIDE numbers of each tile
            int r = row + i, c = column + i;
            a_tile[ty + i][tx] = r < M && k0 + tx < K ? A[r * K + k0 + tx] : 0.0f;
            b_tile[ty][tx + i] = k0 + ty < K && c < N ? B[(k0 + ty) * N + c] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < 16; k++) {
            float a[SIDE], b[SIDE];
            for (int i = 0; i < SIDE; i++) a[i] = a_tile[ty + 16 * i][k];
            for (int j = 0; j < SIDE; j++) b[j] = b_tile[k][tx + 16 * j];
            for (int i = 0; i < SIDE; i++)
                for (int j = 0; j < SIDE; j++) sum[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++)
            if (row + 16 * i < M && column + 16 * j < N)
                C[(row + 16 * i) * N + column + 16 * j] = sum[i][j];
}

// One column of TM results per thread: each number of B serves TM times.
//   Use with TN = 1, e.g. -DBM=64 -DBN=64 -DTM=8 -DTN=1: 512 threads, three blocks per multiprocessor.
extern "C" __global__ void __launch_bounds__(THREADS, 1536 / THREADS)
matmul_registers_1d(const float* A, const float* B, float* C, int M, int N, int K) {
    __shared__ float a_tile[BM][BK], b_tile[BK][BN];
    int row = blockIdx.y * BM, column = blockIdx.x * BN;
    int my_row = threadIdx.x / BN * TM, my_column = threadIdx.x % BN;
    float sum[TM] = {};
    for (int k0 = 0; k0 < K; k0 += BK) {
        load_tile(&a_tile[0][0], BM, BK, A, M, K, row, k0);
        load_tile(&b_tile[0][0], BK, BN, B, K, N, k0, column);
        __syncthreads();
        for (int k = 0; k < BK; k++) {
            float b = b_tile[k][my_column];
#pragma unroll
            for (int i = 0; i < TM; i++) sum[i] += a_tile[my_row + i][k] * b;
        }
        __syncthreads();
    }
    int c = column + my_column;
    for (int i = 0; i < TM; i++) {
        int r = row + my_row + i;
        if (r < M && c < N) C[(size_t)r * N + c] = sum[i];
    }
}

// A square of TM x TN results per thread: every number loaded serves TM or TN times.
extern "C" __global__ void __launch_bounds__(THREADS)
matmul_registers_2d(const float* A, const float* B, float* C, int M, int N, int K) {
    __shared__ float a_tile[BM][BK], b_tile[BK][BN];
    int row = blockIdx.y * BM, column = blockIdx.x * BN;
    int my_row = threadIdx.x / (BN / TN) * TM, my_column = threadIdx.x % (BN / TN) * TN;
    float sum[TM][TN] = {};
    for (int k0 = 0; k0 < K; k0 += BK) {
        load_tile(&a_tile[0][0], BM, BK, A, M, K, row, k0);
        load_tile(&b_tile[0][0], BK, BN, B, K, N, k0, column);
        __syncthreads();
        for (int k = 0; k < BK; k++) {
            float a[TM], b[TN];
#pragma unroll
            for (int i = 0; i < TM; i++) a[i] = a_tile[my_row + i][k];
#pragma unroll
            for (int j = 0; j < TN; j++) b[j] = b_tile[k][my_column + j];
#pragma unroll
            for (int i = 0; i < TM; i++)
#pragma unroll
                for (int j = 0; j < TN; j++) sum[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < TM; i++)
        for (int j = 0; j < TN; j++) {
            int r = row + my_row + i, c = column + my_column + j;
            if (r < M && c < N) C[(size_t)r * N + c] = sum[i][j];
        }
}

__device__ __forceinline__ void load4(float* to, const float* from) {
    float4 four = *(const float4*)from;
    to[0] = four.x, to[1] = four.y, to[2] = four.z, to[3] = four.w;
}

// Four numbers per memory instruction, from global and from shared memory. A's tile is stored transposed, so that
// a thread's TM numbers of A lie side by side. K and N are multiples of 4.
extern "C" __global__ void __launch_bounds__(THREADS)
matmul_float4(const float* A, const float* B, float* C, int M, int N, int K) {
    __shared__ __align__(16) float a_tile[BK][BM + PAD], b_tile[BK][BN];
    int row = blockIdx.y * BM, column = blockIdx.x * BN;
    int my_row = threadIdx.x / (BN / TN) * TM, my_column = threadIdx.x % (BN / TN) * TN;
    float sum[TM][TN] = {};
    for (int k0 = 0; k0 < K; k0 += BK) {
        for (int i = threadIdx.x; i < BM * BK / 4; i += THREADS) {
            int r = i / (BK / 4), k = i % (BK / 4) * 4;
            float four[4] = {};
            if (row + r < M && k0 + k < K) load4(four, &A[(size_t)(row + r) * K + k0 + k]);
#pragma unroll
            for (int j = 0; j < 4; j++) a_tile[k + j][r] = four[j];
        }
        for (int i = threadIdx.x; i < BK * BN / 4; i += THREADS) {
            int k = i / (BN / 4), c = i % (BN / 4) * 4;
            float4 four = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
            if (k0 + k < K && column + c < N) four = *(const float4*)&B[(size_t)(k0 + k) * N + column + c];
            *(float4*)&b_tile[k][c] = four;
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < BK; k++) {
            float a[TM], b[TN];
#pragma unroll
            for (int i = 0; i < TM; i += 4) load4(a + i, &a_tile[k][my_row + i]);
#pragma unroll
            for (int j = 0; j < TN; j += 4) load4(b + j, &b_tile[k][my_column + j]);
#pragma unroll
            for (int i = 0; i < TM; i++)
#pragma unroll
                for (int j = 0; j < TN; j++) sum[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < TM; i++)
#pragma unroll
        for (int j = 0; j < TN; j += 4) {
            int r = row + my_row + i, c = column + my_column + j;
            if (r < M && c < N)
                *(float4*)&C[(size_t)r * N + c] = make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]);
        }
}

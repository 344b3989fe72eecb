// Matrix product C = A B, the last rungs of the ladder: tiles arrive while others are being multiplied. Lesson 08.
// A (M, K), B (K, N), C (M, N), row-major float32; any M and K, N a multiple of 4; all aligned to 16 bytes.
//   grid = (ceil(N / BN), ceil(M / BM), parts), block = (BM / TM) (BN / TN).
//
// What this adds to matmul_warp.cu:
// - Copies from global to shared memory that pass by the registers and that nobody waits for: STAGES tiles are
//   in flight or in use, and one barrier per tile is enough.
// - While row k of a tile is multiplied, row k + 1 is on its way from shared memory to registers.
// - 8 x 16 results per thread: 24 numbers loaded for 128 multiply-adds. That takes most of the 255 registers a thread
//   can have, so one block of 256 threads fills a multiprocessor, and the pipeline, not other blocks, hides latency.
// - Odd columns of the 8 x 16 results are computed upwards: the number of A just used is used again, and the multiplier
//   reads one operand less from the register file.
// - Few tiles leave most of the GPU idle. Then gridDim.z blocks share the sum over K of each tile: part z is written to
//   C + z M N, and sum_parts in linear.cu adds the parts up.

#include <cuda_pipeline.h>

#ifndef BM
#define BM 128
#endif
#ifndef BN
#define BN 256
#endif
#ifndef BK  // a multiple of 8
#define BK 8
#endif
#ifndef TM
#define TM 8
#endif
#ifndef TN
#define TN 16
#endif
#ifndef LANE_ROWS  // the 32 lanes of a warp stand in LANE_ROWS rows
#define LANE_ROWS 4
#endif
#ifndef STAGES
#define STAGES 3
#endif
#ifndef BLOCKS_PER_SM
#define BLOCKS_PER_SM 1
#endif
#define LANE_COLUMNS (32 / LANE_ROWS)
#define WARP_ROWS (LANE_ROWS * TM)
#define WARP_COLUMNS (LANE_COLUMNS * TN)
#define WARPS_ACROSS (BN / WARP_COLUMNS)
#define THREADS ((BM / TM) * (BN / TN))
#define A_STEP (THREADS / 8)         // rows of A that all threads copy at once, 8 numbers of each
#define B_STEP (THREADS / (BN / 4))  // rows of B, a float4 per thread
#define A_PITCH (BM + 4)  // A's tile is stored transposed; 4 more per row, and 8 x 4 neighbours fall into 32 banks
#define A_SIZE (BK * A_PITCH)
#define STAGE (A_SIZE + BK * BN)  // floats of one tile of A and one of B

__device__ __forceinline__ void load4(float* to, const float* from) {
    float4 four = *(const float4*)from;
    to[0] = four.x, to[1] = four.y, to[2] = four.z, to[3] = four.w;
}

// The thread's part of row k of both tiles. `tile` points at its first number in row 0 of A's, then of B's.
__device__ __forceinline__ void load_row(float* a, float* b, const float* a_tile, const float* b_tile, int k) {
#pragma unroll
    for (int i = 0; i < TM; i += 4) load4(a + i, a_tile + k * A_PITCH + i * LANE_ROWS);
#pragma unroll
    for (int j = 0; j < TN; j += 4) load4(b + j, b_tile + k * BN + j * LANE_COLUMNS);
}

// Start copying one tile of A and one of B. `a_from` and `b_from` point at the first number this thread copies;
// `height`, `width` and `depth` say how much of the matrices is left, and what lies beyond arrives as zeros.
__device__ __forceinline__ void start_copy(float* tiles, const float* a_from, const float* b_from, int N, int K,
                                           int height, int width, int depth) {
    int a_k = threadIdx.x % 8, a_row = threadIdx.x / 8;
#pragma unroll
    for (int i = 0; i < BM * BK / THREADS; i++) {
        int k = i / (BM / A_STEP) * 8, r = i % (BM / A_STEP) * A_STEP;
        __pipeline_memcpy_async(&tiles[(a_k + k) * A_PITCH + a_row + r], a_from + r * K + k, 4,
                                a_row + r < height && a_k + k < depth ? 0 : 4);
    }
    int b_column = threadIdx.x % (BN / 4) * 4, b_k = threadIdx.x / (BN / 4);
#pragma unroll
    for (int i = 0; i < BK * BN / 4 / THREADS; i++) {
        int k = i * B_STEP;
        __pipeline_memcpy_async(&tiles[A_SIZE + (b_k + k) * BN + b_column], b_from + k * N, 16,
                                b_column < width && b_k + k < depth ? 0 : 16);
    }
    __pipeline_commit();
}

extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS_PER_SM)
matmul_async(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int M, int N, int K) {
    __shared__ __align__(16) float tiles[STAGES * STAGE];
    int share = (K + gridDim.z - 1) / gridDim.z, first = blockIdx.z * share, depth = min(share, K - first);
    A += first, B += (size_t)first * N, C += (size_t)blockIdx.z * M * N;
    int row = blockIdx.y * BM, column = blockIdx.x * BN;
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int my_row = warp / WARPS_ACROSS * WARP_ROWS + lane / LANE_COLUMNS * 4;
    int my_column = warp % WARPS_ACROSS * WARP_COLUMNS + lane % LANE_COLUMNS * 4;
    const float* a_from = A + (size_t)(row + threadIdx.x / 8) * K + threadIdx.x % 8;
    const float* b_from = B + (size_t)(threadIdx.x / (BN / 4)) * N + column + threadIdx.x % (BN / 4) * 4;

#pragma unroll
    for (int s = 0; s < STAGES - 1; s++) {
        start_copy(tiles + s * STAGE, a_from, b_from, N, K, M - row, N - column, depth);
        a_from += BK, b_from += BK * N, depth -= BK;
    }
    __pipeline_wait_prior(STAGES - 2);
    __syncthreads();

    float sum[TM][TN] = {};
    float a[2][TM], b[2][TN];  // one half is multiplied while the other is being loaded
    int stage = 0;
    float* now = tiles;
    float* empty = tiles + (STAGES - 1) * STAGE;
    load_row(a[0], b[0], now + my_row, now + A_SIZE + my_column, 0);
    for (int k0 = 0; k0 < share; k0 += BK) {
#pragma unroll
        for (int k = 0; k < BK; k++) {
            if (k == BK - 1) {  // everyone has read the last row of this tile, and the next tile is there
                __pipeline_wait_prior(STAGES - 2);
                __syncthreads();
                empty = now;
                stage = stage == STAGES - 1 ? 0 : stage + 1;
                now = tiles + stage * STAGE;
            }
            load_row(a[(k + 1) % 2], b[(k + 1) % 2], now + my_row, now + A_SIZE + my_column, (k + 1) % BK);
            if (k == 1) {
                start_copy(empty, a_from, b_from, N, K, M - row, N - column, depth);
                a_from += BK, b_from += BK * N, depth -= BK;
            }
#pragma unroll
            for (int j = 0; j < TN; j++) {
#pragma unroll
                for (int n = 0; n < TM; n++) {
                    int i = j % 2 ? TM - 1 - n : n;
                    sum[i][j] += a[k % 2][i] * b[k % 2][j];
                }
            }
        }
    }

#pragma unroll
    for (int i = 0; i < TM; i++) {
        int r = row + my_row + i / 4 * 4 * LANE_ROWS + i % 4;
#pragma unroll
        for (int j = 0; j < TN; j += 4) {
            int c = column + my_column + j * LANE_COLUMNS;
            if (r < M && c < N)
                *(float4*)&C[(size_t)r * N + c] = make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]);
        }
    }
}

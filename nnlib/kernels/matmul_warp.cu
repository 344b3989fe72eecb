// Matrix product C = A B: the block's tile is divided among warps, the warp's among its lanes. Lesson 08.
// A (M, K), B (K, N), C (M, N), row-major float32; K and N multiples of 4; all aligned to 16 bytes.
//   grid = (ceil(N / BN), ceil(M / BM)), block = (BM / TM) (BN / TN).
//
// What this adds to matmul_float4: which thread computes what. There, the 16 lanes side by side read TN numbers each,
// and the float4 of neighbours lie TN numbers apart: bank conflicts. Here a thread's TM x TN results are scattered in
// squares of 4 x 4, so that the float4 of neighbouring lanes are neighbours; and the 32 lanes stand in a rectangle that
// is nearly square, because lanes of one row or column read the same numbers, which the hardware fetches only once.

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
#ifndef LANE_ROWS  // the 32 lanes of a warp stand in LANE_ROWS rows
#define LANE_ROWS 4
#endif
#define LANE_COLUMNS (32 / LANE_ROWS)
#define WARP_ROWS (LANE_ROWS * TM)
#define WARP_COLUMNS (LANE_COLUMNS * TN)
#define WARPS_ACROSS (BN / WARP_COLUMNS)
#define THREADS ((BM / TM) * (BN / TN))

__device__ __forceinline__ void load4(float* to, const float* from) {
    float4 four = *(const float4*)from;
    to[0] = four.x, to[1] = four.y, to[2] = four.z, to[3] = four.w;
}

extern "C" __global__ void __launch_bounds__(THREADS)
matmul_warp(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int M, int N, int K) {
    __shared__ __align__(16) float a_tile[BK][BM + 4], b_tile[BK][BN];
    int row = blockIdx.y * BM, column = blockIdx.x * BN;
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int my_row = warp / WARPS_ACROSS * WARP_ROWS + lane / LANE_COLUMNS * 4;
    int my_column = warp % WARPS_ACROSS * WARP_COLUMNS + lane % LANE_COLUMNS * 4;
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
            for (int i = 0; i < TM; i += 4) load4(a + i, &a_tile[k][my_row + i * LANE_ROWS]);
#pragma unroll
            for (int j = 0; j < TN; j += 4) load4(b + j, &b_tile[k][my_column + j * LANE_COLUMNS]);
#pragma unroll
            for (int i = 0; i < TM; i++)
#pragma unroll
                for (int j = 0; j < TN; j++) sum[i][j] += a[i] * b[j];
        }
        __syncthreads();
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

// C = A B on tensor cores by wmma, lesson 09. A (M, K) and B (K, N) of 16 bits, C (M, N) float32, all row by row.
// matmul_mma.cu goes on from here.
//
//   matmul_wmma         <<<(N / 16, M / 16), 32>>>      a warp per tile of 16 x 16, straight from global memory
//   matmul_wmma_shared  <<<(N / 64, M / 64), 128>>>     tiles in padded shared memory; four warps of 2 x 2 fragments
//   linear_wmma         <<<(O / 16, N / 16), 32>>>      y = x wᵀ, the layout does the transpose
//
// M and N are multiples of the tile, K of 16. -DBFLOAT16 takes bfloat16 in place of half.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

#ifdef BFLOAT16
typedef __nv_bfloat16 element;
#define TYPE "bf16"
#else
typedef __half element;
#define TYPE "f16"
#endif

using namespace nvcuda;

extern "C" __global__ void matmul_wmma(const element* A, const element* B, float* C, int M, int N, int K)
{
    int row = 16 * blockIdx.y, column = 16 * blockIdx.x;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, element, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, element, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
    wmma::fill_fragment(c, 0.0f);
    for (int k = 0; k < K; k += 16) {
        wmma::load_matrix_sync(a, A + row * K + k, K);
        wmma::load_matrix_sync(b, B + k * N + column, N);
        wmma::mma_sync(c, a, b, c);
    }
    wmma::store_matrix_sync(C + row * N + column, c, N, wmma::mem_row_major);
}

extern "C" __global__ void linear_wmma(const element* x, const element* w, float* y, int N, int O, int K)
{
    int row = 16 * blockIdx.y, column = 16 * blockIdx.x;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, element, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, element, wmma::col_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
    wmma::fill_fragment(c, 0.0f);
    for (int k = 0; k < K; k += 16) {
        wmma::load_matrix_sync(a, x + row * K + k, K);
        wmma::load_matrix_sync(b, w + column * K + k, K);
        wmma::mma_sync(c, a, b, c);
    }
    wmma::store_matrix_sync(y + row * O + column, c, O, wmma::mem_row_major);
}

#define SIDE 64  // of a block's tile
#define ROW_A (16 + 8)  // with padding: eight rows of a tile lie in different banks
#define ROW_B (SIDE + 8)

extern "C" __global__ void matmul_wmma_shared(const element* A, const element* B, float* C, int M, int N, int K)
{
    __shared__ __align__(32) element a_tile[SIDE][ROW_A];
    __shared__ __align__(32) element b_tile[16][ROW_B];
    int t = threadIdx.x, warp = t / 32, row = SIDE * blockIdx.y, column = SIDE * blockIdx.x;
    int warp_row = 32 * (warp / 2), warp_column = 32 * (warp % 2);
    wmma::fragment<wmma::matrix_a, 16, 16, 16, element, wmma::row_major> a[2];
    wmma::fragment<wmma::matrix_b, 16, 16, 16, element, wmma::row_major> b[2];
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> c[2][2];
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) wmma::fill_fragment(c[i][j], 0.0f);
    for (int k = 0; k < K; k += 16) {
        // 16 bytes per thread: two in a row of A's tile, eight in one of B's
        *(float4*)&a_tile[t / 2][t % 2 * 8] = *(const float4*)&A[(row + t / 2) * K + k + t % 2 * 8];
        *(float4*)&b_tile[t / 8][t % 8 * 8] = *(const float4*)&B[(k + t / 8) * N + column + t % 8 * 8];
        __syncthreads();
        for (int i = 0; i < 2; i++) {
            wmma::load_matrix_sync(a[i], &a_tile[warp_row + 16 * i][0], ROW_A);
            wmma::load_matrix_sync(b[i], &b_tile[0][warp_column + 16 * i], ROW_B);
        }
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++) wmma::mma_sync(c[i][j], a[i], b[j], c[i][j]);
        __syncthreads();
    }
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            wmma::store_matrix_sync(C + (row + warp_row + 16 * i) * N + column + warp_column + 16 * j, c[i][j], N,
                                    wmma::mem_row_major);
}

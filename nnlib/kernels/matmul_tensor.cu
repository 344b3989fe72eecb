// C = A B on tensor cores, lesson 09. A (M, K) and B (K, N) of 16 bits or TF32, C (M, N) float32, all row by row.
// Not measured on a GPU so far; results, bank conflicts and races are tested in the simulator.
//
//   matmul_wmma         <<<(N / 16, M / 16), 32>>>      a warp per tile of 16 x 16, straight from global memory
//   matmul_wmma_shared  <<<(N / 64, M / 64), 128>>>     tiles in padded shared memory; four warps of 2 x 2 fragments
//   matmul_mma          <<<(N / 128, M / 128), 256>>>   mma.sync and ldmatrix, swizzled tiles, three asynchronous stages
//   linear_wmma         <<<(O / 16, N / 16), 32>>>      y = x wᵀ, the layout does the transpose
//
// M and N are multiples of the tile, K of 16 (matmul_mma: 32). -DBFLOAT16 takes bfloat16 in place of half.
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

// --- by instructions: the lanes' registers have names ---------------------------------------------------------------

#define BM 128  // tile of C per block; eight warps of 64 x 32
#define BN 128
#define BK 32
#define STAGES 3

__device__ __forceinline__ unsigned shared_address(const void* p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

__device__ __forceinline__ void copy16(void* to, const void* from)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(shared_address(to)), "l"(from));
}

// Where the 16 bytes number `chunk` of a row lie: eight rows that ldmatrix reads at once begin in different banks.
__device__ __forceinline__ int place_a(int row, int chunk) { return row * BK + 8 * (chunk ^ (row >> 1 & 3)); }
__device__ __forceinline__ int place_b(int row, int chunk) { return row * BN + 8 * (chunk ^ (row & 7)); }

extern "C" __global__ void __launch_bounds__(256) matmul_mma(const element* __restrict__ A, const element* __restrict__ B,
                                                             float* C, int M, int N, int K)
{
    __shared__ __align__(128) element a_tile[STAGES][BM * BK];
    __shared__ __align__(128) element b_tile[STAGES][BK * BN];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    int warp_row = 64 * (warp % 2), warp_column = 32 * (warp / 2);
    const element* a_from = A + (size_t)BM * blockIdx.y * K;
    const element* b_from = B + BN * blockIdx.x;
    float c[4][4][4] = {};

    int steps = K / BK;
    for (int step = 0; step < steps + STAGES - 1; step++) {
        if (step >= STAGES - 1) {  // the tiles of step - (STAGES - 1) must have come
            asm volatile("cp.async.wait_group %0;" :: "n"(STAGES - 2));
            __syncthreads();
        }
        if (step < steps) {
            element *a_to = a_tile[step % STAGES], *b_to = b_tile[step % STAGES];
            for (int i = t; i < BM * BK / 8; i += 256)
                copy16(a_to + place_a(i / 4, i % 4), a_from + (size_t)(i / 4) * K + step * BK + i % 4 * 8);
            for (int i = t; i < BK * BN / 8; i += 256)
                copy16(b_to + place_b(i / 16, i % 16), b_from + (size_t)(step * BK + i / 16) * N + i % 16 * 8);
        }
        asm volatile("cp.async.commit_group;" ::);  // of nothing, in the last steps: so that all steps wait alike
        if (step < STAGES - 1) continue;

        const element* a_now = a_tile[(step - STAGES + 1) % STAGES];
        const element* b_now = b_tile[(step - STAGES + 1) % STAGES];
        #pragma unroll
        for (int k = 0; k < BK; k += 16) {
            unsigned a[4][4], b[2][4];
            #pragma unroll
            for (int i = 0; i < 4; i++)
                asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                    : "=r"(a[i][0]), "=r"(a[i][1]), "=r"(a[i][2]), "=r"(a[i][3])
                    : "r"(shared_address(a_now + place_a(warp_row + 16 * i + lane % 16, k / 8 + lane / 16))));
            #pragma unroll
            for (int j = 0; j < 2; j++)
                asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                    : "=r"(b[j][0]), "=r"(b[j][1]), "=r"(b[j][2]), "=r"(b[j][3])
                    : "r"(shared_address(b_now + place_b(k + lane % 16, warp_column / 8 + 2 * j + lane / 16))));
            #pragma unroll
            for (int i = 0; i < 4; i++)
                #pragma unroll
                for (int j = 0; j < 4; j++)
                    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32." TYPE "." TYPE ".f32 {%0, %1, %2, %3}, "
                        "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                        : "+f"(c[i][j][0]), "+f"(c[i][j][1]), "+f"(c[i][j][2]), "+f"(c[i][j][3])
                        : "r"(a[i][0]), "r"(a[i][1]), "r"(a[i][2]), "r"(a[i][3]),
                          "r"(b[j / 2][j % 2 * 2]), "r"(b[j / 2][j % 2 * 2 + 1]));
        }
    }
    float* to = C + (size_t)(BM * blockIdx.y + warp_row + lane / 4) * N + BN * blockIdx.x + warp_column + lane % 4 * 2;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            *(float2*)(to + (size_t)16 * i * N + 8 * j) = make_float2(c[i][j][0], c[i][j][1]);
            *(float2*)(to + (size_t)(16 * i + 8) * N + 8 * j) = make_float2(c[i][j][2], c[i][j][3]);
        }
}

// C = A B on tensor cores by instructions, the last rung of lesson 09's ladder: mma.sync, ldmatrix, cp.async.
// A (M, K), B (K, N), C (M, N), row-major; C is float32. A and B are half; -DBFLOAT16: bfloat16; -DTF32: float32, of which
// the factors are rounded to TF32. M, N and K are multiples of BM, BN and BK; all arrays are aligned to 16 bytes.
//   grid = (N / BN, M / BM), block = BM BN / (WM WN) 32, shared memory = STAGES (BM + BN) BK sizeof(element) bytes.
//
// What this adds to matmul_wmma_shared:
// - A warp multiplies a tile of WM x WN, so every number that ldmatrix brings from shared memory is used 4 to 8 times.
// - Copies pass by the registers: STAGES tiles are in flight or in use, with one barrier per tile.
// - While one step of a tile is multiplied, the fragments of the next are on their way from shared memory.
// - Tiles are swizzled: the 16 bytes number c of row r lie at place c ^ f(r), so that what a warp reads at once lies in
//   different banks, without padding.
// - Blocks that run at the same time work on GROUP rows of tiles, so that both operands come from the L2 cache.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#ifdef TF32
typedef float element;
#define DEPTH 8  // of one instruction
#define PRODUCT "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32"
#elif defined(BFLOAT16)
typedef __nv_bfloat16 element;
#define DEPTH 16
#define PRODUCT "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32"
#else
typedef __half element;
#define DEPTH 16
#define PRODUCT "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"
#endif

#ifndef BM  // tile of C per block
#define BM 128
#endif
#ifndef BN
#define BN 256
#endif
#ifndef BK
#define BK (2 * DEPTH)
#endif
#ifndef WM  // and per warp
#define WM 64
#endif
#ifndef WN
#define WN 64
#endif
#ifndef STAGES
#define STAGES 4
#endif
#ifndef BLOCKS_PER_SM
#define BLOCKS_PER_SM 1
#endif
#ifndef GROUP
#define GROUP 8
#endif
#define THREADS (BM / WM * (BN / WN) * 32)
#define CHUNK (16 / (int)sizeof(element))  // elements in 16 bytes
#define A_CHUNKS (BK / CHUNK)              // of a row
#define B_CHUNKS (BN / CHUNK)
#define STEPS (BK / DEPTH)                 // of a tile
#define A_STEP (THREADS / A_CHUNKS)        // rows that all threads copy at once
#define B_STEP (THREADS / B_CHUNKS)
#define A_BYTES (BM * A_CHUNKS * 16)
#define STAGE (A_BYTES + BK * B_CHUNKS * 16)
#ifdef TF32                                // fragments of a warp on both sides of the sign
#define LEFT (WN / 16)
#define RIGHT (WM / 8)
#else
#define LEFT (WM / 16)
#define RIGHT (WN / 8)
#endif

// Where the 16 bytes number `chunk` of a row lie. Eight rows that ldmatrix reads at once begin in different banks; TF32
// reads chunks of B from four rows at once, two from each.
__device__ __forceinline__ int place_a(int row, int chunk) {
    return 16 * (row * A_CHUNKS + (chunk ^ (A_CHUNKS == 4 ? row >> 1 & 3 : row & 7)));
}
__device__ __forceinline__ int place_b(int row, int chunk) {
    return 16 * (row * B_CHUNKS + (chunk ^ (DEPTH == 8 ? 2 * (row & 3) : row & 7)));
}

__device__ __forceinline__ unsigned address(const unsigned char* p) { return (unsigned)__cvta_generic_to_shared(p); }

__device__ __forceinline__ void copy(unsigned char* to, const element* from, int bytes) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" :: "r"(address(to)), "l"(from), "r"(bytes));
}

// Start copying a tile of A and one of B, whose first chunks for this thread lie at A and B; zeros where outside.
__device__ __forceinline__ void start_copy(unsigned char* to, const element* A, const element* B, int N, int K, bool inside) {
    int t = threadIdx.x, bytes = inside ? 16 : 0;
#pragma unroll
    for (int i = 0; i < BM / A_STEP; i++)
        copy(to + place_a(t / A_CHUNKS + i * A_STEP, t % A_CHUNKS), A + i * A_STEP * K, bytes);
#pragma unroll
    for (int i = 0; i < BK / B_STEP; i++)
        copy(to + A_BYTES + place_b(t / B_CHUNKS + i * B_STEP, t % B_CHUNKS), B + i * B_STEP * N, bytes);
    asm volatile("cp.async.commit_group;" ::);
}

// The fragments for one step of a tile. `a` and `b` are the tiles, of which the warp's part begins at that row and column.
#ifdef TF32
// ldmatrix cannot transpose 32 bits, so the product is Ct = Bt At. A row of Bt may be any column of B: the two that a lane
// loads at once are rows i and i + 8 of a fragment. A block of 8 x 8 halves is one of 8 x 4 floats, so ldmatrix brings At.
__device__ __forceinline__ void load(unsigned left[LEFT][4], unsigned right[RIGHT][2], const unsigned char* a,
                                     const unsigned char* b, int row, int column, int step) {
    int lane = threadIdx.x % 32;
#pragma unroll
    for (int i = 0; i < LEFT; i++)
#pragma unroll
        for (int r = 0; r < 2; r++) {
            int chunk = column / 4 + 4 * i + lane / 8;
            float2 two = *(const float2*)(b + place_b(8 * step + 4 * r + lane % 4, chunk) + lane / 4 % 2 * 8);
            left[i][2 * r] = __float_as_uint(two.x), left[i][2 * r + 1] = __float_as_uint(two.y);
        }
#pragma unroll
    for (int j = 0; j < RIGHT; j += 2)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
            : "=r"(right[j][0]), "=r"(right[j][1]), "=r"(right[j + 1][0]), "=r"(right[j + 1][1])
            : "r"(address(a + place_a(row + 8 * j + lane / 16 * 8 + lane % 8, 2 * step + lane / 8 % 2))));
}
#else
__device__ __forceinline__ void load(unsigned left[LEFT][4], unsigned right[RIGHT][2], const unsigned char* a,
                                     const unsigned char* b, int row, int column, int step) {
    int lane = threadIdx.x % 32;
#pragma unroll
    for (int i = 0; i < LEFT; i++)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
            : "=r"(left[i][0]), "=r"(left[i][1]), "=r"(left[i][2]), "=r"(left[i][3])
            : "r"(address(a + place_a(row + 16 * i + lane % 16, 2 * step + lane / 16))));
#pragma unroll
    for (int j = 0; j < RIGHT; j += 2)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
            : "=r"(right[j][0]), "=r"(right[j][1]), "=r"(right[j + 1][0]), "=r"(right[j + 1][1])
            : "r"(address(b + place_b(16 * step + lane % 16, column / 8 + j + lane / 16))));
}
#endif

__device__ __forceinline__ unsigned rounded(unsigned bits) {
#ifdef TF32
#if __CUDA_ARCH__ >= 900  // has an instruction for it, to the nearest and of two the even one
    asm("cvt.rn.tf32.f32 %0, %1;" : "=r"(bits) : "f"(__uint_as_float(bits)));
#else
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(__uint_as_float(bits)));
#endif
#endif
    return bits;
}

__device__ __forceinline__ void multiply(float c[LEFT][RIGHT][4], const unsigned left[LEFT][4], const unsigned right[RIGHT][2]) {
    unsigned r[RIGHT][2];
#pragma unroll
    for (int j = 0; j < RIGHT; j++) r[j][0] = rounded(right[j][0]), r[j][1] = rounded(right[j][1]);
#pragma unroll
    for (int i = 0; i < LEFT; i++) {
        unsigned l[4] = {rounded(left[i][0]), rounded(left[i][1]), rounded(left[i][2]), rounded(left[i][3])};
#pragma unroll
        for (int n = 0; n < RIGHT; n++) {
            int j = i % 2 ? RIGHT - 1 - n : n;  // the fragment just used is used again
            asm volatile(PRODUCT " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                : "+f"(c[i][j][0]), "+f"(c[i][j][1]), "+f"(c[i][j][2]), "+f"(c[i][j][3])
                : "r"(l[0]), "r"(l[1]), "r"(l[2]), "r"(l[3]), "r"(r[j][0]), "r"(r[j][1]));
        }
    }
}

extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS_PER_SM)
matmul_mma(const element* __restrict__ A, const element* __restrict__ B, float* __restrict__ C, int M, int N, int K) {
    extern __shared__ __align__(128) unsigned char tiles[];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int warp_row = warp / (BN / WN) * WM, warp_column = warp % (BN / WN) * WN;

    int number = blockIdx.y * gridDim.x + blockIdx.x, of_group = GROUP * gridDim.x, above = number / of_group * GROUP;
    int height = min(GROUP, gridDim.y - above);
    int row = BM * (above + number % of_group % height), column = BN * (number % of_group / height);
    A += (size_t)(row + threadIdx.x / A_CHUNKS) * K + threadIdx.x % A_CHUNKS * CHUNK;
    B += (size_t)(threadIdx.x / B_CHUNKS) * N + column + threadIdx.x % B_CHUNKS * CHUNK;

    int tiles_of_k = K / BK;
#pragma unroll
    for (int s = 0; s < STAGES - 1; s++) {
        start_copy(tiles + s * STAGE, A, B, N, K, s < tiles_of_k);
        A += BK, B += BK * N;
    }
    asm volatile("cp.async.wait_group %0;" :: "n"(STAGES - 2));
    __syncthreads();

    float c[LEFT][RIGHT][4] = {};
    unsigned left[2][LEFT][4], right[2][RIGHT][2];  // one half is multiplied while the other is being loaded
    int stage = 0;
    unsigned char *now = tiles, *empty = tiles + (STAGES - 1) * STAGE;
    load(left[0], right[0], now, now + A_BYTES, warp_row, warp_column, 0);
    for (int tile = 0; tile < tiles_of_k; tile++) {
#pragma unroll
        for (int step = 0; step < STEPS; step++) {
            if (step == STEPS - 1) {  // all warps have read the last step of this tile, and the next tile is there
                asm volatile("cp.async.wait_group %0;" :: "n"(STAGES - 2));
                __syncthreads();
            }
            if (step == 0) {
                start_copy(empty, A, B, N, K, tile + STAGES - 1 < tiles_of_k);
                A += BK, B += BK * N;
            }
            if (step == STEPS - 1) {
                empty = now;
                stage = stage == STAGES - 1 ? 0 : stage + 1;
                now = tiles + stage * STAGE;
            }
            int next = (step + 1) % STEPS;
            load(left[next % 2], right[next % 2], now, now + A_BYTES, warp_row, warp_column, next);
            multiply(c, left[step % 2], right[step % 2]);
        }
    }

    C += (size_t)(row + warp_row) * N + column + warp_column;
#pragma unroll
    for (int i = 0; i < LEFT; i++)
#pragma unroll
        for (int j = 0; j < RIGHT; j++)
#pragma unroll
            for (int half = 0; half < 2; half++)
#ifdef TF32
                *(float2*)(C + (size_t)(8 * j + lane % 4 * 2 + half) * N + 16 * i + lane / 4 * 2) =
                    make_float2(c[i][j][half], c[i][j][half + 2]);
#else
                *(float2*)(C + (size_t)(16 * i + 8 * half + lane / 4) * N + 8 * j + lane % 4 * 2) =
                    make_float2(c[i][j][2 * half], c[i][j][2 * half + 1]);
#endif
}

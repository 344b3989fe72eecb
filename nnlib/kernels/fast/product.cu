// One tiled matrix product for the linear layer and for convolution, forwards and backwards. Lesson 08.
//
// C (rows, columns) = A (rows, depth) B (depth, columns). All six operations are this product; they differ in the answers
// to three questions: where is A[m][k], where is B[k][n], where does C[m][n] go? No column matrix is ever written: a
// convolution computes the place of each of its numbers while it copies them ("implicit GEMM").
//   grid = (ceil(columns / BN) ceil(rows / BM), 1, parts), block = (BM / TM) (BN / TN) TEAMS.
// The `parts` blocks of a tile share its sum; part z is written to C + z size, and sum_parts in linear.cu adds them up.
// Where a product is too small to fill the GPU with threads, TEAMS of warps share the sums of a block, too: each takes its
// rows of every tile, and the first adds up what all have.
//
// How a tile is multiplied is matmul_async.cu, the last rung of the ladder. The compiler is told -DPRODUCT, a tile
// (BM, BN, TM, TN, LANE_ROWS, BLOCKS_PER_SM, TEAMS) and, for convolution, the shape: C, H, W, F, KH, KW, SH, SW, PH, PW.
//
// -DPRECISION (lesson 09): the same by tensor cores, for mixed precision. Memory holds float32; the factors are rounded on
// their way from shared memory to the unit, and sums are float32. -DA_SCALE, -DB_SCALE multiply a factor before it is
// rounded, and the result is divided by both: the loss scale.

#include <cuda_pipeline.h>

#define TF32 1
#define BFLOAT16 2
#define HALF 3
#ifndef PRECISION  // of the factors; 0: float32
#define PRECISION 0
#endif
#if PRECISION
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#endif
#ifndef A_SCALE
#define A_SCALE 1.0f
#endif
#ifndef B_SCALE
#define B_SCALE 1.0f
#endif

#define LINEAR 0           // y = x w^T + b (-DBIASED=1), dx = dy w, dw = dy^T x; -DA_ALONG_K, -DB_ALONG_K: how matrices lie
#define CONV_FORWARD 1     // y = w columns(x) + b:    A = w (F, taps), B = columns (taps, pixels of all images)
#define CONV_INPUT 2       // dx = w^T dy, gathered:   A = w^T (C, taps of all filters), B (those taps, pixels)
#define CONV_WEIGHT 3      // dw = dy columns(x)^T:    A = dy (F, pixels), B = columns^T (pixels, taps), and ones for db

#ifndef TEAMS
#define TEAMS 1
#endif
#define SHARE 8  // rows of a tile that a team multiplies
#define BK (SHARE * TEAMS)
#ifndef STAGES
#define STAGES 3
#endif
#ifndef BIASED
#define BIASED 0
#endif
#ifndef RELU
#define RELU 0
#endif
#ifndef ONES
#define ONES 0  // of a linear layer's dw: a last column of ones sums up dy, for db
#endif
#define LANE_COLUMNS (32 / LANE_ROWS)
#define WARP_ROWS (LANE_ROWS * TM)
#define WARP_COLUMNS (LANE_COLUMNS * TN)
#define WARPS_ACROSS (BN / WARP_COLUMNS)
#define TEAM ((BM / TM) * (BN / TN))  // threads
#define THREADS (TEAM * TEAMS)
#define A_UNIT (TM < 4 ? TM : 4)  // neighbours that a thread reads at once
#define B_UNIT (TN < 4 ? TN : 4)
#define C_UNIT (PRECISION ? 2 : B_UNIT)  // that it has side by side
#define A_PITCH (BM + 4)  // 8 x 4 neighbours of a transposed tile fall into 32 banks
#define B_PITCH (BN + 4)
#ifndef A_WIDTH  // floats per copy: 4 where neighbours along m, or n, lie side by side in memory and in fours
#define A_WIDTH 1
#endif
#ifndef B_WIDTH
#define B_WIDTH 1
#endif
#ifndef C_WIDTH
#define C_WIDTH 1
#endif
#define A_ACROSS (BM / A_WIDTH < THREADS ? BM / A_WIDTH : THREADS)  // threads that stand along m
#define B_ACROSS (BN / B_WIDTH < THREADS ? BN / B_WIDTH : THREADS)
#define A_TURNS (BM / A_WIDTH / A_ACROSS)
#define B_TURNS (BN / B_WIDTH / B_ACROSS)
#define A_SIZE (BK * A_PITCH)
#define STAGE (A_SIZE + BK * B_PITCH)  // floats of one tile of A and one of B

// --- where the numbers are -------------------------------------------------------------------
// a_at and b_at: the address of A[m][k] and B[k][n], and whether there is a number (else it is zero). The depth is walked in
// tiles of BK: k = tile * BK + i. ALONG_K: neighbours along k lie side by side in memory, else neighbours along m or n.

#if PRODUCT == LINEAR
#ifndef A_TURNED
#define A_TURNED 0  // by transpose.cu, which fills its lines up to a multiple of 4
#endif
#ifndef B_TURNED
#define B_TURNED 0
#endif
#define LINE(length, turned) ((turned) ? ((length) + 3) / 4 * 4 : (length))
__device__ const __align__(16) float one[4] = {1.0f};
__device__ __forceinline__ const float* a_at(const float* a, int m, int tile, int i, int rows, int depth) {
    int k = tile * BK + i;
    return a + (A_ALONG_K ? m * depth + k : k * LINE(rows, A_TURNED) + m);
}
__device__ __forceinline__ const float* b_at(const float* b, int tile, int i, int n, int columns, int depth, bool* inside) {
    int k = tile * BK + i;
    if (ONES && n == columns - 1) return one;
    return b + (B_ALONG_K ? n * depth + k : k * LINE(columns - ONES, B_TURNED) + n);
}
#endif

#if PRODUCT >= CONV_FORWARD
#define OH ((H + 2 * PH - KH) / SH + 1)
#define OW ((W + 2 * PW - KW) / SW + 1)
#define PIXELS (OH * OW)
#define TAPS (KH * KW)

// The pixel of x that tap `tap` of the window at output pixel o sees in channel c.
__device__ __forceinline__ const float* seen(const float* x, int image, int c, int o, int tap, bool* inside) {
    int row = o / OW * SH - PH + tap / KW, column = o % OW * SW - PW + tap % KW;
    *inside = *inside && (PH == 0 || (unsigned)row < H) && (PW == 0 || (unsigned)column < W);
    return x + ((image * C + c) * (H * W) + row * W + column);
}

// Which plane and tap is k? Where planes come in eights, a tile is one tap of eight planes: the division is one per tile.
__device__ __forceinline__ int plane_of(int tile, int i, int planes, int taps) {
    return planes % BK == 0 ? tile / taps * BK + i : (tile * BK + i) / taps;
}
__device__ __forceinline__ int tap_of(int tile, int i, int planes, int taps) {
    return planes % BK == 0 ? tile % taps : (tile * BK + i) % taps;
}
#endif

#if PRODUCT == CONV_FORWARD
#define A_ALONG_K 1
#define B_ALONG_K 0
__device__ __forceinline__ const float* a_at(const float* w, int m, int tile, int i, int rows, int depth) {
    return w + (m * (C * TAPS) + plane_of(tile, i, C, TAPS) * TAPS + tap_of(tile, i, C, TAPS));
}
__device__ __forceinline__ const float* b_at(const float* x, int tile, int i, int n, int columns, int depth, bool* inside) {
    return seen(x, n / PIXELS, plane_of(tile, i, C, TAPS), n % PIXELS, tap_of(tile, i, C, TAPS), inside);
}
#elif PRODUCT == CONV_INPUT
// Pixel (iy, ix) meets only the taps with (iy + PH) % SH == RY and (ix + PW) % SW == RX: one launch for each such class of
// pixels, which is a convolution of stride 1 with fewer taps, TX in a row.
#define A_ALONG_K 1
#define B_ALONG_K 0
#define TX (KW > RX ? (KW - RX + SW - 1) / SW : 1)  // a class that meets no tap has depth 0
#define CLASS_TAPS (KH > RY ? (KH - RY + SH - 1) / SH * TX : 1)
#define FIRST_Y ((RY - PH % SH + SH) % SH)
#define FIRST_X ((RX - PW % SW + SW) % SW)
#define UH ((H - FIRST_Y + SH - 1) / SH)
#define UW ((W - FIRST_X + SW - 1) / SW)
__device__ __forceinline__ const float* a_at(const float* w, int m, int tile, int i, int rows, int depth) {
    int f = plane_of(tile, i, F, CLASS_TAPS), tap = tap_of(tile, i, F, CLASS_TAPS);
    return w + ((f * C + m) * TAPS + (RY + SH * (tap / TX)) * KW + RX + SW * (tap % TX));
}
__device__ __forceinline__ const float* b_at(const float* dy, int tile, int i, int n, int columns, int depth, bool* inside) {
    int f = plane_of(tile, i, F, CLASS_TAPS), tap = tap_of(tile, i, F, CLASS_TAPS);
    int image = n / (UH * UW), u = n % (UH * UW) / UW, v = n % UW;
    int oy = (FIRST_Y + PH - RY) / SH + u - tap / TX, ox = (FIRST_X + PW - RX) / SW + v - tap % TX;
    *inside = *inside && (unsigned)oy < OH && (unsigned)ox < OW;
    return dy + ((image * F + f) * PIXELS + oy * OW + ox);
}
#elif PRODUCT == CONV_WEIGHT
#define A_ALONG_K 1
#define B_ALONG_K 1
__device__ const float one = 1.0f;
__device__ __forceinline__ const float* a_at(const float* dy, int m, int tile, int i, int rows, int depth) {
    int k = tile * BK + i;
    return dy + (k / PIXELS * (F * PIXELS) + k % PIXELS + m * PIXELS);
}
__device__ __forceinline__ const float* b_at(const float* x, int tile, int i, int n, int columns, int depth, bool* inside) {
    int k = tile * BK + i;
    if (n == C * TAPS) return &one;
    return seen(x, k / PIXELS, n / TAPS, k % PIXELS, n % TAPS, inside);
}
#endif

// Where C[m][n] goes, and what is added to it.
__device__ __forceinline__ int place(int m, int n, int rows, int columns) {
#if PRODUCT == LINEAR
    return ONES && n == columns - 1 ? rows * n + m : m * (columns - ONES) + n;
#elif PRODUCT == CONV_FORWARD
    return (n / PIXELS * F + m) * PIXELS + n % PIXELS;
#elif PRODUCT == CONV_INPUT
    int image = n / (UH * UW), u = n % (UH * UW) / UW, v = n % UW;
    return (image * C + m) * (H * W) + (FIRST_Y + SH * u) * W + FIRST_X + SW * v;
#elif PRODUCT == CONV_WEIGHT
    return n == C * TAPS ? F * C * TAPS + m : m * (C * TAPS) + n;
#endif
}

__device__ __forceinline__ float finished(float sum, const float* bias, int m, int n) {
#if PRODUCT == LINEAR
    float value = sum + (BIASED && blockIdx.z == 0 ? bias[n] : 0.0f);
    return RELU && gridDim.z == 1 ? fmaxf(value, 0.0f) : value;
#elif PRODUCT == CONV_FORWARD
    return sum + (blockIdx.z == 0 ? bias[m] : 0.0f);
#else
    return sum;
#endif
}

// C_UNIT results in a row, from C[m][n], as far as they exist; at once where neighbours lie together in fours.
__device__ __forceinline__ void store(float* c, const float* bias, const float* sum, int m, int n, int rows, int columns) {
    if (m >= rows) return;
    if (C_WIDTH == 4 && C_UNIT == 4 && n + 4 <= columns - ONES) {
        *(float4*)(c + place(m, n, rows, columns)) = make_float4(
            finished(sum[0], bias, m, n), finished(sum[1], bias, m, n + 1), finished(sum[2], bias, m, n + 2),
            finished(sum[3], bias, m, n + 3));
        return;
    }
#pragma unroll
    for (int j = 0; j < C_UNIT; j++) {
        if (n + j >= columns) return;
        float total = PRECISION ? sum[j] / (A_SCALE * B_SCALE) : sum[j];
        c[place(m, n + j, rows, columns)] = finished(total, bias, m, n + j);
    }
}

// --- how they are multiplied -----------------------------------------------------------------

__device__ __forceinline__ void load(float* to, const float* from, int unit) {
    if (unit == 4) {
        float4 four = *(const float4*)from;
        to[0] = four.x, to[1] = four.y, to[2] = four.z, to[3] = four.w;
    } else {
        float2 two = *(const float2*)from;
        to[0] = two.x, to[1] = two.y;
    }
}

// The thread's part of row k of both tiles. `a_tile` and `b_tile` point at its first number in row 0.
__device__ __forceinline__ void load_row(float* a, float* b, const float* a_tile, const float* b_tile, int k) {
#pragma unroll
    for (int i = 0; i < TM; i += A_UNIT) load(a + i, a_tile + k * A_PITCH + i * LANE_ROWS, A_UNIT);
#pragma unroll
    for (int j = 0; j < TN; j += B_UNIT) load(b + j, b_tile + k * B_PITCH + j * LANE_COLUMNS, B_UNIT);
}

__device__ __forceinline__ void copy(float* to, const float* from, bool inside, int width) {
    if (width == 4) {
        __pipeline_memcpy_async(to, from, 16, inside ? 0 : 16);
    } else {
        __pipeline_memcpy_async(to, from, 4, inside ? 0 : 4);
    }
}

// Start copying the tiles of A and B; what lies outside arrives as zeros. Threads stand along k, or along m and n.
__device__ __forceinline__ void start_copy(float* to, const float* a, const float* b, int row, int column, int tile,
                                           int rows, int columns, int depth) {
#pragma unroll
    for (int n = 0; n < BM * BK / A_WIDTH / THREADS; n++) {
        int r = A_ALONG_K ? threadIdx.x / BK + n * (THREADS / BK)
                          : (threadIdx.x % A_ACROSS + n % A_TURNS * A_ACROSS) * A_WIDTH;
        int k = A_ALONG_K ? threadIdx.x % BK : threadIdx.x / A_ACROSS + n / A_TURNS * (THREADS / A_ACROSS);
        bool inside = row + r < rows && tile * BK + k < depth;
        copy(&to[k * A_PITCH + r], a_at(a, row + r, tile, k, rows, depth), inside, A_WIDTH);
    }
#pragma unroll
    for (int n = 0; n < BN * BK / B_WIDTH / THREADS; n++) {
        int c = B_ALONG_K ? threadIdx.x / BK + n * (THREADS / BK)
                          : (threadIdx.x % B_ACROSS + n % B_TURNS * B_ACROSS) * B_WIDTH;
        int k = B_ALONG_K ? threadIdx.x % BK : threadIdx.x / B_ACROSS + n / B_TURNS * (THREADS / B_ACROSS);
        bool inside = column + c < columns && tile * BK + k < depth;
        const float* from = b_at(b, tile, k, column + c, columns, depth, &inside);
        copy(&to[A_SIZE + k * B_PITCH + c], from, inside, B_WIDTH);
    }
    __pipeline_commit();
}

// The first team's sums become those of all.
__device__ __forceinline__ void add_teams(float* shared, float sum[TM][TN], int team, int member) {
    __pipeline_wait_prior(0);  // zeros that lie behind the last tile
    for (int other = 1; other < TEAMS; other++) {
        __syncthreads();
#pragma unroll
        for (int i = 0; i < TM * TN; i++) {
            if (team == other) shared[i * TEAM + member] = sum[i / TN][i % TN];
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < TM * TN; i++) {
            if (team == 0) sum[i / TN][i % TN] += shared[i * TEAM + member];
        }
    }
}

#if PRECISION
// Two neighbours along k of a tile, rounded: TF32 in two registers, 16 bits in one.
__device__ __forceinline__ void factor(unsigned* to, const float* from, int pitch, float scale) {
    float low = scale * from[0], high = scale * from[pitch];
#if PRECISION == TF32
    float both[2] = {low, high};
#pragma unroll
    for (int i = 0; i < 2; i++) {
#if __CUDA_ARCH__ >= 900  // has an instruction for it
        asm("cvt.rn.tf32.f32 %0, %1;" : "=r"(to[i]) : "f"(both[i]));
#else
        asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(to[i]) : "f"(both[i]));
#endif
    }
#elif PRECISION == BFLOAT16
    to[0] = __bfloat16_as_ushort(__float2bfloat16_rn(low)) | (unsigned)__bfloat16_as_ushort(__float2bfloat16_rn(high)) << 16;
#else
    to[0] = __half_as_ushort(__float2half_rn(low)) | (unsigned)__half_as_ushort(__float2half_rn(high)) << 16;
#endif
}

__device__ __forceinline__ void multiply(float* c, const unsigned (*a)[2], const unsigned* b) {
#if PRECISION == TF32
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};" : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0][0]), "r"(a[1][0]), "r"(a[0][1]), "r"(a[1][1]), "r"(b[0]), "r"(b[1]));
#elif PRECISION == BFLOAT16
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : "r"(a[0][0]), "r"(a[1][0]), "r"(b[0]));
#else
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : "r"(a[0][0]), "r"(a[1][0]), "r"(b[0]));
#endif
}

#define DOWN (WARP_ROWS / 16)  // fragments of a warp
#define ACROSS (WARP_COLUMNS / 8)

// One tile: BK is the depth of one instruction. `a` and `b` point at the lane's first numbers.
__device__ __forceinline__ void multiply_tile(float sum[DOWN][ACROSS][4], const float* a, const float* b) {
    unsigned left[DOWN][2][2], right[ACROSS][2];
#pragma unroll
    for (int i = 0; i < 2 * DOWN; i++) factor(left[i / 2][i % 2], a + 8 * i, A_PITCH, A_SCALE);
#pragma unroll
    for (int j = 0; j < ACROSS; j++) factor(right[j], b + 8 * j, B_PITCH, B_SCALE);
#pragma unroll
    for (int i = 0; i < DOWN; i++)
#pragma unroll
        for (int j = 0; j < ACROSS; j++) multiply(sum[i][j], left[i], right[j]);
}
#endif

extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS_PER_SM)
product(const float* __restrict__ a, const float* __restrict__ b, const float* __restrict__ bias, float* __restrict__ c,
        int rows, int columns, int depth, int size) {
    __shared__ __align__(16) float tiles[STAGES * STAGE];
    int all = (depth + BK - 1) / BK, share = (all + gridDim.z - 1) / gridDim.z;
    int tile = blockIdx.z * share, last = min(all, tile + share);
    int down = (rows + BM - 1) / BM, across = (columns + BN - 1) / BN;  // tiles; the shorter side first: its operand stays
    int row = (down < across ? blockIdx.x % down : blockIdx.x / across) * BM;
    int column = (down < across ? blockIdx.x / down : blockIdx.x % across) * BN;
    int member = threadIdx.x % TEAM, warp = member / 32, lane = threadIdx.x % 32;
#if PRECISION
    int my_row = warp / WARPS_ACROSS * WARP_ROWS + lane / 4;
    int my_column = warp % WARPS_ACROSS * WARP_COLUMNS;
#else
    int my_row = warp / WARPS_ACROSS * WARP_ROWS + lane / LANE_COLUMNS * A_UNIT;
    int my_column = warp % WARPS_ACROSS * WARP_COLUMNS + lane % LANE_COLUMNS * B_UNIT;
    int team = threadIdx.x / TEAM;
    int my_a = team * SHARE * A_PITCH + my_row, my_b = A_SIZE + team * SHARE * B_PITCH + my_column;
#endif

#pragma unroll
    for (int s = 0; s < STAGES - 1; s++) {
        start_copy(tiles + s * STAGE, a, b, row, column, tile + s, rows, columns, tile + s < last ? depth : 0);
    }
    __pipeline_wait_prior(STAGES - 2);
    __syncthreads();

#if PRECISION
    float sum[DOWN][ACROSS][4] = {};
    int stage = 0;
    for (; tile < last; tile++) {
        int next = tile + STAGES - 1;
        start_copy(tiles + (stage + STAGES - 1) % STAGES * STAGE, a, b, row, column, next, rows, columns,
                   next < last ? depth : 0);
        const float* now = tiles + stage * STAGE;
        multiply_tile(sum, now + lane % 4 * 2 * A_PITCH + my_row,
                      now + A_SIZE + lane % 4 * 2 * B_PITCH + my_column + lane / 4);
        __pipeline_wait_prior(STAGES - 2);  // the next tile is there, and everyone has read this one
        __syncthreads();
        stage = (stage + 1) % STAGES;
    }

    c += (size_t)blockIdx.z * size;
#pragma unroll
    for (int i = 0; i < 2 * DOWN; i++)
#pragma unroll
        for (int j = 0; j < ACROSS; j++)
            store(c, bias, &sum[i / 2][j][i % 2 * 2], row + my_row + 8 * i, column + my_column + 8 * j + lane % 4 * 2,
                  rows, columns);
#else
    float sum[TM][TN] = {};
    float a_row[2][TM], b_row[2][TN];  // one half is multiplied while the other is being loaded
    int stage = 0;
    float* now = tiles;
    float* empty = tiles + (STAGES - 1) * STAGE;
    load_row(a_row[0], b_row[0], now + my_a, now + my_b, 0);
    for (; tile < last; tile++) {
#pragma unroll
        for (int k = 0; k < SHARE; k++) {
            if (k == SHARE - 1) {  // everyone has read the last row of this tile, and the next tile is there
                __pipeline_wait_prior(STAGES - 2);
                __syncthreads();
                empty = now;
                stage = stage == STAGES - 1 ? 0 : stage + 1;
                now = tiles + stage * STAGE;
            }
            load_row(a_row[(k + 1) % 2], b_row[(k + 1) % 2], now + my_a, now + my_b, (k + 1) % SHARE);
            if (k == 1) {
                int next = tile + STAGES - 1;
                start_copy(empty, a, b, row, column, next, rows, columns, next < last ? depth : 0);
            }
#pragma unroll
            for (int j = 0; j < TN; j++) {
#pragma unroll
                for (int n = 0; n < TM; n++) {
                    int i = j % 2 ? TM - 1 - n : n;  // the number of A just used is used again
                    sum[i][j] += a_row[k % 2][i] * b_row[k % 2][j];
                }
            }
        }
    }

    if (TEAMS > 1) {
        add_teams(tiles, sum, team, member);
        if (team > 0) return;
    }
    c += (size_t)blockIdx.z * size;
#pragma unroll
    for (int i = 0; i < TM; i++) {
        int m = row + my_row + i / A_UNIT * A_UNIT * LANE_ROWS + i % A_UNIT;
#pragma unroll
        for (int j = 0; j < TN; j += B_UNIT) {
            store(c, bias, &sum[i][j], m, column + my_column + j * LANE_COLUMNS, rows, columns);
        }
    }
#endif
}

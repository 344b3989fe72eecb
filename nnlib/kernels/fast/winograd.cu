// 3 x 3 convolution of stride 1 with 2.25 times fewer multiplications: Winograd's F(2 x 2, 3 x 3). Lesson 08.
// Lavin and Gray, Fast Algorithms for Convolutional Neural Networks, CVPR 2016.
//
// In one dimension, two neighbouring outputs of a filter w of 3 taps see 4 inputs x. By the definition they take
// 6 multiplications: y0 = x0 w0 + x1 w1 + x2 w2, y1 = x1 w0 + x2 w1 + x3 w2. These 4 do as well:
//     m0 = (x0 - x2) w0,  m1 = (x1 + x2) (w0 + w1 + w2) / 2,  m2 = (x2 - x1) (w0 - w1 + w2) / 2,  m3 = (x1 - x3) w2
//     y0 = m0 + m1 + m2,  y1 = m1 - m2 - m3
// In two dimensions one does so along columns, then along rows: a tile of 4 x 4 inputs gives 2 x 2 outputs with 16
// multiplications in place of 36. Each sum of taps serves all tiles, each sum of inputs all filters, and the outputs can
// wait until the products are summed over the channels. So each of the 16 places of a tile is a matrix product:
//     M[place] (filters, tiles) = U[place] (filters, channels) V[place] (channels, tiles),   U made of w, V of x
// A block computes all 16 for ROWS filters and COLUMNS tiles. It forms V in shared memory, DEPTH channels at a time, and the
// outputs at the end: of U, V and M only U, which is small, is ever in global memory.
//
// The input gradient is the convolution of dy with filters turned around, channels and filters exchanged, and a padding
// of 2 - PH, which may be negative. The weight gradient (-DWEIGHT=1) does all steps backwards, in the opposite order:
//     dU[place] (filters, channels) = dM[place] (filters, tiles) V[place]^T (tiles, channels),   dM made of dy
//
//   winograd_filters, then winograd -DWEIGHT=0: grid = ceil(F / ROWS) ceil(tiles / COLUMNS);
//   winograd -DWEIGHT=1: grid = (ceil(F / ROWS) ceil(C / COLUMNS), 1, parts), then sum_parts, winograd_filters_gradient;
//   block = THREADS, shared memory as ops/fast/winograd.py computes it. Compiled in: -DC -DH -DW -DF -DPH -DPW.

#include <cuda_pipeline.h>

#ifndef ROWS  // of a product, per block
#define ROWS 64
#endif
#ifndef COLUMNS
#define COLUMNS 32
#endif
#ifndef PLACES  // of the 16 products, how many a warp computes
#define PLACES 2
#endif
#ifndef LANE_ROWS  // the 32 lanes of a warp stand in LANE_ROWS rows
#define LANE_ROWS 8
#endif
#ifndef BLOCKS_PER_SM
#define BLOCKS_PER_SM 1
#endif
#ifndef TURNED
#define TURNED 0
#endif
#ifndef BIASED
#define BIASED 0
#endif
#define THREADS (32 * 16 / PLACES)
#define DEPTH (THREADS / COLUMNS)  // so that a thread transforms one tile of x at a time

// --- the five transforms in one dimension ----------------------------------------------------
// Numbers stand `step` apart: 4 along a column of a tile, 1 along a row.

__device__ __forceinline__ void transform_input(float* x, int step) {
    float a = x[0], b = x[step], c = x[2 * step], d = x[3 * step];
    x[0] = a - c, x[step] = b + c, x[2 * step] = c - b, x[3 * step] = b - d;
}
__device__ __forceinline__ void transform_filter(float* w, int step) {
    float a = w[0], b = w[step], c = w[2 * step];
    w[step] = 0.5f * (a + b + c), w[2 * step] = 0.5f * (a - b + c), w[3 * step] = c;
}
__device__ __forceinline__ void transform_output(float* m, int step) {
    float a = m[0], b = m[step], c = m[2 * step], d = m[3 * step];
    m[0] = a + b + c, m[step] = b - c - d;
}
__device__ __forceinline__ void transform_output_gradient(float* dy, int step) {  // the same, transposed
    float a = dy[0], b = dy[step];
    dy[step] = a + b, dy[2 * step] = a - b, dy[3 * step] = -b;
}
__device__ __forceinline__ void transform_filter_gradient(float* u, int step) {
    float a = u[0], b = u[step], c = u[2 * step], d = u[3 * step];
    u[0] = a + 0.5f * (b + c), u[step] = 0.5f * (b - c), u[2 * step] = 0.5f * (b + c) + d;
}

// --- filters ---------------------------------------------------------------------------------
// u[group][channel][place][ROWS] from w: groups of ROWS filters, zeros where there is no filter or channel, channels
// rounded up to DEPTH. TURNED: w turned around, its filters the channels.  A thread per filter of a channel.
extern "C" __global__ void winograd_filters(const float* __restrict__ w, float* __restrict__ u, int filters, int channels) {
    int deep = (channels + DEPTH - 1) / DEPTH * DEPTH, i = blockIdx.x * blockDim.x + threadIdx.x;
    int c = i / ROWS % deep, f = i / ROWS / deep * ROWS + i % ROWS;
    if (i >= (filters + ROWS - 1) / ROWS * ROWS * deep) return;
    float v[16] = {};
    if (f < filters && c < channels) {
        const float* from = w + (TURNED ? c * filters + f : f * channels + c) * 9;
#pragma unroll
        for (int k = 0; k < 9; k++) v[k / 3 * 4 + k % 3] = from[TURNED ? 8 - k : k];
    }
#pragma unroll
    for (int column = 0; column < 3; column++) transform_filter(v + column, 4);
#pragma unroll
    for (int row = 0; row < 4; row++) transform_filter(v + 4 * row, 1);
#pragma unroll
    for (int place = 0; place < 16; place++) u[(i / ROWS * 16 + place) * ROWS + i % ROWS] = v[place];
}

// dw (F, C, 3, 3), then db (F), from du (16, F, C), then db.  A thread per filter of a channel.
extern "C" __global__ void winograd_filters_gradient(const float* __restrict__ du, float* __restrict__ dw, int filters,
                                                     int channels) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = filters * channels;
    if (i >= n) return;
    if (i < filters) dw[9 * n + i] = du[16 * n + i];
    float v[16];
#pragma unroll
    for (int place = 0; place < 16; place++) v[place] = du[place * n + i];
#pragma unroll
    for (int column = 0; column < 4; column++) transform_filter_gradient(v + column, 4);
#pragma unroll
    for (int row = 0; row < 3; row++) transform_filter_gradient(v + 4 * row, 1);
#pragma unroll
    for (int k = 0; k < 9; k++) dw[i * 9 + k] = v[k / 3 * 4 + k % 3];
}

#ifdef WEIGHT
#define LANE_COLUMNS (32 / LANE_ROWS)
#define TM (ROWS / LANE_ROWS)  // results of a thread in each of its products
#define TN (COLUMNS / LANE_COLUMNS)
#define PAD (DEPTH < 8 ? 32 / DEPTH : 4)  // floats; with it DEPTH tiles of 32 / DEPTH channels fall into 32 banks
#define A_PITCH (16 * ROWS + PAD)  // per step in depth
#define B_PITCH (16 * COLUMNS + PAD)
#define A_SIZE (DEPTH * A_PITCH)
#define STAGE (A_SIZE + DEPTH * B_PITCH)
#define OH (H + 2 * (PH) - 2)
#define OW (W + 2 * (PW) - 2)
#define TILES_X ((OW + 1) / 2)
#define TILES ((OH + 1) / 2 * TILES_X)  // of an image
#define PRODUCTS (DEPTH * PLACES)  // of a step, for one thread
#define PIECES 8     // that the next stage is loaded in, between the products: all at once they would keep these waiting
#define STORE_AT 12  // the product before which what was loaded is transformed
#define GROUPS ((F + ROWS - 1) / ROWS)
#define DEEP ((C + DEPTH - 1) / DEPTH * DEPTH)

// --- from global memory to shared memory -----------------------------------------------------
// Which step in depth, and which column, a thread transforms: neighbouring threads take neighbouring tiles.

#define MY_STEP (WEIGHT ? threadIdx.x % DEPTH : threadIdx.x / COLUMNS)
#define MY_TILE (WEIGHT ? threadIdx.x / DEPTH : threadIdx.x % COLUMNS)

// Pixel k of a tile in channel c, if it is inside of the image.
__device__ __forceinline__ float pixel(const float* x, int tile, int c, int k, bool inside) {
    int row = tile % TILES / TILES_X * 2 - (PH), column = tile % TILES_X * 2 - (PW);
    const float* from = x + ((tile / TILES * C + c) * (H * W) + row * W + column);
    inside = inside && (unsigned)(row + k / 4) < H && (unsigned)(column + k % 4) < W;
    return inside ? from[k / 4 * W + k % 4] : 0.0f;
}

__device__ __forceinline__ void store_input(float* to, float* v) {
#pragma unroll
    for (int column = 0; column < 4; column++) transform_input(v + column, 4);
#pragma unroll
    for (int row = 0; row < 4; row++) transform_input(v + 4 * row, 1);
#pragma unroll
    for (int place = 0; place < 16; place++) to[place * COLUMNS] = v[place];
}

#if WEIGHT  // A is dM, made of dy
#define TURNS (ROWS / COLUMNS)  // filters whose tile of dy a thread transforms

// Row i of a tile of dy: two numbers.
__device__ __forceinline__ void load_row(float* to, const float* dy, int tile, int f, int i, bool inside) {
    int row = tile % TILES / TILES_X * 2 + i, column = tile % TILES_X * 2;
    const float* from = dy + ((tile / TILES * F + f) * (OH * OW) + row * OW + column);
    inside = inside && row < OH;
    if (OW % 2 == 0) {
        float2 two = inside ? *(const float2*)from : make_float2(0.0f, 0.0f);
        to[0] = two.x, to[1] = two.y;
    } else {
        to[0] = inside ? from[0] : 0.0f;
        to[1] = inside && column + 1 < OW ? from[1] : 0.0f;
    }
}

__device__ __forceinline__ void store_gradient(float* to, const float* dy) {
    float v[16] = {dy[0], dy[1], 0.0f, 0.0f, dy[2], dy[3]};
    transform_output_gradient(v, 4);
    transform_output_gradient(v + 1, 4);
#pragma unroll
    for (int row = 0; row < 4; row++) transform_output_gradient(v + 4 * row, 1);
#pragma unroll
    for (int place = 0; place < 16; place++) to[place * ROWS] = v[place];
}
#else  // A is U, as it lies in global memory
#define TURNS 1

// Channel `piece` of a stage of U, or as many as all threads copy at once. `u`: this thread's four floats of the first.
__device__ __forceinline__ void copy_filters(float* stage, const float* u, int piece) {
    float* to = stage + threadIdx.x / (4 * ROWS) * A_PITCH + threadIdx.x % (4 * ROWS) * 4;
    const int channels = THREADS / (4 * ROWS);
    __pipeline_memcpy_async(to + piece * channels * A_PITCH, u + piece * channels * 16 * ROWS, 16);
}
#endif

// Start reading one piece of a stage that begins at step `first` in depth: into registers, or straight into shared memory.
__device__ __forceinline__ void load_piece(float* v, float dy[TURNS][4], float* stage, const float* a, const float* x,
                                           int row, int column, int first, int last, int piece) {
#if WEIGHT
    int tile = first + MY_STEP, c = column + MY_TILE, f = row + MY_TILE + piece / 2 * COLUMNS;
    if (piece < 2 * TURNS) load_row(dy[piece / 2] + piece % 2 * 2, a, tile, f, piece % 2, tile < last && f < F);
#else
    int tile = column + MY_TILE, c = first + MY_STEP;
    copy_filters(stage, a + min(first, DEEP - DEPTH) * 16 * ROWS, piece);
#endif
    bool inside = tile < last && c < C;
    v[2 * piece] = pixel(x, tile, c, 2 * piece, inside);
    v[2 * piece + 1] = pixel(x, tile, c, 2 * piece + 1, inside);
}

// Transform it on the way from registers to shared memory. Of dy, db is the sum.
__device__ __forceinline__ void store_stage(float* stage, float* v, float dy[TURNS][4], float* db) {
    store_input(stage + A_SIZE + MY_STEP * B_PITCH + MY_TILE, v);
#if WEIGHT
#pragma unroll
    for (int n = 0; n < TURNS; n++) {
        store_gradient(stage + MY_STEP * A_PITCH + MY_TILE + n * COLUMNS, dy[n]);
        db[n] += dy[n][0] + dy[n][1] + dy[n][2] + dy[n][3];
    }
#endif
}

// --- the 16 products -------------------------------------------------------------------------

__device__ __forceinline__ void load4(float* to, const float* from) {
    float4 four = *(const float4*)from;
    to[0] = four.x, to[1] = four.y, to[2] = four.z, to[3] = four.w;
}

// The thread's part of both matrices, at step k / PLACES in depth, of product k % PLACES.
__device__ __forceinline__ void load_part(float* a, float* b, const float* a_tile, const float* b_tile, int k) {
#pragma unroll
    for (int i = 0; i < TM; i += 4) load4(a + i, a_tile + k / PLACES * A_PITCH + k % PLACES * ROWS + i * LANE_ROWS);
#pragma unroll
    for (int j = 0; j < TN; j += 4) load4(b + j, b_tile + k / PLACES * B_PITCH + k % PLACES * COLUMNS + j * LANE_COLUMNS);
}

__device__ __forceinline__ void add_product(float sum[TM][TN], const float* a, const float* b) {
#pragma unroll
    for (int j = 0; j < TN; j++) {
#pragma unroll
        for (int n = 0; n < TM; n++) {
            int i = j % 2 ? TM - 1 - n : n;  // the number of A just used is used again
            sum[i][j] += a[i] * b[j];
        }
    }
}

// Where this lane's results begin, and the rows and columns between them. Lanes go zigzag: two neighbours share a column,
// two next but one a row. Then 16-byte loads of both matrices are served for half a warp at once, not for a quarter.
#define MY_ROW ((threadIdx.x % 2 + threadIdx.x % 32 / (2 * LANE_COLUMNS) * 2) * 4)
#define MY_COLUMN (threadIdx.x / 2 % LANE_COLUMNS * 4)
#define ROW_OF(i) ((i) / 4 * 4 * LANE_ROWS + (i) % 4)
#define COLUMN_OF(j) ((j) / 4 * 4 * LANE_COLUMNS + (j) % 4)
#define MY_PLACE (threadIdx.x / 32 * PLACES)

// --- results -----------------------------------------------------------------------------------

#if WEIGHT
// du (16, F, C), then db (F): part z is written to du + z (16 F C + F).
__device__ __forceinline__ void store_sums(float* du, float sum[PLACES][TM][TN], float* db, int row, int column) {
    du += (size_t)blockIdx.z * (16 * F * C + F);
#pragma unroll
    for (int n = 0; n < TURNS; n++) {
        int f = row + MY_TILE + n * COLUMNS;
#pragma unroll
        for (int offset = DEPTH / 2; offset > 0; offset /= 2) db[n] += __shfl_down_sync(0xffffffffu, db[n], offset);
        if (MY_STEP == 0 && f < F && column == 0) du[16 * F * C + f] = db[n];
    }
#pragma unroll
    for (int i = 0; i < PLACES * TM; i++) {
        int place = MY_PLACE + i / TM, f = row + MY_ROW + ROW_OF(i % TM);
#pragma unroll
        for (int j = 0; j < TN; j += 4) {
            int c = column + MY_COLUMN + COLUMN_OF(j);
            const float* from = &sum[i / TM][i % TM][j];
            float* to = du + (place * F + f) * C + c;
            if (C % 4 == 0) {
                if (f < F && c < C) *(float4*)to = make_float4(from[0], from[1], from[2], from[3]);
            } else {
#pragma unroll
                for (int n = 0; n < 4; n++)
                    if (f < F && c + n < C) to[n] = from[n];
            }
        }
    }
}
#else
#define OUT_PITCH (COLUMNS + 4)  // 8 lanes that store float4 at once fall into 32 banks
#define AT_ONCE (4 * LANE_ROWS)  // filters whose outputs are formed at a time

// The 2 x 2 outputs of each tile need its 16 numbers of M, which 16 / PLACES warps have: by shared memory.
__device__ __forceinline__ void store_outputs(float* y, const float* bias, float* shared,
                                              float sum[PLACES][TM][TN], int row, int tile, int tiles) {
    int y0 = tile % TILES / TILES_X * 2, x0 = tile % TILES_X * 2;
#pragma unroll
    for (int quad = 0; quad < TM / 4; quad++) {
        __syncthreads();
#pragma unroll
        for (int i = 0; i < PLACES * 4; i++) {
            float* to = shared + ((MY_PLACE + i / 4) * AT_ONCE + MY_ROW + i % 4) * OUT_PITCH + MY_COLUMN;
#pragma unroll
            for (int j = 0; j < TN; j += 4) {
                const float* from = &sum[i / 4][quad * 4 + i % 4][j];
                *(float4*)(to + COLUMN_OF(j)) = make_float4(from[0], from[1], from[2], from[3]);
            }
        }
        __syncthreads();
#pragma unroll 1
        for (int i = MY_STEP; i < AT_ONCE; i += DEPTH) {
            int f = row + quad * AT_ONCE + i;
            if (f >= F || tile >= tiles) break;
            float m[16];
#pragma unroll
            for (int place = 0; place < 16; place++) m[place] = shared[(place * AT_ONCE + i) * OUT_PITCH + MY_TILE];
#pragma unroll
            for (int column = 0; column < 4; column++) transform_output(m + column, 4);
            float more = BIASED ? bias[f] : 0.0f;
            float* to = y + ((tile / TILES * F + f) * (OH * OW) + y0 * OW + x0);
#pragma unroll
            for (int k = 0; k < 2; k++) {
                transform_output(m + 4 * k, 1);
                if (y0 + k >= OH) break;
                if (OW % 2 == 0) {
                    *(float2*)(to + k * OW) = make_float2(m[4 * k] + more, m[4 * k + 1] + more);
                } else {
                    to[k * OW] = m[4 * k] + more;
                    if (x0 + 1 < OW) to[k * OW + 1] = m[4 * k + 1] + more;
                }
            }
        }
    }
}
#endif

// WEIGHT=0: y (N, F, OH, OW) from a = u and x (N, C, H, W), + bias with -DBIASED=1.
// WEIGHT=1: y = du and db, in parts, from a = dy (N, F, OH, OW) and x. Without a use for bias. `tiles`: of all images.
extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS_PER_SM)
winograd(const float* a, const float* x, const float* bias, float* y, int tiles) {
    extern __shared__ __align__(16) float stages[];
    int row = blockIdx.x % GROUPS * ROWS, column = blockIdx.x / GROUPS * COLUMNS;
    int steps = WEIGHT ? ((tiles + DEPTH - 1) / DEPTH + gridDim.z - 1) / gridDim.z : DEEP / DEPTH;
    int first = blockIdx.z * steps * DEPTH, last = WEIGHT ? min(tiles, first + steps * DEPTH) : tiles;
    if (!WEIGHT) a += row * DEEP * 16 + threadIdx.x * 4;
    float v[16], dy[TURNS][4], db[TURNS] = {};
#pragma unroll
    for (int n = 0; n < PIECES; n++) load_piece(v, dy, stages, a, x, row, column, first, last, n);
    store_stage(stages, v, dy, db);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();

    float sum[PLACES][TM][TN] = {};
    float a_part[2][TM], b_part[2][TN];  // one half is multiplied while the other is being loaded
    const float* my_a = stages + MY_PLACE * ROWS + MY_ROW;
    const float* my_b = stages + A_SIZE + MY_PLACE * COLUMNS + MY_COLUMN;
    load_part(a_part[0], b_part[0], my_a, my_b, 0);
#pragma unroll 1
    for (int step = 0; step < steps; step++) {
        int now = step % 2 * STAGE, next = STAGE - now;
        first += DEPTH;
#pragma unroll
        for (int k = 0; k < PRODUCTS; k++) {
            if (k < PIECES) {
                __syncwarp();  // the compiler would move all loads to the front, where they jam
                load_piece(v, dy, stages + next, a, x, row, column, first, last, k);
            }
            if (k == STORE_AT) store_stage(stages + next, v, dy, db);
            bool last_one = k == PRODUCTS - 1;
            if (last_one) {  // everyone has read the last part of this stage, and the next stage is there
                __pipeline_commit();
                __pipeline_wait_prior(0);
                __syncthreads();
            }
            int from = last_one ? next : now;
            load_part(a_part[(k + 1) % 2], b_part[(k + 1) % 2], my_a + from, my_b + from, last_one ? 0 : k + 1);
            add_product(sum[k % PLACES], a_part[k % 2], b_part[k % 2]);
        }
    }
#if WEIGHT
    store_sums(y, sum, db, row, column);
#else
    store_outputs(y, bias, stages, sum, row, column + MY_TILE, tiles);
#endif
}
#endif

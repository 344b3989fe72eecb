// Convolution at speed: register tiles out of shared memory; bias, ReLU and 2 x 2 max pooling done on the way out.
// Lesson 08.
//
// The shape is compiled in: -DC -DH -DW -DF -DKH -DKW -DSH -DSW -DPH -DPW, and -DRELU=1, -DPOOL=1 for what follows the
// convolution. With -DBACKWARD=1 (stride 1, no pooling) the text computes the gradient for the input instead: the same
// sum with the filters turned around and the roles of channels and filters exchanged.
//
// A thread computes a cell of 2 x 2 outputs, one pooling window, for DEPTH filters: 4 * DEPTH sums in registers.
// A block computes TILE_H x TILE_W cells for DEPTH * GROUPS filters, CHUNK input planes at a time: each input of the
// tile is read once from global memory per block. Shared memory hands out 32 floats per cycle, while 128 products could
// be formed: what a thread reads must be used 4 times; weights are, inputs for 3 x 3 filters 9 * DEPTH / 4 times.
// Where that leaves too few threads, SPLIT threads share the planes of one cell and add up their sums at the end.
//   grid = (tiles in x * tiles in y, ceil(OUT_C / (DEPTH * GROUPS)), N),
//   block = TILE_H * TILE_W * GROUPS * SPLIT rounded up to whole warps, shared memory as ops/fast/tiling.py computes it.

#include <cuda_pipeline.h>

#ifndef BACKWARD
#define BACKWARD 0
#endif
#define OH ((H + 2 * PH - KH) / SH + 1)
#define OW ((W + 2 * PW - KW) / SW + 1)

#if BACKWARD  // planes and sizes as this kernel reads and writes them
#define IN_C F
#define IN_H OH
#define IN_W OW
#define OUT_C C
#define OUT_H H
#define OUT_W W
#define TOP (KH - 1 - PH)
#define LEFT (KW - 1 - PW)
#define CELLS_H ((H + 1) / 2)
#define CELLS_W ((W + 1) / 2)
#else
#define IN_C C
#define IN_H H
#define IN_W W
#define OUT_C F
#define OUT_H OH
#define OUT_W OW
#define TOP PH
#define LEFT PW
#define CELLS_H (POOL ? OH / 2 : (OH + 1) / 2)
#define CELLS_W (POOL ? OW / 2 : (OW + 1) / 2)
#endif

#define CELLS (TILE_H * TILE_W)
#define WORKERS (CELLS * GROUPS)
#define THREADS ((WORKERS * SPLIT + 31) / 32 * 32)
#define TILES_X ((CELLS_W + TILE_W - 1) / TILE_W)
#define TAPS (KH * KW)
#define ROWS ((2 * TILE_H - 1) * SH + KH)       // of the input tile
#define COLUMNS ((2 * TILE_W - 1) * SW + KW)
#define PITCH ((COLUMNS + 3) / 4 * 4)           // even: cells are read as float2, also one column too far
#define WEIGHTS (DEPTH * GROUPS + 4)            // padded: the transposing store meets fewer bank conflicts

// How many planes the block loads at once when each thread keeps its place in the plane: no index arithmetic per load.
#define AT_ONCE(places) (THREADS / (places) > 0 ? THREADS / (places) : 1)

// sum[f][i][j] += what planes part, part + SPLIT, ... give to output (i, j) of this thread's cell.
// inputs [CHUNK][ROWS][PITCH] and weights [CHUNK][TAPS][WEIGHTS] begin at this thread's cell and filter.
__device__ void accumulate(float sum[DEPTH][2][2], const float* inputs, const float* weights, int part) {
    #pragma unroll 1
    for (int c = part; c < CHUNK; c += SPLIT) {
        const float* from = inputs + c * ROWS * PITCH;
        float patch[SH + KH][(SW + KW + 1) / 2 * 2];
        #pragma unroll
        for (int i = 0; i < SH + KH; i++) {
            #pragma unroll
            for (int j = 0; j < SW + KW; j += 2) {
                float2 pair = *(const float2*)&from[i * PITCH + j];
                patch[i][j] = pair.x;
                patch[i][j + 1] = pair.y;
            }
        }
        #pragma unroll
        for (int tap = 0; tap < TAPS; tap++) {
            int kh = tap / KW, kw = tap % KW;
            #pragma unroll
            for (int f = 0; f < DEPTH; f += 4) {
                float4 four = *(const float4*)&weights[(c * TAPS + tap) * WEIGHTS + f];
                float weight[4] = {four.x, four.y, four.z, four.w};
                #pragma unroll
                for (int k = 0; k < 4; k++) {
                    sum[f + k][0][0] += patch[kh][kw] * weight[k];
                    sum[f + k][0][1] += patch[kh][kw + SW] * weight[k];
                    sum[f + k][1][0] += patch[kh + SH][kw] * weight[k];
                    sum[f + k][1][1] += patch[kh + SH][kw + SW] * weight[k];
                }
            }
        }
    }
}

// The sums of all parts, laid out in shared memory, and afterwards those of filter k of this thread's cell.
__device__ void share(float* shared, float sum[DEPTH][2][2], int worker, int part) {
    if (SPLIT == 1) return;
    __syncthreads();
    if (part < SPLIT) {
        #pragma unroll
        for (int i = 0; i < DEPTH * 4; i++) {
            shared[(part * DEPTH * 4 + i) * WORKERS + worker] = sum[i / 4][i / 2 % 2][i % 2];
        }
    }
    __syncthreads();
}

__device__ void add_parts(float total[2][2], const float* shared, float sum[2][2], int worker, int k) {
    #pragma unroll
    for (int i = 0; i < 4; i++) {
        float value = SPLIT == 1 ? sum[i / 2][i % 2] : 0.0f;
        #pragma unroll
        for (int part = 0; part < SPLIT && SPLIT > 1; part++) {
            value += shared[((part * DEPTH + k) * 4 + i) * WORKERS + worker];
        }
        total[i / 2][i % 2] = value;
    }
}

// A number goes to shared memory by itself while the thread goes on; zero where it is not inside.
__device__ void copy(float* to, const float* from, bool inside) {
    __pipeline_memcpy_async(to, from, 4, inside ? 0 : 4);
}

// weights[c][tap][f] for planes first_c ... and filters first_f ...; a warp reads what lies together, zero outside.
__device__ void load_weights(float* weights, const float* __restrict__ w, int first_c, int first_f) {
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
#if BACKWARD
    #pragma unroll 2
    for (int c = warp; c < CHUNK; c += THREADS / 32) {
        #pragma unroll 5
        for (int i = lane; i < DEPTH * GROUPS * TAPS; i += 32) {
            int f = i / TAPS, tap = i % TAPS;
            bool inside = first_c + c < IN_C && first_f + f < OUT_C;
            copy(&weights[(c * TAPS + TAPS - 1 - tap) * WEIGHTS + f], &w[((first_c + c) * C + first_f) * TAPS + i],
                 inside);
        }
    }
#else
    #pragma unroll 2
    for (int f = warp; f < DEPTH * GROUPS; f += THREADS / 32) {
        #pragma unroll 5
        for (int i = lane; i < CHUNK * TAPS; i += 32) {
            bool inside = first_f + f < OUT_C && first_c * TAPS + i < IN_C * TAPS;
            copy(&weights[i * WEIGHTS + f], &w[((first_f + f) * C + first_c) * TAPS + i], inside);
        }
    }
#endif
}

// Two neighbours of a row of `width`, in one access where every row begins at a multiple of 8 bytes.
__device__ void store_pair(float* to, float left, float right, int column, int width) {
    if (width % 2 == 0) {
        if (column < width) *(float2*)to = make_float2(left, right);
    } else {
        if (column < width) to[0] = left;
        if (column + 1 < width) to[1] = right;
    }
}

#if !BACKWARD

// inputs[c][r][q] = x[n][first_c + c][first_row + r][first_column + q], zero outside.
__device__ void load_inputs(float* inputs, const float* __restrict__ x, int n, int first_c, int first_row,
                            int first_column) {
    #pragma unroll 2
    for (int i = threadIdx.x; i < AT_ONCE(ROWS * PITCH) * ROWS * PITCH; i += THREADS) {
        int place = i % (ROWS * PITCH), row = first_row + place / PITCH, column = first_column + place % PITCH;
        bool inside = row >= 0 && row < H && column >= 0 && column < W;
        const float* from = x + (long long)(n * C + first_c) * H * W + row * W + column;
        #pragma unroll 16
        for (int c = i / (ROWS * PITCH); c < CHUNK; c += AT_ONCE(ROWS * PITCH)) {
            copy(&inputs[c * ROWS * PITCH + place], &from[c * H * W], inside && first_c + c < C);
        }
    }
}

__device__ float finished(float sum, float bias) { return RELU ? fmaxf(sum + bias, 0.0f) : sum + bias; }

// y (N, F, OH, OW), or pooled (N, F, OH / 2, OW / 2) and then argmax, the place of the largest of the four in the
// OH * OW plane; argmax is -1 where ReLU stops the gradient.
extern "C" __global__ void __launch_bounds__(THREADS) conv_forward(const float* __restrict__ x,
                                                                   const float* __restrict__ w,
                                                                   const float* __restrict__ b,
                                                                   float* __restrict__ y, int* __restrict__ argmax) {
    extern __shared__ __align__(16) float inputs[];     // [CHUNK][ROWS][PITCH]
    float* weights = inputs + CHUNK * ROWS * PITCH;     // [CHUNK][TAPS][WEIGHTS]
    int worker = threadIdx.x % WORKERS, part = threadIdx.x / WORKERS;
    int cell = worker % CELLS, filter = worker / CELLS * DEPTH;
    int cell_y = cell / TILE_W, cell_x = cell % TILE_W;
    int tile_y = blockIdx.x / TILES_X * TILE_H, tile_x = blockIdx.x % TILES_X * TILE_W;
    int first_f = blockIdx.y * (DEPTH * GROUPS), n = blockIdx.z;

    float sum[DEPTH][2][2] = {}, bias[DEPTH / SPLIT];  // asked for early, needed late
    #pragma unroll
    for (int i = 0; i < DEPTH / SPLIT; i++) {
        int f = first_f + filter + part * (DEPTH / SPLIT) + i;
        bias[i] = part < SPLIT && f < F ? b[f] : 0.0f;
    }
    for (int c = 0; c < C; c += CHUNK) {
        load_inputs(inputs, x, n, c, tile_y * 2 * SH - TOP, tile_x * 2 * SW - LEFT);
        load_weights(weights, w, c, first_f);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        if (part < SPLIT) {
            accumulate(sum, inputs + cell_y * 2 * SH * PITCH + cell_x * 2 * SW, weights + filter, part);
        }
        if (c + CHUNK < C) __syncthreads();
    }

    share(inputs, sum, worker, part);
    cell_y += tile_y;
    cell_x += tile_x;
    if (part >= SPLIT || cell_y >= CELLS_H || cell_x >= CELLS_W) return;
    #pragma unroll
    for (int i = 0; i < DEPTH / SPLIT; i++) {
        int k = part * (DEPTH / SPLIT) + i, f = first_f + filter + k;
        if (f >= F) return;
        float total[2][2];
        add_parts(total, inputs, sum[i], worker, k);
#if POOL
        float largest = finished(total[0][0], bias[i]);
        int place = 0;
        #pragma unroll
        for (int q = 1; q < 4; q++) {
            float value = finished(total[q / 2][q % 2], bias[i]);
            if (value > largest) {
                largest = value;
                place = q / 2 * OW + q % 2;
            }
        }
        int o = ((n * F + f) * CELLS_H + cell_y) * CELLS_W + cell_x;
        y[o] = largest;
        argmax[o] = RELU && largest <= 0.0f ? -1 : 2 * cell_y * OW + 2 * cell_x + place;
#else
        #pragma unroll
        for (int q = 0; q < 2; q++) {
            int row = 2 * cell_y + q, column = 2 * cell_x, o = ((n * F + f) * OH + row) * OW + column;
            if (row < OH) store_pair(y + o, finished(total[q][0], bias[i]), finished(total[q][1], bias[i]), column, OW);
        }
#endif
    }
}

#else

// gradients[f][r][q]: the gradient at the output of the convolution itself, before ReLU, zero outside.
__device__ void load_gradients(float* gradients, const float* __restrict__ dy, const float* __restrict__ y, int n,
                               int first_f, int first_row, int first_column) {
    for (int i = threadIdx.x; i < AT_ONCE(ROWS * PITCH) * ROWS * PITCH; i += THREADS) {
        int place = i % (ROWS * PITCH), row = first_row + place / PITCH, column = first_column + place % PITCH;
        bool inside = row >= 0 && row < OH && column >= 0 && column < OW;
        int from = ((n * F + first_f) * OH + row) * OW + column;
        #pragma unroll 8
        for (int f = i / (ROWS * PITCH); f < CHUNK; f += AT_ONCE(ROWS * PITCH)) {
            int o = from + f * OH * OW;
            bool passes = inside && first_f + f < F && (!RELU || y[o] > 0.0f);
            gradients[f * ROWS * PITCH + place] = passes ? dy[o] : 0.0f;
        }
    }
}

// dx (N, C, H, W) from dy, the gradient at y as conv_forward wrote it.
extern "C" __global__ void __launch_bounds__(THREADS) conv_backward_input(const float* __restrict__ dy,
                                                                          const float* __restrict__ y,
                                                                          const float* __restrict__ w,
                                                                          float* __restrict__ dx) {
    extern __shared__ __align__(16) float gradients[];  // [CHUNK][ROWS][PITCH]
    float* weights = gradients + CHUNK * ROWS * PITCH;  // [CHUNK][TAPS][WEIGHTS]
    int worker = threadIdx.x % WORKERS, part = threadIdx.x / WORKERS;
    int cell = worker % CELLS, channel = worker / CELLS * DEPTH;
    int cell_y = cell / TILE_W, cell_x = cell % TILE_W;
    int tile_y = blockIdx.x / TILES_X * TILE_H, tile_x = blockIdx.x % TILES_X * TILE_W;
    int first_c = blockIdx.y * (DEPTH * GROUPS), n = blockIdx.z;

    float sum[DEPTH][2][2] = {};
    for (int f = 0; f < F; f += CHUNK) {
        load_weights(weights, w, f, first_c);
        load_gradients(gradients, dy, y, n, f, tile_y * 2 - TOP, tile_x * 2 - LEFT);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        if (part < SPLIT) {
            accumulate(sum, gradients + cell_y * 2 * PITCH + cell_x * 2, weights + channel, part);
        }
        if (f + CHUNK < F) __syncthreads();
    }

    share(gradients, sum, worker, part);
    if (part >= SPLIT) return;
    #pragma unroll
    for (int i = 0; i < DEPTH / SPLIT; i++) {
        int k = part * (DEPTH / SPLIT) + i, c = first_c + channel + k;
        float total[2][2];
        add_parts(total, gradients, sum[i], worker, k);
        #pragma unroll
        for (int q = 0; q < 2; q++) {
            int row = 2 * (tile_y + cell_y) + q, column = 2 * (tile_x + cell_x);
            float* to = dx + ((n * C + c) * H + row) * W + column;
            if (c < C && row < H) store_pair(to, total[q][0], total[q][1], column, W);
        }
    }
}

#endif

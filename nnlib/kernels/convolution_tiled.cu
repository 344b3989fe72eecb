// Convolution at speed: register tiles out of shared memory, bias, ReLU and 2 x 2 max pooling done on the way out.
// Lesson 08.
//
// The shape is compiled in: -DC -DH -DW -DF -DKH -DKW -DSH -DSW -DPH -DPW, and -DRELU=1, -DPOOL=1 for what follows the
// convolution. With -DBACKWARD=1 (stride 1 only) the text computes the gradient for the input instead: the same sum
// with the filters turned around and the roles of channels and filters exchanged; behind pooling convolution_pooled.cu
// is the faster way.
//
// A thread computes a cell of 2 x 2 outputs, one pooling window, for DEPTH filters: 4 * DEPTH sums in registers.
// A block computes TILE_H x TILE_W cells for DEPTH * GROUPS filters, CHUNK input planes at a time: each input of the
// tile is read once from global memory per block, and 4 * DEPTH products follow every DEPTH + 4 reads of shared memory.
//   grid = (tiles in x * tiles in y, ceil(OUT_C / (DEPTH * GROUPS)), N), block = TILE_H * TILE_W * GROUPS.

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
#define THREADS (CELLS * GROUPS)
#define TILES_X ((CELLS_W + TILE_W - 1) / TILE_W)
#define TAPS (KH * KW)
#define ROWS ((2 * TILE_H - 1) * SH + KH)     // of the input tile
#define COLUMNS ((2 * TILE_W - 1) * SW + KW)
#define PITCH ((COLUMNS + 3) / 4 * 4)           // even: cells are read as float2, also one column too far
#define WEIGHTS (DEPTH * GROUPS + 4)          // padded: the transposing store meets fewer bank conflicts

// sum[f][i][j] += the part of the convolution that CHUNK planes give to output (i, j) of this thread's cell.
__device__ void accumulate(float sum[DEPTH][2][2], float inputs[CHUNK][ROWS][PITCH], float weights[CHUNK][TAPS][WEIGHTS],
                           int row, int column, int filter) {
    #pragma unroll 1
    for (int c = 0; c < CHUNK; c++) {
        float patch[SH + KH][(SW + KW + 1) / 2 * 2];
        #pragma unroll
        for (int i = 0; i < SH + KH; i++) {
            #pragma unroll
            for (int j = 0; j < SW + KW; j += 2) {
                float2 pair = *(const float2*)&inputs[c][row * SH + i][column * SW + j];
                patch[i][j] = pair.x;
                patch[i][j + 1] = pair.y;
            }
        }
        #pragma unroll
        for (int kh = 0; kh < KH; kh++) {
            #pragma unroll
            for (int kw = 0; kw < KW; kw++) {
                #pragma unroll
                for (int f = 0; f < DEPTH; f += 4) {
                    float4 four = *(const float4*)&weights[c][kh * KW + kw][filter + f];
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
}

// weights[c][tap][f] for planes first_c ... and filters first_f ...; read in the order of memory, zero outside.
__device__ void load_weights(float weights[CHUNK][TAPS][WEIGHTS], const float* __restrict__ w, int first_c, int first_f) {
    #pragma unroll 4
    for (int i = threadIdx.x; i < CHUNK * TAPS * DEPTH * GROUPS; i += THREADS) {
#if BACKWARD
        int tap = i % TAPS, f = i / TAPS % (DEPTH * GROUPS), c = i / (TAPS * DEPTH * GROUPS);
        bool inside = first_c + c < IN_C && first_f + f < OUT_C;
        weights[c][TAPS - 1 - tap][f] = inside ? w[((first_c + c) * C + first_f + f) * TAPS + tap] : 0.0f;
#else
        int tap = i % TAPS, c = i / TAPS % CHUNK, f = i / (TAPS * CHUNK);
        bool inside = first_c + c < IN_C && first_f + f < OUT_C;
        weights[c][tap][f] = inside ? w[((first_f + f) * C + first_c + c) * TAPS + tap] : 0.0f;
#endif
    }
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

__device__ void load_inputs(float inputs[CHUNK][ROWS][PITCH], const float* __restrict__ x, int n, int first_c,
                            int first_row, int first_column) {
    #pragma unroll 8
    for (int i = threadIdx.x; i < CHUNK * ROWS * PITCH; i += THREADS) {
        int c = i / (ROWS * PITCH), r = i / PITCH % ROWS, q = i % PITCH;
        int row = first_row + r, column = first_column + q;
        bool inside = first_c + c < IN_C && row >= 0 && row < IN_H && column >= 0 && column < IN_W;
        inputs[c][r][q] = inside ? x[((long long)(n * IN_C + first_c + c) * IN_H + row) * IN_W + column] : 0.0f;
    }
}

__device__ float finished(float sum, float bias) { return RELU ? fmaxf(sum + bias, 0.0f) : sum + bias; }

// y (N, F, OH, OW), or pooled (N, F, OH / 2, OW / 2) and then argmax, the place of the largest of the four in the
// OH * OW plane; argmax is -1 where ReLU stops the gradient.
extern "C" __global__ void __launch_bounds__(THREADS) conv_forward(const float* __restrict__ x,
                                                                   const float* __restrict__ w,
                                                                   const float* __restrict__ b,
                                                                   float* __restrict__ y, int* __restrict__ argmax) {
    __shared__ __align__(16) float inputs[CHUNK][ROWS][PITCH], weights[CHUNK][TAPS][WEIGHTS];
    int cell = threadIdx.x % CELLS, filter = threadIdx.x / CELLS * DEPTH;
    int cell_y = cell / TILE_W, cell_x = cell % TILE_W;
    int tile_y = blockIdx.x / TILES_X * TILE_H, tile_x = blockIdx.x % TILES_X * TILE_W;
    int first_f = blockIdx.y * (DEPTH * GROUPS), n = blockIdx.z;

    float sum[DEPTH][2][2] = {};
    for (int c = 0; c < IN_C; c += CHUNK) {
        load_inputs(inputs, x, n, c, tile_y * 2 * SH - TOP, tile_x * 2 * SW - LEFT);
        load_weights(weights, w, c, first_f);
        __syncthreads();
        accumulate(sum, inputs, weights, cell_y * 2, cell_x * 2, filter);
        if (c + CHUNK < IN_C) __syncthreads();
    }

    cell_y += tile_y;
    cell_x += tile_x;
    if (cell_y >= CELLS_H || cell_x >= CELLS_W) return;
    #pragma unroll
    for (int k = 0; k < DEPTH; k++) {
        int f = first_f + filter + k;
        if (f >= F) return;
        float bias = b[f];
#if POOL
        float largest = finished(sum[k][0][0], bias);
        int place = 0;
        #pragma unroll
        for (int i = 1; i < 4; i++) {
            float value = finished(sum[k][i / 2][i % 2], bias);
            if (value > largest) {
                largest = value;
                place = i / 2 * OW + i % 2;
            }
        }
        int o = ((n * F + f) * CELLS_H + cell_y) * CELLS_W + cell_x;
        y[o] = largest;
        argmax[o] = RELU && largest <= 0.0f ? -1 : 2 * cell_y * OW + 2 * cell_x + place;
#else
        #pragma unroll
        for (int i = 0; i < 2; i++) {
            int row = 2 * cell_y + i, o = ((n * F + f) * OH + row) * OW + 2 * cell_x;
            float left = finished(sum[k][i][0], bias), right = finished(sum[k][i][1], bias);
            if (row < OH) store_pair(y + o, left, right, 2 * cell_x, OW);
        }
#endif
    }
}

#else

// The gradient at the output of the convolution itself, before ReLU, of CHUNK filters around the tile.
__device__ void load_gradients(float gradients[CHUNK][ROWS][PITCH], const float* __restrict__ dy,
                               const float* __restrict__ y, int n, int first_f, int first_row,
                               int first_column) {
    #pragma unroll 8
    for (int i = threadIdx.x; i < CHUNK * ROWS * PITCH; i += THREADS) {
        int f = i / (ROWS * PITCH), r = i / PITCH % ROWS, q = i % PITCH;
        int row = first_row + r, column = first_column + q;
        bool inside = first_f + f < F && row >= 0 && row < OH && column >= 0 && column < OW;
        int o = ((n * F + first_f + f) * OH + row) * OW + column;
#if RELU
        inside = inside && y[o] > 0.0f;
#endif
        gradients[f][r][q] = inside ? dy[o] : 0.0f;
    }
}

// dx (N, C, H, W) from dy, the gradient at y as conv_forward wrote it.
extern "C" __global__ void __launch_bounds__(THREADS) conv_backward_input(const float* __restrict__ dy,
                                                                          const float* __restrict__ y,
                                                                          const float* __restrict__ w,
                                                                          float* __restrict__ dx) {
    __shared__ __align__(16) float gradients[CHUNK][ROWS][PITCH], weights[CHUNK][TAPS][WEIGHTS];
    int cell = threadIdx.x % CELLS, channel = threadIdx.x / CELLS * DEPTH;
    int cell_y = cell / TILE_W, cell_x = cell % TILE_W;
    int tile_y = blockIdx.x / TILES_X * TILE_H, tile_x = blockIdx.x % TILES_X * TILE_W;
    int first_c = blockIdx.y * (DEPTH * GROUPS), n = blockIdx.z;

    float sum[DEPTH][2][2] = {};
    for (int f = 0; f < F; f += CHUNK) {
        load_gradients(gradients, dy, y, n, f, tile_y * 2 - TOP, tile_x * 2 - LEFT);
        load_weights(weights, w, f, first_c);
        __syncthreads();
        accumulate(sum, gradients, weights, cell_y * 2, cell_x * 2, channel);
        if (f + CHUNK < F) __syncthreads();
    }

    #pragma unroll
    for (int k = 0; k < DEPTH; k++) {
        int c = first_c + channel + k, column = 2 * (tile_x + cell_x);
        #pragma unroll
        for (int i = 0; i < 2; i++) {
            int row = 2 * (tile_y + cell_y) + i;
            if (c < C && row < H) store_pair(dx + ((n * C + c) * H + row) * W + column, sum[k][i][0], sum[k][i][1], column, W);
        }
    }
}

#endif

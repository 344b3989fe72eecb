// The backward pass of a convolution behind ReLU and 2 x 2 max pooling. Lesson 08.
//
// Of four outputs of the convolution only the largest hands on a gradient, and where ReLU cut it off not even that
// one: at most one entry in four of dy is not zero, and argmax says which. The dense kernels multiply all the zeros;
// these do not. Stride 1 for the input gradient.
//
// dy, argmax (N, F, OH / 2, OW / 2) as conv_forward wrote argmax: place in the OH * OW plane, or -1.
// The shape is compiled in: -DC -DH -DW -DF -DKH -DKW -DSH -DSW -DPH -DPW.

#define OH ((H + 2 * PH - KH) / SH + 1)
#define OW ((W + 2 * PW - KW) / SW + 1)
#define OUT_H (OH / 2)
#define OUT_W (OW / 2)
#define TAPS (KH * KW)

#if BACKWARD  // the gradient for the input

// A thread computes a cell of 2 x 2 inputs for DEPTH channels. It looks at the WINDOWS_Y x WINDOWS_X pooling windows
// that can reach the cell; each has one gradient, and where its maximum sat shifts which filter taps meet which of the
// four inputs. A border of zero taps makes every shift valid: no branch, 4 products per window and channel.
//   grid = (tiles in x * tiles in y, ceil(C / (DEPTH * GROUPS)), N), block = TILE_H * TILE_W * GROUPS,
//   shared memory: CHUNK * (4 * SPAN_H * SPAN_W * PITCH + 8 * WINDOWS) bytes.
#define CELLS (TILE_H * TILE_W)
#define THREADS (CELLS * GROUPS)
#define TILES_X (((W + 1) / 2 + TILE_W - 1) / TILE_W)
#define FIRST_Y (-((1 + PH) / 2))  // the windows that reach cell q are q - LAST_Y ... q - FIRST_Y
#define FIRST_X (-((1 + PW) / 2))
#define LAST_Y ((KH - PH) / 2)
#define LAST_X ((KW - PW) / 2)
#define WINDOWS_Y (LAST_Y - FIRST_Y + 1)
#define WINDOWS_X (LAST_X - FIRST_X + 1)
#define SPAN_H (2 * WINDOWS_Y + 1)  // of a filter with its border of zeros
#define SPAN_W (2 * WINDOWS_X + 1)
#define TOP (1 - 2 * FIRST_Y - PH)  // of the filter inside the border
#define LEFT (1 - 2 * FIRST_X - PW)
#define PITCH (DEPTH * GROUPS + 4)
#define ROWS (TILE_H + WINDOWS_Y - 1)
#define COLUMNS (TILE_W + WINDOWS_X - 1)
#define WINDOWS (ROWS * COLUMNS)

// dx (N, C, H, W)
extern "C" __global__ void __launch_bounds__(THREADS) conv_backward_input(const float* __restrict__ dy,
                                                                          const int* __restrict__ argmax,
                                                                          const float* __restrict__ w,
                                                                          float* __restrict__ dx) {
    extern __shared__ __align__(16) float taps[];  // [CHUNK][SPAN_H * SPAN_W][PITCH], in fours along the channels
    float* gradients = taps + CHUNK * SPAN_H * SPAN_W * PITCH;  // [CHUNK][WINDOWS]
    int* shifts = (int*)(gradients + CHUNK * WINDOWS);          // how far the maximum moves the taps, in float4s
    int cell = threadIdx.x % CELLS, channel = threadIdx.x / CELLS * DEPTH;
    int cell_y = cell / TILE_W, cell_x = cell % TILE_W;
    int tile_y = blockIdx.x / TILES_X * TILE_H, tile_x = blockIdx.x % TILES_X * TILE_W;
    int first_c = blockIdx.y * (DEPTH * GROUPS), n = blockIdx.z;

    for (int i = threadIdx.x; i < CHUNK * SPAN_H * SPAN_W * PITCH / 4; i += THREADS) {
        ((float4*)taps)[i] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    }
    float sum[DEPTH][2][2] = {};
    for (int first_f = 0; first_f < F; first_f += CHUNK) {
        __syncthreads();
        #pragma unroll 8
        for (int i = threadIdx.x; i < CHUNK * WINDOWS; i += THREADS) {
            int f = first_f + i / WINDOWS, py = tile_y - LAST_Y + i / COLUMNS % ROWS, px = tile_x - LAST_X + i % COLUMNS;
            bool inside = f < F && py >= 0 && py < OUT_H && px >= 0 && px < OUT_W;
            int o = ((n * F + f) * OUT_H + py) * OUT_W + px;
            int place = inside ? argmax[o] : -1;
            int moved = place - 2 * (py * OW + px);  // 0, 1, OW or OW + 1
            gradients[i] = place >= 0 ? dy[o] : 0.0f;
            shifts[i] = place >= 0 ? (moved / OW * SPAN_W + moved % OW) * (PITCH / 4) : 0;
        }
        #pragma unroll 8
        for (int i = threadIdx.x; i < CHUNK * DEPTH * GROUPS * TAPS; i += THREADS) {
            int tap = i % TAPS, c = i / TAPS % (DEPTH * GROUPS), f = i / (TAPS * DEPTH * GROUPS);
            int at = (f * SPAN_H + TOP + tap / KW) * SPAN_W + LEFT + tap % KW;
            bool inside = first_f + f < F && first_c + c < C;
            taps[at * PITCH + c] = inside ? w[((first_f + f) * C + first_c + c) * TAPS + tap] : 0.0f;
        }
        __syncthreads();
        #pragma unroll 1
        for (int f = 0; f < CHUNK; f++) {
            #pragma unroll
            for (int k = 0; k < WINDOWS_Y * WINDOWS_X; k++) {
                int wy = k / WINDOWS_X, wx = k % WINDOWS_X;
                int window = (f * ROWS + cell_y + WINDOWS_Y - 1 - wy) * COLUMNS + cell_x + WINDOWS_X - 1 - wx;
                float gradient = gradients[window];
                int at = ((f * SPAN_H + 2 * wy + 1) * SPAN_W + 2 * wx + 1) * (PITCH / 4) + channel / 4 - shifts[window];
                #pragma unroll
                for (int i = 0; i < 4; i++) {
                    #pragma unroll
                    for (int d = 0; d < DEPTH / 4; d++) {
                        float4 four = ((const float4*)taps)[at + (i / 2 * SPAN_W + i % 2) * (PITCH / 4) + d];
                        sum[4 * d][i / 2][i % 2] += gradient * four.x;
                        sum[4 * d + 1][i / 2][i % 2] += gradient * four.y;
                        sum[4 * d + 2][i / 2][i % 2] += gradient * four.z;
                        sum[4 * d + 3][i / 2][i % 2] += gradient * four.w;
                    }
                }
            }
        }
    }

    #pragma unroll
    for (int k = 0; k < DEPTH; k++) {
        int c = first_c + channel + k, column = 2 * (tile_x + cell_x);
        #pragma unroll
        for (int i = 0; i < 2; i++) {
            int row = 2 * (tile_y + cell_y) + i;
            if (c >= C || row >= H || column >= W) continue;
            float* to = dx + ((n * C + c) * H + row) * W + column;
            if (W % 2 == 0) {
                *(float2*)to = make_float2(sum[k][i][0], sum[k][i][1]);
            } else {
                to[0] = sum[k][i][0];
                if (column + 1 < W) to[1] = sum[k][i][1];
            }
        }
    }
}

#else  // the first stage of the weight gradient, as in convolution_weight.cu

#define SLICE_ROWS ((OUT_H + SLICES - 1) / SLICES)

__device__ float warp_sum(float value) {
    #pragma unroll
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffffu, value, offset);
    return value;
}

// One warp per filter; it looks at 32 pooling windows at once, then walks over those with a gradient:
// lanes hold different (channel, tap), so that one read of the input serves one product, and no product is with zero.
//   grid = (parts, ceil(C / CHUNK), ceil(F / (WARPS * DEPTH))), block = 32 * WARPS.

#define ROWS ((2 * SLICE_ROWS - 1) * SH + KH)
#define COLUMNS ((2 * OUT_W - 1) * SW + KW)
#define PITCH (COLUMNS | 1)
#define PLANE (ROWS * PITCH + (CHUNK <= 16 ? (34 - ROWS * PITCH % 32) % 32 : 1 - ROWS * PITCH % 2))  // 2 or odd, by 32
#define PER_LANE ((CHUNK * TAPS + 31) / 32)

extern "C" __global__ void __launch_bounds__(32 * WARPS) conv_backward_weight(const float* __restrict__ dy,
                                                                              const int* __restrict__ argmax,
                                                                              const float* __restrict__ x,
                                                                              float* __restrict__ partials, int pitch,
                                                                              int N) {
    __shared__ float inputs[CHUNK * PLANE];
    int lane = threadIdx.x % 32, first_c = blockIdx.y * CHUNK;
    int first_f = (blockIdx.z * WARPS + threadIdx.x / 32) * DEPTH;
    int first_row = blockIdx.x % SLICES * SLICE_ROWS, windows = max(min(SLICE_ROWS, OUT_H - first_row), 0) * OUT_W;

    // Entry e of this lane belongs to channel k % CHUNK and tap k / CHUNK, k = lane + 32 e.
    int offset[PER_LANE];
    #pragma unroll
    for (int e = 0; e < PER_LANE; e++) {
        int k = min(lane + 32 * e, CHUNK * TAPS - 1), tap = k / CHUNK;
        offset[e] = k % CHUNK * PLANE + tap / KW * PITCH + tap % KW;
    }

    float sum[DEPTH][PER_LANE] = {}, bias[DEPTH] = {};
    for (int n = blockIdx.x / SLICES; n < N; n += gridDim.x / SLICES) {
        __syncthreads();
        #pragma unroll 8
        for (int i = threadIdx.x; i < CHUNK * ROWS * COLUMNS; i += 32 * WARPS) {
            int c = i / (ROWS * COLUMNS), r = i / COLUMNS % ROWS, q = i % COLUMNS;
            int row = first_row * 2 * SH - PH + r, column = q - PW;
            bool inside = first_c + c < C && row >= 0 && row < H && column >= 0 && column < W;
            inputs[c * PLANE + r * PITCH + q] = inside ? x[((n * C + first_c + c) * H + row) * W + column] : 0.0f;
        }
        __syncthreads();
        #pragma unroll
        for (int k = 0; k < DEPTH; k++) {
            if (first_f + k >= F) continue;
            int base = ((n * F + first_f + k) * OUT_H + first_row) * OUT_W;
            for (int first = 0; first < windows; first += 32) {
                bool inside = first + lane < windows;
                float mine = inside ? dy[base + first + lane] : 0.0f;
                int place = inside ? argmax[base + first + lane] : -1;
                if (place < 0) mine = 0.0f;
                bias[k] += mine;
                int corner = (place / OW - 2 * first_row) * SH * PITCH + place % OW * SW;
                unsigned int left = __ballot_sync(0xffffffffu, mine != 0.0f);
                while (left != 0) {
                    int source = __ffs(left) - 1;
                    left &= left - 1;
                    float gradient = __shfl_sync(0xffffffffu, mine, source);
                    int at = __shfl_sync(0xffffffffu, corner, source);
                    #pragma unroll
                    for (int e = 0; e < PER_LANE; e++) sum[k][e] += gradient * inputs[at + offset[e]];
                }
            }
        }
    }

    float* part = partials + (long long)blockIdx.x * pitch;
    #pragma unroll
    for (int k = 0; k < DEPTH; k++) {
        int f = first_f + k;
        float total = warp_sum(bias[k]);
        if (f >= F) continue;
        if (lane == 0 && blockIdx.y == 0) part[F * C * TAPS + f] = total;
        #pragma unroll
        for (int e = 0; e < PER_LANE; e++) {
            int entry = lane + 32 * e, c = first_c + entry % CHUNK;
            if (entry < CHUNK * TAPS && c < C) part[(f * C + c) * TAPS + entry / CHUNK] = sum[k][e];
        }
    }
}

#endif

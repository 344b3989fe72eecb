// The input gradient of a convolution behind ReLU and 2 x 2 max pooling. Lesson 08.
//
// As in convolution_pooled.cu about one entry in ten of the gradient is not zero, and this kernel goes from one to the
// next: each adds its filter, times itself, to a patch of dx. The four places that it may have in its pooling window
// are told apart by votes, so that the place within the patch is known when the kernel is compiled, and the patch
// stays in registers.
//
// A warp has SPAN windows next to each other and LANES channels; where these are fewer than 32, PARTS groups of lanes
// share the rows of the patch. What neighbours give to the same pixels is added up at the end, in shared memory.
//   grid = (bands * tiles, ceil(C / LANES), N), block = 32 * WARPS, shared memory as ops/fast/tiling.py computes it.
//
// dy, argmax (N, F, OH / 2, OW / 2) as conv_forward wrote argmax: place in the OH * OW plane, or -1. Stride 1.
// The shape is compiled in: -DC -DH -DW -DF -DKH -DKW -DPH -DPW.

#include <cuda_pipeline.h>

#define OH (H + 2 * PH - KH + 1)
#define OW (W + 2 * PW - KW + 1)
#define OUT_H (OH / 2)
#define OUT_W (OW / 2)
#define TAPS (KH * KW)

#define PARTS (32 / LANES)
#define PART_ROWS ((KH + PARTS) / PARTS)         // rows of the patch that a lane has: KH + 1, shared by PARTS
#define PATCH_W (2 * SPAN + KW - 1)
#define FIRST (PARTS > 1 ? 1 : 0)                // rows of zeros in front of each filter
#define ROWS (PARTS > 1 ? PARTS * PART_ROWS + 1 : KH)
#define FILTER (ROWS * ROW_PITCH)                // ROW_PITCH >= KW * LANES: parts meet in different banks

#define WINDOW_ROWS (BAND + KH / 2)              // that reach into a band of 2 * BAND rows of dx
#define TILE_SPANS (SPANS + HALO)                // and into a tile of 2 * SPAN * SPANS columns
#define WARPS (WINDOW_ROWS * TILE_SPANS)
#define THREADS (32 * WARPS)
#define WINDOWS (WINDOW_ROWS * TILE_SPANS * SPAN)
#define WINDOWS_PITCH (WINDOWS | 1)
#define PIXELS (2 * BAND * TILE_W)
#define PLANE ((WARPS * (KH + 1) * PATCH_W) | 1)

// How many planes the block goes through at once when each thread keeps its place in the plane.
#define AT_ONCE(places) (THREADS / (places) > 0 ? THREADS / (places) : 1)

// entries[f][window] = gradient and place of the maximum, 0 to 3; no gradient outside the image.
__device__ void load_gradients(float2* entries, const float* __restrict__ dy, const int* __restrict__ argmax, int n,
                               int first_f, int first_row, int first_column) {
    int window = threadIdx.x % WINDOWS;
    int py = first_row + window / (TILE_SPANS * SPAN), px = first_column + window % (TILE_SPANS * SPAN);
    bool inside = py >= 0 && py < OUT_H && px >= 0 && px < OUT_W;
    int from = ((n * F + first_f) * OUT_H + py) * OUT_W + px, corner = 2 * (py * OW + px);
    #pragma unroll
    for (int f = threadIdx.x / WINDOWS; f < FILTERS; f += THREADS / WINDOWS) {
        bool known = inside && first_f + f < F;
        int place = known ? argmax[from + f * OUT_H * OUT_W] : -1;
        float gradient = known ? dy[from + f * OUT_H * OUT_W] : 0.0f;
        if (place < 0) gradient = 0.0f;
        place -= corner;
        entries[f * WINDOWS_PITCH + window] =
            make_float2(gradient, __int_as_float(place < OW ? place : place - OW + 2));
    }
}

// weights[f][FIRST + kh][kw][c] for filters first_f ... and channels first_c ...
__device__ void load_weights(float* weights, const float* __restrict__ w, int first_f, int first_c) {
    for (int i = threadIdx.x; i < AT_ONCE(LANES * TAPS) * LANES * TAPS; i += THREADS) {
        int c = i / TAPS % LANES, tap = i % TAPS;
        const float* from = w + (first_f * C + first_c + c) * TAPS + tap;
        float* to = weights + (FIRST + tap / KW) * ROW_PITCH + tap % KW * LANES + c;
        #pragma unroll 8
        for (int f = i / (LANES * TAPS); f < FILTERS; f += AT_ONCE(LANES * TAPS)) {
            bool known = first_f + f < F && first_c + c < C;
            __pipeline_memcpy_async(&to[f * FILTER], &from[f * C * TAPS], 4, known ? 0 : 4);
        }
    }
}

// Zeros in the rows around each filter.
__device__ void clear_borders(float* weights) {
    for (int i = threadIdx.x; i < FILTERS * (ROWS - KH) * ROW_PITCH; i += THREADS) {
        int f = i / ((ROWS - KH) * ROW_PITCH), row = i / ROW_PITCH % (ROWS - KH);
        weights[f * FILTER + (row < FIRST ? row : row + KH) * ROW_PITCH + i % ROW_PITCH] = 0.0f;
    }
}

extern "C" __global__ void __launch_bounds__(THREADS) conv_backward_input(const float* __restrict__ dy,
                                                                          const int* __restrict__ argmax,
                                                                          const float* __restrict__ w,
                                                                          float* __restrict__ dx) {
    extern __shared__ __align__(16) float weights[];              // [FILTERS][FILTER]
    float2* entries = (float2*)(weights + FILTERS * FILTER);      // [FILTERS][WINDOWS_PITCH]
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, channel = lane % LANES, part = lane / LANES;
    int band = blockIdx.x / TILES, tile = blockIdx.x % TILES, first_c = blockIdx.y * LANES, n = blockIdx.z;
    int first_row = band * BAND - KH / 2, first_span = tile * SPANS - HALO;

    if (PARTS > 1) clear_borders(weights);
    float sum[PART_ROWS][PATCH_W] = {};
    const float* own = weights + (FIRST + part * PART_ROWS) * ROW_PITCH + channel;
    for (int f = 0; f < F; f += FILTERS) {
        if (f > 0) __syncthreads();
        load_weights(weights, w, f, first_c);
        __pipeline_commit();
        load_gradients(entries, dy, argmax, n, f, first_row, first_span * SPAN);
        __pipeline_wait_prior(0);
        __syncthreads();
        #pragma unroll
        for (int k = 0; k < SPAN; k++) {
            float2 mine = lane < FILTERS ? entries[lane * WINDOWS_PITCH + warp * SPAN + k] : make_float2(0.0f, 0.0f);
            #pragma unroll
            for (int place = 0; place < 4; place++) {
                bool here = mine.x != 0.0f && __float_as_int(mine.y) == place;
                unsigned int votes = __ballot_sync(0xffffffffu, here);
                while (votes) {
                    int from = __ffs(votes) - 1;
                    votes &= votes - 1;
                    float gradient = __shfl_sync(0xffffffffu, mine.x, from);
                    const float* weight = own + from * FILTER - place / 2 * ROW_PITCH;
                    #pragma unroll
                    for (int i = 0; i < PART_ROWS; i++) {
                        if (PARTS == 1 && (i < place / 2 || i >= KH + place / 2)) continue;
                        #pragma unroll
                        for (int j = 0; j < KW; j++) {
                            sum[i][2 * k + place % 2 + j] += gradient * weight[i * ROW_PITCH + j * LANES];
                        }
                    }
                }
            }
        }
    }

    // patches[c][warp][row][column]
    float* patches = weights;
    __syncthreads();
    #pragma unroll
    for (int i = 0; i < PART_ROWS; i++) {
        int row = part * PART_ROWS + i;
        #pragma unroll
        for (int j = 0; j < PATCH_W; j++) {
            if (row <= KH) patches[channel * PLANE + (warp * (KH + 1) + row) * PATCH_W + j] = sum[i][j];
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < AT_ONCE(PIXELS) * PIXELS; i += THREADS) {
        int y = i % PIXELS / TILE_W, x = i % TILE_W;
        int row = 2 * BAND * band + y - PH, column = 2 * SPAN * SPANS * tile + x - PW;
        if (row < 0 || row >= H || column < 0 || column >= W) continue;
        float* to = dx + ((n * C + first_c) * H + row) * W + column;
        for (int c = i / PIXELS; c < min(LANES, C - first_c); c += AT_ONCE(PIXELS)) {
            float total = 0.0f;
            #pragma unroll
            for (int up = KH / 2; up >= 0; up--) {
                int patch_row = y % 2 + 2 * up, window_row = y / 2 + KH / 2 - up;
                #pragma unroll
                for (int left = (PATCH_W - 1) / (2 * SPAN); left >= 0; left--) {
                    int span = x / (2 * SPAN) - left + HALO, patch_column = x % (2 * SPAN) + 2 * SPAN * left;
                    bool seen = patch_row <= KH && patch_column < PATCH_W && span >= 0 && span < TILE_SPANS;
                    int patch = (window_row * TILE_SPANS + span) * (KH + 1) + patch_row;
                    total += seen ? patches[c * PLANE + patch * PATCH_W + patch_column] : 0.0f;
                }
            }
            to[c * H * W] = total;
        }
    }
}

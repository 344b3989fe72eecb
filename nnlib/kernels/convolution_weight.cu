// The gradient of a convolution's filters and bias in two stages, the same on every run. Lesson 08.
//
// dw[f][c][kh][kw] sums dy * x over all images and pixels: few results, long sums. First stage, here: PARTS blocks
// share images and rows, each writes its own partial sums. Second stage: a kernel adds the parts in a fixed order
// (`sum_parts`, or sgd_update and adam_update in optimizer.cu).
//
// partials[part * pitch + i]: i runs over dw (F, C, KH, KW), then db (F).
// The shape is compiled in: -DC -DH -DW -DF -DKH -DKW -DSH -DSW -DPH -DPW -DRELU -DPOOL, and SLICES parts per image:
// part p takes images p / SLICES, p / SLICES + PARTS / SLICES, ... and slice p % SLICES of their output rows.

#define OH ((H + 2 * PH - KH) / SH + 1)
#define OW ((W + 2 * PW - KW) / SW + 1)
#define TAPS (KH * KW)
#define OUT_H (POOL ? OH / 2 : OH)  // of dy: behind the pooling
#define OUT_W (POOL ? OW / 2 : OW)

#ifndef SLICES
#define SLICES 1
#endif
#ifndef DEPTH
#define DEPTH 2  // filters per warp
#endif
#define SLICE_ROWS ((OUT_H + SLICES - 1) / SLICES)

__device__ float warp_sum(float value) {
    #pragma unroll
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffffu, value, offset);
    return value;
}

#if !POOL

// Any convolution: one warp per channel and DEPTH filters. Lanes share the output pixels; each keeps TAPS * DEPTH
// sums in registers and reads TAPS + DEPTH values for that many products.
//   grid = (parts, ceil(ceil(F / DEPTH) * C / 8)), block = 256.
extern "C" __global__ void __launch_bounds__(256) conv_backward_weight(const float* __restrict__ dy,
                                                                       const float* __restrict__ y,
                                                                       const int* __restrict__ argmax,
                                                                       const float* __restrict__ x,
                                                                       float* __restrict__ partials, int pitch, int N) {
    int task = blockIdx.y * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
    int c = task % C, first_f = task / C * DEPTH;
    if (first_f >= F) return;
    int first_row = blockIdx.x % SLICES * SLICE_ROWS;
    int end = min(first_row + SLICE_ROWS, OH) * OW;

    float sum[DEPTH][TAPS] = {}, bias[DEPTH] = {};
    for (int n = blockIdx.x / SLICES; n < N; n += gridDim.x / SLICES) {
        const float* plane = x + (long long)(n * C + c) * H * W;
        #pragma unroll 2
        for (int o = first_row * OW + lane; o < end; o += 32) {
            int top = o / OW * SH - PH, left = o % OW * SW - PW;
            float seen[TAPS];
            #pragma unroll
            for (int tap = 0; tap < TAPS; tap++) {
                int row = top + tap / KW, column = left + tap % KW;
                bool inside = (PH == 0 || (row >= 0 && row < H)) && (PW == 0 || (column >= 0 && column < W));
                seen[tap] = inside ? plane[row * W + column] : 0.0f;
            }
            #pragma unroll
            for (int k = 0; k < DEPTH; k++) {
                if (first_f + k >= F) continue;
                int i = (n * F + first_f + k) * OH * OW + o;
                float gradient = dy[i];
#if RELU
                if (y[i] <= 0.0f) gradient = 0.0f;
#endif
                bias[k] += gradient;
                #pragma unroll
                for (int tap = 0; tap < TAPS; tap++) sum[k][tap] += gradient * seen[tap];
            }
        }
    }

    float* part = partials + (long long)blockIdx.x * pitch;
    #pragma unroll
    for (int k = 0; k < DEPTH; k++) {
        int f = first_f + k;
        float total = warp_sum(bias[k]);
        if (lane == 0 && c == 0 && f < F) part[F * C * TAPS + f] = total;
        #pragma unroll
        for (int tap = 0; tap < TAPS; tap++) {
            total = warp_sum(sum[k][tap]);
            if (lane == 0 && f < F) part[(f * C + c) * TAPS + tap] = total;
        }
    }
}

#else

// Behind 2 x 2 max pooling at most one gradient in four is not zero, behind ReLU as well about one in ten, and argmax
// says where. One warp per filter; it looks at 32 pooling windows at once, then walks over those with a gradient:
// lanes hold different (channel, tap), so that one read of the input serves one product, and no product is with zero.
//   grid = (parts, ceil(C / CHUNK), ceil(F / (WARPS * DEPTH))), block = 32 * WARPS.

#ifndef WARPS
#define WARPS 16
#endif
#define ROWS ((2 * SLICE_ROWS - 1) * SH + KH)
#define COLUMNS ((2 * OUT_W - 1) * SW + KW)
#define PITCH (COLUMNS | 1)
#define PLANE (ROWS * PITCH + (CHUNK <= 16 ? (34 - ROWS * PITCH % 32) % 32 : 1 - ROWS * PITCH % 2))  // 2 or odd, by 32
#define PER_LANE ((CHUNK * TAPS + 31) / 32)

extern "C" __global__ void __launch_bounds__(32 * WARPS) conv_backward_weight(const float* __restrict__ dy,
                                                                              const float* __restrict__ y,
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

// Second stage: sums[i] = partials[0][i] + partials[1][i] + ..., in this order.  grid = ceil(n / 256), block = 256.
extern "C" __global__ void sum_parts(const float* __restrict__ partials, float* __restrict__ sums, int parts, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0.0f;
    #pragma unroll 8
    for (int part = 0; part < parts; part++) sum += partials[(long long)part * n + i];
    sums[i] = sum;
}

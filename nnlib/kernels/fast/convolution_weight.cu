// The gradient of a convolution's filters and bias in two stages, the same on every run. Lesson 08.
//
// dw[f][c][kh][kw] sums dy * x over all images and pixels: few results, long sums. First stage, here: PARTS blocks
// share images and rows, each writes its own partial sums. Second stage: a kernel adds the parts in a fixed order
// (sum_parts in linear.cu, or sgd_update and adam_update in optimizer.cu).
//
// partials[part * pitch + i]: i runs over dw (F, C, KH, KW), then db (F).
// The shape is compiled in: -DC -DH -DW -DF -DKH -DKW -DSH -DSW -DPH -DPW -DRELU, and SLICES parts per image:
// part p takes images p / SLICES, p / SLICES + PARTS / SLICES, ... and slice p % SLICES of their output rows.

#define OH ((H + 2 * PH - KH) / SH + 1)
#define OW ((W + 2 * PW - KW) / SW + 1)
#define TAPS (KH * KW)

#ifndef SLICES
#define SLICES 1
#endif
#ifndef DEPTH
#define DEPTH 2  // filters per warp
#endif
#define SLICE_ROWS ((OH + SLICES - 1) / SLICES)

__device__ float warp_sum(float value) {
    #pragma unroll
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffffu, value, offset);
    return value;
}

// Any convolution: one warp per channel and DEPTH filters. Lanes share the output pixels; each keeps TAPS * DEPTH
// sums in registers and reads TAPS + DEPTH values for that many products.
//   grid = (parts, ceil(ceil(F / DEPTH) * C / 8)), block = 256.
extern "C" __global__ void __launch_bounds__(256) conv_backward_weight(const float* __restrict__ dy,
                                                                       const float* __restrict__ y,
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
        #pragma unroll 4
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

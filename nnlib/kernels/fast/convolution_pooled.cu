// The weight gradient of a convolution behind ReLU and 2 x 2 max pooling: first stage, as in convolution_weight.cu.
// Lesson 08.
//
// Of four outputs of the convolution only the largest hands on a gradient, and where ReLU cut it off not even that
// one: about one entry in ten of the gradient is not zero, and argmax says which. A dense kernel multiplies all the
// zeros; this one walks from gradient to gradient.
//
// dy, argmax (N, F, OH / 2, OW / 2) as conv_forward wrote argmax: place in the OH * OW plane, or -1.
// The shape is compiled in: -DC -DH -DW -DF -DKH -DKW -DSH -DSW -DPH -DPW, and SLICES parts per image.

#define OH ((H + 2 * PH - KH) / SH + 1)
#define OW ((W + 2 * PW - KW) / SW + 1)
#define OUT_H (OH / 2)
#define OUT_W (OW / 2)
#define TAPS (KH * KW)
#define SLICE_ROWS ((OUT_H + SLICES - 1) / SLICES)

__device__ float warp_sum(float value) {
    #pragma unroll
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffffu, value, offset);
    return value;
}

// One warp per filter; it looks at 32 pooling windows at once, lists those with a gradient and walks over the list:
// lanes hold different (channel, tap), so that one read of the input serves one product, and no product is with zero.
//   grid = (parts, ceil(C / CHUNK), ceil(F / (WARPS * DEPTH))), block = 32 * WARPS.

#define ROWS ((2 * SLICE_ROWS - 1) * SH + KH)
#define COLUMNS ((2 * OUT_W - 1) * SW + KW)
#define PITCH (COLUMNS | 1)
#define PLANE (ROWS * PITCH + (CHUNK <= 16 ? (34 - ROWS * PITCH % 32) % 32 : 1 - ROWS * PITCH % 2))  // 2 or odd, by 32
#define AT_ONCE (32 * WARPS / (ROWS * COLUMNS) > 0 ? 32 * WARPS / (ROWS * COLUMNS) : 1)  // planes loaded together
#define AHEAD 3     // groups of 32 windows read before the first is used
#define TOGETHER 4  // windows of the list whose reads do not wait for each other
#define PER_LANE ((CHUNK * TAPS + 31) / 32)

extern "C" __global__ void __launch_bounds__(32 * WARPS) conv_backward_weight(const float* __restrict__ dy,
                                                                              const int* __restrict__ argmax,
                                                                              const float* __restrict__ x,
                                                                              float* __restrict__ partials, int pitch,
                                                                              int N) {
    __shared__ float inputs[CHUNK * PLANE], gradients[WARPS][32 + TOGETHER];
    __shared__ int corners[WARPS][32 + TOGETHER];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, first_c = blockIdx.y * CHUNK;
    int first_f = (blockIdx.z * WARPS + warp) * DEPTH;
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
        for (int i = threadIdx.x; i < AT_ONCE * ROWS * COLUMNS; i += 32 * WARPS) {  // each thread keeps its place
            int r = i / COLUMNS % ROWS, q = i % COLUMNS, row = first_row * 2 * SH - PH + r, column = q - PW;
            bool inside = row >= 0 && row < H && column >= 0 && column < W;
            const float* from = x + (long long)(n * C + first_c) * H * W + row * W + column;
            #pragma unroll 8
            for (int c = i / (ROWS * COLUMNS); c < CHUNK; c += AT_ONCE) {
                inputs[c * PLANE + r * PITCH + q] = inside && first_c + c < C ? from[c * H * W] : 0.0f;
            }
        }
        __syncthreads();
        #pragma unroll
        for (int k = 0; k < DEPTH; k++) {
            if (first_f + k >= F) continue;
            int base = ((n * F + first_f + k) * OUT_H + first_row) * OUT_W;
            for (int first = 0; first < windows; first += 32 * AHEAD) {
                float mine[AHEAD];
                int place[AHEAD];
                #pragma unroll
                for (int a = 0; a < AHEAD; a++) {
                    int window = first + 32 * a + lane;
                    place[a] = window < windows ? argmax[base + window] : -1;
                    mine[a] = window < windows ? dy[base + window] : 0.0f;
                }
                #pragma unroll
                for (int a = 0; a < AHEAD; a++) {
                    if (place[a] < 0) mine[a] = 0.0f;
                    bias[k] += mine[a];
                    // Those with a gradient move up to the front of the list, each to the place that the votes of the
                    // lanes before it tell; zeros fill the last group of TOGETHER.
                    unsigned int votes = __ballot_sync(0xffffffffu, mine[a] != 0.0f);
                    int count = __popc(votes), before = __popc(votes & ((1u << lane) - 1));
                    if (mine[a] != 0.0f) {
                        gradients[warp][before] = mine[a];
                        corners[warp][before] = (place[a] / OW - 2 * first_row) * SH * PITCH + place[a] % OW * SW;
                    }
                    if (lane < TOGETHER) {
                        gradients[warp][count + lane] = 0.0f;
                        corners[warp][count + lane] = 0;
                    }
                    __syncwarp();
                    for (int i = 0; i < count; i += TOGETHER) {
                        #pragma unroll
                        for (int t = 0; t < TOGETHER; t++) {
                            float gradient = gradients[warp][i + t];
                            const float* corner = inputs + corners[warp][i + t];
                            #pragma unroll
                            for (int e = 0; e < PER_LANE; e++) sum[k][e] += gradient * corner[offset[e]];
                        }
                    }
                    __syncwarp();
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


// dw: a block has one channel, FILTERS filters and up to TAPS places of the window. Its warps share the images, lanes
// the pixels; a thread reads TAPS pixels and FILTERS gradients for TAPS * FILTERS products. Shuffles add up the lanes,
// shared memory the warps: the same order on every run.
// <<<dim3(C * ((K * K + TAPS - 1) / TAPS), (F + FILTERS - 1) / FILTERS), 32 * WARPS>>>
#define TAPS 9
#define FILTERS 4
#define WARPS 8
#define OH ((H + 2 * pad - K) / stride + 1)
#define OW ((W + 2 * pad - K) / stride + 1)
extern "C" __global__ void conv_grad_weight(const float* dy, const float* x, float* dw, int N, int C, int H, int W,
                                            int F, int K, int stride, int pad) {
    __shared__ float parts[WARPS][FILTERS * TAPS];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int c = blockIdx.x % C, first_tap = blockIdx.x / C * TAPS, first_f = blockIdx.y * FILTERS;
    float sum[FILTERS][TAPS] = {};
    for (int n = warp; n < N; n += WARPS) {
        const float* plane = x + (n * C + c) * H * W;
        for (int o = lane; o < OH * OW; o += 32) {
            int top = o / OW * stride - pad, left = o % OW * stride - pad;
            float seen[TAPS];
            for (int t = 0; t < TAPS; t++) {
                int row = top + (first_tap + t) / K, column = left + (first_tap + t) % K;
                bool inside = row >= 0 && row < H && column >= 0 && column < W && first_tap + t < K * K;
                seen[t] = inside ? plane[row * W + column] : 0.0f;
            }
            for (int k = 0; k < FILTERS; k++) {
                if (first_f + k >= F) break;
                float gradient = dy[(n * F + first_f + k) * OH * OW + o];
                for (int t = 0; t < TAPS; t++) sum[k][t] += gradient * seen[t];
            }
        }
    }
    for (int k = 0; k < FILTERS; k++) {
        for (int t = 0; t < TAPS; t++) {
            float total = sum[k][t];
            for (int offset = 16; offset > 0; offset /= 2) total += __shfl_down_sync(0xffffffffu, total, offset);
            if (lane == 0) parts[warp][k * TAPS + t] = total;
        }
    }
    __syncthreads();
    int f = first_f + threadIdx.x / TAPS, tap = first_tap + threadIdx.x % TAPS;
    if (threadIdx.x >= FILTERS * TAPS || f >= F || tap >= K * K) return;
    float total = 0.0f;
    for (int other = 0; other < WARPS; other++) total += parts[other][threadIdx.x];
    dw[(f * C + c) * K * K + tap] = total;
}

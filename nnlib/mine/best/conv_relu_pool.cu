// y, argmax: convolution, bias, ReLU and 2 x 2 pooling in one kernel. As conv_relu; but the ROWS outputs of a thread lie
// below each other, and neighbouring lanes have neighbouring columns: two rows meet in a thread, two columns by a
// shuffle.
// <<<dim3((OW + 15) / 16 * ((OH + 15) / 16), (F + FILTERS - 1) / FILTERS, N), dim3(16, 16 / ROWS), 4 * (SIDE * SIDE + FILTERS * K * K)>>>
#define ROWS 4
#define FILTERS 8
#define SIDE (15 * stride + K)
#define OH ((H + 2 * pad - K) / stride + 1)
#define OW ((W + 2 * pad - K) / stride + 1)
extern "C" __global__ void conv_relu_pool(const float* x, const float* w, const float* b, float* y, int* argmax, int N,
                                          int C, int H, int W, int F, int K, int stride, int pad) {
    extern __shared__ float tile[];
    float* filters = tile + SIDE * SIDE;
    int tiles_x = (OW + 15) / 16, n = blockIdx.z, first_f = blockIdx.y * FILTERS;
    int first_oy = blockIdx.x / tiles_x * 16, first_ox = blockIdx.x % tiles_x * 16;
    int thread = threadIdx.y * 16 + threadIdx.x, threads = 16 * 16 / ROWS;
    float sum[FILTERS][ROWS] = {};
    for (int c = 0; c < C; c++) {
        for (int t = thread; t < SIDE * SIDE; t += threads) {
            int row = first_oy * stride - pad + t / SIDE, column = first_ox * stride - pad + t % SIDE;
            bool inside = row >= 0 && row < H && column >= 0 && column < W;
            tile[t] = inside ? x[((n * C + c) * H + row) * W + column] : 0.0f;
        }
        for (int t = thread; t < FILTERS * K * K; t += threads) {
            int f = first_f + t / (K * K);
            filters[t] = f < F ? w[(f * C + c) * K * K + t % (K * K)] : 0.0f;
        }
        __syncthreads();
        for (int tap = 0; tap < K * K; tap++) {
            float seen[ROWS];
            for (int r = 0; r < ROWS; r++) {
                int row = (threadIdx.y * ROWS + r) * stride + tap / K;
                seen[r] = tile[row * SIDE + threadIdx.x * stride + tap % K];
            }
            for (int k = 0; k < FILTERS; k++) {
                float weight = filters[k * K * K + tap];
                for (int r = 0; r < ROWS; r++) sum[k][r] += weight * seen[r];
            }
        }
        __syncthreads();
    }
    int ox = first_ox + threadIdx.x;
    for (int k = 0; k < FILTERS; k++) {
        int f = first_f + k;
        for (int r = 0; r < ROWS; r += 2) {
            int oy = first_oy + threadIdx.y * ROWS + r;
            float right_above = __shfl_xor_sync(0xffffffffu, sum[k][r], 1);
            float right_below = __shfl_xor_sync(0xffffffffu, sum[k][r + 1], 1);
            if (threadIdx.x % 2 == 1 || f >= F || oy + 1 >= OH || ox + 1 >= OW) continue;
            float window[4] = {sum[k][r], right_above, sum[k][r + 1], right_below};
            int best = 0;
            for (int o = 1; o < 4; o++) best = window[o] > window[best] ? o : best;
            int at = ((n * F + f) * (OH / 2) + oy / 2) * (OW / 2) + ox / 2;
            y[at] = fmaxf(window[best] + b[f], 0.0f);
            argmax[at] = (oy + best / 2) * OW + ox + best % 2;
        }
    }
}

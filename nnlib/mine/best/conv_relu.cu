// y: convolution, bias and ReLU in one kernel. A block computes 16 x 16 outputs of FILTERS filters. It keeps the part of one channel that they see in shared
// memory, and the filters beside it; a thread computes ROWS outputs of each filter, so that what it reads from shared
// memory serves several products.
// <<<dim3((OW + 15) / 16 * ((OH + 15) / 16), (F + FILTERS - 1) / FILTERS, N), dim3(16, 16 / ROWS), 4 * (SIDE * SIDE + FILTERS * K * K)>>>
#define ROWS 4
#define FILTERS 8
#define SIDE (15 * stride + K)
#define OH ((H + 2 * pad - K) / stride + 1)
#define OW ((W + 2 * pad - K) / stride + 1)
extern "C" __global__ void conv_relu(const float* x, const float* w, const float* b, float* y, int N, int C, int H,
                                     int W, int F, int K, int stride, int pad) {
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
                int row = (threadIdx.y + r * (16 / ROWS)) * stride + tap / K;
                seen[r] = tile[row * SIDE + threadIdx.x * stride + tap % K];
            }
            for (int k = 0; k < FILTERS; k++) {
                float weight = filters[k * K * K + tap];
                for (int r = 0; r < ROWS; r++) sum[k][r] += weight * seen[r];
            }
        }
        __syncthreads();
    }
    for (int k = 0; k < FILTERS; k++) {
        for (int r = 0; r < ROWS; r++) {
            int f = first_f + k, oy = first_oy + threadIdx.y + r * (16 / ROWS), ox = first_ox + threadIdx.x;
            if (f < F && oy < OH && ox < OW) y[((n * F + f) * OH + oy) * OW + ox] = fmaxf(sum[k][r] + b[f], 0.0f);
        }
    }
}

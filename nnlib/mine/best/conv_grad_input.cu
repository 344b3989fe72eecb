// dx: a block computes 16 x 16 pixels of CHANNELS channels. The gradients of one filter that they need lie in shared
// memory, the filter beside them; a thread computes ROWS pixels of each channel. Divisions are slow: none for stride 1.
// <<<dim3((W + 15) / 16 * ((H + 15) / 16), (C + CHANNELS - 1) / CHANNELS, N), dim3(16, 16 / ROWS), 4 * (SIDE * SIDE + CHANNELS * K * K)>>>
#define ROWS 4
#define CHANNELS 8
#define SIDE ((14 + K) / stride + 2)
#define OH ((H + 2 * pad - K) / stride + 1)
#define OW ((W + 2 * pad - K) / stride + 1)

// The first output whose window reaches this padded place.
__device__ int first_output(int place, int K, int stride) {
    return place < K ? 0 : (place - K) / stride + 1;
}

extern "C" __global__ void conv_grad_input(const float* dy, const float* w, float* dx, int N, int C, int H, int W,
                                           int F, int K, int stride, int pad) {
    extern __shared__ float tile[];
    float* filter = tile + SIDE * SIDE;
    int tiles_x = (W + 15) / 16, n = blockIdx.z, first_c = blockIdx.y * CHANNELS;
    int first_row = blockIdx.x / tiles_x * 16, first_column = blockIdx.x % tiles_x * 16;
    int first_oy = first_output(first_row + pad, K, stride), first_ox = first_output(first_column + pad, K, stride);
    int thread = threadIdx.y * 16 + threadIdx.x, threads = 16 * 16 / ROWS;
    float sum[CHANNELS][ROWS] = {};
    for (int f = 0; f < F; f++) {
        for (int t = thread; t < SIDE * SIDE; t += threads) {
            int oy = first_oy + t / SIDE, ox = first_ox + t % SIDE;
            tile[t] = oy < OH && ox < OW ? dy[((n * F + f) * OH + oy) * OW + ox] : 0.0f;
        }
        for (int t = thread; t < CHANNELS * K * K; t += threads) {
            int c = first_c + t / (K * K);
            filter[t] = c < C ? w[(f * C + c) * K * K + t % (K * K)] : 0.0f;
        }
        __syncthreads();
        for (int tap = 0; tap < K * K; tap++) {
            int left = first_column + threadIdx.x + pad - tap % K;
            bool column_fits = left >= 0 && (stride == 1 || left % stride == 0);
            int ox = (stride == 1 ? left : left / stride) - first_ox;
            float gradient[ROWS];
            for (int r = 0; r < ROWS; r++) {
                int top = first_row + threadIdx.y + r * (16 / ROWS) + pad - tap / K;
                bool fits = column_fits && top >= 0 && (stride == 1 || top % stride == 0);
                int oy = (stride == 1 ? top : top / stride) - first_oy;
                gradient[r] = fits ? tile[oy * SIDE + ox] : 0.0f;
            }
            for (int k = 0; k < CHANNELS; k++) {
                float weight = filter[k * K * K + tap];
                for (int r = 0; r < ROWS; r++) sum[k][r] += weight * gradient[r];
            }
        }
        __syncthreads();
    }
    for (int k = 0; k < CHANNELS; k++) {
        for (int r = 0; r < ROWS; r++) {
            int c = first_c + k, row = first_row + threadIdx.y + r * (16 / ROWS), column = first_column + threadIdx.x;
            if (c < C && row < H && column < W) dx[((n * C + c) * H + row) * W + column] = sum[k][r];
        }
    }
}

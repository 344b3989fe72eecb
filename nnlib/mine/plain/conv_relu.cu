// y: one thread per output walks over its window in every channel; ReLU on the way out.
// <<<(N * F * OH * OW + 255) / 256, 256>>>
#define OH ((H + 2 * pad - K) / stride + 1)
#define OW ((W + 2 * pad - K) / stride + 1)
extern "C" __global__ void conv_relu(const float* x, const float* w, const float* b, float* y, int N, int C, int H,
                                     int W, int F, int K, int stride, int pad) {
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= N * F * OH * OW) return;
    int ox = at % OW, oy = at / OW % OH, f = at / (OW * OH) % F, n = at / (OW * OH * F);
    float sum = b[f];
    for (int c = 0; c < C; c++) {
        for (int i = 0; i < K; i++) {
            for (int j = 0; j < K; j++) {
                int row = oy * stride + i - pad, column = ox * stride + j - pad;
                if (row < 0 || row >= H || column < 0 || column >= W) continue;
                sum += x[((n * C + c) * H + row) * W + column] * w[((f * C + c) * K + i) * K + j];
            }
        }
    }
    y[at] = fmaxf(sum, 0.0f);
}

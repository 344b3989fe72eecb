// y, argmax: one thread per 2 x 2 window computes its four outputs, and keeps the largest.
// <<<(N * F * (OH / 2) * (OW / 2) + 255) / 256, 256>>>
#define OH ((H + 2 * pad - K) / stride + 1)
#define OW ((W + 2 * pad - K) / stride + 1)
extern "C" __global__ void conv_relu_pool(const float* x, const float* w, const float* b, float* y, int* argmax, int N,
                                          int C, int H, int W, int F, int K, int stride, int pad) {
    int at = blockIdx.x * blockDim.x + threadIdx.x, PH = OH / 2, PW = OW / 2;
    if (at >= N * F * PH * PW) return;
    int px = at % PW, py = at / PW % PH, f = at / (PW * PH) % F, n = at / (PW * PH * F);
    float largest = -INFINITY;
    int place = 0;
    for (int k = 0; k < 4; k++) {
        int oy = 2 * py + k / 2, ox = 2 * px + k % 2;
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
        if (sum > largest) {
            largest = sum;
            place = oy * OW + ox;
        }
    }
    y[at] = fmaxf(largest, 0.0f);
    argmax[at] = place;
}

// dw: one thread per weight adds up all pixels of all images that met it.
// <<<(F * C * K * K + 63) / 64, 64>>>
#define OH ((H + 2 * pad - K) / stride + 1)
#define OW ((W + 2 * pad - K) / stride + 1)
extern "C" __global__ void conv_grad_weight(const float* dy, const float* x, float* dw, int N, int C, int H, int W,
                                            int F, int K, int stride, int pad) {
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= F * C * K * K) return;
    int j = at % K, i = at / K % K, c = at / (K * K) % C, f = at / (K * K * C);
    float sum = 0.0f;
    for (int n = 0; n < N; n++) {
        for (int oy = 0; oy < OH; oy++) {
            for (int ox = 0; ox < OW; ox++) {
                int row = oy * stride + i - pad, column = ox * stride + j - pad;
                if (row < 0 || row >= H || column < 0 || column >= W) continue;
                sum += dy[((n * F + f) * OH + oy) * OW + ox] * x[((n * C + c) * H + row) * W + column];
            }
        }
    }
    dw[at] = sum;
}

// dx: one thread per input pixel asks all outputs whose windows it was in.
// <<<(N * C * H * W + 255) / 256, 256>>>
#define OH ((H + 2 * pad - K) / stride + 1)
#define OW ((W + 2 * pad - K) / stride + 1)
extern "C" __global__ void conv_grad_input(const float* dy, const float* w, float* dx, int N, int C, int H, int W,
                                           int F, int K, int stride, int pad) {
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= N * C * H * W) return;
    int column = at % W, row = at / W % H, c = at / (W * H) % C, n = at / (W * H * C);
    float sum = 0.0f;
    for (int i = 0; i < K; i++) {
        for (int j = 0; j < K; j++) {
            int top = row + pad - i, left = column + pad - j;
            if (top < 0 || left < 0 || top % stride != 0 || left % stride != 0) continue;
            int oy = top / stride, ox = left / stride;
            if (oy >= OH || ox >= OW) continue;
            for (int f = 0; f < F; f++) {
                sum += dy[((n * F + f) * OH + oy) * OW + ox] * w[((f * C + c) * K + i) * K + j];
            }
        }
    }
    dx[at] = sum;
}

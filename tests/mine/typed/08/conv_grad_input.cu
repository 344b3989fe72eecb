// <<<(N * ((C + 3) / 4) * H * W + 255) / 256, 256>>>
#define OH ((H + 2 * pad - K) / stride + 1)
#define OW ((W + 2 * pad - K) / stride + 1)
extern "C" __global__ void conv_grad_input(const float* dy, const float* w, float* dx, int N, int C, int H, int W,
                                           int F, int K, int stride, int pad)
{
    int at = blockIdx.x * blockDim.x + threadIdx.x, groups = (C + 3) / 4;                // which elements are mine
    if (at >= N * groups * H * W) return;
    int column = at % W, row = at / W % H, c0 = at / (W * H) % groups * 4, n = at / (W * H * groups);
    float sum[4] = {};
    for (int i = 0; i < K; i++)
        for (int j = 0; j < K; j++) {
            int top = row + pad - i, left = column + pad - j;                            // guard
            if (top < 0 || left < 0 || top % stride != 0 || left % stride != 0) continue;
            int oy = top / stride, ox = left / stride;
            if (oy >= OH || ox >= OW) continue;
            for (int f = 0; f < F; f++) {
                float gradient = dy[((n * F + f) * OH + oy) * OW + ox];                  // what do I read, once
                for (int k = 0; k < 4; k++)                                              // compute
                    if (c0 + k < C) sum[k] += gradient * w[((f * C + c0 + k) * K + i) * K + j];
            }
        }
    for (int k = 0; k < 4; k++)                                                          // store
        if (c0 + k < C) dx[((n * C + c0 + k) * H + row) * W + column] = sum[k];
}

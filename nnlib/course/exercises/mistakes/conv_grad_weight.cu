// A warp per weight: its lanes share the pixels of all images, shuffles add up what they have. What a student types.
#define T 256
#define OH ((H + 2 * pad - K) / stride + 1)
#define OW ((W + 2 * pad - K) / stride + 1)
// <<<(F * C * K * K + T / 32 - 1) / (T / 32), T>>>
extern "C" __global__ void conv_grad_weight(const float* dy, const float* x, float* dw, int N, int C, int H, int W,
                                            int F, int K, int stride, int pad)
{
    int at = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (at >= F * C * K * K) return;
    int j = at % K, i = at / K % K, c = at / (K * K) % C, f = at / (K * K * C);
    float sum = 0.0f;
    for (int p = lane; p < N * OH * OW; p += 32) {
        int ox = p % OW, oy = p / OW % OH, n = p / (OW * OH);
        int row = oy * stride + i - pad, column = ox * stride + j - pad;
        if (row < 0 || row >= H || column < 0 || column >= W) continue;
        sum += dy[((n * F + f) * OH + oy) * OW + ox] * x[((n * C + c) * H + row) * W + column];
    }
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffff, sum, d);
    if (lane == 0) dw[at] = sum;
}

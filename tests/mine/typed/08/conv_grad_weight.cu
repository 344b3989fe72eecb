// A block per weight: its warps share the images, its lanes stand side by side in a row. Nothing is divided in the loops.
// <<<F * C * K * K, 256>>>
#define OH ((H + 2 * pad - K) / stride + 1)
#define OW ((W + 2 * pad - K) / stride + 1)
extern "C" __global__ void conv_grad_weight(const float* dy, const float* x, float* dw, int N, int C, int H, int W,
                                            int F, int K, int stride, int pad)
{
    __shared__ float parts[8];
    int at = blockIdx.x, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int j = at % K, i = at / K % K, c = at / (K * K) % C, f = at / (K * K * C);
    float sum = 0.0f;
    for (int n = warp; n < N; n += 8)
        for (int oy = 0; oy < OH; oy++) {
            int row = oy * stride + i - pad;
            if (row < 0 || row >= H) continue;
            for (int ox = lane; ox < OW; ox += 32) {
                int column = ox * stride + j - pad;
                if (column >= 0 && column < W)
                    sum += dy[((n * F + f) * OH + oy) * OW + ox] * x[((n * C + c) * H + row) * W + column];
            }
        }
    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    if (lane == 0) parts[warp] = sum;
    __syncthreads();
    if (threadIdx.x > 0) return;
    for (int other = 1; other < 8; other++)
        sum += parts[other];
    dw[at] = sum;
}

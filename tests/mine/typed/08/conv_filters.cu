// <<<dim3((OW + 15) / 16 * ((OH + 15) / 16), (F + 3) / 4, N), dim3(16, 16), 4 * (SIDE * SIDE + 4 * K * K)>>>
#define OH ((H + 2 * pad - K) / stride + 1)
#define OW ((W + 2 * pad - K) / stride + 1)
#define SIDE (15 * stride + K)
extern "C" __global__ void conv_filters(const float* x, const float* w, const float* b, float* y, int N,
                                        int C, int H, int W, int F, int K, int stride, int pad) {
    extern __shared__ float tile[];
    float* filters = tile + SIDE * SIDE;  // four filters of one channel lie behind the tile
    int tiles = (OW + 15) / 16, n = blockIdx.z, f0 = blockIdx.y * 4, me = threadIdx.y * 16 + threadIdx.x;
    int first_oy = blockIdx.x / tiles * 16, first_ox = blockIdx.x % tiles * 16;
    float sum[4] = {};
    for (int c = 0; c < C; c++) {
        for (int t = me; t < SIDE * SIDE; t += 256) {
            int row = first_oy * stride - pad + t / SIDE, column = first_ox * stride - pad + t % SIDE;
            bool inside = row >= 0 && row < H && column >= 0 && column < W;
            tile[t] = inside ? x[((n * C + c) * H + row) * W + column] : 0.0f;
        }
        for (int t = me; t < 4 * K * K; t += 256) {
            int f = f0 + t / (K * K);
            filters[t] = f < F ? w[(f * C + c) * K * K + t % (K * K)] : 0.0f;
        }
        __syncthreads();
        for (int tap = 0; tap < K * K; tap++) {
            float seen = tile[(threadIdx.y * stride + tap / K) * SIDE + threadIdx.x * stride + tap % K];
            for (int k = 0; k < 4; k++)
                sum[k] += seen * filters[k * K * K + tap];
        }
        __syncthreads();
    }
    int oy = first_oy + threadIdx.y, ox = first_ox + threadIdx.x;
    for (int k = 0; k < 4; k++)
        if (f0 + k < F && oy < OH && ox < OW) y[((n * F + f0 + k) * OH + oy) * OW + ox] = sum[k] + b[f0 + k];
}

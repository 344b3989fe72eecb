// <<<dim3((OW + 15) / 16 * ((OH + 15) / 16), F, N), dim3(16, 16), 4 * SIDE * SIDE>>>
#define OH ((H + 2 * pad - K) / stride + 1)
#define OW ((W + 2 * pad - K) / stride + 1)
#define SIDE (15 * stride + K)
extern "C" __global__ void conv_shared(const float* x, const float* w, const float* b, float* y, int N, int C, int H,
                                       int W, int F, int K, int stride, int pad) {
    extern __shared__ float tile[];
    int tiles = (OW + 15) / 16, n = blockIdx.z, f = blockIdx.y;
    int first_oy = blockIdx.x / tiles * 16, first_ox = blockIdx.x % tiles * 16;
    float sum = 0.0f;
    for (int c = 0; c < C; c++) {
        for (int t = threadIdx.y * 16 + threadIdx.x; t < SIDE * SIDE; t += 256) {
            int row = first_oy * stride - pad + t / SIDE, column = first_ox * stride - pad + t % SIDE;
            bool inside = row >= 0 && row < H && column >= 0 && column < W;
            tile[t] = inside ? x[((n * C + c) * H + row) * W + column] : 0.0f;
        }
        __syncthreads();
        for (int i = 0; i < K; i++)
            for (int j = 0; j < K; j++)
                sum += tile[(threadIdx.y * stride + i) * SIDE + threadIdx.x * stride + j]
                       * w[((f * C + c) * K + i) * K + j];
        __syncthreads();
    }
    int oy = first_oy + threadIdx.y, ox = first_ox + threadIdx.x;
    if (oy < OH && ox < OW) y[((n * F + f) * OH + oy) * OW + ox] = sum + b[f];
}

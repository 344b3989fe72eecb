// <<<(planes * K * K * (H - K + 1) * (W - K + 1) + 63) / 64, 64>>>
extern "C" __global__ void im2col(const float* x, float* columns, int planes, int H, int W, int K) {
    int OUT_H = H - K + 1, OUT_W = W - K + 1;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= planes * K * K * OUT_H * OUT_W) return;
    int ox = i % OUT_W, oy = i / OUT_W % OUT_H;
    int tap = i / (OUT_W * OUT_H) % (K * K), plane = i / (OUT_W * OUT_H * K * K);
    int row = oy + tap / K, column = ox + tap % K;
    columns[i] = x[(plane * H + row) * W + column];
}

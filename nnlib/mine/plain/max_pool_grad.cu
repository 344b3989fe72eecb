// dx: one thread per input pixel asks every window that covers it whether it was the largest there.
// <<<(planes * H * W + 255) / 256, 256>>>
#define OH ((H - size) / stride + 1)
#define OW ((W - size) / stride + 1)
extern "C" __global__ void max_pool_grad(const float* dy, const int* argmax, float* dx, int planes, int H, int W,
                                         int size, int stride) {
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= planes * H * W) return;
    int pixel = at % (H * W), row = pixel / W, column = pixel % W, plane = at / (H * W);
    int first_oy = row < size ? 0 : (row - size) / stride + 1, first_ox = column < size ? 0 : (column - size) / stride + 1;
    float sum = 0.0f;
    for (int oy = first_oy; oy < OH && oy * stride <= row; oy++) {
        for (int ox = first_ox; ox < OW && ox * stride <= column; ox++) {
            int window = (plane * OH + oy) * OW + ox;
            if (argmax[window] == pixel) sum += dy[window];
        }
    }
    dx[at] = sum;
}

// y and argmax: one thread per window; of equal values the first one wins. argmax counts within the plane.
// <<<(planes * OH * OW + 255) / 256, 256>>>
#define OH ((H - size) / stride + 1)
#define OW ((W - size) / stride + 1)
extern "C" __global__ void max_pool(const float* x, float* y, int* argmax, int planes, int H, int W, int size,
                                    int stride) {
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= planes * OH * OW) return;
    int top = at / OW % OH * stride, left = at % OW * stride;
    const float* plane = x + at / (OH * OW) * H * W;
    int best = top * W + left;
    for (int row = top; row < top + size; row++) {
        for (int column = left; column < left + size; column++) {
            if (plane[row * W + column] > plane[best]) best = row * W + column;
        }
    }
    y[at] = plane[best];
    argmax[at] = best;
}

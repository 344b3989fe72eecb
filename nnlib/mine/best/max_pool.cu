// y and argmax: one thread per window, the largest value so far in a register.
// <<<(planes * OH * OW + 255) / 256, 256>>>
#define OH ((H - size) / stride + 1)
#define OW ((W - size) / stride + 1)
extern "C" __global__ void max_pool(const float* x, float* y, int* argmax, int planes, int H, int W, int size,
                                    int stride) {
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= planes * OH * OW) return;
    int first = at / OW % OH * stride * W + at % OW * stride, best = first;
    const float* plane = x + at / (OH * OW) * H * W;
    float largest = plane[first];
    for (int k = 1; k < size * size; k++) {
        int place = first + k / size * W + k % size;
        float value = plane[place];
        if (value > largest) {
            largest = value;
            best = place;
        }
    }
    y[at] = largest;
    argmax[at] = best;
}

// <<<(n + 63) / 64, 64>>>
extern "C" __global__ void grey(const float* pixels, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float* pixel = pixels + 3 * i;
    float r = pixel[0], g = pixel[1], b = pixel[2];
    out[i] = (r + g + b) / 3;
}

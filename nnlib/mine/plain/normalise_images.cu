// y = (x / 255 - mean) / std: one thread per pixel.
// <<<(n + 255) / 256, 256>>>
extern "C" __global__ void normalise_images(const unsigned char* x, float* y, float mean, float std, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = (x[i] / 255.0f - mean) / std;
}

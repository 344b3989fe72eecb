// <<<dim3((width + 7) / 8, (height + 7) / 8), dim3(8, 8)>>>
extern "C" __global__ void rotate(const float* image, float* out, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) out[x * height + height - 1 - y] = image[y * width + x];
}

// <<<dim3((width + 7) / 8, (height + 7) / 8), dim3(8, 8)>>>
extern "C" __global__ void bright(const float* image, int* counts, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height && image[y * width + x] > 0.5f) atomicAdd(&counts[y], 1);
}

// {"output": "8 20 48\n"}
#include <stdio.h>
__global__ void twice(float* x, size_t pitch, int width, int height) {
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column < width && row < height) {
        float* start = (float*)((char*)x + row * pitch);
        start[column] *= 2;
    }
}
int main() {
    const int width = 5, height = 3;
    float host[height][width], *device;
    for (int r = 0; r < height; r++) for (int c = 0; c < width; c++) host[r][c] = r * 10 + c;
    size_t pitch;
    cudaMallocPitch(&device, &pitch, width * sizeof(float), height);
    cudaMemcpy2D(device, pitch, host, width * sizeof(float), width * sizeof(float), height, cudaMemcpyHostToDevice);
    twice<<<dim3(1, 1), dim3(8, 4)>>>(device, pitch, width, height);
    cudaMemcpy2D(host, width * sizeof(float), device, pitch, width * sizeof(float), height, cudaMemcpyDeviceToHost);
    printf("%g %g %g\n", host[0][4], host[1][0], host[2][4]);
    cudaFree(device);
}

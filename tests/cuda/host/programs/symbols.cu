// {"output": "3 9 19 33 51 73 99 129\n8 calls, factor 2\n"}
#include <stdio.h>
__constant__ float weights[3];
__device__ int calls;
__device__ float factor = 2.0f;

__global__ void weighted(const float* x, float* y, int n) {
    int i = threadIdx.x;
    if (i < n) y[i] = factor * (weights[0] * x[i] + weights[1] * x[i + 1] + weights[2] * x[i + 2]);
    atomicAdd(&calls, 1);
}

int main() {
    float host[3] = {0.25f, 0.5f, 0.25f}, x[10], y[8], two = 0;
    for (int i = 0; i < 10; i++) x[i] = (float)(i * i);
    cudaMemcpyToSymbol(weights, host, sizeof(host));
    float *dev_x, *dev_y;
    cudaMalloc(&dev_x, sizeof(x));
    cudaMalloc(&dev_y, sizeof(y));
    cudaMemcpy(dev_x, x, sizeof(x), cudaMemcpyHostToDevice);
    weighted<<<1, 8>>>(dev_x, dev_y, 8);
    cudaMemcpy(y, dev_y, sizeof(y), cudaMemcpyDeviceToHost);
    int counted;
    cudaMemcpyFromSymbol(&counted, calls, sizeof(counted));
    cudaMemcpyFromSymbol(&two, factor, sizeof(two));
    for (int i = 0; i < 8; i++) printf("%g%c", y[i], i < 7 ? ' ' : '\n');
    printf("%d calls, factor %g\n", counted, two);
    cudaFree(dev_x);
    cudaFree(dev_y);
}

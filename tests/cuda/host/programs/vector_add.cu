// {"args": ["700"], "output": "700 elements, 3 blocks, 0 wrong\n"}
#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>

#define CHECK(call)                                                                    \
    do {                                                                               \
        cudaError_t error = (call);                                                    \
        if (error != cudaSuccess) {                                                    \
            fprintf(stderr, "%s in line %d\n", cudaGetErrorString(error), __LINE__);   \
            exit(EXIT_FAILURE);                                                        \
        }                                                                              \
    } while (0)

__global__ void add(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

int main(int argc, char** argv) {
    const int n = argc > 1 ? atoi(argv[1]) : 1000;
    size_t bytes = n * sizeof(float);
    float* a = (float*)malloc(bytes);
    float* b = (float*)malloc(bytes);
    float* c = (float*)malloc(bytes);
    for (int i = 0; i < n; i++) {
        a[i] = rand() / (float)RAND_MAX;
        b[i] = 1.0f - a[i];
    }
    float *dev_a, *dev_b, *dev_c;
    CHECK(cudaMalloc((void**)&dev_a, bytes));
    CHECK(cudaMalloc((void**)&dev_b, bytes));
    CHECK(cudaMalloc((void**)&dev_c, bytes));
    CHECK(cudaMemcpy(dev_a, a, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(dev_b, b, bytes, cudaMemcpyHostToDevice));
    dim3 block(256), grid((n + block.x - 1) / block.x);
    add<<<grid, block>>>(dev_a, dev_b, dev_c, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(c, dev_c, bytes, cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int i = 0; i < n; i++)
        if (fabs(c[i] - 1.0f) > 1e-6) wrong++;
    printf("%d elements, %d blocks, %d wrong\n", n, grid.x, wrong);
    CHECK(cudaFree(dev_a));
    CHECK(cudaFree(dev_b));
    CHECK(cudaFree(dev_c));
    free(a); free(b); free(c);
    return wrong != 0;
}

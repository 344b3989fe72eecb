// {"output": "refused: 1\nthen: no error\n", "status": 3}
#include <stdio.h>
__global__ void nothing(int* x) { x[0] = 1; }
int main() {
    int* x;
    cudaMalloc(&x, sizeof(int));
    nothing<<<1, 4096>>>(x);
    cudaError_t error = cudaGetLastError();
    printf("refused: %d\n", error != cudaSuccess);  // which error it is depends on the version of CUDA
    printf("then: %s\n", cudaGetErrorString(cudaGetLastError()));
    cudaFree(x);
    return error != cudaSuccess ? 3 : 0;
}

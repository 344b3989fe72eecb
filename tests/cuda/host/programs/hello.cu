// {"output": "host first\nhost again, before the GPU is waited for\nblock 0, thread 0\nblock 0, thread 1\nblock 0, thread 2\nhost last\n"}
#include <stdio.h>
__global__ void hello() { printf("block %d, thread %d\n", blockIdx.x, threadIdx.x); }
int main() {
    printf("host first\n");
    hello<<<1, 3>>>();
    printf("host again, before the GPU is waited for\n");
    cudaDeviceSynchronize();
    printf("host last\n");
    return 0;
}

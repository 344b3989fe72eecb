// {"output": "0 wrong, time is positive: 1\n"}
#include <stdio.h>
__global__ void increment(int* x, int by) { x[blockIdx.x * blockDim.x + threadIdx.x] += by; }

int main() {
    const int streams = 4, part = 256, n = streams * part;
    int *host, *device;
    cudaMallocHost(&host, n * sizeof(int));
    cudaMalloc(&device, n * sizeof(int));
    for (int i = 0; i < n; i++) host[i] = i;
    cudaStream_t stream[streams];
    cudaEvent_t start, stop;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    for (int s = 0; s < streams; s++) cudaStreamCreate(&stream[s]);
    cudaEventRecord(start);
    for (int s = 0; s < streams; s++) {
        int at = s * part;
        cudaMemcpyAsync(device + at, host + at, part * sizeof(int), cudaMemcpyHostToDevice, stream[s]);
        increment<<<part / 64, 64, 0, stream[s]>>>(device + at, s + 1);
        cudaMemcpyAsync(host + at, device + at, part * sizeof(int), cudaMemcpyDeviceToHost, stream[s]);
    }
    cudaEventRecord(stop);
    cudaEventSynchronize(stop);
    float ms = -1;
    cudaEventElapsedTime(&ms, start, stop);
    int wrong = 0;
    for (int i = 0; i < n; i++) wrong += host[i] != i + i / part + 1;
    printf("%d wrong, time is positive: %d\n", wrong, ms > 0);
    for (int s = 0; s < streams; s++) cudaStreamDestroy(stream[s]);
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    cudaFree(device);
    cudaFreeHost(host);
    return 0;
}

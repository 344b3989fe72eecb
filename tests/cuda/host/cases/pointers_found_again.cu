// What was found is undone when threads that wait start anew.
#include <cstdio>
__device__ int lock;
__global__ void count(int* a, char** table) {
    if (threadIdx.x == 0) { a[0] += 1; *table[0] += 1; }
    while (atomicCAS(&lock, 0, 1) != 0) ;
    __threadfence(); *table[1] += 1; __threadfence();
    atomicExch(&lock, 0);
}
int main() {
    int* a; char *other, **table, *found[2], bytes[9];
    cudaMalloc(&a, 9); cudaMemset(a, 0, 9); cudaMalloc(&other, 1); cudaMemset(other, 0, 1); cudaMalloc(&table, 16);
    found[0] = (char*)a + CASE; found[1] = other;
    cudaMemcpy(table, found, 16, cudaMemcpyHostToDevice);
    count<<<1, 8>>>(a, table);
    cudaMemcpy(bytes, a, 9, cudaMemcpyDeviceToHost); printf("%d %d ", bytes[0], bytes[(found[0] - (char*)a)]);
    cudaMemcpy(bytes, other, 1, cudaMemcpyDeviceToHost); printf("%d", bytes[0]);
    cudaFree(a); cudaFree(other); cudaFree(table);
}

// case
// output: 1 1 8
4

// case
// output: 1 1 8
8

// {"output": "int 2 float 2.5\n1 4\n0 5\n"}
#include <stdio.h>
template <class T> __host__ __device__ T twice(T x);
template <class T> void run(T first);
__global__ void increment(int* x) { *x += 1; }
__global__ void increment(float* x) { *x += 1; }
int main() {
    int *i, n = 1;
    float *f, m = 1.5f;
    cudaMalloc(&i, 4);
    cudaMalloc(&f, 4);
    cudaMemcpy(i, &n, 4, cudaMemcpyHostToDevice);
    cudaMemcpy(f, &m, 4, cudaMemcpyHostToDevice);
    increment<<<1, 1>>>(i);
    increment<<<1, 1>>>(f);
    cudaMemcpy(&n, i, 4, cudaMemcpyDeviceToHost);
    cudaMemcpy(&m, f, 4, cudaMemcpyDeviceToHost);
    printf("int %d float %g\n", n, m);
    run(2);
    run(2.5f);
    cudaFree(i);
    cudaFree(f);
}
template <class T> struct Kind { bool is_int() { return false; } };
template <> struct Kind<int> { bool is_int() { return true; } };
template <class T> void run(T first) {
    Kind<T> kind;
    printf("%d %g\n", kind.is_int(), (double)twice(first));
}
template <class T> __host__ __device__ T twice(T x) { return x + x; }

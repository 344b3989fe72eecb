// {"output": "add 7 3 mul 12 2 36 2 1 3 null 4\n"}
#include <stdio.h>
__global__ void twice(float* x, int n) { if (threadIdx.x < n) x[threadIdx.x] *= 2; }
__global__ void thrice(float* x, int n) { if (threadIdx.x < n) x[threadIdx.x] *= 3; }
template <int N> __global__ void filled(float* x) { x[threadIdx.x] = N; }
int add(int a, int b) { return a + b; }
int mul(int a, int b) { return a * b; }
float mul(float a, float b) { return a * b; }
typedef int (*Op)(int, int);
struct Named { const char* name; Op op; };
int apply(int (*op)(int, int), int a, int b) { return op(a, b); }
void run(void (*kernel)(float*, int), float* d) { kernel<<<1, 32>>>(d, 4); }
int main() {
    void (*kernel)(float*, int) = 0;
    void (*kernels[2])(float*, int) = {twice, &thrice};
    float *d, h[4] = {0, 0.5, 1, 2};
    cudaMalloc(&d, sizeof(h));
    cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice);
    kernel = &twice;
    if (kernel == &twice) kernel<<<1, 32>>>(d, 4);
    (*kernel)<<<1, 32>>>(d, 4);
    for (int i = 0; i < 2; i++) kernels[i]<<<1, dim3(32)>>>(d, 4);
    run(thrice, d);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    Op op = mul;
    Named all[] = {{"add", add}, {"mul", op}};
    for (int i = 0; i < 2; i++) printf("%s %d %d ", all[i].name, all[i].op(3, 4), (*all[i].op)(1, 2));
    float (*product)(float, float) = mul;
    printf("%g %d %d %g", h[1], apply(*add, 1, 1), op == (Op)mul, product(1.5f, 2));
    op = op == add ? add : NULL;
    if (!op) printf(" null");
    void (*fill)(float*) = filled<4>;
    fill<<<1, 4>>>(d);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    printf(" %g\n", h[3]);
    cudaFree(d);
}

// Whole programs of a few lines.
CASE

// case: new has a first value
// output: 7 0
    #include <cstdio>
    int main() { int* p = new int(7); double* q = new double[2](); printf("%d %g", *p, q[1]);
    delete p;
    delete[] q; }

// case: variables of the other side
    __device__ int scale = 2; __global__ void k() { scale += 1; }
    int main() { scale = 3; }
//               ^ KernelSyntaxError: 'scale' is a variable of the GPU, which the host cannot touch|hint: copy it with cudaMemcpyFromSymbol or cudaMemcpyToSymbol

// case: variables of the other side
    __device__ int scale = 2; __global__ void k() { scale += 1; }
    int main() { scale++; }
//               ^ KernelSyntaxError: 'scale' is a variable of the GPU, which the host cannot touch|hint: copy it with cudaMemcpyFromSymbol or cudaMemcpyToSymbol

// case: variables of the other side
    __device__ int scale = 2; __global__ void k() { scale += 1; }
    int main() { k<<<1, 1>>>(); }

// case: older forms of C
// output: 3 4 hi ab c
    template <class T> void run(int n);
    void note(char* text) { printf("%s ", text); }
    int main() {
    run<float>(3); note("hi");
    char x[] = {"a" "b"}; char* y = "c"; printf("%s %s", x, y);
    int* p = 0; *p;
    }
    template <class T> void run(int n) { printf("%d %d ", n, (int)sizeof(T)); }

// case: names of functions without a pointer
// output: 0 1 1 6 10 2 2 2
    int f(int a) { return a + 1; } int g(int a) { return 2 * a; }
    int main() {
    int n = 3, (*p)(int) = n < 2 ? f : g;
    printf("%d %d %d %d ", f == g, f == f, f != g, (n > 2 ? f : g)(5));
    printf("%d %d %d %d", p(5), (n ? p : f)(1), (*p == f) + 2 * (p == &g), (n ? f : p)(1));
    }

// case: a lambda runs where the function around it runs
// output: 13 7
    __host__ __device__ int both(int a) { auto add = [=](int b) { return a + b; }; return add(2); }
    __device__ int only(int a) {
    auto add = [=](int b) { auto c = [&]() { return a; }; return c() + b; }; return add(4);
    }
    __global__ void k(int* x) { auto times = [=](int a) { return 2 * a; };
    x[0] = both(1) + times(only(1)); }
    int main() {
    int* x; cudaMallocManaged(&x, 4); k<<<1, 1>>>(x); cudaDeviceSynchronize();
    auto print = [&](int n) { printf("%d %d", x[0], n); }; print(both(5)); cudaFree(x);
    }

// case: headers in folders of samples
// output: 1
    #include <sys/time.h>
    #include <sys/mman.h>
    #include "../common/book.h"
    #include "../../common/common.h"
    #include "../../nowhere/common.h"
    int main() { HANDLE_ERROR(cudaDeviceSynchronize()); CHECK(cudaGetLastError());
    printf("%d", PROT_READ); }

// case: pointers to functions that lead elsewhere
    __global__ void kernel(int* x) { }
    void plain(int* x) { }
    int main() {
    int (*f)(int) = NULL; f(1);
//                        ^ a function is called through a null pointer|hint: give the pointer the name of a function first
    }

// case: pointers to functions that lead elsewhere
    __global__ void kernel(int* x) { }
    void plain(int* x) { }
    int main() {
    void (*k)(int*) = NULL; k<<<1, 1>>>(NULL);
//                          ^ a kernel is launched through a null pointer|hint: write the name of a __global__ function
    }

// case: pointers to functions that lead elsewhere
    __global__ void kernel(int* x) { }
    void plain(int* x) { }
    int main() {
    void (*k)(int*) = kernel; k(NULL);
//                            ^ the pointer leads to a kernel, which is launched, not called|hint: write <<<grid, block>>>
    }

// case: pointers to functions that lead elsewhere
    __global__ void kernel(int* x) { }
    void plain(int* x) { }
    int main() {
    void (*f)(int*) = plain; f<<<1, 1>>>(NULL);
//                           ^ a kernel is launched through a pointer that leads to none|hint: write the name of a __global__ function
    }

// case: a name of several functions as one
    int mul(int a, int b) { return a * b; }
    float mul(float a, float b) { return a * b; }
    int main() {
    int (*f)(int, int) = (int (*)(int, int))mul;
    int x = f == mul;
//               ^ KernelSyntaxError: several functions are named 'mul', and nothing here says which is meant|hint: write for example (int (*)(int, int))mul
    }

// case: a name of several functions as one
    int mul(int a, int b) { return a * b; }
    float mul(float a, float b) { return a * b; }
    int main() {
    int (*f)(int, int) = (int (*)(int, int))mul;
    f = &mul == f ? f : 0;
//       ^ KernelSyntaxError: several functions are named 'mul', and nothing here says which is meant|hint: write for example (int (*)(int, int))mul
    }

// case: a name of several functions as one
    int mul(int a, int b) { return a * b; }
    float mul(float a, float b) { return a * b; }
    int main() {
    int (*f)(int, int) = (int (*)(int, int))mul;
    f = true ? mul : f;
//             ^ KernelSyntaxError: several functions are named 'mul', and nothing here says which is meant|hint: write for example (int (*)(int, int))mul
    }

// case: a name of several functions as one
    int mul(int a, int b) { return a * b; }
    float mul(float a, float b) { return a * b; }
    int main() {
    int (*f)(int, int) = (int (*)(int, int))mul;
    auto g = mul;
//       ^ KernelSyntaxError: several functions are named 'mul', and auto does not say which is meant|hint: write the type of a pointer to it in place of auto
    }

// case: a name of several functions as one
    int mul(int a, int b) { return a * b; }
    float mul(float a, float b) { return a * b; }
    int main() {
    int (*f)(int, int) = (int (*)(int, int))mul;
    bool x = f && mul;
//                ^ KernelSyntaxError: several functions are named 'mul', and nothing here says which is meant|hint: write for example (int (*)(int, int))mul
    }

// case: helper_math.h on both sides
// output: 10 1 2.5 -2 3 6 5
    #include <helper_math.h>
    __global__ void k(float3* p) { *p += make_float3(2.0f);
    *p = cross(*p + *p, make_float3(1, 2, 3)); }
    int main() {
    float3 *d, a = make_float3(1.5f);
    a += a;
    cudaMallocManaged(&d, sizeof(float3));
    *d = a;
    k<<<1, 1>>>(d);
    cudaDeviceSynchronize();
    float4 v = clamp(make_float4(make_float3(1, 2, 3), 9.0f), 0.0f, 2.5f), w = -v;
    int2 i = make_int2(make_float2(1.7f, 2.2f));
    i *= 3;
    printf("%g %g %g %g %d %d %g", d->z, v.x, v.w, w.y, i.x, i.y, length(make_float2(3, 4)));
    cudaFree(d);
    }

// case: dynamic shared memory that a kernel only declares
    __global__ void k(int* x) { extern __shared__ int s[]; x[0] = 1; }
    int main() { int* x; cudaMalloc(&x, 4); k<<<1, 1>>>(x); cudaFree(x); }

// case: occupancy of a block that no GPU takes
// output: 1 0
    __global__ void k() {}
    int main() {
    int g, b, n;
    cudaOccupancyMaxPotentialBlockSize(&g, &b, k, 0, 1000000);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, k, 2000, 0);
    printf("%d %d", b <= 1024, n);
    }

// case: memory that a kernel finds by a pointer in memory has its name
    struct List { int n; float* data; };
    __global__ void k(List* l) { l->data[threadIdx.x] = 1; }
//                                      ^ OutOfBoundsError: out-of-bounds write to numbers[3] (kernel k)|by thread (3,0,0) of block (0,0,0)|numbers has 3 elements, numbers[0] to numbers[2]|hint: guard it, as in if (i < n): the grid has more threads than numbers has elements
    int main() {
    List h = {3}, *d;
    float* numbers;
    cudaMalloc(&numbers, 12); cudaMalloc(&d, sizeof(h));
    h.data = numbers;
    cudaMemcpy(d, &h, sizeof(h), cudaMemcpyHostToDevice);
    k<<<1, 3>>>(d);
    k<<<1, 4>>>(d);
    }

// case: a mistake in a kernel is the kernel's
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
    c[i] = a[i] + b[i];
//          ^ OutOfBoundsError: out-of-bounds read of a[1000] (kernel add)|by thread (232,0,0) of block (3,0,0); 24 threads in all|a has 1000 elements, a[0] to a[999]|hint: guard it, as in if (i < n): the grid has more threads than a has elements
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

// case: refused before anything runs
    int main() { int x = 1 }
//                        ^ KernelSyntaxError: expected ';' before '}'|hint: end the declaration with ;

// case: refused before anything runs
    int main() { undefined(); }
//               ^ KernelSyntaxError: undeclared function 'undefined'|hint: declare it before its first use; one that stands in another cell is not seen here: copy it

// case: refused before anything runs
    __device__ int f() { return 1; } int main() { return f(); }
//                                                       ^ KernelSyntaxError: 'f' is a __device__ function, which the host cannot call|hint: write __host__ __device__ before it

// case: refused before anything runs
    int f() { return 1; } __global__ void k(int* x) { x[0] = f(); } int main() { }
//                                                           ^ KernelSyntaxError: 'f' is a function of the host, which a kernel cannot call|hint: write __device__ before it, or __host__ __device__ for both sides

// case: refused before anything runs
    int n; __global__ void k(int* x) { x[0] = n; } int main() { }
//                                            ^ KernelSyntaxError: 'n' is a variable of the host, which a kernel cannot touch|hint: pass it as an argument, or declare it __device__ or __constant__

// case: refused before anything runs
    __device__ int n; int main() { return n; }
//                                        ^ KernelSyntaxError: 'n' is a variable of the GPU, which the host cannot touch|hint: copy it with cudaMemcpyFromSymbol or cudaMemcpyToSymbol

// case: refused before anything runs
    __global__ void k() { } int main() { k(); }
//                                       ^ KernelSyntaxError: 'k' is a kernel: it is launched, not called|hint: write k<<<grid, block>>>(arguments);

// case: refused before anything runs
    __global__ void k() { } int main() { k<<<1>>>(); }
//                                       ^ KernelSyntaxError: <<<...>>> takes grid and block, and may take shared memory and a stream, but 1 given|hint: write k<<<blocks, threads>>>(...)

// case: refused before anything runs
    int main() { return threadIdx.x; }
//                      ^ KernelSyntaxError: threadIdx is only known in kernels|hint: on the host, use the grid and block of the launch

// case: refused before anything runs
    int main() { __syncthreads(); }
//               ^ KernelSyntaxError: '__syncthreads' is for kernels, but this function runs on the host|hint: call it in a kernel

// case: refused before anything runs
    __global__ void k() { cudaDeviceSynchronize(); } int main() { }
//                        ^ UnsupportedError: valid CUDA C++, but not supported by the simulator: CUDA's library for the host inside of a kernel|hint: call it from Python

// case: refused before anything runs
    #include <thrust/sort.h>
    int main() { int x[2]; thrust::sort(x, x + 2); }
//                         ^ UnsupportedError: valid CUDA C++, but not supported by the simulator: CUDA's C++ libraries|hint: write a loop, or a kernel

// case: refused before anything runs
    #include <cub/cub.cuh>
    int main() { cub::DeviceReduce::Sum(); }
//               ^ UnsupportedError: valid CUDA C++, but not supported by the simulator: this part of CUB|hint: use its reduce, scan, load and store of a block or warp, or write the loop

// case: refused before anything runs
    int f(int x) { return x; } int main() { int (*g)(int, int) = f; }
//                                                               ^ KernelSyntaxError: initial value of 'g': cannot convert 'f' to 'int (*)(int, int)'|hint: the types must agree

// case: refused before anything runs
    __global__ void k(float (*f)(float)) { } int main() { }
//                            ^ UnsupportedError: valid CUDA C++, but not supported by the simulator: pointers to functions|hint: pass the function to a template: template <typename F> __device__ void apply(F f), or call it by its name

// case: refused before anything runs
    int main() { } int main(int argc, char** argv) { }
//                     ^ KernelSyntaxError: 'main' is already declared, with other parameters|hint: choose another name

// case: refused before anything runs
    template <class T> void f(T x); int main() { f(1); }
//                                               ^ KernelSyntaxError: the template 'f' is declared but has no body|hint: write its body

// case: a program needs main
    __global__ void k() { }
// error: KernelSyntaxError: program.cu: a program begins in main; a kernel alone needs its name, a grid and a block

// case: a cooperative launch lets blocks wait for each other
// output: 3
    #include <cooperative_groups.h>
    namespace cg = cooperative_groups;
    __global__ void k(int* x) {
    x[blockIdx.x] = blockIdx.x + 1;
    cg::this_grid().sync();
    if (blockIdx.x == 0) x[0] += x[1];
    }
    int main() {
    int* x;
    cudaMallocManaged(&x, 8);
    void* arguments[] = {&x};
    cudaLaunchCooperativeKernel((void*)k, dim3(2), dim3(1), arguments);
    cudaDeviceSynchronize();
    printf("%d", x[0]);
    cudaFree(x);
    }

// case: a cooperative launch of too many blocks has its status
// output: cudaErrorCooperativeLaunchTooLarge, cudaErrorCooperativeLaunchTooLarge
    __global__ void k() { }
    int main() {
    cudaError_t status = cudaLaunchCooperativeKernel((void*)k, dim3(1 << 20), dim3(1024), NULL);
    printf("%s, %s", cudaGetErrorName(status), cudaGetErrorName(cudaGetLastError()));
    }

// case: times of chrono
// output: 21111
    #include <chrono>
    #include <iostream>
    int main() {
    auto a = std::chrono::high_resolution_clock::now();
    std::chrono::steady_clock::time_point none;
    sleep(2);
    auto b = std::chrono::high_resolution_clock::now();
    std::chrono::duration<double, std::milli> ms = b - a;
    using namespace std::chrono;
    std::cout << duration_cast<seconds>(b - a).count() << (ms.count() >= 2000) << (ms.count() < 2900)
    << (duration_cast<microseconds>(b - a).count() >= 2000000) << (duration<float>(b - a).count() > 1.9f);
    }

// case: errors have their names
// output: "cudaErrorInvalidConfiguration: invalid configuration argument\n"
// status: 9
    __global__ void k() { } int main() {
    k<<<0, 1>>>();
    cudaError_t error = cudaPeekAtLastError();
    printf("%s: %s\n", cudaGetErrorName(error), cudaGetErrorString(error));
    return cudaGetLastError();
    }

// case: what main may be
    int main(float x) { }
//      ^ KernelSyntaxError: main takes nothing, or int argc and char** argv, and returns an int|hint: write int main() or int main(int argc, char** argv)

// case: what main may be
    float main() { return 1; }
//        ^ KernelSyntaxError: main takes nothing, or int argc and char** argv, and returns an int|hint: write int main() or int main(int argc, char** argv)

// case: what main may be
    int main(int a, int b) { }
//      ^ KernelSyntaxError: main takes nothing, or int argc and char** argv, and returns an int|hint: write int main() or int main(int argc, char** argv)

// case: what main may be
    int main(char** argv, int argc) { }
//      ^ KernelSyntaxError: main takes nothing, or int argc and char** argv, and returns an int|hint: write int main() or int main(int argc, char** argv)

// case: what main may be
    int main(int a, char** b, char** c) { }
//      ^ KernelSyntaxError: main takes nothing, or int argc and char** argv, and returns an int|hint: write int main() or int main(int argc, char** argv)

// case: what main may be
    void main(int argc, const char* argv[]) { }

// case: pointers outside of functions, and addresses as numbers, are the same on both sides
// output: 1 6 6
    __device__ float* first; __constant__ float* last; __device__ bool same;
    __global__ void store(size_t address, float* p) {
        same = (size_t)p == address && address % 256 == 0;
        ((float*)address)[threadIdx.x] = threadIdx.x;
    }
    __global__ void add() { first[0] += *last; }
    int main() {
    float *p, host[4]; cudaMalloc(&p, 16); float* end = p + 3; bool alike;
    cudaMemcpyToSymbol(first, &p, sizeof p); cudaMemcpyToSymbol(last, &end, sizeof(float*));
    store<<<1, 4>>>((size_t)p, p); add<<<1, 1>>>(); add<<<1, 1>>>();
    cudaMemcpy(host, p, 16, cudaMemcpyDeviceToHost); cudaMemcpyFromSymbol(&alike, same, 1);
    printf("%d %g %g", alike, host[0], host[3] * 2);
    cudaFree(p); }

// case: chasing pointers by inline PTX, as measurements of latency do
// output: 3
    #include <cstdio>
    __global__ void chase(void** p, void** result) {
        void** q = p;
        for (int i = 0; i < 3; i++) asm volatile ("ld.global.nc.b64 %0, [%0];\n" : "+l"(q) : : "memory");
        *result = q;
    }
    int main() {
        void **d, *h[4], *last;
        cudaMalloc(&d, 40);
        for (int i = 0; i < 4; i++) h[i] = d + (i + 1) % 4;
        cudaMemcpy(d, h, 32, cudaMemcpyHostToDevice);
        chase<<<1, 1>>>(d, d + 4);
        cudaMemcpy(&last, d + 4, 8, cudaMemcpyDeviceToHost);
        printf("%d", (int)((void**)last - d));
        cudaFree(d);
    }

// case: padding of a struct counts as written with the member in front of it
// output: 3 1
    struct Pair { char c; double d; };
    __global__ void kernel(Pair* b, const Pair* a) { memcpy(b, a, 2 * sizeof(Pair)); b[0].d += b[1].c; }
    int main() {
        Pair a[2], *x, *y; for (int k = 0; k < 2; k++) { a[k].c = 1; a[k].d = 2; }
        cudaMalloc(&x, sizeof(a)); cudaMalloc(&y, sizeof(a)); cudaMemcpy(x, a, sizeof(a), cudaMemcpyHostToDevice);
        kernel<<<1, 1>>>(y, x); cudaMemcpy(a, y, sizeof(a), cudaMemcpyDeviceToHost); printf("%g %d", a[0].d, a[1].c);
        cudaFree(x); cudaFree(y);
    }

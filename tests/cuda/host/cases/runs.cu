// How programs end, what they may take, and what they leave.
CASE

// case: how a program ends
// status: 3
    int main() { return 259; }

// case: how a program ends
// status: 255
    int main() { return -1; }

// case: how a program ends
    int main() {  }

// case: how a program ends
// status: 1
    int main() { exit(257); }

// case: how a program ends
// status: 134
    int main() { abort(); }

// case: how a program ends
// output: "program.cu:2: Assertion failed: int main() { assert(1 > 2); }\n"
// status: 134
    int main() { assert(1 > 2); }

// case: how a program ends
    int main() { return 256; }

// case: objects end wherever their block is left
// output: "-10 -0 | -20 -11 -1 -21 -2 | -22 -13 -3 -23 -2 -1 "
    struct Told { int n; ~Told() { printf("-%d ", n); } };
    int f(int k) { Told a = {k}; if (k == 2) return k; { Told b = {k + 10};
    if (k == 3) goto out; } out: return 0; }
    int main() {
    for (int i = 0; i < 4; i++) {
    Told c = {20 + i}; f(i); if (i == 1) continue; if (i == 3) break; printf("| ");
    }
    Told* several = new Told[2]; several[0].n = 1; several[1].n = 2;
    delete[] several;
    Told last = {99};
    exit(0);
    }

// case: leaks are noted
// note: line 3: 12 bytes of h are never freed; write delete[] h;
// note: line 4: 40 bytes of d are never freed; write cudaFree(d);
// note: line 5: 8 bytes of memory are never freed; write free(...);
    int main() {
    float *d, *h = new float[3];
    cudaMalloc(&d, 40);
    malloc(8);
    }

// case: an array that is too large is refused at once
    int main() { double x[1 << 30]; x[0] = 1; }
//      ^ 8,589,934,592 bytes for x are more than a program gets here|hint: use smaller arrays

// case: what a program may not take
    int main() { printf("%2000000000d", 1); }
//               ^ a value is printed with a width of 100,000 characters or more|hint: write a smaller width

// case: what a program may not take
    int main() { printf("%*d", 100000, 1); }
//               ^ a value is printed with a width of 100,000 characters or more|hint: write a smaller width

// case: what a program may not take
    int main() { printf("%*d", -100000, 1); }
//               ^ a value is printed with a width of 100,000 characters or more|hint: write a smaller width

// case: what a program may not take
    int main() { char b[10]; memset(b, 0, (size_t)1 << 40); }
//                           ^ 1,099,511,627,776 bytes are written, past the end of b|b has 10 bytes|hint: compare the number of bytes with what was allocated

// case: what a program may not take
    #include <vector>
    int main() { std::vector<double> v((size_t)1 << 32); }
//                                   ^ 34,359,738,368 bytes for a vector or string are more than a program gets here|hint: use smaller ones

// case: what a program may not take
    int main() { int x = 1;
    while (x) while (x) while (x) while (x) while (x) while (x) while (x) while (x) while (x) while (x) while (x) while (x) while (x) while (x) while (x) while (x) while (x) while (x) while (x) while (x) while (x) while (x) while (x) while (x) while (x) while (x) while (x) while (x) while (x) while (x) x = 0; }
// error: UnsupportedError: program.cu: the program is nested too deeply: split it into smaller functions

// case: memory is bounded
// output: "out of memory 1\n"
    int main() {
    int* p; float* h = (float*)malloc((size_t)1 << 40);
    printf("%s %d\n", cudaGetErrorString(cudaMalloc(&p, (size_t)1 << 40)), h == NULL);
    cudaGetLastError();
    }

// case: recursion may go deep
// output: 9000
    int f(int n) { return n ? f(n - 1) + 1 : 0; }
    int main() { printf("%d", f(9000)); }

// case: a file gives and takes what it was opened for
// output: 0 none 0 -1 0 0 -1 1
    int main() {
    char b[4] = "abc";
    FILE* f = fopen("a", "w");
    printf("%d %s %d ", (int)fread(b, 1, 3, f), fgets(b, 4, f) == NULL ? "none" : b, feof(f) != 0);
    printf("%d %d ", fseek(f, -5, SEEK_SET), fseek(f, 0, SEEK_SET));
    fclose(f);
    f = fopen("a", "r");
    printf("%d %d %d", (int)fwrite(b, 1, 3, f), fprintf(f, "x"), fgets(b, 4, stdin) == NULL);
    fclose(f);
    }

// case: files live in a folder of the run
// output: "42\n1\n"
    int main() {
    FILE* f = fopen("numbers.txt", "w");
    fprintf(f, "%d\n", 42);
    fclose(f);
    char line[16];
    f = fopen("numbers.txt", "r");
    printf("%s", fgets(line, 16, f));
    fclose(f);
    printf("%d\n", fopen("missing", "r") == NULL);
    }

// case: the GPU has as much memory as it says
// output: 15 15
    int main() {
    char* p[16];
    size_t free, total;
    cudaMemGetInfo(&free, &total);
    int k = 0;
    while (cudaMalloc(&p[k], 1 << 30) == cudaSuccess) k++;
    printf("%d %zu", k, total >> 30);
    while (k > 0) cudaFree(p[--k]);
    }

// case: a stream has the flags that it was made with
// output: 0
    #include <cstdio>
    int main() {
    cudaStream_t stream;
    unsigned int flags = 7;
    cudaStreamCreateWithFlags(&stream, cudaStreamDefault);
    cudaStreamGetFlags(stream, &flags);
    printf("%u", flags);
    }

// case: a stream has the flags that it was made with
// output: 1
    #include <cstdio>
    int main() {
    cudaStream_t stream;
    unsigned int flags = 7;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaStreamGetFlags(stream, &flags);
    printf("%u", flags);
    }

// case: an unknown escape is a mistake of the text
    #include <cstdio>
    int main() { printf("\o %d", 1); }
//                      ^ KernelSyntaxError: \o in a text has no meaning|hint: write \\ for the character \

// case: an unknown escape is a mistake of the text
    #include <cstdio>
    int main() { puts("\o"); }
//                    ^ KernelSyntaxError: \o in a text has no meaning|hint: write \\ for the character \

// case: an unknown escape is a mistake of the text
    #include <cstdio>
    int main() { printf("%s", "\o"); }
//                            ^ KernelSyntaxError: \o in a text has no meaning|hint: write \\ for the character \

// case: an unknown escape is a mistake of the text
    #include <cstdio>
    int main() { const char* s = "\o"; }
//                               ^ KernelSyntaxError: \o in a text has no meaning|hint: write \\ for the character \

// case: an unknown escape is a mistake of the text
    #include <cstdio>
    int main() { char s[] = "\o"; }
//                          ^ KernelSyntaxError: \o in a text has no meaning|hint: write \\ for the character \

// case: pools are the memory
    int main() {
    cudaMemPool_t pool; unsigned long long kept = 1 << 20; int *d, has;
    cudaDeviceGetAttribute(&has, cudaDevAttrMemoryPoolsSupported, 0);
    if (!has) return 1;
    cudaDeviceGetDefaultMemPool(&pool, 0);
    cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept);
    cudaStream_t s; cudaStreamCreate(&s);
    cudaMallocFromPoolAsync((void**)&d, 4, pool, s);
    cudaFreeAsync(d, s);
    cudaStreamSynchronize(s);
    cudaStreamDestroy(s);
    }

// case: what there is not
    #include <cuda.h>
    int main() { CUdevice d; }
//               ^ UnsupportedError: valid CUDA C++, but not supported by the simulator: CUDA's driver API|hint: use the runtime: cudaMalloc, cudaMemcpy, kernel<<<blocks, threads>>>(...)

// case: what there is not
    #include <cuda.h>
    int main() { cuInit(0); }
//               ^ UnsupportedError: valid CUDA C++, but not supported by the simulator: CUDA's driver API|hint: use the runtime: cudaMalloc, cudaMemcpy, kernel<<<blocks, threads>>>(...)

// case: a size outside of functions may be computed
// output: 4
    int N = 1 << 10;
    dim3 grid(N / 256, 1, 1);
    int main() { printf("%d", (int)grid.x); }

// case: a kernel that no file defines is named
    __global__ void k(int* x);
//                  ^ KernelSyntaxError: 'k' is declared but has no body|hint: write its body: { ... }
    int main() { k<<<1, 1>>>(NULL); }

// case: __FILE__ is the name of the program
// output: program.cu
    int main() { printf("%s", __FILE__); }

// case: a stream calls a function of the host with its data
// output: "1 7 "
    #include <cstdio>
    void CUDART_CB told(cudaStream_t stream, cudaError_t status, void* data) {
    printf("%d %d ", status == cudaSuccess, *(int*)data);
    }
    int main() {
    int seven = 7;
    cudaStream_t s; cudaStreamCreate(&s);
    cudaStreamAddCallback(s, told, &seven, 0);
    cudaStreamSynchronize(s); cudaStreamDestroy(s);
    }

// case: two define it
    extern __constant__ float w[2]; __constant__ float w[2]; __constant__ float w[2];
//                                                                              ^ KernelSyntaxError: 'w' is already declared here|hint: choose another name, or remove one of the two
    int main() {}

// case: the end of an argument is still that argument
    __global__ void turn(float** table, float* o) {
    o[threadIdx.x] = table[0][-1 - (int)threadIdx.x]; }
//   ^ RaceError: race: writes o[0], which thread (3,0,0) of the same block reads in line 3 (kernel turn)|by thread (0,0,0) of block (0,0,0); 4 threads in all|no barrier orders the two|hint: if threads share the element use an atomic; if one needs the other's value put __syncthreads() between
    int main() {
    float *o, *end, **table;
    cudaMalloc(&o, 16); cudaMemset(o, 0, 16); cudaMalloc(&table, 8); end = o + 4;
    cudaMemcpy(table, &end, 8, cudaMemcpyHostToDevice);
    turn<<<1, 4>>>(table, o); cudaDeviceSynchronize();
    }

// case: products of halves
// output: 15: 7 10 15 22
    #include <cstdio>
    #include <cublas_v2.h>
    #include <cuda_fp16.h>
    int main() {
    half h[4], one = __float2half(1), zero = __float2half(0), *d;
    float f, *c, alpha = 0.5f, none = 0;
    for (int i = 0; i < 4; i++) h[i] = __float2half(i + 1);
    cudaMalloc(&d, 16); cudaMalloc(&c, 4); cudaMemcpy(d, h, 8, cudaMemcpyHostToDevice);
    cublasHandle_t handle; cublasCreate(&handle);
    cublasSetMathMode(handle, CUBLAS_TENSOR_OP_MATH);
    cublasGemmEx(handle, CUBLAS_OP_T, CUBLAS_OP_N, 1, 1, 4, &alpha, d, CUDA_R_16F, 4, d, CUDA_R_16F, 4, &none, c,
    CUDA_R_32F, 1, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
    cublasHgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, d, 2, d, 2, &zero, d + 4, 2);
    cudaMemcpy(&f, c, 4, cudaMemcpyDeviceToHost);
    cudaMemcpy(h, d + 4, 8, cudaMemcpyDeviceToHost);
    printf("%g:", f);
    for (int i = 0; i < 4; i++) printf(" %g", __half2float(h[i]));
    cublasDestroy(handle); cudaFree(d); cudaFree(c);
    }

// case: what is missing is said to be
    #include <cublas_v2.h>
    int main() { cublasHandle_t h; cublasCreate(&h); cublasStrsm(h); }
//                                                   ^ UnsupportedError: valid CUDA C++, but not supported by the simulator: this part of cuBLAS|hint: include <cublas_v2.h>, which has gemm, gemv, ger, geam, axpy, scal, copy, swap, dot, nrm2, asum, amax, amin; or write a kernel

// case: a kernel throws nothing
    __global__ void k() { throw 5; } int main() {}
//                        ^ UnsupportedError: valid CUDA C++, but not supported by the simulator: exceptions in a kernel|hint: write the error to an array

// case: a kernel throws nothing
    __device__ void f() { try { } catch (...) { } } int main() {}
//                        ^ UnsupportedError: valid CUDA C++, but not supported by the simulator: exceptions in a kernel|hint: write the error to an array

// case: a kernel throws nothing
    __host__ __device__ int f(int n) { if (n) throw 5; return n; } int main() {}
//                                            ^ UnsupportedError: valid CUDA C++, but not supported by the simulator: exceptions in a kernel|hint: write the error to an array

// case: static variables begin once
// output: 5 6
    int f() { static int n = 5; return n++; }
    int main() { int a = f(); printf("%d %d", a, f()); }

// What cannot be asked of a generator of cuRAND.
#include <cstdio>
#include <curand.h>
template <typename T> void show(const T* d, int n) {
    T* h = (T*)malloc(n * sizeof(T));
    cudaMemcpy(h, d, n * sizeof(T), cudaMemcpyDeviceToHost);
    printf("%.12g %.12g %.12g %.12g ", (double)h[0], (double)h[1], (double)h[n > 4097 ? 4097 : n - 2],
           (double)h[n - 1]);
    free(h);
}
int main() {
    unsigned* u; float* f; double* d;
    cudaMalloc(&u, 80000); cudaMalloc(&f, 80000); cudaMalloc(&d, 160000);
    curandGenerator_t g; curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT);
    curandSetPseudoRandomGeneratorSeed(g, 1234ULL);
CASE
    curandDestroyGenerator(g); cudaFree(u); cudaFree(f); cudaFree(d);
}

// case
    curandGenerateNormal(g, f, 3, 0, 1);
//                             ^ curandGenerateNormal: n is 3, but normal numbers come in pairs|cuRAND returns CURAND_STATUS_LENGTH_NOT_MULTIPLE|hint: ask for one more, and leave it unused

// case
    curandGenerateUniform(g, f, 20001);
//                           ^ curandGenerateUniform: outputPtr (f) has 20,001 elements: 80,004 bytes, but f has 80,000|it is made in line 13|hint: did line 13 mean elements? Write cudaMalloc(&f, n * sizeof(...))

// case
    float h[3]; curandGenerateUniform(g, h, 3);
//                                       ^ curandGenerateUniform: outputPtr (h) is memory of the host: a GPU cannot reach it|it is made by its declaration|hint: copy it to memory of cudaMalloc first, and pass that; or use cudaMallocManaged

// case
    curandDestroyGenerator(g); curandGenerateUniform(g, f, 3);
//                                                   ^ curandGenerateUniform: generator (g) was destroyed|hint: destroy it after its last use

// case
    float* m; cudaMallocManaged(&m, 8); curandGenerateUniform(g, m, 2); printf("%g", m[0]);
//                                                                      ^ m is read before kernel curandGenerateUniform of line 16 in default stream is done|kernel curandGenerateUniform writes it, and the host does not wait for it by itself|hint: wait first: cudaDeviceSynchronize(), or cudaStreamSynchronize(stream)

// case
    curandGenerator_t c; curandCreateGeneratorHost(&c, CURAND_RNG_PSEUDO_DEFAULT);
    curandGenerateUniform(c, f, 3);
//                           ^ curandGenerateUniform: outputPtr (f) is memory of the GPU, but this works on the host|it is made by cudaMalloc in line 13|hint: pass memory of malloc

// case
    curandCreateGenerator(&g, CURAND_RNG_QUASI_SOBOL32);
//                            ^ UnsupportedError: valid CUDA C++, but not supported by the simulator: this part of cuRAND|hint: include <curand.h>, which has pseudo-random generators and uniform, normal and log-normal numbers

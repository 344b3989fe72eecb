// A function for both sides may use what only the host has, as long as no kernel calls it.
#include <cstdio>
int only() { return 3; }
struct Pair { int a, b; __host__ int sum() { return a + b; } };
template <typename T> __host__ __device__ T made(T x) { return x + only(); }
__host__ __device__ int both(int x) { return x + only(); }
__host__ __device__ int more(int x) { return both(x); }
CASE

// case
// output: 4 5 6
    __global__ void k(int* p) { p[0] = 1; }
    int main() {
    int* d; cudaMallocManaged(&d, 4); k<<<1, 1>>>(d); cudaDeviceSynchronize();
    printf("%d %d %d", more(*d), made(2), Pair{2, 4}.sum()); cudaFree(d);
    }

// case
    __global__ void k(int* p) { p[0] = made(1); }
//                                     ^ KernelSyntaxError: 'made<int>' is a function of the host, which a kernel cannot call|hint: write __device__ before it, or __host__ __device__ for both sides
    int main() {}

// case
    __global__ void k(int* p) { p[0] = both(1); }
//                                     ^ KernelSyntaxError: 'both' is a function of the host, which a kernel cannot call|hint: write __device__ before it, or __host__ __device__ for both sides
    int main() {}

// case
    __global__ void k(int* p) { p[0] = more(1); }
//                                     ^ KernelSyntaxError: 'more' is a function of the host, which a kernel cannot call|hint: write __device__ before it, or __host__ __device__ for both sides
    int main() {}

// case
    __global__ void k(int* p) { p[0] = Pair{2, 4}.sum(); }
//                                                ^ KernelSyntaxError: 'Pair::sum' is a function of the host, which a kernel cannot call|hint: write __device__ before it, or __host__ __device__ for both sides
    int main() {}

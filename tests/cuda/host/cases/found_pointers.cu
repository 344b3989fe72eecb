// Kernels that find pointers in structs.
#include <cstdio>
#ifndef KIND
#define KIND float
#endif
__device__ float all[4] = {1};
struct View { int n; KIND* data; };
__global__ void peek(View v, float* o) { o[threadIdx.x] = VALUE; }
int main() {
    float host[4] = {7}, *o, result;
    View v; v.n = 3; cudaMalloc(&o, 16);
CASE
    peek<<<1, 4>>>(v, o);
    cudaMemcpy(&result, o, 4, cudaMemcpyDeviceToHost); printf("%g\n", result);
    cudaFree(o);
}

// case
// options: -DVALUE=v.n
// output: "3\n"
    v.data = host;

// case
// options: -DVALUE=v.n
// output: "3\n"
    cudaMalloc(&v.data, 4); cudaFree(v.data);

// case
// options: -DVALUE=v.n
// output: "3\n"
    v.data = (float*)12345;

// case
// options: -DVALUE=v.n
// output: "3\n"
    v.data = o + 5;

// case
// options: -DVALUE=v.n
// output: "3\n"
    v.data = nullptr;

// case
// options: -DVALUE=v.n
// output: "3\n"
// note: line 12: 0 bytes of v.data are never freed; write cudaFree(v.data);
    cudaMalloc(&v.data, 0);

// case
// options: -DVALUE=v.data[0]
    v.data = host;
// error 8:59: OutOfBoundsError: read through a pointer to host, memory of the host: a GPU cannot reach it (kernel peek)|by thread (0,0,0) of block (0,0,0); 4 threads in all|hint: copy it to memory of cudaMalloc first, and pass that; or use cudaMallocManaged

// case
// options: -DVALUE=v.data[0]
    cudaMalloc(&v.data, 4); cudaFree(v.data);
// error 8:59: OutOfBoundsError: read through a pointer to v.data, which was freed in line 12 (kernel peek)|by thread (0,0,0) of block (0,0,0); 4 threads in all|hint: free it after its last use

// case
// options: -DVALUE=v.data[0]
    v.data = (float*)12345;
// error 8:59: OutOfBoundsError: read through a pointer that points nowhere (kernel peek)|by thread (0,0,0) of block (0,0,0); 4 threads in all|hint: did cudaMalloc come before, and the copy of its pointer?

// case
// options: -DVALUE=v.data[0]
    v.data = o + 5;
// error 8:59: OutOfBoundsError: read through a pointer 20 bytes behind the beginning of o, which has 16 bytes (kernel peek)|by thread (0,0,0) of block (0,0,0); 4 threads in all|hint: pointer + n counts elements, cudaMalloc counts bytes

// case
// options: -DVALUE=v.data[0]
    v.data = nullptr;
// error 8:59: OutOfBoundsError: read through a null pointer (kernel peek)|by thread (0,0,0) of block (0,0,0); 4 threads in all

// case
// options: -DVALUE=v.data[0]
    cudaMalloc(&v.data, 0);
// error 8:59: OutOfBoundsError: read through a pointer 0 bytes behind the beginning of v.data, which has 0 bytes (kernel peek)|by thread (0,0,0) of block (0,0,0); 4 threads in all|hint: pointer + n counts elements, cudaMalloc counts bytes

// case: elements are counted in the type
// options: -DVALUE=v.data[threadIdx.x+1] -DKIND=char
    cudaMalloc(&v.data, 4 * sizeof(char));
// error 8:59: OutOfBoundsError: out-of-bounds read of v.data[4] (kernel peek)|by thread (3,0,0) of block (0,0,0)|v.data has 4 elements, v.data[0] to v.data[3]|hint: no condition limits threadIdx.x + 1: work out by hand which element this thread should take: guard threads that have none, and rows and columns that are too large

// case: elements are counted in the type
// options: -DVALUE=v.data[threadIdx.x+1] -DKIND=short
    cudaMalloc(&v.data, 4 * sizeof(short));
// error 8:59: OutOfBoundsError: out-of-bounds read of v.data[4] (kernel peek)|by thread (3,0,0) of block (0,0,0)|v.data has 4 elements, v.data[0] to v.data[3]|hint: no condition limits threadIdx.x + 1: work out by hand which element this thread should take: guard threads that have none, and rows and columns that are too large

// case: elements are counted in the type
// options: -DVALUE=v.data[threadIdx.x+1] -DKIND=float
    cudaMalloc(&v.data, 4 * sizeof(float));
// error 8:59: OutOfBoundsError: out-of-bounds read of v.data[4] (kernel peek)|by thread (3,0,0) of block (0,0,0)|v.data has 4 elements, v.data[0] to v.data[3]|hint: no condition limits threadIdx.x + 1: work out by hand which element this thread should take: guard threads that have none, and rows and columns that are too large

// case: elements are counted in the type
// options: -DVALUE=v.data[threadIdx.x+1] -DKIND=double
    cudaMalloc(&v.data, 4 * sizeof(double));
// error 8:59: OutOfBoundsError: out-of-bounds read of v.data[4] (kernel peek)|by thread (3,0,0) of block (0,0,0)|v.data has 4 elements, v.data[0] to v.data[3]|hint: no condition limits threadIdx.x + 1: work out by hand which element this thread should take: guard threads that have none, and rows and columns that are too large

// case: it may point to what the kernel has anyway
// options: -DVALUE=v.data[3-threadIdx.x]
    v.data = o;
// error 8:43: RaceError: race: writes o[0], which thread (3,0,0) of the same block reads in line 8 (kernel peek)|by thread (0,0,0) of block (0,0,0); 4 threads in all|no barrier orders the two|hint: if threads share the element use an atomic; if one needs the other's value put __syncthreads() between

// case
// options: -DVALUE=1;all[threadIdx.x]=v.data[3-threadIdx.x]
    cudaGetSymbolAddress((void**)&v.data, all);
// error 8:59: RaceError: race: writes all[0], which thread (3,0,0) of the same block reads in line 8 (kernel peek)|by thread (0,0,0) of block (0,0,0); 4 threads in all|no barrier orders the two|hint: if threads share the element use an atomic; if one needs the other's value put __syncthreads() between

// A void* counts bytes, wherever it comes from: an argument, a struct, memory, or a cast.
#include <cstdio>
struct Part { void* p; int n; };
__device__ int at(const void* p, int i) { return static_cast<const int*>(p)[i]; }
__global__ void argument(void* p, int* o) { int* q = (int*)p; o[0] = *q; }
__global__ void found(void** p, int* o) { int* q = (int*)p[0]; o[0] = *q; }
__global__ void member(Part s, int* o) {
    void* local[2];
    local[1] = (int*)s.p + 1;
    o[0] = 10 * at(s.p, s.n) + *(int*)local[1];
}
__global__ void round_trip(int* x, int* o) {
    void* v = x + 1;
    int* f = (int*)v;
    char* c = (char*)v;
    int* g = (int*)(c + 4);
    extern __shared__ char raw[];
    int* s = (int*)(void*)(raw + 8);
    s[0] = 1000;
    o[0] = s[0] + 100 * *f + 10 * *g + reinterpret_cast<int2*>((void*)(x + 2))->y;
}
int main() {
    int *x, *o, h[4] = {1, 2, 3, 4};
    void** d;
    cudaMalloc(&x, 16); cudaMalloc(&d, 8); cudaMallocManaged(&o, 4);
    cudaMemcpy(x, h, 16, cudaMemcpyHostToDevice);
    int* third = x + 2;
    cudaMemcpy(d, &third, 8, cudaMemcpyHostToDevice);
CASE
    cudaDeviceSynchronize();
    printf("%d", *o);
    cudaFree(x); cudaFree(d); cudaFree(o);
}

// case
// output: 3
    argument<<<1, 1>>>(x + 2, o);

// case
// output: 3
    found<<<1, 1>>>(d, o);

// case
// output: 43
    Part s = {x + 1, 2}; member<<<1, 1>>>(s, o);

// case
// output: 1234
    round_trip<<<1, 1, 16>>>(x, o);

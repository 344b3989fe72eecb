// Host code does what it does on a PC.
CASE

// case: an unsigned index below zero is far outside
    int main() {
    int a[10] = {}; int* p = a + 5; unsigned i = 0;
    printf("%d", p[i - 1]);
//  ^ a[4294967300] is read, but a has 10 elements of 4 bytes|hint: work out by hand which index the last iteration of the loop uses
    }

// case: what nobody has written on the host nobody has written on the GPU
    __global__ void inc(int* x) { x[threadIdx.x] += 1; }
//                                 ^ UninitializedReadError: x[0] is read, but nobody has written it (kernel inc)|by thread (0,0,0) of block (0,0,0); 4 threads in all|line 5 copies it from h, which nobody has written everywhere|hint: give each element of h a value before it is copied
    int main() {
    int *h = (int*)malloc(16), *d; cudaMalloc(&d, 16);
    cudaMemcpy(d, h, 16, cudaMemcpyHostToDevice); inc<<<1, 4>>>(d);
    cudaMemcpy(h, d, 16, cudaMemcpyDeviceToHost);
    }

// case: bytes and elements are suspected only where elements are counted
    __global__ void inc(int* x) { x[blockIdx.x * blockDim.x + threadIdx.x] += 1; }
//                                 ^ OutOfBoundsError: out-of-bounds read of x[1000] (kernel inc)|by thread (232,0,0) of block (3,0,0); 24 threads in all|x has 1000 elements, x[0] to x[999]|hint: guard it, as in if (i < n): the grid has more threads than x has elements
    int main() { int* d; cudaMalloc(&d, 4000); inc<<<4, 256>>>(d); cudaDeviceSynchronize(); }

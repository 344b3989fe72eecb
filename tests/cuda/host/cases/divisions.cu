// A division by what nobody wrote names the read.
struct S { int a, b, c; };
__global__ void f(S* d) { int i = threadIdx.x; d[i].c = d[i].a / d[i].b; }
int main() {
    S* d; cudaMalloc(&d, 32 * sizeof(S)); 
CASE
 f<<<1, 32>>>(d); cudaDeviceSynchronize(); cudaFree(d);
}

// case

// error 3:62: UninitializedReadError: d[0].a is read, but nobody has written it (kernel f)|by thread (0,0,0) of block (0,0,0); 32 threads in all|cudaMalloc in line 5 leaves d with whatever was there before|hint: copy something to d first, or cudaMemset it to 0

// case
    cudaMemset(d, 0, 32 * sizeof(S));
// error 3:64: KernelArithmeticError: integer division by zero (kernel f)|by thread (0,0,0) of block (0,0,0); 32 threads in all|a GPU returns a meaningless number here|hint: test the divisor first

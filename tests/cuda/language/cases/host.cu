// Statements of the host.
int g; __device__ int d; __global__ void k(int* x) { }
int f(int a) { return a; }
__device__ int df() { return 1; }
int main() { /* here */ }

// error 4:14: '__syncthreads' is for kernels, but this function runs on the host
// hint: call it in a kernel
__syncthreads();

// error 4:21: 'df' is a __device__ function, which the host cannot call
// hint: write __host__ __device__ before it
return df();

// error 4:22: 'atomicAdd' is for kernels, but this function runs on the host
// hint: call it in a kernel
int x = atomicAdd(&g, 1);

// error 4:22: 'd' is a variable of the GPU, which the host cannot touch
// hint: copy it with cudaMemcpyFromSymbol or cudaMemcpyToSymbol
int n = d;

// error 4:14: 'f' is no kernel
// hint: write __global__ before it, or call it: f(...)
f<<<1, 1>>>(1);

// error 4:25: 'int' is no kernel
// hint: write the name of a kernel, or of a pointer to one
int x = 1; x<<<1, 1>>>();

// error 4:31: the number of elements must be an integer, but is 'double'
// hint: use an int
int* p = new int[1.5];

// error 4:14: delete needs a pointer, but this is 'int'
// hint: delete what new returned
delete g;

// error 4:33: a symbol is needed here: the name of a __device__ or __constant__ variable
// hint: for memory of cudaMalloc, use cudaMemcpy
cudaMemcpyToSymbol(g, &g, 4);

// error 4:14: 'k' is a kernel: it is launched, not called
// hint: write k<<<grid, block>>>(arguments);
k();

// error 4:14: <<<...>>> takes grid and block, and may take shared memory and a stream, but 5 given
// hint: write k<<<blocks, threads>>>(...)
k<<<1, 1, 0, 0, 0>>>(NULL);

// error 4:14: <<<...>>> takes grid and block, and may take shared memory and a stream, but 1 given
// hint: write k<<<blocks, threads>>>(...)
k<<<1>>>(NULL);

// error 4:22: blockIdx is only known in kernels
// hint: on the host, use the grid and block of the launch
int x = blockIdx.x;

// unsupported 4:36: goto back, which leads backwards or into a block
// hint: use a loop
back: g++; if (g < 3) goto back;

// error 4:23: undeclared name 'sort'
// hint: did you mean 'qsort'?
auto t = std::sort;

// error 4:14: printf needs a text that says what to print
// hint: write printf("x = %f\n", x)
printf(5);

// error 4:24: initial value of 't': cannot convert 'char' to 'char*'
// hint: a pointer is needed, but this is a value: is an index missing, p[i]? The address of a variable is &x
char* t = 'x';

// error 4:25: argument 1 ('pointer') of cudaMalloc: cannot convert 'int' to 'void**'
// hint: the types must agree
cudaMalloc(5, 4);

// unsupported 4:27: for (x : ...) over 'int'
// hint: count with an index: for (int i = 0; i < n; i++)
for (int i : g) f(i);

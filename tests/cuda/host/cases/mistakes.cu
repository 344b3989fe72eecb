// Mistakes of the host; repaired.cu has the same programs without them.
__global__ void scale(float* x, float a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] *= a; }
__global__ void fill(float* x, float a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] = a; }
__global__ void sum(const float* x, float* total, int n) {
    extern __shared__ float part[];
    part[threadIdx.x] = threadIdx.x < n ? x[threadIdx.x] : 0;
    __syncthreads();
    if (threadIdx.x == 0) { float s = 0; for (int i = 0; i < blockDim.x; i++) s += part[i]; *total = s; }
}
int main() {
CASE
}

// case: host pointer to kernel
    float *h = (float*)malloc(400), *d; for (int i = 0; i < 100; i++) h[i] = i; cudaMalloc(&d, 400);
    cudaMemcpy(d, h, 400, cudaMemcpyHostToDevice);
    scale<<<1, 128>>>(h, 2, 100);
//  ^ kernel scale is given h, memory of the host: a GPU cannot reach it|h is made by malloc in line 11|hint: copy it to memory of cudaMalloc first, and pass that; or use cudaMallocManaged
    cudaFree(d); free(h);

// case: host pointer to kernel: a local array
    float x[4] = {1, 2, 3, 4};
    fill<<<1, 4>>>(x, 1, 4);
//  ^ kernel fill is given x, memory of the host: a GPU cannot reach it|x is made by its declaration|hint: copy it to memory of cudaMalloc first, and pass that; or use cudaMallocManaged

// case: device pointer read
    float *h = (float*)malloc(400), *d; for (int i = 0; i < 100; i++) h[i] = i; cudaMalloc(&d, 400);
    cudaMemcpy(d, h, 400, cudaMemcpyHostToDevice);
    scale<<<1, 128>>>(d, 2.0f, 100);
    printf("%f\n", d[0]);
//  ^ d is memory of the GPU: the host cannot read it|it is made by cudaMalloc in line 11|hint: copy it: cudaMemcpy(host, d, bytes, cudaMemcpyDeviceToHost)
    cudaFree(d); free(h);

// case: device pointer written
    float *h = (float*)malloc(400), *d; for (int i = 0; i < 100; i++) h[i] = i; cudaMalloc(&d, 400);
    for (int i = 0; i < 100; i++)
    d[i] = i;
//       ^ d is memory of the GPU: the host cannot write it|it is made by cudaMalloc in line 11|hint: copy it: cudaMemcpy(d, host, bytes, cudaMemcpyHostToDevice)
    cudaFree(d); free(h);

// case: bytes and elements: malloc
    float *h = (float*)malloc(400), *d;
    cudaMalloc(&d, 100);
    for (int i = 0; i < 100; i++) h[i] = i;
    cudaMemcpy(d, h, 100 * sizeof(float), cudaMemcpyHostToDevice);
//  ^ 400 bytes are written, but d has 100 bytes from line 12: bytes and elements are confused|hint: in line 12, write n * sizeof(...): its elements have 4 bytes each
    cudaFree(d); free(h);

// case: bytes and elements: malloc, seen in a kernel
    float* d; cudaMalloc(&d, 100);
    fill<<<1, 100>>>(d, 1, 100);
    cudaFree(d);
// error 11:1: d has 100 bytes, which are 25 elements of fill's x: bytes and elements are confused|out-of-bounds write to x[25] (kernel fill)|hint: write cudaMalloc(&d, n * sizeof(float))

// case: bytes and elements: copy
    int n = 100; float *h = (float*)malloc(n * sizeof(float)), *d;
    for (int i = 0; i < 100; i++) h[i] = i;
    cudaMalloc(&d, n * sizeof(float));
    cudaMemcpy(d, h, n, cudaMemcpyHostToDevice);
//  ^ 100 bytes are copied, of 400: bytes and elements are confused|h has 100 elements of 4 bytes|hint: write the number of bytes: 100 * sizeof(...)
    scale<<<1, 128>>>(d, 2.0f, 100);
    cudaFree(d); free(h);

// case: bytes and elements: sizeof twice
    size_t bytes = 100 * sizeof(float); float *h = (float*)malloc(bytes), *d;
    cudaMalloc(&d, bytes);
    cudaMemcpy(d, h, bytes * sizeof(float), cudaMemcpyHostToDevice);
//  ^ 1,600 bytes are written, but d has 400 bytes from line 12: bytes and elements are confused|hint: sizeof is in the number twice
    cudaFree(d); free(h);

// case: copy direction
    float *h = (float*)malloc(400), *d; for (int i = 0; i < 100; i++) h[i] = i; cudaMalloc(&d, 400);
    cudaMemcpy(d, h, 400, cudaMemcpyDeviceToHost);
//  ^ cudaMemcpyDeviceToHost, but the target d is memory of the GPU and the source h of the host|hint: write cudaMemcpyHostToDevice; or are the two swapped? The target comes first
    cudaFree(d); free(h);

// case: copy swapped
    float *h = (float*)malloc(400), *d; for (int i = 0; i < 100; i++) h[i] = i; cudaMalloc(&d, 400);
    cudaMemcpy(d, h, 400, cudaMemcpyHostToDevice);
    scale<<<1, 128>>>(d, 2.0f, 100);
    cudaMemcpy(d, h, 400, cudaMemcpyDeviceToHost);
//  ^ cudaMemcpyDeviceToHost, but the target d is memory of the GPU and the source h of the host|hint: write cudaMemcpyHostToDevice; or are the two swapped? The target comes first
    cudaFree(d); free(h);

// case: copy past the end
    float *h = (float*)malloc(400), *d; for (int i = 0; i < 100; i++) h[i] = i; cudaMalloc(&d, 400);
    cudaMemcpy(d, h, 404, cudaMemcpyHostToDevice);
//  ^ 404 bytes are written, past the end of d|d has 400 bytes from line 11|hint: compare the number of bytes with what was allocated
    cudaFree(d); free(h);

// case: copy past the end, from the middle
    float *h = (float*)malloc(400), *d; for (int i = 0; i < 100; i++) h[i] = i; cudaMalloc(&d, 400);
    cudaMemcpy(d, h, 400, cudaMemcpyHostToDevice);
    cudaMemcpy(h, d + 50, 400, cudaMemcpyDeviceToHost);
//  ^ 400 bytes are read, past the end of d|d has 400 bytes from line 11, 200 from there on|hint: compare the number of bytes with what was allocated
    cudaFree(d); free(h);

// case: use after free on the GPU
    float *h = (float*)malloc(400), *d; for (int i = 0; i < 100; i++) h[i] = i; cudaMalloc(&d, 400);
    cudaMemcpy(d, h, 400, cudaMemcpyHostToDevice);
    cudaFree(d);
    scale<<<1, 128>>>(d, 2.0f, 100);
//  ^ d is given to a kernel after it was freed in line 13|hint: free it after its last use
    free(h);

// case: use after free on the host
    float *h = (float*)malloc(400), *d; for (int i = 0; i < 100; i++) h[i] = i; cudaMalloc(&d, 400);
    cudaMemcpy(d, h, 400, cudaMemcpyHostToDevice);
    cudaFree(d); free(h);
    printf("%f\n", h[3]);
//  ^ h is read after it was freed in line 13|hint: free it after its last use

// case: double free on the GPU
    float *h = (float*)malloc(400), *d; for (int i = 0; i < 100; i++) h[i] = i; cudaMalloc(&d, 400);
    cudaMemcpy(d, h, 400, cudaMemcpyHostToDevice);
    scale<<<1, 128>>>(d, 2.0f, 100);
    cudaMemcpy(h, d, 400, cudaMemcpyDeviceToHost);
    cudaFree(d); free(h);
    cudaFree(d);
//  ^ d is freed twice: first in line 15|hint: free it once

// case: double free on the host
    float *h = (float*)malloc(400), *d; for (int i = 0; i < 100; i++) h[i] = i; cudaMalloc(&d, 400);
    cudaMemcpy(d, h, 400, cudaMemcpyHostToDevice);
    scale<<<1, 128>>>(d, 2.0f, 100);
    cudaMemcpy(h, d, 400, cudaMemcpyDeviceToHost);
    cudaFree(d); free(h);
    free(h);
//  ^ h is freed twice: first in line 15|hint: free it once

// case: free of the other side
    float *h = (float*)malloc(400), *d; for (int i = 0; i < 100; i++) h[i] = i; cudaMalloc(&d, 400);
    cudaMemcpy(d, h, 400, cudaMemcpyHostToDevice);
    free(d); free(h);
//  ^ free of d, which is made by cudaMalloc|hint: write cudaFree

// case: launch error
    float *h = (float*)malloc(400), *d; for (int i = 0; i < 100; i++) h[i] = i; cudaMalloc(&d, 400);
    cudaMemcpy(d, h, 400, cudaMemcpyHostToDevice);
    scale<<<1, 2048>>>(d, 2, 100);
//  ^ kernel scale was not launched, and nobody asked: a block of 2048 x 1 x 1 is too large: its x may be up to 1,024|a launch that fails says so only to cudaGetLastError(); what follows works on old results|hint: use a smaller one
    cudaMemcpy(h, d, 400, cudaMemcpyDeviceToHost);
    cudaFree(d); free(h);

// case: launch error: shared memory
    float *h = (float*)malloc(400), *d; for (int i = 0; i < 100; i++) h[i] = i; cudaMalloc(&d, 400);
    cudaMemcpy(d, h, 400, cudaMemcpyHostToDevice);
    sum<<<1, 128, 1 << 20>>>(d, d, 100);
//  ^ kernel sum was not launched, and nobody asked: 1,048,576 bytes of shared memory per block; an H100 has 232,448. Use smaller tiles|a launch that fails says so only to cudaGetLastError(); what follows works on old results|hint: write cudaGetLastError() after the launch
    cudaMemcpy(h, d, 400, cudaMemcpyDeviceToHost);
    cudaFree(d); free(h);

// case: grid zero
    float *h = (float*)malloc(400), *d; for (int i = 0; i < 100; i++) h[i] = i; cudaMalloc(&d, 400);
    cudaMemcpy(d, h, 400, cudaMemcpyHostToDevice);
    int n = 100; scale<<<n / 128, 128>>>(d, 2, n);
//               ^ kernel scale was not launched, and nobody asked: a grid of 0 x 1 x 1 has nothing in it: its x is 0|a launch that fails says so only to cudaGetLastError(); what follows works on old results|hint: n / block is rounded down; write (n + block - 1) / block
    cudaMemcpy(h, d, 400, cudaMemcpyDeviceToHost);
    cudaFree(d); free(h);

// case: block zero
    float *h = (float*)malloc(400), *d; for (int i = 0; i < 100; i++) h[i] = i; cudaMalloc(&d, 400);
    cudaMemcpy(d, h, 400, cudaMemcpyHostToDevice);
    dim3 block(16, 0);
    scale<<<1, block>>>(d, 2, 100);
//  ^ kernel scale was not launched, and nobody asked: a block of 16 x 0 x 1 has nothing in it: its y is 0|a launch that fails says so only to cudaGetLastError(); what follows works on old results|hint: a block has at least one thread
    cudaMemcpy(h, d, 400, cudaMemcpyDeviceToHost);
    cudaFree(d); free(h);

// case: read before it is there: async
    float *h, *d; cudaMallocHost(&h, 400); cudaMalloc(&d, 400); cudaStream_t s; cudaStreamCreate(&s);
    for (int i = 0; i < 100; i++) h[i] = i;
    cudaMemcpyAsync(d, h, 400, cudaMemcpyHostToDevice, s);
    scale<<<1, 128, 0, s>>>(d, 2.0f, 100);
    cudaMemcpyAsync(h, d, 400, cudaMemcpyDeviceToHost, s);
    printf("%f\n", h[3]);
//  ^ h is read before the copy of line 15 in stream 1 is done|the copy writes it, and the host does not wait for it by itself|hint: wait first: cudaDeviceSynchronize(), or cudaStreamSynchronize(stream)
    cudaStreamDestroy(s); cudaFree(d); cudaFreeHost(h);

// case: read before it is there: managed
    float* x; cudaMallocManaged(&x, 400); for (int i = 0; i < 100; i++) x[i] = i;
    scale<<<1, 128>>>(x, 2, 100);
    printf("%f\n", x[3]); cudaFree(x);
//  ^ x is read before kernel scale of line 12 in default stream is done|kernel scale writes it, and the host does not wait for it by itself|hint: wait first: cudaDeviceSynchronize(), or cudaStreamSynchronize(stream)

// case: uninitialised memory copied
    float *h = (float*)malloc(400), *d; for (int i = 0; i < 100; i++) h[i] = i; cudaMalloc(&d, 400);
    cudaMemcpy(h, d, 400, cudaMemcpyDeviceToHost);
    printf("%f\n", h[3]);
//  ^ h is read, but it was copied in line 12 from d, which nobody had written|cudaMalloc in line 11 leaves it with whatever was there before|hint: did the kernel run, and does it write there?
    cudaFree(d); free(h);

// case: uninitialised memory copied, the kernel forgot
    float *h = (float*)malloc(400), *d; for (int i = 0; i < 100; i++) h[i] = i; cudaMalloc(&d, 400);
    cudaMemcpy(d, h, 400, cudaMemcpyHostToDevice);
    float* e; cudaMalloc(&e, 400);
    scale<<<1, 128>>>(d, 2.0f, 100);
    cudaMemcpy(h, e, 400, cudaMemcpyDeviceToHost);
    float s = 0; for (int i = 0; i < 100; i++)
    s += h[i];
//    ^ h is read, but it was copied in line 15 from e, which nobody had written|cudaMalloc in line 13 leaves it with whatever was there before|hint: did the kernel run, and does it write there?
    cudaFree(e);cudaFree(d); free(h);

// case: uninitialised memory read by a kernel
    float *h = (float*)malloc(400), *d; for (int i = 0; i < 100; i++) h[i] = i; cudaMalloc(&d, 400);
    scale<<<1, 128>>>(d, 2.0f, 100);
    cudaMemcpy(h, d, 400, cudaMemcpyDeviceToHost);
    cudaFree(d); free(h);
// error 2:110: UninitializedReadError: x[0] is read, but nobody has written it (kernel scale)|by thread (0,0,0) of block (0,0,0); 100 threads in all|cudaMalloc in line 11 leaves d with whatever was there before|hint: copy something to d first, or cudaMemset it to 0

// case: shared memory forgotten
    float *h = (float*)malloc(400), *d; for (int i = 0; i < 100; i++) h[i] = i; cudaMalloc(&d, 400);
    cudaMemcpy(d, h, 400, cudaMemcpyHostToDevice);
    sum<<<1, 128>>>(d, d, 100);
//  ^ kernel sum uses extern __shared__ part, but the launch gives it no memory|hint: write the bytes as the third number: sum<<<grid, block, bytes>>>(...)
    cudaFree(d); free(h);

// case: shared memory in elements
    float *h = (float*)malloc(400), *d; for (int i = 0; i < 100; i++) h[i] = i; cudaMalloc(&d, 400);
    cudaMemcpy(d, h, 400, cudaMemcpyHostToDevice);
    sum<<<1, 128, 128>>>(d, d, 100);
//  ^ sum's part gets 128 bytes from the launch, which are not enough for write to part[32]|out-of-bounds write to part[32] (kernel sum)|hint: the third number of <<<...>>> counts bytes: write n * sizeof(...)
    cudaFree(d); free(h);

// case: event never recorded
    float *h = (float*)malloc(400), *d; for (int i = 0; i < 100; i++) h[i] = i; cudaMalloc(&d, 400);
    cudaMemcpy(d, h, 400, cudaMemcpyHostToDevice);
    cudaEvent_t start, stop; cudaEventCreate(&start); cudaEventCreate(&stop); float ms;
    scale<<<1, 128>>>(d, 2.0f, 100);
    cudaEventRecord(stop); cudaEventSynchronize(stop);
    cudaEventElapsedTime(&ms, start, stop);
//  ^ start was never recorded|hint: write cudaEventRecord(start) where the time is to be taken
    cudaFree(d); free(h);

// case: event never recorded, waited for
    cudaEvent_t start, stop; cudaEventCreate(&start); cudaEventCreate(&stop); float ms;
    cudaEventRecord(start);
    cudaEventSynchronize(stop);
//  ^ stop was never recorded|hint: write cudaEventRecord(stop) where the time is to be taken

// case: event not waited for
    float *h = (float*)malloc(400), *d; for (int i = 0; i < 100; i++) h[i] = i; cudaMalloc(&d, 400);
    cudaMemcpy(d, h, 400, cudaMemcpyHostToDevice);
    cudaEvent_t start, stop; cudaEventCreate(&start); cudaEventCreate(&stop); float ms;
    cudaEventRecord(start);
    scale<<<1, 128>>>(d, 2.0f, 100);
    cudaEventRecord(stop);
    cudaEventElapsedTime(&ms, start, stop);
//  ^ cudaEventElapsedTime asks for the time of start, which may not have happened yet|hint: wait for it first: cudaEventSynchronize(start)
    cudaFree(d); free(h);

// case: stream after destruction
    cudaStream_t s; cudaStreamCreate(&s); float* d; cudaMalloc(&d, 400);
    cudaStreamDestroy(s);
    fill<<<1, 100, 0, s>>>(d, 1, 100);
//  ^ a stream is used that was destroyed in line 12|hint: destroy it after its last use
    cudaFree(d);

// case: stream after destruction: synchronised
    cudaStream_t s; cudaStreamCreate(&s);
    cudaStreamDestroy(s);
    cudaStreamSynchronize(s);
//  ^ a stream is used that was destroyed in line 12|hint: destroy it after its last use

// case: null pointer
    float* p = NULL;
    p[0] = 1;
//       ^ written through a null pointer|hint: did malloc, or what should have set it, come before?

// case: past the end on the host
    float* h = (float*)malloc(40);
    for (int i = 0; i <= 10; i++)
    h[i] = i;
//       ^ h[10] is written, but h has 10 elements of 4 bytes|it has 40 bytes, since line 11|hint: work out by hand which index the last iteration of the loop uses
    free(h);

// case: no value yet
    int s; for (int i = 0; i < 3; i++)
    s += i;
//    ^ s is read, but it has no value yet|hint: give it one where it is declared: s = 0
    printf("%d\n", s);

// case: division by zero
    int a = 4, b = 0;
    printf("%d\n", a / b);
//  ^ an integer is divided by zero|hint: check the divisor before

// case: another program
    system("ls");
//  ^ a program here cannot start others|hint: leave system() out

// case: another folder
    FILE* f = fopen("../secret", "r");
//            ^ a program here has a folder of its own: '../secret' is outside of it|hint: write a plain file name

// case: another folder: absolute
    FILE* f = fopen("/etc/passwd", "r");
//            ^ a program here has a folder of its own: '/etc/passwd' is outside of it|hint: write a plain file name

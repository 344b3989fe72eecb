// The programs of mistakes.cu without their mistakes. Some have the same twin: `and` names the others.
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
// and: device pointer read
// and: device pointer written
// and: bytes and elements: malloc
// and: bytes and elements: copy
// and: bytes and elements: sizeof twice
// and: copy direction
// and: copy swapped
// and: copy past the end
// and: use after free on the GPU
// and: use after free on the host
// and: double free on the GPU
// and: double free on the host
// and: free of the other side
// and: launch error
// and: grid zero
// and: block zero
// and: uninitialised memory copied
// and: uninitialised memory copied, the kernel forgot
// and: uninitialised memory read by a kernel
    float *h = (float*)malloc(400), *d; for (int i = 0; i < 100; i++) h[i] = i; cudaMalloc(&d, 400);
    cudaMemcpy(d, h, 400, cudaMemcpyHostToDevice);
    scale<<<1, 128>>>(d, 2.0f, 100);
    cudaMemcpy(h, d, 400, cudaMemcpyDeviceToHost);
    cudaFree(d); free(h);

// case: host pointer to kernel: a local array
    float* x; cudaMalloc(&x, 16);
    fill<<<1, 4>>>(x, 1, 4); cudaDeviceSynchronize(); cudaFree(x);

// case: bytes and elements: malloc, seen in a kernel
    float* d; cudaMalloc(&d, 400);
    fill<<<1, 100>>>(d, 1, 100); cudaFree(d);

// case: copy past the end, from the middle
    float *h = (float*)malloc(400), *d; for (int i = 0; i < 100; i++) h[i] = i; cudaMalloc(&d, 400);
    cudaMemcpy(d, h, 400, cudaMemcpyHostToDevice);
    cudaMemcpy(h, d + 50, 200, cudaMemcpyDeviceToHost);
    cudaFree(d); free(h);

// case: launch error: shared memory
    float *h = (float*)malloc(400), *d; for (int i = 0; i < 100; i++) h[i] = i; cudaMalloc(&d, 400);
    cudaMemcpy(d, h, 400, cudaMemcpyHostToDevice);
    sum<<<1, 128, 512>>>(d, d, 100);
    cudaMemcpy(h, d, 400, cudaMemcpyDeviceToHost);
    cudaFree(d); free(h);

// case: read before it is there: async
// output: "6.000000\n"
    float *h, *d; cudaMallocHost(&h, 400); cudaMalloc(&d, 400); cudaStream_t s; cudaStreamCreate(&s);
    for (int i = 0; i < 100; i++) h[i] = i;
    cudaMemcpyAsync(d, h, 400, cudaMemcpyHostToDevice, s);
    scale<<<1, 128, 0, s>>>(d, 2.0f, 100);
    cudaMemcpyAsync(h, d, 400, cudaMemcpyDeviceToHost, s);
    cudaStreamSynchronize(s); printf("%f\n", h[3]);
    cudaStreamDestroy(s); cudaFree(d); cudaFreeHost(h);

// case: read before it is there: managed
// output: "6.000000\n"
    float* x; cudaMallocManaged(&x, 400); for (int i = 0; i < 100; i++) x[i] = i;
    scale<<<1, 128>>>(x, 2, 100);
    cudaDeviceSynchronize(); printf("%f\n", x[3]); cudaFree(x);

// case: shared memory forgotten
// and: shared memory in elements
    float *h = (float*)malloc(400), *d; for (int i = 0; i < 100; i++) h[i] = i; cudaMalloc(&d, 400);
    cudaMemcpy(d, h, 400, cudaMemcpyHostToDevice);
    sum<<<1, 128, 128 * sizeof(float)>>>(d, d, 100);
    cudaFree(d); free(h);

// case: event never recorded
// and: event not waited for
    float *h = (float*)malloc(400), *d; for (int i = 0; i < 100; i++) h[i] = i; cudaMalloc(&d, 400);
    cudaMemcpy(d, h, 400, cudaMemcpyHostToDevice);
    cudaEvent_t start, stop; cudaEventCreate(&start); cudaEventCreate(&stop); float ms;
    cudaEventRecord(start);
    scale<<<1, 128>>>(d, 2.0f, 100);
    cudaEventRecord(stop); cudaEventSynchronize(stop);
    cudaEventElapsedTime(&ms, start, stop);
    cudaFree(d); free(h);

// case: event never recorded, waited for
    cudaEvent_t start, stop; cudaEventCreate(&start); cudaEventCreate(&stop); float ms;
    cudaEventRecord(start);
    cudaEventSynchronize(start);

// case: stream after destruction
    cudaStream_t s; cudaStreamCreate(&s); float* d; cudaMalloc(&d, 400);
    fill<<<1, 100, 0, s>>>(d, 1, 100);
    cudaStreamDestroy(s);
    cudaFree(d);

// case: stream after destruction: synchronised
    cudaStream_t s; cudaStreamCreate(&s);
    cudaStreamSynchronize(s);
    cudaStreamDestroy(s);

// case: null pointer
    float x[1], *p = x;
    p[0] = 1;

// case: past the end on the host
    float* h = (float*)malloc(40);
    for (int i = 0; i < 10; i++)
    h[i] = i;
    free(h);

// case: no value yet
// output: "3\n"
    int s = 0; for (int i = 0; i < 3; i++)
    s += i;
    printf("%d\n", s);

// case: division by zero
// output: "2\n"
    int a = 4, b = 2;
    printf("%d\n", a / b);

// case: another program
// output: ls
    printf("ls");

// case: another folder
    FILE* f = fopen("mine", "r");

// case: another folder: absolute
    FILE* f = fopen("passwd", "r");

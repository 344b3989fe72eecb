// What kernels read that nobody has written: byte by byte, from launch to launch, once the result is used.
__global__ void copy(const int* x, int* y) { y[threadIdx.x] = x[threadIdx.x]; }
__global__ void put(int* x, int v) { x[threadIdx.x] = v; }
__global__ void count(int* x) { atomicAdd(x, 1); } __global__ void two(const int* x, int* y) { *y = x[3] + x[5]; }
__global__ void first(const int* x, int* y) { if (threadIdx.x == 0) y[0] = x[0]; }
int main() {
int h[8] = {0}, *d, *e; cudaMalloc(&d, 32); cudaMalloc(&e, 32); cudaMemset(e, 0, 32);
CASE
cudaMemcpy(h, e, 32, cudaMemcpyDeviceToHost); printf("%d", h[0]); cudaFree(d); cudaFree(e); }

// case
// output: 0
    cudaMemset(d, 0, 32); copy<<<1, 8>>>(d, e);

// case
    cudaMemset(d, 0, 31); copy<<<1, 8>>>(d, e);
// error 2:64: UninitializedReadError: x[7] is read, but nobody has written it (kernel copy)|by thread (7,0,0) of block (0,0,0)|cudaMalloc in line 7 leaves d with whatever was there before|hint: copy something to d first, or cudaMemset it to 0

// case
    cudaMemset(d, 0, 29); copy<<<1, 8>>>(d, e);
// error 2:64: UninitializedReadError: x[7] is read, but nobody has written it (kernel copy)|by thread (7,0,0) of block (0,0,0)|cudaMalloc in line 7 leaves d with whatever was there before|hint: copy something to d first, or cudaMemset it to 0

// case
    cudaMemset(d + 1, 0, 28); copy<<<1, 8>>>(d, e);
// error 2:64: UninitializedReadError: x[0] is read, but nobody has written it (kernel copy)|by thread (0,0,0) of block (0,0,0)|cudaMalloc in line 7 leaves d with whatever was there before|hint: copy something to d first, or cudaMemset it to 0

// case
// output: 0
    cudaMemset(d, 0, 28); copy<<<1, 7>>>(d, e);

// case
    cudaMemset(d, 0, 8); copy<<<1, 8>>>(d, e);
// error 2:64: UninitializedReadError: x[2] is read, but nobody has written it (kernel copy)|by thread (2,0,0) of block (0,0,0); 6 threads in all|cudaMalloc in line 7 leaves d with whatever was there before|hint: only 8 of its 32 bytes were ever written: a copy counts bytes, not elements

// case
    cudaMemset(d, 0, 9); copy<<<1, 8>>>(d, e);
// error 2:64: UninitializedReadError: x[2] is read, but nobody has written it (kernel copy)|by thread (2,0,0) of block (0,0,0); 6 threads in all|cudaMalloc in line 7 leaves d with whatever was there before|hint: copy something to d first, or cudaMemset it to 0

// case
// output: 3
    put<<<1, 8>>>(d, 3); copy<<<1, 8>>>(d, e);

// case
    put<<<1, 3>>>(d, 3); copy<<<1, 8>>>(d, e);
// error 2:64: UninitializedReadError: x[3] is read, but nobody has written it (kernel copy)|by thread (3,0,0) of block (0,0,0); 5 threads in all|cudaMalloc in line 7 leaves d with whatever was there before|hint: copy something to d first, or cudaMemset it to 0

// case
// output: 3
    put<<<1, 3>>>(d + 5, 3); copy<<<1, 3>>>(d + 5, e);

// case
    put<<<1, 3>>>(d + 5, 3); copy<<<1, 4>>>(d + 4, e);
// error 2:64: UninitializedReadError: x[4] is read, but nobody has written it (kernel copy)|by thread (0,0,0) of block (0,0,0)|cudaMalloc in line 7 leaves d with whatever was there before|hint: copy something to d first, or cudaMemset it to 0

// case
    first<<<1, 8>>>(d, e);
// error 5:77: UninitializedReadError: x[0] is read, but nobody has written it (kernel first)|by thread (0,0,0) of block (0,0,0)|cudaMalloc in line 7 leaves d with whatever was there before|hint: copy something to d first, or cudaMemset it to 0

// case
// output: 1
    put<<<1, 1>>>(d, 1); first<<<1, 8>>>(d, e);

// case
    cudaMemset(d, 0, 12); two<<<1, 1>>>(d, e);
// error 4:102: UninitializedReadError: x[3] is read, but nobody has written it (kernel two)|by thread (0,0,0) of block (0,0,0)|cudaMalloc in line 7 leaves d with whatever was there before|hint: copy something to d first, or cudaMemset it to 0

// case
    count<<<1, 4>>>(d); copy<<<1, 1>>>(d, e);
// error 4:33: UninitializedReadError: x[0] is read, but nobody has written it (kernel count)|by thread (0,0,0) of block (0,0,0); 4 threads in all|cudaMalloc in line 7 leaves d with whatever was there before|hint: copy something to d first, or cudaMemset it to 0

// case
// output: 4
    cudaMemset(d, 0, 4); count<<<1, 4>>>(d); copy<<<1, 1>>>(d, e);

// case
    copy<<<1, 8>>>(d, d); copy<<<1, 8>>>(d, e);
// error 2:64: UninitializedReadError: x[0] is read, but nobody has written it (kernel copy)|by thread (0,0,0) of block (0,0,0); 8 threads in all|cudaMalloc in line 7 leaves d with whatever was there before|hint: copy something to d first, or cudaMemset it to 0

// case
// output: 0
    copy<<<1, 8>>>(d, e); cudaMemset(e, 0, 32);

// case
    copy<<<1, 8>>>(d, e); cudaMemset(e, 0, 31);
// error 2:64: UninitializedReadError: x[0] is read, but nobody has written it (kernel copy)|by thread (0,0,0) of block (0,0,0); 8 threads in all|cudaMalloc in line 7 leaves d with whatever was there before|hint: copy something to d first, or cudaMemset it to 0

// case
// output: 0
    copy<<<1, 8>>>(d, e); cudaMemcpy(e, h, 32, cudaMemcpyHostToDevice);

// case
// output: 0
    cudaMemcpy(d, h, 12, cudaMemcpyHostToDevice); copy<<<1, 3>>>(d, e);

// case
    cudaMemcpy(d, h, 12, cudaMemcpyHostToDevice); copy<<<1, 4>>>(d, e);
// error 2:64: UninitializedReadError: x[3] is read, but nobody has written it (kernel copy)|by thread (3,0,0) of block (0,0,0)|cudaMalloc in line 7 leaves d with whatever was there before|hint: copy something to d first, or cudaMemset it to 0

// case
// output: 0
    cudaMemcpy(d + 4, e, 16, cudaMemcpyDeviceToDevice); copy<<<1, 4>>>(d + 4, e);

// case: a warm-up on whatever is there is no mistake
// output: 0
    copy<<<1, 8>>>(d, d); cudaMemset(d, 0, 32); copy<<<1, 8>>>(d, e);

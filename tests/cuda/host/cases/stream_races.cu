// Two streams that use the same memory are in order, or the program is wrong.
#include <cstdio>
__global__ void twice(int* x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] *= 2; }
__global__ void even(int* x) { x[2 * threadIdx.x] += 1; }
__global__ void odd(int* x) { x[2 * threadIdx.x + 1] += 1; }
__global__ void copy(const int* x, int* y) { y[threadIdx.x] = x[threadIdx.x]; }
__global__ void count(int* x) { atomicAdd(x, 1); }
__device__ int total[64];
__global__ void sum() { total[threadIdx.x] += 1; }
int main() {
    int *h, *g, *d, *e, *m, plain[64];
    cudaMallocHost(&h, 256); cudaMallocHost(&g, 256); cudaMallocManaged(&m, 256);
    cudaMalloc(&d, 256); cudaMalloc(&e, 256);
    for (int i = 0; i < 64; i++) h[i] = g[i] = m[i] = plain[i] = i;
    cudaMemset(d, 0, 256); cudaMemset(e, 0, 256);
    cudaStream_t s, r, n; cudaEvent_t done, more; cudaEventCreate(&done); cudaEventCreate(&more);
    cudaStreamCreate(&s); cudaStreamCreate(&r); cudaStreamCreateWithFlags(&n, cudaStreamNonBlocking);
    cudaDeviceSynchronize();
CASE
    cudaDeviceSynchronize();
    cudaFree(d); cudaFree(e); cudaFree(m); cudaFreeHost(h); cudaFreeHost(g);
    cudaStreamDestroy(s); cudaStreamDestroy(r); cudaStreamDestroy(n); cudaEventDestroy(done); cudaEventDestroy(more);
}

// case: right
    cudaMemcpyAsync(d, h, 256, cudaMemcpyHostToDevice, s);
    twice<<<1, 64, 0, s>>>(d, 64);
    cudaMemcpyAsync(h, d, 256, cudaMemcpyDeviceToHost, s);

// case: right
    cudaMemcpyAsync(d, h, 256, cudaMemcpyHostToDevice, s);
    cudaEventRecord(done, s);
    cudaStreamWaitEvent(r, done, 0);
    twice<<<1, 64, 0, r>>>(d, 64);
    cudaEventRecord(done, r);
    cudaStreamWaitEvent(s, done, 0);
    cudaMemcpyAsync(h, d, 256, cudaMemcpyDeviceToHost, s);

// case: right
    cudaMemcpyAsync(d, h, 256, cudaMemcpyHostToDevice, s);
    cudaStreamSynchronize(s);
    twice<<<1, 64, 0, r>>>(d, 64);

// case: right
    cudaMemcpyAsync(d, h, 256, cudaMemcpyHostToDevice, s);
    cudaEventRecord(done, s);
    cudaEventSynchronize(done);
    twice<<<1, 64, 0, r>>>(d, 64);

// case: right
    cudaMemcpyAsync(d, h, 256, cudaMemcpyHostToDevice, s);
    cudaDeviceSynchronize();
    twice<<<1, 64, 0, r>>>(d, 64);
    cudaDeviceSynchronize();
    cudaMemcpyAsync(h, d, 256, cudaMemcpyDeviceToHost, s);

// case: right
    cudaMemcpyAsync(d, h, 256, cudaMemcpyHostToDevice, s);
    twice<<<1, 64, 0, 0>>>(d, 64);
    cudaMemcpyAsync(h, d, 256, cudaMemcpyDeviceToHost, r);

// case: right
    cudaMemcpyAsync(d, h, 256, cudaMemcpyHostToDevice, n);
    cudaEventRecord(done, n);
    cudaStreamWaitEvent(0, done, 0);
    twice<<<1, 64, 0, 0>>>(d, 64);

// case: right
    twice<<<1, 64, 0, s>>>(d, 64);
    cudaMemcpyAsync(e, g, 256, cudaMemcpyHostToDevice, r);

// case: right
    copy<<<1, 64, 0, s>>>(d, e); copy<<<1, 64, 0, r>>>(d, m);

// case: right
    twice<<<1, 32, 0, s>>>(d, 32); twice<<<1, 32, 0, r>>>(d + 32, 32);

// case: right
    even<<<1, 32, 0, s>>>(d); odd<<<1, 32, 0, r>>>(d);

// case: right
    count<<<1, 64, 0, s>>>(d); count<<<2, 64, 0, r>>>(d);

// case: right
    cudaMemcpyAsync(d, h, 128, cudaMemcpyHostToDevice, s);
    cudaMemcpyAsync(d + 32, h + 32, 128, cudaMemcpyHostToDevice, r);

// case: right
    cudaMemcpyAsync(d, h, 256, cudaMemcpyHostToDevice, s);
    cudaMemcpyAsync(e, h, 256, cudaMemcpyHostToDevice, r);

// case: right
    sum<<<1, 64, 0, s>>>(); cudaStreamSynchronize(s); sum<<<1, 64, 0, r>>>();

// case: right
    cudaMemsetAsync(d, 0, 256, s); cudaEventRecord(done, s); cudaStreamWaitEvent(r, done, 0);
    twice<<<1, 64, 0, r>>>(d, 64);

// case: right
    cudaMemcpyAsync(d, h, 256, cudaMemcpyHostToDevice, s);
    cudaEventRecord(done, s);
    cudaStreamWaitEvent(r, done, 0);
    cudaEventRecord(more, r); cudaStreamWaitEvent(n, more, 0);
    twice<<<1, 64, 0, n>>>(d, 64);

// case: right
    cudaMemcpyAsync(d, plain, 256, cudaMemcpyHostToDevice, s);
    twice<<<1, 64, 0, s>>>(d, 64);

// case: right
    cudaMemcpyAsync(d + 0, h + 0, 16 * sizeof(int), cudaMemcpyHostToDevice, s);
    twice<<<1, 16, 0, s>>>(d + 0, 16);
    cudaMemcpyAsync(h + 0, d + 0, 16 * sizeof(int), cudaMemcpyDeviceToHost, s);
    cudaMemcpyAsync(d + 16, h + 16, 16 * sizeof(int), cudaMemcpyHostToDevice, r);
    twice<<<1, 16, 0, r>>>(d + 16, 16);
    cudaMemcpyAsync(h + 16, d + 16, 16 * sizeof(int), cudaMemcpyDeviceToHost, r);
    cudaMemcpyAsync(d + 32, h + 32, 16 * sizeof(int), cudaMemcpyHostToDevice, s);
    twice<<<1, 16, 0, s>>>(d + 32, 16);
    cudaMemcpyAsync(h + 32, d + 32, 16 * sizeof(int), cudaMemcpyDeviceToHost, s);
    cudaMemcpyAsync(d + 48, h + 48, 16 * sizeof(int), cudaMemcpyHostToDevice, r);
    twice<<<1, 16, 0, r>>>(d + 48, 16);
    cudaMemcpyAsync(h + 48, d + 48, 16 * sizeof(int), cudaMemcpyDeviceToHost, r);

// case: right
    twice<<<1, 64, 0, s>>>(m, 64); cudaEventRecord(done, s); cudaStreamWaitEvent(r, done, 0);
    twice<<<1, 64, 0, r>>>(m, 64);

// case
    cudaMemcpyAsync(d, h, 256, cudaMemcpyHostToDevice, s);
    twice<<<1, 64, 0, r>>>(d, 64);
//  ^ kernel twice in stream 2 uses d before the copy of line 19 in stream 1 is done|line 19 changes d, line 20 changes it, and nothing orders the two|hint: record an event after line 19, and let stream 2 wait for it before line 20: cudaStreamWaitEvent(stream, event)
    cudaMemcpyAsync(h, d, 256, cudaMemcpyDeviceToHost, s);

// case
    twice<<<1, 64, 0, s>>>(d, 64);
    cudaMemcpyAsync(h, d, 256, cudaMemcpyDeviceToHost, r);
//  ^ the copy in stream 2 uses d before kernel twice of line 19 in stream 1 is done|line 19 changes d, line 20 reads it, and nothing orders the two|hint: record an event after line 19, and let stream 2 wait for it before line 20: cudaStreamWaitEvent(stream, event)

// case
    twice<<<1, 64, 0, s>>>(d, 64);
    twice<<<1, 64, 0, r>>>(d, 64);
//  ^ kernel twice in stream 2 uses d before kernel twice of line 19 in stream 1 is done|line 19 changes d, line 20 changes it, and nothing orders the two|hint: record an event after line 19, and let stream 2 wait for it before line 20: cudaStreamWaitEvent(stream, event)

// case
    cudaEventRecord(done, s);
    cudaMemcpyAsync(d, h, 256, cudaMemcpyHostToDevice, s);
    cudaStreamWaitEvent(r, done, 0);
    twice<<<1, 64, 0, r>>>(d, 64);
//  ^ kernel twice in stream 2 uses d before the copy of line 20 in stream 1 is done|line 20 changes d, line 22 changes it, and nothing orders the two|hint: record an event after line 20, and let stream 2 wait for it before line 22: cudaStreamWaitEvent(stream, event)

// case
    cudaMemcpyAsync(d, h, 256, cudaMemcpyHostToDevice, s);
    cudaEventRecord(done, s);
    twice<<<1, 64, 0, r>>>(d, 64);
//  ^ kernel twice in stream 2 uses d before the copy of line 19 in stream 1 is done|line 19 changes d, line 21 changes it, and nothing orders the two|hint: record an event after line 19, and let stream 2 wait for it before line 21: cudaStreamWaitEvent(stream, event)
    cudaStreamWaitEvent(r, done, 0);

// case
    cudaMemcpyAsync(d, h, 256, cudaMemcpyHostToDevice, s);
    cudaEventRecord(done, r);
    cudaStreamWaitEvent(s, done, 0);
    twice<<<1, 64, 0, r>>>(d, 64);
//  ^ kernel twice in stream 2 uses d before the copy of line 19 in stream 1 is done|line 19 changes d, line 22 changes it, and nothing orders the two|hint: record an event after line 19, and let stream 2 wait for it before line 22: cudaStreamWaitEvent(stream, event)

// case
    cudaMemcpyAsync(d, h, 256, cudaMemcpyHostToDevice, s);
    cudaStreamWaitEvent(r, done, 0);
    twice<<<1, 64, 0, r>>>(d, 64);
//  ^ kernel twice in stream 2 uses d before the copy of line 19 in stream 1 is done|line 19 changes d, line 21 changes it, and nothing orders the two|hint: record an event after line 19, and let stream 2 wait for it before line 21: cudaStreamWaitEvent(stream, event)

// case
    cudaMemcpyAsync(d, h, 256, cudaMemcpyHostToDevice, s);
    cudaStreamSynchronize(r);
    twice<<<1, 64, 0, r>>>(d, 64);
//  ^ kernel twice in stream 2 uses d before the copy of line 19 in stream 1 is done|line 19 changes d, line 21 changes it, and nothing orders the two|hint: record an event after line 19, and let stream 2 wait for it before line 21: cudaStreamWaitEvent(stream, event)

// case
    cudaMemcpyAsync(d, h, 256, cudaMemcpyHostToDevice, n);
    twice<<<1, 64, 0, 0>>>(d, 64);
//  ^ kernel twice in default stream uses d before the copy of line 19 in stream 3 is done|line 19 changes d, line 20 changes it, and nothing orders the two|hint: record an event after line 19, and let default stream wait for it before line 20: cudaStreamWaitEvent(stream, event)

// case
    twice<<<1, 64, 0, 0>>>(d, 64);
    cudaMemcpyAsync(d, h, 256, cudaMemcpyHostToDevice, n);
//  ^ the copy in stream 3 uses d before kernel twice of line 19 in default stream is done|line 19 changes d, line 20 changes it, and nothing orders the two|hint: record an event after line 19, and let stream 3 wait for it before line 20: cudaStreamWaitEvent(stream, event)

// case
    copy<<<1, 64, 0, s>>>(d, e); copy<<<1, 64, 0, r>>>(e, m);
//                               ^ kernel copy in stream 2 uses e before kernel copy of line 19 in stream 1 is done|line 19 changes e, line 19 reads it, and nothing orders the two|hint: record an event after line 19, and let stream 2 wait for it before line 19: cudaStreamWaitEvent(stream, event)

// case
    copy<<<1, 64, 0, s>>>(d, e); copy<<<1, 64, 0, r>>>(m, d);
//                               ^ kernel copy in stream 2 uses d before kernel copy of line 19 in stream 1 is done|line 19 reads d, line 19 changes it, and nothing orders the two|hint: record an event after line 19, and let stream 2 wait for it before line 19: cudaStreamWaitEvent(stream, event)

// case
    twice<<<1, 33, 0, s>>>(d, 33); twice<<<1, 32, 0, r>>>(d + 32, 32);
//                                 ^ kernel twice in stream 2 uses d before kernel twice of line 19 in stream 1 is done|line 19 changes d, line 19 changes it, and nothing orders the two|hint: record an event after line 19, and let stream 2 wait for it before line 19: cudaStreamWaitEvent(stream, event)

// case
    even<<<1, 32, 0, s>>>(d); twice<<<1, 64, 0, r>>>(d, 64);
//                            ^ kernel twice in stream 2 uses d before kernel even of line 19 in stream 1 is done|line 19 changes d, line 19 changes it, and nothing orders the two|hint: record an event after line 19, and let stream 2 wait for it before line 19: cudaStreamWaitEvent(stream, event)

// case
    count<<<1, 64, 0, s>>>(d); twice<<<1, 64, 0, r>>>(d, 64);
//                             ^ kernel twice in stream 2 uses d before kernel count of line 19 in stream 1 is done|line 19 changes d, line 19 changes it, and nothing orders the two|hint: record an event after line 19, and let stream 2 wait for it before line 19: cudaStreamWaitEvent(stream, event)

// case
    cudaMemcpyAsync(d, h, 256, cudaMemcpyHostToDevice, s);
    cudaMemcpyAsync(d, g, 256, cudaMemcpyHostToDevice, r);
//  ^ the copy in stream 2 uses d before the copy of line 19 in stream 1 is done|line 19 changes d, line 20 changes it, and nothing orders the two|hint: record an event after line 19, and let stream 2 wait for it before line 20: cudaStreamWaitEvent(stream, event)

// case
    cudaMemcpyAsync(h, d, 256, cudaMemcpyDeviceToHost, s);
    cudaMemcpyAsync(e, h, 256, cudaMemcpyHostToDevice, r);
//  ^ the copy in stream 2 uses h before the copy of line 19 in stream 1 is done|line 19 changes h, line 20 reads it, and nothing orders the two|hint: record an event after line 19, and let stream 2 wait for it before line 20: cudaStreamWaitEvent(stream, event)

// case
    sum<<<1, 64, 0, s>>>(); sum<<<1, 64, 0, r>>>();
//                          ^ kernel sum in stream 2 uses total before kernel sum of line 19 in stream 1 is done|line 19 changes total, line 19 changes it, and nothing orders the two|hint: record an event after line 19, and let stream 2 wait for it before line 19: cudaStreamWaitEvent(stream, event)

// case
    cudaMemsetAsync(d, 0, 256, s);
    twice<<<1, 64, 0, r>>>(d, 64);
//  ^ kernel twice in stream 2 uses d before the memset of line 19 in stream 1 is done|line 19 changes d, line 20 changes it, and nothing orders the two|hint: record an event after line 19, and let stream 2 wait for it before line 20: cudaStreamWaitEvent(stream, event)

// case
    twice<<<1, 64, 0, s>>>(m, 64); twice<<<1, 64, 0, r>>>(m, 64);
//                                 ^ kernel twice in stream 2 uses m before kernel twice of line 19 in stream 1 is done|line 19 changes m, line 19 changes it, and nothing orders the two|hint: record an event after line 19, and let stream 2 wait for it before line 19: cudaStreamWaitEvent(stream, event)

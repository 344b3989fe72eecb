// The host waits for what the GPU still does.
__global__ void two(const int* x, int* y) { y[0] = x[0]; y[1] = x[1]; }
int main() { int *d, *p, *m, *n, h[1] = {1}; cudaStream_t s; cudaStreamCreate(&s); cudaMalloc(&d, 40);
cudaMallocHost(&p, 44); cudaMallocManaged(&m, 40); cudaMallocManaged(&n, 40); memset(p, 0, 44); memset(n, 0, 40);
cudaMemcpyAsync(d, p, 40, cudaMemcpyHostToDevice, s);
two<<<1, 1, 0, s>>>(d, m);
cudaMemset(n, 0, 4);
cudaMemsetAsync(n + 5, 0, 8, s);

CASE
 }

// case
    p[9] = 1;
//       ^ p is written before the copy of line 5 in stream 1 is done|the copy reads it, and the host does not wait for it by itself|hint: wait first: cudaDeviceSynchronize(), or cudaStreamSynchronize(stream)

// case
    m[0] = 1;
//       ^ m is written before kernel two of line 6 in stream 1 is done|kernel two writes it, and the host does not wait for it by itself|hint: wait first: cudaDeviceSynchronize(), or cudaStreamSynchronize(stream)

// case
    int x = m[1];
//      ^ m is read before kernel two of line 6 in stream 1 is done|kernel two writes it, and the host does not wait for it by itself|hint: wait first: cudaDeviceSynchronize(), or cudaStreamSynchronize(stream)

// case
    int x = m[9];
//      ^ m is read before kernel two of line 6 in stream 1 is done|kernel two writes it, and the host does not wait for it by itself|hint: wait first: cudaDeviceSynchronize(), or cudaStreamSynchronize(stream)

// case
    n[0] = 1;
//       ^ n is written before the memset of line 7 in default stream is done|the memset writes it, and the host does not wait for it by itself|hint: wait first: cudaDeviceSynchronize(), or cudaStreamSynchronize(stream)

// case
    memcpy(h, m, 4);
//  ^ m is read before kernel two of line 6 in stream 1 is done|kernel two writes it, and the host does not wait for it by itself|hint: wait first: cudaDeviceSynchronize(), or cudaStreamSynchronize(stream)

// case
    memcpy(m, h, 4);
//  ^ m is written before kernel two of line 6 in stream 1 is done|kernel two writes it, and the host does not wait for it by itself|hint: wait first: cudaDeviceSynchronize(), or cudaStreamSynchronize(stream)

// case
    int x = n[5];
//      ^ n is read before the memset of line 8 in stream 1 is done|the memset writes it, and the host does not wait for it by itself|hint: wait first: cudaDeviceSynchronize(), or cudaStreamSynchronize(stream)

// case
    int x = n[6];
//      ^ n is read before the memset of line 8 in stream 1 is done|the memset writes it, and the host does not wait for it by itself|hint: wait first: cudaDeviceSynchronize(), or cudaStreamSynchronize(stream)

// case
// note: line 3: 40 bytes of d are never freed; write cudaFree(d);
// note: line 4: 44 bytes of p are never freed; write cudaFreeHost(p);
// note: line 4: 40 bytes of m are never freed; write cudaFree(m);
// note: line 4: 40 bytes of n are never freed; write cudaFree(n);
    int x = p[9]; x = n[2]; p[10] = 1; n[1] = 5; n[4] = x; n[7] = x; cudaStreamSynchronize(s);
    p[9] = m[0];

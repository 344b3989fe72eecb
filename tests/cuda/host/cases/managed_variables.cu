// __managed__ variables are memory of both sides; the host must wait for kernels that change them.
#include <cstdio>
struct Point { float x, y; };
__managed__ float data[100];
__device__ __managed__ int count = 3;
__managed__ Point point = {1, 2};
__managed__ int only = 0;
__device__ void add(int* c) { atomicAdd(c, 1); }
__global__ void kernel(int n) {
    int i = threadIdx.x;
    if (i < n) { data[i] *= 2; add(&count); }
    if (i == 0) point.x += only;
}
void start(float* d, int n) { for (int i = 0; i < n; i++) d[i] = i; }
int main() {
    start(data, 100);
    only = 5;
    kernel<<<1, 128>>>(100);
CASE
}

// case
// output: 9900 103 8
    cudaDeviceSynchronize(); float s = 0; for (float x : data) s += x;
    printf("%g %d %g", s, count, point.x + point.y);

// case
// output: 5
    printf("%d", only);

// case
// output: 103
    int h; cudaMemcpyFromSymbol(&h, count, sizeof(int)); printf("%d", h);

// case
// output: 103 1
    int* p; cudaGetSymbolAddress((void**)&p, count); cudaDeviceSynchronize();
    printf("%d %d", *p, p == &count);

// case
    printf("%d", count);
//  ^ count is read before kernel kernel of line 18 in default stream is done|kernel kernel writes it, and the host does not wait for it by itself|hint: wait first: cudaDeviceSynchronize(), or cudaStreamSynchronize(stream)

// case
    data[3] = 0;
//          ^ data is written before kernel kernel of line 18 in default stream is done|kernel kernel writes it, and the host does not wait for it by itself|hint: wait first: cudaDeviceSynchronize(), or cudaStreamSynchronize(stream)

// case
    point.x = 0;
//          ^ point is written before kernel kernel of line 18 in default stream is done|kernel kernel writes it, and the host does not wait for it by itself|hint: wait first: cudaDeviceSynchronize(), or cudaStreamSynchronize(stream)

// case
    only = 0;
//       ^ only is written before kernel kernel of line 18 in default stream is done|kernel kernel reads it, and the host does not wait for it by itself|hint: wait first: cudaDeviceSynchronize(), or cudaStreamSynchronize(stream)

// case
    cudaDeviceSynchronize(); for (int i = 0; i <= 100; i++) data[i] = 0;
//                                                                  ^ data[100] is written, but data has 100 elements of 4 bytes|it has 400 bytes, since line 4|hint: work out by hand which index the last iteration of the loop uses

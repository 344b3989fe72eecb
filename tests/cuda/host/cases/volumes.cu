// Arrays of three axes.
#include <cstdio>
__global__ void number(cudaPitchedPtr p, int w, int h, int d) {
    for (int z = 0; z < d; z++)
        for (int y = 0; y < h; y++) {
            float* row = (float*)((char*)p.ptr + (z * h + y) * p.pitch);
            for (int x = 0; x < w; x++) row[x] = 100 * z + 10 * y + x;
        }
}
int main() {
    cudaExtent extent = make_cudaExtent(3 * sizeof(float), 2, 2);
    cudaPitchedPtr p;
    cudaMalloc3D(&p, extent);
    cudaMemset3D(p, 0, extent);
    CASE
    cudaMemcpy3DParms copy = {0};
    copy.srcPtr = p;
    copy.dstPtr = make_cudaPitchedPtr(h, 3 * sizeof(float), 3, 2);
    copy.extent = extent;
    copy.kind = cudaMemcpyDeviceToHost;
    number<<<1, 1>>>(p, 3, 2, 2);
    cudaMemcpy3D(&copy);
    for (float x : h) printf("%g ", x);
    copy.srcPos = make_cudaPos(sizeof(float), 1, 1);
    copy.extent = make_cudaExtent(2 * sizeof(float), 1, 1);
    cudaMemcpy3D(&copy);
    printf("%g %g", h[0], h[1]);
    cudaFree(p.ptr);
}

// case
// output: 0 1 2 10 11 12 100 101 102 110 111 112 111 112
float h[12];

// case
float h[11];
// error 22:5: 24 bytes are written, past the end of h|h has 44 bytes, 20 from there on|hint: compare the number of bytes with what was allocated

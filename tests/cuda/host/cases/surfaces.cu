// A surface of three axes is written, and read as a texture.
#include <cstdio>
__global__ void write(cudaSurfaceObject_t s) {
    int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    surf3Dwrite(x + 10 * y + 100 * z, s, x * sizeof(int), y, z MODE);
}
__global__ void read(cudaTextureObject_t t, int* x) { x[threadIdx.x] = tex3D<int>(t, 1.5f, threadIdx.x, 1.0f); }
int main() {
    cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaArray* array;
    cudaMalloc3DArray(&array, &format, make_cudaExtent(4, 3, 2), cudaArraySurfaceLoadStore);
    cudaResourceDesc resource = {cudaResourceTypeArray};
    resource.res.array.array = array;
    cudaSurfaceObject_t surface;
    cudaCreateSurfaceObject(&surface, &resource);
    write<<<1, dim3(4, THREADS, 2)>>>(surface);
    cudaTextureDesc how = {};
    cudaTextureObject_t texture;
    cudaCreateTextureObject(&texture, &resource, &how);
    int h[24], *d;
    cudaMalloc(&d, 3 * sizeof(int));
    read<<<1, 3>>>(texture, d);
    cudaMemcpy(h, d, 3 * sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d %d %d\n", h[0], h[1], h[2]);
    cudaMemcpy3DParms copy = {};
    copy.srcArray = array;
    copy.dstPtr = make_cudaPitchedPtr(h, 4 * sizeof(int), 4, 3);
    copy.extent = make_cudaExtent(4, 3, 2);
    copy.kind = cudaMemcpyDeviceToHost;
    cudaMemcpy3D(&copy);
    for (int i = 0; i < 24; i++) printf("%d ", h[i]);
    cudaDestroySurfaceObject(surface); cudaDestroyTextureObject(texture); cudaFreeArray(array); cudaFree(d);
}
CASE

// case: three rows of threads
// options: -DTHREADS=3 -DMODE=
// output: "101 111 121\n0 1 2 3 10 11 12 13 20 21 22 23 100 101 102 103 110 111 112 113 120 121 122 123 "


// case
// options: -DTHREADS=5 -DMODE=,cudaBoundaryModeZero
// output: "101 111 121\n0 1 2 3 10 11 12 13 20 21 22 23 100 101 102 103 110 111 112 113 120 121 122 123 "


// case: a surface ends the kernel beyond its edge
// options: -DTHREADS=5 -DMODE=

// error 5:5: OutOfBoundsError: out-of-bounds write to made.data[96] (kernel write)|by thread (0,3,0) of block (0,0,0); 16 threads in all|made.data has 96 elements, made.data[0] to made.data[95]; this access takes 4 at once, from made.data[96] on|hint: work out by hand which element this thread should take: guard threads that have none, and rows and columns that are too large

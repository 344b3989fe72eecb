// What a program finds of its GPU, the simulated T4.
struct Two { int a; float b; };
__global__ void tile(int* x) {
    __shared__ float s[32][32]; __shared__ double t[4]; extern __shared__ char u[]; x[0] = 1;
}
__global__ void first(int* x) { x[0]++; }
__global__ void none() { }
__global__ void put(int* x, int v) { x[0] = v; }
__global__ void given(int* x, int* none, Two t, float2 v, bool b, short s) {
    x[0] = none == NULL;
    x[1] = -t.a * 100 + t.b * 2 + v.x + v.y * 4 + b + s;
}
int main() {
CASE
}

// case
    { cudaDeviceProp p; cudaGetDeviceProperties(&p, 0);
    printf("%s|%zu %zu %zu %zu %zu %zu", p.name, p.totalGlobalMem >> 20, p.sharedMemPerBlock, p.memPitch, p.totalConstMem, p.textureAlignment, p.sharedMemPerMultiprocessor);
    puts(""); }
    //  prints: Tesla T4 (simulated)|15360 49152 2147483647 65536 512 65536
    { cudaDeviceProp p; cudaGetDeviceProperties(&p, 0);
    printf("%d %d %d %d %d %d %d %d %d", p.regsPerBlock, p.warpSize, p.maxThreadsPerBlock, p.maxThreadsDim[0], p.maxThreadsDim[2], p.maxGridSize[0], p.maxGridSize[2], p.clockRate, p.regsPerMultiprocessor);
    puts(""); }
    //  prints: 65536 32 1024 1024 64 2147483647 65535 1590000 65536
    { cudaDeviceProp p; cudaGetDeviceProperties(&p, 0);
    printf("%d.%d %d %d %d %d %d %d %d %d %d", p.major, p.minor, p.deviceOverlap, p.multiProcessorCount, p.kernelExecTimeoutEnabled, p.canMapHostMemory, p.concurrentKernels, p.ECCEnabled, p.pciBusID, p.asyncEngineCount, p.unifiedAddressing);
    puts(""); }
    //  prints: 7.5 1 40 0 1 1 0 0 3 1
    { cudaDeviceProp p; cudaGetDeviceProperties(&p, 0);
    printf("%d %d %d %d %d %d %d %d %d %d", p.memoryClockRate, p.memoryBusWidth, p.l2CacheSize, p.maxThreadsPerMultiProcessor, p.streamPrioritiesSupported, p.globalL1CacheSupported, p.localL1CacheSupported, p.managedMemory, p.concurrentManagedAccess, p.cooperativeLaunch);
    puts(""); }
    //  prints: 5001000 256 4194304 1024 1 1 1 1 1 1
    { cudaDeviceProp p; cudaGetDeviceProperties(&p, 0);
    printf("%d %d %d %d %d %d %d %d %d %zu", p.maxBlocksPerMultiProcessor, p.maxTexture1D, p.maxTexture2D[0], p.maxTexture2D[1], p.maxTexture3D[2], p.maxTexture1DLayered[0], p.maxTexture1DLayered[1], p.maxTexture2DLayered[1], p.maxTexture2DLayered[2], p.sharedMemPerBlockOptin);
    puts(""); }
    //  prints: 16 131072 131072 65536 16384 32768 2048 32768 2048 65536
    { cudaDeviceProp p; int n = 7, d = 7; printf("%d ", cudaGetDeviceProperties(&p, 1));
    printf("%d ", cudaGetLastError()); cudaGetDeviceCount(&n); cudaGetDevice(&d);
    printf("%d %d ", n, d); d = 7; cudaChooseDevice(&d, &p); printf("%d ", d);
    printf("%d ", cudaSetDevice(0)); printf("%d ", cudaSetDevice(1));
    printf("%d ", cudaPeekAtLastError());
    printf("%d %d", cudaGetLastError(), cudaGetLastError()); puts(""); }
    //  prints: 101 101 1 0 0 0 101 101 101 0
    { int v[8]; cudaDeviceGetAttribute(v, cudaDevAttrMaxThreadsPerBlock, 0);
    cudaDeviceGetAttribute(v + 1, cudaDevAttrMaxSharedMemoryPerBlock, 0);
    cudaDeviceGetAttribute(v + 2, cudaDevAttrWarpSize, 0);
    cudaDeviceGetAttribute(v + 3, cudaDevAttrClockRate, 0);
    cudaDeviceGetAttribute(v + 4, cudaDevAttrMultiProcessorCount, 0);
    cudaDeviceGetAttribute(v + 5, cudaDevAttrComputeCapabilityMajor, 0);
    cudaDeviceGetAttribute(v + 6, cudaDevAttrComputeCapabilityMinor, 0);
    cudaDeviceGetAttribute(v + 7, cudaDevAttrConcurrentManagedAccess, 0);
    for (int i = 0; i < 8; i++) printf("%d ", v[i]); puts(""); }
    //  prints: 1024 49152 32 1590000 40 7 5 1
    { int a, b; cudaDriverGetVersion(&a); cudaRuntimeGetVersion(&b);
    printf("%d %d %d", a, b, CUDART_VERSION); puts(""); }
    //  prints: 12000 12000 12000
    { int a, b; cudaDeviceGetStreamPriorityRange(&a, &b); printf("%d %d", a, b); puts(""); }
    //  prints: 0 -5
    { cudaFuncAttributes a; cudaFuncGetAttributes(&a, tile);
    printf("%zu %zu %d %d %d %d %d", a.sharedSizeBytes, a.localSizeBytes, a.maxThreadsPerBlock, a.numRegs, a.ptxVersion, a.binaryVersion, a.maxDynamicSharedSizeBytes);
    puts(""); }
    //  prints: 4128 0 1024 32 75 75 0
    { int n; for (int t = 0; t < 1100; t += 256) {
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, tile, t, 0); printf("%d ", n); }
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, tile, 1, 0); printf("%d ", n);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, tile, 64, 20000); printf("%d", n);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, tile, 64, 65536); printf(" %d", n);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, tile, 64, 65537); printf(" %d", n);
    puts(""); }
    //  prints: 0 4 2 1 1 16 3 1 0
    { int g, b; cudaOccupancyMaxPotentialBlockSize(&g, &b, tile, 0, 0); printf("%d %d ", g, b);
    cudaOccupancyMaxPotentialBlockSize(&g, &b, tile, 0, 300); printf("%d %d ", g, b);
    cudaOccupancyMaxPotentialBlockSize(&g, &b, tile, 40000, 0); printf("%d %d ", g, b);
    cudaOccupancyMaxPotentialBlockSize(&g, &b, tile, 0, 20); printf("%d %d ", g, b);
    cudaOccupancyMaxPotentialBlockSize(&g, &b, tile, 65537, 0); printf("%d %d", g, b); puts(""); }
    //  prints: 40 1024 160 256 40 1024 640 20 0 0
    { size_t f, t; float* d; cudaMalloc(&d, 4096); cudaMemGetInfo(&f, &t);
    printf("%zu %zu ", f, t); cudaFree(d); cudaMemGetInfo(&f, &t); printf("%d", f == t);
    puts(""); }
    //  prints: 16106123264 16106127360 1
    { float* d; size_t p; for (int w = 1; w < 1100; w += 511) { cudaMallocPitch(&d, &p, w, 3);
    printf("%zu ", p); cudaFree(d); } puts(""); }
    //  prints: 512 512 1024
    {
    for (int e = 0; e < 1000; e++) if (strcmp(cudaGetErrorName((cudaError_t)e), "unrecognized error code")) printf("%d %s: %s|", e, cudaGetErrorName((cudaError_t)e), cudaGetErrorString((cudaError_t)e));
    puts(""); }
    //  prints: 0 cudaSuccess: no error|1 cudaErrorInvalidValue: invalid argument|2 cudaErrorMemoryAllocation: out of memory|3 cudaErrorInitializationError: initialization error|9 cudaErrorInvalidConfiguration: invalid configuration argument|13 cudaErrorInvalidSymbol: invalid device symbol|17 cudaErrorInvalidDevicePointer: invalid device pointer|21 cudaErrorInvalidMemcpyDirection: invalid copy direction for memcpy|100 cudaErrorNoDevice: no CUDA-capable device is detected|101 cudaErrorInvalidDevice: invalid device ordinal|400 cudaErrorInvalidResourceHandle: invalid resource handle|600 cudaErrorNotReady: device not ready|700 cudaErrorIllegalAddress: an illegal memory access was encountered|701 cudaErrorLaunchOutOfResources: too many resources requested for launch|702 cudaErrorLaunchTimeout: the launch timed out and was terminated|710 cudaErrorAssert: device-side assert triggered|719 cudaErrorLaunchFailure: unspecified launch failure|720 cudaErrorCooperativeLaunchTooLarge: too many blocks in cooperative launch|801 cudaErrorNotSupported: operation not supported|999 cudaErrorUnknown: unknown error|
    {
    printf("%d %d %d %d %d %d %d %d %d %d ", cudaSuccess, cudaErrorInvalidValue, cudaErrorMemoryAllocation, cudaErrorInitializationError, cudaErrorInvalidConfiguration, cudaErrorInvalidSymbol, cudaErrorInvalidDevicePointer, cudaErrorInvalidMemcpyDirection, cudaErrorNoDevice, cudaErrorInvalidDevice);
    printf("%d %d %d %d %d %d %d %d %d", cudaErrorInvalidResourceHandle, cudaErrorNotReady, cudaErrorIllegalAddress, cudaErrorLaunchOutOfResources, cudaErrorLaunchTimeout, cudaErrorAssert, cudaErrorLaunchFailure, cudaErrorNotSupported, cudaErrorUnknown);
    puts(""); }
    //  prints: 0 1 2 3 9 13 17 21 100 101 400 600 700 701 702 710 719 801 999
    { for (int i = 0, v; i < 130; i++) { cudaDeviceGetAttribute(&v, (cudaDeviceAttr)i, 0);
    if (v) printf("%d:%d ", i, v); } puts(""); }
    //  prints: 1:1024 2:1024 3:1024 4:64 5:2147483647 6:65535 7:65535 8:49152 9:65536 10:32 12:65536 13:1590000 16:40 19:1 31:1 36:5001000 37:256 38:4194304 39:1024 40:3 41:1 75:7 76:5 81:65536 82:65536 83:1 89:1 95:1 97:65536 115:1
    {
    printf("%s|%s", cudaGetErrorName((cudaError_t)12345), cudaGetErrorString((cudaError_t)12345));
    puts(""); }
    //  prints: unrecognized error code|unrecognized error code
    { int* h = (int*)malloc(8); int *d, x; cudaHostRegister(h, 8, 0); h[0] = 3;
    cudaHostGetDevicePointer(&d, h, 0); first<<<1, 1>>>(d); cudaDeviceSynchronize();
    printf("%d %d ", h[0], h == d); cudaHostUnregister(h); free(h);
    cudaHostAlloc(&h, 8, cudaHostAllocMapped); h[0] = 1; first<<<1, 1>>>(h);
    cudaDeviceSynchronize(); printf("%d", h[0]); cudaFreeHost(h); cudaFree(NULL); free(NULL);
    cudaFreeHost(NULL); puts(""); }
    //  prints: 4 1 2
    { int *h = (int*)calloc(3, 4), s = 0; h = (int*)realloc(h, 2); h = (int*)realloc(h, 20);
    unsigned char* c = (unsigned char*)h; for (int i = 0; i < 2; i++) s += c[i];
    printf("%d", s); free(h); puts(""); }
    //  prints: 0
    { int v = 5, n = 1, *d; cudaMalloc(&d, 4); void* a[] = {&d, &v};
    printf("%d ", cudaLaunchKernel((void*)put, dim3(1), dim3(1), a, 0, 0));
    cudaMemcpy(&n, d, 4, cudaMemcpyDeviceToHost); printf("%d ", n);
    printf("%d ", cudaLaunchKernel((void*)put, dim3(1), dim3(2000), a, 0, 0));
    printf("%d", cudaGetLastError()); cudaFree(d); puts(""); }
    //  prints: 0 5 9 9
    { int v[2] = {1, 2}, *d; cudaMalloc(&d, 8); cudaMemcpy(d, v, 8, cudaMemcpyHostToDevice);
    Two t = {7, 0.5f}; given<<<1, 1>>>(d, NULL, t, make_float2(1, 2), true, -3);
    cudaMemcpy(v, d, 8, cudaMemcpyDeviceToHost); printf("%d %d", v[0], v[1]); cudaFree(d);
    puts(""); }
    //  prints: 1 -692
    { int v[2] = {1, 2}, *d, *none = NULL; cudaMalloc(&d, 8); Two t = {7, 0.5f};
    float2 w = make_float2(1, 2); bool b = true; short s = -3; void* a[] = {
    &d, &none, &t, &w, &b, &s}; cudaLaunchKernel((void*)given, dim3(1), dim3(1), a, 0, 0);
    cudaMemcpy(v, d, 8, cudaMemcpyDeviceToHost); printf("%d %d", v[0], v[1]); cudaFree(d);
    puts(""); }
    //  prints: 1 -692
    { int v = 5, n = 1, *d; cudaMalloc(&d, 4); void* a[] = {&d, &v};
    cudaLaunchKernel((void*)put, 1, 1, a); cudaMemcpy(&n, d, 4, cudaMemcpyDeviceToHost);
    dim3 two; two = 2; printf("%d %d %d", n, two.x, two.y); cudaFree(d); puts(""); }
    //  prints: 5 2 1
    { none<<<1, 1024>>>(); none<<<1, dim3(1, 1024)>>>(); none<<<1, dim3(2, 1, 64)>>>();
    none<<<dim3(1, 1, 65535), 1>>>(); printf("%d", cudaGetLastError());
    none<<<1, dim3(1, 1, 65)>>>(); printf(" %d", cudaGetLastError());
    none<<<1, dim3(512, 3)>>>(); printf(" %d", cudaGetLastError()); puts(""); }
    //  prints: 0 9 9

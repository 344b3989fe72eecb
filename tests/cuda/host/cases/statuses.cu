// Where nothing is wrong, every function of the CUDA runtime and of cuRAND says so with status 0.
CASE

// case
// output: 107 done
    #include <cstdio>
    #include <curand.h>
    #include <cuda_profiler_api.h>
    #define OK(call) { int status = (int)(call); if (status) printf("%s: %d\n", #call, status); done++; }
    __device__ float factor = 2;
    __global__ void scale(float* x) { x[threadIdx.x] *= factor; }
    __global__ void together(float* x) { x[threadIdx.x] += 1; }
    void shout(void*) {}
    void CUDART_CB told(cudaStream_t, cudaError_t, void*) {}
    int main() {
    int done = 0, n = 0, m = 0; unsigned flags; size_t pitch, count, more;
    float ms, *x, *y, *p, *host = (float*)calloc(64, 4), *pinned, *mapped, *managed;
    OK(cudaGetDeviceCount(&n)) OK(cudaSetDevice(0)) OK(cudaGetDevice(&n)) OK(cudaSetDeviceFlags(0))
    cudaDeviceProp what; cudaFuncAttributes of;
    OK(cudaGetDeviceProperties(&what, 0)) OK(cudaChooseDevice(&n, &what)) OK(cudaFuncGetAttributes(&of, scale))
    OK(cudaDeviceCanAccessPeer(&n, 0, 0)) OK(cudaDriverGetVersion(&n)) OK(cudaRuntimeGetVersion(&n))
    OK(cudaDeviceGetAttribute(&n, cudaDevAttrMaxThreadsPerBlock, 0))
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, scale, 64, 0))
    OK(cudaOccupancyMaxPotentialBlockSize(&n, &m, (const void*)scale))
    OK(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1))
    OK(cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeFourByte))
    OK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20)) OK(cudaFuncSetCacheConfig(scale, cudaFuncCachePreferL1))
    OK(cudaFuncSetSharedMemConfig(scale, cudaSharedMemBankSizeFourByte))
    OK(cudaFuncSetAttribute(scale, cudaFuncAttributeMaxDynamicSharedMemorySize, 4096))
    OK(cudaProfilerStart()) OK(cudaProfilerStop()) OK(cudaMemGetInfo(&count, &more))
    OK(cudaMalloc(&x, 256)) OK(cudaMallocPitch(&p, &pitch, 32, 8)) OK(cudaMallocHost(&pinned, 256))
    OK(cudaHostAlloc(&mapped, 256, cudaHostAllocMapped)) OK(cudaHostGetDevicePointer(&y, mapped, 0))
    OK(cudaMallocManaged(&managed, 256)) OK(cudaMemPrefetchAsync(managed, 256, 0))
    OK(cudaMemAdvise(managed, 256, cudaMemAdviseSetReadMostly, 0))
    OK(cudaHostRegister(host, 256, 0)) OK(cudaHostUnregister(host)) OK(cudaGetSymbolAddress((void**)&y, factor))
    OK(cudaMemcpy(x, host, 256, cudaMemcpyHostToDevice))
    OK(cudaMemcpy2D(p, pitch, host, 32, 32, 8, cudaMemcpyHostToDevice))
    OK(cudaMemset(x, 0, 256)) OK(cudaMemset2D(p, pitch, 0, 32, 8)) ms = 3;
    OK(cudaMemcpyToSymbol(factor, &ms, 4)) OK(cudaMemcpyFromSymbol(&ms, factor, 4))
    cudaStream_t s, t, u; int low, high; cudaEvent_t a, b;
    OK(cudaStreamCreate(&s)) OK(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking))
    OK(cudaDeviceGetStreamPriorityRange(&low, &high)) OK(cudaStreamCreateWithPriority(&u, cudaStreamDefault, low))
    OK(cudaStreamGetPriority(u, &n)) OK(cudaStreamGetFlags(t, &flags))
    OK(cudaEventCreate(&a)) OK(cudaEventCreateWithFlags(&b, cudaEventDefault)) OK(cudaEventRecord(a, s))
    OK(cudaMallocAsync(&y, 256, s)) OK(cudaMemsetAsync(y, 0, 256, s))
    OK(cudaMemcpyAsync(y, x, 256, cudaMemcpyDeviceToDevice, s))
    OK(cudaMemset2DAsync(p, pitch, 0, 32, 8, s))
    OK(cudaMemcpy2DAsync(p, pitch, x, 32, 32, 8, cudaMemcpyDeviceToDevice, s))
    OK(cudaMemcpyToSymbolAsync(factor, pinned, 0, 0, cudaMemcpyHostToDevice, s)) scale<<<1, 64, 0, s>>>(y);
    OK(cudaMemcpyFromSymbolAsync(pinned, factor, 4, 0, cudaMemcpyDeviceToHost, s))
    void* arguments[] = {&y};
    OK(cudaLaunchKernel((const void*)scale, dim3(1), dim3(64), arguments, 0, s))
    OK(cudaLaunchCooperativeKernel((const void*)together, dim3(1), dim3(64), arguments, 0, s))
    OK(cudaEventRecord(b, s)) OK(cudaStreamWaitEvent(t, b, 0)) OK(cudaLaunchHostFunc(s, shout, NULL))
    OK(cudaStreamAddCallback(s, told, NULL, 0)) OK(cudaEventSynchronize(b)) OK(cudaEventQuery(b))
    OK(cudaStreamSynchronize(s))
    OK(cudaStreamQuery(s)) OK(cudaEventElapsedTime(&ms, a, b)) OK(cudaFreeAsync(y, s)) OK(cudaStreamSynchronize(s))
    cudaGraph_t graph, drawn; cudaStreamCaptureStatus now;
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal)) scale<<<1, 64, 0, s>>>(x);
    OK(cudaStreamIsCapturing(s, &now))
    OK(cudaStreamEndCapture(s, &graph)) cudaGraphExec_t ready;
    OK(cudaGraphInstantiate(&ready, graph, NULL, NULL, 0))
    OK(cudaGraphLaunch(ready, s)) OK(cudaStreamSynchronize(s)) OK(cudaGraphGetNodes(graph, NULL, &count))
    OK(cudaGraphCreate(&drawn, 0))
    cudaGraphNode_t node, other; cudaKernelNodeParams kernel = {}; cudaMemsetParams set = {};
    cudaHostNodeParams call = {}; kernel.func = (void*)scale; kernel.gridDim = dim3(1);
    kernel.blockDim = dim3(64);
    kernel.kernelParams = arguments; set.dst = x; set.elementSize = 4; set.width = 64;
    set.height = 1; call.fn = shout;
    OK(cudaGraphAddKernelNode(&node, drawn, NULL, 0, &kernel)) OK(cudaGraphAddMemsetNode(&other, drawn, &node, 1, &set))
    OK(cudaGraphAddHostNode(&node, drawn, &other, 1, &call)) OK(cudaGraphAddEmptyNode(&other, drawn, &node, 1))
    OK(cudaGraphAddDependencies(drawn, NULL, NULL, 0)) OK(cudaGraphDestroy(drawn))
    OK(cudaGraphExecDestroy(ready)) OK(cudaGraphDestroy(graph))
    curandGenerator_t g; curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT);
    double* wide = (double*)x;
    OK(curandGenerate(g, (unsigned*)x, 64)) OK(curandGenerateUniform(g, x, 64))
    OK(curandGenerateUniformDouble(g, wide, 32))
    OK(curandGenerateNormal(g, x, 64, 0, 1)) OK(curandGenerateNormalDouble(g, wide, 32, 0, 1))
    OK(curandGenerateLogNormal(g, x, 64, 0, 1)) OK(curandGenerateLogNormalDouble(g, wide, 32, 0, 1))
    curandDestroyGenerator(g);
    OK(cudaThreadSynchronize()) OK(cudaDeviceSynchronize()) OK(cudaPeekAtLastError()) OK(cudaGetLastError())
    OK(cudaEventDestroy(a)) OK(cudaEventDestroy(b)) OK(cudaStreamDestroy(s)) OK(cudaStreamDestroy(t))
    OK(cudaStreamDestroy(u))
    OK(cudaFree(x)) OK(cudaFree(p)) OK(cudaFree(managed)) OK(cudaFreeHost(pinned)) OK(cudaFreeHost(mapped))
    free(host);
    OK(cudaThreadExit()) OK(cudaDeviceReset())
    printf("%d done", done);
    }

// CUDA graphs: a captured stream runs nothing, and a launch runs all of it, with the arguments of the capture.
#include <cstdio>
__global__ void add(int* x, int by) { x[threadIdx.x] += by; }
__global__ void scale(int* x, int by) { x[threadIdx.x] *= by; }
void CUDART_CB shout(void* data) { printf("%s ", (const char*)data); }
#define CAPTURED \
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);          \
    add<<<1, 4, 0, s>>>(x, by);                                      \
    cudaEventRecord(fork, s); cudaStreamWaitEvent(t, fork, 0);       \
    scale<<<1, 4, 0, t>>>(y, 3);                                     \
    cudaEventRecord(join, t); cudaStreamWaitEvent(s, join, 0);       \
    cudaMemcpyAsync(y, x, sizeof(int), cudaMemcpyDeviceToDevice, s); \
    cudaLaunchHostFunc(s, shout, (void*)"done");                     \
    cudaStreamEndCapture(s, &graph);                                 \
    by = 100;                                                        \
    cudaGraphGetNodes(graph, NULL, &count); printf("%zu ", count);   \
    cudaGraphInstantiate(&ready, graph, NULL, NULL, 0);
#define BUILT \
    cudaGraphCreate(&graph, 0);                                                           \
    void* arguments[] = {&x, &by};                                                        \
    cudaKernelNodeParams what = {0};                                                      \
    what.func = (void*)add; what.gridDim = dim3(1); what.blockDim = dim3(4);              \
    what.kernelParams = arguments;                                                        \
    cudaGraphAddKernelNode(&a, graph, NULL, 0, &what);                                    \
    what.func = (void*)scale; by = 5;                                                     \
    cudaGraphAddKernelNode(&b, graph, NULL, 0, &what);                                    \
    cudaMemsetParams set = {0};                                                           \
    set.dst = y; set.value = 0x10203; set.elementSize = 4; set.width = 2; set.height = 1; \
    cudaGraphAddMemsetNode(&c, graph, &b, 1, &set);
int main() {
    int h[4] = {0, 1, 2, 3}, *x, *y, by = 1;
    cudaMalloc(&x, sizeof(h)); cudaMalloc(&y, sizeof(h));
    cudaMemcpy(x, h, sizeof(h), cudaMemcpyHostToDevice); cudaMemcpy(y, h, sizeof(h), cudaMemcpyHostToDevice);
    cudaStream_t s, t; cudaStreamCreate(&s); cudaStreamCreate(&t);
    cudaEvent_t fork, join; cudaEventCreate(&fork); cudaEventCreate(&join);
    cudaGraph_t graph; cudaGraphExec_t ready; cudaGraphNode_t a, b, c; size_t count = 0;
CASE
    cudaDeviceSynchronize();
    for (int* from : {x, y}) {
        cudaMemcpy(h, from, sizeof(h), cudaMemcpyDeviceToHost);
        for (int i = 0; i < 4; i++) printf("%d ", h[i]);
    }
    cudaFree(x); cudaFree(y);
}

// case: it keeps the arguments that it saw
// output: "4 0 1 2 3 0 1 2 3 "
    CAPTURED

// case
// output: "4 done done 2 3 4 5 2 9 18 27 "
    CAPTURED
    cudaGraphLaunch(ready, s); cudaGraphLaunch(ready, s);

// case: nodes run after those that they depend on
// output: "5 10 15 20 66051 66051 2 3 "
    BUILT
    cudaGraphInstantiate(&ready, graph, 0); cudaGraphLaunch(ready, s);

// case
// output: "1 6 11 16 66051 66051 2 3 "
    BUILT
    cudaGraphAddDependencies(graph, &b, &a, 1); cudaGraphInstantiate(&ready, graph, 0);
    cudaGraphLaunch(ready, s);

// case: an instance takes new arguments and new graphs
// output: "35 40 45 50 66051 66051 2 3 "
    BUILT
    cudaGraphInstantiate(&ready, graph, 0); by = 7; what.func = (void*)add;
    cudaGraphExecKernelNodeSetParams(ready, a, &what); cudaGraphLaunch(ready, s);

// case
// output: "4 500 505 510 515 66051 66051 2 3 "
    CAPTURED
    BUILT
    cudaGraphExecUpdateResultInfo info; cudaGraphExecUpdate(ready, graph, &info);
    cudaGraphLaunch(ready, s);

// case
    ready = 0; cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); cudaStreamSynchronize(s);
//                                                                     ^ cudaStreamSynchronize waits while a stream is captured, where nothing runs yet|hint: wait after cudaGraphLaunch

// case
    ready = 0; cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); cudaDeviceSynchronize();
//                                                                     ^ cudaDeviceSynchronize waits while a stream is captured, where nothing runs yet|hint: wait after cudaGraphLaunch

// case
    ready = 0; cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); add<<<1, 4>>>(x, 1);
//                                                                     ^ add uses the default stream while a stream is captured, which ends the capture with an error|hint: give it the stream that is captured

// case
    ready = 0; cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    cudaMemcpy(h, x, 4, cudaMemcpyDeviceToHost);
//  ^ cudaMemcpy uses the default stream while a stream is captured, which ends the capture with an error|hint: give it the stream that is captured

// case
    ready = 0; cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    cudaStreamEndCapture(t, &graph);
//  ^ t is not captured|hint: write cudaStreamBeginCapture(stream, mode) first

// case
    ready = 0; cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); cudaGraphLaunch(ready, s);
//                                                                     ^ a graph is used that was never created|hint: write cudaGraphCreate(&graph, 0) first

// case: every launch allocates and frees what its capture did
// output: "0 1 2 3 1 2 3 4 "
    int* z;
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    cudaMallocAsync(&z, sizeof(h), s);
    cudaMemcpyAsync(z, x, sizeof(h), cudaMemcpyDeviceToDevice, s);
    add<<<1, 4, 0, s>>>(z, by); cudaMemcpyAsync(y, z, sizeof(h), cudaMemcpyDeviceToDevice, s);
    if (cudaFreeAsync(z, s)) printf("not freed ");
    cudaStreamEndCapture(s, &graph);
    cudaGraphInstantiate(&ready, graph, 0);
    for (int i = 0; i < 3; i++) cudaGraphLaunch(ready, s);

// case
    int* z;
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    cudaMallocAsync(&z, sizeof(h), s);
    cudaMemcpyAsync(z, x, sizeof(h), cudaMemcpyDeviceToDevice, s);
    add<<<1, 4, 0, s>>>(z, by); cudaMemcpyAsync(y, z, sizeof(h), cudaMemcpyDeviceToDevice, s);
    if (cudaFreeAsync(z, s)) printf("not freed ");
    cudaStreamEndCapture(s, &graph);
    cudaGraphInstantiate(&ready, graph, 0);
    for (int i = 0; i < 3; i++) cudaGraphLaunch(ready, s);
    add<<<1, 4, 0, s>>>(z, by);
//  ^ z is given to a kernel after it was freed in line 42|hint: free it after its last use

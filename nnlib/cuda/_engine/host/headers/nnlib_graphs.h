// CUDA graphs: a node is what was called between __open_node and __close_node (see ../library/graphs.py).
#include "nnlib_arrays.h"
typedef void* cudaGraph_t;
typedef void* cudaGraphExec_t;
typedef void* cudaGraphNode_t;
enum cudaStreamCaptureMode {
    cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeRelaxed
};
enum cudaStreamCaptureStatus {
    cudaStreamCaptureStatusNone, cudaStreamCaptureStatusActive, cudaStreamCaptureStatusInvalidated
};
enum cudaGraphExecUpdateResult { cudaGraphExecUpdateSuccess };
struct cudaGraphExecUpdateResultInfo {
    cudaGraphExecUpdateResult result;
    cudaGraphNode_t errorNode, errorFromNode;
};
struct cudaKernelNodeParams {
    void* func;
    dim3 gridDim, blockDim;
    unsigned sharedMemBytes;
    void** kernelParams;
    void** extra;
};
struct cudaMemsetParams {
    void* dst;
    size_t pitch;
    unsigned value, elementSize;
    size_t width, height;
};
struct cudaHostNodeParams {
    cudaHostFn_t fn;
    void* userData;
};

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph);
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status);
cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned flags);
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to, size_t count);
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count);
cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph);
cudaError_t __open_node(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, size_t count);
cudaError_t __open_again(void* graph, cudaGraphNode_t node);
cudaError_t __close_node();
cudaError_t __add_child(cudaGraph_t child);
cudaError_t __instantiate(cudaGraphExec_t* made, cudaGraph_t graph);
cudaError_t __update(cudaGraphExec_t made, cudaGraph_t graph);

inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t* made, cudaGraph_t graph, unsigned long long flags = 0) {
    return __instantiate(made, graph);
}
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t* made, cudaGraph_t graph, cudaGraphNode_t* error, char* log,
                                        size_t size) {
    return __instantiate(made, graph);
}
inline cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* made, cudaGraph_t graph, unsigned long long flags = 0) {
    return __instantiate(made, graph);
}
inline cudaError_t cudaGraphUpload(cudaGraphExec_t graph, cudaStream_t stream) { return cudaSuccess; }
inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t made, cudaGraph_t graph, cudaGraphExecUpdateResultInfo* result) {
    return __update(made, graph);
}
inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t made, cudaGraph_t graph, cudaGraphNode_t* error,
                                       cudaGraphExecUpdateResult* result) {
    *result = cudaGraphExecUpdateSuccess;
    return __update(made, graph);
}

inline cudaError_t __call_of(const cudaKernelNodeParams* what) {
    cudaLaunchKernel(what->func, what->gridDim, what->blockDim, what->kernelParams, what->sharedMemBytes);
    return __close_node();
}
inline cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                          size_t count, const cudaKernelNodeParams* what) {
    __open_node(node, graph, after, count);
    return __call_of(what);
}
inline cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t made, cudaGraphNode_t node,
                                                    const cudaKernelNodeParams* what) {
    __open_again(made, node);
    return __call_of(what);
}
inline cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                            size_t count, void* to, const void* from, size_t size, cudaMemcpyKind kind) {
    __open_node(node, graph, after, count);
    cudaMemcpyAsync(to, from, size, kind);
    return __close_node();
}
inline cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                          size_t count, const cudaMemcpy3DParms* what) {
    __open_node(node, graph, after, count);
    cudaMemcpy3D(what);
    return __close_node();
}
inline cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                          size_t count, const cudaMemsetParams* what) {
    __open_node(node, graph, after, count);
    for (size_t row = 0; row < what->height; row++)
        for (unsigned byte = 0; byte < what->elementSize; byte++)
            cudaMemset2DAsync((char*)what->dst + row * what->pitch + byte, what->elementSize, what->value >> 8 * byte, 1,
                              what->width);
    return __close_node();
}
inline cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                        size_t count, const cudaHostNodeParams* what) {
    __open_node(node, graph, after, count);
    cudaLaunchHostFunc(0, what->fn, what->userData);
    return __close_node();
}
inline cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                         size_t count) {
    __open_node(node, graph, after, count);
    return __close_node();
}
inline cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                              size_t count, cudaGraph_t child) {
    __open_node(node, graph, after, count);
    __add_child(child);
    return __close_node();
}

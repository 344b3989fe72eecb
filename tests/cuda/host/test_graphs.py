"""CUDA graphs: a captured stream runs nothing, and a launch runs all of it, with the arguments of the capture."""

import pytest

from nnlib.cuda import HostError, Program

START = r"""
#include <cstdio>
__global__ void add(int* x, int by) { x[threadIdx.x] += by; }
__global__ void scale(int* x, int by) { x[threadIdx.x] *= by; }
void CUDART_CB shout(void* data) { printf("%s ", (const char*)data); }
int main() {
    int h[4] = {0, 1, 2, 3}, *x, *y, by = 1;
    cudaMalloc(&x, sizeof(h)); cudaMalloc(&y, sizeof(h));
    cudaMemcpy(x, h, sizeof(h), cudaMemcpyHostToDevice); cudaMemcpy(y, h, sizeof(h), cudaMemcpyHostToDevice);
    cudaStream_t s, t; cudaStreamCreate(&s); cudaStreamCreate(&t);
    cudaEvent_t fork, join; cudaEventCreate(&fork); cudaEventCreate(&join);
    cudaGraph_t graph; cudaGraphExec_t ready; cudaGraphNode_t a, b, c; size_t count = 0;
"""
END = r"""
    cudaDeviceSynchronize();
    for (int* from : {x, y}) {
        cudaMemcpy(h, from, sizeof(h), cudaMemcpyDeviceToHost);
        for (int i = 0; i < 4; i++) printf("%d ", h[i]);
    }
    cudaFree(x); cudaFree(y);
}
"""
CAPTURED = r"""
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    add<<<1, 4, 0, s>>>(x, by);
    cudaEventRecord(fork, s); cudaStreamWaitEvent(t, fork, 0);
    scale<<<1, 4, 0, t>>>(y, 3);
    cudaEventRecord(join, t); cudaStreamWaitEvent(s, join, 0);
    cudaMemcpyAsync(y, x, sizeof(int), cudaMemcpyDeviceToDevice, s);
    cudaLaunchHostFunc(s, shout, (void*)"done");
    cudaStreamEndCapture(s, &graph);
    by = 100;
    cudaGraphGetNodes(graph, NULL, &count); printf("%zu ", count);
    cudaGraphInstantiate(&ready, graph, NULL, NULL, 0);
"""
ADDED = r"""
    cudaGraphCreate(&graph, 0);
    void* arguments[] = {&x, &by};
    cudaKernelNodeParams what = {0};
    what.func = (void*)add; what.gridDim = dim3(1); what.blockDim = dim3(4); what.kernelParams = arguments;
    cudaGraphAddKernelNode(&a, graph, NULL, 0, &what);
    what.func = (void*)scale; by = 5;
    cudaGraphAddKernelNode(&b, graph, NULL, 0, &what);
    cudaMemsetParams set = {0};
    set.dst = y; set.value = 0x10203; set.elementSize = 4; set.width = 2; set.height = 1;
    cudaGraphAddMemsetNode(&c, graph, &b, 1, &set);
"""


CALLBACK = r"""
#include <cstdio>
void CUDART_CB told(cudaStream_t stream, cudaError_t status, void* data) {
    printf("%d %d ", status == cudaSuccess, *(int*)data);
}
int main() {
    int seven = 7;
    cudaStream_t s; cudaStreamCreate(&s);
    cudaStreamAddCallback(s, told, &seven, 0);
    cudaStreamSynchronize(s); cudaStreamDestroy(s);
}
"""


def test_a_stream_calls_a_function_of_the_host_with_its_data():
    assert Program(CALLBACK).run().output == "1 7 "


def ran(body: str) -> str:
    return Program(START + body + END).run().output.strip()


def test_a_capture_runs_nothing_and_keeps_the_arguments_that_it_saw():
    assert ran(CAPTURED) == "4 0 1 2 3 0 1 2 3"
    assert ran(CAPTURED + "cudaGraphLaunch(ready, s); cudaGraphLaunch(ready, s);") == (
        "4 done done 2 3 4 5 2 9 18 27"
    )


def test_nodes_run_after_those_that_they_depend_on():
    launch = "cudaGraphInstantiate(&ready, graph, 0); cudaGraphLaunch(ready, s);"
    assert ran(ADDED + launch) == "5 10 15 20 66051 66051 2 3"
    assert (
        ran(ADDED + "cudaGraphAddDependencies(graph, &b, &a, 1);" + launch)
        == "1 6 11 16 66051 66051 2 3"
    )


def test_an_instance_takes_new_arguments_and_new_graphs():
    assert (
        ran(
            ADDED + "cudaGraphInstantiate(&ready, graph, 0); by = 7; what.func = (void*)add;"
            "cudaGraphExecKernelNodeSetParams(ready, a, &what); cudaGraphLaunch(ready, s);"
        )
        == "35 40 45 50 66051 66051 2 3"
    )
    assert (
        ran(
            CAPTURED
            + ADDED
            + "cudaGraphExecUpdateResultInfo info; cudaGraphExecUpdate(ready, graph, &info);"
            "cudaGraphLaunch(ready, s);"
        )
        == "4 500 505 510 515 66051 66051 2 3"
    )


@pytest.mark.parametrize(
    "body, said",
    [
        ("cudaStreamSynchronize(s);", "cudaStreamSynchronize waits while a stream is captured"),
        ("cudaDeviceSynchronize();", "cudaDeviceSynchronize waits while a stream is captured"),
        ("add<<<1, 4>>>(x, 1);", "add uses the default stream while a stream is captured"),
        (
            "cudaMemcpy(h, x, 4, cudaMemcpyDeviceToHost);",
            "cudaMemcpy uses the default stream while a stream is captured",
        ),
        ("cudaStreamEndCapture(t, &graph);", "t is not captured"),
        ("cudaGraphLaunch(ready, s);", "a graph is used that was never created"),
    ],
)
def test_mistakes_in_a_capture_are_named(body, said):
    with pytest.raises(HostError, match=said):
        ran("ready = 0; cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);" + body)


ALLOCATED = r"""
    int* z;
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    cudaMallocAsync(&z, sizeof(h), s); cudaMemcpyAsync(z, x, sizeof(h), cudaMemcpyDeviceToDevice, s);
    add<<<1, 4, 0, s>>>(z, by); cudaMemcpyAsync(y, z, sizeof(h), cudaMemcpyDeviceToDevice, s);
    if (cudaFreeAsync(z, s)) printf("not freed ");
    cudaStreamEndCapture(s, &graph);
    cudaGraphInstantiate(&ready, graph, 0);
    for (int i = 0; i < 3; i++) cudaGraphLaunch(ready, s);
"""


def test_every_launch_allocates_and_frees_what_its_capture_did():
    assert ran(ALLOCATED) == "0 1 2 3 1 2 3 4"
    with pytest.raises(HostError, match="z is given to a kernel after it was freed in line 18"):
        ran(ALLOCATED + "add<<<1, 4, 0, s>>>(z, by);")

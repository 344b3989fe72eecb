"""Two streams that use the same memory are in order, or the program is wrong: each rule with programs that keep it and
programs that break it."""

import pytest

from nnlib.cuda import HostError, Program

BEFORE = r"""#include <cstdio>
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
"""
AFTER = r"""
    cudaDeviceSynchronize();
    cudaFree(d); cudaFree(e); cudaFree(m); cudaFreeHost(h); cudaFreeHost(g);
    cudaStreamDestroy(s); cudaStreamDestroy(r); cudaStreamDestroy(n); cudaEventDestroy(done); cudaEventDestroy(more);
}
"""
UP = "cudaMemcpyAsync(d, h, 256, cudaMemcpyHostToDevice, {});\n"
DOWN = "cudaMemcpyAsync(h, d, 256, cudaMemcpyDeviceToHost, {});\n"
TWICE = "twice<<<1, 64, 0, {}>>>(d, 64);\n"
MARK, WAIT = "cudaEventRecord(done, {});\n", "cudaStreamWaitEvent({}, done, 0);\n"


def streams(template, *names):
    for name in names:
        template = template.replace("{}", name, 1)
    return template


RIGHT = [
    streams(UP + TWICE + DOWN, "s", "s", "s"),
    streams(UP + MARK + WAIT + TWICE + MARK + WAIT + DOWN, "s", "s", "r", "r", "r", "s", "s"),
    streams(UP + "cudaStreamSynchronize(s);\n" + TWICE, "s", "r"),
    streams(UP + MARK + "cudaEventSynchronize(done);\n" + TWICE, "s", "s", "r"),
    streams(
        UP + "cudaDeviceSynchronize();\n" + TWICE + "cudaDeviceSynchronize();\n" + DOWN,
        "s",
        "r",
        "s",
    ),
    streams(UP + TWICE + DOWN, "s", "0", "r"),  # the default stream waits for all, and all for it
    streams(UP + MARK + WAIT + TWICE, "n", "n", "0", "0"),
    streams(TWICE + "cudaMemcpyAsync(e, g, 256, cudaMemcpyHostToDevice, r);\n", "s"),
    "copy<<<1, 64, 0, s>>>(d, e); copy<<<1, 64, 0, r>>>(d, m);\n",  # both read d
    "twice<<<1, 32, 0, s>>>(d, 32); twice<<<1, 32, 0, r>>>(d + 32, 32);\n",  # halves
    "even<<<1, 32, 0, s>>>(d); odd<<<1, 32, 0, r>>>(d);\n",
    "count<<<1, 64, 0, s>>>(d); count<<<2, 64, 0, r>>>(d);\n",  # atomics
    "cudaMemcpyAsync(d, h, 128, cudaMemcpyHostToDevice, s); cudaMemcpyAsync(d + 32, h + 32, 128, "
    "cudaMemcpyHostToDevice, r);\n",
    "cudaMemcpyAsync(d, h, 256, cudaMemcpyHostToDevice, s); cudaMemcpyAsync(e, h, 256, cudaMemcpyHostToDevice, r);\n",
    "sum<<<1, 64, 0, s>>>(); cudaStreamSynchronize(s); sum<<<1, 64, 0, r>>>();\n",
    "cudaMemsetAsync(d, 0, 256, s); cudaEventRecord(done, s); cudaStreamWaitEvent(r, done, 0);\n"
    "twice<<<1, 64, 0, r>>>(d, 64);\n",
    # what one event says, another one passes on
    streams(UP + MARK + WAIT, "s", "s", "r")
    + "cudaEventRecord(more, r); cudaStreamWaitEvent(n, more, 0);\n"
    + streams(TWICE, "n"),
    "cudaMemcpyAsync(d, plain, 256, cudaMemcpyHostToDevice, s);\n" + streams(TWICE, "s"),
    "".join(
        f"cudaMemcpyAsync(d + {k}, h + {k}, 16 * sizeof(int), cudaMemcpyHostToDevice, {s}); "
        f"twice<<<1, 16, 0, {s}>>>(d + {k}, 16); "
        f"cudaMemcpyAsync(h + {k}, d + {k}, 16 * sizeof(int), cudaMemcpyDeviceToHost, {s});\n"
        for k, s in ((0, "s"), (16, "r"), (32, "s"), (48, "r"))
    ),
    "twice<<<1, 64, 0, s>>>(m, 64); cudaEventRecord(done, s); cudaStreamWaitEvent(r, done, 0);\n"
    "twice<<<1, 64, 0, r>>>(m, 64);\n",
]
WRONG = [  # the program; what comes too early, and what it should have waited for
    (
        streams(UP + TWICE + DOWN, "s", "r", "s"),
        "kernel twice in stream 2 uses d",
        "the copy of line 18 in stream 1",
    ),
    (
        streams(TWICE + DOWN, "s", "r"),
        "the copy in stream 2 uses d",
        "kernel twice of line 18 in stream 1",
    ),
    (
        streams(TWICE + TWICE, "s", "r"),
        "kernel twice in stream 2 uses d",
        "kernel twice of line 18 in stream 1",
    ),
    # the event is recorded too early, waited for too late, or in the wrong stream
    (
        streams(MARK + UP + WAIT + TWICE, "s", "s", "r", "r"),
        "kernel twice in stream 2",
        "the copy of line 19",
    ),
    (
        streams(UP + MARK + TWICE + WAIT, "s", "s", "r", "r"),
        "kernel twice in stream 2",
        "the copy of line 18",
    ),
    (
        streams(UP + MARK + WAIT + TWICE, "s", "r", "s", "r"),
        "kernel twice in stream 2",
        "the copy of line 18",
    ),
    (
        streams(UP + WAIT + TWICE, "s", "r", "r"),
        "kernel twice in stream 2",
        "the copy of line 18",
    ),  # never recorded
    (
        streams(UP + "cudaStreamSynchronize(r);\n" + TWICE, "s", "r"),
        "kernel twice in stream 2",
        "the copy of line 18",
    ),
    (
        streams(UP + TWICE, "n", "0"),
        "kernel twice in default stream uses d",
        "the copy of line 18 in stream 3",
    ),
    (
        streams(TWICE + UP, "0", "n"),
        "the copy in stream 3 uses d",
        "kernel twice of line 18 in default stream",
    ),
    (
        "copy<<<1, 64, 0, s>>>(d, e); copy<<<1, 64, 0, r>>>(e, m);\n",
        "kernel copy in stream 2 uses e",
        "of line 18",
    ),
    (
        "copy<<<1, 64, 0, s>>>(d, e); copy<<<1, 64, 0, r>>>(m, d);\n",
        "kernel copy in stream 2 uses d",
        "of line 18",
    ),
    (
        "twice<<<1, 33, 0, s>>>(d, 33); twice<<<1, 32, 0, r>>>(d + 32, 32);\n",
        "kernel twice in stream 2 uses d",
        "",
    ),
    (
        "even<<<1, 32, 0, s>>>(d); twice<<<1, 64, 0, r>>>(d, 64);\n",
        "kernel twice in stream 2 uses d",
        "kernel even",
    ),
    (
        "count<<<1, 64, 0, s>>>(d); twice<<<1, 64, 0, r>>>(d, 64);\n",
        "kernel twice in stream 2 uses d",
        "kernel count",
    ),
    (
        "cudaMemcpyAsync(d, h, 256, cudaMemcpyHostToDevice, s); cudaMemcpyAsync(d, g, 256, cudaMemcpyHostToDevice, r);\n",
        "the copy in stream 2 uses d",
        "the copy of line 18 in stream 1",
    ),
    (
        "cudaMemcpyAsync(h, d, 256, cudaMemcpyDeviceToHost, s); cudaMemcpyAsync(e, h, 256, cudaMemcpyHostToDevice, r);\n",
        "the copy in stream 2 uses h",
        "the copy of line 18 in stream 1",
    ),
    (
        "sum<<<1, 64, 0, s>>>(); sum<<<1, 64, 0, r>>>();\n",
        "kernel sum in stream 2 uses total",
        "kernel sum of line 18",
    ),
    (
        "cudaMemsetAsync(d, 0, 256, s);\n" + streams(TWICE, "r"),
        "kernel twice in stream 2",
        "the memset of line 18",
    ),
    (
        "twice<<<1, 64, 0, s>>>(m, 64); twice<<<1, 64, 0, r>>>(m, 64);\n",
        "kernel twice in stream 2 uses m",
        "",
    ),
]


@pytest.mark.parametrize("k", range(len(RIGHT)))
def test_streams_in_order_are_right(k):
    assert Program(BEFORE + RIGHT[k] + AFTER).run().notes == []


@pytest.mark.parametrize("k", range(len(WRONG)))
def test_streams_that_race_are_reported_with_both_lines(k):
    body, early, late = WRONG[k]
    with pytest.raises(HostError) as caught:
        Program(BEFORE + body + AFTER).run()
    assert (
        early in caught.value.what
        and late in caught.value.what
        and caught.value.what.endswith(" is done")
    )
    assert (
        "cudaStreamWaitEvent" in caught.value.hint
        and f"before line {caught.value.line}:" in caught.value.hint
    )


def test_the_message_names_both_lines_and_what_to_write():
    with pytest.raises(HostError) as caught:
        Program(BEFORE + streams(UP + TWICE, "s", "r") + AFTER).run()
    assert str(caught.value).splitlines()[1:] == [
        "  at program.cu:19:1",
        "   19 | twice<<<1, 64, 0, r>>>(d, 64);",
        "        ^",
        "  line 18 changes d, line 19 changes it, and nothing orders the two",
        "  hint: record an event after line 18, and let stream 2 wait for it before line 19: "
        "cudaStreamWaitEvent(stream, event)",
    ]

"""__managed__ variables are memory of both sides; the host must wait for kernels that change them."""

import pytest

from nnlib.cuda import HostError, Program

TEXT = r"""
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
    BODY
}"""


@pytest.mark.parametrize(
    "body, output",
    [
        (
            "cudaDeviceSynchronize(); float s = 0; for (float x : data) s += x;"
            'printf("%g %d %g", s, count, point.x + point.y);',
            "9900 103 8",
        ),
        ('printf("%d", only);', "5"),  # which the kernel only reads
        ('int h; cudaMemcpyFromSymbol(&h, count, sizeof(int)); printf("%d", h);', "103"),
        (
            'int* p; cudaGetSymbolAddress((void**)&p, count); cudaDeviceSynchronize(); printf("%d %d", *p, p == &count);',
            "103 1",
        ),
    ],
)
def test_both_sides_have_them(body, output):
    run = Program(TEXT.replace("BODY", body)).run()
    assert (run.output, run.notes) == (output, [])


@pytest.mark.parametrize(
    "body, name",
    [
        ('printf("%d", count);', "count is read"),
        ("data[3] = 0;", "data is written"),
        ("point.x = 0;", "point is written"),
        ("only = 0;", "only is written"),
    ],
)
def test_the_host_must_wait(body, name):
    with pytest.raises(HostError, match=f"{name} before kernel kernel of line 18 .* is done"):
        Program(TEXT.replace("BODY", body)).run()


def test_beyond_the_end():
    with pytest.raises(HostError, match=r"data\[100\] is written, but data has 100 elements"):
        Program(
            TEXT.replace(
                "BODY", "cudaDeviceSynchronize(); for (int i = 0; i <= 100; i++) data[i] = 0;"
            )
        ).run()

"""extern: a variable that another file, or a later line, defines."""

import pytest

from nnlib.cuda import KernelSyntaxError, Program
from nnlib.cuda._engine.language.kernel_side import device_text

HEADER = """#pragma once
extern __constant__ float filter[];
extern __device__ unsigned counter;
extern __managed__ int flag;
extern int size;
void prepare();
"""
KERNELS = """#include <cstdio>
#include "common.h"
__constant__ float filter[5];
__global__ void k(float* o) { o[0] = filter[2]; atomicInc(&counter, 100u); flag = 7; }
int main() {
    prepare();
    float* d; unsigned c; cudaMallocManaged(&d, 4);
    k<<<1, size>>>(d);
    cudaDeviceSynchronize();
    cudaMemcpyFromSymbol(&c, counter, 4);
    printf("%g %u %d", *d, c, flag);
    cudaFree(d);
}
"""
PREPARATION = """#include "common.h"
__device__ unsigned counter = 4;
__managed__ int flag;
int size = 3;
void prepare() { float h[5] = {1, 2, 3, 4, 5}; cudaMemcpyToSymbol(filter, h, sizeof(h)); }
"""


@pytest.fixture
def folder(tmp_path):
    for name, text in (("common.h", HEADER), ("kernels.cu", KERNELS), ("prepare.cu", PREPARATION)):
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize("files", [("kernels.cu", "prepare.cu"), ("prepare.cu", "kernels.cu")])
def test_each_variable_is_one(folder, files):
    run = Program.from_file(*(folder / file for file in files)).run()
    assert (run.output, run.notes) == ("3 7 7", [])


def test_none_defines_it(folder):
    with pytest.raises(
        KernelSyntaxError, match="'counter' is extern, but no file of the program defines it"
    ):
        Program.from_file(folder / "kernels.cu")


def test_a_gpu_gets_the_definition_where_it_is_needed_first():
    """NVRTC compiles one text, in which extern has nothing to refer to."""
    text = """extern __constant__ float w[2];
        extern __constant__ float w[2];
        __global__ void k(float* o) { o[0] = w[1]; }
        __constant__ float w[2] = {1,
            2};
        extern __constant__ float w[2];"""
    lines = device_text(text).splitlines()
    assert [" ".join(line.split()) for line in lines] == [
        "__constant__ float w [ 2 ] = { 1 , 2 } ;",
        "",
        "__global__ void k(float* o) { o[0] = w[1]; }",
        "",
        "",
        "",
    ]

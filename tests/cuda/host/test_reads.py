"""What kernels read that nobody has written: byte by byte, from launch to launch, and only once the result is used."""

import pytest

from nnlib.cuda import Program, UninitializedReadError, force_simulator
from nnlib.cuda._engine.errors import KernelArithmeticError

KERNELS = """__global__ void copy(const int* x, int* y) { y[threadIdx.x] = x[threadIdx.x]; }
__global__ void put(int* x, int v) { x[threadIdx.x] = v; }
__global__ void count(int* x) { atomicAdd(x, 1); } __global__ void two(const int* x, int* y) { *y = x[3] + x[5]; }
__global__ void first(const int* x, int* y) { if (threadIdx.x == 0) y[0] = x[0]; }
int main() {
int h[8] = {0}, *d, *e; cudaMalloc(&d, 32); cudaMalloc(&e, 32); cudaMemset(e, 0, 32);
%s
cudaMemcpy(h, e, 32, cudaMemcpyDeviceToHost); printf("%%d", h[0]); cudaFree(d); cudaFree(e); }"""
LEAVES = "cudaMalloc in line 6 leaves d with whatever was there before"
COPY = "copy something to d first, or cudaMemset it to 0"
CASES = [  # statements, what is read of what nobody wrote (None: nothing is wrong), hint
    ("cudaMemset(d, 0, 32); copy<<<1, 8>>>(d, e);", None, ""),
    ("cudaMemset(d, 0, 31); copy<<<1, 8>>>(d, e);", "x[7]", COPY),
    ("cudaMemset(d, 0, 29); copy<<<1, 8>>>(d, e);", "x[7]", COPY),
    ("cudaMemset(d + 1, 0, 28); copy<<<1, 8>>>(d, e);", "x[0]", COPY),
    ("cudaMemset(d, 0, 28); copy<<<1, 7>>>(d, e);", None, ""),
    (
        "cudaMemset(d, 0, 8); copy<<<1, 8>>>(d, e);",
        "x[2]",
        "only 8 of its 32 bytes were ever written: a copy counts bytes, not elements",
    ),
    ("cudaMemset(d, 0, 9); copy<<<1, 8>>>(d, e);", "x[2]", COPY),
    ("put<<<1, 8>>>(d, 3); copy<<<1, 8>>>(d, e);", None, ""),
    ("put<<<1, 3>>>(d, 3); copy<<<1, 8>>>(d, e);", "x[3]", COPY),
    ("put<<<1, 3>>>(d + 5, 3); copy<<<1, 3>>>(d + 5, e);", None, ""),
    ("put<<<1, 3>>>(d + 5, 3); copy<<<1, 4>>>(d + 4, e);", "x[4]", COPY),
    ("first<<<1, 8>>>(d, e);", "x[0]", COPY),
    ("put<<<1, 1>>>(d, 1); first<<<1, 8>>>(d, e);", None, ""),
    ("cudaMemset(d, 0, 12); two<<<1, 1>>>(d, e);", "x[3]", COPY),
    ("count<<<1, 4>>>(d); copy<<<1, 1>>>(d, e);", "x[0]", COPY),
    ("cudaMemset(d, 0, 4); count<<<1, 4>>>(d); copy<<<1, 1>>>(d, e);", None, ""),
    (
        "copy<<<1, 8>>>(d, d); copy<<<1, 8>>>(d, e);",
        "x[0]",
        COPY,
    ),  # the second read what the first made of it
    ("copy<<<1, 8>>>(d, e); cudaMemset(e, 0, 32);", None, ""),
    ("copy<<<1, 8>>>(d, e); cudaMemset(e, 0, 31);", "x[0]", COPY),
    ("copy<<<1, 8>>>(d, e); cudaMemcpy(e, h, 32, cudaMemcpyHostToDevice);", None, ""),
    ("cudaMemcpy(d, h, 12, cudaMemcpyHostToDevice); copy<<<1, 3>>>(d, e);", None, ""),
    ("cudaMemcpy(d, h, 12, cudaMemcpyHostToDevice); copy<<<1, 4>>>(d, e);", "x[3]", COPY),
    ("cudaMemcpy(d + 4, e, 16, cudaMemcpyDeviceToDevice); copy<<<1, 4>>>(d + 4, e);", None, ""),
]


@pytest.mark.parametrize(("statements", "read", "hint"), CASES)
def test_reads_of_what_nobody_wrote(statements, read, hint):
    with force_simulator():
        program = Program(KERNELS % statements)
        if read is None:
            assert program.run().notes == []
            return
        with pytest.raises(UninitializedReadError) as caught:
            program.run()
    assert caught.value.what.startswith(f"{read} is read, but nobody has written it")
    assert LEAVES in str(caught.value) and caught.value.hint == hint


def test_a_warm_up_on_whatever_is_there_is_no_mistake():
    with force_simulator():
        run = Program(
            KERNELS % "copy<<<1, 8>>>(d, d); cudaMemset(d, 0, 32); copy<<<1, 8>>>(d, e);"
        ).run()
    assert (run.output, run.notes) == ("0", [])


def test_a_division_by_what_nobody_wrote_names_the_read():
    text = """struct S { int a, b, c; };
        __global__ void f(S* d) { int i = threadIdx.x; d[i].c = d[i].a / d[i].b; }
        int main() {
            S* d; cudaMalloc(&d, 32 * sizeof(S)); FILL; f<<<1, 32>>>(d); cudaDeviceSynchronize(); cudaFree(d);
        }"""
    with pytest.raises(UninitializedReadError, match="is read, but nobody has written it"):
        Program(text.replace("FILL;", "")).run()
    with pytest.raises(KernelArithmeticError, match="division by zero"):
        Program(text.replace("FILL", "cudaMemset(d, 0, 32 * sizeof(S))")).run()

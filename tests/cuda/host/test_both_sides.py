"""A function for both sides may use what only the host has, as long as no kernel calls it."""

import pytest

from nnlib.cuda import KernelSyntaxError, Program

START = """#include <cstdio>
int only() { return 3; }
struct Pair { int a, b; __host__ int sum() { return a + b; } };
template <typename T> __host__ __device__ T made(T x) { return x + only(); }
__host__ __device__ int both(int x) { return x + only(); }
__host__ __device__ int more(int x) { return both(x); }
"""


def test_the_host_calls_it():
    run = Program(
        START + "__global__ void k(int* p) { p[0] = 1; }"
        "int main() { int* d; cudaMallocManaged(&d, 4); k<<<1, 1>>>(d); cudaDeviceSynchronize();"
        'printf("%d %d %d", more(*d), made(2), Pair{2, 4}.sum()); cudaFree(d); }'
    ).run()
    assert (run.output, run.notes) == ("4 5 6", [])


@pytest.mark.parametrize("call", ["made(1)", "both(1)", "more(1)", "Pair{2, 4}.sum()"])
def test_a_kernel_may_not(call):
    with pytest.raises(KernelSyntaxError, match="function.* of the host.*cannot call") as caught:
        Program(START + f"__global__ void k(int* p) {{ p[0] = {call}; }}\nint main() {{}}")
    assert caught.value.line == 7

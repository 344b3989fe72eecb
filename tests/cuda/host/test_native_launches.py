"""Launches of programs that run as native code: results, mistakes and unwritten memory are what the simulator says."""

import pytest

from nnlib.cuda import (
    HostError,
    OutOfBoundsError,
    Program,
    RaceError,
    UninitializedReadError,
    force_simulator,
    native_code,
)
from nnlib.cuda._engine import routes
from nnlib.cuda._engine.host.runtime.native_launches import NativeLaunches
from nnlib.cuda._engine.native import policy

TEXT = r"""#include <cstdio>
__global__ void mix(const float* x, float* y, int n, int shift) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = y[i] * 0.5f + x[(i + shift) %% n] * i;
}
__global__ void fill(float* y, int from, int n) {
    int i = from + blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = i;
}
__global__ void race(float* y) { y[threadIdx.x / 2] += 1; }
int main() {
    const int n = 1000; float h[n], *x, *y;
    cudaMalloc(&x, n * 4); cudaMalloc(&y, n * 4);
    %s
    cudaMemcpy(h, y, n * 4, cudaMemcpyDeviceToHost);
    double sum = 0; for (int i = 0; i < n; i++) sum = sum * 0.99 + h[i];
    printf("%%.17g", sum); cudaFree(x); cudaFree(y);
}"""
ALL = "fill<<<4, 256>>>(x, 0, n); fill<<<4, 256>>>(y, 0, n);"


@pytest.fixture
def launched(monkeypatch):
    """Whether each launch has run natively; all are worth it."""
    if policy.engine() is None:
        pytest.skip("no native engine is installed")
    outcomes, run = [], NativeLaunches.run
    monkeypatch.setattr(
        NativeLaunches, "run", lambda *given: outcomes.append(run(*given)) or outcomes[-1]
    )
    monkeypatch.setattr(routes, "WORTH", 0)
    with force_simulator():
        yield outcomes


def ran(body, **how):
    return Program(TEXT % body).run(**how).output


def test_a_kernel_is_checked_at_its_first_sizes_and_native_then(launched):
    body = (
        ALL
        + "for (int k = 0; k < 9; k++) mix<<<4, 256>>>(x, y, n, k); mix<<<2, 512>>>(x, y, n, 3);"
    )
    output = ran(body)
    assert launched == [False, True, False, *[True] * 8, False]
    assert output == ran(body, checks="all") and len(launched) == 12
    with native_code(False):
        assert output == ran(body) and not any(launched[12:])


def test_which_checks_there_are(launched):
    with pytest.raises(ValueError, match='"first" or "all", not \'some\''):
        ran("", checks="some")


def test_a_mistake_of_a_later_launch_reads_as_ever(launched):
    with pytest.raises(OutOfBoundsError, match=r"y\[1000\]"):
        ran(ALL + "mix<<<4, 256>>>(x, y, n, 0); mix<<<4, 256>>>(x, y, n + 24, 0);")
    assert launched == [False, True, False]


@pytest.mark.parametrize("partly", ["", "fill<<<4, 256>>>(y, 400, n);"])
def test_unwritten_memory_that_a_later_launch_reads_is_reported(launched, partly):
    with pytest.raises(UninitializedReadError, match=r"y\[0\] is read, but nobody has written it"):
        ran(
            "float* z; cudaMalloc(&z, n * 4); fill<<<4, 256>>>(x, 0, n); fill<<<4, 256>>>(z, 0, n);"
            f"mix<<<4, 256>>>(x, z, n, 0); {partly} mix<<<4, 256>>>(x, y, n, 1);"
        )
    assert launched[-1] is False


def test_two_arrays_that_nobody_has_written_are_not_alike(launched):
    gaps = "__global__ void gaps(const int* x, const int* y, float* z) { int i = threadIdx.x; z[i] = x[i] - y[i]; }"
    with pytest.raises(
        UninitializedReadError, match=r"x\[0\] is read, but nobody(?s:.*) leaves c with whatever"
    ):
        Program(f"""#include <cstdio>
{gaps}
int main() {{
    const int n = 1000; float h[n], *z; int *a, *b, *c, *d; cudaMalloc(&z, n * 4);
    cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4); cudaMalloc(&c, n * 4); cudaMalloc(&d, n * 4);
    cudaMemset(a, 0, n * 4); cudaMemset(b, 1, n * 4);
    gaps<<<1, n>>>(a, b, z); gaps<<<1, n>>>(a, b, z); gaps<<<1, n>>>(c, d, z);
    cudaMemcpy(h, z, n * 4, cudaMemcpyDeviceToHost); printf("%f", h[0]);
}}""").run()
    assert launched == [False, True, False]


def test_memory_that_launches_write_in_parts_counts_as_written(launched):
    body = (
        "fill<<<4, 256>>>(x, 0, n); fill<<<4, 256>>>(y, 600, n); fill<<<4, 256>>>(y, 0, n);"
        "mix<<<4, 256>>>(x, y, n, 1);"
    )
    assert ran(body) == ran(body, checks="all") and launched == [False, True, True, False]
    with pytest.raises(UninitializedReadError, match=r"y\[0\]"):
        ran(body.replace("(y, 0, n)", "(y, 1, n)"))


def test_some_blocks_of_a_long_launch_are_checked(launched, monkeypatch):
    monkeypatch.setattr(routes, "VERY_LONG", 0)
    assert ran(ALL + "mix<<<4, 256>>>(x, y, n, 1);") and launched == [True, True, True]
    with pytest.raises(RaceError):
        ran(ALL + "race<<<1, 64>>>(y);")


IN_A_STREAM = ALL + "cudaStream_t s; cudaStreamCreate(&s);"


def test_where_there_are_streams_a_launch_is_native_once_it_is_known_what_it_touches(launched):
    body = (
        IN_A_STREAM + "for (int k = 0; k < 4; k++) mix<<<4, 256, 0, s>>>(x, y, n, 1);"
        "cudaDeviceSynchronize(); mix<<<4, 256, 0, s>>>(x, y, n, 2);"
    )
    output = ran(body)
    assert launched == [False, False, True, True]  # the first of each number does not count
    assert output == ran(body, checks="all") and len(launched) == 4


def test_where_there_are_streams_native_launches_race_as_others_do(launched):
    with pytest.raises(
        HostError, match=r"mix in stream 2 uses y before kernel mix of line 15 in stream 1 is done"
    ):
        ran(
            IN_A_STREAM + "cudaStream_t r; cudaStreamCreate(&r); for (int k = 0; k < 4; k++)\n"
            "mix<<<4, 256, 0, s>>>(x, y, n, 1);\nmix<<<4, 256, 0, r>>>(x, y, n, 1);"
        )
    assert launched[1:] == [False, True, True, True]


GATHER = r"""
__global__ void gather(const int* at, float* y) { y[at[threadIdx.x]] = 1; }
int main() {
    int h[64], *at; float* y; for (int i = 0; i < 64; i++) h[i] = i;
    cudaStream_t s; cudaStreamCreate(&s);
    cudaMalloc(&at, 256); cudaMalloc(&y, 256); cudaMemcpy(at, h, 256, cudaMemcpyHostToDevice);
    for (int k = 0; k < 4; k++) { gather<<<1, 64, 0, s>>>(at, y); cudaMemsetAsync(y, k, 256, s); }
    cudaDeviceSynchronize(); cudaFree(at); cudaFree(y);
}"""


def test_where_there_are_streams_a_launch_that_looks_up_its_places_is_simulated(launched):
    Program(GATHER).run()
    assert launched == []


COUNTS = r"""#include <cstdio>
__device__ int count;
__global__ void tickets(int* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 150) y[i] = 1 + atomicAdd(&count, 1);
}
int main() {
    int h[200], n, *y; cudaMalloc(&y, 800);
    for (int k = 0; k < 3; k++) tickets<<<2, 100>>>(y);
    cudaMemcpy(h, y, 600, cudaMemcpyDeviceToHost); cudaMemcpyFromSymbol(&n, count, 4);
    printf("%d %d", n, h[149]); cudaFree(y);
}"""


def test_a_launch_that_runs_twice_counts_once(launched):
    """150 of 200 elements are written, so later launches look at the others."""
    assert Program(COUNTS).run().output == "450 450" and launched == [False, True, True]

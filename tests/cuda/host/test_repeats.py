"""A launch that changed nothing in its second run is skipped until its memory changes; the output stays the same."""

import pytest

from nnlib.cuda import Program, RaceError, UninitializedReadError, force_simulator
from nnlib.cuda._engine.host.runtime.devices import Device

TEXT = r"""#include <cstdio>
__device__ int total;
__global__ void copy(const float* x, float* y, int n) { int i = threadIdx.x; if (i < n) y[i] = x[i]; }
__global__ void more(const float* x, float* y) { y[threadIdx.x] += x[threadIdx.x]; }
__global__ void count(const float* x) { if (threadIdx.x == 0) total++; }
__global__ void tell(const float* x) { if (threadIdx.x == 0) printf("%%g ", x[0]); }
__global__ void through(float** way) { way[0][threadIdx.x] = 7; }
int main() {
    float h[64], *x, *y, *z; int n = 0; for (int i = 0; i < 64; i++) h[i] = i + 1;
    cudaMalloc(&x, 256); cudaMalloc(&y, 256); cudaMalloc(&z, 256);
    cudaMemcpy(x, h, 256, cudaMemcpyHostToDevice); cudaMemset(y, 0, 256);
    %s
    cudaMemcpy(h, y, 256, cudaMemcpyDeviceToHost); cudaMemcpyFromSymbol(&n, total, 4);
    printf("%%g %%g %%d", h[0], h[63], n); cudaFree(x); cudaFree(y); cudaFree(z);
}"""
NINE = "for (int k = 0; k < 9; k++) "
COPY = "copy<<<1, 64>>>(x, y, 64);"


@pytest.fixture
def simulated(monkeypatch):
    """Yield the names of the kernels that were simulated."""
    names, run = [], Device._simulate
    monkeypatch.setattr(
        Device,
        "_simulate",
        lambda device, kernel, *given: names.append(kernel.name) or run(device, kernel, *given),
    )
    with force_simulator():
        yield names


def ran(body, **how):
    return Program(TEXT % body).run(**how).output


def test_what_changes_nothing_runs_twice(simulated):
    assert ran(NINE + COPY) == "1 64 0" and simulated == ["copy"] * 2
    assert ran(NINE + COPY, checks="all") == "1 64 0" and len(simulated) == 2 + 9


@pytest.mark.parametrize(
    "between",
    [
        "cudaMemset(y, 0, 256);",
        "cudaMemcpy(y, z, 256, cudaMemcpyDeviceToDevice);",
        "more<<<1, 64>>>(x, y);",
        "cudaMemcpy(x, h, 128, cudaMemcpyHostToDevice);",
    ],
)
def test_it_runs_again_once_its_memory_has_changed(simulated, between):
    body = "cudaMemset(z, 1, 256);" + NINE + COPY + between + COPY
    assert ran(body) == ran(body, checks="all")
    assert simulated[: simulated.index("copy", 2) + 1].count("copy") == 3


def test_memory_that_is_changed_through_a_pointer_in_memory_counts(simulated):
    body = (
        "float** way; cudaMalloc(&way, 8); cudaMemcpy(way, &y, 8, cudaMemcpyHostToDevice);"
        + NINE
        + COPY
        + "through<<<1, 64>>>(way);"
        + COPY
        + "cudaFree(way);"
    )
    assert ran(body) == "1 64 0" and simulated == ["copy", "copy", "through", "copy"]


@pytest.mark.parametrize(
    ("body", "output"),
    [
        (NINE + "more<<<1, 64>>>(x, y);", "9 576 0"),
        (NINE + "count<<<1, 64>>>(x);", "0 0 9"),
        (NINE + "tell<<<1, 64>>>(x); cudaDeviceSynchronize();", "1 " * 9 + "0 0 0"),
    ],
)
def test_what_changes_something_runs_each_time(simulated, body, output):
    assert ran(body) == output and len(simulated) == 9


def test_memory_that_the_host_can_reach_may_have_changed(simulated):
    body = (
        "float* m; cudaMallocManaged(&m, 256);"
        + NINE
        + "{ for (int i = 0; i < 64; i++) m[i] = k; copy<<<1, 64>>>(m, y, 64); cudaDeviceSynchronize(); }"
        + "cudaFree(m);"
    )
    assert ran(body) == "8 8 0" and len(simulated) == 9


def test_results_that_mean_nothing_go_on_to_mean_nothing(simulated):
    """y is computed from z, which was never written; the mistake is reported when y is copied to the host."""
    with pytest.raises(
        UninitializedReadError,
        match=r"cudaMalloc in line 10 leaves z with whatever was there before",
    ):
        ran(NINE + "copy<<<1, 64>>>(z, y, 64);")
    assert len(simulated) == 2


def test_memory_that_is_set_again_to_what_it_is_counts_as_unchanged(simulated):
    assert ran(NINE + "{ cudaMemset(z, k > 6, 256); " + COPY + "}") == "1 64 0"
    assert simulated == ["copy"] * 2
    assert (
        ran("cudaMemset(x, 0, 256);" + NINE + "{ cudaMemset(y, k, 256); " + COPY + "}") == "0 0 0"
    )


def test_a_mistake_is_reported_however_often_the_launch_was_right(simulated):
    with pytest.raises(RaceError):
        Program(
            TEXT.replace("y[i] = x[i];", "y[i / (int)x[0]] = x[i];")
            % (NINE + COPY + "h[0] = 2; cudaMemcpy(x, h, 256, cudaMemcpyHostToDevice);" + COPY)
        ).run()

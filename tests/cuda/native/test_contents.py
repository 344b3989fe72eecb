"""Which kernels touch the same places whatever is there."""

import pytest

from nnlib.cuda._engine.language import compile_source
from nnlib.cuda._engine.native.policy import kernel

FIXED = {
    "a sum": "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = x[i] + y[i];",
    "a loop over a number": "float s = 0; for (int k = 0; k < n; k++) s += x[k]; y[threadIdx.x] = s;",
    "a tile": "__shared__ float t[32]; t[threadIdx.x] = x[threadIdx.x]; __syncthreads(); y[threadIdx.x] = t[n];",
    "a pointer that goes on": "const float* p = x + n; y[0] = p[threadIdx.x]; p++; y[1] = *p;",
}
NOT_FIXED = {
    "a place that is looked up": "y[at[threadIdx.x]] = 1;",
    "a place that is looked up before": "int i = at[0]; int k = i + 1; y[k] = 1;",
    "a place that is looked up in a loop": "int i = 0; for (int k = 0; k < n; k++) { y[i] = 1; i = at[k]; }",
    "a branch": "if (x[0] > 0) y[0] = 1;",
    "a choice": "y[0] = x[0] > 0 ? x[1] : x[2];",
    "both of two": "y[0] = x[0] > 0 && x[1] > 0;",
    "a loop that waits for a value": "int k = 0; while (x[k] > 0) k++;",
    "a place that another thread knows": "int i = __shfl_sync(~0u, at[0], 0); y[i] = 1;",
    "a ticket": "int i = atomicAdd(count, 1); y[i] = 1;",
    "shared memory": "__shared__ int t[32]; t[threadIdx.x] = at[0]; __syncthreads(); y[t[0]] = 1;",
    "a local array": "int t[2]; t[0] = at[0]; t[1] = 0; y[t[n]] = 1;",
    "a call": "y[found(at, n)] = 1;",
    "a value that a branch decides": "int i = 0; if (at[0]) i = 1; y[i] = 1;",
}
TEXT = (
    "__device__ int found(const int* at, int n) { return at[n]; }\n"
    "__global__ void f(const float* x, float* y, const int* at, int* count, int n) { %s }"
)


def fixed(body):
    return kernel(compile_source(TEXT % body), "f").fixed


@pytest.mark.parametrize("body", FIXED.values(), ids=FIXED)
def test_places_that_numbers_and_sizes_decide_are_fixed(body):
    assert fixed(body)


@pytest.mark.parametrize("body", NOT_FIXED.values(), ids=NOT_FIXED)
def test_places_that_memory_decides_are_not(body):
    assert not fixed(body)

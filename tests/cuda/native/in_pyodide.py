"""Run by Pyodide: a kernel with barriers and expf, natively in place on NumPy's memory, and in the simulator."""

import sys

sys.path.insert(0, "/host" + sys.argv[1])  # where nnlib is

import numpy as np  # noqa: E402

from nnlib.cuda import RawKernel, native_code  # noqa: E402
from nnlib.cuda.native import policy  # noqa: E402

TEXT = """extern "C" __global__ void sums(const float* x, float* y, int n)
{
    __shared__ float s[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = 0;
    for (int k = i; k < n; k += gridDim.x * blockDim.x) v += expf(x[k]) * x[k];
    s[threadIdx.x] = v;
    __syncthreads();
    for (int half = 32; half > 0; half /= 2) {
        if (threadIdx.x < half) s[threadIdx.x] += s[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) y[blockIdx.x] = s[0];
}"""
policy.AT_ONCE = 0
kernel, x = RawKernel(TEXT, "sums"), np.random.default_rng(0).standard_normal(5000).astype(np.float32)
native, simulated = np.zeros(4, np.float32), np.zeros(4, np.float32)
kernel(4, 64, (x, native, x.size), checks=False)
with native_code(False):
    kernel(4, 64, (x, simulated, x.size), checks=False)
assert native.tobytes() == simulated.tobytes(), (native, simulated)
print(policy.engine().name, len(policy._modules), "module")

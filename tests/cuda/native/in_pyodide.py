"""Run by Pyodide: a kernel with barriers and expf, natively in place on NumPy's memory, and in the simulator; a program
with loops of the host, natively and interpreted."""

import sys

sys.path.insert(0, "/host" + sys.argv[1])  # where nnlib is

import numpy as np  # noqa: E402

from nnlib.cuda import Program, RawKernel, native_code  # noqa: E402
from nnlib.cuda._engine import routes  # noqa: E402
from nnlib.cuda._engine.host.loops import running  # noqa: E402
from nnlib.cuda._engine.native import policy  # noqa: E402

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
routes.AT_ONCE = 0
kernel, x = (
    RawKernel(TEXT, "sums"),
    np.random.default_rng(0).standard_normal(5000).astype(np.float32),
)
native, simulated = np.zeros(4, np.float32), np.zeros(4, np.float32)
kernel(4, 64, (x, native, x.size), checks=False)
with native_code(False):
    kernel(4, 64, (x, simulated, x.size), checks=False)
assert native.tobytes() == simulated.tobytes(), (native, simulated)
print(policy.engine().name, len(policy._modules), "module")

PROGRAM = r"""int main() {
    int n = 3000, *x = new int[n]; double s = 0; long long k = 0; short* h = (short*)malloc(2 * n);
    for (int i = 0; i < n; i++) { x[i] = rand() % 1000; h[i] = x[i] * i; }
    for (int i = 1; i < n; i++) { s += x[i] / 3.0; k = k * 3 + (x[i - 1] ^ h[i]); if (i % 500 == 0) printf("%d ", i); }
    printf("%.17g %lld", s, k); delete[] x; free(h);
}"""
running.HOT = 10
turns = []
plain = running.NativeLoop._iterations
running.NativeLoop._iterations = lambda loop: turns.append(plain(loop)) or turns[-1]
quick = Program(PROGRAM).run().output
assert sum(done for done, _ in turns) > 5900, turns
with native_code(False):
    assert Program(PROGRAM).run().output == quick
print("loops alike")

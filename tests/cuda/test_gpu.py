"""What only a GPU does: NVRTC's messages, CuPy arrays, C++ beyond our CUDA C, faults of the hardware."""

import subprocess
import sys

import numpy as np
import pytest

import nnlib.cuda
from nnlib.cuda import KernelError, KernelSyntaxError, LaunchError, RawKernel, RawModule, occupancy
from nnlib.cuda._engine.gpu import cupy_module
from nnlib.device import find

TEXT = """extern "C" __global__ void k(float* x, int n)
{
    int i = threadIdx.x;
\tif (i < n)
\t    x[i] = y[i];
}
"""
LOG = """/tmp/tmpab12/0a.cubin.cu(3): warning #177-D: variable "i" was declared but never referenced
      int i = threadIdx.x;
          ^

/tmp/tmpab12/0a.cubin.cu(5): error: identifier "y" is undefined
       x[i] = y[i];
              ^

1 error detected in the compilation of "/tmp/tmpab12/0a.cubin.cu".
"""


def test_nvrtc_errors_point_into_the_users_text():
    error = cupy_module.explain(TEXT, LOG)
    assert (error.at.line, error.at.column, error.message) == (5, 13, 'identifier "y" is undefined')


class Function:
    """A kernel of CuPy's that fails as it is told. allowed: bytes of shared memory."""

    def __init__(self, status=None, **known):
        self.status, self.max_dynamic_shared_size_bytes = status, 49152
        self.num_regs, self.max_threads_per_block, self.shared_size_bytes = 80, 768, 0
        vars(self).update(known)

    def __call__(self, grid, block, values, shared_mem):
        self.launched = shared_mem
        if self.status is not None:
            error = RuntimeError("CUDA_ERROR")
            error.status = self.status
            raise error


@pytest.mark.parametrize(
    "status, threads, error, words",
    [
        (700, 64, KernelError, "force_simulator"),
        (1, 1024, LaunchError, "80 registers per thread leave room for 768"),
        (701, 1024, LaunchError, "1024 threads per block"),
        (1, 64, LaunchError, "the GPU refused"),
        (999, 64, LaunchError, "the GPU refused"),
        *(
            (status, 64, KernelError, f"it, {does}.* restart it")
            for status, does in {
                702: "ran too long for a GPU",
                710: "failed an assert",
                714: "broke the hardware stack",
                715: "executed an illegal instruction",
                716: "made a misaligned access",
                717: "used a pointer of another memory space",
                718: "jumped to an invalid address",
                719: "crashed",
            }.items()
        ),
    ],
)
def test_what_a_gpu_says_is_told_in_our_words(status, threads, error, words):
    with pytest.raises(error, match=words) as caught:
        cupy_module.launch("k", Function(status), (1, 1, 1), (threads // 4, 4, 1), (), 0)
    assert type(caught.value) is error and caught.value.kernel == "k"


@pytest.mark.parametrize(
    "declared, asked, allowed",
    [
        (0, 49152, 49152),
        (0, 49156, 49156),
        (40000, 9152, 49152),
        (9152, 40004, 49152),
        (30000, 60000, 60000),
        (30000, 70004, None),
    ],
)
def test_more_shared_memory_is_asked_for_where_it_is_needed(declared, asked, allowed, monkeypatch):
    monkeypatch.setattr(cupy_module, "shared_limit", lambda: 100_000)
    function = Function(shared_size_bytes=declared)
    if allowed is None:
        with pytest.raises(
            LaunchError, match=r"100004 bytes.*\(30000 declared, 70004 asked.*has 100000"
        ):
            cupy_module.launch("k", function, (1, 1, 1), (32, 1, 1), (), asked)
        return
    cupy_module.launch("k", function, (1, 1, 1), (32, 1, 1), (), asked)
    assert function.launched == asked and function.max_dynamic_shared_size_bytes == allowed


def test_other_logs_are_kept():
    assert (
        cupy_module.explain("", "ptxas fatal: out of memory\n").message
        == "ptxas fatal: out of memory"
    )


def test_where_the_rest_of_mma_is_missing_the_message_says_what_brings_it():
    log = '/include/mma.h(54): catastrophic error: cannot open source file "crt/mma.h"\n'
    assert (
        "pip install nvidia-cuda-nvcc-cu12" in cupy_module.explain("#include <mma.h>", log).message
    )


@pytest.mark.gpu
def test_cupy_arrays_are_used_in_place():
    import cupy

    x = cupy.arange(10, dtype=cupy.float32)
    kernel = RawKernel(
        'extern "C" __global__ void inc(float* x) { x[threadIdx.x] += 1.0f; }', "inc"
    )
    kernel((1,), (10,), (x,))
    np.testing.assert_array_equal(x.get(), np.arange(1, 11))


@pytest.mark.gpu
def test_cupy_arrays_in_the_simulator():
    import cupy

    x = cupy.arange(10, dtype=cupy.float32)
    kernel = RawKernel(
        'extern "C" __global__ void inc(float* x) { x[threadIdx.x] += 1.0f; }', "inc"
    )
    assert kernel.profile(1, 10, (x,)).global_load.requests == 1
    with nnlib.cuda.force_simulator():
        kernel(1, 9, (x[1:],))
    np.testing.assert_array_equal(x.get(), [1, 3, 4, 5, 6, 7, 8, 9, 10, 11])


@pytest.mark.gpu
@pytest.mark.filterwarnings("error::DeprecationWarning")
def test_cupy_is_given_nothing_that_it_will_drop():
    RawKernel(
        'extern "C" __global__ void cupys_next(int* x) { x[0] = 15; }', "cupys_next"
    ).compile()


@pytest.mark.gpu
def test_cpp_beyond_our_cuda_c_still_runs():
    code = """template<class T> __device__ T twice(T x) { return x + x; }
    extern "C" __global__ void k(float* x, int n) {
        if (threadIdx.x >= n) goto end;
        x[threadIdx.x] = twice(x[threadIdx.x]) + 1.0f;
        end: return; }"""
    x = np.ones(8, np.float32)
    kernel = RawKernel(code, "k")
    kernel(1, 8, (x, 4))
    np.testing.assert_array_equal(x, [3] * 4 + [1] * 4)
    with pytest.raises(nnlib.cuda.ArgumentError, match=r"argument 2 n \(int\)"):
        kernel(1, 8, (x, 4.5))
    with pytest.raises(nnlib.cuda.UnsupportedError):
        kernel.profile(1, 8, (x, 4))


@pytest.mark.gpu
def test_nvrtc_rejects_what_we_do_not_know():
    with pytest.raises(KernelSyntaxError, match=r"kernel.cu:2:\d+: .*\"y\".*(\n.*)*return y"):
        RawModule("__device__ float f(int n) { again: if (n--) goto again;\nreturn y; }").compile()


@pytest.mark.gpu
def test_registers_limit_the_block():
    body = "".join(f"float v{i} = x[{i} * threadIdx.x]; " for i in range(200))
    sums = " + ".join(f"v{i} * v{(i * 7 + 3) % 200}" for i in range(200))
    code = f'extern "C" __global__ void hungry(float* x) {{ {body} __syncthreads(); x[threadIdx.x] = {sums}; }}'
    kernel = RawKernel(code, "hungry")
    limit = kernel.attributes["max_threads_per_block"]
    assert limit < 1024
    with pytest.raises(LaunchError, match=f"registers per thread leave room for {limit}"):
        kernel(1, 1024, (np.zeros(200 * 1024, np.float32),))


@pytest.mark.gpu
def test_a_fault_says_to_restart():
    program = """
import cupy, nnlib.cuda
k = nnlib.cuda.RawKernel('extern "C" __global__ void wild(float* x) { x[1LL << 40] = 1.0f; }', "wild")
x = cupy.zeros(1, cupy.float32)
k(1, 1, (x,))
try:
    cupy.cuda.Device().synchronize()
except Exception:
    pass
k(1, 1, (x,))
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "KernelError: wild: this kernel, or one launched before it, touched memory" in run.stderr
    assert "restart" in run.stderr


@pytest.mark.gpu
def test_a_whole_program_says_so_too():
    program = """
from nnlib.cuda import Program
Program("#include <cassert>\\n__global__ void k() { assert(0); }\\nint main() { k<<<1, 1>>>(); }").run()
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "KernelError: k: this kernel, or one launched before it, failed an assert" in run.stderr


@pytest.mark.gpu
def test_occupancy_equals_the_drivers():
    import cupy

    card = next((name for name in nnlib.cuda.GPUS if name in find().name), None)
    if card is None:
        pytest.skip(f"no occupancy data for {find().name}")
    kernel = RawKernel(
        'extern "C" __global__ void k(float* x) { x[threadIdx.x] = sinf(x[0]) / x[1]; }', "k"
    )
    registers = kernel.attributes["num_regs"]
    for threads in (32, 100, 256, 1024):
        for shared in (0, 5000, 40000):
            expected = cupy.cuda.driver.occupancyMaxActiveBlocksPerMultiprocessor(
                kernel._gpu_function.kernel.ptr, threads, shared
            )
            assert (
                occupancy(threads, shared_mem=shared, registers=registers, gpu=card).blocks
                == expected
            )


def test_kernel_error_is_the_base():
    assert issubclass(KernelSyntaxError, KernelError)

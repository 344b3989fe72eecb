"""A GPU's limits: what just fits is taken, one more is refused, with the number."""

import numpy as np
import pytest

from nnlib.cuda import KernelSyntaxError, LaunchError, RawKernel, force_simulator, limits, occupancy
from nnlib.cuda._engine.language import compile_source


@pytest.mark.parametrize(
    "most, text",
    [
        (48 * 1024, "__global__ void k() {{ __shared__ char a[{}]; a[0] = 1; }}"),
        (64 * 1024, "__constant__ char a[{}];"),
        (512 * 1024, "__global__ void k() {{ char a[{}]; a[0] = 1; }}"),
    ],
    ids=["shared", "constant", "local"],
)
def test_memory_that_a_text_declares(most, text):
    compile_source(text.format(most))
    with pytest.raises(KernelSyntaxError, match=f"{most + 1:,} bytes.*{most:,}"):
        compile_source(text.format(most + 1))


def test_memory_that_a_launch_asks_for():
    text = (
        'extern "C" __global__ void k(int* x) { extern __shared__ int s[]; s[0] = 1; x[0] = s[0]; }'
    )
    kernel = RawKernel(text, "k")
    x = np.zeros(1, np.int32)
    with force_simulator():
        kernel(1, 1, (x,), shared_mem=227 * 1024)
        with pytest.raises(LaunchError, match="232,449 bytes .* 232,448"):
            kernel(1, 1, (x,), shared_mem=227 * 1024 + 1)
    assert x[0] == 1


def test_threads_and_registers():
    assert occupancy(1024, registers=32).blocks == 1 and occupancy(32, registers=255).blocks == 8
    for wrong in ({"block": 1025}, {"block": 32, "registers": 256}):
        with pytest.raises(ValueError, match="1 to (1024|255) are possible"):
            occupancy(**wrong)


def test_how_memory_moves():
    """Thirty-two lanes: side by side; a sector each; in shared memory all in one bank; two in each."""
    text = """extern "C" __global__ void k(const float* x, float* y) {
    __shared__ float s[1024];
    int i = threadIdx.x;
    s[32 * i] = x[i];
    s[2 * i + 1] = x[8 * i];
    y[i] = s[32 * i];
}"""
    profile = RawKernel(text, "k").profile(
        1, 32, (np.zeros(256, np.float32), np.zeros(32, np.float32))
    )
    assert [profile.lines[line].global_load.sectors for line in (4, 5)] == [4, 32]
    assert [profile.lines[line].shared_store.bank_conflicts for line in (4, 5)] == [31, 1]


def test_numbers_of_the_programming_guide():
    assert (limits.MAX_BLOCK, limits.MAX_GRID) == ((1024, 1024, 64), (2147483647, 65535, 65535))

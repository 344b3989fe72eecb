"""Random kernels, with branches that threads take differently and side effects inside of && || ?:."""

from __future__ import annotations

import pytest

from nnlib.cuda import RawModule, force_simulator, native_code
from nnlib.cuda._engine.language.refusal import Refusal
from tests.cuda import random_kernels
from tests.cuda.native.launching import WAYS, natively, same_bits

SEEDS = 24


@pytest.mark.parametrize("way", WAYS, ids=lambda way: f"{way[0]}-{way[1] or 'lanes'}")
@pytest.mark.parametrize("seed", range(SEEDS))
def test_a_random_kernel_has_the_bits_of_the_simulator(seed: int, way: tuple[str, int]) -> None:
    kernel = RawModule(random_kernels.source([seed])).get_function(f"k{seed}")
    grid, block = random_kernels.launch_shape(seed)
    native, simulated = random_kernels.arguments(seed), random_kernels.arguments(seed)
    with force_simulator(), native_code(False):
        try:
            assert natively(kernel, grid, block, native, way=way) == ""
        except Refusal as refusal:
            assert str(refusal) == "lanes of 64 bits" and way == ("wasm", 0)
            pytest.skip("WebAssembly has no such lanes")
        kernel(grid, block, simulated, checks=False)
    for mine, wanted in zip(native, simulated, strict=True):
        assert same_bits(mine, wanted)


SIDE_EFFECTS = """
__device__ int twice(int& count, int by) { count += by; return count; }
extern "C" __global__ void k(const int* x, int* y, int* z)
{
    int t = threadIdx.x, count = 0, other = 5, kept = 0;
    bool both = x[t] > 0 && ++count % 3 != 2 && twice(other, x[t]) > 7;
    bool either = x[t] < -20 || --count < -1 || twice(other, 3) > 20;
    int chosen = x[t] % 2 ? count++ : (other -= 4);
    for (int i = t; i < 40; i += 7) {
        if (i % 5 == 3) continue;
        if (x[(i * 11) & 63] > 90) break;
        kept += both ? twice(count, i) : either && (kept ^= i) ? 1 : 2;
        switch (i & 3) {
        case 0: kept += 3;
        case 1: if (x[t] > 40) continue; kept -= 1; break;
        default: do { kept++; } while (kept % 3 && kept < 100);
        }
    }
    y[t] = kept * 100 + count;
    z[t] = chosen * 1000 + other * 4 + both * 2 + either;
    if (t % 3 == 1) return;
    while (y[t] > 1000) { y[t] /= 2; if (y[t] % 7 == 0) return; }
    z[t] += 1;
}"""


@pytest.mark.parametrize("way", WAYS, ids=lambda way: f"{way[0]}-{way[1] or 'lanes'}")
def test_side_effects_happen_in_the_threads_that_come_to_them(way: tuple[str, int]) -> None:
    import numpy as np

    from nnlib.cuda import RawKernel

    kernel = RawKernel(SIDE_EFFECTS, "k")

    def arguments() -> list[np.ndarray]:
        x = np.random.default_rng(3).integers(-100, 100, 64).astype(np.int32)
        return [x, np.zeros(64, np.int32), np.zeros(64, np.int32)]

    native, simulated = arguments(), arguments()
    with force_simulator(), native_code(False):
        assert natively(kernel, 1, 64, native, way=way) == ""
        kernel(1, 64, simulated)
    assert all(same_bits(mine, wanted) for mine, wanted in zip(native, simulated, strict=True))

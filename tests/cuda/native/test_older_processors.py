"""LLVM compiles for older processors, without AVX-512 or any AVX: fewer lanes, the same bits."""

from __future__ import annotations

import pytest

from nnlib.cuda import RawModule, force_simulator, native_code
from nnlib.cuda._engine.native.llvm import runtime
from tests.cuda import random_kernels
from tests.cuda.corpus import CASES
from tests.cuda.native import launching
from tests.cuda.native.launching import natively, same_bits

SSE2 = {"64bit", "cmov", "cx8", "fxsr", "mmx", "sse", "sse2", "x87"}
AVX2 = SSE2 | {
    "sse3",
    "ssse3",
    "sse4.1",
    "sse4.2",
    "popcnt",
    "avx",
    "avx2",
    "fma",
    "bmi",
    "bmi2",
    "lzcnt",
}
OLDER = {
    "x86-64": (SSE2, 4),
    "haswell": (AVX2, 8),
}  # LLVM's name: what it has, and how many lanes are used there


@pytest.fixture(params=OLDER)
def older(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests compile for such a processor."""
    llvm = pytest.importorskip("llvmlite.binding")
    has, lanes = OLDER[request.param]
    if not llvm.get_default_triple().startswith("x86_64"):
        pytest.skip("a processor of another kind")
    features = llvm.FeatureMap({name: name in has for name in llvm.get_host_cpu_features()})
    monkeypatch.setattr(llvm, "get_host_cpu_features", lambda: features)
    monkeypatch.setattr(llvm, "get_host_cpu_name", lambda: request.param)
    made = runtime.find()
    assert made is not None and made.printer.lane_counts == (lanes, 1)
    monkeypatch.setattr(launching, "target", lambda name: made)


@pytest.mark.usefixtures("older")
@pytest.mark.parametrize("seed", range(4))
def test_a_random_kernel_has_the_bits_of_the_simulator(seed: int) -> None:
    kernel = RawModule(random_kernels.source([seed])).get_function(f"k{seed}")
    grid, block = random_kernels.launch_shape(seed)
    native, simulated = random_kernels.arguments(seed), random_kernels.arguments(seed)
    with force_simulator(), native_code(False):
        assert natively(kernel, grid, block, native, way=("llvm", 0)) == ""
        kernel(grid, block, simulated, checks=False)
    assert all(map(same_bits, native, simulated))


@pytest.mark.usefixtures("older")
@pytest.mark.parametrize("name", ["matmul_tiled", "softmax_rows", "transcendental", "bit_tricks"])
def test_a_textbook_kernel_has_the_bits_of_the_simulator(name: str) -> None:
    case = CASES[name]
    native, simulated = case.arguments(), case.arguments()
    with force_simulator(), native_code(False):
        assert (
            natively(case.compiled(), case.grid, case.block, native, case.shared_mem, ("llvm", 0))
            == ""
        )
        case.compiled()(case.grid, case.block, simulated, case.shared_mem, checks=False)
    assert all(
        same_bits(a, b) for a, b in zip(native, simulated, strict=True) if hasattr(a, "dtype")
    )

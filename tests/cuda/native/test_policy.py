"""Which launches run natively, and that a student sees nothing of it but time."""

from __future__ import annotations

import contextlib
import gc
import subprocess
import sys
import weakref
from typing import Any

import numpy as np
import pytest

from nnlib.cuda import (
    KernelError,
    OutOfBoundsError,
    RaceError,
    RawKernel,
    UninitializedReadError,
    UnsupportedError,
    force_simulator,
    native_code,
)
from nnlib.cuda._engine import routes
from nnlib.cuda._engine.language import compile_source
from nnlib.cuda._engine.native import policy
from nnlib.cuda._engine.native.lowering import control
from tests.cuda.native.launching import natively

SCALE = """extern "C" __global__ void scale(const float* x, float* y, int n, int times)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = 0;
    for (int k = 0; k < times; k++) v += x[i];
    y[i] = v;
}"""
FOUND = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[1]) << 20,) * 2)
from nnlib.cuda._engine.native.wasm import runtime
print(type(runtime.find()).__name__)
"""
WORK = 1 << 14  # iterations of each thread, enough to be worth compiling for


@pytest.fixture
def native(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Return a list that notes for each native launch whether it succeeded."""
    outcomes: list[bool] = []
    execute = policy.execute

    def noted(*given: object) -> bool:
        outcomes.append(execute(*given))  # type: ignore[arg-type]
        return outcomes[-1]

    if policy.engine() is None:
        pytest.skip("no native engine is installed")
    monkeypatch.setattr(policy, "execute", noted)
    with force_simulator():
        yield outcomes


def _launch(
    kernel: RawKernel, y: np.ndarray, times: int = WORK, checks: bool = False, threads: int = 64
) -> None:
    kernel(1, threads, (np.ones(64, np.float32), y, 64, times), checks=checks)


@pytest.mark.parametrize(
    "launches, how, outcomes",
    [
        (1, {"times": 4, "checks": True}, []),
        (1, {}, [True]),
        (3, {"times": 3}, [True, True]),
    ],
    ids=["checked", "long and unchecked", "short and unchecked: native from the second one on"],
)
def test_unchecked_launches_are_native(
    launches: int, how: dict[str, Any], outcomes: list[bool], native: list[bool]
) -> None:
    kernel, y = RawKernel(f"{SCALE}// {how}", "scale"), np.zeros(64, np.float32)
    for _ in range(launches):
        _launch(kernel, y, **how)
    assert native == outcomes and np.all(y == how.get("times", WORK))


def test_one_code_serves_every_size_where_native_code_is_required(native: list[bool]) -> None:
    kernel = RawKernel(SCALE, "scale")
    before = len(policy._modules)
    with native_code("required"):
        for blocks in (1, 2, 7):
            x, y = np.arange(64 * blocks, dtype=np.float32), np.zeros(64 * blocks, np.float32)
            kernel(blocks, 64, (x, y, 64 * blocks, blocks), checks=False)
            np.testing.assert_array_equal(y, blocks * x)
    assert native == [True] * 3 and len(policy._modules) == before + 1


def test_what_native_code_cannot_have_is_said_where_it_is_required(native: list[bool]) -> None:
    kernel = RawKernel(
        'extern "C" __global__ void f(volatile float* x) { x[threadIdx.x] = 1; }', "f"
    )
    with (
        native_code("required"),
        pytest.raises(UnsupportedError, match="does not run as native code: volatile"),
    ):
        kernel(1, 32, (np.zeros(32, np.float32),), checks=False)


def test_the_block_that_met_a_fault_is_simulated_alone(native: list[bool]) -> None:
    y = np.zeros(64 * 500, np.float32)
    with native_code("required"), pytest.raises(OutOfBoundsError) as error:
        RawKernel(SCALE, "scale")(501, 64, (np.ones(64 * 501, np.float32), y, 0, 1), checks=False)
    assert error.value.block == (500, 0, 0) and native == [False]


def test_native_code_can_be_switched_off(native: list[bool]) -> None:
    with native_code(False):
        _launch(RawKernel(SCALE, "scale"), np.zeros(64, np.float32), times=300)
    assert native == []


def test_a_fault_puts_the_arrays_back_and_reads_as_the_simulator_says_it(
    native: list[bool],
) -> None:
    """64 elements, 96 threads: the simulator names the thread and the element."""
    y = np.full(64, 7, np.float32)
    with pytest.raises(OutOfBoundsError) as error:
        _launch(RawKernel(SCALE + "// fault", "scale"), y, times=1000, threads=96)
    assert native == [False] and "x[64]" in str(error.value) and np.all(y == 7)


def test_a_division_by_zero_reads_as_the_simulator_says_it(native: list[bool]) -> None:
    text = """extern "C" __global__ void k(const int* x, int* y)
    { int s = 0; for (int i = 0; i < 20000; i++) s += 100 / (x[threadIdx.x] + i / 19999); y[threadIdx.x] = s; }"""
    with pytest.raises(KernelError, match="zero"):
        RawKernel(text, "k")(
            1, 32, (np.arange(32, dtype=np.int32) - 1, np.zeros(32, np.int32)), checks=False
        )
    assert native == [False]


EXCHANGE = """extern "C" __global__ void exchange(float* to, const float* from, int n, int by)
{
    __shared__ float tile[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) tile[threadIdx.x] = from[i];
    __syncthreads();
    for (int k = 0; k < 4096; k++) if (i < n) to[i] = from[i] * 0.5f + tile[threadIdx.x ^ by] - from[i] * from[i];
}"""


def test_arrays_that_overlap_are_native_where_code_runs_in_place(native: list[bool]) -> None:
    kernel, arrays = (
        RawKernel(EXCHANGE, "exchange"),
        [np.linspace(0, 1, 500, dtype=np.float32) for _ in range(2)],
    )
    for x, checks in zip(arrays, (False, True), strict=True):
        kernel(8, 64, (x, x, 500, 1), checks=checks)
    assert (
        native == [True] * policy.engine().in_place and arrays[0].tobytes() == arrays[1].tobytes()
    )


def test_an_endless_loop_ends_natively(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(control, "BUDGET", 10_000)
    text = 'extern "C" __global__ void k(int* x) { while (x[0] < 1) x[1] = 5; }'
    assert natively(RawKernel(text, "k"), 1, 1, (np.zeros(2, np.int32),)) == "endless"


@pytest.mark.parametrize("way", [("wasm", 1), ("wasm", 4), ("llvm", 1), ("llvm", 8)])
def test_a_read_of_unwritten_shared_memory_is_noticed_where_it_is_tracked(
    way: tuple[str, int],
) -> None:
    text = """extern "C" __global__ void k(float* x) {
        __shared__ float s[64]; if (threadIdx.x != 5) s[threadIdx.x] = 1;
        __syncthreads(); x[threadIdx.x] = s[63 - threadIdx.x]; }"""
    kernel, x = RawKernel(text, "k"), np.zeros(64, np.float32)
    assert natively(kernel, 2, 64, (x,), way=way, tracked=True) == "uninitialised" and not x.any()
    assert natively(kernel, 2, 64, (x,), way=way) == ""
    whole = RawKernel(text.replace("if (threadIdx.x != 5)", ""), "k")
    assert natively(whole, 2, 64, (x,), way=way, tracked=True) == "" and x.all()


def test_a_number_that_keeps_changing_is_passed_instead_of_baked_in(native: list[bool]) -> None:
    kernel = RawKernel(SCALE + "// changing", "scale")
    before = len(policy._modules)
    for times in range(WORK, WORK + 12):
        y = np.zeros(64, np.float32)
        _launch(kernel, y, times)
        assert np.all(y == times)
    assert len(policy._modules) - before <= routes.CHANGING + 1


def test_attributes_say_what_runs_a_kernel_or_why_not(native: list[bool]) -> None:
    assert RawKernel(SCALE, "scale").attributes["native"] == policy.engine().name
    text = 'extern "C" __global__ void k() { printf("hello"); }'
    assert RawKernel(text, "k").attributes["native"] == "the simulator: printf"


def test_profile_and_trace_are_the_simulators(native: list[bool]) -> None:
    kernel, args = (
        RawKernel(SCALE, "scale"),
        (np.ones(64, np.float32), np.zeros(64, np.float32), 64, WORK // 64),
    )
    kernel.profile(1, 64, args)
    kernel.trace(1, 64, args, max_steps=5)
    assert native == []


def test_a_program_that_is_gone_is_forgotten() -> None:
    program = compile_source(SCALE)
    known, gone = policy.kernel(program, "scale"), weakref.ref(program)
    assert not known.refused
    del program
    gc.collect()
    assert gone() is None


ALONE = """extern "C" __global__ void total(const float* x, float* y, int n)
{
    float sum%s;
    for (int i = 0; i < n; i++) sum += x[i];
    y[0] = sum;
}"""


@pytest.mark.parametrize(
    "first, threads, behind, error, outcomes",
    [
        (" = 0", 1, 0, None, [True]),
        ("", 1, 0, (UninitializedReadError, "sum is read before"), []),
        (" = 0", 1, 1, (OutOfBoundsError, r"x\[32768\]"), [False]),
        (" = threadIdx.x", 2, 0, (RaceError, None), []),
    ],
    ids=["right", "wrong from the start", "wrong at the end", "two threads"],
)
def test_one_thread_that_takes_seconds_is_checked_at_the_start_and_native_then(
    first: str, threads: int, behind: int, error: Any, outcomes: list[bool], native: list[bool]
) -> None:
    x, y = np.ones(1 << 15 if error else 1 << 18, np.float32), np.zeros(1, np.float32)
    wrong = pytest.raises(error[0], match=error[1]) if error else contextlib.nullcontext()
    with wrong:
        RawKernel(ALONE % first, "total")(1, threads, (x, y, len(x) + behind))
    assert native == outcomes and y[0] == (0 if error else len(x))


@pytest.mark.parametrize(
    ("megabytes", "found"), [(600, "NoneType"), (3000, "Wasmtime"), (16_000, "Wasmtime")]
)
def test_wasmtime_takes_less_where_addresses_are_few(megabytes: int, found: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", FOUND, str(megabytes)], capture_output=True, text=True
    )
    assert ran.stdout.strip() == found, ran.stderr

"""Kernels through WebGPU, on a Vulkan driver that runs on the CPU: right, or refused by name, or reported.

python -m tests.benchmarks.webgpu_coverage tries more of them, and on a GPU.
"""

from __future__ import annotations

import os
import subprocess
import sys
import weakref
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from nnlib import mine
from nnlib.course import steps
from nnlib.cuda import (
    KernelError,
    KernelTimeoutError,
    OutOfBoundsError,
    RawKernel,
    RawModule,
    UnsupportedError,
    at_most,
    checks,
    force_simulator,
    measure,
    on_webgpu,
    webgpu,
    webgpu_device,
)
from nnlib.cuda._engine import routes
from nnlib.cuda._engine.native.policy import Outcome
from nnlib.cuda._engine.webgpu import policy
from nnlib.cuda._engine.webgpu.printer import kernel_source, print_kernel
from nnlib.cuda._engine.webgpu.shader import ArrayArgument, ShaderLaunch
from nnlib.cuda._engine.webgpu.target import DeviceLostError
from nnlib.layers import Flatten, Linear
from nnlib.mine.launch import launch_of
from nnlib.model import Sequential
from tests.benchmarks.webgpu_coverage import random_kernel
from tests.cuda.corpus import CASES
from tests.cuda.native.launching import same_bits
from tests.cuda.native.wrong_kernels import LISTED, wrong_launches
from tests.cuda.webgpu import in_page

REFUSED = {  # textbook kernel -> what stands in the way
    "coalesced_sums": "a group of the kind cooperative_groups::coalesced_group",
    "partitions": "cooperative_groups::binary_partition",
    "any_group": "a group of the kind cooperative_groups::thread_group",
    "grid_reversed": "a group of the kind cooperative_groups::grid_group",
    "in_place_double_buffer": "a pointer to one of several arrays",
    "unpacked": "a union",
    "windows": "a pointer kept in memory",
    "moved": "a small member of a struct that is passed",
    "waits": "clock",
    "last_block_adds_up": "__threadfence",
    "mapped<square, float>": "a value of type square",
}
FOUND = (  # the other kinds are what the first, checked launch looks for
    "OutOfBoundsError",
    "KernelArithmeticError",
    "MisalignedAccessError",
)
WRONG = wrong_launches()
ROUNDED = (
    "mandelbrot mandelbrot_class relu_grad"  # branch on a last bit, or on the smallest numbers
)
SEEDS = (0, 1, 2, 3, 4, 5, 7, 103, 377, 1542)  # the last four: constants that naga or Mesa misread
ADD = 'extern "C" __global__ void add(float* x, int n) { int i = blockIdx.x * 32 + threadIdx.x; if (i < n) x[i] += 1; }'


def alone(kernel: RawKernel, grid: int, block: int, *arguments: Any) -> Outcome:
    """Launch a kernel through WebGPU, without the simulator behind it."""
    shape = (grid, 1, 1), (block, 1, 1)
    return policy.WebGpuLaunch(kernel._simulated, kernel.name, *shape, arguments, 0).run()


def device() -> Any:
    return policy.device().target  # type: ignore[union-attr]


def exact(name: str) -> None:
    """Skip a kernel whose results show how a GPU rounds."""
    if name in ROUNDED.split() and not device().software:
        pytest.skip("a GPU rounds in its own way, see DESIGN.md")


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_textbook_kernel_is_right_or_refused(case: Any) -> None:
    exact(case.name)
    arguments = case.arguments()
    with webgpu("required"):
        if case.name in REFUSED:
            with pytest.raises(UnsupportedError, match=REFUSED[case.name]):
                case.compiled()(case.grid, case.block, arguments, case.shared_mem)
            return
        case.compiled()(case.grid, case.block, arguments, case.shared_mem)
    for at, want in case.wanted.items():
        got = arguments[at]
        if want.dtype.kind == "f":
            np.testing.assert_allclose(got, want, rtol=max(case.rtol, 2e-6), atol=2e-6)
        else:
            np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("version", ["plain", "best"])
@pytest.mark.parametrize("name", mine.PIECES)
def test_a_kernel_of_the_library_is_right_at_the_sizes_of_its_contract(
    name: str, version: str
) -> None:
    exact(name)
    piece = mine.PIECES[name]
    text = getattr(piece, version)
    kernel, line = RawKernel(text, name), launch_of(piece, text)
    for sizes in piece.sizes if os.environ.get("NNLIB_NIGHTLY") else piece.sizes[1::3]:
        case = piece.case(sizes)
        arguments = case.copies()
        grid, block, shared = line.at(**sizes)
        with webgpu("required"):
            kernel(grid, block, tuple(arguments.values()), shared)
        far = [case.how_far(output, arguments[output]) for output in piece.written]
        assert not [why for why in far if isinstance(why, str)], sizes


@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_kernel_has_the_bits_of_the_simulator(seed: int) -> None:
    assert random_kernel(seed)[0] in ("same", "rounding")


@pytest.mark.parametrize("name", [name for name in WRONG if LISTED[name][0] != "nothing"])
def test_with_the_engine_on_a_wrong_kernel_is_reported_and_changes_nothing(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(routes, "FAR", 0)
    launch, error = WRONG[name], LISTED[name][0]
    modes: Any = True, "required"
    for mode in modes[: 1 + (error in FOUND)]:
        arguments = launch.arguments()
        with webgpu(mode), at_most(20_000), pytest.raises(KernelError) as raised:
            launch.kernel()(launch.grid, launch.block, arguments, launch.shared)
        assert type(raised.value).__name__ in (error, "UnsupportedError")
        assert all(map(same_bits, arguments, launch.arguments()))


def test_a_grid_of_more_blocks_than_a_dispatch_has_is_numbered() -> None:
    n = 32 * 70_000
    x = np.zeros(n, np.float32)
    with webgpu("required"):
        RawKernel(ADD, "add")(n // 32, 32, (x, n))
    assert x.min() == x.max() == 1


@pytest.mark.parametrize(
    "call, exact, highest",
    [
        ("sinf(a)", lambda a, b: np.sin(a), 12_000),
        ("cosf(a)", lambda a, b: np.cos(a), 12_000),
        ("sinf(a)", lambda a, b: np.sin(a), 1e9),
        ("fmodf(a, b)", np.fmod, 3e8),
        ("expm1f(a)", lambda a, b: np.expm1(a), 0.5),
    ],
)
def test_a_function_is_as_exact_as_cuda_says(call: str, exact: Any, highest: float) -> None:
    a, b = np.random.default_rng(5).uniform(-1, 1, (2, 4096)).astype(np.float32)
    a *= np.float32(highest)
    text = f"""extern "C" __global__ void f(const float* x, const float* y, float* z) {{
        int i = blockIdx.x * 128 + threadIdx.x; float a = x[i], b = y[i]; z[i] = {call}; }}"""
    got = np.empty_like(a)
    with webgpu("required"):
        RawKernel(text, "f")(32, 128, (a, b, got))
    wanted = exact(a.astype(np.float64), b.astype(np.float64))
    np.testing.assert_allclose(got, wanted, rtol=1e-6, atol=6e-8 if call != "fmodf(a, b)" else 0)


HALVES = """a + b|a - b|a * b|a / b|-a|HALF(w)|HALF(i * 777777)|HALF(w > 1)|__hfma(a, b, c)|__hfma_sat(a, b, c)
__hfma_relu(a, b, c)|__hadd_sat(a, b)|__hmax(a, b)|__hmin_nan(a, b)|hceil(a)|hrint(b)|hsqrt(__habs(a))|hrcp(b)|own[i % 7]
HALF((float)((signed char)a + (int)b + __NAME2int_rd(a)))
HALF((float)((a < b) + __hisnan(a) + __hisinf(b) + __hneu(a, b)))|__shfl_xor_sync(~0u, b, 3)
p.x|(q - p).y|__hbgt2(p, q) ? a : b|__hle2(p, q).x|__hfma2(p, q, q).y|__NAME_as_ushort(a) & 1 ? a : b|pair[i & 1].y
__ushort_as_NAME(__hgt2_mask(p, q) >> 16)|__lows2NAME2(p, q).y|HALF(__NAME22float2(q).x)|shared[i % 32 ^ 5]
hexp(a)|h2sin(p).y|hlog2(b)|htanh(a)"""  # those of the last line may be off by one


@pytest.mark.parametrize("kind, name", [("__half", "half"), ("__nv_bfloat16", "bfloat16")])
def test_halves_have_the_bits_of_the_simulator(kind: str, name: str) -> None:
    rows = HALVES.replace("\n", "|").split("|")
    stores = "".join(f"z[i + {256 * row}] = {e};\n" for row, e in enumerate(rows))
    text = f"""#include <cuda_fp16.h>
    #include <cuda_bf16.h>
    extern "C" __global__ void f(HALF* x, const HALF* y, HALF* z, HALF c) {{
        int i = blockIdx.x * 32 + threadIdx.x; HALF a = x[i], b = y[i]; float w = (float)a * 3.3f; HALF own[8];
        *(float4*)own = ((const float4*)x)[i / 8]; HALF2 p = ((HALF2*)x)[i / 2], q = __halves2NAME2(b, c), pair[2] = {{q, p}};
        __shared__ HALF shared[32]; shared[i % 32] = a; __syncthreads();
        {stores} ((HALF2*)z)[{128 * len(rows)} + i] = pair[i % 2] * q; }}"""
    text = text.replace("HALF", kind).replace("NAME", name)
    rng = np.random.default_rng(7)
    x = rng.permutation(
        np.append(rng.normal(0, 3, 480), [0, -0.0, np.inf, 6e4, -6e-8, 3e-5, 7e-6, np.nan] * 4)
    )
    values = (
        x.astype(np.float16)
        if kind == "__half"
        else (x.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    )
    found = []
    for engine in (webgpu("required"), force_simulator()):
        z = np.zeros_like(values, shape=256 * (len(rows) + 2))
        with engine:
            RawKernel(text, "f")(8, 32, (values[:256], values[256:], z, values[0]))
        wide = (
            z.astype(np.float32)
            if kind == "__half"
            else (z.astype(np.uint32) << 16).view(np.float32)
        )
        found.append(wide.reshape(-1, 256))
    last = slice(len(rows) - 4, len(rows))
    np.testing.assert_allclose(found[0][last], found[1][last], rtol=1e-2)
    here, there = (np.delete(one, last, 0) for one in found)
    np.testing.assert_array_equal(here, there)


@pytest.mark.parametrize(
    "body, allowed",
    [
        ("Four s = ((Four*)x)[i / 16 + 1]; y[i] = s.a + s.b[2] + s.d;", False),
        ("Four s = {1, {2, 3, 4}, 5}; ((Four*)x)[i / 16 + 1] = s;", False),
        ("float4 v = {1, 2, 3, 4}; float* p = &v.x; y[i] = p[i % 4];", True),
        ("float4 v = {1, 2, 3, 4}; float* p = &v.x; y[i] = p[i % 5];", False),
        ("Four s = {1, {2, 3, 4}, 5}; add(s, i); float* p = s.b; y[i] = p[i % 3] + s.d;", True),
        ("Four s[2] = {}; add(s[i % 2], i); y[i] = s[1].b[0] + s[0].d;", True),
        ("unsigned char* p = (unsigned char*)(x + 3); y[i] = p[i % 4];", True),
        (
            "float v = x[3]; unsigned char* p = (unsigned char*)&v; y[i] = p[i % 4] + *(int*)&v % 99;",
            True,
        ),
        (
            "__shared__ Four s[32]; s[i].b[0] = i; s[i].d = i; __syncthreads(); y[i] = s[31 - i].d + s[i].b[0];",
            True,
        ),
        ("extern __shared__ short t[]; t[i] = 2 * i; __syncthreads(); y[i] = t[31 - i];", True),
    ],
)
def test_memory_seen_as_another_type_keeps_its_bounds(body: str, allowed: bool) -> None:
    text = f"""struct Four {{ float a, b[3]; short d; }};
    __device__ void add(Four& s, int i) {{ s.b[i % 3] += i; s.d -= i; }}
    extern "C" __global__ void f(float* x, float* y) {{ int i = threadIdx.x; {body} }}"""
    got, wanted = (np.arange(42, dtype=np.float32) for _ in range(2))
    with (
        webgpu("required"),
        nullcontext() if allowed else pytest.raises(OutOfBoundsError),
    ):
        RawKernel(text, "f")(1, 32, (got[:10], got[10:]), 64)
    if allowed:
        with force_simulator():
            RawKernel(text, "f")(1, 32, (wanted[:10], wanted[10:]), 64)
    assert same_bits(got, wanted)


def test_memory_is_copied_element_by_element() -> None:
    text = """extern "C" __global__ void f(const float* x, float* y, const float* z) {
        float own[4]; memcpy(own, x + 4 * threadIdx.x, sizeof(own)); own[0] += 1;
        memcpy(y + 4 * threadIdx.x, own, 4 * sizeof(float)); }"""
    x, y = np.arange(128, dtype=np.float32), np.zeros(128, np.float32)
    with webgpu("required"):
        RawKernel(text, "f")(1, 32, (x, y, x))
        assert y.tolist() == [k + (k % 4 == 0) for k in range(128)]
        with pytest.raises(UnsupportedError, match="memcpy of a size"):
            RawKernel(text.replace("sizeof(own)", "4 * (int)z[0]"), "f")(1, 32, (x, y, x))


def test_arrays_of_one_allocation_share_it() -> None:
    text = 'extern "C" __global__ void shift(const float* a, float* b, int n) { int i = threadIdx.x; if (i < n) b[i] = a[i]; }'
    x = np.arange(64, dtype=np.float32)
    with webgpu("required"):
        RawKernel(text, "shift")(1, 32, (x[:20], x[41:61], 20))
    assert x[41:61].tolist() == list(range(20)) and x[61:].tolist() == [61, 62, 63]


@pytest.mark.parametrize(
    "access, proved",
    [
        ("if (i < n) x[i] = 1;", True),
        ("if (i >= n) return; for (int k = 0; k <= i; k++) x[k] += 1;", True),
        ("for (int k = i; k < n; k += 64) x[k] = 1;", True),
        ("for (int k = n - 1; k >= 0; k--) x[k] = i;", True),
        ("x[i] = 1;", False),
        ("if (i <= n) x[i] = 1;", False),
        ("for (int k = 0; k < n; k++) { x[k] = 1; if (i == 3) k += 2; }", True),
        ("for (int k = 0; k < n; k++) { if (i == 3) k += 2; x[k] = 1; }", False),
        ("int k = 0; while (x[0] < 1) k++; x[k] = 1;", False),
    ],
)
def test_what_a_guard_proves_is_not_checked_again(access: str, proved: bool) -> None:
    text = f'extern "C" __global__ void f(float* x, int n) {{ int i = blockIdx.x * 64 + threadIdx.x; {access} }}'
    shape = ShaderLaunch((2, 1, 1), (64, 1, 1), (ArrayArgument(0, 400), 100))
    source = kernel_source(RawModule(text).program, "f")
    assert ("ck(" not in print_kernel(source, shape, ["x"]).text.partition("fn body")[2]) is proved


@pytest.mark.parametrize(
    "loop, ends",
    [
        ("int m = y[0], k = 0; k < m; k++", True),
        ("int m = y[0], k = 0; k <= m; k++", False),
        ("int k = 0; k < blockDim.x; k++", True),
        ("int k = 0; k < n; k++, k--", False),
        ("int k = 0; k < n; n % 2 && k++", False),
        ("int k = 0; k < n; k *= 2", False),
        ("int k = 1; k < n; k *= 2", True),
        ("unsigned k = n; k >= 0; k--", False),
        ("unsigned k = n; k > 0; k--", True),
        ("int k = n; k != 0; k -= 3", False),
        ("int k = n; k != 0; k /= 2", True),
        ("int k = n; k > -1; k >>= 1", False),
        ("int k = n; k > 0; k >>= 1", True),
    ],
)
def test_only_a_loop_that_ends_for_certain_has_no_limit(loop: str, ends: bool) -> None:
    text = (
        f'extern "C" __global__ void f(float* x, const int* y, int n) {{ for ({loop}) x[0] += 1; }}'
    )
    shape = ShaderLaunch((1, 1, 1), (1, 1, 1), (ArrayArgument(0, 4), ArrayArgument(1, 4), 100))
    printed = print_kernel(kernel_source(RawModule(text).program, "f"), shape, ["x"]).text
    assert ("spent_()" not in printed) is ends


def test_numbers_of_64_bits_need_none_where_the_sizes_are_small() -> None:
    text = """extern "C" __global__ void f(float* x, size_t n) { size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n) x[i] = 1; }"""
    source = kernel_source(RawModule(text).program, "f")
    small = ShaderLaunch((2, 1, 1), (64, 1, 1), (ArrayArgument(0, 400), 100))
    assert "u64" not in print_kernel(source, small, ["x"]).text.partition("fn body")[2]
    large = ShaderLaunch((2**27, 1, 1), (64, 1, 1), (ArrayArgument(0, 400), 100))
    assert "mul_wide_u32_(" in print_kernel(source, large, ["x"]).text.partition("fn body")[2]


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the device have no integers of 64 bits, as in every browser."""
    target = policy.device().target  # type: ignore[union-attr]
    monkeypatch.setattr(target, "abilities", replace(target.abilities, int64=False))


@pytest.mark.usefixtures("narrow")
@pytest.mark.parametrize("number, fits", [(300, True), (-300, True), (70_000, False)])
def test_without_64_bits_what_32_do_not_hold_is_left_to_the_simulator(
    number: int, fits: bool
) -> None:
    text = """extern "C" __global__ void f(const int* x, int* y) {
        long long square = (long long)x[threadIdx.x] * x[0];
        y[threadIdx.x] = (int)(square >> 5) + (int)(square % 1000); }"""
    x, y = np.full(32, number, np.int32), np.zeros(32, np.int32)
    assert (alone(RawKernel(text, "f"), 1, 32, x, y) is Outcome.DONE) is fits
    with webgpu("required"):
        RawKernel(text, "f")(1, 32, (x, y))
    assert y.tolist() == [(number**2 >> 5) + number**2 % 1000] * 32


@pytest.mark.usefixtures("narrow")
@pytest.mark.parametrize("number, fits", [(2_000_000_000, True), (3_000_000_000, False)])
def test_without_64_bits_only_an_unsigned_number_of_31_is_widened(number: int, fits: bool) -> None:
    text = 'extern "C" __global__ void f(const unsigned* x, int* y) { long long wide = x[0]; y[0] = wide / 2; }'
    arguments = np.array([number], np.uint32), np.zeros(1, np.int32)
    assert (alone(RawKernel(text, "f"), 1, 1, *arguments) is Outcome.DONE) is fits


@pytest.mark.usefixtures("narrow")
def test_a_counter_that_32_bits_do_not_hold_ends_nonetheless() -> None:
    text = """extern "C" __global__ void f(int* y) {
        for (long long i = 0; i < 2147483000LL; i += 1073741824LL) y[0]++; }"""
    y = np.zeros(1, np.int32)
    with webgpu("required"):
        RawKernel(text, "f")(1, 1, (y,))
    assert y[0] == 2


def test_nested_loops_are_not_all_written_out() -> None:
    text = """extern "C" __global__ void f(float* x) { float a[32] = {};
        for (int i = 0; i < 32; i++) for (int j = 0; j < 32; j++) for (int k = 0; k < 32; k++) a[k] += x[i];
        x[0] = a[3]; }"""
    shape = ShaderLaunch((1, 1, 1), (1, 1, 1), (ArrayArgument(0, 400),))
    printed = print_kernel(kernel_source(RawModule(text).program, "f"), shape, ["x"])
    assert len(printed.text) < 200_000


def test_no_remainder_of_signed_numbers_is_left_to_a_driver() -> None:
    text = 'extern "C" __global__ void f(int* x, int n) { x[threadIdx.x] %= 7; x[0] = x[1] % n; x[2] = n % x[3]; }'
    shape = ShaderLaunch((1, 1, 1), (64, 1, 1), (ArrayArgument(0, 400), -5))
    assert "%" not in print_kernel(kernel_source(RawModule(text).program, "f"), shape, ["x"]).text


@pytest.mark.parametrize(
    "body", ["int k = 0; while (x[1] == 0) k++; x[0] = k;", "while (atomicCAS(x, 0, 1)); x[1]++;"]
)
def test_a_loop_that_does_not_end_is_reported(body: str) -> None:
    text = f'extern "C" __global__ void f(int* x) {{ {body} }}'
    with webgpu("required"), at_most(100), pytest.raises(KernelTimeoutError):
        RawKernel(text, "f")(1, 32, (np.zeros(2, np.int32),))


def test_an_assert_that_fails_is_reported() -> None:
    text = 'extern "C" __global__ void f(int* x) { assert(x[0] == 0); x[0] = 5; }'
    x = np.zeros(1, np.int32)
    with webgpu("required"):
        RawKernel(text, "f")(1, 1, (x,))
        with pytest.raises(KernelError, match="assert"):
            RawKernel(text, "f")(1, 1, (x,))
    assert x[0] == 5


def test_it_is_measured_and_named_for_what_it_is() -> None:
    x = np.zeros(64, np.float32)
    timing = measure(RawKernel(ADD, "add"), 2, 32, (x, 64), repeats=2)
    assert timing.median > 0 and timing.device == webgpu_device()
    assert ("on the CPU" in timing.device) is device().software
    with webgpu(False):
        assert measure(RawKernel(ADD, "add"), 2, 32, (x, 64), repeats=2).device.startswith(
            "this CPU"
        )
    assert not x.any()


def test_launches_that_repeat_leave_their_arrays_on_the_device() -> None:
    x = np.zeros(64, np.float32)
    kernel = RawKernel(ADD, "add")
    with on_webgpu() as replay:
        launch = replay.prepare(kernel, 2, 32, (x, 64))
        replay.start([launch] * 5)
    assert x.tolist() == [5] * 64
    with pytest.raises(UnsupportedError, match="met an error"), on_webgpu() as replay:
        replay.start([replay.prepare(kernel, 3, 32, (x, n)) for n in (64, 70)])
    assert x.tolist() == [5] * 64


def test_an_array_that_nobody_else_holds_lives_until_the_session_ends() -> None:
    x = np.zeros(64, np.float32)
    alive, kernel = weakref.ref(x), RawKernel(ADD, "add")
    with on_webgpu() as replay:
        replay.start([replay.prepare(kernel, 2, 32, (x, 64))])
        del x
        assert alive() is not None


def test_training_on_the_device_has_the_losses_of_native_code() -> None:
    there = in_page.found()
    with webgpu(False):
        np.testing.assert_allclose(there["losses"], in_page.losses(), rtol=1e-6)
    assert there["steps"] == 9  # five full batches in each epoch, but for the checked first one


def test_a_step_is_timed_launch_by_launch_on_the_device() -> None:
    model = Sequential(Flatten(), Linear(64, 4))
    calls = steps.launches(steps.plan_of(model, 8, (1, 8, 8)))
    assert min(steps.timed(calls).values()) > 0 and str(webgpu_device()) in steps.clock()


def test_a_lost_device_is_said_once_and_missed_by_nobody(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def lost(*_: Any) -> None:
        raise DeviceLostError("the driver was reset")

    monkeypatch.setattr(policy, "_lost", [])
    monkeypatch.setattr(device(), "dispatch", lost)
    kernel, x = RawKernel(ADD, "add"), np.zeros(64, np.float32)
    for _ in range(2):
        alone(kernel, 2, 32, x, np.int32(64))
    assert capsys.readouterr().err.count("the driver was reset") == 1
    with checks(False):
        kernel(2, 32, (x, 64))
    assert x.tolist() == [1] * 64 and "the driver was reset" in kernel.attributes["webgpu"]


def test_without_wgpu_everything_is_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(policy, "_device", lambda software: None)
    kernel, x = RawKernel(ADD, "add"), np.zeros(64, np.float32)
    with checks(False):
        kernel(2, 32, (x, 64))
    assert x.tolist() == [1] * 64 and kernel.attributes["webgpu"].startswith("no GPU")
    with webgpu("required"), pytest.raises(UnsupportedError, match="pip install wgpu"):
        kernel(2, 32, (x, 64))


def test_nobody_imports_wgpu_before_it_is_needed() -> None:
    text = "import sys, nnlib.cuda; sys.exit('wgpu' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", text]).returncode == 0

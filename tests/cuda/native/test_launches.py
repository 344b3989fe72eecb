"""Native launches have the simulator's bits: textbook kernels, students' kernels, random ones and single constructs.

What native code refuses of the corpus is written down in refusals.txt.
"""

from __future__ import annotations

import contextlib
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nnlib import mine, ops
from nnlib.cuda import RawKernel, RawModule, force_simulator, native_code
from nnlib.cuda._engine.language.refusal import Refusal
from nnlib.cuda._engine.native.llvm import runtime
from nnlib.mine.launch import launch_of
from tests.cuda import random_kernels
from tests.cuda.corpus import CASES
from tests.cuda.native import launching
from tests.cuda.native.launching import Launch, every_way, natively, same_bits, three_ways

LINES = (Path(__file__).parent / "refusals.txt").read_text().splitlines()
REFUSALS = dict(line.split(": ", 1) for line in LINES)

FUNCTIONS = """
struct S { int* p; };
__device__ int g(int v) { int s = v; for (int d = 16; d > 0; d /= 2) s += __shfl_down_sync(~0u, s, d); return s; }
__device__ int h(int v) { __syncthreads(); if (v) return 3; return 4; }
__device__ int twice(int& count, int by) { count += by; return count; }
__device__ float clamped(float v) { if (v < 0) return 0; if (v > 1) return 1; return v; }
extern "C" __global__ void k(const int* x, int* y, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = 0;
    __syncthreads();
    %s
}"""
ANY = "__any_sync(~0u, t + n > 66)"
CONDITIONS = (
    "ANY && n > 3",
    "ANY || n > 4",
    "ANY ? n : 3",
    "n > 3 && ANY",
    "n > 4 || ANY",
    "n > 4 && ANY",
    "n > 3 ? ANY : 3",
    "n > 4 ? ANY : 3",
    "n > 3 ? 3 : ANY",
    "(n += ANY) * 2 + n",
)
BODIES = {
    "do any": "int i = t; do { i -= 3; y[t] += i; } while (__any_sync(~0u, i > 0));",
    "while any": "int i = t; while (__any_sync(~0u, i > 0)) { i--; if (t == 3) continue; y[t]++; }",
    "for vote": "for (int i = 0; __syncthreads_or(i < x[0] % 7 + 3); i++) { s[t] = i; __syncthreads(); "
    "y[t] += s[63 - t]; }",
    "cond shfl": "int v = x[t]; y[t] = n > 3 && __shfl_sync(~0u, v, 3) > 2 ? __shfl_xor_sync(~0u, v, 1) : g(v);",
    "nested": "int v = x[t]; if (n > 2) { if (__all_sync(~0u, v < 1000)) { v += g(v); } else v = 1; } y[t] = v;",
    "compound": "int v = t; v += __shfl_down_sync(~0u, v, 1) * 2; v -= g(v++); y[t] = v;",
    "early": "if (t < 3) return; y[t] = clamped(x[t] * 0.1f) * 100 + clamped(-x[t] + 1); "
    "float q = clamped(t & 1 ? clamped(x[t]) : 2.f); y[t] += q;",
    "loop count": "int c = 0; for (int i = 0; i < 4; i++) { int b = __ballot_sync(~0u, (x[t] >> i) & 1); "
    "if (__popc(b) > 9) continue; c += b; if (n == i) break; } y[t] = c;",
    "atomics": "y[t] = atomicAdd(&y[64], 1) >= 0 ? atomicAdd(&s[0], t) * 0 + 5 : 7;",
    "increments": "int i = t; int a[4] = {1, 2, 3, 4}; a[i++ & 3] += i; a[i & 3] = i++ + --i; int* p = a; *p++ = i; "
    "*p-- += 2; ++*p; y[t] = a[0] + a[1] * 7 + a[2] * 49 + a[3] * 343 + (p - a);",
    "comma": "int i, j; for (i = 0, j = t; i < j; i++, j -= 2) y[t] += i * j; y[t] = (i += 2, j) + i;",
    "switchy": "for (int i = 0; i < 9; i++) { switch ((x[t] + i) & 7) { case 0: continue; case 1: y[t] += 1; "
    "case 2: y[t] += 2; break; case 5: if (t & 1) break; y[t] += 50; default: if (i > 6) return; "
    "y[t]++; } y[t] *= 3; }",
    "while load": "int i = 0; while (i < 64 && x[i] != x[t] + 1 && (i & 31) < 30) { if (x[i] == 5) { i += 3; "
    "continue; } i++; } y[t] = i;",
    "do cont": "int i = 0; do { if ((i + t) % 3 == 1) continue; y[t] += i; if (y[t] > 40) break; "
    "} while (++i < 5 + t % 4 && x[i] > -100);",
    "ptr": "const int* p = x + t; const int* q = t > 5 ? p - 2 : p; y[t] = *q++ + q[-1] + (int)(q - x); "
    "const int* r = x; for (int k = 0; k < 3; k++) y[t] += *r++;",
    "struct": "struct P { int a; float b; } u = {t, 0.5f}, w = u; w.a++; u = w.a & 1 ? w : u; u.b += u.a--; "
    "y[t] = u.a * 10 + (int)(u.b * 4);",
    "short": "short z = 32767 - t; z++; z += 3; unsigned char c = t * 9; c <<= 1; c--; signed char e = c; "
    "e /= 3; y[t] = z + c * e; unsigned u = t; u -= 5; u /= 3; y[t] ^= u;",
    "side effects": """int count = 0, other = 5, kept = 0, *z = y + 65;
    bool both = x[t] > 0 && ++count % 3 != 2 && twice(other, x[t]) > 7;
    bool either = x[t] < -20 || --count < -1 || twice(other, 3) > 20;
    int chosen = x[t] % 2 ? count++ : (other -= 4);
    for (int i = t; i < 40; i += 7) {
        if (i % 5 == 3) continue;
        if (x[(i * 11) & 63] > 55) break;
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
    z[t] += 1;""",
    **{text: f"y[t] = {text.replace('ANY', ANY)};" for text in CONDITIONS},
}
KEPT, LEFT = "a pointer kept in memory", "a return before the end of a function with barriers"
REFUSED_BODIES = {
    "__shared__ int* p; p = y; *p = 1;": KEPT,
    "__shared__ int* p; p = y; p++; *p = 1;": KEPT,
    "__shared__ int* p[2]; p[t] = y; *p[1] = 1;": KEPT,
    "__shared__ S q; q.p = y; *q.p = 1;": KEPT,
    "y[t] = h(n);": LEFT,
}
ROUNDINGS = "floorf ceilf truncf rintf nearbyintf roundf fabsf sqrtf -".split()
FLOATS = [0, 0.25, 0.5, 0.75, 1, 1.5, 2.5, 3.5, 7.49, 1e-30, 8388607.5, 8388608, 16777217, 3e38]
LOWEST, HIGHEST = -(2**31), 2**31 - 1
DIVISORS = [2, 3, 5, 6, 7, 8, 9, 10, 24, 26, 28, 32, 63, 64, 100, 576, 641, 784, 1000, 46341, 65536]
DIVISORS += [2**30, 2**30 + 1, HIGHEST]


def of_body(body: str) -> Launch:
    x = np.random.default_rng(1).integers(-60, 60, 64).astype(np.int32)
    return Launch(
        partial(RawKernel, FUNCTIONS % body, "k"),
        1,
        64,
        lambda: [x.copy(), np.zeros(200, np.int32), np.int32(4)],
    )


def of_each(numbers: np.ndarray, results: list[str]) -> Launch:
    """Return a launch that computes these expressions of x[i] for each number."""
    kind, n = "float" if numbers.dtype.kind == "f" else "int", len(numbers)
    lines = " ".join(f"y[{k * n} + i] = {text};" for k, text in enumerate(results))
    text = f"""extern "C" __global__ void each(const {kind}* x, {kind}* y, int n) {{
        int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) {{ {lines} }} }}"""
    return Launch(
        partial(RawKernel, text, "each"),
        -(-n // 96),
        96,
        lambda: [numbers, np.zeros(len(results) * n, numbers.dtype), np.int32(n)],
    )


def of_random(seed: int) -> Launch:
    def kernel() -> RawKernel:
        return RawModule(random_kernels.source([seed])).get_function(f"k{seed}")

    shape = random_kernels.launch_shape(seed)
    return Launch(kernel, *shape, partial(random_kernels.arguments, seed))


def of_windows(width: int, border: int) -> Launch:
    """Return a launch that adds up windows of 3 by 3: the rows of an image end between the lanes. border: of an output
    outside of the image, where the sizes do not decide that a window lies inside."""
    text = """extern "C" __global__ void windows(const float* x, const int* z, float* y, int W, int B) {
        int at = blockIdx.x * blockDim.x + threadIdx.x, O = W - 2 + 2 * B;
        if (at >= 7 * O) return;
        for (int c = 0; c < 2; c++) for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) {
            int row = at / O + i - B, column = at % O + j - B;
            if (row < 0 || row >= 9 - 2 * B || !(column >= 0 && column < W)) continue;
            y[at] += x[(c * 9 + row) * W + column] * z[(c * 9 + row) * W + column];
        } }"""
    n = 7 * (width - 2 + 2 * border)
    z = np.random.default_rng(width).integers(-99, 99, (2, 9, width)).astype(np.int32)
    x = (z / 7).astype(np.float32)
    numbers = np.int32(width), np.int32(border)
    return Launch(
        partial(RawKernel, text, "windows"),
        -(-n // 64),
        64,
        lambda: [x, z, np.zeros(n, np.float32), *numbers],
    )


def near_multiples() -> np.ndarray:
    found = {
        sign * (many * divisor + off)
        for divisor in DIVISORS
        for many in (0, 1, 2, HIGHEST // divisor)
        for off in (-1, 0, 1)
        for sign in (1, -1)
    } | {LOWEST, LOWEST + 1, HIGHEST}
    return np.array([x for x in found if LOWEST <= x <= HIGHEST], np.int32)


TEXTBOOK = {
    name: Launch(case.compiled, case.grid, case.block, case.arguments, case.shared_mem)
    for name, case in CASES.items()
}
LAUNCHES = {
    **{name: launch for name, launch in TEXTBOOK.items() if name not in REFUSALS},
    **{f"random {seed}": of_random(seed) for seed in range(24)},
    **{name: of_body(body) for name, body in BODIES.items()},
    **{
        f"windows {width} {border}": of_windows(width, border)
        for width in (3, 6, 17, 18, 19, 26, 34, 66)
        for border in (0, 1)
    },
    "rounding": of_each(
        np.array([s * x for x in (*FLOATS, np.inf, np.nan) for s in (1, -1)] * 5, np.float32),
        [f"{function}(x[i])" for function in ROUNDINGS],
    ),
    "division": of_each(
        near_multiples(), [f"x[i] {op} {divisor}" for divisor in DIVISORS for op in "/%"]
    ),
}


@three_ways(LAUNCHES, TEXTBOOK)
def test_a_native_launch_has_the_bits_of_the_simulator(name: str, way: tuple[str, int]) -> None:
    LAUNCHES[name].compare(way)


@pytest.mark.parametrize("name", [name for name in TEXTBOOK if name not in REFUSALS])
def test_code_for_every_size_has_the_same_bits(name: str) -> None:
    LAUNCHES[name].compare(None)


@pytest.mark.parametrize(
    "launch, why",
    [
        *((TEXTBOOK[name], why) for name, why in REFUSALS.items()),
        *((of_body(body), why) for body, why in REFUSED_BODIES.items()),
    ],
)
def test_a_refusal_names_what_stands_in_the_way(launch: Launch, why: str) -> None:
    """A launch that is no longer refused has to leave refusals.txt."""
    with pytest.raises(Refusal) as refusal:
        launch.natively()
    assert str(refusal.value) == why


def test_at_least_85_percent_of_the_corpus_launches_native() -> None:
    assert len(REFUSALS) <= 0.15 * len(CASES)


SSE2 = "64bit cmov cx8 fxsr mmx sse sse2 x87"
AVX2 = f"{SSE2} sse3 ssse3 sse4.1 sse4.2 popcnt avx avx2 fma bmi bmi2 lzcnt"
SOME = (
    "matmul_tiled",
    "softmax_rows",
    "transcendental",
    "bit_tricks",
    *map("random {}".format, range(4)),
)


@pytest.mark.parametrize("name", SOME)
@pytest.mark.parametrize("processor, has, lanes", [("x86-64", SSE2, 4), ("haswell", AVX2, 8)])
def test_older_processors_take_fewer_lanes(
    processor: str, has: str, lanes: int, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    llvm = pytest.importorskip("llvmlite.binding")
    if not llvm.get_default_triple().startswith("x86_64"):
        pytest.skip("a processor of another kind")
    features = llvm.FeatureMap({name: name in has.split() for name in llvm.get_host_cpu_features()})
    monkeypatch.setattr(llvm, "get_host_cpu_features", lambda: features)
    monkeypatch.setattr(llvm, "get_host_cpu_name", lambda: processor)
    made = runtime.find()
    assert made is not None and made.printer.lane_counts == (lanes, 1)
    monkeypatch.setattr(launching, "target", lambda name: made)
    LAUNCHES[name].compare(("llvm", 0))


@every_way
def test_a_read_out_of_bounds_is_met_where_its_type_decides_the_condition(
    way: tuple[str, int],
) -> None:
    text = """extern "C" __global__ void k(const unsigned char* x, int* y)
    { if (x[threadIdx.x] < 256) y[threadIdx.x] = 1; }"""
    arrays = [np.zeros(40, np.uint8), np.zeros(64, np.int32)]
    with force_simulator():
        assert natively(RawKernel(text, "k"), 1, 64, arrays, way=way) == "bounds"


@pytest.mark.parametrize("version", ["plain", "best"])
@three_ways(mine.PIECES, mine.PIECES)
def test_a_kernel_of_the_library_has_the_bits_of_the_simulator(
    name: str, version: str, way: tuple[str, int]
) -> None:
    piece = mine.PIECES[name]
    text = getattr(piece, version)
    line = launch_of(piece, text)
    for sizes in piece.sizes[way[0] == "llvm" : 4 : 2]:  # all four over the engines
        grid, block, shared = line.at(**sizes)
        case = piece.case(sizes)
        Launch(
            partial(RawKernel, text, name),
            grid,
            block,
            lambda case=case: list(case.copies().values()),  # type: ignore[misc]
            shared,
        ).compare(way)


@pytest.fixture
def shadowed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Each simulated launch is repeated natively; the names of the kernels that were."""
    names: list[str] = []
    simulate = RawKernel.__call__

    def both(
        self: RawKernel, grid: Any, block: Any, args: Any, shared_mem: int = 0, **how: Any
    ) -> Any:
        native = [value.copy() if isinstance(value, np.ndarray) else value for value in args]
        result = simulate(self, grid, block, args, shared_mem, **how)
        same = np.allclose if "atomicAdd" in self.code else same_bits
        with contextlib.suppress(Refusal):
            assert natively(self, grid, block, native, shared_mem, ("llvm", 0)) == "", self.name
            assert all(map(same, native, args)), self.name
            names.append(self.name)
        return result

    monkeypatch.setattr(RawKernel, "__call__", both)
    return names


def test_the_kernels_of_the_course_have_the_bits_of_the_simulator(shadowed: list[str]) -> None:
    rng = np.random.default_rng(0)

    def random(*shape: int) -> np.ndarray:
        return rng.standard_normal(shape).astype(np.float32)

    with force_simulator(), native_code(False), ops.engine("kernels"):
        x, w, b = random(3, 2, 9, 11), random(4, 2, 3, 3), random(4)
        y = ops.conv2d(x, w, b, padding=1)
        ops.conv2d_backward(y, x, w, padding=1)
        pooled, where = ops.max_pool2d(y, 2)
        ops.max_pool2d_backward(pooled, where, y.shape, 2)
        flat, u, v = random(5, 70), random(20, 70), random(20)
        z = ops.linear(flat, u, v)
        ops.linear_backward(z, flat, u)
        for name in ("relu", "sigmoid", "tanh"):
            getattr(ops, f"{name}_backward")(z, getattr(ops, name)(z))
        ops.softmax_cross_entropy(z, rng.integers(0, 20, 5).astype(np.int32))
    assert len(set(shadowed)) >= 10, shadowed

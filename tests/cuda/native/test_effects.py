"""Effects inside of expressions, and functions of the warp anywhere in them, natively and in the simulator."""

from __future__ import annotations

import numpy as np
import pytest

from nnlib.cuda import RawKernel, force_simulator, native_code
from nnlib.cuda._engine.language.refusal import Refusal
from tests.cuda.native.launching import WAYS, natively, same_bits

FUNCTIONS = """
__device__ int g(int v) { int s = v; for (int d = 16; d > 0; d /= 2) s += __shfl_down_sync(~0u, s, d); return s; }
__device__ int h(int v) { __syncthreads(); if (v) return 3; return 4; }
__device__ float clamped(float v) { if (v < 0) return 0; if (v > 1) return 1; return v; }
extern "C" __global__ void k(const int* x, int* y, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = 0;
    __syncthreads();
    %s
}"""
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
}


def both(body: str, way: tuple[str, int]) -> tuple[np.ndarray, np.ndarray]:
    """What native code and the simulator leave in y."""
    kernel, x = (
        RawKernel(FUNCTIONS % body, "k"),
        np.random.default_rng(1).integers(-60, 60, 64).astype(np.int32),
    )
    native, simulated = np.zeros(65, np.int32), np.zeros(65, np.int32)
    with force_simulator(), native_code(False):
        assert natively(kernel, 1, 64, [x, native, np.int32(4)], way=way) == ""
        kernel(1, 64, (x, simulated, np.int32(4)))
    return native, simulated


@pytest.mark.parametrize("way", WAYS, ids=lambda way: f"{way[0]}-{way[1] or 'lanes'}")
@pytest.mark.parametrize("name", BODIES)
def test_an_effect_happens_when_the_simulator_has_it(name: str, way: tuple[str, int]) -> None:
    assert same_bits(*both(BODIES[name], way))


def test_a_function_with_a_barrier_is_left_at_its_end() -> None:
    with pytest.raises(Refusal, match="a return before the end of a function with barriers"):
        both("y[t] = h(n);", WAYS[0])

"""What a compiler keeps in registers: loads and stores of global memory, as written and as compiled, of one warp.

Whether nvcc does so is asked over whole kernels, of an H200: tests/cuda/test_counters.py.
"""

import numpy as np
import pytest

from . import kernel, run

T = "int t = threadIdx.x;\n"
SUM = "for (int k = 0; k < 8; k++)\nc[t] += a[t * 8 + k] * b[k];"


def profiled(body, parameters="float* a, float* b, float* c, int n", before=""):
    arrays = [np.ones(512, np.float32) for _ in range(3)]
    return run(kernel(parameters, T + body, before), [*arrays, np.int32(8)], profile=True)


@pytest.mark.parametrize(
    "body, loads, stores",
    [
        ("c[t] = a[t] * a[t];", (2, 1), (1, 1)),
        ("c[t] = a[t]; b[t] = a[t];", (2, 2), (2, 2)),  # c may be a
        ("c[t] = a[t]; b[t] = c[t];", (2, 1), (2, 2)),  # what was stored is known
        ("int i = t + 1; c[t] = a[i] + a[1 + t] + a[t * 2 - t + 1];", (3, 1), (1, 1)),
        ("int i = t; float x = a[i]; i++; c[t] = x + a[i];", (2, 2), (1, 1)),
        ("int i = t; i++; c[t] = a[i] + a[t + 1];", (2, 1), (1, 1)),
        ("int i = t + 2; i -= 1; c[t] = a[i] + a[1 + t];", (2, 1), (1, 1)),
        ("int i = t; i *= 2; c[t] = a[i] + a[t + 2];", (2, 2), (1, 1)),
        ("int i = t << 2; c[t] = a[i] + a[4 * t];", (2, 1), (1, 1)),
        ("c[t] = a[t << 2] + a[9 * t];", (2, 2), (1, 1)),
        ("int i = -t; c[t] = a[t - i] + a[2 * t];", (2, 1), (1, 1)),
        ("int i = ~t; c[t] = a[40 + i] + a[40 - t];", (2, 2), (1, 1)),
        ("int i = t++; c[i] = a[t] + a[i + 1];", (2, 1), (1, 1)),
        ("float* p = a + t; p += 2; c[t] = *p-- + p[1] + a[t + 2];", (3, 1), (1, 1)),
        ("float x = a[t]; __syncthreads(); c[t] = x + a[t];", (2, 2), (1, 1)),
        ("float x = a[t]; __threadfence(); c[t] = x + a[t];", (2, 2), (1, 1)),
        (
            "float x = a[t]; x += __shfl_xor_sync(0xffffffff, x, 1); c[t] = x + a[t];",
            (2, 1),
            (1, 1),
        ),
        ("float x = a[t]; atomicAdd(b, x); c[t] = x + a[t];", (2, 2), (1, 1)),
        ("if (a[t] > 0 && a[t] < 9) c[t] = a[t];", (3, 1), (1, 1)),
        (
            "float x = 0; if (t < n) x = a[t]; c[t] = x + a[t];",
            (2, 2),
            (1, 1),
        ),  # not loaded on every way
        ("if (t % 2) c[t] = a[t]; else c[t] = 2 * a[t];", (2, 1), (2, 2)),  # before the branch
        ("if (t >= n) return; float x = a[t]; c[t] = x + a[t];", (2, 1), (1, 1)),
        ("float x = 0; for (int k = 0; k < n; k++) x += a[t] * b[k]; c[t] = x;", (16, 9), (1, 1)),
        (
            "float x = 0; for (int k = 0; k < n; k++) if (k > t) x += a[t]; c[t] = x;",
            (7, 7),
            (1, 1),
        ),
        (
            "float x = 0; for (int i = 0; i < 3; i++) for (int k = 0; k < n; k++) x += a[t]; c[t] = x;",
            (24, 3),
            (1, 1),
        ),
        (SUM, (24, 17), (8, 8)),  # c may be a or b: the sum is known, but stored for them
        ("c[t] = a[min(t, 5)] + a[min(t, 5)];", (2, 1), (1, 1)),
        ("float x; x = (c[t] = a[t], 2.0f); b[t] = x * c[t];", (2, 1), (2, 2)),
        ("float2* v = (float2*)a; c[t] = v[t].x + v[t].y;", (2, 1), (1, 1)),
        ("float3* v = (float3*)a; c[t] = v[t].x + v[t].y;", (2, 2), (1, 1)),
        (
            "c[t] = 1; c[t] = a[t]; c[t] = 2;",
            (1, 1),
            (3, 2),
        ),  # the 1 must be there when a[t] is read, if a is c
        ("c[t] = 1; float x = 2; c[t] = x + n;", (0, 0), (2, 1)),
        ("c[t] = 1; if (n) c[t] = 2;", (0, 0), (2, 2)),
        ("c[t] = 1; __syncthreads(); c[t] = 2;", (0, 0), (2, 2)),
        (SUM.replace("c[t]", "*p").replace("for", "float* p = c + t; for", 1), (24, 17), (8, 8)),
    ],
)
def test_of_global_memory(body, loads, stores):
    p = profiled(body)
    assert (p.global_load.requests, p.as_compiled.global_load.requests) == loads
    assert (p.global_store.requests, p.as_compiled.global_store.requests) == stores


RESTRICT = "const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int n"


@pytest.mark.parametrize(
    "body, loads, stores",
    [
        (SUM, (24, 17), (8, 1)),
        ("c[t] = a[t]; c[t + 1] = a[t];", (2, 1), (2, 2)),
        ("float x = a[t]; __syncthreads(); c[t] = x + a[t];", (2, 1), (1, 1)),
    ],
)
def test_nothing_else_leads_where_a_restrict_pointer_leads(body, loads, stores):
    p = profiled(body, RESTRICT)
    assert (p.global_load.requests, p.as_compiled.global_load.requests) == loads
    assert (p.global_store.requests, p.as_compiled.global_store.requests) == stores


@pytest.mark.parametrize(
    "body, loads, stores",
    [
        ("__shared__ float s[64], u[64]; s[t] = a[t]; u[t] = 1; c[t] = s[t];", (1, 0), (2, 2)),
        ("__shared__ float s[64]; s[t] = a[t]; __syncthreads(); c[t] = s[t];", (1, 1), (1, 1)),
        ("__shared__ float s[64]; s[t] = 1; s[t + 32] = 2; c[t] = s[t];", (1, 0), (2, 2)),
        (
            "__shared__ float s[64]; s[t] = 0; for (int k = 0; k < n; k++) s[t] += a[k]; c[t] = s[t];",
            (9, 0),
            (9, 2),
        ),
        (
            "__shared__ float s[64]; s[t] = 1; __syncwarp(); s[t ^ 1] = 2; __syncwarp(); c[t] = s[t];",
            (1, 1),
            (2, 2),
        ),
    ],
)
def test_of_shared_memory(body, loads, stores):
    p = profiled(body)
    assert (p.shared_load.requests, p.as_compiled.shared_load.requests) == loads
    assert (p.shared_store.requests, p.as_compiled.shared_store.requests) == stores


def test_called_functions_are_looked_into():
    before = "__device__ float twice(const float* p) { return p[0] + p[0]; }\n"
    p = profiled("c[t] = twice(a + t) + a[t];", before=before)
    assert (p.global_load.requests, p.as_compiled.global_load.requests) == (3, 1)


@pytest.mark.parametrize("value", ["mk(a[t]).x", "P{a[t], 1}.x", "f(P{a[t], 2})"])
def test_structs_without_a_name_are_looked_into(value):
    before = (
        "struct P { float x, y; }; __device__ P mk(float v) { P p = {v, v}; return p; }\n"
        "__device__ float f(const P& p) { return p.x + p.y; }\n"
    )
    p = profiled(f"c[t] = {value} + a[t];", before=before)
    assert (p.global_load.requests, p.as_compiled.global_load.requests) == (2, 1)


def test_volatile_texts_are_left_alone():
    p = profiled("volatile float* v = a; c[t] = v[t] + v[t];")
    assert p.as_compiled.global_load == p.global_load and not p.kept


def test_a_profile_says_both_by_line():
    p = profiled(SUM, RESTRICT)
    note = "line 4: the compiler keeps this in a register: 8 global store requests as written, 1 as compiled"
    assert note in p.kept and note in str(p) and note in p._repr_html_()
    assert "as compiled 17 requests" in str(p)
    assert (
        p.as_compiled.lines[4].global_load.requests == 17 and p.lines[4].global_load.requests == 24
    )
    assert (
        sum(line.global_load.sectors for line in p.as_compiled.lines.values())
        == p.as_compiled.global_load.sectors
    )

"""Indices in loops: whatever stays and whatever moves them, the element is C's, and so are its faults and counts."""

import numpy as np
import pytest

from . import kernel, run

# index in t (threadIdx.x, unsigned), i (0 to 3), n = 8, u = 3u
INDICES = [
    "t + i * n",
    "i * n + t",
    "t * 4 + i",
    "(i * 2 + t) * 2 + 1",
    "(t + 2) * n - i * 3",
    "t - 1 + i + 1",
    "t - i + 3",
    "i - 1 + (int)t + u",
    "(i - u) * 2 + t + n",
    "63 - (t + i * n)",
    "(long long)t + i * 8",
    "(size_t)i * n + t",
    "(unsigned char)t + i",
    "(short)(i * 8) + t",
    "-(int)t + 7 + i",
    "t / 2 * 4 + i % 2",
    "(i & 1) * n + (t ^ 1)",
    "t + (i ? n : u)",
    "min(t, 5u) + i",
    "t + 4294967295u + (unsigned)i + 1",
    "(t - 8) + n + i",
    "n * (t - i + 3)",
]


@pytest.mark.parametrize("index", INDICES)
@pytest.mark.parametrize("space", ["global", "shared", "pointer", "float4"])
def test_elements(index, space):
    x = np.arange(96, dtype=np.float32)
    out, expected = np.zeros(32, np.float32), np.zeros(32, np.float32)
    kind = "float4" if space == "float4" else "float"
    declared = {
        "global": "const float* p = x;",
        "shared": "__shared__ float p[96]; for (int j = 0; j < 12; j++) "
        "p[j * n + t] = x[t + j * n]; __syncthreads();",
        "pointer": "const float* p = x + 4 - n / 2;",
        "float4": "const float4* p = (const float4*)x;",
    }[space]
    wide = "" if space != "float4" else ".z"
    top = f" / 4 + ({index}) % 4" if space == "float4" else ""
    before = "int n = 8; unsigned u = 3; unsigned t = threadIdx.x;"
    run(
        kernel(
            "const float* x, float* o",
            f"{before}\n{declared}\nfor (int i = 0; i < 4; i++) {{ {kind} v = "
            f"p[({index}){top}]; o[t * 4 + i] = v{wide}; }}",
        ),
        [x, out],
        8,
    )
    run(
        kernel(
            "const float* x, float* o",
            f"{before} int i = blockIdx.x;\n{declared}\n{kind} v = p[({index}){top}]; "
            f"o[t * 4 + i] = v{wide};",
        ),
        [x, expected],
        8,
        4,
    )
    np.testing.assert_array_equal(out, expected)
    assert len(set(out.tolist())) > 4


@pytest.mark.parametrize("index", [i for i in INDICES if "size_t" not in i])
@pytest.mark.parametrize(
    "kind, space",
    [
        ("float", "x"),
        ("double", "x"),
        ("char", "x"),
        ("float4", "x"),
        ("float", "s"),
        ("char", "s"),
        ("double", "s"),
        ("float4", "s"),
    ],
)
def test_counts(index, kind, space):
    """An index that stays is counted as one that is computed anew: k is another variable in every turn."""

    def profile(turn):
        fill = f"__shared__ {kind} s[96]; for (int j = t; j < 96; j += 8) s[j] = x[j]; __syncthreads();"
        text = kernel(
            f"{kind}* x, {kind}* o",
            "int n = 8; unsigned u = 3; unsigned t = threadIdx.x % 8;\\n"
            f"{fill if space == 's' else ''}\nif (threadIdx.x % 32 < 29 || blockIdx.x == 1)\n"
            f"for (int i = 0; i < 4; i++) {{ {turn} }}".replace("\\n", "\n"),
        )
        size = {"float": 1, "double": 2, "char": 0.25, "float4": 4}[kind]
        x, o = np.zeros(int(96 * size), np.float32), np.zeros(int(256 * size), np.float32)
        dtype = {"double": np.float64, "char": np.int8}.get(kind, np.float32)
        return run(text, [x.view(dtype), o.view(dtype)], 64, 2, profile=True)

    stays = profile(f"o[threadIdx.x + i * 64] = {space}[{index}];")
    anew = profile(f"auto k = {index}; int j = threadIdx.x + i * 64; o[j] = {space}[k];")
    for name in ("global_load", "global_store", "shared_load", "shared_store"):
        assert getattr(stays, name) == getattr(anew, name), name
    for name in ("x", "o")[space == "s" :]:
        np.testing.assert_array_equal(stays.touched(name), anew.touched(name))

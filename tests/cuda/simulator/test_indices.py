"""Indices in loops: whatever stays and whatever moves them, the element is C's, and so are its faults and counts."""

import numpy as np
import pytest

from nnlib.cuda import OutOfBoundsError

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


@pytest.mark.parametrize("row", ["int", "long long"])
@pytest.mark.parametrize("column", ["int", "unsigned", "long long"])
def test_rows_before_the_pointer(row, column):
    """Subscripts of different types do not become one another's."""
    x, out = np.arange(40, dtype=np.float32), np.zeros(4, np.float32)
    run(
        kernel(
            "const float* x, float* o",
            f"{row} t = threadIdx.x; float v = 0; auto p = (const float (*)[8])(x + 8);"
            f"\nfor ({column} i = 0; i < 2; i++) v += p[t - 1][i];\no[t] = v;",
        ),
        [x, out],
        4,
    )
    assert out.tolist() == [1, 17, 33, 49]


@pytest.mark.parametrize(
    "body, thread, element",
    [
        ("for (int i = 0; i < 9; i++)\n v += x[t * 8 + i];", 7, "x[64]"),
        ("for (int i = 0; i < 9; i++)\n v += x[t - i];", 7, "x[-1]"),
        ("for (int i = 0; i < 3; i++)\n x[t + 28 * i + 3] = v;", 5, "x[64]"),
        (
            "__shared__ float s[8];\ns[t] = 1; __syncthreads();\nfor (int i = 0; i < 2; i++)\n v += s[t + i];",
            7,
            "s[8]",
        ),
    ],
)
def test_faults(body, thread, element):
    with pytest.raises(OutOfBoundsError) as caught:
        text = kernel("float* x", f"int t = threadIdx.x; float v = 0;\n{body}\nx[t] = v;")
        run(text, [np.zeros(64, np.float32)], 8, 2)
    assert f" {element}" in str(caught.value) and caught.value.thread[0] in (thread, 0)


@pytest.mark.parametrize("guard, loads", [("t < 5", 5), ("t < 8", 8)])
def test_threads_that_are_off_may_have_any_index(guard, loads):
    x = np.arange(8, dtype=np.float32)
    out = np.zeros(8, np.float32)
    run(
        kernel(
            "const float* x, float* o",
            f"int t = threadIdx.x; float v = 0;\nif ({guard})\n"
            "for (int i = 0; i < 4; i++) v += x[(t + i) % 8 + (t < 5 || i < 9 ? 0 : 100)];\no[t] = v;",
        ),
        [x, out],
        8,
    )
    assert np.count_nonzero(out) == loads


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

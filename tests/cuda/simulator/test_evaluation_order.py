"""C++17's order of evaluation: an assignment's right side before its left, a shift's left before its right."""

import numpy as np
import pytest

from . import kernel, run

# body in `int a[4] = {7, 7, 7, 7}, k`; what a, then k hold at its end
CASES = {
    "k = 0; a[k++] = k + 10;": [10, 7, 7, 7, 1],
    "k = 1; a[k++] += k;": [7, 8, 7, 7, 2],
    "k = 1; a[k--] -= k * 2;": [7, 5, 7, 7, 0],
    "k = 2; a[++k] = k;": [7, 7, 7, 2, 3],
    "k = 1; a[k = 3] = k;": [7, 7, 7, 1, 3],
    "k = 0; a[k++] = a[k] = k + 1;": [1, 7, 7, 7, 1],
    "k = 1; a[0] = k << k++;": [2, 7, 7, 7, 2],
    "k = 3; a[0] = (k = 5) >> (k = 1);": [2, 7, 7, 7, 1],
    "k = 1; k += k++;": [7, 7, 7, 7, 3],
    "k = 1; int* p = a; *p++ = *p + k; a[3] = p - a;": [8, 7, 7, 1, 1],
    "k = 0; int2 v = {k++, k++}; a[0] = v.x; a[1] = v.y;": [0, 1, 7, 7, 2],
    "k = 0; int b[3] = {k, k++, k}; a[0] = b[0]; a[1] = b[1]; a[2] = b[2];": [0, 0, 1, 7, 1],
    "k = 0; int2 v = {k, k++}; a[0] = v.x; a[1] = v.y;": [0, 0, 7, 7, 1],
    "k = 4; a[0] = (k++, k) + 1;": [6, 7, 7, 7, 5],
    "k = 1; int2 v = make_int2(3, 4); v.x = v.y = k++; a[0] = v.x + v.y;": [2, 7, 7, 7, 2],
}


@pytest.mark.parametrize("body", CASES)
def test_order(body):
    out = np.zeros(5, np.int32)
    text = f"int a[4] = {{7, 7, 7, 7}}; int k;\n{body}\nfor (int i = 0; i < 4; i++) out[i] = a[i];\nout[4] = k;"
    run(kernel("int* out", text), [out], 1)
    assert out.tolist() == CASES[body]


def test_order_where_threads_differ():
    out = np.zeros(64, np.int32)
    run(
        kernel(
            "int* out", "int k = threadIdx.x * 2; if (k < 32) { out[k++] = k + 100; } out[k] = -k;"
        ),
        [out],
        32,
    )
    expected = [
        v for t in range(32) for v in ([100 + 2 * t, -2 * t - 1] if t < 16 else [-2 * t, 0])
    ]
    assert out.tolist() == expected


def test_subscripts_are_evaluated_from_left_to_right():
    out = np.zeros(8, np.int32)
    run(
        kernel(
            "int* out",
            "int a[2][4] = {}; int k = 0;\na[k][k++] = 5; a[k][++k] = 7; a[k - 1][k++] += 1;\n"
            "for (int i = 0; i < 8; i++) out[i] = a[i / 4][i % 4];",
        ),
        [out],
        1,
    )
    assert out.tolist() == [5, 0, 0, 0, 0, 0, 8, 0]

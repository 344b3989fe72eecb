"""Pointers that a kernel finds in memory: to its arrays, to nothing, and what it may do with them."""

import numpy as np
import pytest

from nnlib.cuda import OutOfBoundsError, RaceError

from . import kernel, run

TABLE = "float* const* table, "


def launched(body, arrays, parameters, extra=(), block=4):
    """The kernel gets a table with where the arrays begin, and the extra arguments."""
    table = np.array([a if isinstance(a, int) else a.ctypes.data for a in arrays], np.uint64)
    run(kernel(TABLE + parameters, body), [table, *extra], block)


def floats():
    return np.arange(4, dtype=np.float32)


@pytest.mark.parametrize(
    "body",
    [
        "o[t] = table[0][t];",
        "o[t] = table[t % 2][t];",
        "float* p = table[t % 2]; o[t] = p == x ? p[t] : t;",
        "float* p = table[2]; o[t] = p[(int)t - 4];",
        "float* p = table[3]; o[t] = p[t];",
        "float* p = table[t % 2 ? 0 : 4]; o[t] = t % 2 ? p[t] : p[0] - 9 + t;",
        "float* p = table[t % 2 ? 2 : 0]; o[t] = p[(int)(t - t % 2 * 4)];",
    ],
)
def test_the_address_of_an_argument_is_that_argument(body):
    both, o = np.array([9, 9, 0, 1, 2, 3], np.float32), np.zeros(4, np.float32)
    before, x = both[:2], both[2:]  # the one's end is where the other begins
    launched(
        "int t = threadIdx.x;\n" + body,
        [x, x, x.ctypes.data + 16, x, before],
        "float* before, float* x, float* o",
        [before, x, o],
    )
    assert o.tolist() == [0, 1, 2, 3]


def test_what_is_stored_through_it_is_checked_and_undone():
    x, o = floats(), floats()
    with pytest.raises(RaceError, match=r"x\[\d\]"):
        launched(
            "table[0][threadIdx.x] = 5; o[threadIdx.x] = x[3 - threadIdx.x];",
            [x],
            "const float* x, float* o",
            [x, o],
        )
    with pytest.raises(OutOfBoundsError, match=r"out-of-bounds write to x\[4\]"):
        launched("table[0][threadIdx.x + 1] = 5;", [x], "const float* x", [x])
    assert x.tolist() == o.tolist() == [0, 1, 2, 3]

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


NOWHERE = [1 << 40, 12345, 2**64 - 8, 2**63]


@pytest.mark.parametrize(
    "body",
    [
        "o[t] = 1;",
        "float* p = table[t]; o[t] = p != 0;",
        "float* p[2]; p[t % 2] = table[t]; o[t] = p[t % 2] == table[t];",
        "struct S { float* p; int n; } s[2] = {{table[0], 1}, {table[1], 1}}; S r = s[t % 2]; o[t] = r.n;",
    ],
)
def test_a_pointer_to_nothing_may_be_kept(body):
    o = np.zeros(4, np.float32)
    launched("int t = threadIdx.x;\n" + body, NOWHERE, "float* o", [o])
    assert o.tolist() == [1] * 4


@pytest.mark.parametrize(
    "body, verb, thread, address",
    [
        ("o[t] = *table[0];", "read", 0, NOWHERE[0]),
        ("if (t > 1)\no[t] = *table[t];", "read", 2, NOWHERE[2]),
        ("if (t == 1) *table[t] = 1;", "write", 1, NOWHERE[1]),
        ("if (t == 3) atomicAdd(table[t] + 5, 1.0f);", "atomic", 3, NOWHERE[3]),
        ("float* p[2] = {o, table[0]};\no[t] = p[t % 2][t];", "read", 1, NOWHERE[0]),
    ],
)
def test_a_pointer_to_nothing_may_not_be_used(body, verb, thread, address):
    with pytest.raises(OutOfBoundsError) as caught:
        launched("int t = threadIdx.x;\n" + body, NOWHERE, "float* o", [floats()])
    assert (
        caught.value.what
        == f"{verb} through a pointer to {address:#x}, where no array of this launch lies"
    )
    assert (
        caught.value.thread == (thread, 0, 0)
        and caught.value.hint == "pass the array as an argument, too"
    )

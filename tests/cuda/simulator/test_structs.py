"""Structs: faults are told by the member's name; one member is one access of its size at its address."""

import numpy as np
import pytest

from nnlib.cuda import (
    ArgumentError,
    KernelSyntaxError,
    RawKernel,
    force_simulator,
)

TYPES = """
struct Vec { float x, y; };
struct Particle { Vec position; float mass[3]; Vec velocity; };
"""


def launched(body, *args, parameters="Particle* p, float* out", before="", block=32):
    text = f'{TYPES}{before}\nextern "C" __global__ void k({parameters}) {{\n{body}\n}}'
    with force_simulator():
        return RawKernel(text, "k")(1, block, args)


def particles(n=4):
    vec = np.dtype([("x", "f4"), ("y", "f4")])
    return np.zeros(n, np.dtype([("position", vec), ("mass", "f4", 3), ("velocity", vec)]))


def out(n=32):
    return np.zeros(n, np.float32)


@pytest.mark.parametrize(
    "wrong",
    [
        3,
        np.zeros(1, np.float32),
        np.zeros(1, [("a", "f8"), ("b", "f4", 5)]),
        b"abc",
        (1, 2),
    ],
)
def test_a_struct_by_value_needs_its_layout(wrong):
    said = "position at byte 0, float\\[3\\] mass at byte 8"
    with pytest.raises(ArgumentError, match=said):
        launched("out[0] = p.mass[1];", wrong, out(1), parameters="Particle p, float* out", block=1)


def test_arrays_of_structs_need_their_layout():
    wrong = np.zeros(3, [("x", "f4"), ("y", "f8")])
    with pytest.raises(ArgumentError, match="float\\[3\\] mass at byte 8.*28 bytes"):
        launched("p[0].mass[0] = 1;", wrong, out())
    data = np.zeros(28 * 3, np.uint8)  # CuPy has no structured arrays
    launched("p[2].mass[0] = 1;", data, out(), block=1)
    assert data.view(particles().dtype)["mass"][2, 0] == 1


def test_a_struct_of_the_caller_cannot_point():
    text = (
        'struct View { int n; float* x; };\nextern "C" __global__ void k(View v) { v.x[0] = v.n; }'
    )
    x = out(1)
    with (
        force_simulator(),
        pytest.raises(ArgumentError, match=r"argument 1 v \(View\).*an argument of its own"),
    ):
        RawKernel(text, "k")(1, 1, ((1, x.ctypes.data),))


def test_members_by_name_are_of_cpp20():
    text = """struct P { int x, y[2]; float z; };
    extern "C" __global__ void k(float* o) {
        P p = {.x = 2, .z = 3.5f}, q = {.y = {4}};
        o[0] = p.z + p.y[1] + q.y[0];
    }"""
    o = out(1)
    with force_simulator():
        RawKernel(text, "k", options=("-std=c++20",))(1, 1, (o,))
        with pytest.raises(KernelSyntaxError, match="compile with -std=c\\+\\+20"):
            RawKernel(text, "k").compile()
        with pytest.raises(KernelSyntaxError, match="has no member 'a'"):
            RawKernel(text.replace(".y =", ".a ="), "k", options=("--std=c++20",)).compile()
    assert o[0] == 7.5

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


def test_structs_by_value():
    text = (
        TYPES
        + 'extern "C" __global__ void k(Particle p, float* out) { out[0] = p.mass[1] + p.velocity.y; }'
    )
    kernel = RawKernel(text, "k")
    value = particles(1)
    value["mass"], value["velocity"]["y"] = [[1, 2, 3]], 10
    own = np.zeros(1, kernel.parameters[0].dtype)
    own["mass"], own["velocity"]["y"] = value["mass"], 10
    for given in (
        value,
        value[0],
        value.reshape(()),
        value.tobytes(),
        own,
        ((0, 0), (1, 2, 3), (4, 10)),
    ):
        result = out(1)
        with force_simulator():
            kernel(1, 1, (given, result))
        assert result[0] == 12
    for wrong in (
        3,
        np.zeros(1, np.float32),
        np.zeros(1, [("a", "f8"), ("b", "f4", 5)]),
        b"abc",
        (1, 2),
    ):
        with (
            force_simulator(),
            pytest.raises(ArgumentError, match="position at byte 0, float\\[3\\] mass at byte 8"),
        ):
            kernel(1, 1, (wrong, out(1)))


def test_arrays_of_structs_need_their_layout():
    wrong = np.zeros(3, [("x", "f4"), ("y", "f8")])
    with pytest.raises(ArgumentError, match="float\\[3\\] mass at byte 8.*28 bytes"):
        launched("p[0].mass[0] = 1;", wrong, out())
    data = np.zeros(28 * 3, np.uint8)  # CuPy has no structured arrays
    launched("p[2].mass[0] = 1;", data, out(), block=1)
    assert data.view(particles().dtype)["mass"][2, 0] == 1


@pytest.mark.parametrize("kind", ["float3", "float4", "Three"])
def test_members_of_a_moving_element(kind):
    lanes = 4 if kind == "float4" else 3
    x, result = np.arange(8 * lanes, dtype=np.float32), out(4)
    element = "x" if kind != "Three" else "(Three*)x"
    launched(
        f"{kind}* e = {element};\nfor (int j = 0; j < 4; j++) out[threadIdx.x] += e[threadIdx.x + j].y;",
        x.view(np.uint8) if kind == "Three" else x,
        result,
        block=4,
        before="struct Three { float x, y, z; };",
        parameters=f"{kind}* x, float* out",
    )
    y = x[1::lanes]
    np.testing.assert_array_equal(result, [y[k : k + 4].sum() for k in range(4)])


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

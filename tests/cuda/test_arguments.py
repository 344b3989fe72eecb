"""Arguments against a signature: what fits is converted, what does not is named, with what to write instead."""

from decimal import Decimal
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

from nnlib.cuda import ArgumentError, LaunchError, RawKernel, force_simulator
from nnlib.cuda._engine.arguments.signature import Parameter, of_function, of_text
from nnlib.cuda._engine.arguments.transfer import Transfer
from nnlib.cuda._engine.arguments.validation import check, count, launch_shape
from nnlib.cuda._engine.language import compile_source, types

DECLARATION = """extern "C" __global__ void __launch_bounds__(256) k(const float* __restrict__ x, // an input
    unsigned char *bytes, const unsigned int n, float4* v, size_t big, double d, bool flag, short small) {}"""


def parameters():
    return of_function(compile_source(DECLARATION).functions["k"])


def good():
    return [
        np.zeros(4, np.float32),
        np.zeros(4, np.uint8),
        1,
        np.zeros(8, np.float32),
        2**63,
        0.5,
        True,
        -5,
    ]


def test_both_ways_to_read_a_signature_agree():
    assert of_text(DECLARATION, "k") == parameters()


def test_a_type_only_a_gpu_knows_is_passed_on():
    read = of_text(
        "template<class T> struct S {}; __global__ void f(S s, float** deep, const int n) {}", "f"
    )
    assert [p.type for p in read] == [None, None, types.INT]
    assert check("f", read, ["anything", "goes", 3])[:2] == ["anything", "goes"]
    assert of_text("__global__ void f(S<int, 3> s) {}", "f") is None


def test_numbers_become_the_declared_type():
    values = check("k", parameters(), good())
    assert [type(v) for v in values[2:] if not isinstance(v, np.ndarray)] == [
        np.uint32,
        np.uint64,
        np.float64,
        np.bool_,
        np.int16,
    ]


def test_numpy_scalars_of_another_type_are_converted():
    args = good()
    args[2], args[5] = np.int64(7), np.float32(0.25)
    values = check("k", parameters(), args)
    assert (values[2], values[2].dtype, values[5], values[5].dtype) == (
        7,
        np.uint32,
        0.25,
        np.float64,
    )


@pytest.mark.parametrize(
    "place, value, words",
    [
        (0, np.zeros(4), ["x (const float*)", "float64", "x.astype(np.float32)"]),
        (1, np.zeros(4, np.int32), ["bytes (unsigned char*)", "int32", "dtype=np.uint8"]),
        (0, np.zeros((4, 4), np.float32).T[1:], ["(3, 4)", "np.ascontiguousarray(x)"]),
        (1, np.zeros(8, np.uint8)[::2], ["np.ascontiguousarray(bytes)", "copy the result back"]),
        (0, [1.0, 2.0], ["a list", "np.array(x, dtype=np.float32)"]),
        (0, None, ["got None", "an array"]),
        (0, 1.5, ["the float 1.5", "an array"]),
        (2, -1, ["n (unsigned int)", "-1 does not fit", "0 to 4294967295"]),
        (2, 2**32, ["does not fit"]),
        (2, 3.0, ["the float 3.0", "int(n)"]),
        (2, np.zeros(1, np.uint32), ["with shape (1,)", "n.item()"]),
        (2, np.zeros(4, np.uint32), ["with shape (4,)", "this parameter is one number"]),
        (2, "7", ["a str"]),
        (5, np.array(1.5), ["with shape ()", "d.item()"]),
        (7, 40000, ["small (short)", "-32768 to 32767"]),
        (2, float("nan"), ["the float nan", "holds whole numbers only"]),
        (2, 10**400, ["a whole number of 1,329 bits does not fit"]),
        pytest.param(
            2, 10**5000, ["a whole number of 16,610 bits does not fit"], id="beyond printing"
        ),
        (2, Decimal(3), ["a Decimal", "int(n)"]),
        (2, np.timedelta64(3, "s"), ["timedelta64"]),
        (5, 10**400, ["a whole number of 1,329 bits is too large for a double"]),
        (5, 2**1024 - 2**970, ["too large for a double"]),
        pytest.param(5, -(10**5000), ["too large for a double"], id="below printing"),
        (5, Fraction(1, 3), ["a Fraction", "float(d)"]),
        (5, 1j, ["a complex"]),
        (5, "1", ["a str"]),
        (6, 0.5, ["the float 0.5", "bool(flag)"]),
        (0, np.array([1, None]), ["an array of object"]),
        (
            0,
            np.ma.masked_array(np.zeros(4, np.float32), mask=True),
            ["a masked array", "x.filled(0)"],
        ),
        (2, int, ["a type"]),
    ],
)
def test_what_does_not_fit_is_named(place, value, words):
    args = good()
    args[place] = value
    with pytest.raises(ArgumentError) as error:
        check("k", parameters(), args)
    for word in [f"argument {place + 1}", *words]:
        assert word in str(error.value)


@pytest.mark.parametrize("made", [lambda x: x.view(np.recarray), lambda x: x.view(Other)])
def test_a_kind_of_array_is_passed_as_a_plain_one(made):
    args, x = good(), np.zeros(4, np.uint8)
    args[1] = made(x)
    passed = check("k", parameters(), args)[1]
    assert type(passed) is np.ndarray and np.shares_memory(passed, x)


class Other(np.ndarray):
    def view(self, *kinds):
        raise ValueError("no view")


@pytest.mark.parametrize(
    "value", [(1, (2, 3)), [1, [2]], ((1, 2), 3), "1234", (1, 2, 3), np.ones(4, np.complex64)]
)
def test_what_is_no_vector_is_named(value):
    read = of_function(compile_source("__global__ void k(float4 v) {}").functions["k"])
    with pytest.raises(
        ArgumentError, match=r"argument 1 v .*pass np.array\(\[0, 0, 0, 0\], np.float32\)"
    ):
        check("k", read, (value,))


def test_float_range():
    single = [Parameter("a", types.FLOAT)]
    with pytest.raises(ArgumentError, match="too large for a float"):
        check("k", single, [1e39])
    with pytest.raises(ArgumentError, match="too large for a float"):
        check("k", single, [10**400])
    assert np.isinf(check("k", single, [float("inf")])[0]) and np.isnan(
        check("k", single, [float("nan")])[0]
    )
    # As FLT_MAX is often written: rounds
    assert check("k", single, [3.4028235e38])[0] == np.finfo(np.float32).max
    assert (
        check("k", [Parameter("d", types.DOUBLE)], [2**1024 - 2**970 - 1])[0]
        == np.finfo(np.float64).max
    )


def test_numbers_of_numpy_in_every_width():
    single, whole = [Parameter("a", types.FLOAT)], [Parameter("n", types.INT)]
    for kind in (np.bool_, np.int8, np.uint64, np.float16, np.float64, np.longdouble):
        assert check("k", single, [kind(1)])[0] == 1
    for kind in (np.bool_, np.int8, np.uint64):
        assert check("k", whole, [kind(1)])[0].dtype == np.int32


def test_void_pointers_take_numbers_only():
    parameter = [Parameter("p", types.Pointer(types.VOID))]
    check("k", parameter, [np.zeros(3, np.int16)])
    with pytest.raises(ArgumentError, match="Python objects"):
        check("k", parameter, [np.array([None])])


def test_fields_for_programs():
    with pytest.raises(ArgumentError) as caught:
        check("k", parameters(), [np.zeros(4), *good()[1:]])
    error = caught.value
    assert (error.kernel, error.hint) == ("k", "write x.astype(np.float32)")
    assert error.what == "argument 1 x (const float*): got an array of float64"
    assert str(error) == f"k: {error.what}; {error.hint}"


def test_read_only_arrays_only_for_const_pointers():
    args = good()
    args[0].flags.writeable = False
    check("k", parameters(), args)
    args[1].flags.writeable = False
    with pytest.raises(ArgumentError, match=r"read-only.*bytes\.copy\(\)"):
        check("k", parameters(), args)


def test_counts_and_containers():
    with pytest.raises(ArgumentError, match="'bytes' is missing: takes 8 arguments, got 1"):
        check("k", parameters(), good()[:1])
    with pytest.raises(ArgumentError, match="1 too many"):
        check("k", parameters(), good() + [1])
    with pytest.raises(ArgumentError, match=r"write \(x,\)"):
        check("k", parameters(), good()[0])


@pytest.mark.parametrize(
    "what, size, full",
    [
        ("grid", 5, (5, 1, 1)),
        ("grid", (np.int64(5), 4), (5, 4, 1)),
        ("block", [8, 8, 8], (8, 8, 8)),
        ("grid", 2**31 - 1, (2**31 - 1, 1, 1)),
    ],
)
def test_sizes_in_one_to_three_dimensions(what, size, full):
    assert launch_shape("k", what, size) == full


@pytest.mark.parametrize(
    "what, size, words",
    [
        ("grid", 0, "grid.x is 0"),
        ("grid", -1, "grid.x is -1"),
        ("grid", (1, 70000), "grid.y is 70000"),
        ("grid", 500 / 256, r"\(n \+ threads - 1\) // threads"),
        ("grid", (1, 1, 1, 1), "4 dimensions"),
        ("block", (32, 33), "32 x 33 = 1056 threads"),
        ("block", 2000, "1 to 1024"),
        ("block", (1, 1, 65), "block.z is 65"),
        pytest.param(
            "grid", 10**5000, "grid.x is a whole number of 16,610 bits", id="beyond printing"
        ),
        ("block", None, "not a whole number"),
        ("grid", 5.0, "not a whole number"),
        ("grid", (), "0 dimensions"),
    ],
)
def test_sizes_a_gpu_refuses(what, size, words):
    with pytest.raises(LaunchError, match=words):
        launch_shape("k", what, size)


@pytest.mark.parametrize(
    "value, words",
    [
        (-1, "is -1, but it is a number of bytes, 0 or more"),
        (2.0, "is 2.0"),
        (None, "is None"),
        ("8", "is '8'"),
        (np.array([1, 2]), "is array"),
        (float("nan"), "is nan"),
        pytest.param(-(10**5000), "16,610 bits", id="beyond printing"),
    ],
)
def test_counts_are_whole_numbers(value, words):
    assert count("k", "shared_mem", np.int64(8), 0, "bytes") == 8
    with pytest.raises(LaunchError, match=f"k: shared_mem .*{words}") as caught:
        count("k", "shared_mem", value, 0, "bytes")
    assert caught.value.kernel == "k"


def test_private_copies_share_memory_where_the_originals_do():
    x = np.arange(12, dtype=np.float32)
    moved = Transfer([x, x[3:6], x, 7, x.reshape(3, 4)], to_device=False, private=True)
    moved.values[1][:] = -1
    assert moved.values[0][4] == -1 and moved.values[4][1, 0] == -1 and x[4] == 4
    pointer = types.Pointer(types.FLOAT)
    moved.copy_back(
        [Parameter("a", pointer)] * 3 + [Parameter("n", types.INT), Parameter("b", pointer)]
    )
    assert x[4] == -1


def test_const_pointers_are_not_copied_back():
    x = np.zeros(3, np.float32)
    moved = Transfer([x], to_device=False, private=True)
    moved.values[0][:] = 1
    moved.copy_back([Parameter("x", types.Pointer(types.FLOAT, const=True))])
    assert not x.any()


class Held(np.ndarray):
    """A stand-in for cupy.ndarray."""

    __cuda_array_interface__ = property(lambda self: {"data": (self.ctypes.data, False)})

    def set(self, values):
        self[...] = values

    def get(self):
        return np.array(self)


def test_copies_on_a_gpu_share_memory_and_alignment_too(stand_in):
    made = []
    stand_in(
        "cupy",
        SimpleNamespace(
            empty=lambda size, dtype: made.append(np.full(size, 99, dtype).view(Held)) or made[-1]
        ),
    )
    x, other = np.arange(12, dtype=np.float32), np.zeros(3, [("a", "i4"), ("b", "f4")])
    moved = Transfer([x[3:6], 7, x[5:9], other], to_device=True)
    inner, number, later, struct = moved.values
    assert (
        number == 7
        and inner.tolist() == [3, 4, 5]
        and later.tolist() == [5, 6, 7, 8]
        and inner.dtype == np.float32
    )
    assert sorted(map(len, made)) == [24, 12 + 24]  # from byte 12 behind a multiple of 16
    assert struct.dtype == np.uint8 and struct.tolist() == [0] * 24  # CuPy has no arrays of structs
    later[0] = -1
    assert inner[2] == -1 and x[5] == 5
    pointer = types.Pointer(types.FLOAT)
    struct[4:8] = np.array([2.5], np.float32).view(np.uint8)
    moved.copy_back(
        [Parameter("a", pointer), Parameter("n", types.INT), *[Parameter("b", pointer)] * 2]
    )
    assert x.tolist() == [0, 1, 2, 3, 4, -1, 6, 7, 8, 9, 10, 11] and other["b"].tolist() == [
        2.5,
        0,
        0,
    ]


@pytest.mark.parametrize("way", ["__call__", "profile"])
@pytest.mark.parametrize(
    "element, first, dtype, beyond",
    [
        ("float4", 1, "f4", 4),
        ("float4", 4, "f4", 0),
        ("double2", 1, "f8", 8),
        ("double2", 2, "f8", 0),
        ("float2", 1, "f4", 4),
        ("float3", 1, "f4", 0),
        ("uchar4", 3, "u1", 3),
    ],
)
def test_a_view_that_begins_between_vectors_is_refused(way, element, first, dtype, beyond):
    text = f'extern "C" __global__ void k({element}* v) {{ v[threadIdx.x].y = 1; }}'
    whole = np.zeros(100, dtype)
    launch = getattr(RawKernel(text, "k"), way)
    with force_simulator():
        if beyond:
            with pytest.raises(ArgumentError, match=rf"v \({element}\*\) begins {beyond} bytes"):
                launch((1,), (2,), (whole[first : first + 96],))
            assert not whole.any()
        else:
            launch((1,), (2,), (whole[first : first + 96],))
            assert whole[first + 1] == 1

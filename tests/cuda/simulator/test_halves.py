"""__half and __nv_bfloat16: rounding bit for bit, against exact fractions here and against a GPU where there is one."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from nnlib.cuda import RawKernel, force_simulator
from nnlib.cuda._engine.errors import ArgumentError, KernelSyntaxError
from nnlib.cuda._engine.language.cuda_functions import INTRINSICS
from nnlib.cuda._engine.language.types import BOOL, HALF

HEADERS = "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n"
# digits, smallest and largest exponent
DIGITS = {"__half": (11, -14, 15), "__nv_bfloat16": (8, -126, 127)}
BOTH = pytest.mark.parametrize("kind", DIGITS)
FIRST = {"__half": "half", "__nv_bfloat16": "bfloat16"}


def kernel(kind, results, body):
    """out[i] = body of a[i], b[i], c[i], all of the kind; results: the type of out."""
    return RawKernel(
        HEADERS
        + f"""extern "C" __global__ void k(const {kind}* A, const {kind}* B, const {kind}* C,
        {results}* out, int n) {{
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n) {{ {kind} a = A[i], b = B[i], c = C[i]; out[i] = {body}; }} }}""",
        "k",
    )


def launch(kind, results, body, a, b, c):
    dtype = np.float16 if kind == "__half" else np.uint16
    out = np.zeros(a.size * (2 if results.endswith("2") else 1), OUT[results])
    kernel(kind, results, body)(
        -(-a.size // 256), 256, (*(x.view(dtype) for x in (a, b, c)), out, a.size)
    )
    return out


OUT = {
    "__half": np.float16,
    "__half2": np.float16,
    "__nv_bfloat16": np.uint16,
    "__nv_bfloat162": np.uint16,
    "float": np.float32,
    "float2": np.float32,
    "double": np.float64,
    "bool": np.bool_,
    "int": np.int32,
    "unsigned": np.uint32,
    "short": np.int16,
    "unsigned short": np.uint16,
    "signed char": np.int8,
    "unsigned char": np.uint8,
    "long long": np.int64,
    "unsigned long long": np.uint64,
}


def value(bits, kind):
    """A number as a fraction; of what is no number the float."""
    number = (
        float(np.uint16(bits).view(np.float16))
        if kind == "__half"
        else float(np.uint32(int(bits) << 16).view(np.float32))
    )
    return Fraction(number) if math.isfinite(number) else number


def rounded(exact, kind, mode="rn"):
    """The bits of the nearest number, or of that in the direction of the mode."""
    digits, least, most = DIGITS[kind]
    sign, size = (0x8000, -exact) if exact < 0 else (0, exact)
    exponent = max(math.floor(math.log2(size)) if size else least, least)
    exponent = max(
        exponent + (size >= Fraction(2) ** (exponent + 1)) - (size < Fraction(2) ** exponent), least
    )
    step = Fraction(2) ** (exponent - digits + 1)
    whole, rest = divmod(size, step)
    up = {
        "rn": rest * 2 > step or (rest * 2 == step and whole % 2),
        "rz": False,
        "ru": rest and not sign,
        "rd": rest and sign,
    }[mode]
    whole = int(whole) + bool(up)
    infinite = ((most - least + 2) << (digits - 1)) | sign
    bits = whole + ((exponent - least) << (digits - 1))
    if bits >= infinite & 0x7FFF:
        return infinite if mode == "rn" or up else (infinite | sign) - 1
    return bits | sign


def numbers(count, seed, kind):
    """Random bits, among them the special ones, few of them NaN."""
    rng = np.random.default_rng(seed)
    bits = rng.integers(0, 1 << 16, count, dtype=np.uint16)
    near = (rng.normal(size=count) * 3).astype(np.float32)
    common = (
        near.astype(np.float16).view(np.uint16)
        if kind == "__half"
        else (near.view(np.uint32) >> 16).astype(np.uint16)
    )
    special = np.array(
        [0, 0x8000, 1, 0x8001, 0x3FF, 0x400, 0x7BFF, 0x7F7F, 0x3C00, 0x3F80], np.uint16
    )
    return np.concatenate([special, np.where(rng.random(count) < 0.5, bits, common)])


def triples(count, kind):
    return [np.roll(numbers(count, seed, kind), seed * 7) for seed in (1, 2, 3)]


EXACT = {
    "a + b": lambda a, b, c: a + b,
    "a - b": lambda a, b, c: a - b,
    "a * b": lambda a, b, c: a * b,
    "a / b": lambda a, b, c: a / b,
    "__hfma(a, b, c)": lambda a, b, c: a * b + c,
}


@BOTH
@pytest.mark.parametrize("body", EXACT)
def test_arithmetic_rounds_once(kind, body):
    given = triples(400, kind)
    got = launch(kind, kind, body, *given).view(np.uint16)
    tried = 0
    for bits, *operands in zip(got, *given, strict=True):
        a, b, c = (value(x, kind) for x in operands)
        if not all(isinstance(x, Fraction) for x in (a, b, c)) or (body == "a / b" and not b):
            continue
        exact = EXACT[body](a, b, c)
        if exact:  # the sign of a zero is another story
            assert int(bits) == rounded(exact, kind), (body, operands)
            tried += 1
    assert tried > 150


@BOTH
@pytest.mark.parametrize("mode", ["rn", "rz", "rd", "ru"])
def test_conversions_round_as_their_names_say(kind, mode):
    one = FIRST[kind]
    rng = np.random.default_rng(5)
    floats = (rng.normal(size=200) * np.exp2(rng.integers(-30, 20, 200))).astype(np.float32)
    longs = rng.integers(-(2**62), 2**62, 100) >> rng.integers(0, 60, 100)
    longs[:3] = (1 << 62) + (1 << 54) + 1, 65519, 65520
    for source, given in (("float", floats), ("long long", longs)):
        out = np.zeros(given.size, OUT[kind])
        name = f"__{'float' if source == 'float' else 'll'}2{one}_{mode}"
        RawKernel(
            HEADERS + f'extern "C" __global__ void k(const {source}* x, {kind}* out) '
            f"{{ out[threadIdx.x] = {name}(x[threadIdx.x]); }}",
            "k",
        )(1, given.size, (given, out))
        wanted = [rounded(Fraction(x.item()), kind, mode) for x in given]
        assert out.view(np.uint16).tolist() == wanted
    bits = numbers(300, 9, kind)
    for c_type in ("unsigned long long", "signed char", "bool", "double"):
        assert launch(kind, c_type, f"({c_type})a", bits, bits, bits).size == bits.size
    whole = launch(kind, "int", f"__{one}2int_{mode}(a)", bits, bits, bits)
    turn = {"rn": round, "rz": int, "rd": math.floor, "ru": math.ceil}[mode]
    for x, got in zip(bits, whole, strict=True):
        number = value(x, kind)
        if isinstance(number, Fraction):
            assert got == min(max(turn(number), -(2**31)), 2**31 - 1)
        else:
            assert got == (0 if math.isnan(number) else 2**31 - 1 if number > 0 else -(2**31))


@BOTH
def test_all_bits_survive_the_way_through_float(kind):
    bits = np.arange(1 << 16, dtype=np.uint16)
    back = launch(kind, kind, f"({kind})(float)a", bits, bits, bits).view(np.uint16)
    nans = [isinstance(value(x, kind), float) and math.isnan(value(x, kind)) for x in bits[::97]]
    np.testing.assert_array_equal(back[::97][~np.array(nans)], bits[::97][~np.array(nans)])


def test_printf_prints_no_halves():
    with pytest.raises(KernelSyntaxError, match="printf cannot print a value of type '__half'"):
        RawKernel(
            HEADERS + 'extern "C" __global__ void k(half* x) { printf("%f", x[0]); }', "k"
        ).compile()


def test_the_types_need_their_header():
    with pytest.raises(KernelSyntaxError, match="write #include <cuda_fp16.h>"):
        RawKernel('extern "C" __global__ void k(half* x) { }', "k").compile()


def test_arguments_are_bits_or_numbers():
    text = (
        HEADERS
        + 'extern "C" __global__ void k(__nv_bfloat16* x, __nv_bfloat16 v) { x[threadIdx.x] = v; }'
    )
    x = np.zeros(2, np.uint16)
    for given in (1.0, np.float32(1), np.uint16(0x3F80)):
        x[:] = 0
        RawKernel(text, "k")(1, 2, (x, given))
        assert x.tolist() == [0x3F80] * 2
    with pytest.raises(ArgumentError, match="upper half of a float32's bits"):
        RawKernel(text, "k")(1, 2, (np.zeros(2, np.float16), 1.0))


# --- beside a GPU ------------------------------------------------------------------------------------

MODES = ("rn", "rz", "rd", "ru")
INTEGERS = {
    "int": "int",
    "uint": "unsigned",
    "short": "short",
    "ushort": "unsigned short",
    "ll": "long long",
    "ull": "unsigned long long",
}
# What is called with a, b, c of the kind, and the type of its result; "" is the kind.
CALLS = {
    **{
        f"{name}({', '.join('abc'[: len(function.parameters)])})": "bool"
        if function.result == BOOL
        else ""
        for name, overloads in INTRINSICS.items()
        for function in overloads
        if {*function.parameters} == {HALF} and function.result in (HALF, BOOL) and name != "htanh"
    },
    **{f"a {op} b": "" for op in "+-*/"},
    **{f"a {op} b": "bool" for op in ("==", "!=", "<", "<=", ">", ">=")},
    **{f"({kind})a": kind for kind in ("float", "double", "unsigned char", *INTEGERS.values())},
    **{f"__ONE2{short}_{mode}(a)": INTEGERS[short] for short in INTEGERS for mode in MODES},
    # Numbers of other types, of the bits of a, b and c.
    **{
        f"__{short}2ONE_{mode}(({INTEGERS[short]})WORD)": "" for short in INTEGERS for mode in MODES
    },
    **{f"__float2ONE_{mode}(__int_as_float((int)WORD))": "" for mode in MODES},
    "__double2ONE(__longlong_as_double(WORD))": "",
}
WORD = "((long long)BITS(a) << 48 | (long long)BITS(b) << 24 | BITS(c))"


@pytest.mark.gpu
@BOTH
@pytest.mark.parametrize("call", CALLS)
def test_functions_have_a_gpus_bits(kind, call):
    """Try functions of one argument with all 65,536 values; all NaNs count as the same."""
    results = CALLS[call] or kind
    a, b, c = triples((1 << 16) - 10, kind)
    if "b" not in call.partition("(")[2] and "WORD" not in call:
        a = np.arange(1 << 16, dtype=np.uint16)
    if call == "(double)a":  # by way of float, whose smallest numbers are 0 as CuPy compiles
        a = np.where(a & 0x7F80, a, np.uint16(0))
    text = call.replace("WORD", WORD).replace("BITS", "__ONE_as_ushort").replace("ONE", FIRST[kind])
    there = launch(kind, results, text, a, b, c)
    with force_simulator():
        here = launch(kind, results, text, a, b, c)
    if results == "__nv_bfloat16":
        here, there = ((x.astype(np.uint32) << 16).view(np.float32) for x in (here, there))
    one, other = (x.view(f"u{x.itemsize}") for x in (here, there))
    off = np.flatnonzero((one != other) & ~(np.isnan(here) & np.isnan(there)))
    assert off.size == 0, [(hex(a[k]), hex(b[k]), hex(c[k]), here[k], there[k]) for k in off[:5]]

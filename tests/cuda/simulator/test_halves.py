"""__half and __nv_bfloat16: rounding bit for bit, against exact fractions here and against a GPU where there is one."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from nnlib.cuda import RawKernel, force_simulator
from nnlib.cuda._engine.errors import ArgumentError, KernelSyntaxError, RaceError
from nnlib.cuda._engine.language.cuda_functions import INTRINSICS
from nnlib.cuda._engine.language.types import BOOL, HALF

HEADERS = "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n"
DIGITS = {
    "__half": (11, -14, 15),
    "__nv_bfloat16": (8, -126, 127),
}  # digits, smallest and largest exponent
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


TEXT = (
    HEADERS
    + """extern "C" __global__ void k(half* x, half2* y, __nv_bfloat16* z, float* f, half h,
                                                                  __nv_bfloat16 b) {
    __shared__ half2 tile[32];
    int i = threadIdx.x;
    tile[i] = __halves2half2(x[i], x[i] + h);
    __syncthreads();
    half2 pair = tile[31 - i] * __float2half2_rn(2.0f);
    pair += half2(1.0f, -1.0f);
    y[i] = __hfma2(pair, pair, make_half2(0.5f, h));
    y[i].x += 1;
    z[i] = (float)pair.y;
    z[i] *= b;
    f[i] = __half2float(x[i]) + (float)z[i] + (pair.x > h ? 1 : 0) + (tile[i] == tile[i]) + sqrtf(h);
    half c = __shfl_xor_sync(0xffffffff, x[i], 1);
    half2 d = __shfl_down_sync(0xffffffff, pair, 1);
    x[i] = (c && d.x < c) ? -c : h;
    atomicAdd(&y[0], pair);
    atomicAdd(z, b);
}"""
)


def test_a_kernel_with_halves_of_every_kind():
    F, H = np.float32, np.float16
    x = np.linspace(-2, 2, 32).astype(H)
    start, h, b = x.copy(), H(0.75), F(1.5)
    y, z, f = np.zeros((32, 2), H), np.zeros(32, np.uint16), np.zeros(32, F)
    kernel = RawKernel(
        TEXT.replace("atomicAdd(&y[0], pair);", "__syncthreads(); atomicAdd(&y[0], pair);"), "k"
    )
    kernel(1, 32, (x, y, z, f, 0.75, 1.5))
    pair = np.stack([start[::-1] * H(2) + H(1), (start[::-1] + h) * H(2) - H(1)], 1)
    squares = (pair.astype(np.float64) ** 2 + [0.5, 0.75]).astype(H)
    squares[:, 0] += H(1)
    total = squares[0]
    for k in range(32):
        total = total + pair[k]
    np.testing.assert_array_equal(y, np.concatenate([total[None], squares[1:]]))

    def bfloat(values):
        bits = values.astype(F).view(np.uint32)
        return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)

    def wide(bits):
        return (bits.astype(np.uint32) << 16).view(F)

    products = bfloat(wide(bfloat(pair[:, 1])) * b)
    np.testing.assert_array_equal(z[1:], products[1:])
    np.testing.assert_allclose(
        f, start + wide(products) + (pair[:, 0] > h) + 1 + np.sqrt(F(h)), rtol=1e-6
    )
    swapped, below = start.reshape(16, 2)[:, ::-1].ravel(), np.r_[pair[1:, 0], pair[31:, 0]]
    np.testing.assert_array_equal(x, np.where((swapped != 0) & (below < swapped), -swapped, h))


def test_lanes_of_a_pair_race_like_all_memory():
    with pytest.raises(RaceError), force_simulator():
        RawKernel(
            HEADERS
            + 'extern "C" __global__ void k(half2* a) { a[0].x = __int2half_rn(threadIdx.x); }',
            "k",
        )(1, 32, (np.zeros((1, 2), np.float16),))


def test_printf_prints_no_halves():
    with pytest.raises(KernelSyntaxError, match="printf cannot print a value of type '__half'"):
        RawKernel(
            HEADERS + 'extern "C" __global__ void k(half* x) { printf("%f", x[0]); }', "k"
        ).compile()


@pytest.mark.parametrize(
    "compared, holds",
    [
        ("__hbeq2", "=="),
        ("__hbne2", "!="),
        ("__hblt2", "<"),
        ("__hble2", "<="),
        ("__hbgt2", ">"),
        ("__hbge2", ">="),
    ],
)
def test_a_comparison_of_pairs_holds_if_it_holds_for_both(compared, holds):
    numbers = [np.float16(x) for x in (1, 2, 3)]
    lanes = list(itertools.product(numbers, repeat=4))
    a, b = (np.array([lane[k : k + 2] for lane in lanes]) for k in (0, 2))
    out = np.zeros(len(lanes), bool)
    text = (
        'extern "C" __global__ void k(const __half2* a, const __half2* b, bool* out) { '
        f"out[threadIdx.x] = {compared}(a[threadIdx.x], b[threadIdx.x]); }}"
    )
    with force_simulator():
        RawKernel(HEADERS + text, "k")(1, len(lanes), (a.reshape(-1), b.reshape(-1), out))
    assert out.tolist() == eval(f"(a {holds} b).all(1)").tolist() and 0 < out.sum() < len(lanes)


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


def same_bits(one, other):
    """All NaNs are the same here."""
    if one.dtype.kind == "f":
        return (one.view(f"u{one.itemsize}") == other.view(f"u{one.itemsize}")) | np.isnan(
            one
        ) & np.isnan(other)
    return one == other


def no_nan(out, results):
    """Bits of bfloat16s with one NaN only."""
    return np.where((out & 0x7FFF) > 0x7F80, 0x7FFF, out) if results.startswith("__nv") else out


CALLS = {
    **{
        f"{name}({', '.join('abc'[: len(function.parameters)])})": "bool"
        if function.result == BOOL
        else "same"
        for name, overloads in INTRINSICS.items()
        for function in overloads
        if {*function.parameters} == {HALF} and function.result in (HALF, BOOL) and name != "htanh"
    },
    **{f"a {op} b": "same" for op in "+-*/"},
    **{f"a {op} b": "bool" for op in ("==", "!=", "<", "<=", ">", ">=")},
    "(float)a": "float",
    "(int)a": "int",
    "(short)a": "short",
    "(unsigned char)a": "unsigned char",
    "(long long)a": "long long",
    "(unsigned long long)a": "unsigned long long",
    "(double)a": "double",
}


@pytest.mark.gpu
@BOTH
@pytest.mark.parametrize("call", CALLS)
def test_functions_have_a_gpus_bits(kind, call):
    """Of one argument for all 65,536 values."""
    results = kind if CALLS[call] == "same" else CALLS[call]
    a, b, c = triples((1 << 16) - 10, kind)
    if "b" not in call.partition("(")[2]:
        a = np.arange(1 << 16, dtype=np.uint16)
    if call == "(double)a":  # by way of float, whose smallest numbers are 0 as CuPy compiles
        a = np.where(a & 0x7F80, a, np.uint16(0))
    there = launch(kind, results, call, a, b, c)
    with force_simulator():
        here = launch(kind, results, call, a, b, c)
    off = np.flatnonzero(~same_bits(no_nan(here, results), no_nan(there, results)))
    assert off.size == 0, [(hex(a[k]), hex(b[k]), hex(c[k]), here[k], there[k]) for k in off[:5]]


CONVERSIONS = [
    f"{source}2{target}_{mode}"
    for source, target, mode in itertools.product(
        ("float", "double", "int", "uint", "short", "ushort", "ll", "ull"),
        ("to", "from"),
        ("rn", "rz", "rd", "ru"),
    )
    if source not in ("float", "double") or (target == "to" and (source == "float" or mode == "rn"))
]


@pytest.mark.gpu
@BOTH
@pytest.mark.parametrize("name", CONVERSIONS)
def test_conversions_have_a_gpus_bits(kind, name):
    source, direction, mode = name.replace("_", "2").split("2")
    c_type = {
        "uint": "unsigned",
        "ushort": "unsigned short",
        "ll": "long long",
        "ull": "unsigned long long",
    }.get(source, source)
    one = FIRST[kind]
    if direction == "from":
        bits = np.arange(1 << 16, dtype=np.uint16)
        call = f"__{one}2{source}_{mode}(a)"
        there = launch(kind, c_type, call, bits, bits, bits)
        with force_simulator():
            here = launch(kind, c_type, call, bits, bits, bits)
    else:
        rng = np.random.default_rng(7)
        given = (rng.integers(0, 2**63, 1 << 16) >> rng.integers(0, 63, 1 << 16)).astype(
            OUT[c_type]
        )
        if c_type in ("float", "double"):
            given = (rng.normal(size=1 << 16) * np.exp2(rng.integers(-45, 45, 1 << 16))).astype(
                OUT[c_type]
            )
        elif given.dtype.kind == "i":
            given *= rng.choice([-1, 1], given.size).astype(given.dtype)
        call = f"__{source}2{one}" if source == "double" else f"__{source}2{one}_{mode}"
        text = (
            HEADERS + f'extern "C" __global__ void k(const {c_type}* x, {kind}* out) '
            f"{{ int i = blockIdx.x * 256 + threadIdx.x; out[i] = {call}(x[i]); }}"
        )
        there, here = np.zeros(1 << 16, OUT[kind]), np.zeros(1 << 16, OUT[kind])
        RawKernel(text, "k")(256, 256, (given, there))
        with force_simulator():
            RawKernel(text, "k")(256, 256, (given, here))
    off = np.flatnonzero(~same_bits(here, there))
    assert off.size == 0, [(k, here[k], there[k]) for k in off[:5]]


@pytest.mark.gpu
def test_the_kernel_gives_a_gpus_bits():
    results = []
    for simulated in (False, True):
        x = np.linspace(-2, 2, 32).astype(np.float16)
        arrays = [
            x,
            np.zeros((32, 2), np.float16),
            np.zeros(32, np.uint16),
            np.zeros(32, np.float32),
        ]
        kernel = RawKernel(TEXT.partition("    atomicAdd")[0] + "}", "k")
        if simulated:
            with force_simulator():
                kernel(1, 32, (*arrays, 0.75, 1.5))
        else:
            kernel(1, 32, (*arrays, 0.75, 1.5))
        results.append(arrays)
    for one, other in zip(*results, strict=True):
        np.testing.assert_array_equal(one, other)


def test_what_is_no_number_compares_as_no_number():
    """__hlt and its like are false of it, __hltu and its like true."""
    table = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
    numbers = [1.0, 2.0, math.nan]
    body = "\n".join(
        f"o[{2 * k} * 9 + t] = __h{name}(a, b); o[{2 * k + 1} * 9 + t] = __h{name}u(a, b); "
        f"o[({k} + 12) * 9 + t] = a {sign} b;"
        for k, (name, sign) in enumerate(table.items())
    )
    o = np.zeros((18, 9), np.int32)
    RawKernel(
        HEADERS
        + 'extern "C" __global__ void k(int* o, const half* x) { int t = threadIdx.x; half a = x[t / 3], '
        f"b = x[t % 3];\n{body} }}",
        "k",
    )(1, 9, (o, np.array(numbers, np.float16)))
    for k, sign in enumerate(table.values()):
        for t in range(9):
            a, b = numbers[t // 3], numbers[t % 3]
            wrong, holds = math.isnan(a) or math.isnan(b), eval(f"a {sign} b", {"a": a, "b": b})
            assert o[2 * k : 2 * k + 2, t].tolist() == [holds and not wrong, holds or wrong], (
                sign,
                a,
                b,
            )
            assert o[12 + k, t] == holds

"""What cuda_fp16.h and cuda_bf16.h declare, for cuda_functions.py: H is __half or __nv_bfloat16, H2 the pair.

Conversions have the type in their names; the others are overloaded.
"""

from __future__ import annotations

_MODES = ("rn", "rz", "rd", "ru")
_INTEGERS = {
    "int": "int",
    "uint": "unsigned",
    "short": "short",
    "ushort": "unsigned short",
    "ll": "long long",
    "ull": "unsigned long long",
}

UNARY = tuple(
    "hsqrt hrsqrt hrcp hexp hexp2 hexp10 hlog hlog2 hlog10 hsin hcos htanh hceil hfloor htrunc "
    "hrint".split()
)
BINARY = tuple(
    "__hadd __hsub __hmul __hdiv __hadd_rn __hsub_rn __hmul_rn __hadd_sat __hsub_sat __hmul_sat __hmax "
    "__hmin __hmax_nan __hmin_nan".split()
)
TERNARY = ("__hfma", "__hfma_sat", "__hfma_relu")
COMPARISONS = tuple(
    f"__h{name}{unordered}" for unordered in ("", "u") for name in "eq ne lt le gt ge".split()
)


def pair(name: str) -> str:
    """What the function is called for two numbers at once: __hadd2, __hadd2_sat, h2exp, __hequ2; __h2div."""
    if name == "__hdiv":
        return "__h2div"
    if name[0] == "h":
        return "h2" + name[1:]
    first, _, rest = name[2:].partition("_")
    return f"__{first}2{'_' * bool(rest)}{rest}"


def overloaded() -> str:
    """Functions that both types have under one name."""
    lines: list[str] = []
    for names, count in ((UNARY + ("__hneg", "__habs"), 1), (BINARY, 2), (TERNARY, 3)):
        for name in names:
            lines.append(f"H {name}({', '.join(['H'] * count)})")
            lines.append(f"H2 {pair(name)}({', '.join(['H2'] * count)})")
    for name in COMPARISONS:
        lines += [
            f"bool {name}(H, H)",
            f"H2 {pair(name)}(H2, H2)",
            f"bool {name.replace('__h', '__hb')}2(H2, H2)",
            f"unsigned {pair(name)}_mask(H2, H2)",
        ]
    lines += [
        "bool __hisnan(H)",
        "int __hisinf(H)",
        "H2 __hisnan2(H2)",
        "float __low2float(H2)",
        "float __high2float(H2)",
        "H2 __lowhigh2highlow(H2)",
    ]
    return "\n".join(lines)


def conversions(one: str, two: str) -> str:
    """Functions with the type in their names. one, two: how it is called there: half, half2."""
    lines = [
        f"float __{one}2float(H)",
        f"H __float2{one}(float)",
        f"H __double2{one}(double)",
        f"H2 __float2{two}_rn(float)",
        f"H2 __floats2{two}_rn(float, float)",
        f"float2 __{two}2float2(H2)",
        f"H2 __float22{two}_rn(float2)",
        f"H __low2{one}(H2)",
        f"H __high2{one}(H2)",
        f"H2 __{one}2{two}(H)",
        f"H2 __halves2{two}(H, H)",
        f"H2 __low2{two}(H2)",
        f"H2 __high2{two}(H2)",
        f"H2 __lows2{two}(H2, H2)",
        f"H2 __highs2{two}(H2, H2)",
        f"short __{one}_as_short(H)",
        f"unsigned short __{one}_as_ushort(H)",
        f"H __short_as_{one}(short)",
        f"H __ushort_as_{one}(unsigned short)",
        f"signed char __{one}2char_rz(H)",
        f"unsigned char __{one}2uchar_rz(H)",
    ]
    lines += [f"H __float2{one}_{mode}(float)" for mode in _MODES]
    for short, kind in _INTEGERS.items():
        for mode in _MODES:
            lines += [f"{kind} __{one}2{short}_{mode}(H)", f"H __{short}2{one}_{mode}({kind})"]
    return "\n".join(lines)

"""What CUDA provides to a kernel: one table, name -> overloads.

To add an intrinsic: declare it here, as the CUDA manual does, and write what it computes in simulator/functions, under
the same name. The kind says when it is evaluated, and where it is computed:
  math      element-wise, no side effect: mathematics.py (halves.py; native/headers/mathematics.h if a float is rounded)
  results   element-wise, several results, through the pointers: mathematics.py
  warp      lanes exchange values or votes: warp.py       barrier   all threads of the block: warp.py
  group     threads of a cooperative group: groups.py     atomic    the first argument is an address: atomics.py
  tensor    what a warp does together with tiles: tensor.py         clock     what time it is: clock.py
and those that simulator/codegen/calls.py lowers:
  vector    make_float4 and its kin                       fence     orders memory, computes nothing
  async     copies that overlap computation               bytes     copies and fills of memory
  check     assert, __trap
and those that checking/intrinsics.py replaces by a plain expression:
  same      the first argument as it is                   load      a plain read, *pointer
  store     a plain write, *pointer = value
`void*` parameters get the pointer as it is, without a Convert. Omitted arguments are filled in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from . import half_functions, tensor_functions
from .types import (
    COALESCED_GROUP,
    GRID_GROUP,
    HALVES,
    NAMED,
    SCALARS,
    THREAD_GROUP,
    VECTORS,
    Pointer,
    Type,
)


@dataclass(frozen=True)
class Overload:
    """One signature. name: that of the tree.IntrinsicCall, "sqrtf" for sqrt(float). defaults: of the last parameters.

    Mixed arguments call an overload of one type: min(int, unsigned) calls min(unsigned, unsigned).
    """

    name: str
    kind: str
    result: Type
    parameters: tuple[Type, ...]
    defaults: tuple[int, ...] = ()
    calls: bool = False  # another one, whose parameters the arguments are converted to

    @property
    def called(self) -> Overload:
        """The overload that the IntrinsicCall stands for."""
        if not self.calls:
            return self
        return next(o for o in INTRINSICS[self.name] if o.result == self.result and not o.calls)


INTRINSICS: dict[str, list[Overload]] = {}


_SHORT = {
    "unsigned": "unsigned int",
    "group": THREAD_GROUP.name,
    "coalesced_group": COALESCED_GROUP.name,
    "grid_group": GRID_GROUP.name,
}


_KNOWN = {**NAMED, **HALVES, "signed char": NAMED["char"]}


def _type(text: str) -> Type:
    name, star, _ = text.replace("const ", "").partition("*")
    base = _KNOWN[_SHORT.get(name.strip(), name.strip())]
    return Pointer(base, text.startswith("const ")) if star else base


def declare(kind: str, declarations: str, types: Iterable[str] = ("",)) -> None:
    """One C declaration per line; T stands for each of `types`; `calls name` says which intrinsic an overload is."""
    for line in declarations.strip().splitlines():
        for actual in types:
            text, _, called = re.sub(r"\bT\b", actual, line.strip()).partition(" calls ")
            match = re.fullmatch(r"(.*?)([\w:]+)\((.*)\)", text)
            assert match, text
            result, name, parameters = match.groups()
            pieces = [
                piece.strip().partition("=") for piece in parameters.split(",") if piece.strip()
            ]
            overload = Overload(
                called or name,
                kind,
                _type(result),
                tuple(_type(p[0].strip()) for p in pieces),
                tuple(int(p[2], 0) for p in pieces if p[1]),
                bool(called),
            )
            INTRINSICS.setdefault(name, []).append(overload)


def _declare_families(parameters: int, names: str) -> None:
    """Math functions f(double) and ff(float), where C++ also calls ff by the name f."""
    for name in names.split():
        floats, doubles = ", ".join(["float"] * parameters), ", ".join(["double"] * parameters)
        declare(
            "math",
            f"float {name}f({floats})\ndouble {name}({doubles})\nfloat {name}({floats}) calls {name}f",
        )


_declare_families(
    1,
    """sqrt rsqrt cbrt rcbrt exp exp2 exp10 expm1 log log2 log10 log1p sin cos tan sinpi cospi
    asin acos atan sinh cosh tanh asinh acosh atanh erf erfc erfinv erfcinv erfcx normcdf normcdfinv tgamma lgamma
    ceil floor trunc round rint nearbyint fabs logb""",
)
_declare_families(2, "pow fmod atan2 hypot rhypot fmin fmax fdim copysign remainder nextafter")
_declare_families(3, "fma norm3d rnorm3d")
_declare_families(4, "norm4d rnorm4d")

declare(
    "math",
    """
    float ldexpf(float, int)
    double ldexp(double, int)
    float ldexp(float, int) calls ldexpf
    float scalbnf(float, int) calls ldexpf
    double scalbn(double, int) calls ldexp
    float pow(float, int) calls powf
    double pow(double, int) calls pow
    double copysign(float, double) calls copysign
    double copysign(double, float) calls copysign
    float fdividef(float, float)
    float __fdividef(float, float)
    float __expf(float)
    float __exp10f(float)
    float __logf(float)
    float __log2f(float)
    float __log10f(float)
    float __sinf(float)
    float __cosf(float)
    float __tanf(float)
    float __powf(float, float)
    float __saturatef(float)
    float __fadd_rn(float, float)
    float __fsub_rn(float, float)
    float __fmul_rn(float, float)
    float __fdiv_rn(float, float)
    float __fmaf_rn(float, float, float)
    float __frcp_rn(float)
    float __fsqrt_rn(float)
    float __frsqrt_rn(float)
    double __dadd_rn(double, double)
    double __dsub_rn(double, double)
    double __dmul_rn(double, double)
    double __ddiv_rn(double, double)
    double __fma_rn(double, double, double)
    double __drcp_rn(double)
    double __dsqrt_rn(double)
    long lroundf(float)
    long lround(double)
    long lround(float) calls lroundf
    long lrintf(float)
    long lrint(double)
    long lrint(float) calls lrintf
    long long llroundf(float)
    long long llround(double)
    long long llround(float) calls llroundf
    long long llrintf(float)
    long long llrint(double)
    long long llrint(float) calls llrintf
    float abs(float) calls fabsf
    double abs(double) calls fabs
    long labs(long) calls abs
    long long llabs(long long) calls abs
""",
)
declare("math", "T abs(T)", ("int", "long", "long long"))
declare(
    "math",
    """
    int isnan(T)
    int isinf(T)
    int isfinite(T)
    int signbit(T)
""",
    ("float", "double"),
)

_INTEGERS = ("int", "unsigned", "long", "unsigned long", "long long", "unsigned long long")
for _name in ("min", "max"):
    declare("math", f"T {_name}(T, T)", _INTEGERS)
    for _signed in ("int", "long", "long long"):
        declare(
            "math",
            f"""
            unsigned {_signed} {_name}(unsigned {_signed}, {_signed}) calls {_name}
            unsigned {_signed} {_name}({_signed}, unsigned {_signed}) calls {_name}
            """,
        )
    declare(
        "math",
        f"""
        float {_name}(float, float) calls f{_name}f
        double {_name}(float, double) calls f{_name}
        double {_name}(double, float) calls f{_name}
        double {_name}(double, double) calls f{_name}
        unsigned u{_name}(unsigned, unsigned) calls {_name}
        long long ll{_name}(long long, long long) calls {_name}
        unsigned long long ull{_name}(unsigned long long, unsigned long long) calls {_name}
        """,
    )

# Several results, through pointers.
for _name in ("sincos", "sincospi"):
    declare(
        "results",
        f"""
        void {_name}f(float, float*, float*)
        void {_name}(double, double*, double*)
        void {_name}(float, float*, float*) calls {_name}f
        """,
    )
declare(
    "results",
    """
    void __sincosf(float, float*, float*)
    float modff(float, float*)
    double modf(double, double*)
    float modf(float, float*) calls modff
    float frexpf(float, int*)
    double frexp(double, int*)
    float frexp(float, int*) calls frexpf
""",
)
_words = ", ".join(["unsigned"] * 5)
declare(
    "results",
    f"void nnlib::xorwow_skip({_words}, unsigned long long, unsigned long long, "
    f"{_words.replace('d', 'd*')})",
)  # see random_sequences.py

# Bits and integers.
declare(
    "math",
    """
    int __popc(unsigned)
    int __popcll(unsigned long long)
    int __clz(int)
    int __clzll(long long)
    int __ffs(int)
    int __ffsll(long long)
    unsigned __brev(unsigned)
    unsigned long long __brevll(unsigned long long)
    unsigned __byte_perm(unsigned, unsigned, unsigned)
    unsigned __funnelshift_l(unsigned, unsigned, unsigned)
    unsigned __funnelshift_r(unsigned, unsigned, unsigned)
    int __mulhi(int, int)
    unsigned __umulhi(unsigned, unsigned)
    long long __mul64hi(long long, long long)
    unsigned long long __umul64hi(unsigned long long, unsigned long long)
    int __mul24(int, int)
    unsigned __umul24(unsigned, unsigned)
    unsigned __sad(int, int, unsigned)
    unsigned __usad(unsigned, unsigned, unsigned)
    int __dp4a(int, int, int)
    unsigned __dp4a(unsigned, unsigned, unsigned)
    int __hadd(int, int)
    int __rhadd(int, int)
    unsigned __uhadd(unsigned, unsigned)
    int __float_as_int(float)
    unsigned __float_as_uint(float)
    float __int_as_float(int)
    float __uint_as_float(unsigned)
    long long __double_as_longlong(double)
    double __longlong_as_double(long long)
    int __double2hiint(double)
    int __double2loint(double)
    double __hiloint2double(int, int)
    float __double2float_rn(double)
    double __int2double_rn(int)
    double __uint2double_rn(unsigned)
    double __ll2double_rn(long long)
    double __ull2double_rn(unsigned long long)
""",
)
for _short, _long in (
    ("int", "int"),
    ("uint", "unsigned"),
    ("ll", "long long"),
    ("ull", "unsigned long long"),
):
    declare("math", f"float __{_short}2float_rn({_long})")
    for _mode in ("rn", "rz", "ru", "rd"):
        declare(
            "math",
            f"{_long} __float2{_short}_{_mode}(float)\n{_long} __double2{_short}_{_mode}(double)",
        )

for _vector in VECTORS.values():
    declare(
        "vector",
        f"{_vector.name} make_{_vector.name}({', '.join([_vector.base.name] * _vector.lanes)})",
    )

# cuda_fp16.h, cuda_bf16.h.
for _half, _pair, _one, _two in (
    ("__half", "__half2", "half", "half2"),
    ("__nv_bfloat16", "__nv_bfloat162", "bfloat16", "bfloat162"),
):
    _texts = half_functions.overloaded(), half_functions.conversions(_one, _two)
    declare("math", re.sub(r"\bH2\b", _pair, re.sub(r"\bH\b", _half, "\n".join(_texts))))
    declare(
        "vector", f"{_pair} make_{_pair}({_half}, {_half})\n{_pair} make_{_two}({_half}, {_half})"
    )
    declare(
        "warp",
        """
        T __shfl_sync(unsigned, T, int, int = 32)
        T __shfl_up_sync(unsigned, T, unsigned, int = 32)
        T __shfl_down_sync(unsigned, T, unsigned, int = 32)
        T __shfl_xor_sync(unsigned, T, int, int = 32)
    """,
        (_half, _pair),
    )
    declare("atomic", "T atomicAdd(T*, T)", (_half, _pair))

declare(
    "barrier",
    """
    void __syncthreads()
    int __syncthreads_count(int)
    int __syncthreads_and(int)
    int __syncthreads_or(int)
    void __syncwarp(unsigned = 0xffffffff)
""",
)
declare(
    "fence",
    """
    void __threadfence()
    void __threadfence_block()
    void __threadfence_system()
""",
)
declare(
    "warp",
    """
    T __shfl_sync(unsigned, T, int, int = 32)
    T __shfl_up_sync(unsigned, T, unsigned, int = 32)
    T __shfl_down_sync(unsigned, T, unsigned, int = 32)
    T __shfl_xor_sync(unsigned, T, int, int = 32)
""",
    (*_INTEGERS, "float", "double"),
)
declare(
    "warp",
    """
    unsigned __ballot_sync(unsigned, int)
    int __any_sync(unsigned, int)
    int __all_sync(unsigned, int)
    unsigned __activemask()
""",
)
declare("warp", "unsigned __match_any_sync(unsigned, T)", (*_INTEGERS, "float", "double"))
for _operator in ("add", "min", "max"):
    declare("warp", f"T __reduce_{_operator}_sync(unsigned, T)", ("int", "unsigned"))
for _operator in ("and", "or", "xor"):
    declare("warp", f"unsigned __reduce_{_operator}_sync(unsigned, unsigned)")

declare(
    "atomic", "T atomicAdd(T*, T)", ("int", "unsigned", "unsigned long long", "float", "double")
)
declare("atomic", "T atomicSub(T*, T)", ("int", "unsigned"))
declare("atomic", "T atomicExch(T*, T)", ("int", "unsigned", "unsigned long long", "float"))
declare(
    "atomic",
    "T atomicMin(T*, T)\nT atomicMax(T*, T)",
    ("int", "unsigned", "long long", "unsigned long long"),
)
declare(
    "atomic",
    "T atomicAnd(T*, T)\nT atomicOr(T*, T)\nT atomicXor(T*, T)",
    ("int", "unsigned", "unsigned long long"),
)
declare("atomic", "T atomicInc(T*, T)\nT atomicDec(T*, T)", ("unsigned",))
declare(
    "atomic", "T atomicCAS(T*, T, T)", ("int", "unsigned", "unsigned long long", "unsigned short")
)

_VALUES = (
    [scalar.name for scalar in SCALARS if scalar.name != "bool"] + list(VECTORS) + list(HALVES)
)
for _name in ("__ldg", "__ldca", "__ldcg", "__ldcs", "__ldlu", "__ldcv"):
    declare("load", f"T {_name}(const T*)", _VALUES)
for _name in ("__stwb", "__stcg", "__stcs", "__stwt"):
    declare("store", f"void {_name}(T*, T)", _VALUES)

declare("same", "void* __builtin_assume_aligned(const void*, size_t)")

declare(
    "async",
    """
    void __pipeline_memcpy_async(void*, const void*, size_t, size_t = 0)
    void __pipeline_commit()
    void __pipeline_wait_prior(int)
    void nnlib::copy_async(void*, const void*, size_t, void*)
    void nnlib::copies_arrived(void*)
""",
)
declare(
    "barrier",
    """
    void nnlib::arrive(unsigned, int)
    void nnlib::meet(unsigned)
""",
)
# Methods of groups, as functions of the group.
declare(
    "group",
    """
    void cooperative_groups::sync(group)
    unsigned cooperative_groups::thread_rank(group)
    unsigned cooperative_groups::size(group)
    int cooperative_groups::any(group, int)
    int cooperative_groups::all(group, int)
    unsigned cooperative_groups::ballot(group, int)
    group cooperative_groups::tile(group, unsigned)
    coalesced_group cooperative_groups::binary_partition(group, bool)
    void cooperative_groups::sync_grid(grid_group)
    unsigned long long cooperative_groups::block_rank(grid_group)
""",
)
declare("group", "coalesced_group cooperative_groups::labeled_partition(group, T)", _INTEGERS)
declare(
    "group",
    """
    T cooperative_groups::shfl(group, T, int)
    T cooperative_groups::shfl_up(group, T, unsigned)
    T cooperative_groups::shfl_down(group, T, unsigned)
    T cooperative_groups::shfl_xor(group, T, unsigned)
""",
    (*_INTEGERS, "float", "double"),
)
for _name in ("reduce", "inclusive_scan", "exclusive_scan"):
    for _operator in ("plus", "less", "greater"):
        declare(
            "group",
            f"T cooperative_groups::{_name}_{_operator}(group, T)",
            (*_INTEGERS, "float", "double"),
        )
    for _operator in ("bit_and", "bit_or", "bit_xor"):
        declare("group", f"T cooperative_groups::{_name}_{_operator}(group, T)", _INTEGERS)

declare("tensor", "\n".join(tensor_functions.declarations()))
declare(
    "check",
    """
    void assert(bool)
    void __trap()
""",
)
declare(
    "bytes",
    """
    void memcpy(void*, const void*, size_t)
    void memset(void*, int, size_t)
""",
)
declare(
    "clock",
    """
    long clock()
    long long clock64()
    void __nanosleep(unsigned)
""",
)
for _name, _overloads in list(
    INTRINSICS.items()
):  # for other scopes than the GPU, which here are all the same
    for _scope in ("_block", "_system"):
        if _overloads[0].kind == "atomic":
            INTRINSICS[f"{_name}{_scope}"] = [
                replace(overload, calls=True) for overload in _overloads
            ]

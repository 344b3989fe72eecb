"""What C programs expect from headers: the simulator knows it, and NVRTC, which has no C headers, is told."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path

from ..types import NAMED

# Headers that are texts of our own, by name: they declare what CUDA's declare, in the language itself.
_TEXTS = Path(__file__).parents[1] / "headers"
OWN_HEADERS = {
    str(path.relative_to(_TEXTS).as_posix()): path for path in _TEXTS.rglob("*") if path.is_file()
}

# Those that a text has because it names what they declare, which CUDA has without any header. An earlier one may need
# a later one.
UNASKED_HEADERS = {
    re.compile(pattern): header
    for pattern, header in {
        r"cuda(Graph|StreamBeginCapture|StreamCapture|KernelNode|MemsetParams|HostNode)\w*": "nnlib_graphs.h",
        r"(make_)?cuda(Array|Channel|Create|Texture|Surface|Resource|Extent|Pos|PitchedPtr|\w*3D)\w*": "nnlib_arrays.h",
        r"cuda(Texture|Surface)Object_t|(tex|surf)[123]D\w*": "nnlib_textures.h",
        r"cuda(Stream|Event|Error)_t": "nnlib_host_types.h",
        r"time(spec|val)": "nnlib_times.h",
        r"__v(i[a-z0-9]+_[su]32(_relu)?|[a-z]+[24])": "nnlib_simd.h",
        r"__dp[24]a(_lo|_hi)?": "nnlib_dot_products.h",
        r"__(f(add|sub|mul|maf|div|rcp|sqrt)|(double|u?int)2float)_r[zud]|__f(add|mul|fma)2_r[nzud]": "nnlib_roundings.h",
        r"std::(is_\w+|(enable_if|conditional|decay|remove_\w+)(_t)?|(bool|integral)_constant)": "type_traits",
    }.items()
}

# Including a header is no mistake: what of it is missing is reported where it is used (see left_out.py).
STANDARD_HEADERS = frozenset(
    """
    algorithm any array atomic barrier bit bitset cassert ccomplex cctype cerrno cfenv cfloat
    charconv chrono cinttypes climits clocale cmath codecvt compare complex concepts
    condition_variable csetjmp csignal cstdarg cstdbool cstddef cstdint cstdio cstdlib cstring
    ctgmath ctime cwchar deque exception execution filesystem format forward_list fstream
    functional future initializer_list iomanip ios iosfwd iostream istream iterator latch limits
    list locale map memory memory_resource mutex new numbers numeric optional ostream queue
    random ranges ratio regex scoped_allocator semaphore set shared_mutex span sstream stack
    stdexcept stop_token streambuf string string_view syncstream system_error thread tuple
    type_traits typeindex typeinfo unordered_map unordered_set utility valarray variant vector
    version bits/stdc++.h assert.h complex.h ctype.h errno.h fenv.h float.h getopt.h inttypes.h
    libgen.h limits.h locale.h malloc.h math.h memory.h omp.h pthread.h setjmp.h signal.h
    stdarg.h stdbool.h stddef.h stdint.h stdio.h stdlib.h string.h strings.h time.h unistd.h
    wchar.h dirent.h dlfcn.h fcntl.h poll.h pwd.h sched.h termios.h sys/ioctl.h sys/mman.h
    sys/resource.h sys/socket.h sys/stat.h sys/sysinfo.h sys/time.h sys/times.h sys/types.h
    sys/utsname.h sys/wait.h
    """.split()
)
# Headers whose content is known without reading them. cuda_pipeline.h is part of the CUDA toolkit.
TOOLKIT_HEADERS = OWN_HEADERS.keys() - STANDARD_HEADERS - {"math_constants.h"} | frozenset(
    (
        "cuda_pipeline.h",
        "cuda_pipeline_primitives.h",
        "cooperative_groups.h",
        "cooperative_groups/scan.h",
        "curand.h",
    )
)
HEADERS = TOOLKIT_HEADERS | frozenset(
    """
    cuda.h cuda_runtime.h cuda_runtime_api.h device_launch_parameters.h device_functions.h
    device_types.h vector_types.h vector_functions.h math_constants.h math_functions.h
    sm_20_atomic_functions.h math.h cmath stdio.h cstdio stdint.h cstdint stddef.h cstddef
    stdlib.h cstdlib float.h cfloat limits.h climits assert.h cassert
    """.split()
)
_CPP_LIBRARY = re.compile("(cub|thrust|cuda|cute|cutlass)/")
_LIBRARY_HEADER = re.compile(
    r"(cub|thrust|cuda|cute|cutlass|nvtx3|cooperative_groups)/.*|(cu(blas|fft|sparse|solver|dnn|rand)|cudnn|nccl|nvml|nvToolsExt"
    r"|nvrtc|mma|cuda_fp\d|cuda_awbarrier|cuda_texture_types|texture_|surface_|sm_\d\d_|math_functions|device_|host_|cuda_)\w*\.h(pp)?"
)

# What every CUDA compiler defines.
COMPILER_MACROS = [
    "__builtin_assume(x)=((void)0)",
    "__assume(x)=((void)0)",
    "__builtin_expect(x,y)=(x)",
    "__builtin_unreachable()=((void)0)",
    "__CUDACC__=1",
    "__CUDACC_RTC__=1",
    "__CUDA_ARCH__=900",
    "__cplusplus=201703L",
    "__STDC__=1",
    "__CUDACC_VER_MAJOR__=12",
    "NULL=nullptr",
]

# What the headers define.
HEADER_MACROS = [
    "INFINITY=__int_as_float(0x7f800000)",
    "NAN=__int_as_float(0x7fffffff)",
    "CUDART_INF_F=__int_as_float(0x7f800000)",
    "CUDART_NAN_F=__int_as_float(0x7fffffff)",
    "CUDART_PI_F=3.141592654f",
    "CUDART_INF=__longlong_as_double(0x7ff0000000000000LL)",
    "CUDART_PI=3.1415926535897931",
    "__FLT_MAX__=3.402823466e+38f",
    "__FLT_MIN__=1.175494351e-38f",
    "__FLT_EPSILON__=1.192092896e-07f",
    "__DBL_MAX__=1.7976931348623158e+308",
    "__DBL_MIN__=2.2250738585072014e-308",
    "__INT_MAX__=2147483647",
    "FLT_MAX=3.402823466e+38f",
    "FLT_MIN=1.175494351e-38f",
    "FLT_EPSILON=1.192092896e-07f",
    "DBL_MAX=1.7976931348623158e+308",
    "DBL_MIN=2.2250738585072014e-308",
    "DBL_EPSILON=2.2204460492503131e-16",
    "CHAR_BIT=8",
    "SCHAR_MAX=127",
    "UCHAR_MAX=255",
    "SHRT_MAX=32767",
    "SHRT_MIN=(-32768)",
    "USHRT_MAX=65535",
    "INT8_MAX=127",
    "UINT8_MAX=255",
    "INT16_MAX=32767",
    "UINT16_MAX=65535",
    "INT32_MAX=2147483647",
    "INT32_MIN=(-2147483647-1)",
    "UINT32_MAX=4294967295u",
    "INT64_MAX=9223372036854775807L",
    "UINT64_MAX=18446744073709551615UL",
    "INT8_MIN=(-128)",
    "INT16_MIN=(-32768)",
    "INT64_MIN=(-9223372036854775807L-1)",
    "SCHAR_MIN=(-128)",
    "CHAR_MAX=127",
    "CHAR_MIN=(-128)",
    "SIZE_MAX=18446744073709551615UL",
    "LONG_MAX=9223372036854775807L",
    "LONG_MIN=(-9223372036854775807L-1)",
    "ULONG_MAX=18446744073709551615UL",
    "INT_MAX=2147483647",
    "INT_MIN=(-2147483647-1)",
    "UINT_MAX=4294967295u",
    "LLONG_MAX=9223372036854775807LL",
    "LLONG_MIN=(-9223372036854775807LL-1)",
    "ULLONG_MAX=18446744073709551615ULL",
    "M_PI=3.14159265358979323846",
    "M_PI_2=1.57079632679489661923",
    "M_PI_4=0.78539816339744830962",
    "M_1_PI=0.31830988618379067154",
    "M_2_PI=0.63661977236758134308",
    "M_2_SQRTPI=1.12837916709551257390",
    "M_E=2.7182818284590452354",
    "M_LOG2E=1.4426950408889634074",
    "M_LN2=0.69314718055994530942",
    "M_LN10=2.30258509299404568402",
    "M_SQRT2=1.41421356237309504880",
    "M_SQRT1_2=0.70710678118654752440",
    "HUGE_VALF=__int_as_float(0x7f800000)",
]
HEADER_TYPES = {
    name: "signed char" if name == "int8_t" else str(kind)
    for name, kind in NAMED.items()
    if re.fullmatch(r"u?int(8|16|32|64|ptr)_t|u(int|short|char|long)", name)
}


def is_known(name: str) -> bool:
    """Return whether this is a header of CUDA, of its libraries, or of C and C++, rather than a file of the user's."""
    return (
        name in HEADERS or name in STANDARD_HEADERS or _LIBRARY_HEADER.fullmatch(name) is not None
    )


def foreign_headers(text: str, given: Collection[str]) -> list[str]:
    """Return the headers that the text includes and whose content is unknown. given: the names of more that are known."""
    return [
        name
        for name in _INCLUDE.findall(text)
        if (not is_known(name) or (_CPP_LIBRARY.match(name) and name not in OWN_HEADERS))
        and name not in given
        and name.rpartition("/")[2] not in given
    ]


_DEFINE = re.compile(r"^#define (\w+) (.*)$", re.MULTILINE)
_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*[<\"]([^>\"\n]*)[>\"]", re.MULTILINE)


def nvrtc_text(text: str) -> str:
    """Return the text as NVRTC can take it: without C headers, and with the names that it uses from them defined.

    Lines keep their numbers. A text with headers of libraries, or of the user's own, is left alone: they bring their own
    definitions.
    """
    included = _INCLUDE.findall(text)
    known = {*HEADERS, *STANDARD_HEADERS}
    if any(name not in known or name.startswith("cub/") for name in included):
        return text
    body = _INCLUDE.sub(lambda found: found[0] if found[1] in TOOLKIT_HEADERS else "", text)
    used = set(re.findall(r"\w+", text))
    # libcu++ has the names of C's integers
    own_types = any(name.startswith("cuda/") for name in included)
    lines = [
        f"typedef {kind} {name};"
        for name, kind in HEADER_TYPES.items()
        if name in used and not own_types
    ]
    macros = [tuple(macro.split("=", 1)) for macro in HEADER_MACROS]
    if "math_constants.h" in included:
        macros += _DEFINE.findall(OWN_HEADERS["math_constants.h"].read_text())
    for name, value in macros:
        if name in used:
            lines += [f"#ifndef {name}", f"#define {name} {value}", "#endif"]
    return "\n".join([*lines, '#line 1 "kernel.cu"', body]) if lines else body

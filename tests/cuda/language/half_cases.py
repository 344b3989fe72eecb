"""Halves: what CUDA takes of them and what not, tables as in cases.py."""

_HEADERS = "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n"
_KERNEL = _HEADERS + "__global__ void k(half* x, __nv_bfloat16* b, int n) { %s }"

# (statements of the kernel, part of the message, "line:column")
_WRONG = [
    ("x[0] = x[0] + 1.0f;", "'+' between '__half' and 'float' is ambiguous", "3:67"),
    ("x[0] = x[0] * b[0];", "'*' between '__half' and '__nv_bfloat16' is ambiguous", "3:67"),
    (
        "x[0] = max(x[0], x[1]);",
        "the call max(__half, __half) fits several functions equally well",
        "3:62",
    ),
    ("bool y = x[0] > 0;", "'>' between '__half' and 'int' is ambiguous", "3:69"),
    ("float f = 1; f += x[0];", "'+' between 'float' and '__half' is ambiguous", "3:70"),
    ("x[0] = n ? x[0] : 1.0f;", "the two results of ?: have types '__half' and 'float'", "3:64"),
    ("x[0] = x[0] % x[1];", "'%' needs integers, but this is '__half'", "3:67"),
    ("half2 v = x[0];", "initial value of 'v': cannot convert '__half' to '__half2'", "3:66"),
    ("half2 v; float f = v;", "initial value of 'f': cannot convert '__half2' to 'float'", "3:74"),
    ("half2 v = {x[0], x[1]}; v = v * 2.0f;", "'*' does not work on '__half2'", "3:85"),
    ("x[0] = ~x[0];", "'~' needs an integer, but this is '__half'", "3:62"),
    ("x[0] <<= 1;", "'<<' needs integers, but this is '__half'", "3:60"),
]
_RIGHT = [
    "x[0] = 1; x[0] = 1.0; x[0] = n; x[0] = 2.5f; b[0] = 1; b[0] = 0.5f;",
    "float f = x[0]; int i = x[0]; double d = x[0]; bool y = x[0]; f = sqrtf(x[0]) + (float)b[0];",
    "x[0] += x[1]; x[0] += 1.0f; x[0] *= 2; x[0] = -x[0] + x[1] * x[2] / x[3]; if (x[0] && x[1] < x[2]) n = 1;",
    "half2 v(x[0], x[1]); half2 w = {x[0], x[1]}; v = v * w + v; v += w; v.x = w.y; if (v == w) x[0] = "
    "v.x; w = -v;",
    "half2 v = __halves2half2(x[0], 1.0f); x[0] = __hfma(x[0], x[1], x[2]); v = __hfma2(v, v, "
    "__float2half2_rn(1.0f)); x[1] = __low2half(v);",
    "__shared__ half s[64]; s[threadIdx.x] = x[threadIdx.x]; __syncthreads(); x[threadIdx.x] = "
    "__hmax(s[63 - threadIdx.x], half(0.5f));",
    "x[0] = __float2half_rz(1.0f); x[1] = __int2half_ru(n); n = __half2int_rd(x[0]); b[0] = "
    "__float2bfloat16_rn(1.0f); n += __bfloat162int_rz(b[0]);",
    "atomicAdd(x, x[1]); atomicAdd(b, b[1]); atomicAdd((half2*)x, __half2half2(x[2])); x[3] = "
    "__shfl_xor_sync(0xffffffffu, x[0], 1);",
    "half a[4] = {}; a[n] = hexp(x[0]); x[0] = __hisnan(a[0]) ? x[1] : h2exp(__half2half2(x[2])).y; x[1] "
    "= n ? x[2] : x[3];",
    "half y{1.0f}; const half z = y; x[0] = static_cast<half>(n) + static_cast<half>(2.0) + half(n) + z; "
    "x[1] = __ldg(&x[2]); short q = x[0];",
]
REJECTED = [(_KERNEL.replace("%s", body), part, place) for body, part, place in _WRONG]
ACCEPTED = [_KERNEL.replace("%s", body) for body in _RIGHT]

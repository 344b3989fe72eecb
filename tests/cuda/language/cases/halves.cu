// Statements with 16-bit floats.
#include <cuda_fp16.h>
#include <cuda_bf16.h>
__global__ void k(half* x, __nv_bfloat16* b, int n) { /* here */ }

// right
x[0] = 1; x[0] = 1.0; x[0] = n; x[0] = 2.5f; b[0] = 1; b[0] = 0.5f;

// right
float f = x[0]; int i = x[0]; double d = x[0]; bool y = x[0]; f = sqrtf(x[0]) + (float)b[0];

// right
x[0] += x[1]; x[0] += 1.0f; x[0] *= 2; x[0] = -x[0] + x[1] * x[2] / x[3]; if (x[0] && x[1] < x[2]) n = 1;

// right
half2 v(x[0], x[1]); half2 w = {x[0], x[1]}; v = v * w + v; v += w; v.x = w.y; if (v == w) x[0] = v.x; w = -v;

// right
half2 v = __halves2half2(x[0], 1.0f); x[0] = __hfma(x[0], x[1], x[2]); v = __hfma2(v, v, __float2half2_rn(1.0f)); x[1] = __low2half(v);

// right
__shared__ half s[64]; s[threadIdx.x] = x[threadIdx.x]; __syncthreads(); x[threadIdx.x] = __hmax(s[63 - threadIdx.x], half(0.5f));

// right
x[0] = __float2half_rz(1.0f); x[1] = __int2half_ru(n); n = __half2int_rd(x[0]); b[0] = __float2bfloat16_rn(1.0f); n += __bfloat162int_rz(b[0]);

// right
atomicAdd(x, x[1]); atomicAdd(b, b[1]); atomicAdd((half2*)x, __half2half2(x[2])); x[3] = __shfl_xor_sync(0xffffffffu, x[0], 1);

// right
half a[4] = {}; a[n] = hexp(x[0]); x[0] = __hisnan(a[0]) ? x[1] : h2exp(__half2half2(x[2])).y; x[1] = n ? x[2] : x[3];

// right
half y{1.0f}; const half z = y; x[0] = static_cast<half>(n) + static_cast<half>(2.0) + half(n) + z; x[1] = __ldg(&x[2]); short q = x[0];

// error 3:67: '+' between '__half' and 'float' is ambiguous
// hint: convert one of them: (float)h, or __float2half(x)
x[0] = x[0] + 1.0f;

// error 3:67: '*' between '__half' and '__nv_bfloat16' is ambiguous
// hint: convert one of them: (float)h, or __float2half(x)
x[0] = x[0] * b[0];

// error 3:62: the call max(__half, __half) fits several functions equally well
// hint: convert the arguments to one type, for example (float)x. Known are: max(int, int); max(unsigned int, unsigned int); max(long, long); max(unsigned long, unsigned long); max(long long, long long); max(unsigned long long, unsigned long long); max(unsigned int, int); max(int, unsigned int)
x[0] = max(x[0], x[1]);

// error 3:69: '>' between '__half' and 'int' is ambiguous
// hint: convert one of them: (float)h, or __float2half(x)
bool y = x[0] > 0;

// error 3:70: '+' between 'float' and '__half' is ambiguous
// hint: convert one of them: (float)h, or __float2half(x)
float f = 1; f += x[0];

// error 3:64: the two results of ?: have types '__half' and 'float'
// hint: convert one of them: (float)h, or __float2half(x)
x[0] = n ? x[0] : 1.0f;

// error 3:67: '%' needs integers, but this is '__half'
// hint: of whole numbers: keep both int; of floats: fmodf(a, b)
x[0] = x[0] % x[1];

// error 3:66: initial value of 'v': cannot convert '__half' to '__half2'
// hint: the types must agree
half2 v = x[0];

// error 3:74: initial value of 'f': cannot convert '__half2' to 'float'
// hint: a __half2 is several numbers: compute with its parts, .x and so on
half2 v; float f = v;

// error 3:85: '*' does not work on '__half2'
// hint: compute with its parts: a.x, a.y
half2 v = {x[0], x[1]}; v = v * 2.0f;

// error 3:62: '~' needs an integer, but this is '__half'
// hint: for its bits write __float_as_int(x)
x[0] = ~x[0];

// error 3:60: '<<' needs integers, but this is '__half'
// hint: convert to an integer first: (int)x
x[0] <<= 1;

// right
struct Mixed { char first; __half2 both; char last; }; static_assert(alignof(Mixed) == 4 && sizeof(Mixed) == 12, "layout");

// right
struct Mixed { char first; __nv_bfloat162 both; char last; }; static_assert(alignof(Mixed) == 4 && sizeof(Mixed) == 12, "layout");

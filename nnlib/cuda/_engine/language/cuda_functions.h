// What CUDA provides to a kernel, as its manual declares it. cuda_functions.py reads this and says what the kinds are.
// A line of a section with "T: ..." stands for one function of each type; T2 is a pair of T.
// "calls name": the function is another one, to whose parameters its arguments are converted.

// math
float sqrtf(float);
double sqrt(double);
float sqrt(float);  // calls sqrtf
float rsqrtf(float);
double rsqrt(double);
float rsqrt(float);  // calls rsqrtf
float cbrtf(float);
double cbrt(double);
float cbrt(float);  // calls cbrtf
float rcbrtf(float);
double rcbrt(double);
float rcbrt(float);  // calls rcbrtf
float expf(float);
double exp(double);
float exp(float);  // calls expf
float exp2f(float);
double exp2(double);
float exp2(float);  // calls exp2f
float exp10f(float);
double exp10(double);
float exp10(float);  // calls exp10f
float expm1f(float);
double expm1(double);
float expm1(float);  // calls expm1f
float logf(float);
double log(double);
float log(float);  // calls logf
float log2f(float);
double log2(double);
float log2(float);  // calls log2f
float log10f(float);
double log10(double);
float log10(float);  // calls log10f
float log1pf(float);
double log1p(double);
float log1p(float);  // calls log1pf
float sinf(float);
double sin(double);
float sin(float);  // calls sinf
float cosf(float);
double cos(double);
float cos(float);  // calls cosf
float tanf(float);
double tan(double);
float tan(float);  // calls tanf
float sinpif(float);
double sinpi(double);
float sinpi(float);  // calls sinpif
float cospif(float);
double cospi(double);
float cospi(float);  // calls cospif
float asinf(float);
double asin(double);
float asin(float);  // calls asinf
float acosf(float);
double acos(double);
float acos(float);  // calls acosf
float atanf(float);
double atan(double);
float atan(float);  // calls atanf
float sinhf(float);
double sinh(double);
float sinh(float);  // calls sinhf
float coshf(float);
double cosh(double);
float cosh(float);  // calls coshf
float tanhf(float);
double tanh(double);
float tanh(float);  // calls tanhf
float asinhf(float);
double asinh(double);
float asinh(float);  // calls asinhf
float acoshf(float);
double acosh(double);
float acosh(float);  // calls acoshf
float atanhf(float);
double atanh(double);
float atanh(float);  // calls atanhf
float erff(float);
double erf(double);
float erf(float);  // calls erff
float erfcf(float);
double erfc(double);
float erfc(float);  // calls erfcf
float erfinvf(float);
double erfinv(double);
float erfinv(float);  // calls erfinvf
float erfcinvf(float);
double erfcinv(double);
float erfcinv(float);  // calls erfcinvf
float erfcxf(float);
double erfcx(double);
float erfcx(float);  // calls erfcxf
float normcdff(float);
double normcdf(double);
float normcdf(float);  // calls normcdff
float normcdfinvf(float);
double normcdfinv(double);
float normcdfinv(float);  // calls normcdfinvf
float tgammaf(float);
double tgamma(double);
float tgamma(float);  // calls tgammaf
float lgammaf(float);
double lgamma(double);
float lgamma(float);  // calls lgammaf
float ceilf(float);
double ceil(double);
float ceil(float);  // calls ceilf
float floorf(float);
double floor(double);
float floor(float);  // calls floorf
float truncf(float);
double trunc(double);
float trunc(float);  // calls truncf
float roundf(float);
double round(double);
float round(float);  // calls roundf
float rintf(float);
double rint(double);
float rint(float);  // calls rintf
float nearbyintf(float);
double nearbyint(double);
float nearbyint(float);  // calls nearbyintf
float fabsf(float);
double fabs(double);
float fabs(float);  // calls fabsf
float logbf(float);
double logb(double);
float logb(float);  // calls logbf
float powf(float, float);
double pow(double, double);
float pow(float, float);  // calls powf
float fmodf(float, float);
double fmod(double, double);
float fmod(float, float);  // calls fmodf
float atan2f(float, float);
double atan2(double, double);
float atan2(float, float);  // calls atan2f
float hypotf(float, float);
double hypot(double, double);
float hypot(float, float);  // calls hypotf
float rhypotf(float, float);
double rhypot(double, double);
float rhypot(float, float);  // calls rhypotf
float fminf(float, float);
double fmin(double, double);
float fmin(float, float);  // calls fminf
float fmaxf(float, float);
double fmax(double, double);
float fmax(float, float);  // calls fmaxf
float fdimf(float, float);
double fdim(double, double);
float fdim(float, float);  // calls fdimf
float copysignf(float, float);
double copysign(double, double);
float copysign(float, float);  // calls copysignf
float remainderf(float, float);
double remainder(double, double);
float remainder(float, float);  // calls remainderf
float nextafterf(float, float);
double nextafter(double, double);
float nextafter(float, float);  // calls nextafterf
float fmaf(float, float, float);
double fma(double, double, double);
float fma(float, float, float);  // calls fmaf
float norm3df(float, float, float);
double norm3d(double, double, double);
float norm3d(float, float, float);  // calls norm3df
float rnorm3df(float, float, float);
double rnorm3d(double, double, double);
float rnorm3d(float, float, float);  // calls rnorm3df
float norm4df(float, float, float, float);
double norm4d(double, double, double, double);
float norm4d(float, float, float, float);  // calls norm4df
float rnorm4df(float, float, float, float);
double rnorm4d(double, double, double, double);
float rnorm4d(float, float, float, float);  // calls rnorm4df
float ldexpf(float, int);
double ldexp(double, int);
float ldexp(float, int);  // calls ldexpf
float scalbnf(float, int);  // calls ldexpf
double scalbn(double, int);  // calls ldexp
float pow(float, int);  // calls powf
double pow(double, int);  // calls pow
double copysign(float, double);  // calls copysign
double copysign(double, float);  // calls copysign
float fdividef(float, float);
float __fdividef(float, float);
float __expf(float);
float __exp10f(float);
float __logf(float);
float __log2f(float);
float __log10f(float);
float __sinf(float);
float __cosf(float);
float __tanf(float);
float __powf(float, float);
float __saturatef(float);
float __fadd_rn(float, float);
float __fsub_rn(float, float);
float __fmul_rn(float, float);
float __fdiv_rn(float, float);
float __fmaf_rn(float, float, float);
float __frcp_rn(float);
float __fsqrt_rn(float);
float __frsqrt_rn(float);
double __dadd_rn(double, double);
double __dsub_rn(double, double);
double __dmul_rn(double, double);
double __ddiv_rn(double, double);
double __fma_rn(double, double, double);
double __drcp_rn(double);
double __dsqrt_rn(double);
long lroundf(float);
long lround(double);
long lround(float);  // calls lroundf
long lrintf(float);
long lrint(double);
long lrint(float);  // calls lrintf
long long llroundf(float);
long long llround(double);
long long llround(float);  // calls llroundf
long long llrintf(float);
long long llrint(double);
long long llrint(float);  // calls llrintf
float abs(float);  // calls fabsf
double abs(double);  // calls fabs
long labs(long);  // calls abs
long long llabs(long long);  // calls abs

// math, T: int, long, long long
T abs(T);

// math, T: float, double
int isnan(T);
int isinf(T);
int isfinite(T);
int signbit(T);

// math, T: integers
T min(T, T);

// math
unsigned int min(unsigned int, int);  // calls min
unsigned int min(int, unsigned int);  // calls min
unsigned long min(unsigned long, long);  // calls min
unsigned long min(long, unsigned long);  // calls min
unsigned long long min(unsigned long long, long long);  // calls min
unsigned long long min(long long, unsigned long long);  // calls min
float min(float, float);  // calls fminf
double min(float, double);  // calls fmin
double min(double, float);  // calls fmin
double min(double, double);  // calls fmin
unsigned umin(unsigned, unsigned);  // calls min
long long llmin(long long, long long);  // calls min
unsigned long long ullmin(unsigned long long, unsigned long long);  // calls min

// math, T: integers
T max(T, T);

// math
unsigned int max(unsigned int, int);  // calls max
unsigned int max(int, unsigned int);  // calls max
unsigned long max(unsigned long, long);  // calls max
unsigned long max(long, unsigned long);  // calls max
unsigned long long max(unsigned long long, long long);  // calls max
unsigned long long max(long long, unsigned long long);  // calls max
float max(float, float);  // calls fmaxf
double max(float, double);  // calls fmax
double max(double, float);  // calls fmax
double max(double, double);  // calls fmax
unsigned umax(unsigned, unsigned);  // calls max
long long llmax(long long, long long);  // calls max
unsigned long long ullmax(unsigned long long, unsigned long long);  // calls max

// results
void sincosf(float, float*, float*);
void sincos(double, double*, double*);
void sincos(float, float*, float*);  // calls sincosf
void sincospif(float, float*, float*);
void sincospi(double, double*, double*);
void sincospi(float, float*, float*);  // calls sincospif
void __sincosf(float, float*, float*);
float modff(float, float*);
double modf(double, double*);
float modf(float, float*);  // calls modff
float frexpf(float, int*);
double frexp(double, int*);
float frexp(float, int*);  // calls frexpf
void nnlib::xorwow_skip(unsigned, unsigned, unsigned, unsigned, unsigned, unsigned long long, unsigned long long, unsigned*, unsigned*, unsigned*, unsigned*, unsigned*);

// math
int __popc(unsigned);
int __popcll(unsigned long long);
int __clz(int);
int __clzll(long long);
int __ffs(int);
int __ffsll(long long);
unsigned __brev(unsigned);
unsigned long long __brevll(unsigned long long);
unsigned __byte_perm(unsigned, unsigned, unsigned);
unsigned __funnelshift_l(unsigned, unsigned, unsigned);
unsigned __funnelshift_r(unsigned, unsigned, unsigned);
int __mulhi(int, int);
unsigned __umulhi(unsigned, unsigned);
long long __mul64hi(long long, long long);
unsigned long long __umul64hi(unsigned long long, unsigned long long);
int __mul24(int, int);
unsigned __umul24(unsigned, unsigned);
unsigned __sad(int, int, unsigned);
unsigned __usad(unsigned, unsigned, unsigned);
int __dp4a(int, int, int);
unsigned __dp4a(unsigned, unsigned, unsigned);
int __hadd(int, int);
int __rhadd(int, int);
unsigned __uhadd(unsigned, unsigned);
int __float_as_int(float);
unsigned __float_as_uint(float);
float __int_as_float(int);
float __uint_as_float(unsigned);
long long __double_as_longlong(double);
double __longlong_as_double(long long);
int __double2hiint(double);
int __double2loint(double);
double __hiloint2double(int, int);
float __double2float_rn(double);
double __int2double_rn(int);
double __uint2double_rn(unsigned);
double __ll2double_rn(long long);
double __ull2double_rn(unsigned long long);
float __int2float_rn(int);
int __float2int_rn(float);
int __double2int_rn(double);
int __float2int_rz(float);
int __double2int_rz(double);
int __float2int_ru(float);
int __double2int_ru(double);
int __float2int_rd(float);
int __double2int_rd(double);
float __uint2float_rn(unsigned);
unsigned __float2uint_rn(float);
unsigned __double2uint_rn(double);
unsigned __float2uint_rz(float);
unsigned __double2uint_rz(double);
unsigned __float2uint_ru(float);
unsigned __double2uint_ru(double);
unsigned __float2uint_rd(float);
unsigned __double2uint_rd(double);
float __ll2float_rn(long long);
long long __float2ll_rn(float);
long long __double2ll_rn(double);
long long __float2ll_rz(float);
long long __double2ll_rz(double);
long long __float2ll_ru(float);
long long __double2ll_ru(double);
long long __float2ll_rd(float);
long long __double2ll_rd(double);
float __ull2float_rn(unsigned long long);
unsigned long long __float2ull_rn(float);
unsigned long long __double2ull_rn(double);
unsigned long long __float2ull_rz(float);
unsigned long long __double2ull_rz(double);
unsigned long long __float2ull_ru(float);
unsigned long long __double2ull_ru(double);
unsigned long long __float2ull_rd(float);
unsigned long long __double2ull_rd(double);

// vector
char2 make_char2(char, char);
char3 make_char3(char, char, char);
char4 make_char4(char, char, char, char);
uchar2 make_uchar2(unsigned char, unsigned char);
uchar3 make_uchar3(unsigned char, unsigned char, unsigned char);
uchar4 make_uchar4(unsigned char, unsigned char, unsigned char, unsigned char);
short2 make_short2(short, short);
short3 make_short3(short, short, short);
short4 make_short4(short, short, short, short);
ushort2 make_ushort2(unsigned short, unsigned short);
ushort3 make_ushort3(unsigned short, unsigned short, unsigned short);
ushort4 make_ushort4(unsigned short, unsigned short, unsigned short, unsigned short);
int2 make_int2(int, int);
int3 make_int3(int, int, int);
int4 make_int4(int, int, int, int);
uint2 make_uint2(unsigned int, unsigned int);
uint3 make_uint3(unsigned int, unsigned int, unsigned int);
uint4 make_uint4(unsigned int, unsigned int, unsigned int, unsigned int);
long2 make_long2(long, long);
long3 make_long3(long, long, long);
long4 make_long4(long, long, long, long);
ulong2 make_ulong2(unsigned long, unsigned long);
ulong3 make_ulong3(unsigned long, unsigned long, unsigned long);
ulong4 make_ulong4(unsigned long, unsigned long, unsigned long, unsigned long);
longlong2 make_longlong2(long long, long long);
longlong3 make_longlong3(long long, long long, long long);
longlong4 make_longlong4(long long, long long, long long, long long);
ulonglong2 make_ulonglong2(unsigned long long, unsigned long long);
ulonglong3 make_ulonglong3(unsigned long long, unsigned long long, unsigned long long);
ulonglong4 make_ulonglong4(unsigned long long, unsigned long long, unsigned long long, unsigned long long);
float2 make_float2(float, float);
float3 make_float3(float, float, float);
float4 make_float4(float, float, float, float);
double2 make_double2(double, double);
double3 make_double3(double, double, double);
double4 make_double4(double, double, double, double);

// math, T: __half, __nv_bfloat16
T hsqrt(T);
T2 h2sqrt(T2);
T hrsqrt(T);
T2 h2rsqrt(T2);
T hrcp(T);
T2 h2rcp(T2);
T hexp(T);
T2 h2exp(T2);
T hexp2(T);
T2 h2exp2(T2);
T hexp10(T);
T2 h2exp10(T2);
T hlog(T);
T2 h2log(T2);
T hlog2(T);
T2 h2log2(T2);
T hlog10(T);
T2 h2log10(T2);
T hsin(T);
T2 h2sin(T2);
T hcos(T);
T2 h2cos(T2);
T htanh(T);
T2 h2tanh(T2);
T hceil(T);
T2 h2ceil(T2);
T hfloor(T);
T2 h2floor(T2);
T htrunc(T);
T2 h2trunc(T2);
T hrint(T);
T2 h2rint(T2);
T __hneg(T);
T2 __hneg2(T2);
T __habs(T);
T2 __habs2(T2);
T __hadd(T, T);
T2 __hadd2(T2, T2);
T __hsub(T, T);
T2 __hsub2(T2, T2);
T __hmul(T, T);
T2 __hmul2(T2, T2);
T __hdiv(T, T);
T2 __h2div(T2, T2);
T __hadd_rn(T, T);
T2 __hadd2_rn(T2, T2);
T __hsub_rn(T, T);
T2 __hsub2_rn(T2, T2);
T __hmul_rn(T, T);
T2 __hmul2_rn(T2, T2);
T __hadd_sat(T, T);
T2 __hadd2_sat(T2, T2);
T __hsub_sat(T, T);
T2 __hsub2_sat(T2, T2);
T __hmul_sat(T, T);
T2 __hmul2_sat(T2, T2);
T __hmax(T, T);
T2 __hmax2(T2, T2);
T __hmin(T, T);
T2 __hmin2(T2, T2);
T __hmax_nan(T, T);
T2 __hmax2_nan(T2, T2);
T __hmin_nan(T, T);
T2 __hmin2_nan(T2, T2);
T __hfma(T, T, T);
T2 __hfma2(T2, T2, T2);
T __hfma_sat(T, T, T);
T2 __hfma2_sat(T2, T2, T2);
T __hfma_relu(T, T, T);
T2 __hfma2_relu(T2, T2, T2);
bool __heq(T, T);
T2 __heq2(T2, T2);
bool __hbeq2(T2, T2);
unsigned __heq2_mask(T2, T2);
bool __hne(T, T);
T2 __hne2(T2, T2);
bool __hbne2(T2, T2);
unsigned __hne2_mask(T2, T2);
bool __hlt(T, T);
T2 __hlt2(T2, T2);
bool __hblt2(T2, T2);
unsigned __hlt2_mask(T2, T2);
bool __hle(T, T);
T2 __hle2(T2, T2);
bool __hble2(T2, T2);
unsigned __hle2_mask(T2, T2);
bool __hgt(T, T);
T2 __hgt2(T2, T2);
bool __hbgt2(T2, T2);
unsigned __hgt2_mask(T2, T2);
bool __hge(T, T);
T2 __hge2(T2, T2);
bool __hbge2(T2, T2);
unsigned __hge2_mask(T2, T2);
bool __hequ(T, T);
T2 __hequ2(T2, T2);
bool __hbequ2(T2, T2);
unsigned __hequ2_mask(T2, T2);
bool __hneu(T, T);
T2 __hneu2(T2, T2);
bool __hbneu2(T2, T2);
unsigned __hneu2_mask(T2, T2);
bool __hltu(T, T);
T2 __hltu2(T2, T2);
bool __hbltu2(T2, T2);
unsigned __hltu2_mask(T2, T2);
bool __hleu(T, T);
T2 __hleu2(T2, T2);
bool __hbleu2(T2, T2);
unsigned __hleu2_mask(T2, T2);
bool __hgtu(T, T);
T2 __hgtu2(T2, T2);
bool __hbgtu2(T2, T2);
unsigned __hgtu2_mask(T2, T2);
bool __hgeu(T, T);
T2 __hgeu2(T2, T2);
bool __hbgeu2(T2, T2);
unsigned __hgeu2_mask(T2, T2);
bool __hisnan(T);
int __hisinf(T);
T2 __hisnan2(T2);
float __low2float(T2);
float __high2float(T2);
T2 __lowhigh2highlow(T2);

// math
float __half2float(__half);
__half __float2half(float);
__half __double2half(double);
__half2 __float2half2_rn(float);
__half2 __floats2half2_rn(float, float);
float2 __half22float2(__half2);
__half2 __float22half2_rn(float2);
__half __low2half(__half2);
__half __high2half(__half2);
__half2 __half2half2(__half);
__half2 __halves2half2(__half, __half);
__half2 __low2half2(__half2);
__half2 __high2half2(__half2);
__half2 __lows2half2(__half2, __half2);
__half2 __highs2half2(__half2, __half2);
short __half_as_short(__half);
unsigned short __half_as_ushort(__half);
__half __short_as_half(short);
__half __ushort_as_half(unsigned short);
signed char __half2char_rz(__half);
unsigned char __half2uchar_rz(__half);
__half __float2half_rn(float);
__half __float2half_rz(float);
__half __float2half_rd(float);
__half __float2half_ru(float);
int __half2int_rn(__half);
__half __int2half_rn(int);
int __half2int_rz(__half);
__half __int2half_rz(int);
int __half2int_rd(__half);
__half __int2half_rd(int);
int __half2int_ru(__half);
__half __int2half_ru(int);
unsigned __half2uint_rn(__half);
__half __uint2half_rn(unsigned);
unsigned __half2uint_rz(__half);
__half __uint2half_rz(unsigned);
unsigned __half2uint_rd(__half);
__half __uint2half_rd(unsigned);
unsigned __half2uint_ru(__half);
__half __uint2half_ru(unsigned);
short __half2short_rn(__half);
__half __short2half_rn(short);
short __half2short_rz(__half);
__half __short2half_rz(short);
short __half2short_rd(__half);
__half __short2half_rd(short);
short __half2short_ru(__half);
__half __short2half_ru(short);
unsigned short __half2ushort_rn(__half);
__half __ushort2half_rn(unsigned short);
unsigned short __half2ushort_rz(__half);
__half __ushort2half_rz(unsigned short);
unsigned short __half2ushort_rd(__half);
__half __ushort2half_rd(unsigned short);
unsigned short __half2ushort_ru(__half);
__half __ushort2half_ru(unsigned short);
long long __half2ll_rn(__half);
__half __ll2half_rn(long long);
long long __half2ll_rz(__half);
__half __ll2half_rz(long long);
long long __half2ll_rd(__half);
__half __ll2half_rd(long long);
long long __half2ll_ru(__half);
__half __ll2half_ru(long long);
unsigned long long __half2ull_rn(__half);
__half __ull2half_rn(unsigned long long);
unsigned long long __half2ull_rz(__half);
__half __ull2half_rz(unsigned long long);
unsigned long long __half2ull_rd(__half);
__half __ull2half_rd(unsigned long long);
unsigned long long __half2ull_ru(__half);
__half __ull2half_ru(unsigned long long);
float __bfloat162float(__nv_bfloat16);
__nv_bfloat16 __float2bfloat16(float);
__nv_bfloat16 __double2bfloat16(double);
__nv_bfloat162 __float2bfloat162_rn(float);
__nv_bfloat162 __floats2bfloat162_rn(float, float);
float2 __bfloat1622float2(__nv_bfloat162);
__nv_bfloat162 __float22bfloat162_rn(float2);
__nv_bfloat16 __low2bfloat16(__nv_bfloat162);
__nv_bfloat16 __high2bfloat16(__nv_bfloat162);
__nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16);
__nv_bfloat162 __halves2bfloat162(__nv_bfloat16, __nv_bfloat16);
__nv_bfloat162 __low2bfloat162(__nv_bfloat162);
__nv_bfloat162 __high2bfloat162(__nv_bfloat162);
__nv_bfloat162 __lows2bfloat162(__nv_bfloat162, __nv_bfloat162);
__nv_bfloat162 __highs2bfloat162(__nv_bfloat162, __nv_bfloat162);
short __bfloat16_as_short(__nv_bfloat16);
unsigned short __bfloat16_as_ushort(__nv_bfloat16);
__nv_bfloat16 __short_as_bfloat16(short);
__nv_bfloat16 __ushort_as_bfloat16(unsigned short);
signed char __bfloat162char_rz(__nv_bfloat16);
unsigned char __bfloat162uchar_rz(__nv_bfloat16);
__nv_bfloat16 __float2bfloat16_rn(float);
__nv_bfloat16 __float2bfloat16_rz(float);
__nv_bfloat16 __float2bfloat16_rd(float);
__nv_bfloat16 __float2bfloat16_ru(float);
int __bfloat162int_rn(__nv_bfloat16);
__nv_bfloat16 __int2bfloat16_rn(int);
int __bfloat162int_rz(__nv_bfloat16);
__nv_bfloat16 __int2bfloat16_rz(int);
int __bfloat162int_rd(__nv_bfloat16);
__nv_bfloat16 __int2bfloat16_rd(int);
int __bfloat162int_ru(__nv_bfloat16);
__nv_bfloat16 __int2bfloat16_ru(int);
unsigned __bfloat162uint_rn(__nv_bfloat16);
__nv_bfloat16 __uint2bfloat16_rn(unsigned);
unsigned __bfloat162uint_rz(__nv_bfloat16);
__nv_bfloat16 __uint2bfloat16_rz(unsigned);
unsigned __bfloat162uint_rd(__nv_bfloat16);
__nv_bfloat16 __uint2bfloat16_rd(unsigned);
unsigned __bfloat162uint_ru(__nv_bfloat16);
__nv_bfloat16 __uint2bfloat16_ru(unsigned);
short __bfloat162short_rn(__nv_bfloat16);
__nv_bfloat16 __short2bfloat16_rn(short);
short __bfloat162short_rz(__nv_bfloat16);
__nv_bfloat16 __short2bfloat16_rz(short);
short __bfloat162short_rd(__nv_bfloat16);
__nv_bfloat16 __short2bfloat16_rd(short);
short __bfloat162short_ru(__nv_bfloat16);
__nv_bfloat16 __short2bfloat16_ru(short);
unsigned short __bfloat162ushort_rn(__nv_bfloat16);
__nv_bfloat16 __ushort2bfloat16_rn(unsigned short);
unsigned short __bfloat162ushort_rz(__nv_bfloat16);
__nv_bfloat16 __ushort2bfloat16_rz(unsigned short);
unsigned short __bfloat162ushort_rd(__nv_bfloat16);
__nv_bfloat16 __ushort2bfloat16_rd(unsigned short);
unsigned short __bfloat162ushort_ru(__nv_bfloat16);
__nv_bfloat16 __ushort2bfloat16_ru(unsigned short);
long long __bfloat162ll_rn(__nv_bfloat16);
__nv_bfloat16 __ll2bfloat16_rn(long long);
long long __bfloat162ll_rz(__nv_bfloat16);
__nv_bfloat16 __ll2bfloat16_rz(long long);
long long __bfloat162ll_rd(__nv_bfloat16);
__nv_bfloat16 __ll2bfloat16_rd(long long);
long long __bfloat162ll_ru(__nv_bfloat16);
__nv_bfloat16 __ll2bfloat16_ru(long long);
unsigned long long __bfloat162ull_rn(__nv_bfloat16);
__nv_bfloat16 __ull2bfloat16_rn(unsigned long long);
unsigned long long __bfloat162ull_rz(__nv_bfloat16);
__nv_bfloat16 __ull2bfloat16_rz(unsigned long long);
unsigned long long __bfloat162ull_rd(__nv_bfloat16);
__nv_bfloat16 __ull2bfloat16_rd(unsigned long long);
unsigned long long __bfloat162ull_ru(__nv_bfloat16);
__nv_bfloat16 __ull2bfloat16_ru(unsigned long long);

// vector
__half2 make___half2(__half, __half);
__half2 make_half2(__half, __half);
__nv_bfloat162 make___nv_bfloat162(__nv_bfloat16, __nv_bfloat16);
__nv_bfloat162 make_bfloat162(__nv_bfloat16, __nv_bfloat16);

// warp, T: __half, __half2, __nv_bfloat16, __nv_bfloat162
T __shfl_sync(unsigned, T, int, int = 32);
T __shfl_up_sync(unsigned, T, unsigned, int = 32);
T __shfl_down_sync(unsigned, T, unsigned, int = 32);
T __shfl_xor_sync(unsigned, T, int, int = 32);

// atomic, T: __half, __half2, __nv_bfloat16, __nv_bfloat162
T atomicAdd(T*, T);

// barrier
void __syncthreads();
int __syncthreads_count(int);
int __syncthreads_and(int);
int __syncthreads_or(int);
void __syncwarp(unsigned = 0xffffffff);

// fence
void __threadfence();
void __threadfence_block();
void __threadfence_system();

// warp, T: numbers
T __shfl_sync(unsigned, T, int, int = 32);
T __shfl_up_sync(unsigned, T, unsigned, int = 32);
T __shfl_down_sync(unsigned, T, unsigned, int = 32);
T __shfl_xor_sync(unsigned, T, int, int = 32);

// warp
unsigned __ballot_sync(unsigned, int);
int __any_sync(unsigned, int);
int __all_sync(unsigned, int);
unsigned __activemask();

// warp, T: numbers
unsigned __match_any_sync(unsigned, T);

// warp, T: int, unsigned
T __reduce_add_sync(unsigned, T);
T __reduce_min_sync(unsigned, T);
T __reduce_max_sync(unsigned, T);

// warp
unsigned __reduce_and_sync(unsigned, unsigned);
unsigned __reduce_or_sync(unsigned, unsigned);
unsigned __reduce_xor_sync(unsigned, unsigned);

// atomic, T: int, unsigned, unsigned long long, float, double
T atomicAdd(T*, T);

// atomic, T: int, unsigned
T atomicSub(T*, T);

// atomic, T: int, unsigned, unsigned long long, float
T atomicExch(T*, T);

// atomic, T: int, unsigned, long long, unsigned long long
T atomicMin(T*, T);
T atomicMax(T*, T);

// atomic, T: int, unsigned, unsigned long long
T atomicAnd(T*, T);
T atomicOr(T*, T);
T atomicXor(T*, T);

// atomic, T: unsigned
T atomicInc(T*, T);
T atomicDec(T*, T);

// atomic, T: int, unsigned, unsigned long long, unsigned short
T atomicCAS(T*, T, T);

// load, T: values
T __ldg(const T*);
T __ldca(const T*);
T __ldcg(const T*);
T __ldcs(const T*);
T __ldlu(const T*);
T __ldcv(const T*);

// store, T: values
void __stwb(T*, T);
void __stcg(T*, T);
void __stcs(T*, T);
void __stwt(T*, T);

// same
void* __builtin_assume_aligned(const void*, size_t);

// async
void __pipeline_memcpy_async(void*, const void*, size_t, size_t = 0);
void __pipeline_commit();
void __pipeline_wait_prior(int);
void nnlib::copy_async(void*, const void*, size_t, void*);
void nnlib::copies_arrived(void*);

// barrier
void nnlib::arrive(unsigned, int);
void nnlib::meet(unsigned);

// group
void cooperative_groups::sync(group);
unsigned cooperative_groups::thread_rank(group);
unsigned cooperative_groups::size(group);
int cooperative_groups::any(group, int);
int cooperative_groups::all(group, int);
unsigned cooperative_groups::ballot(group, int);
group cooperative_groups::tile(group, unsigned);
coalesced_group cooperative_groups::binary_partition(group, bool);
void cooperative_groups::sync_grid(grid_group);
unsigned long long cooperative_groups::block_rank(grid_group);

// group, T: integers
coalesced_group cooperative_groups::labeled_partition(group, T);

// group, T: numbers
T cooperative_groups::shfl(group, T, int);
T cooperative_groups::shfl_up(group, T, unsigned);
T cooperative_groups::shfl_down(group, T, unsigned);
T cooperative_groups::shfl_xor(group, T, unsigned);
T cooperative_groups::reduce_plus(group, T);
T cooperative_groups::reduce_less(group, T);
T cooperative_groups::reduce_greater(group, T);

// group, T: integers
T cooperative_groups::reduce_bit_and(group, T);
T cooperative_groups::reduce_bit_or(group, T);
T cooperative_groups::reduce_bit_xor(group, T);

// group, T: numbers
T cooperative_groups::inclusive_scan_plus(group, T);
T cooperative_groups::inclusive_scan_less(group, T);
T cooperative_groups::inclusive_scan_greater(group, T);

// group, T: integers
T cooperative_groups::inclusive_scan_bit_and(group, T);
T cooperative_groups::inclusive_scan_bit_or(group, T);
T cooperative_groups::inclusive_scan_bit_xor(group, T);

// group, T: numbers
T cooperative_groups::exclusive_scan_plus(group, T);
T cooperative_groups::exclusive_scan_less(group, T);
T cooperative_groups::exclusive_scan_greater(group, T);

// group, T: integers
T cooperative_groups::exclusive_scan_bit_and(group, T);
T cooperative_groups::exclusive_scan_bit_or(group, T);
T cooperative_groups::exclusive_scan_bit_xor(group, T);

// tensor
uint2 nnlib::mma_k8_f16_f16_f16(uint2, unsigned, uint2);
uint2 nnlib::mma_k16_f16_f16_f16(uint4, uint2, uint2);
float4 nnlib::mma_k8_f32_f16_f16(uint2, unsigned, float4);
float4 nnlib::mma_k16_f32_f16_f16(uint4, uint2, float4);
float4 nnlib::mma_k8_f32_bf16_bf16(uint2, unsigned, float4);
float4 nnlib::mma_k16_f32_bf16_bf16(uint4, uint2, float4);
float4 nnlib::mma_k4_f32_tf32_tf32(uint2, unsigned, float4);
float4 nnlib::mma_k8_f32_tf32_tf32(uint4, uint2, float4);
int4 nnlib::mma_k16_s32_s8_s8(uint2, unsigned, int4);
int4 nnlib::mma_k32_s32_s8_s8(uint4, uint2, int4);
int4 nnlib::mma_k16_s32_s8_u8(uint2, unsigned, int4);
int4 nnlib::mma_k32_s32_s8_u8(uint4, uint2, int4);
int4 nnlib::mma_k16_s32_u8_s8(uint2, unsigned, int4);
int4 nnlib::mma_k32_s32_u8_s8(uint4, uint2, int4);
int4 nnlib::mma_k16_s32_u8_u8(uint2, unsigned, int4);
int4 nnlib::mma_k32_s32_u8_u8(uint4, uint2, int4);
unsigned nnlib::ldmatrix_x1(void*);
unsigned nnlib::ldmatrix_x1_trans(void*);
uint2 nnlib::ldmatrix_x2(void*);
uint2 nnlib::ldmatrix_x2_trans(void*);
uint4 nnlib::ldmatrix_x4(void*);
uint4 nnlib::ldmatrix_x4_trans(void*);
void nnlib::load_fragment(void*, const void*, unsigned, int, int, int, int, int);
void nnlib::store_fragment(void*, const void*, unsigned, int, int, int, int);
void nnlib::multiply_fragments(void*, const void*, const void*, const void*, int, int, int, int);
void nnlib::fill_fragment(void*, float, int);
void nnlib::fill_fragment(void*, int, int);
void nnlib::fill_fragment(void*, signed char, int);
void nnlib::fill_fragment(void*, unsigned char, int);
void nnlib::fill_fragment(void*, __half, int);
void nnlib::fill_fragment(void*, __nv_bfloat16, int);
float nnlib::to_tf32_rna(float);
float nnlib::to_tf32_rn(float);
size_t __cvta_generic_to_shared(const void*);
void* nnlib::at_shared(unsigned);

// check
void assert(bool);
void __trap();

// bytes
void memcpy(void*, const void*, size_t);
void memset(void*, int, size_t);

// clock
long clock();
long long clock64();
void __nanosleep(unsigned);

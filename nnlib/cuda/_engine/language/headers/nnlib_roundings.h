// Operations of floats that round towards zero (rz), up (ru) or down (rd), by doubles; and those of two floats at once.
// `value` is the nearest double, and `error` has the sign of what it lacks.
enum __nnlib_rounding { __nnlib_rz, __nnlib_ru, __nnlib_rd };

__device__ inline float __nnlib_next(float x, bool up) {
    if (x == 0) return __int_as_float(up ? 1 : 0x80000001);
    return __int_as_float(__float_as_int(x) + (x > 0 == up ? 1 : -1));
}
__device__ inline float __nnlib_rounded(double value, double error, __nnlib_rounding mode) {
    float near = (float)value;
    double rest = value - near;
    if (rest == 0) rest = error;
    if (rest > 0 && (mode == __nnlib_ru || mode == __nnlib_rz && near < 0)) return __nnlib_next(near, true);
    if (rest < 0 && (mode == __nnlib_rd || mode == __nnlib_rz && near > 0)) return __nnlib_next(near, false);
    return near;
}
__device__ inline float __nnlib_sum(double x, double y, __nnlib_rounding mode) {
    double sum = x + y, part = sum - x;
    if (sum == 0 && (x != 0 || signbit(x) != signbit(y))) return mode == __nnlib_rd ? -0.0f : 0.0f;
    return __nnlib_rounded(sum, (x - (sum - part)) + (y - part), mode);
}
__device__ inline float __nnlib_quotient(float x, float y, __nnlib_rounding mode) {
    double quotient = (double)x / y, rest = fma(-quotient, (double)y, (double)x);
    return __nnlib_rounded(quotient, y < 0 ? -rest : rest, mode);
}
__device__ inline float __nnlib_root(float x, __nnlib_rounding mode) {
    double root = sqrt((double)x);
    return __nnlib_rounded(root, fma(-root, root, (double)x), mode);
}
#define __NNLIB_ROUNDED(mode) \
__device__ inline float __fadd_##mode(float x, float y) { return __nnlib_sum(x, y, __nnlib_##mode); } \
__device__ inline float __fsub_##mode(float x, float y) { return __nnlib_sum(x, -y, __nnlib_##mode); } \
__device__ inline float __fmul_##mode(float x, float y) { return __nnlib_rounded((double)x * y, 0, __nnlib_##mode); } \
__device__ inline float __fmaf_##mode(float x, float y, float z) { return __nnlib_sum((double)x * y, z, __nnlib_##mode); } \
__device__ inline float __fdiv_##mode(float x, float y) { return __nnlib_quotient(x, y, __nnlib_##mode); } \
__device__ inline float __frcp_##mode(float x) { return __nnlib_quotient(1, x, __nnlib_##mode); } \
__device__ inline float __fsqrt_##mode(float x) { return __nnlib_root(x, __nnlib_##mode); } \
__device__ inline float __double2float_##mode(double x) { return __nnlib_rounded(x, 0, __nnlib_##mode); } \
__device__ inline float __int2float_##mode(int x) { return __nnlib_rounded(x, 0, __nnlib_##mode); } \
__device__ inline float __uint2float_##mode(unsigned x) { return __nnlib_rounded(x, 0, __nnlib_##mode); }
__NNLIB_ROUNDED(rz)
__NNLIB_ROUNDED(ru)
__NNLIB_ROUNDED(rd)
#define __NNLIB_PAIRS(mode) \
__device__ inline float2 __fadd2_##mode(float2 x, float2 y) { return make_float2(__fadd_##mode(x.x, y.x), __fadd_##mode(x.y, y.y)); } \
__device__ inline float2 __fmul2_##mode(float2 x, float2 y) { return make_float2(__fmul_##mode(x.x, y.x), __fmul_##mode(x.y, y.y)); } \
__device__ inline float2 __ffma2_##mode(float2 x, float2 y, float2 z) { \
    return make_float2(__fmaf_##mode(x.x, y.x, z.x), __fmaf_##mode(x.y, y.y, z.y)); \
}
__NNLIB_PAIRS(rn)
__NNLIB_PAIRS(rz)
__NNLIB_PAIRS(ru)
__NNLIB_PAIRS(rd)

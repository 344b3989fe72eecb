// CUDA's functions of numbers, as the simulator computes them. NaN is what differs from itself.

__device__ float native_fmaxf(float x, float y) { return x != x || x < y ? y : x; }
__device__ float native_fminf(float x, float y) { return x != x || y < x ? y : x; }
__device__ double native_fmax(double x, double y) { return x != x || x < y ? y : x; }
__device__ double native_fmin(double x, double y) { return x != x || y < x ? y : x; }
__device__ int native_max(int x, int y) { return x < y ? y : x; }
__device__ int native_min(int x, int y) { return y < x ? y : x; }
__device__ unsigned native_max(unsigned x, unsigned y) { return x < y ? y : x; }
__device__ unsigned native_min(unsigned x, unsigned y) { return y < x ? y : x; }
__device__ long native_max(long x, long y) { return x < y ? y : x; }
__device__ long native_min(long x, long y) { return y < x ? y : x; }
__device__ unsigned long native_max(unsigned long x, unsigned long y) { return x < y ? y : x; }
__device__ unsigned long native_min(unsigned long x, unsigned long y) { return y < x ? y : x; }
__device__ long long native_max(long long x, long long y) { return x < y ? y : x; }
__device__ long long native_min(long long x, long long y) { return y < x ? y : x; }
__device__ unsigned long long native_max(unsigned long long x, unsigned long long y) { return x < y ? y : x; }
__device__ unsigned long long native_min(unsigned long long x, unsigned long long y) { return y < x ? y : x; }
__device__ int native_abs(int x) { return x < 0 ? 0 - x : x; }
__device__ long native_abs(long x) { return x < 0 ? 0 - x : x; }
__device__ long long native_abs(long long x) { return x < 0 ? 0 - x : x; }
__device__ float native_fdimf(float x, float y) { return x > y ? x - y : x != x || y != y ? x + y : 0.0f; }
__device__ float native___saturatef(float x) { return native_fminf(native_fmaxf(x, 0.0f), 1.0f); }
__device__ float native___frcp_rn(float x) { return 1.0f / x; }
__device__ double native___drcp_rn(double x) { return 1.0 / x; }
__device__ float native_copysignf(float x, float y)
{
    return __int_as_float((__float_as_int(x) & 0x7fffffff) | (__float_as_int(y) & (int)0x80000000u));
}
__device__ double native_copysign(double x, double y)
{
    return __longlong_as_double((__double_as_longlong(x) & 0x7fffffffffffffffll)
                                | (__double_as_longlong(y) & (long long)0x8000000000000000ull));
}
__device__ float native_roundf(float x)
{
    float whole = truncf(x);
    return fabsf(x - whole) >= 0.5f ? whole + native_copysignf(1.0f, x) : whole;
}
__device__ double native_round(double x)
{
    double whole = trunc(x);
    return fabs(x - whole) >= 0.5 ? whole + native_copysign(1.0, x) : whole;
}
__device__ int native_isnan(float x) { return x != x; }
__device__ int native_isnan(double x) { return x != x; }
__device__ int native_isfinite(float x) { return x - x == 0.0f; }
__device__ int native_isfinite(double x) { return x - x == 0.0; }
__device__ int native_isinf(float x) { return x == x && x - x != 0.0f; }
__device__ int native_isinf(double x) { return x == x && x - x != 0.0; }
__device__ int native_signbit(float x) { return __float_as_int(x) < 0; }
__device__ int native_signbit(double x) { return __double_as_longlong(x) < 0; }

// a * b + c, rounded once: the product is exact in double, its sum with c is rounded to odd.
__device__ float native_fmaf(float a, float b, float c)
{
    double product = (double)a * (double)b, total = product + (double)c, part = total - product;
    double error = (product - (total - part)) + ((double)c - part);
    long long bits = __double_as_longlong(total);
    bool even = (bits & 1) == 0 && error != 0.0 && total - total == 0.0;
    return even ? __longlong_as_double((error > 0.0) == (total > 0.0) ? bits + 1 : bits - 1) : total;
}
__device__ float native___fmaf_rn(float a, float b, float c) { return native_fmaf(a, b, c); }
__device__ double native_fma(double a, double b, double c)
{
    double product = a * b, big = a * 134217729.0, high = big - (big - a), low = a - high;
    double other = b * 134217729.0, bh = other - (other - b), bl = b - bh;
    double rest = ((high * bh - product) + high * bl + low * bh) + low * bl;
    double total = product + c, part = total - product;
    double error = (product - (total - part)) + (c - part);
    return rest - rest == 0.0 ? total + (error + rest) : total;
}
__device__ double native___fma_rn(double a, double b, double c) { return native_fma(a, b, c); }

// --- bits -------------------------------------------------------------------------------------

__device__ int native___popc(unsigned x)
{
    x = x - (x >> 1 & 0x55555555u);
    x = (x & 0x33333333u) + (x >> 2 & 0x33333333u);
    return (int)(((x + (x >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24);
}
__device__ int native___popcll(unsigned long long x)
{
    return native___popc((unsigned)x) + native___popc((unsigned)(x >> 32));
}
// Ones from the highest one of x down.
__device__ unsigned native_filled(unsigned x)
{
    x |= x >> 1;
    x |= x >> 2;
    x |= x >> 4;
    x |= x >> 8;
    return x | x >> 16;
}
__device__ int native___clz(int x) { return 32 - native___popc(native_filled((unsigned)x)); }
__device__ int native___clzll(long long x)
{
    int high = (int)(x >> 32);
    return high != 0 ? native___clz(high) : 32 + native___clz((int)x);
}
__device__ int native___ffs(int x) { return 32 - native___clz(x & (0 - x)); }
__device__ int native___ffsll(long long x) { return 64 - native___clzll(x & (0 - x)); }
__device__ unsigned native___brev(unsigned x)
{
    x = x >> 1 & 0x55555555u | (x & 0x55555555u) << 1;
    x = x >> 2 & 0x33333333u | (x & 0x33333333u) << 2;
    x = x >> 4 & 0x0f0f0f0fu | (x & 0x0f0f0f0fu) << 4;
    x = x >> 8 & 0x00ff00ffu | (x & 0x00ff00ffu) << 8;
    return x >> 16 | x << 16;
}
__device__ unsigned long long native___brevll(unsigned long long x)
{
    return (unsigned long long)native___brev((unsigned)x) << 32 | native___brev((unsigned)(x >> 32));
}
__device__ int native___mulhi(int x, int y) { return (int)((long long)x * y >> 32); }
__device__ unsigned native___umulhi(unsigned x, unsigned y) { return (unsigned)((unsigned long long)x * y >> 32); }
__device__ int native___mul24(int x, int y) { return ((int)((unsigned)x << 8) >> 8) * ((int)((unsigned)y << 8) >> 8); }
__device__ unsigned native___umul24(unsigned x, unsigned y) { return (x & 0xffffffu) * (y & 0xffffffu); }
__device__ unsigned native___funnelshift_l(unsigned low, unsigned high, unsigned shift)
{
    return (unsigned)((((unsigned long long)high << 32 | low) << (shift & 31)) >> 32);
}
__device__ unsigned native___funnelshift_r(unsigned low, unsigned high, unsigned shift)
{
    return (unsigned)(((unsigned long long)high << 32 | low) >> (shift & 31));
}

// --- several results ----------------------------------------------------------------------------

__device__ void native_sincosf(float x, float* sine, float* cosine)
{
    *sine = native_sinf(x);
    *cosine = native_cosf(x);
}
__device__ void native___sincosf(float x, float* sine, float* cosine) { native_sincosf(x, sine, cosine); }

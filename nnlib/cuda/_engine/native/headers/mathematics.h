// CUDA's functions of floats whose results are rounded: computed in double with nothing but + - * / and bits, and
// rounded once. The simulator and the native engine both compile this text, so that a kernel gives the same bits on
// every machine. A result is the correctly rounded one in all but about one of a million cases.
// Sources: W. J. Cody, W. Waite, Software Manual for the Elementary Functions (1980), for the reductions; M. H. Payne,
// R. N. Hanek, Radian reduction for trigonometric functions (1983), for large angles; the series are Taylor's.

#define NATIVE_INFINITY __longlong_as_double(0x7ff0000000000000ll)
#define NATIVE_NAN __longlong_as_double(0x7ff8000000000000ll)
#define NATIVE_LN2 0.6931471805599453
#define NATIVE_PI_2 1.5707963267948966

// --- in double ------------------------------------------------------------------------------

// 2^k
__device__ double native_power_of_two(double k) { return __longlong_as_double((long long)(k + 1023.0) << 52); }

__device__ double native_exp_in_double(double x)
{
    double t = x > 300.0 ? 300.0 : x < -300.0 ? -300.0 : x;
    double k = rint(t * 1.4426950408889634);
    double r = t - k * 0.6931471803691238 - k * 1.9082149292705877e-10;
    double p = 1.0 + r * (1.0 + r * (0.5 + r * (0.16666666666666666 + r * (0.041666666666666664 + r *
        (0.008333333333333333 + r * (0.001388888888888889 + r * (0.0001984126984126984 + r * (2.48015873015873e-05 +
        r * (2.7557319223985893e-06 + r * (2.755731922398589e-07 + r * (2.505210838544172e-08)))))))))));
    return p * native_power_of_two(t == t ? k : 0.0);
}

__device__ double native_expm1_in_double(double x)
{
    double near = x * (1.0 + x * (0.5 + x * (0.16666666666666666 + x * (0.041666666666666664 + x *
        (0.008333333333333333 + x * (0.001388888888888889 + x * (0.0001984126984126984 + x * (2.48015873015873e-05 +
        x * (2.7557319223985893e-06 + x * (2.755731922398589e-07 + x * (2.505210838544172e-08 + x *
        (2.08767569878681e-09 + x * (1.6059043836821613e-10)))))))))))));
    return fabs(x) < 0.5 ? near : native_exp_in_double(x) - 1.0;
}

// 2 * atanh(s) for a small s
__device__ double native_log_series(double s)
{
    double z = s * s;
    return s * (2.0 + z * (0.6666666666666666 + z * (0.4 + z * (0.2857142857142857 + z * (0.2222222222222222 + z *
        (0.18181818181818182 + z * (0.15384615384615385 + z * (0.13333333333333333 + z * (0.11764705882352941 + z *
        (0.10526315789473684))))))))));
}

// of a positive number that is not infinite
__device__ double native_log_in_double(double x)
{
    long long bits = __double_as_longlong(x);
    double k = (double)((bits >> 52) - 1023);
    double m = __longlong_as_double((bits & 0xfffffffffffffll) | 0x3ff0000000000000ll);
    k = m > 1.4142135623730951 ? k + 1.0 : k;
    m = m > 1.4142135623730951 ? m * 0.5 : m;
    return k * NATIVE_LN2 + native_log_series((m - 1.0) / (m + 1.0));
}

// the logarithm, times a factor, with what it is at the ends of its range
__device__ double native_log_scaled(float x, double factor)
{
    double inside = x > 0.0f && (double)x < NATIVE_INFINITY ? (double)x : 1.0;
    double y = native_log_in_double(inside) * factor;
    return x == 0.0f ? -NATIVE_INFINITY : x < 0.0f ? NATIVE_NAN : inside == (double)x ? y : (double)x;
}

__device__ double native_atan_in_double(double x)
{
    double a = fabs(x);
    double b = a > 1.0 ? 1.0 / a : a;
    double c = b > 0.4142135623730951 ? (b - 1.0) / (b + 1.0) : b;
    double z = c * c;
    double y = c * (1.0 + z * (-0.3333333333333333 + z * (0.2 + z * (-0.14285714285714285 + z * (0.1111111111111111
        + z * (-0.09090909090909091 + z * (0.07692307692307693 + z * (-0.06666666666666667 + z *
        (0.058823529411764705 + z * (-0.05263157894736842 + z * (0.047619047619047616 + z * (-0.043478260869565216 +
        z * (0.04 + z * (-0.037037037037037035 + z * (0.034482758620689655 + z * (-0.03225806451612903 + z *
        (0.030303030303030304 + z * (-0.02857142857142857))))))))))))))))));
    y = b > 0.4142135623730951 ? y + 0.7853981633974483 : y;
    y = a > 1.0 ? NATIVE_PI_2 - y : y;
    return x < 0.0 ? -y : y;
}

// --- angles -----------------------------------------------------------------------------------

__device__ unsigned long long native_bits_of_two_over_pi(int k)
{
    return k == 0 ? 0xa2f9836eu : k == 1 ? 0x4e441529u : k == 2 ? 0xfc2757d1u : k == 3 ? 0xf534ddc0u : k == 4 ?
        0xdb629599u : k == 5 ? 0x3c439041u : k == 6 ? 0xfe5163abu : k == 7 ? 0xdebbc561u : 0u;
}

// 32 of the bits of 2 / pi, from the given one on
__device__ unsigned long long native_window(int first)
{
    int k = first >> 5, shift = first & 31;
    unsigned long long both = native_bits_of_two_over_pi(k) << 32 | native_bits_of_two_over_pi(k + 1);
    return both >> (32 - shift) & 0xffffffffull;
}

// The quarter turn that x is nearest to, and how far it is from there, for large x.
__device__ double native_reduced(float x, int part)
{
    int bits = __float_as_int(x);
    int first = ((bits >> 23) & 255) - 152;
    unsigned long long m = (bits & 0x7fffff) | 0x800000;
    unsigned long long low = m * native_window(first + 64);
    unsigned long long middle = m * native_window(first + 32) + (low >> 32);
    unsigned long long high = m * native_window(first) + (middle >> 32);
    unsigned long long turns = high << 32 | (middle & 0xffffffffull);
    unsigned long long quarter = (turns + 0x2000000000000000ull) >> 62;
    double rest = (double)(long long)(turns - (quarter << 62)) * 2.168404344971009e-19 * NATIVE_PI_2;
    return part ? (bits < 0 ? -rest : rest) : (bits < 0 ? -(double)quarter : (double)quarter);
}

// x = n quarter turns and a rest of at most half of one: n, and the rest.
__device__ double native_quarters(float x)
{
    double n = rint((double)x * 0.6366197723675814);
    return fabsf(x) > 1e6f ? native_reduced(x, 0) : n;
}

__device__ double native_rest(float x)
{
    double n = rint((double)x * 0.6366197723675814);
    double r = (double)x - n * 1.5707963267341256 - n * 6.077100506303966e-11 - n * 2.0222662487959506e-21;
    return fabsf(x) > 1e6f ? native_reduced(x, 1) : r;
}

__device__ double native_sine_series(double r)
{
    double z = r * r;
    return r * (1.0 + z * (-0.16666666666666666 + z * (0.008333333333333333 + z * (-0.0001984126984126984 + z *
        (2.7557319223985893e-06 + z * (-2.505210838544172e-08 + z * (1.6059043836821613e-10 + z *
        (-7.647163731819816e-13))))))));
}

__device__ double native_cosine_series(double r)
{
    double z = r * r;
    return 1.0 + z * (-0.5 + z * (0.041666666666666664 + z * (-0.001388888888888889 + z * (2.48015873015873e-05
        + z * (-2.755731922398589e-07 + z * (2.08767569878681e-09 + z * (-1.1470745597729725e-11 + z *
        (4.779477332387385e-14))))))));
}

__device__ double native_sine(float x, int quarters)
{
    double r = native_rest(x);
    int q = (int)((long long)native_quarters(x) + quarters) & 3;
    double y = q & 1 ? native_cosine_series(r) : native_sine_series(r);
    y = q & 2 ? -y : y;
    return x - x == 0.0f ? (quarters == 0 && x == 0.0f ? (double)x : y) : NATIVE_NAN;
}

// --- the functions ----------------------------------------------------------------------------

__device__ float native_expf(float x) { return native_exp_in_double(x); }
__device__ float native_exp2f(float x) { return native_exp_in_double(x * NATIVE_LN2); }
__device__ float native_exp10f(float x) { return native_exp_in_double(x * 2.302585092994046); }
__device__ float native_expm1f(float x) { return x == 0.0f ? x : native_expm1_in_double(x); }
__device__ float native_logf(float x) { return native_log_scaled(x, 1.0); }
__device__ float native_log2f(float x) { return native_log_scaled(x, 1.4426950408889634); }
__device__ float native_log10f(float x) { return native_log_scaled(x, 0.4342944819032518); }
__device__ float native_log1pf(float x)
{
    double near = native_log_series(x / (2.0 + x));
    double far = x > -1.0f && (double)x < NATIVE_INFINITY ? native_log_in_double(1.0 + x) : (double)x;
    far = x == -1.0f ? -NATIVE_INFINITY : x < -1.0f ? NATIVE_NAN : far;
    return x == 0.0f ? (double)x : fabsf(x) < 0.25f ? near : far;
}
__device__ float native_sinf(float x) { return native_sine(x, 0); }
__device__ float native_cosf(float x) { return native_sine(x, 1); }
__device__ float native_tanf(float x)
{
    double r = native_rest(x), s = native_sine_series(r), c = native_cosine_series(r);
    double y = (long long)native_quarters(x) & 1 ? -(c / s) : s / c;
    return x - x == 0.0f ? (x == 0.0f ? (double)x : y) : NATIVE_NAN;
}
__device__ float native_sinhf(float x)
{
    double t = x, z = t * t;
    double near = t * (1.0 + z * (0.16666666666666666 + z * (0.008333333333333333 + z * (0.0001984126984126984 + z *
        (2.7557319223985893e-06 + z * (2.505210838544172e-08 + z * (1.6059043836821613e-10 + z *
        (7.647163731819816e-13))))))));
    double e = native_exp_in_double(fabs(t));
    double far = (e - 1.0 / e) * 0.5;
    return fabsf(x) < 1.0f ? near : x < 0.0f ? -far : far;
}
__device__ float native_coshf(float x)
{
    double e = native_exp_in_double(fabs((double)x));
    return (e + 1.0 / e) * 0.5;
}
__device__ float native_tanhf(float x)
{
    double e = native_expm1_in_double(2.0 * x);
    return x == 0.0f ? (double)x : e / (e + 2.0);
}
__device__ float native_atanf(float x) { return x == 0.0f ? (double)x : native_atan_in_double(x); }
__device__ float native_asinf(float x)
{
    double t = x;
    return x == 0.0f ? t : native_atan_in_double(t / sqrt((1.0 - t) * (1.0 + t)));
}
__device__ float native_acosf(float x)
{
    double t = x;
    return 2.0 * native_atan_in_double(sqrt((1.0 - t) / (1.0 + t)));
}
__device__ float native_atan2f(float y, float x)
{
    bool turned = __float_as_int(x) < 0, steep = fabsf(y) > fabsf(x), even = fabsf(y) == fabsf(x);
    double a = steep ? fabs((double)x) : fabs((double)y), b = steep ? fabs((double)y) : fabs((double)x);
    double ratio = b == 0.0 ? 0.0 : even ? 1.0 : a / b;
    double angle = native_atan_in_double(ratio);
    angle = steep ? NATIVE_PI_2 - angle : angle;
    angle = turned ? 3.141592653589793 - angle : angle;
    return x != x || y != y ? (double)(x + y) : __float_as_int(y) < 0 ? -angle : angle;
}
__device__ float native_powf(float x, float y)
{
    double a = fabs((double)x), b = y;
    double inside = a > 0.0 && a < NATIVE_INFINITY ? a : 1.0;
    double t = b * native_log_in_double(inside);
    double r = native_exp_in_double(t == t ? t : 0.0);
    double flat = a == 0.0 ? (y < 0.0f ? NATIVE_INFINITY : 0.0) : (y < 0.0f ? 0.0 : NATIVE_INFINITY);
    r = inside == a ? r : flat;
    bool whole = trunc(b) == b, odd = whole && fabs(b) < 16777216.0 && ((long long)(fabs(b) < 16777216.0 ? b : 0.0) & 1);
    r = __float_as_int(x) < 0 && odd ? -r : r;
    r = x < 0.0f && a < NATIVE_INFINITY && !whole ? NATIVE_NAN : r;
    r = a == 1.0 && b - b != 0.0 ? 1.0 : r;
    r = x != x || y != y ? NATIVE_NAN : r;
    return y == 0.0f || x == 1.0f ? 1.0 : r;
}
__device__ float native_cbrtf(float x)
{
    double a = fabs((double)x);
    double inside = a > 0.0 && a < NATIVE_INFINITY ? a : 1.0;
    double y = native_exp_in_double(native_log_in_double(inside) / 3.0);
    y = y - (y * y * y - inside) / (3.0 * y * y);
    return inside == a ? (x < 0.0f ? -y : y) : (double)x;
}
__device__ float native_rcbrtf(float x) { return 1.0 / (double)native_cbrtf(x); }
__device__ float native_rsqrtf(float x) { return 1.0 / sqrt((double)x); }
__device__ float native_hypotf(float x, float y)
{
    double r = sqrt((double)x * x + (double)y * y);
    return fabs((double)x) == NATIVE_INFINITY || fabs((double)y) == NATIVE_INFINITY ? NATIVE_INFINITY : r;
}
__device__ float native___expf(float x) { return native_expf(x); }
__device__ float native___exp10f(float x) { return native_exp10f(x); }
__device__ float native___logf(float x) { return native_logf(x); }
__device__ float native___log2f(float x) { return native_log2f(x); }
__device__ float native___log10f(float x) { return native_log10f(x); }
__device__ float native___sinf(float x) { return native_sinf(x); }
__device__ float native___cosf(float x) { return native_cosf(x); }
__device__ float native___tanf(float x) { return native_tanf(x); }
__device__ float native___frsqrt_rn(float x) { return native_rsqrtf(x); }
__device__ float native___powf(float x, float y) { return native_powf(x, y); }

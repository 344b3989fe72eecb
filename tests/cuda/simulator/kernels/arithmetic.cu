// rule: Operators compute as in C, for values that differ between threads and for uniform ones
// alone
// launch: 1, 4, [zeros(4, int32), array([7, -7, 7, -7], int32), array([2, 2, -2, -2], int32)]
// expect: out == [3, -3, -3, 3]
extern "C" __global__ void k(int* out, const int* p0, const int* p1)
{
    int t = threadIdx.x;
    int a = p0[t];
    int b = p1[t];
    out[t] = a / b;
}

// rule: Operators compute as in C, for values that differ between threads and for uniform ones
// alone
// launch: 1, 4, [zeros(4, int32), array([7, -7, 7, -7], int32), array([2, 2, -2, -2], int32)]
// expect: out == [1, -1, 1, -1]
extern "C" __global__ void k(int* out, const int* p0, const int* p1)
{
    int t = threadIdx.x;
    int a = p0[t];
    int b = p1[t];
    out[t] = a % b;
}

// rule: Operators compute as in C, for values that differ between threads and for uniform ones
// alone
// launch: 1, 3, [zeros(3, int32), array([-7, -1, 5], int32)]
// expect: out == [-3, 0, 2]
extern "C" __global__ void k(int* out, const int* p0)
{
    int t = threadIdx.x;
    int a = p0[t];
    out[t] = a / 2;
}

// rule: Operators compute as in C, for values that differ between threads and for uniform ones
// alone
// launch: 1, 2, [zeros(2, int32), array([2147483647, -1], int32)]
// expect: out == [-2147483648, 0]
extern "C" __global__ void k(int* out, const int* p0)
{
    int t = threadIdx.x;
    int a = p0[t];
    out[t] = a + 1;
}

// rule: Operators compute as in C, for values that differ between threads and for uniform ones
// alone
// launch: 1, 2, [zeros(2, int32), array([65536, 46341], int32)]
// expect: out == [0, -2147479015]
extern "C" __global__ void k(int* out, const int* p0)
{
    int t = threadIdx.x;
    int a = p0[t];
    out[t] = a * a;
}

// rule: Operators compute as in C, for values that differ between threads and for uniform ones
// alone
// launch: 1, 2, [zeros(2, uint32), array([0, 5], uint32)]
// expect: out == [4294967295, 4]
extern "C" __global__ void k(unsigned int* out, const unsigned int* p0)
{
    int t = threadIdx.x;
    unsigned int a = p0[t];
    out[t] = a - 1;
}

// rule: Operators compute as in C, for values that differ between threads and for uniform ones
// alone
// launch: 1, 2, [zeros(2, uint32), array([4294967295, 7], uint32), full(2, 2, uint32)]
// expect: out == [2147483647, 3]
extern "C" __global__ void k(unsigned int* out, const unsigned int* p0, const unsigned int* p1)
{
    int t = threadIdx.x;
    unsigned int a = p0[t];
    unsigned int b = p1[t];
    out[t] = a / b;
}

// rule: Operators compute as in C, for values that differ between threads and for uniform ones
// alone
// launch: 1, 2, [zeros(2, int32), array([-1, 1], int32), array([1, 0], uint32)]
// expect: out == 1
extern "C" __global__ void k(int* out, const int* p0, const unsigned int* p1)
{
    int t = threadIdx.x;
    int a = p0[t];
    unsigned int b = p1[t];
    out[t] = a > b;
}

// rule: Operators compute as in C, for values that differ between threads and for uniform ones
// alone
// launch: 1, 2, [zeros(2, int32), array([-5, 5], int32)]
// expect: out == [-3, 2]
extern "C" __global__ void k(int* out, const int* p0)
{
    int t = threadIdx.x;
    int a = p0[t];
    out[t] = a >> 1;
}

// rule: Operators compute as in C, for values that differ between threads and for uniform ones
// alone
// launch: 1, 2, [zeros(2, uint32), full(2, 2147483648, uint32), array([31, 0], uint32)]
// expect: out == [1, 2147483648]
extern "C" __global__ void k(unsigned int* out, const unsigned int* p0, const unsigned int* p1)
{
    int t = threadIdx.x;
    unsigned int a = p0[t];
    unsigned int b = p1[t];
    out[t] = a >> b;
}

// rule: Operators compute as in C, for values that differ between threads and for uniform ones
// alone
// launch: 1, 2, [zeros(2, int32), array([1, 3], int32), array([31, 1], int32)]
// expect: out == [-2147483648, 6]
extern "C" __global__ void k(int* out, const int* p0, const int* p1)
{
    int t = threadIdx.x;
    int a = p0[t];
    int b = p1[t];
    out[t] = a << b;
}

// rule: Operators compute as in C, for values that differ between threads and for uniform ones
// alone
// launch: 1, 2, [zeros(2, int32), full(2, -8, int32), array([31, 1], int32)]
// expect: out == [-1, -4]
extern "C" __global__ void k(int* out, const int* p0, const int* p1)
{
    int t = threadIdx.x;
    int a = p0[t];
    int b = p1[t];
    out[t] = a >> b;
}

// rule: Operators compute as in C, for values that differ between threads and for uniform ones
// alone
// launch: 1, 2, [zeros(2, int32), array([1, 0], int32)]
// expect: out == [254, 255]
extern "C" __global__ void k(int* out, const int* p0)
{
    int t = threadIdx.x;
    int a = p0[t];
    out[t] = ~a & 0xFF;
}

// rule: Operators compute as in C, for values that differ between threads and for uniform ones
// alone
// launch: 1, 2, [zeros(2, uint32), array([1, 0], uint32)]
// expect: out == [4294967295, 0]
extern "C" __global__ void k(unsigned int* out, const unsigned int* p0)
{
    int t = threadIdx.x;
    unsigned int a = p0[t];
    out[t] = -a;
}

// rule: Operators compute as in C, for values that differ between threads and for uniform ones
// alone
// launch: 1, 2, [zeros(2, int32), array([0, 5], int32)]
// expect: out == [1, 0]
extern "C" __global__ void k(int* out, const int* p0)
{
    int t = threadIdx.x;
    int a = p0[t];
    out[t] = !a;
}

// rule: Operators compute as in C, for values that differ between threads and for uniform ones
// alone
// launch: 1, 2, [zeros(2, int32), array([200, -129], int32)]
// expect: out == [-56, 127]
extern "C" __global__ void k(int* out, const int* p0)
{
    int t = threadIdx.x;
    int a = p0[t];
    out[t] = (signed char)a;
}

// rule: Operators compute as in C, for values that differ between threads and for uniform ones
// alone
// launch: 1, 2, [zeros(2, int32), array([-1, 256], int32)]
// expect: out == [255, 0]
extern "C" __global__ void k(int* out, const int* p0)
{
    int t = threadIdx.x;
    int a = p0[t];
    out[t] = (unsigned char)a;
}

// rule: Operators compute as in C, for values that differ between threads and for uniform ones
// alone
// launch: 1, 5, [zeros(5, int32), array([2.9000000953674316, -2.9000000953674316, 3000000000, -3000000000, nan])]
// expect: out == [2, -2, 2147483647, -2147483648, 0]
extern "C" __global__ void k(int* out, const float* p0)
{
    int t = threadIdx.x;
    float a = p0[t];
    out[t] = (int)a;
}

// rule: Operators compute as in C, for values that differ between threads and for uniform ones
// alone
// launch: 1, 4, [zeros(4, uint32), array([2.9000000953674316, -2.9000000953674316, 5000000000, nan])]
// expect: out == [2, 0, 4294967295, 0]
extern "C" __global__ void k(unsigned int* out, const float* p0)
{
    int t = threadIdx.x;
    float a = p0[t];
    out[t] = (unsigned int)a;
}

// rule: Operators compute as in C, for values that differ between threads and for uniform ones
// alone
// launch: 1, 2, [zeros(2, int64), array([1e+19, -0.5], float64)]
// expect: out == [9223372036854775807, 0]
extern "C" __global__ void k(long long* out, const double* p0)
{
    int t = threadIdx.x;
    double a = p0[t];
    out[t] = (long long)a;
}

// rule: Operators compute as in C, for values that differ between threads and for uniform ones
// alone
// launch: 1, 2, [zeros(2), array([16777217, 3], int32)]
// expect: out == [16777216, 3]
extern "C" __global__ void k(float* out, const int* p0)
{
    int t = threadIdx.x;
    int a = p0[t];
    out[t] = (float)a;
}

// rule: Operators compute as in C, for values that differ between threads and for uniform ones
// alone
// launch: 1, 2, [zeros(2), array([0.10000000149011612, 100000000]), array([0.20000000298023224, 1])]
// expect: out == [0.30000001192092896, 100000000]
extern "C" __global__ void k(float* out, const float* p0, const float* p1)
{
    int t = threadIdx.x;
    float a = p0[t];
    float b = p1[t];
    out[t] = a + b;
}

// rule: Operators compute as in C, for values that differ between threads and for uniform ones
// alone
// launch: 1, 2, [zeros(2, float64), array([1, 2])]
// expect: out == [1.1, 2.1]
extern "C" __global__ void k(double* out, const float* p0)
{
    int t = threadIdx.x;
    float a = p0[t];
    out[t] = a + 0.1;
}

// rule: Operators compute as in C, for values that differ between threads and for uniform ones
// alone
// launch: 1, 2, [zeros(2), array([1, -1]), zeros(2)]
// expect: out == [inf, -inf]
extern "C" __global__ void k(float* out, const float* p0, const float* p1)
{
    int t = threadIdx.x;
    float a = p0[t];
    float b = p1[t];
    out[t] = a / b;
}

// rule: Operators compute as in C, for values that differ between threads and for uniform ones
// alone
// launch: 1, 2, [zeros(2), array([5.5, -5.5]), full(2, 2)]
// expect: out == [1.5, -1.5]
extern "C" __global__ void k(float* out, const float* p0, const float* p1)
{
    int t = threadIdx.x;
    float a = p0[t];
    float b = p1[t];
    out[t] = fmodf(a, b);
}

// rule: Operators compute as in C, for values that differ between threads and for uniform ones
// alone
// launch: 1, 2, [zeros(2, int64), array([1099511627776, -3], int64), array([2, 0], int64)]
// expect: out == [549755813889, -1]
extern "C" __global__ void k(long long* out, const long long* p0, const long long* p1)
{
    int t = threadIdx.x;
    long long a = p0[t];
    long long b = p1[t];
    out[t] = (a + b) / 2;
}

// rule: Operators compute as in C, for values that differ between threads and for uniform ones
// alone
// launch: 1, 2, [zeros(2, uint64), array([9223372036854775808, 3], uint64), array([2, 5], uint64)]
// expect: out == [0, 15]
extern "C" __global__ void k(unsigned long long* out, const unsigned long long* p0,
                             const unsigned long long* p1)
{
    int t = threadIdx.x;
    unsigned long long a = p0[t];
    unsigned long long b = p1[t];
    out[t] = a * b;
}

// rule: Operators compute as in C, for values that differ between threads and for uniform ones
// alone
// launch: 1, 2, [zeros(2, int32), array([0, 3], int32)]
// expect: out == [20, 10]
extern "C" __global__ void k(int* out, const int* p0)
{
    int t = threadIdx.x;
    int a = p0[t];
    out[t] = a ? 10 : 20;
}

// rule: Operators compute as in C, for values that differ between threads and for uniform ones
// alone
// launch: 1, 2, [zeros(2, int32), array([1, 2], int32), array([3, 4], int32)]
// expect: out == [3, 4]
extern "C" __global__ void k(int* out, const int* p0, const int* p1)
{
    int t = threadIdx.x;
    int a = p0[t];
    int b = p1[t];
    out[t] = (a, b);
}

// rule: Operators compute as in C, for values that differ between threads and for uniform ones
// alone
// launch: 1, 2, [zeros(2, int32), array([8, 3], int32), full(2, 2, int32), ones(2, int32)]
// expect: out == [3, 12]
extern "C" __global__ void k(int* out, const int* p0, const int* p1, const int* p2)
{
    int t = threadIdx.x;
    int a = p0[t];
    int b = p1[t];
    int c = p2[t];
    out[t] = (a > b << c) + (a >= b << c) * 2 + (a < b << c) * 4 + (a <= b << c) * 8;
}

// rule: Intrinsics compute as CUDA's guide says
// launch: 1, 3, [zeros(3, int32), array([0, 255, 4294967295], uint32)]
// expect: out == [0, 8, 32]
extern "C" __global__ void k(int* out, const unsigned int* p0)
{
    int t = threadIdx.x;
    unsigned int a = p0[t];
    out[t] = __popc(a);
}

// rule: Intrinsics compute as CUDA's guide says
// launch: 1, 3, [zeros(3, int32), array([0, 1, -1], int32)]
// expect: out == [32, 31, 0]
extern "C" __global__ void k(int* out, const int* p0)
{
    int t = threadIdx.x;
    int a = p0[t];
    out[t] = __clz(a);
}

// rule: Intrinsics compute as CUDA's guide says
// launch: 1, 3, [zeros(3, int32), array([0, 8, -1], int32)]
// expect: out == [0, 4, 1]
extern "C" __global__ void k(int* out, const int* p0)
{
    int t = threadIdx.x;
    int a = p0[t];
    out[t] = __ffs(a);
}

// rule: Intrinsics compute as CUDA's guide says
// launch: 1, 3, [zeros(3, int32), array([0, 1, 1099511627776], int64)]
// expect: out == [64, 63, 23]
extern "C" __global__ void k(int* out, const long long* p0)
{
    int t = threadIdx.x;
    long long a = p0[t];
    out[t] = __clzll(a);
}

// rule: Intrinsics compute as CUDA's guide says
// launch: 1, 2, [zeros(2, uint32), array([1, 240], uint32)]
// expect: out == [2147483648, 251658240]
extern "C" __global__ void k(unsigned int* out, const unsigned int* p0)
{
    int t = threadIdx.x;
    unsigned int a = p0[t];
    out[t] = __brev(a);
}

// rule: Intrinsics compute as CUDA's guide says
// launch: 1, 2, [zeros(2, int32), array([1073741824, -1073741824], int32), full(2, 8, int32)]
// expect: out == [2, -2]
extern "C" __global__ void k(int* out, const int* p0, const int* p1)
{
    int t = threadIdx.x;
    int a = p0[t];
    int b = p1[t];
    out[t] = __mulhi(a, b);
}

// rule: Intrinsics compute as CUDA's guide says
// launch: 1, 2, [zeros(2, uint64), array([9223372036854775808, 18446744073709551615], uint64), array([4, 18446744073709551615], uint64)]
// expect: out == [2, 18446744073709551614]
extern "C" __global__ void k(unsigned long long* out, const unsigned long long* p0,
                             const unsigned long long* p1)
{
    int t = threadIdx.x;
    unsigned long long a = p0[t];
    unsigned long long b = p1[t];
    out[t] = __umul64hi(a, b);
}

// rule: Intrinsics compute as CUDA's guide says
// launch: 1, 2, [zeros(2, int32), array([1, -0.0])]
// expect: out == [1065353216, -2147483648]
extern "C" __global__ void k(int* out, const float* p0)
{
    int t = threadIdx.x;
    float a = p0[t];
    out[t] = __float_as_int(a);
}

// rule: Intrinsics compute as CUDA's guide says
// launch: 1, 1, [zeros(1, uint32), array([857870592], uint32), array([2003195204], uint32)]
// expect: out == 2002072337
extern "C" __global__ void k(unsigned int* out, const unsigned int* p0, const unsigned int* p1)
{
    int t = threadIdx.x;
    unsigned int a = p0[t];
    unsigned int b = p1[t];
    out[t] = __byte_perm(a, b, 0x7531);
}

// rule: Intrinsics compute as CUDA's guide says
// launch: 1, 1, [zeros(1, uint32), array([2864434397], uint32), array([287454020], uint32)]
// expect: out == 573785258
extern "C" __global__ void k(unsigned int* out, const unsigned int* p0, const unsigned int* p1)
{
    int t = threadIdx.x;
    unsigned int a = p0[t];
    unsigned int b = p1[t];
    out[t] = __funnelshift_l(a, b, 8);
}

// rule: Intrinsics compute as CUDA's guide says
// launch: 1, 4, [zeros(4), array([0.5, 1.5, -2.5, 0.4999999701976776])]
// expect: out == [1, 2, -3, 0]
extern "C" __global__ void k(float* out, const float* p0)
{
    int t = threadIdx.x;
    float a = p0[t];
    out[t] = roundf(a);
}

// rule: Intrinsics compute as CUDA's guide says
// launch: 1, 3, [zeros(3), array([0.5, 1.5, -2.5])]
// expect: out == [0, 2, -2]
extern "C" __global__ void k(float* out, const float* p0)
{
    int t = threadIdx.x;
    float a = p0[t];
    out[t] = rintf(a);
}

// rule: Intrinsics compute as CUDA's guide says
// launch: 1, 2, [zeros(2, int32), array([2.5, 3.5])]
// expect: out == [2, 4]
extern "C" __global__ void k(int* out, const float* p0)
{
    int t = threadIdx.x;
    float a = p0[t];
    out[t] = __float2int_rn(a);
}

// rule: Intrinsics compute as CUDA's guide says
// launch: 1, 2, [zeros(2), array([1, nan]), array([2, 3])]
// expect: out == [1, 3]
extern "C" __global__ void k(float* out, const float* p0, const float* p1)
{
    int t = threadIdx.x;
    float a = p0[t];
    float b = p1[t];
    out[t] = fminf(a, b);
}

// rule: Intrinsics compute as CUDA's guide says
// launch: 1, 2, [zeros(2, int32), array([-3, 3], int32), full(2, 2, int32)]
// expect: out == [2, 3]
extern "C" __global__ void k(int* out, const int* p0, const int* p1)
{
    int t = threadIdx.x;
    int a = p0[t];
    int b = p1[t];
    out[t] = max(a, b);
}

// rule: Intrinsics compute as CUDA's guide says
// launch: 1, 2, [zeros(2), array([4, 0.25])]
// expect: out == [0.5, 2]
extern "C" __global__ void k(float* out, const float* p0)
{
    int t = threadIdx.x;
    float a = p0[t];
    out[t] = rsqrtf(a);
}

// rule: Intrinsics compute as CUDA's guide says
// launch: 1, 2, [zeros(2), array([0, 100])]
// expect: out == [0, 1]
extern "C" __global__ void k(float* out, const float* p0)
{
    int t = threadIdx.x;
    float a = p0[t];
    out[t] = erff(a);
}

// rule: Intrinsics compute as CUDA's guide says
// launch: 1, 2, [zeros(2, int32), array([33521536, -1], int32), array([33752069, 16843009], int32)]
// expect: out == [-128, 1]
extern "C" __global__ void k(int* out, const int* p0, const int* p1)
{
    int t = threadIdx.x;
    int a = p0[t];
    int b = p1[t];
    out[t] = __dp4a(a, b, 5);
}

// rule: Intrinsics compute as CUDA's guide says
// launch: 1, 2, [zeros(2, uint32), array([33521536, 0], uint32), array([33752319, 9], uint32)]
// expect: out == [33920, 5]
extern "C" __global__ void k(unsigned int* out, const unsigned int* p0, const unsigned int* p1)
{
    int t = threadIdx.x;
    unsigned int a = p0[t];
    unsigned int b = p1[t];
    out[t] = __dp4a(a, b, 5u);
}

// rule: Intrinsics compute as CUDA's guide says
// launch: 1, 2, [zeros(2), array([1, 3]), array([-2, 6])]
// expect: out == [3, 7]
extern "C" __global__ void k(float* out, const float* p0, const float* p1)
{
    int t = threadIdx.x;
    float a = p0[t];
    float b = p1[t];
    out[t] = norm3df(a, 2, b);
}

// rule: Intrinsics compute as CUDA's guide says
// launch: 1, 2, [zeros(2, float64), array([2, 1], float64), array([1, -2], float64)]
// expect: out == 5
extern "C" __global__ void k(double* out, const double* p0, const double* p1)
{
    int t = threadIdx.x;
    double a = p0[t];
    double b = p1[t];
    out[t] = norm4d(a, 2, 4, b);
}

// rule: Intrinsics compute as CUDA's guide says
// launch: 1, 1, [zeros(1, float64), zeros(1, float64), array([2], float64)]
// expect: out == 0.8535533905932737
extern "C" __global__ void k(double* out, const double* p0, const double* p1)
{
    int t = threadIdx.x;
    double a = p0[t];
    double b = p1[t];
    out[t] = rnorm3df(a, 0, b) + rnorm4d(a, a, b, b);
}

// rule: Intrinsics compute as CUDA's guide says
// launch: 1, 1, [zeros(1), array([3]), array([4])]
// expect: out == 0.20000000298023224
extern "C" __global__ void k(float* out, const float* p0, const float* p1)
{
    int t = threadIdx.x;
    float a = p0[t];
    float b = p1[t];
    out[t] = rhypotf(a, b);
}

// rule: Intrinsics compute as CUDA's guide says
// launch: 1, 2, [zeros(2), array([3, 1]), array([1, 3])]
// expect: out == [2, 0]
extern "C" __global__ void k(float* out, const float* p0, const float* p1)
{
    int t = threadIdx.x;
    float a = p0[t];
    float b = p1[t];
    out[t] = fdimf(a, b);
}

// rule: Functions of integers, infinities and NaN give what CUDA's guide says
// launch: 1, 1, [zeros(1, int64)]
// expect: o == 57
extern "C" __global__ void k(long long* o) { o[0] = __popcll(~0ull << 7); }

// rule: Functions of integers, infinities and NaN give what CUDA's guide says
// launch: 1, 1, [zeros(1, int64)]
// expect: o == 41
extern "C" __global__ void k(long long* o) { o[0] = __ffsll(1ll << 40); }

// rule: Functions of integers, infinities and NaN give what CUDA's guide says
// launch: 1, 1, [zeros(1, int64)]
// expect: o == 0
extern "C" __global__ void k(long long* o) { o[0] = __ffsll(0); }

// rule: Functions of integers, infinities and NaN give what CUDA's guide says
// launch: 1, 1, [zeros(1, int64)]
// expect: o == 23
extern "C" __global__ void k(long long* o) { o[0] = __clzll(1ll << 40); }

// rule: Functions of integers, infinities and NaN give what CUDA's guide says
// launch: 1, 1, [zeros(1, int64)]
// expect: o == 12
extern "C" __global__ void k(long long* o) { o[0] = __brevll(3) >> 60; }

// rule: Functions of integers, infinities and NaN give what CUDA's guide says
// launch: 1, 1, [zeros(1, int64)]
// expect: o == 1152039884
extern "C" __global__ void k(long long* o) { o[0] = __funnelshift_r(0xAABBCCDDu, 0x11223344u, 8); }

// rule: Functions of integers, infinities and NaN give what CUDA's guide says
// launch: 1, 1, [zeros(1, int64)]
// expect: o == 0
extern "C" __global__ void k(long long* o) { o[0] = __funnelshift_l(1u, 0x80000000u, 33); }

// rule: Functions of integers, infinities and NaN give what CUDA's guide says
// launch: 1, 1, [zeros(1, int64)]
// expect: o == -2
extern "C" __global__ void k(long long* o) { o[0] = __mul64hi(-(1ll << 62), 8); }

// rule: Functions of integers, infinities and NaN give what CUDA's guide says
// launch: 1, 1, [zeros(1, int64)]
// expect: o == -3
extern "C" __global__ void k(long long* o) { o[0] = __mul64hi(1ll << 62, -9); }

// rule: Functions of integers, infinities and NaN give what CUDA's guide says
// launch: 1, 1, [zeros(1, int64)]
// expect: o == 0
extern "C" __global__ void k(long long* o) { o[0] = __mul64hi(-5, -7); }

// rule: Functions of integers, infinities and NaN give what CUDA's guide says
// launch: 1, 1, [zeros(1, int64)]
// expect: o == 2
extern "C" __global__ void k(long long* o) { o[0] = __umul64hi(~0ull, 3); }

// rule: Functions of integers, infinities and NaN give what CUDA's guide says
// launch: 1, 1, [zeros(1, int64)]
// expect: o == 3
extern "C" __global__ void k(long long* o) { o[0] = __umulhi(1u << 31, 6); }

// rule: Functions of integers, infinities and NaN give what CUDA's guide says
// launch: 1, 1, [zeros(1, int64)]
// expect: o == -2
extern "C" __global__ void k(long long* o) { o[0] = __mulhi(-5, 1 << 30); }

// rule: Functions of integers, infinities and NaN give what CUDA's guide says
// launch: 1, 1, [zeros(1, int64)]
// expect: o == -15
extern "C" __global__ void k(long long* o) { o[0] = __mul24(-3, 5); }

// rule: Functions of integers, infinities and NaN give what CUDA's guide says
// launch: 1, 1, [zeros(1, int64)]
// expect: o == 15
extern "C" __global__ void k(long long* o) { o[0] = __mul24(0x1000003, 5); }

// rule: Functions of integers, infinities and NaN give what CUDA's guide says
// launch: 1, 1, [zeros(1, int64)]
// expect: o == 15
extern "C" __global__ void k(long long* o) { o[0] = __umul24(0xFF000003u, 5); }

// rule: Functions of integers, infinities and NaN give what CUDA's guide says
// launch: 1, 1, [zeros(1, int64)]
// expect: o == 15
extern "C" __global__ void k(long long* o) { o[0] = __sad(-4, 6, 5); }

// rule: Functions of integers, infinities and NaN give what CUDA's guide says
// launch: 1, 1, [zeros(1, int64)]
// expect: o == 12
extern "C" __global__ void k(long long* o) { o[0] = __usad(2, 9, 5); }

// rule: Functions of integers, infinities and NaN give what CUDA's guide says
// launch: 1, 1, [zeros(1, int64)]
// expect: o == 1
extern "C" __global__ void k(long long* o) { o[0] = __hadd(-4, 7); }

// rule: Functions of integers, infinities and NaN give what CUDA's guide says
// launch: 1, 1, [zeros(1, int64)]
// expect: o == 1073741824
extern "C" __global__ void k(long long* o) { o[0] = __hadd(2147483647, 1); }

// rule: Functions of integers, infinities and NaN give what CUDA's guide says
// launch: 1, 1, [zeros(1, int64)]
// expect: o == 2
extern "C" __global__ void k(long long* o) { o[0] = __rhadd(-4, 7); }

// rule: Functions of integers, infinities and NaN give what CUDA's guide says
// launch: 1, 1, [zeros(1, int64)]
// expect: o == 2147483649
extern "C" __global__ void k(long long* o) { o[0] = __uhadd(~0u, 3); }

// rule: Functions of integers, infinities and NaN give what CUDA's guide says
// launch: 1, 1, [zeros(1, int64)]
// expect: o == 4465254
extern "C" __global__ void k(long long* o) { o[0] = __byte_perm(0x33221100, 0x77665544, 0x0426); }

// rule: Functions of integers, infinities and NaN give what CUDA's guide says
// launch: 1, 1, [zeros(1, int64)]
// expect: o == 9
extern "C" __global__ void k(long long* o) { o[0] = umin(3, 4) + umax(5, 6); }

// rule: Functions of integers, infinities and NaN give what CUDA's guide says
// launch: 1, 1, [zeros(1, int64)]
// expect: o == -8
extern "C" __global__ void k(long long* o) { o[0] = llmin(-3, 4) + llmax(-5, -6); }

// rule: Functions of integers, infinities and NaN give what CUDA's guide says
// launch: 1, 1, [zeros(1, int64)]
// expect: o == 9
extern "C" __global__ void k(long long* o) { o[0] = ullmin(3, 4) + ullmax(5, 6); }

// rule: Functions of integers, infinities and NaN give what CUDA's guide says
// launch: 1, 1, [zeros(1, int64)]
// expect: o == 18
extern "C" __global__ void k(long long* o) { o[0] = labs(-5) + llabs(-6ll) + abs(-7); }

// rule: Functions of integers, infinities and NaN give what CUDA's guide says
// launch: 1, 1, [zeros(1, int64)]
// expect: o == 1
extern "C" __global__ void k(long long* o) { o[0] = signbit(-0.0f) != 0; }

// rule: Functions of integers, infinities and NaN give what CUDA's guide says
// launch: 1, 1, [zeros(1, int64)]
// expect: o == 0
extern "C" __global__ void k(long long* o) { o[0] = signbit(0.0); }

// rule: Functions of integers, infinities and NaN give what CUDA's guide says
// launch: 1, 1, [zeros(1, int64)]
// expect: o == 1
extern "C" __global__ void k(long long* o) { o[0] = isnan(NAN) && !isnan(1.0); }

// rule: Functions of integers, infinities and NaN give what CUDA's guide says
// launch: 1, 1, [zeros(1, int64)]
// expect: o == 1
extern "C" __global__ void k(long long* o) { o[0] = isinf(-INFINITY) && !isinf(3e38f); }

// rule: Functions of integers, infinities and NaN give what CUDA's guide says
// launch: 1, 1, [zeros(1, int64)]
// expect: o == 1
extern "C" __global__ void k(long long* o) { o[0] = isfinite(1e308) && !isfinite(NAN); }

// rule: Functions of integers, infinities and NaN give what CUDA's guide says
// launch: 1, 1, [zeros(1, int64)]
// expect: o == 1
extern "C" __global__ void k(long long* o)
{
    o[0] = isinf(normcdfinv(0.0)) && normcdfinv(0.0) < 0 && isinf(normcdfinv(1.0)) && normcdfinv(1.0) > 0;
}

// rule: Functions of integers, infinities and NaN give what CUDA's guide says
// launch: 1, 1, [zeros(1, int64)]
// expect: o == 1
extern "C" __global__ void k(long long* o)
{
    o[0] = isnan(normcdfinv(-0.5)) && isnan(normcdfinv(1.5)) && isnan(normcdfinvf(NAN));
}

// rule: Functions of integers, infinities and NaN give what CUDA's guide says
// launch: 1, 1, [zeros(1, int64)]
// expect: o == 1
extern "C" __global__ void k(long long* o)
{
    o[0] = isinf(erfinv(1.0)) && erfinv(1.0) > 0 && isinf(erfinv(-1.0)) && erfinv(-1.0) < 0 &&
           isnan(erfinv(1.5));
}

// rule: Functions of integers, infinities and NaN give what CUDA's guide says
// launch: 1, 1, [zeros(1, int64)]
// expect: o == 1
extern "C" __global__ void k(long long* o)
{
    o[0] = isinf(erfcinv(0.0)) && erfcinv(0.0) > 0 && isinf(erfcinv(2.0)) && erfcinv(2.0) < 0 &&
           isnan(erfcinv(-1.0));
}

// rule: Functions of integers, infinities and NaN give what CUDA's guide says
// launch: 1, 1, [zeros(1, int64)]
// expect: o == 5
extern "C" __global__ void k(long long* o) { o[0] = fmaxf(NAN, 2) + fminf(3, NAN); }

// rule: Functions of integers, infinities and NaN give what CUDA's guide says
// launch: 1, 1, [zeros(1, int64)]
// expect: o == -1
extern "C" __global__ void k(long long* o) { o[0] = fmin(-0.5, (double)NAN) * 2; }

// rule: An int that overflows is a note of the profile, and unsigned numbers wrap around
// launch: 1, 32, [zeros(32, int32)]
// expect: (profile.overflows, len(profile.warnings)) == ([13], 1)
// launch: 1, 32, [zeros(32, uint32)], kernel="wraps"
// expect: (profile.overflows, profile.warnings) == ([], [])
template <typename T> __device__ T times(T i)
{
    return i * 2147483647 + i;
}
extern "C" __global__ void k(int* x)
{
    int i = threadIdx.x;
    x[i] = i * 2147483647 + i;
}
extern "C" __global__ void wraps(unsigned* x) { x[threadIdx.x] = times((unsigned)threadIdx.x); }

// rule: A fused multiply-add rounds once
// launch: 1, 3, [array([1 + 2**-12, 1e-3, 3.0]), array([-1, 7, -9]), zeros(3)]
// expect: o == (a.astype(float64) ** 2 + b).astype(float32)
// expect: o[0] != a[0] * a[0] - 1
extern "C" __global__ void k(const float* a, const float* b, float* o)
{
    int t = threadIdx.x;
    o[t] = fmaf(a[t], a[t], b[t]);
}

// rule: A function may have several results; its argument is evaluated once, and only active threads store
// launch: 1, 3, [array([0, 0.5, 2]), zeros(3)], kernel="both"
// expect: allclose(o, 10 * sin(a) + cos(a), 1e-6)
// launch: 1, 3, [array([2.5, -3.25, 0]), zeros(3)], kernel="parts"
// expect: o == [2000 + 50 + 6.25 + 2, -3000 - 25 - 8.125 + 2, 0]
// launch: 1, 32, [zeros(64), 30], kernel="k"
// expect: x[:8] == [0, 1, 1, 0, 0, -3, -1, 0]
// expect: x[58:] == [1, 0, 0, 0, 0, 0]
extern "C" __global__ void both(const float* a, float* o)
{
    float s, c;
    sincosf(a[threadIdx.x], &s, &c);
    o[threadIdx.x] = 10 * s + c;
}
extern "C" __global__ void parts(const float* a, float* o)
{
    float whole;
    int n;
    float x = a[threadIdx.x], rest = modff(x, &whole);
    o[threadIdx.x] = 1000 * whole + 100 * rest + 10 * frexp(x, &n) + n;
}
extern "C" __global__ void k(float* x, int n)
{
    int i = threadIdx.x;
    float* p = x + 2 * i;
    if (i < n) {
        sincospi(0.5f * i++, p, p + 1);
        p[1] *= i;
    }
}

// rule: Only a shift that is done is wrong
// launch: 1, 32, [zeros(32, uint32), 32]
// expect: x == 7
// launch: 1, 32, [zeros(32, uint32), 32], kernel="wrong"
// error: KernelArithmeticError thread=(0,0,0) block=(0,0,0)
// report: shift by 32 of a number of 32 bits
// report: C allows a shift by 0 to 31, and leaves undefined what any other gives
// report: hint: test the amount first: what should be left of the number?
// launch: 1, 32, [zeros(32, uint32), 32], kernel="some"
// error: KernelArithmeticError thread=(20,0,0) block=(0,0,0)
// report: shift by 32 of a number of 32 bits
// report: C allows a shift by 0 to 31, and leaves undefined what any other gives
// report: hint: test the amount first: what should be left of the number?
extern "C" __global__ void k(unsigned* x, int n)
{
    int t = threadIdx.x;
    x[t] = n == 32 ? 0xffffffffu : (1u << n) - 1;
    x[t] = n < 32 && (5u >> n) & 1;
    unsigned s = 0;
    for (int i = 0; i < 3; i++)
        if (n < 32) s += 1u << n;
    for (int i = n; i < 32; i++) s += 1u << n;
    s += t < 20 ? 1u << (t + 12) : 7;
    x[t] = s ? 7 : 0;
}
extern "C" __global__ void wrong(unsigned* x, int n)
{
    x[threadIdx.x] = 1u << n;  // <- here
}
extern "C" __global__ void some(unsigned* x, int n)
{
    int t = threadIdx.x;
    x[t] = t < 21 ? 1u << (t + 12) : 7;  // <- here
}

// rule: Operations that round down, up and towards zero give the neighbours of the exact result
// launch: 1, 32, [normal(32), 1 + arange(32), zeros(192)]
// expect: (o[0::6] <= x.astype(float64) * y) & (x.astype(float64) * y <= o[1::6]) & (nextafter(o[0::6], float32(inf)) >= o[1::6])
// expect: abs(o[2::6]) == minimum(abs(o[0::6]), abs(o[1::6]))
// expect: (o[3::6].astype(float64) * y <= x) & (nextafter(o[3::6], float32(inf)).astype(float64) * y > x)
// expect: o[4::6] == (1.4142135 if float32(1.4142135).astype(float64) ** 2 >= 2 else nextafter(float32(1.4142135), float32(2)))
// expect: o[5::6] == float32(3.4028235e38)
extern "C" __global__ void k(const float* x, const float* y, float* o)
{
    int i = threadIdx.x;
    float* r = o + 6 * i;
    r[0] = __fmul_rd(x[i], y[i]); r[1] = __fmul_ru(x[i], y[i]); r[2] = __fmul_rz(x[i], y[i]);
    r[3] = __fdiv_rd(x[i], y[i]); r[4] = __fsqrt_ru(2); r[5] = __fadd2_rz(make_float2(3e38f, 0), make_float2(1e38f, 0)).x;
}

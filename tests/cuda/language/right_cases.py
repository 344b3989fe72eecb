"""CUDA C, and what types it has; see cases.py."""

from .texts import GROUPS

# Statements for KERNEL that both take.
ACCEPTED = [
    'char text[] = "ab\\n", same[4] = "abc"; n = text[0] + same[1];',
    ";;",
    "int a = 1, b = a + 1, *q = p; n = a + b + *q;",
    "n = 1[p]; 2[x] = n[c];",
    "x[0] = 1; x[1] = 'a'; x[2] = 1u; x[3] = 0x1F; x[4] = 0b101; x[5] = 017; x[6] = 1'000; x[7] = true;",
    "x[0] = 1.f; x[1] = .5f; x[2] = 1e-3f; x[3] = 0x1.8p3f; x[4] = 1.5; x[5] = 1E5; x[6] = 3.F;",
    "long long a = 1ll; unsigned long long b = 1ull; long e = 1L; size_t f = 3; n = a + b + e + f;",
    "unsigned char a = 255; signed char b = -1; short e = 3; unsigned short f = 4; n = a + b + e + f;",
    "unsigned a = 1; unsigned int b = 2; long unsigned int e = 3; int unsigned f = 4; short int g = 5; n = a;",
    "bool a = n > 0 && x[0] < 1 || !n; n = a ? 1 : 2;",
    "bool a = n > 0 and x[0] < 1 or not n; n = n bitand 3 bitor 4 xor 5; n and_eq 7; n = compl n not_eq 2; n = a;",
    "n += 1; n -= 1; n *= 2; n /= 2; n %= 3; n <<= 1; n >>= 1; n &= 7; n |= 8; n ^= 3; x[0] += d;",
    "n = u = 3; n = (u, 4); n = -n + +n - ~n;",
    "for (int i = 0, j = 10; i < j; i++, j--) x[i] = j;",
    "for (;;) { if (n++ > 3) break; else continue; }",
    "while (n > 0) n--; do { n++; } while (n < 10);",
    "switch (n) { case 0: case 1: n = 2; break; case 'a': { int a = 1; n = a; } default: n = 3; }",
    "switch (u & 3) { default: break; case 1 + 1: x[0] = 1; }",
    "switch (n) { int a, b; case 0: a = 1; n = a; break; default: b = n; n = b + 1; }",
    "(n += 2) *= 3; ++(++n); (n = 4)++; int& a = (n -= 1); a = 5; (x[n & 3] = 1) += 2;",
    "int* a = &(n |= 1); *a = --(--n);",
    "if (n) x[0] = 1; else if (u) x[0] = 2; else { x[0] = 3; }",
    "n = n > 0 ? u > 1 ? 1 : 2 : 3;",
    "float* q = x + n; *q++ = 1; q[-1] = 2; *(q - 1) = 3; q += 2; --q; n = q - x; n = q > x; n = q != nullptr;",
    "float a[3]; float* q = a; q[1] = 2; x[0] = *(a + 1); float* r = &a[2]; *r = 3;",
    "float a[2][3] = {{1, 2, 3}, {4, 5}}; float b[2][3] = {1, 2, 3, 4}; float e[] = {1.f, 2.f}; "
    "x[0] = a[1][2] + b[0][1] + e[1];",
    "int a[4] = {0}; int b[4] = {}; int e{5}; int f(6); n = a[0] + b[1] + e + f;",
    "float (*row)[4] = reinterpret_cast<float (*)[4]>(x); row[1][2] = 3;",
    "__shared__ float s[16][17]; s[threadIdx.y][threadIdx.x] = x[0]; __syncthreads(); float* q = s[3]; x[1] = q[2];",
    "__shared__ int total; if (threadIdx.x == 0) total = 0; __syncthreads(); atomicAdd(&total, 1);",
    "extern __shared__ float s[]; s[threadIdx.x] = 1; float* half = s + 16; half[0] = 2;",
    "extern __shared__ unsigned char raw[]; float* s = (float*)raw; int* t = (int*)(s + 32); t[0] = s[0];",
    "float4 a = v[0]; a.x += 1; v[1] = a; v[2] = make_float4(1, 2, 3, 4); float4 b = {1, 2, 3}; v[3] = b; v->y = 1; "
    "(*v).z = 2;",
    "float4 a = reinterpret_cast<float4*>(x)[n]; ((float4*)x)[0] = a; *(float4*)(x + 4) = a; "
    "float2 b = *reinterpret_cast<const float2*>(c); x[0] = b.y;",
    "reinterpret_cast<float4&>(x[4]) = v[0]; float4 a = *reinterpret_cast<const float4*>(&c[4]); v[1] = a;",
    "v[0] = float4{1, 2, 3, 4}; float2 a[2] = {{1, 2}, {3, 4}}; x[0] = a[1].y; float* q = &v[0].x; q[1] = 2;",
    "int a = int(x[0]); float b = float(n) / (float)u; n = static_cast<int>(b) + a; unsigned e = unsigned(n); n = e;",
    "dim3 t = threadIdx; uint3 b = blockIdx; dim3 g(4, 5); n = t.x + b.y + g.z + warpSize; n = threadIdx.x;",
    "auto a = n; auto q = x + 1; const auto b = 2.0f; *q = a + b; auto* r = p; r[0] = 1; auto& e = x[3]; e = 4;",
    "const int a = 4; float b[a * 2]; constexpr int e = a + 1; float f[e]; b[0] = f[0] = 1; x[0] = b[0] + f[0];",
    "float& r = x[n]; r += 1; const float& q = c[2]; x[0] = q; const float& z = 3.0f; x[1] = z;",
    "typedef float real; using index = unsigned int; real a = 1; index i = 2; x[i] = a; enum { A, B = 5, E }; n = E;",
    "enum Color { RED, GREEN }; Color a = GREEN; n = a + RED;",
    "n = sizeof(float) + sizeof(x) + sizeof x[0] + sizeof(float4); float a[6]; n = sizeof(a) / sizeof(a[0]);",
    "volatile float* q = x; q[0] = 1; float* __restrict__ r = x; r[0] = 2; const float* const e = c; x[0] = e[1];",
    'printf("%d %f\\n" "more", n, x[0]);',
    "printf(\"%*d %p %lld %zu %c %% %-5.1e %hd\", 5, n, x, 1ll, sizeof n, 'a', d, (short)n);",
    "x[0] = sqrtf(2) + expf(x[1]) + sqrt(x[0]) + exp(d) + fmaxf(1, 2) + max(n, 3) + min(u, 3u) + fabs(x[0]) + abs(n);",
    "x[0] = pow(x[0], 2) + pow(x[0], 2.0f) + pow(d, 2) + fmax(x[0], 2) + max(x[0], d) + max(n, u) + rsqrt(x[0]) + "
    "abs(x[1]);",
    "x[0] = __expf(1) + __fdividef(1, 2) + __fmaf_rn(1, 2, 3) + __int_as_float(n) + __ldg(&c[0]) + __saturatef(2);",
    "n = __float_as_int(1.0f) + __popc(u) + __clz(n) + __ffs(n) + __brev(u) + __umulhi(u, u) + __mul24(n, n);",
    "n = __float2int_rn(1.5f) + __float2int_rz(x[0]) + __double2int_rd(d) + isnan(x[0]) + isinf(d) + __mulhi(n, n);",
    "x[0] = __shfl_down_sync(0xffffffff, x[0], 16); n = __shfl_sync(~0u, n, 0, 16); d = __shfl_xor_sync(-1, d, 1);",
    "u = __ballot_sync(0xffffffff, n > 0); n = __any_sync(u, n) + __all_sync(u, x[0] > 0); u = __activemask(); "
    "__syncwarp();",
    "atomicAdd(p, 1); n = atomicAdd(&p[1], u); atomicAdd(x, 1); atomicMax(p, n); atomicCAS(p, 0, 1); atomicExch(x, 2); "
    "atomicSub(p, 1); atomicMin(&p[0], 3); atomicAnd(p, 1); atomicOr(p, 1); atomicXor(p, 1);",
    "unsigned* q = (unsigned*)p; atomicInc(q, 3); atomicDec(q, u); unsigned long long* r = (unsigned long long*)p; "
    "atomicAdd(r, 1); atomicCAS(r, 1, 2); atomicMax(r, 3ull); atomicAdd((double*)p, d);",
    "n = __syncthreads_count(n > 0) + __syncthreads_and(1) + __syncthreads_or(0); __threadfence(); "
    "__threadfence_block();",
    'assert(n > 0 && "n is too small"); assert(!"never here" || "yes"); '
    "x[0] = copysignf(1, -2) + fmodf(3, 2) + truncf(x[0]) + roundf(x[1]) + lroundf(x[2]) + hypotf(3, 4);",
    "#pragma unroll\nfor (int i = 0; i < 4; i++) x[i] = 0;\n#pragma unroll 4\nfor (int i = 0; i < n; i++) x[i] = 1;",
    "#define SQUARE(a) ((a) * (a))\n#define ADD(a, b) SQUARE(a) + \\\n  SQUARE(b)\nx[0] = ADD(n, SQUARE(2)); // end\n"
    "#undef ADD\nint ADD = 3; n = ADD;",
    '#define NAME(a) value_##a\n#define TEXT(a) #a\nint NAME(one) = 1; n = value_one; printf(TEXT(a + b) "\\n");',
    "#define MORE(first, ...) max(first, __VA_ARGS__)\nn = MORE(1, 2);",
    "#ifdef NOPE\nthis is 'not code\n#elif defined(__CUDACC__) && !defined NOPE\nn = 1;\n#else\n@ $ ` \n#endif",
    "#if __CUDA_ARCH__ >= 600 && (2 > 1 ? 1 : 0) && UNKNOWN == 0\nn = 1;\n#else\nsyntax error\n#endif",
    '#define LOOP _Pragma("unroll") for\nLOOP (int i = 0; i < 3; i++) x[i] = 1;',
    "#define A 1\n#define A 2\nn = A;",
    "#define F(a) a\n#define EMPTY\nint F = 1; n = F + F(F) EMPTY; n = F(F(F(2)));",
    "/* a\n comment */ n = 1; // another \\\n goes on\nn /* inside */ = 2;",
    "n = 3 /* c */ + /* d */ 4;\\\n\nx[0] \\\n= 1;",
    "n = __LINE__; n = 1 << 2u; u = 1u << n; n = 7 / -2 % 3; u = -1; n = 'a' + '\\n' + '\\x41' + '\\0';",
    "if (x) n = 1; if (!x) n = 2; while (x && n) break; n = x ? 1 : 0; bool b = x; n = b; n = x == 0; x = 0; x = NULL;",
    "void* q = x; float* r = (float*)q; const void* e = c; r[0] = ((const float*)e)[0]; (void)n;",
    "int a = 1; { int a = a + 1; n = a; } float e[] = {1, sizeof(a)}; x[0] = e[1];",
    "switch (n) { case 1: int a = 2; n = a; case 2: break; }",
    "float s, e; sincosf(x[0], &s, &e); __sincosf(x[1], x + 2, &x[3]); double f; sincos(d, &f, &d); x[0] = s + e;",
    "x[0] = M_PI_2 + M_SQRT1_2 * M_LOG2E; n = INT16_MAX + INT32_MIN; u = UINT32_MAX; size_t s = SIZE_MAX; x[1] = s;",
    "x[0] = INFINITY; x[1] = -INFINITY; x[2] = FLT_MAX; n = INT_MIN; d = M_PI; x[3] = NAN; x[4] = CUDART_INF_F;",
    "int32_t a = 1; uint8_t b = 2; uint64_t e = 3; int64_t* q = 0; n = a + b + e + INT_MAX; q = q + 1;",
    "return;",
]

ACCEPTED_PROGRAMS = [
    "__device__ void f(int* p) { *p = 1; } __device__ void g(int* p) { return f(p); } "
    "__global__ void k(int* p) { auto a{p[0]}; const auto b{a + 1}; p[1] = b; return g(p); }",
    "",
    "template <class T> struct Box { T v; }; __global__ void k(float* x) { x[0] = Box<float>{3}.v + "
    "Box<Box<float>>{{x[1]}}.v.v; }",
    "template <typename T, typename U> __device__ T as(U x); template <> __device__ float as<float, int>(int x) "
    "{ return x; } __global__ void k(float* x, int* p) { x[0] = as<float, int>(p[0]); }",
    "__global__ void k(float* x) { const float4* v = reinterpret_cast<const float4*>(__builtin_assume_aligned(x, 16)); "
    "x[0] = v[1].y; }",
    "struct A { typedef int kind; kind x; }; using B = A; __global__ void k(int* p) { B::kind y = p[0]; p[1] = y; }",
    "// nothing",
    "#include <type_traits>\n__global__ void k(int* p) { std::aligned_storage<8, 8>::type a; "
    'std::aligned_storage_t<12, 16> b; static_assert(alignof(decltype(a)) == 8 && sizeof(b) == 16, ""); }',
    "#include <type_traits>\n__device__ int f(std::bool_constant<true>) { return 1; }\n"
    "__global__ void k(int* p) { p[0] = f(std::bool_constant<true>()); }",
    "__global__ void k(int* p) { for (int x : {1, 2, 4}) p[0] += x; for (auto& x : {1.5f, 2.f}) p[1] += x > 1.7f; }",
    "__global__ void k(void* p, int n) { *((decltype(n)*)(p)) = ULONG_MAX > 1 && INT8_MIN < 0; }",
    "#include <type_traits>\ntemplate <typename T> __device__ int f(T x) { if constexpr (std::is_same_v<T, unsigned>) "
    "return 1; if (std::is_same<T, int>::value) return 2; if (std::is_same<T, int>()) return 3; return 0; }\n"
    "__global__ void k(int* p) { p[0] = f(p[1]) + f(1u); }",
    "template <typename T> __global__ void k(T* p) { std::conditional_t<std::is_integral_v<T>, int, float> x = p[0]; }",
    "#include <cuda/cmath>\n__global__ void k(int* p) { p[0] = cuda::ceil_div(p[1], 4u) + cuda::round_up(p[2], 32); }",
    "#include <cuda_fp8.h>\n__global__ void k(__nv_bfloat16* p) { p[0] = p[1]; }",
    "__global__ void k(int* p, int y0, int y1) { __builtin_assume(y0 > 0); p[0] = y0 < y1 ? 1 : __INT_MAX__; }",
    "struct Op { __device__ void operator()(float& x) { x += 1; } }; __global__ void k(float* x) { Op()(x[0]); }",
    "extern __constant__ float w[2]; __global__ void k(float* x) { x[0] = w[1]; } __constant__ float w[2];",
    "#include <algorithm>\n#include <string.h>\n#include <vector>\n__global__ void k() { }",
    '#include <stdio.h>\n#include <cuda_runtime.h>\n#include "math.h"\n__global__ void k() {}',
    'extern "C" { __global__ void a() {} __global__ void b() {} __device__ int g; }',
    "__device__ __forceinline__ float f(float x) { return x * x; } __global__ void k(float* x) { x[0] = f(x[1]); }",
    "static __inline__ __device__ int f(int x, int y = 2) { return x + y; } __global__ void k(int* p) { p[0] = f(1); }",
    "__host__ __device__ int f() { return 1; } __global__ void k(int* p) { p[0] = f(); }",
    "__device__ int f(int); __global__ void k(int* p) { p[0] = f(1); } __device__ int f(int a) { return a; }",
    "__device__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }",
    "__device__ void swap(float& a, float& b) { float t = a; a = b; b = t; } "
    "__global__ void k(float* x) { swap(x[0], x[1]); float a = 1, b = 2; swap(a, b); }",
    "__device__ float f(const float& a) { return a; } __global__ void k(float* x) { x[0] = f(2) + f(x[1]); }",
    "__device__ float f(float (&a)[4]) { return a[3]; } __global__ void k(float* x) { float a[4] = {1}; x[0] = f(a); }",
    "__device__ float sum(const float a[], int n) { float s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; } "
    "__global__ void k(float* x) { float a[3] = {1, 2, 3}; x[0] = sum(a, 3) + sum(x, 2); }",
    "__device__ void f(float a[][4]) { a[1][2] = 3; } __global__ void k() { __shared__ float s[4][4]; f(s); }",
    "__device__ int f(int a) { return 1; } __device__ int f(float a) { return 2; } "
    "__global__ void k(int* p) { p[0] = f(1) + f(1.0f); }",
    "__device__ float atomicMax(float* a, float v) { int old = atomicMax((int*)a, __float_as_int(v)); "
    "return __int_as_float(old); } __global__ void k(float* x) { atomicMax(x, 1.0f); }",
    "__constant__ float w[2][2] = {{1, 2}, {3, 4}}; __constant__ int n = 3; "
    "__global__ void k(float* x) { x[0] = w[1][n]; }",
    "__device__ float table[256]; __device__ int count = 0; "
    "__global__ void k() { table[threadIdx.x] = 1; atomicAdd(&count, 1); }",
    "const int N = 4; constexpr float SCALE = 0.5f; __global__ void k(float* x) { float a[N] = {SCALE}; "
    "x[0] = a[N - 1]; }",
    "enum { WIDTH = 4, HEIGHT }; __global__ void k(float* x) { float a[WIDTH][HEIGHT]; a[0][0] = 1; x[0] = a[0][0]; }",
    "typedef unsigned int uint32; typedef float real; __global__ void k(real* x, uint32 n) { x[n] = (real)n; }",
    "int f(int a) { return a; } int g; float w[2] = {1, 2}; const float c[2] = {3, 4}; "
    "__global__ void k(float* x) { g = f(1); x[0] = w[1] + c[0]; }",
    "__global__ void __launch_bounds__(256) k(float* x) {}",
    "__launch_bounds__(128, 2) __global__ void k(float* x) {}",
    "__global__ __launch_bounds__(32 * 4) void k(const float* __restrict__ x, float *const y, volatile int* z) {}",
    "__shared__ int total; __device__ void f() { total = 1; } __global__ void k() { f(); __syncthreads(); }",
    "extern __shared__ float s[]; __global__ void k() { s[0] = 1; }",
    "__global__ void k(float2* a, double2* b, int4 c, uchar4* d, short2 e, ulonglong2* f) { a[0].x = c.w + e.y + "
    "d->z; }",
    "static __device__ inline void f() {} ; __global__ void k(void) { f(); }",
    "__global__ void k(int n, unsigned char* image, long long big, bool flag, char c, size_t bytes) {}",
    "__device__ void f(int n) { if (n > 0) f(n - 1); }",
    "__device__ float4 add(float4 a, float4 b) { return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); } "
    "__global__ void k(float4* v) { v[0] = add(v[1], v[2]); float y = add(v[0], v[1]).x; v[0].x = y; }",
    "struct I { char a; short b[3]; }; struct O { int c; I in; }; static_assert(sizeof(O) == 12); "
    "static_assert(alignof(double4) == 16 && alignof(float3) == 4 && alignof(char2) == 2 && alignof(short4) == 8); ",
    'static_assert(sizeof(float4) == 16, "size"); static_assert(3 > 2); '
    '__global__ void k() { static_assert(1, "a"); }',
    "__shared__ __align__(16) float s[64]; __global__ void k() { __shared__ alignas(16) float t[8]; t[0] = s[0] = 1; }",
    "__global__ void k(int *a, int n) { const int size = 2; __shared__ int s[size][size + 1]; s[1][2] = a[n]; }",
    "__host__ __device__ constexpr int ceil_div(int a, int b) { return (a + b - 1) / b; } "
    "__global__ void k(float* x) { __shared__ float s[ceil_div(70, 32)][8]; s[2][1] = 1; x[ceil_div(x[0], 4)] = 1; }",
    "template <int N> constexpr int times(int a) { return a * N; } __global__ void k(int* p) { p[0] = times<3>(2); }",
    "template <typename T> __host__ __device__ constexpr T ceil_div(T a, T b) { return (a + b - 1) / b; } template "
    "<typename T, int N = 2> constexpr int lanes() { return 16 / sizeof(T) * N; } template <int N> __device__ int "
    "own() { return N; } __global__ void k(float* x) { __shared__ float s[ceil_div(70, 32)]; float "
    "t[lanes<float>()]; t[0] = s[0] = 1; x[0] = s[0] + t[7] + own<lanes<double, 1>()>(); "
    "static_assert(lanes<float>() == 8); } "
    "template <int N> constexpr int less() { return N - 1; } template <> constexpr int less<0>() { return 0; } "
    "static_assert(less<3>() == 2 && less<0>() == 0);",
    "struct P { int a; float b; }; constexpr P p = {1, 2.5f}; constexpr float4 f = {1, 2, 3, 4}; __global__ void "
    "k(float* x) { constexpr P q{3, 4.0f}; constexpr int2 i = {5, 6}; constexpr auto t = [](int a) { return a; }; "
    "x[0] = p.b + q.a + f.z + i.y + t(2); }",
    "constexpr int log2(int n) { return n < 2 ? 0 : 1 + log2(n / 2); } __global__ void k(int* p) { p[0] = log2(8); }",
    "template <typename T> __device__ T square(T x) { return x * x; } "
    "__global__ void k(float* x) { x[0] = square(x[1]) + square<double>(2) + square(3); }",
    "template <class T, int N = 2> __device__ __forceinline__ void fill(T* p, const T& v) { T own[N] = {v}; "
    "for (int i = 0; i < N; i++) p[i] = own[i]; } "
    "__global__ void k(float* x, int* p) { fill(x, 1.0f); fill<int, 4>(p, 2); __shared__ double s[8]; fill(s, 3.0); }",
    "template <unsigned int SIZE> __device__ void sum(volatile float* s, int t) { if (SIZE >= 64) s[t] += s[t + 32]; } "
    "__global__ void k() { __shared__ float s[128]; const int half = 64; sum<half * 2>(s, 0); sum<(half > 2)>(s, 1); }",
    "template <int N> __device__ int fact() { if constexpr (N < 2) return 1; else return N * fact<N - 1>(); } "
    "__global__ void k(int* p) { p[0] = fact<5>(); }",
    "template <bool relu> __device__ float act(float x) { if constexpr (relu) { return fmaxf(x, 0.0f); } return x; } "
    "__global__ void k(float* x) { x[0] = act<true>(x[1]) + act<false>(x[2]); }",
    "template <typename T> __device__ T max(T a, T b) { return a > b ? a : b; } "
    "__global__ void k(float* x) { x[0] = max(x[1], 2.0f) + max(1, 2); }",
    "template <typename T> __device__ T sum(T a) { return a; } template <typename T> __device__ T sum(T a, T b) "
    "{ return sum(a) + sum(b); } __global__ void k(int* p) { p[0] = sum(1, 2) < sum(3); }",
    "template <typename T> __device__ T first(T* p) { T v = p[0]; return v; } "
    "__global__ void k(const float* c, float* x) { x[0] = first(c); }",
    "__device__ const float weights[3] = {0.25f, 0.5f, 0.25f}; __global__ void k(float* x) { x[0] = weights[1]; }",
    "template <typename T, int N = 4> __global__ void tile(T* x) { __shared__ T s[N]; s[0] = x[0]; x[0] = s[0] + N; }",
    "template <typename T> __device__ T f(T x) { return x; } template <> __device__ int f(int x) { return 2; } "
    "template <> __device__ float f<float>(float x) { return 3; } "
    "__global__ void k(float* x) { x[0] = f(1) + f(2.0f) + f(3.0); }",
    "namespace a { __device__ int f() { return 1; } namespace b { const int c = 2; } } namespace d = a; "
    "namespace { __device__ int g() { return 3; } } __global__ void k(int* p) { p[0] = a::f() + d::b::c + ::g(); }",
    "namespace a { __device__ int f() { return 1; } } using namespace a; __global__ void k(int* p) { p[0] = f(); }",
    "__global__ void k(uint* p, ushort n, uchar b, ulong c) { uint a = n + b + c; p[0] = a; }",
    "__global__ void k(float* x, int dim1, int dim3) { if (threadIdx.x < dim1 * dim3) x[0] = dim3; dim3 = 1; } "
    "__global__ void l(float* x) { dim3 a(1, 2); x[0] = a.y; { int uint = 3; x[1] = uint; } uint b = 3; x[2] = b; }",
    "typedef unsigned int u32; typedef unsigned int u32; using u32 = unsigned; __global__ void k(u32* p) { p[0] = 1; }",
    "static_assert(017 == 15 && 0x1F == 31 && 0b101 == 5 && '\\n' == 10 && '\\x41' == 65 && '\\101' == 65 && "
    "'\\33' == 27 && '\\7' == 7 && '\\xff' == -1 && 1'000 == 1000 && 0xFFul == 255); "
    "__global__ void k(int* p) { p[0] = '\\\\' + '\\0'; }",
    " ".join(
        f"struct __align__({n}) P{n} {{ char c; }}; static_assert(alignof(P{n}) == {n} && sizeof(P{n}) == {n});"
        for n in (1, 2, 4, 8, 16, 32, 64, 128)
    )
    + " __global__ void k(int* p) { p[0] = 1; }",
    "typedef const float real; __global__ void k(real* x, float* y) { y[0] = x[0]; }",
    "__device__ float* p; static int *a, *b; __global__ void k(float* x) { x[0] = 1; }",
    "__global__ void k(float* x, float factor = 2.0f, int n = 3 + 4) { x[0] = factor * n; }",
    "__global__ void k(float* x, float4* v) { __stcs(x, __ldcs(x + 1)); __stcg(v, __ldcg(v + 1)); __stwb(x, 2.0f); "
    "__stwt(x + 2, 1.0f); x[3] = __ldlu(x); }",
    "__global__ void k(long long* p) { clock_t a = clock(); long long b = clock64(); __nanosleep(100); p[0] = a + b; }",
    "__global__ void k(int* p, unsigned* q) { atomicAdd_block(p, 1); atomicMax_system(p, 2); "
    "atomicCAS_block(q, 1u, 2u); }",
    GROUPS
    + "__device__ int rank(cg::thread_group g) { return g.thread_rank(); } template <typename G> __device__ int "
    "size(G g) { return g.size(); } __global__ void k(int* p) { auto b = cg::this_thread_block(); "
    "const cg::thread_block_tile<8> t = cg::tiled_partition<8>(b); p[0] = rank(b) + rank(t) + size(t) + size(b); "
    "p[1] = cg::reduce(t, p[2], cg::plus<int>{}) + cg::reduce(t, p[2], cg::bit_xor<int>()); cg::sync(t); t.sync(); }",
    GROUPS
    + "using namespace cg; __global__ void k(int* p) { thread_block b = this_thread_block(); "
    "thread_block_tile<4> t = tiled_partition<4>(b); p[0] = reduce(t, 1, plus<int>()) + t.size(); sync(b); }",
    "typedef float (*unary)(float); using binary = float (*)(float a, float); unary unused; "
    "__device__ float square(float x) { return x * x; } __device__ float twice(float x) { return 2 * x; } "
    "template <typename F> __device__ float apply(F f, float x) { return f(x) + 1; } "
    "template <unary F> __device__ float fixed(float x) { return F(x); } "
    "template <float (*F)(float)> __device__ float more(float x) { return apply(F, x); } "
    "__global__ void k(float* x) { auto f = square; x[0] = f(x[0]) + apply(f, 2.0f) + apply(twice, 1) + "
    "fixed<square>(3) + more<twice>(4); }",
]

# (expression in a kernel with the parameters above, its C++ type)
TYPES = [
    ("1", "int"),
    ("1u", "unsigned int"),
    ("1l", "long"),
    ("1ul", "unsigned long"),
    ("1ll", "long long"),
    ("1ull", "unsigned long long"),
    ("2147483648", "long"),
    ("0x80000000", "unsigned int"),
    ("0xffffffffff", "long"),
    ("0x8000000000000000", "unsigned long"),
    ("1.0", "double"),
    ("1.0f", "float"),
    ("'a'", "char"),
    ("true", "bool"),
    ("(char)1 + (char)1", "int"),
    ("(short)1 + 1u", "unsigned int"),
    ("1 + 1.0f", "float"),
    ("1.0f + 1.0", "double"),
    ("1l + 1ll", "long long"),
    ("1l + 1ull", "unsigned long long"),
    ("1u + 1l", "long"),
    ("1ul + 1ll", "unsigned long long"),
    ("true + true", "int"),
    ("-true", "int"),
    ("+(char)1", "int"),
    ("~(unsigned char)1", "int"),
    ("!1", "bool"),
    ("1 < 2", "bool"),
    ("1 && 2", "bool"),
    ("1 << 2u", "int"),
    ("1u << 2ll", "unsigned int"),
    ("(char)1 << 1", "int"),
    ("1 ? 1 : 2.0f", "float"),
    ("1 ? (char)1 : (char)2", "char"),
    ("1 ? (char)1 : 2", "int"),
    ("1, 2.0f", "float"),
    ("n / 2u", "unsigned int"),
    ("n * 1.5", "double"),
    ("c[0] * n", "float"),
    ("x - x", "long"),
    ("x + 1", "float*"),
    ("&x[0]", "float*"),
    ("&c[0]", "const float*"),
    ("&v[0].y", "float*"),
    ("sizeof(int)", "unsigned long"),
    ("threadIdx.x", "unsigned int"),
    ("blockDim.x * blockIdx.x + threadIdx.x", "unsigned int"),
    ("warpSize * 2", "int"),
    ("sqrt(1.0f)", "float"),
    ("copysign(1.0f, 1.0)", "double"),
    ("sqrt(1.0)", "double"),
    ("sqrtf(1)", "float"),
    ("pow(1.0f, 2)", "float"),
    ("pow(1.0, 2)", "double"),
    ("fmax(1.0f, 2)", "float"),
    ("max(1, 2u)", "unsigned int"),
    ("max(1.0f, 2.0)", "double"),
    ("min((char)1, (char)2)", "int"),
    ("min(1l, 2ul)", "unsigned long"),
    ("abs(-1.0f)", "float"),
    ("abs(-1l)", "long"),
    ("fabs(1.0f)", "float"),
    ("isnan(1.0f)", "int"),
    ("isinf(1.0)", "int"),
    ("rsqrt(1.0f)", "float"),
    ("lroundf(1.0f)", "long"),
    ("llrint(1.0)", "long long"),
    ("__popc(1)", "int"),
    ("__brev(1)", "unsigned int"),
    ("__float_as_int(1.0f)", "int"),
    ("__float2uint_rz(1.0f)", "unsigned int"),
    ("__ull2float_rn(1)", "float"),
    ("__shfl_sync(1, 1.0f, 0)", "float"),
    ("__shfl_sync(1, true, 0)", "int"),
    ("__shfl_down_sync(1, 1ll, 1)", "long long"),
    ("__ballot_sync(1, 1)", "unsigned int"),
    ("__any_sync(1, 1)", "int"),
    ("__activemask()", "unsigned int"),
    ("__syncthreads_count(1)", "int"),
    ("atomicAdd(p, 1)", "int"),
    ("atomicAdd(x, 1)", "float"),
    ("atomicCAS((unsigned long long*)p, 1, 2)", "unsigned long long"),
    ("__ldg(c)", "float"),
    ("__ldg((const float4*)c)", "float4"),
    ("make_int2(1, 2)", "int2"),
    ("make_int2(1, 2).x", "int"),
    ('printf("a")', "int"),
    ("__reduce_add_sync(1, 1u)", "unsigned int"),
    ("ldexp(1.0f, 2)", "float"),
    ("__fmaf_rn(1, 2, 3)", "float"),
    ("__dadd_rn(1, 2)", "double"),
    ("v[0].x + 1", "float"),
    ("int(2.5f)", "int"),
    ("(unsigned char)300 + 0", "int"),
    ("float(1) / 2", "float"),
    ("static_cast<short>(1)", "short"),
    ("u - n", "unsigned int"),
]

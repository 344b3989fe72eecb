// Whole texts.
/* here */

// right
__device__ void f(int* p) { *p = 1; } __device__ void g(int* p) { return f(p); } __global__ void k(int* p) { auto a{p[0]}; const auto b{a + 1}; p[1] = b; return g(p); }

// right


// right
template <class T> struct Box { T v; }; __global__ void k(float* x) { x[0] = Box<float>{3}.v + Box<Box<float>>{{x[1]}}.v.v; }

// right
template <typename T, typename U> __device__ T as(U x); template <> __device__ float as<float, int>(int x) { return x; } __global__ void k(float* x, int* p) { x[0] = as<float, int>(p[0]); }

// right
__global__ void k(float* x) { const float4* v = reinterpret_cast<const float4*>(__builtin_assume_aligned(x, 16)); x[0] = v[1].y; }

// right
struct A { typedef int kind; kind x; }; using B = A; __global__ void k(int* p) { B::kind y = p[0]; p[1] = y; }

// right
// nothing

// right
#include <type_traits>
__global__ void k(int* p) { std::aligned_storage<8, 8>::type a; std::aligned_storage_t<12, 16> b; static_assert(alignof(decltype(a)) == 8 && sizeof(b) == 16, ""); }

// right
#include <type_traits>
__device__ int f(std::bool_constant<true>) { return 1; }
__global__ void k(int* p) { p[0] = f(std::bool_constant<true>()); }

// right
__global__ void k(int* p) { for (int x : {1, 2, 4}) p[0] += x; for (auto& x : {1.5f, 2.f}) p[1] += x > 1.7f; }

// right
__global__ void k(void* p, int n) { *((decltype(n)*)(p)) = ULONG_MAX > 1 && INT8_MIN < 0; }

// right
#include <type_traits>
template <typename T> __device__ int f(T x) { if constexpr (std::is_same_v<T, unsigned>) return 1; if (std::is_same<T, int>::value) return 2; if (std::is_same<T, int>()) return 3; return 0; }
__global__ void k(int* p) { p[0] = f(p[1]) + f(1u); }

// right
template <typename T> __global__ void k(T* p) { std::conditional_t<std::is_integral_v<T>, int, float> x = p[0]; }

// right
#include <cuda/cmath>
__global__ void k(int* p) { p[0] = cuda::ceil_div(p[1], 4u) + cuda::round_up(p[2], 32); }

// right
#include <cuda_fp8.h>
__global__ void k(__nv_bfloat16* p) { p[0] = p[1]; }

// right
__global__ void k(int* p, int y0, int y1) { __builtin_assume(y0 > 0); p[0] = y0 < y1 ? 1 : __INT_MAX__; }

// right
struct Op { __device__ void operator()(float& x) { x += 1; } }; __global__ void k(float* x) { Op()(x[0]); }

// right
extern __constant__ float w[2]; __global__ void k(float* x) { x[0] = w[1]; } __constant__ float w[2];

// right
#include <algorithm>
#include <string.h>
#include <vector>
__global__ void k() { }

// right
#include <stdio.h>
#include <cuda_runtime.h>
#include "math.h"
__global__ void k() {}

// right
extern "C" { __global__ void a() {} __global__ void b() {} __device__ int g; }

// right
__device__ __forceinline__ float f(float x) { return x * x; } __global__ void k(float* x) { x[0] = f(x[1]); }

// right
static __inline__ __device__ int f(int x, int y = 2) { return x + y; } __global__ void k(int* p) { p[0] = f(1); }

// right
__host__ __device__ int f() { return 1; } __global__ void k(int* p) { p[0] = f(); }

// right
__device__ int f(int); __global__ void k(int* p) { p[0] = f(1); } __device__ int f(int a) { return a; }

// right
__device__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

// right
__device__ void swap(float& a, float& b) { float t = a; a = b; b = t; } __global__ void k(float* x) { swap(x[0], x[1]); float a = 1, b = 2; swap(a, b); }

// right
__device__ float f(const float& a) { return a; } __global__ void k(float* x) { x[0] = f(2) + f(x[1]); }

// right
__device__ float f(float (&a)[4]) { return a[3]; } __global__ void k(float* x) { float a[4] = {1}; x[0] = f(a); }

// right
__device__ float sum(const float a[], int n) { float s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; } __global__ void k(float* x) { float a[3] = {1, 2, 3}; x[0] = sum(a, 3) + sum(x, 2); }

// right
__device__ void f(float a[][4]) { a[1][2] = 3; } __global__ void k() { __shared__ float s[4][4]; f(s); }

// right
__device__ int f(int a) { return 1; } __device__ int f(float a) { return 2; } __global__ void k(int* p) { p[0] = f(1) + f(1.0f); }

// right
__device__ float atomicMax(float* a, float v) { int old = atomicMax((int*)a, __float_as_int(v)); return __int_as_float(old); } __global__ void k(float* x) { atomicMax(x, 1.0f); }

// right
__constant__ float w[2][2] = {{1, 2}, {3, 4}}; __constant__ int n = 3; __global__ void k(float* x) { x[0] = w[1][n]; }

// right
__device__ float table[256]; __device__ int count = 0; __global__ void k() { table[threadIdx.x] = 1; atomicAdd(&count, 1); }

// right
const int N = 4; constexpr float SCALE = 0.5f; __global__ void k(float* x) { float a[N] = {SCALE}; x[0] = a[N - 1]; }

// right
enum { WIDTH = 4, HEIGHT }; __global__ void k(float* x) { float a[WIDTH][HEIGHT]; a[0][0] = 1; x[0] = a[0][0]; }

// right
typedef unsigned int uint32; typedef float real; __global__ void k(real* x, uint32 n) { x[n] = (real)n; }

// right
// note 1:5: 'f' is compiled as __device__: write __device__ before it
// note 1:32: 'g' is compiled as __device__: write __device__ before it
// note 1:41: 'w' is compiled as __device__: write __device__ before it
// note 1:68: 'c' is compiled as __device__: write __device__ before it
int f(int a) { return a; } int g; float w[2] = {1, 2}; const float c[2] = {3, 4}; __global__ void k(float* x) { g = f(1); x[0] = w[1] + c[0]; }

// right
__global__ void __launch_bounds__(256) k(float* x) {}

// right
__launch_bounds__(128, 2) __global__ void k(float* x) {}

// right
__global__ __launch_bounds__(32 * 4) void k(const float* __restrict__ x, float *const y, volatile int* z) {}

// right
__shared__ int total; __device__ void f() { total = 1; } __global__ void k() { f(); __syncthreads(); }

// right
extern __shared__ float s[]; __global__ void k() { s[0] = 1; }

// right
__global__ void k(float2* a, double2* b, int4 c, uchar4* d, short2 e, ulonglong2* f) { a[0].x = c.w + e.y + d->z; }

// right
static __device__ inline void f() {} ; __global__ void k(void) { f(); }

// right
__global__ void k(int n, unsigned char* image, long long big, bool flag, char c, size_t bytes) {}

// right
__device__ void f(int n) { if (n > 0) f(n - 1); }

// right
__device__ float4 add(float4 a, float4 b) { return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); } __global__ void k(float4* v) { v[0] = add(v[1], v[2]); float y = add(v[0], v[1]).x; v[0].x = y; }

// right
struct I { char a; short b[3]; }; struct O { int c; I in; }; static_assert(sizeof(O) == 12); static_assert(alignof(double4) == 16 && alignof(float3) == 4 && alignof(char2) == 2 && alignof(short4) == 8); 

// right
static_assert(sizeof(float4) == 16, "size"); static_assert(3 > 2); __global__ void k() { static_assert(1, "a"); }

// right
__shared__ __align__(16) float s[64]; __global__ void k() { __shared__ alignas(16) float t[8]; t[0] = s[0] = 1; }

// right
__global__ void k(int *a, int n) { const int size = 2; __shared__ int s[size][size + 1]; s[1][2] = a[n]; }

// right
__host__ __device__ constexpr int ceil_div(int a, int b) { return (a + b - 1) / b; } __global__ void k(float* x) { __shared__ float s[ceil_div(70, 32)][8]; s[2][1] = 1; x[ceil_div(x[0], 4)] = 1; }

// right
// note 1:32: 'times' is compiled as __device__: write __device__ before it
template <int N> constexpr int times(int a) { return a * N; } __global__ void k(int* p) { p[0] = times<3>(2); }

// right
// note 1:149: 'lanes' is compiled as __device__: write __device__ before it
// note 1:149: 'lanes' is compiled as __device__: write __device__ before it
// note 1:467: 'less' is compiled as __device__: write __device__ before it
// note 1:518: 'less' is compiled as __device__: write __device__ before it
template <typename T> __host__ __device__ constexpr T ceil_div(T a, T b) { return (a + b - 1) / b; } template <typename T, int N = 2> constexpr int lanes() { return 16 / sizeof(T) * N; } template <int N> __device__ int own() { return N; } __global__ void k(float* x) { __shared__ float s[ceil_div(70, 32)]; float t[lanes<float>()]; t[0] = s[0] = 1; x[0] = s[0] + t[7] + own<lanes<double, 1>()>(); static_assert(lanes<float>() == 8); } template <int N> constexpr int less() { return N - 1; } template <> constexpr int less<0>() { return 0; } static_assert(less<3>() == 2 && less<0>() == 0);

// right
// note 1:43: 'p' is compiled as __device__: write __device__ before it
// note 1:75: 'f' is compiled as __device__: write __device__ before it
struct P { int a; float b; }; constexpr P p = {1, 2.5f}; constexpr float4 f = {1, 2, 3, 4}; __global__ void k(float* x) { constexpr P q{3, 4.0f}; constexpr int2 i = {5, 6}; constexpr auto t = [](int a) { return a; }; x[0] = p.b + q.a + f.z + i.y + t(2); }

// right
// note 1:15: 'log2' is compiled as __device__: write __device__ before it
constexpr int log2(int n) { return n < 2 ? 0 : 1 + log2(n / 2); } __global__ void k(int* p) { p[0] = log2(8); }

// right
template <typename T> __device__ T square(T x) { return x * x; } __global__ void k(float* x) { x[0] = square(x[1]) + square<double>(2) + square(3); }

// right
template <class T, int N = 2> __device__ __forceinline__ void fill(T* p, const T& v) { T own[N] = {v}; for (int i = 0; i < N; i++) p[i] = own[i]; } __global__ void k(float* x, int* p) { fill(x, 1.0f); fill<int, 4>(p, 2); __shared__ double s[8]; fill(s, 3.0); }

// right
template <unsigned int SIZE> __device__ void sum(volatile float* s, int t) { if (SIZE >= 64) s[t] += s[t + 32]; } __global__ void k() { __shared__ float s[128]; const int half = 64; sum<half * 2>(s, 0); sum<(half > 2)>(s, 1); }

// right
template <int N> __device__ int fact() { if constexpr (N < 2) return 1; else return N * fact<N - 1>(); } __global__ void k(int* p) { p[0] = fact<5>(); }

// right
template <bool relu> __device__ float act(float x) { if constexpr (relu) { return fmaxf(x, 0.0f); } return x; } __global__ void k(float* x) { x[0] = act<true>(x[1]) + act<false>(x[2]); }

// right
template <typename T> __device__ T max(T a, T b) { return a > b ? a : b; } __global__ void k(float* x) { x[0] = max(x[1], 2.0f) + max(1, 2); }

// right
template <typename T> __device__ T sum(T a) { return a; } template <typename T> __device__ T sum(T a, T b) { return sum(a) + sum(b); } __global__ void k(int* p) { p[0] = sum(1, 2) < sum(3); }

// right
template <typename T> __device__ T first(T* p) { T v = p[0]; return v; } __global__ void k(const float* c, float* x) { x[0] = first(c); }

// right
__device__ const float weights[3] = {0.25f, 0.5f, 0.25f}; __global__ void k(float* x) { x[0] = weights[1]; }

// right
template <typename T, int N = 4> __global__ void tile(T* x) { __shared__ T s[N]; s[0] = x[0]; x[0] = s[0] + N; }

// right
template <typename T> __device__ T f(T x) { return x; } template <> __device__ int f(int x) { return 2; } template <> __device__ float f<float>(float x) { return 3; } __global__ void k(float* x) { x[0] = f(1) + f(2.0f) + f(3.0); }

// right
namespace a { __device__ int f() { return 1; } namespace b { const int c = 2; } } namespace d = a; namespace { __device__ int g() { return 3; } } __global__ void k(int* p) { p[0] = a::f() + d::b::c + ::g(); }

// right
namespace a { __device__ int f() { return 1; } } using namespace a; __global__ void k(int* p) { p[0] = f(); }

// right
__global__ void k(uint* p, ushort n, uchar b, ulong c) { uint a = n + b + c; p[0] = a; }

// right
__global__ void k(float* x, int dim1, int dim3) { if (threadIdx.x < dim1 * dim3) x[0] = dim3; dim3 = 1; } __global__ void l(float* x) { dim3 a(1, 2); x[0] = a.y; { int uint = 3; x[1] = uint; } uint b = 3; x[2] = b; }

// right
typedef unsigned int u32; typedef unsigned int u32; using u32 = unsigned; __global__ void k(u32* p) { p[0] = 1; }

// right
static_assert(017 == 15 && 0x1F == 31 && 0b101 == 5 && '\n' == 10 && '\x41' == 65 && '\101' == 65 && '\33' == 27 && '\7' == 7 && '\xff' == -1 && 1'000 == 1000 && 0xFFul == 255); __global__ void k(int* p) { p[0] = '\\' + '\0'; }

// right
struct __align__(1) P1 { char c; }; static_assert(alignof(P1) == 1 && sizeof(P1) == 1); struct __align__(2) P2 { char c; }; static_assert(alignof(P2) == 2 && sizeof(P2) == 2); struct __align__(4) P4 { char c; }; static_assert(alignof(P4) == 4 && sizeof(P4) == 4); struct __align__(8) P8 { char c; }; static_assert(alignof(P8) == 8 && sizeof(P8) == 8); struct __align__(16) P16 { char c; }; static_assert(alignof(P16) == 16 && sizeof(P16) == 16); struct __align__(32) P32 { char c; }; static_assert(alignof(P32) == 32 && sizeof(P32) == 32); struct __align__(64) P64 { char c; }; static_assert(alignof(P64) == 64 && sizeof(P64) == 64); struct __align__(128) P128 { char c; }; static_assert(alignof(P128) == 128 && sizeof(P128) == 128); __global__ void k(int* p) { p[0] = 1; }

// right
typedef const float real; __global__ void k(real* x, float* y) { y[0] = x[0]; }

// right
// note 1:34: 'a' is compiled as __device__: write __device__ before it
// note 1:38: 'b' is compiled as __device__: write __device__ before it
__device__ float* p; static int *a, *b; __global__ void k(float* x) { x[0] = 1; }

// right
__global__ void k(float* x, float factor = 2.0f, int n = 3 + 4) { x[0] = factor * n; }

// right
__global__ void k(float* x, float4* v) { __stcs(x, __ldcs(x + 1)); __stcg(v, __ldcg(v + 1)); __stwb(x, 2.0f); __stwt(x + 2, 1.0f); x[3] = __ldlu(x); }

// right
__global__ void k(long long* p) { clock_t a = clock(); long long b = clock64(); __nanosleep(100); p[0] = a + b; }

// right
__global__ void k(int* p, unsigned* q) { atomicAdd_block(p, 1); atomicMax_system(p, 2); atomicCAS_block(q, 1u, 2u); }

// right
typedef float (*unary)(float); using binary = float (*)(float a, float); unary unused; __device__ float square(float x) { return x * x; } __device__ float twice(float x) { return 2 * x; } template <typename F> __device__ float apply(F f, float x) { return f(x) + 1; } template <unary F> __device__ float fixed(float x) { return F(x); } template <float (*F)(float)> __device__ float more(float x) { return apply(F, x); } __global__ void k(float* x) { auto f = square; x[0] = f(x[0]) + apply(f, 2.0f) + apply(twice, 1) + fixed<square>(3) + more<twice>(4); }

// right
typedef struct P { int x; } A, *B; __global__ void k(A* a, B b) { struct { A x, y; } c, d; c.x = a[0]; c.y = *b; d = c; a[0] = d.y; }

// right
template <typename T, int N> struct A { T x; __device__ A(T a) : x(a) {} }; template <typename T> __device__ T f(A<T, 2> a) { return a.x; } __global__ void k(float* x) { x[0] = f<float>(x[1]); }

// right
template <typename T, typename U> struct A { T x; U y; }; template <typename U> __device__ U f(A<int, U> a) { return a.y; } __global__ void k(A<int, float>* a) { a->y = f(*a); }

// right
template <typename T> struct A { int x; }; template <typename T> struct A<const T> { T y; }; template <typename T> struct A<T*> { T z; }; __global__ void k(A<const int>* a, A<int*>* b) { a->y = 1; b->z = 2; }

// right
struct S { int n; template <typename T> __device__ T get(T x) const { return x + n; } template <int K> static __device__ int twice() { return 2 * K; } }; __global__ void k(float* x) { S s = {2}; x[0] = s.get(x[1]); x[1] = s.get<int>(3) + S::twice<4>(); auto f = [](auto a, const auto& b) { return a + b; }; x[2] = f(x[0], 1); }

// right
template <typename T, int N> struct A { T x[N]; }; template <typename T> struct A<T, 1> { T y; }; template <typename T> struct A<T*, 2> { T z; }; __global__ void k(A<int, 2>* a, A<int, 1>* b, A<float*, 2>* c) { a->x[0] = b->y + c->z; }

// right
template <typename T> struct V { T x; }; template <typename T> using W = V<T>; template <int N> constexpr int twice = 2 * N; __global__ void k(W<int>* w) { decltype(w->x) y = twice<3>; w->x = y; }

// right
template <typename T> struct Sum { __device__ T operator()(const T& a, const T& b) const { return a + b; } }; template <template <typename> class Op, typename T> __device__ T both(T a, T b) { return Op<T>()(a, b); } __global__ void k(float* x) { x[0] = both<Sum, float>(x[1], x[2]); }

// right
struct N { int v; N* next; }; __global__ void k(N* a, int* o) { int s = 0; for (N* p = a; p != nullptr; p = p->next) s += p->v; o[0] = s; }

// right
struct A; struct B { A* a; int x; }; struct A { B b; }; __global__ void k(A* a) { a->b.a = a; a->b.a->b.x = 3; }

// right
struct O { struct I { float a; } i; I more[2]; enum Kind { X, Y } kind; }; __global__ void k(O* o) { O::I t = o->i; o->more[1] = t; o->kind = O::Y; if (o->kind == O::X) o->i.a = 1; }

// right
struct M { static __device__ float sq(float x) { return x * x; } static const int N = 3; static constexpr float PI = 3.14f; }; __global__ void k(float* o) { o[0] = M::sq(o[1]) + M::N * M::PI; float a[M::N]; a[0] = 1; o[2] = a[0]; }

// right
class V { float x; public: __device__ V(float); __device__ float get() const; __device__ V& set(float); }; __device__ V::V(float a) : x(a) {} __device__ float V::get() const { return x; } __device__ V& V::set(float a) { x = a; return *this; } __global__ void k(float* o) { V v(1); o[0] = v.set(3).set(4).get(); }

// right
struct V { float x, y, z; }; __host__ __device__ inline V operator+(const V& a, const V& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; } __device__ V operator-(const V& a) { return V{-a.x, -a.y, -a.z}; } __device__ bool operator==(V a, V b) { return a.x == b.x; } __device__ V& operator+=(V& a, V b) { a = a + b; return a; } __device__ V operator*(float s, V a) { return {s * a.x, s * a.y, s * a.z}; } __global__ void k(V* v) { v[0] = -(v[0] + v[1]) + 2.f * v[2]; v[1] += v[0]; if (v[0] == v[1]) v[2].x = 1; }

// right
template <typename T> struct C { T re, im; __device__ C(T a, T b) : re(a), im(b) {} __device__ C operator+(const C& o) const { return C(re + o.re, im + o.im); } }; template <typename T> __device__ C<T> operator*(const C<T>& a, const C<T>& b) { return C<T>(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re); } __global__ void k(C<float>* c) { c[0] = c[0] * c[1] + c[2]; }

// right
struct Add { __device__ float operator()(float a, float b) const { return a + b; } }; struct Mul { __device__ float operator()(float a, float b) const { return a * b; } }; template <typename Op> __device__ float red(float* x, int n, Op op) { float s = x[0]; for (int i = 1; i < n; i++) s = op(s, x[i]); return s; } template <class Op> __device__ float red2(float* x, int n) { Op op; return op(x[0], x[1]) + Op()(x[0], x[1]); } __global__ void k(float* x) { x[0] = red(x, 3, Add()) + red(x, 3, Mul{}) + red2<Add>(x, 2); }

// right
template <typename T> struct Tr { typedef float acc; static const int w = 1; }; template <> struct Tr<int> { typedef long long acc; static const int w = 2; }; template <typename T> __device__ typename Tr<T>::acc sum(T* x) { typename Tr<T>::acc s = 0; for (int i = 0; i < Tr<T>::w; i++) s += x[i]; return s; } __global__ void k(int* a, float* b) { a[0] = sum(a); b[0] = sum(b); }

// right
template <class T> struct SharedMemory { __device__ inline operator T*() { extern __shared__ int __smem[]; return (T*)__smem; } __device__ inline operator const T*() const { extern __shared__ int __smem[]; return (T*)__smem; } }; template <> struct SharedMemory<double> { __device__ inline operator double*() { extern __shared__ double __smem_d[]; return (double*)__smem_d; } }; template <class T> __device__ void f(T* g) { T* s = SharedMemory<T>(); s[threadIdx.x] = g[threadIdx.x]; __syncthreads(); g[threadIdx.x] = s[31 - threadIdx.x]; } __global__ void k(float* g, double* d) { f(g); } __global__ void k2(double* d) { f(d); }

// right
union U { float f; unsigned u; struct { unsigned short lo, hi; } h; }; __global__ void k(float* x) { U a; a.f = x[0]; a.u ^= 0x80000000; a.h.lo = 0; x[0] = a.f; U b = {2.0f}; x[1] = b.f; }

// right
struct M { float m[3][3]; __device__ float* operator[](int r) { return m[r]; } }; __global__ void k(M* a) { M r = {}; for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) for (int q = 0; q < 3; q++) r[i][j] += a->m[i][q] * a->m[q][j]; *a = r; }

// right
__constant__ struct { float w[5]; int n; } filt; struct P { int a; float b; }; __constant__ P tab[] = {{1, 2.f}, {3, 4.f}}; __device__ P dev[4]; __global__ void k(float* x) { x[0] = filt.w[threadIdx.x] + tab[1].b + sizeof(tab) / sizeof(tab[0]); dev[0].a++; atomicAdd(&dev[1].a, 1); }

// right
struct S { int count; float sum; }; __global__ void k(S* s, float* x) { atomicAdd(&s->count, 1); atomicAdd(&s->sum, x[threadIdx.x]); }

// right
struct P { double a; char c; }; __global__ void k(P* p, int n) { P* e = p + n; for (P* q = p; q < e; ++q) q->a = q - p; p[0].c = (e - p) == n; }

// right
struct P { float x; }; __global__ void k(P* p) { auto& q = p[1]; q.x = 2; const auto& r = p[2]; auto s = r; s.x += 1; p[3] = s; auto* t = &p[4]; t->x = 1; (*t).x++; }

// right
struct V { float x = 1, y = 2; int k{7}; }; __global__ void k(float* o) { V a; V b{3}; V c = {}; o[0] = a.x + b.x + b.y + c.k; V d[2]; o[1] = d[1].y; }

// right
enum class Op { Add, Mul = 5 }; enum Plain { P, Q }; __device__ float ap(Op o, float a, float b) { switch (o) { case Op::Add: return a + b; case Op::Mul: return a * b; default: return 0; } } __global__ void k(float* x, Plain p) { x[0] = ap(Op::Mul, x[1], x[2]) + static_cast<int>(Op::Mul) + (p == Q); Op o = (Op)0; if (o == Op::Add) x[1] = 1; }

// right
struct R { float3 o, d; __device__ R(float3 a, float3 b) : o(a), d(b) {} __device__ R(float3 a) : R(a, make_float3(0, 0, 1)) {} __device__ float3 at(float t) const { return make_float3(o.x + t * d.x, o.y + t * d.y, o.z + t * d.z); } }; __global__ void k(float3* p) { R r(p[0]); p[1] = r.at(2.0f); p[2] = R(p[0], p[1]).at(1); }

// right
__global__ void k(float* x) { struct L { float a; int b; }; L l = {x[0], 2}; L m = l; x[1] = m.a * m.b; }

// right
namespace g { struct P { float x; }; namespace d { __device__ float f(P p) { return p.x; } } template <typename T> struct W { T v; }; } using g::P; __global__ void k(g::P* p, g::W<int>* w) { p[0].x = g::d::f(p[1]) + w->v; }

// right
struct P { float x, y; }; __global__ void k(P* p, bool b) { P q = b ? p[0] : p[1]; p[2] = q.x > 0 ? q : P{1, 2}; (threadIdx.x ? p[3] : p[4]) = q; }

// right
__global__ void k(float* x, int n) { auto sq = [](float a) { return a * a; }; float c = 3; auto add = [=](float a) -> float { return a + c + n; }; auto acc = [&](float a) { c += a; }; acc(2); x[0] = sq(x[1]) + add(1) + c; auto h = [&x](int i) { return x[i]; }; x[2] = h(1); }

// right
// note 1:33: 'A::n' is compiled as __device__: write __device__ before it
struct A { static int n; }; int A::n = 3; __global__ void k(int* x) { x[0] = 1; }

// right
template <typename T> __device__ void swp(T& a, T& b) { T t = a; a = b; b = t; } struct P { int k; float v; }; __global__ void k(P* p) { swp(p[0], p[1]); __shared__ P s[4]; s[threadIdx.x] = p[threadIdx.x]; __syncthreads(); if (threadIdx.x == 0) swp(s[0], s[1]); }

// right
struct A { float d[64]; }; __global__ void k(A* a) { A t = a[0]; a[1] = t; }

// right
struct A { char c; double d; short s; }; static_assert(sizeof(A) == 24, "x"); static_assert(alignof(A) == 8, ""); __global__ void k(int* x) { A a; x[1] = sizeof(a.d) + sizeof a; }

// right
struct A { int x; __device__ int twice() { return helper(x); } __device__ int helper(int a) { return 2 * a; } }; __global__ void k(A* a) { a->x = a->twice(); }

// right
struct __builtin_align__(8) P { float a, b; }; __global__ void k(P* p) { p[0] = p[1]; }

// right
struct P { float x; __device__ void set(float x) { this->x = x; } }; __global__ void k(P* p) { p->set(3); p[1].set(2); P q; q.set(1); p[2] = q; }

// right
struct P { float x; __device__ const float& get() const { return x; } __device__ float& get() { return x; } }; __device__ float f(const P& p) { return p.get(); } __global__ void k(P* p) { p->get() = f(*p) + 1; }

// right
struct P { volatile int flag; int v; }; __global__ void k(volatile P* p) { while (p->flag == 0); p->v = 1; }

// right
struct P { float x; __device__ P() {} __device__ P(const P& o) { x = o.x; } __device__ P& operator=(const P& o) { x = o.x; return *this; } }; __global__ void k(P* p) { P q(p[0]); P r = q; p[1] = r; __shared__ P s[2]; s[0] = r; }

// right
__global__ void k(float4* p) { float4 a{1, 2, 3, 4}; float2 b = {1, 2}; p[0] = a; p[1] = float4{b.x, b.y, 0, 1}; int3 c = {}; p[2].x = c.y; }

// right
typedef struct node { int v; struct node* next; } node_t; __global__ void k(node_t* n, struct node* m) { n->next = m; n->next->v = 1; }

// right
template <int N> struct Fact { static const int v = N * Fact<N - 1>::v; }; template <> struct Fact<0> { static const int v = 1; }; __global__ void k(int* x) { x[0] = Fact<5>::v; }

// right
template <int N> struct Log { enum { v = 1 + Log<N / 2>::v }; }; template <> struct Log<1> { enum { v = 0 }; }; __global__ void k(int* x) { x[0] = Log<32>::v; }

// right
class V { float x; public: __device__ V(float a) : x(a) {} friend __device__ V operator+(const V& a, const V& b) { return V(a.x + b.x); } __device__ float g() const { return x; } }; __global__ void k(float* o) { o[0] = (V(1) + V(2)).g(); }

// right
// note 1:95: 'sq' is compiled as __device__: write __device__ before it
struct D { int r, c; __device__ constexpr int size() const { return r * c; } }; constexpr int sq(int x) { return x * x; } __global__ void k(int* o) { D d{2, 3}; o[0] = d.size(); int a[sq(3)]; a[0] = 1; o[1] = a[0]; }

// right
inline __device__ float dot(float3 a, float3 b) { return a.x*b.x+a.y*b.y+a.z*b.z; } inline __device__ float3 operator/(float3 a, float b) { return make_float3(a.x/b, a.y/b, a.z/b); } inline __device__ void operator*=(float3& a, float b) { a.x *= b; } inline __device__ float3 normalize(float3 v) { float inv = rsqrtf(dot(v, v)); v *= inv; return v; } __global__ void k(float3* p) { p[0] = normalize(p[1]) / 2.0f; p[2] *= 3; }

// right
struct T { float t[4][8]; }; __global__ void k(T* p) { float (*row)[8] = p->t; row[1][2] = 3; float* f = p->t[2]; f[1] = 1; float* g = &p->t[0][0]; g[31] = 2; }

// right
struct P { float x; }; struct A { float y; __device__ operator P() const { P p; p.x = y; return p; } }; __device__ float f(P p) { return p.x; } __global__ void k(float* o) { A a; a.y = 3; P p(a), r = a, s = P(a), t = (P)a, v[2] = {a}; p = a; o[0] = p.x + r.x + s.x + t.x + v[0].x + f(a) + static_cast<P>(a).x; }

// right
struct P { float x; __device__ P() = default; __device__ P(float a) : x(a) {} __device__ P(int) = delete; P(const P&) = delete; __device__ P& operator=(const P&) = delete; __device__ float f(int) = delete; __device__ float f(float a) { return a; } }; __global__ void k(float* o) { P p, q(2.0f); p.x = 1; o[0] = q.x + p.f(1.0f); }

// right
template <typename T> struct W { static const int n = sizeof(T); typedef T t; __device__ static constexpr int f() { return 3; } }; template <typename T, int N> struct A { T x[N]; }; template <typename T, int N> __device__ void g(T* x) { x[0] = N; } template <typename T> __device__ void h(T* x) { g<T, W<T>::n>(x); g<T, W<T>::n * 2>(x); g<T, 1 + W<T>::n>(x); g<T, W<T>::n & 4>(x); g<T, W<T>::n == 4 ? 1 : 2>(x); g<T, (W<T>::n > 3)>(x); g<T, W<T>::f()>(x); A<T, W<T>::n * (2 + 1)> a; a.x[0] = (W<T>::n + 1) * 2 + (W<T>::n * 3) + (W<T>::n >> 1) + W<T>::n; x[0] = a.x[0]; } __global__ void k(float* x) { h(x); g<W<float>::t, 2>(x); A<W<float>::t*, 3> c; c.x[0] = x; x = c.x[0]; x[1] = (W<float>::t)3 + *(W<float>::t*)x; float t[(W<float>::n + 3) / 4]; t[0] = 1; if ((W<float>::n & 3) == 0) x[1] = t[0]; }

// right
template <typename T> struct W { static const int n = sizeof(T); typedef T t; }; template <typename T, int N> __device__ int g() { return sizeof(T) + N; } const int m = 2; __global__ void k(int* p) { p[0] = g<W<int>::t* const, W<int>::n * m>() + g<int, W<int>::n * (m + 1)>() + g<int, W<int>::n & m>(); int* q = (W<int>::t* const)p; q[1] = 2; }

// right
struct P { int a; int b; }; __global__ void k(P* p) { P x, y; x.a = 1, y.b = 2; x.b = y.a = 4; p[0] = x; p[1].a = (y = x).b; }

// error 1:15: 'f' is a function of the host
// hint: write __device__ before it
__host__ void f() {}

// error 1:12: a kernel must return void, but 'f' returns 'int'
// hint: write results to an array that is passed as an argument
__global__ int f() { return 1; }

// error 1:23: 'f' returns void, so return takes no value
// hint: change its return type
__device__ void f() { return 1; }

// error 1:38: return value of 'f': cannot convert 'int*' to 'float*'
// hint: should both be float*? (float*)p reads the same memory as another type
__device__ float* f(int* p) { return p; }

// error 1:40: 'f' has a body already
// hint: remove one of the two
__device__ void f() {} __device__ void f() {}

// error 1:43: 'f' returned 'int' in its first declaration
// hint: both must agree
__device__ int f(int a); __device__ float f(int a) { return a; }

// error 1:51: 'f' takes 1 argument, but 0 given
// hint: its parameters are (int a)
__device__ void f(int a) {} __global__ void k() { f(); }

// error 1:59: argument 1 ('a') of f: cannot convert 'int*' to 'int'
// hint: a value is needed, but this is a pointer: index it with [i] or *
__device__ void f(int a) {} __global__ void k(int* p) { f(p); }

// error 1:54: argument 1 ('a') of f is a reference and needs a variable of type int
// hint: pass a variable
__device__ void f(int& a) {} __global__ void k() { f(3); }

// error 1:24: parameter 'a' cannot be void
// hint: write a type such as float*
__device__ void f(void a) {}

// error 1:30: 'a' is already declared here
// hint: choose another name, or remove one of the two
__device__ void f(int a, int a) {}

// error 1:98: extern __shared__ 's' was 'int[]' in line 1, here 'float[]'
// hint: choose another name: one name has one type in a text
__global__ void a() { extern __shared__ int s[]; } __global__ void b() { extern __shared__ float s[]; }

// error 1:17: 'true' is a word of the language and cannot be a name
// hint: rename it
__global__ void true() {}

// error 1:30: __shared__ does not go with a parameter
// hint: remove it
__global__ void k(__shared__ int* p) {}

// error 1:19: __restrict__ does not stand here
// hint: write it behind the *: int* __restrict__ x
__global__ void k(__restrict__ int* p) {}

// error 1:45: 'g' is __constant__: kernels can only read it
// hint: write it from Python, or declare it __device__
__constant__ int g; __global__ void k() { g = 1; }

// error 1:20: undeclared function 'f'
// hint: declare it before its first use; one that stands in another cell is not seen here: copy it
__device__ int g = f(); __global__ void k() { }

// error 1:30: too many values for 'int[2]'
// hint: remove the surplus, or make the array larger
__device__ int a[2] = {1, 2, 3};

// error 1:39: the initial value of 'b' must be known when the kernel is compiled
// hint: use numbers, or write it from Python
__device__ int a; __device__ int2 b = make_int2(a, 2);

// error 1:36: 'g' is already declared here
// hint: choose another name, or remove one of the two
__device__ int g; __device__ float g;

// error 1:1: unknown type '_global_'
// hint: did you mean '__global__'?
_global_ void k() {}

// error 1:1: unknown type 'global'
// hint: did you mean '__global__'?
global void k() {}

// error 1:12: unknown type 'k'
// hint: write a type such as int or float*
__global__ k() {}

// error 1:26: undeclared name 'n'
// hint: declare it before its first use: int n = ..., or float for fractions
__global__ void k(int) { n = 1; }

// error 1:25: expected the body of 'k' at the end of the text
// hint: write { ... } after the parameters
__global__ void k(int n) 

// error 1:24: expected ',' before '{'
// hint: separate parameters by , and close the list with )
__global__ void k(int n { }

// error 1:19: unknown type 'flaot'
// hint: did you mean 'float'?
__global__ void k(flaot* x) { }

// error 1:21: this { is never closed
// hint: add the missing }
__global__ void k() { 

// error 1:1: unknown type 'x'
// hint: write a type such as int or float*
x = 3;

// error 1:30: \x in a text has no meaning
// hint: write \\ for the character \
__global__ void f() { printf("\x"); }

// error 1:1: expected a declaration before '3'
// hint: outside of functions there can only be declarations
3;

// error 1:12: this { is never closed
// hint: add the missing }
extern "C" { __global__ void k() {}

// error 1:8: unknown language "D"
// hint: write extern "C"
extern "D" __global__ void k() {}

// error 1:1: static_assert failed: odd int
static_assert(sizeof(int) == 5, "odd int");

// error 1:11: 'A' is already declared here
// hint: choose another name, or remove one of the two
enum { A, A };

// error 1:14: a template cannot be extern "C"
// hint: move it out of the extern "C" braces
extern "C" { template <int N> __device__ int f(int x) { return x; } }

// error 1:84: 'T' of f cannot be 'int' and 'float' at once
// hint: convert an argument, or write f<float>(...)
template <typename T> __device__ T f(T a, T b) { return a; } __global__ void k() { f(1, 2.0f); }

// error 1:82: what 'N' of f is cannot be told from the arguments
// hint: write f<...>(...)
template <int N> __device__ int f(int a) { return a + N; } __global__ void k() { f(1); }

// error 1:84: 'N' stands for a value
// hint: write template arguments in the order of the template's parameters
template <int N> __device__ int f(int a) { return a + N; } __global__ void k() { f<float>(1); }

// error 1:78: 'f' takes 1 argument, but 2 given
// hint: its parameters are (a)
template <class T> __device__ int f(T a) { return a; } __global__ void k() { f(1, 2); }

// error 1:78: the template 'f' has 1 parameter(s), but 2 arguments given in <...>
// hint: remove the surplus
template <class T> __device__ int f(T a) { return a; } __global__ void k() { f<int, int>(1); }

// error 1:80: 'T' stands for a type
// hint: write template arguments in the order of the template's parameters
template <class T> __device__ int f(T a) { return a; } __global__ void k() { f<3>(1); }

// error 1:89: the value of 'N' must be known when the kernel is compiled
// hint: use a number, a #define, or const int with a constant value
template <int N> __device__ int f(int a) { return a + N; } __global__ void k(int n) { f<n>(1); }

// error 1:51: '%' needs integers, but this is 'float'
// hint: of whole numbers: keep both int; of floats: fmodf(a, b)
template <class T> __device__ T f(T a) { return a % 2; } __global__ void k(float* x) { x[0] = f(x[1]); }

// error 1:44: the condition of if constexpr must be known when the kernel is compiled
// hint: write if, without constexpr
__global__ void k(int n) { if constexpr (n > 0) n = 1; }

// error 1:46: only variables and elements of arrays can be changed, not a value
// hint: did you mean == instead of =?
constexpr int a = 3; __global__ void k() { a = 4; }

// error 1:43: 'a' has no value: this divides by zero
// hint: check the numbers that it is made of
__global__ void k() { constexpr int a = 8 / (3 - 3); }

// error 1:58: the size of an array has no value: this divides by zero
// hint: check the numbers that it is made of
constexpr int a = 0; __global__ void k() { float x[2 + 4 % a]; }

// error 1:94: the value of 'N' has no value: this divides by zero
// hint: check the numbers that it is made of
template <int N> __device__ int f() { return 4 / N; } __global__ void k(int* p) { p[0] = f<1 / 0>(); }

// error 1:35: 'k' cannot be extern "C" and static at once
// hint: remove static: the host must find the kernel by its name
extern "C" static __global__ void k() {}

// error 1:30: 'a' is already declared here
// hint: choose another name, or remove one of the two
typedef int a; typedef float a;

// error 1:84: 'f' has other types here than its template would have
// hint: write the types that follow from the template arguments
template <typename T> __device__ T f(T x) { return x; } template <> __device__ int f(float x) { return 0; }

// error 1:28: 'f' is no template
// hint: remove template <>
template <> __device__ int f(float x) { return 0; }

// error 1:94: undeclared name 'N'
// hint: write #define N and its value above the kernel, or int N = ... before its first use
template <int N> __device__ int f() { return N; } template <> __device__ int f<3>() { return N; }

// error 1:35: default value of 'b': cannot convert 'int' to 'int*'
// hint: a pointer is needed, but this is a value: is an index missing, p[i]? The address of a variable is &x
__global__ void k(int a, int* b = 3) {}

// error 1:31: unknown type 'dim3'
// hint: write a type such as int or float*
__global__ void k(int dim3) { dim3 x; }

// error 3:28: expected ';' before 'A'
// hint: end the declaration with ;
#define A A B
#define B A
__global__ void k() { int A; }

// error 3:3: expected a declaration before ']'
// hint: outside of functions there can only be declarations
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
  ] int n;

// error 1:16: 'cooperative_groups' is not known without its header
// hint: write #include <cooperative_groups.h> above
namespace cg = cooperative_groups;

// error 2:69: 'cooperative_groups::reduce' is not known without its header
// hint: write #include <cooperative_groups/reduce.h> above
#include <cooperative_groups.h>
namespace cg = cooperative_groups; __global__ void k(int* p) { *p = cg::reduce(cg::coalesced_threads(), *p, cg::plus<int>()); }

// error 1:23: 'cuda::pipeline' is not known without its header
// hint: write #include <cuda/pipeline> above
__global__ void k() { cuda::pipeline<cuda::thread_scope_thread> p; }

// error 1:19: 'cuComplex' is not known without its header
// hint: write #include <cuComplex.h> above
__global__ void k(cuComplex* z) { }

// error 1:54: unknown type 'flaot'
// hint: did you mean 'float'?
__global__ void k(int* p) { p[0] = *reinterpret_cast<flaot*>(p); }

// error 1:76: '+' does not work on 'f'
// hint: call the function: f(...)
__device__ int f(int a) { return a; } __global__ void k(int* p) { p[0] = f + 1; }

// error 1:74: assignment: cannot convert 'f' to 'int'
// hint: the types must agree
__device__ int f(int a) { return a; } __global__ void k(int* p) { p[0] = f; }

// error 1:99: 'F' stands for a function
// hint: write the name of a __device__ function
template <int (*F)(int)> __device__ int g() { return F(1); } __global__ void k(int* p) { p[0] = g<3>(); }

// error 1:53: 'P' has no member 'y'
// hint: it has x
struct P { float x; }; __global__ void k(P* p) { p->y = 1; }

// error 1:52: 'P*' has no field 'x'
// hint: write [i].x, or ->x for the first
struct P { float x; }; __global__ void k(P* p) { p.x = 1; }

// error 1:62: '+' does not work on 'P'
// hint: compute with its members, or write an operator+ for it
struct P { float x; }; __global__ void k(P* p) { p[0] = p[1] + p[2]; }

// error 1:66: assignment: cannot convert 'float' to 'P'
// hint: the types must agree
struct P { float x; }; __global__ void k(P* p, float y) { p[0] = y; }

// error 1:87: assignment: cannot convert 'Q' to 'P'
// hint: the types must agree
struct P { float x; }; struct Q { float x; }; __global__ void k(P* p, Q* q) { p[0] = q[0]; }

// error 1:27: 'x' is already declared here
// hint: choose another name
struct P { float x; float x; };

// error 1:22: expected ';' before '__global__'
// hint: end the struct with ;
struct P { float x; } __global__ void k(P* p) { p[0].x = 1; }

// error 1:17: a member cannot be 'void'
// hint: write a type with a known size
struct P { void x; };

// error 1:40: 'P' is declared, but what is in it is not known here
// hint: define it before its first use
struct P; __global__ void k(P* p) { p->x = 1; }

// error 1:46: 'P' is declared, but what is in it is not known here
// hint: define it before its first use
struct P; __global__ void k(int* p) { p[0] = sizeof(P); }

// error 1:46: 'P' is declared, but what is in it is not known here
// hint: define it before its first use
struct P; __global__ void k() { __shared__ P s[4]; }

// error 1:14: 'P' is declared, but what is in it is not known here
// hint: define it before its first use
struct P { P next; };

// error 1:22: 'P' is already declared here
// hint: choose another name
struct P { int x; }; struct P { int y; };

// error 1:58: too many values for 'P'
// hint: remove the surplus
struct P { int x; }; __global__ void k(P* p) { P q = {1, 2}; p[0] = q; }

// error 1:55: members by name, {.x = ...}, are C++20
// hint: write the values in the order of the struct, or compile with -std=c++20
struct P { int x; }; __global__ void k(P* p) { P q = {.x = 2}; p[0] = q; }

// error 1:53: a condition cannot be of type 'P'
// hint: compare it with something
struct P { int x; }; __global__ void k(P* p) { if (p[0]) p[0].x = 1; }

// error 1:70: this is const and cannot be changed
// hint: if it is an input, store the result elsewhere; else remove const from its declaration
struct P { int x; }; __global__ void k(P* p) { const P q = p[0]; q.x = 1; }

// error 1:59: this is const and cannot be changed
// hint: if it is an input, store the result elsewhere; else remove const from its declaration
struct P { int x; }; __global__ void k(const P* p) { p->x = 1; }

// error 1:56: 'x' is const and cannot be changed
// hint: if it is an input, store the result elsewhere; else remove const from its declaration
struct P { int x; __device__ void set(int a) const { x = a; } }; __global__ void k(P* p) { p->set(1); }

// error 1:95: 'P::set' may change its object, which is const here
// hint: write const behind the parameters of the function
struct P { int x; __device__ void set(int a) { x = a; } }; __global__ void k(const P* p) { p->set(1); }

// error 1:86: 'P::get' takes 0 arguments, but 1 given
// hint: its parameters are ()
struct P { int x; __device__ int get() { return x; } }; __global__ void k(P* p) { p->get(1); }

// error 1:86: 'P' has no member 'got'
// hint: it has x, get
struct P { int x; __device__ int get() { return x; } }; __global__ void k(P* p) { p->got(); }

// error 1:95: 'get' of 'P' is no value
// hint: call it: .get(...)
struct P { int x; __device__ int get() { return x; } }; __global__ void k(P* p) { p[0].x = p->get; }

// error 1:80: 'P' has no constructor without arguments
// hint: write P name(a, b, ...);
struct P { int x; __device__ P(int a) : x(a) {} }; __global__ void k(P* p) { P q; p[0] = q; }

// error 1:81: 'P::P' takes 1 argument, but 2 given
// hint: its parameters are (int a)
struct P { int x; __device__ P(int a) : x(a) {} }; __global__ void k(P* p) { P q(1, 2); p[0] = q; }

// error 1:41: 'P' has no member 'y'
// hint: write the name of a member
struct P { int x; __device__ P(int a) : y(a) {} };

// error 1:91: 'P' has no constructor without arguments
// hint: write P name(a, b, ...);
struct P { int x; __device__ P(int a) : x(a) {} }; __global__ void k(P* p) { __shared__ P s[4]; p[0] = s[0]; }

// error 1:68: this is const and cannot be changed
// hint: if it is an input, store the result elsewhere; else remove const from its declaration
struct A { const int n; float x; }; __global__ void k(A* a) { a->n = 3; }

// error 1:65: 'n' of 'A' is private
// hint: use a public function of it, or write public: before it
class A { int n; public: int m; }; __global__ void k(A* a) { a->n = 3; }

// error 1:96: assignment: cannot convert 'float' to 'V'
// hint: the types must agree
struct V { float x; __device__ explicit V(float a) : x(a) {} }; __global__ void k(V* v) { *v = 3.0f; }

// error 1:56: undeclared name 'A'
// hint: write its full name, E::A
enum class E { A }; __global__ void k(int* p) { p[0] = A; }

// error 1:13: 'A' is already declared here
// hint: choose another name, or remove one of the two
enum E { A, A };

// error 1:60: what 'T' of V is, is not said
// hint: write V<...>
template <typename T> struct V { T x; }; __global__ void k(V* v) { }

// error 1:62: 'T' stands for a type
// hint: write template arguments in the order of the template's parameters
template <typename T> struct V { T x; }; __global__ void k(V<3>* v) { }

// error 1:70: what 'N' of V is, is not said
// hint: write V<...>
template <typename T, int N> struct V { T x[N]; }; __global__ void k(V<int>* v) { }

// error 1:34: 'A' is no template
// hint: remove template <>
struct A { int x; }; template <> struct A<int> { int y; };

// error 1:70: 'lambda in line 1::operator()' takes 1 argument, but 2 given
// hint: its parameters are (int a)
__global__ void k(int* p) { auto f = [](int a) { return a; }; p[0] = f(1, 2); }

// error 1:72: undeclared name 'n'
// hint: write [=] for a lambda that has a copy of the variables outside, or [&]
__global__ void k(int* p) { int n = 2; auto f = [](int a) { return a + n; }; p[0] = f(1); }

// error 1:64: 'n' is const and cannot be changed
// hint: if it is an input, store the result elsewhere; else remove const from its declaration
__global__ void k(int* p) { int n = 2; auto f = [=](int a) { n = a; return a; }; p[0] = f(1); }

// error 1:18: 3 is no alignment
// hint: use 4, 8 or 16
struct __align__(3) P { int x; };

// error 1:29: 'p' is not a function
// hint: if a product is meant, write * before the bracket
__global__ void k(int* p) { p(1); }

// error 1:41: return value of 'f' is a reference and needs a variable of type 'int'
// hint: return the value: remove the &
__device__ int& f() { int x = 1; return 2; }

// error 1:107: '+' does not work on 'P'
// hint: compute with its members, or write an operator+ for it
struct P { int x; }; __device__ P operator+(P a, P b) { return a; } __global__ void k(P* p) { p[0] = p[0] + 1; }

// error 1:74: undeclared name 'P::M'
// hint: declare it before its first use: int P::M = ..., or float for fractions
struct P { static const int N = 2; }; __global__ void k(int* p) { p[0] = P::M; }

// error 2:5: value in the list: cannot convert 'A' to 'float'
// hint: the types must agree
struct P { float x; }; struct A { float y; __device__ operator P() const { P p; p.x = y; return p; } }; __global__ void k(float* o) { A a; a.y = 1;
P p{a}; }

// error 2:8: value in the list: cannot convert 'A' to 'float'
// hint: the types must agree
struct P { float x; }; struct A { float y; __device__ operator P() const { P p; p.x = y; return p; } }; __global__ void k(float* o) { A a; a.y = 1;
P p = {a}; }

// error 2:12: value in the list: cannot convert 'A' to 'float'
// hint: the types must agree
struct P { float x; }; struct A { float y; __device__ operator P() const { P p; p.x = y; return p; } }; __global__ void k(float* o) { A a; a.y = 1;
P p[1] = {{a}}; }

// error 2:10: value in the list: cannot convert 'A' to 'float'
// hint: the types must agree
struct P { float x; }; struct A { float y; __device__ operator P() const { P p; p.x = y; return p; } }; __global__ void k(float* o) { A a; a.y = 1;
o[0] = P{a}.x; }

// error 3:3: 'P::P' is deleted in line 1: nobody may call it
// hint: call another one, or write it without = delete
struct P { float x; __device__ P(float a) : x(a) {} __device__ P() = delete; __device__ P(int) = delete; __device__ P& operator=(const P&) = delete; __device__ float f(int) = delete; __device__ float f(float a) { return a; } };
__global__ void k(float* o) { P p(2.0f), q(3.0f);
P r; o[0] = p.x + q.x; }

// error 3:4: 'P::P' is deleted in line 1: nobody may call it
// hint: call another one, or write it without = delete
struct P { float x; __device__ P(float a) : x(a) {} __device__ P() = delete; __device__ P(int) = delete; __device__ P& operator=(const P&) = delete; __device__ float f(int) = delete; __device__ float f(float a) { return a; } };
__global__ void k(float* o) { P p(2.0f), q(3.0f);
P r(1); o[0] = p.x + q.x; }

// error 3:3: 'P::operator=' is deleted in line 1: nobody may call it
// hint: call another one, or write it without = delete
struct P { float x; __device__ P(float a) : x(a) {} __device__ P() = delete; __device__ P(int) = delete; __device__ P& operator=(const P&) = delete; __device__ float f(int) = delete; __device__ float f(float a) { return a; } };
__global__ void k(float* o) { P p(2.0f), q(3.0f);
p = q; o[0] = p.x + q.x; }

// error 3:10: 'P::f' is deleted in line 1: nobody may call it
// hint: call another one, or write it without = delete
struct P { float x; __device__ P(float a) : x(a) {} __device__ P() = delete; __device__ P(int) = delete; __device__ P& operator=(const P&) = delete; __device__ float f(int) = delete; __device__ float f(float a) { return a; } };
__global__ void k(float* o) { P p(2.0f), q(3.0f);
o[1] = p.f(1); o[0] = p.x + q.x; }

// error 1:68: 'f' is deleted in line 1: nobody may call it
// hint: call another one, or write it without = delete
__device__ int f(int) = delete; __global__ void k(int* p) { p[0] = f(1); }

// error 2:46: 'N' stands for a value
// hint: write template arguments in the order of the template's parameters
template <typename T> struct W { typedef T t; static const int n = 3; }; template <int N> __device__ int g() { return N; }
__global__ void k(int* x) { x[0] = g<W<int>::t>(); }

// error 2:46: 'N' stands for a value
// hint: write template arguments in the order of the template's parameters
template <typename T> struct W { typedef T t; static const int n = 3; }; template <int N> __device__ int g() { return N; }
__global__ void k(int* x) { x[0] = g<W<int>::t*>(); }

// error 2:46: 'N' stands for a value
// hint: write template arguments in the order of the template's parameters
template <typename T> struct W { typedef T t; static const int n = 3; }; template <int N> __device__ int g() { return N; }
__global__ void k(int* x) { x[0] = g<W<int>::n*>(); }

// error 1:66: too many values for 'U'
// hint: remove the surplus
union U { int i; float f; }; __global__ void k(U* u) { U v = {1, 2.0f}; u[0] = v; }

// error 1:73: assignment: cannot convert 'int' to 'O::I'
// hint: the types must agree
struct O { struct I { float a; } i; }; __global__ void k(O* o) { o->i = 1; }

// error 1:91: 'S::get' is a function of the host, which a kernel cannot call
// hint: write __device__ before it
struct S { int n; __host__ int get() { return n; } }; __global__ void k(S* s) { s->n = s->get(); }

// error 1:170: 'B' is no A<...>
// hint: write the template's arguments
template <typename T> struct A { T x; }; struct B { float x; }; template <typename T> __device__ T f(A<T> a, T b) { return a.x + b; } __global__ void k(B* b) { b->x = f(*b, 1.0f); }

// error 1:172: 'A<float, int>' is no A<int, ...>
// hint: pass the arguments in the function's order
template <typename T, typename U> struct A { T x; U y; }; template <typename U> __device__ U f(A<int, U> a) { return a.y; } __global__ void k(A<float, int>* a) { a->y = f(*a); }

// error 1:132: this is const and cannot be changed
// hint: if it is an input, store the result elsewhere; else remove const from its declaration
template <typename T> struct A { int x; }; template <typename T> struct A<T*> { T y; }; __global__ void k(A<const int*>* a) { a->y = 1; }

// stricter 1:8: #ifdef needs a name
// hint: write for example TILE
#ifdef 3
#endif
__global__ void k() { }

// stricter 1:28: 'f' cannot be both __global__ and __device__
// hint: __global__ is launched from Python, __device__ is called from kernels
__global__ __device__ void f() {}

// stricter 1:43: no case leads to this statement
// hint: put a case before this statement
__global__ void k(int n) { switch (n) { n = 1; } }

// stricter 1:45: no case leads to this statement
// hint: put a case before this statement
__global__ void k(int n) { switch (n) { int a = 1; case 0: n = a; } }

// stricter 1:20: '99999999999999999999' is too large for its type
// hint: add the suffix u, or use a smaller number
__device__ int a = 99999999999999999999;

// stricter 1:30: \q in a text has no meaning
// hint: write \\ for the character \
__global__ void f() { printf("\q"); }

// stricter 1:30: \8 in a text has no meaning
// hint: write \\ for the character \
__global__ void f() { printf("\8"); }

// stricter 1:26: a kernel's parameter 'x' cannot be a reference
// hint: use a pointer
__global__ void f(float& x) {}

// stricter 1:24: 'f' must return a value of type 'float'
// hint: write return value;
__device__ float f() { return; }

// stricter 1:43: %d prints an integer, but this is 'float'
// hint: write %f, or convert the value
__global__ void f(float x) { printf("%d", x); }

// stricter 1:44: %5.2f prints a real number, but this is 'int'
// hint: write %d, or convert the value
__global__ void f(int n) { printf("%5.2f", n); }

// stricter 1:44: %d prints 32 bits, but 'unsigned long' has 64
// hint: write %lld, or convert the value
__global__ void f(size_t n) { printf("%d", n); }

// stricter 1:43: %lld prints 64 bits, but 'int' has 32
// hint: write %d, or convert the value
__global__ void f(int n) { printf("%lld", n); }

// stricter 1:28: the text of printf has places for 2 values, but 1 given
// hint: write one value for each % (and %% for the sign itself)
__global__ void f(int n) { printf("%d%% %d", n); }

// stricter 1:28: the text of printf has places for 0 values, but 1 given
// hint: write one value for each % (and %% for the sign itself)
__global__ void f(int n) { printf("100%%", n); }

// stricter 1:29: printf does not know %n
// hint: it knows %d, %u, %x, %o, %c, %f, %e, %g, %p and %s, and %% prints the sign itself
__global__ void f(int* p) { printf("%n", p); }

// stricter 1:28: printf does not know %y
// hint: it knows %d, %u, %x, %o, %c, %f, %e, %g, %p and %s, and %% prints the sign itself
__global__ void f(int n) { printf("%d%5y", n); }

// stricter 1:45: the * of printf takes a whole number, but this is 'float'
// hint: write (int)(…)
__global__ void f(float x) { printf("%.*f", x, x); }

// stricter 1:42: %s prints a text, but this is 'int*'
// hint: write %p, or convert the value
__global__ void f(int* p) { printf("%s", p); }

// stricter 1:30: 'y' would be a function here
// hint: for a variable, write y without the brackets
__global__ void k() { float y(); }

// stricter 1:46: 'f' is a kernel: it is launched from Python, not called
// hint: move the common code to a __device__ function
__global__ void f() {} __global__ void k() { f(); }

// stricter 1:48: 'a' is gone when the function has returned
// hint: return a value, or let the caller pass a pointer to a place of its own
__device__ float* f() { float a[2][3]; return a[1]; }

// stricter 1:61: 's' is gone when the function has returned
// hint: return a value, or let the caller pass a pointer to a place of its own
struct S { int v[3]; }; __device__ int* f(S s) { return s.v + 1; }

// stricter 1:52: 'm' is gone when the function has returned
// hint: return a value, or let the caller pass a pointer to a place of its own
__device__ const int* f(int n) { int m = n; return &m; }

// unsupported 3:57: fill_fragment() without its namespace
// hint: write wmma::fill_fragment
#include <mma.h>
using namespace nvcuda; __global__ void k() {
wmma::fragment<wmma::accumulator, 16, 16, 16, float> C; fill_fragment(C, 0.0f); }

// unsupported 1:19: templates with any number of parameters
// hint: name each parameter
template <typename... T> __device__ void f(T... x) { }

// unsupported 1:83: a template with more than 64 sets of arguments
// hint: end the recursion of a template with if constexpr
template <int N> __device__ int f() { if constexpr (N == 0) return 0; else return f<N - 1>(); } __global__ void k(int* p) { p[0] = f<70>(); }

// right
// note 1:82: this calls nothing: write ( ) behind f
template <int N> __device__ int f(int a) { return a + N; } __global__ void k() { f<2>; }

// unsupported 1:23: inline PTX: .reg
// hint: use the CUDA function that does the same
__global__ void k() { asm volatile("{ .reg .f16x2 p; }"); }

// unsupported 1:28: labels
// hint: use a loop with break or continue
__global__ void k(int n) { again: if (n--) goto again; }

// unsupported 1:32: new
// hint: use a local array, or pass memory as an argument
__global__ void k() { int* p = new int; }

// unsupported 1:61: this kind of texture
// hint: use tex1Dfetch, or tex1D, tex2D, tex3D and their layered forms
__global__ void k(cudaTextureObject_t t, float* x) { x[0] = texCubemap<float>(t, 1, 2, 3); }

// right
__device__ float* p; __global__ void k(float* x) { x[0] = p[0]; }

// right
// note 1:15: 'a' is compiled as __device__: write __device__ before it
// note 1:19: 'b' is compiled as __device__: write __device__ before it
static float *a, *b[3]; __global__ void k(float* x) { x[0] = b[1][2]; }

// unsupported 1:5: main(), which is for the host
// hint: keep the __global__ and __device__ functions; Python makes the arrays and launches
int main() { return 0; }

// right
__global__ void k(); __global__ void k(int n) { }

// right
__global__ void k(size_t* p) { int* q = (int*)p[0]; }

// unsupported 1:401: more than 128 operators or else-ifs in a row
// hint: split it into several statements, or use a loop
__device__ int a[1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1];

// unsupported 1:33: declaring a variable in a condition
// hint: declare it in the line before
__global__ void k(int* p) { if (int b = p[0]) p[1] = b; }

// unsupported 1:18: pointers to functions
// hint: pass the function to a template: template <typename F> __device__ void apply(F f), or call it by its name
__device__ int f(int (*g)(int)) { return g(1); }

// unsupported 1:38: functions as values
// hint: call it: sqrtf(...)
__global__ void k(float* x) { x[0] = sqrtf < 0; }

// unsupported 1:43: texts as values of printf
// hint: print them character by character, with %c
__global__ void k(char* p) { printf("%s", p); }

// unsupported 1:39: a text other than the format of printf
// hint: use numbers, or an array of characters: {'a', 'b'}
__global__ void k() { const char* p = "a"; }

// unsupported 1:37: a text other than the format of printf
// hint: use numbers, or an array of characters: {'a', 'b'}
__global__ void k(char* p) { p[0] = "a"[0]; }

// unsupported 1:37: a text other than the format of printf
// hint: use numbers, or an array of characters: {'a', 'b'}
__global__ void k(bool* p) { p[0] = "a" == 0; }

// unsupported 1:43: a text other than the format of printf
// hint: use numbers, or an array of characters: {'a', 'b'}
__global__ void k(int* p) { p[0] = sizeof("a"); }

// right
__global__ void k() { printf("%s", "a"); }

// unsupported 1:22: static variables in functions
// hint: declare it outside, with __device__
__device__ int f() { static int a = 0; return a++; }

// unsupported 1:17: clusters of blocks
// hint: let each block work by itself, and exchange through global memory
__global__ void __cluster_dims__(2, 1, 1) k() { }

// unsupported 1:48: pointers to members
// hint: name the member, or make the members an array
struct S { int a; }; __global__ void k() { int S::*p = &S::a; }

// unsupported 1:36: functions for several small numbers in one word
// hint: take the word apart with >> and &
__global__ void k(int* p) { p[0] = __viaddmax_s16x2(p[0], 1, 2); }

// right
__global__ void k(float* p) { p[0] = __fadd_rz(p[0], 1); }

// unsupported 1:39: rounding other than to the nearest number
// hint: use the function whose name ends in _rn
__global__ void k(double* p) { p[0] = __ll2double_ru(1); }

// unsupported 1:38: Bessel functions
// hint: pass a table of their values as an argument
__global__ void k(float* p) { p[0] = j0f(p[0]); }

// unsupported 1:36: this function of CUDA
// hint: write what it computes with operators and a loop
__global__ void k(int* p) { p[0] = __fns(1, 2, 3); }

// unsupported 1:62: pointers to functions
// hint: pass the function to a template: template <typename F> __device__ void apply(F f), or call it by its name
typedef float (*unary)(float); __global__ void k(float* x) { unary f; }

// unsupported 1:52: pointers to functions
// hint: pass the function to a template: template <typename F> __device__ void apply(F f), or call it by its name
using unary = float (*)(float); __device__ float f(unary g) { return g(1); }

// unsupported 1:31: destructors
// hint: call a function at the end of the block
struct S { int* p; __device__ ~S() { p[0] = 1; } };

// unsupported 1:62: several bases
// hint: inherit from one, and make the others members
struct A { int a; }; struct B { int b; }; struct C : public A, B { int c; }; __global__ void k(C* c) { c->a = 1; }

// unsupported 1:33: virtual bases
// hint: inherit without virtual
struct A { int a; }; struct B : virtual A { int b; }; __global__ void k(B* b) { b->a = 1; }

// unsupported 1:98: virtual functions in a kernel
// hint: use a member that says which kind it is, and switch
struct A { virtual __device__ int f() { return 1; } }; __global__ void k(int* x) { A a; x[0] = a.f(); }

// unsupported 1:18: bit fields
// hint: use shifts and masks on an unsigned int
struct A { int a : 3; }; __global__ void k(A* x) { x->a = 1; }

// unsupported 1:19: members that are references
// hint: use a pointer
struct A { float& r; __device__ A(float& a) : r(a) {} }; __global__ void k(float* x) { A a(x[0]); a.r = 2; }

// unsupported 1:87: pointers to functions
// hint: pass the function to a template: template <typename F> __device__ void apply(F f), or call it by its name
typedef float (*fn)(float); __device__ float sq(float x) { return x * x; } __device__ fn table[1] = {sq}; __global__ void k(float* x) { x[0] = table[0](x[1]); }

// unsupported 1:141: names for the parts of a value
// hint: name the value, and use its members
struct P { int a, b; }; __device__ P mk(int x) { if (x > 0) return {x, 1}; return {}; } __global__ void k(int* x) { x[0] = mk(x[1]).a; auto [a, b] = mk(2); }

// right
// note 2:73: extern __shared__ 'b' begins at the same address as 'a'; to have both, divide one array: float* b = (float*)(a + n);
__global__ void f() {
__shared__ int c[1]; extern __shared__ int a[]; extern __shared__ float b[]; __shared__ int d[1]; }
__global__ void g() { { extern __shared__ int a[]; } extern __shared__ int a[]; }

// right
__device__ int twice(int x);
__device__ int twice(int x) { return 2 * x; }
__global__ void k(int* x) { x[0] = twice(1); }

// right
__device__ int twice(int x) { return 2 * x; }
__device__ int twice(int x);
__global__ void k(int* x) { x[0] = twice(1); }

// right
__device__ int twice(int x);
__device__ int twice(int x);
__device__ int twice(int x) { return 2 * x; }
__global__ void k(int* x) { x[0] = twice(1); }

// error 2:16: 'twice' has a body already
// hint: remove one of the two
__device__ int twice(int x) { return 2 * x; }
__device__ int twice(int x) { return 2 * x; }
__global__ void k(int* x) { x[0] = twice(1); }

// unsupported 1:53: first values of pointers outside of functions
// hint: store the address in a kernel
__device__ float data[2]; __device__ float* first = data; __global__ void k() { }

// right
template <class T> __device__ T twice(T x) { return 2 * x; } template __device__ float twice<float>(float); template __device__ int twice(int); __global__ void k(float* x) { x[0] = twice(x[1]); }

// error 1:107: expected ';' before '{'
// hint: write template <typename T> in front of a template
template <class T> __device__ T twice(T x) { return 2 * x; } template __device__ float twice<float>(float) { return 0; } __global__ void k(float* x) { x[0] = twice(x[1]); }

// error 1:24: expected the body of 'f' before '='
// hint: write { ... } after the parameters
__device__ int f(int x) = 5; __global__ void k(int* p) { p[0] = f(1); }

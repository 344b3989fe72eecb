// Texts of which NVRTC is not asked: rare mistakes, and what it has no headers for.
/* here */

// right
__constant__ char w[65536]; __global__ void k(int* p) { p[0] = w[0]; }

// right
#define F(x) x
__device__ int n = F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(1))))))))))))))))))))))))))))))))))))))))))))))))))))))))))));

// unsupported 5:151: shfl() of 'P', which has an array or a union
// hint: exchange its members
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
struct P { int a[2]; }; __global__ void k(int* p) { P v; auto t = cg::tiled_partition<8>(cg::this_thread_block()); v.a[0] = p[0]; v.a[1] = 1; P w = t.shfl(v, 1); p[0] = w.a[0]; }

// unsupported 5:117: shfl() of a 'P' without a name
// hint: store it in a variable first
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
struct P { int a; }; __global__ void k(int* p) { auto t = cg::tiled_partition<8>(cg::this_thread_block()); p[0] = t.shfl(P{1}, 1).a; }

// unsupported 5:138: shfl() of 'U', which has an array or a union
// hint: exchange its members
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
union U { int a; float b; }; __global__ void k(int* p) { U v; v.a = 1; auto t = cg::tiled_partition<8>(cg::this_thread_block()); U w = t.shfl(v, 1); p[0] = w.a; }

// error 1:87: 'S' has a constructor
// hint: write S(a, b, ...)
struct S { int a; __device__ S(int b) : a(b) {} }; __global__ void k(int* p) { S s = {.a = 1}; p[0] = s.a; }

// error 1:60: 'S' has no constructor
// hint: write S{a, b}, or give it one
struct S { int a; int b; }; __global__ void k(int* p) { S s(1, 2); p[0] = s.a; }

// error 1:64: 'S' has no constructor
// hint: write S{a, b}, or give it one
struct S { int a; int b; }; __global__ void k(int* p) { p[0] = S(1, 2).a; }

// error 1:57: 'a' is a member and needs an object
// hint: write object.member
struct S { int a; }; __global__ void k(int* p) { p[0] = S::a; }

// error 1:90: 'S::f' needs an object
// hint: write object.function(...)
struct S { int a; __device__ int f() { return a; } }; __global__ void k(int* p) { p[0] = S::f(); }

// error 1:12: __shared__ does not go with a member
// hint: remove it
struct S { __shared__ int a; };

// error 1:12: register does not go with a member
// hint: remove it
struct S { register int a; };

// error 1:28: __shared__ does not go with a function
// hint: remove it
__device__ __shared__ void f() { }

// error 1:29: __constant__ does not go with a function
// hint: remove it
__device__ __constant__ int f() { return 1; }

// unsupported 1:1: extern variables
// hint: declare it in this text
extern __constant__ int n[]; __global__ void k(int* p) { p[0] = n[0]; }

// unsupported 1:17: references outside of functions
// hint: use the variable itself
__device__ int& r = 5;

// error 1:20: 'w' takes 80,000 bytes; __constant__ memory has 65,536
// hint: use __device__, or pass an array as an argument
__constant__ float w[20000]; __global__ void k(float* x) { x[0] = w[0]; }

// error 1:19: 'w' takes 65,537 bytes; __constant__ memory has 65,536
// hint: use __device__, or pass an array as an argument
__constant__ char w[65537];

// error 1:11: expected a type
// hint: write for example float or int
using f = ;

// error 1:1: an enum cannot be 'float'
// hint: write an integer type
enum E : float { A };

// error 1:14: the value of 'A' must be an integer, but is 'double'
// hint: use a whole number
enum E { A = 1.5 };

// unsupported 1:50: a template with more than 64 sets of arguments
// hint: end the recursion of a template with template <>
template <int N> struct R { static const int v = R<N + 1>::v; }; __global__ void k(int* p) { p[0] = R<0>::v; }

// error 1:79: the template 'f' is declared but has no body
// hint: write its body
template <typename T> __device__ T f(T x); __global__ void k(int* p) { p[0] = f(1); }

// unsupported 1:16: functions with any number of parameters
// hint: name each parameter
__device__ int f(int a, ...) { return a; }

// error 1:12: a template cannot be extern "C"
// hint: move it out of the extern "C" braces
extern "C" template <typename T> __global__ void k(T* x) { }

// unsupported 1:19: pointers to functions
// hint: pass the function to a template: template <typename F> __device__ void apply(F f), or call it by its name
__device__ void f(int (*g)(int&)) { }

// right
// note 1:73: this calls nothing: write ( ) behind t
template <typename T> __global__ void t(T* x) { } __global__ void k() { t<int>; }

// error 1:6: expected the end of the line before 'y'
// hint: an #if takes one condition
#if x y
#endif

// error 1:6: expected the end of the line before '2'
// hint: an #if takes one condition
#if 1 2
#endif

// error 1:5: an #if condition takes integers, macros and operators only
// hint: write for example #if TILE > 16
#if "a"
#endif

// error 1:5: an #if condition takes integers, macros and operators only
// hint: write for example #if TILE > 16
#if 1.5
#endif

// error 1:4: #if needs a condition
// hint: write for example #if TILE > 16
#if
#endif

// error 1:2: #elif without #if
// hint: remove it, or add the #if it belongs to
#elif 1

// error 1:12: defined needs a name
// hint: write for example TILE
#if defined
#endif

// error 1:14: expected ')' after the macro's name
// hint: write defined(NAME)
#if defined(A
#endif

// error 1:13: defined needs a name
// hint: write for example TILE
#if defined(3)
#endif

// error 1:9: 'defined' cannot be the name of a macro
// hint: choose another name
#define defined 1

// error 1:9: the parameter list of macro 'F' is never closed
// hint: end it with )
#define F(a

// error 1:11: expected a parameter name before '1'
// hint: write #define F(a, b) ...
#define F(1) 1

// unsupported 2:19: 'png_bytep' is not known; does it come from <png.h>, which the simulator does not have?
// hint: write what you need from it yourself
#include <png.h>
__global__ void k(png_bytep p) { }

// error 1:9: #include needs the name of a file
// hint: write for example #include <cmath>
#include cmath

// error 1:1: references to textures and surfaces are gone since CUDA 12
// hint: create a cudaTextureObject_t or a cudaSurfaceObject_t and pass it to the kernel
texture<float> t;

// error 1:36: __shfl() is gone: GPUs since Volta need the mask of the lanes
// hint: write __shfl_sync(0xffffffff, ...)
__global__ void k(int* x) { x[0] = __shfl(x[1], 0); }

// error 1:14: ## cannot join 'a' and '+' to one name
// hint: remove the ##
#define A(x) a ## x
int A(+);

// error 2:7: ## cannot join '+' and 'x' to one name
// hint: remove the ##
#define J(a, b) a##b
int J(+, x);

// error 1:28: 'a' is already declared here
// hint: choose another name, or remove one of the two
const int a = 1; const int a = 2;

// error 1:60: 'k' is already declared, with other parameters
// hint: choose another name
extern "C" __global__ void k(); extern "C" __global__ void k(int n) { }

// unsupported 1:29: dynamic parallelism, which is a kernel that launches kernels
// hint: launch it from Python: k2(grid, block, args)
__global__ void k(int* p) { k2<<<1, 1>>>(p); }

// error 1:5: 'f' is declared but has no body
// hint: write its body: { ... }
int f(int); __global__ void k(int* p) { p[0] = f(1); }

// error 1:27: undeclared name 'n'
// hint: declare it before its first use: int n = ..., or float for fractions
__global__ void k(int x[][n]) { }

// error 1:19: an array of 'int[]' is not possible
// hint: only the first size may be left open
__global__ void k(int x[][]) { }

// error 1:53: 'U' has no constructor without arguments
// hint: write U name(a, b, ...);
union U { int a; U(int b) : a(b) {} }; __shared__ U u;

// error 1:85: 'S' has a constructor, and 's' is __shared__
// hint: remove the constructor, or the first values of its members
struct S { int a = 1; __device__ S() {} }; __global__ void k(int* p) { __shared__ S s; p[0] = s.a; }

// error 1:1: 'half' is not known without its header
// hint: write #include <cuda_fp16.h> above
half h;

// error 1:19: '__half' is not known without its header
// hint: write #include <cuda_fp16.h> above
__global__ void k(__half* h) { h[0] = 1; }

// error 1:29: 'nv_bfloat16' is not known without its header
// hint: write #include <cuda_bf16.h> above
__global__ void k(int* p) { nv_bfloat16 b; }

// error 1:29: unknown type 'cg::thread_block'
// hint: write a type such as int or float*
__global__ void k(int* p) { cg::thread_block b; }

// error 2:1: expected a declaration before '1'
// hint: outside of functions there can only be declarations
#define F(x) x
F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(1)))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))

// error 8:1: macro 'F' expands to more than 100,000 tokens
// hint: use a loop or a __device__ function instead
#define A B B B B B B B B 
#define B C C C C C C C C 
#define C D D D D D D D D 
#define D E E E E E E E E 
#define E F F F F F F F F 
#define F G G G G G G G G 
#define G H H H H H H H H 
A

// unsupported 2:61: this kind of texture
// hint: use tex1Dfetch, or tex1D, tex2D, tex3D and their layered forms
#include <cuda_texture_types.h>
__global__ void k(cudaTextureObject_t t, float* x) { x[0] = tex2DLod<float>(t, 1, 2, 0); }

// unsupported 1:29: dynamic parallelism, which is a kernel that launches kernels
// hint: launch it from Python: k(grid, block, args)
__global__ void k(int* p) { k<<<1, 1>>>(p); }

// unsupported 1:23: CUDA's library for the host inside of a kernel
// hint: call it from Python
__global__ void k() { cudaDeviceSynchronize(); }

// unsupported 1:39: new in memory that is there already
// hint: assign the values to its elements
__global__ void k(char* p) { int* x = new (p) int[4]; }

// unsupported 1:29: this part of C++'s standard library
// hint: include its header, if it is not there yet; else write it out
__global__ void k(int* x) { std::sort(x, x + 9); }

// unsupported 1:44: numbers of 128 bits
// hint: use two of 64: __umul64hi(a, b) is the upper half of a * b
__global__ void k(long long* p) { unsigned __int128 a = p[0]; }

// unsupported 2:23: numbers of 8 bits and less (cuda_fp8.h)
// hint: use __half or __nv_bfloat16
#include <cuda_fp8.h>
__global__ void k() { __nv_fp8_e4m3 x; }

// unsupported 2:19: this generator of cuRAND
// hint: use curandState or curandStatePhilox4_32_10_t
#include <curand_kernel.h>
__global__ void k(curandStateSobol32* s) { }

// right
// note 1:6: 'mirror' is compiled as __device__: write __global__ before a kernel, __device__ before what kernels call
void mirror(float* x) {}

// right
// note 1:5: 'f' is compiled as __device__: write __device__ before it
// note 1:27: 'g' is compiled as __device__: write __device__ before it
int f() { return 1; } int g; const int N = 2; __global__ void k() { g = f() + N; }

// right
#include <mma.h>
__global__ void k() { }

// right
#include <curand_mtgp32_kernel.h>
__global__ void k() { }

// right
#include <cub/cub.cuh>
__global__ void k() { }

// right
#include <bits/stdc++.h>
__global__ void k() { }

// right
#include <cupy/carray.cuh>
__global__ void k() { }

// right
#include <random>
__global__ void k() { }

// right
#include <torch/extension.h>
__global__ void k() { }

// right
__global__ void k(int* x, int n) { x[0] = std::min<int>(3, 4.5); }

// unsupported 2:23: this part of mma.h
// hint: use fragment, load_matrix_sync, fill_fragment, mma_sync, store_matrix_sync
#include <mma.h>
__global__ void k() { nvcuda::wmma::bmma_sync(); }

// unsupported 2:23: this generator of cuRAND
// hint: use curandState or curandStatePhilox4_32_10_t
#include <curand_mtgp32_kernel.h>
__global__ void k() { curandStateMtgp32 s; }

// unsupported 2:23: this part of CUB
// hint: use its reduce, scan, load and store of a block or warp, or write the loop
#include <cub/cub.cuh>
__global__ void k() { cub::BlockRadixSort<int, 32> r; }

// unsupported 2:23: this part of C++'s standard library
// hint: include its header, if it is not there yet; else write it out
#include <bits/stdc++.h>
__global__ void k() { std::string s; }

// unsupported 2:23: CuPy's views of arrays (cupy/carray.cuh)
// hint: take a pointer and the strides
#include <cupy/carray.cuh>
__global__ void k() { CArray<float, 1> a; }

// unsupported 2:23: this part of C++'s standard library
// hint: include its header, if it is not there yet; else write it out
#include <random>
__global__ void k() { std::mt19937 g; }

// unsupported 2:12: 'torch::Tensor' is not known; does it come from <torch/extension.h>, which the simulator does not have?
// hint: write what you need from it yourself
#include <torch/extension.h>
__device__ torch::Tensor t;

// unsupported 3:36: 'size' is not known; does it come from <a.h> or <b.h>, which the simulator does not have?
// hint: write what you need from it yourself
#include <a.h>
#include <b.h>
__global__ void k(int* x) { x[0] = size; }

// right
__device__ auto f = [](int a) { return a; };
__global__ void k(int* p) { auto g = [=](int a) { return a + p[0]; }; p[0] = f(1) + g(2); }

// error 1:38: the call sqrt(int) fits several functions equally well
// hint: convert the arguments to one type, for example (float)x. Known are: sqrt(double); sqrt(float)
__global__ void k(float* x) { x[0] = sqrt(2); }

// right
__global__ void k(int* x, int n) { x[0] = (int)pow(2, n); x[1] = 3; }

"""What is CUDA C and what is not: programs with the verdict that NVRTC gives, too (test_nvrtc.py asks it)."""

from . import half_cases, struct_cases

# Statements in a kernel with these parameters, line 2 of the text. {} is where they go.
KERNEL = """extern "C" __global__ void k(float* x, const float* c, int* p, int n, unsigned u, double d, float4* v) {
%s
}
"""

# (statements or a whole program, part of the message, "line:column")
REJECTED = [
    # missing and surplus marks
    ("int i = threadIdx.x\nx[i] = 1;", "expected ';' before 'x'", "2:20"),
    ("x[0] = 1", "expected ';' before '}'", "2:9"),
    ("x[0 = 1;", "expected ']'", "2:8"),
    ("x[0] = (1 + 2;", "expected ')'", "2:14"),
    ("if (n > 0 x[0] = 1;", "expected ')'", "2:10"),
    ("if n > 0) x[0] = 1;", "expected '('", "2:3"),
    ("for (int i = 0; i < n, i++) {}", "expected ';'", "2:27"),
    ("for (int i = 0, i < n; i++) {}", "expected ';'", "2:18"),
    ("while (n) { n--;", "never closed", "1:104"),
    ("do n--; while (n > 0)", "expected ';'", "2:22"),
    ("} }", "closes nothing", "2:3"),
    ("x[0] = ;", "expected an expression", "2:7"),
    ("x[0] = 1 +;", "expected an expression", "2:11"),
    ("else n = 1;", "else without if", "2:1"),
    ("int a[3 = {1};", "expected ']'", "2:14"),
    ("n = n > 0 ? 1;", "expected ':'", "2:14"),
    ("case 1: n = 2;", "directly inside the braces of a switch", "2:1"),
    ("int 3x = 1;", "expected a name", "2:4"),
    ("int float y = 1;", "'int float' is not a type", "2:1"),
    ("int if = 1;", "word of the language", "2:5"),
    ("float y = 1.0g;", "not a number", "2:11"),
    ("float y = 2f;", "needs a decimal point", "2:11"),
    ("int y = 089;", "octal", "2:9"),
    ("x[0] = 1; @", "unexpected character", "2:11"),
    ("x[0] = 1；", "type ; instead", "2:9"),
    ("x[0] = 2 – 1;", "type - instead", "2:10"),
    ("x[0] = 1; \"abc", "never closed", "2:11"),
    ("x[0] = 1; /* abc", "comment is never closed", "2:11"),
    ("n = 'ab;", "never closed", "2:5"),
    # names
    ("y[0] = 1;", "undeclared name 'y'", "2:1"),
    ("n = thread.x;", "undeclared name 'thread'", "2:5"),
    ("n = threadidx.x;", "did you mean 'threadIdx'", "2:5"),
    ("n = threadIdx.w;", "no field 'w'", "2:15"),
    ("x[0] = sqrft(2.0f);", "did you mean 'sqrt'", "2:8"),
    ("__syncthread();", "did you mean '__syncthreads'", "2:1"),
    ("flaot y = 1;", "unknown type 'flaot'", "2:1"),
    ("float* restrict q = x;", "write __restrict__", "2:8"),
    ("int a; int a;", "already declared", "2:12"),
    ("int n = 3;", "already declared", "2:5"),
    ("{ int a = 1; } n = a;", "undeclared name 'a'", "2:20"),
    ("for (int i = 0; i < n; i++) {} n = i;", "undeclared name 'i'", "2:36"),
    ("n(3);", "'n' is not a function", "2:1"),
    ("n = v->q;", "no field 'q'", "2:8"),
    ("n = v.x;", "write ->x", "2:7"),
    ("n = v[0]->x;", "-> needs a pointer", "2:11"),
    # types
    ("x[0] = x + c;", "'+' does not work on", "2:10"),
    ("x[0] = x * 2;", "'*' does not work on", "2:10"),
    ("x[0] = c[0] % 2;", "'%' needs integers", "2:13"),
    ("n = d & 1;", "'&' needs integers", "2:7"),
    ("n = d << 1;", "'<<' needs integers", "2:7"),
    ("n = ~d;", "'~' needs an integer", "2:5"),
    ("x[0] = c;", "cannot convert 'const float*' to 'float'", "2:8"),
    ("x = c;", "cannot convert 'const float*' to 'float*'", "2:5"),
    ("x = p;", "cannot convert 'int*' to 'float*'", "2:5"),
    ("x = 5;", "cannot convert 'int' to 'float*'", "2:5"),
    ("n = x;", "cannot convert 'float*' to 'int'", "2:5"),
    ("int* q = &x[0];", "cannot convert 'float*' to 'int*'", "2:10"),
    ("float y = v[0];", "cannot convert 'float4' to 'float'", "2:12"),
    ("v[0] = v[0] + v[1];", "'+' does not work on 'float4'", "2:13"),
    ("v[0] = 1.0f;", "cannot convert 'float' to 'float4'", "2:8"),
    ("float y = x[1.5f];", "an index must be an integer", "2:13"),
    ("float y = x[n][n];", "[ ] needs an array or a pointer", "2:15"),
    ("n = *n;", "* needs a pointer", "2:5"),
    ("n = &5;", "have an address", "2:5"),
    ("n++++;", "only variables", "2:4"),
    ("5 = n;", "only variables", "2:3"),
    ("n + 1 = 2;", "only variables", "2:7"),
    ("c[0] = 1;", "const and cannot be changed", "2:6"),
    ("const int a = 3; a = 4;", "'a' is const", "2:20"),
    ("const int a = 3; a++;", "'a' is const", "2:19"),
    ("const int a;", "needs a value", "2:11"),
    ("threadIdx.x = 3;", "threadIdx cannot be changed", "2:13"),
    ("float a[3]; a = x;", "array cannot be changed as a whole", "2:15"),
    ("float a[n];", "known when the kernel is compiled", "2:9"),
    ("float a[0 - 1];", "cannot have -1 elements", "2:11"),
    ("float a[2.5];", "must be an integer", "2:9"),
    ("float a[2] = {1, 2, 3};", "too many values", "2:21"),
    ("int a = {1, 2};", "too many values", "2:13"),
    ("float a[2] = 1;", "initialised by a list", "2:14"),
    ("float a[];", "size of 'a' is missing", "2:7"),
    ("void a;", "cannot be of type void", "2:6"),
    ("auto a;", "auto needs a first value", "2:6"),
    ("float& r;", "needs a variable to refer to", "2:8"),
    ("v[0] = float4(1, 2, 3, 4);", "write make_float4", "2:8"),
    ("x[0] = (float)v[0];", "cannot be cast", "2:8"),
    ("int* q = static_cast<int*>(x);", "write reinterpret_cast<int*>", "2:10"),
    ("x = static_cast<float*>(c);", "cannot remove const", "2:5"),
    ("n = x == p;", "'==' does not work", "2:7"),
    ("if (v[0]) n = 1;", "a condition cannot be of type 'float4'", "2:6"),
    ("n = n > 0 ? x : 1.0f;", "the two results of ?:", "2:11"),
    ("switch (d) { case 1: break; }", "switch needs an integer", "2:9"),
    # calls
    ("x[0] = sqrtf();", "takes 1 argument, but 0 given", "2:8"),
    ("x[0] = sqrtf(1.0f, 2.0f);", "takes 1 argument, but 2 given", "2:8"),
    ("x[0] = sqrtf(x);", "cannot convert 'float*' to 'float'", "2:14"),
    ("x[0] = sqrt(2);", "equally well", "2:8"),
    ("x[0] = fmax(1.0f, 2.0);", "equally well", "2:8"),
    ("x[0] = max(0, x[0]);", "equally well", "2:8"),
    ("x[0] = copysign(x[0], 1);", "equally well", "2:8"),
    ("n = abs(u);", "equally well", "2:5"),
    ("n = min(1, 2, 3);", "no function min takes", "2:5"),
    ("atomicAdd(x[0], 1.0f);", "no function atomicAdd takes (float, float)", "2:1"),
    ("atomicAdd(c, 1.0f);", "no function atomicAdd takes (const float*, float)", "2:1"),
    ("atomicMax(x, 1.0f);", "no function atomicMax takes", "2:1"),
    ("atomicInc(p, 1);", "cannot convert 'int*' to 'unsigned int*'", "2:11"),
    ("__shfl_sync(0xffffffff, v[0], 0);", "no function __shfl_sync takes", "2:1"),
    ("__syncthreads(1);", "takes 0 arguments, but 1 given", "2:1"),
    ("v[0] = make_float4(1, 2, 3);", "takes 4 arguments, but 3 given", "2:8"),
    ("n = __syncthreads();", "cannot convert 'void' to 'int'", "2:5"),
    ("printf(n);", "needs a text", "2:1"),
    # jumps
    ("break;", "break outside of a loop", "2:1"),
    ("continue;", "continue outside of a loop", "2:1"),
    ("switch (n) { case 1: continue; }", "continue outside of a loop", "2:22"),
    ("switch (n) { case 1: break; case 1: break; }", "a second case 1", "2:29"),
    ("switch (n) { case u: break; }", "a case label must be known", "2:19"),
    ("return 1;", "a kernel returns void", "2:1"),
    # memory
    ("__shared__ float s[n];", "known when the kernel is compiled", "2:20"),
    ("__shared__ float s[2] = {1, 2};", "cannot have an initial value", "2:25"),
    ("__shared__ float s[];", "size of 's' is missing", "2:18"),
    ("__global__ int a;", "__global__ is not possible inside a function", "2:1"),
    ("__constant__ float s[2];", "__constant__ is not possible inside a function", "2:1"),
    # preprocessor
    ("#define F(a, b) a + b\nn = F(1);", "takes 2 argument(s), but 1 given", "3:5"),
    ("#define F(a) a\nn = F(1;", "never closed", "3:5"),
    ("#if 1\nn = 1;", "this #if has no #endif", "2:2"),
    ("#endif", "#endif without #if", "2:2"),
    ("#if 1\n#else\n#else\n#endif", "#else after #else", "4:2"),
    ("#if (1\n#endif", "expected ')'", "2:7"),
    ("#if 1 / 0\n#endif", "no value", "2:7"),
    ("#ifdef\n#endif", "needs a name", "2:7"),
    ("#define\n", "needs a name", "2:8"),
    ("#include <iostream>", "'iostream' is not known", "2:10"),
    ("#error not like this", "#error not like this", "2:2"),
    ("#defin N 3", "did you mean 'define'", "2:2"),
]

# (whole program, part of the message, "line:column")
REJECTED_PROGRAMS = [
    ("__host__ void f() {}", "function of the host", "1:15"),
    ("__global__ int f() { return 1; }", "a kernel must return void", "1:12"),
    ("__device__ void f() { return 1; }", "returns void", "1:23"),
    ("__device__ float* f(int* p) { return p; }", "cannot convert 'int*' to 'float*'", "1:38"),
    ("__device__ void f() {} __device__ void f() {}", "has a body already", "1:40"),
    ("__device__ int f(int a); __device__ float f(int a) { return a; }", "returned 'int'", "1:43"),
    ("__device__ void f(int a) {} __global__ void k() { f(); }", "takes 1 argument, but 0 given", "1:51"),
    ("__device__ void f(int a) {} __global__ void k(int* p) { f(p); }", "cannot convert 'int*' to 'int'", "1:59"),
    ("__device__ void f(int& a) {} __global__ void k() { f(3); }", "needs a variable of type int", "1:54"),
    ("__device__ void f(void a) {}", "cannot be void", "1:24"),
    ("__device__ void f(int a, int a) {}", "already declared", "1:30"),
    ("__global__ void a() { extern __shared__ int s[]; } __global__ void b() { extern __shared__ float s[]; }",
     "one name has one type", "1:98"),
    ("__global__ void true() {}", "word of the language", "1:17"),
    ("__global__ void k(__shared__ int* p) {}", "does not go with a parameter", "1:30"),
    ("__global__ void k(__restrict__ int* p) {}", "does not stand here", "1:19"),
    ("__constant__ int g; __global__ void k() { g = 1; }", "__constant__: kernels can only read it", "1:45"),
    ("__device__ int g = f(); __global__ void k() { }", "undeclared function 'f'", "1:20"),
    ("__device__ int a[2] = {1, 2, 3};", "too many values", "1:30"),
    ("__device__ int g; __device__ float g;", "already declared", "1:36"),
    ("_global_ void k() {}", "did you mean '__global__'", "1:1"),
    ("global void k() {}", "unknown type 'global'", "1:1"),
    ("__global__ k() {}", "unknown type 'k'", "1:12"),
    ("__global__ void k(int) { n = 1; }", "undeclared name 'n'", "1:26"),
    ("__global__ void k(int n) ", "expected the body of 'k'", "1:25"),
    ("__global__ void k(int n { }", "expected ','", "1:24"),
    ("__global__ void k(flaot* x) { }", "unknown type 'flaot'", "1:19"),
    ("__global__ void k() { ", "never closed", "1:21"),
    ("x = 3;", "unknown type 'x'", "1:1"),
    ("3;", "expected a declaration", "1:1"),
    ('extern "C" { __global__ void k() {}', "never closed", "1:12"),
    ('extern "D" __global__ void k() {}', "unknown language", "1:8"),
    ("static_assert(sizeof(int) == 5, \"odd int\");", "static_assert failed: odd int", "1:1"),
    ("enum { A, A };", "already declared", "1:11"),
    ('extern "C" { template <int N> __device__ int f(int x) { return x; } }', "a template cannot be", "1:14"),
    ("template <typename T> __device__ T f(T a, T b) { return a; } __global__ void k() { f(1, 2.0f); }",
     "'T' of f cannot be 'int' and 'float' at once", "1:84"),
    ("template <int N> __device__ int f(int a) { return a + N; } __global__ void k() { f(1); }",
     "cannot be told from the arguments", "1:82"),
    ("template <int N> __device__ int f(int a) { return a + N; } __global__ void k() { f<float>(1); }",
     "'N' stands for a value", "1:84"),
    ("template <class T> __device__ int f(T a) { return a; } __global__ void k() { f(1, 2); }",
     "takes 1 argument, but 2 given", "1:78"),
    ("template <class T> __device__ int f(T a) { return a; } __global__ void k() { f<int, int>(1); }",
     "has 1 parameter(s), but 2 arguments", "1:78"),
    ("template <class T> __device__ int f(T a) { return a; } __global__ void k() { f<3>(1); }",
     "'T' stands for a type", "1:80"),
    ("template <int N> __device__ int f(int a) { return a + N; } __global__ void k(int n) { f<n>(1); }",
     "must be known when the kernel is compiled", "1:89"),
    ("template <class T> __device__ T f(T a) { return a % 2; } __global__ void k(float* x) { x[0] = f(x[1]); }",
     "'%' needs integers", "1:51"),
    ("__global__ void k(int n) { if constexpr (n > 0) n = 1; }", "the condition of if constexpr", "1:44"),
    ("constexpr int a = 3; __global__ void k() { a = 4; }", "", "1:46"),
    ("__global__ void k() { constexpr int a = 8 / (3 - 3); }", "'a' has no value: this divides by zero", "1:43"),
    ("constexpr int a = 0; __global__ void k() { float x[2 + 4 % a]; }", "divides by zero", "1:58"),
    ("template <int N> __device__ int f() { return 4 / N; } __global__ void k(int* p) { p[0] = f<1 / 0>(); }",
     "divides by zero", "1:94"),
    ('extern "C" static __global__ void k() {}', "extern \"C\" and static at once", "1:35"),
    ("typedef int a; typedef float a;", "already declared", "1:30"),
    ("template <typename T> __device__ T f(T x) { return x; } template <> __device__ int f(float x) { return 0; }",
     "other types here than its template", "1:84"),
    ("template <> __device__ int f(float x) { return 0; }", "is no template", "1:28"),
    ("__global__ void k(int a, int* b = 3) {}", "default value of 'b'", "1:35"),
    ("__global__ void k(int dim3) { dim3 x; }", "unknown type 'dim3'", "1:31"),
    ("#define A A B\n#define B A\n__global__ void k() { int A; }", "expected ';'", "3:28"),
]

REJECTED_PROGRAMS += [
    ("__global__ void k(int* p) { p[0] = *reinterpret_cast<flaot*>(p); }", "unknown type 'flaot'", "1:54"),
    ("__device__ int f(int a) { return a; } __global__ void k(int* p) { p[0] = f + 1; }", "'+' does not work on 'f'",
     "1:76"),
    ("__device__ int f(int a) { return a; } __global__ void k(int* p) { p[0] = f; }", "cannot convert 'f' to 'int'",
     "1:74"),
    ("template <int (*F)(int)> __device__ int g() { return F(1); } __global__ void k(int* p) { p[0] = g<3>(); }",
     "'F' stands for a function", "1:99"),
]
_CG = ("#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\n#include <cooperative_groups/scan.h>\n"
       "namespace cg = cooperative_groups;\n")
REJECTED_PROGRAMS += [(_CG + text, part, f"5:{column}") for text, part, column in [
    ("__global__ void k(int* p) { p[0] = cg::this_thread_block() + 1; }", "'+' does not work on", 60),
    ("__global__ void k() { cg::thread_block_tile<7> t = cg::tiled_partition<7>(cg::this_thread_block()); }",
     "a tile cannot have 7 threads", 45),
    ("__global__ void k() { auto t = cg::tiled_partition<4>(cg::this_thread_block()); "
     "auto u = cg::tiled_partition<8>(t); }", "has no tiles of 8 threads", 90),
    ("__global__ void k() { cg::thread_block b = cg::this_grid(); }", "cannot convert", 44),
    ("__global__ void k() { if (cg::this_thread_block()) return; }", "a condition cannot be of type", 27),
    ("__global__ void k(int n) { cg::tiled_partition<32>(n); }", "has no tiles of 32 threads", 28),
    ("__global__ void k(int n) { n = cg::coalesced_threads().shfl(n); }", "takes", 56),
    ("__global__ void k(float4* v) { v[0].length(); }", "has no function 'length'", 37),
]]

# Programs that NVRTC takes, at most with a warning, and that are a mistake nevertheless.
STRICTER = [
    (_CG + "__global__ void k() { cg::thread_block_tile t = cg::tiled_partition<8>(cg::this_thread_block()); }",
     "has a size", "5:23"),
    ("__global__ __device__ void f() {}", "both __global__ and __device__", "1:28"),
    ("__global__ void k(int n) { switch (n) { n = 1; } }", "begins with case", "1:41"),
    ("__device__ int a = 99999999999999999999;", "too large", "1:20"),
    ("__global__ void f(float& x) {}", "cannot be a reference", "1:26"),
    ("__device__ float f() { return; }", "must return a value", "1:24"),
    ("__global__ void f(float x) { printf(\"%d\", x); }", "%d prints an integer, but this is 'float'", "1:43"),
    ("__global__ void f(int n) { printf(\"%5.2f\", n); }", "%5.2f prints a real number, but this is 'int'", "1:44"),
    ("__global__ void f(size_t n) { printf(\"%d\", n); }", "%d prints 32 bits, but 'unsigned long' has 64", "1:44"),
    ("__global__ void f(int n) { printf(\"%lld\", n); }", "%lld prints 64 bits, but 'int' has 32", "1:43"),
    ("__global__ void f(int n) { printf(\"%d%% %d\", n); }", "places for 2 values, but 1 given", "1:28"),
    ("__global__ void f(int n) { printf(\"100%%\", n); }", "places for 0 values, but 1 given", "1:28"),
    ("__global__ void f(int* p) { printf(\"%s\", p); }", "%s prints a text", "1:42"),
    ("__global__ void f() { extern __shared__ int a[]; extern __shared__ int b[]; }", "same address as 'a'", "1:72"),
    ("__global__ void f() {} __global__ void k() { f(); }", "launched from Python", "1:46"),
]

# Programs and statements that NVRTC takes and we do not, and say so.
UNSUPPORTED = [
    ("template <typename... T> __device__ void f(T... x) { }", "any number of parameters", "1:19"),
    ("template <int N> __device__ int f() { if constexpr (N == 0) return 0; else return f<N - 1>(); } "
     "__global__ void k(int* p) { p[0] = f<70>(); }", "more than 64 sets of arguments", "1:83"),
    ("template <int N> __device__ int f(int a) { return a + N; } __global__ void k() { f<2>; }",
     "functions as values", "1:82"),
    ("template <int N> const int twice = 2 * N;", "templates of variables", "1:1"),
    ("__global__ void k() { asm volatile(\"membar.gl;\"); }", "inline PTX", "1:23"),
    ("__global__ void k(int n) { again: if (n--) goto again; }", "labels", "1:28"),
    ("__global__ void k() { int* p = new int; }", "new", "1:32"),
    ("__global__ void k(cudaTextureObject_t t, float* x) { x[0] = tex2D<float>(t, 1, 2); }", "textures", "1:19"),
    ("__global__ void k(cudaSurfaceObject_t s) { }", "surfaces", "1:19"),
    ("__device__ float* p; __global__ void k(float* x) { x[0] = p[0]; }", "pointers outside of functions", "1:59"),
    ("static float *a, *b[3]; __global__ void k(float* x) { x[0] = b[1][2]; }", "pointers outside of functions",
     "1:62"),
    ("int main() { return 0; }", "which is for the host", "1:5"),
    ("__global__ void k(size_t* p) { p[0] = (size_t)p; }", "addresses as numbers", "1:39"),
    ("__global__ void k(int* p) { if (int b = p[0]) p[1] = b; }", "declare it in the line before", "1:33"),
    ("__device__ int f(int (*g)(int)) { return g(1); }", "pointers to functions", "1:18"),
    ("__global__ void k() { int a = 1; auto g = decltype(a)(2); }", "decltype", "1:43"),
    ("__global__ void k(float* x) { x[0] = sqrtf < 0; }", "call it: sqrtf(...)", "1:38"),
    ("__global__ void k(char* p) { printf(\"%s\", p); }", "texts as values of printf", "1:43"),
    ("__global__ void k() { const char* p = \"a\"; }", "a text other than the format", "1:39"),
    ("__global__ void k(char* p) { p[0] = \"a\"[0]; }", "a text other than the format", "1:37"),
    ("__global__ void k(bool* p) { p[0] = \"a\" == 0; }", "a text other than the format", "1:37"),
    ("__global__ void k(int* p) { p[0] = sizeof(\"a\"); }", "a text other than the format", "1:43"),
    ("__global__ void k() { printf(\"%s\", \"a\"); }", "put the text into the format", "1:36"),
    ("__device__ int f() { static int a = 0; return a++; }", "static variables", "1:22"),
]

UNSUPPORTED += [(_CG + text, part, f"5:{column}") for text, part, column in [
    ("__global__ void k() { cg::tiled_partition<64>(cg::this_thread_block()); }", "tiles of more than a warp", 43),
    ("__global__ void k(int* p) { auto g = cg::coalesced_threads(); p[0] = cg::inclusive_scan(g, p[1], [](int a, "
     "int b) { return a * b; }); }", "reductions with an operation of one's own", 98),
]]

UNSUPPORTED += [
    ("typedef float (*unary)(float); __global__ void k(float* x) { unary f; }", "pointers to functions", "1:62"),
    ("using unary = float (*)(float); __device__ float f(unary g) { return g(1); }", "pointers to functions", "1:52"),
]

# CUDA C++ of whole programs, or with a header: NVRTC alone does not take it either.
WHOLE_PROGRAMS = [
    ("__global__ void k(float* x) { x[0] = tex2D<float>(x, 1, 2); }", "textures", "1:38"),
    ("__global__ void k(float* x) { x[0] = tex1Dfetch(x, 1); }", "textures", "1:38"),
    ("__global__ void k(int* p) { k<<<1, 1>>>(p); }", "dynamic parallelism", "1:29"),
    ("__global__ void k() { cudaDeviceSynchronize(); }", "library for the host", "1:23"),
    ("__global__ void k(float* x) { x[0] = std::max(x[0], x[1]); }", "standard library", "1:38"),
    ("#include <curand_kernel.h>\n__global__ void k(curandStateSobol32* s) { }", "this generator of cuRAND", "2:19"),
]

# Statements for KERNEL that both take.
ACCEPTED = [
    'char text[] = "ab\\n", same[4] = "abc"; n = text[0] + same[1];',
    ";;",
    "int a = 1, b = a + 1, *q = p; n = a + b + *q;",
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
    "printf(\"%d %f\\n\" \"more\", n, x[0]);",
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
    "assert(n > 0 && \"n is too small\"); assert(!\"never here\" || \"yes\"); "
    "x[0] = copysignf(1, -2) + fmodf(3, 2) + truncf(x[0]) + roundf(x[1]) + lroundf(x[2]) + hypotf(3, 4);",
    "#pragma unroll\nfor (int i = 0; i < 4; i++) x[i] = 0;\n#pragma unroll 4\nfor (int i = 0; i < n; i++) x[i] = 1;",
    "#define SQUARE(a) ((a) * (a))\n#define ADD(a, b) SQUARE(a) + \\\n  SQUARE(b)\nx[0] = ADD(n, SQUARE(2)); // end\n"
    "#undef ADD\nint ADD = 3; n = ADD;",
    "#define NAME(a) value_##a\n#define TEXT(a) #a\nint NAME(one) = 1; n = value_one; printf(TEXT(a + b) \"\\n\");",
    "#define MORE(first, ...) max(first, __VA_ARGS__)\nn = MORE(1, 2);",
    "#ifdef NOPE\nthis is 'not code\n#elif defined(__CUDACC__) && !defined NOPE\nn = 1;\n#else\n@ $ ` \n#endif",
    "#if __CUDA_ARCH__ >= 600 && (2 > 1 ? 1 : 0) && UNKNOWN == 0\nn = 1;\n#else\nsyntax error\n#endif",
    "#define LOOP _Pragma(\"unroll\") for\nLOOP (int i = 0; i < 3; i++) x[i] = 1;",
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
    "",
    "template <typename T, typename U> __device__ T as(U x); template <> __device__ float as<float, int>(int x) "
    "{ return x; } __global__ void k(float* x, int* p) { x[0] = as<float, int>(p[0]); }",
    "__global__ void k(float* x) { const float4* v = reinterpret_cast<const float4*>(__builtin_assume_aligned(x, 16)); "
    "x[0] = v[1].y; }",
    "struct A { typedef int kind; kind x; }; using B = A; __global__ void k(int* p) { B::kind y = p[0]; p[1] = y; }",
    "// nothing",
    "#include <stdio.h>\n#include <cuda_runtime.h>\n#include \"math.h\"\n__global__ void k() {}",
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
    "static_assert(sizeof(float4) == 16, \"size\"); static_assert(3 > 2); "
    "__global__ void k() { static_assert(1, \"a\"); }",
    "__shared__ __align__(16) float s[64]; __global__ void k() { __shared__ alignas(16) float t[8]; t[0] = s[0] = 1; }",
    "__global__ void k(int *a, int n) { const int size = 2; __shared__ int s[size][size + 1]; s[1][2] = a[n]; }",
    "__host__ __device__ constexpr int ceil_div(int a, int b) { return (a + b - 1) / b; } "
    "__global__ void k(float* x) { __shared__ float s[ceil_div(70, 32)][8]; s[2][1] = 1; x[ceil_div(x[0], 4)] = 1; }",
    "template <int N> constexpr int times(int a) { return a * N; } __global__ void k(int* p) { p[0] = times<3>(2); }",
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
    "typedef const float real; __global__ void k(real* x, float* y) { y[0] = x[0]; }",
    "__device__ float* p; static int *a, *b; __global__ void k(float* x) { x[0] = 1; }",
    "__global__ void k(float* x, float factor = 2.0f, int n = 3 + 4) { x[0] = factor * n; }",
    "__global__ void k(float* x, float4* v) { __stcs(x, __ldcs(x + 1)); __stcg(v, __ldcg(v + 1)); __stwb(x, 2.0f); "
    "__stwt(x + 2, 1.0f); x[3] = __ldlu(x); }",
    "__global__ void k(long long* p) { clock_t a = clock(); long long b = clock64(); __nanosleep(100); p[0] = a + b; }",
    "__global__ void k(int* p, unsigned* q) { atomicAdd_block(p, 1); atomicMax_system(p, 2); "
    "atomicCAS_block(q, 1u, 2u); }",
    _CG + "__device__ int rank(cg::thread_group g) { return g.thread_rank(); } template <typename G> __device__ int "
    "size(G g) { return g.size(); } __global__ void k(int* p) { auto b = cg::this_thread_block(); "
    "const cg::thread_block_tile<8> t = cg::tiled_partition<8>(b); p[0] = rank(b) + rank(t) + size(t) + size(b); "
    "p[1] = cg::reduce(t, p[2], cg::plus<int>{}) + cg::reduce(t, p[2], cg::bit_xor<int>()); cg::sync(t); t.sync(); }",
    _CG + "using namespace cg; __global__ void k(int* p) { thread_block b = this_thread_block(); "
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
    ("1", "int"), ("1u", "unsigned int"), ("1l", "long"), ("1ul", "unsigned long"), ("1ll", "long long"),
    ("1ull", "unsigned long long"), ("2147483648", "long"), ("0x80000000", "unsigned int"), ("0xffffffffff", "long"),
    ("0x8000000000000000", "unsigned long"), ("1.0", "double"), ("1.0f", "float"), ("'a'", "char"), ("true", "bool"),
    ("(char)1 + (char)1", "int"), ("(short)1 + 1u", "unsigned int"), ("1 + 1.0f", "float"), ("1.0f + 1.0", "double"),
    ("1l + 1ll", "long long"), ("1l + 1ull", "unsigned long long"), ("1u + 1l", "long"),
    ("1ul + 1ll", "unsigned long long"),
    ("true + true", "int"), ("-true", "int"), ("+(char)1", "int"), ("~(unsigned char)1", "int"), ("!1", "bool"),
    ("1 < 2", "bool"), ("1 && 2", "bool"), ("1 << 2u", "int"), ("1u << 2ll", "unsigned int"), ("(char)1 << 1", "int"),
    ("1 ? 1 : 2.0f", "float"), ("1 ? (char)1 : (char)2", "char"), ("1 ? (char)1 : 2", "int"), ("1, 2.0f", "float"),
    ("n / 2u", "unsigned int"), ("n * 1.5", "double"), ("c[0] * n", "float"), ("x - x", "long"), ("x + 1", "float*"),
    ("&x[0]", "float*"), ("&c[0]", "const float*"), ("&v[0].y", "float*"), ("sizeof(int)", "unsigned long"),
    ("threadIdx.x", "unsigned int"), ("blockDim.x * blockIdx.x + threadIdx.x", "unsigned int"), ("warpSize * 2", "int"),
    ("sqrt(1.0f)", "float"), ("copysign(1.0f, 1.0)", "double"), ("sqrt(1.0)", "double"), ("sqrtf(1)", "float"),
    ("pow(1.0f, 2)", "float"),
    ("pow(1.0, 2)", "double"), ("fmax(1.0f, 2)", "float"), ("max(1, 2u)", "unsigned int"),
    ("max(1.0f, 2.0)", "double"), ("min((char)1, (char)2)", "int"), ("min(1l, 2ul)", "unsigned long"),
    ("abs(-1.0f)", "float"), ("abs(-1l)", "long"), ("fabs(1.0f)", "float"), ("isnan(1.0f)", "int"),
    ("isinf(1.0)", "int"),
    ("rsqrt(1.0f)", "float"), ("lroundf(1.0f)", "long"), ("llrint(1.0)", "long long"), ("__popc(1)", "int"),
    ("__brev(1)", "unsigned int"), ("__float_as_int(1.0f)", "int"), ("__float2uint_rz(1.0f)", "unsigned int"),
    ("__ull2float_rn(1)", "float"), ("__shfl_sync(1, 1.0f, 0)", "float"), ("__shfl_sync(1, true, 0)", "int"),
    ("__shfl_down_sync(1, 1ll, 1)", "long long"), ("__ballot_sync(1, 1)", "unsigned int"), ("__any_sync(1, 1)", "int"),
    ("__activemask()", "unsigned int"), ("__syncthreads_count(1)", "int"), ("atomicAdd(p, 1)", "int"),
    ("atomicAdd(x, 1)", "float"), ("atomicCAS((unsigned long long*)p, 1, 2)", "unsigned long long"),
    ("__ldg(c)", "float"), ("__ldg((const float4*)c)", "float4"), ("make_int2(1, 2)", "int2"),
    ("make_int2(1, 2).x", "int"),
    ("printf(\"a\")", "int"), ("__reduce_add_sync(1, 1u)", "unsigned int"), ("ldexp(1.0f, 2)", "float"),
    ("__fmaf_rn(1, 2, 3)", "float"), ("__dadd_rn(1, 2)", "double"), ("v[0].x + 1", "float"), ("int(2.5f)", "int"),
    ("(unsigned char)300 + 0", "int"), ("float(1) / 2", "float"), ("static_cast<short>(1)", "short"),
    ("u - n", "unsigned int"),
]

ACCEPTED_PROGRAMS += struct_cases.ACCEPTED + half_cases.ACCEPTED
REJECTED_PROGRAMS += struct_cases.REJECTED + half_cases.REJECTED
UNSUPPORTED += struct_cases.UNSUPPORTED

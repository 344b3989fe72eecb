"""CUDA C++ that we do not take, and say so; see cases.py."""

from .texts import GROUPS

# (whole program, part of the message, "line:column")
# Programs and statements that NVRTC takes and we do not, and say so.
UNSUPPORTED = [
    (
        "#include <mma.h>\nusing namespace nvcuda; __global__ void k() {\n"
        "wmma::fragment<wmma::accumulator, 16, 16, 16, float> C; fill_fragment(C, 0.0f); }",
        "fill_fragment() without its namespace\n",
        "3:57",
    ),
    ("template <typename... T> __device__ void f(T... x) { }", "any number of parameters", "1:19"),
    (
        "template <int N> __device__ int f() { if constexpr (N == 0) return 0; else return f<N - 1>(); } "
        "__global__ void k(int* p) { p[0] = f<70>(); }",
        "more than 64 sets of arguments",
        "1:83",
    ),
    (
        "template <int N> __device__ int f(int a) { return a + N; } __global__ void k() { f<2>; }",
        "functions as values",
        "1:82",
    ),
    ('__global__ void k() { asm volatile("{ .reg .f16x2 p; }"); }', "inline PTX", "1:23"),
    ("__global__ void k(int n) { again: if (n--) goto again; }", "labels", "1:28"),
    ("__global__ void k() { int* p = new int; }", "new", "1:32"),
    (
        "__global__ void k(cudaTextureObject_t t, float* x) { x[0] = texCubemap<float>(t, 1, 2, 3); }",
        "this kind of texture",
        "1:61",
    ),
    (
        "__device__ float* p; __global__ void k(float* x) { x[0] = p[0]; }",
        "pointers outside of functions",
        "1:59",
    ),
    (
        "static float *a, *b[3]; __global__ void k(float* x) { x[0] = b[1][2]; }",
        "pointers outside of functions",
        "1:62",
    ),
    ("int main() { return 0; }", "which is for the host", "1:5"),
    ("__global__ void k(); __global__ void k(int n) { }", "kernels that share a name", "1:38"),
    ("__global__ void k(size_t* p) { int* q = (int*)p[0]; }", "numbers as addresses", "1:41"),
    (f"__device__ int a{'[1]' * 200};", "more than 128", "1:401"),
    (
        "__global__ void k(int* p) { if (int b = p[0]) p[1] = b; }",
        "declare it in the line before",
        "1:33",
    ),
    ("__device__ int f(int (*g)(int)) { return g(1); }", "pointers to functions", "1:18"),
    ("__global__ void k(float* x) { x[0] = sqrtf < 0; }", "call it: sqrtf(...)", "1:38"),
    ('__global__ void k(char* p) { printf("%s", p); }', "texts as values of printf", "1:43"),
    ('__global__ void k() { const char* p = "a"; }', "a text other than the format", "1:39"),
    ('__global__ void k(char* p) { p[0] = "a"[0]; }', "a text other than the format", "1:37"),
    ('__global__ void k(bool* p) { p[0] = "a" == 0; }', "a text other than the format", "1:37"),
    ('__global__ void k(int* p) { p[0] = sizeof("a"); }', "a text other than the format", "1:43"),
    ('__global__ void k() { printf("%s", "a"); }', "put the text into the format", "1:36"),
    ("__device__ int f() { static int a = 0; return a++; }", "static variables", "1:22"),
]

UNSUPPORTED += [
    ("__global__ void __cluster_dims__(2, 1, 1) k() { }", "clusters of blocks", "1:17"),
    (
        "struct S { int a; }; __global__ void k() { int S::*p = &S::a; }",
        "pointers to members",
        "1:48",
    ),
    (
        "__global__ void k(int* p) { p[0] = __viaddmax_s16x2(p[0], 1, 2); }",
        "several small numbers in one word",
        "1:36",
    ),
    ("__global__ void k(float* p) { p[0] = __fadd_rz(p[0], 1); }", "ends in _rn", "1:38"),
    ("__global__ void k(double* p) { p[0] = __ll2double_ru(1); }", "ends in _rn", "1:39"),
    ("__global__ void k(float* p) { p[0] = j0f(p[0]); }", "Bessel", "1:38"),
    ("__global__ void k(int* p) { p[0] = __fns(1, 2, 3); }", "operators and a loop", "1:36"),
]

UNSUPPORTED += [
    (GROUPS + text, part, f"5:{column}")
    for text, part, column in [
        (
            "__global__ void k() { cg::tiled_partition<64>(cg::this_thread_block()); }",
            "tiles of more than a warp",
            43,
        ),
        (
            "__global__ void k() { cg::tiled_partition<1024>(cg::this_thread_block()); }",
            "tiles of more than a warp",
            43,
        ),
        (
            "__global__ void k(int* p) { auto g = cg::coalesced_threads(); p[0] = cg::inclusive_scan(g, p[1], [](int a, "
            "int b) { return a * b; }); }",
            "reductions with an operation of one's own",
            98,
        ),
    ]
]

UNSUPPORTED += [
    (
        "typedef float (*unary)(float); __global__ void k(float* x) { unary f; }",
        "pointers to functions",
        "1:62",
    ),
    (
        "using unary = float (*)(float); __device__ float f(unary g) { return g(1); }",
        "pointers to functions",
        "1:52",
    ),
]

# CUDA C++ of whole programs, or with a header: NVRTC alone does not take it either.
WHOLE_PROGRAMS = [
    (
        "#include <cuda_texture_types.h>\n__global__ void k(cudaTextureObject_t t, float* x) { x[0] = "
        "tex2DLod<float>(t, 1, 2, 0); }",
        "this kind of texture",
        "2:61",
    ),
    ("__global__ void k(int* p) { k<<<1, 1>>>(p); }", "dynamic parallelism", "1:29"),
    ("__global__ void k() { cudaDeviceSynchronize(); }", "library for the host", "1:23"),
    (
        "__global__ void k(char* p) { int* x = new (p) int[4]; }",
        "new in memory that is there already",
        "1:39",
    ),
    ("__global__ void k(int* x) { std::sort(x, x + 9); }", "standard library", "1:29"),
    ("__global__ void k(long long* p) { unsigned __int128 a = p[0]; }", "__umul64hi", "1:44"),
    (
        "#include <cuda_fp8.h>\n__global__ void k() { __nv_fp8_e4m3 x; }",
        "use __half or __nv_bfloat16",
        "2:23",
    ),
    (
        "#include <curand_kernel.h>\n__global__ void k(curandStateSobol32* s) { }",
        "this generator of cuRAND",
        "2:19",
    ),
]

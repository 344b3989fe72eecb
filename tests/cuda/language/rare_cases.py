"""Mistakes that are seldom made: each has its message, which messages.json keeps; NVRTC is not asked."""

from .texts import GROUPS

_KERNEL = "__global__ void k(int* p, float* x, int n) { %s }"
_MAIN = (
    "int g; __device__ int d; __global__ void k(int* x) { }\nint f(int a) { return a; }\n"
    "__device__ int df() { return 1; }\nint main() { %s }"
)

KERNELS = (
    [
        _KERNEL.replace("%s", body)
        for body in [
            "__shared__ char s[49153]; s[0] = 1;",
            'char t[2] = "abc"; t[0] = n;',
            "auto v = __syncthreads();",
            "void* v = p; v[0] = 1;",
            "void* v = p; n = *(v + 1);",
            "p = p + 1.5f;",
            "p += 2.0;",
            "bool b = true; b++;",
            "bool b; --b;",
            "auto a[2] = {1, 2};",
            "auto* q = n;",
            "float a[2][] = {1};",
            "int a[1 << 20];",
            "extern __shared__ int s;",
            "__shared__ int& r = p[0];",
            "constexpr int c = n; p[0] = c;",
            'static_assert(n > 0, "n");',
            "for (int i : p) p[0] = i;",
            "for (int i : n) p[0] = i;",
            "p[0] = {1, 2};",
            "n(1);",
            "(n + 1)(2);",
            "p[0] = 18446744073709551616ull;",
            "p[0] = 999999999999999999999999999999;",
            'float4 v; printf("%f", v);',
            "p[0] = 'ab';",
            "p[0] = if (n) 1;",
            "unsigned signed int q;",
            "int&& r = 1;",
            "auto f = [this]() { return 1; };",
            "auto f = [m = n]() { return m; }; p[0] = f();",
            "int a[2] = {1, 2}; auto f = [=]() { return a[0]; }; p[0] = f();",
            "p[0] = int(1, 2);",
            "int z = int(1, 2); p[0] = z;",
            "float* &*q = 0;",
            "p[0] = offsetof(int, a);",
            "int b = return 1;",
            "p[0] = _Pragma; ",
            "_Pragma(1) p[0] = 1;",
            "p[0] = std::foo(1);",
            "p[0] = threadIdx;",
            "p[0] = (int&)5;",
            "int q = p; p[0] = (n + 1).x;",
            "p[0]->x = 1;",
            "goto end; end: p[0] = 1;",
            "p[0] = sizeof(int[n]);",
            "float y = half(1, 2);",
            'printf("%d' + " %d" * 32 + '"' + ", n" * 33 + ");",
        ]
    ]
    + [
        GROUPS + text
        for text in [
            "struct P { int a[2]; }; __global__ void k(int* p) { P v; auto t = "
            "cg::tiled_partition<8>(cg::this_thread_block()); v.a[0] = p[0]; v.a[1] = 1; P w = t.shfl(v, 1); p[0] = "
            "w.a[0]; }",
            "struct P { int a; }; __global__ void k(int* p) { auto t = cg::tiled_partition<8>(cg::this_thread_block()); "
            "p[0] = t.shfl(P{1}, 1).a; }",
            "union U { int a; float b; }; __global__ void k(int* p) { U v; v.a = 1; auto t = "
            "cg::tiled_partition<8>(cg::this_thread_block()); U w = t.shfl(v, 1); p[0] = w.a; }",
        ]
    ]
    + [
        "struct S { int a; __device__ S(int b) : a(b) {} }; __global__ void k(int* p) { S s = {.a = 1}; p[0] = s.a; }",
        "struct S { int a; int b; }; __global__ void k(int* p) { S s(1, 2); p[0] = s.a; }",
        "struct S { int a; int b; }; __global__ void k(int* p) { p[0] = S(1, 2).a; }",
        "struct S { int a; }; __global__ void k(int* p) { p[0] = S::a; }",
        "struct S { int a; __device__ int f() { return a; } }; __global__ void k(int* p) { p[0] = S::f(); }",
        "struct S { __shared__ int a; };",
        "struct S { register int a; };",
        "__device__ __shared__ void f() { }",
        "__device__ __constant__ int f() { return 1; }",
        "extern __constant__ int n[]; __global__ void k(int* p) { p[0] = n[0]; }",
        "__device__ int& r = 5;",
        "__constant__ float w[20000]; __global__ void k(float* x) { x[0] = w[0]; }",
        "__constant__ char w[65537];",
        "using f = ;",
        "enum E : float { A };",
        "enum E { A = 1.5 };",
        "template <int N> struct R { static const int v = R<N + 1>::v; }; __global__ void k(int* p) { p[0] = R<0>::v; }",
        "template <typename T> __device__ T f(T x); __global__ void k(int* p) { p[0] = f(1); }",
        "__device__ int f(int a, ...) { return a; }",
        'extern "C" template <typename T> __global__ void k(T* x) { }',
        "__device__ void f(int (*g)(int&)) { }",
        "template <typename T> __global__ void t(T* x) { } __global__ void k() { t<int>; }",
        "#if x y\n#endif",
        "#if 1 2\n#endif",
        '#if "a"\n#endif',
        "#if 1.5\n#endif",
        "#if\n#endif",
        "#elif 1\n",
        "#if defined\n#endif",
        "#if defined(A\n#endif",
        "#if defined(3)\n#endif",
        "#define defined 1",
        "#define F(a",
        "#define F(1) 1",
        "#include <png.h>\n__global__ void k(png_bytep p) { }",
        "#include cmath",
        "texture<float> t;",
        "__global__ void k(int* x) { x[0] = __shfl(x[1], 0); }",
        "#define A(x) a ## x\nint A(+);",
        "#define J(a, b) a##b\nint J(+, x);",
        "const int a = 1; const int a = 2;",
        'extern "C" __global__ void k(); extern "C" __global__ void k(int n) { }',
        "__global__ void k(int* p) { k2<<<1, 1>>>(p); }",
        "int f(int); __global__ void k(int* p) { p[0] = f(1); }",
        "__global__ void k(int x[][n]) { }",
        "__global__ void k(int x[][]) { }",
        "union U { int a; U(int b) : a(b) {} }; __shared__ U u;",
        "struct S { int a = 1; __device__ S() {} }; __global__ void k(int* p) { __shared__ S s; p[0] = s.a; }",
        "half h;",
        "__global__ void k(__half* h) { h[0] = 1; }",
        "__global__ void k(int* p) { nv_bfloat16 b; }",
        "__global__ void k(int* p) { cg::thread_block b; }",
        "#define F(x) x\n" + "F(" * 61 + "1" + ")" * 61,
        "\n".join(f"#define {a} {(b + ' ') * 8}" for a, b in zip("ABCDEFG", "BCDEFGH", strict=True))
        + "\nA",
    ]
)
PROGRAMS = [
    _MAIN.replace("%s", body)
    for body in [
        "__syncthreads();",
        "return df();",
        "int x = atomicAdd(&g, 1);",
        "int n = d;",
        "f<<<1, 1>>>(1);",
        "int x = 1; x<<<1, 1>>>();",
        "int* p = new int[1.5];",
        "delete g;",
        "cudaMemcpyToSymbol(g, &g, 4);",
        "k();",
        "k<<<1, 1, 0, 0, 0>>>(NULL);",
        "k<<<1>>>(NULL);",
        "int x = blockIdx.x;",
        "back: g++; if (g < 3) goto back;",
        "auto t = std::sort;",
        "printf(5);",
        "char* t = 'x';",
        "cudaMalloc(5, 4);",
        "for (int i : g) f(i);",
    ]
] + [
    "extern int n; int main() { return n; }",
    "extern __device__ int n; __global__ void k(int* x) { x[0] = n; } int main() { }",
    "int f(int); int main() { return f(1); }",
    "int f(int a); float f(int a) { return 1; } int main() { }",
    "int& r = 5; int main() { }",
    "__global__ void k(int x = g) { } int main() { }",
    "int over(int a) { return 1; } float over(float a) { return 1; } int main() { auto f = over; }",
    "int over(int a) { return 1; } float over(float a) { return 1; } int main() { return over == over; }",
    "int n; __global__ void k(int* x) { x[0] = n; } int main() { }",
    "void f() { } __global__ void k() { f(); } int main() { }",
    "template <class T> T f(T x); int main() { return f(1); }",
    "+ int main() { }",
    "  while",
    "#include <vector>\n\n= int main() { }",
    '#include ""\nint main() { }',
    "#include <nowhere/>\nint main() { nowhere::go(); }",
    "struct P { P(); };\nint main() { P p; }",
    "#include <vector>\nint main() { std::vector<int> v; v.sort(); }",
    '__global__ void k() { asm volatile("bar.sync 0;"',
    "enum Color { RED }; int main() { Color c = 2; }",
    'int main() { char* t = strpbrk("a b", " "); }',
    "#include <thrust/sort.h>\nint main() { int x[2]; thrust::sort(x, x + 2); }",
    "struct B { int a; }; int main() { B b; b.c = 1; }",
]
# What just fits.
FITS = [
    _KERNEL.replace("%s", body)
    for body in [
        "__shared__ char s[49152]; s[0] = 1;",
        'char t[4] = "abc"; p[0] = t[n];',
        "int a[131072]; a[n] = 1; p[0] = a[n];",
        'printf("%d' + " %d" * 31 + '"' + ", n" * 32 + ");",
        "p[0] = 18446744073709551615ull;",
    ]
] + [
    "__constant__ char w[65536]; __global__ void k(int* p) { p[0] = w[0]; }",
    "#define F(x) x\n__device__ int n = " + "F(" * 60 + "1" + ")" * 60 + ";",
]

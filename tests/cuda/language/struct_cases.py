"""Structs: programs that both NVRTC and we take or reject, and those that only NVRTC takes; see cases.py."""

# Programs that both take.
ACCEPTED = [
    "typedef struct P { int x; } A, *B; __global__ void k(A* a, B b) { struct { A x, y; } c, d; c.x = a[0]; c.y = *b; "
    "d = c; a[0] = d.y; }",
    "template <typename T, int N> struct A { T x; __device__ A(T a) : x(a) {} }; template <typename T> __device__ T "
    "f(A<T, 2> a) { return a.x; } __global__ void k(float* x) { x[0] = f<float>(x[1]); }",
    "template <typename T, typename U> struct A { T x; U y; }; template <typename U> __device__ U f(A<int, U> a) { "
    "return a.y; } __global__ void k(A<int, float>* a) { a->y = f(*a); }",
    "template <typename T> struct A { int x; }; template <typename T> struct A<const T> { T y; }; template "
    "<typename T> struct A<T*> { T z; }; __global__ void k(A<const int>* a, A<int*>* b) { a->y = 1; b->z = 2; }",
    "struct S { int n; template <typename T> __device__ T get(T x) const { return x + n; } template <int K> static "
    "__device__ int twice() { return 2 * K; } }; __global__ void k(float* x) { S s = {2}; x[0] = s.get(x[1]); x[1] = "
    "s.get<int>(3) + S::twice<4>(); auto f = [](auto a, const auto& b) { return a + b; }; x[2] = f(x[0], 1); }",
    "template <typename T, int N> struct A { T x[N]; }; template <typename T> struct A<T, 1> { T y; }; template "
    "<typename T> struct A<T*, 2> { T z; }; __global__ void k(A<int, 2>* a, A<int, 1>* b, A<float*, 2>* c) { a->x[0] "
    "= b->y + c->z; }",
    "template <typename T> struct V { T x; }; template <typename T> using W = V<T>; template <int N> constexpr int "
    "twice = 2 * N; __global__ void k(W<int>* w) { decltype(w->x) y = twice<3>; w->x = y; }",
    "template <typename T> struct Sum { __device__ T operator()(const T& a, const T& b) const { return a + b; } }; "
    "template <template <typename> class Op, typename T> __device__ T both(T a, T b) { return Op<T>()(a, b); } "
    "__global__ void k(float* x) { x[0] = both<Sum, float>(x[1], x[2]); }",
    "struct N { int v; N* next; }; __global__ void k(N* a, int* o) { int s = 0; for (N* p = a; p != nullptr; "
    "p = p->next) s += p->v; o[0] = s; }",
    "struct A; struct B { A* a; int x; }; struct A { B b; }; __global__ void k(A* a) { a->b.a = a; "
    "a->b.a->b.x = 3; }",
    "struct O { struct I { float a; } i; I more[2]; enum Kind { X, Y } kind; }; __global__ void k(O* o) { "
    "O::I t = o->i; o->more[1] = t; o->kind = O::Y; if (o->kind == O::X) o->i.a = 1; }",
    "struct M { static __device__ float sq(float x) { return x * x; } static const int N = 3; static "
    "constexpr float PI = 3.14f; }; __global__ void k(float* o) { o[0] = M::sq(o[1]) + M::N * M::PI; float "
    "a[M::N]; a[0] = 1; o[2] = a[0]; }",
    "class V { float x; public: __device__ V(float); __device__ float get() const; __device__ V& set(float); "
    "}; __device__ V::V(float a) : x(a) {} __device__ float V::get() const { return x; } __device__ V& "
    "V::set(float a) { x = a; return *this; } __global__ void k(float* o) { V v(1); o[0] = "
    "v.set(3).set(4).get(); }",
    "struct V { float x, y, z; }; __host__ __device__ inline V operator+(const V& a, const V& b) { return "
    "{a.x + b.x, a.y + b.y, a.z + b.z}; } __device__ V operator-(const V& a) { return V{-a.x, -a.y, -a.z}; } "
    "__device__ bool operator==(V a, V b) { return a.x == b.x; } __device__ V& operator+=(V& a, V b) { a = a "
    "+ b; return a; } __device__ V operator*(float s, V a) { return {s * a.x, s * a.y, s * a.z}; } __global__"
    " void k(V* v) { v[0] = -(v[0] + v[1]) + 2.f * v[2]; v[1] += v[0]; if (v[0] == v[1]) v[2].x = 1; }",
    "template <typename T> struct C { T re, im; __device__ C(T a, T b) : re(a), im(b) {} __device__ C "
    "operator+(const C& o) const { return C(re + o.re, im + o.im); } }; template <typename T> __device__ C<T>"
    " operator*(const C<T>& a, const C<T>& b) { return C<T>(a.re * b.re - a.im * b.im, a.re * b.im + a.im * "
    "b.re); } __global__ void k(C<float>* c) { c[0] = c[0] * c[1] + c[2]; }",
    "struct Add { __device__ float operator()(float a, float b) const { return a + b; } }; struct Mul { "
    "__device__ float operator()(float a, float b) const { return a * b; } }; template <typename Op> "
    "__device__ float red(float* x, int n, Op op) { float s = x[0]; for (int i = 1; i < n; i++) s = op(s, "
    "x[i]); return s; } template <class Op> __device__ float red2(float* x, int n) { Op op; return op(x[0], "
    "x[1]) + Op()(x[0], x[1]); } __global__ void k(float* x) { x[0] = red(x, 3, Add()) + red(x, 3, Mul{}) + "
    "red2<Add>(x, 2); }",
    "template <typename T> struct Tr { typedef float acc; static const int w = 1; }; template <> struct "
    "Tr<int> { typedef long long acc; static const int w = 2; }; template <typename T> __device__ typename "
    "Tr<T>::acc sum(T* x) { typename Tr<T>::acc s = 0; for (int i = 0; i < Tr<T>::w; i++) s += x[i]; return "
    "s; } __global__ void k(int* a, float* b) { a[0] = sum(a); b[0] = sum(b); }",
    "template <class T> struct SharedMemory { __device__ inline operator T*() { extern __shared__ int "
    "__smem[]; return (T*)__smem; } __device__ inline operator const T*() const { extern __shared__ int "
    "__smem[]; return (T*)__smem; } }; template <> struct SharedMemory<double> { __device__ inline operator "
    "double*() { extern __shared__ double __smem_d[]; return (double*)__smem_d; } }; template <class T> "
    "__device__ void f(T* g) { T* s = SharedMemory<T>(); s[threadIdx.x] = g[threadIdx.x]; __syncthreads(); "
    "g[threadIdx.x] = s[31 - threadIdx.x]; } __global__ void k(float* g, double* d) { f(g); } __global__ void"
    " k2(double* d) { f(d); }",
    "union U { float f; unsigned u; struct { unsigned short lo, hi; } h; }; __global__ void k(float* x) { U "
    "a; a.f = x[0]; a.u ^= 0x80000000; a.h.lo = 0; x[0] = a.f; U b = {2.0f}; x[1] = b.f; }",
    "struct M { float m[3][3]; __device__ float* operator[](int r) { return m[r]; } }; __global__ void k(M* "
    "a) { M r = {}; for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) for (int q = 0; q < 3; q++) "
    "r[i][j] += a->m[i][q] * a->m[q][j]; *a = r; }",
    "__constant__ struct { float w[5]; int n; } filt; struct P { int a; float b; }; __constant__ P tab[] = "
    "{{1, 2.f}, {3, 4.f}}; __device__ P dev[4]; __global__ void k(float* x) { x[0] = filt.w[threadIdx.x] + "
    "tab[1].b + sizeof(tab) / sizeof(tab[0]); dev[0].a++; atomicAdd(&dev[1].a, 1); }",
    "struct S { int count; float sum; }; __global__ void k(S* s, float* x) { atomicAdd(&s->count, 1); "
    "atomicAdd(&s->sum, x[threadIdx.x]); }",
    "struct P { double a; char c; }; __global__ void k(P* p, int n) { P* e = p + n; for (P* q = p; q < e; "
    "++q) q->a = q - p; p[0].c = (e - p) == n; }",
    "struct P { float x; }; __global__ void k(P* p) { auto& q = p[1]; q.x = 2; const auto& r = p[2]; auto s ="
    " r; s.x += 1; p[3] = s; auto* t = &p[4]; t->x = 1; (*t).x++; }",
    "struct V { float x = 1, y = 2; int k{7}; }; __global__ void k(float* o) { V a; V b{3}; V c = {}; o[0] = "
    "a.x + b.x + b.y + c.k; V d[2]; o[1] = d[1].y; }",
    "enum class Op { Add, Mul = 5 }; enum Plain { P, Q }; __device__ float ap(Op o, float a, float b) { "
    "switch (o) { case Op::Add: return a + b; case Op::Mul: return a * b; default: return 0; } } __global__ "
    "void k(float* x, Plain p) { x[0] = ap(Op::Mul, x[1], x[2]) + static_cast<int>(Op::Mul) + (p == Q); Op o "
    "= (Op)0; if (o == Op::Add) x[1] = 1; }",
    "struct R { float3 o, d; __device__ R(float3 a, float3 b) : o(a), d(b) {} __device__ R(float3 a) : R(a, "
    "make_float3(0, 0, 1)) {} __device__ float3 at(float t) const { return make_float3(o.x + t * d.x, o.y + t"
    " * d.y, o.z + t * d.z); } }; __global__ void k(float3* p) { R r(p[0]); p[1] = r.at(2.0f); p[2] = R(p[0],"
    " p[1]).at(1); }",
    "__global__ void k(float* x) { struct L { float a; int b; }; L l = {x[0], 2}; L m = l; x[1] = m.a * m.b; "
    "}",
    "namespace g { struct P { float x; }; namespace d { __device__ float f(P p) { return p.x; } } template "
    "<typename T> struct W { T v; }; } using g::P; __global__ void k(g::P* p, g::W<int>* w) { p[0].x = "
    "g::d::f(p[1]) + w->v; }",
    "struct P { float x, y; }; __global__ void k(P* p, bool b) { P q = b ? p[0] : p[1]; p[2] = q.x > 0 ? q : "
    "P{1, 2}; (threadIdx.x ? p[3] : p[4]) = q; }",
    "__global__ void k(float* x, int n) { auto sq = [](float a) { return a * a; }; float c = 3; auto add = "
    "[=](float a) -> float { return a + c + n; }; auto acc = [&](float a) { c += a; }; acc(2); x[0] = "
    "sq(x[1]) + add(1) + c; auto h = [&x](int i) { return x[i]; }; x[2] = h(1); }",
    "struct A { static int n; }; int A::n = 3; __global__ void k(int* x) { x[0] = 1; }",
    "template <typename T> __device__ void swp(T& a, T& b) { T t = a; a = b; b = t; } struct P { int k; float"
    " v; }; __global__ void k(P* p) { swp(p[0], p[1]); __shared__ P s[4]; s[threadIdx.x] = p[threadIdx.x]; "
    "__syncthreads(); if (threadIdx.x == 0) swp(s[0], s[1]); }",
    "struct A { float d[64]; }; __global__ void k(A* a) { A t = a[0]; a[1] = t; }",
    'struct A { char c; double d; short s; }; static_assert(sizeof(A) == 24, "x"); static_assert(alignof(A) '
    '== 8, ""); __global__ void k(int* x) { A a; x[1] = sizeof(a.d) + sizeof a; }',
    "struct A { int x; __device__ int twice() { return helper(x); } __device__ int helper(int a) { return 2 *"
    " a; } }; __global__ void k(A* a) { a->x = a->twice(); }",
    "struct __builtin_align__(8) P { float a, b; }; __global__ void k(P* p) { p[0] = p[1]; }",
    "struct P { float x; __device__ void set(float x) { this->x = x; } }; __global__ void k(P* p) { "
    "p->set(3); p[1].set(2); P q; q.set(1); p[2] = q; }",
    "struct P { float x; __device__ const float& get() const { return x; } __device__ float& get() { return "
    "x; } }; __device__ float f(const P& p) { return p.get(); } __global__ void k(P* p) { p->get() = f(*p) + "
    "1; }",
    "struct P { volatile int flag; int v; }; __global__ void k(volatile P* p) { while (p->flag == 0); p->v = "
    "1; }",
    "struct P { float x; __device__ P() {} __device__ P(const P& o) { x = o.x; } __device__ P& "
    "operator=(const P& o) { x = o.x; return *this; } }; __global__ void k(P* p) { P q(p[0]); P r = q; p[1] ="
    " r; __shared__ P s[2]; s[0] = r; }",
    "__global__ void k(float4* p) { float4 a{1, 2, 3, 4}; float2 b = {1, 2}; p[0] = a; p[1] = float4{b.x, "
    "b.y, 0, 1}; int3 c = {}; p[2].x = c.y; }",
    "typedef struct node { int v; struct node* next; } node_t; __global__ void k(node_t* n, struct node* m) {"
    " n->next = m; n->next->v = 1; }",
    "template <int N> struct Fact { static const int v = N * Fact<N - 1>::v; }; template <> struct Fact<0> { "
    "static const int v = 1; }; __global__ void k(int* x) { x[0] = Fact<5>::v; }",
    "template <int N> struct Log { enum { v = 1 + Log<N / 2>::v }; }; template <> struct Log<1> { enum { v = "
    "0 }; }; __global__ void k(int* x) { x[0] = Log<32>::v; }",
    "class V { float x; public: __device__ V(float a) : x(a) {} friend __device__ V operator+(const V& a, "
    "const V& b) { return V(a.x + b.x); } __device__ float g() const { return x; } }; __global__ void "
    "k(float* o) { o[0] = (V(1) + V(2)).g(); }",
    "struct D { int r, c; __device__ constexpr int size() const { return r * c; } }; constexpr int sq(int x) "
    "{ return x * x; } __global__ void k(int* o) { D d{2, 3}; o[0] = d.size(); int a[sq(3)]; a[0] = 1; o[1] ="
    " a[0]; }",
    "inline __device__ float dot(float3 a, float3 b) { return a.x*b.x+a.y*b.y+a.z*b.z; } inline __device__ "
    "float3 operator/(float3 a, float b) { return make_float3(a.x/b, a.y/b, a.z/b); } inline __device__ void "
    "operator*=(float3& a, float b) { a.x *= b; } inline __device__ float3 normalize(float3 v) { float inv = "
    "rsqrtf(dot(v, v)); v *= inv; return v; } __global__ void k(float3* p) { p[0] = normalize(p[1]) / 2.0f; "
    "p[2] *= 3; }",
    "struct T { float t[4][8]; }; __global__ void k(T* p) { float (*row)[8] = p->t; row[1][2] = 3; float* f ="
    " p->t[2]; f[1] = 1; float* g = &p->t[0][0]; g[31] = 2; }",
    "struct P { float x; }; struct A { float y; __device__ operator P() const { P p; p.x = y; return p; } }; "
    "__device__ float f(P p) { return p.x; } __global__ void k(float* o) { A a; a.y = 3; P p(a), r = a, s = P(a), t "
    "= (P)a, v[2] = {a}; p = a; o[0] = p.x + r.x + s.x + t.x + v[0].x + f(a) + static_cast<P>(a).x; }",
    "struct P { float x; __device__ P() = default; __device__ P(float a) : x(a) {} __device__ P(int) = delete; "
    "P(const P&) = delete; __device__ P& operator=(const P&) = delete; __device__ float f(int) = delete; __device__ "
    "float f(float a) { return a; } }; __global__ void k(float* o) { P p, q(2.0f); p.x = 1; o[0] = q.x + p.f(1.0f); }",
    "template <typename T> struct W { static const int n = sizeof(T); typedef T t; __device__ static constexpr int "
    "f() { return 3; } }; template <typename T, int N> struct A { T x[N]; }; template <typename T, int N> __device__ "
    "void g(T* x) { x[0] = N; } template <typename T> __device__ void h(T* x) { g<T, W<T>::n>(x); g<T, W<T>::n * "
    "2>(x); g<T, 1 + W<T>::n>(x); g<T, W<T>::n & 4>(x); g<T, W<T>::n == 4 ? 1 : 2>(x); g<T, (W<T>::n > 3)>(x); g<T, "
    "W<T>::f()>(x); A<T, W<T>::n * (2 + 1)> a; a.x[0] = (W<T>::n + 1) * 2 + (W<T>::n * 3) + (W<T>::n >> 1) + "
    "W<T>::n; x[0] = a.x[0]; } __global__ void k(float* x) { h(x); g<W<float>::t, 2>(x); A<W<float>::t*, 3> c; "
    "c.x[0] = x; x = c.x[0]; x[1] = (W<float>::t)3 + *(W<float>::t*)x; float t[(W<float>::n + 3) / 4]; t[0] = 1; if "
    "((W<float>::n & 3) == 0) x[1] = t[0]; }",
    "template <typename T> struct W { static const int n = sizeof(T); typedef T t; }; template <typename T, int N> "
    "__device__ int g() { return sizeof(T) + N; } const int m = 2; __global__ void k(int* p) { p[0] = g<W<int>::t* "
    "const, W<int>::n * m>() + g<int, W<int>::n * (m + 1)>() + g<int, W<int>::n & m>(); int* q = (W<int>::t* "
    "const)p; q[1] = 2; }",
    "struct P { int a; int b; }; __global__ void k(P* p) { P x, y; x.a = 1, y.b = 2; x.b = y.a = 4; p[0] = x;"
    " p[1].a = (y = x).b; }",
]

# (program, part of the message, "line:column")
REJECTED = [
    (
        "struct P { float x; }; __global__ void k(P* p) { p->y = 1; }",
        "'P' has no member 'y'",
        "1:53",
    ),
    (
        "struct P { float x; }; __global__ void k(P* p) { p.x = 1; }",
        "'P*' has no field 'x'",
        "1:52",
    ),
    (
        "struct P { float x; }; __global__ void k(P* p) { p[0] = p[1] + p[2]; }",
        "'+' does not work on 'P'",
        "1:62",
    ),
    (
        "struct P { float x; }; __global__ void k(P* p, float y) { p[0] = y; }",
        "assignment: cannot convert 'float' to 'P'",
        "1:66",
    ),
    (
        "struct P { float x; }; struct Q { float x; }; __global__ void k(P* p, Q* q) { p[0] = q[0]; }",
        "assignment: cannot convert 'Q' to 'P'",
        "1:87",
    ),
    ("struct P { float x; float x; };", "'x' is already declared here", "1:27"),
    (
        "struct P { float x; } __global__ void k(P* p) { p[0].x = 1; }",
        "expected ';' before '__global__'",
        "1:22",
    ),
    ("struct P { void x; };", "a member cannot be 'void'", "1:17"),
    (
        "struct P; __global__ void k(P* p) { p->x = 1; }",
        "'P' is declared, but what is in it is not known here",
        "1:40",
    ),
    (
        "struct P; __global__ void k(int* p) { p[0] = sizeof(P); }",
        "'P' is declared, but what is in it is not known here",
        "1:46",
    ),
    (
        "struct P; __global__ void k() { __shared__ P s[4]; }",
        "'P' is declared, but what is in it is not known here",
        "1:46",
    ),
    ("struct P { P next; };", "'P' is declared, but what is in it is not known here", "1:14"),
    ("struct P { int x; }; struct P { int y; };", "'P' is already declared here", "1:22"),
    (
        "struct P { int x; }; __global__ void k(P* p) { P q = {1, 2}; p[0] = q; }",
        "too many values for 'P'",
        "1:58",
    ),
    (
        "struct P { int x; }; __global__ void k(P* p) { P q = {.x = 2}; p[0] = q; }",
        "members by name, {.x = ...}, are C++20",
        "1:55",
    ),
    (
        "struct P { int x; }; __global__ void k(P* p) { if (p[0]) p[0].x = 1; }",
        "a condition cannot be of type 'P'",
        "1:53",
    ),
    (
        "struct P { int x; }; __global__ void k(P* p) { const P q = p[0]; q.x = 1; }",
        "this is const and cannot be changed",
        "1:70",
    ),
    (
        "struct P { int x; }; __global__ void k(const P* p) { p->x = 1; }",
        "this is const and cannot be changed",
        "1:59",
    ),
    (
        "struct P { int x; __device__ void set(int a) const { x = a; } }; __global__ void k(P* p) { p->set(1); }",
        "'x' is const and cannot be changed",
        "1:56",
    ),
    (
        "struct P { int x; __device__ void set(int a) { x = a; } }; __global__ void k(const P* p) { p->set(1); }",
        "'P::set' may change its object, which is const here",
        "1:95",
    ),
    (
        "struct P { int x; __device__ int get() { return x; } }; __global__ void k(P* p) { p->get(1); }",
        "'P::get' takes 0 arguments, but 1 given",
        "1:86",
    ),
    (
        "struct P { int x; __device__ int get() { return x; } }; __global__ void k(P* p) { p->got(); }",
        "'P' has no member 'got'",
        "1:86",
    ),
    (
        "struct P { int x; __device__ int get() { return x; } }; __global__ void k(P* p) { p[0].x = p->get; }",
        "'get' of 'P' is no value",
        "1:95",
    ),
    (
        "struct P { int x; __device__ P(int a) : x(a) {} }; __global__ void k(P* p) { P q; p[0] = q; }",
        "'P' has no constructor without arguments",
        "1:80",
    ),
    (
        "struct P { int x; __device__ P(int a) : x(a) {} }; __global__ void k(P* p) { P q(1, 2); p[0] = q; }",
        "'P::P' takes 1 argument, but 2 given",
        "1:81",
    ),
    ("struct P { int x; __device__ P(int a) : y(a) {} };", "'P' has no member 'y'", "1:41"),
    (
        "struct P { int x; __device__ P(int a) : x(a) {} }; __global__ void k(P* p) { __shared__ P s[4]; p[0] = "
        "s[0]; }",
        "'P' has no constructor without arguments",
        "1:91",
    ),
    (
        "struct A { const int n; float x; }; __global__ void k(A* a) { a->n = 3; }",
        "this is const and cannot be changed",
        "1:68",
    ),
    (
        "class A { int n; public: int m; }; __global__ void k(A* a) { a->n = 3; }",
        "'n' of 'A' is private",
        "1:65",
    ),
    (
        "struct V { float x; __device__ explicit V(float a) : x(a) {} }; __global__ void k(V* v) { *v = 3.0f; }",
        "assignment: cannot convert 'float' to 'V'",
        "1:96",
    ),
    ("enum class E { A }; __global__ void k(int* p) { p[0] = A; }", "undeclared name 'A'", "1:56"),
    ("enum E { A, A };", "'A' is already declared here", "1:13"),
    (
        "template <typename T> struct V { T x; }; __global__ void k(V* v) { }",
        "what 'T' of V is, is not said",
        "1:60",
    ),
    (
        "template <typename T> struct V { T x; }; __global__ void k(V<3>* v) { }",
        "'T' stands for a type",
        "1:62",
    ),
    (
        "template <typename T, int N> struct V { T x[N]; }; __global__ void k(V<int>* v) { }",
        "what 'N' of V is, is not said",
        "1:70",
    ),
    ("struct A { int x; }; template <> struct A<int> { int y; };", "'A' is no template", "1:34"),
    (
        "__global__ void k(int* p) { auto f = [](int a) { return a; }; p[0] = f(1, 2); }",
        "'lambda in line 1::operator()' takes 1 argument, but 2 given",
        "1:70",
    ),
    (
        "__global__ void k(int* p) { int n = 2; auto f = [](int a) { return a + n; }; p[0] = f(1); }",
        "undeclared name 'n'",
        "1:72",
    ),
    (
        "__global__ void k(int* p) { int n = 2; auto f = [=](int a) { n = a; return a; }; p[0] = f(1); }",
        "'n' is const and cannot be changed",
        "1:64",
    ),
    ("struct __align__(3) P { int x; };", "3 is no alignment", "1:18"),
    ("__global__ void k(int* p) { p(1); }", "'p' is not a function", "1:29"),
    (
        "__device__ int& f() { int x = 1; return 2; }",
        "return value of 'f' is a reference and needs a variable of type 'int'",
        "1:41",
    ),
    (
        "struct P { int x; }; __device__ P operator+(P a, P b) { return a; } __global__ void k(P* p) { p[0] = "
        "p[0] + 1; }",
        "'+' does not work on 'P'",
        "1:107",
    ),
    (
        "struct P { static const int N = 2; }; __global__ void k(int* p) { p[0] = P::M; }",
        "undeclared name 'P::M'",
        "1:74",
    ),
    *(
        (
            "struct P { float x; }; struct A { float y; __device__ operator P() const { P p; p.x = y; return p; } }; "
            f"__global__ void k(float* o) {{ A a; a.y = 1;\n{statement}; }}",
            "cannot convert 'A' to 'float'",
            f"2:{column}",
        )
        for statement, column in [
            ("P p{a}", 5),
            ("P p = {a}", 8),
            ("P p[1] = {{a}}", 12),
            ("o[0] = P{a}.x", 10),
        ]
    ),
    *(
        (
            "struct P { float x; __device__ P(float a) : x(a) {} __device__ P() = delete; __device__ P(int) = delete; "
            "__device__ P& operator=(const P&) = delete; __device__ float f(int) = delete; __device__ float f(float a) { "
            f"return a; }} }};\n__global__ void k(float* o) {{ P p(2.0f), q(3.0f);\n{statement} o[0] = p.x + q.x; }}",
            f"'P::{name}' is deleted in line 1: nobody may call it",
            f"3:{column}",
        )
        for statement, name, column in [
            ("P r;", "P", 3),
            ("P r(1);", "P", 4),
            ("p = q;", "operator=", 3),
            ("o[1] = p.f(1);", "f", 10),
        ]
    ),
    (
        "__device__ int f(int) = delete; __global__ void k(int* p) { p[0] = f(1); }",
        "'f' is deleted in line 1",
        "1:68",
    ),
    *(
        (
            "template <typename T> struct W { typedef T t; static const int n = 3; }; template <int N> __device__ int g() { "
            f"return N; }}\n__global__ void k(int* x) {{ x[0] = g<W<int>::{name}>(); }}",
            "'N' stands for a value",
            "2:46",
        )
        for name in ("t", "t*", "n*")
    ),
    (
        "union U { int i; float f; }; __global__ void k(U* u) { U v = {1, 2.0f}; u[0] = v; }",
        "too many values for 'U'",
        "1:66",
    ),
    (
        "struct O { struct I { float a; } i; }; __global__ void k(O* o) { o->i = 1; }",
        "cannot convert 'int' to 'O::I'",
        "1:73",
    ),
    (
        "struct S { int n; __host__ int get() { return n; } }; __global__ void k(S* s) { s->n = s->get(); }",
        "'S::get' is a function of the host, which a kernel cannot call",
        "1:91",
    ),
    (
        "template <typename T> struct A { T x; }; struct B { float x; }; template <typename T> __device__ T f(A<T> a, T "
        "b) { return a.x + b; } __global__ void k(B* b) { b->x = f(*b, 1.0f); }",
        "'B' is no A<...>",
        "1:170",
    ),
    (
        "template <typename T, typename U> struct A { T x; U y; }; template <typename U> __device__ U f(A<int, U> a) { "
        "return a.y; } __global__ void k(A<float, int>* a) { a->y = f(*a); }",
        "'A<float, int>' is no A<int, ...>",
        "1:172",
    ),
    (
        "template <typename T> struct A { int x; }; template <typename T> struct A<T*> { T y; }; __global__ void "
        "k(A<const int*>* a) { a->y = 1; }",
        "this is const and cannot be changed",
        "1:132",
    ),
]

UNSUPPORTED = [
    ("struct S { int* p; __device__ ~S() { p[0] = 1; } };", "destructors", "1:31"),
    (
        "struct A { int a; }; struct B { int b; }; struct C : public A, B { int c; }; __global__ void k(C* c) "
        "{ c->a = 1; }",
        "several bases",
        "1:62",
    ),
    (
        "struct A { int a; }; struct B : virtual A { int b; }; __global__ void k(B* b) { b->a = 1; }",
        "virtual bases",
        "1:33",
    ),
    (
        "struct A { virtual __device__ int f() { return 1; } }; __global__ void k(int* x) { A a; x[0] = a.f(); }",
        "virtual functions in a kernel",
        "1:98",
    ),
    ("struct A { int a : 3; }; __global__ void k(A* x) { x->a = 1; }", "bit fields", "1:18"),
    (
        "struct A { float& r; __device__ A(float& a) : r(a) {} }; __global__ void k(float* x) { A a(x[0]); a.r = "
        "2; }",
        "members that are references",
        "1:19",
    ),
    (
        "typedef float (*fn)(float); __device__ float sq(float x) { return x * x; } __device__ fn table[1] = "
        "{sq}; __global__ void k(float* x) { x[0] = table[0](x[1]); }",
        "pointers to functions",
        "1:87",
    ),
    (
        "struct P { int a, b; }; __device__ P mk(int x) { if (x > 0) return {x, 1}; return {}; } __global__ void "
        "k(int* x) { x[0] = mk(x[1]).a; auto [a, b] = mk(2); }",
        "names for the parts of a value",
        "1:141",
    ),
]

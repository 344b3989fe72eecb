// Lambdas, templates with numbers, references, default values, static tables.
template <int N, typename T = int> struct Power {
    __device__ static T of(T v) {
        T r = 1;
        for (int i = 0; i < N; i++) r *= v;
        return r;
    }
};
template <typename T> __device__ T clampv(T v, T lo, T hi) { return v < lo ? lo : v > hi ? hi : v; }
__device__ void minmax(const int* v, int n, int& lo, int& hi) {
    lo = hi = v[0];
    for (int i = 1; i < n; ++i) {
        if (v[i] < lo) lo = v[i];
        if (v[i] > hi) hi = v[i];
    }
}
struct Fix {
    int raw;
    __device__ explicit Fix(int r) : raw(r) {}
    __device__ Fix operator*(Fix o) const { return Fix((int)((long long)raw * o.raw >> 8)); }
    __device__ operator float() const { return raw / 256.0f; }
    __device__ bool operator<(const Fix& o) const { return raw < o.raw; }
    __device__ Fix& operator++() { raw += 256; return *this; }
    __device__ Fix operator++(int) { Fix old = *this; raw += 256; return old; }
};
template <class F> __device__ int twice(F f, int v) { return f(f(v)); }
__device__ int table(int i) { const int t[4] = {5, 6, 7, 8}; return t[i & 3]; }
template <typename T> __device__ int kind(T) { return 0; }
template <> __device__ int kind<float>(float) { return 1; }
template <> __device__ int kind<unsigned char>(unsigned char) { return 2; }
__device__ int over(int) { return 1; }
__device__ int over(unsigned) { return 2; }
__device__ int over(float) { return 3; }
__device__ int over(double) { return 4; }
__device__ int over(const int*) { return 5; }
__device__ int over(long long) { return 6; }
__device__ int total = 4;
__device__ int half(int v) { return v / 2; }
extern "C" __global__ void functions(float* x, int* p) {
    int n = 0, m = 0, lo, hi, base = 10;
    minmax(p, 20, lo, hi);
    p[n++] = lo;
    p[n++] = hi;
    p[n++] = Power<3>::of(5);
    x[m++] = Power<2, float>::of(1.5f);
    p[n++] = clampv(15, 0, 10);
    x[m++] = clampv(-0.5f, 0.0f, 1.0f);
    p[n++] = clampv<short>(70000, 0, 10);
    Fix a(384), b(512);
    x[m++] = a * b;
    x[m++] = (float)(a++) + a;
    p[n++] = (a < b) + (++b).raw;
    auto plus = [base](int v) { return v + base; }; auto acc = [&](int v) { base += v; return base; };
    p[n++] = twice(plus, 1);
    p[n++] = twice(acc, 3);
    p[n++] = base;
    p[n++] = [](int v) { return v * v; }(12);

    p[n++] = table(6);
    p[n++] = kind(1.0f) + kind((unsigned char)1) * 10 + kind(1.0) * 100 + kind('a') * 1000;
    p[n++] = over(1) + over(1u) * 10 + over('a') * 100 + over(1.0f) * 1000 + over(p) * 10000;
    p[n++] = over((short)1) + over(true) * 10 + over(1.0) * 100 + over(1LL) * 1000;
    auto all = [=](int v) { return half(v) * base + total; };
    total = 100; base = 7;
    p[n++] = all(9);
    int& r = p[40]; r = 5; r += 2; const int& cr = r; r++;
    p[n++] = cr; int* pp = &r; int** ppp = &pp; **ppp = 77;
    p[n++] = p[40];
    int arr[2][3] = {{1, 2, 3}, {4}}; int (*row)[3] = arr;
    p[n++] = row[1][0] + (*row)[2] + arr[0][4 - 2];
    p[n++] = sizeof(arr) / sizeof(arr[0]) + sizeof(arr[0]) / sizeof(int) * 10;
    for (int v : arr[0]) p[n] += v; n++; struct { int a; float b; } anon = {3, 4.5f};
    x[m++] = anon.a + anon.b; union { float f; unsigned u; } pun; pun.f = 1.0f;
    p[n++] = pun.u;
}

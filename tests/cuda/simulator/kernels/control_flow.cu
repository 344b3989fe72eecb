// rule: A device function returns from inside its loops
// launch: 1, 96, [full(96, -1, int32)]
// expect: out == [0, 1, 2, 2, 2] + [3] * 5 + [4] * 7 + [5] * 9 + [6] * 11 + [7] * 13 + [8] * 15 + [9] * 17 + [-1] * 14
__device__ int first(int t)
{
    for (int i = 0; i < 10; i++) {
        if (i * i >= t) return i;
    }
    return -1;
}
extern "C" __global__ void k(int* out)
{
    int t = threadIdx.x;
    int r = 0;
    r = first(t);
    out[t] = r;
}

// rule: A thread that has returned writes nothing more
// launch: 1, 8, [zeros(8, int32)]
// expect: out == [2, 2, 1, 2, 2, 0, 0, 0]
extern "C" __global__ void k(int* out)
{
    int t = threadIdx.x;
    if (t > 4) return;
    out[t] = 1;
    if (t == 2) return;
    out[t] = 2;
}

// rule: A function calls itself and takes pointers
// launch: 1, 8, [full(8, -1, int32)]
// expect: out == [0, 11, 12, 23, 34, 55, 86, 137]
__device__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
__device__ void swap(int* a, int* b)
{
    int t = *a;
    *a = *b;
    *b = t;
}
extern "C" __global__ void k(int* out)
{
    int t = threadIdx.x;
    int r = 0;
    int a = t, b = fib(t);
    swap(&a, &b);
    r = a * 10 + b;
    out[t] = r;
}

// rule: A pointer of each thread leads into an array of its own choice
// launch: 1, 8, [arange(8), array([0, -1, -2, -3, -4, -5, -6, -7]), zeros(8)]
// expect: b == [0, -1, -2, -3, -4, 50, -6, -7]
// expect: out == [0, 0, 2, 2, -4, -6, -6, -8]
extern "C" __global__ void k(float* a, float* b, float* out)
{
    int t = threadIdx.x;
    float* p = t < 4 ? a : b;
    float* q = a;
    if (t % 2) q = b + 1;
    out[t] = p[t] + q[0];
    if (t == 5) p[t] = 50.0f;
}

// rule: Vectors are built, changed and copied member by member
// launch: 1, 4, [arange(16), zeros(4)]
// expect: x == [0, 10, 2, 3, 4, 50, 6, 7, 8, 90, 10, 11, 12, 130, 14, 15]
// expect: out == [13, 557, 109, 157]
extern "C" __global__ void k(float* x, float* out)
{
    int t = threadIdx.x;
    float4 v = reinterpret_cast<float4*>(x)[t];
    v.y *= 10.0f;
    float2 h = make_float2(v.x, v.y);
    if (t == 1) h.x = 500.0f;
    ((float4*)x)[t] = v;
    out[t] = h.x + h.y + v.w;
}

// rule: Local variables are seen as types of another size
// launch: 1, 2, [array([16909060, 4294901244], uint32), zeros(8, uint8), zeros(4, float64)]
// expect: b == [4, 3, 2, 1, 252, 253, 254, 255]
// expect: d == [16909060, 4294900992, 2.000000476371497, 2.000001907348633]
extern "C" __global__ void k(const unsigned* x, unsigned char* b, double* d)
{
    int t = threadIdx.x;
    unsigned v = x[t];
    unsigned char* p = (unsigned char*)&v;
    for (int k = 0; k < 4; k++) b[4 * t + k] = p[k];
    if (t == 1) p[0] = 0;
    double h;
    int* halves = (int*)&h;
    halves[0] = 0;
    halves[t] = 0x3ff00000;
    halves[1] = 0x40000000 + t;
    d[t] = v;
    d[2 + t] = h;
}

// rule: Local variables are seen as types of another size
// launch: 1, 32, [array([16909060, 4294900992, 2.000000476371497, 2.000001907348633], float64)]
// error: UninitializedReadError thread=(0,0,0) block=(0,0,0)
// report: h is read before it has a value
// report: a local variable holds garbage until it is assigned
// report: hint: give it a value where it is declared: h = 0
extern "C" __global__ void k(double* d)
{
    double h;
    unsigned char* p = (unsigned char*)&h;
    d[0] = p[3];  // <- here
}

// rule: Operands are evaluated in the order of C++17
// launch: 1, 1, [zeros(5, int32)]
// expect: out == [10, 7, 7, 7, 1]
extern "C" __global__ void k(int* out)
{
    int a[4] = {7, 7, 7, 7};
    int k;
    k = 0;
    a[k++] = k + 10;
    for (int i = 0; i < 4; i++) out[i] = a[i];
    out[4] = k;
}

// rule: Operands are evaluated in the order of C++17
// launch: 1, 1, [zeros(5, int32)]
// expect: out == [7, 8, 7, 7, 2]
extern "C" __global__ void k(int* out)
{
    int a[4] = {7, 7, 7, 7};
    int k;
    k = 1;
    a[k++] += k;
    for (int i = 0; i < 4; i++) out[i] = a[i];
    out[4] = k;
}

// rule: Operands are evaluated in the order of C++17
// launch: 1, 1, [zeros(5, int32)]
// expect: out == [7, 5, 7, 7, 0]
extern "C" __global__ void k(int* out)
{
    int a[4] = {7, 7, 7, 7};
    int k;
    k = 1;
    a[k--] -= k * 2;
    for (int i = 0; i < 4; i++) out[i] = a[i];
    out[4] = k;
}

// rule: Operands are evaluated in the order of C++17
// launch: 1, 1, [zeros(5, int32)]
// expect: out == [7, 7, 7, 2, 3]
extern "C" __global__ void k(int* out)
{
    int a[4] = {7, 7, 7, 7};
    int k;
    k = 2;
    a[++k] = k;
    for (int i = 0; i < 4; i++) out[i] = a[i];
    out[4] = k;
}

// rule: Operands are evaluated in the order of C++17
// launch: 1, 1, [zeros(5, int32)]
// expect: out == [7, 7, 7, 1, 3]
extern "C" __global__ void k(int* out)
{
    int a[4] = {7, 7, 7, 7};
    int k;
    k = 1;
    a[k = 3] = k;
    for (int i = 0; i < 4; i++) out[i] = a[i];
    out[4] = k;
}

// rule: Operands are evaluated in the order of C++17
// launch: 1, 1, [zeros(5, int32)]
// expect: out == [1, 7, 7, 7, 1]
extern "C" __global__ void k(int* out)
{
    int a[4] = {7, 7, 7, 7};
    int k;
    k = 0;
    a[k++] = a[k] = k + 1;
    for (int i = 0; i < 4; i++) out[i] = a[i];
    out[4] = k;
}

// rule: Operands are evaluated in the order of C++17
// launch: 1, 1, [zeros(5, int32)]
// expect: out == [2, 7, 7, 7, 2]
extern "C" __global__ void k(int* out)
{
    int a[4] = {7, 7, 7, 7};
    int k;
    k = 1;
    a[0] = k << k++;
    for (int i = 0; i < 4; i++) out[i] = a[i];
    out[4] = k;
}

// rule: Operands are evaluated in the order of C++17
// launch: 1, 1, [zeros(5, int32)]
// expect: out == [2, 7, 7, 7, 1]
extern "C" __global__ void k(int* out)
{
    int a[4] = {7, 7, 7, 7};
    int k;
    k = 3;
    a[0] = (k = 5) >> (k = 1);
    for (int i = 0; i < 4; i++) out[i] = a[i];
    out[4] = k;
}

// rule: Operands are evaluated in the order of C++17
// launch: 1, 1, [zeros(5, int32)]
// expect: out == [7, 7, 7, 7, 3]
extern "C" __global__ void k(int* out)
{
    int a[4] = {7, 7, 7, 7};
    int k;
    k = 1;
    k += k++;
    for (int i = 0; i < 4; i++) out[i] = a[i];
    out[4] = k;
}

// rule: Operands are evaluated in the order of C++17
// launch: 1, 1, [zeros(5, int32)]
// expect: out == [8, 7, 7, 1, 1]
extern "C" __global__ void k(int* out)
{
    int a[4] = {7, 7, 7, 7};
    int k;
    k = 1;
    int* p = a;
    *p++ = *p + k;
    a[3] = p - a;
    for (int i = 0; i < 4; i++) out[i] = a[i];
    out[4] = k;
}

// rule: Operands are evaluated in the order of C++17
// launch: 1, 1, [zeros(5, int32)]
// expect: out == [0, 1, 7, 7, 2]
extern "C" __global__ void k(int* out)
{
    int a[4] = {7, 7, 7, 7};
    int k;
    k = 0;
    int2 v = {k++, k++};
    a[0] = v.x;
    a[1] = v.y;
    for (int i = 0; i < 4; i++) out[i] = a[i];
    out[4] = k;
}

// rule: Operands are evaluated in the order of C++17
// launch: 1, 1, [zeros(5, int32)]
// expect: out == [0, 0, 1, 7, 1]
extern "C" __global__ void k(int* out)
{
    int a[4] = {7, 7, 7, 7};
    int k;
    k = 0;
    int b[3] = {k, k++, k};
    a[0] = b[0];
    a[1] = b[1];
    a[2] = b[2];
    for (int i = 0; i < 4; i++) out[i] = a[i];
    out[4] = k;
}

// rule: Operands are evaluated in the order of C++17
// launch: 1, 1, [zeros(5, int32)]
// expect: out == [0, 0, 7, 7, 1]
extern "C" __global__ void k(int* out)
{
    int a[4] = {7, 7, 7, 7};
    int k;
    k = 0;
    int2 v = {k, k++};
    a[0] = v.x;
    a[1] = v.y;
    for (int i = 0; i < 4; i++) out[i] = a[i];
    out[4] = k;
}

// rule: Operands are evaluated in the order of C++17
// launch: 1, 1, [zeros(5, int32)]
// expect: out == [6, 7, 7, 7, 5]
extern "C" __global__ void k(int* out)
{
    int a[4] = {7, 7, 7, 7};
    int k;
    k = 4;
    a[0] = (k++, k) + 1;
    for (int i = 0; i < 4; i++) out[i] = a[i];
    out[4] = k;
}

// rule: Operands are evaluated in the order of C++17
// launch: 1, 1, [zeros(5, int32)]
// expect: out == [2, 7, 7, 7, 2]
extern "C" __global__ void k(int* out)
{
    int a[4] = {7, 7, 7, 7};
    int k;
    k = 1;
    int2 v = make_int2(3, 4);
    v.x = v.y = k++;
    a[0] = v.x + v.y;
    for (int i = 0; i < 4; i++) out[i] = a[i];
    out[4] = k;
}

// rule: Operands are evaluated in the order of C++17 where threads differ
// launch: 1, 32, [zeros(64, int32)]
// expect: out == [100, -1, 102, -3, 104, -5, 106, -7, 108, -9, 110, -11, 112, -13, 114, -15, 116, -17, 118, -19, 120, -21, 122, -23, 124, -25, 126, -27, 128, -29, 130, -31, -32, 0, -34, 0, -36, 0, -38, 0, -40, 0, -42, 0, -44, 0, -46, 0, -48, 0, -50, 0, -52, 0, -54, 0, -56, 0, -58, 0, -60, 0, -62, 0]
extern "C" __global__ void k(int* out)
{
    int k = threadIdx.x * 2;
    if (k < 32) {
        out[k++] = k + 100;
    }
    out[k] = -k;
}

// rule: Subscripts are evaluated from left to right
// launch: 1, 1, [zeros(8, int32)]
// expect: out == [5] + [0] * 5 + [8, 0]
extern "C" __global__ void k(int* out)
{
    int a[2][4] = {};
    int k = 0;
    a[k][k++] = 5;
    a[k][++k] = 7;
    a[k - 1][k++] += 1;
    for (int i = 0; i < 8; i++) out[i] = a[i / 4][i % 4];
}

// rule: A compound assignment computes in the common type and evaluates its left side once
// launch: 1, 1, [array([250, 10], uint8), zeros(1, int32)]
// expect: x == [4, 26]
// expect: calls == 2
extern "C" __global__ void k(unsigned char* x, int* calls)
{
    int j = 0;
    x[j++] += 10;
    x[j++] *= 2.6f;
    calls[0] = j;
}

// rule: Increments and assignments have values
// launch: 1, 2, [zeros(2, int32)]
// expect: out == [102, 203]
extern "C" __global__ void k(int* out)
{
    int t = threadIdx.x, a = t + 1;
    int y = a++;
    out[t] = y * 100 + a;
}

// rule: Increments and assignments have values
// launch: 1, 2, [zeros(2, int32)]
// expect: out == [202, 303]
extern "C" __global__ void k(int* out)
{
    int t = threadIdx.x, a = t + 1;
    int y = ++a;
    out[t] = y * 100 + a;
}

// rule: Increments and assignments have values
// launch: 1, 2, [zeros(2, int32)]
// expect: out == [100, 201]
extern "C" __global__ void k(int* out)
{
    int t = threadIdx.x, a = t + 1;
    int y = a--;
    out[t] = y * 100 + a;
}

// rule: Increments and assignments have values
// launch: 1, 2, [zeros(2, int32)]
// expect: out == 14
extern "C" __global__ void k(int* out)
{
    int t = threadIdx.x, a = t + 1;
    int y;
    y = a = 7;
    out[t] = y + a;
}

// rule: Extern arrays of all functions are one memory
// launch: 1, 32, [zeros(32)], shared_mem=128
// expect: o == 32 - arange(32)
__device__ float other()
{
    extern __shared__ float s[];
    return s[31 - threadIdx.x];
}
__device__ int first()
{
    extern __shared__ int bits[];
    return bits[2] == 0x40000000;
}
extern "C" __global__ void k(float* o)
{
    extern __shared__ float s[];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    o[threadIdx.x] = other() + first();
}

// rule: Each instance of a template is a function of its own
// launch: 1, 32, [zeros(32), zeros(32, int32)]
// expect: o == 511
// expect: p == [32, 33, 36, 41, 48, 57, 68, 81, 96, 113, 132, 153, 176, 201, 228, 257, 288, 321, 356, 393, 432, 473, 516, 561, 608, 657, 708, 761, 816, 873, 932, 993]
template <typename T> __device__ T total(T v)
{
    __shared__ T s[32];
    s[threadIdx.x] = v;
    __syncthreads();
    T sum = 0;
    for (int i = 0; i < 32; i++) sum += s[i];
    return sum;
}
template <typename T> __device__ T sum(T a, T b) { return a + b; }
template <typename T> __device__ T sum(T a, T b, T c) { return sum(a, b) + c; }
template <int N, typename T> __device__ T power(T x)
{
    if constexpr (N == 0)
        return 1;
    else
        return x * power<N - 1>(x);
}
extern "C" __global__ void k(float* o, int* p)
{
    int t = threadIdx.x;
    p[t] = total(1) + power<2>(t);
    o[t] = total(float(t)) + power<3>(2.0f) + power<0>(5.0f) + sum(1, 2, 3);
}

// rule: Device functions may have shared memory
// launch: 2, 32, [zeros(64)]
// expect: o == 496
__device__ float total(float v)
{
    __shared__ float s[32];
    s[threadIdx.x] = v;
    __syncthreads();
    float r = 0;
    for (int i = 0; i < 32; i++) r += s[i];
    return r;
}
extern "C" __global__ void k(float* o) { o[blockIdx.x * 32 + threadIdx.x] = total(threadIdx.x); }
extern "C" __global__ void other(float* o) { o[0] = 7; }

// rule: Device functions may have shared memory
// kernel: other
// launch: 1, 1, [full(64, 496)]
// expect: o == [7, *[496] * 63]
__device__ float total(float v)
{
    __shared__ float s[32];
    s[threadIdx.x] = v;
    __syncthreads();
    float r = 0;
    for (int i = 0; i < 32; i++) r += s[i];
    return r;
}
extern "C" __global__ void k(float* o) { o[blockIdx.x * 32 + threadIdx.x] = total(threadIdx.x); }
extern "C" __global__ void other(float* o) { o[0] = 7; }

// rule: A parameter whose address is taken is the thread's own
// launch: 1, 8, [zeros(8, int32), 2]
// expect: o == arange(8) + 202
__device__ int moved(int n)
{
    int* p = &n;
    *p += threadIdx.x;
    return n;
}
extern "C" __global__ void k(int* o, int n) { o[threadIdx.x] = moved(n) + 100 * n; }

// rule: Bytes of a local array are read where some threads are inactive
// launch: 1, 32, [zeros(8, int32)]
// expect: o == [1073741824, 1082130432, 1090519040, 0, 16384, 16512, 16640, 0]
extern "C" __global__ void k(int* o)
{
    int t = threadIdx.x;
    float a[3] = {1, 2, 4};
    if (t < 3) {
        ((int*)a)[t] += 1 << 23;
        o[t] = ((int*)a)[t];
        o[4 + t] = ((short*)a)[2 * t + 1];
    }
}

// rule: A local array may have an odd number of bytes
// launch: 1, 1, [zeros(4, int32)]
// expect: o == [513, 1541, 34, 7]
extern "C" __global__ void k(int* o)
{
    char a[7] = {1, 2, 3, 4, 5, 6, 7};
    o[0] = ((short*)a)[0];
    o[1] = ((short*)a)[2];
    ((short*)a)[1] = 0x1122;
    o[2] = a[2];
    o[3] = a[6];
}

// rule: A variable may be assigned from itself, and a pointer moved on before an atomic
// launch: 1, 1, [zeros(4, int32), zeros(4, int32)]
// expect: o == [1, 0, 7, 0]
extern "C" __global__ void k(int* o, int* p)
{
    int v = 7, unused;
    if (o == p) unused = unused;
    v = v;
    p = p + 1;
    atomicCAS(p, 0, 1);
    o[0] = p[0];
    o[2] = v;
}

// rule: A subscript may lie before its pointer
// launch: 1, 4, [arange(40), zeros(4)]
// expect: o == 16 * arange(4) + 1
extern "C" __global__ void k(const float* x, float* o)
{
    int t = threadIdx.x;
    float v = 0;
    auto p = (const float (*)[8])(x + 8);
    for (int i = 0; i < 2; i++) v += p[t - 1][i];
    o[t] = v;
}

// rule: A subscript may lie before its pointer
// launch: 1, 4, [arange(40), zeros(4)]
// expect: o == 16 * arange(4) + 1
extern "C" __global__ void k(const float* x, float* o)
{
    long long t = threadIdx.x;
    float v = 0;
    auto p = (const float (*)[8])(x + 8);
    for (int i = 0; i < 2; i++) v += p[t - 1][i];
    o[t] = v;
}

// rule: A subscript may lie before its pointer
// launch: 1, 4, [arange(40), zeros(4)]
// expect: o == 16 * arange(4) + 1
extern "C" __global__ void k(const float* x, float* o)
{
    int t = threadIdx.x;
    float v = 0;
    auto p = (const float (*)[8])(x + 8);
    for (unsigned i = 0; i < 2; i++) v += p[t - 1][i];
    o[t] = v;
}

// rule: A subscript may lie before its pointer
// launch: 1, 4, [arange(40), zeros(4)]
// expect: o == 16 * arange(4) + 1
extern "C" __global__ void k(const float* x, float* o)
{
    long long t = threadIdx.x;
    float v = 0;
    auto p = (const float (*)[8])(x + 8);
    for (unsigned i = 0; i < 2; i++) v += p[t - 1][i];
    o[t] = v;
}

// rule: A subscript may lie before its pointer
// launch: 1, 4, [arange(40), zeros(4)]
// expect: o == 16 * arange(4) + 1
extern "C" __global__ void k(const float* x, float* o)
{
    int t = threadIdx.x;
    float v = 0;
    auto p = (const float (*)[8])(x + 8);
    for (long long i = 0; i < 2; i++) v += p[t - 1][i];
    o[t] = v;
}

// rule: A subscript may lie before its pointer
// launch: 1, 4, [arange(40), zeros(4)]
// expect: o == 16 * arange(4) + 1
extern "C" __global__ void k(const float* x, float* o)
{
    long long t = threadIdx.x;
    float v = 0;
    auto p = (const float (*)[8])(x + 8);
    for (long long i = 0; i < 2; i++) v += p[t - 1][i];
    o[t] = v;
}

// rule: An inactive thread may have any index
// launch: 1, 8, [arange(8), zeros(8)]
// expect: o == [6, 10, 14, 18, 22, 0, 0, 0]
extern "C" __global__ void k(const float* x, float* o)
{
    int t = threadIdx.x;
    float v = 0;
    if (t < 5)
        for (int i = 0; i < 4; i++) v += x[(t + i) % 8 + (t < 5 || i < 9 ? 0 : 100)];
    o[t] = v;
}

// rule: An inactive thread may have any index
// launch: 1, 8, [arange(8), zeros(8)]
// expect: o == [6, 10, 14, 18, 22, 18, 14, 10]
extern "C" __global__ void k(const float* x, float* o)
{
    int t = threadIdx.x;
    float v = 0;
    if (t < 8)
        for (int i = 0; i < 4; i++) v += x[(t + i) % 8 + (t < 5 || i < 9 ? 0 : 100)];
    o[t] = v;
}

// rule: A null pointer may be stored
// launch: 1, 4, [array([1099511627776, 12345, 18446744073709551608, 9223372036854775808], uint64), zeros(4)]
// expect: o == 1
extern "C" __global__ void k(float* const* table, float* o)
{
    int t = threadIdx.x;
    o[t] = 1;
}

// rule: A null pointer may be stored
// launch: 1, 4, [array([1099511627776, 12345, 18446744073709551608, 9223372036854775808], uint64), zeros(4)]
// expect: o == 1
extern "C" __global__ void k(float* const* table, float* o)
{
    int t = threadIdx.x;
    float* p = table[t];
    o[t] = p != 0;
}

// rule: A null pointer may be stored
// launch: 1, 4, [array([1099511627776, 12345, 18446744073709551608, 9223372036854775808], uint64), zeros(4)]
// expect: o == 1
extern "C" __global__ void k(float* const* table, float* o)
{
    int t = threadIdx.x;
    float* p[2];
    p[t % 2] = table[t];
    o[t] = p[t % 2] == table[t];
}

// rule: A null pointer may be stored
// launch: 1, 4, [array([1099511627776, 12345, 18446744073709551608, 9223372036854775808], uint64), zeros(4)]
// expect: o == 1
extern "C" __global__ void k(float* const* table, float* o)
{
    int t = threadIdx.x;
    struct S {
        float* p;
        int n;
    } s[2] = {{table[0], 1}, {table[1], 1}};
    S r = s[t % 2];
    o[t] = r.n;
}

// rule: A null pointer may not be used
// launch: 1, 4, [array([1099511627776, 12345, 18446744073709551608, 9223372036854775808], uint64), arange(4)]
// error: OutOfBoundsError thread=(0,0,0) block=(0,0,0)
// report: read through a pointer to 0x10000000000, where no array of this launch lies
// report: hint: pass the array as an argument, too
extern "C" __global__ void k(float* const* table, float* o)
{
    int t = threadIdx.x;
    o[t] = *table[0];  // <- here
}

// rule: A null pointer may not be used
// launch: 1, 4, [array([1099511627776, 12345, 18446744073709551608, 9223372036854775808], uint64), arange(4)]
// error: OutOfBoundsError thread=(2,0,0) block=(0,0,0)
// report: read through a pointer to 0xfffffffffffffff8, where no array of this launch lies
// report: hint: pass the array as an argument, too
extern "C" __global__ void k(float* const* table, float* o)
{
    int t = threadIdx.x;
    if (t > 1) o[t] = *table[t];  // <- here
}

// rule: A null pointer may not be used
// launch: 1, 4, [array([1099511627776, 12345, 18446744073709551608, 9223372036854775808], uint64), arange(4)]
// error: OutOfBoundsError thread=(1,0,0) block=(0,0,0)
// report: write through a pointer to 0x3039, where no array of this launch lies
// report: hint: pass the array as an argument, too
extern "C" __global__ void k(float* const* table, float* o)
{
    int t = threadIdx.x;
    if (t == 1) *table[t] = 1;  // <- here
}

// rule: A null pointer may not be used
// launch: 1, 4, [array([1099511627776, 12345, 18446744073709551608, 9223372036854775808], uint64), arange(4)]
// error: OutOfBoundsError thread=(3,0,0) block=(0,0,0)
// report: atomic through a pointer to 0x8000000000000000, where no array of this launch lies
// report: hint: pass the array as an argument, too
extern "C" __global__ void k(float* const* table, float* o)
{
    int t = threadIdx.x;
    if (t == 3) atomicAdd(table[t] + 5, 1.0f);  // <- here
}

// rule: A null pointer may not be used
// launch: 1, 4, [array([1099511627776, 12345, 18446744073709551608, 9223372036854775808], uint64), arange(4)]
// error: OutOfBoundsError thread=(1,0,0) block=(0,0,0)
// report: read through a pointer to 0x10000000000, where no array of this launch lies
// report: hint: pass the array as an argument, too
extern "C" __global__ void k(float* const* table, float* o)
{
    int t = threadIdx.x;
    float* p[2] = {o, table[0]};
    o[t] = p[t % 2][t];  // <- here
}

// rule: A block of PTX has registers and predicates of its own
// launch: 1, 4, [arange(4, 8, int32), zeros(4, uint32), zeros(4)]
// expect: x == [107, 107, 9, 9]
// expect: bits == 1069547520
// expect: sum == 5.5
extern "C" __global__ void own(int* x, unsigned* bits, float* sum)
{
    int t = threadIdx.x, r = x[t];
    unsigned low, high;
    asm volatile(
        "{\n\t.reg .pred p, q;\n\t.reg .s32 r, %%t<2>;\n\tsetp.gt.s32 p, %1, 5;\n\tnot.pred q, p;\n\t"
        "mov.s32 r, 7;\n\t@p mov.s32 r, 9;\n\tmov.s32 %%t0, 100;\n\t"
        "add.s32 %%t1, %%t0, r;\n\tselp.s32 %0, %%t1, r, q;\n\t}"
        : "=r"(x[t])
        : "r"(r));
    asm("mov.b32 %0, %1;" : "=r"(bits[t]) : "f"(1.5f));
    asm("mov.b64 {%0, %1}, %2;" : "=r"(low), "=r"(high) : "l"(0x100000002ull));
    sum[t] = low - high;
    asm("add.f32 %0, %0, 0f3F800000;" : "+f"(sum[t]));
    asm("{ .reg .b32 raw; .reg .f32 f; mov.b32 raw, %1; add.u32 raw, raw, 0x800000; mov.b32 f, raw; "
        "add.f32 %0, %0, f; }"
        : "+f"(sum[t])
        : "f"(1.5f)); // an exponent more: 3
    int differs;
    asm("{ .reg .pred p; setp.ne.f32 p, %1, %1; selp.s32 %0, 1, 0, p; }"
        : "=r"(differs)
        : "f"(__int_as_float(0x7fc00000)));
    bits[t] += differs;
    double twice;
    asm("{ .reg .f64 t; mov.f64 t, %1; add.f64 %0, t, t; }" : "=d"(twice) : "d"(0.25));
    sum[t] += twice;
}

// rule: A recursion without end is reported
// launch: 64, 256, [zeros(16384, int32)]
// error: KernelError
// report: kernel k: a __device__ function is 164 calls deep in itself, and a variable of 400 bytes takes 65,600 bytes of each thread's stack; a GPU gives it 1,024. Does the recursion end? If so, write a loop
struct S {
    int a[100];
};
__device__ int down(int n)
{
    int a[100];
    a[n % 100] = n;
    return down(n + 1) + a[n % 100];
}
extern "C" __global__ void k(int* x) { x[blockIdx.x * blockDim.x + threadIdx.x] = down(1); }

// rule: A recursion without end is reported
// launch: 64, 256, [zeros(16384, int32)]
// error: KernelError
// report: kernel k: a __device__ function is 164 calls deep in itself, and a variable of 400 bytes takes 65,600 bytes of each thread's stack; a GPU gives it 1,024. Does the recursion end? If so, write a loop
struct S {
    int a[100];
};
__device__ int down(int n)
{
    S s;
    s.a[n % 100] = n;
    return down(n + 1) + s.a[n % 100];
}
extern "C" __global__ void k(int* x) { x[blockIdx.x * blockDim.x + threadIdx.x] = down(1); }

// rule: A large local array is no recursion
// launch: 4, 1024, [zeros(4096, int32)]
// expect: x == 7
extern "C" __global__ void k(int* x)
{
    int a[131072];
    a[threadIdx.x] = 7;
    x[blockIdx.x * blockDim.x + threadIdx.x] = a[threadIdx.x];
}

// rule: Dot products of the numbers in a word
// launch: 1, 1, [zeros(1, int32)]
// expect: z == 17
extern "C" __global__ void f(int* z)
{
    char4 x = make_char4(1, 2, -3, 4), y = make_char4(-2, 3, 4, 5);
    uchar4 u = make_uchar4(255, 1, 2, 3);
    short2 s = make_short2(300, 7);
    z[0] = __dp4a(x, y, 5);
}

// rule: Dot products of the numbers in a word
// launch: 1, 1, [zeros(1, int32)]
// expect: z == 65044
extern "C" __global__ void f(int* z)
{
    char4 x = make_char4(1, 2, -3, 4), y = make_char4(-2, 3, 4, 5);
    uchar4 u = make_uchar4(255, 1, 2, 3);
    short2 s = make_short2(300, 7);
    z[0] = __dp4a(u, u, 5u);
}

// rule: Dot products of the numbers in a word
// launch: 1, 1, [zeros(1, int32)]
// expect: z == 17
extern "C" __global__ void f(int* z)
{
    char4 x = make_char4(1, 2, -3, 4), y = make_char4(-2, 3, 4, 5);
    uchar4 u = make_uchar4(255, 1, 2, 3);
    short2 s = make_short2(300, 7);
    z[0] = __dp4a(*(int*)&x, *(int*)&y, 5);
}

// rule: Dot products of the numbers in a word
// launch: 1, 1, [zeros(1, int32)]
// expect: z == -578
extern "C" __global__ void f(int* z)
{
    char4 x = make_char4(1, 2, -3, 4), y = make_char4(-2, 3, 4, 5);
    uchar4 u = make_uchar4(255, 1, 2, 3);
    short2 s = make_short2(300, 7);
    z[0] = __dp2a_lo(s, y, 1);
}

// rule: Dot products of the numbers in a word
// launch: 1, 1, [zeros(1, int32)]
// expect: z == 1236
extern "C" __global__ void f(int* z)
{
    char4 x = make_char4(1, 2, -3, 4), y = make_char4(-2, 3, 4, 5);
    uchar4 u = make_uchar4(255, 1, 2, 3);
    short2 s = make_short2(300, 7);
    z[0] = __dp2a_hi(s, y, 1);
}

// rule: Dot products of the numbers in a word
// launch: 1, 1, [zeros(1, int32)]
// expect: z == 1236
extern "C" __global__ void f(int* z)
{
    char4 x = make_char4(1, 2, -3, 4), y = make_char4(-2, 3, 4, 5);
    uchar4 u = make_uchar4(255, 1, 2, 3);
    short2 s = make_short2(300, 7);
    z[0] = __dp2a_hi(*(int*)&s, *(int*)&y, 1);
}

// rule: Threads follow their own ways through loops and branches
// launch: 1, 40, [full(40, -1, int32)]
// expect: out == [103, 107, 106, 103, 107, 106, 103, 107, 106, 103, 107, 106, 103, 107, 106, 103, 107, 106, 103, 107, 106, 103, 107, 106, 103, 107, 106, 103, 107, 106, 103, 107, 106, 103, 107, 106, 103, 107, 106, 103]
extern "C" __global__ void k(int* out)
{
    int t = threadIdx.x;
    int r = 0;
    switch (t % 3) {
    case 0:
        for (int i = 0; i < 3; i++) r += i;
        break;
    case 1:
        while (r < 7) r++;
        break;
    default:
        do r += 2;
        while (r < 5);
    }
    r += 100;
    out[t] = r;
}

// rule: Threads follow their own ways through loops and branches
// launch: 1, 40, [full(40, -1, int32)]
// expect: out == [34, 34, *[38] * 38]
extern "C" __global__ void k(int* out)
{
    int t = threadIdx.x;
    int r = 0;
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 2; j++) {
            if (j == t) continue;
            r++;
        }
        if (i == t % 4) continue;
        r += 10;
    }
    out[t] = r;
}

// rule: Threads follow their own ways through loops and branches
// launch: 1, 40, [full(40, -1, int32)]
// expect: out == [9, 10, 17, 23, 7, 11, 18, 21, 8, 12, 16, 22, 9, 10, 17, 23, 7, 11, 18, 21, 8, 12, 16, 22, 9, 10, 17, 23, 7, 11, 18, 21, 8, 12, 16, 22, 9, 10, 17, 23]
extern "C" __global__ void k(int* out)
{
    int t = threadIdx.x;
    int r = 0;
    for (int i = 0; i < 4; i++) {
        while (true) {
            r++;
            if (r % 3 == t % 3) break;
        }
        if (i > t % 4) break;
        if (i == 1) continue;
        r += 5;
    }
    out[t] = r;
}

// rule: Threads follow their own ways through loops and branches
// launch: 1, 40, [full(40, -1, int32)]
// expect: out == [21, 28, 21, 28, 21, 28, 21, 28, 21, 28, 1, 8, 1, 8, 1, 8, 1, 8, 1, 8, 1, 8, 1, 8, 1, 8, 1, 8, 1, 8, 1, 8, 1, 8, 1, 8, 1, 8, 1, 8]
extern "C" __global__ void k(int* out)
{
    int t = threadIdx.x;
    int r = 0;
    for (int i = 0; i < 3; i++) switch (i) {
        case 0:
            switch (t % 2) {
            case 0:
                break;
            default:
                r += 7;
            }
            r += 1;
            break;
        case 2:
            if (t > 9) break;
            r += 20;
        }
    out[t] = r;
}

// rule: Threads follow their own ways through loops and branches
// launch: 1, 40, [full(40, -1, int32)]
// expect: out == [0, 0, 0, 2, 5, 5, 10, 16, 16, 24, 33, 33, 44, 56, 56, 70, 85, 85, 102, 120, 120, 140, 161, 161, 184, 208, 208, 234, 261, 261, 290, 320, 320, 352, 385, 385, 420, 456, 456, 494]
extern "C" __global__ void k(int* out)
{
    int t = threadIdx.x;
    int r = 0;
    for (int i = 0; i < t; i++) {
        if (i % 3 == 1) continue;
        if (i == 7) break;
        r += i;
    }
    out[t] = r;
}

// rule: Threads follow their own ways through loops and branches
// launch: 1, 40, [full(40, -1, int32)]
// expect: out == [0, 60, 62, 86, 68, *[96] * 35]
extern "C" __global__ void k(int* out)
{
    int t = threadIdx.x;
    int r = 0;
    for (int i = 0; i < 5; ++i) {
        for (int j = 0; j < 5; ++j) {
            if (j == t) break;
            if ((i + j) % 2) continue;
            r += 10 * i + j;
        }
        if (r > 60) break;
    }
    out[t] = r;
}

// rule: Threads follow their own ways through loops and branches
// launch: 1, 40, [full(40, -1, int32)]
// expect: out == [0, 1, 7, 2, 5, 8, 16, 3, 19, 6, 14, 9, 9, 17, 17, 4, 12, 20, 20, 7, 7, 15, 15, 10, 23, 10, 111, 18, 18, 18, 106, 5, 26, 13, 13, 21, 21, 21, 34, 8]
extern "C" __global__ void k(int* out)
{
    int t = threadIdx.x;
    int r = 0;
    int n = t + 1;
    while (n != 1) {
        n = n % 2 == 0 ? n / 2 : 3 * n + 1;
        r++;
    }
    out[t] = r;
}

// rule: Threads follow their own ways through loops and branches
// launch: 1, 40, [full(40, -1, int32)]
// expect: out == [11, 10, 1000, 100, 1000, 11, 10, 1000, 100, 1000, 11, 10, 1000, 100, 1000, 11, 10, 1000, 100, 1000, 11, 10, 1000, 100, 1000, 11, 10, 1000, 100, 1000, 11, 10, 1000, 100, 1000, 11, 10, 1000, 100, 1000]
extern "C" __global__ void k(int* out)
{
    int t = threadIdx.x;
    int r = 0;
    switch (t % 5) {
    case 0:
        r += 1;
    case 1:
        r += 10;
        break;
    case 3:
        r += 100;
        break;
    default:
        r += 1000;
    }
    out[t] = r;
}

// rule: Threads follow their own ways through loops and branches
// launch: 1, 40, [full(40, -1, int32)]
// expect: out == [2, 2, 2, 4, 4, 6, 6, 8, 8, 10, 10, 12, 12, 14, 14, 16, 16, 18, 18, 20, 20, 22, 22, 24, 24, 26, 26, 28, 28, 30, 30, 32, 32, 34, 34, 36, 36, 38, 38, 40]
extern "C" __global__ void k(int* out)
{
    int t = threadIdx.x;
    int r = 0;
    do {
        r += 2;
    } while (r < t);
    out[t] = r;
}

// rule: Threads follow their own ways through loops and branches
// launch: 1, 40, [full(40, -1, int32)]
// expect: out == [1, 2, 2, 2] + [3] * 5 + [4] * 7 + [5] * 9 + [6] * 11 + [7, 7, 7, 7]
extern "C" __global__ void k(int* out)
{
    int t = threadIdx.x;
    int r = 0;
    for (;;) {
        if (r * r > t) break;
        r++;
    }
    out[t] = r;
}

// rule: Threads follow their own ways through loops and branches
// launch: 1, 40, [full(40, -1, int32)]
// expect: out == 3 * arange(40) + 3
extern "C" __global__ void k(int* out)
{
    int t = threadIdx.x;
    int r = 0;
    for (int i = 0; i < 9; i++) switch (i % 3) {
        case 1:
            continue;
        case 2:
            r += t;
            break;
        default:
            r++;
        }
    out[t] = r;
}

// rule: Threads follow their own ways through loops and branches
// launch: 1, 40, [full(40, -1, int32)]
// expect: out == [*[1] * 10, *[2] * 10, *[3] * 11, *[4] * 9]
extern "C" __global__ void k(int* out)
{
    int t = threadIdx.x;
    int r = 0;
    if (t < 10)
        r = 1;
    else if (t < 20)
        r = 2;
    else {
        r = 3;
        if (t > 30) r = 4;
    }
    out[t] = r;
}

// rule: Threads follow their own ways through loops and branches
// launch: 1, 40, [full(40, -1, int32)]
// expect: out == [*[0] * 4, *[1] * 10, *[0] * 26]
extern "C" __global__ void k(int* out)
{
    int t = threadIdx.x;
    int r = 0;
    if (t > 3 && 100 / (t - 3) > 9) r = 1;
    out[t] = r;
}

// rule: Threads follow their own ways through loops and branches
// launch: 1, 40, [full(40, -1, int32)]
// expect: out == [0, 0, 0, *[1] * 11, *[0] * 26]
extern "C" __global__ void k(int* out)
{
    int t = threadIdx.x;
    int r = 0;
    if (t == 3 || 100 / (t - 3) > 9) r = 1;
    out[t] = r;
}

// rule: Threads follow their own ways through loops and branches
// launch: 1, 40, [full(40, -1, int32)]
// expect: out == [2] * 9 + [0, 0, 0, 2] + [0] * 6 + [2] + [0] * 6 + [2] + [0] * 6 + [2] + [0] * 6
extern "C" __global__ void k(int* out)
{
    int t = threadIdx.x;
    int r = 0;
    for (int i = 0; i < 2; i++) r += (signed char)(bool)(t < 9 || t * 3 % 7 == 1);
    out[t] = r;
}

// rule: Threads follow their own ways through loops and branches
// launch: 1, 40, [full(40, -1, int32)]
// expect: out == [-33, -50, -100, -1, 100, 50, 33, 25, 20, 16, 14, 12, 11, 10, 9, 8, 7, 7, 6, 6, 5, 5, 5, 5] + [4] * 5 + [3] * 8 + [2, 2, 2]
extern "C" __global__ void k(int* out)
{
    int t = threadIdx.x;
    int r = 0;
    r = t == 3 ? -1 : 100 / (t - 3);
    out[t] = r;
}

// rule: Threads follow their own ways through loops and branches
// launch: 1, 40, [full(40, -1, int32)]
// expect: out == [*[0] * 6, *[3] * 34]
extern "C" __global__ void k(int* out)
{
    int t = threadIdx.x;
    int r = 0;
    int k = 0;
    bool b = t > 5 && k++ == 0;
    r = k * 2 + b;
    out[t] = r;
}

// rule: Threads follow their own ways through loops and branches
// launch: 1, 40, [full(40, -1, int32)]
// expect: out == [17, 19, 23, 29, 21, 27, 35, 45, 25, 35, 47, 61, 29, 43, 59, 77, 33, 51, 71, 93, 37, 59, 83, 109, 41, 67, 95, 125, 45, 75, 107, 141, 49, 83, 119, 157, 53, 91, 131, 173]
extern "C" __global__ void k(int* out)
{
    int t = threadIdx.x;
    int r = 0;
    int a[4] = {5, 6};
    a[t % 4] += t;
    for (int i = 0; i < 4; i++) r += a[i] * (i + 1);
    out[t] = r;
}

// rule: Threads follow their own ways through loops and branches
// launch: 1, 40, [full(40, -1, int32)]
// expect: out == [0, 4, 10, 9, 16, 25, 18, 28, 40, 27, 40, 55, 36, 52, 70, 45, 64, 85, 54, 76, 100, 63, 88, 115, 72, 100, 130, 81, 112, 145, 90, 124, 160, 99, 136, 175, 108, 148, 190, 117]
extern "C" __global__ void k(int* out)
{
    int t = threadIdx.x;
    int r = 0;
    int a[2][3];
    for (int i = 0; i < 6; i++) a[i / 3][i % 3] = i * t;
    r = a[1][t % 3];
    out[t] = r;
}

// rule: Threads follow their own ways through loops and branches
// launch: 1, 40, [full(40, -1, int32)]
// expect: out == [101, 101001, 2101, 103001, 4101, 105001, 6101, 107001, 8101, 109001, 10101, 111001, 12101, 113001, 14101, 115001, 16101, 117001, 18101, 119001, 20101, 121001, 22101, 123001, 24101, 125001, 26101, 127001, 28101, 129001, 30101, 131001, 32101, 133001, 34101, 135001, 36101, 137001, 38101, 139001]
extern "C" __global__ void k(int* out)
{
    int t = threadIdx.x;
    int r = 0;
    int x = t, y = 1;
    int* p = t % 2 ? &x : &y;
    *p += 100;
    r = x * 1000 + y;
    out[t] = r;
}

// rule: printf prints as C does
// launch: 1, 1, [ones(1)]
// expect: printed[:43] == "4294967295 fffffffe -294967296 1|    7|7  |"
// expect: printed[43:90] == "   7|ok|-1 18446744073709551615|1.500000e+00 0.25"[:47]
// expect: printed.splitlines()[1:3] == ["AB\a\033[1m\\ \"'Cz\t", "3.14   1.0e+00"]
// expect: printed.splitlines()[3].startswith("0x")
extern "C" __global__ void k(float* x)
{
    printf("%u %x %d %i|%5d|%-3d|", -1, -2, 4000000000u, true, 7, 7);
    printf("%*d|%c%c|%lld %llu|%e %g\n", 4, 7, 'o', 107, -1ll, -1ll, 1.5f, 0.25);
    printf("\x41\102\7\033[1m\\ \"\'%c%c\t\n", '\103', '\x7a');
    printf("%.*f %*.*e\n", 2, 3.14159, 9, 1, x[0]);
    printf("%p", x);
}

// rule: printf prints in the order of threads
// launch: 1, 4, [float32(1.5)]
// expect: printed == "2 of 4:  1.50%\n3 of 4:  1.50%\n"
// launch: 3, 2, [float32(1.5)], kernel="two"
// expect: printed == "".join(f"{c}{b}{t} " for b in range(3) for c in "ab" for t in range(2))
extern "C" __global__ void k(float x)
{
    if (threadIdx.x > 1) printf("%d of %u: %5.2f%%\n", threadIdx.x, blockDim.x, x);
}
extern "C" __global__ void two(float x)
{
    printf("a%d%d ", blockIdx.x, threadIdx.x);
    printf("b%d%d ", blockIdx.x, threadIdx.x);
}

// rule: A number is printed no wider than a GPU has room for
// launch: 1, 1, [ones(1)]
// expect: 2**20 <= len(printed) < 2**20 + 200
// launch: 1, 1, [ones(1)], kernel="star"
// expect: 2**20 <= len(printed) < 2**20 + 200
// launch: 1, 1, [ones(1)], kernel="left"
// expect: 2**20 <= len(printed) < 2**20 + 200
// launch: 1, 1, [ones(1)], kernel="precise"
// expect: 2**20 <= len(printed) < 2**20 + 200
extern "C" __global__ void k(float* x) { printf("%999999999d", 1); }
extern "C" __global__ void star(float* x) { printf("%*d", 999999999, 1); }
extern "C" __global__ void left(float* x) { printf("%*d", -999999999, 1); }
extern "C" __global__ void precise(float* x) { printf("%.999999999f", 1.0); }

// Structs as books and samples use them: particles, matrices by value, functors, complex numbers, small vectors.

#define PLACE(value, member) ((char*)&(value).member - (char*)&(value))  // NVRTC has no offsetof

struct Body {
    float3 position;
    float mass;
    float3 velocity;
    unsigned char kind;
};

typedef struct { float low, high; int count; } Range;

struct Settings {
    float dt;
    Range limits[2];
    double scale;
};

__constant__ Range bounds[2] = {{-1.0f, 1.0f, 3}, {0.5f, 0.0f, 7}};
__device__ Range widest;

__device__ float3 operator+(const float3& a, const float3& b) { return make_float3(a.x + b.x, a.y + b.y, a.z + b.z); }
__device__ float3 operator*(float s, float3 a) { return {s * a.x, s * a.y, s * a.z}; }
__device__ float3& operator+=(float3& a, const float3& b) { a.x += b.x; a.y += b.y; a.z += b.z; return a; }

extern "C" __global__ void advance(Body* bodies, Settings s, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Body b = bodies[i];
    float3 start = b.position + s.dt * b.velocity;
    b.position += s.dt * b.velocity;
    b.position.x = fminf(fmaxf(b.position.x, s.limits[0].low), s.limits[1].high);
    b.kind = b.position.x < start.x ? 1 : s.limits[i % 2].count;
    b.mass = b.mass * s.scale;
    bodies[i] = b;
}

extern "C" __global__ void heaviest(const Body* bodies, int n, Body* found)
{
    __shared__ Body best[64];
    int t = threadIdx.x;
    best[t] = bodies[t];
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (t < half && best[t + half].mass > best[t].mass) best[t] = best[t + half];
        __syncthreads();
    }
    if (t == 0) *found = best[0];
}

struct Matrix {
    int rows, columns;
    float values[6];
    __device__ float& at(int r, int c) { return values[r * columns + c]; }
    __device__ float at(int r, int c) const { return values[r * columns + c]; }
    __device__ Matrix transposed() const
    {
        Matrix result = {columns, rows};
        for (int r = 0; r < rows; r++)
            for (int c = 0; c < columns; c++) result.at(c, r) = at(r, c);
        return result;
    }
};

extern "C" __global__ void transposed(const Matrix* x, Matrix* y) { y[threadIdx.x] = x[threadIdx.x].transposed(); }

class Complex {
public:
    __device__ Complex(float r = 0, float i = 0) : re(r), im(i) {}
    __device__ Complex operator*(const Complex& o) const { return Complex(re * o.re - im * o.im, re * o.im + im * o.re); }
    __device__ Complex& operator+=(const Complex& o) { re += o.re; im += o.im; return *this; }
    __device__ float norm() const { return re * re + im * im; }
private:
    float re, im;
};

extern "C" __global__ void mandelbrot_class(int* counts, int width, int height, int limit)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= width || y >= height) return;
    Complex c(-2.0f + 3.0f * x / width, -1.0f + 2.0f * y / height), z;
    int k = 0;
    for (; k < limit && z.norm() <= 4; k++) {
        z = z * z;
        z += c;
    }
    counts[y * width + x] = k;
}

enum class Mode : unsigned char { Twice, Square = 4 };

template <typename T, int N> struct Tuple {
    T parts[N];
    static const int SIZE = N;
    __device__ T& operator[](int k) { return parts[k]; }
};

template <typename T> struct Affine {
    T a, b = 3;
    __device__ T operator()(T x) const { return a * x + b; }
};

template <typename T, typename F> __device__ void map(T* x, F f) { x[threadIdx.x] = f(x[threadIdx.x]); }

template <typename T> __global__ void mapped_struct(T* x, Mode mode)
{
    Tuple<T, 3> t;
    for (int k = 0; k < Tuple<T, 3>::SIZE; k++) t[k] = x[threadIdx.x] + k;
    T sum = 0;
    for (T part : t.parts) sum += part;
    x[threadIdx.x] = sum;
    map(x, Affine<T>{2});
    T offset = mode == Mode::Square ? 1 : 2;
    map(x, [=](T v) { return v * v + offset; });
}

union Bits {
    float real;
    unsigned int word;
    unsigned char bytes[4];
};

struct __align__(16) Packed {
    float x, y, z;
    union { int id; float weight; };
};

extern "C" __global__ void unpacked(const Packed* p, unsigned int* words, float* sums, size_t* sizes)
{
    int t = threadIdx.x;
    Bits b;
    b.real = p[t].x;
    words[t] = b.word ^ b.bytes[3];
    Packed q = p[t];
    q.id = t;
    sums[t] = q.y + q.z + q.weight + p[t].weight;
    if (t == 0) {
        sizes[0] = sizeof(Body), sizes[1] = sizeof(Settings), sizes[2] = sizeof(Packed), sizes[3] = sizeof(Matrix);
        Settings settings;
        Body body;
        sizes[4] = PLACE(settings, limits), sizes[5] = PLACE(body, kind), sizes[6] = alignof(Packed);
    }
}

struct Node {
    int value;
    int next;
};

extern "C" __global__ void list_sums(const Node* nodes, int* sums)
{
    int total = 0;
    for (const Node* p = &nodes[threadIdx.x]; ; p = nodes + p->next) {
        total += p->value;
        if (p->next < 0) break;
    }
    sums[threadIdx.x] = total + (bounds[0].count + bounds[1].count) * (bounds[1].high == 0.0f);
    if (threadIdx.x == 0) widest = {-2.0f, 2.0f, total};
}

struct Window {
    const float* values;
    int length;
    __device__ float sum() const
    {
        float s = 0;
        for (int k = 0; k < length; k++) s += values[k];
        return s;
    }
};

extern "C" __global__ void windows(const float* x, float* y, int n)
{
    __shared__ float tile[40];
    int t = threadIdx.x;
    tile[t] = x[t];
    __syncthreads();
    Window w = {t % 2 ? x + t : &tile[t], min(3, n - t)};
    Window both[2] = {w, {x, 1}};
    y[t] = both[t % 2].sum();
}

extern "C" __global__ void moved(float3 by, float3* points, uchar4 mask, int2* out)
{
    int t = threadIdx.x;
    points[t] += by;
    out[t] = make_int2(mask.x + mask.w * t, by.y > 0);
}

// Constructors, operators, conversions.

struct C {
    float re, im;
    int count = 3;
    __device__ C() : re(1), im(2) {
    }
    __device__ C(float r) : C(r, -r) {
        count++;
    }
    __device__ C(float r, float i) : re(r), im(i) {
    }
    __device__ C operator+(const C& o) const {
        return C(re + o.re, im + o.im);
    }
    __device__ C operator-() const {
        return C(-re, -im);
    }
    __device__ C& operator*=(float s) {
        re *= s;
        im *= s;
        return *this;
    }
    __device__ C& operator++() {
        re++;
        return *this;
    }
    __device__ C operator++(int) {
        C o = *this;
        ++*this;
        return o;
    }
    __device__ bool operator<(const C& o) const {
        return re < o.re;
    }
    __device__ float operator[](int i) const {
        return i ? im : re;
    }
    __device__ explicit operator float() const {
        return re + im;
    }
};
__device__ C operator*(float s, const C& c) {
    return C(s * c.re, s * c.im);
}
__device__ float take(C c) {
    return c.re * 10 + c.im;
}
extern "C" __global__ void constructors(float* x, int* p) {
    C a, b(x[1]), c = 2.0f, d{x[2], x[3]}, e = C(4);
    C f = a + b + -c;
    f *= 3;
    ++f;
    C g = f++;
    x[0] = f.re;
    x[1] = g.re;
    x[2] = g.im;
    p[0] = a.count + b.count * 10 + c.count * 100;
    x[3] = take(5.0f) + take(d);
    p[1] = a < b;
    p[2] = !(b < a);
    x[4] = (2.f * d)[1];
    x[5] = (float)f + static_cast<float>(e);
    C arr[3];
    x[6] = arr[2].im;
    C h[2] = {1.f, C(2, 3)};
    x[7] = h[0].im + h[1].im;
    x[8] = (a + 1.5f).re;
    ((f *= 2) *= 2) *= 2;
    x[9] = f.im;
    C* q = &f;
    x[10] = (*q)[0] + q->im;
    const C z = f;
    x[11] = z[1];
}

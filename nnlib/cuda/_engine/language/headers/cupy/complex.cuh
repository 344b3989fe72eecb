// CuPy's complex numbers, which are Thrust's: complex<float> and complex<double>.
namespace thrust {

template <typename T> struct __align__(sizeof(T) * 2) complex {
    typedef T value_type;
    T re, im;
    complex() = default;
    __device__ complex(T real) : re(real), im(0) {}
    __device__ complex(T real, T imag) : re(real), im(imag) {}
    __device__ T real() const { return re; }
    __device__ T imag() const { return im; }
    __device__ void real(T x) { re = x; }
    __device__ void imag(T x) { im = x; }
    __device__ complex<T>& operator=(T x) { re = x; im = 0; return *this; }
    __device__ complex<T>& operator+=(const complex<T>& z) { re += z.re; im += z.im; return *this; }
    __device__ complex<T>& operator-=(const complex<T>& z) { re -= z.re; im -= z.im; return *this; }
    __device__ complex<T>& operator*=(const complex<T>& z) { *this = *this * z; return *this; }
    __device__ complex<T>& operator/=(const complex<T>& z) { *this = *this / z; return *this; }
    __device__ complex<T>& operator+=(const T& x) { re += x; return *this; }
    __device__ complex<T>& operator-=(const T& x) { re -= x; return *this; }
    __device__ complex<T>& operator*=(const T& x) { re *= x; im *= x; return *this; }
    __device__ complex<T>& operator/=(const T& x) { re /= x; im /= x; return *this; }
};

template <typename T> __device__ complex<T> operator+(const complex<T>& a, const complex<T>& b)
{
    return complex<T>(a.re + b.re, a.im + b.im);
}
template <typename T> __device__ complex<T> operator+(const complex<T>& a, const T& b)
{
    return complex<T>(a.re + b, a.im);
}
template <typename T> __device__ complex<T> operator+(const T& a, const complex<T>& b)
{
    return complex<T>(a + b.re, b.im);
}
template <typename T> __device__ complex<T> operator-(const complex<T>& a, const complex<T>& b)
{
    return complex<T>(a.re - b.re, a.im - b.im);
}
template <typename T> __device__ complex<T> operator-(const complex<T>& a, const T& b)
{
    return complex<T>(a.re - b, a.im);
}
template <typename T> __device__ complex<T> operator-(const T& a, const complex<T>& b)
{
    return complex<T>(a - b.re, -b.im);
}
template <typename T> __device__ complex<T> operator*(const complex<T>& a, const complex<T>& b)
{
    return complex<T>(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
}
template <typename T> __device__ complex<T> operator*(const complex<T>& a, const T& b)
{
    return complex<T>(a.re * b, a.im * b);
}
template <typename T> __device__ complex<T> operator*(const T& a, const complex<T>& b)
{
    return complex<T>(a * b.re, a * b.im);
}
// Scaled, so that no intermediate value overflows.
template <typename T> __device__ complex<T> operator/(const complex<T>& a, const complex<T>& b)
{
    T scale = T(1) / (fabs(b.re) + fabs(b.im));
    T ar = a.re * scale, ai = a.im * scale, br = b.re * scale, bi = b.im * scale;
    T inverse = T(1) / (br * br + bi * bi);
    return complex<T>((ar * br + ai * bi) * inverse, (ai * br - ar * bi) * inverse);
}
template <typename T> __device__ complex<T> operator/(const complex<T>& a, const T& b)
{
    return complex<T>(a.re / b, a.im / b);
}
template <typename T> __device__ complex<T> operator/(const T& a, const complex<T>& b) { return complex<T>(a) / b; }
template <typename T> __device__ complex<T> operator+(const complex<T>& z) { return z; }
template <typename T> __device__ complex<T> operator-(const complex<T>& z) { return complex<T>(-z.re, -z.im); }
template <typename T> __device__ bool operator==(const complex<T>& a, const complex<T>& b)
{
    return a.re == b.re && a.im == b.im;
}
template <typename T> __device__ bool operator==(const complex<T>& a, const T& b) { return a.re == b && a.im == T(0); }
template <typename T> __device__ bool operator==(const T& a, const complex<T>& b) { return a == b.re && b.im == T(0); }
template <typename T> __device__ bool operator!=(const complex<T>& a, const complex<T>& b) { return !(a == b); }
template <typename T> __device__ bool operator!=(const complex<T>& a, const T& b) { return !(a == b); }
template <typename T> __device__ bool operator!=(const T& a, const complex<T>& b) { return !(a == b); }

template <typename T> __device__ T real(const complex<T>& z) { return z.re; }
template <typename T> __device__ T imag(const complex<T>& z) { return z.im; }
template <typename T> __device__ T abs(const complex<T>& z) { return hypot(z.re, z.im); }
template <typename T> __device__ T arg(const complex<T>& z) { return atan2(z.im, z.re); }
template <typename T> __device__ T norm(const complex<T>& z) { return z.re * z.re + z.im * z.im; }
template <typename T> __device__ complex<T> conj(const complex<T>& z) { return complex<T>(z.re, -z.im); }
template <typename T> __device__ complex<T> __complex_polar(const T& r, const T& angle)
{
    return complex<T>(r * cos(angle), r * sin(angle));
}
template <typename T> __device__ complex<T> exp(const complex<T>& z) { return __complex_polar<T>(exp(z.re), z.im); }
template <typename T> __device__ complex<T> log(const complex<T>& z) { return complex<T>(log(abs(z)), arg(z)); }
template <typename T> __device__ complex<T> log10(const complex<T>& z) { return log(z) / T(2.30258509299404568402); }
template <typename T> __device__ complex<T> sqrt(const complex<T>& z)
{
    T size = abs(z), re = sqrt((size + fabs(z.re)) / 2);
    if (size == T(0)) return complex<T>(0, z.im);
    T im = fabs(z.im) / (2 * re);
    return z.re >= T(0) ? complex<T>(re, copysign(im, z.im)) : complex<T>(im, copysign(re, z.im));
}
template <typename T> __device__ complex<T> sinh(const complex<T>& z)
{
    return complex<T>(sinh(z.re) * cos(z.im), cosh(z.re) * sin(z.im));
}
template <typename T> __device__ complex<T> cosh(const complex<T>& z)
{
    return complex<T>(cosh(z.re) * cos(z.im), sinh(z.re) * sin(z.im));
}
template <typename T> __device__ complex<T> tanh(const complex<T>& z) { return sinh(z) / cosh(z); }
template <typename T> __device__ complex<T> sin(const complex<T>& z)
{
    return complex<T>(sin(z.re) * cosh(z.im), cos(z.re) * sinh(z.im));
}
template <typename T> __device__ complex<T> cos(const complex<T>& z)
{
    return complex<T>(cos(z.re) * cosh(z.im), -sin(z.re) * sinh(z.im));
}
template <typename T> __device__ complex<T> tan(const complex<T>& z) { return sin(z) / cos(z); }
template <typename T> __device__ complex<T> pow(const complex<T>& a, const complex<T>& b) { return exp(log(a) * b); }
template <typename T> __device__ complex<T> pow(const complex<T>& a, const T& b) { return exp(log(a) * b); }
template <typename T> __device__ complex<T> pow(const T& a, const complex<T>& b) { return exp(log(a) * b); }

}

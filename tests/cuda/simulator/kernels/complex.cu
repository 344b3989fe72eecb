// rule: The complex numbers of CuPy's kernels compute as NumPy's
// launch: 2, 32, [x, y, out, real, c, 40], kernel="k<float>"
// memory: x, y = normal(160, float32).view(complex64).reshape(2, 40)
// memory: out, real, c = zeros((40, 20), complex64), zeros((40, 3), float32), complex64(2 - 1j)
// expect: allclose(out.T[:6], [a + b, a - b, a * b, a / b, -a, b.conj()], 2e-5, 2e-5)
// expect: allclose(out.T[6:12], [exp(a), log(b), sqrt(a), sin(a), cos(a), tanh(b)], 2e-5, 2e-5)
// expect: allclose(out.T[12:16], [a**b, 2 * a + 1, (c + a) * b, a], 2e-5, 2e-5)
// expect: allclose(out.T[16:], [0 * a + pi + 1j, 1 / a, 0 * a + 1j, b.imag], 2e-5, 2e-5)
// expect: allclose(real.T, [abs(a) ** 2, a.real + b.imag, 0 * a.real + 1], 2e-5, 2e-5)
// launch: 2, 32, [x, y, out, real, c, 40], kernel="k<double>"
// memory: x, y = normal(160, float64).view(complex128).reshape(2, 40)
// memory: out, real, c = zeros((40, 20), complex128), zeros((40, 3), float64), complex128(2 - 1j)
// expect: allclose(out.T[:6], [a + b, a - b, a * b, a / b, -a, b.conj()], 1e-13, 1e-13)
// expect: allclose(out.T[6:12], [exp(a), log(b), sqrt(a), sin(a), cos(a), tanh(b)], 1e-13, 1e-13)
// expect: allclose(out.T[12:16], [a**b, 2 * a + 1, (c + a) * b, a], 1e-13, 1e-13)
// expect: allclose(out.T[16:], [0 * a + pi + 1j, 1 / a, 0 * a + 1j, b.imag], 1e-13, 1e-13)
// expect: allclose(real.T, [abs(a) ** 2, a.real + b.imag, 0 * a.real + 1], 1e-13, 1e-13)
#include <cupy/complex.cuh>
#include <cupy/math_constants.h>
template <typename T>
__global__ void k(const complex<T>* a, const thrust::complex<T>* b, complex<T>* out, T* real, complex<T> c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    complex<T> x = a[i], y = b[i];
    complex<T>* o = out + 20 * i;
    o[0] = x + y; o[1] = x - y; o[2] = x * y; o[3] = x / y; o[4] = -x; o[5] = conj(y); o[6] = exp(x); o[7] = log(y);
    o[8] = sqrt(x); o[9] = sin(x); o[10] = cos(x); o[11] = tanh(y); o[12] = pow(x, y); o[13] = x * T(2) + T(1);
    o[14] = c; o[14] += x; o[14] *= y; o[15] = abs(x) * exp(complex<T>(0, arg(x))); o[16] = complex<T>(T(CUDART_PI), 1);
    o[17] = T(1) / x; o[18] = x == y ? x : complex<T>(0, 1); o[19].real(y.imag()); o[19].imag(0);
    real[3 * i] = norm(x); real[3 * i + 1] = x.real() + imag(y); real[3 * i + 2] = x != y;
}

// rule: One access moves a complex number, and an argument may be a Python number
// launch: 1, 32, [ones(32, complex128), ones(32, complex128)]
// expect: (profile.global_load.requests, profile.global_load.sectors) == (1, 16)
// launch: 1, 1, [zeros(1, complex64), 3 - 4j], kernel="given"
// expect: x == 3 - 4j
#include <cupy/complex.cuh>
extern "C" __global__ void k(const complex<double>* x, complex<double>* y) { y[threadIdx.x] = x[threadIdx.x]; }
extern "C" __global__ void given(complex<float>* x, complex<float> c) { x[0] = c; }

// rule: The pairs of cuComplex.h compute as NumPy's complex numbers
// launch: 1, 32, [x, y, zeros((32, 8), complex64)]
// memory: x, y = normal(128, float32).view(complex64).reshape(2, 32)
// expect: allclose(out.T[:4], [a + b, a - b, a * b, a / b], 2e-5, 2e-5)
// expect: allclose(out.T[4:], [a.conj(), a * b + a, a.real + 1j * b.imag, abs(a)], 2e-5, 2e-5)
#include <cuComplex.h>
extern "C" __global__ void k(const cuFloatComplex* a, const cuFloatComplex* b, cuFloatComplex* out)
{
    int i = threadIdx.x;
    cuFloatComplex x = a[i], y = b[i], *o = out + 8 * i;
    o[0] = cuCaddf(x, y);
    o[1] = cuCsubf(x, y);
    o[2] = cuCmulf(x, y);
    o[3] = cuCdivf(x, y);
    o[4] = cuConjf(x);
    o[5] = cuCfmaf(x, y, x);
    o[6] = make_cuFloatComplex(cuCrealf(x), cuCimagf(y));
    o[7] = make_cuFloatComplex(cuCabsf(x), 0);
}

// rule: The pairs of cuComplex.h compute as NumPy's complex numbers
// launch: 1, 32, [x, y, zeros((32, 8), complex128)]
// memory: x, y = normal(128, float64).view(complex128).reshape(2, 32)
// expect: allclose(out.T[:4], [a + b, a - b, a * b, a / b], 1e-13, 1e-13)
// expect: allclose(out.T[4:], [a.conj(), a * b + a, a.real + 1j * b.imag, abs(a)], 1e-13, 1e-13)
#include <cuComplex.h>
extern "C" __global__ void k(const cuDoubleComplex* a, const cuDoubleComplex* b, cuDoubleComplex* out)
{
    int i = threadIdx.x;
    cuDoubleComplex x = a[i], y = b[i], *o = out + 8 * i;
    o[0] = cuCadd(x, y);
    o[1] = cuCsub(x, y);
    o[2] = cuCmul(x, y);
    o[3] = cuCdiv(x, y);
    o[4] = cuConj(x);
    o[5] = cuCfma(x, y, x);
    o[6] = make_cuDoubleComplex(cuCreal(x), cuCimag(y));
    o[7] = make_cuDoubleComplex(cuCabs(x), 0);
}

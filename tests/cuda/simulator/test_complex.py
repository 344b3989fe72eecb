"""The complex numbers of CuPy's kernels and of cuComplex.h, beside NumPy's; and CUDA's constants."""

from __future__ import annotations

import numpy as np
import pytest

from nnlib.cuda import RawModule, force_simulator

TEXT = """#include <cupy/complex.cuh>
#include <cupy/math_constants.h>
template <typename T> __global__ void k(const complex<T>* a, const thrust::complex<T>* b, complex<T>* out, T* real,
                                        complex<T> c, int n)
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
"""
MODULE = RawModule(TEXT, name_expressions=("k<float>", "k<double>"))
TYPES = pytest.mark.parametrize(
    ("name", "dtype"), [("k<float>", np.complex64), ("k<double>", np.complex128)]
)


def launch(name, dtype, c=2 - 1j):
    rng = np.random.default_rng(4)
    x, y = (rng.normal(size=(2, 40)) + 1j * rng.normal(size=(2, 40))).astype(dtype)
    out, real = np.zeros((40, 20), dtype), np.zeros((40, 3), np.dtype(dtype).type(0).real.dtype)
    MODULE.get_function(name)(2, 32, (x, y, out, real, dtype(c), 40))
    return x, y, out, real


@TYPES
def test_they_compute_as_numpy(name, dtype):
    with force_simulator():
        x, y, out, real = launch(name, dtype)
    wanted = [
        x + y,
        x - y,
        x * y,
        x / y,
        -x,
        y.conj(),
        np.exp(x),
        np.log(y),
        np.sqrt(x),
        np.sin(x),
        np.cos(x),
        np.tanh(y),
        x**y,
        2 * x + 1,
        (2 - 1j + x) * y,
        x,
        np.full(40, np.pi + 1j),
        1 / x,
        np.full(40, 1j),
        y.imag + 0j,
    ]
    tolerance = 2e-5 if dtype == np.complex64 else 1e-13
    np.testing.assert_allclose(out, np.stack(wanted, 1), rtol=tolerance, atol=tolerance)
    np.testing.assert_allclose(
        real, np.stack([np.abs(x) ** 2, x.real + y.imag, np.ones(40)], 1), rtol=tolerance
    )


def test_one_access_moves_a_number():
    text = (
        '#include <cupy/complex.cuh>\nextern "C" __global__ void k(const complex<double>* x, complex<double>* y) '
        "{ y[threadIdx.x] = x[threadIdx.x]; }"
    )
    profile = (
        RawModule(text)
        .get_function("k")
        .profile(1, 32, (np.ones(32, complex), np.ones(32, complex)))
    )
    assert (profile.global_load.requests, profile.global_load.sectors) == (1, 16)


def test_an_argument_may_be_a_python_number():
    text = (
        "#include <cupy/complex.cuh>\n"
        'extern "C" __global__ void k(complex<float>* x, complex<float> c) { x[0] = c; }'
    )
    x = np.zeros(1, np.complex64)
    with force_simulator():
        RawModule(text).get_function("k")(1, 1, (x, 3 - 4j))
    assert x[0] == 3 - 4j


@pytest.mark.parametrize(
    ("f", "name", "dtype"), [("f", "Float", np.complex64), ("", "Double", np.complex128)]
)
def test_pairs_of_floats_compute_as_numpy(f, name, dtype):
    """cuComplex.h; its arrays may be of complex numbers."""
    text = f"""#include <cuComplex.h>
        extern "C" __global__ void k(const cu{name}Complex* a, const cu{name}Complex* b, cu{name}Complex* out) {{
            int i = threadIdx.x; cu{name}Complex x = a[i], y = b[i], *o = out + 8 * i;
            o[0] = cuCadd{f}(x, y); o[1] = cuCsub{f}(x, y); o[2] = cuCmul{f}(x, y); o[3] = cuCdiv{f}(x, y);
            o[4] = cuConj{f}(x); o[5] = cuCfma{f}(x, y, x); o[6] = make_cu{name}Complex(cuCreal{f}(x), cuCimag{f}(y));
            o[7] = make_cu{name}Complex(cuCabs{f}(x), 0); }}"""
    rng = np.random.default_rng(4)
    x, y = (rng.normal(size=(2, 32)) + 1j * rng.normal(size=(2, 32))).astype(dtype)
    out = np.zeros((32, 8), dtype)
    with force_simulator():
        RawModule(text).get_function("k")(1, 32, (x, y, out))
    wanted = [x + y, x - y, x * y, x / y, x.conj(), x * y + x, x.real + 1j * y.imag, abs(x)]
    tolerance = 2e-5 if f else 1e-13
    np.testing.assert_allclose(out, np.stack(wanted, 1), rtol=tolerance, atol=tolerance)


@pytest.mark.gpu
@TYPES
def test_a_gpu_computes_the_same(name, dtype):
    _, _, there, real_there = launch(name, dtype)
    with force_simulator():
        _, _, here, real_here = launch(name, dtype)
    tolerance = 2e-5 if dtype == np.complex64 else 1e-13
    np.testing.assert_allclose(here, there, rtol=tolerance, atol=tolerance)
    np.testing.assert_allclose(real_here, real_there, rtol=tolerance, atol=tolerance)

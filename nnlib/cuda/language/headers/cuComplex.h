// Complex numbers of C: pairs of floats or doubles, with functions for their arithmetic.
typedef float2 cuFloatComplex;
typedef float2 cuComplex;
typedef double2 cuDoubleComplex;

__host__ __device__ cuFloatComplex make_cuFloatComplex(float real, float imag)
{
    cuFloatComplex z;
    z.x = real;
    z.y = imag;
    return z;
}
__host__ __device__ float cuCrealf(cuFloatComplex z) { return z.x; }
__host__ __device__ float cuCimagf(cuFloatComplex z) { return z.y; }
__host__ __device__ cuFloatComplex cuConjf(cuFloatComplex z) { return make_cuFloatComplex(z.x, -z.y); }
__host__ __device__ cuFloatComplex cuCaddf(cuFloatComplex a, cuFloatComplex b)
{
    return make_cuFloatComplex(a.x + b.x, a.y + b.y);
}
__host__ __device__ cuFloatComplex cuCsubf(cuFloatComplex a, cuFloatComplex b)
{
    return make_cuFloatComplex(a.x - b.x, a.y - b.y);
}
__host__ __device__ cuFloatComplex cuCmulf(cuFloatComplex a, cuFloatComplex b)
{
    return make_cuFloatComplex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
__host__ __device__ cuFloatComplex cuCfmaf(cuFloatComplex a, cuFloatComplex b, cuFloatComplex c)
{
    return cuCaddf(cuCmulf(a, b), c);
}

// Scaled, so that no square overflows.
__host__ __device__ cuFloatComplex cuCdivf(cuFloatComplex a, cuFloatComplex b)
{
    float scale = 1.0f / (fabsf(b.x) + fabsf(b.y));
    a = make_cuFloatComplex(a.x * scale, a.y * scale);
    b = make_cuFloatComplex(b.x * scale, b.y * scale);
    float norm = 1.0f / (b.x * b.x + b.y * b.y);
    return make_cuFloatComplex((a.x * b.x + a.y * b.y) * norm, (a.y * b.x - a.x * b.y) * norm);
}
__host__ __device__ float cuCabsf(cuFloatComplex z)
{
    float large = fmaxf(fabsf(z.x), fabsf(z.y)), small = fminf(fabsf(z.x), fabsf(z.y)), t = small / large;
    return large == 0.0f || large > 3.402823466e38f ? large + small : large * sqrtf(1.0f + t * t);
}

__host__ __device__ cuDoubleComplex make_cuDoubleComplex(double real, double imag)
{
    cuDoubleComplex z;
    z.x = real;
    z.y = imag;
    return z;
}
__host__ __device__ double cuCreal(cuDoubleComplex z) { return z.x; }
__host__ __device__ double cuCimag(cuDoubleComplex z) { return z.y; }
__host__ __device__ cuDoubleComplex cuConj(cuDoubleComplex z) { return make_cuDoubleComplex(z.x, -z.y); }
__host__ __device__ cuDoubleComplex cuCadd(cuDoubleComplex a, cuDoubleComplex b)
{
    return make_cuDoubleComplex(a.x + b.x, a.y + b.y);
}
__host__ __device__ cuDoubleComplex cuCsub(cuDoubleComplex a, cuDoubleComplex b)
{
    return make_cuDoubleComplex(a.x - b.x, a.y - b.y);
}
__host__ __device__ cuDoubleComplex cuCmul(cuDoubleComplex a, cuDoubleComplex b)
{
    return make_cuDoubleComplex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
__host__ __device__ cuDoubleComplex cuCfma(cuDoubleComplex a, cuDoubleComplex b, cuDoubleComplex c)
{
    return cuCadd(cuCmul(a, b), c);
}

// Scaled, so that no square overflows.
__host__ __device__ cuDoubleComplex cuCdiv(cuDoubleComplex a, cuDoubleComplex b)
{
    double scale = 1.0 / (fabs(b.x) + fabs(b.y));
    a = make_cuDoubleComplex(a.x * scale, a.y * scale);
    b = make_cuDoubleComplex(b.x * scale, b.y * scale);
    double norm = 1.0 / (b.x * b.x + b.y * b.y);
    return make_cuDoubleComplex((a.x * b.x + a.y * b.y) * norm, (a.y * b.x - a.x * b.y) * norm);
}
__host__ __device__ double cuCabs(cuDoubleComplex z)
{
    double large = fmax(fabs(z.x), fabs(z.y)), small = fmin(fabs(z.x), fabs(z.y)), t = small / large;
    return large == 0.0 || large > 1.79769313486231570e+308 ? large + small : large * sqrt(1.0 + t * t);
}

__host__ __device__ cuComplex make_cuComplex(float real, float imag) { return make_cuFloatComplex(real, imag); }
__host__ __device__ cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) { return make_cuDoubleComplex(z.x, z.y); }
__host__ __device__ cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z)
{
    return make_cuFloatComplex((float) z.x, (float) z.y);
}

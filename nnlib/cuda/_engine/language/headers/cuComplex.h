// Complex numbers of C: pairs of floats or doubles, with functions for their arithmetic. Quotients and absolute values
// are scaled, so that no square overflows.
typedef float2 cuFloatComplex;
typedef float2 cuComplex;
typedef double2 cuDoubleComplex;

// NAME: of the type; each function of floats ends in f.
#define NNLIB_COMPLEX(real, NAME, f, LARGEST) \
    __host__ __device__ cu##NAME##Complex make_cu##NAME##Complex(real x, real y) \
    { \
        cu##NAME##Complex z; \
        z.x = x; \
        z.y = y; \
        return z; \
    } \
    __host__ __device__ real cuCreal##f(cu##NAME##Complex z) { return z.x; } \
    __host__ __device__ real cuCimag##f(cu##NAME##Complex z) { return z.y; } \
    __host__ __device__ cu##NAME##Complex cuConj##f(cu##NAME##Complex z) \
    { \
        return make_cu##NAME##Complex(z.x, -z.y); \
    } \
    __host__ __device__ cu##NAME##Complex cuCadd##f(cu##NAME##Complex a, cu##NAME##Complex b) \
    { \
        return make_cu##NAME##Complex(a.x + b.x, a.y + b.y); \
    } \
    __host__ __device__ cu##NAME##Complex cuCsub##f(cu##NAME##Complex a, cu##NAME##Complex b) \
    { \
        return make_cu##NAME##Complex(a.x - b.x, a.y - b.y); \
    } \
    __host__ __device__ cu##NAME##Complex cuCmul##f(cu##NAME##Complex a, cu##NAME##Complex b) \
    { \
        return make_cu##NAME##Complex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); \
    } \
    __host__ __device__ cu##NAME##Complex cuCfma##f(cu##NAME##Complex a, cu##NAME##Complex b, cu##NAME##Complex c) \
    { \
        return cuCadd##f(cuCmul##f(a, b), c); \
    } \
    __host__ __device__ cu##NAME##Complex cuCdiv##f(cu##NAME##Complex a, cu##NAME##Complex b) \
    { \
        real scale = 1 / (fabs##f(b.x) + fabs##f(b.y)); \
        a = make_cu##NAME##Complex(a.x * scale, a.y * scale); \
        b = make_cu##NAME##Complex(b.x * scale, b.y * scale); \
        real norm = 1 / (b.x * b.x + b.y * b.y); \
        return make_cu##NAME##Complex((a.x * b.x + a.y * b.y) * norm, (a.y * b.x - a.x * b.y) * norm); \
    } \
    __host__ __device__ real cuCabs##f(cu##NAME##Complex z) \
    { \
        real large = fmax##f(fabs##f(z.x), fabs##f(z.y)), small = fmin##f(fabs##f(z.x), fabs##f(z.y)); \
        real t = small / large; \
        return large == 0 || large > LARGEST ? large + small : large * sqrt##f(1 + t * t); \
    }

NNLIB_COMPLEX(float, Float, f, 3.402823466e38f)
NNLIB_COMPLEX(double, Double, , 1.79769313486231570e+308)
#undef NNLIB_COMPLEX

__host__ __device__ cuComplex make_cuComplex(float x, float y) { return make_cuFloatComplex(x, y); }
__host__ __device__ cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) { return make_cuDoubleComplex(z.x, z.y); }
__host__ __device__ cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z)
{
    return make_cuFloatComplex((float) z.x, (float) z.y);
}

// Expressions, and the type that C++ gives them.
extern "C" __global__ void k(float* x, const float* c, int* p, int n, unsigned u, double d, float4* v) {
(/* here */);
}

// type int
1

// type unsigned int
1u

// type long
1l

// type unsigned long
1ul

// type long long
1ll

// type unsigned long long
1ull

// type long
2147483648

// type unsigned int
0x80000000

// type long
0xffffffffff

// type unsigned long
0x8000000000000000

// type double
1.0

// type float
1.0f

// type char
'a'

// type bool
true

// type int
(char)1 + (char)1

// type unsigned int
(short)1 + 1u

// type float
1 + 1.0f

// type double
1.0f + 1.0

// type long long
1l + 1ll

// type unsigned long long
1l + 1ull

// type long
1u + 1l

// type unsigned long long
1ul + 1ll

// type int
true + true

// type int
-true

// type int
+(char)1

// type int
~(unsigned char)1

// type bool
!1

// type bool
1 < 2

// type bool
1 && 2

// type int
1 << 2u

// type unsigned int
1u << 2ll

// type int
(char)1 << 1

// type float
1 ? 1 : 2.0f

// type char
1 ? (char)1 : (char)2

// type int
1 ? (char)1 : 2

// type float
1, 2.0f

// type unsigned int
n / 2u

// type double
n * 1.5

// type float
c[0] * n

// type long
x - x

// type float*
x + 1

// type float*
&x[0]

// type const float*
&c[0]

// type float*
&v[0].y

// type unsigned long
sizeof(int)

// type unsigned int
threadIdx.x

// type unsigned int
blockDim.x * blockIdx.x + threadIdx.x

// type int
warpSize * 2

// type float
sqrt(1.0f)

// type double
copysign(1.0f, 1.0)

// type double
sqrt(1.0)

// type float
sqrtf(1)

// type float
pow(1.0f, 2)

// type double
pow(1.0, 2)

// type float
fmax(1.0f, 2)

// type unsigned int
max(1, 2u)

// type double
max(1.0f, 2.0)

// type int
min((char)1, (char)2)

// type unsigned long
min(1l, 2ul)

// type float
abs(-1.0f)

// type long
abs(-1l)

// type float
fabs(1.0f)

// type int
isnan(1.0f)

// type int
isinf(1.0)

// type float
rsqrt(1.0f)

// type long
lroundf(1.0f)

// type long long
llrint(1.0)

// type int
__popc(1)

// type unsigned int
__brev(1)

// type int
__float_as_int(1.0f)

// type unsigned int
__float2uint_rz(1.0f)

// type float
__ull2float_rn(1)

// type float
__shfl_sync(1, 1.0f, 0)

// type int
__shfl_sync(1, true, 0)

// type long long
__shfl_down_sync(1, 1ll, 1)

// type unsigned int
__ballot_sync(1, 1)

// type int
__any_sync(1, 1)

// type unsigned int
__activemask()

// type int
__syncthreads_count(1)

// type int
atomicAdd(p, 1)

// type float
atomicAdd(x, 1)

// type unsigned long long
atomicCAS((unsigned long long*)p, 1, 2)

// type float
__ldg(c)

// type float4
__ldg((const float4*)c)

// type int2
make_int2(1, 2)

// type int
make_int2(1, 2).x

// type int
printf("a")

// type unsigned int
__reduce_add_sync(1, 1u)

// type float
ldexp(1.0f, 2)

// type float
__fmaf_rn(1, 2, 3)

// type double
__dadd_rn(1, 2)

// type float
v[0].x + 1

// type int
int(2.5f)

// type int
(unsigned char)300 + 0

// type float
float(1) / 2

// type short
static_cast<short>(1)

// type unsigned int
u - n

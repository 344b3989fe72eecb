// Statements in a kernel.
extern "C" __global__ void k(float* x, const float* c, int* p, int n, unsigned u, double d, float4* v) {
/* here */
}

// right
char text[] = "ab\n", same[4] = "abc"; n = text[0] + same[1];

// right
;;

// right
int a = 1, b = a + 1, *q = p; n = a + b + *q;

// right
n = 1[p]; 2[x] = n[c];

// right
x[0] = 1; x[1] = 'a'; x[2] = 1u; x[3] = 0x1F; x[4] = 0b101; x[5] = 017; x[6] = 1'000; x[7] = true;

// right
x[0] = 1.f; x[1] = .5f; x[2] = 1e-3f; x[3] = 0x1.8p3f; x[4] = 1.5; x[5] = 1E5; x[6] = 3.F;

// right
long long a = 1ll; unsigned long long b = 1ull; long e = 1L; size_t f = 3; n = a + b + e + f;

// right
unsigned char a = 255; signed char b = -1; short e = 3; unsigned short f = 4; n = a + b + e + f;

// right
unsigned a = 1; unsigned int b = 2; long unsigned int e = 3; int unsigned f = 4; short int g = 5; n = a;

// right
bool a = n > 0 && x[0] < 1 || !n; n = a ? 1 : 2;

// right
bool a = n > 0 and x[0] < 1 or not n; n = n bitand 3 bitor 4 xor 5; n and_eq 7; n = compl n not_eq 2; n = a;

// right
n += 1; n -= 1; n *= 2; n /= 2; n %= 3; n <<= 1; n >>= 1; n &= 7; n |= 8; n ^= 3; x[0] += d;

// right
n = u = 3; n = (u, 4); n = -n + +n - ~n;

// right
for (int i = 0, j = 10; i < j; i++, j--) x[i] = j;

// right
for (;;) { if (n++ > 3) break; else continue; }

// right
while (n > 0) n--; do { n++; } while (n < 10);

// right
switch (n) { case 0: case 1: n = 2; break; case 'a': { int a = 1; n = a; } default: n = 3; }

// right
switch (u & 3) { default: break; case 1 + 1: x[0] = 1; }

// right
switch (n) { int a, b; case 0: a = 1; n = a; break; default: b = n; n = b + 1; }

// right
(n += 2) *= 3; ++(++n); (n = 4)++; int& a = (n -= 1); a = 5; (x[n & 3] = 1) += 2;

// right
int* a = &(n |= 1); *a = --(--n);

// right
if (n) x[0] = 1; else if (u) x[0] = 2; else { x[0] = 3; }

// right
n = n > 0 ? u > 1 ? 1 : 2 : 3;

// right
float* q = x + n; *q++ = 1; q[-1] = 2; *(q - 1) = 3; q += 2; --q; n = q - x; n = q > x; n = q != nullptr;

// right
float a[3]; float* q = a; q[1] = 2; x[0] = *(a + 1); float* r = &a[2]; *r = 3;

// right
float a[2][3] = {{1, 2, 3}, {4, 5}}; float b[2][3] = {1, 2, 3, 4}; float e[] = {1.f, 2.f}; x[0] = a[1][2] + b[0][1] + e[1];

// right
int a[4] = {0}; int b[4] = {}; int e{5}; int f(6); n = a[0] + b[1] + e + f;

// right
float (*row)[4] = reinterpret_cast<float (*)[4]>(x); row[1][2] = 3;

// right
__shared__ float s[16][17]; s[threadIdx.y][threadIdx.x] = x[0]; __syncthreads(); float* q = s[3]; x[1] = q[2];

// right
__shared__ int total; if (threadIdx.x == 0) total = 0; __syncthreads(); atomicAdd(&total, 1);

// right
extern __shared__ float s[]; s[threadIdx.x] = 1; float* half = s + 16; half[0] = 2;

// right
extern __shared__ unsigned char raw[]; float* s = (float*)raw; int* t = (int*)(s + 32); t[0] = s[0];

// right
float4 a = v[0]; a.x += 1; v[1] = a; v[2] = make_float4(1, 2, 3, 4); float4 b = {1, 2, 3}; v[3] = b; v->y = 1; (*v).z = 2;

// right
float4 a = reinterpret_cast<float4*>(x)[n]; ((float4*)x)[0] = a; *(float4*)(x + 4) = a; float2 b = *reinterpret_cast<const float2*>(c); x[0] = b.y;

// right
reinterpret_cast<float4&>(x[4]) = v[0]; float4 a = *reinterpret_cast<const float4*>(&c[4]); v[1] = a;

// right
v[0] = float4{1, 2, 3, 4}; float2 a[2] = {{1, 2}, {3, 4}}; x[0] = a[1].y; float* q = &v[0].x; q[1] = 2;

// right
int a = int(x[0]); float b = float(n) / (float)u; n = static_cast<int>(b) + a; unsigned e = unsigned(n); n = e;

// right
dim3 t = threadIdx; uint3 b = blockIdx; dim3 g(4, 5); n = t.x + b.y + g.z + warpSize; n = threadIdx.x;

// right
auto a = n; auto q = x + 1; const auto b = 2.0f; *q = a + b; auto* r = p; r[0] = 1; auto& e = x[3]; e = 4;

// right
const int a = 4; float b[a * 2]; constexpr int e = a + 1; float f[e]; b[0] = f[0] = 1; x[0] = b[0] + f[0];

// right
float& r = x[n]; r += 1; const float& q = c[2]; x[0] = q; const float& z = 3.0f; x[1] = z;

// right
typedef float real; using index = unsigned int; real a = 1; index i = 2; x[i] = a; enum { A, B = 5, E }; n = E;

// right
enum Color { RED, GREEN }; Color a = GREEN; n = a + RED;

// right
n = sizeof(float) + sizeof(x) + sizeof x[0] + sizeof(float4); float a[6]; n = sizeof(a) / sizeof(a[0]);

// right
volatile float* q = x; q[0] = 1; float* __restrict__ r = x; r[0] = 2; const float* const e = c; x[0] = e[1];

// right
printf("%d %f\n" "more", n, x[0]);

// right
printf("%*d %p %lld %zu %c %% %-5.1e %hd", 5, n, x, 1ll, sizeof n, 'a', d, (short)n);

// right
x[0] = sqrtf(2) + expf(x[1]) + sqrt(x[0]) + exp(d) + fmaxf(1, 2) + max(n, 3) + min(u, 3u) + fabs(x[0]) + abs(n);

// right
x[0] = pow(x[0], 2) + pow(x[0], 2.0f) + pow(d, 2) + fmax(x[0], 2) + max(x[0], d) + max(n, u) + rsqrt(x[0]) + abs(x[1]);

// right
x[0] = __expf(1) + __fdividef(1, 2) + __fmaf_rn(1, 2, 3) + __int_as_float(n) + __ldg(&c[0]) + __saturatef(2);

// right
n = __float_as_int(1.0f) + __popc(u) + __clz(n) + __ffs(n) + __brev(u) + __umulhi(u, u) + __mul24(n, n);

// right
n = __float2int_rn(1.5f) + __float2int_rz(x[0]) + __double2int_rd(d) + isnan(x[0]) + isinf(d) + __mulhi(n, n);

// right
x[0] = __shfl_down_sync(0xffffffff, x[0], 16); n = __shfl_sync(~0u, n, 0, 16); d = __shfl_xor_sync(-1, d, 1);

// right
u = __ballot_sync(0xffffffff, n > 0); n = __any_sync(u, n) + __all_sync(u, x[0] > 0); u = __activemask(); __syncwarp();

// right
atomicAdd(p, 1); n = atomicAdd(&p[1], u); atomicAdd(x, 1); atomicMax(p, n); atomicCAS(p, 0, 1); atomicExch(x, 2); atomicSub(p, 1); atomicMin(&p[0], 3); atomicAnd(p, 1); atomicOr(p, 1); atomicXor(p, 1);

// right
unsigned* q = (unsigned*)p; atomicInc(q, 3); atomicDec(q, u); unsigned long long* r = (unsigned long long*)p; atomicAdd(r, 1); atomicCAS(r, 1, 2); atomicMax(r, 3ull); atomicAdd((double*)p, d);

// right
n = __syncthreads_count(n > 0) + __syncthreads_and(1) + __syncthreads_or(0); __threadfence(); __threadfence_block();

// right
assert(n > 0 && "n is too small"); assert(!"never here" || "yes"); x[0] = copysignf(1, -2) + fmodf(3, 2) + truncf(x[0]) + roundf(x[1]) + lroundf(x[2]) + hypotf(3, 4);

// right
#pragma unroll
for (int i = 0; i < 4; i++) x[i] = 0;
#pragma unroll 4
for (int i = 0; i < n; i++) x[i] = 1;

// right
#define SQUARE(a) ((a) * (a))
#define ADD(a, b) SQUARE(a) + \
  SQUARE(b)
x[0] = ADD(n, SQUARE(2)); // end
#undef ADD
int ADD = 3; n = ADD;

// right
#define NAME(a) value_##a
#define TEXT(a) #a
int NAME(one) = 1; n = value_one; printf(TEXT(a + b) "\n");

// right
#define MORE(first, ...) max(first, __VA_ARGS__)
n = MORE(1, 2);

// right
#ifdef NOPE
this is 'not code
#elif defined(__CUDACC__) && !defined NOPE
n = 1;
#else
@ $ ` 
#endif

// right
#if __CUDA_ARCH__ >= 600 && (2 > 1 ? 1 : 0) && UNKNOWN == 0
n = 1;
#else
syntax error
#endif

// right
#define LOOP _Pragma("unroll") for
LOOP (int i = 0; i < 3; i++) x[i] = 1;

// right
#define A 1
#define A 2
n = A;

// right
#define F(a) a
#define EMPTY
int F = 1; n = F + F(F) EMPTY; n = F(F(F(2)));

// right
/* a
 comment */ n = 1; // another \
 goes on
n /* inside */ = 2;

// right
n = 3 /* c */ + /* d */ 4;\

x[0] \
= 1;

// right
n = __LINE__; n = 1 << 2u; u = 1u << n; n = 7 / -2 % 3; u = -1; n = 'a' + '\n' + '\x41' + '\0';

// right
if (x) n = 1; if (!x) n = 2; while (x && n) break; n = x ? 1 : 0; bool b = x; n = b; n = x == 0; x = 0; x = NULL;

// right
void* q = x; float* r = (float*)q; const void* e = c; r[0] = ((const float*)e)[0]; (void)n;

// right
int a = 1; { int a = a + 1; n = a; } float e[] = {1, sizeof(a)}; x[0] = e[1];

// right
switch (n) { case 1: int a = 2; n = a; case 2: break; }

// right
float s, e; sincosf(x[0], &s, &e); __sincosf(x[1], x + 2, &x[3]); double f; sincos(d, &f, &d); x[0] = s + e;

// right
x[0] = M_PI_2 + M_SQRT1_2 * M_LOG2E; n = INT16_MAX + INT32_MIN; u = UINT32_MAX; size_t s = SIZE_MAX; x[1] = s;

// right
x[0] = INFINITY; x[1] = -INFINITY; x[2] = FLT_MAX; n = INT_MIN; d = M_PI; x[3] = NAN; x[4] = CUDART_INF_F;

// right
int32_t a = 1; uint8_t b = 2; uint64_t e = 3; int64_t* q = 0; n = a + b + e + INT_MAX; q = q + 1;

// right
return;

// right
// note 2:4: only what follows the comma counts: write one index, [y * width + x]
x[n, 3] = 1;

// right
// note 2:12: this compares the result of <=, which is 0 or 1: write a <= b && b < c
if (0 <= n < 3) n = 1;

// right
// note 2:1: this if ends at the ; behind its condition, so what follows always runs: remove it
if (n < 3); n = 1;

// right
// note 2:24: this if ends at the ; behind its condition, so what follows always runs: remove it
if (n < 3) n = 1; else if (n > 5);

// right
// note 2:7: = assigns here, and the condition is what it assigned: two values are compared by ==
if (n = 3) u = 1;

// right
// note 2:10: = assigns here, and the condition is what it assigned: two values are compared by ==
while (n = 3) u = 1;

// right
// note 2:11: = assigns here, and the condition is what it assigned: two values are compared by ==
x[0] = (n = 3) ? 1 : 2;

// right
// note 2:6: this changes nothing: == compares, and = assigns
x[0] == 1;

// right
// note 2:26: this changes nothing: write += to store the result
for (int i = 0; i < n; i + n) {}

// right
// note 2:3: this changes nothing: write -= to store the result
n - 1; n -= 1; u < 3; n == 3 ? u = 1 : u = 2;

// right
while (n < 3); if (n < 3) {} for (n = 0; n < 3; n++); if (n == 3) u = 1; while (n -= 1) u = 1;

// right
x[(n, 3) + 1] = 1; n = n < 3 && u < 4; n = (n < 3) == (u < 4);

// error 2:20: expected ';' before 'x'
// hint: end the declaration with ;
int i = threadIdx.x
x[i] = 1;

// error 2:9: expected ';' before '}'
// hint: end the statement with ;
x[0] = 1

// error 2:8: expected ']' before ';'
// hint: close the index with ]
x[0 = 1;

// error 2:14: expected ')' before ';'
// hint: each ( needs its )
x[0] = (1 + 2;

// error 2:10: expected ')' before 'x'
// hint: write if (condition)
if (n > 0 x[0] = 1;

// error 2:3: expected '(' before 'n'
// hint: write if (condition)
if n > 0) x[0] = 1;

// error 2:27: expected ';' before ')'
// hint: write for (int i = 0; i < n; i++)
for (int i = 0; i < n, i++) {}

// error 2:18: expected ';' before '<'
// hint: end the declaration with ;
for (int i = 0, i < n; i++) {}

// error 1:104: this { is never closed
// hint: add the missing }
while (n) { n--;

// error 2:22: expected ';' before '}'
// hint: end the loop with ;
do n--; while (n > 0)

// error 2:3: this } closes nothing
// hint: remove it, or add the missing {
} }

// error 2:7: expected an expression before ';'
// hint: something is missing here: a value, a name or a bracket
x[0] = ;

// error 2:11: expected an expression before ';'
// hint: something is missing here: a value, a name or a bracket
x[0] = 1 +;

// error 2:1: else without if
// hint: an if takes one statement before else: put several between { and }
else n = 1;

// error 2:14: expected ']' before ';'
// hint: close the array's size with ]
int a[3 = {1};

// error 2:14: expected ':' before ';'
// hint: write condition ? value_if_true : value_if_false
n = n > 0 ? 1;

// error 2:1: 'case' can only stand directly inside the braces of a switch
// hint: put it between the braces of switch (value) { ... }
case 1: n = 2;

// error 2:4: expected a name before '3x'
// hint: write the variable's name here
int 3x = 1;

// error 2:1: 'int float' is not a type
// hint: write one type, for example unsigned int
int float y = 1;

// error 2:5: 'if' is a word of the language and cannot be a name
// hint: rename it
int if = 1;

// error 2:32: 'int[]' has no size that is known here
// hint: pass the size as an argument
extern __shared__ int s[]; n = sizeof(s);

// error 2:6: 'float' is a word of the language and cannot be a name
// hint: rename it
int *float = p;

// error 2:11: '1.0g' is not a number
// hint: numbers look like 12, 12u, 0xff, 1.5f or 1e-3f
float y = 1.0g;

// error 2:8: '3n' is not a number
// hint: for a product write 3 * n; numbers look like 12, 12u, 0xff, 1.5f or 1e-3f
x[0] = 3n;

// error 2:11: expected a statement before '&&'
// hint: brackets stand around the whole condition: if ((a < b) && (c < d))
if (n > 0) && (n < 9) x[0] = 1;

// error 2:12: expected ';' before 'if'
// hint: C writes test ? a : b for a if test else b
x[0] = x[1] if n > 0 else 0;

// error 2:10: this is const and cannot be changed
// hint: two values are compared by ==
if (c[0] = 1) n = 1;

// error 2:8: undeclared name 'np'
// hint: a kernel knows no Python modules: call fmaxf(a, b), expf(x) or sqrtf(x) without one
x[0] = np.maximum(x[0], 0);

// error 2:32: undeclared name 'i'
// hint: i ends with the loop of line 2, whose body is the ; behind its brackets: remove it
for (int i = 0; i < n; i++); x[i] = 1;

// error 2:12: 'float' cannot be cast to 'const float2*'
// hint: [ ] comes before a cast: to read the array as another type, write ((const float2*)x)[i]
float2 w = (const float2*)x[n];

// error 2:9: assignment: cannot convert 'float4' to 'float'
// hint: a float4 is several numbers: compute with its parts, .x and so on
x[0] = v[0];

// error 2:13: initial value of 'w': cannot convert 'float' to 'float4'
// hint: write make_float4(...), or read an array as float4: ((const float4*)p)[i]
float4 w = x[0];

// error 2:1: no function atomicAdd takes (float, float)
// hint: it needs the address of what it changes: write & before it, as in atomicAdd(&x[i], ...)
atomicAdd(x[0], 1.0f);

// error 2:33: an index must be an integer, but this is 'float'
// hint: declare it int, or convert it: (int)x
for (float i = 0; i < n; i++) x[i] = 1;

// error 2:11: '2f' is not a number: the f needs a decimal point
// hint: write 2.0f
float y = 2f;

// error 2:9: '089' is not a number: a leading 0 means octal digits, 0 to 7
// hint: remove the leading 0
int y = 089;

// error 2:11: unexpected character '@'
// hint: remove it
x[0] = 1; @

// error 2:9: unexpected character '；'
// hint: type ; instead
x[0] = 1；

// error 2:10: unexpected character '–'
// hint: type - instead
x[0] = 2 – 1;

// error 2:11: " is never closed on this line
// hint: end the text with "
x[0] = 1; "abc

// error 2:11: comment is never closed
// hint: end it with */
x[0] = 1; /* abc

// error 2:5: ' is never closed on this line
// hint: end the text with '
n = 'ab;

// error 2:1: undeclared name 'y'
// hint: declare it before its first use: int y = ..., or float for fractions
y[0] = 1;

// error 2:5: undeclared name 'thread'
// hint: did you mean 'threadIdx'?
n = thread.x;

// error 2:5: undeclared name 'threadidx'
// hint: did you mean 'threadIdx'?
n = threadidx.x;

// error 2:15: threadIdx has no field 'w'
// hint: it has x, y and z
n = threadIdx.w;

// error 2:8: undeclared function 'sqrft'
// hint: did you mean 'sqrt'?
x[0] = sqrft(2.0f);

// error 2:1: undeclared function '__syncthread'
// hint: did you mean '__syncthreads'?
__syncthread();

// error 2:1: unknown type 'flaot'
// hint: did you mean 'float'?
flaot y = 1;

// error 2:1: unknown type '__sharde__'
// hint: did you mean '__shared__'?
__sharde__ float s[2];

// error 2:1: unknown type 'flota4'
// hint: did you mean 'float4'?
flota4 y;

// error 2:8: restrict is C, not C++
// hint: write __restrict__
float* restrict q = x;

// error 2:12: 'a' is already declared here
// hint: choose another name, or remove one of the two
int a; int a;

// error 2:5: 'n' is already declared here
// hint: choose another name, or remove one of the two
int n = 3;

// error 2:20: undeclared name 'a'
// hint: declare it before its first use: int a = ..., or float for fractions
{ int a = 1; } n = a;

// error 2:36: undeclared name 'i'
// hint: declare it before its first use: int i = ..., or float for fractions
for (int i = 0; i < n; i++) {} n = i;

// error 2:1: 'n' is not a function
// hint: if a product is meant, write * before the bracket
n(3);

// error 2:8: 'float4' has no field 'q'
// hint: it has x, y, z, w
n = v->q;

// error 2:7: 'float4*' has no field 'x'
// hint: write [i].x, or ->x for the first
n = v.x;

// error 2:11: -> needs a pointer, but this is 'float4'
// hint: write .x
n = v[0]->x;

// error 2:10: '+' does not work on 'float*' and 'const float*'
// hint: index a pointer with [i] to get a value
x[0] = x + c;

// error 2:10: '*' does not work on 'float*' and 'int'
// hint: index a pointer with [i] to get a value
x[0] = x * 2;

// error 2:13: '%' needs integers, but this is 'float'
// hint: of whole numbers: keep both int; of floats: fmodf(a, b)
x[0] = c[0] % 2;

// error 2:7: '&' needs integers, but this is 'double'
// hint: convert to an integer first: (int)x
n = d & 1;

// error 2:7: '<<' needs integers, but this is 'double'
// hint: convert to an integer first: (int)x
n = d << 1;

// error 2:5: '~' needs an integer, but this is 'double'
// hint: for its bits write __float_as_int(x)
n = ~d;

// error 2:8: assignment: cannot convert 'const float*' to 'float'
// hint: a value is needed, but this is a pointer: index it with [i] or *
x[0] = c;

// error 2:5: assignment: cannot convert 'const float*' to 'float*'
// hint: what is const may not be changed: declare the pointer const float*
x = c;

// error 2:5: assignment: cannot convert 'int*' to 'float*'
// hint: should both be float*? (float*)p reads the same memory as another type
x = p;

// error 2:5: assignment: cannot convert 'bool' to 'float*'
// hint: the types must agree
x = false;

// error 2:5: assignment: cannot convert 'int' to 'float*'
// hint: the types must agree
x = 5;

// error 2:5: assignment: cannot convert 'float*' to 'int'
// hint: the types must agree
n = x;

// error 2:10: initial value of 'q': cannot convert 'float*' to 'int*'
// hint: should both be int*? (int*)p reads the same memory as another type
int* q = &x[0];

// error 2:12: initial value of 'y': cannot convert 'float4' to 'float'
// hint: a float4 is several numbers: compute with its parts, .x and so on
float y = v[0];

// error 2:13: '+' does not work on 'float4'
// hint: compute with its parts: a.x, a.y
v[0] = v[0] + v[1];

// error 2:8: assignment: cannot convert 'float' to 'float4'
// hint: write make_float4(...), or read an array as float4: ((const float4*)p)[i]
v[0] = 1.0f;

// error 2:13: an index must be an integer, but this is 'float'
// hint: declare it int, or convert it: (int)x
float y = x[1.5f];

// error 2:15: [ ] needs an array or a pointer, but this is 'float'
// hint: rows and columns have one index: [y * width + x]
float y = x[n][n];

// error 2:5: * needs a pointer, but this is 'int'
// hint: remove the *; a power is x * x or powf(x, y)
n = *n;

// error 2:5: only variables and elements of arrays have an address
// hint: store the value first
n = &5;

// error 2:4: only variables and elements of arrays can be changed, not a value
// hint: did you mean == instead of =?
n++++;

// error 2:3: only variables and elements of arrays can be changed, not a value
// hint: did you mean == instead of =?
5 = n;

// error 2:7: only variables and elements of arrays can be changed, not a value
// hint: did you mean == instead of =?
n + 1 = 2;

// error 2:6: this is const and cannot be changed
// hint: if it is an input, store the result elsewhere; else remove const from its declaration
c[0] = 1;

// error 2:20: 'a' is const and cannot be changed
// hint: if it is an input, store the result elsewhere; else remove const from its declaration
const int a = 3; a = 4;

// error 2:19: 'a' is const and cannot be changed
// hint: if it is an input, store the result elsewhere; else remove const from its declaration
const int a = 3; a++;

// error 2:11: 'a' is const and needs a value
// hint: write const int a = ...;
const int a;

// error 2:13: threadIdx cannot be changed
// hint: copy it to a variable of your own
threadIdx.x = 3;

// error 2:15: an array cannot be changed as a whole
// hint: assign element by element: x[i] = ...
float a[3]; a = x;

// error 2:9: the size of an array must be known when the kernel is compiled
// hint: use a number, a #define, or const int with a constant value
float a[n];

// error 2:11: an array cannot have -1 elements
// hint: use a size of at least 1
float a[0 - 1];

// error 2:9: the size of an array must be an integer, but is 'double'
// hint: use a whole number
float a[2.5];

// error 2:21: too many values for 'float[2]'
// hint: remove the surplus, or make the array larger
float a[2] = {1, 2, 3};

// error 2:25: too many values for 'float[2]'
// hint: remove the surplus
float a[2][2] = {{1, 2, 3}, {4, 5}};

// error 2:13: too many values for one 'int'
// hint: remove the surplus
int a = {1, 2};

// error 2:14: an array is initialised by a list
// hint: write = {1, 2, 3}
float a[2] = 1;

// error 2:7: the size of 'a' is missing
// hint: write a size, or a list of values
float a[];

// error 2:6: 'a' cannot be of type void
// hint: write a type such as float or float*
void a;

// error 2:6: auto needs a first value
// hint: write the type, or auto x = value;
auto a;

// error 2:8: the reference 'r' needs a variable to refer to
// hint: write float& r = variable;
float& r;

// error 2:8: 'float4' cannot be built this way
// hint: write make_float4(...)
v[0] = float4(1, 2, 3, 4);

// error 2:8: 'float4' cannot be cast to 'float'
// hint: convert part by part, or cast a pointer to it
x[0] = (float)v[0];

// error 2:10: static_cast cannot turn 'float*' into 'int*'
// hint: write reinterpret_cast<int*>
int* q = static_cast<int*>(x);

// error 2:5: static_cast cannot remove const
// hint: write static_cast<const float*>(...)
x = static_cast<float*>(c);

// error 2:7: '==' does not work on 'float*' and 'int*'
// hint: index a pointer with [i] to get a value
n = x == p;

// error 2:6: a condition cannot be of type 'float4'
// hint: compare it with something
if (v[0]) n = 1;

// error 2:11: the two results of ?: have types 'float*' and 'float'
// hint: both must be of one type
n = n > 0 ? x : 1.0f;

// error 2:9: switch needs an integer, but this is 'double'
// hint: use if ... else if
switch (d) { case 1: break; }

// error 2:8: 'sqrtf' takes 1 argument, but 0 given
// hint: its parameters are (float)
x[0] = sqrtf();

// error 2:8: 'sqrtf' takes 1 argument, but 2 given
// hint: its parameters are (float)
x[0] = sqrtf(1.0f, 2.0f);

// error 2:14: argument 1 of sqrtf: cannot convert 'float*' to 'float'
// hint: a value is needed, but this is a pointer: index it with [i] or *
x[0] = sqrtf(x);

// error 2:8: the call sqrt(int) fits several functions equally well
// hint: convert the arguments to one type, for example (float)x. Known are: sqrt(double); sqrt(float)
x[0] = sqrt(2);

// error 2:8: the call fmax(float, double) fits several functions equally well
// hint: convert the arguments to one type, for example (float)x. Known are: fmax(double, double); fmax(float, float)
x[0] = fmax(1.0f, 2.0);

// error 2:8: the call max(int, float) fits several functions equally well
// hint: one is a float, the other an int (0 is an int, 0.0f a float): of two floats fmaxf(a, b) and fminf(a, b)
x[0] = max(0, x[0]);

// error 2:8: the call copysign(float, int) fits several functions equally well
// hint: convert the arguments to one type, for example (float)x. Known are: copysign(double, double); copysign(float, float); copysign(float, double); copysign(double, float)
x[0] = copysign(x[0], 1);

// error 2:5: the call abs(unsigned int) fits several functions equally well
// hint: convert the arguments to one type, for example (float)x. Known are: abs(float); abs(double); abs(int); abs(long); abs(long long)
n = abs(u);

// error 2:5: no function min takes (int, int, int)
// hint: known are: min(int, int); min(unsigned int, unsigned int); min(long, long); min(unsigned long, unsigned long); min(long long, long long); min(unsigned long long, unsigned long long); min(unsigned int, int); min(int, unsigned int)
n = min(1, 2, 3);

// error 2:1: no function atomicAdd takes (const float*, float)
// hint: known are: atomicAdd(__half*, __half); atomicAdd(__half2*, __half2); atomicAdd(__nv_bfloat16*, __nv_bfloat16); atomicAdd(__nv_bfloat162*, __nv_bfloat162); atomicAdd(int*, int); atomicAdd(unsigned int*, unsigned int); atomicAdd(unsigned long long*, unsigned long long); atomicAdd(float*, float)
atomicAdd(c, 1.0f);

// error 2:1: no function atomicMax takes (float*, float)
// hint: known are: atomicMax(int*, int); atomicMax(unsigned int*, unsigned int); atomicMax(long long*, long long); atomicMax(unsigned long long*, unsigned long long)
atomicMax(x, 1.0f);

// error 2:11: argument 1 of atomicInc: cannot convert 'int*' to 'unsigned int*'
// hint: should both be unsigned int*? (unsigned int*)p reads the same memory as another type
atomicInc(p, 1);

// error 2:1: no function __shfl_sync takes (unsigned int, float4, int)
// hint: known are: __shfl_sync(unsigned int, __half, int, int); __shfl_sync(unsigned int, __half2, int, int); __shfl_sync(unsigned int, __nv_bfloat16, int, int); __shfl_sync(unsigned int, __nv_bfloat162, int, int); __shfl_sync(unsigned int, int, int, int); __shfl_sync(unsigned int, unsigned int, int, int); __shfl_sync(unsigned int, long, int, int); __shfl_sync(unsigned int, unsigned long, int, int)
__shfl_sync(0xffffffff, v[0], 0);

// error 2:1: '__syncthreads' takes 0 arguments, but 1 given
// hint: its parameters are ()
__syncthreads(1);

// error 2:8: 'make_float4' takes 4 arguments, but 3 given
// hint: its parameters are (float, float, float, float)
v[0] = make_float4(1, 2, 3);

// error 2:5: assignment: cannot convert 'void' to 'int'
// hint: the types must agree
n = __syncthreads();

// error 2:1: printf needs a text that says what to print
// hint: write printf("x = %f\n", x)
printf(n);

// error 2:1: break outside of a loop or switch
// hint: to leave the kernel, write return;
break;

// error 2:1: continue outside of a loop
// hint: use it inside for, while or do
continue;

// error 2:22: continue outside of a loop
// hint: use it inside for, while or do
switch (n) { case 1: continue; }

// error 2:29: a second case 1
// hint: remove one
switch (n) { case 1: break; case 1: break; }

// error 2:19: a case label must be known when the kernel is compiled
// hint: use a number, a #define, or const int with a constant value
switch (n) { case u: break; }

// error 2:1: a kernel returns void, so return takes no value
// hint: write results to an array
return 1;

// error 2:20: the size of an array must be known when the kernel is compiled
// hint: use a number, a #define, or const int with a constant value
__shared__ float s[n];

// error 2:25: a __shared__ variable cannot have an initial value
// hint: let the threads write it, then __syncthreads()
__shared__ float s[2] = {1, 2};

// error 2:18: the size of 's' is missing
// hint: write a size, or extern __shared__ for one given at launch
__shared__ float s[];

// error 2:1: __global__ is not possible inside a function
// hint: declare it outside of all functions
__global__ int a;

// error 2:1: __constant__ is not possible inside a function
// hint: declare it outside of all functions
__constant__ float s[2];

// error 3:5: macro 'F' takes 2 argument(s), but 1 given
// hint: its parameters are (a, b)
#define F(a, b) a + b
n = F(1);

// error 3:5: the call of macro 'F' is never closed
// hint: end it with )
#define F(a) a
n = F(1;

// error 2:2: this #if has no #endif
// hint: add a line #endif after what it covers
#if 1
n = 1;

// error 2:2: #endif without #if
// hint: remove it, or add the #if it belongs to
#endif

// error 4:2: #else after #else
// hint: #else must be the last branch of its #if
#if 1
#else
#else
#endif

// error 2:7: expected ')' at the end of the text
// hint: each ( needs its )
#if (1
#endif

// error 2:7: this operation has no value
// hint: do not divide by 0
#if 1 / 0
#endif

// error 2:7: #ifdef needs a name
// hint: write for example TILE
#ifdef
#endif

// error 2:8: #define needs a name
// hint: write for example TILE
#define

// error 2:8: #undef needs a name
// hint: write for example TILE
#undef 3

// error 2:10: the file 'own.h' was not found, neither beside this one nor in a folder of -I
// hint: check its name, or give its folder: -I include on the command line, options=("-Iinclude",) in Python
#include "own.h"

// error 2:10: the file 'folder/own.h' was not found, neither beside this one nor in a folder of -I
// hint: check its name, or give its folder: -I include on the command line, options=("-Iinclude",) in Python
#include "folder/own.h"

// error 2:2: #error not like this
#error not like this

// error 2:5: #error don't, and "either
  # error don't, and \
"either

// error 2:2: unknown directive #defin
// hint: did you mean 'define'?
#defin N 3

// error 2:14: * needs a pointer, but this is 'int'
// hint: remove the *; a power is x * x or powf(x, y)
x[0] = x[1] ** 2;

// error 2:13: '^' needs integers, but this is 'float'
// hint: this is exclusive or; a power is x * x or powf(x, y)
x[0] = x[1] ^ 2;

// error 2:3: unknown directive #index
// hint: a comment starts with //
# index

// error 2:8: unexpected character '#'
// hint: a comment starts with //
n = 1; # index

// error 2:1: undeclared name 'i'
// hint: declare it before its first use: int i = ..., or float for fractions
i = threadIdx.x;

// error 2:5: [ ] needs an array or a pointer, but this is 'float'
// hint: rows and columns have one index: [y * width + x]
x[n][n] = 1;

// error 2:11: expected an expression before ':'
// hint: remove the :, and put what belongs together between { and }
if (n > 0): n = 1;

// error 2:5: undeclared function 'len'
// hint: a pointer does not know how long its array is: pass the length as an argument
n = len(x);

// error 2:19: expected ';' before ')'
// hint: one ) too many, or a ( or ; missing before it
x[0] = x[1] - 1.0f) / 2.0f;

// error 2:22: expected ';' before ')'
// hint: one ) too many, or a ( or ; missing before it
float v = x[1] - 1.0f) / 2.0f;

// error 2:12: a kernel returns void, so return takes no value
// hint: end the return with ;
if (n > 0) return
x[0] = 1.0f;

// error 2:6: expected ';' before 'n'
// hint: end the statement with ; (// starts a comment; integers are divided by /)
n = n // 2;
n++;

// error 2:6: expected ')' before 'n'
// hint: write if (condition) (// starts a comment; integers are divided by /)
if (n // 32 == 0) n = 1;
n++;

// right
// note 2:13: computed in double, which is slow on most GPUs: write 2.0f instead of 2.0
x[0] = x[0] * 2.0;

// right
// note 2:6: computed in double, which is slow on most GPUs: write 0.5f instead of 0.5
x[0] += 0.5;

// right
// note 2:10: computed in double, which is slow on most GPUs: write 0.5f instead of 0.5
if (x[0] > 0.5) n = 1;

// right
// note 2:14: computed in double, which is slow on most GPUs: write 1.0f instead of 1.0
x[0] = n > 0 ? x[1] : 1.0;

// right
// note 2:8: computed in double, which is slow on most GPUs: write 0.0f instead of 0.0
x[0] = max(x[1], 0.0);

// right
x[0] = x[0] * 2.0f;

// right
float y = 2.0;

// right
d = d * 2.0;

// right
x[0] = n * 2.0;

// right
// note 2:19: computed in double, which is slow on most GPUs: write 255.0f instead of 255.0
x[0] = (n / 255.0 - x[1]) / x[2];

// right
x[0] = n / d - x[1];

// right
// note 2:13: computed in double, which is slow on most GPUs: write 2.0f instead of 2.0
x[0] = x[1] * 2.0 + x[2];

// right
d = d + x[0];

// right
x[0] = fmaxf(x[0], 0.0);

// Mistakes in a kernel that are seldom made; NVRTC is not asked.
__global__ void k(int* p, float* x, int n) { /* here */ }

// right
__shared__ char s[49152]; s[0] = 1;

// right
char t[4] = "abc"; p[0] = t[n];

// right
int a[131072]; a[n] = 1; p[0] = a[n];

// right
printf("%d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d", n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n);

// right
p[0] = 18446744073709551615ull;

// error 1:17: 'k' declares 49,153 bytes of shared memory; a block can declare 49,152
// hint: make the arrays smaller, or use extern __shared__ and shared_mem=
__shared__ char s[49153]; s[0] = 1;

// error 1:58: the text has 4 characters with the 0 that ends it, 'char[2]' has 2
// hint: make the array larger, or leave its size open
char t[2] = "abc"; t[0] = n;

// error 1:51: a void function gives no value
// hint: call it as a statement of its own
auto v = __syncthreads();

// error 1:60: a void* has no element type
// hint: cast it first: (float*)p
void* v = p; v[0] = 1;

// error 1:67: a void* has no element type
// hint: cast it first: (float*)p
void* v = p; n = *(v + 1);

// error 1:52: '+' does not work on 'int*' and 'float'
// hint: index a pointer with [i] to get a value
p = p + 1.5f;

// error 1:48: a pointer moves by an integer, not by 'double'
// hint: use an int
p += 2.0;

// error 1:62: '++' does not work on 'bool'
// hint: write x = true or x = !x
bool b = true; b++;

// error 1:54: '--' does not work on 'bool'
// hint: write x = true or x = !x
bool b; --b;

// error 1:51: auto needs a first value
// hint: write the type, or auto x = value;
auto a[2] = {1, 2};

// error 1:52: auto* needs a pointer, but this is 'int'
// hint: remove the *
auto* q = n;

// error 1:46: an array of 'float[]' is not possible
// hint: only the first size may be left open
float a[2][] = {1};

// error 1:50: 'a' takes 4,194,304 bytes; a thread has 524,288
// hint: use global memory
int a[1 << 20];

// error 1:68: extern __shared__ declares an array of open size, but 's' is 'int'
// hint: write extern __shared__ int s[];
extern __shared__ int s;

// error 1:67: a __shared__ variable cannot have an initial value
// hint: let the threads write it, then __syncthreads()
__shared__ int& r = p[0];

// error 1:60: 'c' is constexpr, but its value is only known at run time
// hint: write const instead of constexpr
constexpr int c = n; p[0] = c;

// error 1:46: static_assert needs a condition known when the kernel is compiled
// hint: use assert()
static_assert(n > 0, "n");

// unsupported 1:59: for (x : ...) over 'int*'
// hint: count with an index: for (int i = 0; i < n; i++)
for (int i : p) p[0] = i;

// unsupported 1:59: for (x : ...) over 'int'
// hint: count with an index: for (int i = 0; i < n; i++)
for (int i : n) p[0] = i;

// error 1:57: too many values for one 'int'
// hint: remove the surplus
p[0] = {1, 2};

// error 1:46: 'n' is not a function
// hint: if a product is meant, write * before the bracket
n(1);

// error 1:53: this is not a function and cannot be called
// hint: if a product is meant, write * before the bracket
(n + 1)(2);

// error 1:53: '18446744073709551616ull' is too large for its type
// hint: add the suffix u, or use a smaller number
p[0] = 18446744073709551616ull;

// error 1:53: '999999999999999999999999999999' is too large for its type
// hint: add the suffix u, or use a smaller number
p[0] = 999999999999999999999999999999;

// error 1:69: printf cannot print a value of type 'float4'
// hint: print its parts: a.x, a.y
float4 v; printf("%f", v);

// error 1:53: 'ab' is not one character
// hint: write for example 'a' or '\n'
p[0] = 'ab';

// error 1:53: expected an expression before 'if'
// hint: a statement cannot stand inside an expression
p[0] = if (n) 1;

// error 1:46: 'unsigned signed int' is not a type
// hint: write signed or unsigned once
unsigned signed int q;

// unsupported 1:49: rvalue references
// hint: pass the value itself
int&& r = 1;

// unsupported 1:56: lambdas that keep the object around them
// hint: write [=]
auto f = [this]() { return 1; };

// unsupported 1:58: captures with a value
// hint: use a variable
auto f = [m = n]() { return m; }; p[0] = f();

// unsupported 1:74: a lambda that copies the array 'a'
// hint: write [&]
int a[2] = {1, 2}; auto f = [=]() { return a[0]; }; p[0] = f();

// error 1:53: 'int' is converted from one value, but 2 given
// hint: pass one value
p[0] = int(1, 2);

// error 1:54: 'int' is converted from one value, but 2 given
// hint: pass one value
int z = int(1, 2); p[0] = z;

// error 1:46: a reference must be the last part of a type
// hint: write for example float*&
float* &*q = 0;

// error 1:53: 'int' has no member 'a'
// hint: write the names of members
p[0] = offsetof(int, a);

// error 1:54: expected an expression before 'return'
// hint: a statement cannot stand inside an expression
int b = return 1;

// error 1:53: _Pragma needs a text in brackets
// hint: write _Pragma("unroll")
p[0] = _Pragma; 

// error 1:46: _Pragma needs a text in brackets
// hint: write _Pragma("unroll")
_Pragma(1) p[0] = 1;

// error 1:53: undeclared function 'foo'
// hint: did you mean 'floor'?
p[0] = std::foo(1);

// error 1:53: assignment: cannot convert 'uint3' to 'int'
// hint: a uint3 is several numbers: compute with its parts, .x and so on
p[0] = threadIdx;

// error 1:53: only a variable can be seen as a reference
// hint: store the value first
p[0] = (int&)5;

// error 1:54: initial value of 'q': cannot convert 'int*' to 'int'
// hint: a value is needed, but this is a pointer: index it with [i] or *
int q = p; p[0] = (n + 1).x;

// error 1:52: -> needs a pointer, but this is 'int'
// hint: write .x
p[0]->x = 1;

// unsupported 1:46: goto
// hint: use a loop with break or continue
goto end; end: p[0] = 1;

// error 1:63: expected ')' before '['
// hint: write sizeof(type)
p[0] = sizeof(int[n]);

// error 1:56: 'half' is not known without its header
// hint: write #include <cuda_fp16.h> above
float y = half(1, 2);

// error 1:46: printf takes at most 32 values in a kernel
// hint: print them in several calls
printf("%d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d", n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n);

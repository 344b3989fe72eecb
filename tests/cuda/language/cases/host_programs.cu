// Programs with a host side.
/* here */

// error 1:12: 'n' is extern, but no file of the program defines it
// hint: define it in one
extern int n; int main() { return n; }

// error 1:23: 'n' is extern, but no file of the program defines it
// hint: define it in one
extern __device__ int n; __global__ void k(int* x) { x[0] = n; } int main() { }

// error 1:5: 'f' is declared but has no body
// hint: write its body: { ... }
int f(int); int main() { return f(1); }

// error 1:21: 'f' returned 'int' in its first declaration
// hint: both must agree
int f(int a); float f(int a) { return 1; } int main() { }

// unsupported 1:6: references outside of functions
// hint: use the variable itself
int& r = 5; int main() { }

// error 1:27: undeclared name 'g'
// hint: declare it before its first use: int g = ..., or float for fractions
__global__ void k(int x = g) { } int main() { }

// error 1:83: several functions are named 'over', and auto does not say which is meant
// hint: write the type of a pointer to it in place of auto
int over(int a) { return 1; } float over(float a) { return 1; } int main() { auto f = over; }

// error 1:85: several functions are named 'over', and nothing here says which is meant
// hint: write for example (int (*)(int))over
int over(int a) { return 1; } float over(float a) { return 1; } int main() { return over == over; }

// error 1:43: 'n' is a variable of the host, which a kernel cannot touch
// hint: pass it as an argument, or declare it __device__ or __constant__
int n; __global__ void k(int* x) { x[0] = n; } int main() { }

// error 1:36: 'f' is a function of the host, which a kernel cannot call
// hint: write __device__ before it, or __host__ __device__ for both sides
void f() { } __global__ void k() { f(); } int main() { }

// error 1:50: the template 'f' is declared but has no body
// hint: write its body
template <class T> T f(T x); int main() { return f(1); }

// error 1:1: expected a declaration before '+'
// hint: outside of functions there can only be declarations
+ int main() { }

// error 1:3: expected a type before 'while'
// hint: write a type such as int or float*
  while

// error 3:1: expected a declaration before '='
// hint: outside of functions there can only be declarations
#include <vector>

= int main() { }

// error 1:10: the file '' was not found, neither beside this one nor in a folder of -I
// hint: check its name, or give its folder: -I include on the command line, options=("-Iinclude",) in Python
#include ""
int main() { }

// error 2:14: undeclared function 'nowhere::go'
// hint: declare it before its first use; one that stands in another cell is not seen here: copy it
#include <nowhere/>
int main() { nowhere::go(); }

// error 1:12: 'P::P' is declared but has no body
// hint: write its body: { ... }
struct P { P(); };
int main() { P p; }

// unsupported 2:36: the simulator's 'vector<int>' has no member 'sort'
// hint: write what it would do
#include <vector>
int main() { std::vector<int> v; v.sort(); }

// error 1:23: this asm( is never closed
// hint: end it with );
__global__ void k() { asm volatile("bar.sync 0;"

// error 1:40: 'c' is of the enum 'Color', which takes none but its names
// hint: write one of them, or (Color)2
enum Color { RED }; int main() { Color c = 2; }

// unsupported 1:24: this function of C's library
// hint: write what it does, or leave it out
int main() { char* t = strpbrk("a b", " "); }

// unsupported 2:24: CUDA's C++ libraries
// hint: write a loop, or a kernel
#include <thrust/sort.h>
int main() { int x[2]; thrust::sort(x, x + 2); }

// error 1:42: 'B' has no member 'c'
// hint: it has a
struct B { int a; }; int main() { B b; b.c = 1; }

// error 1:22: undeclared function 'cudaMallox'
// hint: did you mean 'cudaMalloc'?
int main() { int* p; cudaMallox(&p, 4); }

// error 2:43: undeclared kernel 'vectorAdd'
// hint: did you mean 'vecAdd'?
#include <vector>
__global__ void vecAdd() { } int main() { vectorAdd<<<1, 1>>>(); }

// unsupported 1:14: this part of CUDA's library
// hint: use memory, copies, streams and events, or nvcc: %%cu --nvcc
int main() { cudaMemcpy3DPeer(0); }

// unsupported 2:29: the simulator's 'ios' has no member 'uppercase'
// hint: leave it out, or write what it would do
#include <iostream>
int main() { std::cout.setf(std::ios::uppercase); }

// error 1:66: undeclared kernel 'gem'
// hint: did you mean 'gemm'?
template <int N> __global__ void gemm(float* x) { } int main() { gem<3><<<1, 1>>>(nullptr); }

// unsupported 1:53: first values of pointers outside of functions
// hint: store the address in a kernel
__device__ float data[2]; __device__ float* first = data; int main() { }

// rule: A wrong use of a fragment is named
// launch: 1, 32, [zeros(256, float16), zeros(256, float16), zeros(256)]
// error: UninitializedReadError thread=(0,0,0) block=(0,0,0)
// report: the fragment a is used before it holds anything
// report: its registers hold garbage until it is loaded
// report: hint: call load_matrix_sync(a, ...) or fill_fragment(a, 0.0f) first
#include <mma.h>
using namespace nvcuda::wmma;
extern "C" __global__ void k(half* A, half* B, float* C)
{
    int t = threadIdx.x;
    fragment<matrix_a, 16, 16, 16, half, row_major> a;
    fragment<matrix_b, 16, 16, 16, half, row_major> b;
    fragment<accumulator, 16, 16, 16, float> c;
    load_matrix_sync(b, B, 16);
    fill_fragment(c, 0.0f);
    mma_sync(c, a, b, c);  // <- here
}

// rule: A wrong use of a fragment is named
// launch: 1, 32, [zeros(256, float16), zeros(256, float16), zeros(256)]
// error: UninitializedReadError thread=(0,0,0) block=(0,0,0)
// report: the fragment c is used before it holds anything
// report: its registers hold garbage until it is loaded
// report: hint: call load_matrix_sync(c, ...) or fill_fragment(c, 0.0f) first
#include <mma.h>
using namespace nvcuda::wmma;
extern "C" __global__ void k(half* A, half* B, float* C)
{
    int t = threadIdx.x;
    fragment<matrix_a, 16, 16, 16, half, row_major> a;
    fragment<matrix_b, 16, 16, 16, half, row_major> b;
    fragment<accumulator, 16, 16, 16, float> c;
    load_matrix_sync(a, A, 16);
    load_matrix_sync(b, B, 16);
    mma_sync(c, a, b, c);  // <- here
}

// rule: A wrong use of a fragment is named
// launch: 1, 32, [zeros(256, float16), zeros(256, float16), zeros(256)]
// error: UninitializedReadError thread=(0,0,0) block=(0,0,0)
// report: the fragment c is used before it holds anything
// report: its registers hold garbage until it is loaded
// report: hint: call load_matrix_sync(c, ...) or fill_fragment(c, 0.0f) first
#include <mma.h>
using namespace nvcuda::wmma;
extern "C" __global__ void k(half* A, half* B, float* C)
{
    int t = threadIdx.x;
    fragment<matrix_a, 16, 16, 16, half, row_major> a;
    fragment<matrix_b, 16, 16, 16, half, row_major> b;
    fragment<accumulator, 16, 16, 16, float> c;
    store_matrix_sync(C, c, 16, mem_row_major);  // <- here
}

// rule: A wrong use of a fragment is named
// launch: 1, 32, [zeros(256, float16), zeros(256, float16), zeros(256)]
// error: BarrierError thread=(0,0,0) block=(0,0,0)
// report: mma_sync is reached by 16 of the 32 lanes of a warp
// report: all lanes hold the tile together, so all of them must make the call
// report: hint: move it out of the if or loop that only some lanes run
#include <mma.h>
using namespace nvcuda::wmma;
extern "C" __global__ void k(half* A, half* B, float* C)
{
    int t = threadIdx.x;
    fragment<matrix_a, 16, 16, 16, half, row_major> a;
    fragment<matrix_b, 16, 16, 16, half, row_major> b;
    fragment<accumulator, 16, 16, 16, float> c;
    load_matrix_sync(b, B, 16);
    fill_fragment(c, 0.0f);
    load_matrix_sync(a, A, 16);
    if (t < 16) mma_sync(c, a, b, c);  // <- here
}

// rule: A wrong use of a fragment is named
// launch: 1, 32, [zeros(256, float16), zeros(256, float16), zeros(256)]
// error: BarrierError thread=(1,0,0) block=(0,0,0)
// report: load_matrix_sync is reached by 16 of the 32 lanes of a warp
// report: all lanes hold the tile together, so all of them must make the call
// report: hint: move it out of the if or loop that only some lanes run
#include <mma.h>
using namespace nvcuda::wmma;
extern "C" __global__ void k(half* A, half* B, float* C)
{
    int t = threadIdx.x;
    fragment<matrix_a, 16, 16, 16, half, row_major> a;
    fragment<matrix_b, 16, 16, 16, half, row_major> b;
    fragment<accumulator, 16, 16, 16, float> c;
    if (t % 2) load_matrix_sync(a, A, 16);  // <- here
}

// rule: A wrong use of a fragment is named
// launch: 1, 48, [zeros(256, float16), zeros(256, float16), zeros(256)]
// error: BarrierError thread=(32,0,0) block=(0,0,0)
// report: load_matrix_sync is reached by 16 of the 32 lanes of a warp
// report: all lanes hold the tile together, so all of them must make the call
// report: hint: launch blocks of a multiple of 32 threads, and let no thread return before
#include <mma.h>
using namespace nvcuda::wmma;
extern "C" __global__ void k(half* A, half* B, float* C)
{
    int t = threadIdx.x;
    fragment<matrix_a, 16, 16, 16, half, row_major> a;
    fragment<matrix_b, 16, 16, 16, half, row_major> b;
    fragment<accumulator, 16, 16, 16, float> c;
    load_matrix_sync(b, B, 16);  // <- here
    fill_fragment(c, 0.0f);
}

// rule: A wrong use of a fragment is named
// launch: 1, 32, [zeros(256, float16), zeros(256, float16), zeros(256)]
// error: KernelSyntaxError
// report: kernel.cu:14:5: 'nvcuda::wmma::load_matrix_sync' takes 3 arguments, but 4 given
// report: hint: its parameters are (tile, p, ldm)
#include <mma.h>
using namespace nvcuda::wmma;
extern "C" __global__ void k(half* A, half* B, float* C)
{
    int t = threadIdx.x;
    fragment<matrix_a, 16, 16, 16, half, row_major> a;
    fragment<matrix_b, 16, 16, 16, half, row_major> b;
    fragment<accumulator, 16, 16, 16, float> c;
    load_matrix_sync(a, A, 16, mem_row_major);  // <- here
}

// rule: A wrong use of a fragment is named
// launch: 1, 32, [zeros(256, float16), zeros(256, float16), zeros(256)]
// error: KernelSyntaxError
// report: kernel.cu:13:5: static_assert failed: an accumulator has no layout of its own: write mem_row_major behind the distance of rows
#include <mma.h>
using namespace nvcuda::wmma;
extern "C" __global__ void k(half* A, half* B, float* C)
{
    int t = threadIdx.x;
    fragment<matrix_a, 16, 16, 16, half, row_major> a;
    fragment<matrix_b, 16, 16, 16, half, row_major> b;
    fragment<accumulator, 16, 16, 16, float> c;
    load_matrix_sync(c, C, 16);  // <- here
}

// rule: A wrong use of a fragment is named
// launch: 1, 32, [zeros(256, float16), zeros(256, float16), zeros(256)]
// error: KernelSyntaxError
// report: kernel.cu:17:17: 'nvcuda::wmma::fragment<nvcuda::wmma::matrix_b, 16, 16, 16, __half, nvcuda::wmma::row_major>' is no nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, ...>
// report: hint: pass the arguments in the function's order
#include <mma.h>
using namespace nvcuda::wmma;
extern "C" __global__ void k(half* A, half* B, float* C)
{
    int t = threadIdx.x;
    fragment<matrix_a, 16, 16, 16, half, row_major> a;
    fragment<matrix_b, 16, 16, 16, half, row_major> b;
    fragment<accumulator, 16, 16, 16, float> c;
    load_matrix_sync(b, B, 16);
    fill_fragment(c, 0.0f);
    load_matrix_sync(a, A, 16);
    mma_sync(c, b, a, c);  // <- here
}

// rule: A wrong use of a fragment is named
// launch: 1, 32, [zeros(256, float16), zeros(256, float16), zeros(256)]
// error: KernelSyntaxError
// report: kernel.cu:18:5: 'M' of nvcuda::wmma::mma_sync cannot be '32' and '16' at once
// report: hint: convert an argument, or write nvcuda::wmma::mma_sync<16>(...)
#include <mma.h>
using namespace nvcuda::wmma;
extern "C" __global__ void k(half* A, half* B, float* C)
{
    int t = threadIdx.x;
    fragment<matrix_a, 16, 16, 16, half, row_major> a;
    fragment<matrix_b, 16, 16, 16, half, row_major> b;
    fragment<accumulator, 16, 16, 16, float> c;
    fragment<accumulator, 32, 8, 16, float> d;
    load_matrix_sync(b, B, 16);
    fill_fragment(c, 0.0f);
    load_matrix_sync(a, A, 16);
    mma_sync(d, a, b, d);  // <- here
}

// rule: A wrong use of a fragment is named
// launch: 1, 32, [zeros(256, float16), zeros(256, float16), zeros(256)]
// error: KernelSyntaxError
// report: kernel.cu:14:5: static_assert failed: mma_sync has no accumulators of this type for such factors
#include <mma.h>
using namespace nvcuda::wmma;
extern "C" __global__ void k(half* A, half* B, float* C)
{
    int t = threadIdx.x;
    fragment<matrix_a, 16, 16, 16, half, row_major> a;
    fragment<matrix_b, 16, 16, 16, half, row_major> b;
    fragment<accumulator, 16, 16, 16, float> c;
    fragment<accumulator, 16, 16, 16, int> d;
    mma_sync(d, a, b, d);  // <- here
}

// rule: A wrong use of a fragment is named
// launch: 1, 32, [zeros(256, float16), zeros(256, float16), zeros(256)]
// error: KernelSyntaxError
// report: kernel.cu:13:5: static_assert failed: there is no such fragment: matrix_a and matrix_b need row_major or col_major, an accumulator none; a factor's numbers are half (or another type of 8 or 16 bits, or tf32), an accumulator's float, half or int; sizes are 16, 16, 16
#include <mma.h>
using namespace nvcuda::wmma;
extern "C" __global__ void k(half* A, half* B, float* C)
{
    int t = threadIdx.x;
    fragment<matrix_a, 16, 16, 16, half, row_major> a;
    fragment<matrix_b, 16, 16, 16, half, row_major> b;
    fragment<accumulator, 16, 16, 16, float> c;
    fragment<matrix_a, 16, 16, 8, half, row_major> d;  // <- here
}

// rule: A wrong use of a fragment is named
// launch: 1, 32, [zeros(256, float16), zeros(256, float16), zeros(256)]
// error: MisalignedAccessError thread=(0,0,0) block=(0,0,0)
// report: load_matrix_sync with a leading dimension of 12
// report: from row to row it must be a multiple of 16 bytes, 8 elements
// report: hint: pad the rows to a multiple of 8
#include <mma.h>
using namespace nvcuda::wmma;
extern "C" __global__ void k(half* A, half* B, float* C)
{
    int t = threadIdx.x;
    fragment<matrix_a, 16, 16, 16, half, row_major> a;
    fragment<matrix_b, 16, 16, 16, half, row_major> b;
    fragment<accumulator, 16, 16, 16, float> c;
    load_matrix_sync(a, A, 12);  // <- here
}

// rule: A wrong use of a fragment is named
// launch: 1, 32, [zeros(256, float16), zeros(256, float16), zeros(256)]
// error: MisalignedAccessError thread=(0,0,0) block=(0,0,0)
// report: load_matrix_sync of a tile that begins at A[8], byte 16
// report: the first element must lie at a multiple of 32 bytes
// report: hint: begin at a multiple of 16 elements
#include <mma.h>
using namespace nvcuda::wmma;
extern "C" __global__ void k(half* A, half* B, float* C)
{
    int t = threadIdx.x;
    fragment<matrix_a, 16, 16, 16, half, row_major> a;
    fragment<matrix_b, 16, 16, 16, half, row_major> b;
    fragment<accumulator, 16, 16, 16, float> c;
    load_matrix_sync(a, A + 8, 16);  // <- here
}

// rule: A wrong use of a fragment is named
// launch: 1, 32, [zeros(256, float16), zeros(256, float16), zeros(256)]
// error: KernelError thread=(0,0,0) block=(0,0,0)
// report: load_matrix_sync goes from row to row by 16 elements, but s[16][24] has rows of 24
// report: the leading dimension is the distance between two rows in memory
// report: hint: write 24 for it
#include <mma.h>
using namespace nvcuda::wmma;
extern "C" __global__ void k(half* A, half* B, float* C)
{
    int t = threadIdx.x;
    fragment<matrix_a, 16, 16, 16, half, row_major> a;
    fragment<matrix_b, 16, 16, 16, half, row_major> b;
    fragment<accumulator, 16, 16, 16, float> c;
    __shared__ half s[16][24];
    for (int i = t; i < 256; i += blockDim.x) s[i / 16][i % 16] = A[i];
    __syncthreads();
    load_matrix_sync(a, &s[0][0], 16);  // <- here
}

// rule: A wrong use of a fragment is named
// launch: 1, 64, [zeros(256, float16), zeros(256, float16), zeros(256)]
// error: RaceError thread=(2,0,0) block=(0,0,0)
// report: race: reads s[48], which thread (32,0,0) of the same block writes in line 16
// report: no barrier orders the two
// report: hint: put __syncthreads() between them
#include <mma.h>
using namespace nvcuda::wmma;
extern "C" __global__ void k(half* A, half* B, float* C)
{
    int t = threadIdx.x;
    fragment<matrix_a, 16, 16, 16, half, row_major> a;
    fragment<matrix_b, 16, 16, 16, half, row_major> b;
    fragment<accumulator, 16, 16, 16, float> c;
    __shared__ half s[16][24];
    for (int i = t; i < 256; i += blockDim.x) s[i / 16][i % 16] = A[i];
    load_matrix_sync(a, &s[0][0], 24);  // <- here
}

// rule: A wrong use of a fragment is named
// launch: 1, 64, [zeros(256, float16), zeros(256, float16), zeros(256)]
// error: RaceError thread=(0,0,0) block=(0,0,0)
// report: race: writes s[0][0], which thread (32,0,0) of the same block reads in line 18
// report: no barrier orders the two
// report: hint: put __syncthreads() between them
#include <mma.h>
using namespace nvcuda::wmma;
extern "C" __global__ void k(half* A, half* B, float* C)
{
    int t = threadIdx.x;
    fragment<matrix_a, 16, 16, 16, half, row_major> a;
    fragment<matrix_b, 16, 16, 16, half, row_major> b;
    fragment<accumulator, 16, 16, 16, float> c;
    __shared__ half s[16][24];
    for (int i = t; i < 256; i += blockDim.x) s[i / 16][i % 16] = A[i];
    __syncthreads();
    load_matrix_sync(a, &s[0][0], 24);
    s[t / 8][t % 8] = B[t];  // <- here
}

// rule: A wrong use of a fragment is named
// launch: 1, 32, [zeros(256, float16), zeros(256, float16), zeros(256)]
// error: OutOfBoundsError thread=(0,0,0) block=(0,0,0)
// report: out-of-bounds read of A[256]
// report: A has 256 elements, A[0] to A[255]; this access takes 2 at once, from A[256] on
// report: hint: work out by hand which element this thread should take: guard threads that have none, and rows and columns that are too large
#include <mma.h>
using namespace nvcuda::wmma;
extern "C" __global__ void k(half* A, half* B, float* C)
{
    int t = threadIdx.x;
    fragment<matrix_a, 16, 16, 16, half, row_major> a;
    fragment<matrix_b, 16, 16, 16, half, row_major> b;
    fragment<accumulator, 16, 16, 16, float> c;
    load_matrix_sync(a, A, 32);  // <- here
}

// rule: A wrong use of a fragment is named
// launch: 1, 32, [zeros(256, float16), zeros(256, float16), zeros(256)]
// error: KernelError thread=(16,0,0) block=(0,0,0)
// report: the lanes of a warp give load_matrix_sync different addresses
// report: the whole warp moves one tile: all lanes name the same place
// report: hint: compute it from the number of the warp, not from that of the thread
#include <mma.h>
using namespace nvcuda::wmma;
extern "C" __global__ void k(half* A, half* B, float* C)
{
    int t = threadIdx.x;
    fragment<matrix_a, 16, 16, 16, half, row_major> a;
    fragment<matrix_b, 16, 16, 16, half, row_major> b;
    fragment<accumulator, 16, 16, 16, float> c;
    load_matrix_sync(a, A + t / 16 * 16, 16);  // <- here
}

// rule: A wrong use of a fragment is named
// launch: 1, 32, [zeros(256, float16), zeros(256, float16), zeros(256)]
// error: BarrierError thread=(0,0,0) block=(0,0,0)
// report: mma.sync is reached by 8 of the 32 lanes of a warp
// report: all lanes hold the tile together, so all of them must make the call
// report: hint: move it out of the if or loop that only some lanes run
#include <mma.h>
using namespace nvcuda::wmma;
extern "C" __global__ void k(half* A, half* B, float* C)
{
    int t = threadIdx.x;
    fragment<matrix_a, 16, 16, 16, half, row_major> a;
    fragment<matrix_b, 16, 16, 16, half, row_major> b;
    fragment<accumulator, 16, 16, 16, float> c;
    unsigned r[4] = {};
    float d[4] = {};
    if (t < 8)
        asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "  // <- here
            "{%0, %1, %2, %3};"
            : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
            : "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]), "r"(r[0]), "r"(r[1]));
}

// rule: A wrong use of a fragment is named
// launch: 1, 32, [zeros(256, float16), zeros(256, float16), zeros(256)]
// error: MisalignedAccessError thread=(0,0,0) block=(0,0,0)
// report: a 16-byte access at s[4], byte 8 of s
// report: its address must be a multiple of 16 bytes
// report: hint: start at an index that is a multiple of 8
#include <mma.h>
using namespace nvcuda::wmma;
extern "C" __global__ void k(half* A, half* B, float* C)
{
    int t = threadIdx.x;
    fragment<matrix_a, 16, 16, 16, half, row_major> a;
    fragment<matrix_b, 16, 16, 16, half, row_major> b;
    fragment<accumulator, 16, 16, 16, float> c;
    unsigned r[4] = {};
    float d[4] = {};
    __shared__ half s[16][24];
    for (int i = t; i < 256; i += blockDim.x) s[i / 16][i % 16] = A[i];
    __syncthreads();
    asm("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"  // <- here
        : "=r"(r[0])
        : "r"((unsigned)__cvta_generic_to_shared(&s[t % 8][4])));
}

// rule: A wrong use of a fragment is named
// launch: 1, 32, [zeros(256, float16), zeros(256, float16), zeros(256)]
// error: BarrierError thread=(0,0,0) block=(0,0,0)
// report: ldmatrix is reached by 8 of the 32 lanes of a warp
// report: all lanes hold the tile together, so all of them must make the call
// report: hint: move it out of the if or loop that only some lanes run
#include <mma.h>
using namespace nvcuda::wmma;
extern "C" __global__ void k(half* A, half* B, float* C)
{
    int t = threadIdx.x;
    fragment<matrix_a, 16, 16, 16, half, row_major> a;
    fragment<matrix_b, 16, 16, 16, half, row_major> b;
    fragment<accumulator, 16, 16, 16, float> c;
    unsigned r[4] = {};
    float d[4] = {};
    __shared__ half s[16][24];
    for (int i = t; i < 256; i += blockDim.x) s[i / 16][i % 16] = A[i];
    __syncthreads();
    if (t < 8)
        asm("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"  // <- here
            : "=r"(r[0])
            : "r"((unsigned)__cvta_generic_to_shared(s[t])));
}

// rule: A wrong use of a fragment is named
// launch: 1, 64, [zeros(256, float16), zeros(256, float16), zeros(256)]
// error: RaceError thread=(2,0,0) block=(0,0,0)
// report: race: reads s[48], which thread (32,0,0) of the same block writes in line 18
// report: no barrier orders the two
// report: hint: put __syncthreads() between them
#include <mma.h>
using namespace nvcuda::wmma;
extern "C" __global__ void k(half* A, half* B, float* C)
{
    int t = threadIdx.x;
    fragment<matrix_a, 16, 16, 16, half, row_major> a;
    fragment<matrix_b, 16, 16, 16, half, row_major> b;
    fragment<accumulator, 16, 16, 16, float> c;
    unsigned r[4] = {};
    float d[4] = {};
    __shared__ half s[16][24];
    for (int i = t; i < 256; i += blockDim.x) s[i / 16][i % 16] = A[i];
    asm("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"  // <- here
        : "=r"(r[0])
        : "r"((unsigned)__cvta_generic_to_shared(s[t % 8])));
}

// rule: A wrong use of a fragment is named
// launch: 1, 64, [zeros(256, float16), zeros(256, float16), zeros(256)]
// error: RaceError thread=(32,0,0) block=(0,0,0)
// report: race: writes C[0], which thread (0,0,0) of the same block writes in line 16
// report: nothing says which of the two stays
// report: hint: use an atomic, or let one thread write
#include <mma.h>
using namespace nvcuda::wmma;
extern "C" __global__ void k(half* A, half* B, float* C)
{
    int t = threadIdx.x;
    fragment<matrix_a, 16, 16, 16, half, row_major> a;
    fragment<matrix_b, 16, 16, 16, half, row_major> b;
    fragment<accumulator, 16, 16, 16, float> c;
    fill_fragment(c, t / 32 + 1.0f);
    store_matrix_sync(C, c, 16, mem_row_major);  // <- here
}

// rule: A wrong use of a fragment is named
// launch: 1, 32, [zeros(256, float16), zeros(256, float16), zeros(256)]
// error: KernelError thread=(0,0,0) block=(0,0,0)
// report: A is not in shared memory
// report: __cvta_generic_to_shared takes a pointer to shared memory
// report: hint: declare the array with __shared__
#include <mma.h>
using namespace nvcuda::wmma;
extern "C" __global__ void k(half* A, half* B, float* C)
{
    int t = threadIdx.x;
    fragment<matrix_a, 16, 16, 16, half, row_major> a;
    fragment<matrix_b, 16, 16, 16, half, row_major> b;
    fragment<accumulator, 16, 16, 16, float> c;
    unsigned r[4] = {};
    float d[4] = {};
    asm("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
        : "=r"(r[0])
        : "r"((unsigned)__cvta_generic_to_shared(A)));  // <- here
}

// rule: A wrong use of a fragment is named
// launch: 1, 32, [zeros(256, float16), zeros(256, float16), zeros(256)]
// error: KernelError thread=(0,0,0) block=(0,0,0)
// report: inline PTX takes an address in shared memory, as a number
// report: this number is no such address
// report: hint: write "r"((unsigned)__cvta_generic_to_shared(pointer))
#include <mma.h>
using namespace nvcuda::wmma;
extern "C" __global__ void k(half* A, half* B, float* C)
{
    int t = threadIdx.x;
    fragment<matrix_a, 16, 16, 16, half, row_major> a;
    fragment<matrix_b, 16, 16, 16, half, row_major> b;
    fragment<accumulator, 16, 16, 16, float> c;
    unsigned r[4] = {};
    float d[4] = {};
    asm("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r[0]) : "r"(t));  // <- here
}

// rule: A wrong use of a fragment is named
// launch: 1, 32, [zeros(256, float16), zeros(256, float16), zeros(256)]
// error: RaceError thread=(0,0,0) block=(0,0,0)
// report: race: reads s[0] while its own asynchronous copy into it is under way, of line 18
// report: a copy has arrived for the thread that started it when it has waited
// report: hint: wait before touching it: __pipeline_commit(), __pipeline_wait_prior(0)
#include <mma.h>
using namespace nvcuda::wmma;
extern "C" __global__ void k(half* A, half* B, float* C)
{
    int t = threadIdx.x;
    fragment<matrix_a, 16, 16, 16, half, row_major> a;
    fragment<matrix_b, 16, 16, 16, half, row_major> b;
    fragment<accumulator, 16, 16, 16, float> c;
    unsigned r[4] = {};
    float d[4] = {};
    __shared__ half s[256];
    asm("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"((unsigned)__cvta_generic_to_shared(s + 4 * t)),
        "l"(A + 4 * t));
    asm("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"  // <- here
        : "=r"(r[0])
        : "r"((unsigned)__cvta_generic_to_shared(s)));
}

// rule: A wrong use of a fragment is named
// launch: 1, 32, [zeros(256, float16), zeros(256, float16), zeros(256)]
// error: UnsupportedError
// report: kernel.cu:14:5: valid CUDA C++, but not supported by the simulator: inline PTX: wgmma.fence.sync.aligned
// report: hint: use the CUDA function that does the same
#include <mma.h>
using namespace nvcuda::wmma;
extern "C" __global__ void k(half* A, half* B, float* C)
{
    int t = threadIdx.x;
    fragment<matrix_a, 16, 16, 16, half, row_major> a;
    fragment<matrix_b, 16, 16, 16, half, row_major> b;
    fragment<accumulator, 16, 16, 16, float> c;
    asm("wgmma.fence.sync.aligned;");  // <- here
}

// rule: A wrong use of a fragment is named
// launch: 1, 32, [zeros(256, float16), zeros(256, float16), zeros(256)]
// error: UnsupportedError
// report: kernel.cu:14:5: valid CUDA C++, but not supported by the simulator: inline PTX: mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64
// report: hint: use the CUDA function that does the same
#include <mma.h>
using namespace nvcuda::wmma;
extern "C" __global__ void k(half* A, half* B, float* C)
{
    int t = threadIdx.x;
    fragment<matrix_a, 16, 16, 16, half, row_major> a;
    fragment<matrix_b, 16, 16, 16, half, row_major> b;
    fragment<accumulator, 16, 16, 16, float> c;
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%4, %5};" ::"r"(1));  // <- here
}

// rule: Each warp may choose its fragment
// launch: 1, 64, [zeros(512)]
// expect: C == 1
#include <mma.h>
using namespace nvcuda::wmma;
extern "C" __global__ void k(float* C)
{
    int warp = threadIdx.x / 32;
    fragment<accumulator, 16, 16, 16, float> c[2];
    fill_fragment(c[warp], 1.0f);
    store_matrix_sync(C + 256 * warp, c[warp], 16, mem_row_major);
}

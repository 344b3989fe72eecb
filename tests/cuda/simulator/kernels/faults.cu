// rule: The first thread at fault is named with its line, and arrays keep their values
// launch: 2, 48, [arange(64), arange(64)]
// error: OutOfBoundsError thread=(16,0,0) block=(1,0,0)
// report: out-of-bounds read of x[64]
// report: x has 64 elements, x[0] to x[63]
// report: hint: guard it, as in if (i < n): the grid has more threads than x has elements
extern "C" __global__ void k(const float* x, float* o)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    o[i % 64] = x[i];  // <- here
}

// rule: The first thread at fault is named where a vector has a part that differs between lanes and one that does not
// launch: 1, 64, [arange(64), arange(64)]
// error: OutOfBoundsError thread=(32,0,0) block=(0,0,0)
// report: out-of-bounds write to o[64]
// report: o has 64 elements, o[0] to o[63]; this access takes 2 at once, from o[64] on
// report: hint: no condition limits i: work out by hand which element this thread should take: guard threads that have none, and rows and columns that are too large
extern "C" __global__ void k(const float* x, float* o)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    ((float2*)o)[i] = make_float2(x[i], 0.0f);  // <- here
}

// rule: The first thread at fault is named with its line, and arrays keep their values
// launch: 1, 32, [arange(64)]
// error: OutOfBoundsError thread=(0,0,0) block=(0,0,0)
// report: out-of-bounds write to o[-1]
// report: o has 64 elements, o[0] to o[63]
// report: hint: threadIdx.x - 1 is negative here: guard it from below, as in if (threadIdx.x >= 1)
extern "C" __global__ void k(float* o) { o[(int)threadIdx.x - 1] = 1.0f; }  // <- here

// rule: The first thread at fault is named with its line, and arrays keep their values
// launch: 1, 32, [arange(64)]
// error: OutOfBoundsError thread=(24,0,0) block=(0,0,0)
// report: out-of-bounds write to s[4][0]
// report: shared array s is declared s[4][8]
// report: hint: compare the first index, 4, with the declared size, or enlarge the array
extern "C" __global__ void k(float* o)
{
    __shared__ float s[4][8];
    s[threadIdx.x / 8 + 1][threadIdx.x % 8] = 1.0f;  // <- here
}

// rule: The first thread at fault is named with its line, and arrays keep their values
// launch: 1, 32, [arange(64)]
// error: OutOfBoundsError thread=(3,0,0) block=(0,0,0)
// report: out-of-bounds read of a[3]
// report: a has 3 elements, a[0] to a[2]
// report: hint: compare the index with the declared size, or enlarge the array
extern "C" __global__ void k(float* o)
{
    float a[3] = {0};
    o[threadIdx.x] = a[threadIdx.x];  // <- here
}

// rule: The first thread at fault is named with its line, and arrays keep their values
// launch: 1, 32, [arange(64)]
// error: OutOfBoundsError thread=(8,0,0) block=(0,0,0)
// report: out-of-bounds read of c[4]
// report: c has 4 elements, c[0] to c[3]
// report: hint: compare the index with the declared size, or enlarge the array
__constant__ float c[4] = {1, 2};
extern "C" __global__ void k(float* o) { o[threadIdx.x] = c[threadIdx.x / 2]; }  // <- here

// rule: The first thread at fault is named with its line, and arrays keep their values
// launch: 1, 1, [arange(64)]
// error: OutOfBoundsError thread=(0,0,0) block=(0,0,0)
// report: read through a null pointer
extern "C" __global__ void k(float* o)
{
    float* p = 0;
    o[0] = *p;  // <- here
}

// rule: The first thread at fault is named with its line, and arrays keep their values
// launch: 1, 32, [arange(64)]
// error: OutOfBoundsError thread=(22,0,0) block=(0,0,0)
// report: out-of-bounds atomic on o[66]
// report: o has 64 elements, o[0] to o[63]
// report: hint: no condition limits threadIdx.x: work out by hand which element this thread should take: guard threads that have none, and rows and columns that are too large
extern "C" __global__ void k(float* o) { atomicAdd(&o[threadIdx.x * 3], 1.0f); }  // <- here

// rule: The first thread at fault is named with its line, and arrays keep their values
// launch: 2, 64, [arange(64)]
// error: UninitializedReadError thread=(54,0,0) block=(0,0,0)
// report: s[9] is read, but nobody has written it
// report: __shared__ s holds garbage until a thread of the block writes it
// report: hint: fill it first, with __syncthreads() between the writes and the reads
extern "C" __global__ void k(float* o)
{
    __shared__ float s[64];
    if (threadIdx.x != 9) s[threadIdx.x] = 1;
    __syncthreads();
    o[threadIdx.x] = s[63 - threadIdx.x];  // <- here
}

// rule: The first thread at fault is named with its line, and arrays keep their values
// launch: 1, 32, [arange(64)]
// error: UninitializedReadError thread=(5,0,0) block=(0,0,0)
// report: v is read before it has a value
// report: a local variable holds garbage until it is assigned
// report: hint: give it a value where it is declared: v = 0
extern "C" __global__ void k(float* o)
{
    float v;
    if (threadIdx.x < 5) v = 1;
    o[threadIdx.x] = v;  // <- here
}

// rule: The first thread at fault is named with its line, and arrays keep their values
// launch: 1, 32, [arange(64)]
// error: UninitializedReadError thread=(4,0,0) block=(0,0,0)
// report: v is read before it has a value
// report: a local variable holds garbage until it is assigned
// report: hint: give it a value where it is declared: v = 0
extern "C" __global__ void k(float* o)
{
    float v;
    if (threadIdx.x < 5) v = 1;
    o[threadIdx.x] = __shfl_down_sync(~0u, v, 1);  // <- here
}

// rule: The first thread at fault is named with its line, and arrays keep their values
// launch: 1, 1, [arange(64)]
// error: UninitializedReadError thread=(0,0,0) block=(0,0,0)
// report: sum is read before it has a value
// report: a local variable holds garbage until it is assigned
// report: hint: give it a value where it is declared: sum = 0
extern "C" __global__ void k(float* o)
{
    float sum;
    for (int i = 0; i < 3; i++) sum += i;  // <- here
    o[0] = sum;
}

// rule: The first thread at fault is named with its line, and arrays keep their values
// launch: 1, 32, [arange(64)]
// error: UninitializedReadError thread=(0,0,0) block=(0,0,0)
// report: i is read before it has a value
// report: a local variable holds garbage until it is assigned
// report: hint: give it a value where it is declared: i = 0
extern "C" __global__ void k(float* o)
{
    int i = threadIdx.x + i;  // <- here
    o[i] = 1;
}

// rule: The first thread at fault is named with its line, and arrays keep their values
// launch: 1, 32, [arange(64)]
// error: UninitializedReadError thread=(3,0,0) block=(0,0,0)
// report: v is read before it has a value
// report: a local variable holds garbage until it is assigned
// report: hint: give it a value where it is declared: v = 0
extern "C" __global__ void k(float* o)
{
    float v = threadIdx.x < 3 ? 1 : v * 2;  // <- here
    o[0] = v;
}

// rule: The first thread at fault is named with its line, and arrays keep their values
// launch: 1, 32, [arange(64)]
// error: UninitializedReadError thread=(30,0,0) block=(0,0,0)
// report: f ends without returning a value
// report: the caller gets garbage
// report: hint: let every way through the function end with return value;
__device__ int f(int n)  // <- here
{
    if (n < 30) return 1;
}
extern "C" __global__ void k(float* o) { o[threadIdx.x] = f(threadIdx.x); }

// rule: The first thread at fault is named with its line, and arrays keep their values
// launch: 1, 32, [arange(64)]
// error: MisalignedAccessError thread=(1,0,0) block=(0,0,0)
// report: a 4-byte access at o[0], byte 1 of o
// report: its address must be a multiple of 4 bytes
// report: hint: move by whole elements, not by bytes
extern "C" __global__ void k(float* o)
{
    char* p = (char*)o;
    *(float*)(p + threadIdx.x) = 1;  // <- here
}

// rule: The first thread at fault is named with its line, and arrays keep their values
// launch: 1, 32, [arange(64)]
// error: UninitializedReadError thread=(0,0,0) block=(0,0,0)
// report: a[2] is read before it has a value
// report: a local array holds garbage until it is written
// report: hint: initialise it where it is declared, = {0}; or write __shared__ before it, if the threads of a block share it: without that each thread has an array of its own
extern "C" __global__ void k(float* o)
{
    int a[4];
    a[threadIdx.x % 3] = 1;
    o[threadIdx.x] = a[2];  // <- here
}

// rule: The first thread at fault is named with its line, and arrays keep their values
// launch: 1, 8, [arange(64)]
// error: MisalignedAccessError thread=(1,0,0) block=(0,0,0)
// report: a 16-byte access at o[1], byte 4 of o
// report: its address must be a multiple of 16 bytes
// report: hint: start at an index that is a multiple of 4
extern "C" __global__ void k(float* o)
{
    float4 v = *(float4*)(o + threadIdx.x);  // <- here
    o[threadIdx.x] = v.x;
}

// rule: The first thread at fault is named with its line, and arrays keep their values
// launch: 1, 8, [zeros(64, int32)]
// error: KernelArithmeticError thread=(3,0,0) block=(0,0,0)
// report: integer division by zero
// report: a GPU returns a meaningless number here
// report: hint: test the divisor first
extern "C" __global__ void k(int* o) { o[threadIdx.x] = 12 / (3 - (int)threadIdx.x); }  // <- here

// rule: The first thread at fault is named with its line, and arrays keep their values
// launch: 1, 8, [zeros(64, int32)]
// error: KernelArithmeticError thread=(0,0,0) block=(0,0,0)
// report: integer remainder by zero
// report: a GPU returns a meaningless number here
// report: hint: test the divisor first
extern "C" __global__ void k(int* o) { o[threadIdx.x] = 12 % o[0]; }  // <- here

// rule: The first thread at fault is named with its line, and arrays keep their values
// launch: 1, 64, [arange(64)]
// error: BarrierError thread=(40,0,0) block=(0,0,0)
// report: 24 of 64 threads of a block do not reach this __syncthreads()
// report: missing: thread (40,0,0) of block (0,0,0); 24 threads in all
// report: every thread of the block must reach the same barrier; the guide leaves undefined what happens otherwise
// report: hint: move the barrier out of the if or loop that only some threads run
extern "C" __global__ void k(float* o)
{
    if (threadIdx.x < 40) {
        o[0] = 1;
        __syncthreads();  // <- here
    }
}

// rule: The first thread at fault is named with its line, and arrays keep their values
// launch: 1, 64, [arange(64)]
// error: BarrierError thread=(0,0,0) block=(0,0,0)
// report: 1 of 64 threads of a block do not reach this __syncthreads()
// report: missing: thread (0,0,0) of block (0,0,0)
// report: every thread of the block must reach the same barrier; the guide leaves undefined what happens otherwise
// report: hint: move the barrier out of the if or loop that only some threads run
extern "C" __global__ void k(float* o)
{
    for (int i = 0; i < threadIdx.x + 60; i++) __syncthreads();  // <- here
}

// rule: The first thread at fault is named with its line, and arrays keep their values
// launch: 1, 64, [arange(64)]
// error: BarrierError thread=(0,0,0) block=(0,0,0)
// report: 32 of 64 threads of a block do not reach this __syncthreads()
// report: missing: thread (0,0,0) of block (0,0,0); 32 threads in all
// report: every thread of the block must reach the same barrier; the guide leaves undefined what happens otherwise
// report: hint: move the barrier out of the if or loop that only some threads run
extern "C" __global__ void k(float* o)
{
    if (threadIdx.x % 2)
        __syncthreads();  // <- here
    else
        __syncthreads();
}

// rule: The first thread at fault is named with its line, and arrays keep their values
// launch: 1, 32, [arange(64)]
// error: BarrierError thread=(0,0,0) block=(0,0,0)
// report: __shfl_down_sync: the mask 0xffffffff names lanes that do not take part: 8, 9, 10, 11, ... (24 lanes)
// report: every lane named in the mask must make the same call
// report: hint: move it out of the if, or give it the mask of the lanes that are there
extern "C" __global__ void k(float* o)
{
    float v = threadIdx.x;
    if (threadIdx.x < 8) v += __shfl_down_sync(0xffffffff, v, 4);  // <- here
    o[threadIdx.x] = v;
}

// rule: The first thread at fault is named with its line, and arrays keep their values
// launch: 1, 32, [arange(64)]
// error: BarrierError thread=(4,0,0) block=(0,0,0)
// report: __shfl_down_sync reads lane 8, which is not active here
// report: a shuffle may only read lanes that make the same call
// report: hint: let the whole warp shuffle, and give lanes without data a neutral value
extern "C" __global__ void k(float* o)
{
    float v = threadIdx.x;
    if (threadIdx.x < 8) v += __shfl_down_sync(0xff, v, 4);  // <- here
    o[threadIdx.x] = v;
}

// rule: The first thread at fault is named with its line, and arrays keep their values
// launch: 1, 40, [arange(64)]
// error: BarrierError thread=(32,0,0) block=(0,0,0)
// report: __shfl_down_sync reads lane 16, which does not exist: the block ends before
// report: a shuffle may only read lanes that make the same call
// report: hint: let the whole warp shuffle, and give lanes without data a neutral value
extern "C" __global__ void k(float* o)
{
    float v = threadIdx.x;
    v += __shfl_down_sync(0xffffffff, v, 16);  // <- here
    o[threadIdx.x] = v;
}

// rule: The first thread at fault is named with its line, and arrays keep their values
// launch: 1, 32, [arange(64)]
// error: BarrierError thread=(8,0,0) block=(0,0,0)
// report: __shfl_down_sync reads lane 16, which is not active here
// report: a shuffle may only read lanes that make the same call
// report: hint: let the whole warp shuffle, and give lanes without data a neutral value
extern "C" __global__ void k(float* o)
{
    float v = __shfl_down_sync(~0u, 1.0f, 8);
    if (threadIdx.x < 16) v += __shfl_down_sync(0xffff, v, 8);  // <- here
    o[threadIdx.x] = v;
}

// rule: The first thread at fault is named with its line, and arrays keep their values
// launch: 1, 32, [arange(64)]
// error: BarrierError thread=(8,0,0) block=(0,0,0)
// report: __syncwarp: the calling lane is not in its own mask
// report: the mask names the lanes that take part
// report: hint: use 0xffffffff when the whole warp does
extern "C" __global__ void k(float* o)
{
    __syncwarp();
    __syncwarp(0xff);  // <- here
}

// rule: The first thread at fault is named with its line, and arrays keep their values
// launch: 1, 32, [arange(64)]
// error: BarrierError thread=(4,0,0) block=(0,0,0)
// report: __syncwarp: the mask 0xffffffff names lanes that do not take part: 0, 1, 2, 3
// report: every lane named in the mask must make the same call
// report: hint: move it out of the if, or give it the mask of the lanes that are there
extern "C" __global__ void k(float* o)
{
    __syncwarp();
    if (threadIdx.x > 3) __syncwarp();  // <- here
}

// rule: The first thread at fault is named with its line, and arrays keep their values
// launch: 1, 8, [arange(64)]
// error: KernelError thread=(7,0,0) block=(0,0,0)
// report: assertion failed
extern "C" __global__ void k(float* o) { assert(threadIdx.x < 7); }  // <- here

// rule: The first thread at fault is named with its line, and arrays keep their values
// launch: 2, 8, [zeros(64, int32)]
// error: KernelError thread=(3,0,0) block=(0,0,0)
// report: the kernel stops itself: __trap()
extern "C" __global__ void k(int* o)
{
    if (threadIdx.x == 3) __trap();  // <- here
}

// rule: The first thread at fault is named with its line, and arrays keep their values
// launch: 1, 2, [zeros(64, int32)]
// error: UninitializedReadError thread=(0,0,0) block=(0,0,0)
// report: p.b is read before it has a value
// report: members hold garbage until they are assigned
// report: hint: give it a value first: p.b = 0;
extern "C" __global__ void k(int* o)
{
    struct P {
        int a, b;
    } p;
    p.a = 1;
    o[0] = p.b;  // <- here
}

// rule: The first thread at fault is named with its line, and arrays keep their values
// launch: 1, 4, [zeros(64, int32)]
// error: OutOfBoundsError thread=(2,0,0) block=(0,0,0)
// report: subscript 2 is outside of p.a
// report: p.a has 2 elements, [0] to [1]; behind it are other members
// report: hint: compare the index with the declared size, or enlarge the array
extern "C" __global__ void k(int* o)
{
    struct P {
        int a[2], b;
    } p = {};
    o[threadIdx.x] = p.a[threadIdx.x];  // <- here
}

// rule: The first thread at fault is named with its line, and arrays keep their values
// launch: 1, 1, [arange(64)]
// error: OutOfBoundsError thread=(0,0,0) block=(0,0,0)
// report: out-of-bounds write to o[64]
// report: o has 64 elements, o[0] to o[63]; this access takes 4 at once, from o[64] on
// report: hint: the index is 64 here: which element should this thread take? Work it out by hand
extern "C" __global__ void k(float* o)
{
    float4* p = (float4*)o + 16;
    *p = make_float4(1, 2, 3, 4);  // <- here
}

// rule: The first thread at fault is named with its line, and arrays keep their values
// launch: 1, 4, [zeros(64, int32)]
// error: OutOfBoundsError thread=(3,0,0) block=(0,0,0)
// report: out-of-bounds read of s[4]
// report: s has 4 elements, s[0] to s[3]
// report: hint: compare the index with the declared size, or enlarge the array
extern "C" __global__ void k(int* o)
{
    __shared__ int s[4];
    s[threadIdx.x] = 1;
    o[0] = s[o[0] + threadIdx.x + 1];  // <- here
}

// rule: The first thread at fault is named with its line, and arrays keep their values
// launch: 1, 64, [zeros(64, int32)]
// error: RaceError thread=(0,0,0) block=(0,0,0)
// report: race: reads s[63], which thread (63,0,0) of the same block writes in line 10
// report: no barrier orders the two
// report: hint: put __syncthreads() between them
extern "C" __global__ void k(int* o)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    o[threadIdx.x] = s[63 - threadIdx.x];  // <- here
}

// rule: The first thread at fault is named with its line, and arrays keep their values
// launch: 2, 4, [zeros(64, int32)]
// error: RaceError thread=(0,0,0) block=(1,0,0)
// report: race: writes o[0], which thread (0,0,0) of block (0,0,0) writes in line 7
// report: blocks run in any order and at the same time
// report: hint: use an atomic, or let each block write elements of its own and combine them in a second kernel
extern "C" __global__ void k(int* o) { o[threadIdx.x % 4] = blockIdx.x; }  // <- here

// rule: The first thread at fault is named with its line, and arrays keep their values
// launch: 1, 32, [zeros(64, int32)]
// error: BarrierError thread=(16,0,0) block=(0,0,0)
// report: __syncwarp: the calling lane is not in its own mask
// report: the mask names the lanes that take part
// report: hint: use 0xffffffff when the whole warp does
extern "C" __global__ void k(int* o)
{
    if (threadIdx.x < 8)
        __syncwarp(0xff);
    else
        __syncwarp(0xffff);  // <- here
}

// rule: The first thread at fault is named with its line, and arrays keep their values
// launch: 1, 32, [zeros(64, int32)]
// error: BarrierError thread=(16,0,0) block=(0,0,0)
// report: __shfl_sync: the calling lane is not in its own mask
// report: the mask names the lanes that take part
// report: hint: use 0xffffffff when the whole warp does
extern "C" __global__ void k(int* o)
{
    int v = __shfl_sync(0xffff, 1, 3);  // <- here
    o[threadIdx.x] = v;
}

// rule: Right kernels are not accused
// launch: 2, 64, [arange(128)]
extern "C" __global__ void k(float* o)
{
    if (threadIdx.x >= 40) return;
    __syncthreads();
    o[threadIdx.x] = 1;
}

// rule: Right kernels are not accused
// launch: 2, 64, [arange(128)]
extern "C" __global__ void k(float* o)
{
    if (blockIdx.x == 1) {
        o[64 + threadIdx.x] = 1;
        __syncthreads();
        o[127 - threadIdx.x] = 2;
    }
}

// rule: Right kernels are not accused
// launch: 2, 64, [arange(128)]
extern "C" __global__ void k(float* o)
{
    float v;
    if (threadIdx.x < 3) v = 1;
    if (threadIdx.x < 3) o[threadIdx.x] = v;
}

// rule: Right kernels are not accused
// launch: 2, 64, [arange(128)]
extern "C" __global__ void k(float* o)
{
    float v;
    for (int i = 0; i < 2; i++) {
        if (i == 0)
            v = 5;
        else
            o[blockIdx.x * 64 + threadIdx.x] = v;
    }
}

// rule: Right kernels are not accused
// launch: 2, 64, [arange(128)]
extern "C" __global__ void k(float* o)
{
    int i = threadIdx.x;
    if (i > 0 && o[i - 1] >= 0) {
    }
}

// rule: Right kernels are not accused
// launch: 2, 64, [arange(128)]
extern "C" __global__ void k(float* o)
{
    float v;
    if (threadIdx.x % 32 == 0) v = 7;
    o[blockIdx.x * 64 + threadIdx.x] = __shfl_sync(0xffffffff, v, 0);
}

// rule: Right kernels are not accused
// launch: 2, 64, [arange(128)]
extern "C" __global__ void k(float* o)
{
    float v = threadIdx.x;
    if (threadIdx.x < 32) v = __shfl_xor_sync(0xffffffff, v, 1);
}

// rule: Right kernels are not accused
// launch: 2, 64, [arange(128)]
extern "C" __global__ void k(float* o)
{
    float v = 1;
    for (int d = 8; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d, 16);
}

// rule: Right kernels are not accused
// launch: 2, 64, [arange(128)]
extern "C" __global__ void k(float* o)
{
    if (threadIdx.x < 16) {
        unsigned m = __ballot_sync(0xffff, 1);
        if (m != 0xffff) o[-1] = 0;
    }
}

// rule: A launch keeps within the limits of the GPU and of __launch_bounds__
// launch: 1, 1, [arange(64)], shared_mem=232448
// expect: o == [1, *range(1, 64)]
// launch: 1, 1, [arange(64)], shared_mem=232449
// error: LaunchError
// report: kernel k: 232,449 bytes of shared memory per block; an H100 has 232,448. Use smaller tiles
extern "C" __global__ void k(float* o) { o[0] = 1; }

// rule: A launch keeps within the limits of the GPU and of __launch_bounds__
// launch: 1, 64, [arange(64)]
// expect: o == [1, *range(1, 64)]
// launch: 1, 65, [arange(64)]
// error: LaunchError
// report: kernel k: a block of 65 x 1 x 1 has 65 threads; __launch_bounds__ allows at most 64. Use smaller blocks and more of them
extern "C" __global__ void __launch_bounds__(64) k(float* o) { o[0] = 1; }

// rule: A float has a value once all of its bytes are written
// launch: 1, 32, [arange(64)]
// error: UninitializedReadError thread=(0,0,0) block=(0,0,0)
// report: s[0] is read, but nobody has written it
// report: __shared__ s holds garbage until a thread of the block writes it
// report: hint: fill it first, with __syncthreads() between the writes and the reads
extern "C" __global__ void k(float* o)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    ((unsigned char*)s)[4 * t] = 0;

    __syncthreads();
    o[t] = s[t];  // <- here
}

// rule: A float has a value once all of its bytes are written
// launch: 1, 32, [arange(64)]
extern "C" __global__ void k(float* o)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    ((unsigned char*)s)[4 * t] = 0;
    for (int i = 1; i < 4; i++) ((unsigned char*)s)[4 * t + i] = 0;
    __syncthreads();
    o[t] = s[t];
}

// rule: The hint for an index out of bounds fits the launch
// launch: 1, 96, [arange(64)]
// error: OutOfBoundsError thread=(64,0,0) block=(0,0,0)
// report: out-of-bounds write to o[64]
// report: o has 64 elements, o[0] to o[63]
// report: hint: guard it, as in if (i < n): the grid has more threads than o has elements
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    o[t] = 1;  // <- here
}

// rule: The hint for an index out of bounds fits the launch
// launch: 1, 32, [arange(64)]
// error: OutOfBoundsError thread=(0,0,0) block=(0,0,0)
// report: out-of-bounds write to o[64]
// report: o has 64 elements, o[0] to o[63]
// report: hint: no condition limits t: work out by hand which element this thread should take: guard threads that have none, and rows and columns that are too large
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    o[64 - t] = 1;  // <- here
}

// rule: The hint for an index out of bounds fits the launch
// launch: 1, 96, [arange(64)]
// error: OutOfBoundsError thread=(63,0,0) block=(0,0,0)
// report: out-of-bounds write to o[64]
// report: o has 64 elements, o[0] to o[63]
// report: hint: no condition limits t + 1: work out by hand which element this thread should take: guard threads that have none, and rows and columns that are too large
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    o[t + 1] = 1;  // <- here
}

// rule: The hint for an index out of bounds fits the launch
// launch: 1, 96, [arange(64)]
// error: OutOfBoundsError thread=(40,0,0) block=(0,0,0)
// report: out-of-bounds write to o[64]
// report: o has 64 elements, o[0] to o[63]
// report: hint: no condition limits t: work out by hand which element this thread should take: guard threads that have none, and rows and columns that are too large
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    o[(t / 8 + 3) * 8 + t % 8] = 1;  // <- here
}

// rule: The hint for an index out of bounds fits the launch
// launch: 1, 32, [arange(64)]
// error: OutOfBoundsError thread=(16,0,0) block=(0,0,0)
// report: out-of-bounds write to o[64]
// report: o has 64 elements, o[0] to o[63]
// report: hint: no condition limits t: work out by hand which element this thread should take: guard threads that have none, and rows and columns that are too large
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    o[4 * t] = 1;  // <- here
}

// rule: The hint for an index out of bounds fits the launch
// launch: 1, (16, 9), [arange(64)]
// error: OutOfBoundsError thread=(0,0,0) block=(0,0,0)
// report: out-of-bounds write to o[-1]
// report: o has 64 elements, o[0] to o[63]
// report: hint: t - 1 is negative here: guard it from below, as in if (t >= 1)
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    o[t - 1] = 1;  // <- here
}

// rule: The hint for an index out of bounds fits the launch
// launch: 1, 32, [arange(64)]
// error: OutOfBoundsError thread=(0,0,0) block=(0,0,0)
// report: out-of-bounds write to o[4294967295]
// report: o has 64 elements, o[0] to o[63]
// report: hint: threadIdx.x - 1 is -1 in this thread, and below 0 an unsigned number starts again at the largest: test it before you subtract
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    o[threadIdx.x - 1] = 1;  // <- here
}

// rule: The hint for an index out of bounds fits the launch
// launch: 1, (8, 9), [arange(64)]
// error: OutOfBoundsError thread=(0,8,0) block=(0,0,0)
// report: out-of-bounds write to o[64]
// report: o has 64 elements, o[0] to o[63]
// report: hint: guard each index with its own limit, as in if (x < columns && y < rows): here x is 0, and y is 8
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    o[threadIdx.y * 8 + t] = 1;  // <- here
}

// rule: The hint for an index out of bounds fits the launch
// launch: 1, (9, 8), [arange(64)]
// error: OutOfBoundsError thread=(8,0,0) block=(0,0,0)
// report: out-of-bounds write to o[64]
// report: o has 64 elements, o[0] to o[63]
// report: hint: guard each index with its own limit, as in if (x < columns && y < rows)
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    o[t * 8 + threadIdx.y] = 1;  // <- here
}

// rule: The hint for an index out of bounds fits the launch
// launch: 1, (8, 1, 9), [arange(64)]
// error: OutOfBoundsError thread=(0,0,8) block=(0,0,0)
// report: out-of-bounds write to o[64]
// report: o has 64 elements, o[0] to o[63]
// report: hint: guard each index with its own limit, as in if (x < columns && y < rows)
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    o[threadIdx.z * 8 + t] = 1;  // <- here
}

// rule: The hint names the subscript that is too large
// launch: 1, 32, [arange(64)]
// error: OutOfBoundsError thread=(24,0,0) block=(0,0,0)
// report: out-of-bounds write to s[4][0]
// report: shared array s is declared s[4][8]
// report: hint: compare the first index, 4, with the declared size, or enlarge the array
extern "C" __global__ void k(float* o)
{
    __shared__ float s[4][8];
    int t = threadIdx.x;
    s[threadIdx.x / 8 + 1][t % 8] = 1;  // <- here
}

// rule: The hint names the subscript that is too large
// launch: 1, 32, [arange(64)]
// error: OutOfBoundsError thread=(7,0,0) block=(0,0,0)
// report: out-of-bounds write to s[3][8]
// report: shared array s is declared s[4][8]
// report: hint: compare the second index, 8, with the declared size, or enlarge the array
extern "C" __global__ void k(float* o)
{
    __shared__ float s[4][8];
    int t = threadIdx.x;
    s[3][t % 8 + 1] = 1;  // <- here
}

// rule: The hint for an extern array names shared_mem
// launch: 1, 32, [arange(64)], shared_mem=64
// error: OutOfBoundsError thread=(16,0,0) block=(0,0,0)
// report: out-of-bounds write to s[16]
// report: s has 16 elements, s[0] to s[15]
// report: hint: the launch gives an extern array its size, here shared_mem=64 bytes: does the kernel need more, or is the index too large?
extern "C" __global__ void k(float* o)
{
    extern __shared__ float s[];
    s[threadIdx.x] = 1;  // <- here
}

// rule: Leaving an array is an error without checks, too
// launch: 1, 32, [zeros(4)], checks=False
// error: KernelError
// report: kernel k leaves its arrays (index 100 is out of bounds for axis 0 with size 4); run it with checks on to see where
extern "C" __global__ void k(float* o) { o[threadIdx.x + 100] = 1; }

// rule: A narrow read of a wide element needs that element written
// launch: 1, 1, [zeros(1)]
extern "C" __global__ void k(float* o)
{
    __shared__ int s[8];
    s[0] = 1;
    short* p = (short*)s;
    o[0] = p[1];
}

// rule: A narrow read of a wide element needs that element written
// launch: 1, 1, [zeros(1)]
// error: UninitializedReadError thread=(0,0,0) block=(0,0,0)
// report: s[1] is read, but nobody has written it
// report: __shared__ s holds garbage until a thread of the block writes it
// report: hint: fill it first, with __syncthreads() between the writes and the reads
extern "C" __global__ void k(float* o)
{
    __shared__ int s[8];
    s[0] = 1;
    short* p = (short*)s;
    o[0] = p[2];  // <- here
}

// rule: A narrow read of a wide element needs that element written
// launch: 1, 1, [zeros(1)]
extern "C" __global__ void k(float* o)
{
    __shared__ int s[8];
    s[0] = 1;
    char* p = (char*)s;
    o[0] = p[3];
}

// rule: A narrow read of a wide element needs that element written
// launch: 1, 1, [zeros(1)]
// error: UninitializedReadError thread=(0,0,0) block=(0,0,0)
// report: s[1] is read, but nobody has written it
// report: __shared__ s holds garbage until a thread of the block writes it
// report: hint: fill it first, with __syncthreads() between the writes and the reads
extern "C" __global__ void k(float* o)
{
    __shared__ int s[8];
    s[0] = 1;
    char* p = (char*)s;
    o[0] = p[4];  // <- here
}

// rule: A narrow read of a wide element needs that element written
// launch: 1, 1, [zeros(1)]
extern "C" __global__ void k(float* o)
{
    __shared__ double s[8];
    s[0] = 1;
    float* p = (float*)s;
    o[0] = p[1];
}

// rule: A narrow read of a wide element needs that element written
// launch: 1, 1, [zeros(1)]
// error: UninitializedReadError thread=(0,0,0) block=(0,0,0)
// report: s[1] is read, but nobody has written it
// report: __shared__ s holds garbage until a thread of the block writes it
// report: hint: fill it first, with __syncthreads() between the writes and the reads
extern "C" __global__ void k(float* o)
{
    __shared__ double s[8];
    s[0] = 1;
    float* p = (float*)s;
    o[0] = p[2];  // <- here
}

// rule: A narrow read of a wide element needs that element written
// launch: 1, 1, [zeros(1)]
extern "C" __global__ void k(float* o)
{
    __shared__ double s[8];
    s[0] = 1;
    short* p = (short*)s;
    o[0] = p[3];
}

// rule: A narrow read of a wide element needs that element written
// launch: 1, 1, [zeros(1)]
// error: UninitializedReadError thread=(0,0,0) block=(0,0,0)
// report: s[1] is read, but nobody has written it
// report: __shared__ s holds garbage until a thread of the block writes it
// report: hint: fill it first, with __syncthreads() between the writes and the reads
extern "C" __global__ void k(float* o)
{
    __shared__ double s[8];
    s[0] = 1;
    short* p = (short*)s;
    o[0] = p[4];  // <- here
}

// rule: A narrow read of a wide element needs that element written
// launch: 1, 1, [zeros(1)]
extern "C" __global__ void k(float* o)
{
    __shared__ long long s[8];
    s[0] = 1;
    int* p = (int*)s;
    o[0] = p[1];
}

// rule: A narrow read of a wide element needs that element written
// launch: 1, 1, [zeros(1)]
// error: UninitializedReadError thread=(0,0,0) block=(0,0,0)
// report: s[1] is read, but nobody has written it
// report: __shared__ s holds garbage until a thread of the block writes it
// report: hint: fill it first, with __syncthreads() between the writes and the reads
extern "C" __global__ void k(float* o)
{
    __shared__ long long s[8];
    s[0] = 1;
    int* p = (int*)s;
    o[0] = p[2];  // <- here
}

// rule: An index that moves in a loop is checked in every iteration
// launch: 2, 8, [zeros(64)]
// error: OutOfBoundsError thread=(7,0,0) block=(0,0,0)
// report: out-of-bounds read of x[64]
// report: x has 64 elements, x[0] to x[63]
// report: hint: no condition limits t: work out by hand which element this thread should take: guard threads that have none, and rows and columns that are too large
extern "C" __global__ void k(float* x)
{
    int t = threadIdx.x;
    float v = 0;
    for (int i = 0; i < 9; i++) v += x[t * 8 + i];  // <- here
    x[t] = v;
}

// rule: An index that moves in a loop is checked in every iteration
// launch: 2, 8, [zeros(64)]
// error: OutOfBoundsError thread=(0,0,0) block=(0,0,0)
// report: out-of-bounds read of x[-1]
// report: x has 64 elements, x[0] to x[63]
// report: hint: t - i is negative here: what does it subtract? Guard each direction from below before you use it
extern "C" __global__ void k(float* x)
{
    int t = threadIdx.x;
    float v = 0;
    for (int i = 0; i < 9; i++) v += x[t - i];  // <- here
    x[t] = v;
}

// rule: An index that moves in a loop is checked in every iteration
// launch: 2, 8, [zeros(64)]
// error: OutOfBoundsError thread=(5,0,0) block=(0,0,0)
// report: out-of-bounds write to x[64]
// report: x has 64 elements, x[0] to x[63]
// report: hint: no condition limits t + 3: work out by hand which element this thread should take: guard threads that have none, and rows and columns that are too large
extern "C" __global__ void k(float* x)
{
    int t = threadIdx.x;
    float v = 0;
    for (int i = 0; i < 3; i++) x[t + 28 * i + 3] = v;  // <- here
    x[t] = v;
}

// rule: An index that moves in a loop is checked in every iteration
// launch: 2, 8, [zeros(64)]
// error: OutOfBoundsError thread=(7,0,0) block=(0,0,0)
// report: out-of-bounds read of s[8]
// report: s has 8 elements, s[0] to s[7]
// report: hint: compare the index with the declared size, or enlarge the array
extern "C" __global__ void k(float* x)
{
    int t = threadIdx.x;
    float v = 0;
    __shared__ float s[8];
    s[t] = 1;
    __syncthreads();
    for (int i = 0; i < 2; i++) v += s[t + i];  // <- here
    x[t] = v;
}

// rule: An endless loop is stopped
// launch: 1, 1, [zeros(1, int32)], step_limit=500
// error: KernelTimeoutError
// report: the kernel does not end: it is here, in a loop
// report: the simulator stops after 500 loop iterations of 1,024 threads in all, its step_limit
// report: hint: does its condition ever become false?
extern "C" __global__ void k(int* x) { while (x[0] == 0); }  // <- here

// rule: A failed launch restores arrays, even after chunks that were right
// launch: 4, 32, [arange(100)], chunk=64
// error: OutOfBoundsError thread=(4,0,0) block=(3,0,0)
// report: out-of-bounds write to o[100]
// report: o has 100 elements, o[0] to o[99]
// report: hint: guard it, as in if (i < n): the grid has more threads than o has elements
extern "C" __global__ void k(float* o) { o[blockIdx.x * 32 + threadIdx.x] = -1; }  // <- here

// rule: A subscript beyond its row is a note
// launch: 1, 16, [arange(64)]
// expect: len(profile.warnings) == 1 and "subscript 8 of s[2][8]" in profile.warnings[0]
extern "C" __global__ void k(float* o)
{
    __shared__ float s[2][8];
    s[0][threadIdx.x] = 1;
}

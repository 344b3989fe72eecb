// rule: Overlapping arguments are one memory
// launch: 1, 64, [m[:64], m[1:], 64]
// memory: m = arange(65)
// error: RaceError thread=(31,0,0) block=(0,0,0)
// report: race: writes to[31], which thread (32,0,0) of the same block reads in line 50
// report: no barrier orders the two
// report: hint: if threads share the element use an atomic; if one needs the other's value put __syncthreads() between
// launch: 1, 64, [m[1:], m[:64], 64]
// memory: m = arange(65)
// error: RaceError thread=(32,0,0) block=(0,0,0)
// report: race: writes to[32], which thread (31,0,0) of the same block reads in line 50
// report: no barrier orders the two
// report: hint: if threads share the element use an atomic; if one needs the other's value put __syncthreads() between
// launch: 1, 64, [m[:64], zeros(64), 64]
// memory: m = arange(65)
// expect: to == arange(64)
// launch: 2, 32, [m[:64], m[1:], 64]
// memory: m = arange(65)
// error: RaceError thread=(0,0,0) block=(0,0,0)
// report: race: writes to[0], which thread (1,0,0) of the same block reads in line 50
// report: no barrier orders the two
// report: hint: if threads share the element use an atomic; if one needs the other's value put __syncthreads() between
// launch: 2, 32, [m[1:], m[:64], 64]
// memory: m = arange(65)
// error: RaceError thread=(1,0,0) block=(0,0,0)
// report: race: writes to[1], which thread (0,0,0) of the same block reads in line 50
// report: no barrier orders the two
// report: hint: if threads share the element use an atomic; if one needs the other's value put __syncthreads() between
// launch: 2, 32, [m[:64], zeros(64), 64]
// memory: m = arange(65)
// expect: to == arange(64)
// launch: 40, 512, [m[:20480], m[1:], 20480]
// memory: m = arange(20481)
// error: RaceError thread=(31,0,0) block=(0,0,0)
// report: race: writes to[31], which thread (32,0,0) of the same block reads in line 50
// report: no barrier orders the two
// report: hint: if threads share the element use an atomic; if one needs the other's value put __syncthreads() between
// launch: 40, 512, [m[1:], m[:20480], 20480]
// memory: m = arange(20481)
// error: RaceError thread=(32,0,0) block=(0,0,0)
// report: race: writes to[32], which thread (31,0,0) of the same block reads in line 50
// report: no barrier orders the two
// report: hint: if threads share the element use an atomic; if one needs the other's value put __syncthreads() between
// launch: 40, 512, [m[:20480], zeros(20480), 20480]
// memory: m = arange(20481)
// expect: to == arange(20480)
extern "C" __global__ void k(const float* from, float* to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = from[i];  // <- here
}

// rule: Parts of one array that do not overlap are apart
// launch: 1, 32, [m[:32], m[32:], 32]
// memory: m = arange(64)
// expect: to == arange(32)
extern "C" __global__ void k(const float* from, float* to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = from[i];
}

// rule: A vector access is aligned by the address at which its argument begins
// launch: 1, 4, [m[:16]]
// memory: m = arange(64)
// expect: x == [0, 1, 2, 3, 1, 5, 6, 7, 2, 9, 10, 11, 3, 13, 14, 15]
// launch: 1, 4, [m[1:17]]
// memory: m = arange(64)
// error: MisalignedAccessError thread=(0,0,0) block=(0,0,0)
// report: a 16-byte access at x[0], byte 0 of x
// report: its address must be a multiple of 16 bytes
// report: hint: x begins 4 bytes behind a multiple of 32: pass an array of its own
// launch: 1, 4, [m[2:18]]
// memory: m = arange(64)
// error: MisalignedAccessError thread=(0,0,0) block=(0,0,0)
// report: a 16-byte access at x[0], byte 0 of x
// report: its address must be a multiple of 16 bytes
// report: hint: x begins 8 bytes behind a multiple of 32: pass an array of its own
// launch: 1, 4, [m[4:20]]
// memory: m = arange(64)
// expect: x == [0, 5, 6, 7, 1, 9, 10, 11, 2, 13, 14, 15, 3, 17, 18, 19]
// launch: 1, 4, [m[8:24]]
// memory: m = arange(64)
// expect: x == [0, 9, 10, 11, 1, 13, 14, 15, 2, 17, 18, 19, 3, 21, 22, 23]
extern "C" __global__ void k(float* x)
{
    int t = threadIdx.x;
    float4 v = ((float4*)x)[t];  // <- here
    v.x = t;
    ((float4*)x)[t] = v;
}

// rule: A vector may begin inside a shifted array
// launch: 1, 1, [m[1:], zeros(1)]
// memory: m = arange(20)
// expect: o == 11
// launch: 1, 1, [arange(20), array([11])]
// error: MisalignedAccessError thread=(0,0,0) block=(0,0,0)
// report: a 16-byte access at x[3], byte 12 of x
// report: its address must be a multiple of 16 bytes
// report: hint: start at an index that is a multiple of 4
extern "C" __global__ void k(const float* x, float* o)
{
    float4 v = *(const float4*)(x + 3);  // <- here
    o[0] = v.x + v.w;
}

// rule: Arrays may have rows of one and of two elements
// launch: 1, 6, [m[:12], m[12:]]
// memory: m = zeros(24, int32)
// expect: o == [200, 107, 14, 500, 407, 314, 3, 16, 27, 40, 51, 64]
// expect: g == [*range(0, 18, 3), *[0] * 6]
extern "C" __global__ void k(int* o, int (*g)[2])
{
    int t = threadIdx.x;
    __shared__ int s[3][2];
    __shared__ int u[3][1];
    int m[2][2][1], w[2][2];
    s[t % 3][t / 3] = t;
    if (t < 3) u[t][0] = 7 * t;
    m[t % 2][1][0] = t;
    w[1][t % 2] = 2 * t;
    g[t / 2][t % 2] = 3 * t;
    __syncthreads();
    o[t] = s[2 - t % 3][t / 3] * 100 + u[t % 3][0];
    for (int i = 0; i < 2; i++)
        if (i == t % 2) o[6 + t] = m[i][1][0] * 10 + w[1][i] + (&s[0][0])[2 * i + 1];
}

// rule: A shifted argument has its own bounds
// launch: 1, 1, [m[1:32]]
// memory: m = arange(40)
// error: OutOfBoundsError thread=(0,0,0) block=(0,0,0)
// report: out-of-bounds write to x[-1]
// report: x has 31 elements, x[0] to x[30]
// report: hint: -1 is negative here: what does it subtract? Guard each direction from below before you use it
// launch: 1, 1, [m[3:34]]
// memory: m = array([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 1, 32, 33, 34, 35, 36, 37, 38, 39])
// error: OutOfBoundsError thread=(0,0,0) block=(0,0,0)
// report: out-of-bounds write to x[-1]
// report: x has 31 elements, x[0] to x[30]
// report: hint: -1 is negative here: what does it subtract? Guard each direction from below before you use it
// launch: 1, 1, [m[8:39]]
// memory: m = array([0, 1, 2, 1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 1, 32, 1, 34, 35, 36, 37, 38, 39])
// error: OutOfBoundsError thread=(0,0,0) block=(0,0,0)
// report: out-of-bounds write to x[-1]
// report: x has 31 elements, x[0] to x[30]
// report: hint: -1 is negative here: what does it subtract? Guard each direction from below before you use it
extern "C" __global__ void k(float* x) { x[-1] = 1; }  // <- here

// rule: A shifted argument has its own bounds
// launch: 1, 1, [m[1:32]]
// memory: m = arange(40)
// expect: x == [*range(1, 31), 1]
// launch: 1, 1, [m[1:32]], checks=False
// memory: m = array([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 1, 32, 33, 34, 35, 36, 37, 38, 39])
// launch: 1, 1, [m[3:34]]
// memory: m = array([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 1, 32, 33, 34, 35, 36, 37, 38, 39])
// expect: x == [1, *range(4, 31), 1, 32, 1]
// launch: 1, 1, [m[3:34]], checks=False
// memory: m = array([0, 1, 2, 1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 1, 32, 1, 34, 35, 36, 37, 38, 39])
// launch: 1, 1, [m[8:39]]
// memory: m = array([0, 1, 2, 1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 1, 32, 1, 34, 35, 36, 37, 38, 39])
// expect: x == [1, *range(9, 31), 1, 32, 1, *range(34, 38), 1]
// launch: 1, 1, [m[8:39]], checks=False
// memory: m = array([0, 1, 2, 1, 4, 5, 6, 7, 1, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 1, 32, 1, 34, 35, 36, 37, 1, 39])
extern "C" __global__ void k(float* x)
{
    x[0] = 1;
    x[30] = 1;
}

// rule: A shifted argument has its own bounds
// launch: 1, 1, [m[1:32]]
// memory: m = arange(40)
// error: OutOfBoundsError thread=(0,0,0) block=(0,0,0)
// report: out-of-bounds write to x[31]
// report: x has 31 elements, x[0] to x[30]
// report: hint: the index is 31 here: which element should this thread take? Work it out by hand
// launch: 1, 1, [m[3:34]]
// memory: m = array([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 1, 32, 33, 34, 35, 36, 37, 38, 39])
// error: OutOfBoundsError thread=(0,0,0) block=(0,0,0)
// report: out-of-bounds write to x[31]
// report: x has 31 elements, x[0] to x[30]
// report: hint: the index is 31 here: which element should this thread take? Work it out by hand
// launch: 1, 1, [m[8:39]]
// memory: m = array([0, 1, 2, 1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 1, 32, 1, 34, 35, 36, 37, 38, 39])
// error: OutOfBoundsError thread=(0,0,0) block=(0,0,0)
// report: out-of-bounds write to x[31]
// report: x has 31 elements, x[0] to x[30]
// report: hint: the index is 31 here: which element should this thread take? Work it out by hand
extern "C" __global__ void k(float* x) { x[31] = 1; }  // <- here

// rule: One array for two parameters is one memory
// launch: 1, 64, [m, m]
// memory: m = arange(64)
// error: RaceError thread=(0,0,0) block=(0,0,0)
// report: race: writes x[0], which thread (63,0,0) of the same block reads in line 13
// report: no barrier orders the two
// report: hint: put __syncthreads() between them
// launch: 1, 64, [arange(64), zeros(64)]
// expect: y == 63 - arange(64)
extern "C" __global__ void k(const float* x, float* y)
{
    int i = threadIdx.x;
    float v = x[63 - i];
    y[i] = v;  // <- here
}

// rule: A launch gives the size of extern arrays; an argument may be empty
// launch: 1, 32, [zeros(32), zeros(0)], shared_mem=256
// expect: o == -2 * arange(32) + 62
// launch: 1, 32, [array([62, 60, 58, 56, 54, 52, 50, 48, 46, 44, 42, 40, 38, 36, 34, 32, 30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0]), zeros(0)], shared_mem=252
// error: OutOfBoundsError thread=(31,0,0) block=(0,0,0)
// report: out-of-bounds write to s[63]
// report: s has 63 elements, s[0] to s[62]
// report: hint: the launch gives an extern array its size, here shared_mem=252 bytes: does the kernel need more, or is the index too large?
extern "C" __global__ void k(float* o, const float* none)
{
    extern __shared__ float s[];
    int t = threadIdx.x;
    int* tail = (int*)(s + 32);
    s[t] = t;
    tail[t] = 2;  // <- here
    __syncthreads();
    o[t] = s[31 - t] * tail[t];
    if (t < 0) o[0] = none[0];
}

// rule: A message counts for its address, whatever array names it
// launch: 2, 32, [m[:16], m[8:], zeros(8)]
// memory: m = zeros(24, int32)
extern "C" __global__ void k(int* p, int* q, float* o)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0 && t == 0) {
        o[5] = 1;
        __threadfence();
        atomicAdd(p + 14, 1);
    }
    if (blockIdx.x == 1 && t == 0 && atomicAdd(q + 6, 0) < 2) o[6] = o[5];
}

// rule: A message counts for its address, whatever array names it
// launch: 2, 32, [m[:16], m[8:], zeros(8)]
// memory: m = zeros(24, int32)
// error: RaceError thread=(0,0,0) block=(1,0,0)
// report: race: reads o[5], which thread (0,0,0) of block (0,0,0) writes in line 12
// report: blocks run in any order and at the same time
// report: hint: use an atomic, or let each block write elements of its own and combine them in a second kernel; if a flag or counter tells that the other is done, that one needs __threadfence() before it
extern "C" __global__ void k(int* p, int* q, float* o)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0 && t == 0) {
        o[5] = 1;
        __threadfence();
        atomicAdd(p + 14, 1);
    }
    if (blockIdx.x == 1 && t == 0 && atomicAdd(q + 14, 0) < 2) o[6] = o[5];  // <- here
}

// rule: A message counts for its address, whatever array names it
// launch: 2, 32, [m[:16], m[8:], zeros(8)]
// memory: m = zeros(24, int32)
// error: RaceError thread=(0,0,0) block=(1,0,0)
// report: race: reads o[5], which thread (0,0,0) of block (0,0,0) writes in line 12
// report: blocks run in any order and at the same time
// report: hint: use an atomic, or let each block write elements of its own and combine them in a second kernel; if a flag or counter tells that the other is done, that one needs __threadfence() before it
extern "C" __global__ void k(int* p, int* q, float* o)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0 && t == 0) {
        o[5] = 1;
        __threadfence();
        atomicAdd(p + 14, 1);
    }
    if (blockIdx.x == 1 && t == 0 && atomicAdd(q + 5, 0) < 2) o[6] = o[5];  // <- here
}

// rule: A read through another pointer is another read
// launch: 1, 64, [m, m[8:]]
// memory: m = zeros(128, int32)
// error: RaceError thread=(32,0,0) block=(0,0,0)
// report: race: writes p[32], which thread (24,0,0) of the same block reads in line 10
// report: no barrier orders the two
// report: hint: put __syncthreads() between them
extern "C" __global__ void k(int* p, int* q)
{
    int t = threadIdx.x, v = p[t] + q[t];
    p[t] = v;  // <- here
}

// rule: A copy in flight reads what an overlapping argument may not write
// launch: 1, 64, [m[:64], m[32:]]
// memory: m = zeros(96)
extern "C" __global__ void k(float* x, float* y)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    if (t < 32) {
        __pipeline_memcpy_async(&s[t], y + t, 4);
        __pipeline_commit();
    }
    if (t < 32) x[t] = 1;
}

// rule: A copy in flight reads what an overlapping argument may not write
// launch: 1, 64, [m[:64], m[32:]]
// memory: m = zeros(96)
// error: RaceError thread=(32,0,0) block=(0,0,0)
// report: race: writes x[32] while thread (0,0,0)'s asynchronous copy from it is under way, of line 13
// report: a copy has arrived for the thread that started it when it has waited
// report: hint: wait before touching it: __pipeline_commit(), __pipeline_wait_prior(0), and then __syncthreads() for the other threads
extern "C" __global__ void k(float* x, float* y)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    if (t < 32) {
        __pipeline_memcpy_async(&s[t], y + t, 4);
        __pipeline_commit();
    }
    if (t < 33) x[t] = 1;  // <- here
}

// rule: A thread waits for its own copy from an overlapping argument
// launch: 1, 32, [m[:64], m[32:]]
// memory: m = zeros(96)
extern "C" __global__ void k(float* x, float* y)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], x + 32 + t, 4);
    __pipeline_commit();
    y[t + 32] = 1;
}

// rule: A thread waits for its own copy from an overlapping argument
// launch: 1, 32, [m[:64], m[32:]]
// memory: m = zeros(96)
// error: RaceError thread=(0,0,0) block=(0,0,0)
// report: race: writes y[0] while its own asynchronous copy from it is under way, of line 12
// report: a copy has arrived for the thread that started it when it has waited
// report: hint: wait before touching it: __pipeline_commit(), __pipeline_wait_prior(0)
extern "C" __global__ void k(float* x, float* y)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], x + 32 + t, 4);
    __pipeline_commit();
    y[t] = 1;  // <- here
}

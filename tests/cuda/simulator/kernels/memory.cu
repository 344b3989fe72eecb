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

// rule: The address of an array in its allocation decides which sectors it touches
// launch: 1, 32, [arange(100)[0:32], zeros(32), 32]
// expect: (profile.global_load.sectors, profile.global_store.sectors) == (4, 4)
// expect: [(a.index, a.sector) for a in profile.accesses(24)][0] == (0, 0)
// expect: [(a.index, a.address, a.sector) for a in profile.accesses(24)][31] == (31, 124, 3)
// expect: profile.touched("from")[0] == 1
// launch: 1, 32, [arange(100)[1:33], zeros(32), 32]
// expect: (profile.global_load.sectors, profile.global_store.sectors) == (5, 4)
// expect: [(a.index, a.sector) for a in profile.accesses(24)][0] == (0, 0)
// expect: [(a.index, a.address, a.sector) for a in profile.accesses(24)][31] == (31, 128, 4)
// expect: profile.touched("from")[0] == 1
// launch: 1, 32, [arange(100)[7:39], zeros(32), 32]
// expect: (profile.global_load.sectors, profile.global_store.sectors) == (5, 4)
// expect: [(a.index, a.sector) for a in profile.accesses(24)][0] == (0, 0)
// expect: [(a.index, a.address, a.sector) for a in profile.accesses(24)][31] == (31, 152, 4)
// expect: profile.touched("from")[0] == 1
// launch: 1, 32, [arange(100)[8:40], zeros(32), 32]
// expect: (profile.global_load.sectors, profile.global_store.sectors) == (4, 4)
// expect: [(a.index, a.sector) for a in profile.accesses(24)][0] == (0, 0)
// expect: [(a.index, a.address, a.sector) for a in profile.accesses(24)][31] == (31, 124, 3)
// expect: profile.touched("from")[0] == 1
extern "C" __global__ void k(const float* from, float* to, int n)
{
    int i = threadIdx.x; if (i < n) to[i] = from[i];
}

// rule: memcpy and memset take the words that the type allows
// launch: 1, 8, [bytes.view(float32)], kernel="words<float4, 1>"
// memory: bytes = arange(384, uint8)
// expect: bytes[128:256] == arange(128, dtype=uint8)
// expect: bytes[256:] == 0x11
// expect: (profile.global_load.requests, profile.global_store.requests) == (1, 2)
// launch: 1, 8, [bytes.view(float32)], kernel="words<float, 3>"
// memory: bytes = arange(288, uint8)
// expect: bytes[96:192] == arange(96, dtype=uint8)
// expect: bytes[192:] == 0x11
// expect: (profile.global_load.requests, profile.global_store.requests) == (3, 6)
// launch: 1, 8, [bytes.view(float64)], kernel="words<double, 2>"
// memory: bytes = arange(384, uint8)
// expect: bytes[128:256] == arange(128, dtype=uint8)
// expect: bytes[256:] == 0x11
// expect: (profile.global_load.requests, profile.global_store.requests) == (2, 4)
// launch: 1, 8, [bytes.view(int8)], kernel="words<char, 5>"
// memory: bytes = arange(120, uint8)
// expect: bytes[40:80] == arange(40, dtype=uint8)
// expect: bytes[80:] == 0x11
// expect: (profile.global_load.requests, profile.global_store.requests) == (5, 10)
template <typename T, int N> __global__ void words(T* x)
{
    int t = threadIdx.x;
    T own[N];
    memcpy(own, x + N * t, sizeof(own));
    memcpy(x + N * (t + 8), own, sizeof(own));
    memset(x + N * (t + 16), 0x11, N * sizeof(T));
}

// rule: Overlapping arguments may be of several types
// launch: 1, 8, [a[8:32], a.view(uint8)[16:32], a[40:]], kernel="right"
// memory: a = zeros(64)
// expect: x[:8] == 1
// launch: 1, 8, [a[:32], a.view(uint8)[16:144], a[32:]]
// memory: a = zeros(64)
// error: RaceError thread=(0,0,0) block=(0,0,0)
// report: race: reads bytes[12], which thread (7,0,0) of the same block writes in line 14
// report: lanes of a warp are not ordered by themselves
// report: hint: put __syncthreads() (or __syncwarp(), if one warp does both) between the two
extern "C" __global__ void k(float* x, unsigned char* bytes, float* y)
{
    int t = threadIdx.x;
    x[t] = 1;
    if (t == 0) y[t] = bytes[12];  // <- here
}
extern "C" __global__ void right(float* x, unsigned char* bytes, float* y)
{
    int t = threadIdx.x;
    x[t] = 1;
    y[t] = bytes[0];
}

// rule: An array at an odd address counts as aligned
// launch: 1, 32, [x, zeros(32)]
// memory: x = zeros(130, uint8)[2:].view(float32)
// memory: x[:] = arange(32)
// expect: (o == x) & (profile.global_load.sectors == 4)
// expect: [(a.index, a.address) for a in profile.accesses(7)][0] == (0, 0)
extern "C" __global__ void k(const float* x, float* o) { o[threadIdx.x] = x[threadIdx.x]; }

// rule: Pointers to shared arrays, and to arrays of which one begins where the other ends, are kept in memory
// launch: 1, 32, [a[:32], a[32:], zeros(64), 0]
// memory: a = arange(64)
// expect: o[:32] == arange(32) + 100 * (arange(32) % 3 == 1)
// expect: o[32:] == arange(16, 48)
// launch: 1, 32, [a[:32], a[32:], zeros(64), 31]
// memory: a = arange(64)
// expect: o[:32] == arange(32) + 100 * (arange(32) % 3 == 1)
// expect: o[32:] == arange(47, 15, -1)
extern "C" __global__ void k(float* x, float* y, float* o, int turned)
{
    __shared__ float s[32], u[32];
    __shared__ float* p[3];
    __shared__ float* q[32];
    int t = threadIdx.x;
    s[t] = t;
    u[t] = 100 + t;
    p[t % 3] = t % 3 == 1 ? u : s;
    q[t] = t < 16 ? x + 16 + t : y + (t - 16);
    __syncthreads();
    o[t] = p[t % 3][t];
    o[32 + t] = *q[t ^ turned];
}

// rule: A sample of a huge grid needs memory for the sample only
// launch: (2**31 - 1, 65535, 65535), 32, [zeros(2, int32)], max_blocks=4
// expect: (profile.blocks_sampled, profile.blocks_total) == (4, (2**31 - 1) * 65535**2)
// expect: (profile.global_atomic.requests == 4) & (o == 0)
extern "C" __global__ void k(int* o) { if (threadIdx.x == 0) atomicAdd(&o[blockIdx.x > 5], 1); }

// rule: A pointer that is found in memory leads to the argument with that address
// launch: 1, 4, [table, both[:2], both[2:], zeros(4)], kernel="k0"
// memory: both = array([9, 9, 0, 1, 2, 3])
// memory: begin, x = both.ctypes.data, both.ctypes.data + 8
// memory: table = array([x, x, x + 16, x, begin], uint64)
// expect: o == arange(4)
// launch: 1, 4, [table, both[:2], both[2:], zeros(4)], kernel="k1"
// memory: both = array([9, 9, 0, 1, 2, 3])
// memory: begin, x = both.ctypes.data, both.ctypes.data + 8
// memory: table = array([x, x, x + 16, x, begin], uint64)
// expect: o == arange(4)
// launch: 1, 4, [table, both[:2], both[2:], zeros(4)], kernel="k2"
// memory: both = array([9, 9, 0, 1, 2, 3])
// memory: begin, x = both.ctypes.data, both.ctypes.data + 8
// memory: table = array([x, x, x + 16, x, begin], uint64)
// expect: o == arange(4)
// launch: 1, 4, [table, both[:2], both[2:], zeros(4)], kernel="k3"
// memory: both = array([9, 9, 0, 1, 2, 3])
// memory: begin, x = both.ctypes.data, both.ctypes.data + 8
// memory: table = array([x, x, x + 16, x, begin], uint64)
// expect: o == arange(4)
// launch: 1, 4, [table, both[:2], both[2:], zeros(4)], kernel="k4"
// memory: both = array([9, 9, 0, 1, 2, 3])
// memory: begin, x = both.ctypes.data, both.ctypes.data + 8
// memory: table = array([x, x, x + 16, x, begin], uint64)
// expect: o == arange(4)
// launch: 1, 4, [table, both[:2], both[2:], zeros(4)], kernel="k5"
// memory: both = array([9, 9, 0, 1, 2, 3])
// memory: begin, x = both.ctypes.data, both.ctypes.data + 8
// memory: table = array([x, x, x + 16, x, begin], uint64)
// expect: o == arange(4)
// launch: 1, 4, [table, both[:2], both[2:], zeros(4)], kernel="k6"
// memory: both = array([9, 9, 0, 1, 2, 3])
// memory: begin, x = both.ctypes.data, both.ctypes.data + 8
// memory: table = array([x, x, x + 16, x, begin], uint64)
// expect: o == arange(4)
extern "C" __global__ void k0(float* const* table, float* before, float* x, float* o)
{
    int t = threadIdx.x;
    o[t] = table[0][t];
}
extern "C" __global__ void k1(float* const* table, float* before, float* x, float* o)
{
    int t = threadIdx.x;
    o[t] = table[t % 2][t];
}
extern "C" __global__ void k2(float* const* table, float* before, float* x, float* o)
{
    int t = threadIdx.x;
    float* p = table[t % 2]; o[t] = p == x ? p[t] : t;
}
extern "C" __global__ void k3(float* const* table, float* before, float* x, float* o)
{
    int t = threadIdx.x;
    float* p = table[2]; o[t] = p[(int)t - 4];
}
extern "C" __global__ void k4(float* const* table, float* before, float* x, float* o)
{
    int t = threadIdx.x;
    float* p = table[3]; o[t] = p[t];
}
extern "C" __global__ void k5(float* const* table, float* before, float* x, float* o)
{
    int t = threadIdx.x;
    float* p = table[t % 2 ? 0 : 4]; o[t] = t % 2 ? p[t] : p[0] - 9 + t;
}
extern "C" __global__ void k6(float* const* table, float* before, float* x, float* o)
{
    int t = threadIdx.x;
    float* p = table[t % 2 ? 2 : 0]; o[t] = p[(int)(t - t % 2 * 4)];
}

// rule: What is stored through a pointer found in memory is checked, and undone
// launch: 1, 4, [table, x, arange(4)]
// memory: x = arange(4)
// memory: table = array([x.ctypes.data], uint64)
// error: RaceError thread=(0,0,0) block=(0,0,0)
// report: race: reads x[3], which thread (3,0,0) of the same block writes in line 18
// report: lanes of a warp are not ordered by themselves
// report: hint: put __syncthreads() (or __syncwarp(), if one warp does both) between the two
// launch: 1, 4, [table, x, arange(4)], kernel="beyond"
// memory: x = arange(4)
// memory: table = array([x.ctypes.data], uint64)
// error: OutOfBoundsError thread=(3,0,0) block=(0,0,0)
// report: out-of-bounds write to x[4]
// report: x has 4 elements, x[0] to x[3]
// report: hint: no condition limits 0 + threadIdx.x + 1: work out by hand which element this thread should take: guard threads that have none, and rows and columns that are too large
extern "C" __global__ void k(float* const* table, const float* x, float* o)
{
    table[0][threadIdx.x] = 5;
    o[threadIdx.x] = x[3 - threadIdx.x];  // <- here
}
extern "C" __global__ void beyond(float* const* table, const float* x, float* o)
{
    table[0][threadIdx.x + 1] = 5;  // <- here
}

// rule: A kernel computes with addresses, in which an allocation begins at a multiple of 256
// launch: 1, 32, [arange(32), zeros(32)]
// expect: o == 31 - arange(32)
// launch: 1, 32, [arange(32), zeros(32)], kernel="odd"
// error: MisalignedAccessError thread=(1,0,0) block=(0,0,0)
// report: a 4-byte access at x[0], byte 3 of x
// report: its address must be a multiple of 4 bytes
// report: hint: move by whole elements, not by bytes
// launch: 1, 32, [arange(31), zeros(32)], kernel="beyond"
// error: OutOfBoundsError thread=(31,0,0) block=(0,0,0)
// report: out-of-bounds read of x[31]
// report: x has 31 elements, x[0] to x[30]
// report: hint: guard it, as in if (i < n): the grid has more threads than x has elements
__device__ float* first;
extern "C" __global__ void k(float* x, float* o)
{
    __shared__ float s[32];
    size_t here = (size_t)x, there = (size_t)s;
    if (here % 256 == 0) ((float*)there)[threadIdx.x] = *(float*)(here + 4 * threadIdx.x);
    if (threadIdx.x == 0) first = s;
    __syncthreads();
    o[threadIdx.x] = first[31 - threadIdx.x];
}
extern "C" __global__ void odd(float* x, float* o)
{
    o[threadIdx.x] = *(float*)((size_t)x + 3 * threadIdx.x);  // <- here
}
extern "C" __global__ void beyond(float* x, float* o)
{
    o[threadIdx.x] = *(float*)((size_t)x + 4 * threadIdx.x);  // <- here
}

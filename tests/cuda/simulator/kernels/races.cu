// rule: Two threads touch one element, one of them writes, and nothing orders the two
// launch: 2, 64, [arange(128)]
// error: RaceError thread=(0,0,0) block=(0,0,0)
// report: race: reads s[63], which thread (63,0,0) of the same block writes in line 11
// report: no barrier orders the two
// report: hint: put __syncthreads() between them
extern "C" __global__ void k(float* o)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = o[t];
    o[blockIdx.x * 64 + t] = s[63 - t];  // <- here
}

// rule: Two threads touch one element, one of them writes, and nothing orders the two
// launch: 1, 32, [arange(128)]
// error: RaceError thread=(0,0,0) block=(0,0,0)
// report: race: reads s[1], which thread (1,0,0) of the same block writes in line 11
// report: lanes of a warp are not ordered by themselves
// report: hint: put __syncthreads() (or __syncwarp(), if one warp does both) between the two
extern "C" __global__ void k(float* o)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = t;
    float v = s[(t + 1) % 32];  // <- here
    o[t] = v;
}

// rule: Two threads touch one element, one of them writes, and nothing orders the two
// launch: 1, 32, [arange(128)]
// error: RaceError thread=(0,0,0) block=(0,0,0)
// report: race: reads s[1], which thread (1,0,0) of the same block writes in line 11
// report: lanes of a warp are not ordered by themselves
// report: hint: put __syncthreads() (or __syncwarp(), if one warp does both) between the two
extern "C" __global__ void k(float* o)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = t;
    __shfl_sync(0xffffffff, t, 0);
    float v = s[(t + 1) % 32];  // <- here
    o[t] = v;
}

// rule: Two threads touch one element, one of them writes, and nothing orders the two
// launch: 1, 32, [arange(128)]
// error: RaceError thread=(0,0,0) block=(0,0,0)
// report: race: reads s[1], which thread (1,0,0) of the same block writes in line 11
// report: lanes of a warp are not ordered by themselves
// report: hint: put __syncthreads() (or __syncwarp(), if one warp does both) between the two
extern "C" __global__ void k(float* o)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = t;
    __ballot_sync(0xffffffff, t);
    float v = s[(t + 1) % 32];  // <- here
    o[t] = v;
}

// rule: Two threads touch one element, one of them writes, and nothing orders the two
// launch: 1, 64, [arange(128)]
// error: RaceError thread=(0,0,0) block=(0,0,0)
// report: race: reads s[16], which thread (16,0,0) of the same block writes in line 14
// report: lanes of a warp are not ordered by themselves
// report: hint: if one thread needs the other's value put __syncthreads() (or __syncwarp(), if one warp does both) between; if they share it use an atomic
extern "C" __global__ void k(float* o)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    for (int d = 32; d > 0; d /= 2)
        if (t < d) s[t] += s[t + d];  // <- here
}

// rule: Two threads touch one element, one of them writes, and nothing orders the two
// launch: 2, 64, [arange(128)]
// error: RaceError thread=(0,0,0) block=(0,0,0)
// report: race: writes s[0], which thread (32,0,0) of the same block reads in line 14
// report: no barrier orders the two
// report: hint: put __syncthreads() between them
extern "C" __global__ void k(float* o)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    for (int i = 0; i < 2; i++) {
        s[t] = i;  // <- here
        __syncthreads();
        o[blockIdx.x * 64 + t] = s[t ^ 32];
    }
}

// rule: Two threads touch one element, one of them writes, and nothing orders the two
// launch: 1, 64, [arange(128)]
// error: RaceError thread=(1,0,0) block=(0,0,0)
// report: race: writes s[0], which thread (0,0,0) of the same block writes in line 11
// report: nothing says which of the two stays
// report: hint: use an atomic, or let one thread write
extern "C" __global__ void k(float* o)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t / 2] = t;  // <- here
}

// rule: Two threads touch one element, one of them writes, and nothing orders the two
// launch: 1, 64, [arange(128)]
// error: RaceError thread=(32,0,0) block=(0,0,0)
// report: race: writes s[0], which thread (0,0,0) of the same block writes in line 11
// report: nothing says which of the two stays
// report: hint: use an atomic, or let one thread write
extern "C" __global__ void k(float* o)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    if (t < 32) s[t] = 1;
    if (t >= 32) s[t - 32] = 2;  // <- here
}

// rule: Two threads touch one element, one of them writes, and nothing orders the two
// launch: 1, 64, [arange(128)]
// error: RaceError thread=(32,0,0) block=(0,0,0)
// report: race: reads s[5], which thread (0,0,0) of the same block updates atomically in line 13
// report: no barrier orders the two
// report: hint: put __syncthreads() between them
extern "C" __global__ void k(float* o)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = 1;
    __syncthreads();
    if (t == 0) atomicAdd(&s[5], 1.0f);
    float v = s[5];  // <- here
    o[t] = v;
}

// rule: Two threads touch one element, one of them writes, and nothing orders the two
// launch: 4, 1, [arange(128)]
// error: RaceError thread=(0,0,0) block=(0,0,0)
// report: race: writes o[0], which thread (0,0,0) of block (3,0,0) reads in line 7
// report: blocks run in any order and at the same time
// report: hint: use an atomic, or let each block write elements of its own and combine them in a second kernel
extern "C" __global__ void k(float* o) { o[0] += 1.0f; }  // <- here

// rule: Two threads touch one element, one of them writes, and nothing orders the two
// launch: 2, 64, [arange(128)]
// error: RaceError thread=(0,0,0) block=(0,0,0)
// report: race: writes o[0], which thread (63,0,0) of block (1,0,0) reads in line 10
// report: blocks run in any order and at the same time
// report: hint: use an atomic, or let each block write elements of its own and combine them in a second kernel
extern "C" __global__ void k(float* o)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    float v = o[(i + 1) % 128];
    __syncthreads();
    o[i] = v;  // <- here
}

// rule: Two threads touch one element, one of them writes, and nothing orders the two
// launch: 2, 64, [arange(128)]
// error: RaceError thread=(0,0,0) block=(0,0,0)
// report: race: writes o[0], which thread (63,0,0) of block (1,0,0) reads in line 10
// report: blocks run in any order and at the same time
// report: hint: use an atomic, or let each block write elements of its own and combine them in a second kernel
extern "C" __global__ void k(float* o)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    float v = o[i] + o[(i + 1) % 128];
    o[i] = v;  // <- here
}

// rule: Two threads touch one element, one of them writes, and nothing orders the two
// launch: 2, 1, [arange(128)]
// error: RaceError thread=(0,0,0) block=(1,0,0)
// report: race: updates atomically o[5], which thread (0,0,0) of block (0,0,0) writes in line 10
// report: blocks run in any order and at the same time
// report: hint: use an atomic, or let each block write elements of its own and combine them in a second kernel
extern "C" __global__ void k(float* o)
{
    if (blockIdx.x == 0)
        o[5] = 1;
    else
        atomicAdd(o + 5, 1.0f);  // <- here
}

// rule: Two threads touch one element, one of them writes, and nothing orders the two
// launch: 100, 1024, [arange(128)]
// error: RaceError thread=(1,0,0) block=(0,0,0)
// report: race: writes o[0], which thread (0,0,0) of the same block writes in line 7
// report: nothing says which of the two stays
// report: hint: use an atomic, or let one thread write
extern "C" __global__ void k(float* o) { o[blockIdx.x * blockDim.x + threadIdx.x >> 10] = threadIdx.x; }  // <- here

// rule: Two threads touch one element, one of them writes, and nothing orders the two
// launch: 100, 1024, [arange(128)]
// error: RaceError thread=(0,0,0) block=(1,0,0)
// report: race: writes o[0], which thread (0,0,0) of block (0,0,0) writes in line 9
// report: blocks run in any order and at the same time
// report: hint: use an atomic, or let each block write elements of its own and combine them in a second kernel
extern "C" __global__ void k(float* o)
{
    if (threadIdx.x == 0) o[blockIdx.x / 30] = blockIdx.x;  // <- here
}

// rule: Barriers, atomics and each thread's own elements are no races
// launch: 1, 64, [arange(128)]
extern "C" __global__ void k(float* o)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = o[t];
    __syncthreads();
    o[blockIdx.x * 64 + t] = s[63 - t];
}

// rule: Barriers, atomics and each thread's own elements are no races
// launch: 1, 32, [arange(128)]
extern "C" __global__ void k(float* o)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = t;
    __syncwarp();
    float v = s[(t + 1) % 32];
    o[t] = v;
}

// rule: Barriers, atomics and each thread's own elements are no races
// launch: 1, 64, [arange(128)]
extern "C" __global__ void k(float* o)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = t;
    for (int d = 32; d > 0; d /= 2) {
        __syncthreads();
        if (t < d) s[t] += s[t + d];
    }
}

// rule: Barriers, atomics and each thread's own elements are no races
// launch: 2, 64, [arange(128)]
extern "C" __global__ void k(float* o)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    for (int i = 0; i < 2; i++) {
        s[t] = i;
        __syncthreads();
        o[blockIdx.x * 64 + t] = s[t ^ 32];
        __syncthreads();
    }
}

// rule: Barriers, atomics and each thread's own elements are no races
// launch: 2, 64, [arange(128)]
extern "C" __global__ void k(float* o)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = 0;
    __syncthreads();
    atomicAdd(&s[t % 3], 1.0f);
    __syncthreads();
    o[blockIdx.x * 64 + t] = s[t];
}

// rule: Barriers, atomics and each thread's own elements are no races
// launch: 2, 64, [arange(128)]
extern "C" __global__ void k(float* o)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    for (int k = 0; k < 9; k++) o[i] = o[i] * 2.0f;
}

// rule: Barriers, atomics and each thread's own elements are no races
// launch: 2, 64, [arange(128)]
extern "C" __global__ void k(float* o)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    o[i] = 1;
    __syncthreads();
    o[blockIdx.x * 64 + 63 - threadIdx.x] += 1;
}

// rule: Barriers, atomics and each thread's own elements are no races
// launch: 2, 64, [arange(128)]
extern "C" __global__ void k(float* o)
{
    if (blockIdx.x == 1) {
        o[threadIdx.x] = 1;
        __syncthreads();
        o[63 - threadIdx.x] = 2;
    }
}

// rule: Barriers, atomics and each thread's own elements are no races
// launch: 100, 1024, [arange(128)]
extern "C" __global__ void k(float* o) { atomicAdd(o, 1.0f); }

// rule: Barriers, atomics and each thread's own elements are no races
// launch: 1, 32, [arange(128)]
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    float4 v = ((float4*)o)[t];
    v.x = 1;
    ((float4*)o)[t] = v;
    o[t * 4 + 3] = 2;
}

// rule: Barriers, atomics and each thread's own elements are no races
// launch: 1, 64, [arange(128)]
extern "C" __global__ void k(float* o)
{
    unsigned char* b = (unsigned char*)o;
    b[threadIdx.x] = threadIdx.x;
}

// rule: Barriers, atomics and each thread's own elements are no races
// launch: 2, 64, [arange(128)]
extern "C" __global__ void k(float* o)
{
    int* p = (int*)o;
    int old = p[3], seen;
    do {
        seen = old;
        old = atomicCAS(p + 3, seen, seen + 1);
    } while (old != seen);
}

// rule: Barriers, atomics and each thread's own elements are no races
// launch: 2, 64, [arange(128)]
extern "C" __global__ void k(float* o)
{
    int* p = (int*)o;
    if (p[3] < 9) {
        int old = *(p + 3);
        atomicCAS(&p[3], old, old + 1);
    }
}

// rule: Barriers, atomics and each thread's own elements are no races
// launch: 2, 64, [arange(128)]
extern "C" __global__ void k(float* o)
{
    unsigned* p = (unsigned*)(o + threadIdx.x % 2);
    unsigned seen;
    do seen = *p;
    while (atomicCAS(p, __byte_perm(seen, 0, 0x3210), seen + 1) != seen);
}

// rule: The hint for an unrolled last warp is __syncwarp()
// launch: 2, 64, [arange(128)]
// error: RaceError thread=(0,0,0) block=(0,0,0)
// report: race: reads s[16], which thread (16,0,0) of the same block writes in line 15
// report: lanes of a warp are not ordered by themselves
// report: hint: put __syncthreads() (or __syncwarp(), if one warp does both) between the two
extern "C" __global__ void k(float* o)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    volatile float* v = s;
    if (t < 32) {
        v[t] += v[t + 32];
        v[t] += v[t + 16];  // <- here
    }
}

// rule: __syncwarp() is no hint where all warps share the array
// launch: 1, 64, [arange(128)]
// error: RaceError thread=(0,0,0) block=(0,0,0)
// report: race: reads s[1], which thread (1,0,0) of the same block writes in line 11
// report: lanes of a warp are not ordered by themselves
// report: hint: put __syncthreads() between the two
extern "C" __global__ void k(float* o)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = t;
    o[t] = s[t ^ 1] + s[63 - t];  // <- here
}

// rule: Only a read of what is swapped is a guess
// launch: 1, 64, [arange(128)]
// error: RaceError thread=(50,0,0) block=(0,0,0)
// report: race: reads o[24], which thread (16,0,0) of the same block updates atomically in line 10
// report: no barrier orders the two
// report: hint: put __syncthreads() between them
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    atomicAdd(&o[8 + t], 1.0f);
    float v = 0;
    if (t == 50) v += o[24];  // <- here
}

// rule: Only a read of what is swapped is a guess
// launch: 1, 64, [arange(128)]
// error: RaceError thread=(50,0,0) block=(0,0,0)
// report: race: reads o[24], which thread (16,0,0) of the same block updates atomically in line 10
// report: no barrier orders the two
// report: hint: put __syncthreads() between them
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    atomicAdd(&o[8 + t], 1.0f);
    atomicCAS((int*)o, -1, 1);
    float v = 0;
    if (t == 50) v += o[24];  // <- here
}

// rule: Only a read of what is swapped is a guess
// launch: 1, 64, [arange(128)]
// error: RaceError thread=(50,0,0) block=(0,0,0)
// report: race: reads o[24], which thread (16,0,0) of the same block updates atomically in line 10
// report: no barrier orders the two
// report: hint: put __syncthreads() between them
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    atomicAdd(&o[8 + t], 1.0f);
    if (t == 9) atomicCAS((int*)&o[t], -1, 1);
    float v = 0;
    if (t == 50) v += o[24];  // <- here
}

// rule: A guess may go through variables
// launch: 2, 64, [arange(128)]
extern "C" __global__ void k(float* o)
{
    int* p = (int*)o;
    int seen = p[3] + 0, was = seen, old = was;
    old = atomicCAS(p + (threadIdx.x > 99) + 3, old, old + 1);
}

// rule: The last block needs a fence before the others count themselves
// launch: 8, 64, [arange(128)]
// expect: o[0] == 8
// launch: 100, 512, [arange(128)]
// expect: o[0] == 100
__device__ unsigned int done;
extern "C" __global__ void k(float* o)
{
    __shared__ bool last;
    int t = threadIdx.x;
    if (t == 0) {
        o[1 + blockIdx.x] = 1;
        __threadfence();
        last = atomicInc(&done, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && t == 0) {
        float sum = 0;
        for (int i = 0; i < gridDim.x; i++) sum += o[1 + i];
        o[0] = sum;
    }
}

// rule: The last block needs a fence before the others count themselves
// launch: 8, 64, [arange(128)]
// error: RaceError thread=(0,0,0) block=(7,0,0)
// report: race: reads o[1], which thread (0,0,0) of block (0,0,0) writes in line 18
// report: blocks run in any order and at the same time
// report: hint: use an atomic, or let each block write elements of its own and combine them in a second kernel; if a flag or counter tells that the other is done, that one needs __threadfence() before it
// launch: 100, 512, [arange(128)]
// error: RaceError thread=(0,0,0) block=(99,0,0)
// report: race: reads o[1], which a thread of another block writes
// report: blocks run in any order and at the same time
// report: hint: use an atomic, or let each block write elements of its own and combine them in a second kernel; if a flag or counter tells that the other is done, that one needs __threadfence() before it
__device__ unsigned int done;
extern "C" __global__ void k(float* o)
{
    __shared__ bool last;
    int t = threadIdx.x;
    if (t == 0) {
        o[1 + blockIdx.x] = 1;
        last = atomicInc(&done, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && t == 0) {
        float sum = 0;
        for (int i = 0; i < gridDim.x; i++) sum += o[1 + i];  // <- here
        o[0] = sum;
    }
}

// rule: A message tells nothing of what its thread does afterwards
// launch: 1, 64, [arange(128)]
__device__ unsigned int done;
extern "C" __global__ void k(float* o)
{
    if (threadIdx.x == 0) {
        o[3] = 1;
        __threadfence();
        atomicAdd(&done, 1u);
    } else if (threadIdx.x == 32 && atomicAdd(&done, 0u) == 1u) {
        __threadfence();
        o[0] = o[3];
    }
}

// rule: A message tells nothing of what its thread does afterwards
// launch: 1, 64, [arange(128)]
__device__ unsigned int done;
extern "C" __global__ void k(float* o)
{
    if (threadIdx.x == 0) {
        atomicAdd(o + 3, 1.0f);
        __threadfence();
        atomicAdd(&done, 1u);
    } else if (threadIdx.x == 32 && atomicAdd(&done, 0u) == 1u) {
        __threadfence();
        o[0] = o[3];
    }
}

// rule: A message tells nothing of what its thread does afterwards
// launch: 1, 64, [arange(128)]
// error: RaceError thread=(32,0,0) block=(0,0,0)
// report: race: reads o[3], which thread (0,0,0) of the same block updates atomically in line 13
// report: no barrier orders the two
// report: hint: put __syncthreads() between them
__device__ unsigned int done;
extern "C" __global__ void k(float* o)
{
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(&done, 1u);
        atomicAdd(o + 3, 1.0f);
    } else if (threadIdx.x == 32 && atomicAdd(&done, 0u) == 1u) {
        __threadfence();
        o[0] = o[3];  // <- here
    }
}

// rule: An element of shared memory is counted in its block
// launch: 2, 64, [arange(128)]
// error: RaceError thread=(1,0,0) block=(1,0,0)
// report: race: writes s[3], which thread (0,0,0) of the same block writes in line 11
// report: nothing says which of the two stays
// report: hint: use an atomic, or let one thread write
extern "C" __global__ void k(float* o)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    if (blockIdx.x == 1) s[3] = t;  // <- here
}

// rule: A fence is no barrier of the block
// launch: 2, 64, [arange(128)]
// error: RaceError thread=(1,0,0) block=(0,0,0)
// report: race: reads last, which thread (0,0,0) of the same block writes in line 15
// report: lanes of a warp are not ordered by themselves
// report: hint: put __syncthreads() between the two
__device__ unsigned int done;
extern "C" __global__ void k(float* o)
{
    __shared__ bool last;
    int t = threadIdx.x;
    if (t == 0) {
        o[1 + blockIdx.x] = 1;
        __threadfence();
        last = atomicInc(&done, gridDim.x - 1) == gridDim.x - 1;
    }

    if (last && t == 0) {  // <- here
        float sum = 0;
        for (int i = 0; i < gridDim.x; i++) sum += o[1 + i];
        o[0] = sum;
    }
}

// rule: A fence is no barrier of the block
// launch: 2, 64, [arange(128)]
__device__ unsigned int done;
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    if (t == 0) {
        o[blockIdx.x] = 1;
        __threadfence();
        atomicAdd(&done, 1u);
    }
    __syncthreads();
    if (t == 1) o[64 + blockIdx.x] = o[blockIdx.x];
}

// rule: A fence is no barrier of the block
// launch: 2, 64, [arange(128)]
// error: RaceError thread=(1,0,0) block=(0,0,0)
// report: race: reads o[0], which thread (0,0,0) of the same block writes in line 12
// report: lanes of a warp are not ordered by themselves
// report: hint: put __syncthreads() (or __syncwarp(), if one warp does both) between the two
__device__ unsigned int done;
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    if (t == 0) {
        o[blockIdx.x] = 1;
        __threadfence();
        atomicAdd(&done, 1u);
    }
    if (t == 1) o[64 + blockIdx.x] = o[blockIdx.x];  // <- here
}

// rule: Only the last block may reset the counter
// launch: 8, 64, [arange(128)]
// expect: o[0] == 8
// launch: 100, 512, [arange(128)]
// expect: o[0] == 100
__device__ unsigned int done;
extern "C" __global__ void k(float* o)
{
    __shared__ bool last;
    int t = threadIdx.x;
    if (t == 0) {
        o[1 + blockIdx.x] = 1;
        __threadfence();
        last = atomicInc(&done, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && t == 0) {
        float sum = 0;
        for (int i = 0; i < gridDim.x; i++) sum += o[1 + i];
        o[0] = sum;
    }
    if (last && t == 0) done = 0;
}

// rule: Only the last block may reset the counter
// launch: 8, 64, [arange(128)]
// error: RaceError thread=(0,0,0) block=(2,0,0)
// report: race: writes done[0], which thread (0,0,0) of block (7,0,0) updates atomically in line 20
// report: blocks run in any order and at the same time
// report: hint: use an atomic, or let each block write elements of its own and combine them in a second kernel
// launch: 100, 512, [arange(128)]
// error: RaceError thread=(0,0,0) block=(2,0,0)
// report: race: writes done[0], which thread (0,0,0) of block (31,0,0) updates atomically in line 20
// report: blocks run in any order and at the same time
// report: hint: use an atomic, or let each block write elements of its own and combine them in a second kernel
__device__ unsigned int done;
extern "C" __global__ void k(float* o)
{
    __shared__ bool last;
    int t = threadIdx.x;
    if (t == 0) {
        o[1 + blockIdx.x] = 1;
        __threadfence();
        last = atomicInc(&done, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && t == 0) {
        float sum = 0;
        for (int i = 0; i < gridDim.x; i++) sum += o[1 + i];
        o[0] = sum;
    }
    if (blockIdx.x == 2 && t == 0) done = 0;  // <- here
}

// rule: A fence that is too weak, missing in one block, or too early does not help
// launch: 8, 64, [arange(128)]
// error: RaceError thread=(0,0,0) block=(7,0,0)
// report: race: reads o[1], which thread (0,0,0) of block (0,0,0) writes in line 13
// report: blocks run in any order and at the same time
// report: hint: use an atomic, or let each block write elements of its own and combine them in a second kernel; if a flag or counter tells that the other is done, that one needs __threadfence() before it
__device__ unsigned int done;
extern "C" __global__ void k(float* o)
{
    __shared__ bool last;
    int t = threadIdx.x;
    if (t == 0) {
        o[1 + blockIdx.x] = 1;
        __threadfence_block();
        last = atomicInc(&done, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && t == 0) {
        float sum = 0;
        for (int i = 0; i < gridDim.x; i++) sum += o[1 + i];  // <- here
        o[0] = sum;
    }
}

// rule: A fence that is too weak, missing in one block, or too early does not help
// launch: 8, 64, [arange(128)]
// error: RaceError thread=(0,0,0) block=(7,0,0)
// report: race: reads o[1], which thread (0,0,0) of block (0,0,0) writes in line 13
// report: blocks run in any order and at the same time
// report: hint: use an atomic, or let each block write elements of its own and combine them in a second kernel; if a flag or counter tells that the other is done, that one needs __threadfence() before it
__device__ unsigned int done;
extern "C" __global__ void k(float* o)
{
    __shared__ bool last;
    int t = threadIdx.x;
    if (t == 0) {
        o[1 + blockIdx.x] = 1;
        if (blockIdx.x > 0) __threadfence();
        last = atomicInc(&done, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && t == 0) {
        float sum = 0;
        for (int i = 0; i < gridDim.x; i++) sum += o[1 + i];  // <- here
        o[0] = sum;
    }
}

// rule: A fence that is too weak, missing in one block, or too early does not help
// launch: 8, 64, [arange(128)]
// error: RaceError thread=(0,0,0) block=(7,0,0)
// report: race: reads o[1], which thread (0,0,0) of block (0,0,0) writes in line 15
// report: blocks run in any order and at the same time
// report: hint: use an atomic, or let each block write elements of its own and combine them in a second kernel; if a flag or counter tells that the other is done, that one needs __threadfence() before it
__device__ unsigned int done;
extern "C" __global__ void k(float* o)
{
    __shared__ bool last;
    int t = threadIdx.x;
    if (t == 0) {
        o[1 + blockIdx.x] = 1;
        __threadfence();
        o[1 + blockIdx.x] += 1;
        last = atomicInc(&done, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && t == 0) {
        float sum = 0;
        for (int i = 0; i < gridDim.x; i++) sum += o[1 + i];  // <- here
        o[0] = sum;
    }
}

// rule: __syncwarp() orders the lanes of its mask only
// launch: 1, 32, [arange(128)]
extern "C" __global__ void k(float* o)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    float v = 0;
    s[t] = t;
    if (t < 4) {
        __syncwarp(0xf);
        v = s[t ^ 1];
    }
    o[t] = v;
}

// rule: __syncwarp() orders the lanes of its mask only
// launch: 1, 32, [arange(128)]
// error: RaceError thread=(0,0,0) block=(0,0,0)
// report: race: reads s[4], which thread (4,0,0) of the same block writes in line 12
// report: lanes of a warp are not ordered by themselves
// report: hint: put __syncthreads() (or __syncwarp(), if one warp does both) between the two
extern "C" __global__ void k(float* o)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    float v = 0;
    s[t] = t;
    if (t < 4) {
        __syncwarp(0xf);
        v = s[t + 4];  // <- here
    }
    o[t] = v;
}

// rule: __syncwarp() orders the lanes of its mask only
// launch: 1, 32, [arange(128)]
extern "C" __global__ void k(float* o)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    float v = 0;
    s[t] = t;
    if (t < 4)
        __syncwarp(0xf);
    else
        __syncwarp(0xfffffff0);
    v = s[t ^ 1];
    o[t] = v;
}

// rule: __syncwarp() orders the lanes of its mask only
// launch: 1, 32, [arange(128)]
// error: RaceError thread=(0,0,0) block=(0,0,0)
// report: race: reads s[4], which thread (4,0,0) of the same block writes in line 12
// report: lanes of a warp are not ordered by themselves
// report: hint: put __syncthreads() (or __syncwarp(), if one warp does both) between the two
extern "C" __global__ void k(float* o)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    float v = 0;
    s[t] = t;
    if (t < 4)
        __syncwarp(0xf);
    else
        __syncwarp(0xfffffff0);
    v = s[t ^ 4];  // <- here
    o[t] = v;
}

// rule: __syncwarp() orders the lanes of its mask only
// launch: 1, 32, [arange(128)]
extern "C" __global__ void k(float* o)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    float v = 0;
    s[t] = t;
    __syncwarp(t < 16 ? 0xffff : 0xffff0000);
    v = s[t ^ 8];
    o[t] = v;
}

// rule: __syncwarp() orders the lanes of its mask only
// launch: 1, 32, [arange(128)]
// error: RaceError thread=(0,0,0) block=(0,0,0)
// report: race: reads s[16], which thread (16,0,0) of the same block writes in line 12
// report: lanes of a warp are not ordered by themselves
// report: hint: put __syncthreads() (or __syncwarp(), if one warp does both) between the two
extern "C" __global__ void k(float* o)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    float v = 0;
    s[t] = t;
    __syncwarp(t < 16 ? 0xffff : 0xffff0000);
    v = s[t ^ 16];  // <- here
    o[t] = v;
}

// rule: __syncwarp() orders the lanes of its mask only
// launch: 1, 32, [arange(128)]
extern "C" __global__ void k(float* o)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    float v = 0;
    s[t] = t;
    if (t < 2) __syncwarp(3);
    if (t == 1 || t == 2) {
        __syncwarp(6);
        if (t == 2) v = s[0];
    }
    o[t] = v;
}

// rule: __syncwarp() orders the lanes of its mask only
// launch: 1, 32, [arange(128)]
// error: RaceError thread=(2,0,0) block=(0,0,0)
// report: race: reads s[0], which thread (0,0,0) of the same block writes in line 12
// report: lanes of a warp are not ordered by themselves
// report: hint: put __syncthreads() (or __syncwarp(), if one warp does both) between the two
extern "C" __global__ void k(float* o)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    float v = 0;
    s[t] = t;
    if (t == 1 || t == 2) __syncwarp(6);
    if (t < 2) __syncwarp(3);
    if (t == 2) v = s[0];  // <- here
    o[t] = v;
}

// rule: __syncwarp() orders the lanes of its mask only
// launch: 1, 32, [arange(128)]
extern "C" __global__ void k(float* o)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    float v = 0;
    s[t] = t;
    if (t < 4) __syncwarp(0xf);
    __syncwarp();
    v = s[31 - t];
    o[t] = v;
}

// rule: A thread publishes what it has seen: its own writes, and those before a barrier
// launch: 4, 64, [zeros(64), zeros(256)]
// expect: o[1] == sum(arange(1, 256, 64))
// launch: 600, 64, [zeros(64), zeros(38400)]
// expect: o[1] == sum(arange(1, 38400, 64))
__device__ unsigned int done;
extern "C" __global__ void k(float* o, float* p)
{
    __shared__ bool last;
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    p[i] = i;
    __syncthreads();
    if (t == 0) __threadfence();
    if (t == 0) last = atomicAdd(&done, 1u) == gridDim.x - 1;
    __syncthreads();
    if (last)
        for (int b = 0; b < gridDim.x; b++) o[t] += p[b * 64 + t];
}

// rule: A thread publishes what it has seen: its own writes, and those before a barrier
// launch: 4, 64, [zeros(64), zeros(256)]
// expect: o[1] == sum(arange(1, 256, 64))
// launch: 600, 64, [zeros(64), zeros(38400)]
// expect: o[1] == sum(arange(1, 38400, 64))
__device__ unsigned int done;
extern "C" __global__ void k(float* o, float* p)
{
    __shared__ bool last;
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    p[i] = i;
    __threadfence();
    __syncthreads();
    if (t == 0) last = atomicAdd(&done, 1u) == gridDim.x - 1;
    __syncthreads();
    if (last)
        for (int b = 0; b < gridDim.x; b++) o[t] += p[b * 64 + t];
}

// rule: A thread publishes what it has seen: its own writes, and those before a barrier
// launch: 4, 64, [zeros(64), zeros(256)]
// error: RaceError thread=(1,0,0) block=(3,0,0)
// report: race: reads p[1], which thread (1,0,0) of block (0,0,0) writes in line 17
// report: blocks run in any order and at the same time
// report: hint: use an atomic, or let each block write elements of its own and combine them in a second kernel; if a flag or counter tells that the other is done, that one needs __threadfence() before it
// launch: 600, 64, [zeros(64), zeros(38400)]
// error: RaceError thread=(1,0,0) block=(599,0,0)
// report: race: reads p[1], which thread (1,0,0) of block (0,0,0) writes in line 17
// report: blocks run in any order and at the same time
// report: hint: use an atomic, or let each block write elements of its own and combine them in a second kernel; if a flag or counter tells that the other is done, that one needs __threadfence() before it
__device__ unsigned int done;
extern "C" __global__ void k(float* o, float* p)
{
    __shared__ bool last;
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    p[i] = i;
    if (t == 0) __threadfence();
    if (t == 0) last = atomicAdd(&done, 1u) == gridDim.x - 1;
    __syncthreads();
    if (last)
        for (int b = 0; b < gridDim.x; b++) o[t] += p[b * 64 + t];  // <- here
}

// rule: A thread publishes what it has seen: its own writes, and those before a barrier
// launch: 4, 64, [zeros(64), zeros(256)]
// error: RaceError thread=(1,0,0) block=(3,0,0)
// report: race: reads p[1], which thread (1,0,0) of block (0,0,0) writes in line 17
// report: blocks run in any order and at the same time
// report: hint: use an atomic, or let each block write elements of its own and combine them in a second kernel; if a flag or counter tells that the other is done, that one needs __threadfence() before it
// launch: 600, 64, [zeros(64), zeros(38400)]
// error: RaceError thread=(1,0,0) block=(599,0,0)
// report: race: reads p[1], which thread (1,0,0) of block (0,0,0) writes in line 17
// report: blocks run in any order and at the same time
// report: hint: use an atomic, or let each block write elements of its own and combine them in a second kernel; if a flag or counter tells that the other is done, that one needs __threadfence() before it
__device__ unsigned int done;
extern "C" __global__ void k(float* o, float* p)
{
    __shared__ bool last;
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    p[i] = i;
    if (t == 0) __threadfence();
    __syncthreads();
    if (t == 0) last = atomicAdd(&done, 1u) == gridDim.x - 1;
    __syncthreads();
    if (last)
        for (int b = 0; b < gridDim.x; b++) o[t] += p[b * 64 + t];  // <- here
}

// rule: A thread publishes what it has seen: its own writes, and those before a barrier
// launch: 4, 64, [zeros(64), zeros(256)]
// error: RaceError thread=(1,0,0) block=(3,0,0)
// report: race: reads p[1], which thread (1,0,0) of block (0,0,0) writes in line 17
// report: blocks run in any order and at the same time
// report: hint: use an atomic, or let each block write elements of its own and combine them in a second kernel; if a flag or counter tells that the other is done, that one needs __threadfence() before it
// launch: 600, 64, [zeros(64), zeros(38400)]
// error: RaceError thread=(1,0,0) block=(599,0,0)
// report: race: reads p[1], which thread (1,0,0) of block (0,0,0) writes in line 17
// report: blocks run in any order and at the same time
// report: hint: use an atomic, or let each block write elements of its own and combine them in a second kernel; if a flag or counter tells that the other is done, that one needs __threadfence() before it
__device__ unsigned int done;
extern "C" __global__ void k(float* o, float* p)
{
    __shared__ bool last;
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    p[i] = i;
    __threadfence();
    if (t == 0) last = atomicAdd(&done, 1u) == gridDim.x - 1;
    __syncthreads();
    if (last)
        for (int b = 0; b < gridDim.x; b++) o[t] += p[b * 64 + t];  // <- here
}

// rule: A thread publishes what it has seen: its own writes, and those before a barrier
// launch: 4, 64, [zeros(64), zeros(256)]
// error: RaceError thread=(0,0,0) block=(3,0,0)
// report: race: reads p[0], which thread (0,0,0) of block (0,0,0) writes in line 17
// report: blocks run in any order and at the same time
// report: hint: use an atomic, or let each block write elements of its own and combine them in a second kernel; if a flag or counter tells that the other is done, that one needs __threadfence() before it
// launch: 600, 64, [zeros(64), zeros(38400)]
// error: RaceError thread=(0,0,0) block=(599,0,0)
// report: race: reads p[0], which thread (0,0,0) of block (0,0,0) writes in line 17
// report: blocks run in any order and at the same time
// report: hint: use an atomic, or let each block write elements of its own and combine them in a second kernel; if a flag or counter tells that the other is done, that one needs __threadfence() before it
__device__ unsigned int done;
extern "C" __global__ void k(float* o, float* p)
{
    __shared__ bool last;
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    p[i] = i;
    __syncthreads();
    if (t == 0) __threadfence_block();
    if (t == 0) last = atomicAdd(&done, 1u) == gridDim.x - 1;
    __syncthreads();
    if (last)
        for (int b = 0; b < gridDim.x; b++) o[t] += p[b * 64 + t];  // <- here
}

// rule: A thread publishes what it has seen: its own writes, and those before a barrier
// launch: 4, 64, [zeros(64), zeros(256)]
// error: RaceError thread=(0,0,0) block=(3,0,0)
// report: race: reads p[0], which thread (0,0,0) of block (0,0,0) writes in line 17
// report: blocks run in any order and at the same time
// report: hint: use an atomic, or let each block write elements of its own and combine them in a second kernel; if a flag or counter tells that the other is done, that one needs __threadfence() before it
// launch: 600, 64, [zeros(64), zeros(38400)]
// error: RaceError thread=(0,0,0) block=(599,0,0)
// report: race: reads p[0], which thread (0,0,0) of block (0,0,0) writes in line 17
// report: blocks run in any order and at the same time
// report: hint: use an atomic, or let each block write elements of its own and combine them in a second kernel; if a flag or counter tells that the other is done, that one needs __threadfence() before it
__device__ unsigned int done;
extern "C" __global__ void k(float* o, float* p)
{
    __shared__ bool last;
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    p[i] = i;
    __syncthreads();
    if (t == 1) __threadfence();
    if (t == 0) last = atomicAdd(&done, 1u) == gridDim.x - 1;
    __syncthreads();
    if (last)
        for (int b = 0; b < gridDim.x; b++) o[t] += p[b * 64 + t];  // <- here
}

// rule: A message counts for a thread that reads the same counter
// launch: 2, 64, [arange(128)]
__device__ unsigned int done;
__device__ unsigned int other = 1;
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0 && t == 0) {
        o[5] = 1;
        __threadfence();
        atomicAdd(&done, 1u);
    }
    if (blockIdx.x == 1 && t == 0 && atomicAdd(&done, 0u) == 1u) o[6] = o[5];
    if (blockIdx.x == 1 && t == 0) atomicAdd(&other, 1u);
}

// rule: A message counts for a thread that reads the same counter
// launch: 2, 64, [arange(128)]
// error: RaceError thread=(0,0,0) block=(1,0,0)
// report: race: reads o[5], which thread (0,0,0) of block (0,0,0) writes in line 13
// report: blocks run in any order and at the same time
// report: hint: use an atomic, or let each block write elements of its own and combine them in a second kernel; if a flag or counter tells that the other is done, that one needs __threadfence() before it
__device__ unsigned int done;
__device__ unsigned int other = 1;
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0 && t == 0) {
        o[5] = 1;
        __threadfence();
        atomicAdd(&done, 1u);
    }
    if (blockIdx.x == 1 && t == 0 && atomicAdd(&other, 0u) == 1u) o[6] = o[5];  // <- here
    if (blockIdx.x == 1 && t == 0) atomicAdd(&other, 1u);
}

// rule: A reader knows what the latest writer of a flag has passed on
// launch: 3, 64, [arange(128)]
__device__ volatile int flag;
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0 && t == 0) {
        o[5] = 1;
        __threadfence();
        flag = 1;
    }
    if (blockIdx.x == 1 && t == 0) {
        while (flag == 0);
        __threadfence();
        flag = 2;
    }
    if (blockIdx.x == 2 && t == 0) {
        while (flag != 2);
        o[6] = o[5];
    }
}

// rule: A reader knows what the latest writer of a flag has passed on
// launch: 3, 64, [arange(128)]
// error: RaceError thread=(0,0,0) block=(2,0,0)
// report: race: reads o[5], which thread (0,0,0) of block (0,0,0) writes in line 12
// report: blocks run in any order and at the same time
// report: hint: use an atomic, or let each block write elements of its own and combine them in a second kernel; if a flag or counter tells that the other is done, that one needs __threadfence() before it
__device__ volatile int flag;
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0 && t == 0) {
        o[5] = 1;
        __threadfence();
        flag = 1;
    }
    if (blockIdx.x == 1 && t == 0) {
        while (flag == 0);
        flag = 2;
    }
    if (blockIdx.x == 2 && t == 0) {
        while (flag != 2);
        o[6] = o[5];  // <- here
    }
}

// rule: A fence publishes what the warp did before its barrier
// launch: 2, 80, [arange(128)]
__device__ unsigned int done;
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0) o[t] = 1;
    if (blockIdx.x == 0 && t / 32 == 1) {
        __syncwarp();
        if (t == 33) {
            __threadfence();
            atomicAdd(&done, 1u);
        }
    }
    if (blockIdx.x == 1 && t == 0 && atomicAdd(&done, 0u) == 1u) o[100] = o[40];
}

// rule: A fence publishes what the warp did before its barrier
// launch: 2, 80, [arange(128)]
__device__ unsigned int done;
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0) o[t] = 1;
    if (blockIdx.x == 0 && t / 32 == 1) {
        __syncwarp();
        if (t == 33) {
            __threadfence();
            atomicAdd(&done, 1u);
        }
    }
    if (blockIdx.x == 1 && t == 0 && atomicAdd(&done, 0u) == 1u) o[100] = o[63];
}

// rule: A fence publishes what the warp did before its barrier
// launch: 2, 80, [arange(128)]
// error: RaceError thread=(0,0,0) block=(1,0,0)
// report: race: reads o[40], which thread (40,0,0) of block (0,0,0) writes in line 11
// report: blocks run in any order and at the same time
// report: hint: use an atomic, or let each block write elements of its own and combine them in a second kernel; if a flag or counter tells that the other is done, that one needs __threadfence() before it
__device__ unsigned int done;
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0) o[t] = 1;
    if (blockIdx.x == 0 && t / 32 == 1) {
        if (t == 33) {
            __threadfence();
            atomicAdd(&done, 1u);
        }
    }
    if (blockIdx.x == 1 && t == 0 && atomicAdd(&done, 0u) == 1u) o[100] = o[40];  // <- here
}

// rule: A fence publishes what the warp did before its barrier
// launch: 2, 80, [arange(128)]
// error: RaceError thread=(0,0,0) block=(1,0,0)
// report: race: reads o[5], which thread (5,0,0) of block (0,0,0) writes in line 11
// report: blocks run in any order and at the same time
// report: hint: use an atomic, or let each block write elements of its own and combine them in a second kernel; if a flag or counter tells that the other is done, that one needs __threadfence() before it
__device__ unsigned int done;
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0) o[t] = 1;
    if (blockIdx.x == 0 && t / 32 == 1) {
        __syncwarp();
        if (t == 33) {
            __threadfence();
            atomicAdd(&done, 1u);
        }
    }
    if (blockIdx.x == 1 && t == 0 && atomicAdd(&done, 0u) == 1u) o[100] = o[5];  // <- here
}

// rule: A fence publishes what the warp did before its barrier
// launch: 2, 80, [arange(128)]
__device__ unsigned int done;
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0) o[t] = 1;
    if (blockIdx.x == 0 && t / 32 == 1) {
        if (t == 33) {
            __threadfence();
            atomicAdd(&done, 1u);
        }
    }
    if (blockIdx.x == 1 && t == 0 && atomicAdd(&done, 0u) == 1u) o[100] = o[33];
}

// rule: A fence publishes what the warp did before its barrier
// launch: 2, 80, [arange(128)]
// error: RaceError thread=(0,0,0) block=(1,0,0)
// report: race: reads o[64], which thread (64,0,0) of block (0,0,0) writes in line 11
// report: blocks run in any order and at the same time
// report: hint: use an atomic, or let each block write elements of its own and combine them in a second kernel; if a flag or counter tells that the other is done, that one needs __threadfence() before it
__device__ unsigned int done;
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0) o[t] = 1;
    if (blockIdx.x == 0 && t / 32 == 1) {
        __syncwarp();
        if (t == 33) {
            __threadfence();
            atomicAdd(&done, 1u);
        }
    }
    if (blockIdx.x == 1 && t == 0 && atomicAdd(&done, 0u) == 1u) o[100] = o[64];  // <- here
}

// rule: A fence holds for the lanes that met its thread at a barrier
// launch: 2, 32, [arange(128)]
__device__ unsigned int done;
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    unsigned half = t < 16 ? 0xffff : 0xffff0000;
    if (blockIdx.x == 0) {
        if (t == 0) {
            o[0] = 1;
            __threadfence();
        }
        __syncwarp(half);
        if (t == 1) atomicAdd(&done, 1u);
    }
    if (blockIdx.x == 1 && t == 0 && atomicAdd(&done, 0u) == 1u) o[100] = o[0];
}

// rule: A fence holds for the lanes that met its thread at a barrier
// launch: 2, 32, [arange(128)]
__device__ unsigned int done;
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    unsigned half = t < 16 ? 0xffff : 0xffff0000;
    if (blockIdx.x == 0) {
        if (t == 0) {
            o[0] = 1;
            __threadfence();
        }
        __syncwarp(half);
        if (t == 15) atomicAdd(&done, 1u);
    }
    if (blockIdx.x == 1 && t == 0 && atomicAdd(&done, 0u) == 1u) o[100] = o[0];
}

// rule: A fence holds for the lanes that met its thread at a barrier
// launch: 2, 32, [arange(128)]
// error: RaceError thread=(0,0,0) block=(1,0,0)
// report: race: reads o[0], which thread (0,0,0) of block (0,0,0) writes in line 14
// report: blocks run in any order and at the same time
// report: hint: use an atomic, or let each block write elements of its own and combine them in a second kernel; if a flag or counter tells that the other is done, that one needs __threadfence() before it
__device__ unsigned int done;
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    unsigned half = t < 16 ? 0xffff : 0xffff0000;
    if (blockIdx.x == 0) {
        if (t == 0) {
            o[0] = 1;
            __threadfence();
        }
        __syncwarp(half);
        if (t == 16) atomicAdd(&done, 1u);
    }
    if (blockIdx.x == 1 && t == 0 && atomicAdd(&done, 0u) == 1u) o[100] = o[0];  // <- here
}

// rule: A fence holds for the lanes that met its thread at a barrier
// launch: 2, 32, [arange(128)]
__device__ unsigned int done;
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    unsigned half = t < 16 ? 0xffff : 0xffff0000;
    if (blockIdx.x == 0) {
        if (t == 1) {
            o[0] = 1;
            __threadfence();
        }
        if (t < 16) __syncwarp(half);
        if (t == 0) atomicAdd(&done, 1u);
    }
    if (blockIdx.x == 1 && t == 0 && atomicAdd(&done, 0u) == 1u) o[100] = o[0];
}

// rule: A fence holds for the lanes that met its thread at a barrier
// launch: 2, 32, [arange(128)]
// error: RaceError thread=(0,0,0) block=(1,0,0)
// report: race: reads o[0], which thread (16,0,0) of block (0,0,0) writes in line 14
// report: blocks run in any order and at the same time
// report: hint: use an atomic, or let each block write elements of its own and combine them in a second kernel; if a flag or counter tells that the other is done, that one needs __threadfence() before it
__device__ unsigned int done;
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    unsigned half = t < 16 ? 0xffff : 0xffff0000;
    if (blockIdx.x == 0) {
        if (t == 16) {
            o[0] = 1;
            __threadfence();
        }
        if (t < 16) __syncwarp(half);
        if (t == 17) atomicAdd(&done, 1u);
    }
    if (blockIdx.x == 1 && t == 0 && atomicAdd(&done, 0u) == 1u) o[100] = o[0];  // <- here
}

// rule: An earlier race is reported before a later fault
// launch: 1, 64, [arange(128)]
// error: RaceError thread=(0,0,0) block=(0,0,0)
// report: race: reads s[63], which thread (63,0,0) of the same block writes in line 11
// report: no barrier orders the two
// report: hint: put __syncthreads() between them
extern "C" __global__ void k(float* o)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = t;
    float v = s[63 - t];  // <- here
    o[t + 500] = v;
}

// rule: Blocks that the simulator runs one after another are not ordered
// launch: 2, 64, [arange(128)], chunk=64
extern "C" __global__ void k(float* o) { o[blockIdx.x * 64 + threadIdx.x] += 1; }

// rule: Blocks that the simulator runs one after another are not ordered
// launch: 2, 64, [arange(128)], chunk=64
// error: RaceError thread=(0,0,0) block=(1,0,0)
// report: race: reads o[0], which a thread of another block writes
// report: blocks run in any order and at the same time
// report: hint: use an atomic, or let each block write elements of its own and combine them in a second kernel
extern "C" __global__ void k(float* o)
{
    if (blockIdx.x == 0)
        o[0] = 1;
    else if (threadIdx.x == 0)
        o[1] = o[0];  // <- here
}

// rule: Blocks that the simulator runs one after another are not ordered
// launch: 2, 64, [arange(128)], chunk=64
// error: RaceError thread=(0,0,0) block=(1,0,0)
// report: race: writes o[0], which a thread of another block updates atomically
// report: blocks run in any order and at the same time
// report: hint: use an atomic, or let each block write elements of its own and combine them in a second kernel
extern "C" __global__ void k(float* o)
{
    if (threadIdx.x == 0) {
        if (blockIdx.x == 0) {
            atomicAdd(o, 1.0f);
        } else {
            o[0] = 1;  // <- here
        }
    }
}

// rule: Blocks that the simulator runs one after another are not ordered
// launch: 2, 64, [arange(128)], chunk=64
// error: RaceError thread=(0,0,0) block=(1,0,0)
// report: race: updates atomically o[0], which a thread of another block writes
// report: blocks run in any order and at the same time
// report: hint: use an atomic, or let each block write elements of its own and combine them in a second kernel
extern "C" __global__ void k(float* o)
{
    if (threadIdx.x == 0) {
        if (blockIdx.x == 0) {
            o[0] = 1;
        } else {
            atomicAdd(o, 1.0f);  // <- here
        }
    }
}

// rule: Blocks that the simulator runs one after another are not ordered
// launch: 2, 64, [arange(128)], chunk=64
// error: RaceError thread=(0,0,0) block=(1,0,0)
// report: race: writes o[0], which a thread of another block writes
// report: blocks run in any order and at the same time
// report: hint: use an atomic, or let each block write elements of its own and combine them in a second kernel
extern "C" __global__ void k(float* o)
{
    if (threadIdx.x == 0) {
        if (blockIdx.x == 0) {
            o[0] = 1;
        } else {
            o[0] = 2;  // <- here
        }
    }
}

// rule: Blocks that the simulator runs one after another are not ordered
// launch: 2, 64, [arange(128)], chunk=64
// error: RaceError thread=(0,0,0) block=(1,0,0)
// report: race: writes o[0], which a thread of another block reads
// report: blocks run in any order and at the same time
// report: hint: use an atomic, or let each block write elements of its own and combine them in a second kernel
extern "C" __global__ void k(float* o)
{
    if (threadIdx.x == 0) {
        if (blockIdx.x == 0) {
            o[1] = o[0];
        } else {
            o[0] = 2;  // <- here
        }
    }
}

// rule: Atomics of different blocks do not race
// launch: 2, 64, [arange(128)], chunk=64
// expect: o == [128, *range(1, 128)]
extern "C" __global__ void k(float* o) { atomicAdd(o, 1.0f); }

// rule: Where __syncwarp orders some lanes, the first and the last do not stand for those in between
// launch: 1, 32, [zeros(33)]
// error: RaceError thread=(1,0,0) block=(0,0,0)
// report: race: reads o[32], which thread (0,0,0) of the same block writes in line 11
// report: lanes of a warp are not ordered by themselves
// report: hint: put __syncthreads() (or __syncwarp(), if one warp does both) between the two
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    // lanes 1 to 30 do not wait
    if (t == 0) o[32] = 1;
    if (t == 0 || t == 31) __syncwarp(0x80000001);
    o[t] = o[32];  // <- here
}

// rule: Several threads that store the same value are a note
// launch: 2, 64, [zeros(128)], kernel="k"
// expect: len(profile.warnings) >= 1 and "same value" in profile.warnings[0]
// launch: 2, 64, [zeros(128)], kernel="warp"
// expect: len(profile.warnings) >= 1 and "same value" in profile.warnings[0]
// launch: 2, 64, [zeros(128)], kernel="fence"
// expect: len(profile.warnings) >= 1 and "same value" in profile.warnings[0]
// launch: 100, 512, [zeros(128)], kernel="k"
// expect: len(profile.warnings) >= 1 and "same value" in profile.warnings[0]
// launch: 100, 512, [zeros(128)], kernel="warp"
// expect: len(profile.warnings) >= 1 and "same value" in profile.warnings[0]
// launch: 100, 512, [zeros(128)], kernel="fence"
// expect: len(profile.warnings) >= 1 and "same value" in profile.warnings[0]
extern "C" __global__ void k(float* o) { o[3] = 1.0f; }
extern "C" __global__ void warp(float* o)
{
    __syncwarp();
    o[3] = 1.0f;
}
extern "C" __global__ void fence(float* o)
{
    __threadfence();
    o[3] = 1.0f;
}

// rule: A store that changes nothing is no race, of a vector if it changes no part
// launch: 1, 64, [arange(128)], kernel="same0"
// launch: 1, 64, [arange(128)], kernel="other0"
// error: RaceError thread=(40,0,0) block=(0,0,0)
// report: race: writes o[5], which thread (0,0,0) of the same block writes in line 47
// report: nothing says which of the two stays
// report: hint: use an atomic, or let one thread write
// launch: 1, 64, [arange(128)], kernel="same1"
// launch: 1, 64, [arange(128)], kernel="other1"
// error: RaceError thread=(40,0,0) block=(0,0,0)
// report: race: writes o[10], which thread (0,0,0) of the same block writes in line 59
// report: nothing says which of the two stays
// report: hint: use an atomic, or let one thread write
// launch: 1, 64, [arange(128)], kernel="same2"
// launch: 1, 64, [arange(128)], kernel="other2"
// error: RaceError thread=(40,0,0) block=(0,0,0)
// report: race: writes o[5], which thread (0,0,0) of the same block writes in line 71
// report: nothing says which of the two stays
// report: hint: use an atomic, or let one thread write
// launch: 1, 64, [arange(128)], kernel="same3"
// launch: 1, 64, [arange(128)], kernel="other3"
// error: RaceError thread=(40,0,0) block=(0,0,0)
// report: race: writes o[10], which thread (0,0,0) of the same block writes in line 83
// report: nothing says which of the two stays
// report: hint: use an atomic, or let one thread write
// launch: 1, 64, [arange(128)], kernel="same4"
// launch: 1, 64, [arange(128)], kernel="other4"
// error: RaceError thread=(40,0,0) block=(0,0,0)
// report: race: writes o[5], which thread (0,0,0) of the same block writes in line 95
// report: nothing says which of the two stays
// report: hint: use an atomic, or let one thread write
// launch: 1, 64, [arange(128)], kernel="same5"
// launch: 1, 64, [arange(128)], kernel="other5"
// error: RaceError thread=(40,0,0) block=(0,0,0)
// report: race: writes o[20], which thread (0,0,0) of the same block writes in line 107
// report: nothing says which of the two stays
// report: hint: use an atomic, or let one thread write
extern "C" __global__ void same0(float* o)
{
    float* p = (float*)o;
    if (threadIdx.x == 0) p[5] = 1;
    if (threadIdx.x == 40) p[5] = 1;
}
extern "C" __global__ void other0(float* o)
{
    float* p = (float*)o;
    if (threadIdx.x == 0) p[5] = 1;
    if (threadIdx.x == 40) p[5] = 2;  // <- here
}
extern "C" __global__ void same1(float* o)
{
    float2* p = (float2*)o;
    if (threadIdx.x == 0) p[5] = make_float2(3, 1);
    if (threadIdx.x == 40) p[5] = make_float2(3, 1);
}
extern "C" __global__ void other1(float* o)
{
    float2* p = (float2*)o;
    if (threadIdx.x == 0) p[5] = make_float2(3, 1);
    if (threadIdx.x == 40) p[5] = make_float2(3, 2);  // <- here
}
extern "C" __global__ void same2(float* o)
{
    int* p = (int*)o;
    if (threadIdx.x == 0) p[5] = 1;
    if (threadIdx.x == 40) p[5] = 1;
}
extern "C" __global__ void other2(float* o)
{
    int* p = (int*)o;
    if (threadIdx.x == 0) p[5] = 1;
    if (threadIdx.x == 40) p[5] = -1;  // <- here
}
extern "C" __global__ void same3(float* o)
{
    float2* p = (float2*)o;
    if (threadIdx.x == 0) p[5] = make_float2(3, 1);
    if (threadIdx.x == 40) p[5] = make_float2(3, 1);
}
extern "C" __global__ void other3(float* o)
{
    float2* p = (float2*)o;
    if (threadIdx.x == 0) p[5] = make_float2(3, 1);
    if (threadIdx.x == 40) p[5] = make_float2(1, 1);  // <- here
}
extern "C" __global__ void same4(float* o)
{
    float* p = (float*)o;
    if (threadIdx.x == 0) p[5] = NAN;
    if (threadIdx.x == 40) p[5] = NAN;
}
extern "C" __global__ void other4(float* o)
{
    float* p = (float*)o;
    if (threadIdx.x == 0) p[5] = NAN;
    if (threadIdx.x == 40) p[5] = 1;  // <- here
}
extern "C" __global__ void same5(float* o)
{
    float4* p = (float4*)o;
    if (threadIdx.x == 0) p[5] = make_float4(1, 1, 1, 1);
    if (threadIdx.x == 40) p[5] = make_float4(1, 1, 1, 1);
}
extern "C" __global__ void other5(float* o)
{
    float4* p = (float4*)o;
    if (threadIdx.x == 0) p[5] = make_float4(1, 1, 1, 1);
    if (threadIdx.x == 40) p[5] = make_float4(1, 1, 1, 2);  // <- here
}

// rule: A thread that stores back what it has read changes nothing for others: a copy of a row onto itself is a note
// launch: 2, 32, [arange(64), 1, 1, 16]
// expect: (x == arange(64)) & (len(profile.warnings) == 1)
// launch: 2, 32, [ones(64), 1, 0, 16], chunk=32
// expect: profile.repeated_stores == {18: "x"}
// launch: 2, 32, [arange(64), 1, 1, 16], chunk=32
// expect: (x == arange(64)) & (profile.repeated_stores == {18: "x"})
// launch: 1, 32, [ones(64), 1, 1, 16], kernel="shift"
// error: RaceError thread=(1,0,0) block=(0,0,0)
// report: race: writes x[1], which thread (0,0,0) of the same block reads in line 22
// report: no barrier orders the two
// report: hint: if threads share the element use an atomic; if one needs the other's value put __syncthreads() between
extern "C" __global__ void k(float* x, int from, int to, int n)
{
    int i = threadIdx.x % n;
    float v;
    v = x[from * n + i];
    x[to * n + i] = v;
}
extern "C" __global__ void shift(float* x, int from, int to, int n)
{
    x[threadIdx.x] = x[threadIdx.x + 1];  // <- here
}

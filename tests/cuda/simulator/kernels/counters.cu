// rule: A warp's load takes as many sectors as it touches
// launch: 1, 32, [zeros(4096)]
// expect: profile.global_load.requests == 1
// expect: profile.global_load.sectors == 4
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    float v = o[t];
    if (v == 1.0f) o[0] = v;
}

// rule: A warp's load takes as many sectors as it touches
// launch: 1, 32, [zeros(4096)]
// expect: profile.global_load.requests == 1
// expect: profile.global_load.sectors == 5
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    float v = o[t + 1];
    if (v == 1.0f) o[0] = v;
}

// rule: A warp's load takes as many sectors as it touches
// launch: 1, 32, [zeros(4096)]
// expect: profile.global_load.requests == 1
// expect: profile.global_load.sectors == 8
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    float v = o[2 * t];
    if (v == 1.0f) o[0] = v;
}

// rule: A warp's load takes as many sectors as it touches
// launch: 1, 32, [zeros(4096)]
// expect: profile.global_load.requests == 1
// expect: profile.global_load.sectors == 32
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    float v = o[8 * t];
    if (v == 1.0f) o[0] = v;
}

// rule: A warp's load takes as many sectors as it touches
// launch: 1, 32, [zeros(4096)]
// expect: profile.global_load.requests == 1
// expect: profile.global_load.sectors == 4
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    float v = o[31 - t];
    if (v == 1.0f) o[0] = v;
}

// rule: A warp's load takes as many sectors as it touches
// launch: 1, 32, [zeros(4096)]
// expect: profile.global_load.requests == 1
// expect: profile.global_load.sectors == 1
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    float v = o[0];
    if (v == 1.0f) o[0] = v;
}

// rule: A warp's load takes as many sectors as it touches
// launch: 1, 32, [zeros(4096)]
// expect: profile.global_load.requests == 1
// expect: profile.global_load.sectors == 8
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    float v = o[t / 4 * 8];
    if (v == 1.0f) o[0] = v;
}

// rule: A warp's load takes as many sectors as it touches
// launch: 1, 32, [zeros(4096)]
// expect: profile.global_load.requests == 1
// expect: profile.global_load.sectors == 4
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    float v = o[t ^ 1];
    if (v == 1.0f) o[0] = v;
}

// rule: The size of an element decides how many sectors a warp touches
// launch: 1, 32, [zeros(4096)]
// expect: profile.global_load.requests == 1
// expect: profile.global_load.sectors == 8
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    float2 v = ((float2*)o)[t];
    ((float2*)o)[t] = v;
}

// rule: The size of an element decides how many sectors a warp touches
// launch: 1, 32, [zeros(4096)]
// expect: profile.global_load.requests == 1
// expect: profile.global_load.sectors == 16
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    float4 v = ((float4*)o)[t];
    ((float4*)o)[t] = v;
}

// rule: The size of an element decides how many sectors a warp touches
// launch: 1, 32, [zeros(4096)]
// expect: profile.global_load.requests == 1
// expect: profile.global_load.sectors == 8
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    double v = ((double*)o)[t];
    ((double*)o)[t] = v;
}

// rule: The size of an element decides how many sectors a warp touches
// launch: 1, 32, [zeros(4096)]
// expect: profile.global_load.requests == 3
// expect: profile.global_load.sectors == 36
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    float3 v = ((float3*)o)[t];
    ((float3*)o)[t] = v;
}

// rule: The size of an element decides how many sectors a warp touches
// launch: 1, 32, [zeros(4096)]
// expect: profile.global_load.requests == 1
// expect: profile.global_load.sectors == 1
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    char v = ((char*)o)[t];
    ((char*)o)[t] = v;
}

// rule: The size of an element decides how many sectors a warp touches
// launch: 1, 32, [zeros(4096)]
// expect: profile.global_load.requests == 2
// expect: profile.global_load.sectors == 64
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    double4 v = ((double4*)o)[t];
    ((double4*)o)[t] = v;
}

// rule: Lanes that read different words of one bank wait for each other
// launch: 1, 32, [zeros(4096)]
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    __shared__ float s[1100];
    for (int i = t; i < 1100; i += 32) s[i] = 0;
    __syncthreads();
    o[t] = s[t];  // count: shared_load.requests == 1, shared_load.wavefronts == 1, shared_load.bank_conflicts == 0
}

// rule: Lanes that read different words of one bank wait for each other
// launch: 1, 32, [zeros(4096)]
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    __shared__ float s[1100];
    for (int i = t; i < 1100; i += 32) s[i] = 0;
    __syncthreads();
    o[t] = s[2 * t];  // count: shared_load.requests == 1, shared_load.wavefronts == 2, shared_load.bank_conflicts == 1
}

// rule: Lanes that read different words of one bank wait for each other
// launch: 1, 32, [zeros(4096)]
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    __shared__ float s[1100];
    for (int i = t; i < 1100; i += 32) s[i] = 0;
    __syncthreads();
    o[t] = s[32 * t];  // count: shared_load.requests == 1, shared_load.wavefronts == 32, shared_load.bank_conflicts == 31
}

// rule: Lanes that read different words of one bank wait for each other
// launch: 1, 32, [zeros(4096)]
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    __shared__ float s[1100];
    for (int i = t; i < 1100; i += 32) s[i] = 0;
    __syncthreads();
    o[t] = s[33 * t];  // count: shared_load.requests == 1, shared_load.wavefronts == 1, shared_load.bank_conflicts == 0
}

// rule: Lanes that read different words of one bank wait for each other
// launch: 1, 32, [zeros(4096)]
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    __shared__ float s[1100];
    for (int i = t; i < 1100; i += 32) s[i] = 0;
    __syncthreads();
    o[t] = s[t / 2];  // count: shared_load.requests == 1, shared_load.wavefronts == 1, shared_load.bank_conflicts == 0
}

// rule: Lanes that read different words of one bank wait for each other
// launch: 1, 32, [zeros(4096)]
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    __shared__ float s[1100];
    for (int i = t; i < 1100; i += 32) s[i] = 0;
    __syncthreads();
    o[t] = s[0];  // count: shared_load.requests == 1, shared_load.wavefronts == 1, shared_load.bank_conflicts == 0
}

// rule: Lanes that read different words of one bank wait for each other
// launch: 1, 32, [zeros(4096)]
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    __shared__ float s[1100];
    for (int i = t; i < 1100; i += 32) s[i] = 0;
    __syncthreads();
    o[t] = s[t % 2 * 32];  // count: shared_load.requests == 1, shared_load.wavefronts == 2, shared_load.bank_conflicts == 1
}

// rule: Lanes that read different words of one bank wait for each other
// launch: 1, 32, [zeros(4096)]
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    __shared__ float s[1100];
    for (int i = t; i < 1100; i += 32) s[i] = 0;
    __syncthreads();
    o[t] = s[16 * t];  // count: shared_load.requests == 1, shared_load.wavefronts == 16, shared_load.bank_conflicts == 15
}

// rule: Lanes that read different words of one bank wait for each other
// launch: 1, 32, [zeros(4096)]
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    __shared__ float s[1100];
    for (int i = t; i < 1100; i += 32) s[i] = 0;
    __syncthreads();
    o[t] = s[31 - t];  // count: shared_load.requests == 1, shared_load.wavefronts == 1, shared_load.bank_conflicts == 0
}

// rule: Lanes that read different words of one bank wait for each other
// launch: 1, 32, [zeros(4096)]
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    __shared__ float s[1100];
    for (int i = t; i < 1100; i += 32) s[i] = 0;
    __syncthreads();
    o[t] = s[t * 3 % 32];  // count: shared_load.requests == 1, shared_load.wavefronts == 1, shared_load.bank_conflicts == 0
}

// rule: Lanes that read different words of one bank wait for each other
// launch: 1, 32, [zeros(4096)]
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    __shared__ float s[1100];
    for (int i = t; i < 1100; i += 32) s[i] = 0;
    __syncthreads();
    o[t] = s[64 - 2 * t];  // count: shared_load.requests == 1, shared_load.wavefronts == 2, shared_load.bank_conflicts == 1
}

// rule: Lanes that read different words of one bank wait for each other
// launch: 1, 32, [zeros(4096)]
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    __shared__ float s[1100];
    for (int i = t; i < 1100; i += 32) s[i] = 0;
    __syncthreads();
    o[t] = s[1023 - 32 * t];  // count: shared_load.requests == 1, shared_load.wavefronts == 32, shared_load.bank_conflicts == 31
}

// rule: A wide access of shared memory is served half a warp or a quarter at a time
// launch: 1, 32, [zeros(4096)]
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    __shared__ float2 s[64];
    float2 zero = {};
    s[t] = zero;
    s[t + 32] = zero;
    __syncthreads();
    float2 v = s[t];  // count: shared_load.requests == 1, shared_load.wavefronts == 2, shared_load.bank_conflicts == 0
    ((float2*)o)[t] = v;
}

// rule: A wide access of shared memory is served half a warp or a quarter at a time
// launch: 1, 32, [zeros(4096)]
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    __shared__ float4 s[64];
    float4 zero = {};
    s[t] = zero;
    s[t + 32] = zero;
    __syncthreads();
    float4 v = s[t];  // count: shared_load.requests == 1, shared_load.wavefronts == 4, shared_load.bank_conflicts == 0
    ((float4*)o)[t] = v;
}

// rule: A wide access of shared memory is served half a warp or a quarter at a time
// launch: 1, 32, [zeros(4096)]
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    __shared__ double s[64];
    double zero = {};
    s[t] = zero;
    s[t + 32] = zero;
    __syncthreads();
    double v = s[t];  // count: shared_load.requests == 1, shared_load.wavefronts == 2, shared_load.bank_conflicts == 0
    ((double*)o)[t] = v;
}

// rule: A wide access of shared memory is served half a warp or a quarter at a time
// launch: 1, 32, [zeros(4096)]
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    __shared__ float2 s[64];
    float2 zero = {};
    s[t] = zero;
    s[t + 32] = zero;
    __syncthreads();
    float2 v = s[2 * t];  // count: shared_load.requests == 1, shared_load.wavefronts == 4, shared_load.bank_conflicts == 2
    ((float2*)o)[t] = v;
}

// rule: A wide access of shared memory is served half a warp or a quarter at a time
// launch: 1, 32, [zeros(4096)]
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    __shared__ float4 s[64];
    float4 zero = {};
    s[t] = zero;
    s[t + 32] = zero;
    __syncthreads();
    float4 v = s[t / 16 * 4];  // count: shared_load.requests == 1, shared_load.wavefronts == 2, shared_load.bank_conflicts == 0
    ((float4*)o)[t] = v;
}

// rule: A wide access of shared memory is served half a warp or a quarter at a time
// launch: 1, 32, [zeros(4096)]
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    __shared__ float2 s[64];
    float2 zero = {};
    s[t] = zero;
    s[t + 32] = zero;
    __syncthreads();
    float2 v = s[t / 2];  // count: shared_load.requests == 1, shared_load.wavefronts == 1, shared_load.bank_conflicts == 0
    ((float2*)o)[t] = v;
}

// rule: A wide access of shared memory is served half a warp or a quarter at a time
// launch: 1, 32, [zeros(4096)]
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    __shared__ float4 s[64];
    float4 zero = {};
    s[t] = zero;
    s[t + 32] = zero;
    __syncthreads();
    float4 v = s[2 * t];  // count: shared_load.requests == 1, shared_load.wavefronts == 8, shared_load.bank_conflicts == 4
    ((float4*)o)[t] = v;
}

// rule: A wide access of shared memory is served half a warp or a quarter at a time
// launch: 1, 32, [zeros(4096)]
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    __shared__ float2 s[64];
    float2 zero = {};
    s[t] = zero;
    s[t + 32] = zero;
    __syncthreads();
    float2 v = s[t / 4 * 2 + t % 2];  // count: shared_load.requests == 1, shared_load.wavefronts == 1, shared_load.bank_conflicts == 0
    ((float2*)o)[t] = v;
}

// rule: A wide access of shared memory is served half a warp or a quarter at a time
// launch: 1, 32, [zeros(4096)]
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    __shared__ double s[64];
    double zero = {};
    s[t] = zero;
    s[t + 32] = zero;
    __syncthreads();
    double v = s[31 - t];  // count: shared_load.requests == 1, shared_load.wavefronts == 2, shared_load.bank_conflicts == 0
    ((double*)o)[t] = v;
}

// rule: A wide access of shared memory is served half a warp or a quarter at a time
// launch: 1, 32, [zeros(4096)]
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    __shared__ float2 s[64];
    float2 zero = {};
    s[t] = zero;
    s[t + 32] = zero;
    __syncthreads();
    float2 v = s[62 - 2 * t];  // count: shared_load.requests == 1, shared_load.wavefronts == 4, shared_load.bank_conflicts == 2
    ((float2*)o)[t] = v;
}

// rule: A wide access of shared memory is served half a warp or a quarter at a time
// launch: 1, 32, [zeros(4096)]
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    __shared__ float4 s[64];
    float4 zero = {};
    s[t] = zero;
    s[t + 32] = zero;
    __syncthreads();
    float4 v = s[63 - t];  // count: shared_load.requests == 1, shared_load.wavefronts == 4, shared_load.bank_conflicts == 0
    ((float4*)o)[t] = v;
}

// rule: Padding removes the bank conflicts of a transpose
// launch: 1, (32, 32), [zeros(4096)]
// expect: profile.shared_load.wavefronts == 1024
// expect: profile.shared_load.bank_conflicts == 992
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    __shared__ float s[32][32];
    int y = threadIdx.y;
    s[y][t] = 1;
    __syncthreads();
    o[y * 32 + t] = s[t][y];
}

// rule: Padding removes the bank conflicts of a transpose
// launch: 1, (32, 32), [zeros(4096)]
// expect: profile.shared_load.wavefronts == 32
// expect: profile.shared_load.bank_conflicts == 0
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    __shared__ float s[32][33];
    int y = threadIdx.y;
    s[y][t] = 1;
    __syncthreads();
    o[y * 32 + t] = s[t][y];
}

// rule: A block's last warp may have fewer lanes
// launch: 2, 40, [zeros(4096)]
// expect: profile.global_store.requests == 4
// expect: profile.global_store.sectors == 10
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    o[blockIdx.x * 40 + t] = 1;
}

// rule: A branch that divides a warp is divergent, and each lane's operations count
// launch: 1, 32, [zeros(4096)]
// expect: profile.divergent_branches == 1
// expect: profile.flops == 96
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    float v = t;
    if (t % 2)
        v = v * 2.0f + 1.0f;
    else
        v = fmaf(v, v, v);
    o[t] = sqrtf(v);
}

// rule: Local arrays are not global memory
// launch: 1, 32, [zeros(4096)]
// expect: profile.global_load.requests == 0
// expect: profile.global_store.requests == 1
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    float a[4] = {0};
    a[t % 4] = t;
    o[t] = a[t % 3];
}

// rule: Atomics are counted by request and by lane
// launch: 1, 64, [zeros(4096)]
// expect: profile.shared_atomic.requests == 2
// expect: profile.global_atomic.requests == 2
// expect: profile.atomics == 4
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    __shared__ int n;
    if (t == 0) n = 0;
    __syncthreads();
    atomicAdd(&n, 1);
    atomicAdd(o, 1.0f);
}

// rule: A load, a store, an operation, a conversion, a branch and a call are one instruction each
// launch: 1, 32, [zeros(4096)]
// expect: profile.instructions == 1
// expect: profile.flops == 0
#include <cuda_fp16.h>
__device__ int f(int n) { return n; }
__device__ void nothing() {}
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    o[0] = 1;
}

// rule: A load, a store, an operation, a conversion, a branch and a call are one instruction each
// launch: 1, 32, [zeros(4096)]
// expect: profile.instructions == 2
// expect: profile.flops == 0
#include <cuda_fp16.h>
__device__ int f(int n) { return n; }
__device__ void nothing() {}
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    o[t] = t;
}

// rule: A load, a store, an operation, a conversion, a branch and a call are one instruction each
// launch: 1, 32, [zeros(4096)]
// expect: profile.instructions == 2
// expect: profile.flops == 0
#include <cuda_fp16.h>
__device__ int f(int n) { return n; }
__device__ void nothing() {}
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    o[t] = (unsigned)t;
}

// rule: A load, a store, an operation, a conversion, a branch and a call are one instruction each
// launch: 1, 32, [zeros(4096)]
// expect: profile.instructions == 4
// expect: profile.flops == 0
#include <cuda_fp16.h>
__device__ int f(int n) { return n; }
__device__ void nothing() {}
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    o[t] = (int)o[t];
}

// rule: A load, a store, an operation, a conversion, a branch and a call are one instruction each
// launch: 1, 32, [zeros(4096)]
// expect: profile.instructions == 5
// expect: profile.flops == 0
#include <cuda_fp16.h>
__device__ int f(int n) { return n; }
__device__ void nothing() {}
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    o[t] = -(int)o[t];
}

// rule: A load, a store, an operation, a conversion, a branch and a call are one instruction each
// launch: 1, 32, [zeros(4096)]
// expect: profile.instructions == 5
// expect: profile.flops == 0
#include <cuda_fp16.h>
__device__ int f(int n) { return n; }
__device__ void nothing() {}
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    o[t] = ~(int)o[t];
}

// rule: A load, a store, an operation, a conversion, a branch and a call are one instruction each
// launch: 1, 32, [zeros(4096)]
// expect: profile.instructions == 5
// expect: profile.flops == 0
#include <cuda_fp16.h>
__device__ int f(int n) { return n; }
__device__ void nothing() {}
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    o[t] = !(int)o[t];
}

// rule: A load, a store, an operation, a conversion, a branch and a call are one instruction each
// launch: 1, 32, [zeros(4096)]
// expect: profile.instructions == 3
// expect: profile.flops == 0
#include <cuda_fp16.h>
__device__ int f(int n) { return n; }
__device__ void nothing() {}
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    o[t] = t / 3;
}

// rule: A load, a store, an operation, a conversion, a branch and a call are one instruction each
// launch: 1, 32, [zeros(4096)]
// expect: profile.instructions == 3
// expect: profile.flops == 32
#include <cuda_fp16.h>
__device__ int f(int n) { return n; }
__device__ void nothing() {}
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    o[t] = t * 2.0f;
}

// rule: A load, a store, an operation, a conversion, a branch and a call are one instruction each
// launch: 1, 32, [zeros(4096)]
// expect: profile.instructions == 4
// expect: profile.flops == 32
#include <cuda_fp16.h>
__device__ int f(int n) { return n; }
__device__ void nothing() {}
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    o[t] = (double)t / 3;
}

// rule: A load, a store, an operation, a conversion, a branch and a call are one instruction each
// launch: 1, 32, [zeros(4096)]
// expect: profile.instructions == 3
// expect: profile.flops == 0
#include <cuda_fp16.h>
__device__ int f(int n) { return n; }
__device__ void nothing() {}
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    o[t] = t < 3;
}

// rule: A load, a store, an operation, a conversion, a branch and a call are one instruction each
// launch: 1, 32, [zeros(4096)]
// expect: profile.instructions == 3
// expect: profile.flops == 0
#include <cuda_fp16.h>
__device__ int f(int n) { return n; }
__device__ void nothing() {}
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    t++;
    o[t] = t;
}

// rule: A load, a store, an operation, a conversion, a branch and a call are one instruction each
// launch: 1, 32, [zeros(4096)]
// expect: profile.instructions == 5
// expect: profile.flops == 0
#include <cuda_fp16.h>
__device__ int f(int n) { return n; }
__device__ void nothing() {}
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    o[t] = t < 3 && t > 1;
}

// rule: A load, a store, an operation, a conversion, a branch and a call are one instruction each
// launch: 1, 32, [zeros(4096)]
// expect: profile.instructions == 5
// expect: profile.flops == 0
#include <cuda_fp16.h>
__device__ int f(int n) { return n; }
__device__ void nothing() {}
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    o[t] = t < 3 && o[t] > 1;
}

// rule: A load, a store, an operation, a conversion, a branch and a call are one instruction each
// launch: 1, 32, [zeros(4096)]
// expect: profile.instructions == 4
// expect: profile.flops == 0
#include <cuda_fp16.h>
__device__ int f(int n) { return n; }
__device__ void nothing() {}
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    o[t] = t < 3 ? t : 2;
}

// rule: A load, a store, an operation, a conversion, a branch and a call are one instruction each
// launch: 1, 32, [zeros(4096)]
// expect: profile.instructions == 4
// expect: profile.flops == 0
#include <cuda_fp16.h>
__device__ int f(int n) { return n; }
__device__ void nothing() {}
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    o[t] = t < 3 ? o[t] : 2;
}

// rule: A load, a store, an operation, a conversion, a branch and a call are one instruction each
// launch: 1, 32, [zeros(4096)]
// expect: profile.instructions == 4
// expect: profile.flops == 0
#include <cuda_fp16.h>
__device__ int f(int n) { return n; }
__device__ void nothing() {}
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    if (t < 40) o[t] = t;
}

// rule: A load, a store, an operation, a conversion, a branch and a call are one instruction each
// launch: 1, 32, [zeros(4096)]
// expect: profile.instructions == 3
// expect: profile.flops == 0
#include <cuda_fp16.h>
__device__ int f(int n) { return n; }
__device__ void nothing() {}
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    switch (t) {
    default:
        o[t] = t;
    }
}

// rule: A load, a store, an operation, a conversion, a branch and a call are one instruction each
// launch: 1, 32, [zeros(4096)]
// expect: profile.instructions == 10
// expect: profile.flops == 0
#include <cuda_fp16.h>
__device__ int f(int n) { return n; }
__device__ void nothing() {}
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    for (int i = 0; i < 2; i++) o[0] = 1;
}

// rule: A load, a store, an operation, a conversion, a branch and a call are one instruction each
// launch: 1, 32, [zeros(4096)]
// expect: profile.instructions == 14
// expect: profile.flops == 0
#include <cuda_fp16.h>
__device__ int f(int n) { return n; }
__device__ void nothing() {}
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    for (int i = 0; i < 2; i++) o[(t + i) * 2] = 1;
}

// rule: A load, a store, an operation, a conversion, a branch and a call are one instruction each
// launch: 1, 32, [zeros(4096)]
// expect: profile.instructions == 3
// expect: profile.flops == 0
#include <cuda_fp16.h>
__device__ int f(int n) { return n; }
__device__ void nothing() {}
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    o[t] = f(t);
}

// rule: A load, a store, an operation, a conversion, a branch and a call are one instruction each
// launch: 1, 32, [zeros(4096)]
// expect: profile.instructions == 3
// expect: profile.flops == 0
#include <cuda_fp16.h>
__device__ int f(int n) { return n; }
__device__ void nothing() {}
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    nothing();
    o[t] = t;
}

// rule: A load, a store, an operation, a conversion, a branch and a call are one instruction each
// launch: 1, 32, [zeros(4096)]
// expect: profile.instructions == 3
// expect: profile.flops == 32
#include <cuda_fp16.h>
__device__ int f(int n) { return n; }
__device__ void nothing() {}
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    o[t] = sqrtf(t);
}

// rule: A load, a store, an operation, a conversion, a branch and a call are one instruction each
// launch: 1, 32, [zeros(4096)]
// expect: profile.instructions == 3
// expect: profile.flops == 0
#include <cuda_fp16.h>
__device__ int f(int n) { return n; }
__device__ void nothing() {}
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    o[t] = min(t, 3);
}

// rule: A load, a store, an operation, a conversion, a branch and a call are one instruction each
// launch: 1, 32, [zeros(4096)]
// expect: profile.instructions == 8
// expect: profile.flops == 96
#include <cuda_fp16.h>
__device__ int f(int n) { return n; }
__device__ void nothing() {}
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    float s, c;
    sincosf(o[t], &s, &c);
    o[t] = s + c;
}

// rule: A load, a store, an operation, a conversion, a branch and a call are one instruction each
// launch: 1, 32, [zeros(4096)]
// expect: profile.instructions == 1
// expect: profile.flops == 0
#include <cuda_fp16.h>
__device__ int f(int n) { return n; }
__device__ void nothing() {}
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    atomicAdd(o, 1.0f);
}

// rule: A load, a store, an operation, a conversion, a branch and a call are one instruction each
// launch: 1, 32, [zeros(4096)]
// expect: profile.instructions == 3
// expect: profile.flops == 0
#include <cuda_fp16.h>
__device__ int f(int n) { return n; }
__device__ void nothing() {}
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    o[t] = __shfl_xor_sync(~0u, t, 1);
}

// rule: A load, a store, an operation, a conversion, a branch and a call are one instruction each
// launch: 1, 32, [zeros(4096)]
// expect: profile.instructions == 3
// expect: profile.flops == 0
#include <cuda_fp16.h>
__device__ int f(int n) { return n; }
__device__ void nothing() {}
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    __syncthreads();
    o[t] = t;
}

// rule: A load, a store, an operation, a conversion, a branch and a call are one instruction each
// launch: 1, 32, [zeros(4096)]
// expect: profile.instructions == 2
// expect: profile.flops == 0
#include <cuda_fp16.h>
__device__ int f(int n) { return n; }
__device__ void nothing() {}
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    o[t] = __ldg(o + t);
}

// rule: A load, a store, an operation, a conversion, a branch and a call are one instruction each
// launch: 1, 32, [zeros(4096)]
// expect: profile.instructions == 2
// expect: profile.flops == 0
#include <cuda_fp16.h>
__device__ int f(int n) { return n; }
__device__ void nothing() {}
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    o[t + 1] = 1;
}

// rule: A load, a store, an operation, a conversion, a branch and a call are one instruction each
// launch: 1, 32, [zeros(4096)]
// expect: profile.instructions == 3
// expect: profile.flops == 0
#include <cuda_fp16.h>
__device__ int f(int n) { return n; }
__device__ void nothing() {}
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    o[(t + 1) * 2] = 1;
}

// rule: A load, a store, an operation, a conversion, a branch and a call are one instruction each
// launch: 1, 32, [zeros(4096)]
// expect: profile.instructions == 11
// expect: profile.flops == 0
#include <cuda_fp16.h>
__device__ int f(int n) { return n; }
__device__ void nothing() {}
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    memcpy(o + 4 * t, o + 4 * t + 256, 16);
}

// rule: A load, a store, an operation, a conversion, a branch and a call are one instruction each
// launch: 1, 32, [zeros(4096)]
// expect: profile.instructions == 3
// expect: profile.flops == 32
#include <cuda_fp16.h>
__device__ int f(int n) { return n; }
__device__ void nothing() {}
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    float2 v = {o[t], 1};
    o[t] = v.x + v.y;
}

// rule: A load, a store, an operation, a conversion, a branch and a call are one instruction each
// launch: 1, 32, [zeros(4096)]
// expect: profile.instructions == 4
// expect: profile.flops == 0
#include <cuda_fp16.h>
__device__ int f(int n) { return n; }
__device__ void nothing() {}
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    int a[2];
    a[0] = t;
    o[t] = a[0];
}

// rule: A load, a store, an operation, a conversion, a branch and a call are one instruction each
// launch: 1, 32, [zeros(4096)]
// expect: profile.instructions == 5
// expect: profile.flops == 0
#include <cuda_fp16.h>
__device__ int f(int n) { return n; }
__device__ void nothing() {}
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    __half h = __float2half(o[t]);
    o[t] = -h;
}

// rule: A load, a store, an operation, a conversion, a branch and a call are one instruction each
// launch: 1, 32, [zeros(4096)]
// expect: profile.instructions == 4
// expect: profile.flops == 32
#include <cuda_fp16.h>
__device__ int f(int n) { return n; }
__device__ void nothing() {}
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    __half h = __int2half_rn(t);
    o[t] = h * h;
}

// rule: A load, a store, an operation, a conversion, a branch and a call are one instruction each
// launch: 1, 32, [zeros(4096)]
// expect: profile.instructions == 5
// expect: profile.flops == 64
#include <cuda_fp16.h>
__device__ int f(int n) { return n; }
__device__ void nothing() {}
extern "C" __global__ void k(float* o)
{
    int t = threadIdx.x;
    __half2 h = __float2half2_rn(o[t]);
    h = h + h;
    o[t] = h.x;
}

// rule: A half has two bytes, and an operation of a pair is two
// launch: 1, 32, [ones(32, float16), ones((32, 2), float16), zeros(32)]
// expect: profile.global_load.sectors == 8
// expect: profile.global_store.sectors == 8
// expect: profile.flops == 64
#include <cuda_fp16.h>
#include <cuda_bf16.h>
extern "C" __global__ void k(const half* a, half2* b, float* c)
{
    int i = threadIdx.x;
    b[i] = __hmul2(b[i], __half2half2(a[i]));
    c[i] = a[i];
}

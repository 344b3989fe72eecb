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

// rule: A tiled matrix product loads less than a plain one
// launch: (8, 8), (16, 16), [ones((128, 128)), ones((128, 128)), zeros((128, 128)), 128]
// expect: (profile.global_load.requests, profile.global_load.sectors) == (131_072, 262_144)
// expect: (profile.global_store.requests, profile.global_store.sectors) == (512, 2048)
// expect: (profile.flops, profile.active_lanes, profile.divergent_branches) == (2 * 128**3, 32, 0)
// launch: (8, 8), (16, 16), [ones((128, 128)), ones((128, 128)), zeros((128, 128)), 128], kernel="tiled"
// expect: (profile.global_load.requests, profile.global_load.sectors) == (8192, 32_768)
// expect: (profile.shared_load.requests, profile.shared_load.bank_conflicts) == (131_072, 0)
// expect: [line.shared_load.requests for line in profile.lines.values() if line.shared_load.requests] == [131_072]
// expect: [line.shared_store.requests for line in profile.lines.values() if line.shared_store.requests] == [4096] * 2
// expect: profile.bytes_moved == 32 * (32_768 + 2048)
// expect: profile.arithmetic_intensity == 2 * 128**3 / profile.bytes_moved
#define TILE 16
extern "C" __global__ void naive(const float* A, const float* B, float* C, int n)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < n; k++) sum += A[row * n + k] * B[k * n + col];
    C[row * n + col] = sum;
}
extern "C" __global__ void tiled(const float* A, const float* B, float* C, int n)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float sum = 0.0f;
    for (int t = 0; t < n / TILE; t++) {
        As[ty][tx] = A[row * n + t * TILE + tx];
        Bs[ty][tx] = B[(t * TILE + ty) * n + col];
        __syncthreads();
        for (int k = 0; k < TILE; k++) sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    C[row * n + col] = sum;
}

// rule: A sample of the blocks is counted, and leaves the arrays as they are
// launch: 100, 64, [zeros(6400)], max_blocks=10
// expect: (profile.global_store.requests, profile.blocks_sampled, profile.blocks_total) == (20, 10, 100)
// expect: flatnonzero(profile.touched("o")[1]) == (11 * arange(10)[:, None] * 64 + arange(64)).ravel()
// expect: "10 of 100 blocks" in str(profile) and "10 of 100 blocks" in profile._repr_html_()
// expect: o == 0
extern "C" __global__ void k(float* o) { o[blockIdx.x * 64 + threadIdx.x] = 1; }

// rule: A sample leaves what it adds to, and what it stores as vectors, as it was
// launch: 100, 64, [arange(25600), zeros(1, int32)], max_blocks=10
// expect: o == arange(25600)
// expect: n == 0
extern "C" __global__ void k(float4* o, int* n)
{
    o[blockIdx.x * 64 + threadIdx.x] = make_float4(7, 7, 7, 7);
    atomicAdd(n, 1);
}

// rule: Accesses are kept by lane, and counted by element
// launch: 1, 64, [zeros(128), zeros(128)]
// expect: [a.index for a in profile.accesses(14, warp=1) if a.name == "x"] == list(range(64, 128, 2))
// expect: [a.lane for a in profile.accesses(14, warp=1) if a.name == "x"] == list(range(32))
// expect: [(a.sector, a.address) for a in profile.accesses(14, warp=1) if a.name == "x"][4] == (9, 288)
// expect: [a.bank for a in profile.accesses(14, warp=1) if a.name == "s"] == list(range(32))
// expect: profile.touched("x")[0] == tile([1, 0], 64)
// expect: profile.touched("x")[1] == 0
// expect: profile.touched("o")[1] == where(arange(128) < 64, 2 * (arange(128) % 2 == 0), 0)
extern "C" __global__ void k(const float* x, float* o)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[2 * t];
    o[t / 2 * 2] = s[t];
}

// rule: Accesses are kept of a later block whose last warp is not full
// launch: 3, 40, [zeros(120), zeros(120)]
// expect: [a.index for a in profile.accesses(8, warp=0, block=2) if a.name == "x"] == list(range(80, 112))
// expect: [a.index for a in profile.accesses(8, warp=1, block=2) if a.name == "x"] == list(range(112, 120))
extern "C" __global__ void k(const float* x, float* o)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    o[i] = x[i];
}

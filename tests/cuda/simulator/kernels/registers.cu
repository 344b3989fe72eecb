// rule: A compiler keeps a value in a register until something may change it
// launch: 1, 32, [ones(512), ones(512), ones(512), 8]
// expect: profile.global_load.requests == 2
// expect: profile.as_compiled.global_load.requests == 2
extern "C" __global__ void k(float* a, float* b, float* c, int n)
{
    int t = threadIdx.x;
    float first = a[t];
    a[t + 32 * n + 1] = 2;  // a compiler knows nothing of n
    b[t] = first + a[t];
}

// rule: A compiler keeps a value in a register until something may change it
// launch: 1, 32, [ones(512), ones(512), ones(512), 8]
// expect: profile.global_load.requests == 2
// expect: profile.as_compiled.global_load.requests == 1
// expect: profile.global_store.requests == 1
// expect: profile.as_compiled.global_store.requests == 1
extern "C" __global__ void k(float* a, float* b, float* c, int n)
{
    int t = threadIdx.x;
    c[t] = a[t] * a[t];
}

// rule: A compiler keeps a value in a register until something may change it
// launch: 1, 32, [ones(512), ones(512), ones(512), 8]
// expect: profile.global_load.requests == 2
// expect: profile.as_compiled.global_load.requests == 2
// expect: profile.global_store.requests == 2
// expect: profile.as_compiled.global_store.requests == 2
extern "C" __global__ void k(float* a, float* b, float* c, int n)
{
    int t = threadIdx.x;
    c[t] = a[t];
    b[t] = a[t];
}

// rule: A compiler keeps a value in a register until something may change it
// launch: 1, 32, [ones(512), ones(512), ones(512), 8]
// expect: profile.global_load.requests == 2
// expect: profile.as_compiled.global_load.requests == 1
// expect: profile.global_store.requests == 2
// expect: profile.as_compiled.global_store.requests == 2
extern "C" __global__ void k(float* a, float* b, float* c, int n)
{
    int t = threadIdx.x;
    c[t] = a[t];
    b[t] = c[t];
}

// rule: A compiler keeps a value in a register until something may change it
// launch: 1, 32, [ones(512), ones(512), ones(512), 8]
// expect: profile.global_load.requests == 3
// expect: profile.as_compiled.global_load.requests == 1
// expect: profile.global_store.requests == 1
// expect: profile.as_compiled.global_store.requests == 1
extern "C" __global__ void k(float* a, float* b, float* c, int n)
{
    int t = threadIdx.x;
    int i = t + 1;
    c[t] = a[i] + a[1 + t] + a[t * 2 - t + 1];
}

// rule: A compiler keeps a value in a register until something may change it
// launch: 1, 32, [ones(512), ones(512), ones(512), 8]
// expect: profile.global_load.requests == 2
// expect: profile.as_compiled.global_load.requests == 2
// expect: profile.global_store.requests == 1
// expect: profile.as_compiled.global_store.requests == 1
extern "C" __global__ void k(float* a, float* b, float* c, int n)
{
    int t = threadIdx.x;
    int i = t;
    float x = a[i];
    i++;
    c[t] = x + a[i];
}

// rule: A compiler keeps a value in a register until something may change it
// launch: 1, 32, [ones(512), ones(512), ones(512), 8]
// expect: profile.global_load.requests == 2
// expect: profile.as_compiled.global_load.requests == 1
// expect: profile.global_store.requests == 1
// expect: profile.as_compiled.global_store.requests == 1
extern "C" __global__ void k(float* a, float* b, float* c, int n)
{
    int t = threadIdx.x;
    int i = t;
    i++;
    c[t] = a[i] + a[t + 1];
}

// rule: A compiler keeps a value in a register until something may change it
// launch: 1, 32, [ones(512), ones(512), ones(512), 8]
// expect: profile.global_load.requests == 2
// expect: profile.as_compiled.global_load.requests == 1
// expect: profile.global_store.requests == 1
// expect: profile.as_compiled.global_store.requests == 1
extern "C" __global__ void k(float* a, float* b, float* c, int n)
{
    int t = threadIdx.x;
    int i = t + 2;
    i -= 1;
    c[t] = a[i] + a[1 + t];
}

// rule: A compiler keeps a value in a register until something may change it
// launch: 1, 32, [ones(512), ones(512), ones(512), 8]
// expect: profile.global_load.requests == 2
// expect: profile.as_compiled.global_load.requests == 2
// expect: profile.global_store.requests == 1
// expect: profile.as_compiled.global_store.requests == 1
extern "C" __global__ void k(float* a, float* b, float* c, int n)
{
    int t = threadIdx.x;
    int i = t;
    i *= 2;
    c[t] = a[i] + a[t + 2];
}

// rule: A compiler keeps a value in a register until something may change it
// launch: 1, 32, [ones(512), ones(512), ones(512), 8]
// expect: profile.global_load.requests == 2
// expect: profile.as_compiled.global_load.requests == 1
// expect: profile.global_store.requests == 1
// expect: profile.as_compiled.global_store.requests == 1
extern "C" __global__ void k(float* a, float* b, float* c, int n)
{
    int t = threadIdx.x;
    int i = t << 2;
    c[t] = a[i] + a[4 * t];
}

// rule: A compiler keeps a value in a register until something may change it
// launch: 1, 32, [ones(512), ones(512), ones(512), 8]
// expect: profile.global_load.requests == 2
// expect: profile.as_compiled.global_load.requests == 2
// expect: profile.global_store.requests == 1
// expect: profile.as_compiled.global_store.requests == 1
extern "C" __global__ void k(float* a, float* b, float* c, int n)
{
    int t = threadIdx.x;
    c[t] = a[t << 2] + a[9 * t];
}

// rule: A compiler keeps a value in a register until something may change it
// launch: 1, 32, [ones(512), ones(512), ones(512), 8]
// expect: profile.global_load.requests == 2
// expect: profile.as_compiled.global_load.requests == 1
// expect: profile.global_store.requests == 1
// expect: profile.as_compiled.global_store.requests == 1
extern "C" __global__ void k(float* a, float* b, float* c, int n)
{
    int t = threadIdx.x;
    int i = -t;
    c[t] = a[t - i] + a[2 * t];
}

// rule: A compiler keeps a value in a register until something may change it
// launch: 1, 32, [ones(512), ones(512), ones(512), 8]
// expect: profile.global_load.requests == 2
// expect: profile.as_compiled.global_load.requests == 2
// expect: profile.global_store.requests == 1
// expect: profile.as_compiled.global_store.requests == 1
extern "C" __global__ void k(float* a, float* b, float* c, int n)
{
    int t = threadIdx.x;
    int i = ~t;
    c[t] = a[40 + i] + a[40 - t];
}

// rule: A compiler keeps a value in a register until something may change it
// launch: 1, 32, [ones(512), ones(512), ones(512), 8]
// expect: profile.global_load.requests == 2
// expect: profile.as_compiled.global_load.requests == 1
// expect: profile.global_store.requests == 1
// expect: profile.as_compiled.global_store.requests == 1
extern "C" __global__ void k(float* a, float* b, float* c, int n)
{
    int t = threadIdx.x;
    int i = t++;
    c[i] = a[t] + a[i + 1];
}

// rule: A compiler keeps a value in a register until something may change it
// launch: 1, 32, [ones(512), ones(512), ones(512), 8]
// expect: profile.global_load.requests == 3
// expect: profile.as_compiled.global_load.requests == 1
// expect: profile.global_store.requests == 1
// expect: profile.as_compiled.global_store.requests == 1
extern "C" __global__ void k(float* a, float* b, float* c, int n)
{
    int t = threadIdx.x;
    float* p = a + t;
    p += 2;
    c[t] = *p-- + p[1] + a[t + 2];
}

// rule: A compiler keeps a value in a register until something may change it
// launch: 1, 32, [ones(512), ones(512), ones(512), 8]
// expect: profile.global_load.requests == 2
// expect: profile.as_compiled.global_load.requests == 2
// expect: profile.global_store.requests == 1
// expect: profile.as_compiled.global_store.requests == 1
extern "C" __global__ void k(float* a, float* b, float* c, int n)
{
    int t = threadIdx.x;
    float x = a[t];
    __syncthreads();
    c[t] = x + a[t];
}

// rule: A compiler keeps a value in a register until something may change it
// launch: 1, 32, [ones(512), ones(512), ones(512), 8]
// expect: profile.global_load.requests == 2
// expect: profile.as_compiled.global_load.requests == 2
// expect: profile.global_store.requests == 1
// expect: profile.as_compiled.global_store.requests == 1
extern "C" __global__ void k(float* a, float* b, float* c, int n)
{
    int t = threadIdx.x;
    float x = a[t];
    __threadfence();
    c[t] = x + a[t];
}

// rule: A compiler keeps a value in a register until something may change it
// launch: 1, 32, [ones(512), ones(512), ones(512), 8]
// expect: profile.global_load.requests == 2
// expect: profile.as_compiled.global_load.requests == 1
// expect: profile.global_store.requests == 1
// expect: profile.as_compiled.global_store.requests == 1
extern "C" __global__ void k(float* a, float* b, float* c, int n)
{
    int t = threadIdx.x;
    float x = a[t];
    x += __shfl_xor_sync(0xffffffff, x, 1);
    c[t] = x + a[t];
}

// rule: A compiler keeps a value in a register until something may change it
// launch: 1, 32, [ones(512), ones(512), ones(512), 8]
// expect: profile.global_load.requests == 2
// expect: profile.as_compiled.global_load.requests == 2
// expect: profile.global_store.requests == 1
// expect: profile.as_compiled.global_store.requests == 1
extern "C" __global__ void k(float* a, float* b, float* c, int n)
{
    int t = threadIdx.x;
    float x = a[t];
    atomicAdd(b, x);
    c[t] = x + a[t];
}

// rule: A compiler keeps a value in a register until something may change it
// launch: 1, 32, [ones(512), ones(512), ones(512), 8]
// expect: profile.global_load.requests == 3
// expect: profile.as_compiled.global_load.requests == 1
// expect: profile.global_store.requests == 1
// expect: profile.as_compiled.global_store.requests == 1
extern "C" __global__ void k(float* a, float* b, float* c, int n)
{
    int t = threadIdx.x;
    if (a[t] > 0 && a[t] < 9) c[t] = a[t];
}

// rule: A compiler keeps a value in a register until something may change it
// launch: 1, 32, [ones(512), ones(512), ones(512), 8]
// expect: profile.global_load.requests == 2
// expect: profile.as_compiled.global_load.requests == 2
// expect: profile.global_store.requests == 1
// expect: profile.as_compiled.global_store.requests == 1
extern "C" __global__ void k(float* a, float* b, float* c, int n)
{
    int t = threadIdx.x;
    float x = 0;
    if (t < n) x = a[t];
    c[t] = x + a[t];
}

// rule: A compiler keeps a value in a register until something may change it
// launch: 1, 32, [ones(512), ones(512), ones(512), 8]
// expect: profile.global_load.requests == 2
// expect: profile.as_compiled.global_load.requests == 1
// expect: profile.global_store.requests == 2
// expect: profile.as_compiled.global_store.requests == 2
extern "C" __global__ void k(float* a, float* b, float* c, int n)
{
    int t = threadIdx.x;
    if (t % 2)
        c[t] = a[t];
    else
        c[t] = 2 * a[t];
}

// rule: A compiler keeps a value in a register until something may change it
// launch: 1, 32, [ones(512), ones(512), ones(512), 8]
// expect: profile.global_load.requests == 2
// expect: profile.as_compiled.global_load.requests == 1
// expect: profile.global_store.requests == 1
// expect: profile.as_compiled.global_store.requests == 1
extern "C" __global__ void k(float* a, float* b, float* c, int n)
{
    int t = threadIdx.x;
    if (t >= n) return;
    float x = a[t];
    c[t] = x + a[t];
}

// rule: A compiler keeps a value in a register until something may change it
// launch: 1, 32, [ones(512), ones(512), ones(512), 8]
// expect: profile.global_load.requests == 16
// expect: profile.as_compiled.global_load.requests == 9
// expect: profile.global_store.requests == 1
// expect: profile.as_compiled.global_store.requests == 1
extern "C" __global__ void k(float* a, float* b, float* c, int n)
{
    int t = threadIdx.x;
    float x = 0;
    for (int k = 0; k < n; k++) x += a[t] * b[k];
    c[t] = x;
}

// rule: A compiler keeps a value in a register until something may change it
// launch: 1, 32, [ones(512), ones(512), ones(512), 8]
// expect: profile.global_load.requests == 7
// expect: profile.as_compiled.global_load.requests == 7
// expect: profile.global_store.requests == 1
// expect: profile.as_compiled.global_store.requests == 1
extern "C" __global__ void k(float* a, float* b, float* c, int n)
{
    int t = threadIdx.x;
    float x = 0;
    for (int k = 0; k < n; k++)
        if (k > t) x += a[t];
    c[t] = x;
}

// rule: A compiler keeps a value in a register until something may change it
// launch: 1, 32, [ones(512), ones(512), ones(512), 8]
// expect: profile.global_load.requests == 24
// expect: profile.as_compiled.global_load.requests == 3
// expect: profile.global_store.requests == 1
// expect: profile.as_compiled.global_store.requests == 1
extern "C" __global__ void k(float* a, float* b, float* c, int n)
{
    int t = threadIdx.x;
    float x = 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < n; k++) x += a[t];
    c[t] = x;
}

// rule: A compiler keeps a value in a register until something may change it
// launch: 1, 32, [ones(512), ones(512), ones(512), 8]
// expect: profile.global_load.requests == 24
// expect: profile.as_compiled.global_load.requests == 17
// expect: profile.global_store.requests == 8
// expect: profile.as_compiled.global_store.requests == 8
extern "C" __global__ void k(float* a, float* b, float* c, int n)
{
    int t = threadIdx.x;
    for (int k = 0; k < 8; k++) c[t] += a[t * 8 + k] * b[k];
}

// rule: A compiler keeps a value in a register until something may change it
// launch: 1, 32, [ones(512), ones(512), ones(512), 8]
// expect: profile.global_load.requests == 2
// expect: profile.as_compiled.global_load.requests == 1
// expect: profile.global_store.requests == 1
// expect: profile.as_compiled.global_store.requests == 1
extern "C" __global__ void k(float* a, float* b, float* c, int n)
{
    int t = threadIdx.x;
    c[t] = a[min(t, 5)] + a[min(t, 5)];
}

// rule: A compiler keeps a value in a register until something may change it
// launch: 1, 32, [ones(512), ones(512), ones(512), 8]
// expect: profile.global_load.requests == 2
// expect: profile.as_compiled.global_load.requests == 1
// expect: profile.global_store.requests == 2
// expect: profile.as_compiled.global_store.requests == 2
extern "C" __global__ void k(float* a, float* b, float* c, int n)
{
    int t = threadIdx.x;
    float x;
    x = (c[t] = a[t], 2.0f);
    b[t] = x * c[t];
}

// rule: A compiler keeps a value in a register until something may change it
// launch: 1, 32, [ones(512), ones(512), ones(512), 8]
// expect: profile.global_load.requests == 2
// expect: profile.as_compiled.global_load.requests == 1
// expect: profile.global_store.requests == 1
// expect: profile.as_compiled.global_store.requests == 1
extern "C" __global__ void k(float* a, float* b, float* c, int n)
{
    int t = threadIdx.x;
    float2* v = (float2*)a;
    c[t] = v[t].x + v[t].y;
}

// rule: A compiler keeps a value in a register until something may change it
// launch: 1, 32, [ones(512), ones(512), ones(512), 8]
// expect: profile.global_load.requests == 2
// expect: profile.as_compiled.global_load.requests == 2
// expect: profile.global_store.requests == 1
// expect: profile.as_compiled.global_store.requests == 1
extern "C" __global__ void k(float* a, float* b, float* c, int n)
{
    int t = threadIdx.x;
    float3* v = (float3*)a;
    c[t] = v[t].x + v[t].y;
}

// rule: A compiler keeps a value in a register until something may change it
// launch: 1, 32, [ones(512), ones(512), ones(512), 8]
// expect: profile.global_load.requests == 1
// expect: profile.as_compiled.global_load.requests == 1
// expect: profile.global_store.requests == 3
// expect: profile.as_compiled.global_store.requests == 2
extern "C" __global__ void k(float* a, float* b, float* c, int n)
{
    int t = threadIdx.x;
    c[t] = 1;
    c[t] = a[t];
    c[t] = 2;
}

// rule: A compiler keeps a value in a register until something may change it
// launch: 1, 32, [ones(512), ones(512), ones(512), 8]
// expect: profile.global_load.requests == 0
// expect: profile.as_compiled.global_load.requests == 0
// expect: profile.global_store.requests == 2
// expect: profile.as_compiled.global_store.requests == 1
extern "C" __global__ void k(float* a, float* b, float* c, int n)
{
    int t = threadIdx.x;
    c[t] = 1;
    float x = 2;
    c[t] = x + n;
}

// rule: A compiler keeps a value in a register until something may change it
// launch: 1, 32, [ones(512), ones(512), ones(512), 8]
// expect: profile.global_load.requests == 0
// expect: profile.as_compiled.global_load.requests == 0
// expect: profile.global_store.requests == 2
// expect: profile.as_compiled.global_store.requests == 2
extern "C" __global__ void k(float* a, float* b, float* c, int n)
{
    int t = threadIdx.x;
    c[t] = 1;
    if (n) c[t] = 2;
}

// rule: A compiler keeps a value in a register until something may change it
// launch: 1, 32, [ones(512), ones(512), ones(512), 8]
// expect: profile.global_load.requests == 0
// expect: profile.as_compiled.global_load.requests == 0
// expect: profile.global_store.requests == 2
// expect: profile.as_compiled.global_store.requests == 2
extern "C" __global__ void k(float* a, float* b, float* c, int n)
{
    int t = threadIdx.x;
    c[t] = 1;
    __syncthreads();
    c[t] = 2;
}

// rule: A compiler keeps a value in a register until something may change it
// launch: 1, 32, [ones(512), ones(512), ones(512), 8]
// expect: profile.global_load.requests == 24
// expect: profile.as_compiled.global_load.requests == 17
// expect: profile.global_store.requests == 8
// expect: profile.as_compiled.global_store.requests == 8
extern "C" __global__ void k(float* a, float* b, float* c, int n)
{
    int t = threadIdx.x;
    float* p = c + t;
    for (int k = 0; k < 8; k++) *p += a[t * 8 + k] * b[k];
}

// rule: A store elsewhere leaves what a restrict pointer leads to in its register
// launch: 1, 32, [ones(512), ones(512), ones(512), 8]
// expect: profile.global_load.requests == 24
// expect: profile.as_compiled.global_load.requests == 17
// expect: profile.global_store.requests == 8
// expect: profile.as_compiled.global_store.requests == 1
extern "C" __global__ void k(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                             int n)
{
    int t = threadIdx.x;
    for (int k = 0; k < 8; k++) c[t] += a[t * 8 + k] * b[k];
}

// rule: A store elsewhere leaves what a restrict pointer leads to in its register
// launch: 1, 32, [ones(512), ones(512), ones(512), 8]
// expect: profile.global_load.requests == 2
// expect: profile.as_compiled.global_load.requests == 1
// expect: profile.global_store.requests == 2
// expect: profile.as_compiled.global_store.requests == 2
extern "C" __global__ void k(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                             int n)
{
    int t = threadIdx.x;
    c[t] = a[t];
    c[t + 1] = a[t];
}

// rule: A store elsewhere leaves what a restrict pointer leads to in its register
// launch: 1, 32, [ones(512), ones(512), ones(512), 8]
// expect: profile.global_load.requests == 2
// expect: profile.as_compiled.global_load.requests == 1
// expect: profile.global_store.requests == 1
// expect: profile.as_compiled.global_store.requests == 1
extern "C" __global__ void k(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                             int n)
{
    int t = threadIdx.x;
    float x = a[t];
    __syncthreads();
    c[t] = x + a[t];
}

// rule: A value of shared memory stays in a register until a barrier
// launch: 1, 32, [ones(512), ones(512), ones(512), 8]
// expect: profile.shared_load.requests == 1
// expect: profile.as_compiled.shared_load.requests == 0
// expect: profile.shared_store.requests == 2
// expect: profile.as_compiled.shared_store.requests == 2
extern "C" __global__ void k(float* a, float* b, float* c, int n)
{
    int t = threadIdx.x;
    __shared__ float s[64], u[64];
    s[t] = a[t];
    u[t] = 1;
    c[t] = s[t];
}

// rule: A value of shared memory stays in a register until a barrier
// launch: 1, 32, [ones(512), ones(512), ones(512), 8]
// expect: profile.shared_load.requests == 1
// expect: profile.as_compiled.shared_load.requests == 1
// expect: profile.shared_store.requests == 1
// expect: profile.as_compiled.shared_store.requests == 1
extern "C" __global__ void k(float* a, float* b, float* c, int n)
{
    int t = threadIdx.x;
    __shared__ float s[64];
    s[t] = a[t];
    __syncthreads();
    c[t] = s[t];
}

// rule: A value of shared memory stays in a register until a barrier
// launch: 1, 32, [ones(512), ones(512), ones(512), 8]
// expect: profile.shared_load.requests == 1
// expect: profile.as_compiled.shared_load.requests == 0
// expect: profile.shared_store.requests == 2
// expect: profile.as_compiled.shared_store.requests == 2
extern "C" __global__ void k(float* a, float* b, float* c, int n)
{
    int t = threadIdx.x;
    __shared__ float s[64];
    s[t] = 1;
    s[t + 32] = 2;
    c[t] = s[t];
}

// rule: A value of shared memory stays in a register until a barrier
// launch: 1, 32, [ones(512), ones(512), ones(512), 8]
// expect: profile.shared_load.requests == 9
// expect: profile.as_compiled.shared_load.requests == 0
// expect: profile.shared_store.requests == 9
// expect: profile.as_compiled.shared_store.requests == 2
extern "C" __global__ void k(float* a, float* b, float* c, int n)
{
    int t = threadIdx.x;
    __shared__ float s[64];
    s[t] = 0;
    for (int k = 0; k < n; k++) s[t] += a[k];
    c[t] = s[t];
}

// rule: A value of shared memory stays in a register until a barrier
// launch: 1, 32, [ones(512), ones(512), ones(512), 8]
// expect: profile.shared_load.requests == 1
// expect: profile.as_compiled.shared_load.requests == 1
// expect: profile.shared_store.requests == 2
// expect: profile.as_compiled.shared_store.requests == 2
extern "C" __global__ void k(float* a, float* b, float* c, int n)
{
    int t = threadIdx.x;
    __shared__ float s[64];
    s[t] = 1;
    __syncwarp();
    s[t ^ 1] = 2;
    __syncwarp();
    c[t] = s[t];
}

// rule: Called functions are looked into
// launch: 1, 32, [ones(512), ones(512), ones(512), 8]
// expect: profile.global_load.requests == 3
// expect: profile.as_compiled.global_load.requests == 1
// expect: profile.global_store.requests == 1
// expect: profile.as_compiled.global_store.requests == 1
__device__ float twice(const float* p) { return p[0] + p[0]; }
extern "C" __global__ void k(float* a, float* b, float* c, int n)
{
    int t = threadIdx.x;
    c[t] = twice(a + t) + a[t];
}

// rule: Structs without a name are looked into
// launch: 1, 32, [ones(512), ones(512), ones(512), 8]
// expect: profile.global_load.requests == 2
// expect: profile.as_compiled.global_load.requests == 1
// expect: profile.global_store.requests == 1
// expect: profile.as_compiled.global_store.requests == 1
struct P {
    float x, y;
};
__device__ P mk(float v)
{
    P p = {v, v};
    return p;
}
__device__ float f(const P& p) { return p.x + p.y; }
extern "C" __global__ void k(float* a, float* b, float* c, int n)
{
    int t = threadIdx.x;
    c[t] = mk(a[t]).x + a[t];
}

// rule: Structs without a name are looked into
// launch: 1, 32, [ones(512), ones(512), ones(512), 8]
// expect: profile.global_load.requests == 2
// expect: profile.as_compiled.global_load.requests == 1
// expect: profile.global_store.requests == 1
// expect: profile.as_compiled.global_store.requests == 1
struct P {
    float x, y;
};
__device__ P mk(float v)
{
    P p = {v, v};
    return p;
}
__device__ float f(const P& p) { return p.x + p.y; }
extern "C" __global__ void k(float* a, float* b, float* c, int n)
{
    int t = threadIdx.x;
    c[t] = P{a[t], 1}.x + a[t];
}

// rule: Structs without a name are looked into
// launch: 1, 32, [ones(512), ones(512), ones(512), 8]
// expect: profile.global_load.requests == 2
// expect: profile.as_compiled.global_load.requests == 1
// expect: profile.global_store.requests == 1
// expect: profile.as_compiled.global_store.requests == 1
struct P {
    float x, y;
};
__device__ P mk(float v)
{
    P p = {v, v};
    return p;
}
__device__ float f(const P& p) { return p.x + p.y; }
extern "C" __global__ void k(float* a, float* b, float* c, int n)
{
    int t = threadIdx.x;
    c[t] = f(P{a[t], 2}) + a[t];
}

// rule: A volatile value stays in memory
// launch: 1, 32, [ones(512), ones(512), ones(512), 8]
// expect: profile.global_load.requests == 2
// expect: profile.as_compiled.global_load.requests == 2
// expect: profile.global_store.requests == 1
// expect: profile.as_compiled.global_store.requests == 1
extern "C" __global__ void k(float* a, float* b, float* c, int n)
{
    int t = threadIdx.x;
    volatile float* v = a;
    c[t] = v[t] + v[t];
}

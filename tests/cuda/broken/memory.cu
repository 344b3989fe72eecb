// Reads of what nobody wrote, vectors across their alignment, division by zero, loops without end.

// expect: UninitializedReadError
// launch: 1, 64, [floats(64)]
extern "C" __global__ void shared_never_written(float* a)
{
    __shared__ float s[64];
    a[threadIdx.x] = s[threadIdx.x];  // <- here
}

// expect: UninitializedReadError thread=(50,0,0) block=(0,0,0)
// launch: 1, 64, [floats(50), floats(64), 50]
extern "C" __global__ void tile_not_padded(const float* a, float* b, int n)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    if (t < n)
        s[t] = a[t];
    __syncthreads();
    b[t] = s[t];  // <- here
}

// expect: UninitializedReadError
// launch: 1, 64, [floats(64), floats(1)]
extern "C" __global__ void accumulator_in_shared_not_zeroed(const float* a, float* sum)
{
    __shared__ float total;
    atomicAdd(&total, a[threadIdx.x]);  // <- here
    __syncthreads();
    if (threadIdx.x == 0)
        *sum = total;
}

// expect: UninitializedReadError thread=(0,0,0) block=(0,0,0)
// launch: 1, 32, [floats(32, 4), floats(32)]
extern "C" __global__ void sum_not_started(const float* a, float* b)
{
    float sum;
    for (int i = 0; i < 4; i++)
        sum += a[threadIdx.x * 4 + i];  // <- here
    b[threadIdx.x] = sum;
}

// expect: UninitializedReadError thread=(5,0,0) block=(0,0,0)
// launch: 1, 32, [floats(32)]
extern "C" __global__ void set_on_one_path_only(float* a)
{
    float v;
    if (threadIdx.x < 5)
        v = 1.0f;
    a[threadIdx.x] = v;  // <- here
}

// expect: UninitializedReadError
// launch: 1, 32, [floats(32)]
extern "C" __global__ void local_array_partly_written(float* a)
{
    float v[4];
    for (int i = 1; i < 4; i++)
        v[i] = a[threadIdx.x] * i;
    a[threadIdx.x] = v[0] + v[1];  // <- here
}

// expect: MisalignedAccessError thread=(0,0,0) block=(0,0,0)
// launch: 1, 8, [floats(64), floats(32)]
extern "C" __global__ void float4_from_an_odd_element(const float* a, float* b)
{
    float4 v = *(const float4*)(a + 1 + 4 * threadIdx.x);  // <- here
    b[threadIdx.x] = v.x;
}

// expect: MisalignedAccessError thread=(1,0,0) block=(0,0,0)
// launch: 1, 8, [floats(64), floats(32)]
extern "C" __global__ void float2_rows_of_three(const float* a, float* b)
{
    const float2* v = reinterpret_cast<const float2*>(a + 3 * threadIdx.x);  // <- here
    b[threadIdx.x] = v->y;
}

// expect: MisalignedAccessError thread=(1,0,0) block=(0,0,0)
// launch: 1, 8, [floats(64)]
extern "C" __global__ void double_among_floats(float* a)
{
    __shared__ float s[64];
    for (int i = threadIdx.x; i < 64; i += 8)
        s[i] = a[i];
    __syncthreads();
    a[threadIdx.x] = *(double*)(s + threadIdx.x);  // <- here
}

// expect: KernelArithmeticError thread=(0,0,0) block=(0,0,0)
// launch: 1, 32, [int32([7] * 32)]
extern "C" __global__ void division_by_zero(int* a)
{
    a[threadIdx.x] = a[threadIdx.x] / (int)threadIdx.x;  // <- here
}

// expect: KernelArithmeticError thread=(3,0,0) block=(0,0,0)
// launch: 1, 32, [int32([7, 5, 3, 0] * 8)]
extern "C" __global__ void remainder_by_zero(int* a)
{
    int i = threadIdx.x;
    a[i] = 100 % a[i];  // <- here
}

// expect: KernelArithmeticError thread=(1,0,0) block=(0,0,0)
// launch: 1, 32, [int32([1] * 32)]
extern "C" __global__ void shift_by_the_width(int* a)
{
    a[threadIdx.x] = a[threadIdx.x] << (threadIdx.x * 32);  // <- here
}

// expect: KernelTimeoutError
// launch: 1, 32, [int32([7] * 32)]
extern "C" __global__ void never_ends(int* a)
{
    int i = threadIdx.x;
    while (a[i] > 0)  // <- here
        a[i] = a[i] % 5 + 1;
}

// expect: KernelTimeoutError
// launch: 1, 32, [int32([0]), int32([0])]
extern "C" __global__ void lock_never_given_back(int* lock, int* count)
{
    while (atomicCAS(lock, 0, 1) != 0) {  // <- here
    }
    atomicAdd(count, 1);
}

// expect: KernelTimeoutError
// launch: 1, 32, [floats(32), 32]
extern "C" __global__ void counts_the_wrong_way(float* a, int n)
{
    for (int i = threadIdx.x; i < n; i -= blockDim.x)  // <- here
        a[0 * i + threadIdx.x] = 0.0f;
}

// Two threads, one element, at least one write, and nothing that orders them.

// expect: RaceError
// launch: 1, 64, [floats(64)]
extern "C" __global__ void barrier_missing_after_load(float* a)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = a[t];
    a[t] = s[63 - t];  // <- here
}

// expect: RaceError
// launch: 1, 128, [floats(128), floats(1)]
extern "C" __global__ void barrier_missing_in_reduction(const float* a, float* sum)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = a[t];
    __syncthreads();
    for (int half = 64; half > 0; half /= 2)
        if (t < half)
            s[t] += s[t + half];  // <- here
    if (t == 0)
        *sum = s[0];
}

// expect: RaceError
// launch: 1, (16, 16), [floats(32, 16), floats(16, 32), floats(16, 16)]
extern "C" __global__ void second_barrier_missing_in_matmul(const float* A, const float* B, float* C)
{
    __shared__ float a[16][16], b[16][16];
    int x = threadIdx.x, y = threadIdx.y;
    float sum = 0.0f;
    for (int start = 0; start < 32; start += 16) {
        a[y][x] = A[y * 32 + start + x];  // <- here
        b[y][x] = B[(start + y) * 16 + x];
        __syncthreads();
        for (int k = 0; k < 16; k++)
            sum += a[y][k] * b[k][x];
    }
    C[y * 16 + x] = sum;
}

// expect: RaceError
// launch: 2, 64, [uint8([1, 2, 3, 1] * 32), uint32([0] * 8)]
extern "C" __global__ void histogram_without_atomics(const unsigned char* data, unsigned int* bins)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bins[data[i]] += 1;  // <- here
}

// expect: RaceError
// launch: 4, 32, [floats(128), floats(1)]
extern "C" __global__ void blocks_add_to_one_element(const float* a, float* sum)
{
    if (threadIdx.x == 0)
        *sum += a[blockIdx.x * 32];  // <- here
}

// expect: RaceError
// launch: 2, 32, [floats(64) + np.arange(64, dtype=np.float32)]
extern "C" __global__ void stencil_in_place(float* a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0)
        a[i] = 0.5f * (a[i - 1] + a[i]);  // <- here
}

// expect: RaceError
// launch: 2, 64, [floats(128), 128]
extern "C" __global__ void reverse_in_place(float* a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = a[n - 1 - i] + 1.0f;  // <- here
}

// expect: RaceError
// launch: 1, 32, [floats(32), floats(1)]
extern "C" __global__ void syncwarp_missing(const float* a, float* sum)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    s[t] = a[t];
    __syncwarp();
    if (t < 16) s[t] += s[t + 16];
    if (t < 8) s[t] += s[t + 8];  // <- here
    __syncwarp();
    if (t == 0) *sum = s[0];
}

// expect: RaceError
// launch: 1, (8, 8), [floats(8, 8) + np.arange(8, dtype=np.float32)]
extern "C" __global__ void transpose_in_place(float* a)
{
    int x = threadIdx.x, y = threadIdx.y;
    a[x * 8 + y] = a[y * 8 + x];  // <- here
}

// expect: RaceError
// launch: 1, 64, [floats(9), np.ones(81, np.float32)]
extern "C" __global__ void col2im_scatters(float* image, const float* columns)
{
    int t = threadIdx.x;
    int x = t % 3, k = t / 3 % 3;
    image[(x + k) % 9] += columns[t];  // <- here
}

// expect: RaceError
// launch: 1, 128, [int32([3] * 128), int32([0])]
extern "C" __global__ void flag_reset_too_early(const int* a, int* found)
{
    __shared__ int flag;
    if (threadIdx.x == 0)
        flag = 0;
    __syncthreads();
    if (a[threadIdx.x] > 2)
        atomicAdd(&flag, 1);
    __syncthreads();
    int seen = flag;
    if (threadIdx.x == 0)
        flag = 0;  // <- here
    if (seen)
        atomicMax(found, seen);
}

// expect: RaceError
// launch: 2, 64, [floats(128), floats(128)]
extern "C" __global__ void no_barrier_between_blocks(const float* a, float* b)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    b[i] = 2.0f * a[i];
    __syncthreads();
    if (b[127 - i] > 1.0f)  // <- here
        b[i] = 0.0f;
}

// expect: RaceError
// launch: 1, 64, [floats(64)]
extern "C" __global__ void scan_without_second_buffer(float* a)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = a[t] + t;
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
        if (t >= d)
            s[t] += s[t - d];  // <- here
        __syncthreads();
    }
    a[t] = s[t];
}

// expect: RaceError
// launch: 1, 64, [floats(64), floats(1)]
extern "C" __global__ void everybody_writes_the_result(const float* a, float* out)
{
    out[0] = a[threadIdx.x] + threadIdx.x;  // <- here
}

// expect: RaceError
// launch: 1, 32, [int32([0]), int32([0])]
extern "C" __global__ void spin_lock_without_fences(int* lock, int* count)
{
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    *count += 1;  // <- here
    atomicExch(lock, 0);
}

// Dynamic shared, constant, local memory and device functions with pointers.

extern "C" __global__ void reverse_dynamic(int* data)
{
    extern __shared__ int s[];
    int t = threadIdx.x;
    s[t] = data[blockIdx.x * blockDim.x + t];
    __syncthreads();
    data[blockIdx.x * blockDim.x + t] = s[blockDim.x - 1 - t];
}

extern "C" __global__ void two_dynamic_arrays(const float* x, const int* k, float* out)
{
    extern __shared__ float pool[];
    float* values = pool;
    int* keys = (int*)(pool + blockDim.x);
    int t = threadIdx.x;
    values[t] = x[t];
    keys[t] = k[t];
    __syncthreads();
    out[t] = values[keys[t]];
}

__constant__ int primes[] = {2, 3, 5, 7, 11, 13, 17, 19};
__constant__ float scale = 0.5f;

extern "C" __global__ void constant_table(const int* in, float* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = primes[in[i] & 7] * scale;
}

__device__ void minmax(const float* values, int n, float* low, float* high)
{
    *low = *high = values[0];
    for (int i = 1; i < n; i++) {
        float v = values[i];
        *low = fminf(*low, v);
        *high = fmaxf(*high, v);
    }
}

extern "C" __global__ void pointers_to_locals(const float* in, float* range, int each, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float low, high;
        minmax(in + i * each, each, &low, &high);
        range[i] = high - low;
    }
}

extern "C" __global__ void local_histogram(const unsigned char* in, int* most_frequent, int each, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int count[10] = {0};
    for (int j = 0; j < each; j++)
        count[in[i * each + j] % 10]++;
    int best = 0;
    for (int d = 1; d < 10; d++)
        if (count[d] > count[best])
            best = d;
    most_frequent[i] = best;
}

__device__ int counter = 5;

extern "C" __global__ void module_variable(int* out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = i * counter;
}

extern "C" __global__ void in_place_double_buffer(float* a, float* b, int n, int rounds)
{
    float *from = a, *to = b;
    int t = threadIdx.x;
    for (int r = 0; r < rounds; r++) {
        if (t < n)
            to[t] = 0.5f * (from[t] + from[(t + 1) % n]);
        __syncthreads();
        float* held = from;
        from = to;
        to = held;
    }
}

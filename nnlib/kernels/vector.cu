// Vector addition, and two kernels that do nothing but move memory. Lesson 02.
//
// x, y, out: n float32. An addition reads 8 bytes and writes 4 per element and computes once: the floor of every
// kernel here is bytes / bandwidth.

// One thread per element; the guard stops the threads of the last block that have none.
//   grid = ceil(n / block), any block.
extern "C" __global__ void add(const float* x, const float* y, float* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = x[i] + y[i];
}

// Neighbouring elements for each thread, `each` of them: as a CPU likes it, and as a warp does not.
//   grid = ceil(n / each / block).
extern "C" __global__ void add_chunks(const float* x, const float* y, float* out,
                                      int n, int each)
{
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * each;
    for (int i = first; i < first + each && i < n; i++)
        out[i] = x[i] + y[i];
}

// Grid-stride loop: any grid covers any n, and neighbouring threads still touch neighbouring elements.
extern "C" __global__ void add_strided(const float* x, const float* y, float* out, int n)
{
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        out[i] = x[i] + y[i];
}

// Four elements per thread and memory instruction; the last n % 4 one by one.
//   grid = ceil(n / 4 / block), at least 1; x, y, out aligned to 16 bytes.
extern "C" __global__ void add_float4(const float* x, const float* y, float* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 4) {
        float4 a = ((const float4*)x)[i], b = ((const float4*)y)[i];
        ((float4*)out)[i] = make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
    }
    int tail = n / 4 * 4 + i;
    if (i < n % 4)
        out[tail] = x[tail] + y[tail];
}

// out = x: the yardstick of memory bandwidth, 8 bytes per element.
//   grid = ceil(n / 4 / block), at least 1; x, out aligned to 16 bytes.
extern "C" __global__ void copy(const float* x, float* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 4)
        ((float4*)out)[i] = ((const float4*)x)[i];
    int tail = n / 4 * 4 + i;
    if (i < n % 4)
        out[tail] = x[tail];
}

// Neighbouring lanes read elements `stride` apart, the first at `offset`: what a warp pays for it.
//   x: n * stride + offset elements, out: n. grid = ceil(n / block), any block.
extern "C" __global__ void read_pattern(const float* x, float* out, int n,
                                        int stride, int offset)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = x[i * stride + offset];
}

// x (n) = 0.  grid = ceil(n / 256), block = 256.
extern "C" __global__ void clear(float* x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = 0.0f;
}

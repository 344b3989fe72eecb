// The same copy along different paths through memory.

extern "C" __global__ void copy_strided(const float* in, float* out, int stride, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i * stride];
}

extern "C" __global__ void copy_offset(const float* in, float* out, int offset, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i + offset] = in[i + offset];
}

extern "C" __global__ void copy_reversed(const double* in, double* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[n - 1 - i] = in[i];
}

extern "C" __global__ void copy_bytes(const unsigned char* in, unsigned char* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = 255 - in[i];
}

extern "C" __global__ void copy_float4(const float* in, float* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 4) {
        float4 v = reinterpret_cast<const float4*>(in)[i];
        v.x += 1.0f;
        v.y += 2.0f;
        v.z += 3.0f;
        v.w += 4.0f;
        reinterpret_cast<float4*>(out)[i] = v;
    }
}

extern "C" __global__ void copy_float2_strided(const float2* in, float2* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float2 v = in[3 * i];
        out[i] = make_float2(v.y, v.x);
    }
}

extern "C" __global__ void gather(const int* index, const float* in, float* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[index[i]];
}

extern "C" __global__ void scatter(const int* index, const float* in, float* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[index[i]] = in[i];
}

extern "C" __global__ void columns(const float* in, float* out, int width, int height)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < height) {
        float sum = 0.0f;
        for (int x = 0; x < width; x++)
            sum += in[row * width + x];
        out[row] = sum;
    }
}

extern "C" __global__ void walk_with_pointers(const float* in, float* out, int n, int each)
{
    const float* p = in + (blockIdx.x * blockDim.x + threadIdx.x) * each;
    const float* end = p + each;
    float* target = &out[blockIdx.x * blockDim.x + threadIdx.x];
    float best = *p++;
    while (p < end) {
        float v = *p;
        if (v > best) best = v;
        ++p;
    }
    *target = best;
}

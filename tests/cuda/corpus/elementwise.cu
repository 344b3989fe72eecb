// One thread per element, and what goes wrong in real code: guards, strides, two dimensions, branches.

extern "C" __global__ void vector_add(const float* a, const float* b, float* c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

extern "C" __global__ void saxpy(int n, float a, const float* __restrict__ x, float* __restrict__ y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    y[i] = a * x[i] + y[i];
}

extern "C" __global__ void scale_grid_stride(float* x, float factor, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        x[i] *= factor;
}

extern "C" __global__ void polynomial(const float* x, float* y, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n) {
        const float t = x[i];
        float sum = 0.125f;
        sum = sum * t - 1.5f;
        sum = sum * t + 0.25f;
        sum = sum * t + 2.0f;
        y[i] = sum;
    }
}

extern "C" __global__ void add_2d(const float* a, const float* b, float* c, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) {
        int at = y * width + x;
        c[at] = a[at] + b[at];
    }
}

extern "C" __global__ void coordinates_3d(int* out, int width, int height, int depth)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x < width && y < height && z < depth)
        out[(z * height + y) * width + x] = 10000 * z + 100 * y + x;
}

extern "C" __global__ void odd_even_branches(const float* x, float* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        if (i % 2 == 0)
            y[i] = x[i] * 2.0f;
        else
            y[i] = x[i] + 1.0f;
    }
}

extern "C" __global__ void clamp(const float* x, float* y, float low, float high, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = x[i];
        y[i] = v < low ? low : v > high ? high : v;
    }
}

extern "C" __global__ void activations(const float* x, float* relu, float* leaky, float* sigmoid, float* tanh_, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = x[i];
        relu[i] = fmaxf(v, 0.0f);
        leaky[i] = v > 0.0f ? v : 0.01f * v;
        sigmoid[i] = 1.0f / (1.0f + expf(-v));
        tanh_[i] = tanhf(v);
    }
}

__device__ float normal_cdf(float d)
{
    const float A1 = 0.31938153f, A2 = -0.356563782f, A3 = 1.781477937f, A4 = -1.821255978f, A5 = 1.330274429f;
    float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
    float tail = 0.39894228f * expf(-0.5f * d * d) * (k * (A1 + k * (A2 + k * (A3 + k * (A4 + k * A5)))));
    return d > 0 ? 1.0f - tail : tail;
}

extern "C" __global__ void black_scholes(const float* price, const float* strike, const float* years, float rate,
                                         float volatility, float* call, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = price[i], x = strike[i], t = years[i];
    float root = sqrtf(t);
    float d1 = (logf(s / x) + (rate + 0.5f * volatility * volatility) * t) / (volatility * root);
    float d2 = d1 - volatility * root;
    call[i] = s * normal_cdf(d1) - x * expf(-rate * t) * normal_cdf(d2);
}

// Fractals, integrals, particles, and arithmetic in double precision.

extern "C" __global__ void mandelbrot(int* iterations, int width, int height, int limit)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x;
    int py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= width || py >= height) return;
    float cx = -2.0f + 3.0f * px / width, cy = -1.0f + 2.0f * py / height;
    float x = 0.0f, y = 0.0f;
    int i = 0;
    while (x * x + y * y <= 4.0f && i < limit) {
        float next = x * x - y * y + cx;
        y = 2.0f * x * y + cy;
        x = next;
        i++;
    }
    iterations[py * width + px] = i;
}

extern "C" __global__ void julia_double(unsigned char* image, int size, double cx, double cy)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y;
    if (px >= size) return;
    double x = 3.0 * px / size - 1.5, y = 3.0 * py / size - 1.5;
    int i;
    for (i = 0; i < 50; i++) {
        double xx = x * x, yy = y * y;
        if (xx + yy > 4.0) break;
        y = 2.0 * x * y + cy;
        x = xx - yy + cx;
    }
    image[py * size + px] = i;
}

extern "C" __global__ void daxpy(int n, double a, const double* x, double* y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}

extern "C" __global__ void newton_sqrt(const double* in, double* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double v = in[i], root = v > 1.0 ? v : 1.0;
    for (int step = 0; step < 60; step++) {
        double next = 0.5 * (root + v / root);
        if (next >= root) break;
        root = next;
    }
    out[i] = root;
}

extern "C" __global__ void mixed_precision(const float* a, const double* b, float* single_, double* double_, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        single_[i] = a[i] * b[i];
        double_[i] = a[i] / 3 + b[i] / 3;
    }
}

extern "C" __global__ void monte_carlo_pi(unsigned int* hits, int samples)
{
    unsigned int seed = 1234567u + 7919u * (blockIdx.x * blockDim.x + threadIdx.x), inside = 0;
    for (int s = 0; s < samples; s++) {
        seed = seed * 1664525u + 1013904223u;
        float x = (seed >> 8) / 16777216.0f;
        seed = seed * 1664525u + 1013904223u;
        float y = (seed >> 8) / 16777216.0f;
        inside += x * x + y * y < 1.0f;
    }
    atomicAdd(hits, inside);
}

extern "C" __global__ void n_body_forces(const float4* body, float3* force, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 me = body[i];
    float3 f = make_float3(0.0f, 0.0f, 0.0f);
    for (int j = 0; j < n; j++) {
        float4 other = body[j];
        float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
        float d2 = dx * dx + dy * dy + dz * dz + 0.01f;
        float d = sqrtf(d2);
        float s = other.w / (d2 * d);
        f.x += dx * s;
        f.y += dy * s;
        f.z += dz * s;
    }
    force[i] = f;
}

extern "C" __global__ void k_means_assign(const float* points, const float* centres, int* nearest, int n, int k)
{
    extern __shared__ float c[];
    for (int i = threadIdx.x; i < 2 * k; i += blockDim.x)
        c[i] = centres[i];
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = points[2 * i], y = points[2 * i + 1], best = 1e30f;
    int at = 0;
    for (int j = 0; j < k; j++) {
        float dx = x - c[2 * j], dy = y - c[2 * j + 1];
        float d = dx * dx + dy * dy;
        if (d < best) {
            best = d;
            at = j;
        }
    }
    nearest[i] = at;
}

extern "C" __global__ void rounding(const float* x, float* floors, float* ceils, float* nearest, float* truncated,
                                    float* remainders, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        floors[i] = floorf(x[i]);
        ceils[i] = ceilf(x[i]);
        nearest[i] = rintf(x[i]);
        truncated[i] = truncf(x[i]);
        remainders[i] = fmodf(x[i], 1.25f);
    }
}

extern "C" __global__ void transcendental(const float* x, float* sines, float* cosines, float* powers, float* logs,
                                          float* roots, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        sines[i] = sinf(x[i]);
        cosines[i] = cosf(x[i]);
        powers[i] = powf(x[i], 1.5f);
        logs[i] = log2f(x[i]);
        roots[i] = rsqrtf(x[i]);
    }
}

// Prefix sums within one block or one warp.

extern "C" __global__ void scan_hillis_steele(const int* in, int* out, int n)
{
    __shared__ int buffer[2][128];
    int t = threadIdx.x, from = 0;
    buffer[0][t] = t < n ? in[t] : 0;
    __syncthreads();
    for (int step = 1; step < 128; step *= 2) {
        int to = 1 - from;
        int v = buffer[from][t];
        if (t >= step)
            v += buffer[from][t - step];
        buffer[to][t] = v;
        from = to;
        __syncthreads();
    }
    if (t < n)
        out[t] = buffer[from][t];
}

extern "C" __global__ void scan_blelloch(const int* in, int* out)
{
    extern __shared__ int s[];
    int t = threadIdx.x, n = 2 * blockDim.x;
    s[2 * t] = in[2 * t];
    s[2 * t + 1] = in[2 * t + 1];
    int offset = 1;
    for (int d = n >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) {
            int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
            s[b] += s[a];
        }
        offset *= 2;
    }
    if (t == 0)
        s[n - 1] = 0;
    for (int d = 1; d < n; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
            int left = s[a];
            s[a] = s[b];
            s[b] += left;
        }
    }
    __syncthreads();
    out[2 * t] = s[2 * t];
    out[2 * t + 1] = s[2 * t + 1];
}

extern "C" __global__ void scan_warps(const float* in, float* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x & 31;
    float v = i < n ? in[i] : 0.0f;
#pragma unroll
    for (int d = 1; d < 32; d <<= 1) {
        float other = __shfl_up_sync(0xffffffffu, v, d);
        if (lane >= d)
            v += other;
    }
    if (i < n)
        out[i] = v;
}

extern "C" __global__ void compact_positive(const int* in, int* out, int* count, int n)
{
    __shared__ int per_warp[4];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    bool keep = t < n && in[t] > 0;
    unsigned int votes = __ballot_sync(0xffffffff, keep);
    if (lane == 0)
        per_warp[warp] = __popc(votes);
    __syncthreads();
    int base = 0;
    for (int w = 0; w < warp; ++w)
        base += per_warp[w];
    if (keep)
        out[base + __popc(votes & ((1u << lane) - 1))] = in[t];
    if (t == 127)
        *count = base + per_warp[3];
}

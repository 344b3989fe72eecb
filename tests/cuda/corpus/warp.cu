// Warps as a unit: shuffles and votes.

extern "C" __global__ void votes(const int* in, int* any, int* all, unsigned int* ballot, int* count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = in[i];
    any[i] = __any_sync(0xffffffff, v > 8);
    all[i] = __all_sync(0xffffffff, v > -9);
    unsigned int votes = __ballot_sync(0xffffffff, v & 1);
    ballot[i] = votes;
    count[i] = __popc(votes);
}

extern "C" __global__ void broadcast_and_rotate(const float* in, float* first, float* rotated)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = in[i];
    first[i] = __shfl_sync(0xffffffff, v, 0);
    rotated[i] = __shfl_sync(0xffffffff, v, threadIdx.x + 1);
}

extern "C" __global__ void shuffle_widths(const int* in, int* up, int* down, int* within)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = in[i];
    up[i] = __shfl_up_sync(0xffffffff, v, 3, 8);
    down[i] = __shfl_down_sync(0xffffffff, v, 2, 16);
    within[i] = __shfl_sync(0xffffffff, v, 1, 4);
}

extern "C" __global__ void butterfly_maximum(const double* in, double* out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double v = in[i];
    for (int mask = 1; mask < 32; mask *= 2) {
        double other = __shfl_xor_sync(0xffffffff, v, mask);
        v = other > v ? other : v;
    }
    out[i] = v;
}

// Half a warp takes part.
extern "C" __global__ void half_warp_sum(const int* in, int* out)
{
    int lane = threadIdx.x % 32;
    int v = in[threadIdx.x];
    if (lane < 16) {
        for (int offset = 8; offset > 0; offset /= 2)
            v += __shfl_down_sync(0x0000ffff, v, offset, 16);
        if (lane == 0)
            out[threadIdx.x / 32] = v;
    }
}

extern "C" __global__ void bit_tricks(const unsigned int* in, int* leading, unsigned int* reversed, int* lowest,
                                      unsigned long long* wide, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned int v = in[i];
        leading[i] = __clz(v);
        reversed[i] = __brev(v);
        lowest[i] = __ffs(v);
        wide[i] = (unsigned long long)v * v + __umulhi(v, 0x9e3779b9u);
    }
}

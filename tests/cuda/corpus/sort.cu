// Sorting within a block, and one step across blocks.

extern "C" __global__ void bitonic_sort(int* data)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = data[blockIdx.x * 128 + t];
    __syncthreads();
    for (int k = 2; k <= 128; k <<= 1) {
        for (int j = k >> 1; j > 0; j >>= 1) {
            int other = t ^ j;
            if (other > t) {
                bool up = (t & k) == 0;
                int mine = s[t], theirs = s[other];
                if ((mine > theirs) == up) {
                    s[t] = theirs;
                    s[other] = mine;
                }
            }
            __syncthreads();
        }
    }
    data[blockIdx.x * 128 + t] = s[t];
}

extern "C" __global__ void bitonic_step(float* data, int j, int k)
{
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int other = i ^ j;
    if (other > i) {
        float a = data[i], b = data[other];
        if (((i & k) == 0 && a > b) || ((i & k) != 0 && a < b)) {
            data[i] = b;
            data[other] = a;
        }
    }
}

__device__ void order(float& low, float& high)
{
    float a = low, b = high;
    if (a > b) {
        low = b;
        high = a;
    }
}

extern "C" __global__ void odd_even_sort(float* data, int n)
{
    extern __shared__ float values[];
    int t = threadIdx.x;
    for (int i = t; i < n; i += blockDim.x)
        values[i] = data[i];
    __syncthreads();
#pragma unroll 1
    for (int pass = 0; pass < n; pass++) {
        int left = 2 * t + pass % 2;
        if (left + 1 < n)
            order(values[left], values[left + 1]);
        __syncthreads();
    }
    for (int i = t; i < n; i += blockDim.x)
        data[i] = values[i];
}

extern "C" __global__ void rank_sort(const int* in, int* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int mine = in[i], rank = 0;
    for (int j = 0; j < n; j++) {
        int other = in[j];
        rank += other < mine || (other == mine && j < i);
    }
    out[rank] = mine;
}

// One pass of a radix sort: zeros first, ones after, order kept.
extern "C" __global__ void radix_split(const unsigned int* in, unsigned int* out, int bit)
{
    __shared__ unsigned int ones_before[65];
    int t = threadIdx.x;
    unsigned int mine = in[t];
    unsigned int flag = (mine >> bit) & 1u;
    ones_before[t + 1] = flag;
    if (t == 0)
        ones_before[0] = 0;
    __syncthreads();
    for (int d = 1; d < 65; d *= 2) {
        unsigned int add = t + 1 >= d ? ones_before[t + 1 - d] : 0;
        __syncthreads();
        ones_before[t + 1] += add;
        __syncthreads();
    }
    unsigned int zeros = 64 - ones_before[64];
    unsigned int before = ones_before[t];
    unsigned int to = flag ? zeros + before : t - before;
    out[to] = mine;
}

// Insertion sort of a few values in a local array, one row per thread.
extern "C" __global__ void sort_rows_locally(const short* in, short* out, int rows)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    short v[8];
    for (int i = 0; i < 8; i++) {
        short x = in[row * 8 + i];
        int at = i;
        while (at > 0 && v[at - 1] > x) {
            v[at] = v[at - 1];
            at--;
        }
        v[at] = x;
    }
    for (int i = 0; i < 8; i++)
        out[row * 8 + i] = v[i];
}

extern "C" __global__ void binary_search(const int* sorted, int n, const int* wanted, int* found, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= m) return;
    int low = 0, high = n - 1, at = -1, key = wanted[i];
    while (low <= high) {
        int middle = (low + high) / 2;
        int v = sorted[middle];
        if (v == key) {
            at = middle;
            break;
        }
        if (v < key)
            low = middle + 1;
        else
            high = middle - 1;
    }
    found[i] = at;
}

// Dropout with a counter-based generator. Lesson 06.
//
// Philox4x32-10 (Salmon et al. 2011): ten rounds of multiply and xor turn a counter and a key into four random
// words. There is no state, so every thread computes its own numbers, and the same ones on every machine.
//   element i: counter i / 4 + offset, word i % 4, key = seed.

// (a * b) >> 32, the high half that an ordinary product drops.
__device__ unsigned int multiply_high(unsigned int a, unsigned int b) {
    return (unsigned int)(((unsigned long long)a * b) >> 32);
}

__device__ void philox(unsigned long long counter, unsigned long long key, unsigned int* words) {
    unsigned int c0 = (unsigned int)counter, c1 = (unsigned int)(counter >> 32), c2 = 0, c3 = 0;
    unsigned int k0 = (unsigned int)key, k1 = (unsigned int)(key >> 32);
    for (int round = 0; round < 10; round++) {
        unsigned int high0 = multiply_high(0xD2511F53u, c0), low0 = 0xD2511F53u * c0;
        unsigned int high1 = multiply_high(0xCD9E8D57u, c2), low1 = 0xCD9E8D57u * c2;
        c0 = high1 ^ c1 ^ k0;
        c1 = low1;
        c2 = high0 ^ c3 ^ k1;
        c3 = low0;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    words[0] = c0;
    words[1] = c1;
    words[2] = c2;
    words[3] = c3;
}

// First version: one thread per element; three of the four words of every generator call are thrown away.
// x, y, mask (n); kept where word >= threshold = p * 2^32.  grid = ceil(n / 256), block = 256.
extern "C" __global__ void dropout_naive(const float* x, float* y, unsigned char* mask, int n, unsigned int threshold,
                                         float scale, unsigned long long seed, unsigned long long offset) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned int words[4];
    philox(i / 4 + offset, seed, words);
    mask[i] = words[i % 4] >= threshold;
    y[i] = mask[i] ? x[i] * scale : 0.0f;
}

// Four elements from one generator call. x, y aligned to 16 bytes, mask to 4.
__device__ void drop_four(const float* x, float* y, unsigned char* mask, int n, unsigned int threshold, float scale,
                          unsigned long long seed, unsigned long long offset) {
    int group = blockIdx.x * blockDim.x + threadIdx.x;
    if (group >= (n + 3) / 4) return;
    unsigned int words[4];
    philox(group + offset, seed, words);
    if (group < n / 4) {
        float4 v = ((const float4*)x)[group];
        uchar4 kept = make_uchar4(words[0] >= threshold, words[1] >= threshold, words[2] >= threshold,
                                  words[3] >= threshold);
        ((uchar4*)mask)[group] = kept;
        ((float4*)y)[group] = make_float4(kept.x ? v.x * scale : 0.0f, kept.y ? v.y * scale : 0.0f,
                                          kept.z ? v.z * scale : 0.0f, kept.w ? v.w * scale : 0.0f);
        return;
    }
    for (int i = group * 4; i < n; i++) {
        mask[i] = words[i % 4] >= threshold;
        y[i] = mask[i] ? x[i] * scale : 0.0f;
    }
}

// Last version: one thread per four elements, all four words used.  grid = ceil(n / 1024), block = 256.
extern "C" __global__ void dropout_forward(const float* __restrict__ x, float* __restrict__ y,
                                           unsigned char* __restrict__ mask, int n, unsigned int threshold, float scale,
                                           unsigned long long seed, unsigned long long offset) {
    drop_four(x, y, mask, n, threshold, scale, seed, offset);
}

// The same inside a CUDA graph, where only device memory changes from replay to replay: steps_done[0] training steps
// have used per_step counters each since offset[0].
extern "C" __global__ void dropout_captured(const float* __restrict__ x, float* __restrict__ y,
                                            unsigned char* __restrict__ mask, int n, unsigned int threshold,
                                            float scale, unsigned long long seed,
                                            const unsigned long long* __restrict__ offset,
                                            const int* __restrict__ steps_done, int per_step) {
    drop_four(x, y, mask, n, threshold, scale, seed, offset[0] + (unsigned long long)steps_done[0] * per_step);
}

// dx = dy * mask * scale, four at a time.  grid = ceil(n / 1024), block = 256; dy, dx aligned to 16 bytes, mask to 4.
extern "C" __global__ void dropout_backward(const float* __restrict__ dy, const unsigned char* __restrict__ mask,
                                            float* __restrict__ dx, int n, float scale) {
    int group = blockIdx.x * blockDim.x + threadIdx.x;
    if (group < n / 4) {
        float4 v = ((const float4*)dy)[group];
        uchar4 kept = ((const uchar4*)mask)[group];
        ((float4*)dx)[group] = make_float4(kept.x ? v.x * scale : 0.0f, kept.y ? v.y * scale : 0.0f,
                                           kept.z ? v.z * scale : 0.0f, kept.w ? v.w * scale : 0.0f);
    }
    int tail = n / 4 * 4 + group;
    if (group < n % 4) dx[tail] = mask[tail] ? dy[tail] * scale : 0.0f;
}

// Whole numbers: C's division, wrap-around, mixed signs, small types, 64 bits, loops that differ per thread.

extern "C" __global__ void division_puzzle(const int* a, const int* b, int* quotient, int* remainder, int* shifted, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        quotient[i] = a[i] / b[i];
        remainder[i] = a[i] % b[i];
        shifted[i] = a[i] >> 2;
    }
}

extern "C" __global__ void conversions(const float* x, int* truncated, unsigned char* byte, short* small, float* back,
                                       int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int whole = (int)x[i];
        truncated[i] = whole;
        byte[i] = (unsigned char)whole;
        small[i] = (short)(whole * 1000);
        back[i] = (float)(whole * 16777 + 1);
    }
}

extern "C" __global__ void mixed_signs(const int* a, const unsigned int* b, int* less, unsigned int* sum,
                                       long long* wide, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        less[i] = a[i] < b[i];
        sum[i] = a[i] + b[i];
        wide[i] = (long long)a[i] * b[i] - (long long)b[i];
    }
}

extern "C" __global__ void collatz(int* steps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int count = 0;
    for (unsigned int v = i + 1; v != 1; count++)
        v = v & 1 ? 3 * v + 1 : v / 2;
    steps[i] = count;
}

__device__ int gcd(int a, int b)
{
    while (b != 0) {
        int rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

extern "C" __global__ void gcd_table(int* out, int n)
{
    int x = threadIdx.x + blockIdx.x * blockDim.x, y = threadIdx.y + blockIdx.y * blockDim.y;
    if (x < n && y < n)
        out[y * n + x] = gcd(x + 1, y + 1);
}

extern "C" __global__ void is_prime(int* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (i < 2) {
        out[i] = 0;
        return;
    }
    int prime = 1;
    for (int d = 2; d * d <= i; d++)
        if (i % d == 0) {
            prime = 0;
            break;
        }
    out[i] = prime;
}

extern "C" __global__ void xorshift(unsigned int* state, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int x = state[i];
    for (int r = 0; r < rounds; r++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
    }
    state[i] = x;
}

extern "C" __global__ void lcg_64(unsigned long long* state, double* uniform)
{
    int i = threadIdx.x;
    unsigned long long s = state[i];
    do {
        s = s * 6364136223846793005ULL + 1442695040888963407ULL;
    } while ((s >> 60) == 0);
    state[i] = s;
    uniform[i] = (s >> 11) * (1.0 / 9007199254740992.0);
}

extern "C" __global__ void crc32(const unsigned char* data, unsigned int* crc, int each)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int c = 0xFFFFFFFF;
    for (int j = 0; j < each; j++) {
        c ^= data[i * each + j];
        for (int bit = 0; bit < 8; bit++)
            c = (c >> 1) ^ (0xEDB88320u & -(c & 1));
    }
    crc[i] = ~c;
}

extern "C" __global__ void switch_machine(const int* code, int* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int v = i;
    switch (code[i] % 6) {
    case 0:
        v += 100;
        break;
    case 1:
        v *= 2;  // falls through
    case 2:
        v -= 7;
        break;
    case 3:
    case 4: {
        int twice = v + v;
        v = twice * twice;
        break;
    }
    default:
        v = -v;
    }
    out[i] = v;
}

extern "C" __global__ void nested_loops(int* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int sum = 0;
    for (int a = 0; a < 8; a++) {
        if (a == i % 5) continue;
        for (int b = a; ; b += 2) {
            if (b > i % 11) break;
            if ((a + b) % 3 == 0) continue;
            sum += a * b + 1;
        }
        if (sum > 60 && i % 2) break;
    }
    out[i] = sum;
}

extern "C" __global__ void short_circuit(const int* x, int* out, int* evaluated, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int count = 0;
    int inside = i < n && ++count && x[i] > 0 && ++count;
    int either = i >= n || x[i] % 2 == 0 || ++count > 2;
    if (i < n) {
        out[i] = inside * 10 + either;
        evaluated[i] = count;
    }
}

extern "C" __global__ void morton(const int* x, const int* y, unsigned int* code, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned int z = 0;
#pragma unroll
        for (int b = 0; b < 16; b++)
            z |= ((x[i] >> b & 1u) << 2 * b) | ((y[i] >> b & 1u) << (2 * b + 1));
        code[i] = z;
    }
}

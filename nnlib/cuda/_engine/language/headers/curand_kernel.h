// cuRAND's device API: XORWOW (Marsaglia, 2003) and Philox 4x32-10 (Salmon et al., 2011), seeded, skipped and
// turned into numbers as NVIDIA's curand_kernel.h does, so that the same seed gives the same numbers as on a GPU.
#include <curand.h>
#include <nnlib_xorwow.h>

// --- XORWOW ------------------------------------------------------------------------------------

__device__ void nnlib_skip(unsigned long long sequences, unsigned long long numbers, curandStateXORWOW* state)
{
    unsigned int v[5];
    nnlib::xorwow_skip(state->v[0], state->v[1], state->v[2], state->v[3], state->v[4], sequences, numbers,
                       &v[0], &v[1], &v[2], &v[3], &v[4]);
    for (int k = 0; k < 5; k++) state->v[k] = v[k];
    state->d += 362437u * (unsigned int)numbers;
}

__device__ void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                            curandStateXORWOW* state)
{
    nnlib_seed(seed, state);
    nnlib_skip(subsequence, offset, state);
    state->boxmuller_flag = state->boxmuller_flag_double = 0;
    state->boxmuller_extra = 0.0f;
    state->boxmuller_extra_double = 0.0;
}

__device__ unsigned int curand(curandStateXORWOW* state)
{
    unsigned int first = state->v[0] ^ state->v[0] >> 2, last = state->v[4];
    for (int k = 0; k < 4; k++) state->v[k] = state->v[k + 1];
    state->v[4] = last ^ last << 4 ^ first ^ first << 1;
    state->d += 362437u;
    return state->v[4] + state->d;
}

__device__ void skipahead(unsigned long long n, curandStateXORWOW* state) { nnlib_skip(0, n, state); }
__device__ void skipahead_sequence(unsigned long long n, curandStateXORWOW* state) { nnlib_skip(n, 0, state); }

// --- Philox ------------------------------------------------------------------------------------

struct curandStatePhilox4_32_10 {
    uint4 ctr, output;
    uint2 key;
    unsigned int STATE;
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

__device__ uint4 curand_Philox4x32_10(uint4 c, uint2 k)
{
    for (int round = 0; round < 10; round++) {
        unsigned int high0 = __umulhi(0xd2511f53u, c.x), high1 = __umulhi(0xcd9e8d57u, c.z);
        c = make_uint4(high1 ^ c.y ^ k.x, 0xcd9e8d57u * c.z, high0 ^ c.w ^ k.y, 0xd2511f53u * c.x);
        k.x += 0x9e3779b9u;
        k.y += 0xbb67ae85u;
    }
    return c;
}

__device__ void nnlib_refill(curandStatePhilox4_32_10* state)
{
    state->output = curand_Philox4x32_10(state->ctr, state->key);
}

__device__ void nnlib_next(unsigned long long n, curandStatePhilox4_32_10* state)
{
    uint4 c = state->ctr;
    unsigned long long low = ((unsigned long long)c.y << 32 | c.x) + n;
    if (low < n && ++c.z == 0) c.w++;
    state->ctr = make_uint4((unsigned int)low, (unsigned int)(low >> 32), c.z, c.w);
}

__device__ void skipahead(unsigned long long n, curandStatePhilox4_32_10* state)
{
    state->STATE += (unsigned int)(n & 3);
    n /= 4;
    if (state->STATE > 3) {
        n++;
        state->STATE -= 4;
    }
    nnlib_next(n, state);
    nnlib_refill(state);
}

__device__ void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10* state)
{
    unsigned long long high = ((unsigned long long)state->ctr.w << 32 | state->ctr.z) + n;
    state->ctr.z = (unsigned int)high;
    state->ctr.w = (unsigned int)(high >> 32);
    nnlib_refill(state);
}

__device__ void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                            curandStatePhilox4_32_10* state)
{
    state->ctr = make_uint4(0, 0, 0, 0);
    state->key = make_uint2((unsigned int)seed, (unsigned int)(seed >> 32));
    state->STATE = 0;
    state->boxmuller_flag = state->boxmuller_flag_double = 0;
    state->boxmuller_extra = 0.0f;
    state->boxmuller_extra_double = 0.0;
    skipahead_sequence(subsequence, state);
    skipahead(offset, state);
}

__device__ unsigned int curand(curandStatePhilox4_32_10* state)
{
    unsigned int at = state->STATE++;
    uint4 x = state->output;
    unsigned int result = at == 0 ? x.x : at == 1 ? x.y : at == 2 ? x.z : x.w;
    if (state->STATE == 4) {
        nnlib_next(1, state);
        nnlib_refill(state);
        state->STATE = 0;
    }
    return result;
}

__device__ uint4 curand4(curandStatePhilox4_32_10* state)
{
    uint4 a = state->output;
    nnlib_next(1, state);
    nnlib_refill(state);
    uint4 b = state->output;
    if (state->STATE == 1) return make_uint4(a.y, a.z, a.w, b.x);
    if (state->STATE == 2) return make_uint4(a.z, a.w, b.x, b.y);
    if (state->STATE == 3) return make_uint4(a.w, b.x, b.y, b.z);
    return a;
}

// --- uniform, in (0, 1] ----------------------------------------------------------------------------

__device__ float nnlib_uniform(unsigned int x) { return fmaf(x, 0x1p-32f, 0x1p-33f); }
__device__ double nnlib_uniform(unsigned int x, unsigned int y)
{
    return fma((double)(x ^ (unsigned long long)y << 21), 0x1p-53, 0x1p-54);
}
__device__ float4 nnlib_uniform(uint4 x)
{
    return make_float4(nnlib_uniform(x.x), nnlib_uniform(x.y), nnlib_uniform(x.z), nnlib_uniform(x.w));
}

__device__ float curand_uniform(curandStateXORWOW* state) { return nnlib_uniform(curand(state)); }
__device__ float curand_uniform(curandStatePhilox4_32_10* state) { return nnlib_uniform(curand(state)); }
__device__ float4 curand_uniform4(curandStatePhilox4_32_10* state) { return nnlib_uniform(curand4(state)); }
__device__ double curand_uniform_double(curandStateXORWOW* state)
{
    unsigned int x = curand(state);
    return nnlib_uniform(x, curand(state));
}
__device__ double curand_uniform_double(curandStatePhilox4_32_10* state)
{
    return fma((double)curand(state), 0x1p-32, 0x1p-32);
}
__device__ double2 curand_uniform2_double(curandStatePhilox4_32_10* state)
{
    uint4 x = curand4(state);
    return make_double2(nnlib_uniform(x.x, x.y), nnlib_uniform(x.z, x.w));
}

// --- normal, two at a time (Box and Muller, 1958) ---------------------------------------------------

__device__ float2 nnlib_normal(unsigned int x, unsigned int y)
{
    float size = sqrtf(-2.0f * logf(nnlib_uniform(x)));
    float turn = 0x1p-32f * 6.2831855f, sine, cosine;
    __sincosf(fmaf(y, turn, turn / 2), &sine, &cosine);
    return make_float2(sine * size, cosine * size);
}
__device__ double2 nnlib_normal(uint4 x)
{
    double size = sqrt(-2.0 * log(nnlib_uniform(x.x, x.y))), sine, cosine;
    sincospi(fma((double)(x.z ^ (unsigned long long)x.w << 21), 0x1p-52, 0x1p-53), &sine, &cosine);
    return make_double2(sine * size, cosine * size);
}
__device__ float nnlib_exponential(float x) { return expf(x); }
__device__ double nnlib_exponential(double x) { return exp(x); }
__device__ uint4 nnlib_four(curandStateXORWOW* state)
{
    unsigned int x = curand(state), y = curand(state), z = curand(state);
    return make_uint4(x, y, z, curand(state));
}
__device__ uint4 nnlib_four(curandStatePhilox4_32_10* state) { return curand4(state); }

// One function for each generator: which one is used later.
#define NNLIB_NORMAL(State, number, pair, suffix, flag, extra, drawn) \
__device__ pair curand_normal2##suffix(State* state) { drawn }  \
__device__ pair curand_log_normal2##suffix(State* state, number mean, number stddev) \
{ \
    pair v = curand_normal2##suffix(state); \
    return make_##pair(nnlib_exponential(mean + stddev * v.x), nnlib_exponential(mean + stddev * v.y)); \
} \
__device__ number curand_normal##suffix(State* state) \
{ \
    if (state->flag == 1) { \
        state->flag = 0; \
        return state->extra; \
    } \
    pair v = curand_normal2##suffix(state); \
    state->extra = v.y; \
    state->flag = 1; \
    return v.x; \
} \
__device__ number curand_log_normal##suffix(State* state, number mean, number stddev) \
{ \
    if (state->flag == 2) { \
        state->flag = 0; \
        return state->extra; \
    } \
    pair v = curand_log_normal2##suffix(state, mean, stddev); \
    state->extra = v.y; \
    state->flag = 2; \
    return v.x; \
}
#define NNLIB_TWO unsigned int x = curand(state); return nnlib_normal(x, curand(state));
#define NNLIB_FOUR return nnlib_normal(nnlib_four(state));
NNLIB_NORMAL(curandStateXORWOW, float, float2, , boxmuller_flag, boxmuller_extra, NNLIB_TWO)
NNLIB_NORMAL(curandStateXORWOW, double, double2, _double, boxmuller_flag_double, boxmuller_extra_double, NNLIB_FOUR)
NNLIB_NORMAL(curandStatePhilox4_32_10, float, float2, , boxmuller_flag, boxmuller_extra, NNLIB_TWO)
NNLIB_NORMAL(curandStatePhilox4_32_10, double, double2, _double, boxmuller_flag_double, boxmuller_extra_double,
             NNLIB_FOUR)
__device__ float4 curand_normal4(curandStatePhilox4_32_10* state)
{
    uint4 x = curand4(state);
    float2 a = nnlib_normal(x.x, x.y), b = nnlib_normal(x.z, x.w);
    return make_float4(a.x, a.y, b.x, b.y);
}
#undef NNLIB_NORMAL
#undef NNLIB_TWO
#undef NNLIB_FOUR

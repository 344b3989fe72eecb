// XORWOW (Marsaglia, 2003), seeded as NVIDIA's cuRAND seeds it: its state, for kernels and for generators of the host.
struct curandStateXORWOW {
    unsigned int d, v[5];
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef curandStateXORWOW curandStateXORWOW_t;
typedef curandStateXORWOW curandState_t;
typedef curandStateXORWOW curandState;

__host__ __device__ inline void nnlib_seed(unsigned long long seed, curandStateXORWOW* state)
{
    unsigned int low = 1099087573u * ((unsigned int)seed ^ 0xaad26b49u);
    unsigned int high = 2591861531u * ((unsigned int)(seed >> 32) ^ 0xf7dcefddu);
    state->d = 6615241u + high + low;
    state->v[0] = 123456789u + low;
    state->v[1] = 362436069u ^ low;
    state->v[2] = 521288629u + high;
    state->v[3] = 88675123u ^ high;
    state->v[4] = 5783321u + low;
}

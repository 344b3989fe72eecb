// Barriers, shuffles and votes that not everybody reaches.

// expect: BarrierError
// launch: 1, 64, [floats(64)]
extern "C" __global__ void barrier_in_a_branch(float* a)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = a[t];
    if (t < 40)
        __syncthreads();  // <- here
    a[t] = s[t];
}

// expect: BarrierError
// launch: 1, 64, [floats(64), int32([1, 2] * 32)]
extern "C" __global__ void barrier_in_an_uneven_loop(float* a, const int* rounds)
{
    int t = threadIdx.x;
    for (int r = 0; r < rounds[t]; r++) {
        a[t] += 1.0f;
        __syncthreads();  // <- here
    }
}

// expect: BarrierError
// launch: 1, 64, [floats(64)]
extern "C" __global__ void barriers_on_both_sides(float* a)
{
    int t = threadIdx.x;
    if (t % 2 == 0) {
        a[t] = 1.0f;
        __syncthreads();  // <- here
    } else {
        a[t] = 2.0f;
        __syncthreads();
    }
}

// expect: BarrierError
// launch: 1, 64, [int32([1] * 20 + [0] * 44), floats(64)]
extern "C" __global__ void continue_skips_the_barrier(const int* active, float* a)
{
    int t = threadIdx.x;
    for (int r = 0; r < 3; r++) {
        if (!active[t])
            continue;
        a[t] += r;
        __syncthreads();  // <- here
    }
}

// expect: BarrierError thread=(0,0,0) block=(0,0,0)
// launch: 1, 32, [floats(32)]
extern "C" __global__ void shuffle_from_a_sleeping_lane(float* a)
{
    int t = threadIdx.x;
    float v = a[t];
    if (t < 16)
        v += __shfl_down_sync(0x0000ffff, v, 16);  // <- here
    a[t] = v;
}

// expect: BarrierError
// launch: 1, 32, [floats(32)]
extern "C" __global__ void full_mask_in_half_a_warp(float* a)
{
    int t = threadIdx.x;
    float v = a[t];
    if (t < 16)
        v += __shfl_xor_sync(0xffffffff, v, 1);  // <- here
    a[t] = v;
}

// expect: BarrierError
// launch: 1, 48, [int32([1] * 48), uint32([0] * 48)]
extern "C" __global__ void ballot_in_a_branch(const int* a, unsigned int* votes)
{
    int t = threadIdx.x;
    if (t % 3)
        votes[t] = __ballot_sync(0xffffffff, a[t]);  // <- here
}

// One branch, about which the lanes of a warp disagree, or agree. Lesson 01.
//
// x: n float32, n a multiple of the block. Every element goes `rounds` times through one of two lines of equal cost.
//   grid = n / block.

// Neighbouring lanes disagree: every warp runs both sides, one after the other.
extern "C" __global__ void by_lane(float* x, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = x[i];
    if (i % 2 == 0)
        for (int k = 0; k < rounds; k++)
            v = 0.5f * v + 1.0f;
    else
        for (int k = 0; k < rounds; k++)
            v = 1.0f - v * v;
    x[i] = v;
}

// Neighbouring warps disagree: every warp runs one side.
extern "C" __global__ void by_warp(float* x, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = x[i];
    if (i / 32 % 2 == 0)
        for (int k = 0; k < rounds; k++)
            v = 0.5f * v + 1.0f;
    else
        for (int k = 0; k < rounds; k++)
            v = 1.0f - v * v;
    x[i] = v;
}

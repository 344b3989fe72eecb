// <<<(N * O + 7) / 8, 256>>>
extern "C" __global__ void linear_forward(const float* x, const float* w, const float* b, float* y, int N, int I, int O)
{
    int at = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (at >= N * O) return;
    int n = at / O, o = at % O;
    float sum = 0.0f;
    for (int i = lane; i < I; i += 32)
        sum += x[n * I + i] * w[o * I + i];
    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    if (lane == 0)
        y[at] = sum + b[o];
}

// <<<(N * outputs + 7) / 8, 256>>>
extern "C" __global__ void linear_forward(const float* x, const float* w, const float* b, float* y,
                                          int N, int inputs, int outputs)
{
    int at = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (at >= N * outputs) return;
    int n = at / outputs, o = at % outputs;
    float sum = 0.0f;
    for (int i = lane; i < inputs; i += 32)
        sum += x[n * inputs + i] * w[o * inputs + i];
    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    if (lane == 0)
        y[at] = sum + b[o];
}

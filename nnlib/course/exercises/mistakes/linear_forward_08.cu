// y = x w^T + b, a warp per result: its lanes share the products, shuffles add up what they have. What a student types.
#define T 256
// <<<(N * outputs + T / 32 - 1) / (T / 32), T>>>
extern "C" __global__ void linear_forward(const float* x, const float* w, const float* b, float* y, int N, int inputs, int outputs)
{
    int at = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (at >= N * outputs) return;
    int out = at % outputs, n = at / outputs;
    float sum = 0.0f;
    for (int p = lane; p < inputs; p += 32) sum += x[n * inputs + p] * w[out * inputs + p];
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffff, sum, d);
    if (lane == 0) y[at] = sum + b[out];
}

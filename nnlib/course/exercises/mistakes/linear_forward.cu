// A row of x times a row of w, plus the bias, with tiles of T x T in shared memory.
#define T 16
// <<<dim3((outputs + T - 1) / T, (N + T - 1) / T), dim3(T, T)>>>
extern "C" __global__ void linear_forward(const float* x, const float* w, const float* b, float* y,
                                          int N, int inputs, int outputs)
{
    __shared__ float x_tile[T][T], w_tile[T][T + 1];
    int tx = threadIdx.x, ty = threadIdx.y;
    int n = blockIdx.y * T + ty, out = blockIdx.x * T + tx, row = blockIdx.x * T + ty;
    float sum = 0.0f;
    for (int start = 0; start < inputs; start += T) {
        x_tile[ty][tx] = n < N && start + tx < inputs ? x[n * inputs + start + tx] : 0.0f;
        w_tile[ty][tx] = row < outputs && start + tx < inputs ? w[row * inputs + start + tx] : 0.0f;
        __syncthreads();
        for (int i = 0; i < T; i++) sum += x_tile[ty][i] * w_tile[tx][i];
        __syncthreads();
    }
    if (n < N && out < outputs) y[n * outputs + out] = sum + b[out];
}

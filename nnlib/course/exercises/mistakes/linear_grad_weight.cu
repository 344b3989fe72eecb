// dw = dy^T x, with tiles of T x T in shared memory.
#define T 16
// <<<dim3((inputs + T - 1) / T, (outputs + T - 1) / T), dim3(T, T)>>>
extern "C" __global__ void linear_grad_weight(const float* dy, const float* x, float* dw,
                                              int N, int inputs, int outputs)
{
    __shared__ float dy_tile[T][T], x_tile[T][T];
    int tx = threadIdx.x, ty = threadIdx.y;
    int out = blockIdx.y * T + ty, i = blockIdx.x * T + tx, column = blockIdx.y * T + tx;
    float sum = 0.0f;
    for (int start = 0; start < N; start += T) {
        dy_tile[ty][tx] = start + ty < N && column < outputs ? dy[(start + ty) * outputs + column] : 0.0f;
        x_tile[ty][tx] = start + ty < N && i < inputs ? x[(start + ty) * inputs + i] : 0.0f;
        __syncthreads();
        for (int n = 0; n < T; n++) sum += dy_tile[n][ty] * x_tile[n][tx];
        __syncthreads();
    }
    if (out < outputs && i < inputs) dw[out * inputs + i] = sum;
}

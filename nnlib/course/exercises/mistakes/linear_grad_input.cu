// dx = dy w, with tiles of T x T in shared memory.
#define T 16
// <<<dim3((inputs + T - 1) / T, (N + T - 1) / T), dim3(T, T)>>>
extern "C" __global__ void linear_grad_input(const float* dy, const float* w, float* dx,
                                             int N, int inputs, int outputs)
{
    __shared__ float dy_tile[T][T], w_tile[T][T];
    int tx = threadIdx.x, ty = threadIdx.y;
    int n = blockIdx.y * T + ty, i = blockIdx.x * T + tx;
    float sum = 0.0f;
    for (int start = 0; start < outputs; start += T) {
        dy_tile[ty][tx] = n < N && start + tx < outputs ? dy[n * outputs + start + tx] : 0.0f;
        w_tile[ty][tx] = start + ty < outputs && i < inputs ? w[(start + ty) * inputs + i] : 0.0f;
        __syncthreads();
        for (int out = 0; out < T; out++) sum += dy_tile[ty][out] * w_tile[out][tx];
        __syncthreads();
    }
    if (n < N && i < inputs) dx[n * inputs + i] = sum;
}

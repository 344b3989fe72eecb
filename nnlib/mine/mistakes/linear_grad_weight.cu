// dw = dy^T x, with tiles of T x T in shared memory: what a student types.
#define T 16
// <<<dim3((I + T - 1) / T, (O + T - 1) / T), dim3(T, T)>>>
extern "C" __global__ void linear_grad_weight(const float* dy, const float* x, float* dw, int N, int I, int O)
{
    __shared__ float ds[T][T], xs[T][T];
    int tx = threadIdx.x, ty = threadIdx.y;
    int o = blockIdx.y * T + ty, i = blockIdx.x * T + tx, o_load = blockIdx.y * T + tx;
    float sum = 0.0f;
    for (int n0 = 0; n0 < N; n0 += T) {
        ds[ty][tx] = n0 + ty < N && o_load < O ? dy[(n0 + ty) * O + o_load] : 0.0f;
        xs[ty][tx] = n0 + ty < N && i < I ? x[(n0 + ty) * I + i] : 0.0f;
        __syncthreads();
        for (int n = 0; n < T; n++) sum += ds[n][ty] * xs[n][tx];
        __syncthreads();
    }
    if (o < O && i < I) dw[o * I + i] = sum;
}

// y = x w^T + b, with tiles of T x T in shared memory: what a student types.
#define T 16
// <<<dim3((O + T - 1) / T, (N + T - 1) / T), dim3(T, T)>>>
extern "C" __global__ void linear_forward(const float* x, const float* w, const float* b, float* y, int N, int I, int O)
{
    __shared__ float xs[T][T], ws[T][T + 1];
    int tx = threadIdx.x, ty = threadIdx.y;
    int n = blockIdx.y * T + ty, o = blockIdx.x * T + tx, o_load = blockIdx.x * T + ty;
    float sum = 0.0f;
    for (int i0 = 0; i0 < I; i0 += T) {
        xs[ty][tx] = n < N && i0 + tx < I ? x[n * I + i0 + tx] : 0.0f;
        ws[ty][tx] = o_load < O && i0 + tx < I ? w[o_load * I + i0 + tx] : 0.0f;
        __syncthreads();
        for (int i = 0; i < T; i++) sum += xs[ty][i] * ws[tx][i];
        __syncthreads();
    }
    if (n < N && o < O) y[n * O + o] = sum + b[o];
}

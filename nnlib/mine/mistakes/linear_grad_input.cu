// dx = dy w, with tiles of T x T in shared memory: what a student types.
#define T 16
// <<<dim3((I + T - 1) / T, (N + T - 1) / T), dim3(T, T)>>>
extern "C" __global__ void linear_grad_input(const float* dy, const float* w, float* dx, int N, int I, int O)
{
    __shared__ float ds[T][T], ws[T][T];
    int tx = threadIdx.x, ty = threadIdx.y;
    int n = blockIdx.y * T + ty, i = blockIdx.x * T + tx;
    float sum = 0.0f;
    for (int o0 = 0; o0 < O; o0 += T) {
        ds[ty][tx] = n < N && o0 + tx < O ? dy[n * O + o0 + tx] : 0.0f;
        ws[ty][tx] = o0 + ty < O && i < I ? w[(o0 + ty) * I + i] : 0.0f;
        __syncthreads();
        for (int o = 0; o < T; o++) sum += ds[ty][o] * ws[o][tx];
        __syncthreads();
    }
    if (n < N && i < I) dx[n * I + i] = sum;
}

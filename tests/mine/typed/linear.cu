// As a student types it: the three products of a linear layer, each with tiles of 16 x 16.
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

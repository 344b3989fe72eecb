// What a transformer adds to a network: embedding and RMS normalisation, with their gradients.
//
// Attention itself is fast/attention.cu. All rows lie one after another, D numbers each.

__device__ float warp_sum(float value) {
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
    return value;
}

// y (M, D) = w[tokens], the rows of w (V, D): a thread per number.  grid = ceil(M * D / 256), block = 256.
extern "C" __global__ void embedding(const int* __restrict__ tokens, const float* __restrict__ w,
                                     float* __restrict__ y, int n, int D) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = w[tokens[i / D] * D + i % D];
}

// dw (V, D): row v sums up the rows of dy (M, D) whose token is v, in a fixed order, so that no two threads add to the
// same number. A block looks through all tokens for one of them.
//   grid = ceil(D / 32) * V, block = (32, 8): columns, and parts of the tokens.
extern "C" __global__ void embedding_grad(const float* __restrict__ dy, const int* __restrict__ tokens,
                                          float* __restrict__ dw, int M, int D) {
    __shared__ float parts[8][32];
    int tiles = (D + 31) / 32, v = blockIdx.x / tiles, d = blockIdx.x % tiles * 32 + threadIdx.x;
    float sum = 0.0f;
    for (int m = threadIdx.y; m < M; m += 8) {
        if (tokens[m] == v && d < D) sum += dy[(long long)m * D + d];
    }
    parts[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.y == 0 && d < D) {
        for (int part = 1; part < 8; part++) sum += parts[part][threadIdx.x];
        dw[v * D + d] = sum;
    }
}

// y = x r w with r = 1 / sqrt(mean(x^2) + eps), x (rows, D), w (D): a warp per row.  grid = ceil(rows / 8), block = 256.
extern "C" __global__ void rms_norm(const float* __restrict__ x, const float* __restrict__ w, float* __restrict__ y,
                                    float eps, int rows, int D) {
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    x += (long long)row * D;
    y += (long long)row * D;
    float squares = 0.0f;
    for (int d = lane; d < D; d += 32) squares += x[d] * x[d];
    float r = 1.0f / sqrtf(warp_sum(squares) / D + eps);
    for (int d = lane; d < D; d += 32) y[d] = x[d] * r * w[d];
}

// dx = r (g - x r^2 mean(g x)) with g = dy w; keeps r (rows) for the gradient of w: a warp per row.
extern "C" __global__ void rms_norm_grad(const float* __restrict__ dy, const float* __restrict__ x,
                                         const float* __restrict__ w, float* __restrict__ dx,
                                         float* __restrict__ reciprocals, float eps, int rows, int D) {
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    dy += (long long)row * D;
    x += (long long)row * D;
    dx += (long long)row * D;
    float squares = 0.0f, products = 0.0f;
    for (int d = lane; d < D; d += 32) {
        squares += x[d] * x[d];
        products += dy[d] * w[d] * x[d];
    }
    float r = 1.0f / sqrtf(warp_sum(squares) / D + eps), along = r * r * warp_sum(products) / D;
    for (int d = lane; d < D; d += 32) dx[d] = r * (dy[d] * w[d] - x[d] * along);
    if (lane == 0) reciprocals[row] = r;
}

// dw (parts, D): each part sums dy x r over every so many rows.  grid = (ceil(D / 32), parts), block = (32, 8).
extern "C" __global__ void rms_norm_grad_scale(const float* __restrict__ dy, const float* __restrict__ x,
                                               const float* __restrict__ reciprocals, float* __restrict__ dw,
                                               int rows, int D) {
    __shared__ float parts[8][32];
    int d = blockIdx.x * 32 + threadIdx.x;
    float sum = 0.0f;
    for (int row = blockIdx.y * 8 + threadIdx.y; row < rows && d < D; row += gridDim.y * 8) {
        sum += dy[(long long)row * D + d] * x[(long long)row * D + d] * reciprocals[row];
    }
    parts[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.y == 0 && d < D) {
        for (int part = 1; part < 8; part++) sum += parts[part][threadIdx.x];
        dw[blockIdx.y * D + d] = sum;
    }
}

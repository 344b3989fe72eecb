// The linear layer: y = x w^T + b and its three gradients, without ever transposing a matrix. Lesson 03.
//
// x (N, I), w (O, I), b (O), y and dy (N, O).
// First version: one thread per element of the result, fewer than 2^31 elements per array.
//   grid = (ceil(columns / 16), ceil(rows / 16)), block = (16, 16).
// Tiled version, for small products (large ones take fast/product.cu): a block computes TILE x TILE results from tiles in shared memory, a thread MICRO x MICRO of them in
// registers; the three products differ only in which index of each operand lies next to which in memory.
//   grid = (ceil(columns / TILE), ceil(rows / TILE)), block = 256; each operand is read rows / TILE or columns / TILE
//   times instead of once per result.

#ifndef TILE
#define TILE 64
#endif
#define SIDE 16             // threads per block: SIDE x SIDE
#define MICRO (TILE / SIDE)
#define DEPTH 16            // of a tile, along the summed index
#define PITCH (TILE + 4)    // a padded row: fewer bank conflicts, still aligned for float4

// --- first version ---------------------------------------------------------------------------

extern "C" __global__ void linear_forward_naive(const float* x, const float* w, const float* b,
                                                float* y, int N, int inputs, int outputs) {
    int out = blockIdx.x * blockDim.x + threadIdx.x, n = blockIdx.y * blockDim.y + threadIdx.y;
    if (out >= outputs || n >= N) return;
    float sum = b[out];
    for (int i = 0; i < inputs; i++) sum += x[n * inputs + i] * w[out * inputs + i];
    y[n * outputs + out] = sum;
}

extern "C" __global__ void linear_backward_input_naive(const float* dy, const float* w, float* dx,
                                                       int N, int inputs, int outputs) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= inputs || n >= N) return;
    float sum = 0.0f;
    for (int out = 0; out < outputs; out++) sum += dy[n * outputs + out] * w[out * inputs + i];
    dx[n * inputs + i] = sum;
}

extern "C" __global__ void linear_backward_weight_naive(const float* dy, const float* x, float* dw,
                                                        int N, int inputs, int outputs) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, out = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= inputs || out >= outputs) return;
    float sum = 0.0f;
    for (int n = 0; n < N; n++) sum += dy[n * outputs + out] * x[n * inputs + i];
    dw[out * inputs + i] = sum;
}

// --- tiled version ---------------------------------------------------------------------------

// tile[k][r] = source[first_row + r][first_k + k], neighbouring threads along k; zero outside.
__device__ void load_tile_along_k(float tile[DEPTH][PITCH], const float* source, int rows, int depth, int first_row,
                                  int first_k) {
    int k = threadIdx.x % DEPTH;
    for (int r = threadIdx.x / DEPTH; r < TILE; r += SIDE * SIDE / DEPTH) {
        bool inside = first_row + r < rows && first_k + k < depth;
        tile[k][r] = inside ? source[(long long)(first_row + r) * depth + first_k + k] : 0.0f;
    }
}

// tile[k][c] = source[first_k + k][first_column + c], neighbouring threads along c; zero outside.
__device__ void load_tile_along_columns(float tile[DEPTH][PITCH], const float* source, int depth, int columns,
                                        int first_k, int first_column) {
    int c = threadIdx.x % TILE;
    for (int k = threadIdx.x / TILE; k < DEPTH; k += SIDE * SIDE / TILE) {
        bool inside = first_k + k < depth && first_column + c < columns;
        tile[k][c] = inside ? source[(long long)(first_k + k) * columns + first_column + c] : 0.0f;
    }
}

// sum[r][c] += a[k][row + r] * b[k][column + c] over the depth of the tiles.
__device__ void multiply_tiles(float sum[MICRO][MICRO], float a[DEPTH][PITCH], float b[DEPTH][PITCH]) {
    int row = threadIdx.x / SIDE * MICRO, column = threadIdx.x % SIDE * MICRO;
    #pragma unroll
    for (int k = 0; k < DEPTH; k++) {
        #pragma unroll
        for (int r = 0; r < MICRO; r++) {
            #pragma unroll
            for (int c = 0; c < MICRO; c++) sum[r][c] += a[k][row + r] * b[k][column + c];
        }
    }
}

// y = x w^T + b, or with `relu` max(y, 0)
extern "C" __global__ void linear_forward(const float* __restrict__ x, const float* __restrict__ w,
                                          const float* __restrict__ b, float* __restrict__ y, int N, int I, int O,
                                          int relu) {
    __shared__ float xs[DEPTH][PITCH], ws[DEPTH][PITCH];
    float sum[MICRO][MICRO] = {};
    int row = blockIdx.y * TILE, column = blockIdx.x * TILE;
    for (int k = 0; k < I; k += DEPTH) {
        load_tile_along_k(xs, x, N, I, row, k);
        load_tile_along_k(ws, w, O, I, column, k);
        __syncthreads();
        multiply_tiles(sum, xs, ws);
        __syncthreads();
    }
    row += threadIdx.x / SIDE * MICRO;
    column += threadIdx.x % SIDE * MICRO;
    for (int r = 0; r < MICRO; r++) {
        for (int c = 0; c < MICRO; c++) {
            if (row + r < N && column + c < O) {
                float value = sum[r][c] + b[column + c];
                y[(long long)(row + r) * O + column + c] = relu ? fmaxf(value, 0.0f) : value;
            }
        }
    }
}

__device__ void store_tile(float sum[MICRO][MICRO], float* result, int rows, int columns) {
    int row = blockIdx.y * TILE + threadIdx.x / SIDE * MICRO, column = blockIdx.x * TILE + threadIdx.x % SIDE * MICRO;
    for (int r = 0; r < MICRO; r++) {
        for (int c = 0; c < MICRO; c++) {
            if (row + r < rows && column + c < columns) result[(long long)(row + r) * columns + column + c] = sum[r][c];
        }
    }
}

// dx (N, I) = dy w
extern "C" __global__ void linear_backward_input(const float* __restrict__ dy, const float* __restrict__ w,
                                                 float* __restrict__ dx, int N, int I, int O) {
    __shared__ float dys[DEPTH][PITCH], ws[DEPTH][PITCH];
    float sum[MICRO][MICRO] = {};
    for (int k = 0; k < O; k += DEPTH) {
        load_tile_along_k(dys, dy, N, O, blockIdx.y * TILE, k);
        load_tile_along_columns(ws, w, O, I, k, blockIdx.x * TILE);
        __syncthreads();
        multiply_tiles(sum, dys, ws);
        __syncthreads();
    }
    store_tile(sum, dx, N, I);
}

// dw (O, I) = dy^T x. Few results with long sums leave most of the GPU idle: then gridDim.z blocks share the rows of dy
// and x, part z writes to dw + z * O * I, and sum_parts adds the parts up.
extern "C" __global__ void linear_backward_weight(const float* __restrict__ dy, const float* __restrict__ x,
                                                  float* __restrict__ dw, int N, int I, int O) {
    __shared__ float dys[DEPTH][PITCH], xs[DEPTH][PITCH];
    float sum[MICRO][MICRO] = {};
    int share = (N + gridDim.z - 1) / gridDim.z, first = blockIdx.z * share, last = min(N, first + share);
    for (int k = first; k < last; k += DEPTH) {
        load_tile_along_columns(dys, dy, last, O, k, blockIdx.y * TILE);
        load_tile_along_columns(xs, x, last, I, k, blockIdx.x * TILE);
        __syncthreads();
        multiply_tiles(sum, dys, xs);
        __syncthreads();
    }
    store_tile(sum, dw + (long long)blockIdx.z * O * I, O, I);
}

__device__ float warp_sum(float value) {
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffffu, value, offset);
    return value;
}

// db (O) = column sums of dy: the lanes of a warp stand side by side in a row, the 8 warps of a block take every eighth
// row, and the first adds up what they have. gridDim.y blocks share the rows as in linear_backward_weight.
// grid = (ceil(O / 32), parts), block = 256.
extern "C" __global__ void linear_backward_bias(const float* __restrict__ dy, float* __restrict__ db, int N, int O) {
    __shared__ float sums[8][32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, o = blockIdx.x * 32 + lane;
    int share = (N + gridDim.y - 1) / gridDim.y, first = blockIdx.y * share, last = min(N, first + share);
    float sum = 0.0f;
    if (o < O) {
        #pragma unroll 4
        for (int n = first + warp; n < last; n += 8) sum += dy[(long long)n * O + o];
    }
    sums[warp][lane] = sum;
    __syncthreads();
    if (warp > 0 || o >= O) return;
    for (int other = 1; other < 8; other++) sum += sums[other][lane];
    db[blockIdx.y * O + o] = sum;
}

// sums[i] = partials[0][i] + partials[1][i] + ..., in this order.  grid = ceil(n / 256), block = 256.
extern "C" __global__ void sum_parts(const float* __restrict__ partials, float* __restrict__ sums, int parts, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0.0f;
    #pragma unroll 8
    for (int part = 0; part < parts; part++) sum += partials[(long long)part * n + i];
    sums[i] = sum;
}

// y again, for few outputs and many inputs, where tiles would leave the GPU idle: one warp per output, lanes share
// the inputs.  grid = ceil(N * O / 8), block = 256.
extern "C" __global__ void linear_forward_warp(const float* __restrict__ x, const float* __restrict__ w,
                                               const float* __restrict__ b, float* __restrict__ y, int N, int I, int O,
                                               int relu) {
    int output = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (output >= N * O) return;
    const float* row = x + (long long)(output / O) * I;
    const float* weights = w + (long long)(output % O) * I;
    float sum = 0.0f;
    #pragma unroll 4
    for (int i = lane; i < I; i += 32) sum += row[i] * weights[i];
    sum = warp_sum(sum);
    if (lane == 0) {
        sum += b[output % O];
        y[output] = relu ? fmaxf(sum, 0.0f) : sum;
    }
}

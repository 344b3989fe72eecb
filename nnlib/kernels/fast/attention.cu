// Causal self-attention that never stores its T x T weights, and its gradient.
//
// qkv (N, T, 3, H, D), y and dy (N, T, H, D), logsumexp and delta (N, H, T), all sizes but T and H compiled in.
// A block has one head's tile of TILE queries (or keys) and goes through the tiles of keys (or queries) that it meets,
// as Dao and others 2022 (arXiv:2205.14135): a running maximum and sum per row replace the stored row.
//   grid = N * H * ceil(T / TILE), block = SIDE * SIDE.

#ifndef D
#define D 64  // numbers of a head
#endif
#ifndef TILE
#define TILE 64  // queries, and keys, that meet in a block
#endif

#define LOWEST -3.402823466e38f
#define EACH 4                              // a thread has 4 x 4 weights of the tile's table
#define SIDE (TILE / EACH)                  // threads along each side of the table
#define COLUMNS ((D + SIDE - 1) / SIDE)     // and so many numbers of each of its rows' results
#define WIDTH (COLUMNS % 4 == 0 ? 4 : 1)    // neighbours among them

// Where entry `row` of column d lies in a transposed tile [D][TILE]: groups of four rows trade places, so that a warp
// that stores four columns of eight rows, or reads one column, meets every bank once.
#define PLACE(d, row) ((row) ^ ((d) / 4 * 4 % TILE))

// The j-th of a thread's columns of the result.
#define COLUMN(x, j) ((j) / WIDTH * SIDE * WIDTH + (x) * WIDTH + (j) % WIDTH)

struct Head {
    const float* rows;  // of the first token
    int stride;         // from a token to the next
    int T;
};

// Part 0, 1 or 2 of qkv, or, with parts = 1, of y: the rows of one head of one sequence.
__device__ Head head_of(const float* all, int sequence, int head, int part, int parts, int T, int H) {
    return {all + (long long)sequence * T * parts * H * D + (part * H + head) * D, parts * H * D, T};
}

// tile[d][PLACE(d, row)] = rows first ... first + TILE - 1, transposed; zero past the end.
__device__ void load_turned(float (*tile)[TILE], Head from, int first) {
    for (int i = threadIdx.x; i < TILE * ((D + 3) / 4); i += SIDE * SIDE) {
        int group = i % ((D + 3) / 4), row = i / ((D + 3) / 4);
        #pragma unroll
        for (int e = 0; e < 4; e++) {
            int d = group * 4 + e;
            if (d < D) tile[d][PLACE(d, row)] = first + row < from.T ? from.rows[(long long)(first + row) * from.stride + d] : 0.0f;
        }
    }
}

// table[i][j] += sum over d of a[d][y rows] b[d][x rows]: the scores of four rows with four others.
__device__ void multiply_turned(float (*table)[EACH], const float (*a)[TILE], const float (*b)[TILE], int y, int x) {
    #pragma unroll 8
    for (int d = 0; d < D; d++) {
        float4 p = *(const float4*)&a[d][PLACE(d, y * EACH)], q = *(const float4*)&b[d][PLACE(d, x * EACH)];
        float left[EACH] = {p.x, p.y, p.z, p.w}, right[EACH] = {q.x, q.y, q.z, q.w};
        #pragma unroll
        for (int i = 0; i < EACH; i++) {
            #pragma unroll
            for (int j = 0; j < EACH; j++) table[i][j] += left[i] * right[j];
        }
    }
}

__device__ float row_max(float value) {
    #pragma unroll
    for (int offset = SIDE / 2; offset > 0; offset /= 2) value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, offset));
    return value;
}

__device__ float row_sum(float value) {
    #pragma unroll
    for (int offset = SIDE / 2; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
    return value;
}

#define BIGGER (D > TILE ? D : TILE)

// y = softmax(q k^T / sqrt(D)) v, keys up to the query's own place; logsumexp of each row for the gradient.
extern "C" __global__ void attention(const float* __restrict__ qkv, float* __restrict__ y,
                                     float* __restrict__ logsumexp, float scale, int T, int H) {
    __shared__ __align__(16) float q[D][TILE], k[BIGGER][TILE], v[TILE][COLUMNS * SIDE];
    int tiles = (T + TILE - 1) / TILE, head = blockIdx.x / tiles;
    int first = (tiles - 1 - blockIdx.x % tiles) * TILE;  // the longest rows begin first
    int ty = threadIdx.x / SIDE, tx = threadIdx.x % SIDE;
    Head queries = head_of(qkv, head / H, head % H, 0, 3, T, H), keys = head_of(qkv, head / H, head % H, 1, 3, T, H);
    Head values = head_of(qkv, head / H, head % H, 2, 3, T, H);
    load_turned(q, queries, first);
    float largest[EACH], sum[EACH] = {}, result[EACH][COLUMNS] = {};
    #pragma unroll
    for (int i = 0; i < EACH; i++) largest[i] = LOWEST;
    for (int start = 0; start <= first; start += TILE) {
        load_turned(k, keys, start);
        for (int i = threadIdx.x; i < TILE * COLUMNS * SIDE; i += SIDE * SIDE) {
            int row = i / (COLUMNS * SIDE), d = i % (COLUMNS * SIDE);
            v[row][d] = d < D && start + row < T ? values.rows[(long long)(start + row) * values.stride + d] : 0.0f;
        }
        __syncthreads();
        float weights[EACH][EACH] = {};
        multiply_turned(weights, q, k, ty, tx);
        #pragma unroll
        for (int i = 0; i < EACH; i++) {
            float top = largest[i];
            #pragma unroll
            for (int j = 0; j < EACH; j++) {
                bool seen = start + tx * EACH + j <= first + ty * EACH + i;
                weights[i][j] = seen ? weights[i][j] * scale : LOWEST;
                top = fmaxf(top, weights[i][j]);
            }
            top = row_max(top);
            float old = expf(largest[i] - top), part = 0.0f;
            largest[i] = top;
            #pragma unroll
            for (int j = 0; j < EACH; j++) {
                weights[i][j] = expf(weights[i][j] - top);
                part += weights[i][j];
            }
            sum[i] = sum[i] * old + row_sum(part);
            #pragma unroll
            for (int j = 0; j < COLUMNS; j++) result[i][j] *= old;
        }
        __syncthreads();  // all have read k, whose place the weights take, turned
        #pragma unroll
        for (int j = 0; j < EACH; j++) {
            int key = tx * EACH + j;
            *(float4*)&k[key][PLACE(key, ty * EACH)] =
                make_float4(weights[0][j], weights[1][j], weights[2][j], weights[3][j]);
        }
        __syncthreads();
        #pragma unroll 4
        for (int key = 0; key < TILE; key++) {
            float4 four = *(const float4*)&k[key][PLACE(key, ty * EACH)];
            float p[EACH] = {four.x, four.y, four.z, four.w};
            #pragma unroll
            for (int j = 0; j < COLUMNS; j++) {
                float value = v[key][COLUMN(tx, j)];
                #pragma unroll
                for (int i = 0; i < EACH; i++) result[i][j] += p[i] * value;
            }
        }
        __syncthreads();
    }
    #pragma unroll
    for (int i = 0; i < EACH; i++) {
        int row = first + ty * EACH + i;
        if (row < T) {
            float* to = y + (((long long)(head / H) * T + row) * H + head % H) * D;
            #pragma unroll
            for (int j = 0; j < COLUMNS; j++) {
                if (COLUMN(tx, j) < D) to[COLUMN(tx, j)] = result[i][j] / sum[i];
            }
            if (tx == 0) logsumexp[(long long)head * T + row] = largest[i] + logf(sum[i]);
        }
    }
}

// delta = sum over d of dy y, for every row of every head.  grid = ceil(N * H * T / 256), block = 256.
extern "C" __global__ void attention_delta(const float* __restrict__ dy, const float* __restrict__ y,
                                           float* __restrict__ delta, int n, int T, int H) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int t = i % T, head = i / T;
    long long start = (((long long)(head / H) * T + t) * H + head % H) * D;
    float sum = 0.0f;
    for (int d = 0; d < D; d++) sum += dy[start + d] * y[start + d];
    delta[i] = sum;
}

// What both gradients need of a tile of queries (from `row`) and one of keys (from `key`): weights p, and dp - delta
// times p and the scale, as the loss sees the scores. Turned: [key][query] for the keys', [query][key] for the queries'.
__device__ void weights_and_slopes(float (*p)[EACH], float (*ds)[EACH], const float (*q)[TILE], const float (*k)[TILE],
                                   const float (*dy)[TILE], const float (*v)[TILE], const float* logsumexp,
                                   const float* delta, float scale, int row, int key, int T, int ty, int tx) {
    multiply_turned(p, q, k, ty, tx);
    multiply_turned(ds, dy, v, ty, tx);
    #pragma unroll
    for (int i = 0; i < EACH; i++) {
        int r = row + ty * EACH + i;
        float lse = r < T ? logsumexp[r] : 0.0f, correction = r < T ? delta[r] : 0.0f;
        #pragma unroll
        for (int j = 0; j < EACH; j++) {
            bool seen = r < T && key + tx * EACH + j <= r;
            p[i][j] = seen ? expf(p[i][j] * scale - lse) : 0.0f;
            ds[i][j] = p[i][j] * (ds[i][j] - correction) * scale;
        }
    }
}

// result[i][j] += sum over the tile's `inner` of a[inner][y rows] b[columns][inner].
__device__ void multiply_result(float (*result)[COLUMNS], const float (*a)[TILE], const float (*b)[TILE], int y, int x) {
    for (int inner = 0; inner < TILE; inner++) {
        float4 four = *(const float4*)&a[inner][PLACE(inner, y * EACH)];
        float left[EACH] = {four.x, four.y, four.z, four.w};
        #pragma unroll
        for (int j = 0; j < COLUMNS; j++) {
            int d = COLUMN(x, j);
            float right = d < D ? b[d][PLACE(d, inner)] : 0.0f;
            #pragma unroll
            for (int i = 0; i < EACH; i++) result[i][j] += left[i] * right;
        }
    }
}

__device__ void store_rows(float* to, int stride, const float (*result)[COLUMNS], int first, int T, int ty, int tx) {
    #pragma unroll
    for (int i = 0; i < EACH; i++) {
        int row = first + ty * EACH + i;
        #pragma unroll
        for (int j = 0; j < COLUMNS; j++) {
            if (row < T && COLUMN(tx, j) < D) to[(long long)row * stride + COLUMN(tx, j)] = result[i][j];
        }
    }
}

#if TILE * (4 * D + TILE) * 4 <= 48 * 1024  // bytes of the five tiles of a gradient

// dk and dv of dqkv: a block has a tile of keys and meets the queries from there on.
extern "C" __global__ void attention_grad_keys(const float* __restrict__ dy, const float* __restrict__ qkv,
                                               const float* __restrict__ logsumexp, const float* __restrict__ delta,
                                               float* __restrict__ dqkv, float scale, int T, int H) {
    __shared__ __align__(16) float q[D][TILE], k[D][TILE], v[D][TILE], slope[D][TILE], table[TILE][TILE];
    int tiles = (T + TILE - 1) / TILE, head = blockIdx.x / tiles, first = blockIdx.x % tiles * TILE;
    int ty = threadIdx.x / SIDE, tx = threadIdx.x % SIDE;
    Head queries = head_of(qkv, head / H, head % H, 0, 3, T, H), results = head_of(dy, head / H, head % H, 0, 1, T, H);
    load_turned(k, head_of(qkv, head / H, head % H, 1, 3, T, H), first);
    load_turned(v, head_of(qkv, head / H, head % H, 2, 3, T, H), first);
    float dk[EACH][COLUMNS] = {}, dv[EACH][COLUMNS] = {};
    for (int start = first; start < T; start += TILE) {
        load_turned(q, queries, start);
        load_turned(slope, results, start);
        __syncthreads();
        float p[EACH][EACH] = {}, ds[EACH][EACH] = {};
        weights_and_slopes(p, ds, q, k, slope, v, logsumexp + (long long)head * T, delta + (long long)head * T, scale,
                           start, first, T, ty, tx);
        #pragma unroll
        for (int i = 0; i < EACH; i++) {
            int row = ty * EACH + i;
            *(float4*)&table[row][PLACE(row, tx * EACH)] = make_float4(p[i][0], p[i][1], p[i][2], p[i][3]);
        }
        __syncthreads();
        multiply_result(dv, table, slope, ty, tx);
        __syncthreads();
        #pragma unroll
        for (int i = 0; i < EACH; i++) {
            int row = ty * EACH + i;
            *(float4*)&table[row][PLACE(row, tx * EACH)] = make_float4(ds[i][0], ds[i][1], ds[i][2], ds[i][3]);
        }
        __syncthreads();
        multiply_result(dk, table, q, ty, tx);
        __syncthreads();
    }
    float* to = dqkv + (long long)(head / H) * T * 3 * H * D + head % H * D;
    store_rows(to + H * D, 3 * H * D, dk, first, T, ty, tx);
    store_rows(to + 2 * H * D, 3 * H * D, dv, first, T, ty, tx);
}

// dq of dqkv: a block has a tile of queries and meets the keys up to there.
extern "C" __global__ void attention_grad_queries(const float* __restrict__ dy, const float* __restrict__ qkv,
                                                  const float* __restrict__ logsumexp, const float* __restrict__ delta,
                                                  float* __restrict__ dqkv, float scale, int T, int H) {
    __shared__ __align__(16) float q[D][TILE], k[D][TILE], v[D][TILE], slope[D][TILE], table[TILE][TILE];
    int tiles = (T + TILE - 1) / TILE, head = blockIdx.x / tiles, first = blockIdx.x % tiles * TILE;
    int ty = threadIdx.x / SIDE, tx = threadIdx.x % SIDE;
    Head keys = head_of(qkv, head / H, head % H, 1, 3, T, H), values = head_of(qkv, head / H, head % H, 2, 3, T, H);
    load_turned(q, head_of(qkv, head / H, head % H, 0, 3, T, H), first);
    load_turned(slope, head_of(dy, head / H, head % H, 0, 1, T, H), first);
    float dq[EACH][COLUMNS] = {};
    for (int start = 0; start <= first; start += TILE) {
        load_turned(k, keys, start);
        load_turned(v, values, start);
        __syncthreads();
        float p[EACH][EACH] = {}, ds[EACH][EACH] = {};
        weights_and_slopes(p, ds, q, k, slope, v, logsumexp + (long long)head * T, delta + (long long)head * T, scale,
                           first, start, T, ty, tx);
        #pragma unroll
        for (int j = 0; j < EACH; j++) {
            int key = tx * EACH + j;
            *(float4*)&table[key][PLACE(key, ty * EACH)] = make_float4(ds[0][j], ds[1][j], ds[2][j], ds[3][j]);
        }
        __syncthreads();
        multiply_result(dq, table, k, ty, tx);
        __syncthreads();
    }
    store_rows(dqkv + (long long)(head / H) * T * 3 * H * D + head % H * D, 3 * H * D, dq, first, T, ty, tx);
}

#endif

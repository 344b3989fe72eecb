// Tiles of 32 tokens meet tiles of 32 others in shared memory; their weights are computed again from the logsumexp of
// the rows, and never stored. A block has 32 tokens of a head: as queries they meet the keys up to their own, as keys
// the queries from their own on. A warp has four of them; first a lane is one of the others, then a number of them.
// <<<dim3((T + 31) / 32 * N * heads, (D + 31) / 32), dim3(32, 8)>>>
#define ALL 0xffffffffu
#define EACH 4  // tokens of a warp
// Tile of 32 numbers, from `begin` on, of the 32 tokens from `first` on; zero past the ends.
#define LOAD(tile, rows, step, first, begin) \
    for (int row = warp; row < 32; row += 8) { \
        bool inside = (first) + row < T && (begin) + lane < D; \
        tile[row][lane] = inside ? rows[((first) + row) * (step) + (begin) + lane] : 0.0f; \
    }
// deltas[row] = products of dy and y of the 32 tokens from `first` on.
#define LOAD_DELTAS(first) \
    for (int row = warp; row < 32; row += 8) { \
        float delta = 0.0f; \
        for (int d = lane; d < D && (first) + row < T; d += 32) { \
            delta += slopes[((first) + row) * E + d] * results[((first) + row) * E + d]; \
        } \
        for (int offset = 16; offset > 0; offset /= 2) delta += __shfl_xor_sync(ALL, delta, offset); \
        if (lane == 0) deltas[row] = delta; \
    }

extern "C" __global__ void attention_grad(const float* dy, const float* qkv, const float* y, const float* logsumexp,
                                          float* dqkv, int N, int T, int heads, int D) {
    // Queries or keys, and slopes or values, of the block's own tokens and of the others.
    __shared__ float a[32][33], b[32][33], c[32][33], e[32][33], deltas[32];
    int lane = threadIdx.x, warp = threadIdx.y, tiles = (T + 31) / 32, column = blockIdx.y * 32 + lane;
    int own = blockIdx.x % tiles * 32, h = blockIdx.x / tiles % heads, n = blockIdx.x / (tiles * heads);
    int E = heads * D, step = 3 * E;
    const float* q = qkv + n * T * step + h * D;
    const float* k = q + E;
    const float* v = k + E;
    const float* slopes = dy + n * T * E + h * D;
    const float* results = y + n * T * E + h * D;
    const float* lse = logsumexp + (n * heads + h) * T;
    float scale = 1.0f / sqrtf(D), dq[EACH] = {}, dk[EACH] = {}, dv[EACH] = {};
    LOAD_DELTAS(own)
    for (int other = 0; other <= own; other += 32) {  // keys
        float p[EACH] = {}, ds[EACH] = {};
        for (int begin = 0; begin < D; begin += 32) {
            __syncthreads();
            LOAD(a, q, step, own, begin)
            LOAD(b, k, step, other, begin)
            LOAD(c, slopes, E, own, begin)
            LOAD(e, v, step, other, begin)
            __syncthreads();
            for (int d = 0; d < min(32, D - begin); d++) {
                for (int i = 0; i < EACH; i++) {
                    p[i] += a[warp * EACH + i][d] * b[lane][d];
                    ds[i] += c[warp * EACH + i][d] * e[lane][d];
                }
            }
        }
        for (int i = 0; i < EACH; i++) {
            int t = own + warp * EACH + i;
            p[i] = t < T && other + lane <= t ? expf(p[i] * scale - lse[t]) : 0.0f;
            ds[i] = p[i] * (ds[i] - deltas[warp * EACH + i]) * scale;
        }
        __syncthreads();
        if (D > 32) LOAD(b, k, step, other, blockIdx.y * 32)
        __syncthreads();
        for (int key = 0; key < min(32, T - other); key++) {
            for (int i = 0; i < EACH; i++) dq[i] += __shfl_sync(ALL, ds[i], key) * b[key][lane];
        }
    }
    for (int other = own; other < T; other += 32) {  // queries
        float p[EACH] = {}, ds[EACH] = {};
        __syncthreads();
        LOAD_DELTAS(other)
        for (int begin = 0; begin < D; begin += 32) {
            __syncthreads();
            LOAD(a, k, step, own, begin)
            LOAD(b, q, step, other, begin)
            LOAD(c, v, step, own, begin)
            LOAD(e, slopes, E, other, begin)
            __syncthreads();
            for (int d = 0; d < min(32, D - begin); d++) {
                for (int i = 0; i < EACH; i++) {
                    p[i] += a[warp * EACH + i][d] * b[lane][d];
                    ds[i] += c[warp * EACH + i][d] * e[lane][d];
                }
            }
        }
        int t = other + lane;
        float of_row = t < T ? lse[t] : 0.0f;
        for (int i = 0; i < EACH; i++) {
            p[i] = t < T && own + warp * EACH + i <= t ? expf(p[i] * scale - of_row) : 0.0f;
            ds[i] = p[i] * (ds[i] - deltas[lane]) * scale;
        }
        __syncthreads();
        if (D > 32) LOAD(b, q, step, other, blockIdx.y * 32)
        if (D > 32) LOAD(e, slopes, E, other, blockIdx.y * 32)
        __syncthreads();
        for (int query = 0; query < min(32, T - other); query++) {
            for (int i = 0; i < EACH; i++) {
                dk[i] += __shfl_sync(ALL, ds[i], query) * b[query][lane];
                dv[i] += __shfl_sync(ALL, p[i], query) * e[query][lane];
            }
        }
    }
    for (int i = 0; i < EACH; i++) {
        int s = own + warp * EACH + i, at = (n * T + s) * step + h * D + column;
        if (s < T && column < D) {
            dqkv[at] = dq[i];
            dqkv[at + E] = dk[i];
            dqkv[at + 2 * E] = dv[i];
        }
    }
}

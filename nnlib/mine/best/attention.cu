// Tiles of 32 queries meet tiles of 32 keys in shared memory, and the T x T weights are never stored: each query keeps
// the largest score so far, the sum of the weights, and the weighted sum of 64 numbers of the values. Where a larger
// score appears, both sums are scaled down. A warp has four queries; first a lane is a key, then a number of the values.
// <<<dim3((T + 31) / 32 * N * heads, (D + 63) / 64), dim3(32, 8)>>>
#define ALL 0xffffffffu
#define EACH 4  // queries of a warp

extern "C" __global__ void attention(const float* qkv, float* y, float* logsumexp, int N, int T, int heads, int D) {
    __shared__ float q[32][32], k[32][33], v[32][64];
    int lane = threadIdx.x, warp = threadIdx.y, tiles = (T + 31) / 32;
    int first = blockIdx.x % tiles * 32, h = blockIdx.x / tiles % heads, n = blockIdx.x / (tiles * heads);
    int step = 3 * heads * D, column = blockIdx.y * 64 + lane;
    const float* queries = qkv + n * T * step + h * D;
    const float* keys = queries + heads * D;
    const float* values = keys + heads * D;
    float scale = 1.0f / sqrtf(D), largest[EACH], sum[EACH] = {}, result[EACH][2] = {};
    for (int i = 0; i < EACH; i++) largest[i] = -INFINITY;
    for (int start = 0; start <= first; start += 32) {
        float weight[EACH] = {};
        for (int begin = 0; begin < D; begin += 32) {
            int d = begin + lane;
            for (int row = warp; row < 32; row += 8) {
                int from = (start + row) * step;
                bool is_key = start + row < T;
                if (start == 0 || D > 32) q[row][lane] = first + row < T && d < D ? queries[(first + row) * step + d] : 0.0f;
                k[row][lane] = is_key && d < D ? keys[from + d] : 0.0f;
                if (begin == 0) {
                    v[row][lane] = is_key && column < D ? values[from + column] : 0.0f;
                    v[row][lane + 32] = is_key && column + 32 < D ? values[from + column + 32] : 0.0f;
                }
            }
            __syncthreads();
            for (int e = 0; e < min(32, D - begin); e++) {
                for (int i = 0; i < EACH; i++) weight[i] += q[warp * EACH + i][e] * k[lane][e];
            }
            __syncthreads();
        }
        for (int i = 0; i < EACH; i++) {
            float score = start + lane <= first + warp * EACH + i ? weight[i] * scale : -INFINITY, top = score;
            for (int offset = 16; offset > 0; offset /= 2) top = fmaxf(top, __shfl_xor_sync(ALL, top, offset));
            top = fmaxf(top, largest[i]);
            weight[i] = expf(score - top);
            float fresh = weight[i], old = expf(largest[i] - top);
            for (int offset = 16; offset > 0; offset /= 2) fresh += __shfl_xor_sync(ALL, fresh, offset);
            sum[i] = sum[i] * old + fresh;
            largest[i] = top;
            result[i][0] *= old;
            result[i][1] *= old;
        }
        for (int key = 0; key < min(32, T - start); key++) {
            for (int i = 0; i < EACH; i++) {
                float p = __shfl_sync(ALL, weight[i], key);
                result[i][0] += p * v[key][lane];
                result[i][1] += p * v[key][lane + 32];
            }
        }
        __syncthreads();
    }
    for (int i = 0; i < EACH; i++) {
        int t = first + warp * EACH + i, at = ((n * T + t) * heads + h) * D;
        if (t < T && column < D) y[at + column] = result[i][0] / sum[i];
        if (t < T && column + 32 < D) y[at + column + 32] = result[i][1] / sum[i];
        if (t < T && column == 0) logsumexp[(n * heads + h) * T + t] = largest[i] + logf(sum[i]);
    }
}

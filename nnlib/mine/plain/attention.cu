// Each query's weighted mean of the values up to its own token: one thread per query, which goes over the keys three
// times: for the largest score, for the sum, and for the values. No score is ever stored.
// <<<(N * T * heads + 63) / 64, 64>>>
__device__ float dot(const float* a, const float* b, int D) {
    float sum = 0.0f;
    for (int d = 0; d < D; d++) sum += a[d] * b[d];
    return sum;
}

extern "C" __global__ void attention(const float* qkv, float* y, float* logsumexp, int N, int T, int heads, int D) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N * T * heads) return;
    int h = i % heads, t = i / heads % T, n = i / (heads * T);
    int step = 3 * heads * D;  // from a token to the next
    const float* q = qkv + (n * T + t) * step + h * D;
    const float* k = qkv + n * T * step + heads * D + h * D;
    const float* v = k + heads * D;
    float scale = 1.0f / sqrtf(D), largest = -INFINITY, sum = 0.0f;
    for (int s = 0; s <= t; s++) largest = fmaxf(largest, dot(q, k + s * step, D) * scale);
    for (int s = 0; s <= t; s++) sum += expf(dot(q, k + s * step, D) * scale - largest);
    for (int d = 0; d < D; d++) y[i * D + d] = 0.0f;
    for (int s = 0; s <= t; s++) {
        float p = expf(dot(q, k + s * step, D) * scale - largest) / sum;
        for (int d = 0; d < D; d++) y[i * D + d] += p * v[s * step + d];
    }
    logsumexp[(n * heads + h) * T + t] = largest + logf(sum);
}

// The gradients of queries, keys and values; the weights are computed again from the logsumexp of their rows. One
// thread per token and head: as a query it meets the keys up to its own, as a key the queries from its own on.
// <<<(N * T * heads + 63) / 64, 64>>>
__device__ float dot(const float* a, const float* b, int D) {
    float sum = 0.0f;
    for (int d = 0; d < D; d++) sum += a[d] * b[d];
    return sum;
}

extern "C" __global__ void attention_grad(const float* dy, const float* qkv, const float* y, const float* logsumexp,
                                          float* dqkv, int N, int T, int heads, int D) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N * T * heads) return;
    int h = i % heads, t = i / heads % T, n = i / (heads * T);
    int E = heads * D, step = 3 * E, first = n * T * step + h * D, own = first + t * step;
    const float* q = qkv + first;
    const float* k = q + E;
    const float* v = k + E;
    const float* dys = dy + n * T * E + h * D;
    const float* ys = y + n * T * E + h * D;
    const float* lse = logsumexp + (n * heads + h) * T;
    float scale = 1.0f / sqrtf(D), delta = dot(dys + t * E, ys + t * E, D);
    for (int d = 0; d < D; d++) dqkv[own + d] = dqkv[own + E + d] = dqkv[own + 2 * E + d] = 0.0f;
    for (int s = 0; s <= t; s++) {
        float p = expf(dot(q + t * step, k + s * step, D) * scale - lse[t]);
        float ds = p * (dot(dys + t * E, v + s * step, D) - delta) * scale;
        for (int d = 0; d < D; d++) dqkv[own + d] += ds * k[s * step + d];
    }
    for (int s = t; s < T; s++) {
        float p = expf(dot(q + s * step, k + t * step, D) * scale - lse[s]);
        float ds = p * (dot(dys + s * E, v + t * step, D) - dot(dys + s * E, ys + s * E, D)) * scale;
        for (int d = 0; d < D; d++) {
            dqkv[own + E + d] += ds * q[s * step + d];
            dqkv[own + 2 * E + d] += p * dys[s * E + d];
        }
    }
}

// The layers of a small network: softmax, normalisation, pooling, convolution in three ways.

extern "C" __global__ void softmax_rows(const float* in, float* out, int width)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    const float* x = in + blockIdx.x * width;
    float* y = out + blockIdx.x * width;
    float top = -3.402823466e+38f;
    for (int i = t; i < width; i += blockDim.x)
        top = fmaxf(top, x[i]);
    s[t] = top;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (t < half)
            s[t] = fmaxf(s[t], s[t + half]);
        __syncthreads();
    }
    top = s[0];
    __syncthreads();
    float sum = 0.0f;
    for (int i = t; i < width; i += blockDim.x) {
        float e = expf(x[i] - top);
        y[i] = e;
        sum += e;
    }
    s[t] = sum;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (t < half)
            s[t] += s[t + half];
        __syncthreads();
    }
    sum = s[0];
    for (int i = t; i < width; i += blockDim.x)
        y[i] /= sum;
}

__device__ __forceinline__ float all_sum(float v)
{
    for (int mask = 16; mask; mask >>= 1)
        v += __shfl_xor_sync(0xffffffff, v, mask);
    return v;
}

extern "C" __global__ void layer_norm_warp(const float* in, float* out, int width)
{
    const float* x = in + (blockIdx.x * blockDim.y + threadIdx.y) * width;
    float* y = out + (blockIdx.x * blockDim.y + threadIdx.y) * width;
    float sum = 0.0f, squares = 0.0f;
    for (int i = threadIdx.x; i < width; i += 32) {
        float v = x[i];
        sum += v;
        squares += v * v;
    }
    float mean = all_sum(sum) / width;
    float scale = rsqrtf(all_sum(squares) / width - mean * mean + 1e-5f);
    for (int i = threadIdx.x; i < width; i += 32)
        y[i] = (x[i] - mean) * scale;
}

extern "C" __global__ void max_pool(const float* in, float* out, int* argmax, int channels, int height, int width)
{
    int ow = width / 2, oh = height / 2;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= channels * oh * ow) return;
    int x = i % ow, y = i / ow % oh, c = i / (ow * oh);
    float best = -3.402823466e+38f;
    int at = -1;
    for (int dy = 0; dy < 2; ++dy) {
        for (int dx = 0; dx < 2; ++dx) {
            int from = (2 * y + dy) * width + 2 * x + dx;
            float v = in[c * height * width + from];
            if (v > best) {
                best = v;
                at = from;
            }
        }
    }
    out[i] = best;
    argmax[i] = at;
}

extern "C" __global__ void average_pool(const float* in, float* out, int height, int width, int size)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, c = blockIdx.z;
    int ow = width / size;
    if (x >= ow) return;
    float sum = 0.0f;
    for (int dy = 0; dy < size; dy++)
        for (int dx = 0; dx < size; dx++)
            sum += in[(c * height + y * size + dy) * width + x * size + dx];
    out[(c * gridDim.y + y) * ow + x] = sum / (size * size);
}

extern "C" __global__ void conv2d_direct(const float* in, const float* weight, const float* bias, float* out, int C,
                                         int H, int W, int F, int K)
{
    int OW = W - K + 1, OH = H - K + 1;
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int f = blockIdx.z;
    if (x >= OW || y >= OH) return;
    float sum = bias[f];
    for (int c = 0; c < C; c++)
        for (int ky = 0; ky < K; ky++)
            for (int kx = 0; kx < K; kx++)
                sum += in[(c * H + y + ky) * W + x + kx] * weight[((f * C + c) * K + ky) * K + kx];
    out[(f * OH + y) * OW + x] = sum;
}

__constant__ float sharpen[3][3] = {{0.0f, -1.0f, 0.0f}, {-1.0f, 5.0f, -1.0f}, {0.0f, -1.0f, 0.0f}};

extern "C" __global__ void conv2d_constant(const float* in, float* out, int H, int W)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < W && y < H) {
        float sum = 0.0f;
        for (int ky = 0; ky < 3; ky++)
            for (int kx = 0; kx < 3; kx++) {
                int iy = y + ky - 1, ix = x + kx - 1;
                if (iy >= 0 && iy < H && ix >= 0 && ix < W)
                    sum += sharpen[ky][kx] * in[iy * W + ix];
            }
        out[y * W + x] = sum;
    }
}

extern "C" __global__ void im2col(const float* in, float* columns, int C, int H, int W, int K, int pad)
{
    int OW = W + 2 * pad - K + 1, OH = H + 2 * pad - K + 1;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= C * K * K * OH * OW) return;
    int ox = i % OW, oy = i / OW % OH, kx = i / (OW * OH) % K, ky = i / (OW * OH * K) % K, c = i / (OW * OH * K * K);
    int x = ox + kx - pad, y = oy + ky - pad;
    columns[i] = x >= 0 && x < W && y >= 0 && y < H ? in[(c * H + y) * W + x] : 0.0f;
}

extern "C" __global__ void col2im(const float* columns, float* out, int C, int H, int W, int K)
{
    int OW = W - K + 1, OH = H - K + 1;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= C * H * W) return;
    int x = i % W, y = i / W % H, c = i / (W * H);
    float sum = 0.0f;
    for (int ky = 0; ky < K; ky++) {
        int oy = y - ky;
        if (oy < 0 || oy >= OH) continue;
        for (int kx = 0; kx < K; kx++) {
            int ox = x - kx;
            if (ox < 0 || ox >= OW) continue;
            sum += columns[(((c * K + ky) * K + kx) * OH + oy) * OW + ox];
        }
    }
    out[i] = sum;
}

extern "C" __global__ void cross_entropy(const float* logits, const int* labels, float* loss, int classes, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const float* row = logits + i * classes;
        float top = row[0];
        for (int c = 1; c < classes; c++)
            top = fmaxf(top, row[c]);
        float sum = 0.0f;
        for (int c = 0; c < classes; c++)
            sum += expf(row[c] - top);
        loss[i] = logf(sum) + top - row[labels[i]];
    }
}

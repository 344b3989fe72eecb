// Convolution, the versions a lesson builds first. Lesson 05; the fast ones are in fast/windows.cu, fast/convolution_tiled.cu and
// fast/convolution_weight.cu. The direct kernels index with int: fewer than 2^31 elements per array.
//
// x (N, C, H, W), w (F, C, KH, KW), b (F), y and dy (N, F, OH, OW); window every SH x SW pixels of the image padded
// by PH, PW. Kernels run one thread per element of what they write unless said otherwise.
//   grid = ceil(count / 256), block = 256.

// --- by way of columns: square windows, stride 1, no padding; planes = N * C (any: fast/windows.cu) ----

// columns (N, C * K * K, OH * OW): under each place of the window stand the pixels that it sees.
extern "C" __global__ void im2col(const float* x, float* columns,
                                  int planes, int H, int W, int K) {
    int OH = H - K + 1, OW = W - K + 1;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= planes * K * K * OH * OW) return;
    int ox = i % OW;
    int oy = i / OW % OH;
    int tap = i / (OW * OH) % (K * K);
    int plane = i / (OW * OH * K * K);
    int row = oy + tap / K;
    int column = ox + tap % K;
    columns[i] = x[(plane * H + row) * W + column];
}

// The way back: each number of the columns is added to its pixel, where threads meet. x starts at 0.
extern "C" __global__ void col2im_atomic(const float* columns, float* x,
                                         int planes, int H, int W, int K) {
    int OH = H - K + 1, OW = W - K + 1;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= planes * K * K * OH * OW) return;
    int ox = i % OW;
    int oy = i / OW % OH;
    int tap = i / (OW * OH) % (K * K);
    int plane = i / (OW * OH * K * K);
    int row = oy + tap / K;
    int column = ox + tap % K;
    atomicAdd(&x[(plane * H + row) * W + column], columns[i]);
}

// The same sums: one thread per PIXEL gathers its at most K * K numbers. No atomics, one fixed order.
extern "C" __global__ void col2im(const float* columns, float* x,
                                  int planes, int H, int W, int K) {
    int OH = H - K + 1, OW = W - K + 1;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= planes * H * W) return;
    int column = i % W;
    int row = i / W % H;
    int plane = i / (W * H);
    float sum = 0.0f;
    for (int tap = 0; tap < K * K; tap++) {
        int oy = row - tap / K, ox = column - tap % K;
        if (oy < 0 || oy >= OH || ox < 0 || ox >= OW) continue;
        sum += columns[((plane * K * K + tap) * OH + oy) * OW + ox];
    }
    x[i] = sum;
}

// --- direct -----------------------------------------------------------------------------------

// y: every output walks over its window.
extern "C" __global__ void conv_forward_naive(const float* x, const float* w, const float* b, float* y, int N, int C,
                                              int H, int W, int F, int OH, int OW, int KH, int KW, int SH, int SW,
                                              int PH, int PW) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N * F * OH * OW) return;
    int ox = i % OW, oy = i / OW % OH, f = i / (OW * OH) % F, n = i / (OW * OH * F);
    float sum = b[f];
    for (int c = 0; c < C; c++) {
        for (int kh = 0; kh < KH; kh++) {
            int row = oy * SH + kh - PH;
            if (row < 0 || row >= H) continue;
            for (int kw = 0; kw < KW; kw++) {
                int column = ox * SW + kw - PW;
                if (column < 0 || column >= W) continue;
                sum += x[((n * C + c) * H + row) * W + column] * w[((f * C + c) * KH + kh) * KW + kw];
            }
        }
    }
    y[i] = sum;
}

// dx: every input asks the outputs whose windows it was in.
extern "C" __global__ void conv_backward_input_naive(const float* dy, const float* w, float* dx, int N, int C, int H,
                                                     int W, int F, int OH, int OW, int KH, int KW, int SH, int SW,
                                                     int PH, int PW) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N * C * H * W) return;
    int column = i % W + PW, row = i / W % H + PH, c = i / (W * H) % C, n = i / (W * H * C);
    float sum = 0.0f;
    for (int kh = 0; kh < KH; kh++) {
        int top = row - kh;
        if (top < 0 || top % SH != 0 || top / SH >= OH) continue;
        for (int kw = 0; kw < KW; kw++) {
            int left = column - kw;
            if (left < 0 || left % SW != 0 || left / SW >= OW) continue;
            for (int f = 0; f < F; f++) {
                sum += dy[((n * F + f) * OH + top / SH) * OW + left / SW] * w[((f * C + c) * KH + kh) * KW + kw];
            }
        }
    }
    dx[i] = sum;
}

// What output pixel (oy, ox) saw under tap (kh, kw) of plane c of image n.
__device__ float seen(const float* x, int n, int c, int oy, int ox, int kh, int kw, int C, int H, int W, int SH, int SW,
                      int PH, int PW) {
    int row = oy * SH + kh - PH, column = ox * SW + kw - PW;
    bool inside = row >= 0 && row < H && column >= 0 && column < W;
    return inside ? x[((n * C + c) * H + row) * W + column] : 0.0f;
}

// dw, one thread per weight: right, and slow, since few threads do long sums.
extern "C" __global__ void conv_backward_weight_naive(const float* dy, const float* x, float* dw, int N, int C, int H,
                                                      int W, int F, int OH, int OW, int KH, int KW, int SH, int SW,
                                                      int PH, int PW) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= F * C * KH * KW) return;
    int kw = i % KW, kh = i / KW % KH, c = i / (KW * KH) % C, f = i / (KW * KH * C);
    float sum = 0.0f;
    for (int n = 0; n < N; n++) {
        for (int o = 0; o < OH * OW; o++) {
            sum += dy[(n * F + f) * OH * OW + o] * seen(x, n, c, o / OW, o % OW, kh, kw, C, H, W, SH, SW, PH, PW);
        }
    }
    dw[i] = sum;
}

// dw, one thread per weight AND image: N times the threads, but N of them meet in each weight, so they add
// atomically, in another order, with another rounding, on every run. dw starts at 0.
extern "C" __global__ void conv_backward_weight_atomic(const float* dy, const float* x, float* dw, int N, int C, int H,
                                                       int W, int F, int OH, int OW, int KH, int KW, int SH, int SW,
                                                       int PH, int PW) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int weights = F * C * KH * KW;
    if (i >= N * weights) return;
    int n = i / weights;
    i %= weights;
    int kw = i % KW, kh = i / KW % KH, c = i / (KW * KH) % C, f = i / (KW * KH * C);
    float sum = 0.0f;
    for (int o = 0; o < OH * OW; o++) {
        sum += dy[(n * F + f) * OH * OW + o] * seen(x, n, c, o / OW, o % OW, kh, kw, C, H, W, SH, SW, PH, PW);
    }
    atomicAdd(&dw[i], sum);
}

// dw, one warp per weight: lanes share the output pixels of all images, five shuffles add them up. The sums come out
// the same on every run.  grid = ceil(F * C * KH * KW / 8), block = 256.
extern "C" __global__ void conv_backward_weight_warp(const float* dy, const float* x, float* dw, int N, int C, int H,
                                                     int W, int F, int OH, int OW, int KH, int KW, int SH, int SW,
                                                     int PH, int PW) {
    int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (i >= F * C * KH * KW) return;
    int kw = i % KW, kh = i / KW % KH, c = i / (KW * KH) % C, f = i / (KW * KH * C);
    float sum = 0.0f;
    for (int n = 0; n < N; n++) {
        for (int o = lane; o < OH * OW; o += 32) {
            sum += dy[(n * F + f) * OH * OW + o] * seen(x, n, c, o / OW, o % OW, kh, kw, C, H, W, SH, SW, PH, PW);
        }
    }
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
    if (lane == 0) dw[i] = sum;
}

// db, one block per filter: threads share the pixels of all images, warps add up by shuffles, then the warps do.
//   grid = F, block = 256.
extern "C" __global__ void conv_backward_bias(const float* __restrict__ dy, float* __restrict__ db, int N, int F,
                                              int pixels) {
    __shared__ float sums[8];
    int f = blockIdx.x;
    float sum = 0.0f;
    for (int n = 0; n < N; n++) {
        const float* plane = dy + ((long long)n * F + f) * pixels;
        for (int i = threadIdx.x; i < pixels; i += blockDim.x) sum += plane[i];
    }
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int warp = 1; warp < 8; warp++) sum += sums[warp];
        db[f] = sum;
    }
}

// Max and average pooling and their gradients, the versions a lesson builds first. Lesson 05; the fast ones are in
// fast/windows.cu.
//
// x (N, C, H, W), windows of KH x KW every SH x SW pixels, y (N, C, OH, OW); planes = N * C.
// argmax: flat index into the H * W plane; of equal values the first wins.
// All kernels: one thread per element of what they write.  grid = ceil(count / 256), block = 256.

extern "C" __global__ void max_pool_forward(const float* __restrict__ x, float* __restrict__ y,
                                            int* __restrict__ argmax, int planes, int H, int W, int OH, int OW, int KH,
                                            int KW, int SH, int SW) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= planes * OH * OW) return;
    int top = i / OW % OH * SH, left = i % OW * SW;
    const float* plane = x + (long long)(i / (OH * OW)) * H * W;
    int best = top * W + left;
    float largest = plane[best];
    for (int row = top; row < top + KH; row++) {
        for (int column = left; column < left + KW; column++) {
            float value = plane[row * W + column];
            if (value > largest) {
                largest = value;
                best = row * W + column;
            }
        }
    }
    y[i] = largest;
    argmax[i] = best;
}

// The gradient by scattering. One thread per OUTPUT; where windows overlap two threads meet in one
// pixel, so the addition must be atomic, and its order, hence the rounding, changes from run to run. dx starts at 0.
extern "C" __global__ void max_pool_backward_atomic(const float* dy, const int* argmax, float* dx, int planes, int H,
                                                    int W, int OH, int OW) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= planes * OH * OW) return;
    atomicAdd(&dx[(long long)(i / (OH * OW)) * H * W + argmax[i]], dy[i]);
}

// First window, in windows, that covers pixel `position`.
__device__ int first_window(int position, int size, int stride) {
    return position < size ? 0 : (position - size) / stride + 1;
}

// The gradient by gathering. One thread per INPUT asks the windows that cover it; no atomics, one fixed order.
extern "C" __global__ void max_pool_backward(const float* __restrict__ dy, const int* __restrict__ argmax,
                                             float* __restrict__ dx, int planes, int H, int W, int OH, int OW, int KH,
                                             int KW, int SH, int SW) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= planes * H * W) return;
    int pixel = i % (H * W), row = pixel / W, column = pixel % W;
    int base = i / (H * W) * (OH * OW);
    float sum = 0.0f;
    for (int oy = first_window(row, KH, SH); oy < OH && oy * SH <= row; oy++) {
        for (int ox = first_window(column, KW, SW); ox < OW && ox * SW <= column; ox++) {
            int o = base + oy * OW + ox;
            if (argmax[o] == pixel) sum += dy[o];
        }
    }
    dx[i] = sum;
}

// y: the mean of each size x size window.
extern "C" __global__ void avg_pool(const float* x, float* y, int planes,
                                    int H, int W, int size, int stride) {
    int OH = (H - size) / stride + 1, OW = (W - size) / stride + 1;
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= planes * OH * OW) return;
    int ox = at % OW;
    int oy = at / OW % OH;
    int plane = at / (OW * OH);
    float sum = 0.0f;
    for (int i = 0; i < size; i++) {
        for (int j = 0; j < size; j++) {
            int row = oy * stride + i, column = ox * stride + j;
            sum += x[(plane * H + row) * W + column];
        }
    }
    y[at] = sum / (size * size);
}

extern "C" __global__ void avg_pool_backward(const float* __restrict__ dy, float* __restrict__ dx, int planes, int H,
                                             int W, int OH, int OW, int KH, int KW, int SH, int SW) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= planes * H * W) return;
    int row = i / W % H, column = i % W;
    int base = i / (H * W) * (OH * OW);
    float sum = 0.0f;
    for (int oy = first_window(row, KH, SH); oy < OH && oy * SH <= row; oy++) {
        for (int ox = first_window(column, KW, SW); ox < OW && ox * SW <= column; ox++) sum += dy[base + oy * OW + ox];
    }
    dx[i] = sum / (KH * KW);
}

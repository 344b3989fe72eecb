// im2col, col2im and pooling at the speed of memory. Lesson 08; the same sums as in convolution.cu and pooling.cu.
//
// Sizes are compiled in: -DH -DW (image), -DKH -DKW -DSH -DSW -DPH -DPW (window, stride, padding). Then divisions of
// indices become multiplications, loops over a window unroll, and all its loads are in flight at once. That matters:
// at 4 TB/s an H200 has time for about 35 instructions per float written, and a division takes 20.
// `planes` = N * C.  grid = ceil(threads / 256), block = 256; what one thread does stands above each kernel.

#ifndef PH
#define PH 0
#endif
#ifndef PW
#define PW 0
#endif
#define OH ((H + 2 * PH - KH) / SH + 1)
#define OW ((W + 2 * PW - KW) / SW + 1)

// A cell is SH x SW pixels, one step of the window: its pixels are seen by windows cell, cell - 1, ... (SEEN of them).
#define CELLS_H ((H + SH - 1) / SH)
#define CELLS_W ((W + SW - 1) / SW)
#define SEEN_H ((KH + SH - 1) / SH)
#define SEEN_W ((KW + SW - 1) / SW)

// columns (planes * KH * KW, OH * OW). One thread per output pixel and plane writes the KH * KW inputs of its window.
extern "C" __global__ void im2col(const float* __restrict__ x, float* __restrict__ columns, int planes) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= planes * (OH * OW)) return;
    int plane = i / (OH * OW), pixel = i % (OH * OW);
    int top = pixel / OW * SH - PH, left = pixel % OW * SW - PW;
    const float* image = x + (long long)plane * (H * W);
    float* column = columns + (long long)plane * (KH * KW * OH * OW) + pixel;
    #pragma unroll
    for (int kh = 0; kh < KH; kh++) {
        #pragma unroll
        for (int kw = 0; kw < KW; kw++) {
            int row = top + kh, c = left + kw;
            bool inside = row >= 0 && row < H && c >= 0 && c < W;
            column[(kh * KW + kw) * (OH * OW)] = inside ? image[row * W + c] : 0.0f;
        }
    }
}

// x (planes, H, W). One thread per pixel gathers its at most KH * KW entries.
extern "C" __global__ void col2im(const float* __restrict__ columns, float* __restrict__ x, int planes) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= planes * (H * W)) return;
    int plane = i / (H * W), row = i / W % H + PH, column = i % W + PW;
    const float* entries = columns + (long long)plane * (KH * KW * OH * OW);
    float sum = 0.0f;
    #pragma unroll
    for (int kh = 0; kh < KH; kh++) {
        int top = row - kh;
        #pragma unroll
        for (int kw = 0; kw < KW; kw++) {
            int left = column - kw;
            bool seen = top >= 0 && top % SH == 0 && top / SH < OH && left >= 0 && left % SW == 0 && left / SW < OW;
            if (seen) sum += entries[(kh * KW + kw) * (OH * OW) + top / SH * OW + left / SW];
        }
    }
    x[i] = sum;
}

// y, argmax (planes, OH, OW). One thread per output.
extern "C" __global__ void max_pool_forward(const float* __restrict__ x, float* __restrict__ y,
                                            int* __restrict__ argmax, int planes) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= planes * (OH * OW)) return;
    int first = i / OW % OH * (SH * W) + i % OW * SW;
    const float* plane = x + (long long)(i / (OH * OW)) * (H * W);
    int best = first;
    float largest = plane[first];
    #pragma unroll
    for (int row = 0; row < KH; row++) {
        #pragma unroll
        for (int column = 0; column < KW; column++) {
            int at = first + row * W + column;
            float value = plane[at];
            if (value > largest) {
                largest = value;
                best = at;
            }
        }
    }
    y[i] = largest;
    argmax[i] = best;
}

// y (planes, OH, OW). One thread per output.
extern "C" __global__ void avg_pool_forward(const float* __restrict__ x, float* __restrict__ y, int planes) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= planes * (OH * OW)) return;
    const float* window = x + (long long)(i / (OH * OW)) * (H * W) + i / OW % OH * (SH * W) + i % OW * SW;
    float sum = 0.0f;
    #pragma unroll
    for (int row = 0; row < KH; row++) {
        #pragma unroll
        for (int column = 0; column < KW; column++) sum += window[row * W + column];
    }
    y[i] = sum / (KH * KW);
}

// The cell's SH x SW sums become pixels; two neighbours go out together where rows stay aligned.
__device__ __forceinline__ void store_cell(float* plane, const float (*sum)[SW], int top, int left) {
    #pragma unroll
    for (int row = 0; row < SH; row++) {
        if (top + row >= H) continue;
        float* out = plane + (top + row) * W + left;
#if SW == 2 && W % 2 == 0
        *(float2*)out = make_float2(sum[row][0], sum[row][1]);
#else
        #pragma unroll
        for (int column = 0; column < SW; column++) {
            if (left + column < W) out[column] = sum[row][column];
        }
#endif
    }
}

// dx (planes, H, W). One thread per cell of SH x SW pixels: all of them are asked for by the same windows. A window
// gives its dy to the pixel that argmax names or, with `average`, an equal share to each of its pixels.
__device__ __forceinline__ void gather_cell(const float* dy, const int* argmax, bool average, float* dx, int planes) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= planes * (CELLS_H * CELLS_W)) return;
    int plane = i / (CELLS_H * CELLS_W), cell_y = i / CELLS_W % CELLS_H, cell_x = i % CELLS_W;
    int top = cell_y * SH, left = cell_x * SW;
    float sum[SH][SW] = {};
    #pragma unroll
    for (int up = SEEN_H - 1; up >= 0; up--) {
        #pragma unroll
        for (int back = SEEN_W - 1; back >= 0; back--) {
            int oy = cell_y - up, ox = cell_x - back;
            if (oy < 0 || oy >= OH || ox < 0 || ox >= OW) continue;
            int o = (plane * OH + oy) * OW + ox;
            int chosen = average ? 0 : argmax[o] - (top * W + left);
            float gradient = average ? dy[o] * (1.0f / (KH * KW)) : dy[o];
            #pragma unroll
            for (int row = 0; row < SH; row++) {
                #pragma unroll
                for (int column = 0; column < SW; column++) {
                    bool gets = average ? up * SH + row < KH && back * SW + column < KW : chosen == row * W + column;
                    if (gets) sum[row][column] += gradient;
                }
            }
        }
    }
    store_cell(dx + (long long)plane * (H * W), sum, top, left);
}

extern "C" __global__ void max_pool_backward(const float* __restrict__ dy, const int* __restrict__ argmax,
                                             float* __restrict__ dx, int planes) {
    gather_cell(dy, argmax, false, dx, planes);
}

extern "C" __global__ void avg_pool_backward(const float* __restrict__ dy, float* __restrict__ dx, int planes) {
    gather_cell(dy, nullptr, true, dx, planes);
}

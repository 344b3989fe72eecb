// The gradient for the input of a convolution with a stride, where channels are few, such as those of a picture. Lesson 08.
//
// With a stride of 2, pixel (y, x) meets only every second tap: those with kh = (y + PH) % 2, kw = (x + PW) % 2, and so on.
// The SH x SW pixels of a cell (counted from the corner of the padding) together meet every tap once, and see the same
// outputs. So a thread computes a patch of 2 x 2 cells for CHANNELS channels: it reads a patch of dy into registers, and
// each weight that it reads serves all four cells.
//
// The shape is compiled in: -DC -DH -DW -DF -DKH -DKW -DSH -DSW -DPH -DPW, and the tile: TILE_H x TILE_W threads, CHANNELS,
// CHUNK filters at a time.  grid = (tiles in x * tiles in y, ceil(C / CHANNELS), N), block = TILE_H * TILE_W.

#define OH ((H + 2 * PH - KH) / SH + 1)
#define OW ((W + 2 * PW - KW) / SW + 1)
#define THREADS (TILE_H * TILE_W)
#define TAPS_Y ((KH + SH - 1) / SH)  // outputs that a pixel sees at most
#define TAPS_X ((KW + SW - 1) / SW)
#define FIRST_Y (PH / SH)            // the first cell with pixels
#define FIRST_X (PW / SW)
#define TILES_X (((W - 1 + PW) / SW - FIRST_X + 2 * TILE_W) / (2 * TILE_W))
#define ROWS (2 * TILE_H + TAPS_Y - 1)
#define COLUMNS (2 * TILE_W + TAPS_X - 1)
#define PITCH ((COLUMNS + 1) / 2 * 2)
#define SEEN_Y (TAPS_Y + 1)              // of dy, by a thread
#define SEEN_X ((TAPS_X + 2) / 2 * 2)
#define LINE ((TAPS_X + 3) / 4 * 4)      // weights of one row of taps, as float4
#define WEIGHTS (SH * SW * CHANNELS * TAPS_Y * LINE)

// gradients[f][r][q] = dy[n][first_f + f][first_row + r][first_column + q], zero outside.
__device__ void load_gradients(float* gradients, const float* __restrict__ dy, int n, int first_f, int first_row,
                               int first_column) {
    for (int i = threadIdx.x; i < ROWS * PITCH; i += THREADS) {
        int row = first_row + i / PITCH, column = first_column + i % PITCH;
        bool inside = row >= 0 && row < OH && column >= 0 && column < OW;
        const float* from = dy + (long long)(n * F + first_f) * (OH * OW) + row * OW + column;
        #pragma unroll
        for (int f = 0; f < CHUNK; f++) {
            gradients[f * ROWS * PITCH + i] = inside && first_f + f < F ? from[f * (OH * OW)] : 0.0f;
        }
    }
}

// weights[f][phase y][phase x][channel][t][s] = w[first_f + f][first_c + channel][phase y + SH t][phase x + SW s].
__device__ void load_weights(float* weights, const float* __restrict__ w, int first_f, int first_c) {
    for (int i = threadIdx.x; i < CHUNK * WEIGHTS; i += THREADS) {
        int f = first_f + i / WEIGHTS, s = i % LINE, t = i / LINE % TAPS_Y, c = i / (LINE * TAPS_Y) % CHANNELS;
        int phase = i / (LINE * TAPS_Y * CHANNELS) % (SH * SW);
        int kh = phase / SW + SH * t, kw = phase % SW + SW * s;
        bool inside = f < F && first_c + c < C && kh < KH && kw < KW;
        weights[i] = inside ? w[((f * C + first_c + c) * KH + kh) * KW + kw] : 0.0f;
    }
}

// sum[phase][channel][cell y][cell x] += what one filter gives.
__device__ __forceinline__ void accumulate(float sum[SH * SW][CHANNELS][2][2], const float* gradients, const float* weights) {
    float seen[SEEN_Y][SEEN_X];
    #pragma unroll
    for (int i = 0; i < SEEN_Y; i++) {
        #pragma unroll
        for (int j = 0; j < SEEN_X; j += 2) {
            float2 pair = *(const float2*)&gradients[i * PITCH + j];
            seen[i][j] = pair.x;
            seen[i][j + 1] = pair.y;
        }
    }
    #pragma unroll
    for (int i = 0; i < SH * SW * CHANNELS * TAPS_Y; i++) {
        int t = i % TAPS_Y, c = i / TAPS_Y % CHANNELS, phase = i / (TAPS_Y * CHANNELS);
        if (phase / SW + SH * t >= KH) continue;
        #pragma unroll
        for (int first = 0; first < TAPS_X; first += 4) {
            float4 four = *(const float4*)&weights[i * LINE + first];
            float weight[4] = {four.x, four.y, four.z, four.w};
            #pragma unroll
            for (int s = first; s < first + 4 && s < TAPS_X; s++) {
                if (phase % SW + SW * s >= KW) continue;
                #pragma unroll
                for (int cell = 0; cell < 4; cell++) {
                    sum[phase][c][cell / 2][cell % 2] +=
                        seen[cell / 2 + TAPS_Y - 1 - t][cell % 2 + TAPS_X - 1 - s] * weight[s - first];
                }
            }
        }
    }
}

extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS_PER_SM) conv_backward_input_strided(
    const float* __restrict__ dy, const float* __restrict__ w, float* __restrict__ dx) {
    __shared__ __align__(16) float gradients[CHUNK * ROWS * PITCH];
    __shared__ __align__(16) float weights[CHUNK * WEIGHTS];
    int my_y = threadIdx.x / TILE_W * 2, my_x = threadIdx.x % TILE_W * 2;
    int top = FIRST_Y + blockIdx.x / TILES_X * (2 * TILE_H), left = FIRST_X + blockIdx.x % TILES_X * (2 * TILE_W);
    int first_c = blockIdx.y * CHANNELS, n = blockIdx.z;

    float sum[SH * SW][CHANNELS][2][2] = {};
    for (int f = 0; f < F; f += CHUNK) {
        load_gradients(gradients, dy, n, f, top - TAPS_Y + 1, left - TAPS_X + 1);
        load_weights(weights, w, f, first_c);
        __syncthreads();
        #pragma unroll 1
        for (int k = 0; k < CHUNK; k++) {
            accumulate(sum, gradients + (k * ROWS + my_y) * PITCH + my_x, weights + k * WEIGHTS);
        }
        __syncthreads();
    }

    #pragma unroll
    for (int c = 0; c < CHANNELS; c++) {
        float* plane = dx + (long long)(n * C + first_c + c) * (H * W);
        #pragma unroll
        for (int row = 0; row < 2 * SH; row++) {
            #pragma unroll
            for (int column = 0; column < 2 * SW; column++) {
                int y = (top + my_y) * SH + row - PH, x = (left + my_x) * SW + column - PW;
                bool inside = first_c + c < C && y >= 0 && y < H && x >= 0 && x < W;
                if (inside) plane[y * W + x] = sum[row % SH * SW + column % SW][c][row / SH][column / SW];
            }
        }
    }
}

// dw = dy^T x: a block computes 64 x 64 results from tiles in shared memory, a thread 4 x 4 of them in registers.
// Neighbouring threads own neighbouring columns, 16 apart: no two lanes meet in a bank.
// <<<dim3((I + TILE - 1) / TILE, (O + TILE - 1) / TILE), dim3(16, 16)>>>
#define TILE 64
#define DEPTH 16
extern "C" __global__ void linear_grad_weight(const float* dy, const float* x, float* dw, int N, int I, int O) {
    __shared__ float as[DEPTH][TILE + 1], bs[DEPTH][TILE + 1];
    int tx = threadIdx.x, ty = threadIdx.y, first_row = blockIdx.y * TILE, first_column = blockIdx.x * TILE;
    float sum[4][4] = {};
    for (int k0 = 0; k0 < N; k0 += DEPTH) {
        for (int t = ty * 16 + tx; t < TILE * DEPTH; t += 256) {
            int ak = t / TILE, ar = t % TILE;
            as[ak][ar] = first_row + ar < O && k0 + ak < N ? dy[(k0 + ak) * O + first_row + ar] : 0.0f;
            int bk = t / TILE, br = t % TILE;
            bs[bk][br] = first_column + br < I && k0 + bk < N ? x[(k0 + bk) * I + first_column + br] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < DEPTH; k++) {
            float a[4], b[4];
            for (int m = 0; m < 4; m++) {
                a[m] = as[k][ty + 16 * m];
                b[m] = bs[k][tx + 16 * m];
            }
            for (int i = 0; i < 4; i++) {
                for (int j = 0; j < 4; j++) sum[i][j] += a[i] * b[j];
            }
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            int row = first_row + ty + 16 * i, column = first_column + tx + 16 * j;
            if (row < O && column < I) dw[row * I + column] = sum[i][j];
        }
    }
}

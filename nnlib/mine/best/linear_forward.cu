// y = x w^T + b: a block computes 64 x 64 results from tiles in shared memory, a thread 4 x 4 of them in registers.
// Neighbouring threads own neighbouring columns, 16 apart: no two lanes meet in a bank.
// <<<dim3((O + TILE - 1) / TILE, (N + TILE - 1) / TILE), dim3(16, 16)>>>
#define TILE 64
#define DEPTH 16
extern "C" __global__ void linear_forward(const float* x, const float* w, const float* bias, float* y, int N, int I, int O) {
    __shared__ float as[DEPTH][TILE + 1], bs[DEPTH][TILE + 1];
    int tx = threadIdx.x, ty = threadIdx.y, first_row = blockIdx.y * TILE, first_column = blockIdx.x * TILE;
    float sum[4][4] = {};
    for (int k0 = 0; k0 < I; k0 += DEPTH) {
        for (int t = ty * 16 + tx; t < TILE * DEPTH; t += 256) {
            int ak = t % DEPTH, ar = t / DEPTH;
            as[ak][ar] = first_row + ar < N && k0 + ak < I ? x[(first_row + ar) * I + k0 + ak] : 0.0f;
            int bk = t % DEPTH, br = t / DEPTH;
            bs[bk][br] = first_column + br < O && k0 + bk < I ? w[(first_column + br) * I + k0 + bk] : 0.0f;
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
            if (row < N && column < O) y[row * O + column] = sum[i][j] + bias[column];
        }
    }
}

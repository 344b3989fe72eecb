// dx = dy w: a block computes 64 x 64 results from tiles in shared memory, a thread 4 x 4 of them in registers.
// Neighbouring threads own neighbouring columns, 16 apart: no two lanes meet in a bank.
// <<<dim3((inputs + TILE - 1) / TILE, (N + TILE - 1) / TILE), dim3(16, 16)>>>
#define TILE 64
#define DEPTH 16
extern "C" __global__ void linear_grad_input(const float* dy, const float* w, float* dx, int N, int inputs, int outputs) {
    __shared__ float rows[DEPTH][TILE + 2], columns[DEPTH][TILE + 2];
    int tx = threadIdx.x, ty = threadIdx.y, first_row = blockIdx.y * TILE, first_column = blockIdx.x * TILE;
    float sum[4][4] = {};
    for (int k0 = 0; k0 < outputs; k0 += DEPTH) {
        for (int t = ty * 16 + tx; t < TILE * DEPTH; t += 256) {
            int k = t % DEPTH, r = t / DEPTH;
            rows[k][r] = first_row + r < N && k0 + k < outputs ? dy[(first_row + r) * outputs + k0 + k] : 0.0f;
            int out = t / TILE, c = t % TILE;
            columns[out][c] = first_column + c < inputs && k0 + out < outputs ? w[(k0 + out) * inputs + first_column + c] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < DEPTH; k++) {
            float left[4], right[4];
            for (int m = 0; m < 4; m++) {
                left[m] = rows[k][ty + 16 * m];
                right[m] = columns[k][tx + 16 * m];
            }
            for (int i = 0; i < 4; i++) {
                for (int j = 0; j < 4; j++) sum[i][j] += left[i] * right[j];
            }
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            int row = first_row + ty + 16 * i, column = first_column + tx + 16 * j;
            if (row < N && column < inputs) dx[row * inputs + column] = sum[i][j];
        }
    }
}

#include <mma.h>
using namespace nvcuda;

// <<<dim3(O / 32, N / 32), 32>>>
extern "C" __global__ void linear_four_tc(const half* x, const half* w, float* y, int N, int O, int K) {
    int row = 32 * blockIdx.y, column = 32 * blockIdx.x;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> A[2];
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> B[2];
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> C[2][2];
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) wmma::fill_fragment(C[i][j], 0.0f);
    for (int k = 0; k < K; k += 16) {
        for (int i = 0; i < 2; i++) {
            wmma::load_matrix_sync(A[i], x + (row + 16 * i) * K + k, K);
            wmma::load_matrix_sync(B[i], w + (column + 16 * i) * K + k, K);
        }
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++) wmma::mma_sync(C[i][j], A[i], B[j], C[i][j]);
    }
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            wmma::store_matrix_sync(y + (row + 16 * i) * O + column + 16 * j, C[i][j], O, wmma::mem_row_major);
}

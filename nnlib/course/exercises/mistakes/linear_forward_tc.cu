#include <mma.h>
using namespace nvcuda;

// <<<dim3(O / 16, N / 16), 32>>>
extern "C" __global__ void linear_forward_tc(const half* x, const half* w, float* y, int N, int O, int K) {
    int row = 16 * blockIdx.y, column = 16 * blockIdx.x;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> A;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> B;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> C;
    wmma::fill_fragment(C, 0.0f);
    for (int k = 0; k < K; k += 16) {
        wmma::load_matrix_sync(A, x + row * K + k, K);
        wmma::load_matrix_sync(B, w + column * K + k, K);
        wmma::mma_sync(C, A, B, C);
    }
    wmma::store_matrix_sync(y + row * O + column, C, O, wmma::mem_row_major);
}

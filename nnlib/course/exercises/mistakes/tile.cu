#include <mma.h>
using namespace nvcuda;

// <<<1, 32>>>
extern "C" __global__ void tile(const half* a, const half* b, float* c, int K) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> A;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> B;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> C;
    wmma::fill_fragment(C, 0.0f);
    for (int k = 0; k < K; k += 16) {
        wmma::load_matrix_sync(A, a + k, K);
        wmma::load_matrix_sync(B, b + k, K);
        wmma::mma_sync(C, A, B, C);
    }
    wmma::store_matrix_sync(c, C, 16, wmma::mem_row_major);
}

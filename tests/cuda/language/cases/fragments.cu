// Statements with the fragments of tensor cores.
#include <mma.h>
using namespace nvcuda; __global__ void k(const half* a, float* c, int n) { /* here */ }

// error 2:86: 'wmma::matrix_a' is a type, and no value
// hint: if it is an argument of a template, the name before < is not known: is its namespace missing, as in wmma::fragment<...>?
fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> A; 

// error 2:77: static_assert failed: there is no such fragment: matrix_a and matrix_b need row_major or col_major, an accumulator none; a factor's numbers are half (or another type of 8 or 16 bits, or tf32), an accumulator's float, half or int; sizes are 16, 16, 16
wmma::fragment<wmma::matrix_a, 16, 16, 16, half> A; 

// error 2:77: static_assert failed: there is no such fragment: matrix_a and matrix_b need row_major or col_major, an accumulator none; a factor's numbers are half (or another type of 8 or 16 bits, or tf32), an accumulator's float, half or int; sizes are 16, 16, 16
wmma::fragment<wmma::accumulator, 16, 16, 16, float, wmma::row_major> C; 

// error 2:173: 'p' of nvcuda::wmma::load_matrix_sync is a pointer, but this is a value
// hint: pass an address: a + k or &a[k], and not a[k]
wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> A; wmma::load_matrix_sync(A, a[n], n);

// error 2:132: static_assert failed: array and accumulator have numbers of one type: where c is float*, C is a fragment of float
wmma::fragment<wmma::accumulator, 16, 16, 16, half> C; wmma::store_matrix_sync(c, C, 16, wmma::mem_row_major);

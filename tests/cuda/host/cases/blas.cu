// Mistakes that are named with the argument of cuBLAS that cannot be right.
#define T float
#include <cstdio>
#include <cublas_v2.h>
int main() {
    T h[400], *x, *y, *z, *part; float f[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    for (int i = 0; i < 400; i++) h[i] = i * 7 % 11 - 5;
    cudaMalloc(&x, sizeof(h)); cudaMalloc(&y, sizeof(h)); cudaMalloc(&z, sizeof(h)); cudaMalloc(&part, sizeof(h));
    cublasHandle_t handle; cublasCreate(&handle);
    cublasSetVector(400, sizeof(T), h, 1, x, 1);
    cublasSetVector(399, sizeof(T), h + 1, 1, y, 1);
    cublasSetVector(398, sizeof(T), h + 2, 1, z, 1);
    cublasSetVector(200, sizeof(T), h, 1, part, 1);
    T alpha = 2, beta = -1, zero = 0, result = 0; int place = 0;
CASE
    cublasGetVector(398, sizeof(T), z, 1, h, 1);
    printf("%g %d", (double)result, place);
    for (int i = 0; i < 200; i++) printf(" %g", (double)h[i]);
    cublasDestroy(handle); cudaFree(x); cudaFree(y); cudaFree(z); cudaFree(part);
}

// case: leading dimension
    cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 20, 5, 4, &alpha, x, 10, y, 4, &zero, z, 20);
//                                                                     ^ cublasSgemm: lda is 10, but A (x) has 20 rows|A is stored by columns, each of which begins lda elements after the one before|hint: write the number of rows in memory, before the matrix is transposed: 20 or more

// case: leading dimension: transposed
    cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, 4, 5, 3, &alpha, x, 4, y, 3, &zero, z, 4);
//                                                                          ^ cublasSgemm: ldb is 3, but B (y) has 5 rows|B is stored by columns, each of which begins ldb elements after the one before|hint: write the number of rows in memory, before the matrix is transposed: 5 or more

// case: leading dimension of the result
    cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 5, 3, &alpha, x, 4, y, 3, &zero, z, 3);
//                                                                                       ^ cublasSgemm: ldc is 3, but C (z) has 4 rows|C is stored by columns, each of which begins ldc elements after the one before|hint: write the number of rows in memory, before the matrix is transposed: 4 or more

// case: beyond a matrix
    cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 20, 20, 40, &alpha, x, 20, y, 40, &zero, z, 20);
//                                                                    ^ cublasSgemm: A (x) is a matrix of 20 x 40 with lda = 20: 3,200 bytes, but x has 1,600|it is made in line 8|hint: compare the sizes with what was allocated; a matrix lies there column after column

// case: beyond a matrix, from the middle
    cublasSgemv(handle, CUBLAS_OP_N, 20, 20, &alpha, x + 8, 20, y, 1, &zero, z, 1);
//                                                     ^ cublasSgemv: A (x) is a matrix of 20 x 20 with lda = 20: 1,600 bytes, but x has 1,600, 1,568 from there on|it is made in line 8|hint: compare the sizes with what was allocated; a matrix lies there column after column

// case: beyond a vector
    cublasSdot(handle, 300, x, 1, y, 2, &result);
//                                ^ cublasSdot: y has 300 elements, incy is 2: 2,396 bytes, but y has 1,600|it is made in line 8|hint: compare the sizes with what was allocated; a matrix lies there column after column

// case: no step
    cublasSscal(handle, 3, &alpha, x, 0);
//                                    ^ cublasSscal: incx is 0: all elements of x would be the same|hint: write 1 where they lie side by side

// case: negative size
    cublasSscal(handle, -3, &alpha, x, 1);
//                      ^ cublasSscal: n is -3, which is no number of elements|hint: work out by hand what it should be

// case: memory of the host
    cublasSaxpy(handle, 3, &alpha, h, 1, z, 1);
//                                 ^ cublasSaxpy: x (h) is memory of the host: a GPU cannot reach it|it is made by its declaration|hint: copy it to memory of cudaMalloc first, and pass that; or use cudaMallocManaged

// case: number on the GPU
    cublasSscal(handle, 3, y, x, 1);
//                         ^ cublasSscal: alpha (y) is memory of the GPU, but the handle is in CUBLAS_POINTER_MODE_HOST|hint: write cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE) first, or pass a pointer to memory of the other side

// case: number on the host
    cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
    cublasSdot(handle, 3, x, 1, y, 1, &result);
//                                    ^ cublasSdot: result is memory of the host, but the handle is in CUBLAS_POINTER_MODE_DEVICE|hint: write cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST) first, or pass a pointer to memory of the other side

// case: the result is an argument
    cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &alpha, x, 4, y, 4, &zero, x + 15, 4);
//                                                                                      ^ cublasSgemm: C (x) and A (x) share memory, and the result is written while the other is still read|hint: give the result memory of its own

// case: freed
    cudaFree(x); cublasSscal(handle, 3, &alpha, x, 1);
//                                              ^ cublasSscal: x was freed in line 15|hint: free it after its last use

// case: destroyed
    cublasDestroy(handle); cublasSscal(handle, 3, &alpha, x, 1);
//                                     ^ cublasSscal: handle was destroyed|hint: destroy it after its last use

// case: never written
    cublasSasum(handle, 300, part, 1, &result);
//                           ^ cublasSasum: x (part) is read, but nobody has written it everywhere|cudaMalloc in line 8 leaves it with whatever was there before|hint: copy something to part first, or cudaMemset it to 0

// case: no value of alpha
    float a; cublasSscal(handle, 3, &a, x, 1);
//           ^ a is read, but it has no value yet|hint: give it one where it is declared: a = 0

// case: two streams
    cudaStream_t s, t; cudaStreamCreate(&s); cudaStreamCreate(&t); cublasSetStream(handle, s);
    cublasSscal(handle, 3, &alpha, x, 1); cublasSetStream(handle, t);
    cublasSscal(handle, 3, &alpha, x, 1);
//  ^ kernel cublasSscal in stream 2 uses x before kernel cublasSscal of line 16 in stream 1 is done|line 16 changes x, line 17 changes it, and nothing orders the two|hint: record an event after line 16, and let stream 2 wait for it before line 17: cudaStreamWaitEvent(stream, event)

// case: not waited for
    float* m; cudaMallocManaged(&m, 12); cublasScopy(handle, 3, x, 1, m, 1); printf("%g", m[0]);
//                                                                           ^ m is read before kernel cublasScopy of line 15 in default stream is done|kernel cublasScopy writes it, and the host does not wait for it by itself|hint: wait first: cudaDeviceSynchronize(), or cudaStreamSynchronize(stream)

// case: a product for a warm-up may read anything, until it is used
    cublasSgemv(handle, CUBLAS_OP_N, 20, 20, &alpha, part, 20, x, 1, &zero, y, 1);
//                                                   ^ cublasSgemv: A (part) is read, but nobody has written it everywhere|cudaMalloc in line 8 leaves it with whatever was there before|hint: copy something to part first, or cudaMemset it to 0
    cublasScopy(handle, 20, y, 1, z, 1);

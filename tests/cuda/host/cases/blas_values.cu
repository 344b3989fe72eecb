// cuBLAS computes what BLAS defines, element by element: each program does the same in plain loops.
#include <cstdio>
#include <cublas_v2.h>
#ifndef T
#define T float
#define F(name) cublasS##name
#else
#define F(name) cublasD##name
#endif
int start(int i) { return i * 7 % 11 - 5; }
int main() {
    T X[400], Y[400], Z[400], h[400], *x, *y, *z;
    for (int i = 0; i < 400; i++) { X[i] = start(i); Y[i] = start(i + 1); Z[i] = start(i + 2); }
    cudaMalloc(&x, sizeof(X)); cudaMalloc(&y, sizeof(Y)); cudaMalloc(&z, sizeof(Z));
    cublasHandle_t handle; cublasCreate(&handle);
    cublasSetVector(400, sizeof(T), X, 1, x, 1);
    cublasSetVector(400, sizeof(T), Y, 1, y, 1);
    cublasSetVector(400, sizeof(T), Z, 1, z, 1);
    T alpha = 2, beta = -1, zero = 0, result = 0; int place = 0;
CASE
    cublasGetVector(400, sizeof(T), z, 1, h, 1);
    for (int i = 0; i < 400; i++) if (h[i] != Z[i]) printf("z[%d] is %g, not %g\n", i, h[i], Z[i]);
    cublasDestroy(handle); cudaFree(x); cudaFree(y); cudaFree(z);
}

// case: products of matrices
    F(gemm)(handle, CUBLAS_OP_N, CUBLAS_OP_N, 5, 3, 4, &alpha, x, 6, y, 9, &beta, z, 7);
    for (int i = 0; i < 5; i++) for (int j = 0; j < 3; j++) {
        T sum = 0;
        for (int p = 0; p < 4; p++) sum += X[p * 6 + i] * Y[j * 9 + p];
        Z[j * 7 + i] = 2 * sum - Z[j * 7 + i];
    }

// case: the first one transposed
// options: -DT=double
    F(gemm)(handle, CUBLAS_OP_T, CUBLAS_OP_N, 5, 3, 4, &alpha, x, 6, y, 9, &beta, z, 7);
    for (int i = 0; i < 5; i++) for (int j = 0; j < 3; j++) {
        T sum = 0;
        for (int p = 0; p < 4; p++) sum += X[i * 6 + p] * Y[j * 9 + p];
        Z[j * 7 + i] = 2 * sum - Z[j * 7 + i];
    }

// case: the second one transposed
    F(gemm)(handle, CUBLAS_OP_N, CUBLAS_OP_T, 5, 3, 4, &alpha, x, 6, y, 9, &beta, z, 7);
    for (int i = 0; i < 5; i++) for (int j = 0; j < 3; j++) {
        T sum = 0;
        for (int p = 0; p < 4; p++) sum += X[p * 6 + i] * Y[p * 9 + j];
        Z[j * 7 + i] = 2 * sum - Z[j * 7 + i];
    }

// case: both transposed, side by side
// options: -DT=double
    F(gemm)(handle, CUBLAS_OP_T, CUBLAS_OP_T, 5, 3, 4, &alpha, x, 4, y, 3, &beta, z, 7);
    for (int i = 0; i < 5; i++) for (int j = 0; j < 3; j++) {
        T sum = 0;
        for (int p = 0; p < 4; p++) sum += X[i * 4 + p] * Y[p * 3 + j];
        Z[j * 7 + i] = 2 * sum - Z[j * 7 + i];
    }

// case: products of many matrices
    cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_T, 2, 3, 4, &alpha, x, 2, 8, y, 3, 0,
                              &zero, z, 2, 10, 5);
    for (int one = 0; one < 5; one++) for (int i = 0; i < 2; i++) for (int j = 0; j < 3; j++) {
        T sum = 0;
        for (int p = 0; p < 4; p++) sum += X[8 * one + p * 2 + i] * Y[p * 3 + j];
        Z[10 * one + j * 2 + i] = 2 * sum;
    }

// case: products of a matrix and a vector
// options: -DT=double
    F(gemv)(handle, CUBLAS_OP_N, 4, 6, &alpha, x, 5, y, 1, &beta, z, 2);
    for (int i = 0; i < 4; i++) {
        T sum = 0;
        for (int p = 0; p < 6; p++) sum += X[p * 5 + i] * Y[p];
        Z[2 * i] = 2 * sum - Z[2 * i];
    }

// case: transposed, every other element
    F(gemv)(handle, CUBLAS_OP_T, 4, 6, &alpha, x, 5, y, 2, &beta, z, 2);
    for (int i = 0; i < 6; i++) {
        T sum = 0;
        for (int p = 0; p < 4; p++) sum += X[i * 5 + p] * Y[2 * p];
        Z[2 * i] = 2 * sum - Z[2 * i];
    }

// case: a negative step begins with the last element
    F(gemv)(handle, CUBLAS_OP_N, 4, 6, &alpha, x, 5, y, -3, &beta, z, 2);
    for (int i = 0; i < 4; i++) {
        T sum = 0;
        for (int p = 0; p < 6; p++) sum += X[p * 5 + i] * Y[3 * (5 - p)];
        Z[2 * i] = 2 * sum - Z[2 * i];
    }
    F(axpy)(handle, 50, &alpha, x, -1, z + 100, 2);
    for (int i = 0; i < 50; i++) Z[100 + 2 * i] += 2 * X[49 - i];

// case: what changes a vector
// options: -DT=double
    F(scal)(handle, 10, &alpha, z, 3); F(copy)(handle, 10, x, 1, z + 40, 1);
    for (int i = 0; i < 10; i++) { Z[3 * i] *= 2; Z[40 + i] = X[i]; }
    F(swap)(handle, 10, x, 1, z + 60, 1); F(copy)(handle, 10, x, 1, z + 80, 1);
    for (int i = 0; i < 10; i++) { Z[80 + i] = Z[60 + i]; Z[60 + i] = X[i]; }

// case: what changes a matrix
    F(ger)(handle, 3, 2, &alpha, x, 1, y, 1, z, 4);
    for (int i = 0; i < 3; i++) for (int j = 0; j < 2; j++) Z[4 * j + i] += 2 * X[i] * Y[j];
    F(geam)(handle, CUBLAS_OP_T, CUBLAS_OP_N, 2, 3, &alpha, x, 3, &beta, y, 2, z + 20, 2);
    F(geam)(handle, CUBLAS_OP_T, CUBLAS_OP_N, 2, 3, &alpha, x, 3, &zero, 0, 2, z + 40, 2);
    for (int i = 0; i < 6; i++) {
        Z[40 + i] = 2 * X[i % 2 * 3 + i / 2];
        Z[20 + i] = Z[40 + i] - Y[i];
    }

// case: what makes a number
    T sum = 0, length = 0;
    for (int i = 0; i < 40; i++) { sum += X[i] * Y[2 * i]; length += X[i] * X[i]; }
    F(dot)(handle, 40, x, 1, y, 2, &result); printf("%d\n", result == sum);
//  prints: 1
    F(asum)(handle, 40, x, 1, &result); printf("%g\n", result);
//  prints: 112
    F(nrm2)(handle, 40, x, 1, &result); printf("%d\n", fabs(result - sqrt(length)) < 1e-4);
//  prints: 1
    cublasIsamax(handle, 40, x + 1, 1, &place); printf("%d\n", place);
//  prints: 3
    cublasIsamin(handle, 40, x, 2, &place); printf("%d\n", place);
//  prints: 10
    F(dot)(handle, 0, x, 1, y, 1, &result); printf("%g\n", result);
//  prints: 0
    alpha = 1e30; F(scal)(handle, 2, &alpha, x, 1); F(nrm2)(handle, 2, x, 1, &result);
    printf("%.5g\n", result);  // its square overflows
//  prints: 5.3852e+30

// case: alpha and results behind pointers to the memory of the GPU, for which nothing waits
// options: -DT=double
    cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
    F(dot)(handle, 3, x, 1, y, 1, z); F(scal)(handle, 1, z, z + 1, 1);
    Z[0] = X[0] * Y[0] + X[1] * Y[1] + X[2] * Y[2]; Z[1] *= Z[0];

// case: a product whose types are given
    cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &alpha, x, CUDA_R_32F, 2, y, CUDA_R_32F,
                 2, &zero, z, CUDA_R_32F, 2, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
    for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) {
        Z[2 * j + i] = 2 * (X[i] * Y[2 * j] + X[i + 2] * Y[2 * j + 1]);
    }

// case: the same in double precision
// options: -DT=double
    cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &alpha, x, CUDA_R_64F, 2, y, CUDA_R_64F,
                 2, &zero, z, CUDA_R_64F, 2, CUBLAS_COMPUTE_64F, CUBLAS_GEMM_DEFAULT);
    for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) {
        Z[2 * j + i] = 2 * (X[i] * Y[2 * j] + X[i + 2] * Y[2 * j + 1]);
    }

// case: parts of a matrix belong to streams of their own, as rows of the same columns lie between one another
    cudaStream_t s, t; cudaStreamCreate(&s); cudaStreamCreate(&t);
    cublasSetStream(handle, s);
    cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 5, 3, &alpha, x, 4, y, 3, &zero, z, 8);
    cublasSetStream(handle, t);
    cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 5, 3, &alpha, x, 4, y, 3, &zero, z + 4, 8);
    cudaDeviceSynchronize();
    for (int i = 0; i < 4; i++) for (int j = 0; j < 5; j++) {
        T sum = 0;
        for (int p = 0; p < 3; p++) sum += X[p * 4 + i] * Y[j * 3 + p];
        Z[j * 8 + i] = Z[j * 8 + 4 + i] = 2 * sum;
    }

// case: a product for a warm-up may read anything
    T* part; cudaMalloc(&part, sizeof(X));
    cublasSgemv(handle, CUBLAS_OP_N, 20, 20, &alpha, part, 20, x, 1, &zero, y, 1);
    cudaFree(part);

"""cuBLAS computes what BLAS defines, element by element, and names the argument that cannot be right."""

import itertools

import pytest

from nnlib.cuda import Program

START = r"""
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
"""
END = r"""
    cublasGetVector(398, sizeof(T), z, 1, h, 1);
    printf("%g %d", (double)result, place);
    for (int i = 0; i < 200; i++) printf(" %g", (double)h[i]);
    cublasDestroy(handle); cudaFree(x); cudaFree(y); cudaFree(z); cudaFree(part);
}
"""


def ran(body: str, kind: str = "float") -> list[float]:
    """The result of a function that has one, the place that another has found, and 200 elements of z."""
    run = Program(
        START + body.replace("#", "S" if kind == "float" else "D") + END, options=[f"-DT={kind}"]
    ).run()
    assert run.notes == []
    return list(map(float, run.output.split()))


def start(shift: int) -> list[int]:
    return [(i + shift) * 7 % 11 - 5 for i in range(400)]


X, Y, Z = start(0), start(1), start(2)


def entry(data, leading, transposed, i, j):
    return data[i * leading + j] if transposed else data[j * leading + i]


@pytest.mark.parametrize("kind", ["float", "double"])
@pytest.mark.parametrize("ta, tb", list(itertools.product("NT", "NT")))
def test_products_of_matrices(kind, ta, tb):
    m, n, k, ldc = 5, 3, 4, 7
    lda, ldb = (6, 9) if (ta, tb) != ("T", "T") else (4, 3)
    found = ran(
        f"cublas#gemm(handle, CUBLAS_OP_{ta}, CUBLAS_OP_{tb}, {m}, {n}, {k}, &alpha, x, {lda}, y, {ldb}, "
        f"&beta, z, {ldc});",
        kind,
    )[2:]
    wanted = list(Z)
    for i, j in itertools.product(range(m), range(n)):
        product = sum(
            entry(X, lda, ta == "T", i, p) * entry(Y, ldb, tb == "T", p, j) for p in range(k)
        )
        wanted[j * ldc + i] = 2 * product - Z[j * ldc + i]
    assert found == wanted[:200]


def test_products_of_many_matrices():
    found = ran(
        "cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_T, 2, 3, 4, &alpha, x, 2, 8, y, 3, 0, &zero, "
        "z, 2, 10, 5);"
    )[2:]
    wanted = list(Z)
    for one, i, j in itertools.product(range(5), range(2), range(3)):
        wanted[10 * one + j * 2 + i] = 2 * sum(
            X[8 * one + p * 2 + i] * Y[p * 3 + j] for p in range(4)
        )
    assert found == wanted[:200]


@pytest.mark.parametrize("trans, inc", [("N", 1), ("T", 2), ("N", -3), ("T", -1)])
def test_products_of_a_matrix_and_a_vector(trans, inc):
    m, n, lda = 4, 6, 5
    found = ran(
        f"cublas#gemv(handle, CUBLAS_OP_{trans}, {m}, {n}, &alpha, x, {lda}, y, {inc}, &beta, z, 2);",
        "double",
    )[2:]
    rows, columns = (n, m) if trans == "T" else (m, n)
    vector = [Y[(p if inc > 0 else p - columns + 1) * inc] for p in range(columns)]
    wanted = list(Z)
    for i in range(rows):
        wanted[2 * i] = (
            2 * sum(entry(X, lda, trans == "T", i, p) * vector[p] for p in range(columns))
            - Z[2 * i]
        )
    assert found == wanted[:200]


def test_what_changes_a_vector_or_a_matrix():
    assert ran("cublas#axpy(handle, 50, &alpha, x, -1, z, 2);")[2:] == [
        z + 2 * X[49 - i // 2] if i < 100 and i % 2 == 0 else z for i, z in enumerate(Z[:200])
    ]
    assert ran("cublas#scal(handle, 10, &alpha, z, 3);")[2:] == [
        2 * z if i < 30 and i % 3 == 0 else z for i, z in enumerate(Z[:200])
    ]
    assert ran("cublas#copy(handle, 10, x, 1, z, 1);")[2:] == X[:10] + Z[10:200]
    assert ran("cublas#swap(handle, 10, x, 1, z, 1); cublas#copy(handle, 10, x, 1, z + 10, 1);")[
        2:
    ] == (X[:10] + Z[:10] + Z[20:200])
    assert ran("cublas#ger(handle, 3, 2, &alpha, x, 1, y, 1, z, 4);")[2:] == [
        z + 2 * X[i % 4] * Y[i // 4] if i < 8 and i % 4 < 3 else z for i, z in enumerate(Z[:200])
    ]
    assert (
        ran(
            "cublas#geam(handle, CUBLAS_OP_T, CUBLAS_OP_N, 2, 3, &alpha, x, 3, &beta, y, 2, z, 2);"
        )[2:]
        == [2 * X[i % 2 * 3 + i // 2] - Y[i] for i in range(6)] + Z[6:200]
    )
    assert ran(
        "cublas#geam(handle, CUBLAS_OP_T, CUBLAS_OP_N, 2, 3, &alpha, x, 3, &zero, 0, 2, z, 2);"
    )[2:8] == [2 * X[i % 2 * 3 + i // 2] for i in range(6)]


def test_what_makes_a_number():
    assert ran("cublas#dot(handle, 40, x, 1, y, 2, &result);")[0] == sum(
        X[i] * Y[2 * i] for i in range(40)
    )
    assert ran("cublas#asum(handle, 40, x, 1, &result);")[0] == sum(map(abs, X[:40]))
    assert ran("cublas#nrm2(handle, 40, x, 1, &result);", "double")[0] == pytest.approx(
        sum(x * x for x in X[:40]) ** 0.5, 1e-5
    )
    assert ran(
        "alpha = 1e30; cublas#scal(handle, 2, &alpha, x, 1); cublas#nrm2(handle, 2, x, 1, &result);"
    )[0] == (pytest.approx(29**0.5 * 1e30, 1e-5))
    assert ran("cublasIsamax(handle, 40, x + 1, 1, &place);")[1] == 1 + max(
        range(40), key=lambda i: abs(X[i + 1])
    )
    assert ran("cublasIsamin(handle, 40, x, 2, &place);")[1] == 1 + min(
        range(40), key=lambda i: abs(X[2 * i])
    )
    assert ran("cublas#dot(handle, 0, x, 1, y, 1, &result);")[0] == 0


def test_numbers_on_the_gpu():
    """alpha and results behind pointers to the GPU's memory; nothing waits."""
    assert ran(
        "cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);"
        "cublas#dot(handle, 3, x, 1, y, 1, z); cublas#scal(handle, 1, z, z + 1, 1);"
    )[2:4] == [sum(X[i] * Y[i] for i in range(3)), sum(X[i] * Y[i] for i in range(3)) * Z[1]]


@pytest.mark.parametrize("kind, bits", [("float", "32F"), ("double", "64F")])
def test_a_product_whose_types_are_given(kind, bits):
    found = ran(
        f"auto type = CUDA_R_{bits}; cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &alpha, x, type, "
        f"2, y, type, 2, &zero, z, type, 2, CUBLAS_COMPUTE_{bits}, CUBLAS_GEMM_DEFAULT);",
        kind,
    )
    assert found[2:6] == [
        2 * (X[i] * Y[2 * j] + X[i + 2] * Y[2 * j + 1]) for j in range(2) for i in range(2)
    ]


# name, body, part of the message, what stands at the column that it names


def test_parts_of_a_matrix_belong_to_streams_of_their_own():
    """Rows of the same columns lie between one another; neither touches the other's bytes."""
    ran("""cudaStream_t s, t; cudaStreamCreate(&s); cudaStreamCreate(&t); cublasSetStream(handle, s);
        cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 5, 3, &alpha, x, 4, y, 3, &zero, z, 8);
        cublasSetStream(handle, t);
        cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 5, 3, &alpha, x, 4, y, 3, &zero, z + 4, 8);
        cudaDeviceSynchronize();""")

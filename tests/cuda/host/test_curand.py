"""cuRAND's generators of the host give the numbers of a GPU, and say what cannot be asked of them."""

import numpy as np
import pytest

from nnlib.cuda import Program

TEXT = r"""
#include <cstdio>
#include <curand.h>
template <typename T> void show(const T* d, int n) {
    T* h = (T*)malloc(n * sizeof(T));
    cudaMemcpy(h, d, n * sizeof(T), cudaMemcpyDeviceToHost);
    printf("%.12g %.12g %.12g %.12g ", (double)h[0], (double)h[1], (double)h[n > 4097 ? 4097 : n - 2],
           (double)h[n - 1]);
    free(h);
}
int main() {
    unsigned* u; float* f; double* d;
    cudaMalloc(&u, 80000); cudaMalloc(&f, 80000); cudaMalloc(&d, 160000);
    curandGenerator_t g; curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT);
    curandSetPseudoRandomGeneratorSeed(g, 1234ULL);
    BODY
    curandDestroyGenerator(g); cudaFree(u); cudaFree(f); cudaFree(d);
}"""


def text(body: str) -> str:
    return TEXT.replace("BODY", body)


# Recorded on an H200 with cuRAND of CUDA 13: numbers 0, 1, 4097 (or the last but one) and the last of a call.
RECORDED = [  # what is called, how far the last digits may differ, the numbers
    (
        "curandGenerate(g, u, 20000); show(u, 20000);",
        0,
        [624778773, 3522650202, 3978931785, 2623622396],
    ),
    (
        "curandSetGeneratorOffset(g, 7); curandGenerate(g, u, 5000); show(u, 5000);",
        0,
        [3362343509, 48542993, 2317509034, 2598138492],
    ),
    (
        "curandGenerateUniformDouble(g, d, 20000); show(d, 20000);",
        1e-12,
        [0.434898804388, 0.926416920202, 0.537593777314, 0.887173488329],
    ),
    (
        "curandGenerateNormal(g, f, 20000, 0, 1); show(f, 20000);",
        3e-6,
        [0.780973613262, -1.80157792568, 0.454981684685, 1.52761149406],
    ),
    (
        "curandGenerateNormalDouble(g, d, 20000, 0, 1); show(d, 20000);",
        1e-11,
        [0.358739798524, -1.23959250322, 1.0026121075, -0.578319165071],
    ),
    (
        "curandGenerateLogNormal(g, f, 20000, 0, 1); show(f, 20000);",
        3e-6,
        [2.18359732628, 0.165038272738, 1.57614445686, 4.60715961456],
    ),
    (
        "curandGenerateUniform(g, f, 1001); show(f, 1001); curandGenerateUniform(g, f, 5000); show(f, 5000);",
        1e-11,
        [
            0.145467638969,
            0.820180892944,
            0.547260344028,
            0.56188929081,
            0.481230378151,
            0.87080770731,
            0.719315230846,
            0.277732312679,
        ],
    ),
    (
        "curandGenerateUniform(g, f, 6001); curandGenerateNormal(g, f, 1000, 0, 1); show(f, 1000);"
        "curandGenerateUniform(g, f, 5000); show(f, 5000);",
        3e-6,
        [
            -0.562590181828,
            1.49147057533,
            -0.381718367338,
            -0.630855441093,
            0.587264895439,
            0.583391070366,
            0.353399515152,
            0.303640604019,
        ],
    ),
]


@pytest.mark.parametrize("body, digits, numbers", RECORDED)
def test_the_numbers_are_those_of_a_gpu(body, digits, numbers):
    run = Program(text(body)).run()
    assert run.notes == []
    np.testing.assert_allclose(list(map(float, run.output.split())), numbers, rtol=digits)


def test_a_seed_begins_anew_and_mean_and_deviation_scale():
    found = (
        Program(
            text(
                "curandGenerateNormal(g, f, 100, 0, 1); show(f, 100); curandSetPseudoRandomGeneratorSeed("
                "g, 1234ULL); curandGenerateNormal(g, f, 100, 5, 2); show(f, 100);"
            )
        )
        .run()
        .output.split()
    )
    numbers = np.array(found, float)
    np.testing.assert_allclose(numbers[4:], 5 + 2 * numbers[:4], rtol=1e-6)


def test_a_generator_of_the_host_fills_memory_of_the_host():
    program = text("""float h[4]; curandGenerator_t c; curandCreateGeneratorHost(&c, CURAND_RNG_PSEUDO_DEFAULT);
        curandSetPseudoRandomGeneratorSeed(c, 1234ULL); curandGenerateUniform(c, h, 4); curandGenerateUniform(g, f, 4);
        show(f, 4); cudaMemcpy(f, h, 16, cudaMemcpyHostToDevice); show(f, 4); curandDestroyGenerator(c);""")
    found = Program(program).run().output.split()
    assert found[:4] == found[4:]


def test_no_numbers_are_no_mistake_and_change_nothing():
    body = """int wrong = curandGenerateUniform(g, f, 4) != CURAND_STATUS_SUCCESS; show(f, 4);
        wrong += curandGenerateUniform(g, f, 0) != CURAND_STATUS_SUCCESS;
        wrong += curandGenerateNormal(g, f, 0, 0, 1) != CURAND_STATUS_SUCCESS;
        wrong += curandGenerate(g, u, 0) != CURAND_STATUS_SUCCESS; show(f, 4); printf("%d", wrong);"""
    *numbers, wrong = Program(text(body)).run().output.split()
    assert numbers[:4] == numbers[4:] and wrong == "0"

"""curand_kernel.h: the numbers that a GPU draws for the same seed."""

from __future__ import annotations

import numpy as np
import pytest

from nnlib.cuda import RawModule, force_simulator

TEXT = r"""#include <curand_kernel.h>
template <typename State> __global__ void draw(unsigned long long seed, unsigned long long sequence,
        unsigned long long offset, unsigned* whole, float* uniform, double* uniform_double, float* normal,
        double* normal_double, State* states)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    State state;
    curand_init(seed, sequence + i, offset, &state);
    for (int k = 0; k < 7; k++) whole[7 * i + k] = curand(&state);
    for (int k = 0; k < 3; k++) uniform[3 * i + k] = curand_uniform(&state);
    for (int k = 0; k < 2; k++) uniform_double[2 * i + k] = curand_uniform_double(&state);
    for (int k = 0; k < 3; k++) normal[5 * i + k] = curand_normal(&state);
    normal[5 * i + 3] = curand_log_normal(&state, 0.5f, 0.25f);
    normal[5 * i + 4] = curand_normal2(&state).y;
    for (int k = 0; k < 3; k++) normal_double[3 * i + k] = curand_normal_double(&state);
    skipahead(5ull, &state);
    skipahead_sequence(3ull, &state);
    states[i] = state;
}

extern "C" __global__ void in_fours(unsigned long long seed, int drawn, uint4* whole, float4* uniform, float4* normal,
                                    double2* doubles)
{
    curandStatePhilox4_32_10_t state;
    curand_init(seed, threadIdx.x, 0, &state);
    for (int k = 0; k < drawn; k++) curand(&state);
    whole[threadIdx.x] = curand4(&state);
    uniform[threadIdx.x] = curand_uniform4(&state);
    normal[threadIdx.x] = curand_normal4(&state);
    doubles[threadIdx.x] = curand_uniform2_double(&state);
}

extern "C" __global__ void block(uint4 counter, uint2 key, uint4* out) { *out = curand_Philox4x32_10(counter, key); }
"""
STATES = {"curandState": 48, "curandStatePhilox4_32_10_t": 64}
NAMES = {state: f"draw<{state}>" for state in STATES}
EVERY = pytest.mark.parametrize("state", STATES)
MODULE = RawModule(
    TEXT, options=("-I/usr/local/cuda/include",), name_expressions=tuple(NAMES.values())
)


def drawn(state, threads=8, seed=1234, sequence=0, offset=0):
    results = [
        np.zeros((threads, 7), np.uint32),
        np.zeros((threads, 3), np.float32),
        np.zeros((threads, 2)),
        np.zeros((threads, 5), np.float32),
        np.zeros((threads, 3)),
        np.zeros(threads * STATES[state], np.uint8),
    ]
    MODULE.get_function(NAMES[state])(
        -(-threads // 64), min(threads, 64), (seed, sequence, offset, *results)
    )
    return results


def test_the_numbers_of_curands_guide():
    # What the guide's first example prints: number k of the host's default generator is the first of subsequence k.
    wanted = [0.1455, 0.8202, 0.5504, 0.2948, 0.9147, 0.8690, 0.3219, 0.7829, 0.0113, 0.2855]
    with force_simulator():
        np.testing.assert_allclose(drawn("curandState", 10)[0][:, 0] / 2**32, wanted, atol=5e-5)


@pytest.mark.parametrize(
    ("counter", "key", "wanted"),
    [  # of Random123's file of known answers
        ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
        ((0xFFFFFFFF,) * 4, (0xFFFFFFFF,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
        (
            (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
            (0xA4093822, 0x299F31D0),
            (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
        ),
    ],
)
def test_philox_gives_the_known_answers(counter, key, wanted):
    out = np.zeros(4, np.uint32)
    with force_simulator():
        MODULE.get_function("block")(
            1, 1, (np.array(counter, np.uint32), np.array(key, np.uint32), out)
        )
    assert tuple(out.tolist()) == wanted


@EVERY
def test_an_offset_leaves_numbers_out(state):
    with force_simulator():
        plain, later = drawn(state)[0], drawn(state, offset=3)[0]
        np.testing.assert_array_equal(later[:, :4], plain[:, 3:])
        np.testing.assert_array_equal(drawn(state, sequence=2)[0][:6], plain[2:])


def test_a_subsequence_is_two_to_the_67_numbers():
    text = """#include <curand_kernel.h>
    extern "C" __global__ void k(unsigned* out) {
        curandState a, b;
        curand_init(99, 1, 0, &a); curand_init(99, 0, 0, &b);
        for (int i = 0; i < 16; i++) skipahead(1ull << 63, &b);
        out[0] = curand(&a); out[1] = curand(&b); }"""
    out = np.zeros(2, np.uint32)
    with force_simulator():
        RawModule(text).get_function("k")(1, 1, (out,))
    assert out[0] == out[1] != 0


@EVERY
def test_numbers_are_distributed_as_they_say(state):
    with force_simulator():
        _, uniform, doubles, normal, normal_doubles, _ = drawn(state, 2048)
    for values in (uniform, doubles):
        assert (values > 0).all() and (values <= 1).all()
        assert abs(values.mean() - 0.5) < 0.02
    for values in (normal[:, :3], normal_doubles):
        assert abs(values.mean()) < 0.05 and abs(values.std() - 1) < 0.05
    assert abs(np.log(normal[:, 3]).mean() - 0.5) < 0.03


def in_fours(seed, number):
    floats = [np.zeros((8, 4), np.float32) for _ in range(2)]
    fours = [np.zeros((8, 4), np.uint32), *floats, np.zeros((8, 2))]
    MODULE.get_function("in_fours")(1, 8, (seed, number, *fours))
    return fours


@pytest.mark.parametrize("number", [0, 1, 2, 3])
def test_four_at_once_are_the_next_four(number):
    with force_simulator():
        fours = in_fours(1234, number)
        single = drawn("curandStatePhilox4_32_10_t")[0]
    np.testing.assert_array_equal(fours[0][:, :3], single[:, number : number + 3])


@pytest.mark.gpu
@EVERY
def test_a_gpu_draws_the_same(state):
    for seed, sequence, offset in ((1234, 0, 0), (2**63 + 5, 2**40 + 7, 10**12 + 3)):
        there = drawn(state, 256, seed, sequence, offset)
        with force_simulator():
            here = drawn(state, 256, seed, sequence, offset)
        for one, other in zip(here[:3], there[:3], strict=True):
            np.testing.assert_array_equal(one, other)
        # __sincosf is not NumPy's sine
        np.testing.assert_allclose(here[3], there[3], rtol=2e-5, atol=2e-5)
        np.testing.assert_allclose(here[4], there[4], rtol=1e-12, atol=1e-12)
        words = 24 if state == "curandState" else 44  # before what Box and Muller have left
        for one, other in zip(here[5].reshape(256, -1), there[5].reshape(256, -1), strict=True):
            np.testing.assert_array_equal(one[:words], other[:words])


@pytest.mark.gpu
@pytest.mark.parametrize("number", [0, 1, 2, 3])
def test_a_gpu_draws_the_same_in_fours(number):
    there = in_fours(77, number)
    with force_simulator():
        here = in_fours(77, number)
    for k, (one, other) in enumerate(zip(here, there, strict=True)):
        np.testing.assert_allclose(one, other, rtol=0, atol=2e-5 if k == 2 else 0)

import numpy as np

from . import blank, case, ints


def _out(n, *dtypes):
    return [blank(n, dtype=t) for t in dtypes or (np.int32,)]


@case("division_puzzle", 1, 64)
def division_puzzle(rng):
    a, b = (
        ints(rng, -100, 100, 60),
        ints(rng, 1, 9, 60) * np.where(rng.random(60) < 0.5, -1, 1).astype(np.int32),
    )
    return [a, b, *_out(60, np.int32, np.int32, np.int32), 60]


@case("conversions", 1, 64)
def conversions(rng):
    x = rng.uniform(-700, 700, 60).astype(np.float32)
    return [x, *_out(60, np.int32, np.uint8, np.int16, np.float32), 60]


@case("mixed_signs", 1, 64)
def mixed_signs(rng):
    a, b = ints(rng, -(2**31), 2**31, 60), ints(rng, 0, 2**32, 60, dtype=np.uint32)
    return [a, b, *_out(60, np.int32, np.uint32, np.int64), 60]


@case("collatz", 1, 64)
def collatz(rng):

    return [*_out(60), 60]


@case("gcd_table", (2, 2), (16, 16))
def gcd_table(rng):
    return [blank(25, 25, dtype=np.int32), 25]


@case("is_prime", 3, 64)
def is_prime(rng):
    return [*_out(180), 180]


@case("xorshift", 1, 64)
def xorshift(rng):
    state = ints(rng, 1, 2**32, 64, dtype=np.uint32)
    return [state, 5]


@case("lcg_64", 1, 64)
def lcg_64(rng):
    state = ints(rng, 0, 2**63, 64, dtype=np.uint64)
    return [state, blank(64, dtype=np.float64)]


@case("crc32", 1, 32)
def crc32(rng):
    x = ints(rng, 0, 256, 32, 11, dtype=np.uint8)
    return [x, *_out(32, np.uint32), 11]


@case("switch_machine", 1, 64)
def switch_machine(rng):
    code = ints(rng, 0, 12, 60)
    return [code, *_out(60), 60]


@case("nested_loops", 1, 64)
def nested_loops(rng):

    return [*_out(60), 60]


@case("short_circuit", 1, 64)
def short_circuit(rng):
    x = ints(rng, -9, 10, 50)
    return [x, *_out(50, np.int32, np.int32), 50]


@case("morton", 1, 64)
def morton(rng):
    x, y = ints(rng, 0, 65536, 50), ints(rng, 0, 65536, 50)
    return [x, y, *_out(50, np.uint32), 50]

import numpy as np

from . import blank, case, floats, ints


@case("reverse_dynamic", 2, 64, shared_mem=256)
def reverse_dynamic(rng):
    x = ints(rng, 0, 1000, 2, 64)
    return [x], {0: x[:, ::-1].copy()}


@case("two_dynamic_arrays", 1, 64, shared_mem=512)
def two_dynamic_arrays(rng):
    x, k = floats(rng, 64), ints(rng, 0, 64, 64)
    return [x, k, blank(64)], {2: x[k]}


@case("constant_table", 1, 64)
def constant_table(rng):
    x = ints(rng, 0, 100, 50)
    primes = np.array([2, 3, 5, 7, 11, 13, 17, 19], np.float32)
    return [x, blank(50), 50], {1: primes[x & 7] / 2}


@case("pointers_to_locals", 1, 32)
def pointers_to_locals(rng):
    x = floats(rng, 30, 9)
    return [x, blank(30), 9, 30], {1: x.max(1) - x.min(1)}


@case("local_histogram", 1, 32)
def local_histogram(rng):
    x = ints(rng, 0, 256, 20, 40, dtype=np.uint8)
    most = [np.bincount(row % 10, minlength=10).argmax() for row in x]
    return [x, blank(20, dtype=np.int32), 40, 20], {1: np.array(most, np.int32)}


@case("module_variable", 2, 32)
def module_variable(rng):
    return [blank(64, dtype=np.int32)], {0: 5 * np.arange(64, dtype=np.int32)}


@case("in_place_double_buffer", 1, 64)
def in_place_double_buffer(rng):
    a = ints(rng, 0, 256, 60).astype(np.float32)
    x, y = a, blank(60)
    for _ in range(3):
        x, y = np.float32(0.5) * (x + np.roll(x, -1)), x
    return [a, blank(60), 60, 3], {0: y, 1: x}

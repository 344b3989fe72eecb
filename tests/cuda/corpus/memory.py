import numpy as np

from . import blank, case, floats, ints


@case("reverse_dynamic", 2, 64, shared_mem=256)
def reverse_dynamic(rng):
    x = ints(rng, 0, 1000, 2, 64)
    return [x]


@case("two_dynamic_arrays", 1, 64, shared_mem=512)
def two_dynamic_arrays(rng):
    x, k = floats(rng, 64), ints(rng, 0, 64, 64)
    return [x, k, blank(64)]


@case("constant_table", 1, 64)
def constant_table(rng):
    x = ints(rng, 0, 100, 50)
    return [x, blank(50), 50]


@case("pointers_to_locals", 1, 32)
def pointers_to_locals(rng):
    x = floats(rng, 30, 9)
    return [x, blank(30), 9, 30]


@case("local_histogram", 1, 32)
def local_histogram(rng):
    x = ints(rng, 0, 256, 20, 40, dtype=np.uint8)
    return [x, blank(20, dtype=np.int32), 40, 20]


@case("module_variable", 2, 32)
def module_variable(rng):
    return [blank(64, dtype=np.int32)]


@case("in_place_double_buffer", 1, 64)
def in_place_double_buffer(rng):
    a = ints(rng, 0, 256, 60).astype(np.float32)
    return [a, blank(60), 60, 3]

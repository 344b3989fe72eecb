"""Launches of the kernels in structs.cu: case(kernel, grid, block, arguments), see the package."""

import numpy as np

from . import blank, case, floats, ints

F = np.float32
BODY = np.dtype(
    [("position", F, 3), ("mass", F), ("velocity", F, 3), ("kind", np.uint8)], align=True
)
RANGE = np.dtype([("low", F), ("high", F), ("count", np.int32)], align=True)
SETTINGS = np.dtype([("dt", F), ("limits", RANGE, 2), ("scale", np.float64)], align=True)
MATRIX = np.dtype([("rows", np.int32), ("columns", np.int32), ("values", F, 6)], align=True)


def _bodies(rng, n):
    bodies = np.zeros(n, BODY)
    bodies["position"], bodies["velocity"] = floats(rng, n, 3), floats(rng, n, 3)
    bodies["mass"], bodies["kind"] = rng.random(n).astype(F), 9
    return bodies


case(
    "advance",
    2,
    32,
    lambda rng: [
        _bodies(rng, 50),
        np.array((0.25, [(-0.5, 9, 2), (-9, 0.75, 3)], 1.5), SETTINGS),
        47,
    ],
)
case("heaviest", 1, 64, lambda rng: [_bodies(rng, 64), 64, np.zeros(1, BODY)])


def transposed(rng):
    x = np.zeros(5, MATRIX)
    x["rows"], x["columns"], x["values"] = 2, 3, floats(rng, 5, 6)
    return [x, np.zeros(5, MATRIX)]


case("transposed", 1, 5, transposed)
case("mandelbrot_class", (2, 12), 16, lambda rng: [blank(12, 24, dtype=np.int32), 24, 12, 30])
case("mapped_struct<float>", 1, 40, lambda rng: [floats(rng, 40), 4])
case("mapped_struct<int>", 1, 40, lambda rng: [ints(rng, -99, 100, 40), 0])
case(
    "unpacked",
    1,
    40,
    lambda rng: [
        floats(rng, 40, 4).view(np.uint8).reshape(-1),
        blank(40, dtype=np.uint32),
        blank(40),
        blank(7, dtype=np.uint64),
    ],
)


def list_sums(rng):
    value, after = (
        ints(rng, -99, 100, 20),
        np.array([k - 3 if k >= 3 else -1 for k in range(20)], np.int32),
    )
    nodes = np.stack([value, after], 1).view([("value", np.int32), ("next", np.int32)]).reshape(-1)
    return [nodes, blank(20, dtype=np.int32)]


case("list_sums", 1, 20, list_sums)
case("windows", 1, 40, lambda rng: [floats(rng, 40), blank(40), 40])
case(
    "moved",
    1,
    10,
    lambda rng: [
        np.array([1, -2, 0.5], F),
        floats(rng, 10, 3),
        np.array([3, 0, 0, 7], np.uint8),
        blank(10, 2, dtype=np.int32),
    ],
)

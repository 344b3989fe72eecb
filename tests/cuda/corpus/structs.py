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


@case("advance", 2, 32)
def advance(rng):
    bodies = _bodies(rng, 50)
    settings = np.array((0.25, [(-0.5, 9, 2), (-9, 0.75, 3)], 1.5), SETTINGS)
    wanted = bodies[:47].copy()
    start = wanted["position"] + F(0.25) * wanted["velocity"]
    wanted["position"] = start
    wanted["position"][:, 0] = np.clip(start[:, 0], F(-0.5), F(0.75))
    wanted["kind"] = np.where(wanted["position"][:, 0] < start[:, 0], 1, 2 + np.arange(47) % 2)
    wanted["mass"] = (wanted["mass"].astype(np.float64) * 1.5).astype(F)
    wanted = np.concatenate([wanted, bodies[47:]])
    return [bodies, settings, 47], {0: wanted}


@case("heaviest", 1, 64)
def heaviest(rng):
    bodies = _bodies(rng, 64)
    return [bodies, 64, np.zeros(1, BODY)], {2: bodies[[bodies["mass"].argmax()]]}


@case("transposed", 1, 5)
def transposed(rng):
    x = np.zeros(5, MATRIX)
    x["rows"], x["columns"], x["values"] = 2, 3, floats(rng, 5, 6)
    wanted = x.copy()
    wanted["rows"], wanted["columns"] = 3, 2
    wanted["values"] = x["values"].reshape(5, 2, 3).transpose(0, 2, 1).reshape(5, 6)
    return [x, np.zeros(5, MATRIX)], {1: wanted}


@case("mandelbrot_class", (2, 12), 16)
def mandelbrot_class(rng):
    py, px = np.indices((12, 24)).astype(F)
    cr, ci = F(-2) + F(3) * px / F(24), F(-1) + F(2) * py / F(12)
    zr, zi, count = np.zeros_like(cr), np.zeros_like(ci), np.zeros((12, 24), np.int32)
    for _ in range(30):
        inside = zr * zr + zi * zi <= 4
        count += inside
        zr, zi = (
            np.where(inside, zr * zr - zi * zi + cr, zr),
            np.where(inside, zr * zi + zi * zr + ci, zi),
        )
    return [blank(12, 24, dtype=np.int32), 24, 12, 30], {0: count}


@case("mapped_struct<float>", 1, 40)
def mapped_struct_float(rng):
    x = floats(rng, 40)
    y = F(2) * (x + (x + F(1)) + (x + F(2))) + F(3)
    return [x, 4], {0: y * y + F(1)}


@case("mapped_struct<int>", 1, 40)
def mapped_struct_int(rng):
    x = ints(rng, -99, 100, 40)
    y = 2 * (3 * x + 3) + 3
    return [x, 0], {0: y * y + 2}


@case("unpacked", 1, 40)
def unpacked(rng):
    x = floats(rng, 40, 4)
    words = np.ascontiguousarray(x[:, 0]).view(np.uint32)
    index = np.arange(40, dtype=np.int32).view(F)
    sizes = np.array([32, 40, 16, 32, 4, 28, 16], np.uint64)
    return (
        [
            x.view(np.uint8).reshape(-1),
            blank(40, dtype=np.uint32),
            blank(40),
            blank(7, dtype=np.uint64),
        ],
        {1: words ^ words >> 24, 2: x[:, 1] + x[:, 2] + index + x[:, 3], 3: sizes},
    )


@case("list_sums", 1, 20)
def list_sums(rng):
    value, after = (
        ints(rng, -99, 100, 20),
        np.array([k - 3 if k >= 3 else -1 for k in range(20)], np.int32),
    )
    nodes = np.stack([value, after], 1).view([("value", np.int32), ("next", np.int32)]).reshape(-1)
    wanted = np.array([value[k::-3].sum() + 10 for k in range(20)], np.int32)
    return [nodes, blank(20, dtype=np.int32)], {1: wanted}


@case("windows", 1, 40)
def windows(rng):
    x = floats(rng, 40)
    padded = np.concatenate([x, np.zeros(2, F)])
    return [x, blank(40), 40], {
        1: np.where(np.arange(40) % 2, x[0], F(0) + x + padded[1:41] + padded[2:])
    }


@case("moved", 1, 10)
def moved(rng):
    points, by = floats(rng, 10, 3), np.array([1, -2, 0.5], F)
    flags = np.zeros((10, 2), np.int32)
    flags[:, 0] = 3 + 7 * np.arange(10)
    return (
        [by, points, np.array([3, 0, 0, 7], np.uint8), blank(10, 2, dtype=np.int32)],
        {1: points + by, 3: flags},
    )

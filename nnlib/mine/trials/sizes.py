"""At which sizes the pieces are tried, scored, and their launch lines judged.

Each set is what a `Piece` takes: `sizes`, ugly ones; `ruler`, where counters are the score; `drawn`, which follow a
seed: a small one, and one with more results than the ruler; `large`, up to 60,000 images, for
the launch line alone; `far`, beyond every border of 8 to 24 bits, as native code.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from nnlib.mine.contract import Far, Large, Sizes

_FURTHER = 16  # float parameters that are drawn
_LONG = 5000  # more results than any block writes that does not walk along this size
_IMAGES = 60_000  # in MNIST
_PIXELS = _IMAGES * 28 * 28
_FEATURES = 70_000  # of a flattened image: more than a grid has along y and z
_CONVOLUTION = ("N", "C", "H", "W", "F", "K", "stride", "pad")
_PRODUCT = ("N", "inputs", "outputs")
_POOLING = ("planes", "H", "W", "size", "stride")


def _named(names: Sequence[str], *rows: tuple[int, ...]) -> list[Sizes]:
    return [dict(zip(names, row, strict=True)) for row in rows]


def _between(
    names: Sequence[str], *limits: Sequence[tuple[int, int]]
) -> Callable[[np.random.Generator], list[Sizes]]:
    """Return a function that draws sizes between these limits, both included."""

    def drawn(rng: np.random.Generator) -> list[Sizes]:
        return [
            {
                name: int(rng.integers(low, high + 1))
                for name, (low, high) in zip(names, one, strict=True)
            }
            for one in limits
        ]

    return drawn


def _far(
    names: Sequence[str],
    *rows: tuple[int, ...],
    along: Mapping[int, tuple[str, int]] | None = None,
) -> Callable[[np.random.Generator], list[Far]]:
    """Return a function that draws sizes a little beyond these, where they exceed 2^12.

    along: row -> the size along which its inputs repeat themselves, and their period.
    """

    def drawn(rng: np.random.Generator) -> list[Far]:
        more = int(rng.integers(1, 50))
        found = [
            Far(
                {name: value + more * (value > 4096) for name, value in one.items()},
                *(along or {}).get(k, ()),
            )
            for k, one in enumerate(_named(names, *rows))
        ]
        for far in found:
            if far.along:  # whole periods
                far.sizes[far.along] += -far.sizes[far.along] % far.period
        return found

    return drawn


def one_long(smallest: Sizes, *names: str, length: int = _IMAGES) -> list[Large]:
    """Return sizes of which each in turn has this length, while all others are as small as possible."""
    return [Large(smallest | {name: length}, {name: _LONG}, name) for name in names]


ELEMENTS: dict[str, Any] = {
    "sizes": [{"n": n} for n in (1000, 1, 31, 32, 33, 257, 4099)],
    "ruler": {"n": 8192},
    "drawn": _between(["n"], [(300, 4000)], [(70_000, 140_000)]),
    "far": _far(["n"], (2**24 + 4100,), along={0: ("n", 65_521)}),
    "large": [Large({"n": _PIXELS}, {"n": _LONG}, "n")],
}

PIXELS: dict[str, Any] = ELEMENTS | {"far": _far(["n"], (2**25 + 4100,), along={0: ("n", 65_521)})}

_MATRICES = _named(
    _PRODUCT,
    (5, 100, 7),
    (5, 7, 100),
    (100, 5, 7),
    (33, 17, 40),
    (1, 1, 1),
    (16, 32, 16),
    (1, 50, 33),
    (40, 1, 9),
)


def products(first: int, summed: str) -> Mapping[str, Any]:
    """Return the trials of a matrix product. first: the row of sizes to begin with. summed: the size that is summed over."""
    small, wide = (
        [(long if name == summed else other) for name in _PRODUCT]
        for long, other in (((101, 112), (2, 20)), ((2, 12), (101, 150)))
    )
    thin = [summed, *(name for name in _PRODUCT if name != summed)]
    repeated = ["outputs" if name == "N" else "N" for name in thin]
    matrices = [  # of which one has more than 2^24 elements
        tuple(1 if name == one else 4100 for name in _PRODUCT) for one in thin
    ]
    return {
        "sizes": _MATRICES[first:] + _MATRICES[:first],
        "ruler": {"N": 64, "inputs": 96, "outputs": 64},
        "drawn": _between(_PRODUCT, small, wide),
        "far": _far(
            _PRODUCT,
            (70_000, 2, 3),
            (2, 70_000, 3),
            (2, 3, 70_000),
            *matrices,
            along={3 + k: (name, 83) for k, name in enumerate(repeated)},
        ),
        "large": [
            *one_long(
                {"N": 1, "inputs": 1, "outputs": 1}, *(name for name in _PRODUCT if name != summed)
            ),
            Large({"N": _IMAGES, "inputs": 784, "outputs": 64}, {"N": 300, summed: 16}),
        ],
    }


COLUMNS: Mapping[str, Any] = {
    "sizes": _named(
        ("rows", "columns", "inner"),
        (300, 5, 3),
        (37, 10, 1),
        (300, 5, 1),
        (1, 1, 1),
        (64, 64, 1),
        (3, 70, 1),
        (5, 4, 49),
        (2, 3, 300),
        (1000, 1, 1),
    ),
    "ruler": {"rows": 256, "columns": 64, "inner": 1},
    "far": _far(
        ("rows", "columns", "inner"),
        (70_000, 2, 1),
        (2, 70_000, 1),
        (2, 3, 70_000),
        (16, 65_600, 16),
        (4200, 1, 4100),
        along={3: ("columns", 997), 4: ("rows", 83)},
    ),
    "drawn": _between(
        ("rows", "columns", "inner"),
        [(2, 40), (2, 40), (2, 20)],
        [(301, 400), (101, 140), (1, 2)],
    ),
    "large": [
        *one_long({"rows": 1, "columns": 1, "inner": 1}, "columns", length=_FEATURES),
        Large(
            {"rows": 64, "columns": 1024, "inner": 784}, {"rows": 2, "columns": _LONG, "inner": 2}
        ),
    ],
}

MATRIX_COLUMNS: Mapping[str, Any] = {
    "sizes": _named(
        ("rows", "columns"), (300, 5), (37, 10), (1, 1), (64, 64), (3, 70), (1000, 1), (257, 33)
    ),
    "ruler": {"rows": 256, "columns": 64},
    "far": _far(
        ("rows", "columns"), (70_000, 2), (2, 70_000), (256, 65_600), along={2: ("columns", 997)}
    ),
    "drawn": _between(("rows", "columns"), [(2, 40), (2, 40)], [(301, 400), (101, 140)]),
    "large": [
        *one_long({"rows": 1, "columns": 1}, "columns", length=_FEATURES),
        Large({"rows": 64, "columns": _IMAGES}, {"rows": 2, "columns": _LONG}),
    ],
}


def rows(length: str, most: int) -> Mapping[str, Any]:
    """Return the trials of a kernel of rows. length: what it is called; most: that of 60,000 rows."""
    names = ("rows", length)
    return {
        "sizes": _named(
            names, (7, 10), (1, 1), (33, 3), (5, 32), (4, 33), (6, 100), (70, 10), (9, 130)
        ),
        "ruler": {"rows": 64, length: 96},
        "far": _far(
            names,
            (70_000, 3),
            (3, 70_000),
            (70_000, 240),
            along={0: ("rows", 307), 2: ("rows", 307)},
        ),
        "drawn": _between(names, [(2, 40), (2, 100)], [(101, 160), (131, 160)]),
        "large": [
            *one_long({"rows": 1, length: 1}, "rows"),
            Large({"rows": 1, length: _IMAGES}, {length: 1100}, length),
            Large({"rows": _IMAGES, length: most}, {"rows": _LONG}),
        ],
    }


# From one plane, with more places than a warp has lanes, to all that a layer has, a step at a time.
STAGES = {
    "one plane": (1, 1, 9, 8, 1, 3, 1, 0),
    "stride and padding": (1, 1, 9, 7, 1, 3, 2, 1),
    "channels": (1, 2, 9, 7, 1, 3, 2, 1),
    "filters": (1, 2, 9, 7, 4, 3, 2, 1),
    "pictures": (3, 2, 9, 7, 4, 3, 2, 1),
}
# A window that lies wholly in the padding; several tiles of 16 x 16 outputs, more below each other than beside, and a
# stride; a large window.
_CONVOLUTIONS = _named(
    _CONVOLUTION,
    *STAGES.values(),
    (2, 3, 8, 8, 5, 3, 1, 1),
    (1, 1, 1, 1, 1, 1, 1, 0),
    (2, 1, 12, 10, 3, 5, 1, 2),
    (1, 4, 7, 9, 2, 2, 2, 0),
    (2, 2, 6, 11, 3, 1, 3, 1),
    (1, 20, 6, 6, 17, 3, 1, 1),
    (1, 1, 67, 38, 1, 4, 2, 1),
    (1, 1, 13, 12, 1, 11, 1, 5),
)
_WINDOW = [(1, 1), (1, 1), (14, 17), (14, 17), (1, 2), (12, 13), (4, 5), (6, 8)]
_SMALL = [(1, 3), (1, 3), (5, 12), (5, 12), (1, 5), (1, 3), (1, 2), (0, 1)]

_FAR_CONVOLUTIONS = (
    (70_000, 1, 3, 3, 1, 2, 1, 0),
    (1, 4100, 2, 2, 1, 1, 1, 0),
    (1, 1, 70_000, 3, 1, 2, 1, 1),
    (1, 1, 3, 70_000, 1, 2, 1, 1),
    (1, 1, 2, 2, 4100, 1, 1, 0),
    (1, 1, 3, 2, 1, 33, 1, 33),
    (2, 2, 71, 100, 2, 2, 33, 0),
    (1, 1900, 4, 4, 2, 3, 1, 0),
    (1, 2, 4, 3, 1900, 3, 1, 1),
    (1, 130, 3, 3, 512, 2, 1, 0),
)


def convolutions(results: str, smallest_image: int = 1) -> Mapping[str, Any]:
    """Return the trials of a convolution. results: the sizes of what is written, of "N", "C", "F", "H" and "W"."""
    one, images, ruler = _named(
        _CONVOLUTION,
        (1, 1, smallest_image, smallest_image, 1, 1, 1, 0),
        (_IMAGES, 1, 28, 28, 1, 3, 1, 1),
        (4, 8, 16, 16, 8, 3, 1, 1),
    )
    layer = images | {"N": 64, "C": 32, "F": 32}  # in a batch
    few, many = (1, 2), (9, 10)
    if "N" in results:
        stride = smallest_image  # of a pooled convolution 2: then its sums are exact, and so is what is largest
        wide = [
            (9, 10),
            many if "C" in results else few,
            (9 * stride, 10 * stride),
            (21 * stride, 24 * stride),
            many if "F" in results else few,
            (1, 2),
            (stride, stride),
            (0, 1),
        ]
        lean = {"N": 8} | {name: 1 for name in "CF" if name not in results}
    else:
        wide = [(1, 2), (18, 24), (5, 6), (5, 6), (18, 24), (3, 3), (1, 1), (0, 1)]
        layer |= {"C": 512, "F": 512}
        lean = {"N": 1, "C": 32, "H": 3, "W": 3, "F": 32}
    return {
        "sizes": [
            sizes for sizes in _CONVOLUTIONS if min(sizes["H"], sizes["W"]) >= smallest_image
        ],
        "ruler": ruler,
        "far": _far(
            _CONVOLUTION,
            *_FAR_CONVOLUTIONS,
            (1, 2100, smallest_image, smallest_image, 2100, 1, 1, 0),
            (35_000, 2, 16, 13 + 2 * smallest_image, 2 * smallest_image, 1, 1, 0),
            (1, 342, 4, 4, 342, 3, 1, 0),
            along={0: ("N", 641), 9: ("F", 64), 10: ("F", 83), 11: ("N", 641), 12: ("F", 57)},
        ),
        "drawn": _between(_CONVOLUTION, _SMALL, wide, _WINDOW),
        "large": [
            *one_long(one, *results),
            Large(layer, lean),
            *([Large(images, {"N": 16})] if "N" in results else []),
        ],
    }


def pools(largest: int) -> Mapping[str, Any]:
    """Return the trials of a pooling layer. largest: the side of the windows at the largest of the far sizes."""
    return {
        "sizes": _named(
            _POOLING,
            (6, 9, 7, 3, 2),
            (3, 8, 8, 2, 2),
            (1, 1, 1, 1, 1),
            (2, 7, 10, 3, 3),
            (5, 6, 5, 2, 1),
            (40, 5, 5, 3, 1),
            (4, 9, 8, 2, 3),
            (1, 21, 24, 5, 1),
        ),
        "ruler": {"planes": 16, "H": 24, "W": 24, "size": 2, "stride": 2},
        "far": _far(
            _POOLING,
            (70_000, 5, 4, 2, 2),
            (1, 70_000, 5, 3, 2),
            (1, 5, 70_000, 3, 2),
            (2, 131, 127, 65, 33),
            (70_000, 17, 16, largest, 1),
            # Pixels of one window that differ in bit 12, 13, 14, 15 or 16 alone
            (1, 21, 4096, 17, 2),
            along={0: ("planes", 641), 4: ("planes", 641)},
        ),
        "drawn": _between(
            _POOLING,
            [(1, 5), (5, 12), (5, 12), (1, 3), (1, 3)],
            [(101, 120), (9, 10), (9, 10), (2, 2), (1, 2)],
            [(1, 2), (15, 20), (15, 20), (6, 9), (4, 6)],
        ),
        "large": [
            *one_long(dict.fromkeys(_POOLING, 1), "planes", "H", "W"),
            Large({"planes": _IMAGES, "H": 28, "W": 28, "size": 2, "stride": 2}, {"planes": 64}),
        ],
    }


def chosen(
    names: str,
    tried: Sequence[tuple[int, ...]],
    drawn: Sequence[Sequence[tuple[int, int]]],
    far: Sequence[tuple[int, ...]] = (),
    along: Mapping[int, tuple[str, int]] | None = None,
    ruler: tuple[int, ...] | None = None,
) -> dict[str, Any]:
    """Return such a set for a kernel whose launch is given. ruler: the first size, unless it is another one."""
    sizes = names.split()
    return {
        "sizes": _named(sizes, *tried),
        "ruler": _named(sizes, ruler or tried[0])[0],
        "drawn": _between(sizes, *drawn),
        "far": _far(sizes, *far, along=along),
        "large": (),
    }


def given(
    *rows: tuple[float, ...], **limits: tuple[float, float]
) -> Callable[[np.random.Generator], list[dict[str, float]]]:
    """Return what draws float parameters: these rows, then some from their whole range.

    limits: the smallest and the largest size of each; below 0 the first is that of numbers of either sign, and 0 stands for
    fractions that have an exact complement to 1.
    """

    def number(rng: np.random.Generator, least: float, most: float) -> float:
        if not least:
            return float(rng.integers(0, 1024) / 1024)
        size = abs(least) * (most / abs(least)) ** rng.random()
        return float(size * (rng.choice([-1, 1]) if least < 0 else 1))

    def drawn(rng: np.random.Generator) -> list[dict[str, float]]:
        known = [dict(zip(limits, map(float, row), strict=True)) for row in rows]
        return known + [
            {name: number(rng, *each) for name, each in limits.items()} for _ in range(_FURTHER)
        ]

    return drawn


def gradients(rng: Any, shape: Any, sizes: Sizes, *_: Any) -> Any:
    """Draw gradients, of which every ninth is a million times as large, but not the first, which a report shows.

    Another ninth is 0, except in a long array, where the elements that a step has changed show how far a launch got.
    """
    g = rng.standard_normal(shape, np.float32)
    g[8::9] *= 1e6
    if sizes["longest"] < _LONG:
        g[5::9] = 0
    return g

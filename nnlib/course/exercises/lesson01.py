"""The exercises of lesson 01 besides its piece of the library, with the usual mistakes."""

from typing import Any

import numpy as np

from nnlib.course.exercises.kernels import ELEMENTS, THIN, KernelExercise, alone, tiles
from nnlib.cuda import OutOfBoundsError, RaceError
from nnlib.mine.contract import Piece
from nnlib.mine.trials.sizes import chosen
from nnlib.mine.trials.tasks import at_most

_IMAGES = chosen(
    "width height",
    [(20, 9), (9, 20), (1, 1), (8, 8), (28, 28), (33, 3), (5, 17), (260, 3), (3, 130)],
    [[(2, 60), (2, 60)], *THIN],
    far=[(70_000, 3), (3, 70_000), (4100, 4450)],
    along={2: ("height", 501)},
    ruler=(28, 28),
)


def _pixels(width: Any, height: Any) -> Any:
    """Return how many threads the launch has."""
    return 64 * -(-width // 8) * -(-height // 8)


KernelExercise(
    Piece(
        "rotate",
        "01",
        "const float* image, float* out, int width, int height",
        "out = image, a quarter turn to the right",
        "",
        {"image": "height width", "out": "width height"},
        lambda image, width, height: np.rot90(image, -1),
        **_IMAGES,
        task=alone(_pixels),
    ),
    tiles(8, "width", "height"),
    guard=("x < width && y < height",),
    hints={
        OutOfBoundsError: (
            "guard both: x < width and y < height",
            (
                "pixel (y, x) of the image lies at y * width + x. The result has width rows of height pixels each: its row "
                "r begins at r * height and ends at r * height + height - 1"
            ),
        ),
        RaceError: "two pixels go to the same element of the result, whose rows are height pixels long: row r begins "
        "at r * height. And x comes from .x, y from .y",
    },
)


def _greys(rng: Any, shape: Any, *_: Any) -> Any:
    return rng.choice(np.array([0, 0.25, 0.5, 0.51, 0.75, 1]), shape)


KernelExercise(
    Piece(
        "bright",
        "01",
        "const float* image, int* counts, int width, int height",
        "counts[y] = how many pixels of row y are above 0.5",
        "",
        {"image": "height width", "counts": "height"},
        lambda image, counts, width, height: (image > 0.5).sum(1),
        **_IMAGES,
        updates=("counts",),
        loop="width",
        make={"image": _greys, "counts": lambda rng, shape, *_: np.zeros(shape)},
        task=[
            at_most(
                "global_load.requests",
                lambda **sizes: _pixels(**sizes) // 2,
                "each pixel is the work of one thread, with no loop over all",
            )
        ],
    ),
    tiles(8, "width", "height"),
    guard=("x < width && y < height",),
    hints={
        OutOfBoundsError: (
            "guard both: x < width and y < height",
            "a row of the image has width pixels, and counts has one number for each row",
        ),
        RaceError: "the threads of a row add to one number, counts[y]: which operation reads, adds and "
        "writes it without another thread in between?",
    },
)


_EVEN_PERIOD = chosen("n", [(1,)], [], [(2**24 + 4100,)], {0: ("n", 65_522)})["far"]
KernelExercise(
    Piece(
        "together",
        "01",
        "const float* x, float* out, int n",
        "out[i] = 2 x[i] where i is even, x[i] + 1 where it is odd",
        "",
        {"x": "n", "out": "n"},
        lambda x, n: np.where(np.arange(len(x)) % 2 == 0, 2 * x, x + 1),
        **ELEMENTS | {"far": _EVEN_PERIOD},
        task=[
            at_most(
                "divergent_branches",
                0,
                "let warp 0 of the block take its even elements and warp 1 the odd ones",
            ),
            *alone(lambda n: n),
        ],
    ),
    lambda n: (-(-n // 64), 64),
    guard=("i < n",),
    hints={
        OutOfBoundsError: (
            "work out the element first, then guard it with if (i < n)",
            (
                "guard the element that you use: if it is x[j], the condition is j < n. A block of 64 threads has 64 "
                "elements, from 64 * blockIdx.x on"
            ),
        ),
        RaceError: "two threads take the same element: 64 threads share 64 elements, 32 even and 32 odd",
    },
)

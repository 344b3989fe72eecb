"""What lesson 01 asks for beside its piece of the library, and the usual mistakes."""

from typing import Any

import numpy as np

from nnlib.course.exercises.kernels import ELEMENTS, KernelExercise, alone, tiles
from nnlib.cuda import OutOfBoundsError, RaceError
from nnlib.mine.contract import Piece
from nnlib.mine.trials.sizes import chosen
from nnlib.mine.trials.tasks import at_most

_IMAGES = chosen(
    "width height",
    [(20, 9), (9, 20), (1, 1), (8, 8), (28, 28), (33, 3), (5, 17), (260, 3), (3, 130)],
    [[(2, 60), (2, 60)], [(2000, 2600), (1, 4)], [(1, 4), (2000, 2600)]],
    far=[(70_000, 3), (3, 70_000), (4100, 4450)],
    along={2: ("height", 501)},
    ruler=(28, 28),
)
_ROW = "x is the column, so pixel (y, x) lies at y * width + x, not at x * height + y"


def _pixels(width: Any, height: Any) -> Any:
    """Threads of the launch."""
    return 64 * -(-width // 8) * -(-height // 8)


def _rotate_mistakes(image: Any, width: Any, height: Any) -> Any:
    mistakes = {
        "that is a turn to the left: the top row of the image must become the last column": np.rot90(
            image
        ),
        "the rows have become columns, but in the wrong order: row 0 must become the last column": image.T,
        "the columns have become rows in the wrong order: column 0 must become row 0": image[
            ::-1, ::-1
        ].T,
        "this copies the image pixel by pixel: a row of it must become a column": image.reshape(
            width, height
        ),
        "the image is turned by half a circle: a quarter is asked for": image[::-1, ::-1].reshape(
            width, height
        ),
        _ROW: np.rot90(image.reshape(width, height).T, -1),
    }
    if width == height:
        mistakes["the image is mirrored: a row of it must become a column"] = image[:, ::-1]
    y, x = np.mgrid[:height, :width]
    if height < width:
        mistakes[
            "a row of the image has width pixels: pixel (y, x) lies at y * width + x, not at y * height + x"
        ] = np.rot90(image.ravel()[y * height + x], -1)
    reached = (x < -(-height // 8) * 8) & (y < -(-width // 8) * 8)
    if not reached.all():
        mistakes[
            "x and y are exchanged: the columns of the image come from .x, and its rows from .y"
        ] = np.rot90(np.where(reached, image, np.nan), -1)
    if height > width:  # rows of the result overlap or leave gaps
        at = x * width + height - 1 - y
        turned = np.full(image.size, np.nan, image.dtype)
        turned[at.ravel()] = image.ravel()
        mistakes["a row of the result has height pixels, so its row r begins at r * height"] = (
            turned.reshape(width, height)
        )
    return mistakes


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
    _rotate_mistakes,
    guard=("x < width && y < height",),
    hints={
        OutOfBoundsError: (
            "guard both: x < width and y < height",
            "pixel (y, x) of the image lies at y * width + x. The result has width rows of height pixels each: its row "
            "r begins at r * height and ends at r * height + height - 1",
        ),
        RaceError: "two pixels go to the same element of the result, whose rows are height pixels long: row r begins "
        "at r * height. And x comes from .x, y from .y",
    },
)


def _greys(rng: Any, shape: Any, *_: Any) -> Any:
    return rng.choice(np.array([0, 0.25, 0.5, 0.51, 0.75, 1]), shape)


def _bright_mistakes(image: Any, counts: Any, width: Any, height: Any) -> Any:
    bright = image > 0.5
    right, rows = bright.sum(1), np.arange(height)
    mistakes = {
        "these are the dark pixels: a pixel is bright above 0.5": width - right,
        "counts[y] = 1 forgets what was counted before: every bright pixel must add 1": right > 0,
        "the last column is not counted: which x does your guard let through?": bright[:, :-1].sum(
            1
        ),
        "the last row is not counted: which y does your guard let through?": np.append(
            right[:-1], 0
        ),
        "a pixel of exactly 0.5 is not bright: > and not >=": (image >= 0.5).sum(1),
        "only pixels of 1 are counted: an int drops what follows the decimal point. Compare the float, and add "
        "1 for each bright pixel": (image == 1).sum(1),
        "all rows are counted in counts[0], but row y belongs to counts[y]": right.sum()
        * (rows == 0),
        "counts[blockIdx.y] gets all rows of its blocks, but row y belongs to counts[y]": np.bincount(
            rows // 8, right, height
        ),
        _ROW: bright.reshape(width, height).sum(0),
        "this adds up how bright they are: every bright pixel counts 1": (
            image.astype(np.float32) * bright
        )
        .sum(1)
        .astype(int),
    }
    if height <= width:
        y, x = np.mgrid[:height, :width]
        shifted = bright.ravel()[y * height + x].sum(1)
        mistakes[
            "a row has width pixels, so pixel (y, x) lies at y * width + x, not at y * height + x"
        ] = shifted
        mistakes["counts[0] gets the pixels of every row, but row y belongs to counts[y]"] = (
            shifted.sum() * (rows == 0)
        )
    return mistakes


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
    _bright_mistakes,
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


def _together_mistakes(x: Any, n: Any) -> Any:
    i = np.arange(n)
    right = np.where(i % 2 == 0, 2 * x, x + 1)
    mistakes = {
        "even and odd are swapped": np.where(i % 2 == 0, x + 1, 2 * x),
        "this asks in which warp the element lies, but whether it is even still depends on i % 2": np.where(
            i // 32 % 2 == 0, 2 * x, x + 1
        ),
    }
    if n > 64:
        mistakes[
            "every second run of 64 elements is missing: block b has the 64 elements from 64 * b on. Double the lane "
            "alone, not the block's beginning"
        ] = np.where(i // 64 % 2 == 0, right, np.nan)
    return mistakes


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
    _together_mistakes,
    guard=("i < n",),
    hints={
        OutOfBoundsError: (
            "work out the element first, then guard it with if (i < n)",
            "guard the element that you use: if it is x[j], the condition is j < n. A block of 64 threads has 64 "
            "elements, from 64 * blockIdx.x on",
        ),
        RaceError: "two threads take the same element: 64 threads share 64 elements, 32 even and 32 odd",
    },
)

"""What lesson 01 asks for beside its piece of the library, and the usual mistakes."""

import numpy as np

from nnlib.course.exercises.checking import KernelExercise, Limit, Out, Sample, alone
from nnlib.cuda import OutOfBoundsError, RaceError


def _mirror(rng, rows, columns):
    image = rng.random((rows, columns), dtype=np.float32)
    first_row = np.full_like(image, np.nan)
    first_row[0] = image[0, ::-1]
    grid = -(-columns // 8), -(-rows // 8)
    return Sample(
        grid,
        block=(8, 8),
        args=(image, Out((rows, columns)), columns, rows),
        expect=image[:, ::-1],
        limits=[alone(64 * grid[0] * grid[1])],
        mistakes={
            "the image is upside down: mirror x and keep y": image[::-1],
            "the image is turned by half a circle: mirror x only": image[::-1, ::-1],
            "a row has width pixels: pixel (y, x) lies at y * width + x": image.reshape(
                columns, rows
            )[:, ::-1].reshape(rows, columns),
            "this copies the image without mirroring it": image,
            "y is missing from the index: pixel (y, x) lies at y * width + x": first_row,
            "x is the column, so pixel (y, x) lies at y * width + x, not at x * height + y": image.reshape(
                columns, rows
            )[::-1].reshape(rows, columns),
        },
    )


KernelExercise(
    "01.mirror",
    _mirror,
    sizes=[(9, 20), (1, 1), (8, 8), (28, 28), (3, 33), (17, 5), (5, 700), (300, 3)],
    guard=("x < width && y < height",),
    hints={
        OutOfBoundsError: (
            "guard both: x < width and y < height",
            "row y ends at y * width + width - 1",
        ),
        RaceError: "two threads write the same element: x comes from .x and y from .y, and a row has "
        "width elements",
    },
)


def _bright(rng, rows, columns):
    image = rng.choice(np.array([0, 0.25, 0.5, 0.51, 0.75, 1], np.float32), (rows, columns))
    bright = image > 0.5
    counts = bright.sum(1)
    of_blocks = np.bincount(np.arange(rows) // 8, counts, rows).astype(int)
    mistakes = {
        "these are the dark pixels: a pixel is bright above 0.5": rows * [columns] - counts,
        "counts[y] = 1 forgets what was counted before: every bright pixel must add 1": counts > 0,
        "the last column is not counted: which x does your guard let through?": bright[:, :-1].sum(
            1
        ),
        "the last row is not counted: which y does your guard let through?": np.append(
            counts[:-1], 0
        ),
        "a pixel of exactly 0.5 is not bright: > and not >=": (image >= 0.5).sum(1),
        "only pixels of 1 are counted: an int drops what follows the decimal point. Compare the float, and add "
        "1 for each bright pixel": (image == 1).sum(1),
        "all rows are counted in counts[0], but row y belongs to counts[y]": counts.sum()
        * (np.arange(rows) == 0),
        "counts[blockIdx.y] gets all rows of its blocks, but row y belongs to counts[y]": of_blocks,
        "x is the column, so pixel (y, x) lies at y * width + x, not at x * height + y": bright.reshape(
            columns, rows
        ).sum(0),
        "this adds up how bright they are: every bright pixel counts 1": (image * bright)
        .sum(1)
        .astype(int),
    }
    if rows <= columns:
        y, x = np.mgrid[:rows, :columns]
        shifted = bright.ravel()[y * rows + x].sum(1)
        mistakes[
            "a row has width pixels, so pixel (y, x) lies at y * width + x, not at y * height + x"
        ] = shifted
        mistakes["counts[0] gets the pixels of every row, but row y belongs to counts[y]"] = (
            shifted.sum() * (np.arange(rows) == 0)
        )
    grid = -(-columns // 8), -(-rows // 8)
    return Sample(
        grid,
        block=(8, 8),
        args=(image, Out(initial=np.zeros(rows, np.int32)), columns, rows),
        expect=counts,
        mistakes=mistakes,
        limits=[
            Limit(
                "global_load.requests",
                most=64 * grid[0] * grid[1],
                hint="each pixel is the work of one thread, with no loop over all",
            )
        ],
        atomics=True,
    )


KernelExercise(
    "01.bright",
    _bright,
    sizes=[(9, 20), (20, 9), (1, 1), (28, 28), (8, 8), (33, 3), (3, 700), (300, 5)],
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


def _together(rng, n):
    x = rng.standard_normal(n, dtype=np.float32)
    even = np.arange(n) % 2 == 0
    return Sample(
        grid=-(-n // 64),
        block=64,
        args=(x, Out(n), n),
        expect=np.where(even, 2 * x, x + 1),
        mistakes={
            "even and odd are swapped": np.where(even, x + 1, 2 * x),
            "this asks in which warp the element lies, but whether it is even still depends on i % 2": np.where(
                np.arange(n) // 32 % 2 == 0, 2 * x, x + 1
            ),
        },
        limits=[
            Limit(
                "divergent_branches",
                most=2 * (n % 64 > 0),
                hint="let warp 0 of the block take its even elements and warp 1 the odd ones",
            ),
            alone(n),
        ],
    )


KernelExercise(
    "01.together",
    _together,
    sizes=[128, 64, 1, 100, 33, 256, 2600],
    guard=("i < n",),
    hints={
        OutOfBoundsError: (
            "work out the element first, then guard it with if (i < n)",
            "a block of 64 threads has 64 elements, from 64 * blockIdx.x on",
        ),
        RaceError: "two threads take the same element: 64 threads share 64 elements, 32 even and 32 odd",
    },
)

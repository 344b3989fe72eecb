"""What lesson 01 asks for beside its piece of the library, and the usual mistakes."""

import numpy as np

from nnlib.course.exercises.checking import KernelExercise, Limit, Out, Sample, alone
from nnlib.cuda import OutOfBoundsError, RaceError


def _mirror(rng, rows, columns):
    image = rng.random((rows, columns), dtype=np.float32)
    grid = -(-columns // 8), -(-rows // 8)
    return Sample(grid, block=(8, 8), args=(image, Out((rows, columns)), columns, rows), expect=image[:, ::-1],
                  limits=[alone(64 * grid[0] * grid[1])],
                  mistakes={"upside down: mirror x, keep y": image[::-1],
                            "turned by half a circle: mirror x only": image[::-1, ::-1],
                            "a row has width pixels: pixel (y, x) lies at y * width + x":
                                image.reshape(columns, rows)[:, ::-1].reshape(rows, columns),
                            "this copies the image": image,
                            "x is the column, so pixel (y, x) lies at y * width + x, not at x * height + y":
                                image.reshape(columns, rows)[::-1].reshape(rows, columns)})


KernelExercise("01.mirror", _mirror, sizes=[(9, 20), (1, 1), (8, 8), (28, 28), (3, 33), (17, 5)],
               hints={OutOfBoundsError: ("guard both: x < width and y < height",
                                         "row y ends at y * width + width - 1"),
                      RaceError: "two threads have one element: x comes from .x, y from .y; a row has width elements"})


def _chessboard(rng, rows, columns, size):
    y, x = np.mgrid[:rows, :columns]
    board = (x // size + y // size) % 2
    grid = -(-columns // 8), -(-rows // 8)
    mistakes = {"white and black are exchanged: the square in the corner is 0": 1 - board,
                "these are stripes: a colour needs the column of squares and the row of squares": x // size % 2,
                "these are stripes: a colour needs the row of squares and the column of squares": y // size % 2,
                "these are slanted stripes: divide x and y by size first, then add": (x + y) // size % 2,
                "every pixel is a square here: divide x and y by size": (x + y) % 2,
                "this is 1 only where both numbers of squares are odd: add the two numbers, then ask":
                    (x // size) * (y // size) % 2,
                "where both numbers of squares are odd their sum is even: add the two numbers, then ask":
                    (x // size | y // size) % 2,
                "brackets: % binds like * and /, before +": x // size + y // size % 2,
                "add the two numbers of squares; * and / go from left to right": x // size * y // size % 2,
                "the squares have size pixels, whatever the blocks are: divide x and y by size": (x // 8 + y // 8) % 2,
                "white is 1 here, not 255": 255 * board,
                "in C the remainder of a negative number is negative: add, do not subtract":
                    np.fmod(x // size - y // size, 2),
                "the black squares must be written, too: nobody clears out before": np.where(board, 1, np.nan),
                "the white squares must be written, too": np.where(board, np.nan, 0),
                "this counts the squares; odd or even? % 2": x // size + y // size,
                "the squares have size pixels, so divide by size; the remainder says where in its square a pixel is":
                    (x % size + y % size) % 2}
    return Sample(grid, block=(8, 8), args=(Out((rows, columns)), columns, rows, size), expect=board.astype(np.float32),
                  limits=[alone(64 * grid[0] * grid[1])], mistakes=mistakes)


KernelExercise("01.chessboard", _chessboard, sizes=[(9, 20, 3), (1, 1, 1), (8, 8, 2), (24, 40, 4), (5, 33, 7)],
               hints={OutOfBoundsError: ("guard both: x < width and y < height",
                                         "pixel (y, x) lies at y * width + x"),
                      RaceError: "two threads have one pixel: x comes from .x, y from .y; a row has width pixels"})


def _together(rng, n):
    x = rng.standard_normal(n, dtype=np.float32)
    even = np.arange(n) % 2 == 0
    return Sample(grid=-(-n // 64), block=64, args=(x, Out(n), n), expect=np.where(even, 2 * x, x + 1),
                  mistakes={"even and odd are swapped": np.where(even, x + 1, 2 * x),
                            "this decides by warps of elements; element i is still judged by i % 2":
                                np.where(np.arange(n) // 32 % 2 == 0, 2 * x, x + 1)},
                  limits=[Limit("divergent_branches", most=2 * (n % 64 > 0),
                                hint="let warp 0 of the block take its even elements and warp 1 the odd ones"),
                          alone(n)])


KernelExercise("01.together", _together, sizes=[128, 64, 1, 100, 33, 256],
               hints={OutOfBoundsError: ("work out the element first, then guard it with if (i < n)",
                                         "a block of 64 threads has 64 elements, from 64 * blockIdx.x on"),
                      RaceError: "two threads take the same element: 64 threads share 64 elements, 32 even and 32 odd"})

"""What lesson 01 asks for, and the usual mistakes."""

import numpy as np

from nnlib.course.exercises.checking import FunctionExercise, KernelExercise, Launch, Limit, Out, alone
from nnlib.cuda import OutOfBoundsError, RaceError

FunctionExercise(
    "01.locate", whole=True, reference=lambda i, block: (i // block, i % block),
    inputs=[(100, 32), (0, 8), (7, 8), (8, 8), (1000, 96)],
    mistakes={"the order is block, thread": lambda i, block: (i % block, i // block),
              "both count from 0": lambda i, block: (i // block + 1, i % block + 1),
              "the first block is number 0": lambda i, block: (i // block + 1, i % block),
              "threadIdx.x starts again in every block": lambda i, block: (i // block, i),
              "an index is an integer: //, not /": lambda i, block: (i / block, i % block)})


def _square(rng, n, block):
    x = rng.standard_normal(n, dtype=np.float32)
    return Launch(grid=-(-n // block), block=block, args=(x, Out(n), n), expect=x * x, limits=[alone(n)],
                  mistakes={"this doubles; multiply x[i] by itself": x + x,
                            "this copies x": x,
                            "^ is exclusive or in C, not a power: write x[i] * x[i]": np.float32(np.int32(x) ^ 2)})


KernelExercise("01.square", _square, sizes=[(70, 32), (1, 32), (31, 64), (32, 32), (33, 128), (1000, 64)],
               hints={OutOfBoundsError: "guard with if (i < n), and read x[i] only: some threads are to spare",
                      RaceError: "every thread needs an element of its own: blockIdx.x * blockDim.x + threadIdx.x"})


def _mirror(rng, rows, columns):
    image = rng.random((rows, columns), dtype=np.float32)
    grid = -(-columns // 8), -(-rows // 8)
    return Launch(grid, block=(8, 8), args=(image, Out((rows, columns)), columns, rows), expect=image[:, ::-1],
                  limits=[alone(64 * grid[0] * grid[1])],
                  mistakes={"upside down: mirror x, keep y": image[::-1],
                            "turned by half a circle: mirror x only": image[::-1, ::-1],
                            "this copies the image": image})


KernelExercise("01.mirror", _mirror, sizes=[(9, 20), (1, 1), (8, 8), (28, 28), (3, 33), (17, 5)],
               hints={OutOfBoundsError: "guard both: x < width and y < height; row y ends at y * width + width - 1",
                      RaceError: "two threads have one element: x comes from .x, y from .y; a row has width elements"})


def _together(rng, n):
    x = rng.standard_normal(n, dtype=np.float32)
    even = np.arange(n) % 2 == 0
    return Launch(grid=-(-n // 64), block=64, args=(x, Out(n), n), expect=np.where(even, 2 * x, x + 1),
                  mistakes={"even and odd are swapped": np.where(even, x + 1, 2 * x),
                            "this decides by warps of elements; element i is still judged by i % 2":
                                np.where(np.arange(n) // 32 % 2 == 0, 2 * x, x + 1)},
                  limits=[Limit("divergent_branches", most=2 * (n % 64 > 0),
                                hint="let warp 0 of the block take its even elements and warp 1 the odd ones"),
                          alone(n)])


KernelExercise("01.together", _together, sizes=[128, 64, 1, 100, 33, 256],
               hints={OutOfBoundsError: "work out the element first, then guard it with if (i < n)",
                      RaceError: "two threads take the same element: 64 threads share 64 elements, 32 even and 32 odd"})

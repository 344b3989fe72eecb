"""What lesson 02 asks for, and the usual mistakes."""

import numpy as np

from nnlib.course.exercises.checking import AnswerExercise, FunctionExercise, KernelExercise, Launch, Limit, Out, alone
from nnlib.cuda import OutOfBoundsError, RaceError


def _axpy(rng, n, block):
    x, y = rng.standard_normal((2, n), dtype=np.float32)
    alpha = np.float32(rng.uniform(1.2, 1.8))
    return Launch(grid=-(-n // block), block=block, args=(alpha, x, Out(initial=y), n), expect=alpha * x + y,
                  mistakes={"y is added, not replaced: y[i] = alpha * x[i] + y[i]": alpha * x,
                            "alpha multiplies x, not y": x + alpha * y,
                            "alpha multiplies x only, not the sum": alpha * (x + y),
                            "nothing was written to y yet": y,
                            "alpha is missing": x + y,
                            "alpha is a factor": alpha + x + y,
                            "y counts once: = with + y[i] behind it, or += without": alpha * x + 2 * y},
                  limits=[Limit("global_load.sectors", most=4 * -(-n // 8),  # twice what is needed
                                hint="let neighbouring threads handle neighbouring elements")])


KernelExercise("02.axpy", _axpy, sizes=[(33, 64), (1, 64), (31, 32), (32, 64), (500, 128)],
               hints={OutOfBoundsError: "guard with if (i < n): the last block reaches past the end",
                      RaceError: "each thread handles one element: i = blockIdx.x * blockDim.x + threadIdx.x"})

FunctionExercise("02.blocks", whole=True, reference=lambda n, block: max(1, -(-n // block)),
                 inputs=[(33, 32), (32, 32), (1, 32), (1000, 256), (0, 128), (31, 32)],
                 mistakes={"a grid of 0 blocks is refused; use at least 1": lambda n, block: -(-n // block),
                           "this rounds down: the last elements get no thread": lambda n, block: n // block,
                           "there are no parts of blocks: round up, with //": lambda n, block: n / block,
                           "one block too many if block divides n: add block - 1 first":
                           lambda n, block: n // block + 1,
                           "at least 1 is max(1, …), not min": lambda n, block: min(1, -(-n // block)),
                           "the sum is right; divide with //": lambda n, block: (n + block - 1) / block,
                           "this counts threads, not blocks": lambda n, block: -(-n // block) * block})


def _reverse(rng, n, grid, block):
    x = rng.standard_normal(n, dtype=np.float32)
    once = x[::-1].copy()
    once[grid * block:] = np.nan
    return Launch(grid, block, args=(x, Out(n), n), expect=x[::-1].copy(),
                  mistakes={"you copy; the last element comes first: x[n - 1 - i]": x,
                            "each thread handles one element only: loop, and jump by the threads in the grid": once},
                  limits=[Limit("global_load.sectors", most=10 * grid * block // 32 * -(-n // (grid * block)),
                                hint="jump by the number of threads in the grid: neighbours stay neighbours")])


KernelExercise("02.reverse", _reverse, sizes=[(100, 1, 32), (100, 2, 32), (33, 1, 64), (1, 3, 32), (32, 1, 32),
                                              (700, 9, 32), (1500, 2, 128)],
               hints={OutOfBoundsError: "the first element of the result is x[n - 1], and the loop ends at i < n",
                      RaceError: "every thread starts at its own index, and the stride is gridDim.x * blockDim.x"})


def _grey(rng, n, block):
    pixels = rng.random(3 * n, dtype=np.float32)
    r, g, b = pixels.reshape(n, 3).T
    plane = pixels.reshape(3, n)
    return Launch(grid=-(-n // block), block=block, args=(pixels, Out(n), n), expect=(r + g + b) / 3,
                  limits=[alone(n, stores=6)],
                  mistakes={"this is the sum; divide by 3": r + g + b,
                            "brackets: divide the whole sum, not only blue": r + g + b / 3,
                            "these are the weights of the eye; the mean counts all three alike":
                                np.float32(0.299) * r + np.float32(0.587) * g + np.float32(0.114) * b,
                            "integer division: 1 / 3 is 0 in C, write 1.0f / 3.0f": np.zeros(n, np.float32),
                            "only red is read; a pixel has three floats": r,
                            "the colours of a pixel lie side by side: pixel i starts at 3 * i": plane.sum(0) / 3,
                            "pixel i starts at 3 * i, not at i": (pixels[:n] + pixels[1:n + 1] + pixels[2:n + 2]) / 3})


KernelExercise("02.grey", _grey, sizes=[(33, 64), (2, 64), (32, 64), (64, 32), (1500, 64)],
               hints={OutOfBoundsError: "there are n pixels and 3 * n floats: guard with if (i < n), and read from "
                                         "3 * i to 3 * i + 2",
                      RaceError: "pixel i belongs to thread i = blockIdx.x * blockDim.x + threadIdx.x, and to out[i]"})

AnswerExercise("02.sectors", answer=16,
               mistakes={1: "it is one request, but how many sectors does it take?", 4: "that is stride 1",
                         2: "that is how many lanes share a sector; there are 32 lanes",
                         128: "those are the bytes that are wanted; a sector holds 32",
                         8: "that is stride 2: 8 bytes apart, 4 lanes share a sector",
                         32: "not yet: at 16 bytes apart two lanes still share a sector",
                         64: "there are only 32 lanes, so never more than 32 sectors for 4-byte loads"})

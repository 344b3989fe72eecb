"""What lesson 04 asks for, and the usual mistakes."""

import numpy as np

from nnlib.course.exercises.checking import FunctionExercise, KernelExercise, Launch, Limit, Out, alone
from nnlib.cuda import BarrierError, OutOfBoundsError, RaceError

_GUARD = {OutOfBoundsError: "guard with if (i < n): the last block reaches past the end",
          RaceError: "each thread handles one element: i = blockIdx.x * blockDim.x + threadIdx.x"}


_SIZES = (33, 64), (1, 64), (31, 32), (32, 64), (900, 128)


def _leaky(rng, n, block):
    x = rng.standard_normal(n, dtype=np.float32)
    x[3::7] = 0
    slope = np.float32(rng.uniform(0.05, 0.2))
    return Launch(grid=-(-n // block), block=block, args=(x, Out(n), slope, n), expect=np.where(x > 0, x, slope * x),
                  mistakes={"this is plain ReLU; below zero the value is slope * x": np.maximum(x, 0),
                            "the cases are exchanged": np.where(x > 0, slope * x, x),
                            "a positive x stays as it is": slope * x,
                            "a positive x stays as it is; slope * x is only for the others":
                                np.maximum(x, 0) + slope * x,
                            "below zero the result is negative: slope * x, without a minus":
                                np.where(x > 0, x, -slope * x),
                            "where x is not positive write slope * x, too": np.where(x > 0, x, np.nan),
                            "slope is the value's factor, not the value itself": np.where(x > 0, x, slope),
                            "this is the slope of the function, not its value": np.where(x > 0, 1, slope)},
                  limits=[Limit("divergent_branches", most=3 * (n % 32 > 0),  # guards, in the last warp
                                hint="a warp runs both sides of a branch: one element per thread, its value chosen "
                                     "with a select, condition ? value : other"), alone(n)])


KernelExercise("04.leaky", _leaky, _SIZES, hints=_GUARD)


def _tanh_back(rng, n, block):
    dy = rng.standard_normal(n, dtype=np.float32)
    y = np.tanh(rng.standard_normal(n, dtype=np.float32))
    return Launch(grid=-(-n // block), block=block, args=(dy, y, Out(n), n), expect=dy * (1 - y * y),
                  mistakes={"y is already the output: do not apply tanh again": dy * (1 - np.tanh(y) ** 2),
                            "multiply by the incoming gradient dy": 1 - y * y,
                            "brackets: dy * (1 - y * y)": dy - y * y,
                            "that is the slope of sigmoid": dy * y * (1 - y),
                            "the slope is 1 - y * y, not 1 - y": dy * (1 - y),
                            "the slope is 1 - y * y, not y * y": dy * y * y},
                  limits=[alone(n)])


KernelExercise("04.tanh_back", _tanh_back, _SIZES, hints=_GUARD)


def _row_max(rng, N, K):
    x = rng.standard_normal((N, K), dtype=np.float32) - 5
    x[0, -1] = -1               # the largest stands at the very end
    x[-1] *= np.float32(1e35)   # lower than any number that one might start with, but the lowest
    row, largest = np.arange(N), x.max(1)
    lanes = np.array([x[:, lane::32].max(1, initial=-np.inf) for lane in range(32)])  # what each has seen
    mistakes = {"start with the lowest number, not with 0: all may be negative": np.zeros(N, np.float32),
                "this is the smallest": x.min(1), "this is the sum": x.sum(1),
                "lane is threadIdx.x % 32: a block has four warps": np.where(row % 4, np.nan, largest),
                "a block has four warps, with a row each": np.where(row < -(-N // 4), largest, np.nan)}
    if K > 32:
        mistakes["only the first 32 numbers of the row are looked at: loop k += 32"] = x[:, :32].max(1)
        mistakes["the lanes keep the larger number, with fmaxf: += adds"] = lanes.sum(0)
    if K > 16:
        mistakes["half of the lanes are missing: the first shuffle has distance 16"] = lanes[:16].max(0)
        mistakes["one shuffle is not enough: distances 16, 8, 4, 2 and 1"] = lanes[::16].max(0)
    if K > 1:
        mistakes["lane 0 has not heard of the others: reduce with shuffles before it writes"] = lanes[0]
    if K > N:
        mistakes["a row has K numbers: x[row * K + k]"] = np.array([x.ravel()[r * N:r * N + K].max() for r in row])
    return Launch(grid=-(-N // 4), block=128, args=(x, Out(N), N, K), expect=largest, mistakes=mistakes,
                  limits=[Limit("global_load.sectors", most=2 * N * (-(-K // 8) + -(-K // 32)),  # twice what is needed
                                hint="the lanes of a warp should read neighbouring numbers of one row")])


KernelExercise("04.row_max", _row_max, sizes=[(9, 70), (5, 10), (1, 1), (4, 32), (7, 33), (3, 300)], hints={
    BarrierError: "all 32 lanes of a warp have one row, must reach the shuffle (none may return or skip it, also for "
                  "K = 10), and stand in its mask 0xffffffff",
    OutOfBoundsError: "guard the row with row < N, and the number with k < K; out has one place per row",
    RaceError: "one place per row, out[row], and one thread that writes it: only lane 0 of its warp"})

FunctionExercise("04.log_sum_exp", reference=lambda z: z.max() + np.log(np.exp(z - z.max()).sum()),
                 inputs=[(np.array([1.0, 2.0, 3.0]),), (np.array([1000.0, 1001.0]),), (np.array([-1000.0, -1001.0]),),
                         (np.array([0.0]),), (np.array([-5.0, 2000.0, 20.0]),)],
                 mistakes={"give back what you subtracted: add the largest after the logarithm":
                           lambda z: np.log(np.exp(z - z.max()).sum()),
                           "the largest is added once, not for every number":
                           lambda z: len(z) * z.max() + np.log(np.exp(z - z.max()).sum()),
                           "subtract the largest inside, then add it":
                           lambda z: np.log(np.exp(z - z.max()).sum()) - z.max(),
                           "subtract the largest, not the mean: others can still overflow":
                           lambda z: _unsafe(z - z.mean()) + z.mean(),
                           "the largest number, not the largest size: z.max() without abs":
                           lambda z: _unsafe(z - abs(z).max()) + abs(z).max(),
                           "that is only the largest": lambda z: z.max(),
                           "exp overflows: subtract the largest number first": lambda z: _unsafe(z),
                           "logarithm of the sum, not sum of the logarithms": lambda z: z.sum()})


def _unsafe(z):
    with np.errstate(over="ignore", divide="ignore"):
        return np.log(np.exp(z).sum())


def _mask_scale(rng, n, block):
    x = rng.standard_normal(n, dtype=np.float32)
    mask = (rng.random(n) < 0.7).astype(np.uint8)
    mask[:2] = [1, 0][:min(n, 2)]
    scale = np.float32(rng.uniform(1.2, 1.8))
    return Launch(grid=-(-n // block), block=block, args=(x, mask, Out(n), scale, n), expect=x * mask * scale,
                  mistakes={"multiply what is kept by scale": x * mask, "the mask is not used": x * scale,
                            "the mask is the wrong way round: 1 keeps": x * (1 - mask) * scale,
                            "where the mask is 0 write 0, too": np.where(mask, x * scale, np.nan),
                            "where the mask is 0 the result is 0, not x": np.where(mask, x * scale, x),
                            "x is missing": mask * scale,
                            "divide by nothing: scale is a factor": x * mask / scale},
                  limits=[alone(n),
                          Limit("global_load.sectors", most=-(-n // 8) + -(-n // 32),
                                hint="load x and the mask once each, neighbours by neighbours, and nothing else: what "
                                     "is between belongs into a variable")])


KernelExercise("04.mask_scale", _mask_scale, sizes=[(33, 64), (2, 64), (31, 32), (32, 64), (900, 128)], hints=_GUARD)

"""What lesson 05 asks for, and the usual mistakes."""

import numpy as np

from ..cuda import OutOfBoundsError, RaceError, UninitializedReadError
from .checking import FunctionExercise, KernelExercise, Launch, Limit, Out

FunctionExercise("05.size", whole=True, reference=lambda n, k, s, p: (n + 2 * p - k) // s + 1,
                 inputs=[(28, 3, 2, 1), (28, 3, 1, 0), (7, 3, 2, 0), (5, 5, 1, 2), (9, 2, 3, 0), (3, 3, 2, 0)],
                 mistakes={"the + 1 is missing: the first place needs no jump": lambda n, k, s, p: (n + 2 * p - k) // s,
                           "the padding counts on both sides": lambda n, k, s, p: (n + p - k) // s + 1,
                           "the padding is forgotten": lambda n, k, s, p: (n - k) // s + 1,
                           "the stride divides the jumps: (…) // stride": lambda n, k, s, p: n + 2 * p - k + 1,
                           "round down: half a jump leads nowhere": lambda n, k, s, p: -(-(n + 2 * p - k) // s) + 1,
                           "this is for stride 1 without padding, and the + 1 is missing": lambda n, k, s, p: n - k})


def _alone(n, block=32):
    """Each warp writes its pixels at most once per side of a branch; n pixels in blocks that may stick out."""
    return Limit("global_store.requests", most=2 * (block // 32) * -(-n // block),
                 hint="one pixel per thread, and no loop over all")


def _blur(rng, H, W):
    x = rng.standard_normal((H, W), dtype=np.float32)
    around = np.pad(x, 1)
    windows = np.lib.stride_tricks.sliding_window_view(around, (3, 3))
    inside = np.lib.stride_tricks.sliding_window_view(np.pad(np.ones_like(x), 1), (3, 3)).sum((2, 3))
    total = windows.sum((2, 3))
    plus = around[:-2, 1:-1] + around[1:-1, :-2] + around[1:-1, 2:] + around[2:, 1:-1] + x
    return Launch(grid=(-(-W // 16), -(-H // 16)), block=(16, 16), args=(x, Out((H, W)), H, W), expect=total / 9,
                  mistakes={"always divide by 9, also at the edge": total / inside,
                            "this is the sum; divide by 9": total,
                            "the window starts one pixel before: from -1 to 1": _corner(x),
                            "the pixel itself belongs to the window": (total - x) / 9,
                            "all nine pixels count, the four in the corners too": plus / 9},
                  limits=[_alone(-(-W // 16) * -(-H // 16) * 256, 256)])


def _corner(x):
    return np.lib.stride_tricks.sliding_window_view(np.pad(x, ((0, 2), (0, 2))), (3, 3)).sum((2, 3)) / 9


KernelExercise("05.blur", _blur, sizes=[(20, 33), (5, 4), (1, 1), (16, 16), (17, 1)], rtol=1e-4, atol=1e-5, hints={
    OutOfBoundsError: "test the neighbour's row and column before you read it, and guard threads outside",
    RaceError: "each pixel needs a thread of its own: row from y, column from x, both with blockIdx"})


def _fold(rng, n, K):
    P = n - K + 1
    columns = rng.standard_normal((K, P), dtype=np.float32)
    x, first, behind = np.zeros(n, np.float32), np.zeros(n, np.float32), np.zeros(n, np.float32)
    for k in range(K):
        x[k:k + P] += columns[k]
        behind[:max(0, P - k)] += columns[k, k:]
    first[:P] = columns[0]
    overwritten, above = np.zeros(n, np.float32), x.copy()
    for k in range(K):
        overwritten[k:k + P] = columns[k]
        above[:k] += columns.ravel()[k * P - k:k * P]
    return Launch(grid=-(-n // 32), block=32, args=(columns, Out(n), n, K), expect=x,
                  mistakes={"tap k of pixel i comes from place i - k, not i + k": behind,
                            "only tap 0 is counted": first,
                            "a negative place lands in the row above: test p >= 0, too": above,
                            "add the taps up; the last one overwrites the others": overwritten},
                  limits=[_alone(n)])


KernelExercise("05.fold", _fold, sizes=[(40, 3), (33, 5), (3, 3), (7, 1), (64, 2)], rtol=1e-4, atol=1e-5, hints={
    OutOfBoundsError: "place p = i - k must lie between 0 and n - K; guard the thread with i < n",
    RaceError: "threads meet in one pixel: let the thread own a pixel, and gather",
    UninitializedReadError: "start the sum at 0"})


def _avg_back(rng, H, W):
    h, w = H // 2, W // 2
    dy = rng.standard_normal((h, w), dtype=np.float32)
    dx, corner = np.zeros((H, W), np.float32), np.zeros((H, W), np.float32)
    dx[:2 * h, :2 * w] = dy.repeat(2, 0).repeat(2, 1) / 4
    corner[:2 * h:2, :2 * w:2] = dy
    return Launch(grid=(-(-W // 16), -(-H // 16)), block=(16, 16), args=(dy, Out((H, W)), H, W), expect=dx,
                  mistakes={"each pixel gets a quarter": 4 * dx,
                            "a quarter each, not a half": 2 * dx,
                            "all four pixels of the window share the gradient": corner,
                            "a quarter of dy, and all four pixels get it": corner / 4},
                  limits=[_alone(-(-W // 16) * -(-H // 16) * 256, 256)])


KernelExercise("05.avg_back", _avg_back, sizes=[(6, 8), (20, 34), (5, 7), (2, 2), (3, 18)], hints={
    OutOfBoundsError: "the last row or column of an odd picture has no window: give it 0, and guard threads outside",
    RaceError: "one thread per pixel of dx: row from y, column from x, both with blockIdx"})

FunctionExercise("05.bytes", reference=lambda N, C, H, W, k: 4 * N * C * k * k * (H - k + 1) * (W - k + 1),
                 inputs=[(64, 16, 26, 26, 3), (32, 1, 28, 28, 3), (1, 1, 5, 7, 5), (2, 3, 4, 9, 1)],
                 mistakes={"those are numbers; a float32 has 4 bytes":
                           lambda N, C, H, W, k: N * C * k * k * (H - k + 1) * (W - k + 1),
                           "the window has fewer places than there are pixels: H - k + 1":
                           lambda N, C, H, W, k: 4 * N * C * k * k * H * W,
                           "each place has k * k numbers, not k": lambda N, C, H, W, k:
                           4 * N * C * k * (H - k + 1) * (W - k + 1),
                           "the channels are forgotten": lambda N, C, H, W, k:
                           4 * N * k * k * (H - k + 1) * (W - k + 1),
                           "that is the picture, not its columns": lambda N, C, H, W, k: 4 * N * C * H * W})

"""What lesson 05 asks for, and the usual mistakes."""

import numpy as np

from nnlib.course.exercises.checking import FunctionExercise, KernelExercise, Launch, Limit, Out, alone
from nnlib.cuda import OutOfBoundsError, RaceError, UninitializedReadError

FunctionExercise("05.size", whole=True, reference=lambda n, k, s, p: (n + 2 * p - k) // s + 1,
                 inputs=[(28, 3, 2, 1), (28, 3, 1, 0), (7, 3, 2, 0), (5, 5, 1, 2), (50, 5, 3, 2), (3, 3, 2, 0)],
                 mistakes={"the + 1 is missing: the first place needs no jump": lambda n, k, s, p: (n + 2 * p - k) // s,
                           "divide the jumps first, then + 1": lambda n, k, s, p: (n + 2 * p - k + 1) // s,
                           "the padding counts on both sides": lambda n, k, s, p: (n + p - k) // s + 1,
                           "the padding is forgotten": lambda n, k, s, p: (n - k) // s + 1,
                           "round down with //: half a jump leads nowhere": lambda n, k, s, p: (n + 2 * p - k) / s + 1,
                           "the stride divides the jumps: (…) // stride": lambda n, k, s, p: n + 2 * p - k + 1,
                           "round down: half a jump leads nowhere": lambda n, k, s, p: -(-(n + 2 * p - k) // s) + 1,
                           "this is for stride 1 without padding, and the + 1 is missing": lambda n, k, s, p: n - k})


def _sums(around, k=3):
    """The sum of every k x k window."""
    return np.lib.stride_tricks.sliding_window_view(around, (k, k)).sum((2, 3))


def _blur(rng, H, W):
    x = rng.standard_normal((H, W), dtype=np.float32)
    around = np.pad(x, 1)
    total, inside = _sums(around), _sums(np.pad(np.ones_like(x), 1))
    plus = around[:-2, 1:-1] + around[1:-1, :-2] + around[1:-1, 2:] + around[2:, 1:-1] + x
    inner = np.where(inside == 9, total / 9, np.nan)
    # Three in a row from each of three rows of memory, whatever column they lie in.
    threes = np.convolve(np.pad(x.ravel(), W + 1), np.ones(3), "valid")
    wrapped = threes[:H * W] + threes[W:-W] + threes[2 * W:]
    grid = -(-W // 16), -(-H // 16)
    return Launch(grid, block=(16, 16), args=(x, Out((H, W)), H, W), expect=total / 9,
                  mistakes={"always divide by 9, also at the edge": total / inside,
                            "this is the sum; divide by 9": total,
                            "all zero: 1 / 9 divides two integers; divide the float by 9": 0 * total,
                            "the window starts one pixel before: from -1 to 1": _sums(np.pad(x, ((0, 2), (0, 2)))) / 9,
                            "the loops end too early: up to 1, with <=": _sums(np.pad(x, ((1, 0), (1, 0))), 2) / 9,
                            "row 0 and column 0 are in the picture: >= 0":
                                _sums(np.pad(x[1:, 1:], ((2, 1), (2, 1)))) / 9,
                            "left of column 0 lies no pixel of the row above: test row and column, not the index":
                                wrapped.reshape(H, W) / 9,
                            "pixels at the edge have a result, too: leave out only the neighbours that are missing":
                                inner,
                            "pixels at the edge are no zeros: only their neighbours outside count 0":
                                np.nan_to_num(inner),
                            "the pixel itself belongs to the window": (total - x) / 9,
                            "all nine pixels count, the four in the corners too": plus / 9},
                  limits=[alone(256 * grid[0] * grid[1], stores=11)])


KernelExercise("05.blur", _blur, sizes=[(20, 33), (5, 4), (1, 1), (16, 16), (17, 1)], rtol=1e-4, atol=1e-5, hints={
    OutOfBoundsError: "test the neighbour's row and column before you read x[r * W + c], and guard threads outside",
    RaceError: "each pixel needs a thread of its own: row from y, column from x, both with blockIdx; "
               "a row has W pixels"})


def _fold(rng, n, K, block):
    P = n - K + 1
    columns = rng.standard_normal((K, P), dtype=np.float32)
    x, first, behind, overwritten = np.zeros((4, n), np.float32)
    for k in range(K):
        x[k:k + P] += columns[k]
        behind[:max(0, P - k)] += columns[k, k:]
        overwritten[k:k + P] = columns[k]
    first[:P] = columns[0]

    def gathered(least, most, place=lambda k, p: k * P + p):
        """Every pixel from the places between least and most."""
        return np.array([sum(columns.flat[place(k, i - k)] for k in range(K) if least <= i - k <= most)
                         for i in range(n)])

    return Launch(grid=-(-n // block), block=block, args=(columns, Out(n), n, K), expect=x,
                  mistakes={"tap k of pixel i comes from place i - k, not i + k": behind,
                            "only tap 0 is counted": first,
                            "a negative place lands in the row above: test p >= 0, too": gathered(-n, n - K),
                            "a place beyond n - K lands in the row below: test p <= n - K, too": gathered(0, n),
                            "p may lie outside of its row: it must be from 0 to n - K": gathered(-n, n),
                            "place 0 counts, too: p >= 0": gathered(1, n - K),
                            "place n - K counts, too: p <= n - K": gathered(0, n - K - 1),
                            "row k begins at k * (n - K + 1)": gathered(0, n - K, lambda k, p: p * K + k),
                            "add the taps up; the last one overwrites the others": overwritten},
                  limits=[Limit("atomics", most=0, hint="a thread that owns its pixel needs no atomics"),
                          alone(n, stores=K + 2)])


KernelExercise("05.fold", _fold, sizes=[(40, 3, 32), (33, 5, 32), (3, 3, 32), (7, 1, 32), (1000, 2, 64)],
               rtol=1e-4, atol=1e-5, hints={
    OutOfBoundsError: "place p = i - k must lie between 0 and n - K, row k begins at k * (n - K + 1); "
                      "guard the thread with i < n",
    RaceError: "threads meet in one pixel: let the thread own a pixel, and gather",
    UninitializedReadError: "start the sum at 0"})


def _avg_back(rng, H, W):
    h, w = H // 2, W // 2
    dy = rng.standard_normal((h, w), dtype=np.float32)
    dx, corner = np.zeros((H, W), np.float32), np.zeros((H, W), np.float32)
    dx[:2 * h, :2 * w] = dy.repeat(2, 0).repeat(2, 1) / 4
    corner[:2 * h:2, :2 * w:2] = dy
    windows = (np.arange(H)[:, None] < 2 * h) & (np.arange(W) < 2 * w)
    grid = -(-W // 16), -(-H // 16)
    return Launch(grid, block=(16, 16), args=(dy, Out((H, W)), H, W), expect=dx,
                  mistakes={"each pixel gets a quarter": 4 * dx,
                            "a quarter each, not a half": 2 * dx,
                            "all zero: 1 / 4 divides two integers; divide the float by 4": 0 * dx,
                            "all four pixels of the window share the gradient": corner,
                            "a quarter of dy, and all four pixels get it": corner / 4,
                            "a pixel without a window gets 0: write it": np.where(windows, dx, np.nan)},
                  limits=[alone(256 * grid[0] * grid[1])])


KernelExercise("05.avg_back", _avg_back, sizes=[(6, 8), (20, 34), (9, 7), (2, 2), (3, 18)], hints={
    OutOfBoundsError: "dy has H / 2 rows of W / 2 (mind the brackets: row / 2 * (W / 2)): guard threads outside, and "
                      "give 0 to pixels without a window",
    RaceError: "one thread per pixel of dx: row from y, column from x, both with blockIdx; a row has W pixels"})

FunctionExercise("05.bytes", reference=lambda N, C, H, W, k: 4 * N * C * k * k * (H - k + 1) * (W - k + 1),
                 inputs=[(64, 16, 26, 26, 3), (32, 1, 28, 28, 3), (1, 1, 5, 7, 5), (2, 3, 4, 9, 1)],
                 mistakes={"those are numbers; a float32 has 4 bytes":
                           lambda N, C, H, W, k: N * C * k * k * (H - k + 1) * (W - k + 1),
                           "the window has fewer places than there are pixels: H - k + 1":
                           lambda N, C, H, W, k: 4 * N * C * k * k * H * W,
                           "each place has k * k numbers, not k": lambda N, C, H, W, k:
                           4 * N * C * k * (H - k + 1) * (W - k + 1),
                           "a float32 has 4 bytes, not 8": lambda N, C, H, W, k:
                           8 * N * C * k * k * (H - k + 1) * (W - k + 1),
                           "the + 1 is missing: H - k + 1 places": lambda N, C, H, W, k:
                           4 * N * C * k * k * (H - k) * (W - k),
                           "the channels are forgotten": lambda N, C, H, W, k:
                           4 * N * k * k * (H - k + 1) * (W - k + 1),
                           "that is the picture, not its columns": lambda N, C, H, W, k: 4 * N * C * H * W})

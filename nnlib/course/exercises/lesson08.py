"""What lesson 08 asks for, and the usual mistakes."""

import numpy as np

from nnlib.course.exercises.checking import FunctionExercise, KernelExercise, Launch, Limit, Out
from nnlib.cuda import BarrierError, OutOfBoundsError, RaceError


def _speedup(times, which, factor):
    return sum(times) / (sum(times) - times[which] + times[which] / factor)


FunctionExercise("08.speedup", reference=_speedup,
                 inputs=[((2.0, 6.0, 2.0), 1, 3.0), ((1.0, 1.0), 0, 2.0), ((5.0,), 0, 4.0), ((9.0, 1.0), 1, 100.0)],
                 mistakes={"only that part becomes factor times faster, the others keep their time":
                           lambda times, which, factor: factor,
                           "this is the new time; divide the old time by it":
                           lambda times, which, factor: sum(times) / _speedup(times, which, factor),
                           "this is the new time of that part; divide the old time of all by the new time of all":
                           lambda times, which, factor: times[which] / factor,
                           "this is the time saved; divide the old time of all by the new time of all":
                           lambda times, which, factor: times[which] - times[which] / factor,
                           "this is new divided by old; times faster is old divided by new":
                           lambda times, which, factor: 1 / _speedup(times, which, factor),
                           "the part becomes faster, but it does not vanish: add times[which] / factor":
                           lambda times, which, factor: sum(times) / ((sum(times) - times[which]) or 1),
                           "the new time is without the part's old time, and with its new one":
                           lambda times, which, factor: sum(times) / (sum(times) - times[which] / factor),
                           "the share in Amdahl's law is times[which] / sum(times)":
                           lambda times, which, factor: 1 / (1 - times[which] + times[which] / factor),
                           "multiply by factor makes it slower: divide": lambda times, which, factor: sum(times) / (
                               sum(times) - times[which] + times[which] * factor)})


def _block_sums(rng, n, grid):
    block = 128
    x = (rng.standard_normal(n) + 1).astype(np.float32)
    padded = np.zeros(-(-n // (grid * block)) * grid * block)
    padded[:n] = x
    shares = padded.reshape(-1, grid, 4, 32).sum(0)  # block, warp, lane
    mistakes = {"each block must add up all four of its warps, through shared memory": shares[:, 0].sum(-1),
                "lane 0 has only its own sum: reduce the warp with shuffles first": shares[:, :, 0].sum(1),
                "thread 0 wrote only its own sum: the block must add up its 128 threads": shares[:, 0, 0],
                "five shuffles add 32 lanes: offsets 16, 8, 4, 2 and 1": shares[:, :, ::2].sum((1, 2)),
                "half of the lanes are missing: the first offset is 16": shares[:, :, :16].sum((1, 2)),
                "partials[blockIdx.x] holds the sum of this block only, not of all": np.full(grid, x.sum()),
                "blocks overlap: the next number is gridDim.x * blockDim.x away, not blockDim.x":
                np.array([padded[first * block:].sum() for first in range(grid)])}
    if n > grid * block:
        mistakes["each thread takes more than one number: loop i += gridDim.x * blockDim.x"] = \
            padded.reshape(-1, grid, block)[0].sum(-1)
        mistakes["a thread's numbers are not neighbours: x[i], then x[i + threads]; lanes are neighbours"] = \
            padded.reshape(grid, -1).sum(1)
    return Launch(grid=grid, block=block, args=(x, Out(grid), n), expect=shares.sum((1, 2)), mistakes=mistakes,
                  limits=[Limit("atomics", most=0, hint="do without atomics: their order changes from run to run"),
                          Limit("global_load.sectors", most=-(-n // 8) + 12,
                                hint="neighbouring threads should read neighbouring numbers")])


KernelExercise("08.block_sums", _block_sums, sizes=[(1000, 3), (384, 3), (1, 3), (33, 2), (2000, 1)],
               rtol=1e-4, atol=1e-4, hints={
    RaceError: "the warps' sums in shared memory need a __syncthreads() before thread 0 reads them; one thread writes "
               "each place, and partials has one place per block",
    OutOfBoundsError: "the loop runs while i < n; blocks of 128 threads have 4 warps",
    BarrierError: "all threads of the block must reach the barrier; all lanes of a warp must reach the shuffle, and "
                  "stand in its mask 0xffffffff"})


def _overlapping(x, b):
    """Windows that begin at row y, column x."""
    rows, columns = x.shape[2] // 2, x.shape[3] // 2
    corners = [x[:, :, k // 2:k // 2 + rows, k % 2:k % 2 + columns] for k in range(4)]
    return np.maximum(np.max(corners, axis=0) + b[:, None, None], 0)


def _from_corner(x, b, steps, outputs):
    """The largest of the elements `steps` after the corner; a plane is taken to have so many outputs."""
    (C, H, W), i = x.shape[1:], np.arange(x.size // 4)
    plane = i // outputs
    corner = (plane * H + i // (W // 2) % (H // 2) * 2) * W + i % (W // 2) * 2
    largest = x.ravel()[corner[:, None] + np.array(steps)].max(1)
    return np.maximum(largest + b[plane % C], 0).reshape(x.shape[:2] + (H // 2, W // 2))


def _fused(rng, N, C, H, W, block):
    x = rng.standard_normal((N, C, H, W), dtype=np.float32) - 2  # whole windows below zero, and a bias above
    b = rng.standard_normal(C, dtype=np.float32) + 2
    windows = (x + b[:, None, None]).reshape(N, C, H // 2, 2, W // 2, 2)
    n = N * C * (H // 2) * (W // 2)
    largest = windows.max((3, 5))
    plain = x.reshape(N, C, H // 2, 2, W // 2, 2).max((3, 5))
    flat, image = b[np.arange(n) % C].reshape(plain.shape), b[np.arange(N) % C].reshape(N, 1, 1, 1)
    return Launch(grid=-(-n // block), block=block, args=(x, b, Out(largest.shape), C, H, W, n),
                  expect=np.maximum(largest, 0),
                  mistakes={"ReLU is missing": largest, "the bias is missing": np.maximum(plain, 0),
                            "this is the mean of the window, take the largest": np.maximum(windows.mean((3, 5)), 0),
                            "ReLU comes after the bias": np.maximum(plain, 0) + b[:, None, None],
                            "the bias belongs to the channel: b[plane % C], not b[i % C]": np.maximum(plain + flat, 0),
                            "plane / C is the image; the channel is plane % C": np.maximum(plain + image, 0),
                            "windows do not overlap: they begin at row 2 * y, column 2 * x": _overlapping(x, b),
                            "the lower row of the window lies W further: corner[W] and corner[W + 1]":
                            _from_corner(x, b, [0, 1, 2, 3], H // 2 * (W // 2)),
                            "i counts outputs: a plane of them has H/2 x W/2, not H x W":
                            _from_corner(x, b, [0, 1, W, W + 1], H * W),
                            "only the upper row of the window is looked at": np.maximum(windows[:, :, :, 0].max(-1), 0),
                            "only the left column of the window is looked at": np.maximum(windows[..., 0].max(3), 0)},
                  limits=[Limit("global_load.bytes", most=20 * n,
                                hint="load each x once, the bias once per window, and nothing else: keep what you need "
                                     "again in a variable"),
                          Limit("global_store.bytes", most=4 * n, hint="write each result once")])


KernelExercise("08.fused", _fused, hints={
    OutOfBoundsError: "guard with if (i < n), take the window from row 2 * y, column 2 * x of plane i / (H/2 * W/2), "
                      "and the bias from channel plane % C",
    RaceError: "each thread writes one output: y[i]"},
               sizes=[(2, 3, 4, 6, 32), (1, 1, 2, 2, 64), (1, 5, 2, 8, 64), (5, 2, 8, 8, 64)])


def _all_done(batches, buffers, copy, compute, one_at_a_time=True, late=0):
    engine = 0
    done: list[int] = []
    for i in range(batches):
        engine = max(engine, done[i - buffers] if i >= buffers + late else 0) + copy
        done.append(max(engine, done[-1] if done and one_at_a_time else 0) + compute)
    return done


def _finish(*args, **options):
    return _all_done(*args, **options)[-1]


FunctionExercise("08.finish", reference=_finish,
                 inputs=[(6, 2, 3, 2), (6, 2, 2, 3), (6, 1, 2, 3), (5, 3, 4, 4), (1, 2, 5, 1), (7, 1, 3, 1)],
                 mistakes={"with two buffers copy and compute overlap":
                           lambda n, buffers, copy, compute: n * (copy + compute),
                           "a copy must wait until its buffer is free: until batch i - buffers is computed":
                           lambda n, buffers, copy, compute: _finish(n, n, copy, compute),
                           "the first copy and the last computation overlap with nothing: do not forget them":
                           lambda n, buffers, copy, compute:
                           n * max(copy, compute) if buffers > 1 else n * (copy + compute),
                           "this is when every batch is computed: return the last time": _all_done,
                           "batch number `buffers` is the first that waits: if i >= buffers": lambda *args:
                           _finish(*args, late=1),
                           "the slower worker sets the pace, and that may be copying":
                           lambda n, buffers, copy, compute: copy + n * compute,
                           "buffers do not divide the time: the slower worker sets the pace":
                           lambda n, buffers, copy, compute: n * (copy + compute) / buffers,
                           "the GPU computes one batch at a time: it also waits for the batch before, done[-1]":
                           lambda n, buffers, copy, compute: _finish(n, buffers, copy, compute, one_at_a_time=False),
                           "if copying is slower, only the last computation stands alone, not the first copy":
                           lambda n, buffers, copy, compute: copy + n * max(copy, compute)})

FunctionExercise("08.gain", reference=lambda kernels, duration, launch: kernels * (max(duration, launch) - duration),
                 inputs=[(9, 1.0, 4.0), (9, 10.0, 4.0), (20, 4.0, 4.0), (1, 2.0, 3.0)],
                 mistakes={"the graph does not save all launches: while a kernel runs, the host launches the next":
                           lambda kernels, duration, launch: kernels * launch,
                           "long kernels hide the launches: the time from Python is max(duration, launch)":
                           lambda kernels, duration, launch: kernels * (launch - duration),
                           "every kernel of the step counts": lambda kernels, duration, launch:
                           max(duration, launch) - duration,
                           "this is the time from Python; subtract that of the graph":
                           lambda kernels, duration, launch: kernels * max(duration, launch),
                           "this is the time in a graph; subtract it from the time from Python":
                           lambda kernels, duration, launch: kernels * duration,
                           "saved is a difference: old minus new":
                           lambda kernels, duration, launch: max(duration, launch) / duration,
                           "saved is old minus new: change the sign":
                           lambda kernels, duration, launch: kernels * (duration - max(duration, launch))})


def _double(rng, n):
    A, B = rng.standard_normal((2, n, n), dtype=np.float32)
    first = A[:, :16] @ B[:16]
    mistakes = {"this is only the first tile": first, "the last tile is missing": A[:, :-16] @ B[:-16]}
    if n > 16:
        mistakes["the pairs must change their roles: now = 1 - now"] = n // 16 * first
        mistakes["the next tile begins at k0 + 16: you load the present one again"] = first + A[:, :-16] @ B[:-16]
    blocks = (n // 16) ** 2
    return Launch(grid=(n // 16, n // 16), block=(16, 16), args=(A, B, Out((n, n)), n), expect=A @ B, mistakes=mistakes,
                  limits=[Limit("global_load.sectors", most=blocks * (n // 16) * 64,
                                hint="load each tile once per block")])


KernelExercise("08.double", _double, sizes=[48, 16, 32], rtol=1e-4, atol=1e-4, hints={
    RaceError: "a barrier must come after a pair is written and before it is read, and one before it is overwritten "
               "again: a single place in the loop serves both",
    OutOfBoundsError: "behind the last tile there is nothing to load: if (k0 + 16 < n)",
    BarrierError: "all threads of the block must reach the barrier: keep it out of an if that they answer differently"})

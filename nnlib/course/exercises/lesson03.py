"""What lesson 03 asks for, and the usual mistakes."""

import numpy as np

from nnlib.course.exercises.checking import FunctionExercise, KernelExercise, Launch, Limit, Out, alone
from nnlib.cuda import BarrierError, OutOfBoundsError, RaceError, UninitializedReadError

FunctionExercise("03.grid", whole=True, reference=lambda rows, columns, tile: (-(-columns // tile), -(-rows // tile)),
                 inputs=[(40, 50, 16), (32, 64, 32), (33, 64, 32), (1, 1, 16), (100, 7, 8)],
                 mistakes={"x counts columns, y counts rows": lambda r, c, t: (-(-r // t), -(-c // t)),
                           "this rounds down: the last rows and columns get no block": lambda r, c, t: (c // t, r // t),
                           "one block too many if the tile divides the size": lambda r, c, t: (c // t + 1, r // t + 1),
                           "this rounds down, and x counts columns": lambda r, c, t: (r // t, c // t),
                           "there are no parts of blocks: round up, with //": lambda r, c, t: (c / t, r / t)})


def _repair(rng, n):
    A, B = rng.standard_normal((2, n, n), dtype=np.float32)
    tiles = -(-n // 16)
    return Launch(grid=(tiles, tiles), block=(16, 16), args=(A, B, Out((n, n)), n), expect=A @ B,
                  limits=[Limit("global_load.requests", most=32 * tiles**3,  # twice what is needed
                                hint="a block loads each tile once, into shared memory")])


KernelExercise("03.repair", _repair, sizes=[33, 16, 1, 15, 32, 40], rtol=1e-4, atol=1e-4, hints={
    RaceError: "in a or b a barrier is missing: one between loading and multiplying, one before the tiles are "
               "overwritten; in C each thread has its own element: store only if row < n and column < n",
    BarrierError: "threads outside of C must stay: move the guard to the last line",
    UninitializedReadError: "every thread must fill its place of both tiles, with 0.0f outside, so none may return "
                            "early: move the guard to the last line",
    OutOfBoundsError: "load 0.0f where the tile reaches outside: check the row as well as the column; "
                      "store only inside of C; a tile ends at k < T"})


def _stiff_tiles(x):
    """Tiles at the right place, but each as it was; only for whole tiles."""
    rows, columns = x.shape
    if rows % 32 or columns % 32:
        return {}
    tiles = x.reshape(rows // 32, 32, columns // 32, 32).transpose(2, 1, 0, 3)
    return {"the tile itself must be turned, too: tile[threadIdx.x][threadIdx.y]": tiles.reshape(columns, rows)}


_STAY = "no thread may return before the barrier: put the guards around the load and the store only"
_NEW_GUARD = "after the exchange a thread has a new row and a new column: guard those"


def _lost_stores(x):
    """What is stored when a guard in the wrong place keeps threads away from the second half."""
    rows, columns = x.shape
    r, c = np.indices((columns, rows))                  # place in out; who stores there has loaded x[row, column]
    row, column = c // 32 * 32 + r % 32, r // 32 * 32 + c % 32
    return {_STAY: np.where((row < rows) & (column < columns), x.T, np.nan),
            _NEW_GUARD: np.where((r < rows) & (c < columns), x.T, np.nan)}


def _transpose(rng, rows, columns):
    x = rng.standard_normal((rows, columns), dtype=np.float32)
    whole = rows % 32 == columns % 32 == 0
    grid = -(-columns // 32), -(-rows // 32)
    limits = [alone(1024 * grid[0] * grid[1]),
              Limit("global_store.sectors_per_request", most=4,
                    hint="in the write too, neighbouring threads need neighbouring addresses: use shared memory"),
              Limit("global_load.sectors_per_request", most=4,
                    hint="in the read, neighbouring threadIdx.x must be neighbouring addresses"),
              Limit("shared_load.bank_conflicts", most=0, hint="a column of a 32-word row is one bank: pad to 33"),
              Limit("shared_store.bank_conflicts", most=0, hint="a column of a 32-word row is one bank: pad to 33")]
    return Launch(grid, block=(32, 32),
                  args=(x, Out((columns, rows)), rows, columns), expect=x.T.copy(), limits=limits if whole else (),
                  mistakes={"this copies: out[c][r] is x[r][c]": x.reshape(columns, rows)} | _stiff_tiles(x)
                  | _lost_stores(x))


KernelExercise("03.transpose", _transpose, sizes=[(64, 32), (32, 64), (33, 40), (1, 7), (64, 64), (70, 31)], hints={
    RaceError: "in the tile a barrier is missing, between filling and reading it; in out a row has rows elements",
    UninitializedReadError: _NEW_GUARD,
    BarrierError: _STAY,
    OutOfBoundsError: "guard the load with the old row and column, and the store with the new ones; x has rows of "
                      "length columns, out of length rows"})


def _product_tn(rng, M, N, K):
    A, B = rng.standard_normal((K, M), dtype=np.float32), rng.standard_normal((K, N), dtype=np.float32)
    row, column = np.indices((M, N))
    reached = (row < -(-N // 16) * 16) & (column < -(-M // 16) * 16)    # where x counts rows
    mistakes = {"the result is transposed: row, from y, belongs to A, column, from x, to B": (B.T @ A).reshape(M, N),
                "x counts columns: row comes from y, column from x": np.where(reached, A.T @ B, np.nan),
                "add up the K products: sum +=": np.outer(A[-1], B[-1])}
    if K <= min(M, N):
        along = np.arange(K)[:, None] * K
        mistakes["A has rows of length M: A[k * M + row]"] = A.ravel()[along + np.arange(M)].T @ B
        mistakes["B has rows of length N: B[k * N + column]"] = A.T @ B.ravel()[along + np.arange(N)]
    if M == K:
        mistakes["this is A B; A's columns are summed with B's columns: A[k * M + row]"] = A @ B
    if N == K:
        mistakes["this is AT BT; B is not transposed: B[k * N + column]"] = A.T @ B.T
    grid = -(-N // 16), -(-M // 16)
    return Launch(grid, block=(16, 16), args=(A, B, Out((M, N)), M, N, K), expect=A.T @ B, mistakes=mistakes,
                  limits=[alone(256 * grid[0] * grid[1], stores=K + 1)])


KernelExercise("03.tn", _product_tn, sizes=[(20, 20, 20), (33, 17, 5), (1, 40, 9), (16, 16, 1), (7, 50, 31)],
               rtol=1e-4, atol=1e-4, hints={
    OutOfBoundsError: "A has K rows of length M, B K rows of length N, C M rows of length N; guard both directions, "
                      "and end the sum at k < K",
    RaceError: "each element of C needs a thread of its own: row from y, column from x, both with blockIdx; a row of C "
               "has N elements"})

FunctionExercise("03.intensity", reference=lambda bm, bn: bm * bn / (2 * (bm + bn)),
                 inputs=[(32, 64), (16, 16), (128, 128), (128, 256), (1, 1)],
                 mistakes={"a multiply-add is two operations": lambda bm, bn: bm * bn / (4 * (bm + bn)),
                           "two operations per multiply-add, 4 bytes per float": lambda bm, bn: bm * bn / (bm + bn),
                           "an intensity may be a fraction: / and not //": lambda bm, bn: bm * bn // (2 * (bm + bn)),
                           "a float has 4 bytes": lambda bm, bn: 2 * bm * bn / (bm + bn),
                           "those are the operations; divide by the bytes": lambda bm, bn: 2 * bm * bn,
                           "those are the multiply-adds: two operations each, divided by the bytes":
                               lambda bm, bn: bm * bn,
                           "brackets: 4 bytes for bm + bn numbers, 4 * (bm + bn)":
                               lambda bm, bn: 2 * bm * bn / (4 * bm + bn),
                           "brackets: divide by (4 * (bm + bn))": lambda bm, bn: 2 * bm * bn / 4 * (bm + bn),
                           "one step loads bm + bn numbers, not bm times bn": lambda bm, bn: 0.5,
                           "that is bytes per operation; turn it over": lambda bm, bn: 2 * (bm + bn) / (bm * bn)})

"""The exercises of lesson 03, with the usual mistakes."""

from typing import Any

from nnlib.course.exercises.checking import FunctionExercise
from nnlib.course.exercises.kernels import THIN, KernelExercise, alone, tiles
from nnlib.cuda import BarrierError, OutOfBoundsError, RaceError, UninitializedReadError
from nnlib.mine.contract import Piece
from nnlib.mine.trials.sizes import chosen
from nnlib.mine.trials.tasks import at_most

_STAY = "no thread may return before the barrier: put the guards around the load and the store only"
_PAD = "with rows of 32 words a whole column lies in one bank: pad the rows to 33"
_NEW_GUARD = (
    "guard the store: after the exchange a thread has a new row and a new column, in which blockIdx.x and "
    "blockIdx.y have changed places. out has as many rows as x has columns"
)


KernelExercise(
    Piece(
        "transpose",
        "03",
        "const float* x, float* out, int rows, int columns",
        "out[c][r] = x[r][c]",
        "",
        {"x": "rows columns", "out": "columns rows"},
        lambda x, rows, columns: x.T,
        **chosen(
            "rows columns",
            [(64, 32), (32, 64), (33, 40), (1, 7), (64, 64), (70, 31), (32, 320), (320, 64)],
            [[(2, 90), (2, 90)], *THIN],
            far=[(70_000, 3), (3, 70_000), (4450, 4100)],
            along={2: ("rows", 501)},
        ),
        task=[
            *alone(lambda rows, columns: rows * columns),
            at_most(
                "global_store.sectors_per_request",
                4,
                "in the write, too, neighbouring threads need neighbouring addresses: turn the tile in shared "
                "memory, and let threadIdx.x run along a row of out",
            ),
            at_most(
                "global_load.requests",
                lambda rows, columns: rows * columns / 32,
                "load each number once",
            ),
            at_most(
                "global_load.sectors_per_request",
                4,
                "in the read, neighbouring values of threadIdx.x must read neighbouring addresses",
            ),
            at_most("shared_load.bank_conflicts", 0, _PAD),
            at_most("shared_store.bank_conflicts", 0, _PAD),
        ],
    ),
    tiles(32, "columns", "rows"),
    hints={
        RaceError: "the index into out is wrong: its rows are as long as x has rows",
        UninitializedReadError: _NEW_GUARD,
        BarrierError: _STAY,
        OutOfBoundsError: "guard the load with the old row and column, and the store with the new ones. The rows of x are "
        "`columns` long, the rows of out are `rows` long",
    },
)


def _limit_mistakes(r: Any, c: Any) -> dict[str, Any]:
    roof, shared = 66.9, 33.5 * 64 / 128  # TFLOP/s, with passes that all results of a thread share
    right = shared * r * c / (r + c)
    return {
        "no kernel exceeds 66.9, the roof of arithmetic: return the smaller of the two limits": right,
        "both limits hold, so the smaller one counts: min, not max": max(roof, right),
        "brackets: divide by (128 * (r + c))": min(roof, shared * r * c * (r + c)),
        "brackets: both r and c are passes of 128 bytes, 128 * (r + c)": min(
            roof, 33.5 * 64 * r * c / (128 * r + c)
        ),
        "a thread reads r + c numbers, not r * c: each serves several products": shared,
        "all r * c results need operations: the warp does 64 * r * c of them for each k": min(
            roof, shared / (r + c)
        ),
        "those are one thread's operations, 2 * r * c: the warp has 32 threads": right / 32,
        "a multiplication and an addition are two operations: 64 * r * c": min(roof, right / 2),
        "that is the roof of arithmetic in every case: divide by 128 * (r + c) before you compare": roof,
        "those are the operations per byte: multiply them by the 33.5 TB/s": right / 33.5,
        "the passes grow with r and c, too: r + c": min(roof, shared / 2 * r * c),
        "that is right for squares only: r * c / (r + c) is half of r only where r = c": min(
            roof, shared / 2 * r
        ),
        "that is bytes per operation: turn the fraction over": min(
            roof, 33.5 * 128 * (r + c) / (64 * r * c)
        ),
    }


FunctionExercise(
    "03.limit",
    reference=lambda r, c: min(66.9, 33.5 * 64 * r * c / (128 * (r + c))),
    inputs=[(1, 1), (2, 2), (4, 4), (8, 4), (8, 8), (1, 4), (16, 16), (2, 1)],
    mistakes=_limit_mistakes,
)


def _intensity_mistakes(bm: Any, bn: Any) -> dict[str, Any]:
    return {
        "half of it: a multiplication and an addition are two operations, and a float has 4 bytes": (
            bm * bn / (4 * (bm + bn))
        ),
        "count two operations for each product and 4 bytes for each float": bm * bn / (bm + bn),
        "an intensity may be a fraction: / and not //": bm * bn // (2 * (bm + bn)),
        "a float has 4 bytes": 2 * bm * bn / (bm + bn),
        "those are the operations: divide them by the bytes": 2 * bm * bn,
        "those are the multiplications: count the additions, too, and divide by the bytes": (
            bm * bn
        ),
        "brackets: 4 bytes for bm + bn numbers, 4 * (bm + bn)": 2 * bm * bn / (4 * bm + bn),
        "brackets: divide by (4 * (bm + bn))": 2 * bm * bn / 4 * (bm + bn),
        "the 4 bytes belong below the fraction line: divide by them": 8 * bm * bn / (bm + bn),
        "the results are stored once, at the end, not in every step along K": (
            2 * bm * bn / (4 * (bm + bn + bm * bn))
        ),
        "a step loads bm numbers and bn numbers: add them": 2 / 16,
        "one step loads bm + bn numbers, not bm times bn": 0.5,
        "that is right for square blocks only: bn matters, too": bm / 4,
        "that is right for square blocks only: bm matters, too": bn / 4,
        "that is right for square blocks only: the smaller side alone does not tell": (
            min(bm, bn) / 4
        ),
        "that is right for square blocks only: divide by the sum of the sides, take no mean": (
            (bm + bn) / 8
        ),
        "that is right for square blocks only: divide by the sum of the sides, take no root": (
            (bm * bn) ** 0.5 / 4
        ),
        "that is bytes per operation: turn the fraction over": 2 * (bm + bn) / (bm * bn),
    }


FunctionExercise(
    "03.intensity",
    reference=lambda bm, bn: bm * bn / (2 * (bm + bn)),
    inputs=[(32, 64), (16, 16), (128, 128), (256, 128), (1, 1), (384, 512)],
    mistakes=_intensity_mistakes,
)

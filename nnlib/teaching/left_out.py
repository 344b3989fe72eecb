"""What students' packages hold in the place of answers: results of them, or nothing.

A network needs the library's kernels only for speed on a GPU, and it would be the answers of lessons 03 to 06 that gave
it: until the pieces are handed out, NumPy and CuPy compute instead. Usual mistakes stand beside the right lines: of
them samples of their results are kept. References of Python exercises become tables of results for `check`'s inputs.
"""

from __future__ import annotations

import functools
import hashlib
import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nnlib import mine
from nnlib.course.exercises import everything, recognition
from nnlib.course.exercises.kernels import KernelExercise
from nnlib.course.exercises.mistakes import blocks, mistakes, outcome, usual_text
from nnlib.lessons import NUMBERS
from nnlib.mine.contract import Piece, Sizes
from nnlib.mine.launch import Shape
from nnlib.support import files
from nnlib.teaching.cells import kernel_texts
from nnlib.teaching.checkout import cache

# Files of nnlib/kernels that stay: what lessons show, and the ladder of lesson 08; of two others single kernels.
_SHOWN = {
    "matmul",
    "matmul_async",
    "matmul_registers",
    "matmul_warp",
    "reductions",
    "vector",
    "warps",
}
_SINGLE = {"linear": {"sum_parts"}, "training": {"take_batch", "note_batch"}}
_STAND_IN = """\"\"\"Samples stand for the usual mistakes here.\"\"\"

from nnlib.course.exercises.recognition import recognised

__all__ = ["recognised"]
"""


def leave_out_kernels(folder: Path) -> None:
    """Take what is a piece, or could be made one, out of a copy of nnlib/kernels."""
    for file in folder.rglob("*.cu"):
        if file.stem in _SINGLE:
            file.write_text(_with_kernels(file.read_text("utf-8"), _SINGLE[file.stem]), "utf-8")
        elif file.stem not in _SHOWN:
            file.unlink()


def _with_kernels(source: str, kept: set[str]) -> str:
    """Return a file of the library with these of its kernels only."""
    for name, text in kernel_texts(source).items():
        if name not in kept:
            source = source.replace(f'extern "C" {text}\n', "")
    return source


def leave_out_mistakes(folder: Path) -> None:
    """Put samples of their results in the place of the mistakes in a copy of nnlib/course/exercises/mistakes."""
    for file in folder.iterdir():
        file.unlink()
    (folder / "__init__.py").write_text(_STAND_IN, "utf-8")
    (folder / recognition.RECORDED.name).write_text(samples(), "utf-8")


@functools.cache
def samples() -> str:
    """Return what `recognition.recognised` reads. Computing it takes 40 seconds, once for each version of the kernels."""
    library = Path(mine.__file__).parent
    texts = [
        file.read_bytes()
        for folder in (recognition.RECORDED.parent, library / "plain")
        for file in sorted(folder.iterdir())
        if file.is_file()
    ]
    pieces = sorted((library / "pieces").glob("*.py"))
    asked = sorted(recognition.RECORDED.parents[1].glob("lesson*.py"))
    texts += [file.read_bytes() for file in [*pieces, *asked, Path(recognition.__file__)]]
    known = cache() / f"mistakes-{hashlib.sha256(b''.join(texts)).hexdigest()[:16]}.json"
    if not known.exists():
        record: dict[str, Any] = {}
        outcomes: dict[
            tuple[Any, ...], list[Any]
        ] = {}  # a later lesson may ask for the same once more
        begun = [piece.first for piece in mine.PIECES.values() if piece.first]
        exercises = [each for lesson in NUMBERS for each in everything(lesson)]
        whole = [each.piece for each in exercises if isinstance(each, KernelExercise)]
        for piece in (*whole, *begun):
            alike = piece.name, usual_text(piece), mistakes(piece), str(piece.sizes)
            if alike not in outcomes:
                outcomes[alike] = list(_outcomes(piece))
            recognition.record(piece, outcomes[alike], record)
        known.parent.mkdir(parents=True, exist_ok=True)
        with files.replacing(known) as fresh:
            fresh.write_text(json.dumps(record), "utf-8")
    return known.read_text("utf-8")


def _outcomes(piece: Piece) -> Iterator[tuple[Sizes, Shape, str, dict[str, Any]]]:
    for sizes, block in itertools.product(piece.sizes, blocks(piece)):
        case = piece.case(sizes, 0)
        for mistake in mistakes(piece):
            if wrote := outcome(mistake, case, block):
                yield sizes, block, mistake.hint, wrote

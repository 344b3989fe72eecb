"""Usual mistakes as data: what stands in a kernel that students write, and what they write instead. Lessons 01 to 11.

NAME.txt beside this file, the likeliest mistakes first, a blank line between them: a hint, then the change.

    The bias is missing from every result: b[f] is not added. Begin the sum with b[f].
    - float sum = b[f];
    + float sum = 0.0f;

"-" stands in the piece's text, "+" is written instead; any white space may lie between the words of "-". Several
changes belong to one mistake, "or" begins another form of it. `include NAME` brings the mistakes of another file, # is
a comment. The text is NAME.cu beside this file, as students type it, of an exercise, and where the plain version is built
otherwise. A text that names the threads of its block T is launched with as many as the student's kernel.
"""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from nnlib.course.exercises.recognition import recognise
from nnlib.cuda import KernelError, RawKernel, force_simulator
from nnlib.mine.contract import Piece, PieceCase
from nnlib.mine.launch import LaunchLine, Shape, launch_of

_HERE = Path(__file__).parent
_STEP_LIMIT = 50_000  # as a trial's
_THREADS = r"(?m)^#define T \d+$"


@dataclass(frozen=True)
class Mistake:
    """A hint, and the changes that make the mistake: what stands in the text, and what is written instead."""

    hint: str
    changes: tuple[tuple[str, str], ...]

    def made_in(self, text: str) -> str:
        """Return a kernel's source with this mistake in it. Raise LookupError where what should change is not there."""
        for right, wrong in self.changes:
            pattern, escaped = (
                r"\s+".join(map(re.escape, right.split())),
                wrong.replace("\\", r"\\"),
            )
            changed = re.sub(pattern, escaped, text)
            if changed == text:
                raise LookupError(f"{right!r} is not in\n{text}")
            text = changed
        return text

    def stands_in(self, text: str) -> bool:
        """Return whether a kernel contains all that this mistake writes and nothing that it replaces, spaces aside."""
        bare = _bare(text)
        return all(
            _bare(wrong) in bare and (_bare(right) in _bare(wrong) or _bare(right) not in bare)
            for right, wrong in self.changes
        )


def recognised(case: PieceCase, got: Mapping[str, Any], block: Shape, text: str = "") -> str | None:
    """Return the hint of the mistake that writes in this case exactly what the student's kernel has written, see `recognise`.

    text: source of the student's kernel; mistakes that it contains are tried first.
    """
    likeliest = sorted(mistakes(case.piece), key=lambda mistake: not mistake.stands_in(text))
    outcomes = ((mistake.hint, outcome(mistake, case, block)) for mistake in likeliest)
    return recognise(outcomes, case.piece, case.expected, got)


@functools.cache
def mistakes(piece: Piece) -> tuple[Mistake, ...]:
    """Return the usual mistakes of a piece, the likeliest first."""
    return tuple(_read(_name(piece)))


@functools.cache
def usual_text(piece: Piece) -> str:
    """Return the source in which mistakes are made: the kernel as students type it, else the plain version."""
    file = _HERE / f"{_name(piece)}.cu"
    return file.read_text("utf-8") if file.exists() else piece.plain


def outcome(mistake: Mistake, case: PieceCase, block: Shape = (1, 1, 1)) -> dict[str, np.ndarray]:
    """Return what a kernel with this mistake writes in this case; nothing where it does not finish."""
    arguments = case.copies()
    try:
        with force_simulator():
            count = _threads(case.piece, block)
            grid, threads, shared = _launch(case.piece, count).at(**case.sizes)
            _kernel(case.piece, mistake, count)(
                grid,
                threads,
                tuple(arguments.values()),
                shared,
                checks=False,
                step_limit=_STEP_LIMIT,
            )
    except KernelError:
        return {}
    return {name: arguments[name] for name in case.piece.written}


@functools.lru_cache(maxsize=1024)
def _kernel(piece: Piece, mistake: Mistake, threads: int | None) -> RawKernel:
    return RawKernel(_with_variables(mistake.made_in(_text(piece, threads))), piece.name)


@functools.lru_cache(maxsize=1024)
def _launch(piece: Piece, threads: int | None) -> LaunchLine:
    """Return the launch that all mistakes of a piece share."""
    return launch_of(piece, _text(piece, threads))


def _text(piece: Piece, threads: int | None) -> str:
    text = usual_text(piece)
    return re.sub(_THREADS, f"#define T {threads}", text) if threads else text


def _with_variables(text: str) -> str:
    """Compute OH and OW once rather than at each use: a convolution then compiles in a quarter less time."""
    macros = r"(?m)^#define (O[HW]) (.*)\n"
    variables = "".join(f" int {name} = {value};" for name, value in re.findall(macros, text))
    return re.sub(r"\{", lambda brace: brace[0] + variables, re.sub(macros, "", text), count=1)


def blocks(piece: Piece) -> list[Shape]:
    """Return the blocks for which a mistake may write something else; the first one stands for all others."""
    text = usual_text(piece)
    if not re.search(_THREADS, text):
        return [(1, 1, 1)]
    return [
        (1, 1, 1),
        *((count, count, 1) if _is_tiled(text) else (count, 1, 1) for count in _counts(text)),
    ]


def _threads(piece: Piece, block: Shape) -> int | None:
    """Return the value of T that fits the student's block; None leaves T as it is."""
    text = usual_text(piece)
    tiled = _is_tiled(text)
    threads = block[0] if tiled else math.prod(block)
    return threads if threads in _counts(text) and (block[0] == block[1] or not tiled) else None


def _is_tiled(text: str) -> bool:
    return "dim3(T, T)" in text


def _counts(text: str) -> tuple[int, ...]:
    """Return the values that T may have."""
    return (8, 16, 32) if _is_tiled(text) else (32, 64, 128, 256, 512, 1024)


def _name(piece: Piece) -> str:
    """Return the name that the files of a piece have.

    Where a later lesson asks for another kernel, its files end in the lesson's number; the piece's first contract has the
    plain name.
    """
    full = piece.first is not None
    return (
        own
        if not full and (_HERE / f"{(own := f'{piece.name}_{piece.lesson}')}.txt").exists()
        else piece.name
    )


def _read(name: str) -> Iterator[Mistake]:
    return parsed((_HERE / f"{name}.txt").read_text("utf-8"))


def parsed(text: str) -> Iterator[Mistake]:
    """Yield the mistakes that a text in the format of this folder describes."""
    for paragraph in text.split("\n\n"):
        lines = [line for line in paragraph.splitlines() if line and not line.startswith("#")]
        hint = " ".join(line for line in lines if line[0] not in "-+" and line != "or")
        changes: list[tuple[str, str]] = []
        for before, line in zip(["", *lines], [*lines, "or"], strict=True):
            if line.startswith("include "):
                yield from _read(line.split()[1])
            elif line[0] == "-" and before[:1] == "-":
                changes[-1] = f"{changes[-1][0]}\n{line[2:]}", ""
            elif line[0] == "-":
                changes.append((line[2:], ""))
            elif line[0] == "+":
                right, wrong = changes[-1]
                changes[-1] = right, f"{wrong}\n{line[2:]}" if before[:1] == "+" else line[2:]
            elif line == "or" and changes:
                yield Mistake(hint, tuple(changes))
                changes = []


def _bare(text: str) -> str:
    return re.sub(r"\s+", "", text)

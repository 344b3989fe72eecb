"""Choose the source that runs for a piece: the student's, if it is there and right, else the course's plain one. Lesson 01."""

from __future__ import annotations

import functools
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from nnlib.cuda import KernelError, LaunchError, RawKernel, on_gpu
from nnlib.mine import folder
from nnlib.mine.contract import MissingTextError, Piece, clear, unwritten
from nnlib.mine.folder import PieceFileError, Saved
from nnlib.mine.judgement import Judgement
from nnlib.mine.judging import judge
from nnlib.mine.launch import LaunchLine, Shape, launch_of
from nnlib.mine.pieces import AGAIN, NEEDED, PIECES
from nnlib.mine.stand_in import StandIn
from nnlib.mine.trials.reach import require_written


@dataclass(frozen=True)
class Running:
    """A piece ready to be launched, and whose it is: "yours", "solution" or "course"."""

    kernel: RawKernel | StandIn
    launch: LaunchLine
    whose: str


SOLUTIONS = Path(__file__).with_name("solutions.json")
_launches: Counter[tuple[str, str]] = Counter()
_running: dict[str, tuple[Any, Running]] = {}
_unsaved: dict[str, Saved] = {}  # where the folder cannot be written
_proved: set[tuple[Running, tuple[int, ...]]] = set()  # ran at these sizes without a mistake
_told: set[Any] = set()
# "plain", "best"
_instead: ContextVar[tuple[str, frozenset[str]]] = ContextVar("instead", default=("", frozenset()))


def run(name: str, *args: Any) -> None:
    """Launch the piece: its own text says with which grid and block. Nothing to do where nothing is written."""
    piece = PIECES[name]
    values = dict(zip((p.name for p in piece.signature), args, strict=True))
    if not any(values[output].size for output in piece.written):
        return
    sizes = {size: values[size] for size in piece.integers}
    running = _able(name, sizes)
    try:
        _start(running, args, sizes)
    except KernelError as error:
        if running.whose == "course":
            raise
        _tell(
            (name, str(error)),
            f"{name} fails here, the course's plain version runs instead: {error}",
        )
        running = _plain(piece)
        _running[name] = _running[name][0], running
        _start(running, args, sizes)
    _launches[name, running.whose] += 1


def launch_for(name: str, *args: Any) -> tuple[RawKernel, Shape, Shape, int]:
    """Return kernel, grid, block and shared bytes with which `run` would start the piece; launch nothing."""
    values = dict(zip((p.name for p in PIECES[name].signature), args, strict=True))
    sizes = {size: values[size] for size in PIECES[name].integers}
    running = _able(name, sizes)
    if isinstance(running.kernel, StandIn):
        raise LaunchError(
            f"{name} is not written yet, and this package is built without the course's text of it: "
            "write it, or ask your teacher for the package with the pieces"
        )
    return running.kernel, *running.launch.at(**sizes)


def _able(name: str, sizes: dict[str, int]) -> Running:
    """Return what runs for a piece: the plain version where the student's lacks a size that is not 1."""
    running = of(name)
    missing = [
        size
        for size, value in sizes.items()
        if value != 1 and size not in running.launch.piece.integers
    ]
    if not missing:
        return running
    _tell(
        (name, *missing),
        f"Your {name} has no {missing[0]} yet, and here it is not 1: the course's plain version "
        "runs instead.",
    )
    return _plain(PIECES[name])


def note_launches(name: str, times: int) -> None:
    """Count launches of a piece that were made without `run`, by a recorded step."""
    _launches[name, whose(name) if name in PIECES else "course"] += times


def _start(running: Running, args: Any, sizes: dict[str, int]) -> None:
    """Launch a kernel: with all checks the first time at these sizes, as native code where possible from then on.

    A launch that would take the simulator seconds is native at once, because judging has run the kernel with all checks at
    other sizes. Either way the first launch must write every result.
    """
    known = running, tuple(sizes.values())
    args = args[: len(running.launch.piece.signature)]  # its contract may lack the last size
    grid, block, shared = running.launch.at(**sizes)
    if known in _proved:
        running.kernel(grid, block, args, shared, checks=False)
        return
    piece = running.launch.piece
    outputs = (
        {}
        if on_gpu()
        else {
            parameter.name: array
            for parameter, array in zip(piece.signature, args, strict=True)
            if parameter.name in piece.written and parameter.name not in piece.updates
        }
    )
    for array in outputs.values():
        clear(array)
    running.kernel(
        grid, block, args, shared, checks=not running.kernel.is_long(grid, block, args, shared)
    )
    require_written(
        piece, running.launch, sizes, {name: unwritten(array) for name, array in outputs.items()}
    )
    _proved.add(known)


def plain_versions(*names: str) -> AbstractContextManager[None]:
    """Run the course's plain versions of these pieces, or of all pieces if none is named, inside the `with` block.

    They replace what the library holds, for comparison. MissingTextError where this package has none. Lesson 08.
    """
    return _versions("plain", names or PIECES)


def best_versions() -> AbstractContextManager[None]:
    """Run the best versions that the course knows inside the `with` block, to show what can still be gained. Lesson 08."""
    return _versions("best", PIECES)


@contextmanager
def _versions(which: str, names: Iterable[str]) -> Iterator[None]:
    for name in names:
        getattr(PIECES[name], which)  # MissingTextError
    before = _instead.set((which, frozenset(names)))
    try:
        yield
    finally:
        _instead.reset(before)


def of(name: str) -> Running:
    """Return what runs for this piece now. A file that has changed is judged first."""
    piece = PIECES[name]
    which, names = _instead.get()
    if name in names:
        return _of_the_course(name, which)
    stamp = _unsaved.get(name) or folder.stamp(piece)
    known = _running.get(name)
    if known is None or known[0] != stamp:
        known = _running[name] = stamp, _find(piece)
        # Judging may have noted a score
        known = _running[name] = (_unsaved.get(name) or folder.stamp(piece), known[1])
    return known[1]


def saved(name: str) -> Saved | None:
    """Return the student's version of a piece, right or wrong, or None where none can be read."""
    try:
        return _unsaved.get(name) or folder.read(PIECES[name])
    except PieceFileError:
        return None


def whose(name: str) -> str:
    """Return whose version of the piece runs: "yours", "solution" (of the course, unfolded) or "course" (its plain version)."""
    return of(name).whose


def stars(name: str) -> int:
    """Return the stars, 1 to 3, of the version that runs; 0 for the course's plain version."""
    own = saved(name)
    return own.stars if own is not None and whose(name) != "course" else 0


def judged(name: str, text: str) -> Judgement:
    """Judge a saved version by the task of its first lesson, or by that of a later one: either counts."""
    verdict = judge(PIECES[name], text)
    if not verdict.right or verdict.solved or name not in AGAIN:
        return verdict
    again = judge(AGAIN[name], text)
    return again if again.solved else verdict


def save(name: str, verdict: Judgement, text: str, solution: bool = False) -> str:
    """Put a solved piece into the folder; a sentence that says where, or why not.

    A solution of the course never takes the place of the student's own, and is never taken for it.
    """
    piece, before, solution = PIECES[name], saved(name), solution or is_solution(name, text)
    if solution and before is not None and before.judged and not before.solution:
        return f"Your own {name} stays in your library."
    fresh = Saved(text.strip("\n"), True, verdict.stars, verdict.stars, solution)
    fresh = replace(fresh, text=fresh.file(piece, ""))
    try:
        file = folder.write(piece, fresh, detail(verdict))
    except OSError as error:
        _unsaved[name] = fresh
        return (
            f"{name} could not be saved in {folder.folder()} ({error.strerror or error}); it is used until this "
            "notebook ends. Set NNLIB_MINE to a folder that can be written."
        )
    _unsaved.pop(name, None)
    return f"Saved as {file.parent.name}/{file.name}: {progress()}"


def take_back(name: str, earlier: Saved | None) -> str:
    """Put an earlier version of a piece, as `saved` returned it, into the place of the one that runs now, and say so.

    Where there was none, or none that ran, the course's plain one runs again. What runs now is kept in `older`.
    """
    if saved(name) is None:
        return f"There is no {name} in your library."
    _unsaved.pop(name, None)
    folder.remove(PIECES[name])
    if earlier is None or not earlier.judged:
        return f"Your {name} is in the folder older now, and the course's plain version runs."
    return save(name, judged(name, earlier.body), earlier.body, earlier.solution)


def is_solution(name: str, text: str) -> bool:
    """Return whether this is a lesson's folded solution, letter for letter.

    A short one counts only once it was unfolded and run.
    """
    before = saved(name)
    unfolded = (
        before is not None and before.solution and folder.mark(before.body) == folder.mark(text)
    )
    return unfolded or folder.mark(text) in _solutions().get(name, [])


@functools.cache
def _solutions() -> dict[str, list[str]]:
    """Read the marks of the long solutions in the lessons, by piece; `python -m tests.benchmarks.pieces` writes them."""
    found: dict[str, list[str]] = json.loads(SOLUTIONS.read_text("utf-8"))
    return found


def detail(verdict: Judgement) -> str:
    """Return the score as one line."""
    return ", ".join(f"{key} {value:,}" for key, value in verdict.counters.items() if value)


def progress() -> str:
    """Say in one sentence how many kernels are the student's, and which are not."""
    owners = {name: whose(name) for name in NEEDED}
    own = sum(owner == "yours" for owner in owners.values())
    parts = [f"{own} of {len(NEEDED)} kernels {'is' if own == 1 else 'are'} yours"]
    fused = [name for name in PIECES if name not in NEEDED and whose(name) == "yours"]
    if fused:
        parts[0] += f", and {' and '.join(fused)}"
    for owner, one, several in (
        ("solution", "a solution of the course", "solutions of the course"),
        ("course", "the course's", "the course's"),
    ):
        names = [name for name, has in owners.items() if has == owner]
        if names:
            shown = ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")
            parts.append(f"{shown} " + (f"are {several}" if len(names) > 1 else f"is {one}"))
    return "; ".join(parts) + "."


def launches() -> dict[str, dict[str, int]]:
    """Count the launches since `forget_launches`: whose ("yours", "solution", "course") -> piece or operation -> how many."""
    counted: dict[str, dict[str, int]] = {"yours": {}, "solution": {}, "course": {}}
    for (name, whose), count in _launches.items():
        counted[whose][name] = count
    return counted


def forget_launches() -> None:
    """Count from 0."""
    _launches.clear()


def note_course(operation: str) -> None:
    """Note that the course did an operation for which there is no piece."""
    _launches[operation, "course"] += 1
    _tell(
        ("operation", operation),
        f"{operation} has no kernel in your library: the course's does it.",
    )


def _find(piece: Piece) -> Running:
    try:
        own = _unsaved.get(piece.name) or folder.read(piece)
    except PieceFileError as error:
        _tell((piece.name, str(error)), f"{error}. The course's plain {piece.name} runs instead.")
        return _plain(piece)
    if own is None:
        return _plain(piece)
    if not own.judged:
        verdict = judged(piece.name, own.text)
        if not verdict.solved:
            _tell(
                (piece.name, own.body),
                f"{folder.path(piece)} is not used, the course's plain {piece.name} runs "
                f"instead: {verdict}",
            )
            return _plain(piece)
        try:
            own = replace(own, judged=True, stars=verdict.stars)
            folder.write(piece, own, detail(verdict))
        except OSError:
            pass
    return _ready(piece, own.text, "solution" if own.solution else "yours")


@functools.cache
def _of_the_course(name: str, which: str) -> Running:
    return _plain(PIECES[name], which)


def _plain(piece: Piece, which: str = "plain") -> Running:
    try:
        return _ready(piece, getattr(piece, which), "course")
    except MissingTextError:
        return Running(StandIn(piece), LaunchLine(piece, "", "1", "1"), "course")


def _ready(piece: Piece, text: str, whose: str) -> Running:
    return Running(RawKernel(text, piece.name), launch_of(piece.as_written(text), text), whose)


def _tell(key: Any, sentence: str) -> None:
    """Say it once."""
    if key not in _told:
        _told.add(key)
        print(sentence)

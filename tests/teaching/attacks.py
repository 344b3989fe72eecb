"""What a student tries who looks into the installed package: rename a kernel, strip a parameter, hand it in."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator
from pathlib import Path

from nnlib import mine
from nnlib.course.exercises.kernels import KernelExercise
from nnlib.course.exercises.mistakes import usual_text
from nnlib.cuda import KernelError, RawKernel
from nnlib.mine.contract import Piece

KERNEL = re.compile(
    r'(?:extern\s+"C"\s+)?__global__[^;{(]*?(?:__launch_bounds__\([^{;]*?\)\s*)?'
    r"\b(?P<name>\w+)\s*\((?P<parameters>[^)]*)\)\s*\{"
)
LAUNCH = re.compile(r"// <<<.*>>>")
TILES = [(16, "dim3(16, 16)"), (32, "dim3(32, 8)"), (64, "256")]


def _without_kernels(text: str) -> str:
    """The text without its kernels: what remains is compiled with each of them, again and again."""
    found, at = [], 0
    for match in re.finditer(rf"(?:template\s*<[^>]*>\s*)?{KERNEL.pattern}", text):
        if match.start() >= at:
            found.append(text[at : match.start()])
            at = _end(text, match.end())
    return "".join(found) + text[at:]


def _end(text: str, body: int) -> int:
    """Return where the block ends that begins before `body`."""
    depth = 1
    for brace in re.finditer("[{}]", text[body:]):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return body + brace.end()
    return len(text)


def _around(where: str, text: str, match: re.Match[str]) -> tuple[str, str]:
    """Return what stands before the kernel's head, and its body with what follows; other kernels are left out."""
    end = _end(text, match.end())
    body = text[match.end() : end]
    if where.endswith((".py", ".md")):  # in the midst of other words
        return "", body
    return _without_kernels(text[: match.start()]), body + _without_kernels(text[end:])


def texts(folder: Path) -> Iterator[tuple[str, str]]:
    """(where, text) of all that may hold CUDA C: files, strings of Python, cells of notebooks."""
    for file in sorted(folder.rglob("*")):
        if file.suffix == ".ipynb":
            for number, cell in enumerate(json.loads(file.read_text("utf-8"))["cells"]):
                yield f"{file.name}:{number}", "".join(cell["source"]).partition("\n")[2]
        elif (
            file.suffix in {".cu", ".cuh", ".h", ".py", ".txt", ".md", ".json"}
            and file.stat().st_size < 3_000_000
        ):
            text = file.read_text("utf-8", "replace")
            yield (
                str(file.relative_to(folder)),
                text.replace(r"\n", "\n") if file.suffix == ".json" else text,
            )


def forged(folder: Path, pieces: list[Piece]) -> Iterator[tuple[str, Piece, str]]:
    """(where, piece, text) for each kernel there that has a piece's parameters, or these and up to two more."""
    for where, text in texts(folder):
        for match in KERNEL.finditer(text):
            before, after = _around(where, text, match)
            for piece in pieces:
                if head := _head(match["parameters"], piece):
                    yield f"{where}: {match['name']}", piece, f"{before}\nLAUNCH\n{head}{after}"


def _head(parameters: str, piece: Piece) -> str | None:
    """The piece's name with a kernel's parameters; those to spare become 0. None where they are others."""
    own = [re.sub(r"\s+|__restrict__", " ", one).strip() for one in parameters.split(",")]
    wanted = len(piece.signature)
    kinds = ["*" in one for one in own]
    if (
        len(own) - wanted > 2
        or kinds[:wanted] != ["*" in str(parameter.type) for parameter in piece.signature]
        or any(kinds[wanted:])
    ):
        return None
    zeros = "".join(f" {one} = 0;" for one in own[wanted:])
    return f'extern "C" __global__ void {piece.name}({", ".join(own[:wanted])}) {{{zeros}'


def launches(piece: Piece) -> list[str]:
    """Launch lines to try: the course's own, and the usual tiles over the last two sizes of the result."""
    lines = {LAUNCH.search(text)[0] for text in (piece.plain, piece.best, usual_text(piece))}
    rows, columns = (["1", *piece.shapes[piece.written[0]].split()])[-2:]
    lines |= {
        f"// <<<dim3(({columns} + {tile - 1}) / {tile}, ({rows} + {tile - 1}) / {tile}), {block}>>>"
        for tile, block in TILES
    }
    return sorted(lines)


def solved(folder: Path, pieces: list[Piece]) -> dict[str, list[str]]:
    """Piece -> kernels of this folder that solve it renamed and stripped, with their own launch or a usual one."""
    found: dict[str, list[str]] = {}
    for where, piece, text in forged(folder, pieces):
        own, text = LAUNCH.findall(text), LAUNCH.sub("", text)
        if not _fits(piece, text.replace("LAUNCH", "")):
            continue
        tries = (text.replace("LAUNCH", line) for line in [*own, *launches(piece)])
        if any(mine.judge(piece, one).solved for one in tries):
            found.setdefault(f"{piece.lesson}.{piece.name}", []).append(where)
    return found


def _fits(piece: Piece, text: str) -> bool:
    """Does it compile, with parameters of the contract's types? Then a launch line decides."""
    with contextlib.suppress(KernelError):
        own = RawKernel(text, piece.name).parameters or ()
        return [str(p.type) for p in own] == [str(p.type) for p in piece.signature]
    return False


def solved_exercises(
    folder: Path, starters: dict[str, tuple[KernelExercise, RawKernel]]
) -> dict[str, list[str]]:
    """Exercise -> kernels of this folder that solve it under its name. starters: (exercise, what is handed out)."""
    found: dict[str, list[str]] = {}
    for where, text in texts(folder):
        for match in KERNEL.finditer(text):
            before, after = _around(where, text, match)
            kinds = ["*" in one for one in match["parameters"].split(",")]
            for exercise, starter in starters.values():
                if kinds != ["*" in str(parameter.type) for parameter in starter.parameters]:
                    continue
                head = f'extern "C" __global__ void {starter.name}({match["parameters"]}) {{'
                kernel = RawKernel(f"{before}\n{head}{after}", starter.name)
                with contextlib.suppress(KernelError):
                    kernel.compile()
                    if exercise.judge(kernel).solved:
                        found.setdefault(exercise.name, []).append(where)
    return found

"""Arrange the lines of a kernel before writing it: a Parsons problem, under the hardest workshops. Lessons 03 and 04.

    arrange("03.linear_forward", "")               # shows the lines, each with a letter
    arrange("03.linear_forward", "C A F …")        # names the first line that is wrong

The lines are those of the kernel as students type it, shuffled. Among them stand wrong ones, which students have
written: each is one of the recorded mistakes (mistakes/), with its hint. It is all text, so that it works in a browser
page, in print and with a screen reader. After D. Parsons, P. Haden, "Parson's programming puzzles", 2006.
"""

from __future__ import annotations

import functools
import hashlib
import html
import random
import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from string import ascii_uppercase
from typing import Any

from IPython.display import display

from nnlib.mine import PIECES
from nnlib.mine.contract import Piece
from nnlib.support import packed

# Which recorded mistakes stand among the lines: what is written in place of the right words.
WRONG = {
    "03.linear_forward": ("row = blockIdx.y", "start++", "w_tile[i][tx]", "y[out * N + n]"),
    "04.softmax_cross_entropy": (
        "largest = 0.0f",
        "int offset = 8; offset > 0; offset /= 2) sum",
        "logf(sum) + largest",
        "if (threadIdx.x == 0) losses",
    ),
}
TRIES = 2  # wrong orders before a hint
_FIXED = re.compile(r"__syncthreads")  # no line changes places with one of these
_BARRIER_FIRST = re.compile(r"(\{\n)(__syncthreads)")
_BARRIER_LAST = re.compile(r"\{\n((?:[^{}]*\n)?)(__syncthreads.*\n)\}")
_COMMON = re.compile(r"\[|__")  # memory and shuffles: never before a thread may return


@dataclass(frozen=True)
class Problem:
    """The head of a kernel and its lines, wrong ones among them; what is right is known by digests only.

    shuffled: all lines, the same for everybody, so that a class can talk about line C. hints: of a wrong line's digest.
    right: of every group of lines that a right order can begin with. Two statements may change places where neither
    sets what the other uses, so several orders are right.
    """

    head: str
    shuffled: tuple[str, ...]
    hints: dict[str, str] = field(hash=False, repr=False)
    right: frozenset[str] = field(repr=False)

    @property
    def length(self) -> int:
        """Return how many lines the kernel has."""
        return len(self.shuffled) - len(self.hints)

    def first_wrong(self, order: Iterable[str]) -> tuple[int, str] | None:
        """Return the index of the first wrong line, from 0, and what is wrong with it; None where all are right."""
        placed: list[str] = []
        for k, line in enumerate(order):
            if hint := self.hints.get(_digest([line])):
                return k, hint
            if placed.count(line) == self.shuffled.count(line):
                return k, "This line stands there once more than in the kernel."
            if not self._begins([*placed, line]):
                return k, "Another line must come before this one" + self._named_before(
                    line, placed
                )
            placed.append(line)
        return None

    def _begins(self, lines: list[str]) -> bool:
        opened: list[list[str]] = []
        marked = _BARRIER_FIRST.sub(r"\1first \2", "\n".join(lines)).splitlines()
        for line in marked:
            for group in opened:
                group.append(line)
            if line.endswith("{"):
                opened.append([line])
            elif line.startswith("}") and opened:
                opened.pop()
        return _digest(marked, *opened) in self.right

    def _named_before(self, line: str, placed: list[str]) -> str:
        """Name a line that can come next and must come before this one. A missing } is only hinted at."""
        following = [each for each in self.shuffled if self._begins([*placed, each])]
        if "}" in following:
            return ". Which brace is still open?"
        before = [each for each in following if not _commute(each, line)]
        return f": {before[0]}" if before else "."


def _digest(*groups: list[str]) -> str:
    return hashlib.sha256(
        "\n\n".join("\n".join(sorted(lines)) for lines in groups).encode()
    ).hexdigest()


@functools.cache
def problem(name: str) -> Problem:
    """Return the Parsons problem of a workshop. Raise KeyError, which names them all, where it has none."""
    if name not in WRONG:
        raise KeyError(f"no lines to arrange for {name!r}; there are: {', '.join(WRONG)}")
    recorded = packed.load(Path(__file__).with_suffix(".json"))
    if recorded:  # a students' package, which has neither the kernels nor the mistakes
        of = recorded[name]
        return Problem(of["head"], tuple(of["shuffled"]), of["hints"], frozenset(of["right"]))
    head, lines = right_order(name)
    wrong = dict(_wrong_line(PIECES[name.split(".")[1]], lines, words) for words in WRONG[name])
    mixed = [*lines, *wrong]
    random.Random(head).shuffle(mixed)
    return Problem(
        head,
        tuple(mixed),
        {_digest([line]): hint for line, hint in wrong.items()},
        frozenset(
            _digest(*([order[place] for place in group] for group in groups))
            for order in (lines, _with_barrier_first(lines))
            for groups in _beginnings(order)
        ),
    )


def right_order(name: str) -> tuple[str, tuple[str, ...]]:
    """Return the head of a workshop's kernel and its lines as students type them. It needs the whole package."""
    from nnlib.course.exercises.mistakes import usual_text

    return _parts(usual_text(PIECES[name.split(".")[1]]))


def _parts(text: str) -> tuple[str, tuple[str, ...]]:
    """Split a kernel into its head and its lines, with T, the width of a tile, replaced by its number as in the workshop."""
    if defined := re.search(r"#define T (\d+)\n", text):
        width = int(defined[1])
        near = {"T - 1": width - 1, "T + 1": width + 1, "T": width}
        text = re.sub(
            r"\bT( [+-] 1)?\b", lambda found: str(near[found[0]]), text.replace(defined[0], "")
        )
    head, body = re.split(r"(?<=\n\{)\n", text, maxsplit=1)
    return head, tuple(
        line.strip() for line in body.rstrip().removesuffix("}").strip().splitlines()
    )


def _with_barrier_first(lines: tuple[str, ...]) -> tuple[str, ...]:
    """Move the barrier that ends a loop to its beginning, where it parts the iterations as well, and mark it."""
    return tuple(_BARRIER_LAST.sub(r"{\nfirst \2\1}", "\n".join(lines)).splitlines())


# What stands there, then what of it stands in each loop that is not closed
_Begun = tuple[frozenset[int], ...]


def _beginnings(lines: tuple[str, ...]) -> set[_Begun]:
    """Return the groups of lines with which a right order can begin. The lines of a loop stay together."""
    return _begun(lines, range(len(lines))) - {(frozenset(),)}


def _begun(lines: tuple[str, ...], places: Sequence[int]) -> set[_Begun]:
    """Return the groups of statements at these places that can begin a right order, the empty one included."""
    parts = _statements(lines, places)
    before = [
        {
            place
            for part in parts[:k]
            for place in part
            if not all(_commute(lines[one], lines[other]) for one in part for other in whole)
        }
        for k, whole in enumerate(parts)
    ]
    found: set[_Begun] = {(frozenset(),)}
    waiting = [frozenset[int]()]
    while waiting:
        group = waiting.pop()
        for part, needed in zip(parts, before, strict=True):
            if not group.isdisjoint(part) or not needed <= group:
                continue
            for inner in _begun(lines, part[1:-1]) if len(part) > 1 else ():
                inside = inner[0] | {part[0]}
                found.add((group | inside, inside, *inner[1:]))
            if (longer := group | {*part},) not in found:
                found.add((longer,))
                waiting.append(longer)
    return found


def _statements(lines: tuple[str, ...], places: Sequence[int]) -> list[list[int]]:
    """Return the places of each statement: a line, or a loop from its head to its last bracket."""
    found: list[list[int]] = []
    depth = 0
    for place in places:
        if depth:
            found[-1].append(place)
        else:
            found.append([place])
        depth += lines[place].count("{") - lines[place].count("}")
    return found


def record() -> dict[str, Any]:
    """Return all problems, for the students' package."""
    return {name: asdict(problem(name)) | {"right": sorted(problem(name).right)} for name in WRONG}


def _wrong_line(piece: Piece, lines: tuple[str, ...], words: str) -> tuple[str, str]:
    """Return the line that the recorded mistake with these words changes, and the mistake's hint."""
    from nnlib.course.exercises.mistakes import mistakes, usual_text

    mistake = next(
        each for each in mistakes(piece) if [words] == [wrong for _, wrong in each.changes]
    )
    return next(
        line for line in _parts(mistake.made_in(usual_text(piece)))[1] if line not in lines
    ), mistake.hint


def _commute(one: str, other: str) -> bool:
    """Return whether two statements do the same in either order."""
    if _FIXED.search(one) or _FIXED.search(other):
        return False
    if any(
        "return" in first and _COMMON.search(second)
        for first, second in ((one, other), (other, one))
    ):
        return False
    return not (_sets(one) & _names(other) or _sets(other) & _names(one))


def _names(line: str) -> set[str]:
    """Return the variables of a statement, without those of its own loop."""
    return set(re.findall(r"[A-Za-z_]\w*", line)) - set(re.findall(r"\(int (\w+)", line))


def _sets(line: str) -> set[str]:
    """Return the variables that a statement assigns or declares."""
    declared = re.findall(r"(\w+)(?:\[[^]]*\])+[,;]", line) if line.startswith("__shared__") else []
    return _names(line) & {*re.findall(r"(\w+)(?:\[[^]]*\])* [+-]?= ", line), *declared}


def arrange(name: str, order: str = "") -> None:
    """Show the shuffled lines of a workshop's kernel, or say what is wrong with an order of them.

    order: letters of the lines, from the first line on, such as "C A F"; some of the lines belong nowhere. A hint
    follows after two wrong orders. KeyError where the workshop has no lines to arrange.
    """
    asked = problem(name)
    known = ascii_uppercase[: len(asked.shuffled)]
    letters = re.findall(r"[A-Z]", order.upper())
    strange = [letter for letter in letters if letter not in known]
    if strange:
        display(_Text(f"There is no line {strange[0]}: the lines are A to {known[-1]}."))
    elif letters:
        lines = [asked.shuffled[known.index(letter)] for letter in letters]
        display(
            _Text(_verdict(name, asked, letters, lines), "\n".join([asked.head, *_indented(lines)]))
        )
    else:
        shown = "\n".join(
            f"{letter}  {line}" for letter, line in zip(known, asked.shuffled, strict=True)
        )
        display(
            _Text(
                f"{asked.length} of these lines make the kernel, {len(asked.hints)} contain a mistake. Type "
                "the letters of the right ones, in their order, between the quotes.",
                f"{asked.head}\n\n{shown}\n\n}}",
            )
        )


_tried: dict[str, set[str]] = {}  # problem -> the wrong orders of this session


def _verdict(name: str, asked: Problem, letters: list[str], lines: list[str]) -> str:
    """Judge an order in one or two sentences."""
    found = asked.first_wrong(lines)
    if found is None and len(lines) < asked.length:
        return f"Right so far: {len(lines)} of {asked.length} lines. Which one is next?"
    if found is None:
        return (
            f"✓ All {len(lines)} lines are in a correct order. Now write the kernel in the cell of the workshop, "
            "without looking."
        )
    at, why = found
    orders = _tried.setdefault(name, set())
    orders.add("".join(letters))
    said = f"✗ The first wrong line is number {at + 1}, {letters[at]}: {lines[at]}"
    return f"{said}\n  Hint: {why}" if len(orders) >= TRIES else said


def _indented(lines: list[str]) -> list[str]:
    """Indent lines as in a kernel, by four spaces for each open brace."""
    depth, shown = 1, []
    for line in lines:
        depth -= line.startswith("}")
        shown.append("    " * max(depth, 1) + line)
        depth += line.endswith("{")
    return shown


class _Text:
    """A sentence, and lines of code below it."""

    def __init__(self, said: str, code: str = "") -> None:
        self.said, self.code = said, code

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        said = "".join(f"<p>{html.escape(line)}</p>" for line in self.said.splitlines())
        code = f"<pre>{html.escape(self.code)}</pre>" if self.code else ""
        return {
            "text/html": f'<div class="nn-arrange">{said}{code}</div>',
            "text/plain": "\n\n".join(filter(None, (self.said, self.code))),
        }

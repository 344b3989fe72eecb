"""`nnlib similar`: which answers in a folder of handed-in notebooks look like copies of each other.

What the lessons themselves show is taken out first. A high score is a reason to ask two students about their code, and
no proof: short kernels have few ways to be right.
"""

from __future__ import annotations

import ast
import dataclasses
import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from nnlib.course.exercises import parsons
from nnlib.cuda.text import kernel_names
from nnlib.teaching import options
from nnlib.teaching.cells import is_solution, read
from nnlib.teaching.checkout import lessons
from nnlib.teaching.copies import student_copy
from nnlib.teaching.marking.submission import NoAnswerError, Submission
from nnlib.teaching.options import LEAST_SCORE
from nnlib.teaching.similar.tokens import normalised
from nnlib.teaching.similar.winnowing import Fingerprints, fingerprints, likeness, without

LEAST_PRINTS = 10  # with fewer fingerprints of its own an answer says nothing
COURSE = "the course's solution"

__all__ = ["Answer", "Pair", "answers", "main", "pairs", "report"]


@dataclasses.dataclass(frozen=True)
class Answer:
    """One answer of somebody. name: of its kernel or function. prints: without what the lessons show."""

    author: str
    name: str
    text: str
    prints: Fingerprints


@dataclasses.dataclass(frozen=True)
class Pair:
    """Two answers to the same exercise that look alike, with a score of 0 to 1."""

    one: Answer
    other: Answer

    @property
    def score(self) -> float:
        """The share of the smaller one's fingerprints that both have."""
        return likeness(self.one.prints, self.other.prints)

    def shared(self) -> Iterator[tuple[Answer, list[tuple[int, str]]]]:
        """Of each of the two, the lines in which shared fingerprints lie: number and text."""
        marks = self.one.prints.keys() & self.other.prints.keys()
        for answer in (self.one, self.other):
            numbers = sorted(set().union(*(answer.prints[mark] for mark in marks)))
            text = answer.text.split("\n")
            yield answer, [(number, text[number - 1]) for number in numbers]


def answers(author: str, cells: Iterable[str], shown: Iterable[int] = ()) -> list[Answer]:
    """The kernels and functions of these cells, without the fingerprints that the lessons show."""
    known = frozenset(shown)
    found = {
        name: (text, language) for cell in cells for name, text, language in _texts(cell)
    }  # the last one counts
    return [
        Answer(author, name, text, without(fingerprints(normalised(text, language)), known))
        for name, (text, language) in found.items()
    ]


def pairs(found: Sequence[Answer], least: float = LEAST_SCORE) -> list[Pair]:
    """Answers of two authors to the same exercise that score so much, the most alike first."""
    by_name: dict[str, list[Answer]] = {}
    for answer in found:
        if len(answer.prints) >= LEAST_PRINTS:
            by_name.setdefault(answer.name, []).append(answer)
    together = [
        Pair(*two)
        for same in by_name.values()
        for two in itertools.combinations(same, 2)
        if two[0].author != two[1].author
    ]
    return sorted(
        (pair for pair in together if pair.score >= least),
        key=lambda pair: (-pair.score, pair.one.name, pair.one.author, pair.other.author),
    )


def report(found: Sequence[Pair]) -> str:
    """A table of the pairs, then the shared lines of each."""
    table = ["score  exercise              pair"]
    table += [
        f"{pair.score:5.0%}  {pair.one.name:<20}  {pair.one.author} — {pair.other.author}"
        for pair in found
    ]
    for pair in found:
        table.append(
            f"\n{pair.one.name}: {pair.one.author} — {pair.other.author}, {pair.score:.0%}"
        )
        for answer, lines in pair.shared():
            table.append(f"  {answer.author}")
            table += [f"  {number:4}  {text.rstrip()}" for number, text in lines]
    return "\n".join(table) + "\n"


def shown_by_lessons() -> set[int]:
    """Fingerprints of everything that students are handed out."""
    copies = [student_copy(read(path)) for path in lessons("nnlib similar")]
    cells = [
        cell.source for notebook in copies for cell in notebook.cells if cell.cell_type == "code"
    ]
    fenced = [
        block
        for notebook in copies
        for cell in notebook.cells
        if cell.cell_type == "markdown"
        for block in re.findall(r"```\w*\n(.*?)```", cell.source, re.DOTALL)
    ]
    arranged = [
        "\n".join([head, *lines]) for head, lines in map(parsons.right_order, parsons.WRONG)
    ]
    return {
        mark
        for source in [*map(_without_magic, cells), *fenced, *arranged]
        for language in ("cuda", "python")
        for mark in fingerprints(normalised(source, language))
    }


def course_answers(shown: Iterable[int]) -> list[Answer]:
    """What stands in the lessons' folded solutions."""
    solved = [
        [cell.source for cell in read(path).cells if is_solution(cell)]
        for path in lessons("nnlib similar")
    ]
    return [
        dataclasses.replace(answer, name=answer.name.removesuffix("_solved"))
        for cells in solved
        for answer in answers(COURSE, cells, shown)
    ]


def _without_magic(cell: str) -> str:
    return re.sub(r"\A%%.*", "", cell)


def _texts(cell: str) -> Iterator[tuple[str, str, str]]:
    """Name, text and language of what a cell defines."""
    if cell.startswith("%%cuda"):
        text = _without_magic(cell)
        for name in kernel_names(text):
            yield name, text, "cuda"
    elif not cell.startswith("%%"):
        source = re.sub(r"(?m)^\s*[%!].*$", "", cell)
        try:
            tree = ast.parse(source)
        except (SyntaxError, ValueError, MemoryError, RecursionError):
            return
        for statement in tree.body:
            if isinstance(statement, ast.FunctionDef):
                yield statement.name, ast.get_source_segment(source, statement) or "", "python"


def _author(path: Path, folder: Path) -> str:
    """The folder of a student, as nbgrader and otter have them; else the file's name."""
    parts = path.relative_to(folder).parts
    return parts[0] if len(parts) > 1 else path.stem


def main(arguments: list[str] | None = None) -> None:
    """The command `nnlib similar`."""
    parser = options.similar()
    chosen = parser.parse_args(arguments)
    paths = [
        path
        for path in sorted(chosen.folder.rglob("*.ipynb"))
        if ".ipynb_checkpoints" not in path.parts
    ]
    if not paths:
        parser.error(f"no notebook is in {chosen.folder}")
    shown = shown_by_lessons()
    found = course_answers(shown)
    for path in paths:
        try:
            found += answers(_author(path, chosen.folder), Submission.read(path).cells, shown)
        except NoAnswerError as error:
            print(f"{path} was left out: {error}")
    print(report(pairs(found, chosen.least)), end="")

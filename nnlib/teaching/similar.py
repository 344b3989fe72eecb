"""`nnlib similar`: which answers in a folder of handed-in notebooks look like copies of each other.

copydetect compares them twice. As they were typed, a copy is found unless it is short. With all names alike and without
comments and layout, a renamed copy is found where the answer is long: independent short answers are equal then. All of
a notebook counts as one long answer, too: it tells a copier who rewrites loops. What the lessons show is taken out first,
and so is what many students wrote. A high score is a reason to ask, no proof.
"""

from __future__ import annotations

import ast
import csv
import io
import itertools
import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path

from copydetect import CodeFingerprint, compare_files
from copydetect.utils import get_token_coverage

from nnlib import mine
from nnlib.course.exercises import parsons
from nnlib.cuda.text import kernel_names
from nnlib.support import files
from nnlib.teaching import options
from nnlib.teaching.cells import is_solution, read
from nnlib.teaching.checkout import lessons
from nnlib.teaching.copies import student_copy
from nnlib.teaching.marking.marks import HandedIn, lesson_of, shown_as_text
from nnlib.teaching.marking.submission import NoAnswerError, Submission

K = 25  # characters of a match
# Names alike? -> characters of its own that an answer needs. Independent plain convolutions have 370, and score 98 %.
LEAST_OWN = {True: 400, False: 300}
# Least score of a copy as it was typed: what is left of the same signature scores 86 %
TYPED = 0.95
SHARED = 0.2  # of the class, above which a passage is nobody's own; and MANY students at least
MANY = 5
COURSE = "the course's solution"


@dataclass(frozen=True)
class Answer:
    """One answer of somebody. name: of its kernel or function. prints: copydetect's, for names alike and as typed."""

    author: str
    name: str
    prints: Mapping[bool, CodeFingerprint]


@dataclass(frozen=True)
class Pair:
    """Two answers to the same exercise. score: the share of the shorter one's own text that both have."""

    one: Answer
    other: Answer
    score: float
    renamed: bool

    def lines(self) -> Iterator[str]:
        """Yield the passages that both have, as each of the two wrote them."""
        prints = [answer.prints[self.renamed] for answer in (self.one, self.other)]
        _, _, slices = compare_files(*prints)
        for answer, own, found in zip((self.one, self.other), prints, slices, strict=True):
            yield f"  {answer.author}"
            for begin, end in sorted(found.T.astype(int).tolist()):
                yield from (f"    {line}" for line in own.raw_code[begin:end].split("\n"))


def answers(author: str, cells: Iterable[str]) -> list[Answer]:
    """Return the kernels and functions of these cells; of several with one name, the last."""
    found = {name: (text, kind) for cell in cells for name, text, kind in _texts(cell)}
    return [Answer(author, name, _prints(text, kind)) for name, (text, kind) in found.items()]


def whole(author: str, lesson: str | None, own: Iterable[Answer], natural: Set[int]) -> Answer:
    """Return all answers of a notebook as one, without the natural passages."""
    text = "\n".join(answer.prints[True].raw_code for answer in own)
    together = Answer(author, f"all of lesson {lesson}", _prints(text, "cu"))
    for prints in together.prints.values():
        _without(prints, natural)
    return together


def _prints(text: str, kind: str) -> dict[bool, CodeFingerprint]:
    return {
        alike: CodeFingerprint(f"answer.{kind}", K, 1, filter=alike, fp=io.StringIO(text))
        for alike in LEAST_OWN
    }


def pairs(found: Sequence[Answer], shown: Iterable[int], least: float) -> list[Pair]:
    """Return the answers of two authors that score so much, the most alike first.

    shown: passages that the lessons show. Answers of which too little remains are left out.
    """
    by_name: dict[str, list[Answer]] = defaultdict(list)
    for answer in found:
        by_name[answer.name].append(answer)
    alike = []
    for same in by_name.values():
        _take_out(same, {*shown})
        for one, other in itertools.combinations(same, 2):
            if one.author != other.author and (views := [*_views(one, other, least)]):
                alike.append(max(views, key=lambda pair: pair.score))
    return sorted(alike, key=lambda pair: (-pair.score, pair.one.name, pair.one.author))


def _views(one: Answer, other: Answer, least: float) -> Iterator[Pair]:
    """Yield the pair as it was typed and with names alike, where it scores enough."""
    for alike, own in LEAST_OWN.items():
        prints = one.prints[alike], other.prints[alike]
        if min(each.token_coverage for each in prints) >= own:
            score = min(1, max(compare_files(*prints)[1]))
            if score >= (least if alike else max(least, TYPED)):
                yield Pair(one, other, score, alike)


def _take_out(same: Sequence[Answer], shown: set[int]) -> None:
    """Take passages out that are nobody's own: shown by the lessons, or written by many."""
    for alike in LEAST_OWN:
        found = [answer.prints[alike] for answer in same]
        times = Counter(mark for prints in found for mark in prints.hashes)
        many = max(MANY, SHARED * len(same))
        known = shown | {mark for mark, count in times.items() if count > many}
        for prints in found:
            _without(prints, known)


def _without(prints: CodeFingerprint, known: Set[int]) -> None:
    for mark in prints.hashes & known:
        del prints.hash_idx[mark]
    prints.hashes = {*prints.hash_idx}
    coverage = get_token_coverage(prints.hash_idx, K, len(prints.filtered_code))
    prints.token_coverage = coverage


def groups(found: Sequence[Pair]) -> list[list[Pair]]:
    """Put pairs of one exercise together that have an author in common, directly or through others.

    found: the most alike first, and so are the groups.
    """
    group_of: dict[tuple[str, str], int] = {}
    for number, pair in enumerate(found):
        ends = [(pair.one.name, end.author) for end in (pair.one, pair.other)]
        touched = {group_of[end] for end in ends if end in group_of}
        ends += [end for end, group in group_of.items() if group in touched]
        group_of |= dict.fromkeys(ends, number)
    together: dict[int, list[Pair]] = defaultdict(list)
    for pair in found:
        together[group_of[pair.one.name, pair.one.author]].append(pair)
    return [*together.values()]


def _authors(group: Sequence[Pair]) -> list[str]:
    return sorted({end.author for pair in group for end in (pair.one, pair.other)})


def report(found: Sequence[Pair], lines: bool) -> str:
    """Return groups, then pairs; with the passages of each where `lines` are wanted."""
    if not found:
        return "no two answers look like copies\n"
    table = ["score     exercise              group"]
    for group in groups(found):
        scores = sorted(pair.score for pair in group)
        table.append(
            f"{scores[0]:4.0%}–{scores[-1]:<4.0%} {group[0].one.name:<21} {', '.join(_authors(group))}"
        )
    for pair in found if lines else ():
        table.append(f"\n{pair.one.name}: {pair.one.author}, {pair.other.author}, {pair.score:.0%}")
        table += pair.lines()
    return "\n".join(table) + "\n"


def write_table(found: Sequence[Pair], path: Path) -> None:
    """Write a CSV with a row for each pair: exercise, number of its group, the two, their score."""
    with (
        files.replacing(path) as fresh,
        fresh.open("w", encoding="utf-8", errors="backslashreplace", newline="") as file,
    ):
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["exercise", "group", "one", "other", "score"])
        for number, group in enumerate(groups(found), 1):
            for pair in group:
                ends = map(shown_as_text, (pair.one.author, pair.other.author))
                table.writerow([pair.one.name, number, *ends, f"{pair.score:.2f}"])


def shown_by_lessons() -> set[int]:
    """Return the passages of everything that students are handed out."""
    cells = [cell for path in lessons("nnlib similar") for cell in student_copy(read(path)).cells]
    code = [_without_magic(cell.source) for cell in cells if cell.cell_type == "code"]
    for cell in cells:
        if cell.cell_type == "markdown":
            code += re.findall(r"```\w*\n(.*?)```", cell.source, re.DOTALL)
    code += ["\n".join([head, *lines]) for head, lines in map(parsons.right_order, parsons.WRONG)]
    return {
        mark
        for text in code
        for kind in ("cu", "py")
        for prints in _prints(text, kind).values()
        for mark in prints.hashes
    }


def course_answers() -> list[Answer]:
    """Return what stands in the lessons' folded solutions."""
    return [
        Answer(COURSE, answer.name.removesuffix("_solved"), answer.prints)
        for path in lessons("nnlib similar")
        for answer in answers(
            COURSE, [cell.source for cell in read(path).cells if is_solution(cell)]
        )
    ]


def natural_passages(solutions: Iterable[Answer]) -> set[int]:
    """Return what is in these solutions or in a plain version: many would write it so."""
    texts = [answer.prints[True].raw_code for answer in solutions]
    texts += [piece.plain for piece in mine.PIECES.values()]
    return {mark for prints in _prints("\n".join(texts), "cu").values() for mark in prints.hashes}


def _without_magic(cell: str) -> str:
    return re.sub(r"\A%%.*", "", cell)


def _texts(cell: str) -> Iterator[tuple[str, str, str]]:
    """Yield name, text and kind of what a cell defines."""
    if cell.startswith("%%cuda"):
        text = _without_magic(cell)
        for name in kernel_names(text):
            yield name, text, "cu"
    elif not cell.startswith("%%"):
        source = re.sub(r"(?m)^\s*[%!].*$", "", cell)
        try:
            tree = ast.parse(source)
        except Exception:  # of many kinds: a student may have written anything
            return
        for statement in tree.body:
            if isinstance(statement, ast.FunctionDef):
                yield statement.name, ast.get_source_segment(source, statement) or "", "py"


def main(arguments: list[str] | None = None) -> None:
    """Run the command `nnlib similar`."""
    parser = options.similar()
    chosen = parser.parse_args(arguments)
    paths = sorted(
        Path(folder, file)
        for folder, _, found in os.walk(chosen.folder, onerror=print)
        for file in found
        if file.endswith(".ipynb") and ".ipynb_checkpoints" not in folder
    )
    if not paths:
        parser.error(f"no notebook is in {chosen.folder}")
    found = course_answers()
    natural = natural_passages(found)
    for path in paths:
        try:
            author = HandedIn(str(path.relative_to(chosen.folder)), "", 0).student
            own = answers(author, Submission.read(path).cells)
            found += own
            if len(own) > 1:
                found.append(whole(author, lesson_of(path.name), own, natural))
        except NoAnswerError as error:
            print(f"{path} was left out: {error}")
    alike = pairs(found, shown_by_lessons(), chosen.least)
    print(report(alike, chosen.lines).replace("\x1b", "\\x1b"), end="")
    if chosen.csv:
        write_table(alike, chosen.csv)

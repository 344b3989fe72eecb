"""A paper: questions drawn from the bank, its solutions and its marking scheme, as Markdown."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from nnlib.lessons import LESSONS
from nnlib.teaching.exam.question import BANK, ExamQuestion, Item
from nnlib.teaching.options import MINUTES

READING = 6  # minutes before the first question, and once more at the end
SHARES = {"write": 0.3, "repair": 0.16, "profile": 0.08}  # of the minutes, at least where they fit
SPACE = {"arithmetic": 0.7, "write": 0.85, "repair": 0.8, "profile": 0.7}  # cm for each minute


@dataclass(frozen=True)
class Paper:
    """What a seed draws. questions: each with its item, in the order of the lessons."""

    seed: int
    questions: Sequence[tuple[ExamQuestion, Item]]

    @property
    def minutes(self) -> int:
        """What its questions need, and READING."""
        return READING + self.points

    @property
    def points(self) -> int:
        """One for each minute of a question."""
        return sum(asked.minutes for asked, _ in self.questions)


@dataclass(frozen=True)
class Heading:
    """What the top of a paper says, and which share of its points each grade needs."""

    course: str = "CUDA from scratch"
    date: str = ""
    grades: Mapping[str, float] = field(default_factory=lambda: {"passed": 50})


def draw(
    seed: int,
    lessons: Sequence[str] = (),
    minutes: int = MINUTES,
    bank: Mapping[str, ExamQuestion] = BANK,
) -> Paper:
    """Draw the paper of that seed: as many questions of each lesson as of any other, or nearly, and all KINDS.

    lessons: two digits each; where none is named, all but those that are a bonus. Raises ValueError for a lesson
    without questions, and WrongAnswerError where a solution is not what a run gives.
    """
    rng = random.Random(seed)
    lessons = lessons or [lesson.number for lesson in LESSONS if not lesson.bonus]
    left = {name: asked for name, asked in sorted(bank.items()) if asked.lesson in lessons}
    if missing := set(lessons) - {asked.lesson for asked in left.values()}:
        raise ValueError(f"the bank has no questions on lesson {min(missing)}")
    chosen: list[ExamQuestion] = []

    def take(kinds: Iterable[str], room: float) -> None:
        """Add questions of these kinds, each on a lesson that has the fewest so far, while they fit."""
        while fitting := [
            asked for asked in left.values() if asked.asks in kinds and asked.minutes <= room
        ]:
            had = {one: sum(asked.lesson == one for asked in chosen) for one in lessons}
            least = min(had[asked.lesson] for asked in fitting)
            asked = rng.choice([asked for asked in fitting if had[asked.lesson] == least])
            chosen.append(left.pop(asked.name))
            room -= asked.minutes

    for kind, share in SHARES.items():
        longest = max((asked.minutes for asked in left.values() if asked.asks == kind), default=0)
        used = sum(asked.minutes for asked in chosen)
        take([kind], min(max(share * minutes, longest), minutes - READING - used))
    take(["arithmetic"], minutes - READING - sum(asked.minutes for asked in chosen))
    chosen.sort(key=lambda asked: asked.name)
    return Paper(seed, [(asked, asked.item(seed)) for asked in chosen])


def questions(paper: Paper, heading: Heading | None = None) -> str:
    """Return what students get."""
    top = heading or Heading()
    numbers = range(1, len(paper.questions) + 1)
    parts = [
        f"# {top.course}: exam {paper.seed}",
        "| name | student number | date |\n| --- | --- | --- |\n"
        f"| {60 * '&nbsp;'} | {30 * '&nbsp;'} | {top.date or 24 * '&nbsp;'} |",
        _table(
            ["question", *map(str, numbers), "all"],
            ["points", *(str(asked.minutes) for asked, _ in paper.questions), str(paper.points)],
            ["yours", *(len(numbers) + 1) * ["&nbsp;"]],
        ),
        f"{paper.minutes} minutes, {paper.points} points: about one for each minute. Show how you got each "
        "number, since each step earns points. A warp has 32 threads, a float 4 bytes, a sector 32 bytes; "
        "shared memory has 32 banks of 4 bytes. Kernels are CUDA C. A missing semicolon costs nothing. You may "
        "use one handwritten page and a calculator.",
    ]
    for number, (asked, item) in enumerate(paper.questions, 1):
        room = asked.front.get("space", SPACE[asked.asks] * asked.minutes)
        parts += [
            f"## {number} ({asked.minutes} points)",
            item.text,
            f'<div class="space" style="height: {room:.1f}cm"></div>',
        ]
    return _joined(parts)


def solutions(paper: Paper, heading: Heading | None = None) -> str:
    """Return what the teacher gets: the points of each step of each question, and the points for each grade."""
    top = heading or Heading()
    parts = [
        f"# {top.course}: exam {paper.seed}, solutions and marking scheme",
        "Give the points of a line to every answer that says the same in other words, to a kernel that does the "
        "same in another way, and to a number that follows correctly from an earlier mistake.",
    ]
    for number, (asked, item) in enumerate(paper.questions, 1):
        lines = [
            f"- {mark} ({points})"
            for mark, points in zip(item.marks, asked.points(item), strict=True)
        ]
        parts += [
            f"## {number} (lesson {asked.lesson}, {asked.minutes} points: {asked.asks})",
            *filter(None, [item.code]),
            "\n".join(lines),
        ]
    least = [[name, str(-int(-paper.points * share // 100))] for name, share in top.grades.items()]
    parts += ["## Grades", f"Of {paper.points} points:", _table(["grade", "from"], *least)]
    return _joined(parts)


def _table(head: Sequence[str], *lines: Sequence[str]) -> str:
    """Return a Markdown table."""
    return "\n".join(f"| {' | '.join(line)} |" for line in (head, len(head) * ["---"], *lines))


def _joined(parts: Sequence[str]) -> str:
    """Join a paper; before a number below zero, but not in code, a minus sign takes the hyphen's place."""
    return (
        re.sub(
            r"```.*?```|`[^`]*`|\$[^$]*\$|</?[a-z][^<>]*>|(?<![\w.)\]])-(?=\.?\d)",
            lambda found: "−" if found[0] == "-" else found[0],
            "\n\n".join(parts),
            flags=re.DOTALL,
        )
        + "\n"
    )

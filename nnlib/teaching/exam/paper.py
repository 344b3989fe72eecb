"""A paper: questions drawn from the bank, its solutions and its marking scheme, as Markdown."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from nnlib.lessons import LESSONS
from nnlib.teaching.exam.question import BANK, ExamQuestion, Item
from nnlib.teaching.filling import TEMPLATES, filled
from nnlib.teaching.options import MINUTES

READING = 6  # minutes before the first question, and once more at the end
SHARES = {"write": 0.3, "repair": 0.16, "profile": 0.08}  # of the minutes, at least where they fit


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


def written(template: str, heading: Heading | None = None, **values: Any) -> str:
    """Return a paper from its template; before a number below zero, not in code, a hyphen becomes a minus sign."""
    path = TEMPLATES / "papers" / f"{template}.md"
    return re.sub(
        r"```.*?```|`[^`]*`|\$[^$]*\$|</?[a-z][^<>]*>|(?<![\w.)\]])-(?=\.?\d)",
        lambda found: "−" if found[0] == "-" else found[0],
        filled(path, heading=heading or Heading(), **values),
        flags=re.DOTALL,
    )


def questions(paper: Paper, heading: Heading | None = None) -> str:
    """Return what students get."""
    return written("exam", heading, paper=paper)


def solutions(paper: Paper, heading: Heading | None = None) -> str:
    """Return what the teacher gets: the points of each step of each question, and the points for each grade."""
    return written("exam-solutions", heading, paper=paper)

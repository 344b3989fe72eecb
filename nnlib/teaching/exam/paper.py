"""A paper: questions drawn from the bank, its solutions and its marking scheme, as Markdown."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from nnlib.lessons import LESSONS
from nnlib.teaching.exam.question import BANK, KINDS, ExamQuestion, Item
from nnlib.teaching.filling import TEMPLATES, filled
from nnlib.teaching.options import MINUTES

READING = 6  # minutes before the first question, and once more at the end
TRIES = 200  # to choose questions on all topics


@dataclass(frozen=True)
class Paper:
    """What a seed draws. questions: each with its item, in the order of the lessons."""

    seed: object
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
    seed: object,
    lessons: Sequence[str] = (),
    minutes: int = MINUTES,
    bank: Mapping[str, ExamQuestion] = BANK,
) -> Paper:
    """Draw the paper of that seed: of each lesson as many questions as of any other, or nearly, all KINDS, all topics.

    A letter behind the seed, as in 7B, asks the same questions, with other numbers where they have some.
    lessons: two digits each; where none is named, all but those that are a bonus. A topic of theirs is missing only
    where the minutes are too few for all of them. Raises ValueError for a lesson without questions, and
    WrongAnswerError where a solution is not what a run gives.
    """
    number = re.sub(r"\D", "", f"{seed}")
    rng = random.Random(number)
    lessons = lessons or [lesson.number for lesson in LESSONS if not lesson.bonus]
    asked = [bank[name] for name in sorted(bank) if bank[name].lesson in lessons]
    if missing := set(lessons) - {one.lesson for one in asked}:
        raise ValueError(f"the bank has no questions on lesson {min(missing)}")
    topics = {one.topic for one in asked}
    for _ in range(TRIES):
        chosen = _fill(rng, minutes, asked)
        if topics <= {None, *(one.topic for one in chosen)}:
            break
    chosen.sort(key=lambda one: one.name)
    return Paper(seed, [(one, one.item(seed, number)) for one in chosen])


def _fill(rng: random.Random, minutes: int, asked: Sequence[ExamQuestion]) -> list[ExamQuestion]:
    """Fill the minutes, kind by kind, with questions on the lessons that have the fewest so far, whatever their topics.

    No two share an idea, since one of them might give away the other's answer.
    """
    left, chosen = asked, list[ExamQuestion]()
    used = READING
    for kind, share in KINDS.items():
        longest = max((one.minutes for one in left if one.asks == kind), default=0)
        until = min(used + max(share * minutes, longest), minutes)
        while fitting := [one for one in left if one.asks == kind and used + one.minutes <= until]:
            had = Counter(one.lesson for one in chosen)
            least = min(had[one.lesson] for one in fitting)
            one = rng.choice([one for one in fitting if had[one.lesson] == least])
            left = [other for other in left if not other.ideas & one.ideas]
            chosen.append(one)
            used += one.minutes
    return chosen


def written(template: str, heading: Heading, **values: Any) -> str:
    """Return a paper from its template; outside of code and headings, it sets numbers as in −1 and 1,024."""
    return re.sub(
        r"(?s)\A#[^\n]*|```.*?```|`[^`]*`|\$[^$]*\$|</?[a-z][^<>]*>|(?<![\w.)\]])(-)(?=\.?\d)"
        r"|(?<![\w.,-])(\d{4,})(?![\w-])",
        lambda found: "−" if found[1] else f"{int(found[2]):,}" if found[2] else found[0],
        filled(TEMPLATES / "papers" / f"{template}.md", heading=heading, **values),
    )

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

READING = 6  # minutes to read the paper, and to check the answers
TRIES = 40  # to find questions on all topics that fill the time
APART = 3  # papers, such as 30, 31 and 32, that share no question where the bank allows it


@dataclass(frozen=True)
class Paper:
    """What a seed draws. questions: each with its item, in an order that fills pages: a half, whole ones, halves."""

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

    7A is 7; other letters ask the same questions, with numbers that differ as much as they can from all letters before.
    lessons: two digits each; where none is named, all but those that are a bonus. A topic of theirs is missing, or a
    minute left, only where the bank has no other choice. Raises ValueError for a lesson without questions, and
    WrongAnswerError where a solution is not what a run gives.
    """
    lessons = lessons or [lesson.number for lesson in LESSONS if not lesson.bonus]
    asked = [one for one in bank.values() if one.lesson in lessons]
    if missing := set(lessons) - {one.lesson for one in asked}:
        raise ValueError(f"the bank has no questions on lesson {min(missing)}")
    number = int(re.sub(r"\D", "", f"{seed}"))
    rng, before, chosen = random.Random(number // APART), [], list[ExamQuestion]()
    for _ in range(number % APART + 1):
        before += chosen
        chosen = max(  # by lessons and topics, then by minutes, then by what is new
            (_fill(rng, minutes, asked, before) for _ in range(TRIES)),
            key=lambda tried: (
                len({subject for one in tried for subject in (one.lesson, one.topic)}),
                sum(one.minutes for one in tried),
                -sum(one in before for one in tried),
            ),
        )
    group = max(0, int(f"{seed}"[-1], 36) - 10)  # of A, as of a digit, 0
    questions = [(one, one.item(number, group)) for one in sorted(chosen, key=lambda one: one.name)]
    questions.sort(key=lambda found: found[1].whole_page, reverse=True)
    return Paper(seed, [questions.pop(), *questions])  # the first page has room for half a page


def _fill(
    rng: random.Random, minutes: int, left: Sequence[ExamQuestion], before: Sequence[ExamQuestion]
) -> list[ExamQuestion]:
    """Fill the minutes, kind by kind, with questions that are not in `before`, on the lessons that have the fewest.

    No two share an idea: one of them might give away the other's answer, and no idea is worth more than one question.
    """
    minutes -= READING
    chosen = list[ExamQuestion]()
    for kind, each in KINDS.items():
        for _ in range(round(minutes / each)):
            fitting = [one for one in left if one.asks == kind and one.minutes <= minutes]
            if not fitting:
                break
            had = Counter(one.lesson for one in chosen)
            one = min(fitting, key=lambda one: (one in before, had[one.lesson], rng.random()))
            left = [other for other in left if not other.ideas & one.ideas]
            chosen.append(one)
            minutes -= one.minutes
    return chosen


def written(template: str, heading: Heading, **values: Any) -> str:
    """Return a paper from its template; outside of code and headings, it sets numbers as in −1 and 1,024."""
    return re.sub(
        r"(?s)\A#[^\n]*|```.*?```|`[^`]*`|\$[^$]*\$|</?[a-z][^<>]*>|(?<![\w.)\]])(-)(?=\.?\d)"
        r"|(?<![\w.,-])(\d{4,})(?![\w-])",
        lambda found: "−" if found[1] else f"{int(found[2]):,}" if found[2] else found[0],
        filled(TEMPLATES / "papers" / f"{template}.md", heading=heading, **values),
    )

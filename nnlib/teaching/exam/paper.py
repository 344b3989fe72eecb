"""A paper: questions drawn from the bank for 90 minutes, its solutions and its marking scheme, as Markdown."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass

from nnlib.lessons import LESSONS
from nnlib.teaching.exam.question import BANK, ExamQuestion, Item
from nnlib.teaching.options import MINUTES

READING = 6  # minutes before the first question, and once more at the end
GRADES = (("very good", 0.87), ("good", 0.75), ("satisfactory", 0.62), ("sufficient", 0.5))


@dataclass(frozen=True)
class Paper:
    """What a seed draws. questions: each with its item, in the order of the lessons."""

    seed: int
    questions: Sequence[tuple[ExamQuestion, Item]]

    @property
    def minutes(self) -> int:
        """What its questions need, and READING."""
        return READING + sum(asked.minutes for asked, _ in self.questions)

    @property
    def points(self) -> int:
        """One for each mark of each question."""
        return sum(len(item.marks) for _, item in self.questions)


def draw(seed: int, lessons: Sequence[str] = (), minutes: int = MINUTES) -> Paper:
    """The paper of that seed: as many questions of each lesson as of any other, or one more.

    lessons: two digits each; where none is named, all but those that are a bonus. Raises ValueError for a lesson
    without questions, and WrongAnswerError where a solution is not what a run gives.
    """
    rng = random.Random(seed)
    decks = {
        lesson: [asked for asked in BANK.values() if asked.lesson == lesson]
        for lesson in lessons or [lesson.number for lesson in LESSONS if not lesson.bonus]
    }
    if missing := [lesson for lesson, deck in decks.items() if not deck]:
        raise ValueError(f"the bank has no questions on lesson {missing[0]}")
    for deck in decks.values():
        rng.shuffle(deck)
    chosen: list[ExamQuestion] = []
    left = minutes - READING
    while any(decks.values()):
        for lesson in rng.sample(sorted(decks), len(decks)):
            if decks[lesson]:
                asked = decks[lesson].pop()
                if asked.minutes <= left:
                    left -= asked.minutes
                    chosen.append(asked)
    return Paper(
        seed, [(asked, asked.item(seed)) for asked in sorted(chosen, key=lambda asked: asked.name)]
    )


def questions(paper: Paper) -> str:
    """What students get."""
    parts = [
        f"# CUDA from scratch: exam {paper.seed}",
        "Name: " + 24 * r"\_",
        f"{paper.minutes} minutes, {paper.points} points. Show how you got each number: each step is worth a "
        "point, and a wrong number costs only one. A warp has 32 threads, a float 4 bytes, a sector 32 bytes; "
        "shared memory has 32 banks of 4 bytes. A slash ends each row of a matrix. You may use one handwritten "
        "page and a calculator.",
    ]
    for number, (_, item) in enumerate(paper.questions, 1):
        parts += [f"## {number} ({len(item.marks)} points)", item.text]
    return _joined(parts)


def solutions(paper: Paper) -> str:
    """What the teacher gets: each point of each question, and the points for each grade."""
    parts = [
        f"# Exam {paper.seed}: solutions and marking scheme",
        "Each line is worth one point. Give it to every answer that says the same in other words, and to a number "
        "that follows correctly from an earlier mistake.",
    ]
    for number, (asked, item) in enumerate(paper.questions, 1):
        lines = "\n".join(f"- {mark} (1)" for mark in item.marks)
        parts.append(
            f"## {number} (lesson {asked.lesson}, about {asked.minutes} minutes)\n\n{lines}"
        )
    least = "\n".join(
        f"| {name} | {-(-paper.points * round(100 * share) // 100)} |" for name, share in GRADES
    )
    parts.append(
        f"## Grades\n\nOf {paper.points} points, a proposal:\n\n| grade | from |\n| --- | ---: |\n{least}"
    )
    return _joined(parts)


def _joined(parts: Sequence[str]) -> str:
    """The paper; before a number below zero, but not in code, a minus sign takes the hyphen's place."""
    return (
        re.sub(
            r"```.*?```|`[^`]*`|(?<![\w.)\]])-(?=\.?\d)",
            lambda found: "−" if found[0] == "-" else found[0],
            "\n\n".join(parts),
            flags=re.DOTALL,
        )
        + "\n"
    )

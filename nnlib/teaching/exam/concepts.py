"""The GPU concept inventory: a paper for the first and the last week, its key, and what the answers say.

concepts.md has the items; a wrong answer names the misconception that leads to it. The inventory is not validated.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from nnlib.teaching.reading import naming

LETTERS = "ABCD"


@dataclass(frozen=True)
class Concept:
    """An item. choices: letter -> what is offered and its misconception, which the right one lacks."""

    title: str
    question: str
    choices: Mapping[str, tuple[str, str]]

    @property
    def key(self) -> str:
        """The letter of the right answer."""
        return next(letter for letter, (_, wrong) in self.choices.items() if not wrong)


def _read(text: str) -> Iterator[Concept]:
    for title, body in re.findall(r"(?ms)^## (.*?)\n(.*?)(?=^## |\Z)", text):
        question, *choices = re.split(r"\n- \[.\] ", body.strip())
        offered = [choice.partition(" → ")[::2] for choice in choices]
        yield Concept(title, question, dict(zip(LETTERS, offered, strict=True)))


CONCEPTS = tuple(_read(Path(__file__).with_suffix(".md").read_text("utf-8")))


def report(before: Path, after: Path) -> str:
    """Return the class's gain and statistics of the items, from two tables of answers.

    Each is a CSV with a row per student: a code word, then a letter per item. Only students in both tables count.
    Raises ValueError where a row has not a letter for each item, or no student is in both.
    """
    first, last = _answers(before), _answers(after)
    both = sorted(first.keys() & last.keys())
    if not both:
        raise ValueError("no code word is in both tables")
    key = np.array([item.key for item in CONCEPTS])
    had, has = (np.array([table[who] for who in both]) == key for table in (first, last))
    start, end = had.mean(), has.mean()
    gain = f"{(end - start) / (1 - start):.2f}" if start < 1 else "none possible"
    lines = [
        f"{len(both)} students, {len(key)} items: {start:.0%} before, {end:.0%} after",
        f"normalised gain (Hake): {gain}",
        f"reliability after (KR-20): {_kr20(has):.2f}",
        "",
        "item  before  after  discrimination  most frequent wrong answer after",
    ]
    for at, item in enumerate(CONCEPTS):
        chosen = Counter(last[who][at] for who in both)
        del chosen[item.key]
        wrong, times = (chosen.most_common(1) or [("", 0)])[0]
        said = f"{wrong} ({times}): {item.choices[wrong][1]}" if wrong else ""
        lines.append(
            f"{at + 1:4}  {had[:, at].mean():6.0%}  {has[:, at].mean():5.0%}  "
            f"{_correlation(has[:, at], has.sum(1) - has[:, at]):14}  {said}"
        )
    return "\n".join(lines)


def _answers(path: Path) -> Mapping[str, Sequence[str]]:
    with naming(path, "column"), path.open(encoding="utf-8-sig", newline="") as file:
        lines = [[cell.strip() for cell in line] for line in csv.reader(file) if line]
    found = {who: [one.upper() for one in given] for who, *given in lines[1:]}
    for who, given in found.items():
        if len(given) != len(CONCEPTS) or not set(given) <= {*LETTERS, ""}:
            raise ValueError(f"{path}: {who} has no letter for each of {len(CONCEPTS)} items")
    return found


def _kr20(right: np.ndarray) -> float:
    """Compute Kuder and Richardson's formula 20; NaN where all students have the same number of points."""
    share, spread, items = right.mean(0), right.sum(1).var(), right.shape[1]
    return (
        float(items / (items - 1) * (1 - (share * (1 - share)).sum() / spread))
        if spread
        else np.nan
    )


def _correlation(one: np.ndarray, rest: np.ndarray) -> str:
    """Return the point-biserial correlation of an item with all others; "-" where one of them does not vary."""
    return f"{np.corrcoef(one, rest)[0, 1]:.2f}" if one.std() and rest.std() else "-"

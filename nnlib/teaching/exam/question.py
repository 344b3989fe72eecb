"""Read exam questions: Markdown files with drawn numbers, and a solution that a run has to confirm.

A file of the bank, `bank/LESSON.TOPIC.md`, has these parts in this order:

    ---                        a front matter in YAML: minutes, which are its points; asks, one of KINDS; about; a topic,
                              if it has one of those that every paper asks for; ideas, a list: questions that give
                              away each other's answers share one, and never stand on one paper
    ```python parameters      draws numbers with `rng`; `answers` are the numbers that the solution works out; where
                              it sets `again` to something true, it is drawn once more
    the question               Markdown, in which Jinja2 puts numbers: {{ n }}, {{ share | fmt(".0%") }}; where it asks
                              several things, each is a paragraph that begins with its letter: (a) How many…
    ## Solution                code, if there is any, then a list with a line for each step and its points, in the order
                              of what is asked: - (a) the product is {{ a * b }} (2)
    ```python run             finds the same numbers in another way, `ran`, or asserts what the solution says

Names in the blocks are those of blocks.py; `run` also has `text` and `solution`, the first CUDA of question and
solution. A question whose two answers differ is never printed.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import jinja2
import yaml

from nnlib.teaching.exam import blocks
from nnlib.teaching.reading import naming

# What a question asks for, and its share of a paper's minutes; arithmetic fills what is left
KINDS = {"write": 0.3, "repair": 0.16, "profile": 0.08, "arithmetic": 1}
DRAWS = 12  # of a question, of which the second half of a room gets the one that differs most
_FILE = re.compile(
    r"(?s)---\n(?P<front>.*?)\n---\n+```python parameters\n(?P<parameters>.*?)```\n"
    r"(?P<asked>.*?)\n## Solution\n(?P<solved>.*?)```python run\n(?P<run>.*?)```\s*",
)
_JINJA = jinja2.Environment(undefined=jinja2.StrictUndefined)
_JINJA.filters["fmt"] = format
_JINJA.globals |= {do.__name__: do for do in (abs, float, int, len, max, min, round, sum)}


class WrongAnswerError(ValueError):
    """The answer that the solution works out is not the one that the run gives."""


@dataclass(frozen=True)
class Item:
    """A question with its numbers.

    text: what students read, Markdown. code: what the solution shows, Markdown. marks: what earns points, and points: how many.
    answers: the numbers that the solution works out.
    """

    text: str
    code: str
    marks: Sequence[str]
    points: Sequence[int]
    answers: tuple[Any, ...] = ()

    @property
    def parts(self) -> list[tuple[str, int]]:
        """Return the text, cut before each lettered part, with the points of the steps that have its letter."""
        return [
            (text, sum(self.points[k] for k, mark in enumerate(self.marks) if mark[:4] == text[:4]))
            for text in re.split(r"\n\n+(?=\([a-z]\) )", self.text)
        ]


@dataclass(frozen=True)
class ExamQuestion:
    """One question of a bank. name: lesson and topic, as in "02.stride"."""

    name: str
    source: str

    @cached_property
    def _parts(self) -> Mapping[str, str]:
        found = _FILE.fullmatch(self.source)
        if found is None:
            raise ValueError(f"{self.name} has not the parts of an exam question, in their order")
        return found.groupdict()

    @cached_property
    def front(self) -> Mapping[str, Any]:
        """The front matter."""
        front: dict[str, Any] = yaml.safe_load(self._parts["front"])
        return front

    @property
    def lesson(self) -> str:
        """Two digits."""
        return self.name[:2]

    @property
    def minutes(self) -> int:
        """Minutes to plan for it, and its points."""
        return int(self.front["minutes"])

    @property
    def asks(self) -> str:
        """One of KINDS."""
        return str(self.front.get("asks", "arithmetic"))

    @property
    def topic(self) -> str | None:
        """What it is about, if every paper on its lesson asks for that."""
        return self.front.get("topic")

    @property
    def ideas(self) -> set[str]:
        """What no other question of a paper may be about."""
        return {self.name, *self.front.get("ideas", ())}

    def item(self, seed: object, first: str = "") -> Item:
        """Return the question with the numbers of this seed.

        first: the seed of another paper; of DRAWS, the item is taken that differs most from the one there.
        Raises WrongAnswerError where the run gives others, ValueError where a block or a template fails.
        """
        try:
            item, names = self.drawn(seed)
            if first and first != f"{seed}":
                others = self.drawn(first)[0].marks
                drawn = (self.drawn(f"{seed}-{k}") for k in range(DRAWS))
                item, names = max(drawn, key=lambda found: len({*found[0].marks} - {*others}))
            self.confirm(item, names)
        except WrongAnswerError:
            raise
        except Exception as error:  # a block is Python, and may do anything
            raise ValueError(f"{self.name}: {type(error).__name__}: {error}") from error
        return item

    def drawn(self, seed: object) -> tuple[Item, dict[str, Any]]:
        """Return the question with the numbers of this seed, unconfirmed, and the names its run block may use."""
        names = blocks.names(random.Random(f"{seed} {self.name}"))
        parameters = compile(self._parts["parameters"], f"{self.name} parameters", "exec")
        names["again"] = True
        while names.pop("again", False):
            exec(parameters, names)
        asked, solved = (
            _JINJA.from_string(self._parts[part]).render(names).strip()
            for part in ("asked", "solved")
        )
        code, _, marks = solved.rpartition("```\n")
        code += "```" if code else ""
        lines = re.findall(r"(?ms)^- (.*?) \((\d+)\)$", marks)
        points = [int(earned) for _, earned in lines]
        if sum(points) != self.minutes:
            raise ValueError(
                f"{self.name} takes {self.minutes} minutes, its lines give {sum(points)} points"
            )
        return Item(
            asked, code, [step for step, _ in lines], points, names.get("answers", ())
        ), names

    def confirm(self, item: Item, names: dict[str, Any]) -> None:
        """Run the run block; raise WrongAnswerError where it finds other numbers or fails."""
        shown = {"text": blocks.first_cuda(item.text), "solution": blocks.first_cuda(item.code)}
        names |= {name: text for name, text in shown.items() if text}
        try:
            exec(compile(self._parts["run"], f"{self.name} run", "exec"), names)
        except AssertionError as error:
            raise WrongAnswerError(f"{self.name}: the run refutes the solution: {error}") from error
        ran = names.get("ran", ())
        if len(ran) != len(item.answers) or not all(map(blocks.same, item.answers, ran)):
            raise WrongAnswerError(f"{self.name}: worked out {item.answers}, run {ran}")


def read(folder: Path) -> dict[str, ExamQuestion]:
    """Read the questions of a bank: name -> question, in the order of their names."""
    bank = {}
    for path in sorted(folder.glob("[0-9][0-9].*.md")):
        with naming(path, "entry"):
            asked = ExamQuestion(path.stem, path.read_text("utf-8"))
            float(KINDS[asked.asks] * asked.minutes)  # which needs all entries
        bank[path.stem] = asked
    return bank


BANK = read(Path(__file__).parent / "bank")

"""Read exam questions: Markdown files with drawn numbers, and a solution that a run has to confirm.

A file of the bank, `bank/LESSON.TOPIC.md`, has these parts in this order:

    ---                        a front matter in YAML: minutes, which are its points; asks, one of KINDS; about; a topic,
                              if it has one of those that every paper asks for; ideas, a list: no two questions of
                              a paper share one, so that none gives an answer away or makes an idea weigh too much
    ```python parameters      draws numbers with `rng`; `answers` are the numbers that the solution works out; where
                              it sets `again` to something true, it is drawn once more
    the question               Markdown, in which Jinja2 puts numbers: {{ n }}, {{ share | fmt(".0%") }}; where it asks
                              several things, each is a paragraph that begins with its letter: (a) How many…
    ## Solution                code, if there is any, then a list with a line for each step and its points, in the order
                              of what is asked: - (a) the product is {{ a * b }} (2)
    ```python run             finds the same numbers in another way, `ran`, or asserts what the solution says

Names in the blocks are NAMES of blocks.py; `run` also has `text` and `solution`, the first CUDA of question and
solution. A question whose two answers differ is never printed.
"""

from __future__ import annotations

import builtins
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

# What a question asks for, and the minutes of a paper for each of them; arithmetic fills what is left
KINDS = {"write": 45, "repair": 35, "profile": 60, "arithmetic": 1}
DRAWS = 12  # of a question, of which each group of a room gets the one that differs most
_FILE = re.compile(
    r"(?s)---\n(?P<front>.*?)\n---\n+```python parameters\n(?P<parameters>.*?)```\n"
    r"(?P<asked>.*?)\n## Solution\n(?P<solved>.*?)```python run\n(?P<run>.*?)```\s*",
)
_JINJA = jinja2.Environment(undefined=jinja2.StrictUndefined)
_JINJA.filters["fmt"] = format
_JINJA.globals |= vars(builtins)


class WrongAnswerError(ValueError):
    """The answer that the solution works out is not the one that the run gives."""


@dataclass(frozen=True)
class Item:
    """A question with its numbers.

    text: what students read, Markdown. code: what the solution shows, Markdown. scheme: each step that earns points, and
    how many. answers: the numbers that the solution works out.
    """

    text: str
    code: str
    scheme: Sequence[tuple[str, int]]
    answers: tuple[Any, ...] = ()

    @property
    def marks(self) -> list[str]:
        """The steps."""
        return [mark for mark, _ in self.scheme]

    @property
    def parts(self) -> list[tuple[str, int]]:
        """Return the text, cut before each lettered part, with the points of the steps that have its letter."""
        texts = re.split(r"\n\n+(?=\([a-z]\) )", self.text)
        return [
            (text, sum(p for mark, p in self.scheme if mark[:4] == text[:4] or len(texts) == 1))
            for text in texts
        ]

    @property
    def whole_page(self) -> bool:
        """Does the question fill a page? Two others share one."""
        return sum(points for _, points in self.scheme) > 6 or self.text.count("\n") > 16

    def differs(self, other: Item) -> int:
        """Return how many points are for steps that the other item has not."""
        return sum(points for mark, points in self.scheme if mark not in other.marks)


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
    def front(self) -> Any:
        """The front matter, a mapping."""
        return yaml.safe_load(self._parts["front"])

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
    def topic(self) -> object:
        """What it is about, if every paper on its lesson asks for that."""
        return self.front.get("topic")

    @property
    def ideas(self) -> set[str]:
        """What no other question of a paper may be about."""
        return {self.name, *self.front.get("ideas", ())}

    def item(self, seed: object, group: int = 0) -> Item:
        """Return the question with the numbers of this seed.

        group: of a room; of DRAWS, it takes the one that differs most from those of all groups before.
        Raises WrongAnswerError where the run gives others, ValueError where a block or a template fails.
        """
        try:
            found, *others = (
                self.drawn(f"{seed}-{k}" if k else seed) for k in range(DRAWS if group else 1)
            )
            before = list[Item]()
            for _ in range(group):
                before.append(found[0])
                found = max(others, key=lambda one: sorted(map(one[0].differs, before)))
            self.confirm(*found)
        except WrongAnswerError:
            raise
        except Exception as error:  # a block is Python, and may do anything
            raise ValueError(f"{self.name}: {type(error).__name__}: {error}") from error
        return found[0]

    def drawn(self, seed: object) -> tuple[Item, dict[str, Any]]:
        """Return the question with the numbers of this seed, unconfirmed, and the names its run block may use."""
        names = {**blocks.NAMES, "rng": random.Random(f"{seed} {self.name}")}
        names["again"] = True
        while names.pop("again", False):
            exec(self._parts["parameters"], names)
        asked, solved = (
            _JINJA.from_string(self._parts[part]).render(names).strip()
            for part in ("asked", "solved")
        )
        code, _, marks = solved.rpartition("```\n")
        code += "```" if code else ""
        lines = re.findall(r"(?ms)^- (.*?) \((\d+)\)$", marks)
        scheme = [(step, int(points)) for step, points in lines]
        if sum(points for _, points in scheme) != self.minutes:
            raise ValueError(f"the lines of {self.name} do not give {self.minutes} points")
        return Item(asked, code, scheme, names.get("answers", ())), names

    def confirm(self, item: Item, names: dict[str, Any]) -> None:
        """Run the run block; raise WrongAnswerError where it finds other numbers or fails."""
        for name, shown in ("text", item.text), ("solution", item.code):
            if found := re.search(r"(?s)```cuda\n(.*?)```", shown):
                names[name] = found[1]
        try:
            exec(self._parts["run"], names)
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

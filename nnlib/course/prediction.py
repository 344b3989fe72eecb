"""Predict before you run: commit to an answer, then see what the run says.

For authors. A question stands under its name in predictions/lessonNN.json, where no page shows it:

    "01.threads": {
      "question": "20 elements, blocks of 8 threads: how many threads must be launched?",
      "unit": "threads",
      "choices": [[16, "Elements 16 to 19 would get no thread."],
                  [20, "20 is no multiple of 8."],
                  [24, "Only whole blocks can be launched, and 2 blocks have 16 threads."]]}

and the lesson says no more than

    predict("01.threads")                          # shows the question; the student commits
    …                                              # the experiment
    reveal("01.threads", grid * block)             # what the run found
    if reveal("01.threads", …): print(…)            # and what else it found, once somebody who can has committed

Every choice has its sentence, the right one as well; which one is right comes from the run. So the second argument is
computed, never written down (a test refuses a constant). A number that is none of the choices stands for the nearest
one and is shown with it. Where no run can tell ("which is the cause?"), the file has `"answer": …` and the lesson
`reveal("06.slow")`. A sentence may have places, "{share:.0f} % of all bytes", filled by `reveal(…, share=…)`.

Until the student commits, `reveal` answers nobody: its output asks for the prediction and holds the answer folded away,
in the notebook as it is stored, on GitHub and in the exported page; a slide shows it with the next step. The outputs
of the cells between the two stay shut until they are run (teaching/execution.py sees to that). What is left to
the author: the text before `reveal` does not answer; the choices hold what a good student would think of.
"""

from __future__ import annotations

import functools
import html
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anywidget
import traitlets
from IPython.display import display

from nnlib.course import solved
from nnlib.course.exercises.comparing import same
from nnlib.support import packed

FOLDER = Path(__file__).with_name("predictions")
FIRST = "Commit to an answer first: choose one at the question above, press Commit, then run this cell again."


@dataclass(frozen=True)
class Question:
    """A question of predictions/lessonNN.json. choices: (value, its sentence). answer: if no run can tell it, else None.

    It prints neither the sentences nor the answer.
    """

    name: str
    question: str
    choices: Sequence[tuple[Any, str]] = field(repr=False)
    unit: str = ""
    answer: Any = field(default=None, repr=False)

    def words(self, value: Any) -> str:
        """Format a value with its unit: 60000 -> "60,000 steps"."""
        number = (
            f"{value:,.6g}"
            if isinstance(value, float)
            else f"{value:,}"
            if isinstance(value, int)
            else str(value)
        )
        one = value == 1 and self.unit not in ("ms", "µs")
        unit = re.sub("(?<=ch)es$|s$", "", self.unit) if one else self.unit
        return f"{number} {unit}".rstrip()

    def right(self, answer: Any) -> int:
        """Return the number of the choice that equals the answer, or of the nearest one. Raises ValueError if there is none."""
        for index, (value, _) in enumerate(self.choices):
            if same(value, answer):
                return index
        values = [value for value, _ in self.choices]
        if not all(
            isinstance(value, (int, float)) for value in [*values, answer]
        ) or not math.isfinite(answer):
            raise ValueError(f"{self.name}: the answer {answer!r} is none of the choices {values}")
        # 26 lies nearer to 32 than to 16, and 1e-5 nearer to 1e-6 than to 1e-2
        if answer > 0 and min(values) > 0:
            return min(range(len(values)), key=lambda k: abs(math.log(values[k] / answer)))
        return min(range(len(values)), key=lambda k: abs(values[k] - answer))


@functools.cache
def questions(lesson: str) -> dict[str, Question]:
    """Return the questions of a lesson, such as "01", by name; empty if it has none."""
    entries = packed.load(FOLDER / f"lesson{lesson}.json") or {}
    return {
        name: Question(
            name,
            entry["question"],
            [tuple(choice) for choice in entry["choices"]],
            entry.get("unit", ""),
            entry.get("answer"),
        )
        for name, entry in entries.items()
    }


def _find(name: str) -> Question:
    known = questions(str(name).split(".")[0])
    if name not in known:
        raise KeyError(
            f"no question {name!r}; there are: {', '.join(known) or 'none for this lesson'}"
        )
    return known[name]


def question_html(name: str) -> str:
    """Return a question and its choices as they are read where nobody can commit to one."""
    asked = _find(name)
    items = "".join(f"<li>{html.escape(asked.words(value))}</li>" for value, _ in asked.choices)
    return (
        f'<div class="nn-predict"><b>Predict.</b> {html.escape(asked.question)}'
        f'<ul class="nn-choices">{items}</ul></div>'
    )


class Prediction(anywidget.AnyWidget):
    """A question with its choices; remembers in this session what was committed to. Made by `predict`."""

    _esm = Path(__file__).with_name("prediction.js")
    question = traitlets.Unicode().tag(sync=True)
    choices = traitlets.List(traitlets.Unicode()).tag(sync=True)
    chosen = traitlets.Int().tag(sync=True)  # number of the choice; -1 before the commit
    shown = traitlets.Bool().tag(sync=True)  # a page with buttons shows it: somebody can commit

    def __init__(self, asked: Question) -> None:
        super().__init__(
            question=asked.question,
            choices=[asked.words(value) for value, _ in asked.choices],
            chosen=_committed.get(asked.name, -1),
        )
        self._asked = asked
        self.observe(lambda change: self.commit(change.new), "chosen")
        self.observe(lambda change: _on_pages.add(asked.name), "shown")

    def commit(self, number: int) -> None:
        """Commit to the choice of that number, counted from 0 (what the button does)."""
        _committed[self._asked.name] = number
        self.chosen = number

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[Any, ...]:
        live = super()._repr_mimebundle_(**kwargs)
        still = {
            "text/html": question_html(self._asked.name),
            "text/plain": f"Predict. {self.question} [{' / '.join(self.choices)}]",
        }
        return {**(live[0] if live else {}), **still}, {}


class Revealed:
    """The output of `reveal`: before a commit a request and the folded answer, afterwards prediction and answer.

    now: what a later run has found, where that is another choice.
    """

    def __init__(
        self, asked: Question, answer: Any, numbers: dict[str, Any], now: Any = None
    ) -> None:
        self.asked, self.now = asked, now
        self.right = asked.right(answer)
        self.chosen = _committed.get(asked.name)
        self._sentences = [sentence.format(**numbers) for _, sentence in asked.choices]
        value = asked.choices[self.right][0]
        exact = (
            "" if same(value, answer) else f" ({asked.words(float(f'{answer:.3g}'))} to be exact)"
        )
        self._truth = f"{asked.words(value)}{exact}. {self._sentences[self.right]}"

    def _said(self, chosen: int) -> list[str]:
        """Return the lines that follow a commit to that choice."""
        since = (
            []
            if self.now is None
            else [
                (
                    f"That was the first run. Something has changed since, and now it gives "
                    f"{self.asked.words(self.now)}."
                )
            ]
        )
        if chosen == self.right:
            return [f"You predicted it ✓: {self._truth}", *since]
        words = self.asked.words(self.asked.choices[chosen][0])
        return [
            f"You predicted {words}. {self._sentences[chosen]}",
            f"The answer: {self._truth}",
            *since,
        ]

    def _folded(self) -> str:
        """Return the right choice and, below it, why it is none of the others."""
        others = "".join(
            f"<li>not {html.escape(self.asked.words(value))}: {html.escape(sentence)}</li>"
            for k, ((value, _), sentence) in enumerate(
                zip(self.asked.choices, self._sentences, strict=True)
            )
            if k != self.right
        )
        return f"<p>{html.escape(self._truth)}</p><ul>{others}</ul>"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        if self.chosen is None:
            return {
                "text/html": f'<div class="nn-reveal"><p class="nn-first">{FIRST}</p><details class="nn-answer">'
                f"<summary>Answer</summary>{self._folded()}</details></div>",
                "text/plain": FIRST,
            }
        lines = self._said(self.chosen)
        return {
            "text/html": '<div class="nn-reveal">'
            + "".join(f"<p>{html.escape(line)}</p>" for line in lines)
            + "</div>",
            "text/plain": "\n".join(lines),
        }


# In this session, by the name of the question: the number of the choice, and what the first run found.
_committed: dict[str, int] = {}
_answered: dict[str, tuple[Any, dict[str, Any]]] = {}
_on_pages: set[str] = set()


def on_page(names: Iterable[str], committed: Mapping[str, int]) -> None:
    """Take the names of the questions that a page shows itself, and what was committed to there."""
    _on_pages.update(names)
    _committed.update(committed)


def waits(name: str) -> bool:
    """Return whether somebody is looking at this question who has not committed yet."""
    return name in _on_pages and name not in _committed


def predict(name: str) -> None:
    """Show a question and let the student commit to one of its choices; `reveal` of the same name answers it.

    name: "LL.word", in predictions/lessonLL.json. KeyError where there is no such question.
    Without an interactive front end the question is shown as text and nothing is waited for.
    """
    display(Prediction(_find(name)))


class Followed:
    """The result of `reveal`, for `if reveal(…):` before evidence that would give the answer away. A cell does not show it."""

    def __init__(self, shown: bool) -> None:
        self._shown = shown

    def __bool__(self) -> bool:
        return self._shown

    def _ipython_display_(self) -> None:
        pass


def reveal(name: str, answer: Any = None, **numbers: Any) -> Followed:
    """Show the answer beside the prediction, and what the chosen one overlooks; before a commit, ask for it.

    What it returns is false while somebody looks at the question who has not committed yet.

    answer: what the run found; left out where only the question's file knows it. A cell that runs again after its
    kernel was changed does not change the answer. numbers: for the places in the sentences. ValueError where the answer
    is none of the choices, KeyError where there is no such question.
    """
    asked = _find(name)
    if (answer is None) == (asked.answer is None):
        raise TypeError(
            f"{name}: give the answer that the run found, or write it into the question's file; not both"
        )
    found = asked.answer if answer is None else _plain(answer)
    first, first_numbers = _answered.setdefault(name, (found, numbers))
    if asked.right(found) == asked.right(first):  # a clock says another number every time
        shown = Revealed(asked, found, numbers)
    else:
        shown = Revealed(asked, first, first_numbers, now=found)
    if shown.chosen is not None:
        solved.save("predictions", name, shown.chosen == shown.right)
    display(shown)
    return Followed(not waits(name))


def _plain(answer: Any) -> Any:
    """Convert a number of NumPy or CuPy into one of Python."""
    return answer.item() if hasattr(answer, "item") else answer

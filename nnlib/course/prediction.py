"""Predict before you run: commit to an answer, then see it beside the truth. Lesson 01."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any

import ipywidgets
from IPython.display import display

from nnlib.course import solved
from nnlib.course.exercises.comparing import same


class Prediction:
    """A question with the student's answer. Made by `predict`; `reveal` ends it."""

    def __init__(self, question: str, choices: Sequence[Any], unit: str):
        self.question, self.choices, self.unit = question, choices, unit
        self.value: Any = None

    def commit(self, value: Any) -> None:
        """Commit to an answer (what the button does)."""
        self.value = value

    def reveal(self, answer: Any, why: str = "", misconceptions: dict[Any, str] | None = None) -> None:
        """Print the answer beside the prediction, and what the usual wrong answers come from.

        why: one sentence of explanation. misconceptions: wrong answer -> what it overlooks; with a
        prediction only the matching one is shown, without one all.
        """
        misconceptions = misconceptions or {}
        if self.value is None:
            print(f"Answer: {self._text(answer)}. {why}".rstrip())
            for wrong, reason in misconceptions.items():
                print(f"  not {self._text(wrong)}: {reason}")
            return
        right = same(self.value, answer)
        solved.save("predictions", self.question, right)
        print(f"You predicted {self._text(self.value)}{' ✓' if right else ''}. "
              f"{'' if right else f'The answer is {self._text(answer)}. '}{why}".rstrip())
        for wrong, reason in misconceptions.items():
            if not right and same(self.value, wrong):
                print(f"  {self._text(wrong)}: {reason}")

    def _text(self, value: Any) -> str:
        number = f"{value:,.6g}" if isinstance(value, float) else f"{value:,}" if isinstance(value, int) else str(value)
        return f"{number} {self.unit}".rstrip()

    def _widget(self) -> Any:
        entry = ipywidgets.RadioButtons(options=[(self._text(c), c) for c in self.choices], value=None,
                                        layout=ipywidgets.Layout(width="auto"))
        button = ipywidgets.Button(description="Commit")
        said = ipywidgets.Label()

        def commit(_: Any) -> None:
            if entry.value is None:
                said.value = "Choose one first."
                return
            self.commit(entry.value)
            entry.disabled = button.disabled = True
            said.value = f"Committed: {self._text(self.value)}. Now run the next cell."

        button.on_click(commit)
        question = ipywidgets.HTML(f"<b>Predict.</b> {html.escape(self.question)}")
        return ipywidgets.VBox([question, entry, ipywidgets.HBox([button, said])])

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        bundle = dict(self._widget()._repr_mimebundle_())
        words = [self._text(choice) for choice in self.choices]
        items = "".join(f"<li>{html.escape(word)}</li>" for word in words)
        bundle["text/html"] = (f'<div class="nn-predict"><b>Predict.</b> {html.escape(self.question)}'
                               f'<ul class="nn-choices">{items}</ul></div>')
        bundle["text/plain"] = f"Predict. {self.question} [{' / '.join(words)}]"
        return bundle


def predict(question: str, choices: Sequence[Any], unit: str = "") -> Prediction:
    """Show a question and return the prediction, to be revealed by a later cell.

    choices: the possible answers. unit: what is counted, e.g. "sectors".
    Without an interactive front end the question is shown as text and nothing is waited for.
    """
    prediction = Prediction(question, choices, unit)
    display(prediction)
    return prediction

"""Exercises and how a Python answer is judged: specified in `nnlib.course.exercises`, used through `check`.

A specification gives inputs, a function that is right, and functions with the usual mistakes. An answer that returns
what a mistake returns gets that mistake's hint by name. kernels.py judges kernels.
"""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from nnlib.course.exercises.comparing import compare, recognised
from nnlib.course.exercises.python_mistakes import explained
from nnlib.cuda import KernelError
from nnlib.gradcheck import relative_error

# In float64 a formula ends at 1e-15, and what is measured by small steps at 1e-10
_ROUNDING = 1e-12

_REGISTRY: dict[str, Exercise] = {}


@dataclass(frozen=True)
class Verdict:
    """solved, and what to tell the student. hint: the course's, if there is one. kind: of the error, by its name."""

    solved: bool
    said: str
    hint: str | None = None
    kind: str = ""

    @property
    def text(self) -> str:
        """All of it, as `check` prints it."""
        return f"{self.said}\n  Hint: {self.hint}" if self.hint else self.said


@dataclass
class Exercise:
    """Base of the kinds of exercise. name: "LL.word", LL the lesson. seed: inputs are drawn from it."""

    name: str
    seed = 0  # marking sets another one

    def __post_init__(self) -> None:
        _REGISTRY[self.name] = self

    def judge(self, answer: Any = ...) -> Verdict:
        raise NotImplementedError

    def right(self, detail: str) -> Verdict:
        return Verdict(True, f"✓ {self.name}: {detail}")

    def wrong(self, where: str, problem: str, hint: str | None = None, kind: str = "") -> Verdict:
        return Verdict(
            False, f"✗ {self.name}{', ' + where if where else ''}: {problem}", hint, kind
        )


@dataclass
class FunctionExercise(Exercise):
    """The answer is a Python function, judged against `reference` on each tuple of `inputs`.

    inputs: a list of argument tuples, or a function of a random generator that returns one.
    mistakes: hint -> a wrong function with the same arguments; or a function of them that returns what each gives.
    whole: the results count something, and a float is refused even where its value is right.
    formula: the results are gradients in float64, and one that was measured by small steps is refused.
    outcome: runs the answer on a case, which it builds anew each time; compared is what it returns.
    """

    reference: Callable[..., Any]
    inputs: Any
    mistakes: Any = field(default_factory=dict)
    whole: bool = False
    formula: bool = False
    outcome: Callable[..., Any] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if callable(self.mistakes):
            self.mistakes = _one_by_one(self.mistakes, _tuple(self.cases()[0]))

    def cases(self) -> list[Any]:
        """Return the arguments of each case."""
        if callable(self.inputs):
            return list(self.inputs(np.random.default_rng(self.seed)))
        return list(self.inputs)

    def judge(self, answer: Any = ...) -> Verdict:
        if not callable(answer):
            return self.wrong("", f"needs a function, and got {kind_of(answer)}.")
        inputs = [_tuple(args) for args in self.cases()]
        labels = [self.label(args) for args in inputs]
        results: list[Any] = []
        failure = None
        for args, where in zip(inputs, labels, strict=True):
            got = self._call(answer, args, where)
            if isinstance(got, Verdict):
                failure = got
                break
            results.append(got)

        def explains(mistake: Callable[..., Any], k: int) -> bool:
            return compare(results[k], mistake(*inputs[k])) is None

        wrong = {
            k: problem
            for k, got in enumerate(results)
            if (problem := compare(got, self.reference(*inputs[k])))
        }
        if wrong:
            first, found = min(wrong.items())
            hint = recognised(self.mistakes, explains, len(results), list(wrong))
            return self.wrong(
                labels[first], found.problem, hint or found.hint or self._alike(inputs, results)
            )
        if failure:
            return failure
        for got, where in zip(results, labels, strict=True):
            for part in map(np.asarray, _tuple(got)) if self.whole else ():
                if part.dtype.kind not in "iu":
                    return self.wrong(
                        where,
                        f"{got} has the right value, but must be an integer.",
                        "// instead of /, or int(...)",
                    )
                if part.ndim and part.dtype.itemsize < 4:
                    return self.wrong(
                        where,
                        f"{part.dtype} has the right values here, but ends at "
                        f"{np.iinfo(part.dtype).max:,}.",
                        "count in an int of 32 bits or more",
                    )
        if self.formula and (measured := self._measured(inputs, results)):
            return self.wrong(
                labels[measured[0]],
                f"the first {measured[1]} digits are right, and float64 has 15.",
                "a gradient by small steps, or in float32? Work out the formula, and compute in float64",
            )
        return self.right(f"right, with {len(inputs)} case{'s' * (len(inputs) > 1)}.")

    def _measured(
        self, inputs: list[tuple[Any, ...]], results: list[Any]
    ) -> tuple[int, int] | None:
        """Return the case with the largest error and how many digits are right there; None where all errors are rounding."""
        errors = [
            relative_error(got, self.reference(*args))
            for got, args in zip(results, inputs, strict=True)
        ]
        worst = int(np.argmax(errors))
        return (worst, int(-np.log10(errors[worst]))) if errors[worst] > _ROUNDING else None

    def _alike(self, inputs: list[tuple[Any, ...]], results: list[Any]) -> str | None:
        """Refuse a function that gives the same answer to everything."""
        if not 1 < len(inputs) == len(results) or any(
            compare(got, results[0]) for got in results[1:]
        ):
            return None
        differ = any(
            compare(self.reference(*args), self.reference(*inputs[0])) for args in inputs[1:]
        )
        return "it is the same in every case: what does it depend on?" if differ else None

    def label(self, args: tuple[Any, ...]) -> str:
        """Return how messages name a case."""
        if self.outcome:
            return str(args[0])
        return f"called with ({', '.join(map(_short, args))})"

    def _call(self, function: Callable[..., Any], args: tuple[Any, ...], where: str) -> Any:
        """Call the function and return its result, or a verdict where there is no result to compare."""
        tried = functools.partial(self.outcome, function) if self.outcome else function
        try:
            got = tried(*copy.deepcopy(args))
        except NotImplementedError:
            return self.wrong(
                "", "not written yet.", "replace the line that raises NotImplementedError"
            )
        except KernelError as error:
            return self.wrong(where, f"{type(error).__name__}: {error}", kind=type(error).__name__)
        except Exception as error:  # whatever a student's function raises is feedback, not a crash
            return self.wrong(where, *explained(error, function), kind=type(error).__name__)
        if got is ...:
            return self.wrong("", "not written yet.", "replace the ... by your answer")
        if got is None:
            return self.wrong(where, "your function returned nothing.", "is the return missing?")
        return got


def _one_by_one(
    outcomes: Callable[..., dict[str, Any]], example: tuple[Any, ...]
) -> dict[str, Callable[..., Any]]:
    """Return the wrong functions whose results a function returns all together, by their hints."""

    def alone(hint: str, *args: Any) -> Any:
        with np.errstate(all="ignore"):
            return outcomes(*args)[hint]

    with np.errstate(all="ignore"):
        return {hint: functools.partial(alone, hint) for hint in outcomes(*example)}


def _tuple(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


def _short(value: Any) -> str:
    if isinstance(value, np.ndarray):
        few = value.ndim == 1 and value.size <= 5
        return (
            f"array {np.array2string(value, separator=', ')}"
            if few
            else f"array of shape {value.shape}"
        )
    return repr(value)


def kind_of(value: Any) -> str:
    """Name the kind of an answer, as part of a sentence."""
    return (
        "nothing yet"
        if value is ... or value is None
        else f"something of type {type(value).__name__}"
    )

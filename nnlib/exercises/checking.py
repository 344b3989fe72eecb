"""Exercises and how an answer is judged: specified in `nnlib.exercises`, used through `check`. Lesson 01.

A specification gives cases of ugly sizes, the right results, and the results of the usual
mistakes. An answer that equals a mistake's result gets that mistake's hint by name. Kernels
are judged in the simulator on every machine: it sees races and reads past the end, and it counts.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

import numpy as np

from ..cuda.errors import ArgumentError, KernelError, RaceError
from ..device import to_device
from .comparing import compare, same

_REGISTRY: dict[str, Exercise] = {}


@dataclass(frozen=True)
class Verdict:
    """solved, and what to tell the student."""

    solved: bool
    text: str


@dataclass(frozen=True)
class Out:
    """An argument the kernel writes: poisoned, so that what nobody wrote is seen; or with `initial` content."""

    shape: int | tuple[int, ...] = ()
    dtype: Any = np.float32
    initial: Any = None

    def make(self) -> np.ndarray:
        if self.initial is not None:
            return np.array(self.initial, order="C")
        kind = np.dtype(self.dtype)
        return np.full(self.shape, np.nan if kind.kind == "f" else np.iinfo(kind).max - 86, kind)


@dataclass(frozen=True)
class Limit:
    """A counter of the profile that must stay within bounds, e.g. Limit("global_load.sectors", most=32, hint="…")."""

    counter: str
    most: float | None = None
    least: float | None = None
    hint: str = ""

    def complaint(self, profile: Any) -> str | None:
        value = float(reduce(getattr, self.counter.split("."), profile))
        name = self.counter.replace("_", " ").replace(".", " ")
        if self.most is not None and value > self.most:
            times = f" ({value / self.most:.1f}× more than needed)" if self.most else ""
            return f"{name}: {value:g}, and {self.most:g} are enough{times}."
        if self.least is not None and value < self.least:
            return f"{name}: {value:g}, and {self.least:g} can be reached."
        return None


@dataclass
class Launch:
    """One case of a kernel exercise.

    args: in the kernel's order; an `Out` where the kernel writes. expect: the right content of the
    `Out`, or a tuple when there are several. mistakes: hint -> what `expect` would be after that mistake.
    """

    grid: Any
    block: Any
    args: Sequence[Any]
    expect: Any
    mistakes: dict[str, Any] = field(default_factory=dict)
    limits: Sequence[Limit] = ()
    shared_mem: int = 0


@dataclass
class Exercise:
    """Base of the kinds of exercise. name: "LL.word", LL the lesson."""

    name: str

    def __post_init__(self) -> None:
        _REGISTRY[self.name] = self

    def judge(self, *answer: Any) -> Verdict:
        raise NotImplementedError

    def right(self, detail: str) -> Verdict:
        return Verdict(True, f"✓ {self.name}: {detail}")

    def wrong(self, where: str, problem: str, hint: str | None = None) -> Verdict:
        lines = [f"✗ {self.name}{', ' + where if where else ''}: {problem}"]
        return Verdict(False, "\n".join(lines + ([f"  Hint: {hint}"] if hint else [])))


@dataclass
class KernelExercise(Exercise):
    """The answer is a kernel (and whatever else `case` takes after the size).

    case(rng, *size, *more): a `Launch`. sizes: ints or tuples; take ugly ones, the most telling first.
    hints: KernelError subclass -> hint, beside the report of the simulator.
    """

    case: Callable[..., Launch]
    sizes: Sequence[Any] = (33, 1, 31, 32, 100, 257)
    hints: dict[type[KernelError], str] = field(default_factory=dict)
    rtol: float = 1e-5
    atol: float = 1e-6

    def judge(self, *answer: Any) -> Verdict:
        kernel, *more = answer or (...,)
        if not hasattr(kernel, "profile"):
            return self.wrong("", f"needs a kernel, and got {_kind(kernel)}.",
                              f'run the %%cuda cell first, then check("{self.name}", its_name)')
        more_names = list(inspect.signature(self.case).parameters)[1 + len(_tuple(self.sizes[0])):]
        if len(more) != len(more_names):
            wanted = "".join(f", {name}" for name in more_names)
            return self.wrong("", f"{1 + len(more)} answers given, {1 + len(more_names)} expected.",
                              f'write check("{self.name}", its_name{wanted})')
        for size in self.sizes:
            launch = self.case(np.random.default_rng(0), *_tuple(size), *more)
            verdict = self._run(kernel, launch, _label(self.case, size))
            if verdict:
                return verdict
        return self.right(f"right, with {len(self.sizes)} size{'s' * (len(self.sizes) > 1)}" +
                          (" and within the limits." if launch.limits else "."))

    def _run(self, kernel: Any, launch: Launch, where: str) -> Verdict | None:
        args = [a.make() if isinstance(a, Out) else np.copy(a) if isinstance(a, np.ndarray) else a for a in launch.args]
        outs = [i for i, a in enumerate(launch.args) if isinstance(a, Out)]
        try:
            profile = kernel.profile(_tuple(launch.grid), _tuple(launch.block), tuple(args),
                                     shared_mem=launch.shared_mem)
        except KernelError as error:
            return self.wrong(where, _report(error), self._hint(error))
        for i, (before, after) in enumerate(zip(launch.args, args, strict=True)):
            if isinstance(before, np.ndarray) and not np.array_equal(before, after, equal_nan=before.dtype.kind == "f"):
                return self.wrong(where, f"argument {i + 1} is an input, and the kernel changed it.",
                                  "write only to the output")
        poisons = [launch.args[i].make() if launch.args[i].initial is None else None for i in outs]
        problem = compare(tuple(args[i] for i in outs), launch.expect, launch.mistakes, poisons, self.rtol, self.atol)
        if problem:
            return self.wrong(where, *problem)
        for limit in launch.limits:
            complaint = limit.complaint(profile)
            if complaint:
                return self.wrong(where, "the answer is right. " + complaint, limit.hint or None)
        return None

    def _hint(self, error: KernelError) -> str | None:
        return next((hint for kind, hint in self.hints.items() if isinstance(error, kind)), None)


@dataclass
class FunctionExercise(Exercise):
    """The answer is a Python function, judged against `reference` on each tuple of `inputs`.

    inputs: a list of argument tuples, or a function of a random generator that returns one.
    mistakes: hint -> a wrong function with the same arguments. device: hand arrays over in GPU memory.
    whole: the results count something, and a float is refused even where its value is right.
    """

    reference: Callable[..., Any]
    inputs: Any
    mistakes: dict[str, Callable[..., Any]] = field(default_factory=dict)
    device: bool = False
    whole: bool = False
    rtol: float = 1e-5
    atol: float = 1e-6

    def judge(self, *answer: Any) -> Verdict:
        function = answer[0] if answer else ...
        if not callable(function):
            return self.wrong("", f"needs a function, and got {_kind(function)}.")
        inputs = list(self.inputs(np.random.default_rng(0)) if callable(self.inputs) else self.inputs)
        results: list[tuple[tuple, Any]] = []
        for args in map(_tuple, inputs):
            where = f"called with ({', '.join(map(_short, args))})"
            try:
                got = function(*[self._own(a) for a in args])
            except NotImplementedError:
                return self.wrong("", "not written yet.", "replace the line that raises NotImplementedError")
            except KernelError as error:
                return self.wrong(where, _report(error))
            except Exception as error:  # whatever a student's function raises is feedback, not a crash
                return self.wrong(where, f"{type(error).__name__}: {error}")
            if got is ...:
                return self.wrong("", "not written yet.", "replace the ... by your answer")
            if got is None:
                return self.wrong(where, "your function returned nothing.", "is the return missing?")
            results.append((args, got))
        for args, got in results:
            problem = compare(got, self.reference(*args), None, None, self.rtol, self.atol)
            if problem:
                where = f"called with ({', '.join(map(_short, args))})"
                return self.wrong(where, problem[0], self._mistake(results, (args, got)) or problem[1])
        for args, got in results:
            if self.whole and any(np.asarray(part).dtype.kind not in "iu" for part in _tuple(got)):
                where = f"called with ({', '.join(map(_short, args))})"
                return self.wrong(where, f"{got} has the right value, but must be an integer.",
                                  "// instead of /, or int(...)")
        return self.right(f"right, with {len(inputs)} case{'s' * (len(inputs) > 1)}.")

    def _mistake(self, results: list[tuple[tuple, Any]], failed: tuple[tuple, Any]) -> str | None:
        """The mistake that explains all results, or else the one that failed."""
        for evidence in (results, [failed]):
            for hint, wrong in self.mistakes.items():
                if all(compare(got, wrong(*args), None, None, self.rtol, self.atol) is None for args, got in evidence):
                    return hint
        return None

    def _own(self, value: Any) -> Any:
        if not isinstance(value, np.ndarray):
            return value
        return to_device(value.copy()) if self.device else value.copy()


@dataclass
class AnswerExercise(Exercise):
    """The answer is one number or word. mistakes: usual wrong answer -> hint."""

    answer: Any
    mistakes: dict[Any, str] = field(default_factory=dict)
    rtol: float = 0.0

    def judge(self, *answer: Any) -> Verdict:
        given = answer[0] if answer else ...
        if given is ... or given is None:
            return self.wrong("", "no answer yet.", "replace the ... by your answer")
        if same(given, self.answer, self.rtol):
            return self.right(f"{given} is right.")
        hint = next((hint for value, hint in self.mistakes.items() if same(given, value, self.rtol)), None)
        return self.wrong("", f"{given!r} is not the answer.", hint)


def _report(error: KernelError) -> str:
    lead = "a race (the result may be right here and wrong elsewhere)\n" if isinstance(error, RaceError) else ""
    lead = "the arguments do not fit your kernel's signature\n" if isinstance(error, ArgumentError) else lead
    return f"{lead}{type(error).__name__}: {error}"


def _tuple(value: Any) -> tuple:
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


def _short(value: Any) -> str:
    return f"array of shape {value.shape}" if isinstance(value, np.ndarray) else repr(value)


def _kind(value: Any) -> str:
    return "nothing yet" if value is ... or value is None else f"something of type {type(value).__name__}"


def _label(case: Callable[..., Launch], size: Any) -> str:
    names = list(inspect.signature(case).parameters)[1:]
    return ", ".join(f"{name} = {value}" for name, value in zip(names, _tuple(size), strict=False))

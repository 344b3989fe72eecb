"""Exercises and how an answer is judged: specified in `nnlib.course.exercises`, used through `check`.

A specification gives cases of ugly sizes, the right results, and the results of the usual
mistakes. An answer that equals a mistake's result gets that mistake's hint by name. Kernels
are judged in the simulator on every machine: it sees races and reads past the end, and it counts.
"""

from __future__ import annotations

import copy
import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Any

import numpy as np

from nnlib.course.exercises.comparing import UNWRITTEN, Difference, compare, looked_at, recognised
from nnlib.course.exercises.python_mistakes import explained
from nnlib.course.exercises.unwritten import only_added
from nnlib.cuda import (
    ArgumentError,
    Counts,
    KernelError,
    KernelTimeoutError,
    OutOfBoundsError,
    RaceError,
    UnsupportedError,
    at_most,
    force_simulator,
    native_code,
    native_engine,
)
from nnlib.cuda.text import Unmeant
from nnlib.gradcheck import relative_error
from nnlib.mine.trials.borders import beyond, smallest

# Loop iterations of 1,024 threads, which every computer counts alike.
STEP_LIMIT = 50_000  # more than any answer takes
_MOST = 1_000_000  # at sizes beyond the exercise's own, where there is no native code
_ROUNDING = (
    1e-12  # in float64 a formula ends at 1e-15, and what is measured by small steps at 1e-10
)

_LONG = {
    "n": 300_000,
    "N": 70_000,
    "rows": 70_000,
    "columns": 70_000,
    "planes": 70_000,
    "H": 3000,
    "W": 3000,
}
_TOGETHER = 8  # elements that a thread may take, two float4s

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


@dataclass(frozen=True)
class Out:
    """An argument the kernel writes: full of a NaN, so that what nobody wrote is seen; or with `initial` content."""

    shape: int | tuple[int, ...] = ()
    initial: Any = None

    def make(self) -> np.ndarray:
        return (
            np.full(self.shape, UNWRITTEN)
            if self.initial is None
            else np.array(self.initial, order="C")
        )


@dataclass(frozen=True)
class Limit:
    """The most a counter of the profile may show, e.g. Limit("global_load.sectors", most=32, hint="…")."""

    counter: str
    most: float
    hint: str

    def complaint(self, profile: Any) -> str | None:
        value = float(attrgetter(self.counter)(profile))
        if value <= self.most:
            return None
        counter = self.counter.removeprefix("as_compiled.")
        name = counter.replace("_", " ").replace(".", " ") + ", as compiled" * (
            counter != self.counter
        )
        times = (
            f", {value / self.most:.1f} times as many"
            if self.most and value >= 1.05 * self.most
            else ""
        )
        return f"{name}: {value:g}{times}; at most {self.most:g} pass, and fewer are better."


def alone(threads: int, stores: int = 4) -> Limit:
    """Refuses kernels whose threads walk through all elements; a thread may store its own element several times."""
    return Limit(
        "global_store.requests",
        most=stores * -(-threads // 32),
        hint="each element is the work of one thread, with no loop over all: here a thread walks over many, "
        "or the threads repeat each other's work",
    )


_PLAIN = Limit(
    "atomics",
    most=0,
    hint="no other thread touches this element: a plain load or store does what the "
    "atomic does, and the warp need not queue",
)


@dataclass
class Sample:
    """One case of a kernel exercise.

    args: in the kernel's order; an `Out` where the kernel writes. expect: the right content of the
    `Out`, or a tuple when there are several. mistakes: hint -> what `expect` would be after that mistake.
    atomics: whether a kernel within limits may have some.
    """

    grid: Any
    block: Any
    args: Sequence[Any]
    expect: Any
    mistakes: dict[str, Any] = field(default_factory=dict)
    limits: Sequence[Limit] = ()
    atomics: bool = False


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
class KernelExercise(Exercise):
    """The answer is a kernel.

    case(rng, *size): a `Sample`. sizes: ints or tuples; take ugly ones, the most telling first. drawn: more of them,
    which marking draws.
    hints: KernelError subclass -> hint, in place of the simulator's; or two, of which the first asks for a guard and
    is said where that is missing, the second where it is there. A third one is for a store that is guarded.
    guard: the conditions that the first one asks for; one of them is enough.
    long: the sizes that are tried beyond the numbers that stand in the kernel, and their limits.
    """

    case: Callable[..., Sample]
    sizes: Sequence[Any]
    hints: Mapping[type[KernelError], str | tuple[str, ...]] = field(default_factory=dict)
    rtol: float = 1e-5
    atol: float = 1e-6
    drawn: Sequence[Any] = ()
    long: Mapping[str, int] = field(default_factory=lambda: _LONG)
    guard: Sequence[str] = ()

    def judge(self, answer: Any = ...) -> Verdict:
        if not hasattr(answer, "profile"):
            return self.wrong(
                "",
                f"needs a kernel, and got {_kind(answer)}.",
                f'run the %%cuda cell first, then check("{self.name}", its_name)',
            )
        sizes = [*self.sizes, *self.drawn]
        for size in sizes:
            launch = self._sample(size)
            verdict = self._run(answer, launch, _label(self.case, size))
            if verdict:
                return verdict
        for size in [*self._named(answer), *self._far()]:
            verdict = self._run(answer, self._sample(size), _label(self.case, size), checked=False)
            if verdict:
                return replace(verdict, hint=_ENDS_BEFORE)
        return self.right(
            f"right, with {len(sizes)} size{'s' * (len(sizes) > 1)}"
            + (" and within the limits." if launch.limits else ".")
        )

    def right_at(self, kernel: Any) -> list[bool]:
        """For each size of its own: is the kernel right there, and within the limits?"""
        return [self._run(kernel, self._sample(size), "") is None for size in self.sizes]

    def _named(self, kernel: Any) -> list[tuple[int, ...]]:
        """Sizes beyond the numbers that stand in the text of the kernel."""
        try:
            further = beyond(kernel.module.program, self._tried, self._limits, _TOGETHER)
        except KernelError:  # text that only a GPU's compiler knows
            return []
        return [tuple(sizes.values()) for sizes in further]

    def _far(self) -> list[tuple[int, ...]]:
        """Each size alone beyond the borders that shifts, masks and small types have, where there is native code."""
        least = smallest(self._tried)
        return [
            tuple((least | {name: most}).values())
            for name, most in self._limits.items()
            if native_engine()
        ]

    @property
    def _tried(self) -> list[dict[str, int]]:
        names = list(inspect.signature(self.case).parameters)[1:]
        return [dict(zip(names, _tuple(size), strict=True)) for size in self.sizes]

    @property
    def _limits(self) -> dict[str, int]:
        return {name: most for name, most in self.long.items() if name in self._tried[0]}

    def _sample(self, size: Any) -> Sample:
        return self.case(np.random.default_rng(self.seed), *_tuple(size))

    def _run(self, kernel: Any, launch: Sample, where: str, checked: bool = True) -> Verdict | None:
        args = [
            a.make() if isinstance(a, Out) else np.copy(a) if isinstance(a, np.ndarray) else a
            for a in launch.args
        ]
        try:
            with force_simulator(), at_most(_MOST):
                profile = (
                    kernel.profile(launch.grid, launch.block, tuple(args), step_limit=STEP_LIMIT)
                    if checked
                    else _unchecked(kernel, launch, tuple(args))
                )
        except KernelError as error:
            if not checked and isinstance(error, KernelTimeoutError) and error.may_end:
                return None  # too long for the simulator: the other sizes must do
            hint = unmeant(kernel) or self._hint(error) if checked else _ENDS_BEFORE
            return self.wrong(
                where, _report(error, own_hint=hint is None), hint, type(error).__name__
            )
        for i, (before, after) in enumerate(zip(launch.args, args, strict=True)):
            if isinstance(before, np.ndarray) and not np.array_equal(before, after, equal_nan=True):
                return self.wrong(
                    where,
                    f"argument {i + 1} is an input, and the kernel changed it.",
                    "write only to the output",
                )
        outs = [
            (out, after)
            for out, after in zip(launch.args, args, strict=True)
            if isinstance(out, Out)
        ]
        problem = compare(
            tuple(after for _, after in outs),
            _tuple(launch.expect),
            launch.mistakes,
            [out.initial is None for out, _ in outs],
            self.rtol,
            self.atol,
        )
        if problem:
            why = (
                _why_missing(kernel, profile, launch, problem)
                if problem.missing and not problem.is_mistake
                else None
            )
            return self.wrong(
                where,
                problem.problem,
                unmeant(kernel)
                or why
                or problem.hint
                or self._looked_at(kernel, launch, problem, args),
            )
        uncounted = (
            [_PLAIN] if launch.limits and not launch.atomics else []
        )  # an atomic is neither load nor store
        for limit in (*launch.limits, *uncounted) if checked else ():
            complaint = limit.complaint(profile)
            if complaint:
                return self.wrong(where, "the answer is right. " + complaint, limit.hint)
        return None

    def _looked_at(
        self, kernel: Any, launch: Sample, found: Difference, args: Sequence[Any]
    ) -> str | None:
        """Of a wrong element: where in the inputs it comes from; else which numbers belong to it."""
        if found.place is None:
            return None
        outs = [after for out, after in zip(launch.args, args, strict=True) if isinstance(out, Out)]
        names = [parameter.name for parameter in getattr(kernel, "parameters", None) or ()]
        inputs = {
            name: value
            for name, value in zip(names, launch.args, strict=False)
            if isinstance(value, np.ndarray)
        }
        have = outs[found.output]
        return looked_at(
            inputs, found.place, have, np.reshape(_tuple(launch.expect)[found.output], have.shape)
        )

    def _hint(self, error: KernelError) -> str | None:
        """The exercise's hint for an error; None where the simulator's own is better: it has looked at the guard.

        Of arrays inside the kernel the exercise knows only what a `__shared__` one lacks.
        """
        if error.space == "shared" and isinstance(error, OutOfBoundsError):
            return _TOO_SMALL
        if error.space == "shared" and isinstance(error, RaceError):
            return _BARRIER if "read" in (error.access, error.other_access) else None
        own = next((hint for kind, hint in self.hints.items() if isinstance(error, kind)), None)
        held = error.conditions or ()
        is_there = any(all(part in held for part in asked.split(" && ")) for asked in self.guard)
        if error.space == "local" or own is None:
            return None
        guard, *index = (own,) if isinstance(own, str) else own
        if error.guard in (None, "missing") or error.guard == "other" and not is_there:
            return guard
        if error.guard in EXPLAINED:
            return None
        if error.guard == "negative" or is_there:
            return index[-1 if error.access == "write" else 0] if index else None
        return "; ".join([guard, *index[:1]])  # there is one by other names, or of other numbers


@dataclass
class FunctionExercise(Exercise):
    """The answer is a Python function, judged against `reference` on each tuple of `inputs`.

    inputs: a list of argument tuples, or a function of a random generator that returns one.
    mistakes: hint -> a wrong function with the same arguments.
    whole: the results count something, and a float is refused even where its value is right.
    formula: the results are gradients in float64, and one that was measured by small steps is refused.
    """

    reference: Callable[..., Any]
    inputs: Any
    mistakes: dict[str, Callable[..., Any]] = field(default_factory=dict)
    whole: bool = False
    formula: bool = False

    def judge(self, answer: Any = ...) -> Verdict:
        if not callable(answer):
            return self.wrong("", f"needs a function, and got {_kind(answer)}.")
        inputs = (
            self.inputs(np.random.default_rng(self.seed)) if callable(self.inputs) else self.inputs
        )
        inputs = [_tuple(args) for args in inputs]
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

    def _measured(self, inputs: list[tuple], results: list[Any]) -> tuple[int, int] | None:
        """The case with the largest error, if a formula has no such error, and how many digits are right there."""
        errors = [
            relative_error(got, self.reference(*args))
            for got, args in zip(results, inputs, strict=True)
        ]
        worst = int(np.argmax(errors))
        return (worst, int(-np.log10(errors[worst]))) if errors[worst] > _ROUNDING else None

    def _alike(self, inputs: list[tuple], results: list[Any]) -> str | None:
        """All answers are one, and should not be."""
        if not 1 < len(inputs) == len(results) or any(
            compare(got, results[0]) for got in results[1:]
        ):
            return None
        differ = any(
            compare(self.reference(*args), self.reference(*inputs[0])) for args in inputs[1:]
        )
        return "it is the same in every case: what does it depend on?" if differ else None

    def label(self, args: tuple) -> str:
        """What a case is called."""
        return f"called with ({', '.join(map(_short, args))})"

    def _call(self, function: Callable[..., Any], args: tuple, where: str) -> Any:
        """What the function returns, or the verdict where that is nothing to compare."""
        try:
            got = function(*copy.deepcopy(args))
        except NotImplementedError:
            return self.wrong(
                "", "not written yet.", "replace the line that raises NotImplementedError"
            )
        except KernelError as error:
            return self.wrong(where, _report(error), kind=type(error).__name__)
        except Exception as error:  # whatever a student's function raises is feedback, not a crash
            return self.wrong(where, *explained(error, function), kind=type(error).__name__)
        if got is ...:
            return self.wrong("", "not written yet.", "replace the ... by your answer")
        if got is None:
            return self.wrong(where, "your function returned nothing.", "is the return missing?")
        return got


_ENDS_BEFORE = (
    "all sizes of the exercise are right, and this one is not: does a guard, a loop, an array or a small "
    "integer type of the kernel end before it?"
)
_TOO_SMALL = (
    "a shared array is smaller than its indices: its sides must fit the block, a loop over it must end with "
    "it, and an index comes from threadIdx, not from the place in the whole array"
)
_BARRIER = (
    "a barrier is missing: one thread fills the shared array and another one reads it, with no __syncthreads() "
    "between the two"
)


# Answers about a guard that the report itself explains, see KernelError.
EXPLAINED = "other", "late", "either", "both", "inverted", "chained", "equal", "wrapped"


def _unchecked(kernel: Any, launch: Sample, args: tuple) -> Any:
    """As native code, where that can be had; nothing is counted."""
    try:
        with native_code("required"):
            return kernel(launch.grid, launch.block, args, checks=False)
    except UnsupportedError:
        return kernel(launch.grid, launch.block, args, checks=False)


def unmeant(kernel: Any) -> str | None:
    """A warning that explains what is wrong: of an `if (…);`, or of a = in a condition."""
    try:
        warnings = kernel.module.program.warnings
    except (AttributeError, KernelError):  # no kernel, or none that compiles
        return None
    return next(
        (f"line {at.line}: {message}" for at, message in warnings if isinstance(message, Unmeant)),
        None,
    )


def _why_missing(kernel: Any, profile: Any, launch: Sample, found: Difference) -> str | None:
    """What left an output unwritten, where text, counters or the launch tell it."""
    code = getattr(kernel, "code", "")
    if not found.all_missing:
        axes = "xy"[: len(_tuple(launch.block))]
        used = all(
            f"{index}.{axis}" in code for index in ("blockIdx", "threadIdx") for axis in axes
        )
        block = " × ".join(map(str, _tuple(launch.block)))
        return (
            f"the end is missing, all of it from number {found.first_missing} on: which thread should write that "
            f"one, which index does it compute in blocks of {block} threads, and does a guard stop it?"
            if found.first_missing and used
            else None
        )
    unwanted = next(
        (limit.hint for limit in launch.limits if limit.counter == "atomics" and not limit.most),
        None,
    )
    if unwanted and "atomicAdd" in code:
        return f"atomicAdd adds to what was there before, and that is garbage; and {unwanted}"
    names = [parameter.name for parameter in getattr(kernel, "parameters", None) or ()]
    if any(
        isinstance(value, Out) and only_added(name, code)
        for name, value in zip(names, launch.args, strict=False)
    ):
        return "+= and atomicAdd add to what was there before, and that is garbage: store the first value with ="
    if isinstance(profile, Counts) and not profile.global_store.requests:
        if re.search(r"\]\s*=[^=]", code):
            return "the store is never reached with these sizes: which condition holds all threads back?"
        return "does any thread store a result? None is counted: is the body of the kernel written?"
    return None


def _report(error: KernelError, own_hint: bool = True) -> str:
    """What the simulator says. own_hint: with its hint; without, where the exercise has a better one."""
    lead = (
        "a race (the result may be right here and wrong elsewhere)\n"
        if isinstance(error, RaceError)
        else ""
    )
    lead = (
        "the arguments do not fit your kernel's signature\n"
        if isinstance(error, ArgumentError)
        else lead
    )
    return f"{lead}{type(error).__name__}: {error if own_hint else error.finding}"


def _tuple(value: Any) -> tuple:
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


def _kind(value: Any) -> str:
    return (
        "nothing yet"
        if value is ... or value is None
        else f"something of type {type(value).__name__}"
    )


def _label(case: Callable[..., Sample], size: Any) -> str:
    names = list(inspect.signature(case).parameters)[1:]
    return ", ".join(f"{name} = {value}" for name, value in zip(names, _tuple(size), strict=True))

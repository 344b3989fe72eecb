"""Is a result right, and if not, what does it look like: a known mistake, missing elements, a pattern."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from nnlib.device import to_host

UNWRITTEN = np.array(0x7FC0BEEF, np.uint32).view(np.float32)[()]  # a NaN that no arithmetic makes


class Difference(NamedTuple):
    """What is wrong with a result, and a hint where a mistake or a pattern is recognised.

    output, place: which result and which of its elements differs first; place is None where none can be named.
    missing: how many elements nobody has written. all_missing: whether that is all of them. first_missing: from which
    number on all are missing; 0 where others behind it are written. is_mistake: whether the hint is a known mistake's.
    """

    problem: str
    hint: str | None = None
    output: int = 0
    place: tuple[int, ...] | None = None
    missing: int = 0
    all_missing: bool = False
    first_missing: int = 0
    is_mistake: bool = False


def compare(
    got: Any,
    expect: Any,
    mistakes: dict[str, Any] | None = None,
    fresh: Sequence[bool] | None = None,
    rtol: float = 1e-5,
    atol: float = 1e-6,
) -> Difference | None:
    """None when `got` is right; else what differs.

    got, expect and the values of mistakes: arrays, or tuples of arrays. fresh: which outputs began UNWRITTEN.

    >>> compare(np.array([8, 10, 12]), expect=np.array([4, 5, 6]))[:2]
    ('the result at [0] is 8, should be 4.', 'every element is 2 times the right value')
    >>> compare((4, 25), expect=(4, 5), mistakes={"take the root": (2, 25)})[:2]
    ('result 2 is 25, should be 5.', 'take the root')
    """
    several = isinstance(expect, (tuple, list))
    if several and isinstance(got, np.ndarray) and got.ndim == 1:
        got = tuple(got)  # np.array([3, 4]) for 3, 4
    elif not several and isinstance(got, (tuple, list)) and np.ndim(expect):
        try:
            got = np.array(got)  # a matrix written as a list of lists
        except ValueError:
            return Difference("the result is a list whose rows differ in length.")
    elif not several and isinstance(got, (tuple, list)) and len(got) == 1:
        return Difference(
            f"the result is a {type(got).__name__} with one number.",
            "return the number: no brackets, no comma",
        )
    got, expect = _results(got), _results(expect)
    if len(got) != len(expect):
        are = "are" if several else "is"
        return Difference(
            f"{len(got)} result{'s' * (len(got) != 1)} where {len(expect)} {are} expected."
        )

    def explains(mistake: Any, k: int) -> bool:
        wrong = _results(mistake)[k]
        return wrong.shape == got[k].shape and np.allclose(
            got[k], wrong, rtol, atol, equal_nan=True
        )

    for k, (have, want) in enumerate(zip(got, expect, strict=True)):
        which = f"result {k + 1}" if len(got) > 1 else "the result"
        if have.shape != want.shape:
            return Difference(f"{which} has shape {have.shape}, should be {want.shape}.")
        if have.dtype.kind in "OUS" or want.dtype.kind in "OUS":
            if not np.array_equal(have, want):
                return Difference(f"{which} is {have.tolist()!r}, should be {want.tolist()!r}.")
            continue
        good = np.isclose(have, want, rtol, atol, equal_nan=True)
        if good.all():
            continue
        hint = recognised(mistakes or {}, explains, len(got), [k])
        missing = (
            have.view(np.uint32) == UNWRITTEN.view(np.uint32)
            if fresh and fresh[k]
            else np.zeros_like(good)
        )
        place, pattern = None, None
        if missing.flat[good.argmin()]:
            problem, pattern = _missing(missing, which)
        else:
            place = tuple(map(int, np.unravel_index(good.argmin(), good.shape)))
            problem, pattern = (
                _first_difference(have[place], want[place], place, which),
                _pattern(have, want, good),
            )
        first = missing.size - int(missing.sum())
        behind = first if missing.ravel()[first:].all() and first < missing.size else 0
        return Difference(
            problem,
            hint or pattern,
            k,
            place,
            int(missing.sum()),
            not first,
            behind,
            hint is not None,
        )
    return None


def recognised(
    mistakes: dict[str, Any], explains: Callable[[Any, int], bool], count: int, wrong: Sequence[int]
) -> str | None:
    """The hint of the mistake that explains most of the `count` results.

    It must explain half of them, more than half of the `wrong` ones, and the first of these: less may be chance.
    """
    hint, best = None, 0
    for name, mistake in mistakes.items():
        agrees = [explains(mistake, k) for k in range(count)]
        likely = (
            agrees[wrong[0]]
            and sum(agrees[k] for k in wrong) > len(wrong) / 2
            and sum(agrees) >= count / 2
        )
        if likely and sum(agrees) > best:
            hint, best = name, sum(agrees)
    return hint


def looked_at(
    inputs: dict[str, np.ndarray], place: tuple[int, ...], have: np.ndarray, want: np.ndarray
) -> str | None:
    """Of a wrong element: from where it was copied, and from where it should be; else the numbers that lie there.

    >>> x = np.array([5.0, 7.0, 9.0])
    >>> looked_at({"x": x}, (0,), x, x[::-1])
    'that is x[0], and x[2] belongs there'
    >>> looked_at({"x": x}, (0,), x + 1, 3 * x)
    'work this one out by hand: there x is 5'
    """
    for name, values in inputs.items():
        got, right = np.argwhere(values == have[place]), np.argwhere(values == want[place])
        if len(got) == len(right) == 1:
            return f"that is {_element(name, got[0])}, and {_element(name, right[0])} belongs there"
    there = [
        f"{name} is {_number(values[place])}"
        for name, values in inputs.items()
        if values.shape == have.shape
    ]
    return f"work this one out by hand: there {' and '.join(there)}" if there else None


def _element(name: str, index: Any) -> str:
    return f"{name}[{', '.join(map(str, index))}]"


def same(a: Any, b: Any) -> bool:
    """Are two answers equal: as numbers, else as words.

    >>> same("16", 16.0), same(" Yes", "yes"), same("(b) twice", "b"), same(16, "yes")
    (True, True, True, False)
    """
    try:
        return float(a) == float(b)
    except (TypeError, ValueError):
        return _word(a) == _word(b)


def _word(answer: Any) -> str:
    """Without capitals, spaces, and the brackets or dot of "(b)" and "b."; of "(b) stale gradients" the b."""
    word = str(answer).lower().strip()
    return word[1] if re.match(r"\(\w\)", word) else word.strip(" ().")


def _first_difference(have: Any, want: Any, place: tuple[int, ...], which: str) -> str:
    where = f" at [{', '.join(map(str, place))}]" if place else ""
    return f"{which}{where} is {_number(have)}, should be {_number(want)}."


def _missing(missing: np.ndarray, which: str) -> tuple[str, str]:
    where = np.flatnonzero(missing)
    first = ", ".join(map(str, np.unravel_index(where[0], missing.shape)))
    problem = f"no thread wrote [{first}] of {which} ({where.size} of {missing.size} elements are missing)."
    if where.size == missing.size:
        return problem, "does any thread store a result, and at the index it should?"
    if where[-1] - where[0] + 1 == where.size and where[-1] == missing.size - 1:
        of = ".x" if missing.ndim == 1 else ""
        return (
            problem,
            "the end is missing: a guard that is too strict, a loop that ends too early, or an index "
            f"without blockIdx{of}, blockDim{of} or threadIdx{of}",
        )
    if missing.ndim == 2:
        return (
            problem,
            "which thread should write that element? Work out its index: is blockIdx in it, for x and "
            "for y, do rows come from .y, columns from .x, and is the guard right?",
        )
    return (
        problem,
        "which thread should write that element? Work out its index: is blockIdx in it, is the guard right?",
    )


def _pattern(have: np.ndarray, want: np.ndarray, good: np.ndarray) -> str | None:
    """What a wrong result looks like, when it is one of the classics."""
    if have.dtype.kind == "f" and have.dtype.itemsize < 4 and np.allclose(have, want, 2e-3, 2e-3):
        return f"this is {have.dtype}, which keeps three digits: compute in float32"
    if hint := cut_off(have, want):
        return hint
    h, w = have.astype(np.float64).ravel(), want.astype(np.float64).ravel()
    if want.ndim == 2 and np.allclose(h, want.T.ravel(), 1e-4) and min(want.shape) > 1:
        return "this is the transposed result: rows and columns are exchanged"
    if h.size > 2 and (np.allclose(h[1:], w[:-1], 1e-4) or np.allclose(h[:-1], w[1:], 1e-4)):
        return f"everything is shifted by one {'column' if want.ndim > 1 else 'element: check where the index starts'}"
    if h.size > 1 and np.all(w != 0) and np.isfinite(h).all():
        times = h / w
        if np.ptp(times) < 1e-3 * min(abs(times[0]), abs(times[0] - 1)):
            return f"every element is {times[0]:.5g} times the right value"
    if h.size > 2 and np.allclose(h[::-1], w, 1e-4):
        return "the order is reversed"
    if every := _every_so_many(~good):
        return every
    if not np.isfinite(h[~good.ravel()]).any():
        return "NaN or infinity: is a value used that nobody wrote, a division by zero, or an overflow?"
    return None


def _every_so_many(wrong: np.ndarray) -> str | None:
    """One element of every 2, 3, 4 or 8 is wrong, always at the same place."""
    places, last = np.flatnonzero(wrong), wrong.size
    step = int(places[1] - places[0]) if places.size > 1 else 0
    if (
        step not in (2, 3, 4, 8)
        or places.size < 4
        or not np.array_equal(places, np.arange(places[0], last, step))
    ):
        return None
    return (
        f"one element of every {step} is wrong, from number {places[0]} on, and the others are right: which line "
        f"computes number {places[0]}?"
    )


def cut_off(have: np.ndarray, want: np.ndarray) -> str | None:
    """Integers where fractions should be: an int has dropped what follows the decimal point."""
    found = have[np.isfinite(have)]
    if found.size < 3 or np.mod(found, 1).any() or not np.mod(want, 1).any():
        return None
    if found.any():
        return "all numbers are whole: an int drops what follows the decimal point. Find the int where a float belongs"
    return (
        "all results are 0: is an integer involved? 1 / 3 is 0 in C, and an int drops what follows the decimal "
        "point"
    )


def _results(value: Any) -> tuple[np.ndarray, ...]:
    """Arrays; of an exact number, as Fraction and Decimal are, the float next to it."""
    values = value if isinstance(value, (tuple, list)) else (value,)
    return tuple(to_host(float(v) if isinstance(v, (Fraction, Decimal)) else v) for v in values)


def _number(value: Any) -> str:
    return f"{value + 0.0:.6g}" if np.asarray(value).dtype.kind == "f" else str(value)  # 0, not -0

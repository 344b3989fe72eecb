"""Is a function's result right, and if not, what does it look like: a known mistake, a pattern."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from nnlib.device import to_host


class Difference(NamedTuple):
    """A difference between a result and what is right, with a hint if a mistake or a pattern is recognised."""

    problem: str
    hint: str | None = None


def compare(
    got: Any,
    expect: Any,
) -> Difference | None:
    """Compare arrays, or tuples of arrays; return None when `got` is right, else what differs.

    >>> compare(np.array([8, 10, 12]), expect=np.array([4, 5, 6]))
    Difference(problem='the result at [0] is 8, should be 4.', hint='every element is 2 times the right value')
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

    for k, (have, want) in enumerate(zip(got, expect, strict=True)):
        which = f"result {k + 1}" if len(got) > 1 else "the result"
        if have.shape != want.shape:
            return Difference(f"{which} has shape {have.shape}, should be {want.shape}.")
        if have.dtype.kind in "OUS" or want.dtype.kind in "OUS":
            if not np.array_equal(have, want):
                return Difference(f"{which} is {have.tolist()!r}, should be {want.tolist()!r}.")
            continue
        good = np.isclose(have, want, 1e-5, 1e-6, equal_nan=True)
        if not good.all():
            place = np.unravel_index(good.argmin(), good.shape)
            where = f" at [{', '.join(map(str, place))}]" if place else ""
            return Difference(
                f"{which}{where} is {_number(have[place])}, should be {_number(want[place])}.",
                pattern(have, want, good),
            )
    return None


def recognised(
    mistakes: dict[str, Any], explains: Callable[[Any, int], bool], count: int, wrong: Sequence[int]
) -> str | None:
    """Return the hint of the mistake that explains most of the `count` results.

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


def looked_at(inputs: Mapping[str, np.ndarray], got: np.ndarray, want: np.ndarray) -> str | None:
    """Say of the first wrong element where it was copied from, and which element belongs there.

    >>> x = np.array([5.0, 7.0, 9.0])
    >>> looked_at({"x": x}, x, x[::-1])
    'that is x[0], and x[2] belongs there'
    """
    place = np.unravel_index(np.isclose(got, want, equal_nan=True).argmin(), got.shape)
    for name, values in inputs.items():
        copied, right = np.argwhere(values == got[place]), np.argwhere(values == want[place])
        if len(copied) == len(right) == 1:
            return (
                f"that is {_element(name, copied[0])}, and {_element(name, right[0])} belongs there"
            )
    return None


def _element(name: str, index: Any) -> str:
    return f"{name}[{', '.join(map(str, index))}]"


def same(a: Any, b: Any) -> bool:
    """Return whether two answers are equal: as numbers, else as words.

    >>> same("16", 16.0), same(" Yes", "yes"), same("(b) twice", "b"), same(16, "yes")
    (True, True, True, False)
    """
    try:
        return float(a) == float(b)
    except (TypeError, ValueError):
        return _word(a) == _word(b)


def _word(answer: Any) -> str:
    """Normalise an answer: no capitals, no spaces, no brackets or dot of "(b)" and "b."; only the b of "(b) stale gradients"."""
    word = str(answer).lower().strip()
    return word[1] if re.match(r"\(\w\)", word) else word.strip(" ().")


def pattern(have: np.ndarray, want: np.ndarray, good: np.ndarray) -> str | None:
    """Describe a wrong result that has one of the classic patterns, such as a transposed matrix; else return None."""
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
    if h.size > 2 and np.ptp(w) > 1e-3 and np.isfinite(h).all():
        more = h - w
        if np.ptp(more) < 1e-4 * abs(more[0]):
            return (
                f"every element is too {'large' if more[0] > 0 else 'small'} by {abs(more[0]):.5g}: with which number does "
                "a sum begin, and is something added once too often?"
            )
    if h.size > 2 and np.allclose(h[::-1], w, 1e-4):
        return "the order is reversed"
    if every := _every_so_many(~good):
        return every
    if not np.isfinite(h[~good.ravel()]).any():
        return "NaN or infinity: is a value used that nobody wrote, a division by zero, or an overflow?"
    return None


def _every_so_many(wrong: np.ndarray) -> str | None:
    """Explain results of which one in every 2, 3, 4 or 8 is wrong, always at the same position."""
    places, last = np.flatnonzero(wrong), wrong.size
    step = int(places[1] - places[0]) if places.size > 1 else 0
    if (
        step not in (2, 3, 4, 8)
        or places.size < 4
        or places[-1] + 2 * step < last  # the last few may be the work of others
        or not np.array_equal(places, np.arange(places[0], places[-1] + 1, step))
    ):
        return None
    return (
        f"one element of every {step} is wrong, from number {places[0]} on, and the others are right: which line "
        f"computes number {places[0]}?"
    )


def cut_off(have: np.ndarray, want: np.ndarray) -> str | None:
    """Explain integers in place of fractions: an int has dropped what follows the decimal point."""
    found = have[np.isfinite(have)]
    if found.size < 3 or np.mod(found, 1).any() or not np.mod(want, 1).any():
        return None
    if found.any():
        return "all numbers are whole: an int drops what follows the decimal point. Find the int where a float belongs"
    return (
        "all results are 0: is an integer involved? 1 / 3 is 0 in C, and an int drops what follows the decimal "
        "point. Or does a loop add nothing?"
    )


def _results(value: Any) -> tuple[np.ndarray, ...]:
    """Return an answer as arrays; an exact number, such as a Fraction or a Decimal, as the nearest float."""
    values = value if isinstance(value, (tuple, list)) else (value,)
    return tuple(to_host(float(v) if isinstance(v, (Fraction, Decimal)) else v) for v in values)


def _number(value: Any) -> str:
    return f"{value + 0.0:.6g}" if np.asarray(value).dtype.kind == "f" else str(value)  # 0, not -0

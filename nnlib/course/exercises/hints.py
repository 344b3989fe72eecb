"""The hint of a wrong kernel, of a workshop or an exercise, from what its judgement found.

It is the first that fits: what the simulator found, said in the words of the contract; the mistake that gives just
what the kernel wrote; what the wrong result looks like; where it is wrong.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from nnlib.course.exercises.comparing import cut_off, looked_at, pattern
from nnlib.course.exercises.error_hints import MACRO
from nnlib.course.exercises.mistakes import recognised
from nnlib.course.exercises.recognition import same
from nnlib.course.exercises.unwritten import only_added
from nnlib.cuda import KernelError
from nnlib.mine.contract import Piece, unwritten
from nnlib.mine.judgement import Judgement
from nnlib.mine.trials.tasks import no_atomics, without_atomics

_MANY = 20_000  # results, for which trying all mistakes takes too long
_ELSEWHERE = (
    "the sizes of the contract are right, and these are not: which condition or number in the kernel treats "
    "them differently, or which small type ends before?"
)


def exchanged_names(piece: Piece, kernel: Any) -> str | None:
    """Return a hint where two of the contract's parameter names are exchanged and their types do not reveal it."""
    try:
        own = [p.name for p in getattr(kernel, "parameters", None) or ()]
    except KernelError:  # it does not compile, which is told already
        return None
    names = [p.name for p in piece.signature]
    wrong = next(
        (k for k, (name, mine) in enumerate(zip(names, own, strict=False)) if name != mine), None
    )
    if wrong is None or sorted(names) != sorted(own):
        return None
    return (
        f"The names of two parameters are exchanged: number {wrong + 1} is {own[wrong]} in your kernel, and "
        f"{names[wrong]} in the contract. Name them in its order: ({', '.join(names)})."
    )


def hint_for(
    judged: Judgement,
    text: str,
    known_error: Callable[..., str | None],
    known_gap: Callable[..., str | None],
) -> str | None:
    """Return what to look at next; None where the verdict itself, or the simulator's own hint, says it.

    text: the kernel's source, for hints that depend on how it is written. known_error, known_gap: return the hint for an
    error, and for results that no thread has written, with the arguments of `about_error` and `why_unwritten`.
    """
    if torn := _torn_macro(text):
        return torn
    if judged.error is not None:
        return known_error(judged, judged.error, text)
    if judged.case is None or not judged.got:
        return _one_long(judged) if judged.sizes else None
    if judged.right:
        return (
            "any grid must do: a thread that has done its element goes on with the one gridDim.x * blockDim.x "
            "further, until n"
        )
    wrong = next(
        (
            name
            for name, want in judged.case.expected.items()
            if not same(judged.piece, name, judged.got[name], want)
        ),
        None,
    )
    if wrong is None:
        return None
    got, want = judged.got[wrong], judged.case.expected[wrong]
    before = judged.case.arguments[wrong] if wrong in judged.piece.updates else None
    nobody = unwritten(got) if before is None else _unchanged(got, want, before)
    block = judged.launched[1] if judged.launched else (1, 1, 1)
    if said := _too_few_threads(judged, wrong, nobody) or _one_long(judged):
        return said
    known = judged.sizes is None or judged.sizes in judged.piece.sizes
    unknown = (before is None and nobody.all() and not only_added(wrong, text)) or (
        not known and got.size > _MANY
    )
    mistake = None
    if not unknown:
        mistake = _beside_float4(nobody, text) or recognised(judged.case, judged.got, block, text)
    if not known:
        return mistake or _ELSEWHERE
    return (
        mistake
        or _cut_off(judged)
        or _by_atomics(judged, wrong, nobody, text)
        or known_gap(wrong, judged.piece.shapes[wrong].split(), nobody, judged.launched, text)
        or _constant(wrong, got, want)
        or _floor(wrong, got, want)
        or pattern(got, want, np.isclose(got, want, 1e-4, 1e-4))
        or _where(judged.piece, wrong, got, want)
        or _thread_number(judged, text)
        or looked_at(judged.case.inputs, got, want)
        or f"work out one element by hand and compare: {judged.piece.formula}"
    )


def _unchanged(got: np.ndarray, want: np.ndarray, before: np.ndarray) -> np.ndarray:
    """Return which elements no thread has updated. One that should keep its value counts if a neighbour does."""
    same, moving = np.ravel(got == before), np.flatnonzero(want != before)
    if moving.size:
        last = np.searchsorted(moving, np.arange(same.size), "right") - 1
        following = np.searchsorted(moving, np.arange(same.size))
        same = same[moving[last.clip(0)]] | same[moving[following.clip(max=moving.size - 1)]]
    return np.asarray(same.reshape(got.shape))


def _torn_macro(text: str) -> str | None:
    """Explain a #define without parentheses around its body that is used beside an operator that binds more tightly."""
    for name, body in MACRO.findall(text):
        outside = body
        while (shorter := re.sub(r"\([^()]*\)", "0", outside)) != outside:
            outside = shorter
        operators = re.findall(r"(?<=\w)\s*([-+*/%])", outside)
        beside = rf"[/%]\s*{name}\b" + (
            rf"|[-*]\s*{name}\b|\b{name}\s*[*/%]" if {"+", "-"} & {*operators} else ""
        )
        if operators and (used := re.search(beside, MACRO.sub("", text))):
            return (
                f"#define pastes text: in {used[0]} the operator takes only a part of {body}. Put brackets around "
                f"the whole text: #define {name} ({body})"
            )
    return None


def _cut_off(judged: Judgement) -> str | None:
    """Explain results whose fractional part an int has cut off."""
    assert judged.case is not None
    told = [
        (got, want)
        for name, want in judged.case.expected.items()  # too few, or all the same, say nothing
        if not unwritten(got := judged.got[name]).any() and np.ptp(got)
    ]
    return next((said for said in (cut_off(got, want) for got, want in told) if said), None)


def _constant(name: str, got: np.ndarray, want: np.ndarray) -> str | None:
    """Explain results that are all the same number."""
    if np.ptp(got) or not np.ptp(want):
        return None
    if not got.any() and (said := cut_off(got, want)):
        return said
    return (
        f"every number in {name} is {got.flat[0]:g}: does the kernel store what it has computed, or what it began "
        "with?"
    )


def _floor(name: str, got: np.ndarray, want: np.ndarray) -> str | None:
    """Explain wrong results that are all the same number and should all be smaller."""
    wrong = ~np.isclose(got, want, 1e-4, 1e-4)
    if wrong.sum() < 2:
        return None
    first = got[wrong].flat[0]
    if not first or (got[wrong] != first).any() or (want[wrong] >= first).any():
        return None
    return (
        f"wherever {name} should be smaller than {first:g}, it is {first:g}: does the search begin with that number? "
        "Begin with the first element, since all of them may be smaller"
    )


def _by_atomics(judged: Judgement, name: str, nobody: np.ndarray, text: str) -> str | None:
    """Explain results that are only added to garbage, in a workshop that wants no atomics. A grid that is too small is named."""
    piece = judged.piece
    if not ("atomicAdd" in text and no_atomics in piece.task):
        return None
    instead = f"the task wants no atomics. {without_atomics(piece.task).capitalize()}"
    threads = math.prod(sum(judged.launched or (), ()))
    if threads < nobody.size and re.search(r"<<<[\d\s,]+>>>", text) and "gridDim" not in text:
        instead += f". And the launch has {threads:,} threads whatever the sizes, for {nobody.size:,} numbers of {name}"
    if name in piece.updates:
        return instead
    return (
        f"atomicAdd adds to what {name} holds before, and that is garbage; and {instead}"
        if nobody.all()
        else None
    )


def _beside_float4(nobody: np.ndarray, text: str) -> str | None:
    """Explain that just the last n % 4 are as they were, of a kernel that takes four at once."""
    rest = np.arange(nobody.size) >= nobody.size // 4 * 4
    if "float4" in text and rest[-1] and np.array_equal(nobody, rest):
        return "the last n % 4 elements fill no float4: they are missing, or not stored from n / 4 * 4 on"
    return None


def _where(piece: Piece, name: str, got: np.ndarray, want: np.ndarray) -> str | None:
    """Explain wrong results that all lie at an edge of the array; the hint names its size."""
    wrong = np.argwhere(~np.isclose(got, want, 1e-4, 1e-4))
    for axis, size in enumerate(piece.shapes[name].split()):
        places, last = set(wrong[:, axis].tolist()), got.shape[axis] - 1
        for edge, words in (
            ({last}, "the last"),
            ({0}, "the first"),
            ({0, last}, "the first and the last"),
        ):
            if places == edge and last > 3 * len(edge) - 2:  # else it may be chance
                return f"only {words} of {size} {'are' if len(edge) > 1 else 'is'} wrong: what is different there?"
    return None


def _thread_number(judged: Judgement, text: str) -> str | None:
    """Explain an index along an axis that ignores the block's number, or treats blocks as if they had one thread."""
    for axis, blocks, threads in zip("xyz", *(judged.launched or ()), strict=False):
        own, block = f"threadIdx.{axis}", f"blockIdx.{axis}"
        if blocks > 1 < threads and own in text and block not in text:
            return (
                f"the grid has {blocks} blocks along {axis}, and the kernel never asks for {block}"
            )
        plain = re.search(rf"{block} \+ {own}|{own} \+ {block}(?! *\*)", text)
        if blocks > 1 < threads and plain:
            return f"{plain[0]}: blocks begin {threads} threads apart along {axis}, so {block} is multiplied by blockDim.{axis}"
    return None


def _too_few_threads(judged: Judgement, name: str, nobody: np.ndarray) -> str | None:
    """Explain results that are left over at large sizes although every thread has written its own."""
    if judged.sizes in judged.piece.sizes or judged.launched is None:
        return None
    threads = math.prod((*judged.launched[0], *judged.launched[1]))
    if not nobody.any() or nobody.ravel()[:threads].any() or not nobody.ravel()[threads:].all():
        return None
    return (
        f"the end is missing, only the first {threads:,} are written, as many as the launch has threads: of which "
        f"sizes is the grid made? It needs {judged.piece.names(name)}"
    )


def _one_long(judged: Judgement) -> str | None:
    """Explain a kernel that is right at all sizes of the contract, and wrong where one side is longer than in any of them."""
    sizes, known = judged.sizes or {}, judged.piece.sizes
    if sizes in known:
        return None
    longest = {
        name: value for name, value in sizes.items() if value > max(one[name] for one in known)
    }
    if len(longest) != 1:
        return None
    ((name, value),) = longest.items()
    return (
        f"all smaller sizes are right, and here {name} is {value:,}: does a loop, a guard, an array or a small "
        "integer type end before that?"
    )

"""Recognise which usual mistake a kernel makes, by comparing its outputs with those of all of them.

mistakes/ works these outputs out by running the mistakes. Students' packages come without those texts, since beside
each wrong line stands the right one: nnlib/teaching/package.py writes samples of the outputs for the inputs of `check`
in their place, and `recognised` looks there.
"""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from nnlib.mine.contract import RELATIVE, Piece, PieceCase, Sizes, tolerance, unwritten

RECORDED = Path(__file__).with_name("mistakes") / "recorded.json"
# Numbers of an output that tell one mistake from another, beside what its quarters are like
_SAMPLES = 12
Outputs = Mapping[str, Any]
Block = tuple[int, int, int]


def recognise(
    outcomes: Iterable[tuple[str, Outputs]], piece: Piece, expected: Outputs, got: Outputs
) -> str | None:
    """Return the hint of the mistake that writes exactly what the student's kernel has written.

    Else return the hint of one that writes one of its wrong outputs, or None. outcomes: hint and outputs of each mistake, the
    likeliest first.
    """
    partly = None
    for hint, wrote in outcomes:
        wrong = [name for name in wrote if not same(piece, name, wrote[name], expected[name])]
        agrees = [name for name in wrong if same(piece, name, wrote[name], got[name])]
        if agrees and all(same(piece, name, wrote[name], got[name]) for name in wrote):
            return hint
        if agrees and partly is None and not _gaps(got, wrote):
            partly = hint
    return partly


def _gaps(got: Outputs, wrote: Outputs) -> bool:
    """Return whether the student's kernel leaves elements unwritten that a mistake writes: then the mistake is another one."""
    return any((_nobody(got[name]) & ~_nobody(wrote[name])).any() for name in wrote)


def _nobody(values: Any) -> np.ndarray:
    return unwritten(np.asarray(values, np.float32))


def recognised(
    case: PieceCase, got: Outputs, block: Block = (1, 1, 1), text: str = ""
) -> str | None:
    """Do what `recognise` does, from the samples of a students' package. text: source of the kernel, which samples ignore."""
    of_block = _recorded().get(_key(case.piece), {}).get(_of(case.sizes), {})
    known: list[Any] = next((of_block[name] for name in _names(block) if name in of_block), [])
    return recognise(
        (
            (hint, {name: np.array(values, float) for name, values in wrote.items()})
            for hint, wrote in known
        ),
        case.piece,
        sampled(case.expected),
        sampled(got),
    )


def record(
    piece: Piece, outcomes: Iterable[tuple[Sizes, Block, str, Outputs]], record: dict[str, Any]
) -> None:
    """Add the samples of a piece's mistakes to what RECORDED is to hold."""
    known = record.setdefault(_key(piece), {})
    for sizes, block, hint, wrote in outcomes:
        samples = {
            name: [float(f"{value:.6g}") for value in values]
            for name, values in sampled(wrote).items()
        }
        known.setdefault(_of(sizes), {}).setdefault(_names(block)[0], []).append([hint, samples])


def sampled(outputs: Outputs) -> dict[str, np.ndarray]:
    """Sample each output at evenly spaced elements; add the means of the quarters of a longer one."""
    return {name: _sampled(np.ravel(values)) for name, values in outputs.items()}


def _sampled(values: np.ndarray) -> np.ndarray:
    if values.size <= _SAMPLES:
        return values
    some = values[np.linspace(0, values.size - 1, _SAMPLES).round().astype(int)]
    finite = np.where(np.isfinite(values), values, 0).astype(float)  # sums of float32 may overflow
    means = [
        [np.abs(part).mean(), np.maximum(part, 0).mean()] for part in np.array_split(finite, 4)
    ]
    return np.concatenate([some, [np.isfinite(values).mean()], np.ravel(means)])


def same(piece: Piece, name: str, one: Any, other: Any) -> bool:
    """Return whether two outputs of this name are as close as a right result must be to the expected one."""
    with np.errstate(all="ignore"):
        absolute = tolerance(piece, name, np.asarray(other))
        return np.allclose(one, other, RELATIVE, absolute, equal_nan=True)


@functools.cache
def _recorded() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(RECORDED.read_text("utf-8"))
    return found


def _key(piece: Piece) -> str:
    return f"{piece.lesson}.{piece.name}"


def _of(sizes: Sizes) -> str:
    return " ".join(f"{name}={value}" for name, value in sizes.items())


def _names(block: Block) -> list[str]:
    """Return the names that samples for a block may have, the best first; "1" where they fit any block."""
    square, threads = f"{block[0]} x {block[1]}", str(math.prod(block))
    return [square, threads, "1"] if block[1] > 1 else [threads, "1"]

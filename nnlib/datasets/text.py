"""Text for a language model: characters as numbers, in windows of equal length."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from nnlib.datasets.examples import Dataset, DatasetError, Examples

NAMES = Path(__file__).with_name("names.txt")
BETWEEN = "."  # before, between and behind names


def names(context: int = 16, seed: int = 0) -> Dataset:
    """Return names of people, of which a tenth, drawn with `seed`, is the test part.

    They are 8,008 of those that the Social Security Administration of the United States published for 2018, a work in
    the public domain. Characters are numbered: "." is 0, "a" is 1.

    >>> data = names()
    >>> decode(data.classes, data.train.inputs[0][:6])
    '.olivi'
    """
    every = NAMES.read_text("ascii").split()
    held_out = set(np.random.default_rng(seed).permutation(len(every))[: len(every) // 10].tolist())
    parts = [
        BETWEEN
        + BETWEEN.join(name for i, name in enumerate(every) if (i in held_out) == test)
        + BETWEEN
        for test in (False, True)
    ]
    return _dataset("names", parts, context)


def load_text(path: str | os.PathLike[str], context: int = 64) -> Dataset:
    """Return a text of your own, UTF-8; the last tenth is the test part. Raises DatasetError if it is too short."""
    text = Path(path).read_text("utf-8")
    cut = len(text) - len(text) // 10
    if len(text) // 10 <= context:
        raise DatasetError(
            f"{os.fspath(path)}: {len(text)} characters; windows of {context} need more than {10 * context}"
        )
    return _dataset(Path(path).stem, [text[:cut], text[cut:]], context)


def encode(classes: Sequence[str], text: str) -> np.ndarray:
    """Return the number of each character, int32; a DatasetError names one that is not among the classes."""
    number = {character: i for i, character in enumerate(classes)}
    unknown = sorted(set(text) - number.keys())
    if unknown:
        raise DatasetError(
            f"{unknown[0]!r} is none of the {len(classes)} characters of this data set"
        )
    return np.array([number[character] for character in text], np.int32)


def decode(classes: Sequence[str], tokens: Iterable[int]) -> str:
    """Return the text that these numbers stand for."""
    return "".join(classes[int(token)] for token in tokens)


def _dataset(name: str, parts: Sequence[str], context: int) -> Dataset:
    classes = tuple(sorted(set("".join(parts))))
    train, test = (_windows(encode(classes, part), context, classes) for part in parts)
    return Dataset(name, train, test)


def _windows(tokens: np.ndarray, context: int, classes: tuple[str, ...]) -> Examples:
    """Return windows (N, context), one behind the other, and as labels what follows each token."""
    N = (len(tokens) - 1) // context
    inputs, labels = (tokens[start : start + N * context].reshape(N, context) for start in (0, 1))
    return Examples(inputs, labels, classes)

"""Fingerprints by winnowing, and how much of them two texts share.

Schleimer, Wilkerson and Aiken, "Winnowing: local algorithms for document fingerprinting", SIGMOD 2003: of each WINDOW
successive hashes of K tokens the smallest is kept. What two texts share with K + WINDOW - 1 tokens or more is always
found, what is shorter than K tokens never is.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence

from nnlib.teaching.similar.tokens import Lexeme

K, WINDOW = 10, 4

Fingerprints = dict[int, set[int]]  # hash -> lines


def fingerprints(tokens: Sequence[Lexeme]) -> Fingerprints:
    """The hashes that are kept, each with the lines that its tokens stand in."""
    grams = [tokens[at : at + K] for at in range(len(tokens) - K + 1)]
    hashes = [zlib.crc32(" ".join(token.word for token in gram).encode()) for gram in grams]
    kept = {
        min(range(at, min(at + WINDOW, len(hashes))), key=lambda place: (hashes[place], -place))
        for at in range(max(1, len(hashes) - WINDOW + 1))
        if hashes
    }
    found: Fingerprints = {}
    for place in sorted(kept):
        found.setdefault(hashes[place], set()).update(token.line for token in grams[place])
    return found


def without(prints: Fingerprints, known: Iterable[int]) -> Fingerprints:
    """Those that are not known, as from starter code."""
    known = set(known)
    return {mark: lines for mark, lines in prints.items() if mark not in known}


def likeness(one: Fingerprints, other: Fingerprints) -> float:
    """The share of the smaller one's fingerprints that the other has, too: 0 to 1."""
    return len(one.keys() & other.keys()) / max(1, min(len(one), len(other)))

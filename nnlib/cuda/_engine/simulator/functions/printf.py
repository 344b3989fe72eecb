"""printf: C's format applied to NumPy values. Lesson 01."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from ...language.checking.values import SPECIFICATION

_WIDEST = 2**20  # the bytes that a GPU's buffer for printf holds


def formatted(text: str, values: Sequence[np.generic | str]) -> str:
    """Return the text with its conversions replaced; that they fit the values is known since the text was compiled."""
    rest = list(values)

    def convert(match: re.Match[str]) -> str:
        kind = match["kind"]
        if kind == "%":
            return "%"
        width = _bounded(rest.pop(0) if match["width"] == "*" else match["width"])
        precision = match["precision"]
        if precision == ".*":
            # Negative is as if left out
            precision = f".{given}" if (given := int(rest.pop(0))) >= 0 else ""
        precision = precision[:1] + _bounded(precision[1:])
        value = rest.pop(0)
        if isinstance(value, str):
            return f"%{match['flags']}{width}{precision}s" % value
        if kind not in "fFeEgG":
            value = value.astype(f"{'i' if kind in 'dic' else 'u'}{value.dtype.itemsize}")
        if kind == "c":
            value = value.astype(np.uint8)
        form = {"i": "d", "u": "d", "p": "#x"}.get(kind, kind)
        return f"%{match['flags']}{width}{precision}{form}" % value.item()

    return SPECIFICATION.sub(convert, text)


def _bounded(size: np.generic | str) -> str:
    """Return a width or precision, but at most _WIDEST: a larger one would take all memory before the buffer is full."""
    return str(max(-_WIDEST, min(int(size), _WIDEST))) if size != "" else ""

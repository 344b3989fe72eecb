"""printf: C's format applied to NumPy values."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}
_CONVERSION = re.compile(r"%([-+ #0]*)(\d*)((?:\.\d*)?)(?:hh|h|ll|l|z|j|t)?([diuxXofFeEgGcps%])")


def unescape(text: str) -> str:
    """The characters that a C string literal stands for."""
    return re.sub(r"\\(.)", lambda match: _ESCAPES.get(match[1], match[1]), text)


def formatted(text: str, values: Sequence[np.generic]) -> str:
    """The text with its conversions replaced; ValueError if they do not fit the values."""
    rest = list(values)

    def convert(match: re.Match) -> str:
        flags, width, precision, kind = match.groups()
        if kind == "%":
            return "%"
        if not rest:
            raise ValueError("printf has more conversions than values")
        value = rest.pop(0).item()
        if kind in "xXou" and value < 0:
            value += 2 ** 64 if abs(value) >= 2**31 else 2**32
        if kind in "diuxXoc":
            value = int(value)
        kind = {"i": "d", "u": "d", "p": "#x"}.get(kind, kind)
        return f"%{flags}{width}{precision}{kind}" % value

    result = _CONVERSION.sub(convert, text)
    if rest:
        raise ValueError("printf has more values than conversions")
    return result

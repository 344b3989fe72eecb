"""Read the values that scanf finds in a text: one for each conversion of its format. Lesson 01."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

_PIECE = re.compile(
    r"\s+|%%|%(?P<skip>\*?)(?P<width>\d{0,9})(?P<size>hh|h|ll|l|z|j|t|L)?"
    r"(?P<kind>\[\^?\]?[^\]]*\]|[a-zA-Z])|.",
    re.DOTALL,
)
_REAL = rb"[-+]?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[iI][nN][fF](?:inity)?|[nN][aA][nN])"
_NUMBERS = {
    "d": rb"[-+]?\d+",
    "u": rb"[-+]?\d+",
    "x": rb"[-+]?(?:0[xX])?[0-9a-fA-F]+",
    "o": rb"[-+]?[0-7]+",
    "i": rb"[-+]?(?:0[xX][0-9a-fA-F]+|0[0-7]*|[1-9]\d*)",
    "f": _REAL,
    "s": rb"\S+",
}
_ALIKE = dict.fromkeys("eEgGaF", "f") | dict.fromkeys("Xp", "x")
_SIZES = {"hh": 1, "h": 2, None: 4, "": 4, "l": 8, "ll": 8, "z": 8, "j": 8, "t": 8}


@dataclass
class Scanned:
    """The values that scanf has read from a text.

    values: (letter, bytes, value), where the letter is d for integers, f for reals, s for texts. consumed: bytes of the text.
    ended: the text ended before anything was found.
    """

    values: list[tuple[str, int, Any]] = field(default_factory=list)
    consumed: int = 0
    ended: bool = False


def unknown(form: str) -> str | None:
    """Return the first conversion that scanf does not support here; else None."""
    for piece in _PIECE.finditer(form):
        kind = piece["kind"]
        if piece[0] == "%" or (
            kind is not None
            and kind not in ("c", "n")
            and kind[0] != "["
            and (_ALIKE.get(kind, kind) not in _NUMBERS)
        ):
            return piece[0]
    return None


def scanned(form: str, text: bytes) -> Scanned:
    """Read the text as scanf does. form: without conversions that are `unknown`."""
    result = Scanned()
    for piece in _PIECE.finditer(form):
        kind = piece["kind"]
        if piece[0].isspace() or (kind is not None and kind not in ("c", "n") and kind[0] != "["):
            result.consumed += len(text) - result.consumed - len(text[result.consumed :].lstrip())
        if piece[0].isspace():
            continue
        if kind == "n":
            result.values.append(("d", 4, result.consumed))
            continue
        end = result.consumed + int(piece["width"] or len(text))
        found = re.compile(_pattern(piece), re.DOTALL).match(text, result.consumed, end)
        if found is None:
            result.ended = result.consumed >= len(text) and not result.values
            return result
        result.consumed = found.end()
        if kind is not None and not piece["skip"]:
            result.values.append(_value(piece, found[0]))
    return result


def _pattern(piece: re.Match[str]) -> bytes:
    kind = piece["kind"]
    if kind is None:
        return re.escape(piece[0].replace("%%", "%").encode())
    if kind == "c":
        return b".{%d}" % int(piece["width"] or 1)
    if kind[0] == "[":
        return _set(kind) + b"+"
    return _NUMBERS[_ALIKE.get(kind, kind)]


def _set(kind: str) -> bytes:
    inside = kind[1:-1]
    negative = "^" * inside.startswith("^")
    escaped = re.sub(r"([\\\[\]^])", r"\\\1", inside.removeprefix("^"))
    return f"[{negative}{escaped}]".encode()


def _value(piece: re.Match[str], found: bytes) -> tuple[str, int, Any]:
    kind = piece["kind"]
    if kind == "c" or kind == "s" or kind[0] == "[":
        return ("c" if kind == "c" else "s"), len(found), found
    if kind in "fFeEgGa":
        return "f", 8 if piece["size"] == "l" else 4, float(found)
    base = {"d": 10, "u": 10, "i": 0, "o": 8}.get(kind, 16)
    if kind == "i" and re.fullmatch(rb"[-+]?0\d+", found):
        base = 8
    return "d", _SIZES.get(piece["size"], 4), whole(found.decode("ascii"), base)


def whole(digits: str, base: int, most: int = 2**63 - 1) -> int:
    """Return the integer that the digits stand for, clamped to C's range."""
    try:
        return max(-(2**63), min(int(digits, base), most))
    except ValueError:  # more digits than Python takes
        return -(2**63) if digits.startswith("-") else most

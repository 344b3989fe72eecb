"""Verdicts with a seal: a line that the judge has not written is no verdict.

The judge's pipe can be opened by others than the judge: by its user's processes, and by root's. Each line carries an
HMAC over the exercise's name and the verdict, under a key of this run that the judge gets on its standard input.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import Any


class ForgedError(Exception):
    """A line without the judge's seal."""


def sealed(key: bytes, exercise: str, verdict: dict[str, Any]) -> str:
    """The line of a verdict, without its end."""
    text = json.dumps(verdict)
    return f"{_seal(key, exercise, text)} {text}"


def opened(key: bytes, exercise: str, line: str) -> dict[str, Any]:
    """The verdict of a line about that exercise; ForgedError for a line that `sealed` has not made with this key."""
    seal, _, text = line.rstrip("\n").partition(" ")
    if not hmac.compare_digest(seal.encode(), _seal(key, exercise, text).encode()):
        raise ForgedError(exercise)
    return dict(json.loads(text))


def _seal(key: bytes, exercise: str, text: str) -> str:
    return hmac.new(key, f"{exercise} {text}".encode(), hashlib.sha256).hexdigest()

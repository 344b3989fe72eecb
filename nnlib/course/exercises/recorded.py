"""Results in the place of functions: students' packages hold what a right answer gives, not how it is worked out.

nnlib/teaching/package.py writes recorded.json, and these calls into the exercises.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np


def recorded(exercise: str) -> dict[str, Any]:
    """Return reference and mistakes of a FunctionExercise, defined for the inputs of `check` only."""
    known = _all()[exercise]
    return {
        "reference": _table(known["cases"], known["reference"]),
        "mistakes": {
            hint: _table(known["cases"], results) for hint, results in known["mistakes"].items()
        },
    }


@functools.cache
def _all() -> dict[str, Any]:
    text = Path(__file__).with_name("recorded.json").read_text("utf-8")
    found: dict[str, Any] = json.loads(
        text, object_hook=lambda known: np.array(known["array"]) if "array" in known else known
    )
    return found


def _table(cases: list[str], results: list[Any]) -> Callable[..., Any]:
    found = dict(zip(cases, results, strict=True))
    return lambda *args: found[repr(args)]

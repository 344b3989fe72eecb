"""A term, as its teacher writes it down in one file: dates, weights, grades, rules."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from pathlib import Path
from typing import Any

from nnlib.lessons import NUMBERS
from nnlib.teaching.reading import naming

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

EXAMPLE = Path(__file__).with_suffix(".toml")
PARTS = ("exercises", "stars", "homework", "talks", "exam")


@dataclass(frozen=True)
class CourseTerm:
    """What `term.toml` says; term.toml explains each entry. due: lesson -> when its work is due."""

    course: str
    contact: str
    exam_date: str
    due: Mapping[str, datetime]
    weights: Mapping[str, float]
    grades: Mapping[str, float]
    drop: int
    late_days: int
    penalty: float
    closes: int
    exam_needed: float
    homework: Mapping[str, float]

    @classmethod
    def read(cls, path: Path) -> CourseTerm:
        """Read a file; ValueError names the entry that is missing or impossible."""
        with naming(path, "entry"):
            told: dict[str, Any] = tomllib.loads(path.read_text("utf-8"))
            told |= told.pop("rules")
            told["exam_date"] = str(told.pop("exam"))
            told["due"] = {lesson: moment(when) for lesson, when in told["due"].items()}
            for entry in fields(cls):
                _check(entry.name, str(entry.type), told[entry.name])
            told["grades"] = dict(sorted(told["grades"].items(), key=lambda grade: -grade[1]))
            if set(told["weights"]) != set(PARTS) or sum(told["weights"].values()) != 100:
                raise ValueError(f"[weights] has {', '.join(PARTS)}, which make 100 together")
            if not told["grades"] or not told["due"].keys() <= {*NUMBERS}:
                raise ValueError(
                    f"[grades] is empty, or [due] has others than {', '.join(NUMBERS)}"
                )
            return cls(*(told[entry.name] for entry in fields(cls)))


def _check(name: str, kind: str, value: Any) -> None:
    """Raise ValueError where an entry, or one of those in its table, should be a number and is not."""
    if "float]" in kind:
        for key, each in value.items():
            _check(f"{key} of [{name}]", "float", each)
    elif kind in ("int", "float") and not (
        isinstance(value, int if kind == "int" else (int, float)) and 0 <= value < math.inf
    ):
        raise ValueError(
            f"{name} is {value!r}; write a number from 0 on, of days or lessons a whole one"
        )


def moment(when: object) -> datetime:
    """Return a date with its time, as this computer's clock shows it, from one of TOML's or from words of ISO 8601."""
    found = datetime.fromisoformat(when) if isinstance(when, str) else when
    if not isinstance(found, datetime):
        raise TypeError(f"{when} is no date with a time, such as 2027-04-21T23:59:00")
    return found.astimezone().replace(tzinfo=None)

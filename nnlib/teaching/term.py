"""A term, as its teacher writes it down in one file: dates, weights, grades, rules."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from pathlib import Path
from typing import Any

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
        try:
            told: dict[str, Any] = tomllib.loads(path.read_text("utf-8"))
            told |= told.pop("rules")
            told["exam_date"] = str(told.pop("exam"))
            told["due"] = {lesson: _moment(when) for lesson, when in told["due"].items()}
            told["grades"] = dict(sorted(told["grades"].items(), key=lambda grade: -grade[1]))
            term = cls(*(told[entry.name] for entry in fields(cls)))
        except KeyError as missing:
            raise ValueError(f"{path} has no entry {missing}") from None
        except (tomllib.TOMLDecodeError, TypeError, AttributeError) as error:
            raise ValueError(f"{path}: {error}") from None
        if set(term.weights) != set(PARTS) or sum(term.weights.values()) != 100:
            raise ValueError(f"{path}: [weights] has {', '.join(PARTS)}, which make 100 together")
        return term


def _moment(when: object) -> datetime:
    if not isinstance(when, datetime):
        raise TypeError(f"{when} is no date with a time, such as 2027-04-21T23:59:00")
    return when

"""Lets a teacher see where the class is, if the student says so: one line for each `check`, without a name.

    from nnlib.course import share_results, stop_sharing
    share_results("/shared/class")          a folder that the class can write to

A line holds a seat (five letters, drawn at random), the minute, the exercise, right or wrong, and the hint. No code, no
answer, no name. Nothing is sent before `share_results`, and nothing after `stop_sharing`.
"""

from __future__ import annotations

import builtins
import datetime
import json
import os
import secrets
from pathlib import Path

from nnlib import cuda
from nnlib.course import solved
from nnlib.course.exercises.checking import Verdict
from nnlib.support import files

_KINDS = {*dir(builtins), *cuda.__all__}


def share_results(place: str | None = None) -> None:
    """Let each check add a line in that folder from now on, in all notebooks of this account.

    place: may be left out where the environment names it, NNLIB_CLASS. ValueError where nobody does, and where no
    progress is kept, beside which the consent lies.
    """
    place = place or os.environ.get("NNLIB_CLASS")
    if not place:
        raise ValueError('where? share_results("/a/folder/of/the/class"); ask your teacher')
    path = _path()
    if path is None:
        raise ValueError(
            "nothing is shared where no progress is kept: unset NNLIB_PROGRESS, or let it name a file"
        )
    seat = (_agreed() or {}).get("seat") or "".join(
        secrets.choice("abcdefghjkmnpqrstuvwxyz") for _ in range(5)
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    with files.replacing(path) as fresh:
        fresh.write_text(json.dumps({"place": place, "seat": seat}), "utf-8")
    print(
        f"Each check now tells {place}: seat {seat}, the exercise, right or wrong, the hint. No name, no code. "
        "stop_sharing() ends it."
    )


def stop_sharing() -> None:
    """Send nothing any more; what was sent stays with the class."""
    path = _path()
    if path is not None:
        path.unlink(missing_ok=True)
    print("Results of checks stay on this computer.")


def note(exercise: str, verdict: Verdict) -> None:
    """Send the line of one check, where the student has agreed. What fails is said, and disturbs nothing."""
    agreed = _agreed()
    if agreed is None:
        return
    line = json.dumps(
        {
            "seat": agreed["seat"],
            "at": datetime.datetime.now().isoformat(timespec="minutes"),
            "exercise": exercise,
            "solved": verdict.solved,
            "hint": hint_of(verdict),
        },
        ensure_ascii=False,
    )
    try:
        with Path(agreed["place"], f"{agreed['seat']}.jsonl").open("a", encoding="utf-8") as file:
            file.write(line + "\n")
    except OSError as error:
        print(
            f"(The class was not told, at {agreed['place']}: {error}. stop_sharing() ends the attempts.)"
        )


def hint_of(verdict: Verdict) -> str:
    """Return the course's hint, else the kind of the error; never words of the student's."""
    kind = verdict.kind if verdict.kind in _KINDS else ""
    return "" if verdict.solved else verdict.hint or kind


def _path() -> Path | None:
    progress = solved.path()
    return progress and progress.with_name("nnlib-class.json")


def _agreed() -> dict[str, str] | None:
    path = _path()
    try:
        found = json.loads(path.read_text("utf-8")) if path else None
        return {"place": str(found["place"]), "seat": str(found["seat"])} if found else None
    except (OSError, ValueError, LookupError, TypeError):
        return None

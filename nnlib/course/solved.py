"""Remember which exercises this student has solved and what they predicted, in one small file on this computer."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path

from nnlib.course.exercises import everything
from nnlib.lessons import LESSONS
from nnlib.support import files

_DAMAGED = ValueError, AttributeError, RecursionError  # what reading such a file raises


def path() -> Path | None:
    """Return where progress is kept: $NNLIB_PROGRESS, else Jupyter's data folder; None (nowhere) in tests and CI."""
    chosen = os.environ.get("NNLIB_PROGRESS")
    if chosen is not None:
        return Path(chosen) if chosen else None
    if "CI" in os.environ or "PYTEST_VERSION" in os.environ:
        return None
    return files.home() / "nnlib-progress.json"


def load() -> dict[str, dict[str, bool]]:
    """Return {"exercises": {name: solved}, "predictions": {question: right}}; empty when there is no readable file."""
    try:
        return _read(path())
    except (OSError, *_DAMAGED):
        return _read(None)


def _read(file: Path | None) -> dict[str, dict[str, bool]]:
    stored = json.loads(file.read_text("utf-8")) if file and file.is_file() else {}
    return {
        key: {str(name): bool(value) for name, value in stored.get(key, {}).items()}
        for key in ("exercises", "predictions")
    }


def save(kind: str, name: str, value: bool) -> None:
    """Note one result; what was solved once stays solved. A folder that cannot be written is no error."""
    file = path()
    if file is None:
        return
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        with files.alone(file):
            try:
                record = _read(file)
            except _DAMAGED:  # but somebody may still read what is in it
                file.replace(_aside(file))
                record = _read(None)
            record[kind][name] = value or record[kind].get(name, False)
            with files.replacing(file) as fresh:
                fresh.write_text(json.dumps(record, indent=1, ensure_ascii=False), "utf-8")


def _aside(file: Path) -> Path:
    return file.with_name(f"{file.name}.damaged")


def _unreadable() -> Path | None:
    """Return the file with results that cannot be read, if there is one."""
    file = path()
    try:
        if file and _aside(file).exists():
            return _aside(file)
        _read(file)
    except (OSError, *_DAMAGED):
        return file
    return None


def progress() -> None:
    """Print, per lesson, which exercises are solved (✓), tried (·) and untouched (–), and the predictions made."""
    record = load()
    marks = {True: "✓", False: "·", None: "–"}
    for lesson in LESSONS:
        asked = [exercise.name for exercise in everything(lesson.number)]
        solved = sum(record["exercises"].get(name) is True for name in asked)
        words = "  ".join(f"{marks[record['exercises'].get(name)]} {name[3:]}" for name in asked)
        print(f"{lesson.number} {lesson.title:19}{solved} of {len(asked)}   {words}".rstrip())
    made = record["predictions"]
    print(f"Predictions: {len(made)} made, {sum(made.values())} right")
    if file := _unreadable():
        print(
            f"Earlier results cannot be read: {file}. Run those checks again to have them counted. You may delete "
            "the file."
        )

"""Where the class is, from the lines of `share_results`: a table, and a page. For the teacher.

python -m nnlib.teaching.overview FOLDER                     the table
python -m nnlib.teaching.overview FOLDER --page class.html
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from nnlib.support import files
from nnlib.teaching.filling import TEMPLATES, filled


@dataclass(frozen=True)
class Line:
    """One check of one seat."""

    seat: str
    exercise: str
    solved: bool
    hint: str


def read(folder: Path) -> list[Line]:
    """Read the lines of all seats, each seat's in their order; leave out what is no such line."""
    texts = [
        text
        for file in sorted(folder.glob("*.jsonl"))
        for text in file.read_text("utf-8", errors="replace").splitlines()
    ]
    return [line for text in texts if (line := parse(text))]


def parse(text: str) -> Line | None:
    """Parse a line as `share_results` sends it; return None for anything else."""
    try:
        found = json.loads(text)
        line = Line(
            str(found["seat"]),
            str(found["exercise"]),
            found["solved"] is True,
            str(found["hint"])[:300],
        )
    except Exception:  # of many kinds: whoever may write there may have written anything
        return None
    return (
        line
        if re.fullmatch(r"[a-z]{1,12}", line.seat)
        and re.fullmatch(r"\d\d\.\w{1,40}", line.exercise)
        else None
    )


def table(lines: Iterable[Line]) -> str:
    """Make a row for each exercise: seats that tried and solved it, checks until then, and the most frequent hint."""
    lines = list(lines)
    rows = ["exercise                 tried  solved  checks  the hint that most got (seats)"]
    for exercise in sorted({line.exercise for line in lines}):
        here = [line for line in lines if line.exercise == exercise]
        tried, solved = {line.seat for line in here}, {line.seat for line in here if line.solved}
        hints = sorted(hint for hint, _ in {(line.hint, line.seat) for line in here if line.hint})
        most = "".join(f"{hint} ({seats})" for hint, seats in Counter(hints).most_common(1))
        rows.append(
            f"{exercise:24} {len(tried):5}  {len(solved):6}  {len(here) / len(tried):6.1f}  {most}".rstrip()
        )
    return "\n".join(rows)


def page(lines: Iterable[Line]) -> str:
    """Make a page with a square for each seat and exercise: solved, or how many checks have failed so far."""
    lines = list(lines)
    solved = {(line.seat, line.exercise) for line in lines if line.solved}
    done = Counter(seat for seat, _ in solved)
    return filled(
        TEMPLATES / "papers" / "class.html",
        exercises=sorted({line.exercise for line in lines}),
        seats=sorted({line.seat for line in lines}, key=lambda seat: (-done[seat], seat)),
        solved=solved,
        failed=Counter((line.seat, line.exercise) for line in lines if not line.solved),
    )


def main(arguments: list[str] | None = None) -> None:
    """Print the table of a class, or write its page."""
    parser = argparse.ArgumentParser(
        prog="python -m nnlib.teaching.overview", description="Where the class is."
    )
    parser.add_argument("folder", type=Path, help="of the class, where the lines are")
    parser.add_argument("--page", type=Path, help="HTML to write, which a browser loads again")
    chosen = parser.parse_args(arguments)
    if not chosen.folder.is_dir():
        parser.error(f"there is no folder {chosen.folder}")
    try:
        lines = read(chosen.folder)
        print(table(lines))
        if chosen.page:
            with files.replacing(chosen.page) as fresh:
                fresh.write_text(page(lines), "utf-8")
    except OSError as error:
        parser.exit(1, f"{error}\n")


if __name__ == "__main__":
    main()

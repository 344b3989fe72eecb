"""Where the class is, from the lines of `share_results`: a table, and a picture. For the teacher.

    python -m nnlib.teaching.overview FOLDER                     the table
    python -m nnlib.teaching.overview FOLDER --picture class.png
    python -m nnlib.teaching.overview FOLDER --serve 8765        take lines by HTTP into the folder
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

MOST = 2000  # bytes of a line


@dataclass(frozen=True)
class Line:
    """One check of one seat."""

    seat: str
    exercise: str
    solved: bool
    hint: str


def read(folder: str | Path) -> list[Line]:
    """The lines of all seats, each seat's in their order; what is no line is left out."""
    texts = [text for file in sorted(Path(folder).glob("*.jsonl"))
             for text in file.read_text("utf-8", errors="replace").splitlines()]
    return [line for text in texts if (line := parse(text))]


def parse(text: str) -> Line | None:
    """A line as `share_results` sends it; None for anything else."""
    try:
        found = json.loads(text)
        line = Line(str(found["seat"]), str(found["exercise"]), found["solved"] is True, str(found["hint"])[:300])
    except (ValueError, LookupError, TypeError, RecursionError):
        return None
    return line if re.fullmatch(r"[a-z]{1,12}", line.seat) and re.fullmatch(r"\d\d\.\w{1,40}", line.exercise) else None


def table(lines: Iterable[Line]) -> str:
    """A row for each exercise: seats that tried and solved it, checks until then, and the hint that came most often."""
    lines = list(lines)
    rows = ["exercise                 tried  solved  checks  the hint that most got (seats)"]
    for exercise in sorted({line.exercise for line in lines}):
        here = [line for line in lines if line.exercise == exercise]
        tried, solved = {line.seat for line in here}, {line.seat for line in here if line.solved}
        hints = Counter(hint for _, hint in {(line.seat, line.hint) for line in here if line.hint})
        most = "{0[0]} ({0[1]})".format(min(hints.items(), key=lambda item: (-item[1], item[0]))) if hints else ""
        rows.append(f"{exercise:24} {len(tried):5}  {len(solved):6}  {len(here) / len(tried):6.1f}  {most}".rstrip())
    return "\n".join(rows)


def picture(lines: Iterable[Line], path: str | Path) -> None:
    """A square for each seat and exercise: solved, or how many checks have failed so far."""
    from matplotlib.figure import Figure

    lines = list(lines)
    exercises = sorted({line.exercise for line in lines})
    solved = {(line.seat, line.exercise) for line in lines if line.solved}
    failed = Counter((line.seat, line.exercise) for line in lines if not line.solved)
    seats = sorted({line.seat for line in lines}, key=lambda seat: (-sum(one[0] == seat for one in solved), seat))
    figure = Figure(figsize=(2 + 0.5 * len(exercises), 2 + 0.25 * len(seats)), layout="constrained")
    axes = figure.subplots()
    for row, seat in enumerate(seats):
        for column, exercise in enumerate(exercises):
            done, tries = (seat, exercise) in solved, failed[seat, exercise]
            if done or tries:
                axes.text(column, row, "✓" if done else str(tries), ha="center", va="center", backgroundcolor="#bfe3c0"
                          if done else "#ffd9a0")
    axes.set(xlim=(-0.6, len(exercises) - 0.4), ylim=(len(seats) - 0.4, -0.6),
             title="✓ solved; a number: checks that failed so far")
    axes.set_xticks(range(len(exercises)), exercises, rotation=60, ha="right")
    axes.set_yticks(range(len(seats)), seats)
    figure.savefig(path)


def server(folder: str | Path, port: int) -> ThreadingHTTPServer:
    """Takes lines by POST, anybody's in this network; what is no line is refused. Run its serve_forever()."""
    class Lines(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            size = int(self.headers.get("Content-Length") or 0)
            text = self.rfile.read(size).decode("utf-8", "replace") if 0 < size <= MOST else ""
            line = parse(text)
            if line is not None:
                with open(Path(folder, f"{line.seat}.jsonl"), "a", encoding="utf-8") as file:
                    file.write(" ".join(text.split("\n")) + "\n")
            self.send_response(400 if line is None else 204)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """No addresses of students on the screen."""

    return ThreadingHTTPServer(("", port), Lines)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m nnlib.teaching.overview", description="Where the class is.")
    parser.add_argument("folder", help="of the class, where the lines are")
    parser.add_argument("--picture", help="file to write, .png or .svg")
    parser.add_argument("--serve", type=int, metavar="PORT", help="take lines by HTTP until Ctrl+C")
    chosen = parser.parse_args(arguments)
    if chosen.serve:
        Path(chosen.folder).mkdir(parents=True, exist_ok=True)
    if not Path(chosen.folder).is_dir():
        parser.error(f"there is no folder {chosen.folder}")
    if chosen.serve:
        print(f'students: share_results("http://THIS-MACHINE:{chosen.serve}")')
        server(chosen.folder, chosen.serve).serve_forever()
    lines = read(chosen.folder)
    print(table(lines))
    if chosen.picture:
        picture(lines, chosen.picture)


if __name__ == "__main__":
    main()

"""What each wrong answer to a workshop is told, and how many different hints that makes.

python -m tests.mine.table           writes tests/mine/ANSWERS.md, in a minute or two
"""

from __future__ import annotations

import difflib
from pathlib import Path

from nnlib import mine
from nnlib.course.exercises import find
from nnlib.cuda import KernelError, RawKernel

from . import answers

TABLE = Path(__file__).with_name("ANSWERS.md")
HEAD = "| piece | lesson | wrong | hints |\n|---|---|---:|---:|\n"


def judge(name: str, text: str) -> tuple[bool, str]:
    """Solved or not, and all that is said: by the check, or by the cell, which compiles first."""
    try:
        verdict = find(f"{mine.PIECES[name].lesson}.{name}").judge(RawKernel(text, name))
    except KernelError as error:
        return False, str(error)
    return verdict.solved, verdict.text


def hint(said: str) -> str:
    """The hint of a refusal; where there is none, the sentence that refuses."""
    for mark in ("Hint: ", "hint: "):
        if mark in said:
            return said.rsplit(mark, 1)[-1].splitlines()[0].strip()
    return said.splitlines()[0].strip()


def main() -> None:
    rows, lists = [], []
    for name, piece in mine.PIECES.items():
        told = {text: hint(judge(name, text)[1]) for text, _ in answers.wrong(name)}
        rows.append(f"| `{name}` | {piece.lesson} | {len(told)} | {len(set(told.values()))} |\n")
        told_lines = "".join(
            f"- {_changed(answers.typed(name), text)}: {said}\n" for text, said in told.items()
        )
        lists.append(f"\n## {name}\n\n{told_lines}")
    title = "# Answers to the workshops\n\nWritten by `python -m tests.mine.table`."
    TABLE.write_text(f"{title}\n\n{HEAD}{''.join(rows)}{''.join(lists)}", "utf-8")


def _changed(text: str, wrong: str) -> str:
    """The lines of a wrong answer that the right one does not have, short; of a missing line, what is missing."""
    lines = list(difflib.ndiff(text.splitlines(), wrong.splitlines()))
    new = " ".join(line[2:].strip() for line in lines if line.startswith("+ "))
    old = " ".join(line[2:].strip() for line in lines if line.startswith("- "))
    shown = f"`{new or 'without ' + old}`"
    return shown if len(shown) <= 160 else shown[:156] + " …`"


if __name__ == "__main__":
    main()

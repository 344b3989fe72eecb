"""Whole programs with what they print: one file each, whose first line says arguments, output and exit status."""

import json
from pathlib import Path
from typing import NamedTuple


class Example(NamedTuple):
    """A program and what it must do on every machine."""

    text: str
    args: list[str]
    output: str
    status: int


def _read(path: Path) -> Example:
    text = path.read_text(encoding="utf-8")
    told = json.loads(text.partition("\n")[0].removeprefix("// "))
    return Example(text, told.get("args", []), told["output"], told.get("status", 0))


PROGRAMS = {
    path.stem.replace("_", " "): _read(path) for path in sorted(Path(__file__).parent.glob("*.cu"))
}

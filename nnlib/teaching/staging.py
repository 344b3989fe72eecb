"""What a deck shows of a lesson's cells: no plotting, no bookkeeping, no verdict on code that is yet to be written."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from typing import Any

from nnlib.course import pictures
from nnlib.teaching.cells import is_note

LONG = 60  # words; a longer paragraph becomes two, so that slides can be divided between them
PLUMBING = {
    "arrange",
    "check",
    "display",
    "predict",
    "reveal",
    "report",
    "mine",
    "pictures",
    "case",
    "steps",
    *pictures.__all__,
}
# Calls that make arrays, and turn results into rows and labels. A slide shows all others.
ARRAYS = set("array float32 full linspace ones reshape softmax tile tri zeros zeros_like".split())
BOOKKEEPING = {*dir(builtins), *dir(str), *dir(dict), *ARRAYS, "recorded", "touched"} - {"print"}
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z*`])")


def staged(notebook: Any) -> Any:
    """Prepare the notebook for a deck, in place."""
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and not is_note(cell):
            cell.source = _short_paragraphs(cell.source)
        elif cell.cell_type == "code" and not cell.source.startswith("%%"):
            # Where an answer is to be put in, words are about its absence.
            wanted = "nn-reveal|<img" if re.search(r'"[…?]"|\(\.\.\.[,)]', cell.source) else ""
            cell.outputs = [
                output
                for output in cell.outputs
                if not _is_progress(output) and re.search(wanted, str(output))
            ]
            if re.search(r"(?m)^\s*check\(", cell.source) or _unwritten(cell):
                cell.outputs = []
            cell.source = without_plumbing(cell.source)
            if not cell.source:
                cell.metadata.setdefault("jupyter", {})["source_hidden"] = True
    return notebook


def without_plumbing(source: str) -> str:
    r"""Return Python without imports, questions, pictures, and what only prepares them.

    >>> without_plumbing("rows = {'a': 1}\nadd(1, 32, (x,))\npictures.bars(rows)")
    'add(1, 32, (x,))'
    """
    lines = source.split("\n")
    try:
        body = ast.parse(re.sub(r"(?m)^[%!].*$", "pass", source)).body
    except SyntaxError:
        return source
    kept = [statement for statement in body if not _is_plumbing(statement)]
    while dropped := [statement for statement in kept if _only_prepares(statement, kept, body)]:
        kept = [statement for statement in kept if statement not in dropped]
    shown = {number for statement in kept for number in _lines_of(statement, lines)}
    code = re.sub(r"\n{3,}", "\n\n", "\n".join(lines[number] for number in sorted(shown)))
    # A long line's comment comes close rather than go on in the next line.
    return re.sub(r"(?m)^(?=.{110})(.*\S) {3,}(?=#)", r"\1  ", code).strip("\n")


def _lines_of(statement: ast.stmt, lines: list[str]) -> Iterator[int]:
    """Yield the lines of a statement, and the comment and empty lines right above it."""
    first = (
        min([statement.lineno, *(one.lineno for one in getattr(statement, "decorator_list", []))])
        - 1
    )
    while first > 0 and re.match(r"\s*(#|$)", lines[first - 1]):
        first -= 1
    yield from range(first, statement.end_lineno or statement.lineno)


def _is_plumbing(statement: ast.stmt) -> bool:
    if isinstance(statement, (ast.Import, ast.ImportFrom, ast.Pass)):
        return True
    if isinstance(statement, ast.With):
        return all(map(_is_plumbing, statement.body))
    if isinstance(statement, ast.If):  # as in `if reveal(…):`; what it prints is on the slide
        return _root(statement.test) in PLUMBING
    value = getattr(statement, "value", None)
    if isinstance(statement, ast.Assign):
        return isinstance(value, ast.Call) and _root(value) in {"pictures", "DigitPad"}
    # A name alone is there to be shown, and what it stands for is.
    return isinstance(statement, ast.Expr) and (
        isinstance(value, ast.Name) or _root(value) in PLUMBING
    )


def _root(node: Any) -> str:
    """Return the first name of `a.b(c).d`."""
    while not isinstance(node, ast.Name):
        node = node.func if isinstance(node, ast.Call) else getattr(node, "value", None)
        if node is None:
            return ""
    return node.id


def _only_prepares(statement: ast.stmt, kept: list[ast.stmt], body: list[ast.stmt]) -> bool:
    """Return whether this only assigns names that nothing but the statements already left out uses."""
    if not isinstance(statement, (ast.Assign, ast.AugAssign)) or not _is_bookkeeping(
        statement.value
    ):
        return False
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    names = {
        node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)
    }
    left_out = [other for other in body if other not in kept]
    return bool(names & _used(left_out)) and not names & _used(
        other for other in kept if other is not statement
    )


def _is_bookkeeping(value: ast.expr) -> bool:
    calls = [node.func for node in ast.walk(value) if isinstance(node, ast.Call)]
    return all(
        (call.attr if isinstance(call, ast.Attribute) else getattr(call, "id", "")) in BOOKKEEPING
        for call in calls
    )


def _used(statements: Any) -> set[str]:
    return {
        node.id
        for statement in statements
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }


def _is_progress(output: Any) -> bool:
    return output.get("name") == "stderr" or "?step/s]" in str(output.get("data"))


def _unwritten(cell: Any) -> bool:
    """Return whether a cell shows that a function still returns `...`."""
    return any(
        re.search(r"\bEllipsis\b|^\W*(…|\.\.\.|not written yet)$", output.get("text", "").strip())
        for output in cell.outputs
    )


def _short_paragraphs(source: str) -> str:
    """Divide long paragraphs between two sentences, near their middle."""
    parts = re.split(
        r"(\n\s*\n|```.*?```|\$\$.*?\$\$|<details.*?</details>)", source, flags=re.DOTALL
    )
    return "".join(_divided(part) for part in parts)


def _divided(text: str) -> str:
    words = len(text.split())
    if words <= LONG or re.match(r"\s*([-*|>#<]|\d+\.|```|\$\$)", text):
        return text
    cuts = [
        match for match in _SENTENCE.finditer(text) if text[: match.start()].count("`") % 2 == 0
    ]
    if not cuts:
        return text
    cut = min(cuts, key=lambda match: abs(len(text[: match.start()].split()) - words / 2))
    return f"{_divided(text[: cut.start()])}\n\n{_divided(text[cut.end() :])}"

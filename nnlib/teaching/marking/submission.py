"""What a handed-in notebook answers: texts, taken out without running anything.

The last cell that defines a name counts, wherever it stands; the solutions of the lesson, tagged so, do not.
"""

from __future__ import annotations

import ast
import json
import re
import shlex
import symtable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nnlib.cuda import RawKernel, RawModule
from nnlib.cuda.text import kernel_names

MOST = 50_000_000  # bytes of a notebook
_NAMES = {"06.clinic": "letters", "07.loop": "train_network",
          "07.patience": "epochs_trained"}  # else the exercise's own word


class NoAnswerError(Exception):
    """The notebook does not answer the exercise; the message is for the student."""


def answer_name(exercise: str) -> str:
    """What an answer is called: "03.transpose" -> "transpose"."""
    return _NAMES.get(exercise, exercise.split(".")[1])


@dataclass(frozen=True)
class Submission:
    """The sources of a notebook's code cells. solutions: of those that have this tag, and are no answers."""

    cells: tuple[str, ...]
    solutions: tuple[str, ...] = ()

    @classmethod
    def read(cls, path: str | Path) -> Submission:
        """NoAnswerError for a file that is no notebook, and for a link: it may lead to another's answers."""
        if Path(path).is_symlink() or not Path(path).is_file():
            raise NoAnswerError("this is no notebook, but a link, a folder or nothing")
        try:
            if Path(path).stat().st_size > MOST:
                raise NoAnswerError(f"the file has more than {MOST // 1_000_000} MB")
            cells = [cell for cell in json.loads(Path(path).read_text("utf-8-sig"))["cells"]
                     if cell["cell_type"] == "code"]
            return cls(*(tuple("".join(cell["source"]) for cell in cells if _is_solution(cell) is tagged)
                         for tagged in (False, True)))
        except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
            raise NoAnswerError(f"the file cannot be read as a notebook ({type(error).__name__})") from None

    def kernel(self, name: str) -> RawKernel:
        """The kernel of that name, of the last `%%cuda` cell that declares it. Does not compile it."""
        for cell in reversed(self.cells):
            line, _, text = cell.partition("\n")
            if re.match(r"%%cuda\b", line) and re.search(rf"\b{name}\b", text):
                options = _options(line)
                if name in kernel_names(text, options):
                    return RawModule(code="\n" + text, options=options).get_function(name)
        raise NoAnswerError(f"no %%cuda cell of the notebook has a kernel {name}{self._instead(name)}")

    def function(self, name: str) -> str:
        """Python that defines the function of that name and, before it, the definitions it uses: nothing else."""
        bound = self._bound(name)
        needed: dict[str, ast.stmt] = {}
        _gather(name, bound, needed)
        return "\n".join(map(ast.unparse, needed.values()))

    def value(self, name: str) -> Any:
        """What the last assignment gives that name, if it is written out: numbers, text, lists, dictionaries."""
        statement = self._bound(name)[name][1]
        try:
            return ast.literal_eval(getattr(statement, "value", statement))
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            raise NoAnswerError(f"{name} is to be written out, without names or calls") from None

    def _bound(self, name: str) -> dict[str, tuple[int, ast.stmt]]:
        """All definitions of the notebook, by name; NoAnswerError where that name is not among them."""
        bound: dict[str, tuple[int, ast.stmt]] = {}
        unread = None
        for cell in self.cells:
            if cell.startswith("%%"):
                continue
            try:
                tree = ast.parse(re.sub(r"(?m)^[%!].*$", "", cell))
            except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
                unread = str(error) if re.search(rf"\b{name}\b", cell) else unread
                continue
            for statement in tree.body:
                for word, part in _bindings(statement):
                    bound[word] = len(bound), part  # a later one takes its place
        if name not in bound:
            raise NoAnswerError(f"the cell with {name} is no Python: {unread}" if unread else
                                f"no cell of the notebook defines {name}{self._instead(name)}")
        return bound

    def _instead(self, name: str) -> str:
        """What stands in the place of an answer, as the end of the sentence that misses it."""
        if any(re.search(rf"(?m)^async\s+def\s+{name}\b", cell) for cell in self.cells):
            return f", but there is an async def {name}: write def alone"
        defined = rf"(?m)^(?:async\s+)?(?:def\s+{name}\b|{name}\s*[:=])|__global__[^;{{}}]*\b{name}\s*\("
        if any(re.search(defined, cell) for cell in self.solutions):
            return ', but one has the tag "solution", by which the lesson\'s own are left out: remove the tag'
        return ""


def _is_solution(cell: Any) -> bool:
    return "solution" in cell.get("metadata", {}).get("tags", [])


def _options(line: str) -> tuple[str, ...]:
    """The -D of a `%%cuda` line."""
    try:
        return tuple(option for option in shlex.split(line)[1:] if option.startswith("-D"))
    except ValueError:
        raise NoAnswerError(f"the options of this line cannot be read: {line[:80]}") from None


def _bindings(statement: ast.stmt) -> list[tuple[str, ast.stmt]]:
    """Names that a statement defines, each with what is to be run for it."""
    if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
        return [(statement.name, statement)]
    if isinstance(statement, ast.Import):
        return [((one.asname or one.name).split(".")[0], ast.Import([one])) for one in statement.names]
    if isinstance(statement, ast.ImportFrom):
        return [(one.asname or one.name, ast.ImportFrom(statement.module, [one], statement.level))
                for one in statement.names]
    if isinstance(statement, (ast.Assign, ast.AnnAssign)):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        return [(part.id, statement) for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)]
    return []


def _gather(name: str, bound: dict[str, tuple[int, ast.stmt]], needed: dict[str, ast.stmt]) -> None:
    """Puts the statement of a name behind those that it uses; `needed` is in the order in which they are run."""
    waiting, used = [name], set()
    while waiting:
        word = waiting.pop()
        if word in bound and word not in used:
            used.add(word)
            waiting += _globals(symtable.symtable(ast.unparse(bound[word][1]), word, "exec"))
    for word in sorted(used, key=lambda word: bound[word][0]):
        if bound[word][1] not in needed.values():
            needed[word] = bound[word][1]


def _globals(table: symtable.SymbolTable) -> list[str]:
    """Names that are looked up in the notebook: no parameters, no local variables."""
    outermost = table.get_type() == "module"
    own = [symbol.get_name() for symbol in table.get_symbols() if symbol.is_referenced() and (
        outermost or symbol.is_global())]
    return own + [name for inner in table.get_children() for name in _globals(inner)]

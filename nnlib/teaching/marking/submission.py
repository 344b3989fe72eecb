"""What a handed-in notebook answers: texts, taken out without running anything.

The last cell that defines a name counts, wherever it stands; the solutions of the lesson, tagged so, do not.
"""

from __future__ import annotations

import ast
import builtins
import itertools
import json
import re
import shlex
import symtable
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nnlib.cuda import RawKernel, RawModule
from nnlib.cuda.text import kernel_names

MOST = 50_000_000  # bytes of a notebook
# Else the exercise's own word
_NAMES = {"06.clinic": "letters", "07.loop": "train_network", "07.patience": "epochs_trained"}

_Numbered = tuple[int, ast.stmt]  # in the order of the notebook


class NoAnswerError(Exception):
    """The notebook does not answer the exercise; the message is for the student."""


def answer_name(exercise: str) -> str:
    """Return the name that an answer has: "03.transpose" -> "transpose"."""
    return _NAMES.get(exercise, exercise.split(".")[1])


@dataclass(frozen=True)
class Submission:
    """The sources of a notebook's code cells. solutions: of those that have this tag, and are no answers."""

    cells: tuple[str, ...]
    solutions: tuple[str, ...] = ()

    @classmethod
    def read(cls, path: str | Path) -> Submission:
        """Read a notebook. NoAnswerError for any other file, and for a link, which may lead to another student's answers."""
        path = Path(path)
        try:
            if path.is_symlink() or not path.is_file():
                raise NoAnswerError("this is no notebook, but a link, a folder or nothing")
            if path.stat().st_size > MOST:
                raise NoAnswerError(f"the file has more than {MOST // 1_000_000} MB")
            cells = [
                cell
                for cell in json.loads(path.read_text("utf-8-sig"))["cells"]
                if cell["cell_type"] == "code"
            ]
            return cls(
                *(
                    tuple(
                        "".join(cell["source"]).replace("\r\n", "\n")
                        for cell in cells
                        if _is_solution(cell) is tagged
                    )
                    for tagged in (False, True)
                )
            )
        except NoAnswerError:
            raise
        except Exception as error:  # of many kinds: a student may have handed in anything
            raise NoAnswerError(
                f"the file cannot be read as a notebook ({type(error).__name__}): "
                "open it in Jupyter and save it again"
            ) from None

    def kernel(self, name: str) -> RawKernel:
        """Return the kernel of that name from the last `%%cuda` cell that declares it, without compiling it."""
        for cell in reversed(self.cells):
            line, _, text = cell.partition("\n")
            if re.match(r"%%cuda\b", line) and re.search(rf"\b{name}\b", text):
                options = _options(line)
                if name in kernel_names(text, options):
                    return RawModule(code="\n" + text, options=options).get_function(name)
        raise NoAnswerError(
            f"no %%cuda cell of the notebook has a kernel {name}{self._instead(name)}"
        )

    def function(self, name: str) -> str:
        """Return Python that defines the function of that name after the definitions it uses, and nothing else."""
        return "\n".join(map(ast.unparse, _needed(name, self._bound(name))))

    def value(self, name: str) -> Any:
        """Return what the last assignment gives that name, if it is written out: numbers, text, lists, dictionaries.

        Elements that are set afterwards, each by itself, belong to it.
        """
        (_, first), *later = self._bound(name)[name]
        try:
            found = ast.literal_eval(getattr(first, "value", first))
            for _, statement in later:
                if isinstance(statement, ast.Assign) and isinstance(
                    place := statement.targets[0], ast.Subscript
                ):
                    found[ast.literal_eval(place.slice)] = ast.literal_eval(statement.value)
            return found
        except Exception:  # of many kinds, as above
            raise NoAnswerError(f"{name} is to be written out, without names or calls") from None

    def _bound(self, name: str) -> dict[str, list[_Numbered]]:
        """Return each name's last definition in the notebook, and what changes it afterwards.

        NoAnswerError where the answer's name is not among them.
        """
        bound: dict[str, list[_Numbered]] = {}
        numbers = itertools.count()
        unread = None
        for cell in self.cells:
            if cell.startswith("%%"):
                continue
            try:
                tree = ast.parse(re.sub(r"(?m)^[%!].*$", "", cell))
            except Exception as error:  # of many kinds, as above
                unread = str(error) if re.search(rf"\b{name}\b", cell) else unread
                continue
            for statement in tree.body:
                for word, part in _bindings(statement):
                    bound[word] = [(next(numbers), part)]  # a later one takes its place
                for word in _changed(statement):
                    bound.get(word, []).append((next(numbers), statement))
        if name not in bound:
            raise NoAnswerError(
                f"the cell with {name} is no Python: {unread}"
                if unread
                else f"no cell of the notebook defines {name}{self._instead(name)}"
            )
        return bound

    def _instead(self, name: str) -> str:
        """Say what stands in the place of an answer, as the end of the sentence that reports it missing."""
        if any(re.search(rf"(?m)^async\s+def\s+{name}\b", cell) for cell in self.cells):
            return f", but there is an async def {name}: write def alone"
        defined = (
            rf"(?m)^(?:async\s+)?(?:def\s+{name}\b|{name}\s*[:=])|__global__[^;{{}}]*\b{name}\s*\("
        )
        if any(re.search(defined, cell) for cell in self.solutions):
            return ', but one has the tag "solution", by which the lesson\'s own are left out: remove the tag'
        return ""


def _is_solution(cell: Any) -> bool:
    return "solution" in cell.get("metadata", {}).get("tags", [])


def _options(line: str) -> tuple[str, ...]:
    """Return the -D options of a `%%cuda` line."""
    try:
        return tuple(option for option in shlex.split(line)[1:] if option.startswith("-D"))
    except ValueError:
        raise NoAnswerError(f"the options of this line cannot be read: {line[:80]}") from None


def _bindings(statement: ast.stmt) -> list[tuple[str, ast.stmt]]:
    """Return the names that a statement defines, each with what is to be run for it."""
    if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
        return [(statement.name, statement)]
    if isinstance(statement, ast.Import):
        return [
            ((one.asname or one.name).split(".")[0], ast.Import([one])) for one in statement.names
        ]
    if isinstance(statement, ast.ImportFrom):
        return [
            (one.asname or one.name, ast.ImportFrom(statement.module, [one], statement.level))
            for one in statement.names
        ]
    if isinstance(statement, (ast.Assign, ast.AnnAssign)):
        return [(part.id, statement) for part in _targets(statement) if isinstance(part, ast.Name)]
    return []


def _changed(statement: ast.stmt) -> Iterator[str]:
    """Yield the names whose attribute, element or value (by +=) a statement sets without defining them anew."""
    for part in _targets(statement):
        changed = part
        while isinstance(changed, (ast.Attribute, ast.Subscript)):
            changed = changed.value
        if isinstance(changed, ast.Name) and (
            changed is not part or isinstance(statement, ast.AugAssign)
        ):
            yield changed.id


def _targets(statement: ast.stmt) -> Iterator[ast.expr]:
    """Yield what a statement assigns to, one by one."""
    waiting = list(getattr(statement, "targets", [])) or [getattr(statement, "target", None)]
    if not isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
        return
    while waiting:
        part = waiting.pop(0)
        if isinstance(part, (ast.Tuple, ast.List)):
            waiting += part.elts
        else:
            yield part.value if isinstance(part, ast.Starred) else part


def _needed(name: str, bound: Mapping[str, Sequence[_Numbered]]) -> list[ast.stmt]:
    """Return the statements that define a name and all that these use, in their order.

    Of the statements that only change something, those whose names are known are included.
    """
    waiting, used = [name], set()
    found: dict[int, ast.stmt] = {}
    while waiting:
        word = waiting.pop()
        if word in used:
            continue
        used.add(word)
        for k, (number, statement) in enumerate(bound.get(word, ())):
            names = _globals(symtable.symtable(ast.unparse(statement), word, "exec"))
            if k == 0 or all(one in bound or hasattr(builtins, one) for one in names):
                found[number] = statement
                waiting += names
    unique = {id(found[number]): found[number] for number in sorted(found)}
    return list(unique.values())


def _globals(table: symtable.SymbolTable) -> list[str]:
    """Return the names that are looked up in the notebook: no parameters, no local variables."""
    outermost = table.get_type() == "module"
    own = [
        symbol.get_name()
        for symbol in table.get_symbols()
        if symbol.is_referenced() and (outermost or symbol.is_global())
    ]
    return own + [name for inner in table.get_children() for name in _globals(inner)]

"""How a fault in the student's text is told: place, what is wrong, the line with a caret, what to write."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterable, Sequence

from ..errors import KernelSyntaxError, UnsupportedError
from .tree import Located


class Fault(Exception):
    """Raised inside this package; `compile_source` turns it into its `error`, with the source line."""

    error = KernelSyntaxError

    def __init__(self, where: Located, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.at, self.message, self.hint = where.at, message, hint


class Unsupported(Fault):
    """Right on a GPU, but not known here. what: in the words of C++; instead: what to write."""

    error = UnsupportedError

    def __init__(self, where: Located, what: str, instead: str) -> None:
        super().__init__(
            where, f"valid CUDA C++, but not supported by the simulator: {what}", instead
        )


class NotYet(Fault):
    """Perhaps right on a GPU: a name that a library may have, and that ours has not."""

    error = UnsupportedError


class Unknown(Fault):
    """A name that means nothing here. name: it."""

    def __init__(self, where: Located, message: str, hint: str, name: str) -> None:
        super().__init__(where, message, hint)
        self.name = name


class FromHeader(Fault):
    """The same, where it may come from a header that is not known."""

    error = UnsupportedError

    def __init__(self, fault: Unknown, headers: Sequence[str]) -> None:
        names = " or ".join(f"<{header[:60]}>" for header in headers[:3])
        super().__init__(
            fault,
            f"'{fault.name}' is not known; does it come from {names}, which the simulator does "
            "not have?",
            "write what you need from it yourself",
        )


def belongs_to_host(where: Located, name: str, kind: str = "variable") -> Fault:
    """Return the complaint about a kernel that uses a variable or calls a function of the host."""
    use, instead = {
        "variable": ("touch", "pass it as an argument, or declare it __device__ or __constant__"),
        "function": ("call", "write __device__ before it, or __host__ __device__ for both sides"),
    }[kind]
    return Fault(where, f"'{name}' is a {kind} of the host, which a kernel cannot {use}", instead)


class Unmeant(str):
    """A warning of code that hardly does what was meant, where others warn of what is slow."""

    __slots__ = ()


def as_error(fault: Fault, text: str, name: str) -> KernelSyntaxError:
    """Return the error that the user gets for a fault in the text of that name."""
    return fault.error(
        render(fault, text, name),
        what=fault.message,
        hint=fault.hint,
        file=name,
        line=fault.at.line,
        column=fault.at.column,
    )


def render(fault: Fault, text: str, name: str) -> str:
    """Write `name:line:column: message`, the source line, a caret below it, and the hint."""
    lines = text.splitlines() or [""]
    line = lines[min(fault.at.line, len(lines)) - 1].replace("\t", " ").rstrip()
    column = min(fault.at.column, len(line) + 1)
    start = max(0, column - 80)  # of a very long line, show the part around the caret
    shown = [
        f"{name}:{fault.at.line}:{fault.at.column}: {fault.message}",
        "    " + line[start : start + 120],
        "    " + " " * (column - 1 - start) + "^",
    ]
    return "\n".join(shown + ([f"    hint: {fault.hint}"] if fault.hint else []))


def slip(where: Located, name: str, what: str, known: Collection[str]) -> Fault | None:
    """Return the Fault for a misspelt name of CUDA's libraries; None for a name that may be another one."""
    of_library = re.match("cu[a-z]*[A-Z]", name) and name not in known
    for close in difflib.get_close_matches(name[:60], known, n=1, cutoff=0.8) if of_library else []:
        edits = difflib.SequenceMatcher(None, name, close).get_opcodes()
        letters = "".join(name[i:j] + close[k:m] for tag, i, j, k, m in edits if tag != "equal")
        if name.lower() == close.lower() or (len(letters) <= 2 and letters.islower()):
            return Unknown(where, f"undeclared {what} '{name}'", f"did you mean '{close}'?", name)
    return None


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return a hint naming the most similar known name, or nothing."""
    close = difflib.get_close_matches(name[:60], known, n=1, cutoff=0.7)
    return f"did you mean '{close[0]}'?" if close else ""


def excerpt(file: str, lines: Sequence[str], line: int, column: int) -> list[str]:
    """Return the place in words, the line of the program, and a caret under the column."""
    text = lines[line - 1] if 0 < line <= len(lines) else ""
    number = f"{line:5d} | "
    return [
        f"  at {file}:{line}:{column}",
        number + text.replace("\t", " "),
        " " * (len(number) + column - 1) + "^",
    ]

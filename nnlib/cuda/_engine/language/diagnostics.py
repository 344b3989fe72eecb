"""Errors in the student's source, and their report: location, message, the line with a caret, and a hint.

A `Fault` is raised where the front end finds an error. `compile_source` turns it into the KernelSyntaxError or
UnsupportedError that the user sees.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterable, Sequence

from ..errors import KernelSyntaxError, UnsupportedError
from .tree import Located


class Fault(Exception):
    """An error at one location of the source. error: the class of the error that `as_error` makes of it for the user."""

    error = KernelSyntaxError

    def __init__(self, where: Located, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.at, self.message, self.hint = where.at, message, hint


class Unsupported(Fault):
    """Valid CUDA C++ that the simulator does not support. what: the construct, in C++ terms. instead: what to write."""

    error = UnsupportedError

    def __init__(self, where: Located, what: str, instead: str) -> None:
        super().__init__(
            where, f"valid CUDA C++, but not supported by the simulator: {what}", instead
        )


class MissingFromLibrary(Fault):
    """A name that NVIDIA's library may define but that the simulator's version of the library lacks."""

    error = UnsupportedError


class UndeclaredName(Fault):
    """A name that nothing visible declares. name: the undeclared name."""

    def __init__(self, where: Located, message: str, hint: str, name: str) -> None:
        super().__init__(where, message, hint)
        self.name = name


class MissingHeader(Fault):
    """An undeclared name in a source that includes headers which the simulator does not have."""

    error = UnsupportedError

    def __init__(self, fault: UndeclaredName, headers: Sequence[str]) -> None:
        names = " or ".join(f"<{header[:60]}>" for header in headers[:3])
        super().__init__(
            fault,
            f"'{fault.name}' is not known; does it come from {names}, which the simulator does "
            "not have?",
            "write what you need from it yourself",
        )


def belongs_to_host(where: Located, name: str, kind: str = "variable") -> Fault:
    """Return the Fault of a kernel that uses a variable or calls a function of the host. kind: "variable" or "function"."""
    use, instead = {
        "variable": ("touch", "pass it as an argument, or declare it __device__ or __constant__"),
        "function": ("call", "write __device__ before it, or __host__ __device__ for both sides"),
    }[kind]
    return Fault(where, f"'{name}' is a {kind} of the host, which a kernel cannot {use}", instead)


class LikelyMistake(str):
    """The text of a warning about code that probably does not do what its author meant. Other warnings are about speed."""

    __slots__ = ()


def as_error(fault: Fault, text: str, name: str) -> KernelSyntaxError:
    """Return the error to show the user. text: the whole source. name: what to call the source in messages."""
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


def misspelt_name(where: Located, name: str, what: str, known: Collection[str]) -> Fault | None:
    """Return the Fault for a misspelt name of a CUDA library, or None if the name may be one of the student's own.

    Only names like cudaMalloc count, and only if at most two small letters differ or nothing but the case of letters.
    what: "function", "name" … for the message. known: all names that are visible.
    """
    of_library = re.match("cu[a-z]*[A-Z]", name) and name not in known
    for close in difflib.get_close_matches(name[:60], known, n=1, cutoff=0.8) if of_library else []:
        edits = difflib.SequenceMatcher(None, name, close).get_opcodes()
        letters = "".join(name[i:j] + close[k:m] for tag, i, j, k, m in edits if tag != "equal")
        if name.lower() == close.lower() or (len(letters) <= 2 and letters.islower()):
            return UndeclaredName(
                where, f"undeclared {what} '{name}'", f"did you mean '{close}'?", name
            )
    return None


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return a hint with the most similar known name; "" if none is similar."""
    close = difflib.get_close_matches(name[:60], known, n=1, cutoff=0.7)
    return f"did you mean '{close[0]}'?" if close else ""


def excerpt(file: str, lines: Sequence[str], line: int, column: int) -> list[str]:
    """Return three lines for a report: file and position, the line of the source, and a caret under the column."""
    text = lines[line - 1] if 0 < line <= len(lines) else ""
    number = f"{line:5d} | "
    return [
        f"  at {file}:{line}:{column}",
        number + text.replace("\t", " "),
        " " * (len(number) + column - 1) + "^",
    ]

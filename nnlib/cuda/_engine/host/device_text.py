"""The GPU's side of a program's text, for NVRTC, which compiles no host code: the rest becomes empty lines."""

from __future__ import annotations

import re

from ..language.parsing.lexer import Token
from ..language.preprocessing.headers import TOOLKIT_HEADERS
from .headers import of_kernels
from .linkage import defined_names
from .outermost import declarations, is_function, members, without_parameters

_DEVICE = {"__global__", "__device__", "__constant__", "__managed__"}
DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)((?:.*\\\n)*.*)", re.MULTILINE)
_KEPT = {"struct", "class", "union", "enum", "typedef", "namespace", "using"}
_HOST_TYPES = {
    "vector",
    "string",
    "FILE",
    "cudaStream_t",
    "cudaEvent_t",
    "ostream",
    "cudaError_t",
    "exception",
    "runtime_error",
    "logic_error",
}


def device_text(text: str) -> str:
    """The text with its kernels where they are, and without what only the host understands."""
    lines = text.splitlines()
    marks = _marks(text)
    _define_early(lines, list(declarations(text)), marks)
    for piece in declarations("\n".join(lines)):
        if not _kept(piece, marks):
            blank(lines, piece[0], piece[-1])
            continue
        for member in members(piece):
            if is_function(member) and not {"default", *marks} & {token.text for token in member}:
                blank(lines, member[0], member[-1])
    for k, line in enumerate(lines):
        words = line.replace("#", " # ").split()
        if words[:2] == ["#", "include"] and not any(name in line for name in TOOLKIT_HEADERS):
            text = of_kernels("".join(words[2:3]).strip('<>"'))
            lines[k] = f"{text}#line {k + 2}" if text and text not in lines[:k] else ""
    return "\n".join(lines) + "\n"


def _marks(text: str) -> set[str]:
    """What marks a declaration as the GPU's: CUDA's words, and macros that stand for them."""
    macros = {found[1]: set(re.findall(r"\w+", found[2])) for found in DEFINE.finditer(text)}
    marks, before = set(_DEVICE), 0
    while before != len(marks):
        before = len(marks)
        marks |= {name for name, words in macros.items() if words & marks}
    return marks


def _define_early(lines: list[str], pieces: list[list[Token]], marks: set[str]) -> None:
    """Variables of the GPU that are extern above are defined there: one text has no other place for them."""
    defined = {
        name: piece
        for piece in pieces
        if piece[0].text != "extern"
        for name in defined_names(piece)
    }
    placed: list[list[Token]] = []
    for piece in pieces:
        if piece[0].text != "extern" or not marks & {token.text for token in piece}:
            continue
        found = next((defined[name] for name in defined_names(piece[1:]) if name in defined), None)
        if found is not None:
            blank(lines, piece[0], piece[-1])
        if found is not None and found[0].at.line > piece[0].at.line and found not in placed:
            placed.append(found)
            blank(lines, found[0], found[-1])
            lines[piece[0].at.line - 1] += " ".join(token.text for token in found)


def _kept(piece: list[Token], marks: set[str]) -> bool:
    words = {token.text for token in piece}
    if words & marks:
        return True
    first = [
        token.text for token in without_parameters(piece) if token.text not in ("static", "inline")
    ]
    if first[0] == "using" and "std" in first[1:3] or words & _HOST_TYPES or is_function(piece):
        return False
    if first[:1] in (["const"], ["constexpr"]):  # of these kernels can use the numbers
        return not {"(", "*", "["} & set(first[: first.index("=")] if "=" in first else first)
    return first[0] in _KEPT


def blank(lines: list[str], first: Token, last: Token) -> None:
    """Spaces in place of a declaration, from its first token to its last."""
    for number in range(first.at.line, last.at.line + 1):
        line = lines[number - 1]
        start = first.at.column - 1 if number == first.at.line else 0
        end = last.at.column - 1 + last.width if number == last.at.line else len(line)
        lines[number - 1] = line[:start] + " " * (end - start) + line[end:]

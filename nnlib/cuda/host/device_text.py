"""The GPU's side of a program's text, for NVRTC, which compiles no host code: the rest becomes empty lines."""

from __future__ import annotations

from nnlib.cuda.language.preprocessing.headers import TOOLKIT_HEADERS
from nnlib.cuda.language.preprocessing.lexer import Token, tokenize

_DEVICE = {"__global__", "__device__", "__constant__", "__managed__"}
_KEPT = {"struct", "class", "union", "enum", "typedef", "const", "constexpr", "namespace", "using"}
_HOST_TYPES = {"vector", "string", "FILE", "cudaStream_t", "cudaEvent_t", "ostream", "cudaError_t"}


def device_text(text: str) -> str:
    """The text with its kernels where they are, and without what only the host understands."""
    lines = text.splitlines()
    for first, last, keep in _pieces(tokenize(text)):
        if not keep:
            _blank(lines, first, last)
    for k, line in enumerate(lines):
        words = line.replace("#", " # ").split()
        if words[:2] == ["#", "include"] and not any(name in line for name in TOOLKIT_HEADERS):
            lines[k] = ""
    return "\n".join(lines) + "\n"


def _pieces(tokens: list[Token]) -> list[tuple[Token, Token, bool]]:
    """The declarations outside of functions: first and last token, and whether a kernel may need it."""
    result: list[tuple[Token, Token, bool]] = []
    piece: list[Token] = []
    depth, directive = 0, 0
    lines = {token.at.line for token in tokens if token.starts_line and token.text == "#"}
    for token in tokens[:-1]:
        if token.starts_line:
            directive = token.text == "#"
        if directive or token.at.line in lines:
            continue
        piece.append(token)
        depth += (token.text in "{([") - (token.text in "})]") if token.kind == "mark" else 0
        ends = token.text == ";" or token.text == "}" and not _goes_on(piece)
        if depth == 0 and ends and token.kind == "mark":
            result.append((piece[0], piece[-1], _kept(piece)))
            piece = []
    return result


def _goes_on(piece: list[Token]) -> bool:
    """Is a ; to come after this }? Of types, and of variables with a list of values."""
    opening = next(k for k, token in enumerate(piece) if token.text == "{")
    before = [token.text for token in piece[:opening]]
    return before[-1] == "=" or bool({"struct", "class", "union", "enum"} & set(before)) and ")" not in before


def _kept(piece: list[Token]) -> bool:
    words = {token.text for token in piece}
    if words & _DEVICE:
        return True
    first = [token.text for token in piece if token.text not in ("static", "inline", "template")]
    if first[:3] == ["using", "namespace", "std"] or words & _HOST_TYPES:
        return False
    return bool(first) and first[0] in _KEPT and ("(" not in words or first[0] not in ("const", "constexpr"))


def _blank(lines: list[str], first: Token, last: Token) -> None:
    for number in range(first.at.line, last.at.line + 1):
        line = lines[number - 1]
        start = first.at.column - 1 if number == first.at.line else 0
        end = last.at.column - 1 + last.width if number == last.at.line else len(line)
        lines[number - 1] = line[:start] + " " * (end - start) + line[end:]

"""The declarations of a text that stand outside of functions."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

from nnlib.cuda.language.parsing.lexer import Token, tokenize

ATTRIBUTES = ("__launch_bounds__", "__align__", "alignas", "__attribute__")  # words with brackets beside a name
_TYPES = {"struct", "class", "union", "enum"}


def declarations(text: str) -> Iterator[list[Token]]:
    """The tokens of each, up to its ; or }; directives are left out."""
    tokens = tokenize(text)
    lines = {token.at.line for token in tokens if token.starts_line and token.text == "#"}
    yield from _pieces(_code(tokens[:-1], lines))


def members(piece: list[Token]) -> Iterator[list[Token]]:
    """The declarations in the body of a struct, each without the public: in front of it."""
    opening = next((k for k, token in enumerate(piece) if token.text == "{"), len(piece))
    if not _TYPES & {token.text for token in piece[:opening]} or is_function(piece):
        return
    closing = max(k for k, token in enumerate(piece) if token.text == "}")
    for inner in _pieces(piece[opening + 1:closing]):
        yield inner[2:] if inner[0].text in ("public", "private", "protected") else inner


def is_function(piece: list[Token]) -> bool:
    """Is it one, with its body or without?"""
    for before, token, after in zip(piece, piece[1:], piece[2:], strict=False):
        if token.text in ("{", "=", ";") and before.text != "operator":
            return False
        if token.text == "(" and before.text not in ATTRIBUTES:
            return after.text != "*"  # (*f)( begins a pointer to a function
    return False


def _code(tokens: list[Token], lines: set[int]) -> Iterator[Token]:
    """Without directives, which may go on for several lines."""
    directive = False
    for token in tokens:
        if token.starts_line:
            directive = token.text == "#"
        if not directive and token.at.line not in lines:
            yield token


def _pieces(tokens: Iterable[Token]) -> Iterator[list[Token]]:
    piece: list[Token] = []
    depth = 0
    for token in tokens:
        piece.append(token)
        depth += (token.text in "{([") - (token.text in "})]") if token.kind == "mark" else 0
        ends = token.text == ";" or token.text == "}" and not _goes_on(piece)
        if depth == 0 and ends and token.kind == "mark":
            yield piece
            piece = []


def _goes_on(piece: list[Token]) -> bool:
    """Is a ; to come after this }? Of types, and of variables with a list of values."""
    before = [token.text for token in itertools.takewhile(lambda token: token.text != "{", piece)]
    return before[-1:] == ["="] or bool(_TYPES & set(before)) and not is_function(piece)

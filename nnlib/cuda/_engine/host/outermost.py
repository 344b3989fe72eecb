"""The declarations of a text that stand outside of functions."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

from ..language.parsing.lexer import Token, tokenize

ATTRIBUTES = (
    "__launch_bounds__",
    "__align__",
    "alignas",
    "__attribute__",
)  # words with brackets beside a name
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
    for inner in _pieces(piece[opening + 1 : closing]):
        yield inner[2:] if inner[0].text in ("public", "private", "protected") else inner


def is_function(piece: list[Token]) -> bool:
    """Is it one, with its body or without?"""
    piece = without_parameters(piece)
    for before, token, after in zip(piece, piece[1:], piece[2:], strict=False):
        if token.text in ("{", "=", ";") and before.text != "operator":
            return False
        if token.text == "(" and before.text not in ATTRIBUTES:
            return after.text != "*"  # (*f)( begins a pointer to a function
    return False


def without_parameters(piece: list[Token]) -> list[Token]:
    """A template's declaration without template <...>, in which = and ( say nothing about what is declared."""
    if not piece or piece[0].text != "template":
        return piece
    depth = brackets = 0
    for k, token in enumerate(piece):
        brackets += {"(": 1, ")": -1}.get(token.text, 0)
        depth += 0 if brackets else {"<": 1, ">": -1, ">>": -2}.get(token.text, 0)
        if k and depth <= 0:
            return without_parameters(piece[k + 1 :]) or piece
    return piece


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
    tokens = [*tokens]
    for token, after in itertools.zip_longest(tokens, tokens[1:]):
        piece.append(token)
        depth += (token.text in "{([") - (token.text in "})]") if token.kind == "mark" else 0
        ends = token.text == ";" or token.text == "}" and not _goes_on(piece, after)
        if depth == 0 and ends and token.kind == "mark":
            yield piece
            piece = []


def _goes_on(piece: list[Token], after: Token | None) -> bool:
    """Is this } not the last of the declaration? A ; is to come after types and variables; after a{1} in the
    constructor A() : a{1}, b{2} {}, its next part."""
    if is_function(piece):
        return after is not None and after.text in (",", "{")
    words = [token.text for token in itertools.islice(without_parameters(piece), 3)]
    return (
        words[:1] != ["namespace"]
        and words[:2] != ["inline", "namespace"]
        and words != ["extern", '"C"', "{"]
    )

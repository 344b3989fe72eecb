"""The declarations of a text that stand outside of functions."""

from __future__ import annotations

from collections.abc import Iterator

from nnlib.cuda.language.preprocessing.lexer import Token, tokenize


def declarations(text: str) -> Iterator[list[Token]]:
    """The tokens of each, up to its ; or }; directives are left out."""
    tokens = tokenize(text)
    piece: list[Token] = []
    depth, directive = 0, False
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
            yield piece
            piece = []


def _goes_on(piece: list[Token]) -> bool:
    """Is a ; to come after this }? Of types, and of variables with a list of values."""
    opening = next((k for k, token in enumerate(piece) if token.text == "{"), 0)
    before = [token.text for token in piece[:opening]]
    return before[-1:] == ["="] or bool({"struct", "class", "union", "enum"} & set(before)) and ")" not in before

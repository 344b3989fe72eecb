"""The declarations of a text that stand outside of functions."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

from .parsing.lexer import Token, tokenize

# Words with brackets beside a name
ATTRIBUTES = ("__launch_bounds__", "__align__", "alignas", "__attribute__", "__cluster_dims__")
_OWN = {
    "static",
    "inline",
    "const",
    "constexpr",
    "__device__",
    "__constant__",
    "__managed__",
    "__forceinline__",
    "__inline__",
}
_TYPES = {"struct", "class", "union", "enum"}


def declarations(text: str) -> Iterator[list[Token]]:
    """Yield the tokens of each declaration, up to its ; or }, without directives."""
    yield from pieces(code(text))


def code(text: str) -> Iterator[Token]:
    """Yield the tokens of a text without its directives, which may go on for several lines."""
    tokens = tokenize(text)[:-1]
    lines = {token.at.line for token in tokens if token.starts_line and token.text == "#"}
    directive = False
    for token in tokens:
        if token.starts_line:
            directive = token.text == "#"
        if not directive and token.at.line not in lines:
            yield token


def scope_opening(piece: list[Token]) -> int | None:
    """Return where the { of a namespace or of extern "C" stands, None for any other declaration."""
    words = [token.text for token in itertools.islice(piece, 3)]
    if "namespace" in words[:2] or words == ["extern", '"C"', "{"]:
        return next((k for k, token in enumerate(piece) if token.text in "{="), None)
    return None


def members(piece: list[Token]) -> Iterator[list[Token]]:
    """Yield the declarations in the body of a struct, each without the public: in front of it."""
    opening = next((k for k, token in enumerate(piece) if token.text == "{"), len(piece))
    head = {token.text for token in piece[:opening]}
    if opening == len(piece) or "enum" in head or not _TYPES & head or is_function(piece):
        return
    closing = max((k for k, token in enumerate(piece) if token.text == "}"), default=len(piece))
    for inner in pieces(piece[opening + 1 : closing]):
        yield inner[2:] if inner[0].text in ("public", "private", "protected") else inner


def is_function(piece: list[Token]) -> bool:
    """Return whether a piece is a function, with its body or without."""
    return bool(function_name(piece))


def function_name(piece: list[Token]) -> str:
    """Return the word before the parameters of a function and the arguments of a specialization; "" if this is no function."""
    piece = without_parameters(piece)
    end = _parameters(piece)
    if end is None or piece[end + 1].text == "*":  # (*f)( is a pointer to one
        return ""
    if piece[end - 1].text == ">":
        end = next((k for k, token in enumerate(piece) if token.text == "<"), end)
    return piece[end - 1].text


def _parameters(piece: list[Token]) -> int | None:
    """Return the index of the ( before a function's parameters; None if this is no function."""
    depth = 0
    for k, (before, token) in enumerate(itertools.pairwise(piece[:-1]), 1):
        if depth == 0 and token.text in ("{", "}", "=", ";") and before.text != "operator":
            return None
        if depth == 0 and token.text == "(" and before.text not in ATTRIBUTES:
            return k
        depth += token.nesting
    return None


def is_variable(piece: list[Token]) -> bool:
    """Return whether a piece declares variables whose values may change, and not a type, a constant or a function."""
    words = [token.text for token in without_parameters(piece)]
    end = next((k for k, word in enumerate(words) if word in ("{", "=", ";")), len(words))
    head = {*words[:end]}
    if head & {"typedef", "using", "namespace", "const", "constexpr", "static_assert"}:
        return False
    defines_type = words[end : end + 1] == ["{"] or end == 2
    return not is_function(piece) and not (head & _TYPES and defines_type)


def introduced(piece: list[Token]) -> set[str]:
    """Return the names that a declaration of types or variables gives a meaning."""
    piece = without_parameters(piece)
    found, depth, is_enum = set(), 0, "enum" in (token.text for token in piece[:2])
    for before, token, after in zip(piece, piece[1:], [*piece[2:], piece[-1]], strict=False):
        if token.kind == "word" and (
            (
                depth == 0
                and (
                    after.text in ("=", "[", ",", ";", "{", ":")
                    or (before.text in _TYPES and after.text == "<")
                )
            )
            or (is_enum and before.text in "{,")
            or (before.text, after.text) == ("*", ")")
        ):
            found.add(token.text)
        depth += token.nesting
    return found


def without_parameters(piece: list[Token]) -> list[Token]:
    """Return a template's declaration without template <...>, in which = and ( say nothing about what is declared."""
    if not piece or piece[0].text != "template":
        return piece
    depth = brackets = 0
    for k, token in enumerate(piece):
        brackets += token.nesting
        depth += 0 if brackets else {"<": 1, ">": -1, ">>": -2}.get(token.text, 0)
        if k and depth <= 0:
            return without_parameters(piece[k + 1 :]) or piece
    return piece


def pieces(tokens: Iterable[Token]) -> Iterator[list[Token]]:
    """Yield the tokens of each declaration."""
    piece: list[Token] = []
    depth = 0
    tokens = [*tokens]
    for token, after in itertools.zip_longest(tokens, tokens[1:]):
        piece.append(token)
        depth += token.nesting
        if depth == 0 and (token.text == ";" or (token.text == "}" and not _goes_on(piece, after))):
            yield piece
            piece = []
    if piece:
        yield piece


def _goes_on(piece: list[Token], after: Token | None) -> bool:
    """Return whether a declaration continues after this }.

    A ; follows types and variables; after the a{1} of a constructor A() : a{1}, b{2} {} its next part follows.
    """
    if is_function(piece):
        return after is not None and after.text in (",", "{")
    return scope_opening(piece) is None


def defined_names(piece: list[Token]) -> Iterator[str]:
    """Yield the names that a declaration defines for its file alone."""
    words = [token.text for token in piece]
    opening = next(
        (
            k
            for k, word in enumerate(words)
            if word in ("(", "=", "{") and words[k - 1] not in ATTRIBUTES
        ),
        len(words) - 1,
    )
    head = set(words[:opening])
    if (
        "extern" in head
        or "typedef" in head
        or not head & _OWN
        or "__global__" in head - {"static"}
    ):
        return
    if words[opening] == "(":  # a function; without a body it is declared, not defined
        if words[-1] == "}" and piece[opening - 1].kind == "word":
            yield words[opening - 1]
        return
    if {"struct", "class", "union", "enum", "namespace", "using"} & head and words[opening] == "{":
        return
    depth = 0
    for before, token in itertools.pairwise(piece):
        if depth == 0 and token.text in ("=", "[", ",", ";") and before.kind == "word":
            yield before.text
        depth += token.nesting

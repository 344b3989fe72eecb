"""What each file of a program keeps to itself: in one text of all files, such names and macros must not meet.

A name that two files define for themselves (static, inline, const, or for the GPU) is another one in the second: its
text stands between #define name name__2 and #undef name. The macros of a .cu file end with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..language.diagnostics import Fault
from ..language.parsing.lexer import Token
from .outermost import ATTRIBUTES, declarations

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
_MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
_RENAMED = re.compile(r"\b(\w+?)__\d+_\b")


def own_names(text: str) -> set[str]:
    """The functions and variables that the file defines and no other file can see; none of what is no C++."""
    try:
        return {name for piece in declarations(text) for name in defined_names(piece)}
    except Fault:  # the compiler says it, and where
        return set()


def macros(text: str) -> list[str]:
    """Those that the file defines."""
    return list(dict.fromkeys(_MACRO.findall(text)))


def renamed(name: str, number: int) -> str:
    """The name in the file of that number."""
    return f"{name}__{number}_"


def as_written(message: str) -> str:
    """A message with names as the files have them."""
    return _RENAMED.sub(r"\1", message)


def defined_names(piece: list[Token]) -> Iterator[str]:
    """What a declaration defines for its file alone."""
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
    for before, token in zip(piece, piece[1:], strict=False):
        if depth == 0 and token.text in ("=", "[", ",", ";") and before.kind == "word":
            yield before.text
        depth += (token.text in "{([") - (token.text in "})]") if token.kind == "mark" else 0

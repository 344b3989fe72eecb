"""The kernels of a file and what they need of it: the rest is for the host, which no GPU compiles.

Kept are the declarations that are marked for the GPU, and those that these name. A function without a mark counts only
where one of them calls it, as NVRTC compiles it for CuPy.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from .cuda_functions import INTRINSICS
from .outermost import (
    code,
    declarations,
    defined_names,
    function_name,
    introduced,
    is_function,
    is_variable,
    members,
    pieces,
    scope_opening,
)
from .parsing.lexer import Token
from .preprocessing.headers import TOOLKIT_HEADERS

_MARKS = {"__global__", "__device__", "__constant__", "__managed__", "__shared__"}
_KEPT_HEADERS = (*TOOLKIT_HEADERS, "math_constants.h")
_DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)((?:.*\\\n)*.*)", re.MULTILINE)


def kernel_side(tokens: Iterable[Token]) -> tuple[list[Token], dict[str, str]]:
    """Return the tokens of what the GPU needs; and by name what is the host's, "variable" or "function".

    What a header of ours brings, in column 0, stays.
    """
    kept: list[Token] = []
    of_host: dict[str, str] = {}
    for piece, is_kept in _Reach({}).sorted(tokens):
        if is_kept or not piece[0].at.column:
            kept += piece
        elif name := function_name(piece):
            of_host[name] = "function"
        elif is_variable(piece):
            of_host |= dict.fromkeys(introduced(piece), "variable")
    return kept, of_host


def device_text(text: str, of_header: Callable[[str], str] = lambda name: "") -> str:
    """Return the text for NVRTC: its kernels where they are, the host's part as empty lines; as it is without one.

    of_header: the text that kernels need of a header by its name, which takes the place of the #include.
    """
    lines = text.splitlines()
    reach = _Reach(
        {found[1]: set(re.findall(r"\w+", found[2])) for found in _DEFINE.finditer(text)}
    )
    _define_early(lines, list(declarations(text)), reach)
    sorted_pieces = [*reach.sorted(code("\n".join(lines)))]
    if all(is_kept for _, is_kept in sorted_pieces) and lines == text.splitlines():
        return text
    for piece, is_kept in sorted_pieces:
        if not is_kept or [token.text for token in piece[:3]] == ["using", "namespace", "std"]:
            _blank(lines, piece[0], piece[-1])
    for k, line in enumerate(lines):
        words = line.replace("#", " # ").split()
        if words[:2] == ["#", "include"] and not any(name in line for name in _KEPT_HEADERS):
            text = of_header("".join(words[2:3]).strip('<>"'))
            lines[k] = f"{text}#line {k + 2}" if text and text not in lines[:k] else ""
    return "\n".join(lines) + "\n"


class _Reach:
    """What the GPU's declarations name. macros: the words of each, where they are not expanded yet."""

    def __init__(self, macros: Mapping[str, set[str]]) -> None:
        self.macros = macros
        self.named: set[str] = set()  # anywhere in what is kept
        self.used: set[str] = set()  # in bodies and first values of it
        self.called: set[str] = set()  # of these, what arguments follow

    def sorted(self, tokens: Iterable[Token]) -> Iterator[tuple[list[Token], bool]]:
        """Yield each declaration with whether it is kept; namespaces and structs in parts."""
        leaves = [*_leaves(tokens)]
        size = -1
        while size != (size := len(self.named) + len(self.used) + len(self.called)):
            for piece in filter(self.is_needed, leaves):
                self._add(piece)
        for piece in leaves:
            start = 0
            for member in members(piece) if self.is_needed(piece) else ():
                if is_function(member) and not self.is_needed(member):
                    first = next(k for k, token in enumerate(piece) if token is member[0])
                    yield piece[start:first], True
                    yield member, False
                    start = first + len(member)
            yield piece[start:], self.is_needed(piece)

    def is_marked(self, tokens: Iterable[Token]) -> bool:
        """Return whether one of CUDA's words is among the tokens, or a macro that stands for one."""
        return bool(_MARKS & self._meant(token.text for token in tokens))

    def is_needed(self, piece: list[Token]) -> bool:
        """Return whether a piece of the text is marked for the GPU, or named by a piece that is."""
        words = [token.text for token in piece]
        if name := function_name(piece):
            head = words[: words.index("{")] if "{" in words else words
            return (
                not {"constexpr", "default", "virtual"}.isdisjoint(head + words[-3:])
                or self.is_marked(piece[: len(head)])
                or (
                    "__host__" not in head
                    and name not in INTRINSICS
                    and name in (self.used if words[0] == name else self.called)
                )
            )
        is_scope = len(words) == 1 or words[-1] == "{" or words[:2] == ["using", "namespace"]
        if is_scope or self.is_marked(piece):
            return True
        return not is_variable(piece) and bool(introduced(piece) & self.named)

    def _add(self, piece: list[Token]) -> None:
        left_out = {
            id(token)
            for member in members(piece)
            if is_function(member) and not self.is_needed(member)
            for token in member
        }
        words = [token.text for token in piece if id(token) not in left_out]
        start = next((k for k, word in enumerate(words) if word in ("{", "=")), len(words))
        self.named |= self._meant(words)
        self.used |= self._meant(words[start:]) - introduced(piece)
        self.called |= self._meant(
            word
            for word, after in itertools.pairwise(words[start:])
            if after in ("(", "<") or word in self.macros
        )

    def _meant(self, words: Iterable[str]) -> set[str]:
        """Return the words, and those that macros among them stand for."""
        found: set[str] = set()
        waiting = set(words)
        while waiting:
            found |= waiting
            waiting = set().union(*(self.macros.get(word, ()) for word in waiting)) - found
        return found


def _leaves(tokens: Iterable[Token]) -> Iterator[list[Token]]:
    """Yield the declarations; of a namespace its beginning, those in it, and its }."""
    for piece in pieces(tokens):
        opening = scope_opening(piece)
        if opening is None or piece[opening].text != "{":
            yield piece
            continue
        yield piece[: opening + 1]
        yield from _leaves(piece[opening + 1 : -1])
        yield piece[-1:]


def _define_early(lines: list[str], found: list[list[Token]], reach: _Reach) -> None:
    """Define variables of the GPU that are extern above there: one text has no other place for them."""
    defined = {
        name: piece for piece in found if piece[0].text != "extern" for name in defined_names(piece)
    }
    placed: list[list[Token]] = []
    for piece in found:
        if piece[0].text != "extern" or not reach.is_marked(piece):
            continue
        known = next((defined[name] for name in defined_names(piece[1:]) if name in defined), None)
        if known is not None:
            _blank(lines, piece[0], piece[-1])
        if known is not None and known[0].at.line > piece[0].at.line and known not in placed:
            placed.append(known)
            _blank(lines, known[0], known[-1])
            lines[piece[0].at.line - 1] += " ".join(token.text for token in known)


def _blank(lines: list[str], first: Token, last: Token) -> None:
    """Put spaces in place of a declaration, from its first token to its last."""
    for number in range(first.at.line, last.at.line + 1):
        line = lines[number - 1]
        start = first.at.column - 1 if number == first.at.line else 0
        end = last.at.column - 1 + last.width if number == last.at.line else len(line)
        lines[number - 1] = line[:start] + " " * (end - start) + line[end:]

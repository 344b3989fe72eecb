"""Reduce source code to tokens without what a copier changes first: names, layout, comments, numbers and their order.

All names that the author chose become one token, and so do numbers; names of CUDA, C++ and Python stay.
Words without effect on what is computed (`const`, braces) are left out, `2 * x` becomes `x * 2`, `a > b` `b < a`,
`i++` `i += 1`.
"""

from __future__ import annotations

import keyword
import re
from dataclasses import dataclass

NAME, NUMBER = "name", "number"
_TOKEN = re.compile(
    r"""(?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
    |(?P<number>(?:0[xX][\da-fA-F]+|\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)[fFuUlL]*)
    |(?P<word>[A-Za-z_]\w*)|(?P<sign><<=|>>=|[-+*/%<>=!&|^]=|\+\+|--|&&|\|\||<<|>>|->|::|\S)""",
    re.VERBOSE,
)
_COMMENT = {"cuda": re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL), "python": re.compile(r"#[^\n]*")}
_SILENT = {
    "cuda": {
        "const",
        "constexpr",
        "static",
        "inline",
        "unsigned",
        "signed",
        "__restrict__",
        "{",
        "}",
        "define",
    },
    "python": set(),
}
_WORDS = {
    "cuda": set(
        """auto bool break char class continue do double else enum extern float for goto if int long
    return short size_t sizeof struct switch template void volatile while float2 float4 int2 int4 dim3 threadIdx
    blockIdx blockDim gridDim warpSize INFINITY""".split()
    ),
    "python": set(keyword.kwlist),
}
_OWN = re.compile(
    r"(?:\bdef\s+|#\s*define\s+|[\w*&>]\s+[*&]?)(\w+)\s*\([^;{}]*\)\s*[{:]|#\s*define\s+(\w+)"
)
_TURNED = {">": "<", ">=": "<="}


@dataclass(frozen=True)
class Lexeme:
    """One token. word: the normalised token. line: its line in the source, from 1."""

    word: str
    line: int


def normalised(text: str, language: str) -> list[Lexeme]:
    """The tokens of a text in "cuda" or "python"."""
    bare = _COMMENT[language].sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    own = {name for names in _OWN.findall(bare) for name in names if name}
    found: list[Lexeme] = []
    line, at = 1, 0
    for match in _TOKEN.finditer(bare):
        line += bare.count("\n", at, match.start())
        at = match.start()
        word = _word(match, bare, own, _WORDS[language] | _SILENT[language])
        if word not in _SILENT[language]:
            found.append(Lexeme(word, line))
    return _numbers_last(_counted(found))


def _word(match: re.Match, text: str, own: set[str], kept: set[str]) -> str:
    word = match[0]
    if match.lastgroup == "number":
        return NUMBER
    if match.lastgroup != "word":
        return _TURNED.get(word, word)
    member = text[: match.start()].rstrip().endswith((".", "->"))
    called = text[match.end() : match.end() + 1] == "(" and word not in own
    return word if word in kept or word.startswith("__") or member or called else NAME


def _counted(tokens: list[Lexeme]) -> list[Lexeme]:
    """`i++` and `++i` as `i += 1`."""
    found: list[Lexeme] = []
    for before, token in zip([Lexeme("", 0), *tokens], tokens, strict=False):
        if token.word in ("++", "--") and before.word in (NAME, "]"):
            found += [Lexeme(f"{token.word[0]}=", token.line), Lexeme(NUMBER, token.line)]
        elif before.word in ("++", "--") and token.word == NAME:
            found += [token, Lexeme(f"{before.word[0]}=", token.line), Lexeme(NUMBER, token.line)]
        elif token.word not in ("++", "--"):
            found.append(token)
    return found


def _numbers_last(tokens: list[Lexeme]) -> list[Lexeme]:
    """Swap a number that begins a product or a sum with the operand after it."""
    found, at = tokens.copy(), 0
    while at + 2 < len(found):
        if (
            found[at].word == NUMBER
            and found[at + 1].word in ("*", "+")
            and found[at + 2].word in (NAME, "threadIdx")
        ):
            end = _operand_end(found, at + 2)
            found[at:end] = [*found[at + 2 : end], found[at + 1], found[at]]
            at = end
        else:
            at += 1
    return found


def _operand_end(tokens: list[Lexeme], at: int) -> int:
    """Return the index after a name with its members, indices and arguments."""
    at, depth = at + 1, 0
    while at < len(tokens) and (
        depth or tokens[at].word in ("[", "(", ".") or tokens[at - 1].word == "."
    ):
        depth += {"[": 1, "(": 1, "]": -1, ")": -1}.get(tokens[at].word, 0)
        at += 1
    return at

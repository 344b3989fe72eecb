"""Text -> tokens, each with its place in the text. Comments and continued lines count as space."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from ..diagnostics import Fault, Unsupported
from ..tree import Position


@dataclass(slots=True)
class Token:
    """kind: word, number, string, char, mark, bad or end.

    width: columns it takes in the student's text (a macro's result takes those of the macro's name).
    starts_line: first of its line, as the # of a directive must be.
    hidden: macros that must not be expanded in it again.
    commented: a // follows on its line; in Python that would divide.
    """

    kind: str
    text: str
    at: Position
    width: int
    starts_line: bool = False
    hidden: frozenset[str] = frozenset()
    commented: bool = False

    @property
    def end(self) -> Position:
        return Position(self.at.line, self.at.column + self.width)

    @property
    def nesting(self) -> int:
        """1 of a bracket that opens, -1 of one that closes."""
        return (self.text in "{([") - (self.text in "})]") if self.kind == "mark" else 0

    def moved(self, place: Token, hidden: frozenset[str] = frozenset()) -> Token:
        """Return this token as a macro used at `place` produces it."""
        return Token(self.kind, self.text, place.at, place.width, False, hidden, place.commented)

    def brought_by_header(self, at: Position) -> Token:
        """Return this token as a header that is included there brings it: without a width in the text."""
        return Token(self.kind, self.text, at, 0, self.starts_line, self.hidden, self.commented)


_PRINTED = str.maketrans("“”„‘’−–×·", '"""\'\'--**')  # what documents make of what was typed
# Operators, as C++ lets you write them
_IN_WORDS = {
    "and": "&&",
    "or": "||",
    "not": "!",
    "xor": "^",
    "bitand": "&",
    "bitor": "|",
    "compl": "~",
    "and_eq": "&=",
    "or_eq": "|=",
    "xor_eq": "^=",
    "not_eq": "!=",
}
_TOKEN = re.compile(
    r"""
    (?P<error>  (?m:^)[ \t]*\#[ \t]*error\b(?:\\\r?\n|[^\n])* )
  | (?P<space>  (?: [ \t\r\f\v]+ | \\[ \t\r]*\n | //(?:\\\r?\n|[^\n])* | /\*.*?\*/ )+ )
  | (?P<line>   \n )
  | (?P<word>   [A-Za-z_]\w* )
  | (?P<number> \.?[0-9](?:[eEpP][+-]|'?[\w.])* )
  | (?P<string> "(?: \\[ \t\r]*\n | \\. | [^"\\\n] )*" )
  | (?P<char>   '(?:\\.|[^'\\\n])*' )
  | (?P<mark>   <<= | >>= | \.\.\. | -> | \+\+ | -- | << | >> | <= | >= | == | != | && | \|\| | [-+*/%&|^]=
              | \#\# | :: | [-+*/%&|^~!<>=?:;,.(){}\[\]\#] )
  | (?P<bad>    . )
    """,
    re.VERBOSE | re.DOTALL | re.ASCII,
)

_LOST = re.compile("[\ud800-\udfff]")  # half a character, as of bytes that are no text
MAX_TOKENS = 300_000  # of one text
_JOINED = re.compile(r"\\[ \t\r]*\n")


def tokenize(text: str) -> list[Token]:
    """Return all tokens and a last one of kind "end". Odd characters become "bad" tokens: they may stand in an #if 0."""
    if lost := _LOST.search(text):
        before = text[: lost.start()]
        raise Fault(
            Position(before.count("\n") + 1, len(before) - before.rfind("\n")),
            f"{lost[0]!r} is no character",
            "save the file as UTF-8",
        )
    tokens: list[Token] = []
    line, line_start, fresh = 1, 0, True
    for match in _TOKEN.finditer(text):
        kind, start = match.lastgroup, match.start()
        if kind == "line":
            line, line_start, fresh = line + 1, match.end(), True
            continue
        word = match.group()
        if kind == "error":
            tokens += _error(word, line)
        if kind in ("space", "error"):
            if "\n" in word:
                line, line_start = line + word.count("\n"), start + word.rindex("\n") + 1
            elif tokens and not fresh and "//" in word:
                tokens[-1].commented = True
            continue
        at = Position(line, start - line_start + 1)
        if len(tokens) > MAX_TOKENS:
            raise Unsupported(
                at,
                f"a text of more than {MAX_TOKENS:,} names, numbers and signs",
                "read long tables from a file, or pass them as an array",
            )
        if word == "/" and text.startswith("/*", start):
            raise Fault(at, "comment is never closed", "end it with */")
        operator = _IN_WORDS.get(word)
        if kind == "string" and "\n" in word:  # lines that \ joins
            line, line_start = line + word.count("\n"), start + word.rindex("\n") + 1
            word = _JOINED.sub("", word)
        tokens.append(
            Token("mark" if operator else str(kind), operator or word, at, len(word), fresh)
        )
        fresh = False
    tokens.append(Token("end", "", Position(line, len(text) - line_start + 1), 0, True))
    return tokens


def _error(written: str, line: int) -> list[Token]:
    """Return the tokens of an #error directive, whose message is text and not operators and names."""
    mark, (before, said) = written.index("#"), written.split("error", 1)
    text = " ".join(_JOINED.sub(" ", said).split())
    name = Position(line, len(before) + 1)
    return [
        Token("mark", "#", Position(line, mark + 1), 1, True),
        Token("word", "error", name, 5),
        Token("bad", text, Position(line, name.column + 5), len(text)),
    ]


def reject_bad(token: Token) -> None:
    """Raise Fault for a character that no CUDA program has."""
    if token.text in "\"'":
        raise Fault(
            token,
            f"{token.text} is never closed on this line",
            f"end the text with {token.text}",
        )
    plain = unicodedata.normalize("NFKC", token.text.translate(_PRINTED))
    hint = "remove it" if plain == token.text else f"type {plain.strip() or 'a space'} instead"
    if token.text in "\0\ufffd":
        hint = "save the file as UTF-8"
    elif token.text == "#":
        hint = "a comment starts with //"
    elif token.text.isalpha():
        hint = "names take a to z, A to Z, 0 to 9 and _"
    raise Fault(token, f"unexpected character {token.text!r}", hint)

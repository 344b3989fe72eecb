"""The parser's hands: look at the next token, take it, or say what was expected."""

from __future__ import annotations

from typing import NoReturn

from nnlib.cuda.language.diagnostics import Fault, Unsupported
from nnlib.cuda.language.preprocessing.lexer import Token
from nnlib.cuda.language.tree import Position

MAX_NESTING = 50  # of brackets, operators and statements inside each other


class TokenStream:
    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.index = 0
        self.token = tokens[0]
        self.nested = Nesting(self)

    def advance(self) -> Token:
        """Take the next token."""
        token = self.token
        if token.kind != "end":
            self.index += 1
            self.token = self.tokens[self.index]
        return token

    def look(self, ahead: int = 1) -> Token:
        """A token further on, without taking it."""
        return self.tokens[min(self.index + ahead, len(self.tokens) - 1)]

    def at(self, *texts: str) -> bool:
        """Is the next token one of these words or marks?"""
        return self.token.text in texts and self.token.kind in ("word", "mark")

    def accept(self, text: str) -> bool:
        if self.at(text):
            self.advance()
            return True
        return False

    def expect(self, text: str, hint: str = "") -> Token:
        """Take `text` or complain at the place where it is missing: right behind the token before."""
        if self.at(text):
            return self.advance()
        self.fail_expected(f"'{text}'", hint or f"add the missing {text}")

    def expect_word(self, what: str, hint: str = "") -> Token:
        if self.token.kind == "word":
            return self.advance()
        self.fail_expected(what, hint)

    def fail_expected(self, what: str, hint: str = "") -> NoReturn:
        found = f"before '{self.token.text[:40]}'" if self.token.kind != "end" else "at the end of the text"
        before = self.tokens[self.index - 1] if self.index else self.token
        if before.commented:
            hint += " (// starts a comment; integers are divided by /)"
        raise Fault(before.end if self.index else before.at, f"expected {what} {found}", hint)


class Nesting:
    """`with self.nested:` counts how deep constructs contain each other: no input exhausts Python's stack."""

    def __init__(self, stream: TokenStream) -> None:
        self.stream, self.depth = stream, 0

    def __enter__(self) -> None:
        self.depth += 1
        if self.depth > MAX_NESTING:
            raise too_deep(self.stream.token.at)

    def __exit__(self, *_: object) -> None:
        self.depth -= 1


def too_deep(at: Position) -> Fault:
    return Unsupported(at, f"brackets, operators or statements nested more than {MAX_NESTING} deep",
                       "split it up with variables or __device__ functions")

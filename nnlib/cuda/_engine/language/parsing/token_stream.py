"""The parser's hands: look at the next token, take it, or say what was expected."""

from __future__ import annotations

from dataclasses import replace
from typing import NoReturn

from ..diagnostics import Fault, Unsupported
from ..tree import Position
from .lexer import Token

MAX_NESTING = 50  # of brackets, operators and statements inside each other
MAX_CHAIN = 128  # operators in a row, as in a + b + c + ...


class TokenStream:
    """The tokens of a program; `next` is the one to be taken."""

    def __init__(self, tokens: list[Token]) -> None:
        self.begin(tokens)
        self.nested = Nesting(self)

    def begin(self, tokens: list[Token]) -> None:
        """Read these tokens from here on."""
        self.tokens, self.index, self.next = tokens, 0, tokens[0]

    def advance(self) -> Token:
        """Take the next token."""
        token = self.next
        if token.kind != "end":
            self.index += 1
            self.next = self.tokens[self.index]
        return token

    def look(self, ahead: int = 1) -> Token:
        """Return a token further on, without taking it."""
        return self.tokens[min(self.index + ahead, len(self.tokens) - 1)]

    def behind(self, ahead: int) -> int:
        """Return how far ahead the token is that follows a word further on and its brackets."""
        depth, ahead = 0, ahead + 1
        while (token := self.look(ahead)).text == "(" or depth:
            depth += token.nesting
            if token.kind == "end":
                break
            ahead += 1
        return ahead

    def at(self, *texts: str) -> bool:
        """Return whether the next token is one of these words or marks."""
        return self.next.text in texts and self.next.kind in ("word", "mark")

    def accept(self, text: str) -> bool:
        """Take `text` if it comes next."""
        if self.at(text):
            self.advance()
            return True
        return False

    def expect(self, text: str, hint: str = "") -> Token:
        """Take `text` or complain at the place where it is missing: right behind the token before."""
        if self.at(text):
            return self.advance()
        self.fail_expected(f"'{text}'", hint or f"add the missing {text}")

    def closes(self, opening: Token) -> bool:
        """Take the } of this {, if it comes next. Raises Fault where the text ends before it."""
        if self.next.kind == "end":
            raise Fault(opening, "this { is never closed", "add the missing }")
        return self.accept("}")

    def end_statement(self, what: str = "statement") -> None:
        """Take the ; behind a statement, or behind what it is."""
        self.expect(
            ";",
            "one ) too many, or a ( or ; missing before it"
            if self.at(")")
            else f"end the {what} with ;",
        )

    def close_angle(self, hint: str) -> None:
        """Take the > that ends a list of template arguments; of >> the first half."""
        if self.at(">>"):
            both = self.next
            half = replace(both, text=">", at=Position(both.at.line, both.at.column + 1), width=1)
            self.tokens[self.index] = self.next = half
        else:
            self.expect(">", hint)

    def expect_word(self, what: str, hint: str) -> Token:
        """Take a word or complain."""
        if self.next.kind == "word":
            return self.advance()
        self.fail_expected(what, hint)

    def fail_expected(self, what: str, hint: str) -> NoReturn:
        """Raise Fault because `what` is missing before the next token."""
        found = (
            f"before '{self.next.text[:40]}'"
            if self.next.kind != "end"
            else "at the end of the text"
        )
        before = self.tokens[self.index - 1] if self.index else self.next
        if before.commented:
            hint += " (// starts a comment; integers are divided by /)"
        # The text begins with what headers bring, which takes no room in it
        written = self.index and before.width
        raise Fault(before.end if written else self.next.at, f"expected {what} {found}", hint)

    def longer(self, chain: int) -> int:
        """Return the length of a chain with one more link; raise Fault for one that would exhaust Python's stack later on."""
        if chain >= MAX_CHAIN:
            raise Unsupported(
                self.next,
                f"more than {MAX_CHAIN} operators or else-ifs in a row",
                "split it into several statements, or use a loop",
            )
        return chain + 1


class Nesting:
    """`with tokens.nested:` counts how deep constructs contain each other: no input exhausts Python's stack."""

    def __init__(self, tokens: TokenStream) -> None:
        self.tokens, self.depth = tokens, 0

    def __enter__(self) -> None:
        self.depth += 1
        if self.depth > MAX_NESTING:
            raise Unsupported(
                self.tokens.next,
                f"brackets, operators or statements nested more than {MAX_NESTING} deep",
                "split it up with variables or __device__ functions",
            )

    def __exit__(self, *_: object) -> None:
        self.depth -= 1


class TokenReader:
    """A parser: it looks at the tokens of a stream, and takes them, as if they were its own."""

    def __init__(self, tokens: TokenStream) -> None:
        self.tokens = tokens
        self.at, self.look, self.advance = tokens.at, tokens.look, tokens.advance
        self.accept, self.expect = tokens.accept, tokens.expect
        self.expect_word = tokens.expect_word

    @property
    def next(self) -> Token:
        return self.tokens.next

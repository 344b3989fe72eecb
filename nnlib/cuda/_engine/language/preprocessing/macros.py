"""#define macros: expansion as the C standard has it (a macro is never expanded inside its own expansion)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..diagnostics import Fault
from ..parsing.lexer import Token, tokenize

REST = "__VA_ARGS__"  # the last parameter of a macro that takes any number of arguments
MAX_TOKENS = 100_000  # of one program after expansion
MAX_LENGTH = 10_000  # characters of one token that ## or # makes
MAX_NESTING = 60  # of macro calls inside arguments of macro calls


@dataclass
class Macro:
    """parameters None: object-like."""

    name: str
    parameters: list[str] | None
    body: list[Token]

    @property
    def variadic(self) -> bool:
        """Return whether the macro takes any number of arguments."""
        return REST in (self.parameters or ())


class Expander:
    """Knows the macros of one program and replaces their uses."""

    def __init__(self, macros: Mapping[str, Macro]) -> None:
        self.macros = dict(macros)
        self._produced = 0

    def expand(self, tokens: list[Token], nesting: int = 0) -> list[Token]:
        """Expand all macros. Raises Fault for wrong arguments or when the result gets too long."""
        done: list[Token] = []
        waiting = tokens[::-1]  # the next token is the last one
        while waiting:
            token = waiting.pop()
            macro = self.macros.get(token.text) if token.kind == "word" else None
            if macro is None or macro.name in token.hidden:
                done.append(_PLACES[token.text](token) if token.text in _PLACES else token)
                continue
            hidden = token.hidden | {macro.name}
            if macro.parameters is None:
                body = macro.body
                arguments: list[list[Token]] = []
            elif waiting and waiting[-1].text == "(":
                arguments = self._arguments(macro, token, waiting)
                body = self._substitute(macro, arguments, token, nesting)
            else:
                done.append(token)  # a function-like macro's name alone is an ordinary name
                continue
            self._produced += len(body) + 1
            _check_size(token, macro, self._produced)
            body = _paste(body)
            waiting.extend(t.moved(token, t.hidden | hidden) for t in reversed(body))
        return done

    def _arguments(self, macro: Macro, name: Token, waiting: list[Token]) -> list[list[Token]]:
        """Take "( ... )" off the waiting tokens, split at its commas."""
        assert macro.parameters is not None
        waiting.pop()
        arguments: list[list[Token]] = [[]]
        depth = 1
        while waiting:
            token = waiting.pop()
            depth += (token.text == "(") - (token.text == ")")
            if depth == 0:
                break
            rest = macro.variadic and len(arguments) == len(macro.parameters)
            if token.text == "," and depth == 1 and not rest:
                arguments.append([])
            else:
                arguments[-1].append(token)
        else:
            raise Fault(name, f"the call of macro '{name.text}' is never closed", "end it with )")
        if not macro.parameters and arguments == [[]]:
            arguments = []
        if macro.variadic and len(arguments) == len(macro.parameters) - 1:
            arguments.append([])
        if len(arguments) != len(macro.parameters):
            raise Fault(
                name,
                f"macro '{name.text}' takes {len(macro.parameters)} argument(s), "
                f"but {len(arguments)} given",
                f"its parameters are ({', '.join(macro.parameters)})",
            )
        return arguments

    def _substitute(
        self, macro: Macro, arguments: list[list[Token]], name: Token, nesting: int
    ) -> list[Token]:
        """Return a macro's body with arguments in place of parameters; they are expanded, except beside # and ##."""
        if nesting > MAX_NESTING:
            raise Fault(
                name,
                f"macro calls are nested more than {MAX_NESTING} deep",
                "use a __device__ function",
            )
        given = dict(zip(macro.parameters or [], arguments, strict=False))
        expanded: dict[str, list[Token]] = {}
        result: list[Token] = []
        body = macro.body
        if macro.variadic:
            body = _comma_before_rest(body, bool(given[REST]))
        for i, token in enumerate(body):
            if token.text not in given or token.kind != "word":
                if not (token.text == "#" and i + 1 < len(body) and body[i + 1].text in given):
                    result.append(token)
                continue
            before = body[i - 1].text if i else ""
            after = body[i + 1].text if i + 1 < len(body) else ""
            if before == "#":
                result.append(_quote(given[token.text], token))
            elif "##" in (before, after):
                result.extend(given[token.text] or [Token("nothing", "", token.at, token.width)])
            else:
                if token.text not in expanded:
                    expanded[token.text] = self.expand(given[token.text], nesting + 1)
                result.extend(expanded[token.text])
            _check_size(name, macro, len(result))
        return result


_PLACES = {"__LINE__": lambda token: Token("number", str(token.at.line), token.at, token.width)}


def _check_size(use: Token, macro: Macro, size: int) -> None:
    if size > MAX_TOKENS:
        raise Fault(
            use,
            f"macro '{macro.name}' expands to more than {MAX_TOKENS:,} tokens",
            "use a loop or a __device__ function instead",
        )


def _comma_before_rest(body: list[Token], has_rest: bool) -> list[Token]:
    """Resolve `, ##__VA_ARGS__`: the comma is dropped where no further arguments are given."""
    result: list[Token] = []
    for token in body:
        if token.text == REST and [before.text for before in result[-2:]] == [",", "##"]:
            result = [*result[:-1], token] if has_rest else result[:-2]
        else:
            result.append(token)
    return result


def _quote(tokens: list[Token], place: Token) -> Token:
    """Return the argument for #parameter as a string."""
    _check_length(place, sum(len(token.text) for token in tokens))
    text = " ".join(t.text for t in tokens).replace("\\", "\\\\").replace('"', '\\"')
    return Token("string", f'"{text}"', place.at, place.width)


def _check_length(place: Token, length: int) -> None:
    if length > MAX_LENGTH:
        raise Fault(
            place,
            f"# or ## makes a name or text of more than {MAX_LENGTH:,} characters",
            "shorten it",
        )


def _paste(body: list[Token]) -> list[Token]:
    """Join the neighbours of each ##."""
    if not any(t.text == "##" for t in body):
        return body
    result: list[Token] = []
    waiting = body[::-1]
    while waiting:
        token = waiting.pop()
        if token.text == "##" and result and waiting:
            left, right = result.pop(), waiting.pop()
            _check_length(left, len(left.text) + len(right.text))
            joined = tokenize(left.text + right.text)[:-1] or [left]
            if len(joined) != 1:
                raise Fault(
                    left,
                    f"## cannot join '{left.text}' and '{right.text}' to one name",
                    "remove the ##",
                )
            result.append(joined[0].moved(left, left.hidden))
        else:
            result.append(token)
    return [token for token in result if token.text]

"""The preprocessor: #define, #if and their kin, -D options. Text -> tokens that still know their place."""

from __future__ import annotations

import functools
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from ..diagnostics import Fault, did_you_mean
from ..left_out import refused
from ..parsing.lexer import Token, reject_bad, tokenize
from ..tree import Position
from . import conditions
from .headers import (
    COMPILER_MACROS,
    HEADER_MACROS,
    OWN_HEADERS,
    UNASKED_HEADERS,
    is_known,
)
from .macros import REST, Expander, Macro
from .ptx import without_ptx

# Options of NVRTC and nvcc that change nothing here.
IGNORED_OPTIONS = tuple(
    """
    --fmad -fmad --use_fast_math -use_fast_math -lineinfo --generate-line-info -std --std -I
    --include-path -arch --gpu-architecture -G --device-debug -ftz --ftz -prec-div --prec-div
    -prec-sqrt --prec-sqrt -O -w --disable-warnings -maxrregcount --maxrregcount -rdc
    --relocatable-device-code -diag-suppress --diag-suppress -restrict --restrict -Xptxas
    --ptxas-options -lto -dlto -extra-device-vectorization --extra-device-vectorization -v
    --verbose
    """.split()
)

START = Position(1, 1)


def preprocess(
    text: str,
    options: Sequence[str] = (),
    headers: Mapping[str, str] | None = None,
    name: str = "kernel.cu",
    missing: list[Fault] | None = None,
) -> list[Token]:
    """Return the tokens of the program without directives, macros expanded; the last one has kind "end".

    options: NVRTC's, of which -DNAME, -DNAME=value and -UNAME matter. headers: the texts of some, by name; what comes
    from them stands in column 0 of the line that includes them, that of the one named "" in line 0. name: of the text,
    which is what __FILE__ stands for. missing: collects the Faults about files that are not found; without it the
    first is raised. Raises Fault.
    """
    given, macros = _given((headers or {}).get("", ""))
    file = Macro("__FILE__", None, [Token("string", f'"{name}"', START, len(name) + 2)])
    preprocessor = _Preprocessor(text, headers or {}, {**macros, file.name: file}, missing)
    return preprocessor.run(options, given)


def expanded(name: str, text: str, options: Sequence[str] = ()) -> list[Token]:
    """Return the tokens of a name expression, with the macros that hold at the end of the text. Raises Fault."""
    _, macros = _given("")
    preprocessor = _Preprocessor(text, {}, macros)
    preprocessor.run(options, [])
    *tokens, end = tokenize(name)
    return [*preprocessor.expander.expand(tokens), end]


@functools.cache
def _given(header: str) -> tuple[list[Token], Mapping[str, Macro]]:
    """Return the tokens and macros that every text has before its first line. header: the text of the one named ""."""
    reader = _Preprocessor("", {"": header}, {})
    for definition in COMPILER_MACROS + HEADER_MACROS:
        reader.define_option(definition)
    return reader.header("", Position(0, 0)), reader.macros


class _Preprocessor:
    def __init__(
        self,
        text: str,
        headers: Mapping[str, str],
        macros: Mapping[str, Macro],
        missing: list[Fault] | None = None,
    ) -> None:
        self.missing = missing
        self.tokens = _tokens_of_text(text)
        self.headers, self.known_headers = dict(headers), headers.keys() - {""}
        self.included: set[str] = set()
        self.expander = Expander(macros)
        self.macros = self.expander.macros
        # One entry per open #if: this branch is on (and all around it), some branch was on, #else seen, the #if.
        self.conditions: list[tuple[bool, bool, bool, Token]] = []

    def run(self, options: Sequence[str], given: list[Token]) -> list[Token]:
        """Return all tokens. given: those before the text's."""
        self._read_options(options)
        result = self._read(self.tokens)
        for header in _unasked(result):
            result[:0] = self.header(header, Position(0, 0))
        result[:0] = given
        if self.conditions:
            raise Fault(
                self.conditions[-1][3],
                "this #if has no #endif",
                "add a line #endif after what it covers",
            )
        has_groups = any(
            name.startswith(("cooperative_groups", "cuda_pipeline", "cuda/"))
            for name in self.included
        )
        for token in result:
            if token.kind == "bad" or token.text in ("#", "##"):
                reject_bad(token)
            if (
                token.text == "cooperative_groups"
                and not has_groups
                and (fault := refused(token, token.text))
            ):
                raise fault
        result.append(self.tokens[-1])
        return without_ptx(_without_pragmas(result))

    def _read(self, tokens: list[Token]) -> list[Token]:
        """Return the tokens without directives, macros expanded."""
        result: list[Token] = []
        plain: list[Token] = []  # lines since the last directive: a macro call may span them
        for line in _lines(tokens):
            if line[0].text == "#":
                result += self.expander.expand(plain)
                plain = []
                result += self._directive(line)
            elif self._active():
                plain += line
        return result + self.expander.expand(plain)

    def header(self, name: str, place: Position) -> list[Token]:
        """Return the tokens of a given header, or one of ours, when it is first included; all of them get this position."""
        if name in OWN_HEADERS and name not in self.known_headers | self.included:
            self.included.add(name)
            self.headers[name] = OWN_HEADERS[name].read_text()
        return [
            token.brought_by_header(place)
            for token in self._read(_tokens_of_header(self.headers.pop(name, "")))
        ]

    def _active(self) -> bool:
        return not self.conditions or self.conditions[-1][0]

    # --- directives ---------------------------------------------------------------------

    def _directive(self, line: list[Token]) -> list[Token]:
        """Obey a directive; return the tokens of a header that it includes."""
        if len(line) == 1:
            return []
        name, rest = line[1], line[2:]
        match name.text:
            case "if" | "ifdef" | "ifndef":
                on = self._active() and self._holds(name, rest)
                self.conditions.append((on, on or not self._active(), False, name))
            case "elif" | "else" | "endif":
                self._next_branch(name, rest)
            case _ if not self._active():
                return []
            case "define":
                self._define(name, rest)
            case "undef":
                self.macros.pop(self._macro_name(name, rest).text, None)
            case "include":
                return self._include(name, rest)
            case "error":
                raise Fault(name, "#error " + " ".join(t.text for t in rest))
            case "pragma" | "line" | "warning":
                return []
            case _:
                raise Fault(
                    name,
                    f"unknown directive #{name.text}",
                    did_you_mean(
                        name.text, ("define", "undef", "include", "ifdef", "endif", "pragma")
                    )
                    or "a comment starts with //",
                )
        return []

    def _next_branch(self, name: Token, rest: list[Token]) -> None:
        if not self.conditions:
            raise Fault(
                name, f"#{name.text} without #if", "remove it, or add the #if it belongs to"
            )
        _, taken, last, start = self.conditions.pop()
        if name.text == "endif":
            return
        if last:
            raise Fault(
                name, f"#{name.text} after #else", "#else must be the last branch of its #if"
            )
        on = not taken and self._active() and (name.text == "else" or self._holds(name, rest))
        self.conditions.append((on, taken or on, name.text == "else", start))

    def _holds(self, name: Token, rest: list[Token]) -> bool:
        if name.text != "if" and name.text != "elif":
            return (self._macro_name(name, rest).text in self.macros) == (name.text == "ifdef")
        condition = self.expander.expand(self._resolve_defined(rest))
        end = Token("end", "", name.end, 0)
        if not condition:
            raise Fault(
                name.end, f"#{name.text} needs a condition", "write for example #if TILE > 16"
            )
        return conditions.holds([*condition, end])

    def _resolve_defined(self, tokens: list[Token]) -> list[Token]:
        """Replace `defined X` and `defined(X)` by 1 or 0."""
        result: list[Token] = []
        rest = deque(tokens)
        while rest:
            token = rest.popleft()
            if token.text == "defined":
                bracketed = _next_is(rest, "(")
                name = self._macro_name(token, rest)
                rest.popleft()
                if bracketed and not _next_is(rest, ")"):
                    raise Fault(
                        name.end, "expected ')' after the macro's name", "write defined(NAME)"
                    )
                token = Token(
                    "number", "1" if name.text in self.macros else "0", token.at, token.width
                )
            result.append(token)
        return result

    @staticmethod
    def _macro_name(directive: Token, rest: Sequence[Token]) -> Token:
        if not rest or rest[0].kind != "word":
            raise Fault(
                (rest[0].at if rest else directive.end),
                f"#{directive.text} needs a name"
                if directive.text != "defined"
                else "defined needs a name",
                "write for example TILE",
            )
        return rest[0]

    def _include(self, directive: Token, rest: list[Token]) -> list[Token]:
        quoted = len(rest) == 1 and rest[0].kind == "string"
        if not quoted and (len(rest) < 3 or (rest[0].text, rest[-1].text) != ("<", ">")):
            raise Fault(
                directive.end,
                "#include needs the name of a file",
                "write for example #include <cmath>",
            )
        name = "".join(t.text for t in rest).strip('<>"')
        given = name if name in self.known_headers else name.rpartition("/")[2]
        if given in self.known_headers:
            return self.header(given, Position(directive.at.line, 0))
        if name in OWN_HEADERS and name not in self.included:
            return self.header(name, Position(directive.at.line, 0))
        if is_known(name):
            self.included.add(name)
        elif quoted:
            fault = Fault(
                rest[0],
                f"the file '{name[:60]}' was not found, neither beside this one nor in a folder of "
                "-I",
                "check its name, or give its folder: -I include on the command line, "
                'options=("-Iinclude",) in Python',
            )
            if self.missing is None:
                raise fault
            self.missing.append(fault)
        return []  # what is missing then is named where it is used, see foreign_headers

    def _define(self, directive: Token, rest: list[Token]) -> None:
        name = self._macro_name(directive, rest)
        if name.text == "defined":
            raise Fault(name, "'defined' cannot be the name of a macro", "choose another name")
        body, parameters = deque(rest[1:]), None
        if body and body[0].at == name.end and _next_is(body, "("):  # F(x), not F (x)
            parameters = self._macro_parameters(name, body)
        self.macros[name.text] = Macro(name.text, parameters, [*body])

    @staticmethod
    def _macro_parameters(name: Token, rest: deque[Token]) -> list[str]:
        """Return the parameters' names, whether the last is `...`, and how many tokens the bracket takes."""
        names: list[str] = []
        while not _next_is(rest, ")"):
            if not rest:
                raise Fault(
                    name,
                    f"the parameter list of macro '{name.text}' is never closed",
                    "end it with )",
                )
            token = rest.popleft()
            if token.kind != "word" and token.text != "...":
                raise Fault(
                    token,
                    f"expected a parameter name before '{token.text}'",
                    "write #define F(a, b) ...",
                )
            names.append(REST if token.text == "..." else token.text)
            _next_is(rest, ",")
        return names

    # --- options ------------------------------------------------------------------------

    def _read_options(self, options: Sequence[str]) -> None:
        waiting = list(options)[::-1]
        while waiting:
            option = waiting.pop()
            for flag in ("--define-macro=", "--undefine-macro=", "-D", "-U"):
                if option.startswith(flag):
                    value = option[len(flag) :] or (waiting.pop() if waiting else "")
                    if "U" in flag or "un" in flag:
                        self.macros.pop(value.strip(), None)
                    else:
                        self.define_option(value.strip())
                    break
            else:
                if not option.startswith(IGNORED_OPTIONS):
                    raise Fault(
                        START,
                        f"unknown compiler option {option!r}",
                        "write options as a tuple, for example options=('-DTILE=16',)",
                    )
                if (
                    option in ("-I", "-arch", "-Xptxas", "-std", "--std", "--include-path")
                    and waiting
                ):
                    waiting.pop()

    def define_option(self, definition: str) -> None:
        """Define NAME, NAME=value or NAME(a, b)=value, where value defaults to 1."""
        head, equals, value = definition.partition("=")
        tokens = tokenize(head)[:-1]
        if not tokens or tokens[0].kind != "word":
            raise Fault(START, f"option -D{definition} does not name a macro", "write -DNAME=value")
        # Keeps `-DX=(1)` from reading as a parameter list
        gap = Position(tokens[-1].at.line + 1, 1)
        body = [
            Token(t.kind, t.text, gap, t.width) for t in tokenize(value if equals else "1")[:-1]
        ]
        self._define(tokens[0], tokens + body)


_tokens_of_header = functools.cache(tokenize)  # the same in every program
# A kernel of the library comes with option after option
_tokens_of_text = functools.lru_cache(maxsize=8)(tokenize)


def _next_is(rest: deque[Token], text: str) -> bool:
    """Take the next token if it is this one."""
    found = bool(rest) and rest[0].text == text
    if found:
        rest.popleft()
    return found


def _unasked(tokens: list[Token]) -> list[str]:
    """Return the headers of what the text names without having to include them."""
    of_std = (
        f"std::{after.text}"
        for std, after in zip(tokens, tokens[2:], strict=False)
        if std.text == "std"
    )
    names = {token.text for token in tokens if token.kind == "word"}.union(of_std)
    return [
        header for pattern, header in UNASKED_HEADERS.items() if any(map(pattern.fullmatch, names))
    ]


def _lines(tokens: list[Token]) -> Iterator[list[Token]]:
    line: list[Token] = []
    for token in tokens:
        if token.starts_line and line:
            yield line
            line = []
        line.append(token)


def _without_pragmas(tokens: list[Token]) -> list[Token]:
    """Drop _Pragma("..."), the form of #pragma that macros can hold."""
    if not any(t.text == "_Pragma" for t in tokens):
        return tokens
    result: list[Token] = []
    rest = iter(tokens)
    for token in rest:
        if token.text != "_Pragma" or token.kind != "word":
            result.append(token)
        elif [t.text if t.kind != "string" else "" for t in islice(rest, 3)] != ["(", "", ")"]:
            raise Fault(token, "_Pragma needs a text in brackets", 'write _Pragma("unroll")')
    return result

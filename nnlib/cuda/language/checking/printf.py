"""printf: do the values fit the text?"""

from __future__ import annotations

import re
from collections.abc import Callable

from nnlib.cuda.language.checking.constants import CONVERSION, characters
from nnlib.cuda.language.checking.conversions import convert, is_integer, promoted
from nnlib.cuda.language.checking.lvalues import decayed
from nnlib.cuda.language.diagnostics import Fault, Unsupported
from nnlib.cuda.language.tree import Expr, IntrinsicCall, Position, StringLiteral, Text
from nnlib.cuda.language.types import CHAR, DOUBLE, FLOAT, INT, VOID, Half, Pointer, Scalar, Type, Vector


def printf(at: Position, arguments: list[Expr], on_host: bool = False, name: str = "printf") -> Expr:
    """The call of printf. arguments: checked, arrays not yet decayed. name: of a function of its family."""
    text = decayed(arguments[0]) if arguments and on_host else arguments[0] if arguments else None
    is_text = text is not None and isinstance(text.type, Pointer) and text.type.target == CHAR
    if text is None or not isinstance(text, StringLiteral | Text) and not (on_host and is_text):
        raise Fault(at, f"{name} needs a text that says what to print", 'write printf("x = %f\\n", x)')
    if len(arguments) > 33 and not on_host:
        raise Fault(at, "printf takes at most 32 values in a kernel", "print them in several calls")
    values: list[Expr] = []
    given = [decayed(argument) for argument in arguments[1:]]
    for argument in given:
        kind = argument.type
        if isinstance(argument, StringLiteral):
            raise Unsupported(argument.at, "texts as values of printf", "put the text into the format")
        if isinstance(kind, Half):
            raise Fault(argument.at, f"printf cannot print a value of type '{kind}'", "convert it: (float)x")
        if isinstance(kind, Vector) or kind == VOID:
            raise Fault(argument.at, f"printf cannot print a value of type '{kind}'", "print its parts: a.x, a.y")
        if isinstance(kind, Scalar):
            argument = convert(argument, DOUBLE if kind == FLOAT else promoted(kind))
        values.append(argument)
    if isinstance(text, StringLiteral | Text):
        _check_conversions(at, characters(at, text.value).decode("utf-8", "replace"), given, on_host)
    return IntrinsicCall(at, INT, name, [text, *values])


def places(text: str) -> list[tuple[str, str, int]]:
    """For each value that the text of printf takes its letter, as it is written, and how many bits it prints."""
    found: list[tuple[str, str, int]] = []
    for match in CONVERSION.finditer(text):
        bits = 64 if match["size"] in ("l", "ll", "z", "j", "t") else 32
        found += [("d", "*", 32)] * ((match["width"] == "*") + (match["precision"] == ".*"))
        found += [(match["kind"], match[0], bits)] * (match["kind"] != "%")
    return found


def unknown(text: str) -> str | None:
    """The letter of a conversion that printf does not have, or has only on other machines."""
    found = _LETTER.search(CONVERSION.sub("", text))
    return found[1] if found else None


def _check_conversions(at: Position, text: str, values: list[Expr], on_host: bool) -> None:
    """C takes any value for any conversion, and prints garbage where the two do not fit."""
    if letter := unknown(text):
        raise Fault(at, f"printf does not know %{letter}", KNOWN)
    wanted = places(text)
    if len(wanted) != len(values):
        raise Fault(at, f"the text of printf has places for {len(wanted)} values, but {len(values)} given",
                    "write one value for each % (and %% for the sign itself)")
    for (letter, written, bits), value in zip(wanted, values, strict=True):
        fits, what = _PRINTS[letter]
        is_text = isinstance(value.type, Pointer) and value.type.target == CHAR
        if letter == "s" and is_text:
            if on_host:
                continue
            raise Unsupported(value.at, "texts as values of printf", "print them character by character, with %c")
        if not fits(value.type) and written == "*":
            raise Fault(value.at, f"the * of printf takes a whole number, but this is '{value.type}'", "write (int)(…)")
        if not fits(value.type):
            proper = "%p" if isinstance(value.type, Pointer) else "%d" if is_integer(value.type) else "%f"
            raise Fault(value.at, f"{written} prints {what}, but this is '{value.type}'",
                        f"write {proper}, or convert the value")
        narrow = isinstance(value.type, Scalar) and not value.type.is_float and (value.type.size == 8) != (bits == 64)
        if narrow and not on_host:  # there it prints the lower half, or the number
            raise Fault(value.at, f"{written} prints {bits} bits, but '{value.type}' has {96 - bits}",
                        f"write {'%d' if bits == 64 else '%lld'}, or convert the value")


KNOWN = "it knows %d, %u, %x, %o, %c, %f, %e, %g, %p and %s, and %% prints the sign itself"
_LETTER = re.compile(r"%[-+ #0]*[\d.*]*(?:hh|h|ll|l|z|j|t|L)?([A-Za-z])")
_PRINTS: dict[str, tuple[Callable[[Type], bool], str]] = {
    **dict.fromkeys("diuxXoc", (is_integer, "an integer")),
    **dict.fromkeys("fFeEgG", (lambda kind: isinstance(kind, Scalar) and kind.is_float, "a real number")),
    "p": (lambda kind: isinstance(kind, Pointer), "an address"),
    "s": (lambda kind: False, "a text"),
}

"""Calls of what CUDA provides: arguments converted, defaults filled in; printf, whose values must fit its format."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence, Sized
from dataclasses import replace

from ..cuda_functions import INTRINSICS, Overload
from ..diagnostics import Fault, Unsupported
from ..tree import (
    Assign,
    BuiltinIndex,
    Convert,
    Dereference,
    Expr,
    IntrinsicCall,
    Literal,
    Located,
    Position,
    StringLiteral,
    Text,
)
from ..types import (
    CHAR,
    DIM3,
    DOUBLE,
    FLOAT,
    INT,
    UINT,
    VOID,
    Half,
    Pointer,
    Scalar,
    Type,
    Vector,
    target_of,
)
from .names import Context
from .objects import decayed
from .values import SPECIFICATION, characters, convert, implicit, is_integer, promoted


def check_count(
    where: Located, name: str, arguments: Sized, least: int, parameters: Sequence[object]
) -> None:
    """Raise Fault for a wrong number of arguments."""
    given, most = len(arguments), len(parameters)
    if not least <= given <= most:
        takes = f"{most}" if least == most else f"{least} to {most}"
        raise Fault(
            where,
            f"'{name}' takes {takes} argument{'s' * (most != 1)}, but {given} given",
            f"its parameters are ({', '.join(map(str, parameters))})",
        )


def call_intrinsic(
    context: Context, at: Position, overload: Overload, arguments: list[Expr]
) -> Expr:
    """Check a call of one overload. arguments: checked, arrays decayed."""
    parameters = overload.parameters
    check_count(at, overload.name, arguments, overload.required, parameters)
    given = len(arguments)
    defaults = overload.defaults[given - overload.required :]
    arguments = arguments + [
        Literal(at, kind, value) for kind, value in zip(parameters[given:], defaults, strict=True)
    ]
    converted: list[Expr] = []
    for i, (argument, kind, called) in enumerate(
        zip(arguments, parameters, overload.called.parameters, strict=True)
    ):
        fitting = implicit(argument, kind, f"argument {i + 1} of {overload.name}")
        if target_of(kind) == VOID:
            fitting = argument
        converted.append(convert(fitting, called) if isinstance(called, Scalar) else fitting)
    context.warn_double(at, arguments, overload.result)
    if overload.kind == "same":
        return converted[0]
    if overload.kind == "load":
        return Dereference(at, overload.result, converted[0])
    if overload.kind == "store":
        pointer, stored = converted
        return Convert(
            at, VOID, Assign(at, stored.type, Dereference(at, stored.type, pointer), stored)
        )
    return IntrinsicCall(at, overload.result, overload.name, converted)


def make_vector(context: Context, at: Position, kind: Vector, arguments: list[Expr]) -> Expr:
    """Check a call such as make_float4(...), with missing lanes set to zero."""
    zeros: list[Expr] = [Literal(at, kind.base, 0.0 if kind.base.is_float else 0)]
    if len(arguments) > kind.lanes:
        raise Fault(
            arguments[kind.lanes],
            f"too many values: {kind} has {kind.lanes}",
            "remove the surplus",
        )
    return call_intrinsic(
        context,
        at,
        INTRINSICS[f"make_{kind.name}"][0],
        arguments + zeros * (kind.lanes - len(arguments)),
    )


def make_index(context: Context, at: Position, name: str) -> Expr:
    """Make threadIdx, or one of the related variables, as a whole."""
    axes: list[Expr] = [BuiltinIndex(at, UINT, name, axis) for axis in "xyz"]
    return make_vector(context, at, DIM3, axes)


def make_dim3(context: Context, at: Position, sizes: list[Expr]) -> Expr:
    """Make dim3(x, y, z); missing sizes are 1."""
    ones: list[Expr] = [Literal(at, UINT, 1)]
    return make_vector(context, at, DIM3, sizes + ones * (3 - len(sizes)))


def printf(
    at: Position, arguments: list[Expr], on_host: bool = False, name: str = "printf"
) -> Expr:
    """Check a call of printf. arguments: checked, arrays not yet decayed. name: the function of its family that is called."""
    text = decayed(arguments[0]) if arguments else None
    is_text = text is not None and target_of(text.type) == CHAR
    if text is None or (not isinstance(text, StringLiteral | Text) and not (on_host and is_text)):
        raise Fault(
            at, f"{name} needs a text that says what to print", 'write printf("x = %f\\n", x)'
        )
    if len(arguments) > 33 and not on_host:
        raise Fault(at, "printf takes at most 32 values in a kernel", "print them in several calls")
    values: list[Expr] = []
    given = [decayed(argument) for argument in arguments[1:]]
    if isinstance(text, StringLiteral):
        text, given = _with_texts(text, given)
    for argument in given:
        kind = argument.type
        if isinstance(argument, StringLiteral):
            raise Unsupported(argument, "texts as values of printf", "put the text into the format")
        if isinstance(kind, Half):
            raise Fault(
                argument, f"printf cannot print a value of type '{kind}'", "convert it: (float)x"
            )
        if isinstance(kind, Vector) or kind == VOID:
            raise Fault(
                argument,
                f"printf cannot print a value of type '{kind}'",
                "print its parts: a.x, a.y",
            )
        if isinstance(kind, Scalar):
            argument = convert(argument, DOUBLE if kind == FLOAT else promoted(kind))
        values.append(argument)
    if isinstance(text, StringLiteral | Text):
        try:
            _check_conversions(
                at, characters(at, text.value).decode("utf-8", "replace"), given, on_host
            )
        except Fault:
            if not on_host:
                raise
            text = Convert(at, text.type, text)  # only where it runs it is a mistake
    return IntrinsicCall(at, INT, name, [text, *values])


def _with_texts(text: StringLiteral, values: list[Expr]) -> tuple[StringLiteral, list[Expr]]:
    """Put each string literal in place of its %s in the format of printf; return the format and the other values."""
    left = iter(values)
    kept: list[Expr | None] = []

    def put(match: re.Match[str]) -> str:
        if match["kind"] != "%":
            stars = (match["width"] == "*") + (match["precision"] == ".*")
            *sizes, value = [next(left, None) for _ in range(stars + 1)]
            if match[0] == "%s" and isinstance(value, StringLiteral):
                return value.value.replace("%", "%%")
            kept.extend([*sizes, value])
        return match[0]

    written = replace(text, value=SPECIFICATION.sub(put, text.value))
    return written, [*filter(None, kept), *left]


def places(text: str) -> list[tuple[str, str, int]]:
    """Return, for each value that a format of printf takes, its letter, its specification, and how many bits it prints."""
    found: list[tuple[str, str, int]] = []
    for match in SPECIFICATION.finditer(text):
        bits = 64 if match["size"] in ("l", "ll", "z", "j", "t") else 32
        found += [("d", "*", 32)] * ((match["width"] == "*") + (match["precision"] == ".*"))
        found += [(match["kind"], match[0], bits)] * (match["kind"] != "%")
    return found


def unknown(text: str) -> str | None:
    """Return the letter of a conversion that printf does not have, or has only on other machines; else None."""
    found = _LETTER.search(SPECIFICATION.sub("", text))
    return found[1] if found else None


def _check_conversions(at: Position, text: str, values: list[Expr], on_host: bool) -> None:
    """Raise Fault where values and conversions do not fit; C would print garbage there."""
    if letter := unknown(text):
        raise Fault(at, f"printf does not know %{letter}", KNOWN)
    wanted = places(text)
    if len(wanted) != len(values):
        raise Fault(
            at,
            f"the text of printf has places for {len(wanted)} values, but {len(values)} given",
            "write one value for each % (and %% for the sign itself)",
        )
    for (letter, written, bits), value in zip(wanted, values, strict=True):
        fits, what = _PRINTS[letter]
        is_text = target_of(value.type) == CHAR
        if letter == "s" and is_text:
            if on_host:
                continue
            raise Unsupported(
                value, "texts as values of printf", "print them character by character, with %c"
            )
        if not fits(value.type) and written == "*":
            raise Fault(
                value,
                f"the * of printf takes a whole number, but this is '{value.type}'",
                "write (int)(…)",
            )
        if not fits(value.type):
            proper = (
                "%p"
                if isinstance(value.type, Pointer)
                else "%d"
                if is_integer(value.type)
                else "%f"
            )
            raise Fault(
                value,
                f"{written} prints {what}, but this is '{value.type}'",
                f"write {proper}, or convert the value",
            )
        narrow = (
            isinstance(value.type, Scalar)
            and not value.type.is_float
            and (value.type.size == 8) != (bits == 64)
        )
        if narrow and not on_host:  # there it prints the lower half, or the number
            raise Fault(
                value,
                f"{written} prints {bits} bits, but '{value.type}' has {96 - bits}",
                f"write {'%d' if bits == 64 else '%lld'}, or convert the value",
            )


KNOWN = "it knows %d, %u, %x, %o, %c, %f, %e, %g, %p and %s, and %% prints the sign itself"
_LETTER = re.compile(r"%[-+ #0]*[\d.*]*(?:hh|h|ll|l|z|j|t|L)?([A-Za-z])")
_PRINTS: dict[str, tuple[Callable[[Type], bool], str]] = {
    **dict.fromkeys("diuxXoc", (is_integer, "an integer")),
    **dict.fromkeys(
        "fFeEgG", (lambda kind: isinstance(kind, Scalar) and kind.is_float, "a real number")
    ),
    "p": (lambda kind: isinstance(kind, Pointer), "an address"),
    "s": (lambda kind: False, "a text"),
}

"""Calls: which function or overload is meant, and do the arguments fit it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from nnlib.cuda.language.checking.constants import CONVERSION
from nnlib.cuda.language.checking.conversions import EXACT, convert, fit, implicit, is_integer, promoted
from nnlib.cuda.language.checking.scope import Callee, Scopes
from nnlib.cuda.language.cuda_functions import INTRINSICS, REFUSED, Overload
from nnlib.cuda.language.diagnostics import Fault, Unsupported
from nnlib.cuda.language.parsing import syntax
from nnlib.cuda.language.tree import (
    AddressOf,
    Call,
    Decay,
    Dereference,
    Expr,
    Index,
    IntrinsicCall,
    Literal,
    Member,
    Name,
    PointerOffset,
    Position,
    StringLiteral,
)
from nnlib.cuda.language.types import BOOL, CHAR, DOUBLE, FLOAT, INT, VOID, Array, Pointer, Scalar, Type, Vector


class CallChecker(Scopes):
    def call(self, node: syntax.Apply, arguments: list[Expr], callees: list[Callee]) -> Expr:
        """The call of the user's functions or CUDA's by that name. arguments: checked, arrays not yet decayed."""
        at, name = node.at, node.name
        if name == "printf" and not callees:
            return self._printf(at, arguments)
        for argument in arguments:
            no_text(argument)
        overloads = INTRINSICS.get(name, [])
        plain: list[Callee | Overload] = [*callees, *overloads]
        if node.template_arguments:
            callees, overloads = self.instances(node, arguments, others=False), []
        elif name in self.templates and not any(_fits_exactly(function, arguments) for function in plain):
            callees = callees + self.instances(node, arguments, others=bool(plain))
        if not callees and not overloads:
            if name in REFUSED:
                raise Unsupported(at, *REFUSED[name])
            raise self.undeclared(at, name, "function")
        chosen = self._resolve(at, name, arguments, callees, overloads)
        if isinstance(chosen, Callee):
            return self._call_user(at, chosen, arguments)
        return self.intrinsic(at, chosen, [decayed(argument) for argument in arguments])

    def _resolve(self, at: Position, name: str, arguments: list[Expr], callees: list[Callee],
                 overloads: list[Overload]) -> Callee | Overload:
        """C++ overload resolution: the candidate that fits every argument at least as well as all others."""
        candidates: list[Callee | Overload] = [*callees, *overloads]
        if len(candidates) == 1:
            return candidates[0]
        fits: list[tuple[list[int], Callee | Overload]] = []
        for candidate in candidates:
            score = _score(candidate, arguments)
            if score is not None:
                fits.append((score, candidate))
        best = [c for s, c in fits if all(_as_good(s, other) for other, _ in fits)]
        if len(best) == 1:
            return best[0]
        given = ", ".join(str(decayed(argument).type) for argument in arguments)
        known = "; ".join(f"{name}({', '.join(map(str, _parameters(c)))})" for c in candidates[:8])
        if fits:
            raise Fault(at, f"the call {name}({given}) fits several functions equally well",
                        f"convert the arguments to one type, for example (float)x. Known are: {known}")
        raise Fault(at, f"no function {name} takes ({given})", f"known are: {known}")

    def _call_user(self, at: Position, callee: Callee, arguments: list[Expr]) -> Expr:
        function = callee.function
        if function.kind == "kernel":
            raise Fault(at, f"'{function.name}' is a kernel: it is launched from Python, not called",
                        "move the common code to a __device__ function")
        check_count(at, function.name, len(arguments), _required(callee), len(function.parameters),
                     [f"{p.type} {p.name}" for p in function.parameters])
        result: list[Expr] = []
        for i, parameter in enumerate(function.parameters):
            what = f"argument {i + 1} ('{parameter.name}') of {function.name}"
            argument = arguments[i] if i < len(arguments) else self.default_argument(callee, i)
            if callee.references[i]:
                assert isinstance(parameter.type, Pointer)
                if not is_lvalue(argument) or argument.type != parameter.type.target:
                    raise Fault(argument.at, f"{what} is a reference and needs a variable of type "
                                f"{parameter.type.target}", "pass a variable")
                result.append(implicit(address_of(at, argument), parameter.type, what))
            else:
                result.append(implicit(decayed(argument), parameter.type, what))
        return self.known_value(callee, result) or Call(at, function.return_type, function, result)

    def instances(self, node: syntax.Apply, arguments: list[Expr], others: bool) -> list[Callee]:
        raise NotImplementedError  # needs function bodies: see Checker

    def known_value(self, callee: Callee, arguments: list[Expr]) -> Literal | None:
        raise NotImplementedError  # needs the names around a function: see Checker

    def default_argument(self, callee: Callee, index: int) -> Expr:
        raise NotImplementedError  # needs expressions: see ExpressionChecker

    def intrinsic(self, at: Position, overload: Overload, arguments: list[Expr]) -> Expr:
        """The call of one overload, defaults filled in and arguments converted."""
        parameters = overload.parameters
        check_count(at, overload.name, len(arguments), len(parameters) - len(overload.defaults), len(parameters),
                     [str(p) for p in parameters])
        missing = len(parameters) - len(arguments)
        for value, kind in zip(overload.defaults[len(overload.defaults) - missing:], parameters[len(arguments):],
                               strict=False):
            arguments = [*arguments, Literal(at, kind, value)]
        converted: list[Expr] = []
        called_with = overload.called.parameters
        for i, (argument, kind, called) in enumerate(zip(arguments, parameters, called_with, strict=True)):
            fitting = implicit(argument, kind, f"argument {i + 1} of {overload.name}")
            if isinstance(kind, Pointer) and kind.target == VOID:
                fitting = argument
            converted.append(convert(fitting, called) if isinstance(called, Scalar) else fitting)
        self.warn_double(at, [a.type for a in arguments], arguments, overload.result)
        if overload.kind == "load":
            return Dereference(at, overload.result, converted[0])
        return IntrinsicCall(at, overload.result, overload.name, converted)

    def make_vector(self, at: Position, kind: Vector, arguments: list[Expr]) -> Expr:
        """make_float4(...), missing lanes zero."""
        zeros: list[Expr] = [Literal(at, kind.base, 0.0 if kind.base.is_float else 0)]
        if len(arguments) > kind.lanes:
            raise Fault(arguments[kind.lanes].at, f"too many values: {kind} has {kind.lanes}", "remove the surplus")
        return self.intrinsic(at, INTRINSICS[f"make_{kind.name}"][0],
                              arguments + zeros * (kind.lanes - len(arguments)))

    def _printf(self, at: Position, arguments: list[Expr]) -> Expr:
        if not arguments or not isinstance(arguments[0], StringLiteral):
            raise Fault(at, "printf needs a text as its first argument", 'write printf("x = %f\\n", x)')
        if len(arguments) > 33:
            raise Fault(at, "printf takes at most 32 values in a kernel", "print them in several calls")
        values: list[Expr] = []
        given = [decayed(argument) for argument in arguments[1:]]
        for argument in given:
            kind = argument.type
            if isinstance(argument, StringLiteral):
                raise Unsupported(argument.at, "texts as values of printf", "put the text into the format")
            if isinstance(kind, Vector) or kind == VOID:
                raise Fault(argument.at, f"printf cannot print a value of type '{kind}'", "print its parts: a.x, a.y")
            if isinstance(kind, Scalar):
                argument = convert(argument, DOUBLE if kind == FLOAT else promoted(kind))
            values.append(argument)
        _check_conversions(at, arguments[0].value, given)
        return IntrinsicCall(at, INT, "printf", [arguments[0], *values])

    def warn_double(self, at: Position, kinds: Sequence[Type], operands: Sequence[Expr], result: Type) -> None:
        """Note a float computation that an unsuffixed literal turns into a double one."""
        if result in (DOUBLE, BOOL) and FLOAT in kinds:
            for operand in operands:
                if isinstance(operand, Literal) and operand.type == DOUBLE:
                    self.warnings.append((at, "computed in double, which is slow on most GPUs: "
                                          f"write {operand.value}f instead of {operand.value}"))


# --- printf -------------------------------------------------------------------------------


def _check_conversions(at: Position, text: str, values: list[Expr]) -> None:
    """C takes any value for any conversion, and prints garbage where the two do not fit."""
    wanted: list[tuple[str, str, int]] = []
    for found in CONVERSION.finditer(text):
        bits = 64 if found["size"] in ("l", "ll", "z", "j", "t") else 32
        wanted += [("d", "*", 32)] * (found["width"] == "*")
        wanted += [(found["kind"], found[0], bits)] * (found["kind"] != "%")
    if len(wanted) != len(values):
        raise Fault(at, f"the text of printf has places for {len(wanted)} values, but {len(values)} given",
                    "write one value for each % (and %% for the sign itself)")
    for (letter, written, bits), value in zip(wanted, values, strict=True):
        fits, what = _PRINTS[letter]
        if letter == "s" and isinstance(value.type, Pointer) and value.type.target == CHAR:
            raise Unsupported(value.at, "texts as values of printf", "print them character by character, with %c")
        if not fits(value.type):
            proper = "%p" if isinstance(value.type, Pointer) else "%d" if is_integer(value.type) else "%f"
            raise Fault(value.at, f"{written} prints {what}, but this is '{value.type}'",
                        f"write {proper}, or convert the value")
        if isinstance(value.type, Scalar) and not value.type.is_float and (value.type.size == 8) != (bits == 64):
            raise Fault(value.at, f"{written} prints {bits} bits, but '{value.type}' has {96 - bits}",
                        f"write {'%d' if bits == 64 else '%lld'}, or convert the value")


_PRINTS: dict[str, tuple[Callable[[Type], bool], str]] = {
    **dict.fromkeys("diuxXoc", (is_integer, "an integer")),
    **dict.fromkeys("fFeEgG", (lambda kind: isinstance(kind, Scalar) and kind.is_float, "a real number")),
    "p": (lambda kind: isinstance(kind, Pointer), "an address"),
    "s": (lambda kind: False, "a text"),
}


# --- overloads ----------------------------------------------------------------------------


def _parameters(candidate: Callee | Overload) -> list[Type]:
    if isinstance(candidate, Overload):
        return list(candidate.parameters)
    return [p.type.target if r and isinstance(p.type, Pointer) else p.type
            for p, r in zip(candidate.function.parameters, candidate.references, strict=True)]


def _required(candidate: Callee | Overload) -> int:
    if isinstance(candidate, Overload):
        return len(candidate.parameters) - len(candidate.defaults)
    return sum(default is None for default in candidate.defaults)


def _score(candidate: Callee | Overload, arguments: list[Expr]) -> list[int] | None:
    parameters = _parameters(candidate)
    if not _required(candidate) <= len(arguments) <= len(parameters):
        return None
    scores = [fit(decayed(argument), kind) for argument, kind in zip(arguments, parameters, strict=False)]
    return None if None in scores else [score for score in scores if score is not None]


def _fits_exactly(candidate: Callee | Overload, arguments: list[Expr]) -> bool:
    return _score(candidate, arguments) == [EXACT] * len(arguments)


def _as_good(one: list[int], other: list[int]) -> bool:
    return one == other or (all(a <= b for a, b in zip(one, other, strict=True)) and one != other)


def check_count(at: Position, name: str, given: int, least: int, most: int, parameters: list[str]) -> None:
    if not least <= given <= most:
        takes = f"{most}" if least == most else f"{least} to {most}"
        raise Fault(at, f"'{name}' takes {takes} argument{'s' * (most != 1)}, but {given} given",
                    f"its parameters are ({', '.join(parameters)})")


# --- lvalues ------------------------------------------------------------------------------


def is_lvalue(expression: Expr) -> bool:
    """Does it name a place in memory?"""
    if isinstance(expression, Member):
        return is_lvalue(expression.base)
    return isinstance(expression, (Name, Index, Dereference))


def is_const(place: Expr) -> bool:
    """May the lvalue not be changed?"""
    match place:
        case Name(variable=variable):
            return variable.const
        case Dereference(pointer=pointer):
            return isinstance(pointer.type, Pointer) and pointer.type.const
        case Index(base=base):
            return base.type.const if isinstance(base.type, Pointer) else is_const(base)
        case Member(base=base):
            return is_const(base)
    return False


def no_text(expression: Expr) -> Expr:
    if isinstance(expression, StringLiteral):
        raise Unsupported(expression.at, "a text other than the format of printf",
                          "use numbers, or an array of characters: {'a', 'b'}")
    return expression


def decayed(expression: Expr) -> Expr:
    """An array as the pointer to its first element; anything else as it is."""
    if isinstance(expression.type, Array):
        return Decay(expression.at, Pointer(expression.type.element, is_const(expression)), expression)
    return expression


def address_of(at: Position, place: Expr) -> Expr:
    """&place."""
    match place:
        case Dereference(pointer=pointer):
            return pointer
        case Index(base=base, index=index):
            pointer = decayed(base)
            return PointerOffset(at, pointer.type, pointer, index)
    root = place
    while isinstance(root, Member):
        root = root.base
    if isinstance(root, Name):
        root.variable.address_taken = True
    return AddressOf(at, Pointer(place.type, is_const(place)), place)



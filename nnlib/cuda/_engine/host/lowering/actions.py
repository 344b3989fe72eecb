"""The host's functions in normal form: calls, launches, memory and the library become calls in Python."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from ...errors import KernelSyntaxError
from ...language import diagnostics
from ...language.checking.intrinsics import places
from ...language.checking.values import characters
from ...language.exceptions import Throw, Try
from ...language.normal.nodes import Act, CanonicalLoop, Store, acts, is_quiet
from ...language.tree import (
    Binary,
    Block,
    Build,
    Call,
    CallPointer,
    Conditional,
    Convert,
    Declare,
    Delete,
    Dereference,
    Ending,
    Expr,
    Goto,
    If,
    InitializerList,
    IntrinsicCall,
    KernelLaunch,
    Label,
    LaunchPointer,
    Literal,
    LoopStmt,
    Name,
    New,
    Position,
    Return,
    SizeOf,
    Stmt,
    StringLiteral,
    Switch,
    Text,
    Variable,
)
from ...language.types import (
    BOOL,
    INT,
    LONG,
    ULONG,
    VOID,
    FunctionName,
    Pointer,
    Scalar,
    Struct,
    Type,
)
from ...language.walking import nodes
from ...simulator.functions.mathematics import RESULTS
from ..addresses import AddressNormalizer, moved
from ..loops.flat import FlatLoop, flat_loop
from .values import code_of
from .writer import (
    CallSite,
    FunctionWriter,
    element_behind,
    in_memory,
    is_container,
    name_in,
    size_of,
)

_PRINTERS = {"printf": 0, "fprintf": 1, "sprintf": 1, "snprintf": 2}  # where the text stands


class EndsWithBlock(Stmt):
    """A variable that is passed to functions at the end of its block. how: to which functions, with byte offsets."""

    variable: Variable
    address: Expr
    how: list[list[str]]


class HostNormalizer(AddressNormalizer):
    """native: of a loop, what native code can do of it."""

    def __init__(self, writer: FunctionWriter) -> None:
        super().__init__(writer, lambda *given: None)
        self.code, self.placed = writer.code, writer.memory
        self.native: dict[Stmt, FlatLoop | None] = {}
        self._result = ""

    def count(self) -> None:
        """Allow functions of any length."""

    # --- statements -----------------------------------------------------------------------

    def last(self, s: Stmt) -> Stmt | None:
        match s:
            case Return(Name(variable)) if in_memory(variable) and variable.space in (
                "local",
                "parameter",
            ):
                return s  # an object may live on as the result
            case Return(value):
                return Return(s.at, None if value is None else self.value(value))
            case Throw(value=Expr(type=kind) as value):
                content = Build(s.at, kind, InitializerList([(0, self.value(value))]))
                kinds = tuple(map(str, _with_bases(kind)))
                return Throw(s.at, Act(s.at, LONG, "exception", [repr(kinds), content]))
            case Throw():
                return s
            case Try(body=body, handlers=handlers):
                clauses = [dataclasses.replace(h, body=self.statement(h.body)) for h in handlers]
                return Try(s.at, self.statement(body), clauses)
            case Goto() | Label():
                return s
            case LoopStmt(init=[*init]) if any(getattr(part, "endings", ()) for part in init):
                return super().last(Block(s.at, [*init, dataclasses.replace(s, init=[])]))
        return super().last(s)

    def declare(self, s: Declare) -> Stmt | None:
        variable = s.variable
        if variable.space == "static":
            flag = self.code.once()
            with self.apart() as first:
                self.begin(s.at, variable, s.initializer)
            once = self.identifier(s.at, f"{flag} and {flag}.pop()")
            return If(s.at, once, Block(s.at, first)) if first else None
        super().declare(s)
        if isinstance(s.initializer, IntrinsicCall) and s.initializer.name == "alloca":
            return EndsWithBlock(
                s.at, variable, self.lvalue(Name(s.at, LONG, variable)), [["0", "leave"]]
            )
        self.before += self.ends(s.at, variable, s.endings)
        return None

    def ends(self, at: Position, variable: Variable, endings: list[Ending]) -> list[EndsWithBlock]:
        """Return what has to happen with a variable at the end of its block, if anything."""
        how = self.endings(endings)
        if is_container(variable.type) and variable.space in ("local", "parameter") and not how:
            how = [["0", "free_container"]]
        return [EndsWithBlock(at, variable, self.address_of(at, variable), how)] if how else []

    def begin(self, at: Position, variable: Variable, initial: Any) -> None:
        """Give a global or static variable its first value, if it has one."""
        address = self.address_of(at, variable)
        if isinstance(initial, InitializerList):
            self.fill(at, address, initial, size_of(variable.type))
        elif initial is not None:
            self.keep(at, address, self.given(initial, variable.name))

    def store(self, at: Position, target: Expr, value: Expr) -> None:
        """Store a value, which is evaluated first, as in Python it is not when the target is an argument."""
        if isinstance(target, Dereference) and acts(value) and not is_quiet(target.pointer):
            value = self.temporary(value)
        super().store(at, target, value)

    def loop(
        self, s: Any, condition: Any, body: Any, step: Any, *more: Any, **named: Any
    ) -> CanonicalLoop:
        native = flat_loop(self.writer, condition, body, step)
        loop = super().loop(s, condition, body, step, *more, **named)
        self.native[loop] = native
        return loop

    def chosen(self, s: Switch) -> Expr:
        labels = {case.value: k for k, case in enumerate(s.cases) if case.value is not None}
        default = next((k for k, case in enumerate(s.cases) if case.value is None), len(s.cases))
        return Act(s.at, INT, f"{labels!r}.get", [self.value(s.value), str(default)])

    # --- variables ------------------------------------------------------------------------

    def own(self, variable: Variable) -> Variable:
        return variable

    def given(self, e: Expr, name: str) -> Any:
        """Return a value, and name memory that it allocates after the variable."""
        call = e
        while isinstance(call, Convert):
            call = call.operand
        if isinstance(call, Call | New):
            self._result = name
        value = self.value(e)
        self._result = ""
        return value

    def address_of(self, at: Position, variable: Variable) -> Expr:
        if variable.space in ("global", "constant"):
            return self.identifier(at, f"symbol({variable.name!r})")
        return super().address_of(at, variable)

    # --- calls ----------------------------------------------------------------------------

    def value(self, e: Any) -> Any:
        match e:
            case Convert(Expr(type=FunctionName(name=name))):
                return self.identifier(e.at, self.code.function_address(name, e.type))
            case CallPointer(pointer=pointer, arguments=arguments):
                site = self.site(e, arguments)
                return self.act(e, "call_pointer", site, *self.values([pointer, *arguments]))
            case KernelLaunch(arguments=arguments) | LaunchPointer(arguments=arguments):
                return self._launch(e, arguments)
            case New():
                return self._new(e)
            case Delete():
                return self._delete(e)
        return super().value(e)

    def act(self, e: Expr, name: Any, *arguments: Any) -> Act:
        self.acted += 1
        return Act(e.at, self.kind(e.type), name, list(arguments))

    def site(self, e: Any, arguments: Sequence[Expr]) -> str:
        result, self._result = self._result, ""
        site = CallSite(
            e.at,
            e,
            tuple(map(name_in, arguments)),
            tuple(map(element_behind, arguments)),
            tuple(map(self._in_bytes, arguments)),
            result,
        )
        return self.code.refer("S", site)

    def _in_bytes(self, e: Expr) -> bool:
        """Return whether a value may be a number of bytes. Plain numbers, and what is computed from them, are not."""
        return any(
            isinstance(node, SizeOf | Call | IntrinsicCall)
            or (isinstance(node, Name) and node.variable in self.writer.bytes)
            for node in nodes(e)
        )

    def called(self, e: Call) -> Expr:
        function, name = e.function, e.function.name.partition("#")[0]
        if function.kind == "library":
            site = self.site(e, e.arguments)
            self.code.called.add(name)
            more = ["more_given"] if name == "__more" else self.values(e.arguments)
            return self.act(e, f"L_{name}", site, *more)
        values: list[Any] = self.values(e.arguments)
        if function.variadic:
            named = len(function.parameters)
            values[named:] = [_lettered(e.arguments[named:], values[named:])]
        if e.kinds is None:
            return self.act(e, self.code.function_name(function.name), *values)
        values[0] = self.simple(values[0])  # the object's first word says which struct it is
        known = [[str(k), self.code.function_name(f.name)] for k, f in e.kinds.items()]
        kind = Dereference(e.at, ULONG, values[0])
        return self.act(e, self.act(e, "virtual", known, kind), *values)

    def _launch(self, e: Any, arguments: list[Expr]) -> Expr:
        site, through = self.site(e, arguments), isinstance(e, LaunchPointer)
        given = [e.pointer] if through else []
        values = self.values([*given, e.grid, e.block, e.shared, e.stream, *arguments])
        pointer, rest = values[: len(given)], values[len(given) :]
        name = "launch_pointer" if through else "launch"
        return self.act(e, name, site, *pointer, rest[:4], rest[4:])

    def _new(self, e: New) -> Expr:
        assert isinstance(e.type, Pointer)
        site, kind, at = self.site(e, []), e.type.target, e.at
        one, size = Literal(at, LONG, 1), size_of(kind)
        count = one if e.count is None else self.value(e.count)
        if e.initial is not None:
            count = self.simple(count)
        memory = self.act(e, "new", site, count, f"{size}, {e.count is not None}, {e.zeroed}")
        if e.initial is None:
            return memory
        first, number = self.temporary(memory), self.temporary(Literal(at, LONG, 0))
        with self.apart() as body:
            self.keep(at, moved(first, size, number), self.value(e.initial))
        step = Store(at, number, Binary(at, LONG, "+", number, one))
        goes_on = Binary(at, BOOL, "<", number, count)
        self.before.append(CanonicalLoop(at, goes_on, Block(at, body), step))
        return first

    def _delete(self, e: Delete) -> Expr:
        assert isinstance(e.pointer.type, Pointer)
        site, pointer = self.site(e, [e.pointer]), self.value(e.pointer)
        more: list[Any] = []
        if e.kinds:
            pointer = self.simple(pointer)
            known = [[str(k), self.endings(found)] for k, found in e.kinds.items()]
            kind = self.act(e, "virtual", known, Dereference(e.at, ULONG, pointer))
            null = self.identifier(e.at, "()")
            more = ["1 << 40", Conditional(e.at, VOID, pointer, kind, null)]
        elif e.endings:
            more = [str(size_of(e.pointer.type.target)), self.endings(e.endings)]
        return self.act(e, "delete", site, pointer, str(e.array), *more)

    def endings(self, endings: list[Ending]) -> list[list[str]]:
        """Return destructors with the offsets of what they end."""
        return [[str(offset), self.code.function_name(f.name)] for offset, f in endings]

    # --- functions of CUDA and C ------------------------------------------------------------

    def intrinsic(self, e: IntrinsicCall) -> Expr:
        name, arguments = e.name, e.arguments
        if name.endswith("printf"):
            return self._printf(e)
        if name == "assert":
            return self.act(e, "check", self.site(e, []), self.value(arguments[0]))
        if name == "alloca":
            return self.act(e, "enter", self.value(arguments[0]), "'an array'")
        if name.startswith("clock"):
            return self.act(e, "clock")
        if name.startswith("__nanosleep"):
            return self.identifier(e.at, "None", e.type)
        if name in RESULTS:
            return self._several(e)
        return super().intrinsic(e)

    def _several(self, e: IntrinsicCall) -> Expr:
        """Call a function with several results, of which all but its value go through pointers."""
        inputs = [a for a in e.arguments if not isinstance(a.type, Pointer)]
        pointers = [a for a in e.arguments if isinstance(a.type, Pointer)]
        kind = inputs[0].type
        assert isinstance(kind, Scalar)
        function = self.code.refer(
            "M",
            lambda *values: [
                v.item() for v in RESULTS[e.name](*(kind.dtype.type(value) for value in values))
            ],
        )
        values = self.values([*inputs, *pointers])
        call = Act(e.at, kind, function, [*values[: len(inputs)]])
        found = self.temporary(call)
        assert isinstance(found, Name)
        name, given = self.writer.name_of(found.variable), e.type != VOID
        for k, (pointer, place) in enumerate(zip(pointers, values[len(inputs) :], strict=True)):
            target = pointer.type.target  # type: ignore[union-attr]
            self.keep(e.at, place, self.identifier(e.at, f"{name}[{k + given}]", target))
        return self.identifier(e.at, f"{name}[0]", e.type)

    def _printf(self, e: IntrinsicCall) -> Expr:
        """Print by printf(text, (codes and values)), in which values of char* are texts."""
        place = _PRINTERS[e.name]
        text, more = e.arguments[place], e.arguments[place + 1 :]
        is_known = isinstance(text, Text | StringLiteral)
        values = self.values([a for a in e.arguments if a is not text or not is_known])
        target, given = values[:place], values[len(values) - len(more) :]
        if not isinstance(text, Text | StringLiteral):
            at = self.act(e, "*format_at", values[place], _lettered(more, given))
            return self.act(e, e.name, *target, at)
        content = characters(e.at, text.value).decode("utf-8", "replace")
        wanted = (_printed(kind, bits) for kind, _, bits in places(content))
        pairs = [[repr(letter), value] for letter, value in zip(wanted, given, strict=False)]
        return self.act(e, e.name, *target, self.code.refer("F", content), pairs)

    def unsupported(self, at: Position, what: str, instead: str) -> KernelSyntaxError:
        fault = diagnostics.Unsupported(at, what, instead)
        return diagnostics.as_error(fault, self.code.program.text, self.code.program.file)


def _with_bases(kind: Type) -> list[Type]:
    """Return the types by which a thrown value of this one can be caught."""
    base = kind.base if isinstance(kind, Struct) else None
    return [kind] if base is None else [kind, *_with_bases(base)]


def _lettered(arguments: Sequence[Expr], values: Sequence[Any]) -> list[Any]:
    """Return each value behind the letter of its type."""
    return [[repr(letter(a.type)), value] for a, value in zip(arguments, values, strict=True)]


def letter(kind: Type) -> str:
    """Return the letter of the struct module for a type, "" for what is bytes already."""
    return code_of(kind) if isinstance(kind, Scalar | Pointer) else ""


def _printed(kind: str, bits: int) -> str:
    """Return the type in which printf takes a value, s for a text."""
    if kind in "fFeEgGs":
        return "s" if kind == "s" else "d"
    if kind == "p":
        return "q"
    return ("q" if bits == 64 else "i") if kind in "dic" else ("Q" if bits == 64 else "I")

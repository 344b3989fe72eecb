"""A loop with the functions that it calls written into it, and without pointers: an address is a whole number.

`tree.Dereference` of a number is what lies at that address. What native code cannot do is a `Leave`, if it stands in a
branch, or a Refusal of the whole loop.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from ...language import tree
from ...language.checking.values import characters
from ...language.layout import field_of, leaves
from ...language.types import (
    INT,
    LONG,
    UCHAR,
    UINT,
    USHORT,
    VOID,
    Array,
    Half,
    Opaque,
    Pointer,
    Scalar,
    Struct,
    Type,
    Vector,
    Void,
)
from ...language.walking import children
from ...native.lowering.flatten import Flattener
from ...native.lowering.nodes import Inlined, changed
from ...native.policy import header
from ...native.refusal import Refusal
from ..lowering.values import half_conversion
from ..lowering.writer import FunctionWriter, in_memory, is_container, size_of
from ..runtime.unwritten import PATTERN

LARGEST = 256  # bytes of a struct that is copied, or of an array that is filled
_PLACES = (tree.Name, tree.Index, tree.Dereference, tree.Member)


@dataclass(eq=False)
class Leave(tree.Stmt):
    """The interpreter does this turn."""


@dataclass(eq=False)
class RawWord(tree.Dereference):
    """Bytes that are only copied: they need no value."""


@dataclass(eq=False)
class FlatLoop:
    """One turn. condition None: always. free: by the interpreter's names, variables and addresses that come from
    outside, those first that the loop changes, so many."""

    condition: tree.Expr | None
    body: tree.Stmt
    step: tree.Expr | None
    free: dict[str, tree.Variable]
    changes: int

    @property
    def whole(self) -> tree.Block:
        """All that a turn does."""
        around = [tree.ExprStmt(e.at, e) for e in (self.condition, self.step) if e is not None]
        return tree.Block(self.body.at, [self.body, *around])


def flat_loop(writer: FunctionWriter, condition: tree.Expr | None, body: tree.Stmt,
              step: tree.Expr | None) -> FlatLoop | None:
    """None for a loop that native code cannot do."""
    flattener = _LoopFlattener(writer)
    try:
        found = FlatLoop(None if condition is None else flattener.expression(condition), flattener.statement(body),
                         None if step is None else flattener.expression(step), flattener.free, 0)
    except Refusal:
        return None
    moving = set(changed(found.whole))
    first = {name: variable for name, variable in flattener.free.items() if variable in moving}
    found.free, found.changes = first | flattener.free, len(first)
    writer.memory += flattener.placed
    return found


def _flat(kind: Type) -> Type:
    """The type of a value where pointers and halves are numbers."""
    if isinstance(kind, Pointer):
        return LONG
    if isinstance(kind, Half):
        return USHORT
    parts = leaves(kind) if isinstance(kind, Struct | Vector) else []
    if isinstance(kind, Opaque) or not isinstance(kind, Scalar | Struct | Vector | Array | Void) or any(
            isinstance(leaf.type, Pointer | Half | Opaque) for leaf in parts):
        raise Refusal(str(kind))
    return kind


class _LoopFlattener(Flattener):
    def __init__(self, writer: FunctionWriter) -> None:
        super().__init__(header)
        self.writer = writer
        self.free: dict[str, tree.Variable] = {}
        self.placed: list[tuple[str, Type, str]] = []  # memory of variables of functions that are called
        self._addresses: dict[tree.Variable, str] = {}

    # --- statements -----------------------------------------------------------------------

    def statement(self, s: tree.Stmt) -> Any:
        match s:
            case tree.Return() if not self.stack:
                return Leave(s.at)
            case tree.ExprStmt(expression=tree.IntrinsicCall(name="assert", arguments=[condition])):
                return tree.If(s.at, self.expression(condition), tree.Block(s.at, []), Leave(s.at))
        return super().statement(s)

    def part(self, s: tree.Stmt) -> Any:
        before = dict(self.free), len(self.placed), dict(self._addresses), dict(self.renamed)
        try:
            return self.statement(s)
        except Refusal:
            self.free, count, self._addresses, self.renamed = before
            del self.placed[count:]
            return Leave(s.at)

    def declare(self, s: tree.Declare) -> tree.Stmt:
        variable, initial = s.variable, s.initializer
        if s.endings or is_container(variable.type) or variable.space == "static":
            raise Refusal("an object that ends")
        if isinstance(initial, tree.InitializerList):
            values = [(offset, self.expression(value)) for offset, value in initial.items]
            if not in_memory(variable):
                return self._declared(s.at, variable, values[0][1])
            address = self._placed(s.at, variable)
            steps = self._filled(s.at, address, size_of(variable.type), 0)
            return tree.Block(s.at, steps + [
                self._stored(s.at, _sum(address, tree.Literal(s.at, LONG, offset)), value) for offset, value in values])
        return self._declared(s.at, variable, None if initial is None else self.expression(initial))

    def _declared(self, at: tree.Position, variable: tree.Variable, value: Any) -> tree.Stmt:
        """value: flat already."""
        if not in_memory(variable):
            own = dataclasses.replace(variable, type=_flat(variable.type), space="local")
            self.renamed[variable] = own
            return tree.Declare(at, own, value)
        address = self._placed(at, variable)
        if value is not None:
            return self._stored(at, address, value)
        if not self.stack:  # the interpreter leaves there what the turn before has left
            return tree.Block(at, [])
        word = int.from_bytes(PATTERN, "little")
        return tree.Block(at, self._filled(at, address, size_of(variable.type) // 4 * 4, word))

    def _filled(self, at: tree.Position, address: tree.Expr, size: int, word: int) -> list[tree.Stmt]:
        if size > LARGEST:
            raise Refusal("a large array")
        return [self._stored(at, _sum(address, tree.Literal(at, LONG, k)), tree.Literal(at, kind, word % 2**(8 * n)))
                for k, n, kind in _words(size)]

    def _stored(self, at: tree.Position, address: tree.Expr, value: tree.Expr) -> tree.Stmt:
        return tree.ExprStmt(at, self._assigned(at, address, value))

    def _assigned(self, at: tree.Position, address: tree.Expr, value: tree.Expr) -> tree.Expr:
        """A struct in memory is copied with its padding."""
        if not isinstance(value, tree.Dereference) or not isinstance(value.type, Struct | Vector):
            return tree.Assign(at, value.type, tree.Dereference(at, value.type, address), value)
        if value.type.size > LARGEST:
            raise Refusal("a large struct")
        origin, target = (tree.Variable(name, LONG, "local", at) for name in ("from", "to"))
        begin: list[tree.Stmt] = [tree.Declare(at, origin, value.pointer), tree.Declare(at, target, address)]
        steps: list[tree.Stmt] = []
        for k, _, kind in _words(value.type.size, value.type.align):
            source, to = (_sum(tree.Name(at, LONG, end), tree.Literal(at, LONG, k)) for end in (origin, target))
            steps.append(tree.ExprStmt(at, tree.Assign(at, kind, tree.Dereference(at, kind, to),
                                                       RawWord(at, kind, source))))
        return Inlined(at, VOID, begin, tree.Block(at, steps), None)

    # --- variables ------------------------------------------------------------------------

    def _free(self, name: str, kind: Type, at: tree.Position) -> tree.Variable:
        if name not in self.free:
            self.free[name] = tree.Variable(name, kind, "local", at)
        return self.free[name]

    def _placed(self, at: tree.Position, variable: tree.Variable) -> tree.Expr:
        """The address of a variable that is declared here."""
        if self.stack:
            name = self._addresses[variable] = self.writer.fresh("m")
            self.placed.append((name, variable.type, variable.name))
        return self._address_of(at, variable)

    def _address_of(self, at: tree.Position, variable: tree.Variable) -> tree.Expr:
        if variable.space in ("global", "constant", "shared"):
            raise Refusal("memory of the GPU")
        name = self._addresses.get(variable) or self.writer.name_of(variable)
        return tree.Name(at, LONG, self._free(name, LONG, at))

    # --- addresses ------------------------------------------------------------------------

    def address(self, e: Any) -> tree.Expr:
        """Where the lvalue is."""
        match e:
            case tree.Name(variable=variable) if in_memory(variable):
                return self._address_of(e.at, variable)
            case tree.Index(base=base, index=index):
                start = self.address(base) if isinstance(base.type, Array) else self.expression(base)
                return _moved(start, size_of(e.type), self.expression(index))
            case tree.Dereference(pointer=pointer):
                return self.expression(pointer)
            case tree.Temporary(operand=operand):
                return self.address(operand)
            case tree.Member(base=base, field=field):
                return _sum(self.address(base), tree.Literal(e.at, LONG, _offset(base.type, field)))
        name = self.writer.fresh("m")
        self.placed.append((name, e.type, ""))
        kept = tree.Name(e.at, LONG, self._free(name, LONG, e.at))
        return tree.Comma(e.at, LONG, self._assigned(e.at, kept, self.expression(e)), kept)

    # --- expressions ----------------------------------------------------------------------

    def expression(self, e: Any) -> Any:
        self.count()
        match e:
            case tree.Name(variable=variable) if not in_memory(variable):
                own = self.renamed.get(variable) or self._free(self.writer.name_of(variable), _flat(e.type), e.at)
                return tree.Name(e.at, own.type, own)
            case tree.Name() | tree.Index() | tree.Dereference():
                return self._lies(e)
            case tree.Member(base=base):
                if isinstance(base, (*_PLACES, tree.Temporary)):
                    return self._lies(e)
                held = tree.Temporary(e.at, _flat(base.type), self.expression(base))
                return tree.Member(e.at, _flat(e.type), held, e.field)
            case tree.Decay(operand=operand) | tree.AddressOf(operand=operand):
                return self.address(operand)
            case tree.Temporary(operand=operand):
                return self.expression(operand)
            case tree.Literal():
                return tree.Literal(e.at, _flat(e.type), e.value)
            case tree.Text() | tree.StringLiteral():
                name = self.writer.code.text(characters(e.at, e.value) + b"\0")
                return tree.Name(e.at, LONG, self._free(name, LONG, e.at))
            case tree.PointerOffset(pointer=pointer, index=index, type=Pointer(target=target)):
                return _moved(self.expression(pointer), size_of(target), self.expression(index))
            case tree.PointerDifference(left=tree.Expr(type=Pointer(target=target)) as left, right=right):
                between = tree.Binary(e.at, LONG, "-", self.expression(left), self.expression(right))
                return tree.Binary(e.at, LONG, "/", between, tree.Literal(e.at, LONG, size_of(target)))
            case tree.Assign(target=target, value=value) if isinstance(target.type, Struct | Vector):
                return self._assigned(e.at, self.address(target), self._copied(value))
            case tree.CompoundAssign() | tree.Increment() if isinstance(e.type, Pointer):
                return self._pointer_moved(e, e.type)
            case tree.Call():
                return self._called(e)
            case tree.CallPointer() | tree.KernelLaunch() | tree.LaunchPointer() | tree.New() | tree.Delete():
                raise Refusal(type(e).__name__)
            case tree.Convert(operand=tree.Literal(type=Scalar() as given, value=value), type=Half() as kind):
                return tree.Literal(e.at, USHORT, half_conversion(given, kind)(value))
        if not isinstance(e, tree.Assign | tree.Comma | tree.Conditional) and any(
                isinstance(part.type, Half) for part in [e, *children(e)] if isinstance(part, tree.Expr)):
            raise Refusal("arithmetic of halves")
        found = super().expression(e)
        found.type = _flat(found.type)
        return found

    def _lies(self, e: Any) -> tree.Expr:
        return tree.Dereference(e.at, _flat(e.type), self.address(e))

    def _copied(self, value: tree.Expr) -> tree.Expr:
        """Also a struct with pointers in it."""
        if isinstance(value, _PLACES) and isinstance(value.type, Struct | Vector):
            return tree.Dereference(value.at, value.type, self.address(value))
        return self.expression(value)

    def _pointer_moved(self, e: Any, kind: Pointer) -> tree.Expr:
        size = size_of(kind.target)
        by: tree.Expr = tree.Literal(e.at, LONG, size * e.delta) if isinstance(e, tree.Increment) else _scaled(
            self.expression(e.value), size)
        after = tree.CompoundAssign(e.at, LONG, "+", self.expression(e.target), by, LONG)
        if isinstance(e, tree.Increment) and not e.prefix:
            return tree.Binary(e.at, LONG, "-", after, by)
        return after

    def _called(self, e: tree.Call) -> tree.Expr:
        function = e.function
        if function.kind == "library" and function.name.partition("#")[0] == "rand":
            return tree.IntrinsicCall(e.at, INT, "rand", [])
        if e.kinds is not None or function.kind == "library" or function.variadic:
            raise Refusal(function.name)
        return self.inlined(e, function, [self._copied(argument) for argument in e.arguments])

    def inlined(self, e: tree.Expr, function: tree.Function, arguments: list[tree.Expr]) -> Inlined:
        with self._inside(function):
            given = [self._declared(e.at, parameter, argument)
                     for parameter, argument in zip(function.parameters, arguments, strict=True)]
            body = self.statement(function.body)
        kind = _flat(e.type)
        result = None if isinstance(kind, Void) else tree.Variable(function.name, kind, "local", e.at)
        return Inlined(e.at, kind, given, body, result)

    @contextmanager
    def _inside(self, function: tree.Function) -> Iterator[None]:
        if function in self.stack:
            raise Refusal("recursion")
        self.stack.append(function)
        outer = dict(self.renamed), dict(self._addresses)
        try:
            yield
        finally:
            self.stack.pop()
            self.renamed, self._addresses = outer


# --- numbers that are addresses ---------------------------------------------------------------


def _sum(start: tree.Expr, by: tree.Expr) -> tree.Expr:
    if isinstance(by, tree.Literal) and not by.value:
        return start
    return tree.Binary(start.at, LONG, "+", start, by)


def _scaled(index: tree.Expr, size: int) -> tree.Expr:
    wide = index if index.type == LONG else tree.Convert(index.at, LONG, index)
    return wide if size == 1 else tree.Binary(index.at, LONG, "*", wide, tree.Literal(index.at, LONG, size))


def _moved(start: tree.Expr, size: int, index: tree.Expr) -> tree.Expr:
    if isinstance(index, tree.Literal):
        return _sum(start, tree.Literal(index.at, LONG, int(index.value) * size))
    return _sum(start, _scaled(index, size))


def _offset(kind: Type, name: str) -> int:
    if isinstance(kind, Struct):
        return field_of(kind, name).offset
    assert isinstance(kind, Vector)
    return kind.fields.index(name) * kind.base.size


def _words(size: int, align: int = 4) -> list[tuple[int, int, Scalar]]:
    """What so many bytes are copied in: offset, bytes, type."""
    step, kind = (4, UINT) if align % 4 == 0 else (1, UCHAR)
    whole = size // step * step
    return [(k, step, kind) for k in range(0, whole, step)] + [(k, 1, UCHAR) for k in range(whole, size)]

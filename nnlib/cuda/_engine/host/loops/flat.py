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
from ...language.layout import leaves, offset_of
from ...language.normal.nodes import CanonicalLoop, Store, changed
from ...language.normal.normalizer import Normalizer
from ...language.refusal import Refusal
from ...language.types import (
    INT,
    LONG,
    UCHAR,
    UINT,
    USHORT,
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
from ...native.policy import header
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
    """One turn. free: by the interpreter's names, variables and addresses that come from outside, those first that the
    loop changes, so many."""

    whole: CanonicalLoop
    free: dict[str, tree.Variable]
    changes: int


def flat_loop(
    writer: FunctionWriter, condition: tree.Expr | None, body: tree.Stmt, step: tree.Expr | None
) -> FlatLoop | None:
    """None for a loop that native code cannot do."""
    normalizer = _LoopNormalizer(writer)
    try:
        whole = normalizer.loop(
            body, condition, body, None if step is None else tree.ExprStmt(step.at, step)
        )
    except Refusal:
        return None
    moving = set(changed(whole))
    first = {name: variable for name, variable in normalizer.free.items() if variable in moving}
    writer.memory += normalizer.placed
    return FlatLoop(whole, first | normalizer.free, len(first))


def _flat(kind: Type) -> Type:
    """The type of a value where pointers and halves are numbers."""
    if isinstance(kind, Pointer):
        return LONG
    if isinstance(kind, Half):
        return USHORT
    parts = leaves(kind) if isinstance(kind, Struct | Vector) else []
    if (
        isinstance(kind, Opaque)
        or not isinstance(kind, Scalar | Struct | Vector | Array | Void)
        or any(isinstance(leaf.type, Pointer | Half | Opaque) for leaf in parts)
    ):
        raise Refusal(str(kind))
    return kind


class _LoopNormalizer(Normalizer):
    def __init__(self, writer: FunctionWriter) -> None:
        super().__init__(header)
        self.writer = writer
        self.free: dict[str, tree.Variable] = {}
        self.placed: list[
            tuple[str, Type, str]
        ] = []  # memory of variables of functions that are called
        self._addresses: dict[tree.Variable, str] = {}

    def kind(self, kind: Any) -> Any:
        return _flat(kind)

    # --- statements -----------------------------------------------------------------------

    def last(self, s: tree.Stmt) -> tree.Stmt | None:
        match s:
            case tree.Return() if not self.stack:
                return Leave(s.at)
            case tree.ExprStmt(expression=tree.IntrinsicCall(name="assert", arguments=[condition])):
                return tree.If(s.at, self.value(condition), tree.Block(s.at, []), Leave(s.at))
        return super().last(s)

    def part(self, s: tree.Stmt) -> tree.Stmt:
        before = dict(self.free), len(self.placed), dict(self._addresses), dict(self.renamed)
        try:
            return self.statement(s)
        except Refusal:
            self.free, count, self._addresses, self.renamed = before
            del self.placed[count:]
            return Leave(s.at)

    def declare(self, s: tree.Declare) -> tree.Stmt | None:
        variable, initial = s.variable, s.initializer
        if s.endings or is_container(variable.type) or variable.space == "static":
            raise Refusal("an object that ends")
        if not isinstance(initial, tree.InitializerList):
            self._declared(s.at, variable, None if initial is None else self.copied(initial))
            return None
        values = self.values([value for _, value in initial.items])
        if not in_memory(variable):
            self._declared(s.at, variable, values[0])
            return None
        address = self._placed(s.at, variable)
        self._fill(s.at, address, size_of(variable.type), 0)
        for (offset, _), value in zip(initial.items, values, strict=True):
            self.keep(s.at, _sum(address, tree.Literal(s.at, LONG, offset)), value)
        return None

    def parameter(self, at: tree.Position, parameter: tree.Variable, argument: tree.Expr) -> None:
        self._declared(at, parameter, argument)

    def _declared(self, at: tree.Position, variable: tree.Variable, value: Any) -> None:
        """value: flat already."""
        if not in_memory(variable):
            own = self.renamed[variable] = dataclasses.replace(
                variable, type=_flat(variable.type), space="local"
            )
            self.before.append(tree.Declare(at, own, value))
            return
        address = self._placed(at, variable)
        if value is not None:
            self.keep(at, address, value)
        elif self.stack:  # else the interpreter leaves there what the turn before has left
            word = int.from_bytes(PATTERN, "little")
            self._fill(at, address, size_of(variable.type) // 4 * 4, word)

    def _fill(self, at: tree.Position, address: tree.Expr, size: int, word: int) -> None:
        if size > LARGEST:
            raise Refusal("a large array")
        for k, n, kind in _words(size):
            self.keep(
                at,
                _sum(address, tree.Literal(at, LONG, k)),
                tree.Literal(at, kind, word % 2 ** (8 * n)),
            )

    def keep(self, at: tree.Position, address: tree.Expr, value: tree.Expr) -> None:
        """Store a value at an address. A struct in memory is copied with its padding."""
        if not isinstance(value, tree.Dereference) or not isinstance(value.type, Struct | Vector):
            self.before.append(Store(at, tree.Dereference(at, value.type, address), value))
            return
        if value.type.size > LARGEST:
            raise Refusal("a large struct")
        origin, target = self.temporary(value.pointer), self.temporary(address)
        for k, _, kind in _words(value.type.size, value.type.align):
            source, to = (_sum(end, tree.Literal(at, LONG, k)) for end in (origin, target))
            self.before.append(Store(at, tree.Dereference(at, kind, to), RawWord(at, kind, source)))

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
                first = self.address if isinstance(base.type, Array) else self.value
                start, index = self.in_order([lambda: first(base), lambda: self.value(index)])
                return _moved(start, size_of(e.type), index)
            case tree.Dereference(pointer=pointer):
                return self.value(pointer)
            case tree.Temporary(operand=operand):
                return self.address(operand)
            case tree.Member(base=base, field=field):
                return _sum(
                    self.address(base), tree.Literal(e.at, LONG, offset_of(base.type, field))
                )
        name = self.writer.fresh("m")
        self.placed.append((name, e.type, ""))
        place = tree.Name(e.at, LONG, self._free(name, LONG, e.at))
        self.keep(e.at, place, self.value(e))
        return place

    def lvalue(self, e: Any) -> Any:
        match e:
            case tree.Name(variable=variable) if not in_memory(variable):
                own = self.renamed.get(variable) or self._free(
                    self.writer.name_of(variable), _flat(e.type), e.at
                )
                return tree.Name(e.at, own.type, own)
            case tree.Member(base=base) if not isinstance(base, (*_PLACES, tree.Temporary)):
                return tree.Member(e.at, _flat(e.type), self.lvalue(base), e.field)
        if isinstance(e, _PLACES):
            return tree.Dereference(e.at, _flat(e.type), self.address(e))
        return super().lvalue(e)

    # --- expressions ----------------------------------------------------------------------

    def value(self, e: Any) -> Any:
        match e:
            case tree.Decay(operand=operand) | tree.AddressOf(operand=operand):
                return self.address(operand)
            case tree.Literal():
                return tree.Literal(e.at, _flat(e.type), e.value)
            case tree.Text() | tree.StringLiteral():
                name = self.writer.code.text(characters(e.at, e.value) + b"\0")
                return tree.Name(e.at, LONG, self._free(name, LONG, e.at))
            case tree.PointerOffset(pointer=pointer, index=index, type=Pointer(target=target)):
                pointer, index = self.values([pointer, index])
                return _moved(pointer, size_of(target), index)
            case tree.PointerDifference(
                left=tree.Expr(type=Pointer(target=target)) as left, right=right
            ):
                between = tree.Binary(e.at, LONG, "-", *self.values([left, right]))
                return tree.Binary(
                    e.at, LONG, "/", between, tree.Literal(e.at, LONG, size_of(target))
                )
            case (
                tree.CallPointer()
                | tree.KernelLaunch()
                | tree.LaunchPointer()
                | tree.New()
                | tree.Delete()
            ):
                raise Refusal(type(e).__name__)
            case tree.Convert(
                operand=tree.Literal(type=Scalar() as given, value=value), type=Half() as kind
            ):
                return tree.Literal(e.at, USHORT, half_conversion(given, kind)(value))
        if not isinstance(
            e, (*_PLACES, tree.Temporary, tree.Assign, tree.Comma, tree.Conditional)
        ) and any(
            isinstance(part.type, Half) for part in [e, *children(e)] if isinstance(part, tree.Expr)
        ):
            raise Refusal("arithmetic of halves")
        found = super().value(e)
        found.type = _flat(found.type)
        return found

    def copied(self, value: tree.Expr) -> tree.Expr:
        """A value, also of a struct with pointers in it."""
        if isinstance(value, _PLACES) and isinstance(value.type, Struct | Vector):
            return tree.Dereference(value.at, value.type, self.address(value))
        return self.value(value)

    def assign(self, e: Any, wanted: bool) -> tree.Expr:
        if not isinstance(e.target.type, Struct | Vector):
            return super().assign(e, wanted)
        value, address = self.in_order(
            [lambda: self.copied(e.value), lambda: self.address(e.target)]
        )
        self.keep(e.at, address, value)
        return value

    def updated(self, e: Any, old: tree.Expr, *value: tree.Expr) -> tree.Expr:
        moved = super().updated(e, old, *value)
        if not isinstance(moved, tree.PointerOffset):
            return moved
        return _moved(moved.pointer, size_of(e.type.target), moved.index)

    def called(self, e: tree.Call) -> tree.Expr:
        function = e.function
        if function.kind == "library" and function.name.partition("#")[0] == "rand":
            return self.temporary(tree.IntrinsicCall(e.at, INT, "rand", []))
        if e.kinds is not None or function.kind == "library" or function.variadic:
            raise Refusal(function.name)
        arguments = self.in_order([lambda a=a: self.copied(a) for a in e.arguments])  # type: ignore[misc]
        return self.inlined(e, function, arguments)

    @contextmanager
    def inside(self, function: tree.Function) -> Iterator[None]:
        outer = dict(self._addresses)
        with super().inside(function):
            yield
        self._addresses = outer


# --- numbers that are addresses ---------------------------------------------------------------


def _sum(start: tree.Expr, by: tree.Expr) -> tree.Expr:
    if isinstance(by, tree.Literal) and not by.value:
        return start
    return tree.Binary(start.at, LONG, "+", start, by)


def _scaled(index: tree.Expr, size: int) -> tree.Expr:
    wide = index if index.type == LONG else tree.Convert(index.at, LONG, index)
    return (
        wide
        if size == 1
        else tree.Binary(index.at, LONG, "*", wide, tree.Literal(index.at, LONG, size))
    )


def _moved(start: tree.Expr, size: int, index: tree.Expr) -> tree.Expr:
    if isinstance(index, tree.Literal):
        return _sum(start, tree.Literal(index.at, LONG, int(index.value) * size))
    return _sum(start, _scaled(index, size))


def _words(size: int, align: int = 4) -> list[tuple[int, int, Scalar]]:
    """What so many bytes are copied in: offset, bytes, type."""
    step, kind = (4, UINT) if align % 4 == 0 else (1, UCHAR)
    whole = size // step * step
    return [(k, step, kind) for k in range(0, whole, step)] + [
        (k, 1, UCHAR) for k in range(whole, size)
    ]

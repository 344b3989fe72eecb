"""A loop with the functions that it calls written into it, in the normal form of addresses.py.

What native code cannot do is a `Leave`, if it stands in a branch, or a Refusal of the whole loop.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from ...language.layout import leaves
from ...language.normal.nodes import CanonicalLoop, Store, changed
from ...language.refusal import Refusal
from ...language.tree import (
    AddressOf,
    Assign,
    Block,
    Call,
    CallPointer,
    Comma,
    Conditional,
    Convert,
    Declare,
    Delete,
    Dereference,
    Expr,
    ExprStmt,
    Function,
    If,
    IntrinsicCall,
    KernelLaunch,
    LaunchPointer,
    Literal,
    Name,
    New,
    Position,
    Return,
    Stmt,
    Temporary,
    Variable,
)
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
    Vector,
    Void,
)
from ...language.walking import children
from ...native.policy import header
from ..addresses import LVALUES, AddressNormalizer, RawWord, moved
from ..lowering.values import half_conversion
from ..lowering.writer import FunctionWriter, in_memory, is_container, size_of
from ..runtime.unwritten import PATTERN

LARGEST = 256  # bytes of a struct that is copied, or of an array that is filled
_CARRIERS = (  # what may have a half in it that is only moved
    *LVALUES,
    AddressOf,
    Assign,
    Comma,
    Conditional,
    Literal,
    Temporary,
)


class Leave(Stmt):
    """The interpreter does this iteration."""


@dataclass(eq=False)
class FlatLoop:
    """One iteration of a loop.

    free: variables and addresses that come from outside, by the interpreter's names; the first `changes` of them are those
    that the loop changes.
    """

    whole: CanonicalLoop
    free: dict[str, Variable]
    changes: int


def flat_loop(
    writer: FunctionWriter, condition: Expr | None, body: Stmt, step: Stmt | None
) -> FlatLoop | None:
    """Return the normal form of a loop; None for one that native code cannot run."""
    normalizer = _LoopNormalizer(writer)
    try:
        whole = normalizer.loop(body, condition, body, step)
    except Refusal:
        return None
    moving = set(changed(whole))
    first = {name: variable for name, variable in normalizer.free.items() if variable in moving}
    writer.memory += normalizer.placed
    return FlatLoop(whole, first | normalizer.free, len(first))


class _LoopNormalizer(AddressNormalizer):
    def __init__(self, writer: FunctionWriter) -> None:
        super().__init__(writer, header)
        self.free: dict[str, Variable] = {}
        self._addresses: dict[Variable, str] = {}

    def kind(self, kind: Any) -> Any:
        """Return the type of a value, where pointers and halves are numbers."""
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

    # --- statements -----------------------------------------------------------------------

    def last(self, s: Stmt) -> Stmt | None:
        match s:
            case Return() if not self.stack:
                return Leave(s.at)
            case ExprStmt(IntrinsicCall("assert", [condition])):
                return If(s.at, self.value(condition), Block(s.at, []), Leave(s.at))
        return super().last(s)

    def part(self, s: Stmt) -> Stmt:
        before = dict(self.free), len(self.placed), dict(self._addresses), dict(self.renamed)
        try:
            return self.statement(s)
        except Refusal:
            self.free, count, self._addresses, self.renamed = before
            del self.placed[count:]
            return Leave(s.at)

    def declare(self, s: Declare) -> Stmt | None:
        variable = s.variable
        if s.endings or is_container(variable.type) or variable.space == "static":
            raise Refusal("an object that ends")
        return super().declare(s)

    def declared(self, at: Position, variable: Variable, value: Any) -> None:
        super().declared(at, variable, value)
        if value is None and self.stack and in_memory(variable):
            # else the interpreter leaves there what the iteration before has left
            word = int.from_bytes(PATTERN, "little")
            self._fill(at, self.address_of(at, variable), size_of(variable.type) // 4 * 4, word)

    def clear(self, at: Position, address: Expr, size: int) -> None:
        self._fill(at, address, size, 0)

    def _fill(self, at: Position, address: Expr, size: int, word: int) -> None:
        if size > LARGEST:
            raise Refusal("a large array")
        for k, n, kind in _words(size):
            self.keep(
                at,
                moved(address, 1, Literal(at, LONG, k)),
                Literal(at, kind, word % 2 ** (8 * n)),
            )

    def store(self, at: Position, target: Expr, value: Expr) -> None:
        """Store a value; a struct in memory is copied with its padding."""
        if not (
            isinstance(value, Dereference)
            and isinstance(target, Dereference)
            and isinstance(value.type, Struct | Vector)
        ):
            super().store(at, target, value)
            return
        if value.type.size > LARGEST:
            raise Refusal("a large struct")
        ends = self.temporary(value.pointer), self.temporary(target.pointer)
        for k, _, kind in _words(value.type.size, value.type.align):
            source, to = (moved(end, 1, Literal(at, LONG, k)) for end in ends)
            self.before.append(Store(at, Dereference(at, kind, to), RawWord(at, kind, source)))

    # --- variables ------------------------------------------------------------------------

    def named(self, at: Position, variable: Variable) -> Name:
        known = self.renamed.get(variable)
        if known is not None:
            return Name(at, known.type, known)
        return self.identifier(at, self.writer.name_of(variable), self.kind(variable.type))

    def identifier(self, at: Position, name: str, kind: Any = LONG) -> Name:
        variable = self.free.setdefault(name, Variable(name, kind, "local", at))
        return Name(at, kind, variable)

    def place(self, at: Position, variable: Variable) -> Expr:
        if self.stack:
            name = self._addresses[variable] = self.writer.fresh("m")
            self.placed.append((name, variable.type, variable.name))
        return self.address_of(at, variable)

    def address_of(self, at: Position, variable: Variable) -> Expr:
        if variable.space in ("global", "constant", "shared"):
            raise Refusal("memory of the GPU")
        if variable in self._addresses:
            return self.identifier(at, self._addresses[variable])
        return super().address_of(at, variable)

    # --- expressions ----------------------------------------------------------------------

    def value(self, e: Any) -> Any:
        match e:
            case CallPointer() | KernelLaunch() | LaunchPointer() | New() | Delete():
                raise Refusal(type(e).__name__)
            case Convert(Literal(value, type=Scalar() as given), type=Half() as kind):
                return Literal(e.at, USHORT, half_conversion(given, kind)(value))
        if not isinstance(e, _CARRIERS) and any(
            isinstance(part.type, Half) for part in [e, *children(e)] if isinstance(part, Expr)
        ):
            raise Refusal("arithmetic of halves")
        return super().value(e)

    def given(self, e: Expr, name: str) -> Any:
        return self.copied(e)

    def copied(self, value: Expr) -> Any:
        """Return a value, also one of a struct with pointers in it."""
        if isinstance(value, LVALUES) and isinstance(value.type, Struct | Vector):
            return self.lvalue(value)
        return self.value(value)

    def assign(self, e: Any, wanted: bool) -> Expr:
        if wanted and isinstance(e.type, Struct | Vector):
            raise Refusal("a struct as the value of an assignment")
        return super().assign(e, wanted)

    def called(self, e: Call) -> Expr:
        function = e.function
        if function.kind == "library" and function.name.partition("#")[0] == "rand":
            return self.temporary(IntrinsicCall(e.at, INT, "rand", []))
        if e.kinds is not None or function.kind == "library" or function.variadic:
            raise Refusal(function.name)
        arguments = self.in_order([lambda a=a: self.copied(a) for a in e.arguments])  # type: ignore[misc]
        return self.inlined(e, function, arguments)

    @contextmanager
    def inside(self, function: Function) -> Iterator[None]:
        outer = dict(self._addresses)
        with super().inside(function):
            yield
        self._addresses = outer


def _words(size: int, align: int = 4) -> list[tuple[int, int, Scalar]]:
    """Return the offset, bytes and type of each part in which so many bytes are copied."""
    step, kind = (4, UINT) if align % 4 == 0 else (1, UCHAR)
    whole = size // step * step
    return [(k, step, kind) for k in range(0, whole, step)] + [
        (k, 1, UCHAR) for k in range(whole, size)
    ]

"""State of one lowering: the code that it writes, which lanes are active, and where variables are."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ...language import tree
from ...language.layout import leaves
from ...language.refusal import Refusal
from ...language.types import BOOL, Half, Opaque, Pointer, Scalar, Type
from ..code import IN_REGISTER, Emitter, Local, Value
from .constants import Constants, Sizes
from .varying import Varying


def kind_of(kind: Type) -> str:
    """Return the kind that a scalar has in memory."""
    if not isinstance(kind, Scalar):
        raise Refusal("a pointer kept in memory" if isinstance(kind, Pointer) else str(kind))
    if isinstance(kind, Half):
        raise Refusal(str(kind))
    if isinstance(kind, Opaque):
        return "i32"
    letter: str = kind.dtype.kind.replace("b", "u")
    if kind.size >= 4:
        letter = letter.replace("u", "i")
    return f"{letter}{8 * kind.size}"


def register_kind(kind: Type) -> str:
    """Return the kind in which a scalar is computed."""
    if kind == BOOL:
        return "b"
    name = kind_of(kind)
    return IN_REGISTER.get(name, name)


@dataclass(eq=False)
class Buffer:
    """Bytes at an address.

    pitch: in memory of a thread, how many threads' elements lie side by side; `thread` is the number of the first that runs.
    written: the address of one byte per byte that says whether it has been written.
    """

    base: Value
    nbytes: int | Value
    pitch: int = 0
    thread: Value | None = None
    written: Value | None = None


@dataclass(eq=False)
class InRegisters:
    """A variable, or a part of one, that is in no memory: its leaves in order. Values where it never changes."""

    type: Type
    parts: list[Any]

    def part(self, offset: int, kind: Type) -> InRegisters:
        """Return what lies at these bytes."""
        places = [leaf.offset for leaf in leaves(self.type)]
        if offset not in places:
            raise Refusal("a union, or part of a struct by another name")
        first = places.index(offset)
        return InRegisters(kind, self.parts[first : first + len(leaves(kind))])


@dataclass(eq=False)
class Element:
    """Element number `index` of a memory counted in elements of `unit` bytes, and so many bytes further."""

    memory: Buffer
    index: Value
    unit: int
    offset: int = 0


@dataclass(eq=False)
class Address:
    """A pointer's value. target None: the null pointer. index: a slot where the pointer moves."""

    target: Buffer | InRegisters | None
    index: Any
    unit: int


@dataclass(eq=False)
class Jumps:
    """The targets to which statements of a loop jump, and the lanes that have left the iteration.

    level: how many branches around it are taken differently by lanes. divergent: lanes leave it at different times.
    """

    end: Any
    level: int
    divergent: bool
    switch: bool = False
    # The key of the mask of those of the block that have not left the iteration
    threads: Any = None
    next: Any = None
    skipped: Local | None = None


@dataclass(eq=False)
class Frame:
    """A body that is running: where `return` jumps to; lanes that have returned."""

    end: Any
    level: int = 0
    returned: Local | None = None


@dataclass(eq=False)
class Scratch:
    """Memory that one host thread has to itself. nbytes: how many are taken."""

    code: Emitter
    base: Value
    nbytes: int

    def allocate(self, nbytes: int) -> int:
        """Take so many bytes; return where they begin."""
        at, self.nbytes = self.nbytes, self.nbytes + -(-nbytes // 64) * 64
        return at

    def at(self, byte: int) -> Value:
        """Return the address of a byte."""
        return self.code.offset(self.base, byte)

    def room(self, nbytes: int) -> Value:
        """Take so many bytes; return their address."""
        return self.at(self.allocate(nbytes))


@dataclass(eq=False)
class LoweringState:
    """State shared by the classes that lower a kernel.

    code: what is written. lanes: how many threads run together. varying: what may differ among them.
    group: the number of the first of them in its block. kept: variables with storage that outlives what runs now.
    budget: iterations that the block has left.
    """

    code: Emitter
    lanes: int
    grid: tuple[Value, Value, Value]
    block: Sizes
    constants: Constants
    varying: Varying = field(init=False)
    active: Any = None  # the lanes that run: a Local, a Value, or None for all
    places: dict[tree.Variable, Any] = field(default_factory=dict)
    sites: list[str] = field(default_factory=list)
    loops: list[Jumps] = field(default_factory=list)
    functions: list[Frame] = field(default_factory=list)
    block_index: dict[str, Value] = field(default_factory=dict)
    thread_index: dict[str, Value] = field(default_factory=dict)
    kept: set[tree.Variable] = field(default_factory=set)
    group: Value = field(init=False)
    budget: Local = field(init=False)
    scratch: Scratch = field(init=False)
    divergence: int = 0  # branches and loops around what is lowered now that lanes take differently

    @property
    def thread_number(self) -> Value:
        """Return the number of each thread in its block."""
        return self.code.counting(self.group, self.lanes)

    def mask(self) -> Value:
        """Return which lanes run."""
        if self.active is None:
            return self.code.constant("b", True)
        return self.active.value if isinstance(self.active, Local) else self.active

    def fault(self, what: str, wrong: Value) -> None:
        """End the launch if this holds in a lane that runs."""
        code = self.code
        if wrong.lanes > 1:
            wrong &= self.mask()
        if wrong.constant is not None and not wrong.constant:
            return
        self.sites.append(what)
        with code.when(code.any(wrong)):
            code.leave(code.word(len(self.sites)))

    def slots(self, kind: Type, lanes: int) -> InRegisters:
        """Make registers for a value of the type."""
        return InRegisters(
            kind, [self.code.slot(register_kind(leaf.type), lanes) for leaf in leaves(kind)]
        )

    def put(self, slot: Local, value: Value) -> None:
        """Store a value in the lanes that run."""
        code = self.code
        if slot.lanes > 1 and self.active is not None:
            value = code.select(self.mask(), value, slot.value)
        slot.value = value

"""The Python function being written: its blocks, names and temporaries, and which mask the code runs under.

What does not change in a loop is computed once before it, as a compiler does. That also keeps the very object: a vector
of indices that stays for many iterations is looked at once (see memory/index.py). Counters are those of the text: an
operation is counted where it is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from ...errors import KernelSyntaxError
from ...language import diagnostics
from ...language.layout import leaves
from ...language.tree import Expr, Function, Position, Variable
from ...language.types import Pointer, Scalar, Struct, Type, Vector
from ...language.walking import variables_in
from .analysis import Guesses, pointer_flows
from .code import OURS, RESERVED, Code
from .python import (
    PyBlock,
    PyCompound,
    PyExpr,
    PyLiteral,
    PyName,
    PyStmt,
    PyTuple,
    assign,
    call,
    choice,
    if_,
    is_,
    is_not,
    suspended,
)

RT, M, BOOK = PyName("rt"), PyName("m"), PyName("rt.book")
NOBODY = PyLiteral(False)
RETURNED, RESULT = PyName("returned"), PyName("result")


@dataclass
class LoopAround:
    """room: what is computed before the loop. changed: variables that may have another value in the next iteration."""

    room: PyBlock
    changed: frozenset[Variable]
    known: dict[str, PyName] = field(default_factory=dict)  # text -> its name in the room


class Loops:
    """The loops around what is being written, and how far out of them an expression can be computed."""

    def __init__(self) -> None:
        self.around: list[LoopAround] = []
        self._level: int | None = (
            None  # while something that goes out of loops is written: where to
        )
        self._temporaries = 0

    @property
    def level(self) -> int:
        """Return how many loops surround the statement that is being written."""
        return len(self.around) if self._level is None else self._level

    def level_of(self, e: Expr) -> int:
        """Return how many of the loops around must stay around e."""
        used = variables_in(e)
        for level in range(len(self.around), 0, -1):
            if not used.isdisjoint(self.around[level - 1].changed):
                return level
        return 0

    @contextmanager
    def outside(self, level: int) -> Iterator[None]:
        """Compute what is written before the loop of that level."""
        inner, self._level = self._level, level
        yield
        self._level = inner

    @contextmanager
    def inside(self, room: PyBlock, changed: frozenset[Variable]) -> Iterator[None]:
        self.around.append(LoopAround(room, changed))
        yield
        self.around.pop()

    def put_before(self, level: int, value: PyExpr) -> PyName:
        """Return the value, computed before the loop of that level."""
        loop = self.around[level]
        text = str(value)
        if text not in loop.known:
            self._temporaries += 1
            name = loop.known[text] = PyName(f"_kept{self._temporaries}")
            loop.room.statements.append(assign(value, name))
        return loop.known[text]


class Writer:
    """State of one function. A region is a piece of code whose threads may be fewer than those around it."""

    def __init__(self, code: Code, function: Function):
        self.code, self.function = code, function
        self.top = self.block = PyBlock()
        self.flows = pointer_flows(function)
        self.guesses = Guesses(function, self.flows)
        self.visible: list[Variable] = []
        self.tracked: set[Variable] = set()  # uninitialised locals whose writes are recorded
        self._names: dict[Variable, PyName] = {}
        self._taken: set[str] = set()
        self._temporaries = 0
        self._region, self._regions = 0, 0
        self._declared_in: dict[Variable, int] = {}
        self._declaration_marks: dict[Variable, PyBlock] = {}
        self.loops = Loops()
        self._segment: dict[int, list[int]] | None = None

    # --- writing -------------------------------------------------------------------------

    def emit(self, *statements: PyStmt) -> None:
        self.block.statements += statements

    def let(self, target: PyExpr, value: PyExpr) -> None:
        self.emit(assign(value, target))

    def do(self, call: PyExpr) -> None:
        self.emit(PyStmt(str(call)))

    def tell(self, hook: str, *details: Any) -> None:
        """Tell the observers of what happens."""
        self.do(RT.method("tell", hook, *details))

    def take_turn(self, place: PyExpr) -> None:
        """Let another warp run before an access through a memory or pointer."""
        if self.code.takes_turns:
            self.do(suspended(call("moved", place, 0), "yield"))

    def room(self) -> PyBlock:
        """Return a block into which statements can be put later."""
        block = PyBlock()
        self.emit(block)
        return block

    @contextmanager
    def inside(self, compound: PyCompound) -> Iterator[None]:
        """Write into the body of this if or while."""
        self.emit(compound)
        outer, self.block = self.block, compound.body
        yield
        self.block = outer

    @contextmanager
    def region(self) -> Iterator[None]:
        """Run what is written under a mask of its own."""
        outer, self._region = self._region, self._regions + 1
        self._regions += 1
        self.end_segment()
        yield
        self._region = outer
        self.end_segment()

    # --- names ---------------------------------------------------------------------------

    def fresh(self) -> int:
        """Return a number that makes names of one construct unlike those of another."""
        self._temporaries += 1
        return self._temporaries

    def names(self, *words: str) -> list[PyName]:
        """Return new Python variables for one construct."""
        n = self.fresh()
        return [PyName(f"_{word}{n}") for word in words]

    def temporary(self, value: PyExpr) -> PyName:
        """Make a Python variable with this value."""
        name = PyName(f"_{self.fresh()}")
        self.let(name, value)
        return name

    def atom(self, value: PyExpr) -> PyExpr:
        """Return a value that may be repeated: a name, what the machine knows, or a temporary that holds it."""
        return value if isinstance(value, PyName | PyLiteral) else self.temporary(value)

    def name_of(self, variable: Variable) -> PyName:
        if variable not in self._names:
            name = re.sub(r"\W", "_", variable.name) or "unnamed"
            while name in RESERVED or name in self._taken or OURS.fullmatch(name):
                name = "v" + name
            self._taken.add(name)
            self._names[variable] = PyName(name)
        return self._names[variable]

    def lanes_that_set(self, variable: Variable) -> PyName:
        """Mask of the threads that have given a tracked variable a value."""
        return PyName(f"_set_{self.name_of(variable)}")

    def check_set(self, known: PyExpr, site: PyName, seen: PyExpr | None = None) -> None:
        """Check that active threads have set a variable that they read. seen: `known` from where it is read."""
        missing = RT.method("unset_variable", known if seen is None else seen, M, site)
        self.emit(if_(is_not(known, PyLiteral(None)), PyStmt(str(missing))))

    # --- which threads -------------------------------------------------------------------

    def declare(self, variable: Variable) -> None:
        """Declare a variable; leave room for the mask at its declaration, which is stored if it is needed."""
        self.belongs_here(variable)
        self._declaration_marks[variable] = self.room()

    def belongs_here(self, variable: Variable) -> None:
        """Let assignments in this region replace the variable, whose old value no other thread needs."""
        self._declared_in[variable] = self._region

    def assign(self, variable: Variable, value: PyExpr) -> None:
        """Write variable = value for the active threads."""
        name = self.name_of(variable)
        if self._declared_in[variable] == self._region:
            self.let(name, value)
            self.tracked.discard(variable)
            return
        declared = PyName(f"_at_{name}")
        mark = self._declaration_marks[variable]
        if not mark.statements:
            mark.statements.append(assign(M, declared))
        value = self.atom(value)
        mixed = call("select", M, value, name)
        self.let(name, choice(value, is_(M, declared), mixed))
        if variable in self.tracked:
            known = self.lanes_that_set(variable)
            self.let(known, call("union", known, M))

    # --- counting ------------------------------------------------------------------------

    def note(self, at: Position, flops: int = 0, instructions: int = 1, tensor: int = 0) -> None:
        """Count operations of the current line in the straight-line segment they belong to.

        tensor: instructions of tensor cores among them.
        """
        if not self.code.counts:
            return
        if self._segment is None:
            self.tell("straight_line", M, len(self.code.segments))
            self._segment = {}
            self.code.segments.append(self._segment)
        counts = self._segment.setdefault(at.line, [0, 0, 0])
        for k, more in enumerate((instructions, flops, tensor)):
            counts[k] += more

    def end_segment(self) -> None:
        """End the segment, since what follows may run under another mask."""
        self._segment = None

    # --- types ---------------------------------------------------------------------------

    def allocate_local(self, variable: Variable) -> None:
        """Allocate memory of each thread for an array, a struct, or a variable whose address is taken."""
        kind = self.code.kind(variable.type)
        self.let(self.name_of(variable), RT.method("local", variable.name, kind))

    def zero(self, type: Type) -> PyExpr:
        if isinstance(type, Scalar):
            return self.code.constant(type.dtype, 0)
        if isinstance(type, Vector):
            return PyTuple([self.code.constant(type.base.dtype, 0)] * type.lanes)
        if isinstance(type, Struct):
            return PyTuple([self.zero(leaf.type) for leaf in leaves(type)])
        return PyName("rt.null")

    def unsupported(
        self, at: Position, what: str, instead: str = "use an index into one array"
    ) -> KernelSyntaxError:
        fault = diagnostics.Unsupported(at, what, instead)
        return diagnostics.as_error(fault, self.code.program.text, self.code.program.file)


def group_call(site: PyName) -> PyExpr:
    """Return the call of a function that the active threads make together."""
    return call("GroupCall", RT, M, site)


# --- what the checker has seen to, told to the type checker ----------------------------------


def scalar(type: Type) -> Scalar:
    assert isinstance(type, Scalar), type
    return type


def vector(type: Type) -> Vector:
    assert isinstance(type, Vector), type
    return type


def target(type: Type) -> Type:
    """Return what a pointer points to."""
    assert isinstance(type, Pointer), type
    return type.target


def base_scalar(type: Type) -> Scalar:
    """Return the scalar that a scalar or vector consists of."""
    return type.base if isinstance(type, Vector) else scalar(type)

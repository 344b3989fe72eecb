"""Statements of one thread: branches, loops, and jumps, also out of several of them at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..language import tree
from ..language.normal.counters import JUMPS
from ..language.normal.nodes import CanonicalLoop, InlinedBody, Store, is_local_array, waits
from ..language.refusal import Refusal
from ..language.types import Pointer
from ..language.walking import children, nodes, nodes_of
from ..native.lowering.constants import Constants
from .expressions import ShaderExpressions
from .memory import InVariable, unit_of

WRITTEN_OUT = 32  # iterations at most of a loop that is written out
LONGEST = 16_000  # nodes of a loop that is written out
ONCE = "switch (0u) { default"  # what `break` leaves, and nothing repeats


@dataclass(eq=False)
class Scope:
    """What a jump may leave: a "loop", a "switch", an "inlined" body, the "kernel", or a "group" of masked statements.

    flags: of one in which threads wait, the names of "takes part" and "takes part in this iteration". left: the flag
    that jumps from further inside set; crossed: flags that jumps out of this scope set.
    """

    kind: str
    flags: tuple[str, ...] = ()
    left: str = ""
    crossed: list[str] = field(default_factory=list)


class ShaderStatements:
    """Prints statements in which no thread waits for another. ending: loops that end for certain."""

    def __init__(self, expressions: ShaderExpressions, masked_kernel: bool) -> None:
        self.expressions, self.writer = expressions, expressions.writer
        self.lvalues, self.memory = expressions.lvalues, expressions.memory
        launch, body = self.lvalues.launch, self.lvalues.source.body
        self.constants = Constants(body, None, launch.block, {})
        self.scopes = [Scope("kernel", ("alive",) if masked_kernel else ())]
        self.written_out = 1

    def print(self, s: Any) -> None:
        """Print a statement as every thread runs it that comes here."""
        match s:
            case tree.Block(statements=statements):
                for one in statements:
                    self.print(one)
            case tree.Declare():
                self.declare(s)
                self.initialize(s)
            case Store(target=target, value=value):
                self.store(target, value)
            case tree.ExprStmt(expression=e):
                text = self.expressions.value(e)
                if text and not isinstance(e, tree.IntrinsicCall):
                    self.writer.put(f"_ = {text};")
            case tree.If():
                self.branch(s, self.print)
            case CanonicalLoop():
                self.loop(s, self.print)
            case InlinedBody(body=body):
                self.once(Scope("inlined"), lambda: self.print(body))
            case tree.Break() | tree.Continue() | tree.Return():
                self.jump(s)
            case _:
                raise Refusal(type(s).__name__.lower())

    def branch(self, s: tree.If, body: Callable[[Any], None]) -> None:
        """Print an `if` whose sides are printed in this way."""
        with self.writer.braces(f"if ({self.expressions.value(s.condition)})"):
            body(s.then)
        if s.otherwise is not None:
            with self.writer.braces("else"):
                body(s.otherwise)

    # --- variables ------------------------------------------------------------------------------

    def declare(self, s: tree.Declare) -> None:
        if s.variable.space != "shared":
            name, kind = self.lvalues.declare(s.variable)
            self.writer.put(f"var {name}: {kind};")

    def initialize(self, s: tree.Declare) -> None:
        """Give a variable that is declared its first value."""
        variable, value = s.variable, s.initializer
        if isinstance(value, tree.Expr):
            self.store(tree.Name(s.at, variable.type, variable), value)
        elif value is not None:
            place = self.lvalues.lvalue(tree.Name(s.at, variable.type, variable))
            if isinstance(place, InVariable):
                self.memory.store(place, self.expressions.built(variable.type, value))
                return
            # naga makes a variable once, also one in a loop: what the list leaves out is 0 each time
            self.writer.put(f"{place.root.name} = {place.root.declared[0]}();")
            for offset, e in value.items:
                self.memory.store(place.part(offset, e.type), self.expressions.value(e))

    def store(self, target: Any, value: tree.Expr) -> None:
        if not isinstance(target.type, Pointer):
            text = self.expressions.value(value)
            self.memory.store(self.lvalues.lvalue(target), text)
            return
        if not isinstance(target, tree.Name) or target.variable not in self.lvalues.pointers:
            raise Refusal("a pointer kept in memory")
        address = self.lvalues.address(value).recounted(unit_of(target.type.target))
        self.lvalues.lead(target.variable, address)
        self.writer.put(f"{self.lvalues.pointers[target.variable]} = {address.offset};")

    # --- jumps ----------------------------------------------------------------------------------

    def target(self, s: tree.Stmt) -> int:
        """Return the number of the scope that a jump leaves, or goes on in."""
        kinds = {tree.Break: ("loop", "switch"), tree.Continue: ("loop",)}
        wanted = kinds.get(type(s), ("inlined", "kernel"))
        return max(k for k, scope in enumerate(self.scopes) if scope.kind in wanted)

    def escapes(self, s: Any) -> bool:
        """Return whether a jump in it goes to a scope in which threads wait, which only flags can leave."""
        return any(self.scopes[self.target(jump)].flags for jump in leaving(s))

    def jump(self, s: tree.Stmt) -> None:
        number, put = self.target(s), self.writer.put
        scope = self.scopes[number]
        for outer in self.scopes[number:]:
            keeps = outer is scope and isinstance(s, tree.Continue)
            for flag in outer.flags[keeps:]:
                put(f"{flag} = false;")
        if scope.flags:
            groups = [k for k, other in enumerate(self.scopes) if other.kind == "group"]
            if groups:
                self._leave(groups[-1])
        elif scope.kind == "kernel":
            put("return;")
        elif isinstance(s, tree.Continue):
            put("continue;")
        else:
            self._leave(number)

    def _leave(self, number: int) -> None:
        """Leave all scopes from this one on."""
        scope = self.scopes[number]
        if number < len(self.scopes) - 1:
            scope.left = scope.left or self.writer.fresh("left")
            self.writer.put(f"{scope.left} = true;")
            for inner in self.scopes[number + 1 :]:
                inner.crossed.append(scope.left)
        self.writer.put("break;")

    def scoped(self, scope: Scope, write: Callable[[], None]) -> None:
        """Print what is inside of a scope, between what its jumps need."""
        self.scopes.append(scope)
        lines, _ = self.writer.apart(write)
        self.scopes.pop()
        if scope.left:
            self.writer.put(f"var {scope.left} = false;")
        self.writer.lines += lines
        for flag in dict.fromkeys(scope.crossed):
            self.writer.put(f"if ({flag}) {{ break; }}")

    def once(self, scope: Scope, write: Callable[[], None]) -> None:
        """Print statements that a jump may leave, and that do not repeat."""

        def inside() -> None:
            with self.writer.braces(ONCE, "} }"):
                write()

        self.scoped(scope, inside)

    # --- loops ----------------------------------------------------------------------------------

    def loop(self, s: CanonicalLoop, body: Callable[[Any], None]) -> None:
        """Print a loop that all threads leave in the same way, or in which none waits."""
        values = self._values(s)
        if values is not None:
            self._write_out(s, values, body)
        elif s.switch:
            self.once(Scope("switch"), lambda: body(s.body))
        else:
            self.scoped(Scope("loop"), lambda: self._loop(s, body))

    def ends(self, s: CanonicalLoop) -> bool:
        """Return whether a loop ends for certain, where it should."""
        return id(s) in self.lvalues.ranges.ending and not self.writer.abilities.ends_loops

    def _loop(self, s: CanonicalLoop, body: Callable[[Any], None]) -> None:
        put = self.writer.put

        def test() -> str:
            for one in s.before:
                body(one)
            return "" if s.condition is None else self.expressions.value(s.condition)

        with self.writer.braces("loop"):
            if body == self.print and not self.ends(s):  # where threads wait, it is known to end
                put(f"if ({self.writer.helper('spent_')}()) {{ break; }}")
            condition = test() if s.tests_first else ""
            if condition:
                put(f"if (!{condition}) {{ break; }}")
            with self.writer.braces():
                body(s.body)
            if s.step is not None or not s.tests_first:
                with self.writer.braces("continuing"):
                    if s.step is not None:
                        body(s.step)
                    condition = "" if s.tests_first else test()
                    if condition:
                        put(f"break if !{condition};")

    def _values(self, s: CanonicalLoop) -> list[int] | None:
        """Return the counter's value in each iteration of a short loop that is to be written out; else None.

        A thread's own array can then live in registers.
        """
        arrays = (n for n in nodes_of(tree.Name, s.body) if is_local_array(n.variable))
        if next(arrays, None) is None or any(nodes_of(JUMPS, s.body)):
            return None
        most = WRITTEN_OUT // 4 if waits(s.body) else WRITTEN_OUT
        values = self.constants.iterations(s, most)
        if values is None:
            return None
        cost = sum(1 for _ in nodes(s.body)) * len(values) * self.written_out
        return values if cost <= LONGEST else None

    def _write_out(
        self, s: CanonicalLoop, values: Sequence[int], body: Callable[[Any], None]
    ) -> None:
        assert s.counter is not None
        variable, before = s.counter.variable, self.written_out
        name = self.lvalues.variables[variable]
        self.written_out *= max(1, len(values))
        for value in values:
            text = self.writer.literal(value, variable.type)
            self.lvalues.variables[variable] = type(name)(text, variable.type)
            with self.writer.braces():
                body(s.body)
        self.lvalues.variables[variable], self.written_out = name, before
        assert s.step is not None
        if values:
            self.writer.put(f"{name.text} = {self.writer.literal(values[-1], variable.type)};")
            self.print(s.step)


def leaving(s: Any) -> Iterator[tree.Stmt]:
    """Yield the jumps in a statement that leave it, or go on in a loop around it."""
    if isinstance(s, JUMPS):
        yield s
        return
    caught: tuple[type, ...] = ()
    if isinstance(s, CanonicalLoop):
        caught = (tree.Break,) if s.switch else (tree.Break, tree.Continue)
    elif isinstance(s, InlinedBody):
        caught = (tree.Return,)
    for part in children(s):
        if isinstance(part, tree.Stmt):
            yield from (jump for jump in leaving(part) if not isinstance(jump, caught))

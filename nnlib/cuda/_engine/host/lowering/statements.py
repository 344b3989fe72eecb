"""Statements. A switch is a loop that runs once, so that break leaves it; continue does the step of its for loop."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ...language import tree
from ...language.exceptions import CatchClause, Throw, Try
from ...language.types import Struct, Type
from ..loops.flat import FlatLoop, flat_loop
from ..loops.running import LoopSource
from .expressions import ExpressionLowering
from .writer import FunctionWriter, in_memory, is_container, size_of

FREED = "((0, free_container), )"
LEFT = "((0, leave), )"


class StatementLowering:
    """Lowering of statements."""

    def __init__(self, writer: FunctionWriter) -> None:
        self.writer, self.expressions = writer, ExpressionLowering(writer)
        self._objects: dict[
            tree.Variable, str
        ] = {}  # those that end with their block, and where it has them
        self._labels: list[str] = []  # those that a goto can reach from here
        self._caught: list[str] = []  # per handler around: what it handles
        self._steps: list[
            tree.Expr | None | str
        ] = []  # per loop around: its step; of a switch: the flag for continue
        self._lower: dict[type, Callable[[Any], None]] = {
            tree.Block: self._block,
            tree.ExprStmt: self._expression,
            tree.Declare: self._declare,
            tree.If: self._if,
            tree.For: self._for,
            tree.While: self._while,
            tree.DoWhile: self._do_while,
            tree.Switch: self._switch,
            tree.Break: self._break,
            tree.Continue: self._continue,
            tree.Return: self._return,
            tree.Goto: self._goto,
            Throw: self._throw,
            Try: self._try,
        }

    def statement(self, s: tree.Stmt) -> None:
        self.writer.at = s.at
        self._lower[type(s)](s)

    def _block(self, s: tree.Block) -> None:
        objects = {
            part.variable: ""
            for part in s.statements
            if isinstance(part, tree.Declare) and self._endings(part)
        }
        with self.owning(objects):
            self._sequence(s.statements)

    @contextmanager
    def owning(self, objects: dict[tree.Variable, str]) -> Iterator[None]:
        """What is written here is a block at whose end these end: with what, if that is known already."""
        if not objects:
            yield
            return
        scope = self.writer.fresh("objects")
        self._objects.update(dict.fromkeys(objects, scope))
        begun = "".join(
            f"{self.writer.name_of(variable)}: {how}, " for variable, how in objects.items() if how
        )
        self.writer.emit(f"{scope} = {{{begun}}}")
        with self.writer.inside("try:"):
            yield
        with self.writer.inside("finally:"):
            self.writer.emit(f"end_objects({scope})")

    def _endings(self, s: tree.Declare) -> str:
        """What is called when the variable ends; "" for most."""
        if isinstance(s.initializer, tree.IntrinsicCall) and s.initializer.name == "alloca":
            return LEFT
        if s.endings:
            return self.expressions.endings(s.endings)
        return FREED if is_container(s.variable.type) and s.variable.space == "local" else ""

    def _sequence(self, statements: list[tree.Stmt]) -> None:
        """What stands before a label is tried: a goto in there is an exception that leads to the label."""
        last = max(
            (k for k, part in enumerate(statements) if isinstance(part, tree.Label)), default=-1
        )
        if last < 0:
            for part in statements:
                self.statement(part)
            return
        label = statements[last]
        assert isinstance(label, tree.Label)
        self._labels.append(label.name)
        with self.writer.inside("try:"):
            self._sequence(statements[:last])
        self._labels.pop()
        with self.writer.inside("except LabelJump as _jump:"):
            self.writer.emit(f"if _jump.label != {label.name!r}: raise")
        self._sequence(statements[last + 1 :])

    def _goto(self, s: tree.Goto) -> None:
        if s.label not in self._labels:
            raise self.expressions.unsupported(
                s.at, f"goto {s.label}, which leads backwards or into a block", "use a loop"
            )
        self.writer.emit(f"raise LabelJump({s.label!r})")

    def effect(self, e: tree.Expr) -> None:
        """An expression for what it does."""
        self.writer.at = e.at
        while isinstance(e, tree.Dereference):  # *p++; reads nothing
            e = e.pointer
        if isinstance(e, tree.Increment):
            e = tree.Increment(e.at, e.type, e.target, e.delta, True)
        text = self.expressions.value(e)
        if (
            isinstance(e, tree.Assign | tree.Increment | tree.CompoundAssign)
            and isinstance(e.target, tree.Name)
            and text.startswith(f"({self.writer.name_of(e.target.variable)} := ")
        ):
            text = text[1:-1].replace(":=", "=", 1)
        self.writer.emit(text)

    def _expression(self, s: tree.ExprStmt) -> None:
        self.effect(s.expression)

    def _declare(self, s: tree.Declare) -> None:
        variable, initial, writer = s.variable, s.initializer, self.writer
        if variable.space == "static":
            flag = writer.code.once()
            if initial is not None:
                with writer.inside(f"if {flag} and {flag}.pop():"):
                    self.fill(writer.name_of(variable), variable, initial)
            return
        if in_memory(variable):
            writer.memory.append((writer.name_of(variable), variable.type, variable.name))
            if initial is not None:
                self.fill(writer.name_of(variable), variable, initial)
            if variable in self._objects:
                at = (
                    writer.name_of(variable)
                    if self._endings(s) != LEFT
                    else self.expressions.value(tree.Name(s.at, variable.type, variable))
                )
                writer.emit(f"{self._objects[variable]}[{at}] = {self._endings(s)}")
            elif s.endings:
                raise self.expressions.unsupported(
                    s.at,
                    "an object with a destructor that is in no block",
                    "declare it in a line of its own, between { and }",
                )
            return
        name = writer.name_of(variable)
        if isinstance(initial, tree.InitializerList):
            initial = initial.items[0][1]
        if initial is not None:
            writer.emit(
                f"{name} = {self.expressions.named_result(initial, tree.Name(s.at, variable.type, variable))}"
            )
            if variable in self._objects:
                writer.emit(f"{self._objects[variable]}[{name}] = {LEFT}")
        elif self._steps:  # in a loop it is a new variable each time
            writer.emit(f"{name} = None; del {name}")

    def fill(
        self, address: str, variable: tree.Variable, initial: tree.Expr | tree.InitializerList
    ) -> None:
        """Give memory its first value."""
        writer, expressions, kind = self.writer, self.expressions, variable.type
        if not isinstance(initial, tree.InitializerList):
            name = tree.Name(variable.at, kind, variable)
            writer.emit(expressions.store(address, expressions.named_result(initial, name), kind))
            return
        writer.emit(f"clear({address}, {size_of(kind)})")
        for offset, value in initial.items:
            writer.emit(
                expressions.store(f"{address} + {offset}", expressions.value(value), value.type)
            )

    # --- flow -----------------------------------------------------------------------------

    def _if(self, s: tree.If) -> None:
        with self.writer.inside(f"if {self.expressions.value(s.condition)}:"):
            self.statement(s.then)
        while isinstance(s.otherwise, tree.If):
            s = s.otherwise
            self.writer.at = s.at
            with self.writer.inside(f"elif {self.expressions.value(s.condition)}:"):
                self.statement(s.then)
        if s.otherwise is not None:
            with self.writer.inside("else:"):
                self.statement(s.otherwise)

    def _loop(self, body: tree.Stmt, step: tree.Expr | None, until: str = "") -> None:
        self._steps.append(step)
        self.statement(body)
        self._steps.pop()
        self._step(step)
        if until:
            self.writer.emit(until)

    def _step(self, step: tree.Expr | None) -> None:
        while isinstance(step, tree.Comma):
            self._step(step.left)
            step = step.right
        if step is not None:
            self.effect(step)

    def _for(self, s: tree.For) -> None:
        for part in s.init:
            self.statement(part)
        self._turns(s.at, s.condition, s.body, s.step)

    def _while(self, s: tree.While) -> None:
        self._turns(s.at, s.condition, s.body, None)

    def _do_while(self, s: tree.DoWhile) -> None:
        """continue goes on with the condition, so the first turn is the one that does not look at it."""
        first = self.writer.fresh()
        self.writer.emit(f"{first} = True")
        self._turns(s.at, s.condition, s.body, None, first)

    def _turns(
        self,
        at: tree.Position,
        condition: tree.Expr | None,
        body: tree.Stmt,
        step: tree.Expr | None,
        first: str = "",
    ) -> None:
        """As long as the condition holds. first: whether there has been no turn, and the condition does not count."""
        writer = self.writer
        writer.at = at
        native = flat_loop(writer, condition, body, step)
        with writer.inside("while True:"):
            if native is not None:
                self._go_native(native, f"not {first} and " if first else "")
            else:
                name = self._new_loop(None)
                writer.emit(f"if {name}.ready(): {name}.look()")
            writer.at = at
            if condition is not None:
                writer.emit(
                    f"if not ({first or False} or {self.expressions.value(condition)}): break"
                )
            if first:
                writer.emit(f"{first} = False")
            self._loop(body, step)

    def _go_native(self, native: FlatLoop, if_: str) -> None:
        """As many turns as native code can do; a variable that it needs may have no value yet."""
        writer, name = self.writer, self._new_loop(LoopSource(native))
        names = list(native.free)
        changed = "".join(f"{one}, " for one in names[: native.changes])
        with writer.inside(f"if {if_}{name}.ready():"):
            with writer.inside("try:"):
                writer.emit(f"{changed}{'= ' * bool(changed)}{name}({', '.join(names)})")
            with writer.inside("except UnboundLocalError:"):
                writer.emit(f"{name}.rest()")

    def _new_loop(self, source: LoopSource | None) -> str:
        """The name by which the generated code has it."""
        loops = self.writer.code.loops
        loops.append(source)
        return f"N{len(loops) - 1}"

    def _switch(self, s: tree.Switch) -> None:
        writer = self.writer
        chosen, again = writer.fresh(), writer.fresh()
        labels = {case.value: k for k, case in enumerate(s.cases) if case.value is not None}
        default = next((k for k, case in enumerate(s.cases) if case.value is None), len(s.cases))
        writer.emit(f"{again} = False")
        writer.emit(f"{chosen} = {labels!r}.get({self.expressions.value(s.value)}, {default})")
        self._steps.append(again)
        with writer.inside("for _ in (0,):"):
            for k, case in enumerate(s.cases):
                with writer.inside(f"if {chosen} <= {k}:"):
                    for part in case.body:
                        self.statement(part)
        self._steps.pop()
        if self._steps:
            with writer.inside(f"if {again}:"):
                self._continue(s)

    def _throw(self, s: Throw) -> None:
        if s.value is None:
            if not self._caught:
                raise self.expressions.unsupported(
                    s.at, "throw; outside of a handler", "write throw error;"
                )
            self.writer.emit(f"raise {self._caught[-1]}")
            return
        kind, thrown = s.value.type, self.writer.fresh("thrown")
        self.writer.emit(f"{thrown} = exception({size_of(kind)}, {_kinds(kind)!r})")
        self.writer.emit(
            self.expressions.store(f"{thrown}.address", self.expressions.value(s.value), kind)
        )
        self.writer.emit(f"raise {thrown}")

    def _try(self, s: Try) -> None:
        """Handlers run when Python's handling is over: what ends in them ends as everywhere."""
        writer, caught, error = self.writer, self.writer.fresh("caught"), self.writer.fresh()
        writer.emit(f"{caught} = None")
        with writer.inside("try:"):
            self.statement(s.body)
        with writer.inside(f"except Thrown as {error}:"):
            writer.emit(f"{caught} = {error}")
        with writer.inside(f"if {caught} is not None:"):
            self._caught.append(caught)
            for k, handler in enumerate(s.handlers):
                fits = (
                    "True" if handler.kind is None else f"{str(handler.kind)!r} in {caught}.kinds"
                )
                with writer.inside(f"{'if' if k == 0 else 'elif'} {fits}:"):
                    self._handle(handler, f"{caught}.address")
            with writer.inside("else:"):
                writer.emit(f"raise {caught}")
            self._caught.pop()

    def _handle(self, handler: CatchClause, address: str) -> None:
        variable = handler.variable
        if variable is not None:
            plain = not handler.reference and not in_memory(variable)
            self.writer.emit(
                f"{self.writer.name_of(variable)} = "
                f"{self.expressions.load(address, variable.type) if plain else address}"
            )
        self.statement(handler.body)

    def _break(self, s: tree.Break) -> None:
        self.writer.emit("break")

    def _continue(self, s: tree.Stmt) -> None:
        step = self._steps[-1]
        if isinstance(step, str):
            self.writer.emit(f"{step} = True")
            self.writer.emit("break")
        else:
            self._step(step)
            self.writer.emit("continue")

    def _return(self, s: tree.Return) -> None:
        if (
            isinstance(s.value, tree.Name) and s.value.variable in self._objects
        ):  # it lives on as the result
            address = self.writer.name_of(s.value.variable)
            self.writer.emit(f"{self._objects[s.value.variable]}.pop({address})")
            self.writer.emit(f"return load_bytes({address}, {size_of(s.value.type)})")
            return
        self.writer.emit(
            "return" if s.value is None else f"return {self.expressions.value(s.value)}"
        )


def _kinds(kind: Type) -> tuple[str, ...]:
    """The names by which a thrown value of this type can be caught."""
    found = [kind]
    while isinstance(found[-1], Struct) and found[-1].base is not None:
        found.append(found[-1].base)
    return tuple(map(str, found))

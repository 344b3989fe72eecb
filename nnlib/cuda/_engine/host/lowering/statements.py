"""Normal statements as Python. A switch is a loop that runs once: break leaves it, continue does the step of its loop."""

from __future__ import annotations

from contextlib import nullcontext

from ...language.exceptions import CatchClause, Throw, Try
from ...language.normal.nodes import CanonicalLoop, Store
from ...language.tree import (
    Block,
    Break,
    Continue,
    Declare,
    Dereference,
    ExprStmt,
    Goto,
    If,
    Label,
    Name,
    Return,
    Stmt,
    Variable,
)
from ..loops.flat import FlatLoop
from ..loops.running import LoopSource
from .actions import EndsWithBlock, HostNormalizer
from .expressions import ExpressionPrinter
from .writer import FunctionWriter, in_memory, size_of


class StatementPrinter:
    """Brings statements of a function into their normal form, and prints them."""

    def __init__(self, writer: FunctionWriter) -> None:
        self.writer, self.expressions = writer, ExpressionPrinter(writer)
        self.normalizer = HostNormalizer(writer)
        self._objects: dict[
            Variable, str
        ] = {}  # those that end with their block: where it has them
        self._labels: list[str] = []  # those that a goto can reach from here
        self._caught: list[str] = []  # per handler around: what it handles
        self._steps: list[
            Stmt | str | None
        ] = []  # per loop around; of a switch: the flag for continue

    def statement(self, s: Stmt) -> None:
        self.writer.at = s.at
        emit, value = self.writer.emit, self.expressions.value
        match s:
            case Block(statements):
                self._block(statements)
            case ExprStmt(e):
                emit(value(e))
            case Declare(variable, initial):
                name = self.writer.name_of(variable)
                if initial is not None:
                    emit(f"{name} = {value(initial)}")
                elif self._steps:  # in a loop it is a new variable each time
                    emit(f"{name} = None; del {name}")
            case Store(Dereference(pointer, type=kind), e):
                emit(self.expressions.store(value(pointer), value(e), kind))
            case Store(target, e):
                emit(f"{value(target)} = {value(e)}")
            case EndsWithBlock():
                self._ends(s)
            case If():
                self._if(s)
            case CanonicalLoop(switch=True):
                self._switch(s)
            case CanonicalLoop():
                self._loop(s)
            case Break():
                emit("break")
            case Continue():
                self._continue()
            case Return():
                self._return(s)
            case Goto():
                self._goto(s)
            case Throw():
                self._throw(s)
            case Try():
                self._try(s)

    def _block(self, statements: list[Stmt]) -> None:
        ending = [part.variable for part in statements if isinstance(part, EndsWithBlock)]
        if not ending:
            self._sequence(statements)
            return
        scope = self.writer.fresh("objects")
        self._objects.update(dict.fromkeys(ending, scope))
        self.writer.emit(f"{scope} = {{}}")
        with self.writer.inside("try:"):
            self._sequence(statements)
        with self.writer.inside("finally:"):
            self.writer.emit(f"end_objects({scope})")

    def _sequence(self, statements: list[Stmt]) -> None:
        """Write statements. Those before a label are tried: a goto in them is an exception that leads to the label."""
        last = max((k for k, part in enumerate(statements) if isinstance(part, Label)), default=-1)
        if last < 0:
            for part in statements:
                self.statement(part)
            return
        label = statements[last]
        assert isinstance(label, Label)
        self._labels.append(label.name)
        with self.writer.inside("try:"):
            self._sequence(statements[:last])
        self._labels.pop()
        with self.writer.inside("except LabelJump as _jump:"):
            self.writer.emit(f"if _jump.label != {label.name!r}: raise")
        self._sequence(statements[last + 1 :])

    def _goto(self, s: Goto) -> None:
        if s.label not in self._labels:
            raise self.normalizer.unsupported(
                s.at, f"goto {s.label}, which leads backwards or into a block", "use a loop"
            )
        self.writer.emit(f"raise LabelJump({s.label!r})")

    def _ends(self, s: EndsWithBlock) -> None:
        if s.variable not in self._objects:
            raise self.normalizer.unsupported(
                s.at,
                "an object with a destructor that is in no block",
                "declare it in a line of its own, between { and }",
            )
        address = self.expressions.value(s.address)
        self.writer.emit(
            f"{self._objects[s.variable]}[{address}] = {self.expressions.value(s.how)}"
        )

    # --- flow -----------------------------------------------------------------------------

    def _if(self, s: If) -> None:
        with self.writer.inside(f"if {self.expressions.value(s.condition)}:"):
            self.statement(s.then)
        while isinstance(s.otherwise, If):
            s = s.otherwise
            self.writer.at = s.at
            with self.writer.inside(f"elif {self.expressions.value(s.condition)}:"):
                self.statement(s.then)
        if s.otherwise is not None:
            with self.writer.inside("else:"):
                self.statement(s.otherwise)

    def _loop(self, s: CanonicalLoop) -> None:
        writer, condition = self.writer, self.expressions.value
        native, first = self.normalizer.native.get(s), "" if s.tests_first else writer.fresh()
        if first:
            writer.emit(f"{first} = True")
        with writer.inside("while True:"):
            if native is not None:
                self._go_native(native, f"not {first} and " if first else "")
            else:
                name = self._new_loop(None)
                writer.emit(f"if {name}.ready(): {name}.look()")
            with writer.inside(f"if not {first}:") if first else nullcontext():
                self._sequence(s.before)
                writer.at = s.at
                if s.condition is not None:
                    writer.emit(f"if not {condition(s.condition)}: break")
            if first:
                writer.emit(f"{first} = False")
            self._steps.append(s.step)
            self.statement(s.body)
            self._steps.pop()
            self._step(s.step)

    def _step(self, step: Stmt | None) -> None:
        if step is not None:
            self.statement(step)

    def _go_native(self, native: FlatLoop, if_: str) -> None:
        """Run as many iterations as native code can; a variable that it needs may have no value yet."""
        writer, name = self.writer, self._new_loop(LoopSource(native))
        names = list(native.free)
        changed = "".join(f"{one}, " for one in names[: native.changes])
        with writer.inside(f"if {if_}{name}.ready():"):
            with writer.inside("try:"):
                writer.emit(f"{changed}{'= ' * bool(changed)}{name}({', '.join(names)})")
            with writer.inside("except UnboundLocalError:"):
                writer.emit(f"{name}.rest()")

    def _new_loop(self, source: LoopSource | None) -> str:
        """Return the name that a loop has in the generated code."""
        loops = self.writer.code.loops
        loops.append(source)
        return f"N{len(loops) - 1}"

    def _switch(self, s: CanonicalLoop) -> None:
        again = self.writer.fresh()
        self.writer.emit(f"{again} = False")
        self._steps.append(again)
        with self.writer.inside("for _ in (0,):"):
            self.statement(s.body)
        self._steps.pop()
        if self._steps:
            with self.writer.inside(f"if {again}:"):
                self._continue()

    def _throw(self, s: Throw) -> None:
        if s.value is None:
            if not self._caught:
                raise self.normalizer.unsupported(
                    s.at, "throw; outside of a handler", "write throw error;"
                )
            self.writer.emit(f"raise {self._caught[-1]}")
            return
        self.writer.emit(f"raise {self.expressions.value(s.value)}")

    def _try(self, s: Try) -> None:
        """Write a try whose handlers run when Python's handling is over: what ends in them ends as everywhere."""
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
                f"{self.expressions.load(address, self.normalizer.kind(variable.type)) if plain else address}"
            )
        self.statement(handler.body)

    def _continue(self) -> None:
        step = self._steps[-1]
        if isinstance(step, str):
            self.writer.emit(f"{step} = True")
            self.writer.emit("break")
        else:
            self._step(step)
            self.writer.emit("continue")

    def _return(self, s: Return) -> None:
        value = s.value
        found = "" if value is None else f" {self.expressions.value(value)}"
        if isinstance(value, Name) and in_memory(value.variable):
            address, kind = self.writer.name_of(value.variable), self.normalizer.kind(value.type)
            found = f" {self.expressions.load(address, kind)}"
            scope = self._objects.get(value.variable)
            if scope is not None:  # it lives on as the result
                self.writer.emit(f"{scope}.pop({address})")
                found = f" load_bytes({address}, {size_of(kind)})"
        self.writer.emit(f"return{found}")

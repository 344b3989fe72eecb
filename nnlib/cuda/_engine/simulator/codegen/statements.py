"""Lowers functions and their statements.

Divergence is a change of the mask `m`: `if` splits it, loops narrow it until no thread is left, break, continue and
return remove their threads; where control flow meets again, the masks are joined.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ...errors import UnsupportedError
from ...language.layout import is_aggregate
from ...language.tree import (
    Block,
    Break,
    Continue,
    Declare,
    Expr,
    ExprStmt,
    Function,
    If,
    InitializerList,
    LoopStmt,
    Return,
    Stmt,
    Switch,
    Variable,
)
from ...language.types import VOID, Pointer, Struct, Type, Vector, size_of
from ...language.walking import LEAVING, variables_in
from .analysis import changed_in, lives_in_memory, ways_out
from .code import Code
from .expressions import Expressions
from .places import MemoryPlace
from .python import (
    PyCompound,
    PyExpr,
    PyName,
    PyStmt,
    PyTuple,
    assign,
    binary,
    call,
    choice,
    if_,
    is_,
    is_not,
    suspended,
)
from .writer import NOBODY, RESULT, RETURNED, RT, M, Writer, scalar

BREAK = PyStmt("break")
NOBODY_IS_LEFT, SOMEBODY_IS_LEFT = is_(M, NOBODY), is_not(M, NOBODY)


def union(a: PyExpr, b: PyExpr) -> PyExpr:
    return call("union", a, b)


class Statements:
    """Lowering of statements. leave: what the Python function does when nobody is left."""

    def __init__(self, writer: Writer, leave: PyStmt):
        self.writer, self.code, self.leave = writer, writer.code, leave
        self.expressions = Expressions(writer)
        self._commented = 0
        self._continued: list[
            PyName
        ] = []  # per loop around: mask of the threads that have said continue
        self._broken: list[
            PyName | None
        ] = []  # per loop or switch around: the same for break; loops need none
        self._lower: dict[type, Callable[[Any], None]] = {
            # A block has no region of its own: its threads are those around it.
            Block: lambda s: self.statements(s.statements),
            ExprStmt: lambda s: self.expressions.effect(s.expression),
            Declare: self._declare,
            Return: self._return,
            Break: lambda s: self._gone_to(self._broken[-1]),
            Continue: lambda s: self._gone_to(self._continued[-1]),
            If: self._if,
            Switch: self._switch,
            LoopStmt: self._loop,
        }

    def statements(self, body: Sequence[Stmt]) -> None:
        """Lower statements in order; those after one that may stop every thread are skipped when none is left."""
        writer = self.writer
        block, hidden = writer.block, len(writer.visible)
        for position, statement in enumerate(body):
            self.statement(statement)
            if isinstance(statement, LEAVING):
                break
            if ways_out(statement) and position + 1 < len(body):
                writer.end_segment()
                if writer.block is writer.top:
                    writer.emit(if_(NOBODY_IS_LEFT, self.leave))
                else:
                    rest = if_(SOMEBODY_IS_LEFT)
                    writer.emit(rest)
                    writer.block = rest.body
        if writer.block is not block:
            writer.block = block
            writer.end_segment()
        del writer.visible[hidden:]

    def statement(self, s: Stmt) -> None:
        if not isinstance(s, Block):
            self._comment(s)
            if self.code.trace:
                names = ((v.name, self.writer.name_of(v)) for v in self.writer.visible)
                variables = ", ".join(f"{name!r}: {value}" for name, value in names)
                self.writer.tell("statement", M, self.code.site(s.at), PyExpr(f"{{{variables}}}"))
        self._lower[type(s)](s)

    def _comment(self, s: Stmt) -> None:
        """Write the line of CUDA C as a comment, for readers and debuggers of the generated code."""
        if s.at.line != self._commented:
            self._commented = s.at.line
            self.writer.emit(PyStmt(f"# {s.at.line}: {self.code.line(s.at.line)}"))

    def _part(self, s: Stmt) -> None:
        self.statements(s.statements if isinstance(s, Block) else [s])

    # --- simple statements ----------------------------------------------------------------

    def _declare(self, s: Declare) -> None:
        variable, writer = s.variable, self.writer
        if variable.space == "shared":
            return
        if lives_in_memory(variable):
            writer.allocate_local(variable)
            self._initialize_memory(s)
        else:
            writer.let(writer.name_of(variable), self._initial(variable, s.initializer))
            writer.declare(variable)
            if s.initializer is None and self.code.checks:
                self._track(variable)
        writer.visible.append(variable)

    def _track(self, variable: Variable) -> None:
        """Note that no thread has given the variable a value yet."""
        self.writer.tracked.add(variable)
        self.writer.let(self.writer.lanes_that_set(variable), NOBODY)

    def _initial(self, variable: Variable, initializer: Expr | InitializerList | None) -> PyExpr:
        if initializer is None:
            return self.writer.zero(variable.type)
        if isinstance(initializer, InitializerList):
            return self._initial_of_list(variable.type, initializer)
        if variable not in variables_in(initializer):
            return self.expressions.value(initializer)
        # int i = i + 1 reads the variable before it has a value
        self.writer.let(self.writer.name_of(variable), self.writer.zero(variable.type))
        self.writer.declare(variable)
        if self.code.checks:
            self._track(variable)
        value = self.expressions.value(initializer)
        self.writer.tracked.discard(variable)
        return value

    def _initial_of_list(self, type: Type, initializer: InitializerList) -> PyExpr:
        given = self.expressions.values([value for _, value in initializer.items])
        values = {k: value for (k, _), value in zip(initializer.items, given, strict=True)}
        if isinstance(type, Vector):
            zero = self.code.constant(type.base.dtype, 0)
            return PyTuple(values.get(k * type.base.size, zero) for k in range(type.lanes))
        return values.get(0, self.writer.zero(type))

    def _initialize_memory(self, s: Declare) -> None:
        variable, initializer = s.variable, s.initializer
        memory = self.writer.name_of(variable)
        if isinstance(initializer, Expr):
            value = self.expressions.value(initializer)
            if isinstance(variable.type, Struct):
                self.writer.do(memory.method("begin", value))
            else:
                self._store(s, 0, variable.type, value)
        elif initializer is not None:
            self.writer.do(memory.method("mark_written"))
            for offset, e in initializer.items:
                self._store(s, offset, e.type, self.expressions.value(e))

    def _store(self, s: Declare, offset: int, type: Type, value: PyExpr) -> None:
        """Store a first value, `offset` bytes behind the beginning of the variable."""
        places, memory = self.expressions.places, self.writer.name_of(s.variable)
        if is_aggregate(type) or isinstance(type, Pointer):
            whole = MemoryPlace(memory, (), s.variable.type, s.at, is_own=True)
            places.store(places.part(whole, offset, type, s.at), value)
        else:
            site = self.code.site(s.at, type, s.variable.name)
            self.writer.do(memory.method("store", offset // size_of(type), value, M, site))

    # --- leaving --------------------------------------------------------------------------

    def _return(self, s: Return) -> None:
        writer = self.writer
        if writer.function.kind == "kernel":
            writer.do(RT.method("leave", M))
        if s.value is not None:
            value = writer.atom(self.expressions.value(s.value))
            mixed = call("select", M, value, RESULT)
            writer.let(RESULT, choice(value, is_(RETURNED, NOBODY), mixed))
        self._gone_to(RETURNED)

    def _gone_to(self, collected: PyName | None) -> None:
        """Let the active threads leave; a mask collects them for where they continue."""
        if collected is not None:
            self.writer.let(collected, union(collected, M))
        self.writer.let(M, NOBODY)
        self.writer.end_segment()

    # --- branches -------------------------------------------------------------------------

    def _if(self, s: If) -> None:
        writer = self.writer
        # left: of them, who comes out at the end
        entered, then, otherwise, then_left, else_left = writer.names(
            "entered", "then", "else", "then_left", "else_left"
        )
        condition = self.expressions.condition(s.condition)
        writer.note(s.at)
        self._enter(s)
        writer.emit(assign(call("split", M, condition), then, otherwise))
        writer.let(entered, M)
        if self.code.counts:
            writer.tell("branch", M, then, self.code.site(s.at))
        stops = bool(ways_out(s))
        if stops:
            writer.let(then_left, then)
            writer.let(else_left, otherwise)
        for mask, left, part in ((then, then_left, s.then), (otherwise, else_left, s.otherwise)):
            if part is None:
                continue
            with writer.inside(if_(is_not(mask, NOBODY))), writer.region():
                writer.let(M, mask)
                self._part(part)
                if stops:
                    writer.let(left, M)
        if stops:
            everyone = binary(is_(then_left, then), "and", is_(else_left, otherwise))
            writer.let(M, choice(entered, everyone, union(then_left, else_left)))
        else:
            writer.let(M, entered)

    def _switch(self, s: Switch) -> None:
        writer = self.writer
        entered, unmatched, broken, *matched = writer.names(
            "entered", "unmatched", "broken", *(f"case{k}_" for k in range(len(s.cases)))
        )
        value = writer.atom(self.expressions.value(s.value))
        writer.note(s.at)
        writer.let(entered, M)
        writer.let(unmatched, M)
        default: PyName | None = None
        for mask, case in zip(matched, s.cases, strict=True):
            if case.value is None:
                default = mask
                continue
            number = self.code.constant(scalar(s.value.type).dtype, case.value)
            equal = binary(value, "==", number)
            writer.emit(assign(call("split", unmatched, equal), mask, unmatched))
        if default is not None:
            writer.let(default, unmatched)
            writer.let(unmatched, NOBODY)
        writer.let(broken, NOBODY)
        writer.let(M, NOBODY)
        self._broken.append(broken)
        for mask, case in zip(matched, s.cases, strict=True):
            writer.let(M, union(M, mask))
            with writer.inside(if_(SOMEBODY_IS_LEFT)), writer.region():
                self.statements(case.body)
        self._broken.pop()
        writer.let(M, call("rejoin", entered, union(M, unmatched), broken))

    def _enter(self, s: Stmt) -> None:
        """Say so, if a compiler makes accesses once for this loop or branch."""
        if id(s) in self.code.regions:
            self.writer.tell("enter", M, id(s))

    # --- loops ----------------------------------------------------------------------------

    def _loop(self, s: LoopStmt) -> None:
        writer, hidden = self.writer, len(self.writer.visible)
        for part in s.init:
            self.statement(part)
        entered, begun, continued = writer.names("entered", "begun", "continued")
        writer.let(entered, M)
        self._enter(s)
        before, after = (s.condition, None) if s.tests_first else (None, s.condition)
        changed = changed_in(s.body, s.condition, s.step)
        loop = writer.loops.inside(writer.room(), changed)
        with loop, writer.inside(PyCompound("while True")), writer.region():
            tick = RT.method("tick", self.code.site(s.at))
            writer.do(suspended(tick, "yield") if self.code.waits else tick)
            if before is not None:
                self._go_on_if(before)
            for part in s.init:
                # A variable of the loop is dead outside of it: in the step, every thread still in the loop is active.
                if isinstance(part, Declare):
                    writer.belongs_here(part.variable)
            self._loop_body(s.body, begun, continued)
            if s.step is not None:
                self.expressions.effect(s.step)
            if after is not None:
                self._go_on_if(after)
        left = call("without", entered, RETURNED) if Return in ways_out(s.body) else entered
        writer.let(M, left)
        del writer.visible[hidden:]

    def _loop_body(self, body: Stmt, begun: PyName, continued: PyName) -> None:
        writer, ways = self.writer, ways_out(body)
        self._continued.append(continued)
        self._broken.append(None)
        if Continue in ways:
            writer.let(begun, M)
            writer.let(continued, NOBODY)
            with writer.region():
                self._part(body)
            writer.let(M, call("rejoin", begun, M, continued))
        else:
            self._part(body)
        writer.end_segment()
        self._continued.pop()
        self._broken.pop()
        if ways:
            writer.emit(if_(NOBODY_IS_LEFT, BREAK))

    def _go_on_if(self, condition: Expr) -> None:
        writer = self.writer
        holds = self.expressions.condition(condition)
        writer.note(condition.at)
        going = call("narrow", M, holds)
        if self.code.counts:
            asked = writer.temporary(M)
            writer.let(M, going)
            writer.tell("branch", asked, M, self.code.site(condition.at))
        else:
            writer.let(M, going)
        writer.emit(if_(NOBODY_IS_LEFT, BREAK))
        writer.end_segment()


def define_functions(code: Code, functions: Iterable[Function]) -> None:
    """Generate Python for those of the functions that have none yet, and make it callable in `Code.namespace`."""
    try:
        for function in functions:
            if function.name not in code.texts:
                code.define(function, _definition(code, function))
    except (SyntaxError, RecursionError, MemoryError) as error:  # Python's own limits
        raise UnsupportedError(
            "not supported by the simulator: the code is nested too deeply; "
            f"split it into functions ({error})"
        ) from None


def _definition(code: Code, function: Function) -> PyStmt:
    writer = Writer(code, function)
    returns_value = function.kind != "kernel" and function.return_type != VOID
    leave = PyStmt(f"return {RESULT}") if returns_value else PyStmt("return")
    if code.waits:
        writer.do(suspended(PyTuple(())))
    if Return in ways_out(function.body):
        writer.let(RETURNED, NOBODY)
    if returns_value:
        writer.let(RESULT, writer.zero(function.return_type))
    parameters = [writer.name_of(variable) for variable in function.parameters]
    for variable in function.parameters:
        _receive(writer, variable)
    for variable in function.shared:
        writer.let(writer.name_of(variable), RT.method("shared", variable.name, id(variable)))
    Statements(writer, leave).statements(function.body.statements)
    if returns_value and code.checks:
        missing = RT.method("no_result", M, code.site(function.at, None, function.name))
        writer.emit(if_(SOMEBODY_IS_LEFT, PyStmt(str(missing))))
    writer.emit(leave)
    arguments = ", ".join(map(str, [RT, M, *parameters]))
    return PyCompound(f"def {code.python_names[function.name]}({arguments})", writer.top)


def _receive(writer: Writer, variable: Variable) -> None:
    """Receive a parameter as a Python variable, or in memory if its address is taken."""
    if isinstance(variable.type, Struct) or variable.address_taken:
        name = writer.name_of(variable)
        held = writer.temporary(name)
        writer.allocate_local(variable)
        site = writer.code.site(variable.at, variable.type)
        is_struct = isinstance(variable.type, Struct)
        writer.do(
            name.method("begin", held) if is_struct else name.method("store", 0, held, M, site)
        )
    else:
        writer.declare(variable)
    writer.visible.append(variable)

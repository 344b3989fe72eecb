"""Brings checked code into its normal form (nodes.py): temporaries are declared, calls written out, effects statements.

C++17's order of evaluation is fixed here: operands and arguments from left to right; of an assignment, the value comes
before the target.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ..refusal import Refusal
from ..tree import (
    AddressOf,
    Assign,
    Block,
    Break,
    Build,
    Call,
    Comma,
    CompoundAssign,
    Conditional,
    Continue,
    Convert,
    Decay,
    Declare,
    Dereference,
    Expr,
    ExprStmt,
    Function,
    If,
    Index,
    InitializerList,
    IntrinsicCall,
    Literal,
    Logical,
    LoopStmt,
    Member,
    Name,
    Position,
    Return,
    Stmt,
    Switch,
    Temporary,
    Variable,
)
from ..types import VOID, Pointer, Void
from ..walking import inside, is_volatile, nodes, nodes_of, variables_in
from .collectives import collective, is_collective
from .nodes import (
    CanonicalLoop,
    Collective,
    InlinedBody,
    Store,
    acts,
    changed,
    changes_memory,
    has_effect,
    is_quiet,
    root,
)
from .rewriting import case_number, cases, evaluates_right, updated

LONGEST = 20_000  # expressions of a normal tree

CHANGES = (Assign, CompoundAssign)

Header = Callable[..., Function | None]


def normalized(kernel: Function, header: Header, kind: type[Normalizer] | None = None) -> Block:
    """Return the body of a kernel in normal form.

    header: returns the function that stands for one of CUDA's, if there is one. kind: the class that writes calls out.
    Raises Refusal.
    """
    normalizer = (kind or Normalizer)(header)
    targets = [
        node.target if isinstance(node, CHANGES) else node.operand
        for node in nodes_of((*CHANGES, AddressOf, Decay), inside(kernel))
    ]
    moving = set(map(root, targets))
    for parameter in kernel.parameters:
        if parameter in moving:
            given = Name(parameter.at, parameter.type, parameter)
            normalizer.declared(parameter.at, parameter, given)
    body = Block(kernel.at, [*normalizer.before, normalizer.statement(kernel.body)])
    if any(map(is_volatile, nodes(body))):
        raise Refusal("volatile")
    return body


class Normalizer:
    """Statements and expressions as normal copies. before: what has to happen before the expression at hand."""

    def __init__(self, header: Header) -> None:
        self.header = header
        self.renamed: dict[Variable, Variable] = {}
        self.stack: list[Function] = []
        self.results: list[Variable | None] = []
        self.before: list[Stmt] = []
        self.nodes = 0
        self.acted = 0  # acts so far

    # --- statements -----------------------------------------------------------------------

    def statement(self, s: Stmt) -> Stmt:
        """Normalise a statement, together with what has to happen first."""
        found = self.statements([s])
        return found[0] if len(found) == 1 else Block(s.at, found)

    def statements(self, statements: Sequence[Stmt]) -> list[Stmt]:
        """Normalise each statement, together with what has to happen before it."""
        with self.apart() as found:
            for s in statements:
                last = self.last(s)
                if last is not None:
                    self.before.append(last)
        return found

    @contextmanager
    def apart(self) -> Iterator[list[Stmt]]:
        """Collect what has to happen first in a list of its own."""
        outer, self.before = self.before, []
        try:
            yield self.before
        finally:
            self.before = outer

    def last(self, s: Stmt) -> Stmt | None:
        """Add what has to happen first to `before`; return the rest of the statement, or None."""
        match s:
            case Block(statements):
                return Block(s.at, self.statements(statements))
            case LoopStmt(init=init, condition=condition, step=step, body=body):
                first = self.statements(init)
                counter = first[0] if len(first) == 1 and isinstance(first[0], Declare) else None
                self.before += first
                return self.loop(
                    s,
                    condition,
                    body,
                    None if step is None else ExprStmt(step.at, step),
                    s.tests_first,
                    counter,
                )
            case Switch():
                return cases(s, self.temporary(self.chosen(s)), self.part)
            case If(condition, then, otherwise):
                value = self.value(condition)
                return If(
                    s.at,
                    value,
                    self.part(then),
                    None if otherwise is None else self.part(otherwise),
                )
            case ExprStmt(e):
                self.effect(e)
            case Return(value):
                if value is not None and (result := self.results[-1]) is not None:
                    # where the caller finds it
                    self.before.append(
                        Store(s.at, Name(s.at, result.type, result), self.value(value))
                    )
                elif value is not None:
                    self.effect(value)
                return Return(s.at)
            case Declare():
                return self.declare(s)
            case Break() | Continue():
                return s
            case _:
                raise Refusal(type(s).__name__.lower())
        return None

    def chosen(self, s: Switch) -> Expr:
        """Return the number of the case with which a switch begins."""
        return case_number(s, self.temporary(self.value(s.value)))

    def part(self, s: Stmt) -> Stmt:
        """Normalise one side of a branch."""
        return self.statement(s)

    def declare(self, s: Declare) -> Stmt | None:
        initial, value = s.initializer, None
        if initial is not None:
            is_list = isinstance(initial, InitializerList)
            value = self._list(initial) if is_list else self.value(initial)
        self.declared(s.at, s.variable, value)
        return None

    def declared(self, at: Position, variable: Variable, value: Any) -> None:
        """Declare a variable with a normal value, or without one."""
        self.before.append(Declare(at, self.own(variable), value))

    def own(self, variable: Variable) -> Variable:
        """Return the variable that stands for one of the program's from here on."""
        kind = self.kind(variable.type)
        own = self.renamed[variable] = dataclasses.replace(variable, type=kind, space="local")
        return own

    def _list(self, given: Any) -> InitializerList:
        values = self.values([value for _, value in given.items])
        return InitializerList(
            [(offset, e) for (offset, _), e in zip(given.items, values, strict=True)]
        )

    def loop(
        self,
        s: Stmt,
        condition: Expr | None,
        body: Stmt,
        step: Stmt | None,
        tests_first: bool = True,
        counter: Declare | None = None,
    ) -> CanonicalLoop:
        with self.apart() as before:
            value = None if condition is None else self.value(condition)
        return CanonicalLoop(
            s.at,
            value,
            self.statement(body),
            None if step is None else self.statement(step),
            tests_first,
            counter,
            before=before,
        )

    # --- expressions for what they do -------------------------------------------------------

    def effect(self, e: Any) -> None:
        """Do what the expression does; nobody needs its value."""
        match e:
            case Assign() | CompoundAssign():
                self.assign(e, False)
            case Comma(left, right):
                self.effect(left)
                self.effect(right)
            case Convert(operand, type=Void()) | Dereference(operand):
                self.effect(operand)
            case Logical(_, left, right):
                decides = evaluates_right(e, self.value(left))
                self.before.append(If(e.at, decides, self.statement(ExprStmt(e.at, right))))
            case Conditional(condition, then, otherwise):
                value = self.value(condition)
                sides = [self.statement(ExprStmt(e.at, side)) for side in (then, otherwise)]
                self.before.append(If(e.at, value, *sides))
            case _:
                value = self.value(e)
                if not is_quiet(value):
                    self.before.append(ExprStmt(e.at, value))

    def store(self, at: Position, target: Expr, value: Expr) -> None:
        """Add target = value, both normal."""
        self.before.append(Store(at, target, value))

    def assign(self, e: Any, wanted: bool) -> Expr:
        """Do what =, += or ++ does. wanted: somebody needs the value."""
        value, target = self.sides(e)
        if isinstance(e, CompoundAssign):
            before: Expr
            before = target = self.repeatable(target)
            if wanted and e.gives_old:
                before = self.temporary(target)
            value = self.updated(e, before, value)
            if wanted and e.gives_old:
                self.store(e.at, target, value)
                return before
        if wanted:
            value = self.temporary(value)
        self.store(e.at, target, value)
        return value

    def sides(self, e: Any) -> list[Expr]:
        """Normalise the value of an assignment and its target, in this order."""
        return self.in_order([lambda: self.value(e.value), lambda: self.lvalue(e.target)])

    def updated(self, e: Any, old: Expr, value: Expr) -> Expr:
        """Return the value that += or ++ computes from an old one."""
        return updated(e, old, value)

    def repeatable(self, place: Any) -> Any:
        """Return an lvalue that may be evaluated twice."""
        match place:
            case Index(base, index):
                return dataclasses.replace(
                    place, base=self.repeatable(base), index=self.simple(index)
                )
            case Dereference(pointer):
                return dataclasses.replace(place, pointer=self.simple(pointer))
            case Member(base):
                return dataclasses.replace(place, base=self.repeatable(base))
        return place

    def simple(self, e: Expr) -> Expr:
        """Store a value in a variable, unless it is short."""
        return e if len(list(nodes(e))) < 3 and is_quiet(e) else self.temporary(e)

    def temporary(self, e: Expr) -> Expr:
        """Store a value in a variable."""
        variable = Variable("", e.type, "local", e.at)
        self.before.append(Declare(e.at, variable, e))
        return Name(e.at, e.type, variable)

    # --- the order of evaluation --------------------------------------------------------------

    def values(self, expressions: Sequence[Expr]) -> list[Expr]:
        """Normalise expressions, one after the other."""
        return self.in_order([lambda e=e: self.value(e) for e in expressions])  # type: ignore[misc]

    def in_order(self, steps: Sequence[Callable[[], Expr]]) -> list[Expr]:
        """Return what the steps compute; each value keeps what it is when a later step changes something."""
        found: list[Expr] = []
        for step in steps:
            acted = self.acted
            with self.apart() as later:
                value = step()
            changes = [*later, value] if self.acted > acted else later
            if changes:
                found = [self._settled(e, changes) for e in found]
                self.before += later
            found.append(value)
        return found

    def _settled(self, e: Expr, later: Sequence[Any]) -> Expr:
        names = variables_in(e)
        moves = not names.isdisjoint(changed(later))
        stores = not is_quiet(e) and (acts(e) or changes_memory(later))
        return self.temporary(e) if moves or stores else e

    # --- values -----------------------------------------------------------------------------

    def count(self) -> None:
        """Count one more node. Raises Refusal when there are too many."""
        self.nodes += 1
        if self.nodes > LONGEST:
            raise Refusal("code that is too long to compile")

    def value(self, e: Any) -> Any:
        """Return a normal expression for a value."""
        self.count()
        match e:
            case Name() | Index() | Dereference() | Member():
                return self.lvalue(e)
            case Temporary(operand):
                return self.value(operand)
            case Comma(left, right):
                self.effect(left)
                return self.value(right)
            case Assign() | CompoundAssign():
                return self.assign(e, True)
            case Logical():
                return self._logical(e)
            case Conditional():
                return self._conditional(e)
            case Convert(operand, type=Void()):
                self.effect(operand)
                return Literal(e.at, VOID, 0)
            case Decay(operand) | AddressOf(operand):
                return dataclasses.replace(e, operand=self.lvalue(operand))
            case Call():
                return self.called(e)
            case IntrinsicCall():
                return self.intrinsic(e)
            case Build(given):
                return dataclasses.replace(e, initializer=self._list(given))
        names = [name for name, part in vars(e).items() if isinstance(part, Expr)]
        values = self.values([getattr(e, name) for name in names])
        return dataclasses.replace(e, **dict(zip(names, values, strict=True)))

    def lvalue(self, e: Any) -> Any:
        """Return an lvalue whose subscripts and pointers are normal."""
        match e:
            case Name(variable):
                return dataclasses.replace(e, variable=self.renamed.get(variable, variable))
            case Index(base, index):
                first = self.value if isinstance(base.type, Pointer) else self.lvalue
                base, index = self.in_order([lambda: first(base), lambda: self.value(index)])
                return dataclasses.replace(e, base=base, index=index)
            case Member(base):
                return dataclasses.replace(e, base=self.lvalue(base))
            case Dereference(pointer):
                return dataclasses.replace(e, pointer=self.value(pointer))
        return self.temporary(self.value(e))

    def _logical(self, e: Logical) -> Expr:
        left = self.value(e.left)
        with self.apart() as before:
            right = self.value(e.right)
        if not before:
            return Logical(e.at, e.type, e.op, left, right)
        result = self.temporary(left)
        taken = Block(e.at, [*before, Store(e.at, result, right)])
        self.before.append(If(e.at, evaluates_right(e, result), taken))
        return result

    def _conditional(self, e: Conditional) -> Expr:
        condition, kind = self.value(e.condition), self.kind(e.type)
        sides: list[tuple[list[Stmt], Expr]] = []
        for side in (e.then, e.otherwise):
            with self.apart() as before:
                sides.append((before, self.value(side)))
        if not any(before for before, _ in sides):
            return Conditional(e.at, kind, condition, *(side for _, side in sides))
        result = Variable("", kind, "local", e.at)
        name = Name(e.at, kind, result)
        self.before += [
            Declare(e.at, result),
            If(
                e.at,
                condition,
                *(Block(e.at, [*before, Store(e.at, name, side)]) for before, side in sides),
            ),
        ]
        return name

    # --- calls ------------------------------------------------------------------------------

    def intrinsic(self, e: IntrinsicCall) -> Expr:
        """Normalise a call of one of CUDA's functions."""
        function, values = (
            self.header(e.name, *(argument.type for argument in e.arguments)),
            self.values(e.arguments),
        )
        if function is not None:
            return self.inlined(e, function, values)
        if is_collective(e.name):
            self.before += collective(e, values)
            last = self.before[-1]
            return (
                Name(e.at, e.type, last.result)
                if isinstance(last, Collective)
                else Literal(e.at, VOID, 0)
            )
        call = IntrinsicCall(e.at, e.type, e.name, values)
        return self.temporary(call) if has_effect(call) and not isinstance(e.type, Void) else call

    def called(self, e: Call) -> Expr:
        return self.inlined(e, e.function, self.values(e.arguments))

    def inlined(self, e: Expr, function: Function, arguments: Sequence[Expr]) -> Expr:
        """Write the function out."""
        with self.inside(function):
            for parameter, argument in zip(function.parameters, arguments, strict=True):
                self.declared(e.at, parameter, argument)
            *most, last = function.body.statements or [function.body]
            if isinstance(last, Return) and not any(nodes_of(Return, most)):
                self.before += self.statements(most)
                if last.value is not None:
                    result: Expr = self.value(last.value)
                    return result
            elif not any(nodes_of(Return, inside(function))):
                self.before.append(self.statement(function.body))
            else:
                return self._leaving(e, function)
        return Literal(e.at, VOID, 0)

    def _leaving(self, e: Expr, function: Function) -> Expr:
        """Inline a function that returns in several places."""
        kind = self.kind(e.type)
        if isinstance(kind, Pointer):
            raise Refusal("a function that returns a pointer in several places")
        result = None if isinstance(kind, Void) else Variable(function.name, kind, "local", e.at)
        self.results.append(result)
        body = InlinedBody(e.at, self.statement(function.body))
        self.results.pop()
        if result is None:
            self.before.append(body)
            return Literal(e.at, VOID, 0)
        self.before += [Declare(e.at, result), body]
        return Name(e.at, kind, result)

    def kind(self, kind: Any) -> Any:
        """Return the type that a value has in the normal tree."""
        return kind

    @contextmanager
    def inside(self, function: Function) -> Iterator[None]:
        """Write out the body of a function, with variables of its own."""
        if function in self.stack:
            raise Refusal("recursion")
        self.stack.append(function)
        outer = dict(self.renamed)
        try:
            yield
        finally:
            self.stack.pop()
            self.renamed = outer

"""A kernel with the functions that it calls written into it, its loops alike, and barriers apart from expressions.

Each call gets variables of its own, so whatever is found out about one says nothing of the other.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any

from ...language import tree
from ...language.types import BOOL, INT, UINT, VOID, Group, Pointer, Void
from ...language.walking import children, nodes
from ..refusal import Refusal
from .nodes import CHANGES, Barrier, CanonicalLoop, Inlined, Meeting, changed, waits

SHUFFLES = ("__shfl_sync", "__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync")
VOTES = ("__ballot_sync", "__any_sync", "__all_sync")
BLOCK_VOTES = ("__syncthreads_count", "__syncthreads_and", "__syncthreads_or")
OF_GROUPS = {"shfl": "__shfl_sync", "shfl_up": "__shfl_up_sync", "shfl_down": "__shfl_down_sync",
             "shfl_xor": "__shfl_xor_sync", "ballot": "__ballot_sync", "any": "__any_sync", "all": "__all_sync"}
CG = "cooperative_groups::"
ALL = 0xFFFFFFFF  # lanes
LONGEST = 20_000  # nodes of the flattened kernel

Header = Callable[..., tree.Function | None]


def flatten(kernel: tree.Function, header: Header) -> tree.Block:
    """header: the function that stands for one of CUDA's, if there is one."""
    flattener = Flattener(header)
    own = [flattener.own(parameter) for parameter in kernel.parameters if parameter in set(changed(kernel.body))]
    return tree.Block(kernel.at, [*own, flattener.statement(kernel.body)])


class Flattener:
    """Statements and expressions as copies, calls written out."""

    def __init__(self, header: Header) -> None:
        self.header = header
        self.renamed: dict[tree.Variable, tree.Variable] = {}
        self.stack: list[tree.Function] = []
        self.nodes = 0

    def own(self, parameter: tree.Variable) -> tree.Declare:
        """A variable in place of a parameter that changes."""
        variable = self.renamed[parameter] = dataclasses.replace(parameter, space="local")
        return tree.Declare(parameter.at, variable, tree.Name(parameter.at, parameter.type, parameter))

    # --- statements -----------------------------------------------------------------------

    def statement(self, s: tree.Stmt) -> Any:
        match s:
            case tree.Block(statements=statements):
                return tree.Block(s.at, [self.statement(one) for one in statements])
            case tree.For(init=init, condition=condition, step=step, body=body):
                before = [self.statement(one) for one in init]
                loop = self._loop(s, condition, body, step)
                if len(before) == 1 and isinstance(before[0], tree.Declare):
                    loop.counter = before[0]
                return tree.Block(s.at, [*before, loop])
            case tree.While(condition=condition, body=body):
                return self._loop(s, condition, body, None)
            case tree.DoWhile(condition=condition, body=body):
                return self._loop(s, condition, body, None, tests_first=False)
            case tree.Switch():
                return self._switch(s)
            case tree.If(condition=condition, then=then, otherwise=otherwise):
                before, condition = self._apart(self.expression(condition))
                otherwise = None if otherwise is None else self.part(otherwise)
                return _after(before, tree.If(s.at, condition, self.part(then), otherwise))
            case tree.ExprStmt(expression=e):
                before, e = self._apart(self.expression(e), alone=True)
                return _after(before, *([] if e is None else [tree.ExprStmt(s.at, e)]))
            case tree.Return(value=value):
                before, value = self._apart(self.expression(value)) if value is not None else ([], None)
                return _after(before, tree.Return(s.at, value))
            case tree.Declare():
                return self.declare(s)
            case tree.Break() | tree.Continue():
                return s
        raise Refusal(type(s).__name__.lower())

    def declare(self, s: tree.Declare) -> tree.Stmt:
        variable = self.renamed[s.variable] = dataclasses.replace(s.variable)
        if not isinstance(s.initializer, tree.Expr):
            value = s.initializer
            return tree.Declare(s.at, variable, None if value is None else self._list(value))
        before, e = self._apart(self.expression(s.initializer))
        return _after(before, tree.Declare(s.at, variable, e))

    def _loop(self, s: tree.Stmt, condition: tree.Expr | None, body: tree.Stmt, step: tree.Expr | None,
              tests_first: bool = True) -> CanonicalLoop:
        before: list[tree.Stmt] = []
        if condition is not None:
            before, condition = self._apart(self.expression(condition))
        inner = self.statement(body)
        if before:
            if not tests_first:
                raise Refusal("a function of the warp in the condition of do")
            assert condition is not None
            leave = tree.If(s.at, tree.Unary(s.at, BOOL, "!", condition), tree.Break(s.at))
            condition, inner = None, tree.Block(s.at, [*before, leave, inner])
        return CanonicalLoop(s.at, condition, inner, None if step is None else self.expression(step), tests_first)

    def _switch(self, s: tree.Switch) -> tree.Stmt:
        """The number of the first case that runs; then each case runs if it is not before that one."""
        kind = s.value.type
        value = tree.Variable("switch", kind, "local", s.at)
        chosen = tree.Variable("case", INT, "local", s.at)
        default = next((k for k, case in enumerate(s.cases) if case.value is None), len(s.cases))
        number: tree.Expr = tree.Literal(s.at, INT, default)
        for k, case in enumerate(s.cases):
            if case.value is not None:
                same = tree.Binary(s.at, BOOL, "==", tree.Name(s.at, kind, value),
                                   tree.Literal(s.at, kind, case.value))
                number = tree.Conditional(s.at, INT, same, tree.Literal(s.at, INT, k), number)
        bodies: list[tree.Stmt] = []
        for k, case in enumerate(s.cases):
            runs = tree.Binary(s.at, BOOL, "<=", tree.Name(s.at, INT, chosen), tree.Literal(s.at, INT, k))
            bodies.append(tree.If(s.at, runs, self.part(tree.Block(s.at, case.body))))
        once = CanonicalLoop(s.at, tree.Literal(s.at, BOOL, False), tree.Block(s.at, bodies), None, tests_first=False,
                    switch=True)
        return tree.Block(s.at, [tree.Declare(s.at, value, self.expression(s.value)),
                                 tree.Declare(s.at, chosen, number), once])

    def part(self, s: tree.Stmt) -> Any:
        """One side of a branch."""
        return self.statement(s)

    # --- expressions ----------------------------------------------------------------------

    def count(self) -> None:
        """One more node."""
        self.nodes += 1
        if self.nodes > LONGEST:
            raise Refusal("code that is too long to compile")

    def expression(self, e: Any) -> Any:
        """A copy with this call's variables, calls written out."""
        self.count()
        if isinstance(e, tree.Call):
            return self.inlined(e, e.function, [self.expression(argument) for argument in e.arguments])
        if isinstance(e, tree.IntrinsicCall):
            function = self.header(e.name, *(argument.type for argument in e.arguments))
            if function is not None:
                return self.inlined(e, function, [self.expression(argument) for argument in e.arguments])
        copy = dataclasses.replace(e)
        for name in vars(copy):
            part = getattr(copy, name)
            if isinstance(part, tree.Expr):
                setattr(copy, name, self.expression(part))
            elif isinstance(part, tree.InitializerList):
                setattr(copy, name, self._list(part))
            elif isinstance(part, list):
                setattr(copy, name, [self.expression(one) for one in part])
            elif isinstance(part, tree.Variable):
                setattr(copy, name, self.renamed.get(part, part))
        return copy

    def _list(self, given: tree.InitializerList) -> tree.InitializerList:
        return tree.InitializerList([(offset, self.expression(value)) for offset, value in given.items])

    def inlined(self, e: tree.Expr, function: tree.Function, arguments: list[tree.Expr]) -> Inlined:
        if function in self.stack:
            raise Refusal("recursion")
        self.stack.append(function)
        outer, self.renamed = self.renamed, dict(self.renamed)
        own = [dataclasses.replace(parameter, space="local") for parameter in function.parameters]
        self.renamed.update(zip(function.parameters, own, strict=True))
        given: list[tree.Stmt] = [tree.Declare(e.at, variable, argument)
                                  for variable, argument in zip(own, arguments, strict=True)]
        body = self.statement(function.body)
        self.renamed = outer
        self.stack.pop()
        result = None if isinstance(e.type, Void | Pointer) else tree.Variable(function.name, e.type, "local", e.at)
        return Inlined(e.at, e.type, given, body, result)

    # --- what threads do together -----------------------------------------------------------

    def _apart(self, e: Any, alone: bool = False) -> tuple[list[tree.Stmt], Any]:
        """Statements that bring the threads together, and the expression that is left. alone: its value is not used."""
        before: list[tree.Stmt] = []
        if not _meets(e):
            return before, e
        if any(isinstance(node, CHANGES) and node is not e for node in _own(e)):
            raise Refusal("a function of the warp in an expression with side effects")
        e = self._lift(e, before)
        return before, (None if alone and isinstance(e, tree.Name) or isinstance(e.type, Void) else e)

    def _lift(self, e: Any, before: list[tree.Stmt]) -> Any:
        if not _meets(e):
            return e
        if isinstance(e, tree.Logical | tree.Conditional):
            first = "left" if isinstance(e, tree.Logical) else "condition"
            if any(_meets(child) for child in children(e) if child is not getattr(e, first)):
                raise Refusal("a function of the warp inside of && || ?:")
        if isinstance(e, Inlined):
            return self._lift_call(e, before)
        for name in vars(e):
            part = getattr(e, name)
            if isinstance(part, tree.Expr):
                setattr(e, name, self._lift(part, before))
            elif isinstance(part, list):
                setattr(e, name, [self._lift(one, before) for one in part])
        if isinstance(e, tree.IntrinsicCall) and is_meeting(e.name):
            return self._meeting(e, before)
        return e

    def _lift_call(self, e: Inlined, before: list[tree.Stmt]) -> tree.Expr:
        for declare in e.parameters:
            assert isinstance(declare, tree.Declare)
            more, declare.initializer = self._apart(declare.initializer)
            before += more
        if not waits(e.body):
            return e
        before += e.parameters
        statements = list(e.body.statements) if isinstance(e.body, tree.Block) else [e.body]
        end = statements.pop() if statements and isinstance(statements[-1], tree.Return) else None
        if any(isinstance(node, tree.Return) for one in statements for node in _own(one)):
            raise Refusal("a return before the end of a function with barriers")
        before += statements
        if e.result is None:
            return tree.Literal(e.at, VOID, 0)
        assert isinstance(end, tree.Return)
        if isinstance(end, tree.Return) and end.value is not None:
            before.append(tree.Declare(e.at, e.result, end.value))
        return tree.Name(e.at, e.type, e.result)

    def _meeting(self, e: tree.IntrinsicCall, before: list[tree.Stmt]) -> tree.Expr:
        name, operands, lanes = e.name, list(e.arguments), 32
        if name in ("__syncthreads", "__syncwarp"):
            before.append(Barrier(e.at))
            return tree.Literal(e.at, VOID, 0)
        if name.startswith(CG):
            lanes = members(operands[0])
            if name == CG + "sync":
                before.append(Barrier(e.at))
                return tree.Literal(e.at, VOID, 0)
            if not lanes or name.removeprefix(CG) not in OF_GROUPS:
                raise Refusal(name)
            name = OF_GROUPS[name.removeprefix(CG)]
            operands[0] = tree.Literal(e.at, UINT, ALL)
        if name in SHUFFLES and len(operands) == 4:
            width = operands.pop()
            if not isinstance(width, tree.Literal):
                raise Refusal("a shuffle whose width is not constant")
            lanes = int(width.value)
        given: list[tree.Expr] = []
        for operand in operands[name in SHUFFLES:]:
            value = tree.Variable("given", operand.type, "local", e.at)
            before.append(tree.Declare(e.at, value, operand))
            given.append(tree.Name(e.at, operand.type, value))
        result = tree.Variable("met", e.type, "local", e.at)
        before.append(Meeting(e.at, name, given, result, lanes))
        return tree.Name(e.at, e.type, result)


def _after(before: list[tree.Stmt], *last: tree.Stmt) -> tree.Stmt:
    """Without a scope of its own: what is declared stays known."""
    return Several(last[0].at if last else before[0].at, [*before, *last]) if before or not last else last[0]


class Several(tree.Block):
    """Statements in place of one."""


def is_meeting(name: str) -> bool:
    """Do threads wait for each other in this function of CUDA's?"""
    return name in (*SHUFFLES, *VOTES, *BLOCK_VOTES, "__syncthreads", "__syncwarp", "__activemask") or (
        name.startswith(CG) and name.removeprefix(CG) not in ("thread_rank", "size", "tile", "block_rank"))


def members(e: Any) -> int:
    """Lanes of the tile that a group is, 0 of the whole block. Raises Refusal for other groups."""
    kind = e.type
    if isinstance(kind, Group) and kind.kind in ("tile", "block"):
        return kind.lanes
    if isinstance(e, tree.Convert):
        return members(e.operand)
    if isinstance(e, tree.Literal) and not e.value:
        return 0
    if isinstance(e, tree.IntrinsicCall) and e.name == CG + "tile" and isinstance(e.arguments[1], tree.Literal):
        members(e.arguments[0])
        return int(e.arguments[1].value)
    raise Refusal(f"a group of the kind {kind}")


def _meets(e: Any) -> bool:
    return any(isinstance(node, tree.IntrinsicCall) and is_meeting(node.name) or isinstance(node, Barrier | Meeting)
               for node in nodes(e))


def _own(s: Any) -> Iterator[Any]:
    """What is in a statement or expression, but not in the functions that it calls."""
    yield s
    for child in s.parameters if isinstance(s, Inlined) else children(s):
        yield from _own(child)

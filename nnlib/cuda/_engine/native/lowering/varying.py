"""Find the variables that may differ from thread to thread, by a fixed point over the kernel's normal form.

A variable differs where a value that differs is assigned to it, or where only some of the threads assign. Asked twice:
of the lanes that run together, and of all threads of a block.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ...language.normal.nodes import CanonicalLoop, Collective, InlinedBody, Store, is_local_array
from ...language.tree import (
    AddressOf,
    Block,
    Break,
    BuiltinIndex,
    Continue,
    Convert,
    Decay,
    Declare,
    Expr,
    ExprStmt,
    If,
    Index,
    IntrinsicCall,
    Member,
    Name,
    PointerOffset,
    Return,
    Stmt,
    Variable,
)
from ...language.types import Pointer
from ...language.walking import children, nodes, nodes_of


class Varying:
    """differs: does threadIdx along this axis? forced: variables that are taken to differ."""

    def __init__(
        self, body: Stmt, differs: Callable[[str], bool], forced: Iterable[Variable] = ()
    ) -> None:
        self._differs = differs
        self.variables = set(forced)
        self._aliases = {
            node.variable: node.initializer
            for node in nodes_of(Declare, body)
            if isinstance(node.variable.type, Pointer) and isinstance(node.initializer, Expr)
        }
        before = -1
        while len(self.variables) != before:
            before = len(self.variables)
            self._divergent: list[bool] = []
            self._depth: dict[Variable, int] = {}
            self._statement(body)

    def __call__(self, e: Any) -> bool:
        """Return whether a value may differ between threads."""
        if isinstance(e, BuiltinIndex):
            return e.name == "threadIdx" and self._differs(e.axis)
        if isinstance(e, Name):
            return e.variable in self.variables or is_local_array(e.variable)
        if isinstance(e, IntrinsicCall) and (e.name.startswith("atomic") or "::" in e.name):
            return True
        return any(self(child) for child in children(e))

    def jumps(self, s: Any, kinds: Any, divergent: bool = False) -> bool:
        """Return whether only some threads take a jump of these kinds out of the statement."""
        if isinstance(s, kinds):
            return divergent
        if isinstance(s, If):
            inner = divergent or self(s.condition)
            return any(
                self.jumps(part, kinds, inner) for part in (s.then, s.otherwise) if part is not None
            )
        if isinstance(s, CanonicalLoop):
            leaves = tuple(
                kind for kind in _tuple(kinds) if kind is Return or (s.switch and kind is Continue)
            )
            inner = (
                divergent
                or (s.condition is not None and self(s.condition))
                or self.jumps(s.body, (Break, Continue))
            )
            return bool(leaves) and self.jumps(s.body, leaves, inner)
        if isinstance(s, Block):
            return any(self.jumps(part, kinds, divergent) for part in s.statements)
        return False

    # --- the fix-point --------------------------------------------------------------------

    def _statement(self, s: Any) -> None:
        match s:
            case Block(statements):
                for one in statements:
                    self._statement(one)
            case Declare(variable, value):
                self._depth[variable] = len(self._divergent)
                if value is not None:
                    self._expression(value)
                    if any(self(child) for child in children(s)):
                        self.variables.add(variable)
            case ExprStmt(e):
                self._expression(e)
            case Store(target, value):
                self._expression([value, target])
                self._assigned(self.target(target), self(value))
            case InlinedBody(body=body):
                self._inside(self.jumps(body, Return), [body])
            case If(condition, then, otherwise):
                self._expression(condition)
                self._inside(self(condition), [then] if otherwise is None else [then, otherwise])
            case CanonicalLoop():
                self._loop(s)
            case Collective(result=result, operands=operands):
                self._expression(operands)
                self._depth[result] = len(self._divergent)
                self.variables.add(result)

    def _inside(self, divergent: bool, statements: list[Stmt]) -> None:
        self._divergent.append(divergent)
        for s in statements:
            self._statement(s)
        self._divergent.pop()

    def _loop(self, s: CanonicalLoop) -> None:
        jumps = (Break, Return, Continue) if s.switch else (Break, Return)
        leaves = (s.condition is not None and self(s.condition)) or self.jumps(s.body, jumps)
        self._divergent.append(leaves)
        self._inside(False, s.before)
        self._expression(s.condition)
        self._inside(self.jumps(s.body, Continue), [s.body])
        self._inside(False, [] if s.step is None else [s.step])
        self._divergent.pop()

    def _expression(self, e: Any) -> None:
        for call in nodes(e):
            if isinstance(call, IntrinsicCall):
                for argument in call.arguments:
                    if isinstance(argument.type, Pointer):
                        self._assigned(self.led(argument), True)

    def _assigned(self, variable: Variable | None, differs: bool) -> None:
        if variable is not None and (
            differs or any(self._divergent[self._depth.get(variable, 0) :])
        ):
            self.variables.add(variable)

    def target(self, e: Any) -> Variable | None:
        """Return the variable that an lvalue is part of; None for memory that threads share."""
        while isinstance(e, Member) or (
            isinstance(e, Index) and not isinstance(e.base.type, Pointer)
        ):
            e = e.base
        if isinstance(e, Name):
            return None if e.variable.space in ("shared", "global", "constant") else e.variable
        return self.led(e.base if isinstance(e, Index) else getattr(e, "pointer", None))

    def led(self, pointer: Any) -> Variable | None:
        """Return the variable that a pointer leads to."""
        while isinstance(pointer, Convert | PointerOffset):
            pointer = pointer.operand if isinstance(pointer, Convert) else pointer.pointer
        if isinstance(pointer, Name):
            return self.led(self._aliases.get(pointer.variable))
        return self.target(pointer.operand) if isinstance(pointer, AddressOf | Decay) else None


def _tuple(kinds: Any) -> tuple[type, ...]:
    return kinds if isinstance(kinds, tuple) else (kinds,)

"""Statements: every name in its block, every jump in its loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nnlib.cuda.language.checking.conversions import convert, implicit, is_integer, promoted
from nnlib.cuda.language.checking.declarations import DeclarationChecker
from nnlib.cuda.language.diagnostics import Fault
from nnlib.cuda.language.parsing import syntax
from nnlib.cuda.language.tree import (
    Block,
    Break,
    Case,
    Continue,
    DoWhile,
    ExprStmt,
    For,
    If,
    Literal,
    Return,
    Stmt,
    Switch,
    While,
)
from nnlib.cuda.language.types import VOID, Scalar


class StatementChecker(DeclarationChecker):
    loops = 0  # around the statement being checked
    switches = 0

    def statements(self, nodes: list[syntax.Node]) -> list[Stmt]:
        """A sequence in the current scope; one declaration can give several statements or none."""
        result: list[Stmt] = []
        for node in nodes:
            if isinstance(node, syntax.Declaration):
                result += self.local_declaration(node)
            elif isinstance(node, syntax.Enumeration):
                self.enumeration(node)
            elif isinstance(node, syntax.StaticAssert):
                self.static_assertion(node)
            else:
                result.append(_RULES[type(node)](self, node))
        return result

    def body(self, node: syntax.Node) -> Stmt:
        """A statement in a scope of its own."""
        with self.scope():
            found = self.statements([node])
        return found[0] if len(found) == 1 else Block(node.at, found)

    def evaluate(self, node: syntax.Evaluate) -> Stmt:
        return ExprStmt(node.at, self.value(node.expression))

    def compound(self, node: syntax.Compound) -> Stmt:
        with self.scope():
            return Block(node.at, self.statements(node.statements))

    def if_statement(self, node: syntax.If) -> Stmt:
        if node.constexpr:
            return self._if_constexpr(node)
        # The parser reads an else-if chain in a loop; so does this.
        first = last = If(node.at, self.condition(node.condition), self.body(node.then))
        while isinstance(node.otherwise, syntax.If) and not node.otherwise.constexpr:
            node = node.otherwise
            branch = If(node.at, self.condition(node.condition), self.body(node.then))
            last.otherwise, last = branch, branch
        if node.otherwise is not None:
            last.otherwise = self.body(node.otherwise)
        return first

    def _if_constexpr(self, node: syntax.If) -> Stmt:
        """Only the branch that is taken is compiled."""
        condition = self.condition(node.condition)
        if not isinstance(condition, Literal):
            raise Fault(condition.at, "the condition of if constexpr must be known when the kernel is compiled",
                        "write if, without constexpr")
        taken = node.then if condition.value else node.otherwise
        return Block(node.at, []) if taken is None else self.body(taken)

    def for_statement(self, node: syntax.For) -> Stmt:
        with self.scope():
            init = self.statements([node.init]) if node.init else []
            condition = self.condition(node.condition) if node.condition else None
            step = self.value(node.step) if node.step else None
            return For(node.at, init, condition, step, self.loop_body(node.body))

    def while_statement(self, node: syntax.While) -> Stmt:
        return While(node.at, self.condition(node.condition), self.loop_body(node.body))

    def do_statement(self, node: syntax.DoWhile) -> Stmt:
        body = self.loop_body(node.body)
        return DoWhile(node.at, body, self.condition(node.condition))

    def loop_body(self, node: syntax.Node) -> Stmt:
        self.loops += 1
        result = self.body(node)
        self.loops -= 1
        return result

    def switch_statement(self, node: syntax.Switch) -> Stmt:
        value = self.value(node.value)
        if not isinstance(value.type, Scalar) or not is_integer(value.type):
            raise Fault(value.at, f"switch needs an integer, but this is '{value.type}'", "use if ... else if")
        kind = promoted(value.type)
        cases: list[Case] = []
        self.switches += 1
        with self.scope():
            for case in node.cases:
                label = None if case.value is None else self.constant(case.value, "a case label")
                if any(known.value == label for known in cases):
                    raise Fault(case.at, f"a second {'default' if label is None else f'case {label}'}", "remove one")
                cases.append(Case(label, self.statements(case.body)))
        self.switches -= 1
        return Switch(node.at, convert(value, kind), cases)

    def jump(self, node: syntax.Jump) -> Stmt:
        if node.kind == "continue":
            if not self.loops:
                raise Fault(node.at, "continue outside of a loop", "use it inside for, while or do")
            return Continue(node.at)
        if not self.loops and not self.switches:
            raise Fault(node.at, "break outside of a loop or switch", "to leave the kernel, write return;")
        return Break(node.at)

    def return_statement(self, node: syntax.Return) -> Stmt:
        assert self.function is not None
        kind, name = self.function.return_type, self.function.name
        if node.value is None:
            if kind != VOID:
                raise Fault(node.at, f"'{name}' must return a value of type '{kind}'", "write return value;")
            return Return(node.at)
        value = self.value(node.value)
        if kind == VOID:
            what = "a kernel" if self.function.kind == "kernel" else f"'{name}'"
            raise Fault(node.at, f"{what} returns void, so return takes no value",
                        "write results to an array" if self.function.kind == "kernel" else "change its return type")
        return Return(node.at, implicit(value, kind, f"return value of '{name}'"))


_RULES: dict[type, Callable[[StatementChecker, Any], Stmt]] = {
    syntax.Evaluate: StatementChecker.evaluate,
    syntax.Compound: StatementChecker.compound,
    syntax.If: StatementChecker.if_statement,
    syntax.For: StatementChecker.for_statement,
    syntax.While: StatementChecker.while_statement,
    syntax.DoWhile: StatementChecker.do_statement,
    syntax.Switch: StatementChecker.switch_statement,
    syntax.Jump: StatementChecker.jump,
    syntax.Return: StatementChecker.return_statement,
}

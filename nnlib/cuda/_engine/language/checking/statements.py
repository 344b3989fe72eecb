"""Statements: every name in its block, every jump in its loop."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ..diagnostics import Fault, LikelyMistake, Unsupported
from ..exceptions import CatchClause, Throw, Try
from ..parsing.syntax import (
    ArrayOf,
    Braces,
    CallSyntax,
    Compound,
    Declaration,
    Declarator,
    DoWhileSyntax,
    Evaluate,
    ForEach,
    ForSyntax,
    FunctionDefinition,
    Identifier,
    IfSyntax,
    Infix,
    Jump,
    LabelSyntax,
    MemberAccess,
    Node,
    Number,
    Prefix,
    ReturnSyntax,
    Subscript,
    SwitchSyntax,
    ThrowSyntax,
    TrySyntax,
    TypeName,
)
from ..tree import (
    Binary,
    Block,
    Break,
    Continue,
    Declare,
    Expr,
    ExprStmt,
    Goto,
    If,
    Label,
    Literal,
    LoopStmt,
    Name,
    Return,
    Stmt,
    Switch,
    SwitchCase,
    Variable,
)
from ..types import AUTO, VOID, Array, Pointer, Scalar, Struct
from .declarations import DeclarationChecker
from .objects import address_of, chosen, decayed, is_lvalue, local_behind, named
from .values import convert, implicit, is_integer, promoted, wrap


class StatementChecker:
    """Checks statements: one method per kind of syntax, of the same name. declare: the method of the checker of functions."""

    declare: Callable[[FunctionDefinition], None]

    def __init__(self, declarations: DeclarationChecker) -> None:
        self.context, self.declarations, self.expressions = (
            declarations.context,
            declarations,
            declarations.expressions,
        )

    def statements(self, nodes: list[Node]) -> list[Stmt]:
        """Check a sequence in the current scope; one declaration can give several statements or none."""
        result: list[Stmt] = []
        for node in nodes:
            if isinstance(node, Declaration):
                result += self.declarations.local_declaration(node)
            elif isinstance(node, FunctionDefinition):
                self.declare(node)
            elif (rule := getattr(self, f"_{type(node).__name__}", None)) is not None:
                result.append(rule(node))
            else:
                self.declarations.without_variable(node)
        return result

    def body(self, node: Node) -> Stmt:
        """Check a statement in a scope of its own."""
        with self.context.block():
            found = self.statements([node])
            if not isinstance(node, Compound):
                self.context.unbraced |= dict.fromkeys(self.context.scopes[-1], node.at.line)
        return found[0] if len(found) == 1 else Block(node.at, found)

    def _Evaluate(self, node: Evaluate) -> Stmt:
        name = node.expression
        if isinstance(name, Identifier) and self.context.is_function(name.name):
            self.context.warn(
                node, LikelyMistake(f"this calls nothing: write ( ) behind {name.name}")
            )
            return Block(node.at, [])
        return ExprStmt(node.at, named(self.context, self._effect(node.expression)))

    def _effect(self, node: Node) -> Expr:
        """Check an expression that stands as a statement; warn where it changes nothing."""
        value = self.expressions.value(node)
        if isinstance(value, Binary) and value.op in ("==", "+", "-", "*", "/"):
            instead = (
                "== compares, and = assigns"
                if value.op == "=="
                else f"write {value.op}= to store the result"
            )
            self.context.warn(node, LikelyMistake(f"this changes nothing: {instead}"))
        return value

    def _Compound(self, node: Compound) -> Stmt:
        with self.context.block():
            return Block(node.at, self.statements(node.statements))

    def _IfSyntax(self, node: IfSyntax) -> Stmt:
        if node.constexpr:
            return self._if_constexpr(node)
        # The parser reads an else-if chain in a loop; so does this.
        first = last = self._branch(node)
        while isinstance(node.otherwise, IfSyntax) and not node.otherwise.constexpr:
            node = node.otherwise
            branch = self._branch(node)
            last.otherwise, last = branch, branch
        if node.otherwise is not None:
            last.otherwise = self.body(node.otherwise)
        return first

    def _branch(self, node: IfSyntax) -> If:
        """Check an if without its else."""
        if node.bare:
            self.context.warn(
                node,
                LikelyMistake(
                    "this if ends at the ; behind its condition, so what follows always "
                    "runs: remove it"
                ),
            )
        return If(node.at, self.expressions.condition(node.condition), self.body(node.then))

    def _if_constexpr(self, node: IfSyntax) -> Stmt:
        """Compile only the branch that is taken."""
        condition = self.expressions.condition(node.condition)
        if not isinstance(condition, Literal):
            raise Fault(
                condition,
                "the condition of if constexpr must be known when the kernel is compiled",
                "write if, without constexpr",
            )
        taken = node.then if condition.value else node.otherwise
        return Block(node.at, []) if taken is None else self.body(taken)

    def _ForSyntax(self, node: ForSyntax) -> Stmt:
        with self.context.block():
            init = self.statements([node.init]) if node.init else []
            condition = self.expressions.condition(node.condition) if node.condition else None
            step = self._effect(node.step) if node.step else None
            if node.bare:
                self.context.emptied |= dict.fromkeys(self.context.scopes[-1], node.at.line)
            return LoopStmt(node.at, init, condition, step, self._loop_body(node.body))

    def _ForEach(self, node: ForEach) -> Stmt:
        """Check for (T x : v), which counts over an array, or else walks from begin() to end()."""
        at, v = node.at, node.sequence
        if isinstance(v, Braces):
            return self._for_each_of(node, v)
        kind, counter = self.expressions.place(v).type, Identifier(at, "for each")

        def called(name: str) -> Node:
            return CallSyntax(v.at, MemberAccess(v.at, v, name, False), [])

        first: Node
        element: Node
        if isinstance(kind, Array):
            first, element = Number(at, "0"), Subscript(at, v, counter)
            condition = Infix(at, "<", counter, Number(at, str(kind.length)))
        elif isinstance(kind, Struct):
            first, element = called("begin"), Prefix(at, "*", counter)
            condition = Infix(at, "!=", counter, called("end"))
        else:
            raise Unsupported(
                v,
                f"for (x : ...) over '{kind}'",
                "count with an index: for (int i = 0; i < n; i++)",
            )
        begins = Declarator(at, counter.name, TypeName(at, "auto"), first)
        variable = replace(node.variable, initializer=element)
        return self._ForSyntax(
            ForSyntax(
                at,
                Declaration(at, frozenset(), [begins]),
                condition,
                Prefix(at, "++", counter),
                Compound(at, [Declaration(at, frozenset(), [variable]), node.body]),
            )
        )

    def _for_each_of(self, node: ForEach, values: Braces) -> Stmt:
        """Check for (int x : {1, 2, 4}), which walks over an array of the values."""
        at, name, kind = node.at, "list of for each", node.variable.type
        if not values.items:
            raise Fault(values, "this list has no elements", "write some")
        element = (
            TypeName(at, "decltype", arguments=[values.items[0]]) if kind.base == "auto" else kind
        )
        array = Declarator(
            at,
            name,
            replace(element, refers=False, derivations=[*element.derivations, ArrayOf(None)]),
            values,
        )
        with self.context.block():
            declared = self.statements([Declaration(at, frozenset(), [array])])
            return Block(
                at, [*declared, self._ForEach(replace(node, sequence=Identifier(at, name)))]
            )

    def _DoWhileSyntax(self, node: DoWhileSyntax) -> Stmt:
        body = self._loop_body(node.body)
        condition = self.expressions.condition(node.condition)
        return LoopStmt(node.at, [], condition, None, body, tests_first=False)

    def _loop_body(self, node: Node) -> Stmt:
        self.context.loops += 1
        result = self.body(node)
        self.context.loops -= 1
        return result

    def _SwitchSyntax(self, node: SwitchSyntax) -> Stmt:
        value = self.expressions.value(node.value)
        if not isinstance(value.type, Scalar) or not is_integer(value.type):
            raise Fault(
                value,
                f"switch needs an integer, but this is '{value.type}'",
                "use if ... else if",
            )
        kind = promoted(value.type)
        cases: list[SwitchCase] = []
        self.context.switches += 1
        with self.context.block():
            declared = self.statements(node.declarations)
            for statement in declared:
                if not isinstance(statement, Declare) or statement.initializer is not None:
                    raise Fault(
                        statement,
                        "no case leads to this statement",
                        "put a case before this statement",
                    )
            for case in node.cases:
                label = None
                if case.value is not None:
                    label = wrap(self.expressions.constant(case.value, "a case label"), kind)
                if any(known.value == label for known in cases):
                    raise Fault(
                        case,
                        f"a second {'default' if label is None else f'case {label}'}",
                        "remove one",
                    )
                cases.append(SwitchCase(label, self.statements(case.body)))
        self.context.switches -= 1
        switch = Switch(node.at, convert(value, kind), cases)
        return Block(node.at, [*declared, switch]) if declared else switch

    def _LabelSyntax(self, node: LabelSyntax) -> Stmt:
        if not self.context.on_host:
            raise Unsupported(node, "labels", "use a loop with break or continue")
        return Label(node.at, node.name)

    def _Jump(self, node: Jump) -> Stmt:
        if node.kind == "goto":
            if not self.context.on_host:
                raise Unsupported(node, "goto", "use a loop with break or continue")
            return Goto(node.at, node.label)
        if node.kind == "continue":
            if not self.context.loops:
                raise Fault(node, "continue outside of a loop", "use it inside for, while or do")
            return Continue(node.at)
        if not self.context.loops and not self.context.switches:
            raise Fault(
                node, "break outside of a loop or switch", "to leave the kernel, write return;"
            )
        return Break(node.at)

    def _ReturnSyntax(self, node: ReturnSyntax) -> Stmt:
        function = self.context.function
        assert function is not None
        kind, name = function.return_type, function.name
        if node.value is None:
            made = self.context.find("this")
            if isinstance(made, Variable) and made.type == kind:  # a constructor
                return Return(node.at, Name(node.at, kind, made))
            if kind not in (VOID, AUTO):
                raise Fault(
                    node, f"'{name}' must return a value of type '{kind}'", "write return value;"
                )
            return Return(node.at)
        if kind == VOID:
            called = self.expressions.value(node.value)
            if called.type == VOID:  # return f(x); where f returns nothing either
                return Block(node.at, [ExprStmt(node.at, called), Return(node.at)])
            what, hint = f"'{name}'", "change its return type"
            if function.kind == "kernel":
                what, hint = "a kernel", "write results to an array"
            raise Fault(
                node,
                f"{what} returns void, so return takes no value",
                hint if node.value.at.line == node.at.line else "end the return with ;",
            )
        what = f"return value of '{name}'"
        if isinstance(kind, Pointer) and function.refers:
            return Return(node.at, self._referred(node.value, kind, what))
        if isinstance(node.value, Braces):
            return Return(node.at, self.expressions.initializers.value(node.value, kind, what))
        value = self.expressions.value(node.value)
        if kind == AUTO:
            kind = function.return_type = value.type
        local = local_behind(value)
        if local is not None:
            raise Fault(
                value,
                f"'{local.name}' is gone when the function has returned",
                "return a value, or let the caller pass a pointer to a place of its own",
            )
        return Return(node.at, self.expressions.calls.implicit(value, kind, what))

    def _ThrowSyntax(self, node: ThrowSyntax) -> Stmt:
        self._needs_host(node)
        return Throw(
            node.at, None if node.value is None else decayed(self.expressions.value(node.value))
        )

    def _needs_host(self, node: Node) -> None:
        if self.context.function is None or self.context.function.kind != "host":
            raise Unsupported(node, "exceptions in a kernel", "write the error to an array")

    def _TrySyntax(self, node: TrySyntax) -> Stmt:
        self._needs_host(node)
        return Try(
            node.at, self.body(node.body), [self._handler(*handler) for handler in node.handlers]
        )

    def _handler(self, declarator: Declarator | None, body: Node) -> CatchClause:
        with self.context.block():
            if declarator is None:
                return CatchClause(body.at, None, None, False, self.body(body))
            at, name = declarator.at, declarator.name
            kind, const, reference = self.declarations.types.resolve(declarator.type)
            variable = None
            if name:
                variable = Variable(
                    name,
                    Pointer(kind, const) if reference else kind,
                    "local",
                    at,
                    const or reference,
                    refers=reference,
                )
                self.context.declare(at, name, variable)
            return CatchClause(at, kind, variable, reference, self.body(body))

    def _referred(self, node: Node, kind: Pointer, what: str) -> Expr:
        """Return the pointer that stands for the reference that a function returns."""
        place = chosen(self.expressions.place(node))
        if not is_lvalue(place) or place.type != kind.target:
            raise Fault(
                place,
                f"{what} is a reference and needs a variable of type '{kind.target}'",
                "return the value: remove the &",
            )
        if isinstance(place, Name) and place.variable.space == "local":
            raise Fault(
                place,
                f"'{place.variable.name}' is gone when the function has returned",
                "return the value: remove the &",
            )
        return implicit(address_of(node.at, place), kind, what)

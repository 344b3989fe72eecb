"""Member functions and constructors: their parameters, their bodies, where they are defined outside of the struct."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from nnlib.cuda.language.checking.functions import FunctionChecker
from nnlib.cuda.language.checking.symbols import Alias, Callee, Class, Overloads, Unavailable
from nnlib.cuda.language.checking.user_conversions import CONVERSION
from nnlib.cuda.language.diagnostics import Fault, Unsupported, did_you_mean
from nnlib.cuda.language.parsing import syntax
from nnlib.cuda.language.tree import (
    Assign,
    Build,
    Declare,
    Expr,
    ExprStmt,
    InitializerList,
    Member,
    Name,
    Return,
    Stmt,
    Variable,
)
from nnlib.cuda.language.types import Pointer, Struct


class MemberChecker:
    """Checks functions that belong to a struct."""

    def __init__(self, functions: FunctionChecker) -> None:
        self.context, self.functions = functions.context, functions
        self.initializers = functions.expressions.initializers

    def functions_of(self, owner: Class, nodes: list[syntax.FunctionDefinition]) -> None:
        """Declare them all, then check their bodies: they may call each other. Those of a template wait for a call."""
        waiting = [callee for node in nodes if (callee := self.declare(owner, node)) and callee.pending]
        for callee in waiting if owner.template is None else ():
            callee.check()

    def outside(self, node: syntax.FunctionDefinition) -> None:
        """The body of a function Point::length() outside of the struct."""
        name, _, function = node.name.rpartition("::")
        symbol = self.context.find(name)
        if not isinstance(symbol, Alias) or not isinstance(symbol.type, Struct):
            raise self.context.undeclared(node.at, name, "struct")
        owner = self.context.classes[symbol.type]
        inner = replace(node, name=function)
        if function == owner.struct.name.rpartition("::")[2]:
            inner.first = inner.first or []
        callee = self.declare(owner, inner)
        if callee is not None:
            callee.check()

    def declare(self, owner: Class, node: syntax.FunctionDefinition) -> Callee | None:
        """A member function's entry among the names; None if it does nothing or cannot be called."""
        if "friend" in node.marks:
            owner.friends.add(node.name)
            with self.context.within(owner):
                self.functions.function(node)
            return None
        if "default" in node.marks:
            owner.trivial |= node.first is not None and not node.parameters
            return None
        if "__host__" in node.marks and "__device__" not in node.marks and not self.context.whole:
            owner.scope.setdefault(node.name, Unavailable("functions of the host", "write __device__ before it"))
            return None
        if node.first is not None:
            return self._constructor(owner, node)
        if node.name.startswith("~") and not self.context.whole:
            raise Unsupported(node.at, "destructors", "call a function at the end of the block")
        with self.context.within(owner):
            result, references = self.functions.signature(node)
            if node.name == f"{CONVERSION}type":
                node.name = f"{CONVERSION}{result}"
            this = None
            if "static" not in node.marks:
                this = Variable("this", Pointer(owner.struct, node.const), "parameter", node.at, True)
            known = self._known(owner, node, this)
            if known is None:
                name = self.functions.free_name(f"{owner.struct.name}::{node.name}")
                known = self.functions.new_callee(node, name, result, references, this)
                known.formula = known.formula if this is None else None
                self._overloads(owner, node).callees.append(known)
            if node.name.startswith("~"):
                owner.destructor = known
        return self._to_check(owner, known, node, lambda: self.functions.define(known, node))

    def _to_check(self, owner: Class, callee: Callee, node: syntax.FunctionDefinition,
                  define: Callable[[], None]) -> Callee:
        """The callee, its body to be checked among the names of its struct."""
        def check() -> None:
            with self.context.within(owner):
                define()

        if node.body is not None:
            if callee.defined or callee.pending is not None:
                raise Fault(node.at, f"'{callee.function.name}' has a body already", "remove one of the two")
            callee.pending = check
        return callee

    def _overloads(self, owner: Class, node: syntax.FunctionDefinition) -> Overloads:
        symbol = owner.scope.setdefault(node.name, Overloads())
        if not isinstance(symbol, Overloads):
            raise Fault(node.at, f"'{node.name}' is already declared here", "choose another name")
        return symbol

    def _known(self, owner: Class, node: syntax.FunctionDefinition, this: Variable | None) -> Callee | None:
        """The function as it was declared before."""
        types = [variable.type for variable in self.functions.parameters(node)[0]]
        for callee in self._overloads(owner, node).callees:
            if [p.type for p in callee.parameters] == types and callee.const == node.const:
                if callee.defined and node.body is not None:
                    raise Fault(node.at, f"'{callee.function.name}' has a body already", "remove one of the two")
                return callee
        return None

    # --- constructors -----------------------------------------------------------------------

    def _constructor(self, owner: Class, node: syntax.FunctionDefinition) -> Callee | None:
        """A function that returns the struct. None: it only copies, or does nothing."""
        body = node.body
        if not node.parameters and body is not None and not (body.statements or node.first or owner.defaults):
            owner.trivial = True
            return None
        with self.context.within(owner):
            parameters, references = self.functions.parameters(node)
            types = [variable.type for variable in parameters]
            if len(types) == 1 and types[0] == Pointer(owner.struct, True) and references[0]:
                return self._copying(node)
            known = [callee for callee in owner.constructors.callees if [p.type for p in callee.parameters] == types]
            if not known:
                name = self.functions.free_name(f"{owner.struct.name}::{_own_name(owner)}")
                known = [self.functions.new_callee(node, name, owner.struct, references)]
                known[0].formula, known[0].returns_reference = None, False
                known[0].explicit = "explicit" in node.marks
                owner.constructors.callees += known
        return self._to_check(owner, known[0], node, lambda: self._define(owner, known[0], node))

    @staticmethod
    def _copying(node: syntax.FunctionDefinition) -> None:
        """Structs are copied member by member; a constructor that says so says nothing new."""
        for statement in node.body.statements if node.body else []:
            if not (isinstance(statement, syntax.Evaluate) and isinstance(statement.expression, syntax.Assignment)):
                raise Unsupported(statement.at, "constructors that do more than copy",
                                  "write a function with a name, and call it")

    def _define(self, owner: Class, callee: Callee, node: syntax.FunctionDefinition) -> None:
        """First values, then the body, on a variable `this` that is returned."""
        made = Variable("this", owner.struct, "local", node.at)
        self.functions.define(callee, node, made, lambda: self._first_values(owner, node, made))
        statements = callee.function.body.statements
        statements.append(Return(node.at, Name(node.at, owner.struct, made)))

    def _first_values(self, owner: Class, node: syntax.FunctionDefinition, made: Variable) -> list[Stmt]:
        at, struct = node.at, owner.struct
        given = dict(node.first or [])
        if _own_name(owner) in given:  # another constructor does it
            other = given[_own_name(owner)]
            assert isinstance(other, syntax.Braces)
            return [Declare(at, made, self.initializers.object(at, struct, other.items, True))]
        known = {field.name for field in struct.fields}
        for name, first in given.items():
            if name not in known:
                raise Fault(first.at, f"'{struct}' has no member '{name}'", did_you_mean(name, known)
                            or "write the name of a member")
        this: Expr = Name(at, struct, made)
        arrays: list[tuple[int, Expr]] = []
        result: list[Stmt] = []
        for field in struct.fields:
            declared = syntax.Declarator(at, field.name, node.result, given.get(field.name)
                                         or owner.defaults.get(field.name))
            value = self.initializers.initial(declared, field.type)
            if isinstance(value, InitializerList):
                arrays += [(field.offset + place, item) for place, item in value.items]
            elif value is not None:
                place = Member(at, field.type, this, field.name)
                result.append(ExprStmt(at, Assign(at, field.type, place, value)))
        lists = any(isinstance(first, syntax.Braces) and not first.direct for first in given.values())
        whole = Build(at, struct, InitializerList(arrays)) if arrays or lists else None
        return [Declare(at, made, whole), *result]


def _own_name(owner: Class) -> str:
    """Point of geometry::Point<float>: how its constructors are called."""
    return owner.struct.name.partition("<")[0].rpartition("::")[2]

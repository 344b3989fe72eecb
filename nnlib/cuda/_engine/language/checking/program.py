"""A whole program: declarations in order, functions with their bodies; then headers' functions placed at their calls.

What comes from a header has column 0. Each place that calls a function of a header gets a copy of it that stands
there: what it does is reported, and counted, at the line of the user's source.
"""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Mapping
from typing import Any

from ..diagnostics import Fault
from ..parsing.syntax import Declaration, FunctionDefinition, Identifier, Node, StructDefinition
from ..tree import (
    Call,
    Expr,
    Function,
    InitializerList,
    Position,
    Stmt,
    SwitchCase,
    TranslationUnit,
    Variable,
)
from ..walking import nodes_of
from .declarations import DeclarationChecker
from .expressions import ExpressionChecker
from .functions import FunctionChecker
from .initializers import Initial
from .names import Context, Overloads
from .objects import endings
from .statements import StatementChecker
from .templates import TemplateChecker


def place_headers(functions: dict[str, Function]) -> dict[str, Function]:
    """Return the functions of a program, with those of headers copied to each line that calls them."""
    placer = _Placer()
    for name, function in functions.items():
        if function.at.column or function.kind != "device":
            placer.result[name] = function
    if len(placer.result) == len(functions):
        return functions
    for function in list(placer.result.values()):
        function.body = placer.placed(function.body, None)
    return placer.result


def leave_to_host(functions: list[Function]) -> None:
    """Leave functions that call host functions to the host as well; kernels may not call them."""
    callers = [
        (function, list(nodes_of(Call, function.body)))
        for function in functions
        if function.kind != "host"
    ]
    changed = True
    while changed:
        changed = False
        for function, calls in callers:
            wrong = next(
                (call for call in calls if call.function.kind in ("host", "library")), None
            )
            if wrong is None or function.kind == "host":
                continue
            if function.kind != "both":
                raise Fault(
                    wrong,
                    f"'{wrong.function.name}' uses functions of the host, so a kernel cannot call it",
                    "write __device__ before those, or __host__ __device__ for both sides",
                )
            function.kind, changed = "host", True


class _Placer:
    def __init__(self) -> None:
        self.result: dict[str, Function] = {}

    def placed(self, item: Any, at: Position | None) -> Any:
        """Copy a part of a tree to this position. None: it keeps its own, except for calls into headers."""
        if isinstance(item, list | tuple):
            return type(item)(self.placed(part, at) for part in item)
        if not isinstance(item, Expr | Stmt | SwitchCase | InitializerList):
            return item
        new = copy.copy(item)
        for name, value in vars(item).items():
            if name not in ("at", "type", "function"):
                setattr(new, name, self.placed(value, at))
        if at is not None and isinstance(new, Expr | Stmt):
            new.at = at
        if isinstance(new, Call) and not new.function.at.column and new.function.kind == "device":
            new.function = self._copy(new.function, new.at)
        return new

    def _copy(self, function: Function, at: Position) -> Function:
        name = f"{function.name}@{at.line}"
        if name not in self.result:
            made = self.result[name] = dataclasses.replace(function, name=name)
            made.body = self.placed(function.body, at)
        return self.result[name]


class ProgramChecker:
    """Connects the checkers: each is given those that it asks.

    whole: the program has a host side. cpp20: what only C++20 has is allowed.
    """

    def __init__(self, whole: bool, cpp20: bool) -> None:
        self.context = Context(whole, cpp20)
        expressions = ExpressionChecker(self.context)
        self.declarations = DeclarationChecker(expressions)
        self.functions = FunctionChecker(StatementChecker(self.declarations))
        structs = self.declarations.structs
        self.templates = TemplateChecker(self.functions, structs)
        structs.functions_of = self.functions.functions_of
        # A call, or a type, may need what a template has not become yet.
        expressions.calls.instantiate = self.templates.instances
        expressions.types.instance = self.templates.struct
        expressions.closure = structs.closure
        self.globals: dict[str, tuple[Variable, Initial]] = {}

    def program(
        self, text: str, nodes: list[Node], file: str, names: Mapping[str, Identifier]
    ) -> TranslationUnit:
        """Check the nodes, which come from `text`, in their order."""
        for node in nodes:
            match node:
                case FunctionDefinition(template=[], special=None):
                    # Our headers name CUDA's functions in full
                    if "::" in node.name and node.at.column:
                        self.functions.member_outside(node)
                    else:
                        self.functions.function(node)
                case StructDefinition() if node.template or node.special is not None:
                    self.templates.remember_struct(node)
                case FunctionDefinition(template=[]):
                    self.templates.specialise(node)
                case FunctionDefinition():
                    self.templates.remember(node)
                case Declaration():
                    for variable, initial in self.declarations.global_declaration(node):
                        known = self.globals.get(variable.name, (variable, None))[1]
                        self.globals[variable.name] = (
                            variable,
                            known if initial is None else initial,
                        )
                case _:
                    self.declarations.without_variable(node)
        named = {
            written: self.templates.named(node).function.name for written, node in names.items()
        }
        self.templates.define_waiting()
        self._find_destructors()
        self._all_defined()
        if self.context.left_to_host:
            leave_to_host(list(self.functions.functions.values()))
        self.context.warnings.sort(key=lambda warning: (warning[0].line, warning[0].column))
        functions = place_headers(self.functions.functions)
        return TranslationUnit(text, file, functions, self.globals, self.context.warnings, named)

    def _find_destructors(self) -> None:
        """Find what delete does with a pointer to a base whose destructor is virtual."""
        for node, base in self.context.deleted:
            node.kinds = {
                self.context.number_of(struct): endings(self.context, struct)
                for struct in (owner.struct for owner in self.context.classes.values())
                if struct is base or struct.derives_from(base)
            }

    def _all_defined(self) -> None:
        for name, variable in self.declarations.promised.items() if self.context.whole else ():
            raise Fault(
                variable,
                f"'{name}' is extern, but no file of the program defines it",
                "define it in one",
            )
        classes = self.context.classes.values()
        scopes = [self.context.scopes[0], *(owner.scope for owner in classes)]
        for symbol in [
            *(symbol for scope in scopes for symbol in scope.values()),
            *(c.constructors for c in classes),
        ]:
            for callee in symbol.callees if isinstance(symbol, Overloads) else []:
                known = callee.function.kind == "library" or callee.defined
                if not known and callee.used:
                    name, _, _ = callee.function.name.partition("#")
                    raise Fault(
                        callee.function,
                        f"'{name}' is declared but has no body",
                        "write its body: { ... }",
                    )

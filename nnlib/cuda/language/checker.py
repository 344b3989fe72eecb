"""A whole program: declarations in order, functions with their bodies."""

from __future__ import annotations

from . import syntax
from .check_declarations import MAX_SHARED
from .check_statements import StatementChecker
from .messages import Fault, unsupported
from .scope import Callee, Reference
from .tree import Block, Expr, Function, InitializerList, Program, Variable
from .types import VOID, Array, Pointer, Type, size_of


def check(text: str, nodes: list[syntax.Node]) -> Program:
    """The checked program. Raises Fault for what does not fit."""
    return Checker(text).program(nodes)


class Checker(StatementChecker):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.functions: dict[str, Function] = {}
        self.globals: dict[str, tuple[Variable, Expr | InitializerList | None]] = {}
        self.source = text

    def program(self, nodes: list[syntax.Node]) -> Program:
        for node in nodes:
            match node:
                case syntax.FunctionDefinition():
                    self._function(node)
                case syntax.Declaration():
                    for variable, initial in self.global_declaration(node):
                        self.globals[variable.name] = (variable, initial)
                case syntax.Enumeration():
                    self.enumeration(node)
                case syntax.StaticAssert():
                    self.static_assertion(node)
        for symbol in self.scopes[0].values():
            for callee in symbol if isinstance(symbol, list) else []:
                if not callee.defined:
                    raise Fault(callee.function.at, f"'{callee.function.name}' is declared but has no body",
                                "write its body: { ... }")
        self.warnings.sort(key=lambda warning: (warning[0].line, warning[0].column))
        return Program(self.source, self.functions, self.globals, self.warnings)

    def _function(self, node: syntax.FunctionDefinition) -> None:
        callee = self._callee(node)
        if node.body is None:
            return
        if callee.defined:
            raise Fault(node.at, f"'{node.name}' has a body already", "remove one of the two")
        callee.defined = True
        function = callee.function
        if node.bounds is not None:
            function.max_threads = self.constant(node.bounds, "__launch_bounds__")
        self.function = function
        with self.scope():
            function.parameters = self._parameters(node)
            for variable, reference in zip(function.parameters, callee.references, strict=True):
                if variable.name:
                    self.declare(variable.at, variable.name, Reference(variable) if reference else variable)
            assert node.body is not None
            function.body = Block(node.body.at, self.statements(node.body.statements))
        self.function = None
        total = sum(size_of(variable.type) for variable in function.shared)
        if total > MAX_SHARED:
            raise Fault(node.at, f"'{node.name}' declares {total:,} bytes of shared memory; a block can declare "
                        f"{MAX_SHARED:,}", "make the arrays smaller, or use extern __shared__ and shared_mem=")
        self.functions[function.name] = function

    def _callee(self, node: syntax.FunctionDefinition) -> Callee:
        """The function's entry among the names: of an earlier declaration, or a new one."""
        kernel, device = "__global__" in node.marks, "__device__" in node.marks
        if not kernel and not device:
            if "__host__" in node.marks:
                raise Fault(node.at, f"'{node.name}' is a function of the host", "write __device__ before it")
            self.warn_unmarked(node.at, node.name)
        if kernel and device:
            raise Fault(node.at, f"'{node.name}' cannot be both __global__ and __device__",
                        "__global__ is launched from Python, __device__ is called from kernels")
        for mark in sorted(node.marks & {"__shared__", "__constant__", "typedef", "register", "__grid_constant__"}):
            raise Fault(node.at, f"{mark} does not go with a function", "remove it")
        result, _, reference = self.type_of(node.result)
        if kernel and result != VOID:
            raise Fault(node.result.at, f"a kernel must return void, but '{node.name}' returns '{result}'",
                        "write results to an array that is passed as an argument")
        if reference or isinstance(result, Array):
            raise unsupported(node.result.at, "returning a reference", "return the value or a pointer")
        references = [self._is_reference(parameter) for parameter in node.parameters]
        if kernel and any(references):
            parameter = node.parameters[references.index(True)]
            raise Fault(parameter.at, f"a kernel's parameter '{parameter.name}' cannot be a reference", "use a pointer")
        types = [variable.type for variable in self._parameters(node)]
        symbol = self.scopes[0].setdefault(node.name, [])
        if not isinstance(symbol, list):
            raise Fault(node.at, f"'{node.name}' is already declared here", "choose another name")
        for known in symbol:
            if [p.type for p in known.function.parameters] == types and known.references == references:
                return self._redeclared(node, known, result)
        if symbol and (kernel or node.extern_c):
            raise Fault(node.at, f"'{node.name}' is already declared, with other parameters", "choose another name")
        name = node.name if not symbol else f"{node.name}#{len(symbol) + 1}"
        function = Function(name, "kernel" if kernel else "device", result, self._parameters(node),
                            Block(node.at, []), node.at, extern_c=node.extern_c)
        defaults = [parameter.initializer for parameter in node.parameters]
        if kernel and any(defaults):
            raise unsupported(node.at, "default values of a kernel's parameters", "pass all arguments")
        callee = Callee(function, references, defaults)
        symbol.append(callee)
        return callee

    @staticmethod
    def _redeclared(node: syntax.FunctionDefinition, known: Callee, result: Type) -> Callee:
        if known.function.return_type != result:
            raise Fault(node.at, f"'{node.name}' returned '{known.function.return_type}' in its first declaration",
                        "both must agree")
        if known.defined and node.body is not None:
            raise Fault(node.at, f"'{node.name}' has a body already", "remove one of the two")
        known.function.extern_c |= node.extern_c
        return known

    def _is_reference(self, parameter: syntax.Declarator) -> bool:
        """const T& is passed by value, which nobody can tell apart."""
        kind, const, reference = self.type_of(parameter.type)
        return reference and (not const or isinstance(kind, Array))

    def _parameters(self, node: syntax.FunctionDefinition) -> list[Variable]:
        result: list[Variable] = []
        for parameter in node.parameters:
            kind, const, reference = self.type_of(parameter.type)
            if kind == VOID:
                raise Fault(parameter.at, f"parameter '{parameter.name}' cannot be void", "write a type such as float*")
            if reference and self._is_reference(parameter):
                kind, const = Pointer(kind, const), True
            elif isinstance(kind, Array):
                kind, const = Pointer(kind.element, const), False
            result.append(Variable(parameter.name, kind, "parameter", parameter.at, const))
        return result



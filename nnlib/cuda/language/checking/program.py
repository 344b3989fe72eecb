"""A whole program: declarations in order, functions with their bodies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from nnlib.cuda.language.checking.calls import check_count, decayed, is_const
from nnlib.cuda.language.checking.conversions import convert
from nnlib.cuda.language.checking.scope import Alias, Callee, Reference, Symbol, Template
from nnlib.cuda.language.checking.statements import StatementChecker
from nnlib.cuda.language.diagnostics import Fault, Unsupported
from nnlib.cuda.language.parsing import syntax
from nnlib.cuda.language.tree import Block, Expr, Function, InitializerList, Literal, Position, Program, Variable
from nnlib.cuda.language.types import VOID, Array, Pointer, Type, size_of
from nnlib.cuda.limits import STATIC_SHARED

MAX_INSTANCES = 64  # of one template


def check(text: str, nodes: list[syntax.Node], file: str) -> Program:
    """The checked program. Raises Fault for what does not fit."""
    return Checker(text, file).program(nodes)


class Checker(StatementChecker):
    def __init__(self, text: str, file: str) -> None:
        super().__init__()
        self.functions: dict[str, Function] = {}
        self.globals: dict[str, tuple[Variable, Expr | InitializerList | None]] = {}
        self.source, self.file = text, file

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
        return Program(self.source, self.file, self.functions, self.globals, self.warnings)

    def _function(self, node: syntax.FunctionDefinition) -> None:
        if node.template:
            self._template(node)
            return
        callee = self._callee(node)
        if node.body is None:
            return
        if callee.defined:
            raise Fault(node.at, f"'{node.name}' has a body already", "remove one of the two")
        self._define(callee, node)

    def _define(self, callee: Callee, node: syntax.FunctionDefinition) -> None:
        """Check the body of a function."""
        callee.defined = True
        function = callee.function
        if node.bounds is not None:
            function.max_threads = self.constant(node.bounds, "__launch_bounds__")
        caller, self.function = self.function, function
        with self.scope():
            function.parameters = self._parameters(node)
            for variable, reference in zip(function.parameters, callee.references, strict=True):
                if variable.name:
                    self.declare(variable.at, variable.name, Reference(variable) if reference else variable)
            assert node.body is not None
            function.body = Block(node.body.at, self.statements(node.body.statements))
        self.function = caller
        total = sum(size_of(variable.type) for variable in function.shared)
        if total > STATIC_SHARED:
            raise Fault(node.at, f"'{node.name}' declares {total:,} bytes of shared memory; a block can declare "
                        f"{STATIC_SHARED:,}", "make the arrays smaller, or use extern __shared__ and shared_mem=")
        self.functions[function.name] = function

    def _signature(self, node: syntax.FunctionDefinition) -> tuple[Type, list[bool]]:
        """What it returns, and which of its parameters are references."""
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
            raise Unsupported(node.result.at, "returning a reference", "return the value or a pointer")
        references = [self._is_reference(parameter) for parameter in node.parameters]
        if kernel and any(references):
            parameter = node.parameters[references.index(True)]
            raise Fault(parameter.at, f"a kernel's parameter '{parameter.name}' cannot be a reference", "use a pointer")
        return result, references

    def _callee(self, node: syntax.FunctionDefinition) -> Callee:
        """The function's entry among the names: of an earlier declaration, or a new one."""
        result, references = self._signature(node)
        types = [variable.type for variable in self._parameters(node)]
        symbol = self.scopes[0].setdefault(node.name, [])
        if not isinstance(symbol, list):
            raise Fault(node.at, f"'{node.name}' is already declared here", "choose another name")
        for known in symbol:
            if [p.type for p in known.function.parameters] == types and known.references == references:
                return self._redeclared(node, known, result)
        if symbol and ("__global__" in node.marks or node.extern_c):
            raise Fault(node.at, f"'{node.name}' is already declared, with other parameters", "choose another name")
        name = node.name if not symbol else f"{node.name}#{len(symbol) + 1}"
        symbol.append(self._new_callee(node, name, result, references))
        return symbol[-1]

    def _new_callee(self, node: syntax.FunctionDefinition, name: str, result: Type, references: list[bool]) -> Callee:
        kernel = "__global__" in node.marks
        function = Function(name, "kernel" if kernel else "device", result, self._parameters(node),
                            Block(node.at, []), node.at, extern_c=node.extern_c)
        defaults = [parameter.initializer for parameter in node.parameters]
        if kernel and any(defaults):
            raise Unsupported(node.at, "default values of a kernel's parameters", "pass all arguments")
        body = node.body.statements if node.body and "constexpr" in node.marks else []
        formula = body[0].value if len(body) == 1 and isinstance(body[0], syntax.Return) else None
        return Callee(function, references, defaults, formula)

    def known_value(self, callee: Callee, arguments: list[Expr]) -> Literal | None:
        """Of a constexpr function whose arguments are known; recursion is left to run time."""
        values = [argument for argument in arguments if isinstance(argument, Literal)]
        if callee.formula is None or len(values) < len(arguments):
            return None
        names = [parameter.name for parameter in callee.function.parameters]
        formula, callee.formula = callee.formula, None
        with self._only(dict(zip(names, values, strict=True))):
            value = convert(self.value(formula), callee.function.return_type)
        callee.formula = formula
        return value if isinstance(value, Literal) else None

    @contextmanager
    def _only(self, names: Mapping[str, Symbol]) -> Iterator[None]:
        """No names but those outside of functions, and these."""
        saved = self.scopes, self.loops, self.switches
        self.scopes, self.loops, self.switches = [self.scopes[0], {**names}], 0, 0
        try:
            yield
        finally:
            self.scopes, self.loops, self.switches = saved

    # --- templates ------------------------------------------------------------------------

    def _template(self, node: syntax.FunctionDefinition) -> None:
        """Remember it; its body is checked for each set of template arguments it is called with."""
        if "__global__" in node.marks:
            raise Unsupported(node.at, "kernels that are templates", "make it __device__, and call it from an extern "
                              f'"C" __global__ kernel: {node.name}<...>(...)')
        if node.body is not None:
            self.templates.setdefault(node.name, []).append(Template(node))

    def instances(self, node: syntax.Apply, arguments: list[Expr], others: bool) -> list[Callee]:
        """The functions that the templates of this name become for the call. others: there are plain ones, too."""
        result: list[Callee] = []
        faults: list[Fault] = []
        for template in self.templates.get(node.name, []):
            try:
                names = self._template_arguments(template.node, node, arguments)
            except Fault as fault:  # this one is not meant
                faults.append(fault)
            else:
                result.append(self._instance(node.at, template, names))
        if faults and not result and not others:
            raise faults[0]
        return result

    def _template_arguments(self, template: syntax.FunctionDefinition, call: syntax.Apply,
                            arguments: list[Expr]) -> dict[str, Alias | Literal]:
        """What stands for each template parameter: as written in <...>, as the arguments tell, or the default."""
        least = sum(parameter.initializer is None for parameter in template.parameters)
        check_count(call.at, template.name, len(arguments), least, len(template.parameters),
                    [parameter.name for parameter in template.parameters])
        if len(call.template_arguments) > len(template.template):
            raise Fault(call.at, f"the template '{template.name}' has {len(template.template)} parameter(s), but "
                        f"{len(call.template_arguments)} arguments given in <...>", "remove the surplus")
        found: dict[str, Alias | Literal] = {}
        for parameter, given in zip(template.template, call.template_arguments, strict=False):
            found[parameter.name] = self._template_argument(parameter, given)
        open_types = {p.name for p in template.template if p.type is None} - found.keys()
        for variable, argument in zip(template.parameters, arguments, strict=False):
            name, kind = variable.type.base, deduced(variable.type, argument)
            if name not in open_types or kind is None:
                continue
            first = found.setdefault(name, kind)
            if first != kind:
                raise Fault(call.at, f"'{name}' of {template.name} cannot be '{first.type}' and '{kind.type}' at once",
                            f"convert an argument, or write {template.name}<{kind.type}>(...)")
        for parameter in template.template:
            if parameter.name not in found and parameter.default is not None:
                found[parameter.name] = self._template_argument(parameter, parameter.default)
            elif parameter.name not in found:
                raise Fault(call.at, f"what '{parameter.name}' of {template.name} is cannot be told from the arguments",
                            f"write {template.name}<...>(...)")
        return {parameter.name: found[parameter.name] for parameter in template.template}

    def _template_argument(self, parameter: syntax.TemplateParameter, given: syntax.Node) -> Alias | Literal:
        if parameter.type is None and isinstance(given, syntax.TypeName):
            kind, const, _ = self.type_of(given)
            return Alias(kind, const)
        if parameter.type is None or isinstance(given, syntax.TypeName):
            raise Fault(given.at, f"'{parameter.name}' stands for a {'type' if parameter.type is None else 'value'}",
                        "write template arguments in the order of the template's parameters")
        value = convert(self.value(given), self.type_of(parameter.type)[0])
        if not isinstance(value, Literal):
            raise Fault(given.at, f"the value of '{parameter.name}' must be known when the kernel is compiled",
                        "use a number, a #define, or const int with a constant value")
        return value

    def _instance(self, at: Position, template: Template, names: dict[str, Alias | Literal]) -> Callee:
        written = tuple(f"{'const ' * meant.const}{meant.type}" if isinstance(meant, Alias) else str(meant.value)
                        for meant in names.values())
        if written in template.made:
            return template.made[written]
        if len(template.made) >= MAX_INSTANCES:
            raise Unsupported(at, f"a template with more than {MAX_INSTANCES} sets of arguments",
                              "end the recursion of a template with if constexpr")
        with self._only(names):
            result, references = self._signature(template.node)
            others = self.templates[template.node.name].index(template)
            name = f"{template.node.name}<{', '.join(written)}>" + f"#{others + 1}" * (others > 0)
            callee = template.made[written] = self._new_callee(template.node, name, result, references)
            callee.formula = None  # its names are those of this instance
            self._define(callee, template.node)
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


def deduced(pattern: syntax.TypeName, argument: Expr) -> Alias | None:
    """What T is, given that the argument's type is T, T*, const T&, ...; None if it has not that form."""
    kind, const = decayed(argument).type, False
    for derivation in reversed(pattern.derivations):
        if isinstance(derivation, syntax.ReferenceTo):
            const = is_const(argument)
        elif isinstance(kind, Pointer):
            const, kind = kind.const, kind.target
        else:
            return None
    return Alias(kind, const and not pattern.const)

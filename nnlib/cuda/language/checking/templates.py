"""Function templates: for which arguments, and the functions they become."""

from __future__ import annotations

from nnlib.cuda.language.checking.conversions import convert
from nnlib.cuda.language.checking.functions import FunctionChecker
from nnlib.cuda.language.checking.lvalues import decayed, is_const
from nnlib.cuda.language.checking.overloads import check_count
from nnlib.cuda.language.checking.symbols import Alias, Callee, Template
from nnlib.cuda.language.diagnostics import Fault, Unsupported
from nnlib.cuda.language.parsing import syntax
from nnlib.cuda.language.tree import Expr, Literal, Position
from nnlib.cuda.language.types import Pointer

MAX_INSTANCES = 64  # of one template


class TemplateChecker:
    """Makes functions of templates."""

    def __init__(self, functions: FunctionChecker) -> None:
        self.context, self.functions = functions.context, functions
        self.expressions, self.types = functions.expressions, functions.types

    def remember(self, node: syntax.FunctionDefinition) -> None:
        """A template; its body is checked for each set of template arguments it is called with."""
        if "__global__" in node.marks:
            raise Unsupported(node.at, "kernels that are templates", "make it __device__, and call it from an extern "
                              f'"C" __global__ kernel: {node.name}<...>(...)')
        if node.body is not None:
            self.functions.overloads(node).templates.append(Template(node))

    def instances(self, node: syntax.Apply, templates: list[Template], arguments: list[Expr],
                  others: bool) -> list[Callee]:
        """The functions that the templates become for the call. others: there are plain ones of the name, too."""
        result: list[Callee] = []
        faults: list[Fault] = []
        for template in templates:
            try:
                names = self._template_arguments(template.node, node, arguments)
            except Fault as fault:  # this one is not meant
                faults.append(fault)
            else:
                result.append(self._instance(node.at, template, templates.index(template), names))
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
            kind, const, _ = self.types.resolve(given)
            return Alias(kind, const)
        if parameter.type is None or isinstance(given, syntax.TypeName):
            raise Fault(given.at, f"'{parameter.name}' stands for a {'type' if parameter.type is None else 'value'}",
                        "write template arguments in the order of the template's parameters")
        value = convert(self.expressions.value(given), self.types.resolve(parameter.type)[0])
        if not isinstance(value, Literal):
            raise Fault(given.at, f"the value of '{parameter.name}' must be known when the kernel is compiled",
                        "use a number, a #define, or const int with a constant value")
        return value

    def _instance(self, at: Position, template: Template, number: int, names: dict[str, Alias | Literal]) -> Callee:
        written = tuple(f"{'const ' * meant.const}{meant.type}" if isinstance(meant, Alias) else str(meant.value)
                        for meant in names.values())
        if written in template.made:
            return template.made[written]
        if len(template.made) >= MAX_INSTANCES:
            raise Unsupported(at, f"a template with more than {MAX_INSTANCES} sets of arguments",
                              "end the recursion of a template with if constexpr")
        with self.context.alone(names):
            result, references = self.functions.signature(template.node)
            name = f"{template.node.name}<{', '.join(written)}>" + f"#{number + 1}" * (number > 0)
            callee = template.made[written] = self.functions.new_callee(template.node, name, result, references)
            callee.formula = None  # its names are those of this instance
            self.functions.define(callee, template.node)
        return callee


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

"""Templates of functions and structs: for which arguments, and what they become."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager

from ..diagnostics import Fault, Unsupported
from ..parsing.syntax import (
    ArrayOf,
    FunctionDefinition,
    Identifier,
    Node,
    PointerTo,
    Scoped,
    StructDefinition,
    TemplateParameter,
    TypeName,
)
from ..tree import Expr, Literal, Located, Position
from ..types import AUTO, BOOL, ULONG, Array, FunctionName, Pointer, Struct, Type
from .functions import FunctionChecker
from .intrinsics import check_count
from .names import (
    Alias,
    Callee,
    Class,
    ClassTemplate,
    Overloads,
    Template,
)
from .objects import decayed, is_const, place_of
from .overloads import need_addresses
from .structs import StructChecker
from .values import convert, not_constant

Meaning = Alias | Literal | Overloads | ClassTemplate  # of a template parameter

MAX_INSTANCES = 64  # of one template


class TemplateChecker:
    """Makes functions and structs of templates."""

    def __init__(self, functions: FunctionChecker, structs: StructChecker) -> None:
        self.context, self.functions, self.structs = functions.context, functions, structs
        self.expressions, self.types = functions.expressions, functions.types
        self._waiting: list[
            tuple[Position, Template, Callee, dict[str, Meaning]]
        ] = []  # for a body further down

    def remember(self, node: FunctionDefinition) -> None:
        """Remember a template, whose body is checked for each set of template arguments it is called with."""
        templates = self.functions.overloads(node).templates
        for known in list(templates):
            if len(known.node.parameters) != len(node.parameters):
                continue
            if node.at.column and not known.node.at.column:
                templates.remove(known)  # of a header: the text has its own
            elif None in (known.node.body, node.body) and (
                [p.name for p in known.node.template] == [p.name for p in node.template]
            ):
                known.node = known.node if node.body is None else node
                return
        templates.append(Template(node))

    def specialise(self, node: FunctionDefinition) -> None:
        """Check template <> T f<int>(...): the body of a template for these arguments."""
        templates, faults = self.functions.overloads(node).templates, []
        arguments = [place_of(p.at, p) for p in self.functions.parameters(node)]
        for number, template in enumerate(templates):
            call = Identifier(node.at, node.name, node.special or [])
            try:
                names = self._template_arguments(template.node, call, arguments)
            except Fault as fault:
                faults.append(fault)
                continue
            with self.context.alone(names):
                wanted = self._types(template.node)
            if wanted == self._types(node):
                self._make(template, number, names, node)
                return
            faults.append(
                Fault(
                    node,
                    f"'{node.name}' has other types here than its template would have",
                    "write the types that follow from the template arguments",
                )
            )
        raise (
            faults[0]
            if faults
            else Fault(node, f"'{node.name}' is no template", "remove template <>")
        )

    def _types(self, node: FunctionDefinition) -> tuple[Type, list[Type]]:
        """Return what a function returns, and the types that it takes."""
        result = AUTO if node.result.base == "auto" else self.types.resolve(node.result)[0]
        return result, [variable.type for variable in self.functions.parameters(node)]

    def named(self, node: Identifier) -> Callee:
        """Return the kernel that a name expression means."""
        symbol = self.context.find(node.name)
        if not isinstance(symbol, Overloads):
            raise self.context.undeclared(node, node.name, "kernel")
        found = [callee for callee in symbol.callees if callee.function.kind == "kernel"]
        if node.template_arguments or not found:
            found = self.instances(node, symbol.templates, None, False)
        if len(found) != 1 or found[0].function.kind != "kernel":
            raise Fault(
                node,
                f"'{node.name}' names no kernel"
                if not found
                else f"'{node.name}' is not one kernel",
                "write the name of one __global__ function, with all template arguments",
            )
        return found[0]

    def instances(
        self,
        node: Identifier,
        templates: list[Template],
        arguments: list[Expr] | None,
        others: bool,
    ) -> list[Callee]:
        """Return the functions that the templates become for a call.

        others: there are plain functions of the name, too. arguments is None where nothing is called, as in a name expression.
        """
        faults: list[Fault] = []
        found: list[tuple[Template, dict[str, Meaning], list[Type]]] = []
        for template in templates:
            try:
                names = self._template_arguments(template.node, node, arguments)
                with self.context.within(template.owner, names):
                    kinds = self._types(template.node)[1]
            except Fault as fault:  # this one is not meant
                faults.append(fault)
            else:
                found.append((template, names, kinds))
        if faults and not found and not others:
            raise faults[0]
        result: list[Callee] = []
        for template, names, kinds in found:
            if not any(
                same == kinds and _detail(other) > _detail(template) for other, _, same in found
            ):
                result.append(self._instance(node.at, template, templates.index(template), names))
        return result

    def _template_arguments(
        self,
        template: FunctionDefinition,
        call: Identifier,
        arguments: list[Expr] | None,
    ) -> dict[str, Meaning]:
        """Find each template argument: written in <...>, deduced from the arguments, or the default.

        arguments is None where nothing is called, as in a name expression.
        """
        least = sum(parameter.initializer is None for parameter in template.parameters)
        if arguments is not None:
            names = [parameter.name for parameter in template.parameters]
            check_count(call, template.name, arguments, least, names)
        found = self.given(call, template, call.template_arguments)
        open_names = {p.name for p in template.template} - found.keys()
        told = [
            (name, kind)
            for variable, argument in zip(template.parameters, arguments or [], strict=False)
            for name, kind in self._told(variable.type, argument, open_names, found)
            if name in open_names
        ]
        for name, kind in told:
            first = found.setdefault(name, kind)
            if isinstance(first, Alias | Literal) and not _same(first, kind):
                raise Fault(
                    call,
                    f"'{name}' of {template.name} cannot be '{_as_written(first)}' and "
                    f"'{_as_written(kind)}' at once",
                    f"convert an argument, or write {template.name}<{_as_written(kind)}>(...)",
                )
        for parameter in template.template:
            if parameter.name not in found and parameter.default is None:
                need_addresses(parameter.name, template, arguments or [])
                raise Fault(
                    call,
                    f"what '{parameter.name}' of {template.name} is cannot be told from the arguments",
                    f"write {template.name}<...>(...)",
                )
        return self.completed(template, found)

    def given(
        self, where: Located, template: FunctionDefinition | StructDefinition, given: list[Node]
    ) -> dict[str, Meaning]:
        """Return the meanings of the template's first parameters, which are written in <...>."""
        if len(given) > len(template.template):
            raise Fault(
                where,
                f"the template '{template.name}' has {len(template.template)} parameter(s), but "
                f"{len(given)} arguments given in <...>",
                "remove the surplus",
            )
        found: dict[str, Meaning] = {}
        for parameter, argument in zip(template.template, given, strict=False):
            found[parameter.name] = self.template_argument(parameter, argument, found)
        return found

    def completed(
        self, template: FunctionDefinition | StructDefinition, found: dict[str, Meaning]
    ) -> dict[str, Meaning]:
        """Return the meanings of all parameters, in their order: those found, and the defaults of the others."""
        for parameter in template.template:
            if parameter.name not in found and parameter.default is not None:
                with self.context.alone(found):
                    found[parameter.name] = self.template_argument(
                        parameter, parameter.default, found
                    )
        return {parameter.name: found[parameter.name] for parameter in template.template}

    def _told(
        self, pattern: TypeName, argument: Expr, wanted: set[str], given: Collection[str]
    ) -> Iterator[tuple[str, Meaning]]:
        """Deduce template arguments from the argument for a parameter of that type; yield each wanted name and its meaning.

        given: names that are known already. Raises Fault where a parameter A<T> gets an argument that is no A<...>.
        """
        kind, lengths = deduced(pattern, argument)
        if kind is None:
            return
        yield from lengths.items()
        if not pattern.arguments:
            yield pattern.base, kind
        arguments = self.arguments_of(kind.type, pattern.base)
        if arguments is None:
            if any(
                isinstance(inner, TypeName) and inner.base in wanted for inner in pattern.arguments
            ):
                raise Fault(
                    argument,
                    f"'{kind.type}' is no {pattern.base}<...>",
                    "write the template's arguments",
                )
            return
        for inner, meant in zip(pattern.arguments, arguments, strict=False):
            if (
                isinstance(inner, TypeName)
                and isinstance(meant, Alias)
                and inner.base not in given
                and (
                    inner.base not in wanted and self.types.resolve(inner.plain())[0] != meant.type
                )
            ):
                raise Fault(
                    argument,
                    f"'{kind.type}' is no {pattern.base}<{inner.base}, ...>",
                    "pass the arguments in the function's order",
                )
            if isinstance(inner, TypeName | Identifier):
                yield inner.base if isinstance(inner, TypeName) else inner.name, meant

    def arguments_of(self, kind: Type, name: str) -> Sequence[Meaning] | None:
        """Return the template arguments of a struct, if it was made from the template of that name."""
        owner = self.context.classes.get(kind)
        if owner is None or owner.template is None or owner.template.node.name != name:
            return None
        return owner.arguments

    def template_argument(
        self, parameter: TemplateParameter, given: Node, found: dict[str, Meaning]
    ) -> Meaning:
        """Return the meaning of what is given for a template parameter. found: the meanings of the parameters before it."""
        if parameter.type is None and isinstance(given, TypeName):
            if not given.arguments and isinstance(
                template := self.context.find(given.base), ClassTemplate
            ):
                return template
            kind, const, _ = self.types.resolve(given)
            return Alias(kind, const)
        if parameter.type is not None and self.types.is_function_pointer(parameter.type):
            function = self.expressions.value(given)
            if isinstance(function.type, FunctionName):
                return self.context.named_functions[function.type.name]
            raise Fault(
                given,
                f"'{parameter.name}' stands for a function",
                "write the name of a __device__ function",
            )
        if parameter.type is None and isinstance(given, Identifier):
            raise self.context.undeclared(given, given.name, "type")
        if (
            isinstance(given, TypeName)
            and given.within is not None
            and not (given.derivations or given.refers)
        ):
            owner = Alias(self.types.resolve(given.within)[0])
            if not isinstance(self.context.member_of(owner, given.base), Alias):  # Traits<T>::lanes
                given = Scoped(given.at, given.within, given.base)
        if parameter.type is None or isinstance(given, TypeName):
            raise Fault(
                given,
                f"'{parameter.name}' stands for a {'type' if parameter.type is None else 'value'}",
                "write template arguments in the order of the template's parameters",
            )
        value = self.expressions.value(given)
        with self.context.alone(found):
            value = convert(value, self.types.resolve(parameter.type)[0])
        if not isinstance(value, Literal):
            raise not_constant(
                value,
                f"the value of '{parameter.name}'",
                "use a number, a #define, or const int with a constant value",
            )
        return value

    def _instance(
        self, at: Position, template: Template, number: int, names: dict[str, Meaning]
    ) -> Callee:
        written = as_written(names)
        if written in template.made:
            return template.made[written]
        with one_more(at, template, "end the recursion of a template with if constexpr"):
            callee = self._make(template, number, names, template.node)
        if template.node.body is None:
            self._waiting.append((at, template, callee, names))
        return callee

    def define_waiting(self) -> None:
        """Check the bodies of templates that were called before they had one."""
        while self._waiting:
            at, template, callee, names = self._waiting.pop(0)
            if template.node.body is None:
                raise Fault(
                    at,
                    f"the template '{template.node.name}' is declared but has no body",
                    "write its body",
                )
            with self.context.alone(names):
                self.functions.define(callee, template.node)

    def _make(
        self,
        template: Template,
        number: int,
        names: dict[str, Meaning],
        node: FunctionDefinition,
    ) -> Callee:
        """Make the function of a template, with the node's body, for these arguments."""
        written = as_written(names)
        own = {} if node.special is not None else names
        owner = template.owner.struct if template.owner is not None else None
        with self.context.within(template.owner, own):
            result, parameters = self.functions.signature(node)
            name = (
                f"{owner}::" * (owner is not None) + f"{template.node.name}<{', '.join(written)}>"
            )
            callee = template.made[written] = self.functions.new_callee(
                node, name + f"#{number + 1}" * (number > 0), result, parameters, owner
            )
            callee.names = own
            if node.body is not None:
                self.functions.define(callee, node)
        return callee

    # --- structs ----------------------------------------------------------------------------

    def remember_struct(self, node: StructDefinition) -> None:
        """Remember template <typename T> struct A, or template <> struct A<float>."""
        symbol = self.context.scopes[0].get(node.name)
        if node.special is None:
            if isinstance(symbol, ClassTemplate) and symbol.node.members is None:
                symbol.node = node
            elif symbol is None or node.members is not None:
                self.context.declare(node, node.name, ClassTemplate(node))
            return
        if not isinstance(symbol, ClassTemplate):
            raise Fault(node, f"'{node.name}' is no template", "remove template <>")
        if node.template:
            symbol.partial.append(node)
            return
        symbol.special[as_written(self._meanings(node, symbol.node, node.special))] = node

    def _meanings(
        self, where: Located, template: StructDefinition, given: list[Node]
    ) -> dict[str, Meaning]:
        found = self.given(where, template, given)
        for parameter in template.template[len(given) :]:
            if parameter.default is None:
                raise Fault(
                    where,
                    f"what '{parameter.name}' of {template.name} is, is not said",
                    f"write {template.name}<...>",
                )
        return self.completed(template, found)

    def struct(self, name: TypeName, template: ClassTemplate) -> Struct:
        """Return the struct A<float, 4>."""
        meanings = self._meanings(name, template.node, name.arguments)
        written = as_written(meanings)
        if written in template.made:
            return template.made[written]
        node, own = self._chosen(template, written, meanings)
        if node.members is None:
            raise Fault(
                name,
                f"the template '{node.name}' is declared, but what is in it is not known here",
                "define it before its first use",
            )
        with one_more(name, template, "end the recursion of a template with template <>"):
            struct = template.made[written] = self.context.new_struct(
                f"{node.name}<{', '.join(written)}>", node.kind
            )
            self.context.classes[struct] = Class(
                struct, {}, {**own}, template=template, arguments=list(meanings.values())
            )
            with self.context.alone({}):
                self.structs.fill(struct, node)
        return struct

    def _chosen(
        self, template: ClassTemplate, written: tuple[str, ...], meanings: dict[str, Meaning]
    ) -> tuple[StructDefinition, dict[str, Meaning]]:
        """Choose the definition for these arguments; return it with what the names of its own template mean."""
        if written in template.special:
            return template.special[written], {}
        for node in sorted(template.partial, key=lambda node: len(node.template)):
            found: dict[str, Meaning] = {}
            wanted = {parameter.name for parameter in node.template}
            if all(
                self._matches(pattern, meant, wanted, found)
                for pattern, meant in zip(node.special or [], meanings.values(), strict=False)
            ):
                return node, found
        return template.node, meanings

    def _matches(
        self, pattern: Node, meant: Meaning, wanted: set[str], found: dict[str, Meaning]
    ) -> bool:
        """Return whether an argument has the form of the pattern. found: collects the meanings of the wanted names."""
        if not isinstance(pattern, TypeName):
            if isinstance(pattern, Identifier) and pattern.name in wanted:
                return _same(found.setdefault(pattern.name, meant), meant)
            return (
                isinstance(meant, Literal)
                and self.expressions.constant(pattern, "this") == meant.value
            )
        if not isinstance(meant, Alias) or pattern.refers:
            return False
        kind, const = meant.type, meant.const
        for derivation in reversed(pattern.derivations):
            if not isinstance(derivation, PointerTo) or not isinstance(kind, Pointer):
                return False
            const, kind = kind.const, kind.target
        if pattern.const and not const:
            return False
        if pattern.base in wanted:
            own = Alias(kind, const and not pattern.const)
            return _same(found.setdefault(pattern.base, own), own)
        if not pattern.arguments:
            return (kind, const) == self.types.resolve(pattern.plain())[:2]
        arguments = self.arguments_of(kind, pattern.base)
        return arguments is not None and all(
            self._matches(inner, value, wanted, found)
            for inner, value in zip(pattern.arguments, arguments, strict=False)
        )


@contextmanager
def one_more(where: Located, template: Template | ClassTemplate, instead: str) -> Iterator[None]:
    """Make one more instance of a template. What is wrong in a header's is reported where it is used."""
    if len(template.made) >= MAX_INSTANCES:
        raise Unsupported(
            where, f"a template with more than {MAX_INSTANCES} sets of arguments", instead
        )
    try:
        yield
    except Fault as fault:
        fault.at = fault.at if fault.at.column else where.at
        raise


def _detail(template: Template) -> int:
    """Return how specialised a template's parameters are: T* counts more than T."""
    return sum(
        len(parameter.type.derivations) + parameter.type.refers + len(parameter.type.arguments)
        for parameter in template.node.parameters
    )


def as_written(names: dict[str, Meaning]) -> tuple[str, ...]:
    """Return the template arguments as they are written in the name of an instance."""
    return tuple(map(_as_written, names.values()))


def _as_written(meant: Meaning) -> str:
    if isinstance(meant, Alias):
        return f"{'const ' * meant.const}{meant.type}"
    if isinstance(meant, ClassTemplate):
        return meant.node.name
    if isinstance(meant, Overloads):
        return meant.callees[0].function.name if meant.callees else meant.templates[0].node.name
    return str(meant.value).lower() if meant.type == BOOL else str(meant.value)


def deduced(pattern: TypeName, argument: Expr) -> tuple[Alias | None, dict[str, Meaning]]:
    """Deduce T from an argument whose type is T, T*, const T&, T (&)[N], ...; None if it has another form.

    The second result holds the lengths of arrays that are deduced as well.
    """
    lengths: dict[str, Meaning] = {}
    kind = argument.type if pattern.refers else decayed(argument).type
    const = pattern.refers and is_const(argument)
    for derivation in reversed(pattern.derivations):
        if isinstance(derivation, PointerTo) and isinstance(kind, Pointer):
            const, kind = kind.const, kind.target
        elif isinstance(derivation, PointerTo) and isinstance(kind, Array):
            kind = kind.element
        elif isinstance(derivation, ArrayOf) and isinstance(kind, Array):
            if isinstance(derivation.length, Identifier) and kind.length is not None:
                lengths[derivation.length.name] = Literal(argument.at, ULONG, kind.length)
            kind = kind.element
        else:
            return None, {}
    return Alias(kind, const and not pattern.const), lengths


def _same(one: Meaning, other: Meaning) -> bool:
    return _as_written(one) == _as_written(other)

"""Struct templates, and the structs they become; lambdas, which are structs with one function."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

from nnlib.cuda.language.checking.lvalues import address_of, is_lvalue
from nnlib.cuda.language.checking.structs import StructChecker
from nnlib.cuda.language.checking.symbols import Alias, Class, ClassTemplate, DataMember, Overloads, Reference, Symbol
from nnlib.cuda.language.checking.templates import MAX_INSTANCES, Meaning, TemplateChecker, as_written
from nnlib.cuda.language.diagnostics import Fault, Unsupported
from nnlib.cuda.language.layout import lay_out
from nnlib.cuda.language.parsing import syntax
from nnlib.cuda.language.tree import Build, Expr, InitializerList, Literal, Variable
from nnlib.cuda.language.types import Array, Struct


class StructTemplateChecker:
    """Makes structs of templates and lambdas."""

    def __init__(self, templates: TemplateChecker, structs: StructChecker) -> None:
        self.context, self.templates, self.structs = templates.context, templates, structs
        self._closures: dict[tuple[int, int], Struct] = {}

    def remember(self, node: syntax.StructDefinition) -> None:
        """template <typename T> struct A, or template <> struct A<float>."""
        symbol = self.context.scopes[0].get(node.name)
        if node.special is None:
            if isinstance(symbol, ClassTemplate) and symbol.node.members is None:
                symbol.node = node
            elif symbol is None or node.members is not None:
                self.context.declare(node.at, node.name, ClassTemplate(node))
            return
        if node.template:
            raise Unsupported(node.at, "templates for some of the arguments", "write template <> for each case")
        if not isinstance(symbol, ClassTemplate):
            raise Fault(node.at, f"'{node.name}' is no template", "remove template <>")
        symbol.special[as_written(self._meanings(node, symbol, node.special))] = node

    def _meanings(self, at: syntax.Node, template: ClassTemplate, given: list[syntax.Node]) -> dict[str, Meaning]:
        parameters = template.node.template
        if len(given) > len(parameters):
            raise Fault(at.at, f"the template '{template.node.name}' has {len(parameters)} parameter(s), but "
                        f"{len(given)} arguments given in <...>", "remove the surplus")
        found: dict[str, Meaning] = {}
        for number, parameter in enumerate(parameters):
            argument = given[number] if number < len(given) else parameter.default
            if argument is None:
                raise Fault(at.at, f"what '{parameter.name}' of {template.node.name} is, is not said",
                            f"write {template.node.name}<...>")
            if number < len(given):
                found[parameter.name] = self.templates.template_argument(parameter, argument)
            else:
                with self.context.alone(found):
                    found[parameter.name] = self.templates.template_argument(parameter, argument)
        return found

    def instance(self, name: syntax.TypeName, template: ClassTemplate) -> Struct:
        """A<float, 4>"""
        meanings = self._meanings(name, template, name.arguments)
        written = as_written(meanings)
        if written in template.made:
            return template.made[written]
        if len(template.made) >= MAX_INSTANCES:
            raise Unsupported(name.at, f"a template with more than {MAX_INSTANCES} sets of arguments",
                              "end the recursion of a template with template <>")
        node = template.special.get(written, template.node)
        if node.members is None:
            raise Fault(name.at, f"the template '{node.name}' is declared, but what is in it is not known here",
                        "define it before its first use")
        struct = template.made[written] = self.context.new_struct(f"{node.name}<{', '.join(written)}>", node.kind)
        around: dict[str, Symbol] = dict(meanings) if node is template.node else {}
        self.context.classes[struct] = Class(struct, {}, around, template=template, arguments=list(meanings.values()))
        with self.context.alone({}):
            self.structs.fill(struct, node)
        return struct

    # --- lambdas ----------------------------------------------------------------------------

    def closure(self, node: syntax.Lambda) -> Expr:
        """The object that a lambda is: a copy of what it uses, and an operator()."""
        captured = self._captured(node)
        around: dict[str, Symbol] = {name: value for name, value, _ in captured if isinstance(value, Literal)}
        for scope in self.context.scopes[1:]:
            around |= {name: symbol for name, symbol in scope.items()
                       if isinstance(symbol, Alias | Literal | Overloads | ClassTemplate)
                       or isinstance(symbol, Variable) and symbol.space == "shared"}
        values = [(name, value, refers) for name, value, refers in captured if not isinstance(value, Literal)]
        key = id(node), id(self.context.function)  # auto f = [] ... looks twice
        struct = self._closures.get(key)
        if struct is None:
            struct = self._closures[key] = self.context.new_struct(f"lambda in line {node.at.line}")
            lay_out(struct, [(name, value.type, False) for name, value, _ in values], 1)
            members: dict[str, Symbol] = {name: DataMember((name,), refers) for name, _, refers in values}
            owner = self.context.classes[struct] = Class(struct, members, around)
            self.structs.functions_of(owner, [node.function])
        items = [(field.offset, value) for field, (_, value, _) in zip(struct.fields, values, strict=True)]
        return Build(node.at, struct, InitializerList(items))

    def _captured(self, node: syntax.Lambda) -> list[tuple[str, Expr, bool]]:
        """Name, value, by reference: what the lambda keeps of the variables around it."""
        result: list[tuple[str, Expr, bool]] = []
        wanted = dict(node.captures) | dict.fromkeys(
            (name for name in _names(node.function) if node.all and name not in dict(node.captures)), node.all == "&")
        for name, refers in wanted.items():
            symbol = self.context.find(name)
            if not (isinstance(symbol, Variable) and symbol.space in ("local", "parameter")
                    or isinstance(symbol, Reference | DataMember)):
                continue
            value = self.templates.expressions.expression(syntax.Identifier(node.at, name))
            refers = refers and is_lvalue(value)
            if refers:
                value = address_of(node.at, value)
            elif isinstance(value.type, Array):
                raise Unsupported(node.at, f"a lambda that copies the array '{name}'", "write [&]")
            result.append((name, value, refers))
        return result


def _names(item: Any) -> Iterator[str]:
    """Names that are used in a piece of syntax, but not declared there."""
    declared = {part.name for part in _parts(item) if isinstance(part, syntax.Declarator)}
    used = [part.name for part in _parts(item) if isinstance(part, syntax.Identifier | syntax.Apply)]
    return (name for name in used if name not in declared)


def _parts(item: Any) -> Iterator[Any]:
    """All pieces of syntax in it."""
    if isinstance(item, list | tuple):
        for part in item:
            yield from _parts(part)
    elif dataclasses.is_dataclass(item):
        yield item
        for field in dataclasses.fields(item):
            yield from _parts(getattr(item, field.name))

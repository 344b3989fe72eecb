"""Lambdas: structs of one function, which hold what they keep of the variables around them."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

from ..diagnostics import Unsupported
from ..layout import lay_out
from ..parsing import syntax
from ..tree import Build, Expr, InitializerList, Literal, Variable
from ..types import Array, Struct
from .expressions import ExpressionChecker
from .names import (
    Class,
    DataMember,
    Symbol,
)
from .objects import address_of, is_lvalue
from .structs import StructChecker


class LambdaChecker:
    """Makes the objects that lambdas are."""

    def __init__(self, expressions: ExpressionChecker, structs: StructChecker) -> None:
        self.context, self.expressions, self.structs = expressions.context, expressions, structs
        self._closures: dict[tuple[int, int], Struct] = {}

    def closure(self, node: syntax.Lambda) -> Expr:
        """The object that a lambda is: a copy of what it uses, and an operator()."""
        runner = self.context.function
        if runner is not None and runner.kind == "both":
            node.function.marks |= {"__host__", "__device__"}
        elif not self.context.on_host:
            node.function.marks |= {"__device__"}
        captured = self._captured(node)
        around: dict[str, Symbol] = {
            name: value for name, value, _ in captured if isinstance(value, Literal)
        }
        around |= self.structs.around(shared=True)
        values = [found for found in captured if not isinstance(found[1], Literal)]
        key = id(node), id(self.context.function)  # auto f = [] ... looks twice
        struct = self._closures.get(key)
        if struct is None:
            struct = self._closures[key] = self.context.new_struct(f"lambda in line {node.at.line}")
            lay_out(struct, [(name, value.type, False) for name, value, _ in values], 1)
            members: dict[str, Symbol] = {
                name: DataMember((name,), refers) for name, _, refers in values
            }
            owner = self.context.classes[struct] = Class(struct, members, around)
            self.structs.functions_of(owner, [node.function])
        items = [
            (field.offset, value)
            for field, (_, value, _) in zip(struct.fields, values, strict=True)
        ]
        return Build(node.at, struct, InitializerList(items))

    def _captured(self, node: syntax.Lambda) -> list[tuple[str, Expr, bool]]:
        """Name, value, by reference: what the lambda keeps of the variables around it."""
        result: list[tuple[str, Expr, bool]] = []
        written = dict(node.captures)
        used = dict.fromkeys(_names(node.function) if node.all else (), node.all == "&")
        wanted = written | used | written  # first what is written, which says how
        for name, refers in wanted.items():
            symbol = self.context.find(name)
            if not (
                isinstance(symbol, DataMember)
                or isinstance(symbol, Variable)
                and symbol.space in ("local", "parameter")
            ):
                continue
            value = self.expressions.expression(syntax.Identifier(node.at, name))
            refers = refers and is_lvalue(value)
            if refers:
                value = address_of(node.at, value)
            elif isinstance(value.type, Array):
                raise Unsupported(node, f"a lambda that copies the array '{name}'", "write [&]")
            result.append((name, value, refers))
        return result


def _names(item: Any) -> Iterator[str]:
    """Names that are used in a piece of syntax, but not declared there."""
    declared = {part.name for part in _parts(item) if isinstance(part, syntax.Declarator)}
    used = [part.name for part in _parts(item) if isinstance(part, syntax.Identifier)]
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

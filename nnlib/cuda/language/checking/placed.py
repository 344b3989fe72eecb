"""Functions of headers stand where they are called: what they do is told, and counted, at the line of the user's text.

What comes from a header has column 0. Each place that calls such a function gets a copy of it, which stands there.
"""

from __future__ import annotations

import copy
import dataclasses
from typing import Any

from nnlib.cuda.language import tree


def place_headers(functions: dict[str, tree.Function]) -> dict[str, tree.Function]:
    """The functions of a program, those of headers copied to each line that calls them."""
    placer = _Placer()
    for name, function in functions.items():
        if function.at.column or function.kind != "device":
            placer.result[name] = function
    if len(placer.result) == len(functions):
        return functions
    for function in list(placer.result.values()):
        function.body = placer.placed(function.body, None)
    return placer.result


class _Placer:
    def __init__(self) -> None:
        self.result: dict[str, tree.Function] = {}

    def placed(self, item: Any, at: tree.Position | None) -> Any:
        """A part of a tree that stands at this place; None: it stays where it is, but for the functions it calls."""
        if isinstance(item, list):
            return [self.placed(part, at) for part in item]
        if isinstance(item, tuple):
            return tuple(self.placed(part, at) for part in item)
        if not isinstance(item, tree.Expr | tree.Stmt | tree.Case | tree.InitializerList):
            return item
        new = copy.copy(item)
        for field in dataclasses.fields(item):
            value = getattr(item, field.name)
            if field.name == "at":
                value = value if at is None else at
            elif field.name != "function" and field.name != "type":
                value = self.placed(value, at)
            object.__setattr__(new, field.name, value)
        if isinstance(new, tree.Call) and not new.function.at.column and new.function.kind == "device":
            object.__setattr__(new, "function", self._copy(new.function, new.at))
        return new

    def _copy(self, function: tree.Function, at: tree.Position) -> tree.Function:
        name = f"{function.name}@{at.line}"
        if name not in self.result:
            made = self.result[name] = dataclasses.replace(function, name=name)
            made.body = self.placed(function.body, at)
        return self.result[name]

"""Which pointer parameters a kernel may store through; only those need race records and a copy to undo.

Flow-insensitive: a pointer variable may point wherever anything assigned to it points.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator
from typing import Any

from nnlib.cuda.language import tree
from nnlib.cuda.language.layout import holds_pointers
from nnlib.cuda.language.types import VOID, Array, Pointer, Void
from nnlib.cuda.simulator.functions.atomics import ATOMICS
from nnlib.cuda.simulator.functions.mathematics import RESULTS

FIRST_IS_STORED = set(ATOMICS) | {"__pipeline_memcpy_async", "memcpy", "memset"}


def written_parameters(program: tree.Program) -> dict[str, set[str]]:
    """Function name -> names of its parameters that it, or what it calls, may write."""
    found: dict[str, set[str]] = {name: set() for name in program.functions}
    flows = {name: pointer_flows(function) for name, function in program.functions.items()}
    changed = True
    while changed:
        changed = False
        for name, function in program.functions.items():
            written = _written(function, flows[name], found)
            if written != found[name]:
                found[name], changed = written, True
    return found


def nodes(item: Any) -> Iterator[Any]:
    """All tree nodes in item, itself first."""
    if isinstance(item, list | tuple):
        for part in item:
            yield from nodes(part)
    elif names := _parts(item.__class__):
        yield item
        for name in names:
            yield from nodes(getattr(item, name))


@functools.cache
def _parts(kind: type) -> tuple[str, ...]:
    """Fields of a kind of node in which others may be."""
    if not issubclass(kind, tree.Expr | tree.Stmt | tree.Case | tree.InitializerList):
        return ()
    return tuple(field.name for field in dataclasses.fields(kind) if field.name not in ("function", "at", "type"))


def has_effect(e: tree.Expr) -> bool:
    """Whether evaluating e may change a variable that lives in a register."""
    return any(isinstance(node, tree.Assign | tree.CompoundAssign | tree.Increment) for node in nodes(e))


def pointer_flows(function: tree.Function) -> dict[tree.Variable, list[tree.Expr]]:
    """Pointer variable -> expressions assigned to it."""
    flows: dict[tree.Variable, list[tree.Expr]] = {}
    for node in nodes(function.body):
        if isinstance(node, tree.Declare) and isinstance(node.initializer, tree.Expr):
            flows.setdefault(node.variable, []).append(node.initializer)
        elif isinstance(node, tree.Assign) and isinstance(node.target, tree.Name):
            flows.setdefault(node.target.variable, []).append(node.value)
    return flows


def compared_and_swapped(function: tree.Function, flows) -> set[tree.Variable]:
    """Variables that lead to where the function does an atomicCAS."""
    found: set[tree.Variable] = set()
    for node in nodes(function.body):
        if isinstance(node, tree.IntrinsicCall) and node.name == "atomicCAS":
            found |= roots(node.arguments[0], flows)
    return found


# What a pointer may point to that was kept in memory, in a struct say.
ANYTHING = tree.Variable("*", VOID, "global", tree.Position(0, 0))


def roots(e: tree.Expr, flows, seen=frozenset()) -> set[tree.Variable]:
    """Variables the pointer (or lvalue) e may lead back to."""
    if isinstance(e.type, Pointer) and isinstance(e, tree.Member | tree.Index | tree.Dereference):
        return {ANYTHING}
    if isinstance(e, tree.Name):
        variable = e.variable
        if isinstance(variable.type, Array) or variable in seen or not isinstance(variable.type, Pointer):
            return {variable}
        found = {variable}
        for source in flows.get(variable, []):
            found |= roots(source, flows, seen | {variable})
        return found
    if isinstance(e, tree.Conditional):
        return roots(e.then, flows, seen) | roots(e.otherwise, flows, seen)
    if isinstance(e, tree.Call):  # a returned pointer is one of those passed in
        found = set().union(*(roots(a, flows, seen) for a in e.arguments if isinstance(a.type, Pointer)))
        kept = any(holds_pointers(a.type.target if isinstance(a.type, Pointer) else a.type) for a in e.arguments
                   if not isinstance(a.type, Void))
        return found | {ANYTHING} if kept else found
    for name in ("operand", "pointer", "base", "target", "right"):
        inner = getattr(e, name, None)
        if isinstance(inner, tree.Expr):
            return roots(inner, flows, seen)
    return set()


def stored_through(call: tree.IntrinsicCall) -> list[tree.Expr]:
    """Pointers through which a function of CUDA stores."""
    if call.name in FIRST_IS_STORED:
        return call.arguments[:1]
    return [a for a in call.arguments if isinstance(a.type, Pointer)] if call.name in RESULTS else []


def _written(function: tree.Function, flows, found: dict[str, set[str]]) -> set[str]:
    stored: set[tree.Variable] = set()
    for node in nodes(function.body):
        if isinstance(node, tree.Assign | tree.CompoundAssign | tree.Increment):
            if not isinstance(node.target, tree.Name):
                stored |= roots(node.target, flows)
        elif isinstance(node, tree.IntrinsicCall):
            for argument in stored_through(node):
                stored |= roots(argument, flows)
        elif isinstance(node, tree.Call):
            callee = node.function
            for parameter, argument in zip(callee.parameters, node.arguments, strict=True):
                if parameter.name in found[callee.name] and isinstance(argument.type, Pointer):
                    stored |= roots(argument, flows)
            if ANYTHING.name in found[callee.name]:
                stored.add(ANYTHING)
    pointers = [p for p in function.parameters if isinstance(p.type, Pointer)]
    if ANYTHING in stored:
        return {ANYTHING.name, *(p.name for p in pointers)}
    return {p.name for p in pointers if p in stored}

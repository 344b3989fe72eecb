"""Analyse the checked tree before lowering: where control flows, what pointers lead to, what a loop waits for.

Pointers are followed whatever the order of statements: one may point wherever anything assigned to it points. Which
parameters a kernel may store through matters because only those need race records and a copy to undo.

Flags are what a loop waits for by volatile reads. The guide promises little of volatile, but the GPU's own memory model
calls such accesses relaxed atomics, and kernels from before cuda::atomic wait for each other with them. Where a text
does, its volatile accesses are taken for that: they race with plain ones only, and what a fence covers is told through
them.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator
from typing import Any

from ...language.layout import holds_pointers
from ...language.tree import (
    AddressOf,
    Assign,
    Break,
    Call,
    CompoundAssign,
    Conditional,
    Convert,
    Decay,
    Declare,
    Dereference,
    Expr,
    Function,
    Index,
    IntrinsicCall,
    Literal,
    LoopStmt,
    Member,
    Name,
    PointerOffset,
    Position,
    Return,
    Stmt,
    Switch,
    Temporary,
    TranslationUnit,
    Variable,
)
from ...language.types import VOID, Array, Pointer, Struct, Void
from ...language.walking import LEAVING, children, inside, is_volatile, nodes, nodes_of
from ..functions.atomics import ATOMICS
from ..functions.mathematics import RESULTS

FIRST_IS_STORED = set(ATOMICS) | {
    "__pipeline_memcpy_async",
    "memcpy",
    "memset",
    "nnlib::load_fragment",
    "nnlib::store_fragment",
    "nnlib::multiply_fragments",
    "nnlib::fill_fragment",
}


def has_effect(e: Expr) -> bool:
    """Return whether evaluating e may change a variable that lives in a register."""
    return any(nodes_of(Assign | CompoundAssign, e))


def changed_in(*parts: Stmt | Expr | None) -> frozenset[Variable]:
    """Return the variables that are declared or assigned in these parts."""
    found = set()
    for node in nodes(list(parts)):
        if isinstance(node, Declare):
            found.add(node.variable)
        elif isinstance(node, Assign | CompoundAssign):
            target = node.target
            while isinstance(target, Member):
                target = target.base
            if isinstance(target, Name):
                found.add(target.variable)
    return frozenset(found)


# --- control -----------------------------------------------------------------------------------


@functools.lru_cache(maxsize=1024)
def ways_out(s: Stmt) -> frozenset[type[Stmt]]:
    """Return the kinds of statement by which threads may leave s and not go on behind it."""
    if isinstance(s, LEAVING):
        return frozenset({type(s)})
    inside = (part for part in children(s) if not isinstance(part, Expr))
    found = frozenset[type[Stmt]]().union(*map(ways_out, inside))
    if isinstance(s, LoopStmt):
        return found & {Return}
    return found - {Break} if isinstance(s, Switch) else found


# --- pointers --------------------------------------------------------------------------------


def lives_in_memory(variable: Variable) -> bool:
    """Return whether uses of the variable are loads and stores; else it is in a register."""
    return (
        variable.space not in ("local", "parameter")
        or variable.address_taken
        or isinstance(variable.type, Array | Struct)
    )


def written_parameters(program: TranslationUnit) -> dict[str, set[str]]:
    """Return, for each function, the names of its parameters that it, or what it calls, may write."""
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


Flows = dict[Variable, list[Expr]]


def is_copy(value: Expr, target: Expr, flows: Flows) -> bool:
    """Return whether an assignment stores what was loaded from the same array, and nothing else."""
    for _ in flows:  # no longer chain ends; v = v has no end
        if isinstance(value, Name) and len(sources := flows.get(value.variable, [])) == 1:
            value = sources[0]
    return isinstance(value, Index | Dereference) and bool(
        roots(value, flows) & roots(target, flows)
    )


def pointer_flows(function: Function) -> Flows:
    """Return, for each variable, the expressions assigned to it and its updates."""
    flows: Flows = {}
    for node in inside(function):
        if isinstance(node, Declare) and isinstance(node.initializer, Expr):
            flows.setdefault(node.variable, []).append(node.initializer)
        elif isinstance(node, Assign) and isinstance(node.target, Name):
            flows.setdefault(node.target.variable, []).append(node.value)
        elif isinstance(node, CompoundAssign) and isinstance(node.target, Name):
            flows.setdefault(node.target.variable, []).append(node)
    return flows


class Guesses:
    """Plain reads that an atomicCAS of the function verifies.

    Such a read is of the very element that the atomicCAS swaps, or its value goes into what that compares with.
    """

    def __init__(self, function: Function, flows: Flows) -> None:
        swaps = [
            node for node in nodes_of(IntrinsicCall, inside(function)) if node.name == "atomicCAS"
        ]
        self._flows = flows
        self._swapped = [self._place(swap.arguments[0]) for swap in swaps]
        self._roots = set[Variable]().union(*(roots(swap.arguments[0], flows) for swap in swaps))
        self._compared = {
            id(node) for swap in swaps for node in self._sources(swap.arguments[1], set())
        }

    def __contains__(self, read: Expr) -> bool:
        if not self._roots or not roots(read, self._flows) & self._roots:
            return False
        return id(read) in self._compared or self._place(read) in self._swapped

    def _sources(self, e: Expr, seen: set[Variable]) -> Iterator[Expr]:
        """Yield all expressions whose value goes into that of e."""
        for node in nodes(e):
            yield node
            if isinstance(node, Name) and node.variable not in seen:
                seen.add(node.variable)
                for source in self._flows.get(node.variable, []):
                    yield from self._sources(source, seen)

    def _place(self, e: Any, seen: frozenset[Variable] = frozenset()) -> Any:
        """Return what a pointer leads to, or an lvalue is, in a form that is equal for `x[i]`, `*(x + i)` and `&x[i]`.

        seen: pointers that have been followed, as p = p + 1 leads back to p.
        """
        place = functools.partial(self._place, seen=seen)
        match e:
            case Name(variable):
                sources = self._flows.get(variable, [])
                is_alias = isinstance(variable.type, Pointer) and len(sources) == 1
                if not is_alias or variable in seen:
                    return variable
                return place(sources[0], seen=seen | {variable})
            case Convert(e) | Decay(e) | AddressOf(e) | Dereference(e) | Temporary(e):
                return place(e)
            case Index(base, index) | PointerOffset(base, index):
                whole = place(base)
                return whole if _is_zero(index) else ("element", whole, place(index))
            case list():
                return tuple(map(place, e))
            case Expr():
                kind = type(e)
                return kind, *(place(getattr(e, name)) for name in _own_fields(kind))
        return e


def _is_zero(e: Expr) -> bool:
    return (
        _is_zero(e.operand) if isinstance(e, Convert) else isinstance(e, Literal) and e.value == 0
    )


@functools.cache
def _own_fields(kind: type) -> tuple[str, ...]:
    """Return the fields that say what a node computes."""
    return tuple(
        field.name for field in dataclasses.fields(kind) if field.name not in ("at", "type")
    )


# What a pointer may point to that was kept in memory, in a struct say.
ANYTHING = Variable("*", VOID, "global", Position(0, 0))


def roots(e: Expr, flows: Flows, seen: frozenset[Variable] = frozenset()) -> set[Variable]:
    """Return the variables that a pointer or lvalue may lead back to."""
    if isinstance(e.type, Pointer) and isinstance(e, Member | Index | Dereference):
        return {ANYTHING}
    if isinstance(e, Name):
        variable = e.variable
        followed = isinstance(variable.type, Pointer) and variable not in seen
        sources = flows.get(variable, []) if followed else []
        return {variable}.union(*(roots(s, flows, seen | {variable}) for s in sources))
    if isinstance(e, Conditional):
        return roots(e.then, flows, seen) | roots(e.otherwise, flows, seen)
    if isinstance(e, Call):  # a returned pointer is one of those passed in
        found = set().union(
            *(roots(a, flows, seen) for a in e.arguments if isinstance(a.type, Pointer))
        )
        if any(
            holds_pointers(a.type.target if isinstance(a.type, Pointer) else a.type)
            for a in e.arguments
            if not isinstance(a.type, Void)
        ):
            found.add(ANYTHING)
        return found
    for name in ("operand", "pointer", "base", "target", "right"):
        inner = getattr(e, name, None)
        if isinstance(inner, Expr):
            return roots(inner, flows, seen)
    return set()


def stored_through(call: IntrinsicCall) -> list[Expr]:
    """Return the pointers through which a function of CUDA stores."""
    if call.name in FIRST_IS_STORED:
        return call.arguments[:1]
    return [a for a in call.arguments if isinstance(a.type, Pointer) and call.name in RESULTS]


def stored_variables(function: Function, flows: Flows, found: dict[str, set[str]]) -> set[Variable]:
    """Return what a function, or what it calls, stores to: variables, and memory behind pointers."""
    stored = set[Variable]()
    for node in inside(function):
        if isinstance(node, Assign | CompoundAssign):
            if not isinstance(node.target, Name):
                stored |= roots(node.target, flows)
            elif node.target.variable.space == "global":
                stored.add(node.target.variable)
        elif isinstance(node, IntrinsicCall):
            for argument in stored_through(node):
                stored |= roots(argument, flows)
        elif isinstance(node, Call):
            callee = node.function
            for parameter, argument in zip(callee.parameters, node.arguments, strict=True):
                if parameter.name in found[callee.name] and isinstance(argument.type, Pointer):
                    stored |= roots(argument, flows)
            if ANYTHING.name in found[callee.name]:
                stored.add(ANYTHING)
    return stored


def _written(function: Function, flows: Flows, found: dict[str, set[str]]) -> set[str]:
    stored = stored_variables(function, flows, found)
    pointers = [p for p in function.parameters if isinstance(p.type, Pointer)]
    if ANYTHING in stored:
        return {ANYTHING.name, *(p.name for p in pointers)}
    return {p.name for p in pointers if p in stored}


# --- flags -----------------------------------------------------------------------------------


def waits_for_flags(functions: list[Function]) -> bool:
    """Return whether a loop goes on until a volatile read tells otherwise."""
    return any(
        _waits(node) for function in functions for node in nodes_of(LoopStmt, inside(function))
    )


def _waits(loop: Any) -> bool:
    read = {
        node.target.variable
        for node in nodes_of(Assign, loop.body)
        if isinstance(node.target, Name) and any(map(is_volatile, nodes(node.value)))
    }
    return any(
        is_volatile(node) or (isinstance(node, Name) and node.variable in read)
        for node in nodes(loop.condition)
    )

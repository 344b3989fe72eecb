"""Find the conditions that a thread has passed on its way to an access, and why they did not stop it.

They are read off the checked tree when an access is out of bounds, with the numbers of the thread at fault. `find`
gives one of these answers, with the condition it is about:

"missing"   no condition bounds a part of the index from above
"other"     a condition bounds another variable than the index
"late"      there is such a condition, but it stands behind the access
"either"    one of several conditions joined by || lets the thread through
"both"      it would be stopped only where all of several conditions joined by && are true
"inverted"  the condition lets just those threads through that it should stop
"equal"     it lets one too many through: <= for <
"limit"     it bounds the index itself, by more elements than the array has
"negative"  nothing keeps the index from being negative
"passed"    every part of the index is bounded, or given to a function that decides, and it is too large all the same
"chained"   a condition compares twice, a <= b < c
"wrapped"   no condition is to blame: the index is larger than its type can hold
"""

from __future__ import annotations

import itertools
from typing import Any, NamedTuple

import numpy as np

from ..language.normal.intervals import OPPOSITE
from ..language.tree import (
    Binary,
    BuiltinIndex,
    Call,
    Dereference,
    Expr,
    Function,
    Index,
    IntrinsicCall,
    Literal,
    Logical,
    Member,
    Name,
    TranslationUnit,
)
from ..language.types import Scalar
from ..language.walking import nodes, nodes_of
from ..language.written import bare, written
from .conditions import Bound, Conditions, names_in


class GuardFinding(NamedTuple):
    """An answer.

    guard: in one word, as the docstring of this module has them. condition: as written; None where there is none.
    line: the condition's. subject: the variable that is not bounded, that is let through, or that bounds; the
    expression that has wrapped; or what a negative index lacks, "i >= 1". value: its exact value, where that is known.
    where: the index, as written. loop: the line of the innermost loop around the access. conditions: all comparisons
    that hold there, "i < n".
    """

    guard: str
    condition: str | None = None
    line: int | None = None
    subject: str = ""
    value: int | None = None
    where: str = ""
    loop: int | None = None
    conditions: tuple[str, ...] = ()

    @property
    def is_shown(self) -> bool:
        """Return whether the index reads well in a sentence."""
        return bool(self.where) and "…" not in self.where and not self.where.isdigit()

    @property
    def fields(self) -> dict[str, Any]:
        """Those of an error."""
        return {
            "guard": self.guard or None,
            "condition": self.condition,
            "variable": self.subject or None,
            "conditions": self.conditions or None,
            "loop": self.loop,
        }


class GuardReader(Conditions):
    """Finds what is wrong with the conditions around one access."""

    def find(self, index: int, limit: int) -> GuardFinding:
        """Find why the thread came to element `index` of an array of `limit` elements."""
        where, (firm, loose) = self.index(), self.bounds()
        found = self._find(where, index, limit, firm, loose)
        held = tuple(f"{written(each.small)} {each.op} {written(each.large)}" for each in firm)
        return found._replace(
            loop=self.loop, where="" if where is None else written(where), conditions=held
        )

    def _find(
        self, where: Expr | None, index: int, limit: int, firm: list[Bound], loose: list[Bound]
    ) -> GuardFinding:
        if where is None:
            last = _about(firm[-1], whole=True) if firm else GuardFinding("")
            return self._one_too_many(firm) or last._replace(guard="passed" if firm else "missing")
        if wrapped := self._wrapped(where):
            return wrapped
        for each in firm:
            if _compares(each.small) or _compares(each.large):
                return _about(each)._replace(guard="chained")
        free = sorted(self.unbounded(where, firm))
        found = self._not_bounded(where, free, firm, loose, limit) if free else None
        if found and (found.guard != "missing" or not self._idle(where).issuperset(free)):
            is_plain = index < 0 and found.guard == "missing"
            return found._replace(subject=self._not_negative(where)) if is_plain else found
        about = [each for each in firm if names_in(each.small) & self.needed(where)]
        if one_too_many := self._one_too_many(about):
            return one_too_many
        if index < 0:
            return self._below_zero(where, firm, loose)
        for each in firm:
            edge = self.value(each.large)
            if self.same(each.small, where) and edge is not None and edge > limit:
                return _about(each)._replace(guard="limit", subject=written(each.large), value=edge)
        about.sort(
            key=lambda each: (
                not any(name.startswith("threadIdx") for name in self.names(each.small))
            )
        )
        first = _about(about[0], whole=True) if about else GuardFinding("")
        return first._replace(guard="passed")

    def _one_too_many(self, firm: list[Bound]) -> GuardFinding | None:
        """Find a comparison that holds because its two sides are equal."""
        for each in firm:
            edge = self.value(each.large)
            if (
                each.op == "<="
                and edge is not None
                and edge == self.value(each.small)
                and self.varies(each.small)
                and not self.varies(each.large)
            ):
                return _about(each)._replace(guard="equal", subject=written(each.small), value=edge)
        return None

    def _not_bounded(
        self, where: Expr, free: list[str], firm: list[Bound], loose: list[Bound], limit: int
    ) -> GuardFinding:
        """Explain variables of the index that no condition bounds. free: their names."""
        for guard, bounds in (
            ("either", [(each, each.small) for each in loose]),
            (
                "inverted",
                [(each, each.large) for each in firm if (self.value(each.small) or 0) >= limit],
            ),
            ("late", [(each, each.small) for each in self.elsewhere()]),
        ):
            needed = self.needed(where) if guard == "either" else set()
            for (each, side), name in itertools.product(bounds, free):
                if names_in(side) & {name, *needed}:
                    return _about(each, whole=guard == "either")._replace(
                        guard=_joined(guard, each), subject=name
                    )
        subject = _sum_with(
            where, next((one for one in free if one not in self._idle(where)), free[0])
        )
        for each in firm:
            if self.varies(each.small) and not self.names(each.small) & self.names(where):
                return _about(each)._replace(guard="other", subject=subject)
        for call in nodes([each.condition for each in self.passed]):
            if isinstance(call, Call) and names_in(call) & {*free}:
                # A guard in a function of its own.
                shown = f"{call.function.name}({', '.join(map(written, call.arguments))})"
                return GuardFinding("passed", shown, call.at.line, subject)
        own = [each for each in firm if isinstance(bare(each.small), Name)]
        fixed = [
            each for each in own if not names_in(each.small) & {one.name for one in self.changed}
        ]
        return self._one_too_many(fixed) or GuardFinding("missing", subject=subject)

    def _idle(self, where: Expr) -> set[str]:
        """Return the variables that make no index too large: numbers of rows that are 0 in this thread, as r in r * n + c."""
        products = [
            node
            for node in nodes_of(Binary, where)
            if node.op == "*"
            and self.value(node) == 0
            and not any(isinstance(bare(side), Literal) for side in (node.left, node.right))
        ]
        return {name for product in products for name in names_in(product)}

    def _below_zero(self, where: Expr, firm: list[Bound], loose: list[Bound]) -> GuardFinding:
        own = self.parts(where)
        lower = [each for each in firm if names_in(each.large) & own]
        late = [] if lower else [each for each in self.elsewhere() if self.same(each.large, where)]
        either = [each for each in loose if names_in(each.large) & own]
        for guard, bounds in (("either", either), ("late", late), ("passed", lower)):
            if bounds:
                found = _about(bounds[0], whole=True)
                return found._replace(
                    guard=_joined(guard, bounds[0]), subject=self._not_negative(where)
                )
        return GuardFinding("negative", subject=self._not_negative(where))

    def _not_negative(self, where: Expr) -> str:
        """Return a condition that keeps an index of one variable from being negative; "" where none is plain and right."""
        plain = bare(where)
        variables = list(nodes_of(Name | BuiltinIndex | Index, where))
        if len(variables) != 1 or "…" in written(where) or not isinstance(plain.type, Scalar):
            return ""
        if isinstance(plain, Binary) and plain.op == "-":  # right for unsigned numbers, too
            return f"{written(plain.left)} >= {written(plain.right)}"
        return f"{written(where)} >= 0" if plain.type.dtype.kind == "i" else ""

    def _wrapped(self, expression: Expr) -> GuardFinding | None:
        """Return the first result in an index that its type does not hold."""
        for node in nodes(expression):
            if isinstance(node, Name) and node.variable in self.defined:
                inner: GuardFinding | None = self.of(self._wrapped, node.variable)
                if inner:
                    return inner
            elif (
                isinstance(node, Binary)
                and isinstance(node.type, Scalar)
                and node.type.dtype.kind in "iu"
            ):
                inner = self._wrapped(node.left) or self._wrapped(node.right)
                exact, held = self.value(node), np.iinfo(node.type.dtype)
                too_large = exact is not None and exact > held.max and node.type.dtype.kind == "i"
                if inner or too_large or (exact is not None and exact < held.min):
                    return inner or GuardFinding(
                        "wrapped", line=node.at.line, subject=written(node), value=exact
                    )
        return None


def _about(bound: Bound, whole: bool = False) -> GuardFinding:
    """Return a finding about this condition, of which all is shown, or only the comparison."""
    shown = bound.whole if whole else bound.part
    return GuardFinding("", written(shown), shown.at.line)


def _joined(guard: str, bound: Bound) -> str:
    """Tell a condition whose parts are joined by && from one of ||."""
    is_and = any(node.op == "&&" for node in nodes_of(Logical, bound.whole))
    return "both" if guard == "either" and is_and else guard


def _compares(expression: Expr) -> bool:
    plain = bare(expression)
    return isinstance(plain, Binary) and plain.op in OPPOSITE


def _sum_with(where: Expr, name: str) -> str:
    """Return the terms that an index adds to a variable: start + tx of n * inputs + start + tx."""
    for node in nodes(where):
        if isinstance(node, Binary) and node.op == "+":
            plain = [written(term) for term in _terms(node) if not isinstance(term, Binary)]
            if name in plain:
                return " + ".join(plain)
    return name


def _terms(expression: Expr) -> list[Expr]:
    node = bare(expression)
    return (
        [*_terms(node.left), *_terms(node.right)]
        if isinstance(node, Binary) and node.op == "+"
        else [node]
    )


def access_at(program: TranslationUnit, line: int, column: int) -> tuple[Function, Expr] | None:
    """Return the access to memory at a place of the source, and the function around it."""
    for function in program.functions.values():
        for node in nodes(function.body):
            if isinstance(node, Index | Dereference | IntrinsicCall | Member) and (
                node.at.line,
                node.at.column,
            ) == (line, column):
                return function, node
    return None

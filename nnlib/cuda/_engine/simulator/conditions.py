"""The conditions that a thread has passed on its way to an access, read off the checked tree."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from ..language.checking.values import operate
from ..language.normal.intervals import OPPOSITE
from ..language.tree import (
    AddressOf,
    Assign,
    Binary,
    Block,
    BuiltinIndex,
    CompoundAssign,
    Conditional,
    Convert,
    Decay,
    Declare,
    Dereference,
    Expr,
    Function,
    If,
    Index,
    IntrinsicCall,
    Literal,
    Logical,
    LoopStmt,
    Member,
    Name,
    PointerOffset,
    Unary,
    Variable,
)
from ..language.types import Pointer, Scalar, size_of
from ..language.walking import always_leaves, children, nodes, nodes_of, variables_in
from ..language.written import bare, written

_ARITHMETIC = ("+", "-", "*", "/", "%", "<<", ">>")
_LONG = 400  # characters: what is longer is compared by its name


class Bound(NamedTuple):
    """A comparison that holds wherever an access runs: small op large, where op is <, <= or ==.

    whole: the condition that it is a part of.
    """

    small: Expr
    op: str
    large: Expr
    part: Expr
    whole: Expr


@dataclasses.dataclass
class _Passed:
    """A condition on the way. holds: whether it is true there."""

    condition: Expr
    holds: bool


class Conditions:
    """Reads the conditions around one access.

    numbers: what variables hold in the thread at fault, by their names in the generated code, and "threadIdx.x" and the like.
    """

    def __init__(self, function: Function, access: Expr, numbers: Mapping[str, int]) -> None:
        self.access, self.numbers = access, numbers
        self.everything = [*nodes(function.body)]
        self.changed = {
            node.target.variable
            for node in self.everything
            if isinstance(node, Assign | CompoundAssign) and isinstance(node.target, Name)
        }
        self.python_names: dict[Variable, str] = {}
        declared = (node.variable for node in self.everything if isinstance(node, Declare))
        for variable in (*function.parameters, *declared):
            same = sum(other.name == variable.name for other in self.python_names)
            self.python_names[variable] = "v" * same + variable.name
        # int i = i + 1;
        self.defined = {
            node.variable: node.initializer
            for node in self.everything
            if isinstance(node, Declare)
            and isinstance(node.initializer, Expr)
            and node.variable not in self.changed
            and not node.variable.address_taken
            and node.variable not in variables_in(node.initializer)
        }
        self._known: dict[tuple[str, Variable], Any] = {}
        self.loop: int | None = None
        self.passed = self._way(function.body, []) or []

    # --- the way to the access ----------------------------------------------------------------

    def _way(self, node: Any, passed: list[_Passed]) -> list[_Passed] | None:
        """Return the conditions between a node and the access inside it; None where it is not inside."""
        if node is self.access:
            return passed
        for part, more in self._steps(node):
            found = self._way(part, passed + more)
            if found is not None:
                if self.loop is None and isinstance(node, LoopStmt):
                    self.loop = node.at.line
                return found
        return None

    @staticmethod
    def _steps(node: Any) -> Iterator[tuple[Any, list[_Passed]]]:
        """Yield each part of a node with the conditions that were checked before it runs."""
        match node:
            case Block(statements):
                left: list[_Passed] = []
                for statement in statements:
                    yield statement, list(left)
                    if (
                        isinstance(statement, If)
                        and statement.otherwise is None
                        and always_leaves(statement.then)
                    ):
                        left.append(_Passed(statement.condition, False))
            case If() | Conditional():
                yield node.condition, []
                yield node.then, [_Passed(node.condition, True)]
                if node.otherwise is not None:
                    yield node.otherwise, [_Passed(node.condition, False)]
            case LoopStmt(tests_first=True):
                inside = [_Passed(node.condition, True)] if node.condition is not None else []
                for part in children(node):
                    yield part, [] if part is node.condition else inside
            case Logical(op, left_side, right):
                yield left_side, []
                yield right, [_Passed(left_side, op == "&&")]
            case _:
                for part in children(node):
                    yield part, []

    def bounds(self) -> tuple[list[Bound], list[Bound]]:
        """Return what certainly holds at the access, and what would hold if nothing were joined to it by ||."""
        firm: list[Bound] = []
        loose: list[Bound] = []
        for each in self.passed:
            self._split(each.condition, each.holds, each.condition, firm, loose)
        return firm, loose

    def _split(
        self, part: Expr, holds: bool, whole: Expr, firm: list[Bound], loose: list[Bound]
    ) -> None:
        part = bare(part)
        if isinstance(part, Name):  # bool inside = x < width && y < height;
            part = bare(self.defined.get(part.variable, part))
        if isinstance(part, Unary) and part.op == "!":
            self._split(
                part.operand, not holds, part.operand if whole is part else whole, firm, loose
            )
        elif isinstance(part, Logical):
            target = firm if (part.op == "&&") == holds else loose
            self._split(part.left, holds, whole, target, loose)
            self._split(part.right, holds, whole, target, loose)
        elif isinstance(part, Binary) and part.op in OPPOSITE:
            op = part.op if holds else OPPOSITE[part.op]
            if op in ("<", "<=", "=="):
                firm.append(Bound(part.left, op, part.right, part, whole))
            if op in (">", ">=", "=="):
                firm.append(Bound(part.right, op.replace(">", "<"), part.left, part, whole))

    def elsewhere(self) -> list[Bound]:
        """Return what conditions behind the access compare."""
        found: list[Bound] = []
        here = self.access.at.line, self.access.at.column
        for node in self.everything:
            if isinstance(node, If):
                self._split(node.condition, not always_leaves(node.then), node.condition, found, [])
        return [
            each
            for each in found
            if (each.part.at.line, each.part.at.column) > here
            and each.op != "=="
            and not isinstance(bare(each.large), Literal)
        ]

    def index(self) -> Expr | None:
        """Return the index of x[i], *(x + i), or of row[i] where row is x + r * n: r * n + i; None where it is not plain."""
        parts = self._offsets(self.access)
        if not parts:
            return None
        return functools.reduce(lambda one, other: Binary(one.at, one.type, "+", one, other), parts)

    def _offsets(self, node: Expr) -> list[Expr] | None:
        """Return the parts of an index that are added up on the way from an array to one of its elements."""
        match node:
            case Index(base, index) | PointerOffset(base, index):
                before = self._offsets(base)
                return None if before is None else [*before, index]
            case (
                Dereference(inner)
                | Member(inner)
                | Decay(inner)
                | AddressOf(inner)
                | IntrinsicCall(arguments=[inner, *_])
            ):
                return self._offsets(inner)
            case Convert((Expr(type=Pointer(target=other)) as inner), type=Pointer(target=one)):
                found = self._offsets(inner)  # of elements of another size
                return found if size_of(one) == size_of(other) or not found else None
            case Name(variable) if variable in self.defined:
                return self._offsets(self.defined[variable])
            case Name(variable) if variable not in self.changed:
                return []
        return None

    # --- variables and numbers ----------------------------------------------------------------

    def of(self, ask: Callable[..., Any], variable: Variable, *more: Any) -> Any:
        """Answer a question about the expression that defines a variable; each question is asked once."""
        key = ask.__name__, variable
        if key not in self._known:
            self._known[key] = ask(self.defined[variable], *more)
        return self._known[key]

    def names(self, expression: Expr) -> set[str]:
        """Return the variables and built-in indices that differ between threads or iterations, definitions included."""
        found = set()
        for node in nodes(expression):
            if isinstance(node, BuiltinIndex) and node.name in ("threadIdx", "blockIdx"):
                found.add(written(node))
            elif isinstance(node, Name) and node.variable in self.defined:
                inner = self.of(self.names, node.variable)
                found |= inner | {node.variable.name} if inner else inner
            elif isinstance(node, Name) and node.variable in self.changed:
                found.add(node.variable.name)
        return found

    def varies(self, expression: Expr) -> bool:
        return bool(self.names(expression))

    def needed(self, expression: Expr) -> set[str]:
        """Return the variables that an expression is computed from, in any way."""
        found = names_in(expression)
        for variable in self.defined:
            if variable.name in found and variable in variables_in(expression):
                found |= self.of(self.needed, variable)
        return found

    def unbounded(self, expression: Expr, firm: list[Bound]) -> set[str]:
        """Return which variables of an index no condition bounds from above, nor those that it is computed from."""
        bounded = [name for each in firm for name in self.parts(each.small)]
        node = bare(expression)
        name = written(node)
        if name in bounded or any(self.same(node, each.small) for each in firm):
            return set()
        if isinstance(node, Name) and node.variable in self.defined:
            inner: set[str] = self.of(self.unbounded, node.variable, firm)
            return inner if inner <= {each.name for each in self.defined} or not inner else {name}
        if isinstance(node, Name | BuiltinIndex):
            return {name} if self.varies(node) else set()
        if (isinstance(node, Binary) and node.op == "%") or isinstance(node, Index):
            return set()
        return {each for part in children(node) for each in self.unbounded(part, firm)}

    def parts(self, expression: Expr) -> set[str]:
        """Return the variables that an expression grows with, definitions included: not those that it divides."""
        node = bare(expression)
        if isinstance(node, Binary) and node.op in ("/", "%", ">>", "&"):
            return set()
        own = {written(node)} if isinstance(node, Name | BuiltinIndex) else set()
        if isinstance(node, Name) and node.variable in self.defined:
            return own.union(self.of(self.parts, node.variable))
        return own.union(*(self.parts(part) for part in children(node)))

    def value(self, expression: Expr) -> int | None:
        """Return the exact value of an integer expression in the thread at fault, where it is known."""
        match expression:
            case Literal(int() as number):
                return int(number)
            case Convert(operand):
                return self.value(operand)
            case BuiltinIndex():
                return self.numbers.get(written(expression))
            case Name(variable) if variable in self.defined:
                known: int | None = self.of(self.value, variable)
                return known
            case Name(variable):
                return self.numbers.get(self.python_names.get(variable, ""))
            case Unary("-", operand):
                inner = self.value(operand)
                return None if inner is None else -inner
            case Binary(op, Expr(type=Scalar() as kind) as left, right) if op in _ARITHMETIC:
                one, other = self.value(left), self.value(right)
                found = None if one is None or other is None else operate(op, one, other, kind)
                return None if found is None else int(found)
        return None

    def same(self, one: Expr, other: Expr) -> bool:
        """Return whether two expressions are equal once their variables are replaced by their definitions."""
        return self._expanded(one) == self._expanded(other)

    def _expanded(self, expression: Expr) -> str:
        used = variables_in(expression) & self.defined.keys()
        texts = {variable.name: self.of(self._expanded, variable) for variable in used}
        return written(
            expression, {name: text for name, text in texts.items() if len(text) < _LONG}
        )


def names_in(expression: Expr) -> set[str]:
    """Return the variables that stand in an expression."""
    return {written(node) for node in nodes_of(Name | BuiltinIndex, expression)}

"""Which powers of two divide a number for certain: where a pointer to float4 may be made of one to float."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from ..language import tree
from ..language.layout import offset_of
from ..language.normal.nodes import Collective, Store, root
from ..language.types import Pointer, Scalar, size_of
from ..language.walking import nodes

MOST = 64  # what divides more counts as this, 0 too


class Divisors:
    """numbers: values of parameters. Each variable is what divides all that is ever assigned to it: a fix-point."""

    def __init__(
        self, body: tree.Stmt, block: tuple[int, int, int], numbers: Mapping[tree.Variable, int]
    ) -> None:
        self._block = block
        self._known = {variable: _divisor(number) for variable, number in numbers.items()}
        assigned: list[tuple[tree.Variable, Any]] = []
        for node in nodes(body):
            if isinstance(node, tree.Declare) and isinstance(node.initializer, tree.Expr):
                assigned.append((node.variable, node.initializer))
            elif isinstance(node, Store) and isinstance(node.target, tree.Name):
                assigned.append((node.target.variable, node.value))
            elif isinstance(node, tree.AddressOf | Store):
                moved = root(node.operand if isinstance(node, tree.AddressOf) else node.target)
                if moved is not None:
                    self._known[moved] = 1
            elif isinstance(node, Collective):
                self._known[node.result] = 1
        self._known = {**dict.fromkeys((v for v, _ in assigned), MOST), **self._known}
        before: dict[tree.Variable, int] = {}
        while before != self._known:
            before = dict(self._known)
            for variable, value in assigned:
                self._known[variable] = math.gcd(self._known[variable], self(value))

    def __call__(self, e: Any) -> int:
        """Return what divides a whole number, or the bytes that a pointer leads into its array."""
        match e:
            case tree.Literal(value=value):
                return _divisor(int(value)) if not _is_float(e) else 1
            case tree.Name(variable=variable):
                start = isinstance(e.type, Pointer) and variable.space == "parameter"
                return self._known.get(variable, MOST if start else 1)
            case tree.BuiltinIndex(name="blockDim", axis=axis):
                return _divisor(self._block["xyz".index(axis)])
            case tree.Convert(operand=operand):
                return 1 if _is_float(operand) else self(operand)
            case tree.Unary(op="-", operand=operand):
                return self(operand)
            case tree.Binary(op=op, left=left, right=right):
                return self._calculated(op, left, right)
            case tree.Conditional(then=then, otherwise=otherwise):
                return math.gcd(self(then), self(otherwise))
            case tree.PointerOffset(pointer=pointer, index=index):
                assert isinstance(e.type, Pointer)
                return math.gcd(self(pointer), self._times(index, size_of(e.type.target)))
            case tree.Decay(operand=operand) | tree.AddressOf(operand=operand):
                return self._place(operand)
        return 1

    def _calculated(self, op: str, left: tree.Expr, right: tree.Expr) -> int:
        if op in ("+", "-", "|", "^"):
            return math.gcd(self(left), self(right))
        if op == "*":
            return min(MOST, self(left) * self(right))
        if op == "&":
            return max(self(left), self(right))
        if op == "<<" and isinstance(right, tree.Literal):
            return min(MOST, self(left) << min(int(right.value), 6))
        return 1

    def _times(self, index: tree.Expr, size: int) -> int:
        return min(MOST, self(index) * _divisor(size))

    def _place(self, e: Any) -> int:
        match e:
            case tree.Index(base=base, index=index):
                start = self(base) if isinstance(base.type, Pointer) else self._place(base)
                return math.gcd(start, self._times(index, size_of(e.type)))
            case tree.Dereference(pointer=pointer):
                return self(pointer)
            case tree.Member(base=base, field=name):
                return math.gcd(self._place(base), _divisor(offset_of(base.type, name)))
        return MOST


def _is_float(e: tree.Expr) -> bool:
    return isinstance(e.type, Scalar) and e.type.is_float


def _divisor(number: int) -> int:
    """Return the largest power of two that divides a number, up to MOST."""
    return math.gcd(abs(number), MOST)

"""Expressions: C's arithmetic and conversions as the simulator has them, and what && || ?: leave out.

First used in lesson 07.
"""

from __future__ import annotations

from typing import Any

from ...language import tree
from ...language.layout import leaves
from ...language.types import BOOL, INT, Array, Pointer, Scalar, Struct, Type, Vector, Void, size_of
from ...language.walking import nodes
from ..code import BITS, FLOATS, Value
from ..refusal import Refusal
from .memory import LoadsAndStores
from .nodes import CHANGES, Inlined
from .state import Address, kind_of, register_kind

_WHOLE = {"+": "add", "-": "sub", "*": "mul", "&": "and", "|": "or", "^": "xor"}
_TESTS = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge", "==": "eq", "!=": "ne"}


class VectorExpressions(LoadsAndStores):
    def expression(self, e: Any) -> Any:
        """Its value; of a struct or vector the list of its leaves."""
        code = self.code
        match e:
            case tree.Literal(value=value):
                return code.constant(register_kind(e.type), value)
            case tree.Name() | tree.Index() | tree.Dereference() | tree.Member() | tree.Temporary():
                return self.read(self.place(e), e.type, e.at)
            case tree.BuiltinIndex():
                return self._builtin(e)
            case tree.Convert(operand=operand):
                return self._convert(e, operand)
            case tree.Binary(op=op, left=left, right=right):
                if isinstance(left.type, Pointer):
                    return self._compared(op, self.address(left), self.address(right))
                a, b = self.expression(left), self.expression(right)
                return self.arithmetic(op, a, b, left.type, e.at)
            case tree.Unary():
                return self._unary(e)
            case tree.Logical():
                return self._logical(e)
            case tree.Conditional():
                return self._conditional(e)
            case tree.Comma(left=left, right=right):
                self.effect(left)
                return self.expression(right)
            case tree.Assign(target=target, value=value):
                result = self.expression(value)
                self.write(self.place(target), target.type, result, e.at)
                return result
            case tree.CompoundAssign() | tree.Increment():
                return self._update(e)
            case tree.PointerDifference(left=left, right=right):
                a, b = self.address(left), self.address(right)
                self._same(a, b)
                return code.convert(code.binary("sub", a.index, b.index), "i64")
            case tree.Build(initializer=given):
                return self.built(e.type, given)
            case tree.IntrinsicCall():
                return self.intrinsic(e)
            case Inlined():
                return self.inlined(e)
        raise Refusal(type(e).__name__)

    def effect(self, e: tree.Expr) -> None:
        """For what it does."""
        if isinstance(e, CHANGES) and isinstance(e.target.type, Pointer):
            self.move_pointer(e)
        elif not (isinstance(e, tree.Literal) and isinstance(e.type, Void)):
            self.expression(e)

    def built(self, kind: Type, given: tree.InitializerList) -> list[Value]:
        """What is not in the list is zero."""
        parts = leaves(kind)
        values: list[Value | None] = [None] * len(parts)
        at = {leaf.offset: k for k, leaf in enumerate(parts)}
        for offset, e in given.items:
            value = self.expression(e)
            for k, part in enumerate(value if isinstance(value, list) else [value]):
                if offset not in at:
                    raise Refusal("a union, or part of a struct by another name")
                values[at[offset] + k] = part
        return [self.code.constant(register_kind(leaf.type), 0) if value is None else value
                for leaf, value in zip(parts, values, strict=True)]

    def _builtin(self, e: tree.BuiltinIndex) -> Value:
        code = self.code
        if e.name == "threadIdx":
            return self.thread_index[e.axis]
        if e.name == "blockIdx":
            return self.block_index[e.axis]
        if e.name == "warpSize":
            return code.word(32)
        axis = "xyz".index(e.axis)
        return code.word(self.block[axis]) if e.name == "blockDim" else self.grid[axis]

    # --- arithmetic -----------------------------------------------------------------------

    def arithmetic(self, op: str, a: Value, b: Value, kind: Type, at: tree.Position) -> Value:
        assert isinstance(kind, Scalar)
        code = self.code
        if op in _TESTS:
            unsigned = kind.is_unsigned and kind != BOOL and op not in ("==", "!=")
            if a.kind == "b":
                a, b = code.convert(a, "i32"), code.convert(b, "i32")
            return code.compare("u" * unsigned + _TESTS[op], a, b)
        if op == "/" and kind.is_float:
            return code.binary("div", a, b)
        if op in ("/", "%"):
            return self.divided(op, a, b, kind, at)
        if op in ("<<", ">>"):
            return self.shifted(op, a, b, kind)
        return code.binary(_WHOLE[op], a, b)

    def divided(self, op: str, a: Value, b: Value, kind: Scalar, at: tree.Position) -> Value:
        """Towards zero; the most negative number by -1 is itself, and nothing is left."""
        code = self.code
        name = ("u" if kind.is_unsigned else "s") + ("div" if op == "/" else "rem")
        if b.constant is not None and b.constant not in (0, -1):
            return code.binary(name, a, b)
        zero, one = code.constant(a.kind, 0), code.constant(a.kind, 1)
        is_zero = code.compare("eq", b, zero)
        self.fault(at, "division by zero", is_zero)
        if kind.is_unsigned:
            return code.binary(name, a, code.select(is_zero, one, b))
        is_minus = code.compare("eq", b, code.constant(a.kind, -1))
        result = code.binary(name, a, code.select(code.either(is_zero, is_minus), one, b))
        return code.select(is_minus, code.binary("sub", zero, a) if op == "/" else zero, result)

    def shifted(self, op: str, a: Value, b: Value, kind: Scalar) -> Value:
        """By the width or more: 0, or the sign."""
        code, bits = self.code, BITS[a.kind]
        name = "shl" if op == "<<" else "shr" if kind.is_unsigned else "sar"
        amount = b if b.kind == a.kind else code.convert(b, a.kind)
        if amount.constant is not None and 0 <= amount.constant < bits:
            return code.binary(name, a, amount)
        inside = code.compare("ult", b, code.constant(b.kind, bits))
        shifted = code.binary(name, a, code.binary("and", amount, code.constant(a.kind, bits - 1)))
        outside = code.constant(a.kind, 0)
        if name == "sar":
            outside = code.binary("sar", a, code.constant(a.kind, bits - 1))
        return code.select(inside, shifted, outside)

    def _unary(self, e: tree.Unary) -> Value:
        code, value = self.code, self.expression(e.operand)
        if e.op == "!":
            return code.invert(code.convert(value, "b"))
        if e.op == "~":
            return code.binary("xor", value, code.constant(value.kind, -1))
        if value.kind in FLOATS:
            if value.constant is not None:
                return code.constant(value.kind, -value.constant)
            return code.unary("neg", value)
        return code.binary("sub", code.constant(value.kind, 0), value)

    def _convert(self, e: tree.Convert, operand: tree.Expr) -> Any:
        if isinstance(e.type, Void):
            self.effect(operand)
            return self.code.word(0)
        if isinstance(operand.type, Pointer):
            if e.type == BOOL:
                return self.code.constant("b", self.address(operand).target is not None)
            raise Refusal("a pointer as a number")
        value = self.expression(operand)
        if isinstance(e.type, Struct | Vector) or e.type == operand.type:
            return value
        if isinstance(value, list):
            raise Refusal("a struct as another type")
        return self.converted(value, operand.type, e.type)

    def converted(self, value: Value, source: Any, to: Any) -> Value:
        code = self.code
        unsigned = (to if source.is_float else source).is_unsigned
        wide = register_kind(to)
        if source.is_float and not to.is_float and to.size < 4 and to != BOOL:
            unsigned = to.is_unsigned
        value = code.convert(value, wide, unsigned)
        bits = 32 - 8 * size_of(to)
        if bits <= 0 or to == BOOL or source == BOOL or source.size <= to.size and (
                source.is_unsigned == to.is_unsigned or source.is_unsigned and source.size < to.size):
            return value
        if kind_of(to)[0] == "u":
            return code.binary("and", value, code.word((1 << 8 * to.size) - 1))
        return code.binary("sar", code.binary("shl", value, code.word(bits)), code.word(bits))

    def _compared(self, op: str, a: Address, b: Address) -> Value:
        """Pointers."""
        code = self.code
        if a.target is not b.target:
            if op in ("==", "!="):
                return code.constant("b", op == "!=")
            raise Refusal("a comparison of pointers into several arrays")
        return code.compare(_TESTS[op], a.index, b.index)

    def _update(self, e: Any) -> Any:
        """+= and ++: the place is looked up once."""
        if isinstance(e.target.type, Pointer):
            raise Refusal("a pointer as a number")
        value: Any = None if isinstance(e, tree.Increment) else self.expression(e.value)
        place = self.place(e.target)
        if isinstance(e, tree.Increment):
            before = self.read(place, e.target.type, e.at)
            one = self.code.constant(before.kind, e.delta)
            after = self.code.binary("add", before, one)
            if size_of(e.target.type) < 4:
                after = self.converted(after, INT, e.target.type)
        else:
            before = self.read(place, e.target.type, e.at)
            left = self.converted(before, e.target.type, e.compute_type)
            after = self.arithmetic(e.op, left, value, e.compute_type, e.at)
            after = self.converted(after, e.compute_type, e.target.type)
        self.write(place, e.target.type, after, e.at)
        return before if isinstance(e, tree.Increment) and not e.prefix else after

    # --- what is not always evaluated -------------------------------------------------------

    def _logical(self, e: tree.Logical) -> Value:
        code, is_and = self.code, e.op == "&&"
        left = self.expression(e.left)
        if left.constant is not None:
            return self.expression(e.right) if bool(left.constant) == is_and else left
        if is_quiet(e.right):
            return (code.both if is_and else code.either)(left, self.expression(e.right))
        result = code.variable(left, self.lanes if self.varying(e) else 1)
        self.branch(left if is_and else code.invert(left), lambda: self.put(result, self.expression(e.right)))
        return code.get(result)

    def _conditional(self, e: tree.Conditional) -> Any:
        code, condition = self.code, self.expression(e.condition)
        if condition.constant is not None:
            return self.expression(e.then if condition.constant else e.otherwise)
        if is_quiet(e.then) and is_quiet(e.otherwise) and not isinstance(e.type, Void):
            a, b = self.expression(e.then), self.expression(e.otherwise)
            if isinstance(a, list):
                return [code.select(condition, x, y) for x, y in zip(a, b, strict=True)]
            return code.select(condition, a, b)
        if isinstance(e.type, Void):
            self.branch(condition, lambda: self.effect(e.then), lambda: self.effect(e.otherwise))
            return code.word(0)
        result = self.slots(e.type, self.lanes if self.varying(e) else 1)
        self.branch(condition, lambda: self.write(result, e.type, self.expression(e.then), e.at),
                    lambda: self.write(result, e.type, self.expression(e.otherwise), e.at))
        return self.read(result, e.type, e.at)

    # --- in the files that build on this one -------------------------------------------------

    def branch(self, condition: Value, then: Any, otherwise: Any = None) -> None:
        raise NotImplementedError

    def inlined(self, e: Inlined) -> Any:
        raise NotImplementedError

    def intrinsic(self, e: tree.IntrinsicCall) -> Any:
        raise NotImplementedError


_LOUD = (tree.Index, tree.Dereference, Inlined, tree.IntrinsicCall, tree.Temporary, *CHANGES)


def is_quiet(e: tree.Expr) -> bool:
    """May it be evaluated where it is not asked for? It touches no memory, changes nothing and cannot fail."""
    return not any(isinstance(node, _LOUD)
                   or isinstance(node, tree.Binary) and node.op in "/%" and not _divides(node.right)
                   or isinstance(node, tree.Name) and not isinstance(node.variable.type, Array)
                   and node.variable.space in ("shared", "global", "constant")
                   for node in nodes(e))


def _divides(e: tree.Expr) -> bool:
    while isinstance(e, tree.Convert):
        e = e.operand
    return isinstance(e, tree.Literal) and e.value not in (0, -1) or isinstance(e.type, Scalar) and e.type.is_float

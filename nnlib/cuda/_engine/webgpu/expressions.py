"""Expressions of the normal tree, which change nothing, as expressions of WGSL."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..language import tree
from ..language.normal.intervals import ANYTHING, contains, of_type
from ..language.normal.nodes import is_quiet
from ..language.refusal import Refusal
from ..language.types import (
    BOOL,
    Array,
    Group,
    Half,
    Pointer,
    Scalar,
    Struct,
    Type,
    Vector,
    Void,
    is_half,
    size_of,
)
from . import halves
from .lvalues import ShaderLvalues
from .memory import members
from .writer import functions

OVERFLOWING = {"+": "add", "-": "sub", "*": "mul", "<<": "shl"}


def _is_long(kind: Type) -> bool:
    return isinstance(kind, Scalar) and kind.size == 8 and not kind.is_float


class ShaderExpressions:
    """call: evaluates one of CUDA's functions."""

    def __init__(self, lvalues: ShaderLvalues) -> None:
        self.lvalues, self.memory, self.writer = lvalues, lvalues.memory, lvalues.writer
        self.call: Callable[[tree.IntrinsicCall], str] = lambda e: ""
        lvalues.value = self.value

    def value(self, e: Any) -> str:
        """Return the text of a value; what it needs is written in front."""
        match e:
            case tree.Literal():
                return "0" if isinstance(e.type, Pointer) else self.writer.literal(e.value, e.type)
            case tree.Name() | tree.Index() | tree.Dereference() | tree.Member():
                if isinstance(e.type, Pointer):
                    return self.lvalues.address(e).offset
                return self.memory.load(self.lvalues.lvalue(e))
            case tree.BuiltinIndex(name=name, axis=axis):
                return self._index(name, axis)
            case tree.Unary(op=op, operand=operand):
                text, own = self.value(operand), self.writer.type(e.type)
                if self._may_overflow(e):
                    return self._checked("sub" if op == "-" else op, own, f"{own}(0)", text)
                return f"({own}(0) - {text})" if op == "-" and own[0] == "u" else f"({op}{text})"
            case tree.Binary():
                return self._binary(e)
            case tree.Logical():
                return self._logical(e)
            case tree.Conditional():
                return self._conditional(e)
            case tree.Convert(operand=operand):
                return self._convert(operand, e.type)
            case tree.Decay() | tree.AddressOf() | tree.PointerOffset():
                return self.lvalues.address(e).offset
            case tree.PointerDifference(left=left, right=right):
                return self._difference(left, right, e.type)
            case tree.IntrinsicCall():
                return self.call(e)
            case tree.Build(initializer=given):
                return self.built(e.type, given)
        raise Refusal(type(e).__name__)

    def _index(self, name: str, axis: str) -> str:
        if name == "warpSize":
            return "32"
        if name in ("threadIdx", "blockIdx"):
            return f"{'tid' if name == 'threadIdx' else 'bid'}.{axis}"
        if name == "blockDim":
            return f"{self.lvalues.launch.block['xyz'.index(axis)]}u"
        return self.writer.uniform("grid", "xyz".index(axis))

    # --- operators ------------------------------------------------------------------------------

    def _binary(self, e: tree.Binary) -> str:
        op, left, right = e.op, e.left, e.right
        if is_half(left.type):
            values = [self.value(left), self.value(right)]
            return halves.called(self.writer, halves.OPERATORS[op], values, left.type, e.type)
        if isinstance(left.type, Pointer) or isinstance(right.type, Pointer):
            return self._pointers(op, left, right)
        a, b = self.value(left), self.value(right)
        own = self.writer.type(left.type)
        if op in OVERFLOWING and self._may_overflow(e):
            return self._checked(OVERFLOWING[op], own, a, b)
        if op in ("<<", ">>"):
            return self._shifted(op, a, b, right, own)
        if op in ("/", "%") and own[0] != "f":
            return self._divided(e, a, b, own)
        if own == "bool" and op in ("<", ">", "<=", ">=", "+", "-", "*"):
            a, b = (self.writer.cast(text, own, "i32") for text in (a, b))
        if own == "f32" and a == b and op in ("==", "!="):
            test = f"{self.writer.helper('is_nan_')}({a})"
            return test if op == "!=" else f"(!{test})"
        return f"({a} {'!=' if op == '^' and own == 'bool' else op} {b})"

    def _may_overflow(self, e: tree.Expr) -> bool:
        """Return whether a number of 64 bits, printed as 32, may be one that they do not hold."""
        return self.writer.checked and _is_long(e.type) and not self.lvalues.ranges.narrow(e)

    def _checked(self, name: str, own: str, *values: str) -> str:
        """Return what notes a fault where the value does not fit. Raises Refusal for what nobody can check."""
        if name == "~" and own == "i32":
            return f"(~{values[1]})"
        helper = f"{name}_wide_{own}_"
        if helper not in functions():
            raise Refusal("64-bit integers")
        return f"{self.writer.helper(helper)}({', '.join(values)})"

    def _shifted(self, op: str, a: str, b: str, right: tree.Expr, own: str) -> str:
        """Shift. By the width or more, the result is 0, or the sign."""
        bits = 64 if own.endswith("64") else 32
        amount = self.writer.cast(b, self.writer.type(right.type), "u32")
        found = self.lvalues.ranges.values.get(id(right), ANYTHING)
        if op == ">>" and found.low >= 0 and found.high < bits:
            return f"({a} >> {amount})"
        helper = self.writer.helper(f"{'shl' if op == '<<' else 'shr'}_{own}_")
        return f"{helper}({a}, {amount})"

    def _divided(self, e: tree.Binary, a: str, b: str, own: str) -> str:
        """Note a division by zero; the smallest number by -1 is itself.

        Vulkan leaves the remainder of negative numbers undefined, and NVIDIA's driver computes that of unsigned ones.
        """
        known = self.lvalues.ranges.values
        least = known.get(id(e.right), ANYTHING).low
        by_literal = isinstance(e.right, tree.Literal) and e.right.value not in (0, -1)
        if not by_literal and least <= 0:
            if self.writer.checked and _is_long(e.type) and own[0] == "i":
                raise Refusal("64-bit integers")  # the smallest number by -1
            helper = self.writer.helper(f"{'div' if e.op == '/' else 'rem'}_{own}_")
            return f"{helper}({a}, {b})"
        negative = known.get(id(e.left), ANYTHING).low < 0 or least < 0
        if e.op == "/" or own[0] == "u" or not negative:
            return f"({a} {e.op} {b})"
        a, b = self.writer.let("dividend", a), b if by_literal else self.writer.let("divisor", b)
        return f"({a} - ({a} / {b}) * {b})"

    def _pointers(self, op: str, left: tree.Expr, right: tree.Expr) -> str:
        a, b = self.lvalues.address(left), self.lvalues.address(right)
        if a.root is b.root:
            return f"({a.offset} {op} {b.offset})"
        if op not in ("==", "!="):
            raise Refusal("a comparison of pointers to several arrays")
        same = a.root.kind == b.root.kind == "null"
        return "true" if same == (op == "==") else "false"

    def _difference(self, left: tree.Expr, right: tree.Expr, kind: Type) -> str:
        a, b = self.lvalues.address(left), self.lvalues.address(right)
        if a.root is not b.root:
            raise Refusal("the difference of pointers to several arrays")
        assert isinstance(left.type, Pointer)
        each = max(1, size_of(left.type.target) // a.unit)
        text = f"(({a.offset} - {b.offset}) / {each})" if each > 1 else f"({a.offset} - {b.offset})"
        return self.writer.cast(text, "i32", self.writer.type(kind))

    def _logical(self, e: tree.Logical) -> str:
        left = self.value(e.left)
        lines, right = self.writer.apart(lambda: self.value(e.right))
        if not lines and is_quiet(e.right):
            return f"({left} {e.op} {right})"
        name = self.writer.fresh("both" if e.op == "&&" else "either")
        self.writer.put(f"var {name} = {left};")
        with self.writer.braces(f"if ({name if e.op == '&&' else '!' + name})"):
            self.writer.lines += ["  " + line for line in lines]
            self.writer.put(f"{name} = {right};")
        return name

    def _conditional(self, e: tree.Conditional) -> str:
        condition = self.value(e.condition)
        if is_quiet(e.then) and is_quiet(e.otherwise):
            return f"select({self.value(e.otherwise)}, {self.value(e.then)}, {condition})"
        name = self.writer.fresh("chosen")
        self.writer.put(f"var {name}: {self.writer.type(e.type)};")
        for head, side in ((f"if ({condition})", e.then), ("else", e.otherwise)):
            with self.writer.braces(head):
                self.writer.put(f"{name} = {self.value(side)};")
        return name

    # --- conversions ----------------------------------------------------------------------------

    def _convert(self, operand: Any, to: Type) -> str:
        source = operand.type
        if isinstance(to, Void):
            return self.value(operand)
        if isinstance(to, Pointer):
            if not isinstance(source, Pointer):
                raise Refusal("a number as a pointer")
            return self.lvalues.address(tree.Convert(operand.at, to, operand)).offset
        if isinstance(source, Pointer):
            if to != BOOL:
                raise Refusal("a pointer as a number")
            return "false" if self.lvalues.address(operand).root.kind == "null" else "true"
        if isinstance(to, Group) or to == source:
            return self.value(operand)
        if not (isinstance(to, Scalar) and isinstance(source, Scalar)):
            raise Refusal("a vector as another")
        return self._number(operand, source, to)

    def _number(self, operand: tree.Expr, source: Scalar, to: Scalar) -> str:
        text = self.value(operand)
        own, target = self.writer.type(source), self.writer.type(to)
        if isinstance(to, Half):
            exact = f"{own}_to_odd_"
            if exact in functions():
                text = f"{self.writer.helper(exact)}({text})"
            elif own not in ("f32", "bool"):
                raise Refusal(f"{source} as {to}")
            return halves.rounded(self.writer, self.writer.cast(text, own, "f32"), to)
        found = self.lvalues.ranges.values.get(id(operand), of_type(source))
        if self.writer.checked and _is_long(to) and source != BOOL:
            if source.is_float:
                text = self._checked("whole", target, text)
            elif source.is_unsigned != to.is_unsigned and not 0 <= found.low <= found.high < 2**31:
                text = self._checked("same", own, text)
        text = self.writer.cast(text, own, target)
        if to.size >= 4 or to == BOOL or contains(of_type(to), found):
            return text
        if isinstance(source, Half):
            low, high = (self.writer.literal(x, to) for x in of_type(to)[:2])
            return f"clamp({text}, {low}, {high})"
        return f"extractBits({text}, 0u, {8 * to.size}u)"

    # --- structs, vectors and arrays that are written out ---------------------------------------

    def built(self, kind: Type, given: tree.InitializerList) -> str:
        """Return a whole made of the values of its parts; what is not in the list is zero."""
        values = dict(given.items)

        def part(kind: Type, at: int) -> str:
            if at in values and values[at].type == kind:
                return self.value(values[at])
            if not isinstance(kind, Struct | Array | Vector):
                return self.writer.zero(kind)
            inner = ", ".join(part(one, at + offset) for offset, one, _ in members(kind))
            return f"{self.writer.type(kind)}({inner})"

        return part(kind, 0)

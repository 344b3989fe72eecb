"""Expressions: C's arithmetic and conversions as the simulator has them, and what && || ?: leave out."""

from __future__ import annotations

from typing import Any

from ...language.layout import leaves
from ...language.normal.nodes import is_quiet
from ...language.refusal import Refusal
from ...language.tree import (
    Binary,
    Build,
    BuiltinIndex,
    Conditional,
    Convert,
    Dereference,
    Expr,
    Index,
    InitializerList,
    IntrinsicCall,
    Literal,
    Logical,
    Member,
    Name,
    PointerDifference,
    Unary,
)
from ...language.types import BOOL, Pointer, Struct, Type, Vector
from ..code import FLOATS, Value
from .arithmetic import LaneArithmetic
from .branches import Branches
from .constants import TESTS
from .intrinsics import Intrinsics
from .lvalues import Lvalues
from .memory import LaneMemory
from .state import Address, LoweringState, register_kind


class LaneExpressions:
    """Evaluates expressions."""

    def __init__(
        self,
        state: LoweringState,
        memory: LaneMemory,
        arithmetic: LaneArithmetic,
        lvalues: type[Lvalues] = Lvalues,
        intrinsics: type[Intrinsics] = Intrinsics,
    ) -> None:
        self.state, self.code, self.memory, self.arithmetic = state, state.code, memory, arithmetic
        self.lanes = self.state.lanes
        self.lvalues, self.branches = lvalues(state, self.value), Branches(state)
        self.intrinsics = intrinsics(memory, self.lvalues, arithmetic, self.value)

    def value(self, e: Any) -> Any:
        """Return the value of an expression; for a struct or vector the list of its leaves."""
        code = self.code
        match e:
            case Literal(value):
                return code.constant(register_kind(e.type), value)
            case Name() | Index() | Dereference() | Member():
                return self.memory.read(self.lvalues.lvalue(e), e.type)
            case BuiltinIndex():
                return self._builtin(e)
            case Convert(operand):
                return self._convert(e, operand)
            case Binary(op, left, right):
                if isinstance(left.type, Pointer):
                    return self._compared(
                        op, self.lvalues.address(left), self.lvalues.address(right)
                    )
                a, b = self.value(left), self.value(right)
                return self.arithmetic.operate(op, a, b, left.type)
            case Unary():
                return self._unary(e)
            case Logical():
                return self._logical(e)
            case Conditional():
                return self._conditional(e)
            case PointerDifference(left, right):
                a, b = self.lvalues.address(left), self.lvalues.address(right)
                self.lvalues.same(a, b)
                return code.convert(a.index - b.index, "i64")
            case Build(given):
                return self.built(e.type, given)
            case IntrinsicCall():
                return self.intrinsics.call(e)
        raise Refusal(type(e).__name__)

    def built(self, kind: Type, given: InitializerList) -> list[Value]:
        """Build a value from a list; what is not in the list is zero."""
        parts = leaves(kind)
        values: list[Value | None] = [None] * len(parts)
        at = {leaf.offset: k for k, leaf in enumerate(parts)}
        for offset, e in given.items:
            value = self.value(e)
            for k, part in enumerate(value if isinstance(value, list) else [value]):
                if offset not in at:
                    raise Refusal("a union, or part of a struct by another name")
                values[at[offset] + k] = part
        return [
            self.code.constant(register_kind(leaf.type), 0) if value is None else value
            for leaf, value in zip(parts, values, strict=True)
        ]

    def _builtin(self, e: BuiltinIndex) -> Value:
        code = self.code
        if e.name == "threadIdx":
            return self.state.thread_index[e.axis]
        if e.name == "blockIdx":
            return self.state.block_index[e.axis]
        if e.name == "warpSize":
            return code.word(32)
        axis = "xyz".index(e.axis)
        return code.word(self.state.block[axis]) if e.name == "blockDim" else self.state.grid[axis]

    # --- operators ------------------------------------------------------------------------

    def _unary(self, e: Unary) -> Value:
        code = self.code
        value: Value = self.value(e.operand)
        if e.op == "!":
            return ~code.convert(value, "b")
        if e.op == "~":
            return value ^ -1
        if value.kind in FLOATS:
            if value.constant is not None:
                return code.constant(value.kind, -value.constant)
            return code.unary("neg", value)
        return code.constant(value.kind, 0) - value

    def _convert(self, e: Convert, operand: Expr) -> Any:
        if isinstance(operand.type, Pointer):
            if e.type == BOOL:
                return self.code.constant("b", self.lvalues.address(operand).target is not None)
            raise Refusal("a pointer as a number")
        value = self.value(operand)
        if isinstance(e.type, Struct | Vector) or e.type == operand.type:
            return value
        if isinstance(value, list):
            raise Refusal("a struct as another type")
        return self.arithmetic.converted(value, operand.type, e.type)

    def _compared(self, op: str, a: Address, b: Address) -> Value:
        """Compare two pointers."""
        code = self.code
        if a.target is not b.target:
            if op in ("==", "!="):
                return code.constant("b", op == "!=")
            raise Refusal("a comparison of pointers into several arrays")
        return code.compare(TESTS[op], a.index, b.index)

    # --- what is not always evaluated -------------------------------------------------------

    def _logical(self, e: Logical) -> Value:
        code, is_and = self.code, e.op == "&&"
        left: Value = self.value(e.left)
        if left.constant is not None and bool(left.constant) != is_and:
            return left
        if left.constant is not None or is_quiet(e.right):
            return code.binary("and" if is_and else "or", left, self.value(e.right))
        result = code.variable(left, self.lanes if self.state.varying(e) else 1)
        self.branches.branch(
            left if is_and else ~left,
            lambda: self.state.put(result, self.value(e.right)),
        )
        return result.value

    def _conditional(self, e: Conditional) -> Any:
        code, condition = self.code, self.value(e.condition)
        if condition.constant is not None:
            return self.value(e.then if condition.constant else e.otherwise)
        if is_quiet(e.then) and is_quiet(e.otherwise):
            a, b = self.value(e.then), self.value(e.otherwise)
            if isinstance(a, list):
                return [code.select(condition, x, y) for x, y in zip(a, b, strict=True)]
            return code.select(condition, a, b)
        result = self.state.slots(e.type, self.lanes if self.state.varying(e) else 1)
        self.branches.branch(
            condition,
            lambda: self.memory.write(result, e.type, self.value(e.then)),
            lambda: self.memory.write(result, e.type, self.value(e.otherwise)),
        )
        return self.memory.read(result, e.type)

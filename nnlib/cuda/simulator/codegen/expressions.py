"""Expressions. Pure arithmetic stays one Python expression; loads, calls and effects become statements
before it, in source order, so that each happens once and under the mask of its place."""

# mypy: disable-error-code="union-attr"
# (the checker of the language has seen to it that types fit)

from __future__ import annotations

from typing import Any

import numpy as np

from nnlib.cuda.language import tree
from nnlib.cuda.language.types import BOOL, Array, Pointer, Scalar, Vector
from nnlib.cuda.simulator.codegen import calls
from nnlib.cuda.simulator.codegen.places import Places, Register, element_size, flat_count
from nnlib.cuda.simulator.functions import arithmetic


class Expressions(Places):
    """Lowering of expressions to Python text."""

    def expression(self, e: tree.Expr) -> str:
        return getattr(self, f"_{type(e).__name__}")(e)

    def condition(self, e: tree.Expr) -> str:
        text = self.expression(e)
        if isinstance(e.type, Scalar) and e.type.dtype == np.bool_:
            return text
        return self.converted(text, e.type, BOOL, e.at)

    def is_cheap(self, e: tree.Expr) -> bool:
        """Without effects, and harmless for threads that should not compute it."""
        if isinstance(e, tree.Literal | tree.BuiltinIndex):
            return True
        if isinstance(e, tree.Name):
            return not self.in_memory(e.variable) and e.variable not in self.tracked
        if isinstance(e, tree.Unary | tree.Convert):
            scalar = isinstance(e.type, Scalar) and isinstance(e.operand.type, Scalar)
            return scalar and self.is_cheap(e.operand)
        if isinstance(e, tree.Binary):
            divides = e.op in "/%" and not e.type.is_float
            return not divides and self.is_cheap(e.left) and self.is_cheap(e.right)
        if isinstance(e, tree.Logical):
            return self.is_cheap(e.left) and self.is_cheap(e.right)
        if isinstance(e, tree.Member):
            return self.is_cheap(e.base)
        return False

    # --- values -------------------------------------------------------------------------

    def _Literal(self, e: tree.Literal) -> str:
        if isinstance(e.type, Pointer):
            return "rt.null"
        return self.code.constant(e.type.dtype, e.value)

    def _BuiltinIndex(self, e: tree.BuiltinIndex) -> str:
        return f"rt.{e.name}_{e.axis}" if e.axis else f"rt.{e.name}"

    def _Name(self, e: tree.Name) -> str:
        return self.load(self.place(e), e.at)

    _Index = _Dereference = _Name

    def _Member(self, e: tree.Member) -> str:
        if isinstance(e.base, tree.Name | tree.Index | tree.Dereference | tree.Member):
            return self.load(self.place(e), e.at)
        return f"{self.atom(self.expression(e.base))}[{e.base.type.fields.index(e.field)}]"

    def _Unary(self, e: tree.Unary) -> str:
        operand = self.expression(e.operand)
        self.note(e.at)
        return f"logical_not({operand})" if e.op == "!" else f"({e.op}{operand})"

    def _Binary(self, e: tree.Binary) -> str:
        left, right = self.expression(e.left), self.expression(e.right)
        return self.binary(e.op, left, right, e.left.type, e.right.type, e.at)

    def binary(self, op: str, left: str, right: str, type, right_type, at: tree.Position) -> str:
        if isinstance(type, Pointer):
            size = element_size(type.target)
            return f"(address({left}, {size}) {op} address({right}, {size}))"
        self.note(at, flops=int(type.is_float and op in "+-*/"))
        if op in "/%" and not type.is_float:
            right = self.atom(right)
            if self.code.checks and not self._is_nonzero_constant(right):
                self.emit(f"rt.check_divisor({right}, m, {self.code.site(at, None, (), op)})")
            return f"{self.code.helper(arithmetic.quotient if op == '/' else arithmetic.remainder)}({left}, {right})"
        if op in ("<<", ">>") and right_type != type:
            right = self.converted(right, right_type, type, at)
        return f"({left} {op} {right})"

    def _is_nonzero_constant(self, text: str) -> bool:
        return text.startswith("K") and bool(self.code.namespace.get(text, 0))

    def _Convert(self, e: tree.Convert) -> str:
        return self.converted(self.expression(e.operand), e.operand.type, e.type, e.at)

    def converted(self, text: str, source, target, at: tree.Position) -> str:
        if isinstance(target, Pointer):
            return self._convert_pointer(text, source, target, at)
        if isinstance(source, Pointer):
            if target.dtype == np.bool_:
                return f"logical_not(is_null({text}))"
            return f"address({text}, {element_size(source.target)}).astype({self.code.dtype(target.dtype)})"
        if isinstance(target, Vector) or isinstance(source, Vector) or str(target) == "void":
            return text
        old, new = source.dtype, target.dtype
        if old == new:
            return text
        if text.startswith("K") and text in self.code.namespace:
            return self._fold(self.code.namespace[text], new)
        if new == np.bool_:
            return f"({text} != {self.code.constant(old, 0)})"
        if old.kind == "f" and new.kind != "f":
            self.note(at)
            return f"float_to_integer({text}, {self.code.dtype(new)})"
        if old.kind in "iu" and new.kind in "iu" and old.itemsize == new.itemsize:
            return f"{text}.view({self.code.dtype(new)})"
        self.note(at)
        return f"{text}.astype({self.code.dtype(new)})"

    def _fold(self, value, dtype) -> str:
        if value.dtype.kind == "f" and dtype.kind in "iu":
            return self.code.constant(dtype, arithmetic.float_to_integer(value, dtype))
        return self.code.constant(dtype, value != 0 if dtype == np.bool_ else value.astype(dtype))

    def _convert_pointer(self, text: str, source, target: Pointer, at: tree.Position) -> str:
        if not isinstance(source, Pointer):
            if isinstance(source, Array):
                return text
            raise self.unsupported(at, "an integer as a pointer")
        old, new = element_size(source.target), element_size(target.target)
        if old == new or "void" in (str(source.target), str(target.target)):
            return text
        site = self.code.site(at, target.target)
        return f"{text}.scaled({old}, {new}, rt.misaligned(m, {site}))"

    # --- pointers -----------------------------------------------------------------------

    def _Decay(self, e: tree.Decay) -> str:
        return self.address_of(self.place(e.operand))

    def _AddressOf(self, e: tree.AddressOf) -> str:
        return self.address_of(self.place(e.operand))

    def _PointerOffset(self, e: tree.PointerOffset) -> str:
        pointer = self.expression(e.pointer)
        return self.moved(pointer, self.expression(e.index), e.type, e.index.type)

    def moved(self, pointer: str, index: str, type: Any, index_type: Any) -> str:
        index = self.as_index(index, index_type)
        count = flat_count(type.target)
        return f"{pointer}.moved({index})" if count == 1 else f"{pointer}.moved({index} * {count})"

    def _PointerDifference(self, e: tree.PointerDifference) -> str:
        left, right = self.expression(e.left), self.expression(e.right)
        size = element_size(e.left.type.target)
        result = self.code.dtype(e.type.dtype)
        count = flat_count(e.left.type.target) * size
        return f"((address({left}, {size}) - address({right}, {size})) // {count}).astype({result})"

    # --- choices ------------------------------------------------------------------------

    def _Logical(self, e: tree.Logical) -> str:
        left = self.expression(e.left)
        operator = "&" if e.op == "&&" else "|"
        if self.is_cheap(e.right):
            self.note(e.at)
            return f"({left} {operator} {self.expression(e.right)})"
        n = self.fresh("")
        goes_on = f"_t{n}" if e.op == "&&" else f"_e{n}"
        self.emit(f"_r{n} = {left}")
        self.emit(f"_t{n}, _e{n} = split(m, _r{n})")
        self.emit(f"_s{n} = m")
        self._under(goes_on, lambda: self.emit(
            f"_r{n} = _q if {goes_on} is _s{n} else _r{n} {operator} _q"), e.right)
        self.emit(f"m = _s{n}")
        return f"_r{n}"

    def _under(self, mask: str, finish, e: tree.Expr) -> None:
        """Evaluate e by the threads of `mask` into `_q`, then `finish`."""
        self.emit(f"if {mask} is not False:")
        self.indent += 1
        outer = self.enter_region()
        self.emit(f"m = {mask}")
        self.emit(f"_q = {self.expression(e)}")
        finish()
        self.leave_region(outer)
        self.indent -= 1

    def _Conditional(self, e: tree.Conditional) -> str:
        condition = self.condition(e.condition)
        if isinstance(e.type, Scalar) and self.is_cheap(e.then) and self.is_cheap(e.otherwise):
            self.note(e.at)
            return f"choose({condition}, {self.expression(e.then)}, {self.expression(e.otherwise)})"
        n = self.fresh("")
        self.emit(f"_t{n}, _e{n} = split(m, {condition})")
        self.emit(f"_s{n} = m")
        self.note(e.at)
        value = not str(e.type) == "void"
        self._under(f"_t{n}", lambda: self.emit(f"_r{n} = _q"), e.then)
        merge = f"_r{n} = _q if _t{n} is False else select(_t{n}, _r{n}, _q)" if value else "pass"
        self._under(f"_e{n}", lambda: self.emit(merge), e.otherwise)
        self.emit(f"m = _s{n}")
        return f"_r{n}" if value else "None"

    def _Comma(self, e: tree.Comma) -> str:
        self.effect(e.left)
        return self.expression(e.right)

    # --- effects ------------------------------------------------------------------------

    def effect(self, e: tree.Expr) -> None:
        """Evaluate for what it does, not for its value."""
        if isinstance(e, tree.Increment):
            self.update(e, wants_old=False)
        elif isinstance(e, tree.Comma):
            self.effect(e.left)
            self.effect(e.right)
        elif isinstance(e, tree.IntrinsicCall):
            text = calls.lower_call(self, e, used=False)
            if text:
                self.emit(text)
        else:
            text = self.expression(e)
            if text and not text.isidentifier():
                self.emit(text)

    def _Assign(self, e: tree.Assign) -> str:
        value = self.expression(e.value)
        place = self.place(e.target)
        if isinstance(place, Register) and place.component is None:
            self.assign(place.variable, value)
            return self.name_of(place.variable)
        value = self.atom(value)
        self.store(place, value)
        return value

    def _CompoundAssign(self, e: tree.CompoundAssign) -> str:
        value = self.expression(e.value)
        place = self._fixed(self.place(e.target))
        target = e.target.type
        old = self.load(place, e.at)
        if isinstance(target, Pointer):
            if e.op == "-":
                value = f"(-{value})"
            new = self.moved(old, value, target, e.value.type)
        else:
            left = self.converted(old, target, e.compute_type, e.at)
            new = self.binary(e.op, left, value, e.compute_type, e.value.type, e.at)
            new = self.converted(new, e.compute_type, target, e.at)
        return self._stored(place, new)

    def _Increment(self, e: tree.Increment) -> str:
        return self.update(e, wants_old=not e.prefix)

    def update(self, e: tree.Increment, wants_old: bool) -> str:
        place = self._fixed(self.place(e.target))
        type = e.target.type
        old = self.load(place, e.at)
        if wants_old:
            old = self.temporary(old)
        if isinstance(type, Pointer):
            new = f"{old}.moved({e.delta * flat_count(type.target)})"
        else:
            one = self.code.constant(type.dtype, 1)
            new = self.binary("+" if e.delta > 0 else "-", old, one, type, type, e.at)
            if type.dtype == np.bool_:
                new = self.code.constant(type.dtype, True)
        stored = self._stored(place, new)
        return old if wants_old else stored

    def _fixed(self, place):
        """The same place with its index computed once."""
        if not isinstance(place, Register):
            place.index = place.index if place.index == "0" else self.atom(place.index)
            place.base = place.base if "." not in place.base else self.temporary(place.base)
        return place

    def _stored(self, place, new: str) -> str:
        if isinstance(place, Register) and place.component is None:
            self.assign(place.variable, new)
            return self.name_of(place.variable)
        new = self.atom(new)
        self.store(place, new)
        return new

    # --- calls --------------------------------------------------------------------------

    def _Call(self, e: tree.Call) -> str:
        arguments = [self.atom(self.expression(argument)) for argument in e.arguments]
        self.note(e.at)
        self.segment = None
        name = self.code.python_names[e.function.name]
        return self.temporary(f"{name}({', '.join(['rt', 'm', *arguments])})")

    def _IntrinsicCall(self, e: tree.IntrinsicCall) -> str:
        return calls.lower_call(self, e, used=True)

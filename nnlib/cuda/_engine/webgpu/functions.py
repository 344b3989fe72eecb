"""CUDA's functions of one thread: those that WGSL has, those of functions.wgsl, and atomics."""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

from ..language import compile_source, tree
from ..language.normal.collectives import CG, is_collective, members
from ..language.normal.normalizer import Normalizer
from ..language.refusal import Refusal
from ..language.types import DOUBLE, FLOAT, INT, UINT, Pointer, Scalar, Type, size_of
from ..native import headers
from .expressions import ShaderExpressions
from .memory import ArrayElement, unit_of
from .writer import functions

MATH = {
    **{
        name: name[:-1]
        for name in """floorf ceilf truncf expf exp2f logf log2f asinf acosf atanf
        sinhf coshf asinhf acoshf atanhf fmaf sqrtf""".split()
    },
    **{f"__{name}f": name for name in ("exp", "log", "log2", "sin", "cos", "tan")},
    "rintf": "round",
    "nearbyintf": "round",
    "fabsf": "abs",
    "rsqrtf": "inverseSqrt",
    "__frsqrt_rn": "inverseSqrt",
    "__saturatef": "saturate",
    "atan2f": "atan2",
    "__fmaf_rn": "fma",
    "__brev": "reverseBits",
    "min": "min",
    "max": "max",
    "abs": "abs",
}
DOUBLES = {  # as far as GPUs have them
    **{name: name for name in ("sqrt", "floor", "ceil", "trunc", "fma")},
    "fabs": "abs",
    "rint": "round",
    "nearbyint": "round",
}
QUOTIENTS = ("__fdividef", "fdividef")
ROUNDED = {
    f"__{letter}{op}_rn": op
    for letter in "fd"
    for op in ("add", "sub", "mul", "div", "rcp", "sqrt")
}
BITS = (
    "__float_as_int",
    "__float_as_uint",
    "__int_as_float",
    "__uint_as_float",
    "__double_as_longlong",
    "__longlong_as_double",
)
ROUNDINGS = {"rn": "round", "rz": "trunc", "ru": "ceil", "rd": "floor"}
FENCES = ("__threadfence_block",)  # WGSL orders nothing between blocks
STOPS = ("assert", "__trap")
SINES = ("sincosf", "__sincosf")
ATOMICS = {
    "atomicAdd": "old + a",
    "atomicSub": "old - a",
    "atomicMin": "min(old, a)",
    "atomicMax": "max(old, a)",
    "atomicAnd": "old & a",
    "atomicOr": "old | a",
    "atomicXor": "old ^ a",
    "atomicExch": "a",
    "atomicCAS": "select(old, b, old == a)",
    "atomicInc": "select(old + 1u, 0u, old >= a)",
    "atomicDec": "select(old - 1u, a, old == 0u || old > a)",
}
REDUCE = CG + "reduce_"
REDUCTIONS = {
    "plus": "value + other",
    "less": "other < value ? other : value",
    "greater": "value < other ? other : value",
    "bit_and": "value & other",
    "bit_or": "value | other",
    "bit_xor": "value ^ other",
}
SIGNED = ("atomicMin", "atomicMax")  # what they compute depends on the type


def converts(name: str) -> bool:
    """Return whether it is __float2int_rn or one of its kin."""
    return name.startswith(("__float2", "__int2float", "__uint2float")) and name[-2:] in ROUNDINGS


def helper_name(name: str) -> str:
    """Return what functions.wgsl calls one of CUDA's functions."""
    return name.lstrip("_") + "_"


def direct(name: str, *types: Any) -> bool:
    """Return whether it is printed here. types: of its arguments."""
    return (
        name in (*MATH, *DOUBLES, *QUOTIENTS, *ROUNDED, *BITS, *FENCES, *STOPS, *SINES)
        or helper_name(name) in functions()
        and DOUBLE not in types
        or name.startswith(("make_", "atomic", CG))
        or converts(name)
    )


def header(name: str, *types: Any) -> tree.Function | None:
    """Return the function in CUDA C that stands for one of CUDA's; None for what is printed. Raises Refusal."""
    if direct(name, *types) or is_collective(name):
        return None
    found = headers.function(name, *types)
    if found is None:
        raise Refusal(name)
    return found


class ReducingNormalizer(Normalizer):
    """Writes out reductions of a tile, which pass values from lane to lane."""

    def intrinsic(self, e: tree.IntrinsicCall) -> tree.Expr:
        if not e.name.startswith(REDUCE):
            return super().intrinsic(e)
        group, value = e.arguments
        function = _reduction(e.name.removeprefix(REDUCE), members(group), value.type)
        return self.inlined(e, function, self.values([group, value]))


@functools.cache
def _reduction(operation: str, lanes: int, kind: Type) -> tree.Function:
    """Return the function that combines the values of a tile in pairs. Raises Refusal."""
    if not lanes or operation not in REDUCTIONS or kind not in (INT, UINT, FLOAT):
        raise Refusal(f"{REDUCE}{operation} of {kind}")
    text = f"""#include <cooperative_groups.h>
__device__ {kind} combined(cooperative_groups::thread_block_tile<{lanes}> group, {kind} value)
{{
    for (int step = {lanes // 2}; step > 0; step /= 2) {{
        {kind} other = group.shfl_xor(value, step);
        value = {REDUCTIONS[operation]};
    }}
    return value;
}}"""
    return compile_source(text, (), "reduction.h", ()).functions["combined"]


class Functions:
    """Prints calls of CUDA's functions."""

    def __init__(self, expressions: ShaderExpressions) -> None:
        self.expressions, self.writer = expressions, expressions.writer
        self.lvalues, self.memory = expressions.lvalues, expressions.memory
        self.value = expressions.value
        expressions.call = self.call

    def call(self, e: tree.IntrinsicCall) -> str:
        """Return the value of a call; "" of one that has none."""
        name, writer = e.name, self.writer
        if name.startswith("atomic"):
            return self._atomic(e)
        if name.startswith(CG):
            return self._of_group(e)
        if name in FENCES:
            return ""
        if name in STOPS:
            self._stop(e)
            return ""
        if name in SINES:
            self._sines(e)
            return ""
        if not direct(name):
            raise Refusal(name)
        if any(isinstance(argument.type, Pointer) for argument in e.arguments):
            raise Refusal(name)
        values = [self.value(argument) for argument in e.arguments]
        given = ", ".join(values)
        if helper_name(name) in functions():
            return f"{writer.helper(helper_name(name))}({given})"
        if name.startswith("make_"):
            return f"{writer.type(e.type)}({given})"
        if name in MATH:
            return f"{MATH[name]}({given})"
        if name in DOUBLES:
            return f"{DOUBLES[name]}({', '.join(map(self._variable, values))})"
        if name in QUOTIENTS:
            return f"({values[0]} / {values[1]})"
        if name in ROUNDED:
            return self._rounded(ROUNDED[name], writer.type(e.type), values)
        if name in BITS:
            return self._bits(e, values[0])
        return self._conversion(e, values[0])

    def _variable(self, value: str) -> str:
        """Return a value in a variable: naga 29 has no functions of constant doubles."""
        name = self.writer.fresh("x")
        self.writer.put(f"var {name} = {value};")
        return name

    def _rounded(self, op: str, own: str, values: list[str]) -> str:
        """Return what is rounded correctly, and is no part of a fused multiplication and addition."""
        values = list(map(self._variable, values))
        if op == "rcp":
            op, values = "div", [f"{own}(1)", *values]
        if op in ("div", "sqrt"):
            return f"{self.writer.helper(f'{op}_{own}_')}({', '.join(values)})"
        alone, zero = self.writer.helper(f"alone_{own}_"), self.writer.uniform("zero")
        if op == "mul":
            return f"{alone}({values[0]} * {values[1]}, {zero})"
        a, b = (f"{alone}({value}, {zero})" for value in values)
        return f"({a} {'+' if op == 'add' else '-'} {b})"

    def _bits(self, e: tree.IntrinsicCall, value: str) -> str:
        (given,) = e.arguments
        if isinstance(given, tree.Literal):  # constant expressions have no infinity and no NaN
            number = np.array(given.value).astype(given.type.dtype).view(e.type.dtype)  # type: ignore[union-attr]
            return self.writer.literal(number[()], e.type)
        return f"bitcast<{self.writer.type(e.type)}>({value})"

    def _conversion(self, e: tree.IntrinsicCall, value: str) -> str:
        own, mode = self.writer.type(e.type), e.name[-2:]
        if own == "f32" and mode != "rn" or self.writer.checked and size_of(e.type) == 8:
            raise Refusal(e.name)
        if own == "f32":
            return f"f32({value})"
        return self.writer.cast(f"{ROUNDINGS[mode]}({value})", "f32", own)

    def _stop(self, e: tree.IntrinsicCall) -> None:
        fails = f"{self.writer.helper('fail_')}();"
        if e.name == "assert":
            holds = self.value(e.arguments[0])
            fails = f"if (!{holds}) {{ {fails} }}"
        self.writer.put(fails)

    def _sines(self, e: tree.IntrinsicCall) -> None:
        x = self.writer.let("x", self.value(e.arguments[0]))
        names = ("sin", "cos")
        if e.name == "sincosf":
            names = self.writer.helper("sinf_"), self.writer.helper("cosf_")
        for pointer, function in zip(e.arguments[1:], names, strict=True):
            assert isinstance(pointer.type, Pointer)
            target = tree.Dereference(e.at, pointer.type.target, pointer)
            self.memory.store(self.lvalues.lvalue(target), f"{function}({x})")

    def _of_group(self, e: tree.IntrinsicCall) -> str:
        """Return which thread of its group one is, or how many there are."""
        name, own = e.name.removeprefix(CG), self.writer.type(e.type)
        if name == "tile":
            members(e)
            return "0u"
        if name == "block_rank":
            sizes = [self.writer.uniform("grid", axis) for axis in range(2)]
            rank = f"((bid.z * {sizes[1]} + bid.y) * {sizes[0]} + bid.x)"
            return self.writer.cast(rank, "u32", own)
        lanes = members(e.arguments[0])
        if name == "size":
            return self.writer.cast(f"{lanes or math.prod(self.lvalues.launch.block)}u", "u32", own)
        if name != "thread_rank":
            raise Refusal(e.name)
        return self.writer.cast(f"(lane & {lanes - 1}u)" if lanes else "lane", "u32", own)

    # --- atomics --------------------------------------------------------------------------------

    def _atomic(self, e: tree.IntrinsicCall) -> str:
        kind = e.type
        address = self.lvalues.address(e.arguments[0])
        name = e.name.removesuffix("_block").removesuffix("_system")
        if address.root.kind == "local":
            raise Refusal("an atomic on a local variable")
        if not isinstance(kind, Scalar) or kind.size != 4 or name not in ATOMICS:
            raise Refusal(f"{name} of {kind}")
        if address.root.kind == "null":
            return self.memory.load(ArrayElement(address.root, "0", 4, kind))
        contents, own = address.root.contents, self.writer.type(kind)
        contents.atomics.add(own)
        contents.stored = contents.loaded = True
        place = self.lvalues.element(address.recounted(unit_of(kind)), e.arguments[0], kind)
        word = self.memory.word(place)
        values = [self.value(argument) for argument in e.arguments[1:]]
        result, plain = self.writer.fresh("old"), contents.word
        if self._in_one(name, own, plain):
            given = values[0] if own == plain else f"bitcast<{plain}>({values[0]})"
            op = "atomicExchange" if name == "atomicExch" else name
            self.writer.put(f"let {result} = {op}(&{word}, {given});")
            return result if own == plain else f"bitcast<{own}>({result})"
        index = self.writer.let("at", word[len(place.root.name) + 1 : -1])
        call = (
            f"{self._exchanging(name, own, plain, place.root.name)}({', '.join((index, *values))})"
        )
        self.writer.put(f"let {result} = {call};")
        return result

    @staticmethod
    def _in_one(name: str, own: str, plain: str) -> bool:
        """Return whether WGSL has this operation on words of this type."""
        if name == "atomicExch":
            return True
        if name in ("atomicCAS", "atomicInc", "atomicDec"):
            return False
        return own == plain or own != "f32" and name not in SIGNED

    def _exchanging(self, name: str, own: str, plain: str, memory: str) -> str:
        """Return the function that tries it until no other thread has come between."""
        function = f"{name}_{own}_{memory}"
        back, to = (f"bitcast<{own}>", f"bitcast<{plain}>") if own != plain else ("", "")
        second = f", b: {own}" if name == "atomicCAS" else ""
        self.writer.helpers[function] = f"""fn {function}(i: i32, a: {own}{second}) -> {own} {{
  var seen = atomicLoad(&{memory}[i]);
  loop {{
    let old = {back}(seen);
    let r = atomicCompareExchangeWeak(&{memory}[i], seen, {to}({ATOMICS[name]}));
    if (r.exchanged) {{ break; }}
    seen = r.old_value;
  }}
  return {back}(seen);
}}"""
        return function

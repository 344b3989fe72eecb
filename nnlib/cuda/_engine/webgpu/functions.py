"""Calls of CUDA's functions in WGSL.

A function is printed as WGSL's own, as a helper of functions.wgsl, or as an atomic. What has neither is compiled from its
CUDA C source: `cuda_source` finds it, in native/headers or in this file. Reductions and copies of constant size are written
here as CUDA C, too, and inlined before printing. Collectives of a warp or block are in waiting.py.
"""

from __future__ import annotations

import functools
import math
from typing import Any

from ..language import compile_source, tree
from ..language.normal.collectives import CG, is_collective, members
from ..language.normal.counters import unconverted
from ..language.normal.normalizer import Normalizer
from ..language.refusal import Refusal
from ..language.types import (
    DOUBLE,
    FLOAT,
    INT,
    UINT,
    Pointer,
    Scalar,
    Type,
    Vector,
    is_half,
    size_of,
)
from ..native import headers
from . import halves
from .expressions import ShaderExpressions
from .memory import ArrayElement, unit_of
from .writer import functions

SAME_IN_WGSL = ("min", "max", "abs")  # overloaded for integers, as in CUDA
FENCES = ("__threadfence_block",)  # WGSL orders nothing between blocks
STOPS = ("assert", "__trap")
SINCOS = """__device__ void written(float x, float* sine, float* cosine)
{
    *sine = sinf(x);
    *cosine = cosf(x);
}"""
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
REDUCE_PREFIX = CG + "reduce_"
REDUCTIONS = {
    "plus": "value + other",
    "less": "other < value ? other : value",
    "greater": "value < other ? other : value",
    "bit_and": "value & other",
    "bit_or": "value | other",
    "bit_xor": "value ^ other",
}
SIGNED = ("atomicMin", "atomicMax")  # signed and unsigned give different results


def helper_name(name: str) -> str:
    """Return what functions.wgsl calls one of CUDA's functions."""
    return name.lstrip("_") + "_"


def direct(name: str, *types: Any) -> bool:
    """Return whether `Functions` prints a function without its CUDA C source. types: of the arguments of the call."""
    if name in (*SAME_IN_WGSL, *FENCES, *STOPS) or name.startswith(("make_", "atomic", CG)):
        return True
    if any(map(is_half, types)) or "half" in name or "bfloat16" in name:
        return halves.is_known(name)
    signature = functions().get(helper_name(name), "").partition(")")[0]
    return bool(signature) and ("f64" in signature) == (DOUBLE in types)


def cuda_source(name: str, *types: Any) -> tree.Function | None:
    """Return the CUDA C source of a function, or None if it is `direct` or a collective. Raises Refusal."""
    if direct(name, *types) or is_collective(name):
        return None
    if name in ("sincosf", "__sincosf"):
        return _compiled(SINCOS)
    found = headers.function(name, *types)
    if found is None:
        raise Refusal(name)
    return found


class ShaderNormalizer(Normalizer):
    """A normalizer that inlines reductions of a tile, memcpy of constant size, and conversions of half-precision numbers."""

    def intrinsic(self, e: tree.IntrinsicCall) -> tree.Expr:
        if e.name == "memcpy":
            *pointers, size = self.values(e.arguments)
            to, source = map(unconverted, pointers)
            if not isinstance(size, tree.Literal):
                raise Refusal("memcpy of a size that is not constant")
            kind = to.type.target
            if kind != source.type.target:
                kind = UINT
                to, source = (tree.Convert(e.at, Pointer(UINT), p) for p in (to, source))
            return self.inlined(e, _memcpy_function(kind, int(size.value)), [to, source])
        if (conversion := halves.conversion(e)) is not None:
            converted: tree.Expr = self.value(conversion)
            return converted
        if not e.name.startswith(REDUCE_PREFIX):
            return super().intrinsic(e)
        group, value = e.arguments
        function = _reduction_function(
            e.name.removeprefix(REDUCE_PREFIX), members(group), value.type
        )
        return self.inlined(e, function, self.values([group, value]))


@functools.cache
def _compiled(text: str) -> tree.Function:
    """Compile CUDA C and return its function, which is called `written`."""
    return compile_source(text, (), "written.h", ()).functions["written"]


def _reduction_function(operation: str, lanes: int, kind: Type) -> tree.Function:
    """Return a function that reduces one value per lane of a tile by a butterfly of shuffles. Raises Refusal."""
    if not lanes or operation not in REDUCTIONS or kind not in (INT, UINT, FLOAT):
        raise Refusal(f"{REDUCE_PREFIX}{operation} of {kind}")
    return _compiled(f"""#include <cooperative_groups.h>
__device__ {kind} written(cooperative_groups::thread_block_tile<{lanes}> group, {kind} value)
{{
    for (int step = {lanes // 2}; step > 0; step /= 2) {{
        {kind} other = group.shfl_xor(value, step);
        value = {REDUCTIONS[operation]};
    }}
    return value;
}}""")


def _memcpy_function(kind: Type, size: int) -> tree.Function:
    """Return a function that copies `size` bytes, element by element. Raises Refusal."""
    if not isinstance(kind, Scalar | Vector) or size % size_of(kind):
        raise Refusal(f"memcpy of {size} bytes of type {kind}")
    return _compiled(f"""__device__ void written({kind}* to, const {kind}* from)
{{
    for (int k = 0; k < {size // size_of(kind)}; k++) to[k] = from[k];
}}""")


class Functions:
    """Prints calls of CUDA's functions."""

    def __init__(self, expressions: ShaderExpressions) -> None:
        self.expressions, self.writer = expressions, expressions.writer
        self.lvalues, self.memory = expressions.lvalues, expressions.memory
        self.value = expressions.value
        expressions.call = self.call

    def call(self, e: tree.IntrinsicCall) -> str:
        """Print a call and return the WGSL of its value, "" if it has none. Raises Refusal."""
        name, writer = e.name, self.writer
        if name.startswith("atomic"):
            return self._atomic(e)
        if name.startswith(CG):
            return self._group_query(e)
        if name in FENCES:
            return ""
        if name in STOPS:
            self._stop(e)
            return ""
        types = [argument.type for argument in e.arguments]
        if not direct(name, *types) or any(isinstance(kind, Pointer) for kind in types):
            raise Refusal(name)
        values = list(map(self.value, e.arguments))
        given = ", ".join(values)
        if name.startswith("make_"):
            return f"{writer.type(e.type)}({given})"
        if any(map(is_half, (e.type, *types))):
            return halves.called(writer, name, values, types[0], e.type)
        if name in SAME_IN_WGSL:
            return f"{name}({given})"
        if writer.narrow and any(
            size_of(kind) == 8 and kind != DOUBLE for kind in (e.type, *types)
        ):
            raise Refusal("64-bit integers")
        return f"{writer.helper(helper_name(name))}({given})"

    def _stop(self, e: tree.IntrinsicCall) -> None:
        """Print assert or __trap, which end the launch with a fault."""
        fails = f"{self.writer.helper('fail_')}();"
        if e.name == "assert":
            holds = self.value(e.arguments[0])
            fails = f"if (!{holds}) {{ {fails} }}"
        self.writer.put(fails)

    def _group_query(self, e: tree.IntrinsicCall) -> str:
        """Return the thread's rank in its cooperative group or in the block, or the size of the group, in WGSL."""
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
        """Print an atomic as the call of a helper, and return the old value."""
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
        values = [self.value(argument) for argument in e.arguments[1:]]
        function = self._atomic_helper(name, own, contents.word, place.root.name)
        call = f"{function}({', '.join((self.memory.place(place), *values))})"
        return self.writer.let("old", call)

    def _atomic_helper(self, name: str, own: str, word: str, memory: str) -> str:
        """Define the helper of an atomic on one memory; return its name.

        own: WGSL type of the values. word: WGSL type of the memory's words; values of another type are stored as their bits.
        The helper calls WGSL's own atomic if there is one for the type, otherwise it loops over compare-exchange.
        """
        function = f"{name}_{own}_{memory}"
        to_value, to_word = (f"bitcast<{own}>", f"bitcast<{word}>") if own != word else ("", "")
        second = f", b: {own}" if name == "atomicCAS" else ""
        works_on_bits = own == word or (own != "f32" and name not in SIGNED)
        body = f"""  var seen = atomicLoad(&{memory}[i]);
  loop {{
    let old = {to_value}(seen);
    let r = atomicCompareExchangeWeak(&{memory}[i], seen, {to_word}({ATOMICS[name]}));
    if (r.exchanged) {{ break; }}
    seen = r.old_value;
  }}
  return {to_value}(seen);"""
        if name == "atomicExch" or (
            works_on_bits and name not in ("atomicCAS", "atomicInc", "atomicDec")
        ):
            builtin = name.replace("Exch", "Exchange")
            body = f"  return {to_value}({builtin}(&{memory}[i], {to_word}(a)));"
        head = f"fn {function}(i: i32, a: {own}{second}) -> {own}"
        self.writer.helpers[function] = f"{head} {{\n{body}\n}}"
        return function

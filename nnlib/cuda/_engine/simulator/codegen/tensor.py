"""Calls of what tensor cores do: which accesses of memory, and how many instructions, they become."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...language import tree
from ...language.layout import unit_of
from ...language.types import UCHAR, UINT, VECTORS, Pointer, Type
from ..functions import fragment_memory, shared_addresses, tensor
from .python import (
    PyConstant,
    PyExpr,
    PyTuple,
)
from .writer import Writer, group_call, target

_FRAGMENTS = {
    "nnlib::load_fragment": "load_matrix_sync",
    "nnlib::store_fragment": "store_matrix_sync",
    "nnlib::multiply_fragments": "mma_sync",
    "nnlib::fill_fragment": "fill_fragment",
}
_ADDRESSES: dict[str, Callable[..., Any]] = {
    "__cvta_generic_to_shared": shared_addresses.to_shared,
    "nnlib::at_shared": shared_addresses.at_shared,
}
TENSOR = {*_FRAGMENTS, *_ADDRESSES, *tensor.OF_REGISTERS, *tensor.OF_ADDRESSES, *tensor.TO_TF32}
_ROWS = VECTORS["uint4"]
_BY_SIZE: dict[int, Type] = {1: UCHAR, 4: UINT, 8: VECTORS["uint2"]}
_ONE = 16 * 8  # sums of one instruction


class TensorCalls:
    """Lowering of their IntrinsicCalls. values: the arguments, which are lowered already."""

    def __init__(self, writer: Writer) -> None:
        self.writer, self.code = writer, writer.code

    def lowered(self, e: tree.IntrinsicCall, values: Sequence[PyExpr]) -> PyExpr:
        """Return the call as Python."""
        name = e.name
        if name in tensor.TO_TF32:
            self.writer.note(e.at)
            return self.code.helper(tensor.TO_TF32[name])(*values)
        if name in _ADDRESSES:
            return self._address(e, values)
        if name in tensor.OF_REGISTERS:
            depth = int(name.split("_")[1][1:])
            self.writer.note(e.at, flops=2 * _ONE * depth // 32, tensor=1)
            return self.code.helper(tensor.OF_REGISTERS[name])(
                group_call(self.code.site(e.at, None, "mma.sync")), *values
            )
        if name in tensor.OF_ADDRESSES:
            self.writer.note(e.at)
            self.writer.take_turn(values[0])
            return self.code.helper(tensor.OF_ADDRESSES[name])(
                group_call(self.code.site(e.at, _ROWS, "ldmatrix")), *values
            )
        return self._fragments(e, values)

    def _address(self, e: tree.IntrinsicCall, values: Sequence[PyExpr]) -> PyExpr:
        self.writer.note(e.at)
        to_number = e.name.startswith("__")
        site = self.code.site(e.at, None, e.name if to_number else "inline PTX")
        units = [unit_of(target(e.arguments[0].type))] if to_number else []
        return self.code.helper(_ADDRESSES[e.name])(group_call(site), *values, *units)

    def _fragments(self, e: tree.IntrinsicCall, values: Sequence[PyExpr]) -> PyExpr:
        name = _FRAGMENTS[e.name]
        pointers = [argument.type for argument in e.arguments if isinstance(argument.type, Pointer)]
        held = [self.code.site(e.at, target(pointer), name) for pointer in pointers]
        if name == "fill_fragment":
            self.writer.note(e.at)
            return self.code.helper(tensor.fill_fragment)(group_call(held[0]), *values)
        if name == "mma_sync":
            m, n, k = (
                int(value.value.item()) for value in values[4:7] if isinstance(value, PyConstant)
            )
            self.writer.note(
                e.at, flops=2 * m * n * k // 32, tensor=m * n * k // (_ONE * tensor.depth_of(k))
            )
            return self.code.helper(tensor.multiply_fragments)(
                group_call(held[0]), PyTuple(held[1:]), *values
            )
        loads = name == "load_matrix_sync"
        self.writer.note(e.at)
        self.writer.take_turn(values[int(loads)])
        sites = [*(held if loads else reversed(held)), self.code.site(e.at, _ROWS, name)]
        sites += [self.code.site(e.at, kind, name) for kind in _BY_SIZE.values()]
        function = self.code.helper(
            fragment_memory.load_fragment if loads else fragment_memory.store_fragment
        )
        return function(group_call(held[0]), PyTuple(sites), *values)

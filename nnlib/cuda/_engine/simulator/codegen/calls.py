"""Calls of what CUDA provides.

Which functions exist, with their types, is declared in language/cuda_functions.py. To add one here:
- element-wise: a function in mathematics.py;
- across the lanes of a warp, or a barrier: a function in warp.py;
- an atomic: an entry in atomics.py;
- of tensor cores: codegen/tensor.py.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from ...language.checking.values import characters
from ...language.layout import field_of, unit_of
from ...language.tree import Expr, IntrinsicCall, Member, Name, StringLiteral
from ...language.types import (
    UCHAR,
    UINT,
    USHORT,
    VECTORS,
    VOID,
    Half,
    Pointer,
    Scalar,
    Struct,
    Type,
    Vector,
    is_half,
)
from ..functions import halves, random_sequences
from ..functions.atomics import ATOMICS
from ..functions.clock import CLOCK
from ..functions.groups import LOCKSTEP
from ..functions.mathematics import MATH, RESULTS
from .places import told
from .python import (
    PyConstant,
    PyExpr,
    PyLiteral,
    PyName,
    PyTuple,
    binary,
    suspended,
)
from .tensor import TENSOR, TensorCalls
from .writer import BOOK, RT, M, Writer, base_scalar, group_call, scalar, target, vector

_SEVERAL = RESULTS | {"nnlib::xorwow_skip": random_sequences.xorwow_skip}
_FMA = {"fmaf", "fma", "__fmaf_rn", "__fma_rn"}
_COPY_TYPES: dict[int, Type] = {4: UINT, 8: VECTORS["uint2"], 16: VECTORS["uint4"]}
_MOST_WORDS = 4096  # of a memcpy or memset, each of them a statement
_WORDS: dict[int, Type] = {16: VECTORS["uint4"], 8: VECTORS["uint2"], 4: UINT, 2: USHORT, 1: UCHAR}
# That a name of ours says, and CUDA an argument
_OPERATION = re.compile(r"(?<=\breduce)_\w+|(?<=e_scan)_\w+")
_PIPELINE = PyName("rt.pipeline")
_FENCES = {"__threadfence", "__threadfence_block", "__threadfence_system"}


class _Given(NamedTuple):
    """The value that a shuffle passes on. known: mask of the lanes that have set it."""

    value: PyExpr
    known: PyExpr
    name: str


class Calls:
    """Lowering of IntrinsicCall; statements are written first where order or masks matter. values lowers arguments."""

    def __init__(self, writer: Writer, values: Callable[[Sequence[Expr]], list[PyExpr]]):
        self.writer, self.code, self.values = writer, writer.code, values
        self.tensor = TensorCalls(writer)

    def value(self, e: IntrinsicCall) -> PyExpr:
        call = self.lowered(e, used=True)
        is_pure = e.name in MATH or isinstance(call, PyTuple)
        return call if is_pure else self.writer.atom(call)

    def lowered(self, e: IntrinsicCall, used: bool) -> PyExpr:
        """Return the call. used: somebody needs its value."""
        name = e.name
        if name == "printf":
            return self._printf(e)
        if name in LOCKSTEP:
            return self._lockstep(e)
        values = self._atoms(e.arguments)
        if name in MATH:
            self.writer.note(e.at, flops=_flops(e))
            return self.code.helper(MATH[name], name)(*values)
        if name in _SEVERAL:
            return self._several(e, values)
        if name in TENSOR:
            return self.tensor.lowered(e, values)
        if name.startswith("make_") and isinstance(e.type, Vector):
            return PyTuple(values)
        self.writer.note(e.at)
        if name in ATOMICS:
            return self._atomic(e, values, used)
        if name in _FENCES:
            return RT.method("tell", "fence", M, name)
        if name == "assert":
            return RT.method("check_assertion", values[0], M, self.code.site(e.at))
        if name == "__trap":
            return RT.method("trap", M, self.code.site(e.at))
        if name in ("memcpy", "memset"):
            return self._bytes(e, values)
        if name in CLOCK:
            return self.code.helper(CLOCK[name])(
                group_call(self.code.site(e.at, name=name)), *values
            )
        if name in ("__pipeline_memcpy_async", "nnlib::copy_async"):
            return self._copy_async(e, values)
        if name == "nnlib::copies_arrived":
            return _PIPELINE.method("wait_at", M, values[0])
        if name == "__pipeline_commit":
            return _PIPELINE.method("commit", M)
        if name == "__pipeline_wait_prior":
            return _PIPELINE.method("wait", M, values[0])
        raise self.writer.unsupported(e.at, f"{name}()")

    def _atoms(self, arguments: Sequence[Expr]) -> list[PyExpr]:
        return [self.writer.atom(value) for value in self.values(arguments)]

    def _atomic(self, e: IntrinsicCall, values: list[PyExpr], used: bool) -> PyExpr:
        kind = target(e.arguments[0].type)
        self.writer.take_turn(values[0])
        name = f"{e.name}({kind})" if is_half(kind) else e.name
        is_pair = is_half(kind) and isinstance(kind, Vector)
        if is_pair:
            values = [values[0], self.code.helper(halves.packed)(values[1])]
        site = self.code.site(e.at, UINT if is_pair else kind, name)
        old = RT.method("atomic", M, site, used, *values)
        if not is_pair or not used:
            return old
        dtype = self.code.dtype(base_scalar(kind).dtype)
        return self.code.helper(halves.unpacked)(self.writer.temporary(old), dtype)

    def _several(self, e: IntrinsicCall, values: list[PyExpr]) -> PyExpr:
        """Call a function with several results: return its value, if it has one, and store the others through its pointers."""
        pointers = [
            k for k, argument in enumerate(e.arguments) if isinstance(argument.type, Pointer)
        ]
        self.writer.note(e.at, flops=len(pointers))
        inputs = [value for k, value in enumerate(values) if k not in pointers]
        results = self.writer.temporary(self.code.helper(_SEVERAL[e.name])(*inputs))
        items = [results[k] for k in range(len(pointers) + (e.type != VOID))]
        for k, item in zip(pointers, items[-len(pointers) :], strict=True):
            self.writer.note(e.at)
            site = self.code.site(e.at, target(e.arguments[k].type), e.name)
            self.writer.do(values[k].method("store", 0, item, M, site))
        return PyLiteral(None) if e.type == VOID else items[0]

    def _lockstep(self, e: IntrinsicCall) -> PyExpr:
        """Call a barrier, shuffle or vote.

        Lanes may give a shuffle a variable that they have not set, if no lane reads it there: the mask of lanes that have set it
        is exchanged together with the value.
        """
        values = self._atoms(e.arguments[:1])
        given = self._given(e)
        if given is not None:
            values.append(given.value)
        values += self._atoms(e.arguments[len(values) :])
        self.writer.note(e.at)
        function = self.code.helper(LOCKSTEP[e.name])
        site = self.code.site(e.at, None, _OPERATION.sub("", e.name.rpartition("::")[2]))
        if given is not None:
            seen = self._met(function, site, values[0], given.known, *values[2:])
            self.writer.check_set(given.known, self.code.site(e.at, None, given.name), seen)
        self.writer.end_segment()
        if isinstance(e.type, Vector):  # a pair of halves goes at once
            pair = self.writer.atom(values[1])
            return PyTuple(
                [
                    self.writer.atom(self._met(function, site, values[0], pair[k], *values[2:]))
                    for k in range(e.type.lanes)
                ]
            )
        return self._met(function, site, *values)

    def _met(self, function: PyName, site: PyName, *values: PyExpr) -> PyExpr:
        """Return the call by all threads that take part; they may have to wait for each other."""
        if self.code.waits:
            return suspended(RT.method("meet", M, site, function, *values))
        return function(group_call(site), *values)

    def _given(self, e: IntrinsicCall) -> _Given | None:
        """Return the variable that a shuffle passes on, or a part of, if not every lane need have set it."""
        if not e.name.startswith(("__shfl", "cooperative_groups::shfl")):
            return None
        value: Expr = e.arguments[1]
        if self.code.checks and isinstance(value, Member) and isinstance(value.base.type, Struct):
            return self._given_member(e, value)
        part = ""
        if isinstance(value, Member) and isinstance(value.base.type, Vector):
            part, value = value.field, value.base
        if not isinstance(value, Name) or value.variable not in self.writer.tracked:
            return None
        name = self.writer.name_of(value.variable)
        item = name[vector(value.type).fields.index(part)] if part else name
        return _Given(item, self.writer.lanes_that_set(value.variable), value.variable.name)

    def _given_member(self, e: IntrinsicCall, member: Member) -> _Given | None:
        """Return a number that a lane gives from a struct of its own."""
        start = 0
        base: Expr = member
        while isinstance(base, Member) and isinstance(base.base.type, Struct):
            start, base = start + field_of(base.base.type, base.field).offset, base.base
        if (
            not isinstance(base, Name)
            or base.variable.space != "local"
            or not isinstance(member.type, Scalar)
        ):
            return None
        value = self.writer.atom(self.values([member])[0])
        self.code.sites[-1].copied = 0  # lanes need not have set it
        known = self.writer.temporary(self.writer.name_of(base.variable).method("known", start))
        return _Given(value, known, told(member))

    def _copy_async(self, e: IntrinsicCall, values: list[PyExpr]) -> PyExpr:
        """Copy by one access of 4, 8 or 16 bytes on either side."""
        size = int(values[2].value.item()) if isinstance(values[2], PyConstant) else 0
        if size not in _COPY_TYPES:
            raise self.writer.unsupported(
                e.at, "__pipeline_memcpy_async of other than 4, 8 or 16 bytes"
            )
        sites, pointers = [], []
        for argument, value in zip(e.arguments[:2], values, strict=False):
            site = self.code.site(e.at, _COPY_TYPES[size])
            sites.append(site)
            pointers.append(self.rescaled(value, unit_of(target(argument.type)), size, site))
        filling = (
            [self.code.constant(np.dtype(np.uint64), 0)] if e.name == "nnlib::copy_async" else []
        )
        return _PIPELINE.method("copy", M, *sites, *pointers, *filling, values[3])

    def rescaled(self, pointer: PyExpr, old: int, new: int, site: PyName) -> PyExpr:
        """Return the pointer, counted in elements of `new` instead of `old` bytes."""
        return pointer.method("scaled", old, new, RT.method("misaligned", M, site))

    def _bytes(self, e: IntrinsicCall, values: list[PyExpr]) -> PyExpr:
        """Lower memcpy or memset as a compiler does, to the widest accesses that the types of the pointers allow."""
        count = values[2]
        if not isinstance(count, PyConstant):
            raise self.writer.unsupported(
                e.at, f"{e.name} of a size that is known at run time only", "use a loop"
            )
        given = e.arguments[: 2 if e.name == "memcpy" else 1]
        total = int(count.value.item())
        width = next(
            w
            for w in _WORDS
            if total % w == 0 and all(unit_of(target(a.type)) % w == 0 for a in given)
        )
        if total // width > _MOST_WORDS:
            raise self.writer.unsupported(
                e.at, f"{e.name} of {total:,} bytes by one thread", "use a loop"
            )
        word = _WORDS[width]
        sites = [self.code.site(e.at, word, e.name) for _ in given]
        ends = [
            self.writer.atom(self.rescaled(value, unit_of(target(a.type)), width, site))
            for value, a, site in zip(values, given, sites, strict=False)
        ]
        filler = self._repeated(values[1], word) if e.name == "memset" else None
        for k in range(total // width):
            self.writer.note(e.at, instructions=len(ends))
            value = ends[1].method("load", k, M, sites[1]) if filler is None else filler
            self.writer.do(ends[0].method("store", k, value, M, sites[0]))
        return PyLiteral(None)

    def _repeated(self, value: PyExpr, word: Type) -> PyExpr:
        """Return a word all of whose bytes are this byte."""
        base = word.base if isinstance(word, Vector) else scalar(word)
        ones = self.code.constant(base.dtype, int.from_bytes(b"\1" * base.size, "little"))
        byte = binary(value, "&", self.code.constant(np.dtype(np.int32), 255))
        full = self.writer.atom(byte.method("astype", self.code.dtype(base.dtype)) * ones)
        return PyTuple([full] * word.lanes) if isinstance(word, Vector) else full

    def _printf(self, e: IntrinsicCall) -> PyExpr:
        text, *arguments = e.arguments
        assert isinstance(text, StringLiteral)
        values = self.values(arguments)
        shown = [
            BOOK.method("number", value, unit_of(argument.type.target), True)
            if isinstance(argument.type, Pointer)
            else value
            for argument, value in zip(arguments, values, strict=True)
        ]
        content = characters(e.at, text.value).decode("utf-8", "replace")
        return RT.method("printf", M, content, PyTuple(shown))


def _flops(e: IntrinsicCall) -> int:
    """Return the floating-point operations of an element-wise function."""
    if any(is_half(argument.type) for argument in e.arguments):
        return halves.FLOPS.get(e.name, 0)
    real = isinstance(e.type, Scalar) and e.type.is_float and not isinstance(e.type, Half)
    return 2 if e.name in _FMA else int(real)

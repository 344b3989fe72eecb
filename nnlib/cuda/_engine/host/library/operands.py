"""The vectors and matrices that a program gives to CUDA's libraries, as the libraries find them: checked before use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
from numpy.lib.stride_tricks import as_strided

from ...errors import HostError
from ...language.types import Type
from ..lowering.values import code_of
from ..runtime.address_space import Allocation
from ..runtime.heap import Heap
from ..runtime.surroundings import COPY_IT


@dataclass(eq=False)
class Operand:
    """Elements in memory of the GPU.

    name: as messages call it. start: the first element's byte in the allocation. strides: bytes from one element to the next
    along each axis of shape.
    """

    name: str
    one: Allocation
    start: int
    dtype: np.dtype
    shape: tuple[int, ...]
    strides: tuple[int, ...]

    @property
    def nbytes(self) -> int:
        return int(np.prod(self.shape)) * self.dtype.itemsize

    def of(self, data: np.ndarray) -> np.ndarray:
        """Return the operand's part of an array that has an entry for each byte of the allocation."""
        return as_strided(
            data[self.start :], (*self.shape, self.dtype.itemsize), (*self.strides, 1)
        )

    def lacks_values(self) -> bool:
        """Return whether part of the operand is unwritten."""
        return self.one.written is not None and not self.of(self.one.written).all()

    def written(self) -> None:
        """Mark the whole operand as written."""
        self.one.changes += 1
        if self.one.written is not None:
            self.of(self.one.written)[...] = True
            self.one.settle()

    def uses(self, use: int) -> np.ndarray:
        """Return, for each byte of the allocation, how a call uses it."""
        found = np.zeros(self.one.size, np.uint8)
        self.of(found)[...] = use
        return found

    def meets(self, other: Operand) -> bool:
        """Return whether both operands have a byte in common."""
        return self.one is other.one and bool(np.any(self.uses(1) & other.uses(1)))


class LibraryArguments:
    """The arguments of a library call, by the names of the parameters in the library's header."""

    def __init__(self, heap: Heap, values: Sequence[Any]) -> None:
        self._heap, self.site = heap, heap.mistakes.site
        call = self.site.call
        names = [parameter.name for parameter in call.function.parameters]
        self._values = dict(zip(names, values, strict=True))
        self._types = {parameter.name: parameter.type for parameter in call.function.parameters}
        self._own_names = dict(zip(names, self.site.names, strict=True))
        self._places = {name: a.at for name, a in zip(names, call.arguments, strict=True)}

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def shown(self, name: str) -> str:
        """Return the parameter's name, and what the program calls its argument."""
        own = self._own_names[name]
        return f"{name} ({own})" if own and own != name else name

    def mistake(self, name: str, what: str, hint: str, allowed: str = "") -> HostError:
        """Return a mistake in this argument."""
        text = f"{self.site.called}: {what}"
        return self._heap.mistakes.error(text, hint, allowed, self._places[name])

    def report(self, name: str, what: str, hint: str, allowed: str = "") -> NoReturn:
        """Raise it; if an earlier launch has failed unnoticed, that is what went wrong."""
        raise self._heap.mistakes.unasked or self.mistake(name, what, hint, allowed)

    def sizes(self, *names: str) -> list[int]:
        """Return numbers of elements; report a negative one."""
        for name in names:
            if self[name] < 0:
                self.report(
                    name,
                    f"{self.shown(name)} is {self[name]:,}, which is no number of elements",
                    "work out by hand what it should be",
                )
        return [self[name] for name in names]

    def dtype(self, name: str) -> np.dtype:
        """Return the type of what the parameter points to."""
        found: np.dtype = self._types[name].target.dtype
        return found

    def place(self, name: str) -> tuple[int, Type]:
        """Return address and type of a member of the struct behind the handle: see the library's header."""
        handle = next(iter(self._values))
        one, _ = self._heap.find(self[handle])
        if one is None:
            self.report(
                handle, f"{self.shown(handle)} was never created", "create it before its first use"
            )
        if one.freed:
            self.report(
                handle, f"{self.shown(handle)} was destroyed", "destroy it after its last use"
            )
        kind = self._types[handle].target
        field = next(field for field in kind.fields if field.name == name)
        return self[handle] + field.offset, field.type

    def field(self, name: str) -> int:
        """Return the value of a member of the struct behind the handle."""
        address, kind = self.place(name)
        found: int = self._heap.load_value(address, code_of(kind))
        return found

    def memory(self, name: str, side: str = "GPU") -> tuple[Allocation, int]:
        """Return the allocation behind a pointer, which must be on this side, and the offset in it."""
        shown = self.shown(name)
        one, offset = self._heap.find(self[name])
        if one is None:
            self.report(name, f"{shown} points nowhere", "did cudaMalloc come before?")
        if one.freed:
            self.report(
                name, f"{shown} was freed in line {one.freed}", "free it after its last use"
            )
        made = f"it is made by {one.maker}" + f" in line {one.made}" * bool(one.made)
        if side == "GPU" and not one.on_device:
            self.report(
                name, f"{shown} is memory of the host: a GPU cannot reach it", COPY_IT, made
            )
        if side == "host" and not one.on_host:
            self.report(
                name,
                f"{shown} is memory of the GPU, but this works on the host",
                "pass memory of malloc",
                made,
            )
        return one, offset

    def vector(self, name: str, count: int, side: str = "GPU") -> Operand:
        """Return a vector of `count` elements that are inc apart; a negative inc begins with the last one."""
        dtype, step = self.dtype(name), self._values.get(f"inc{name}", 1)
        if step == 0:
            self.report(
                f"inc{name}",
                f"inc{name} is 0: all elements of {self.shown(name)} would be the same",
                "write 1 where they lie side by side",
            )
        one, offset = self.memory(name, side)
        reach = (count - 1) * abs(step) + 1
        self._check_room(
            name,
            one,
            offset,
            reach * dtype.itemsize,
            f"has {count:,} elements{f', inc{name} is {step}' * (step != 1)}",
        )
        start = offset + (reach - 1) * dtype.itemsize * (step < 0)
        return Operand(self.shown(name), one, start, dtype, (count,), (step * dtype.itemsize,))

    def matrix(self, name: str, rows: int, columns: int, dtype: np.dtype | None = None) -> Operand:
        """Return a matrix whose columns are ld elements apart, or several where the call has a number and a stride."""
        dtype, leading = dtype or self.dtype(name), f"ld{name.lower()}"
        if self[leading] < max(1, rows):
            self.report(
                leading,
                f"{leading} is {self[leading]:,}, but {self.shown(name)} has {rows:,} rows",
                f"write the number of rows in memory, before the matrix is transposed: {rows:,} or more",
                f"{name} is stored by columns, each of which begins {leading} elements after the one before",
            )
        one, offset = self.memory(name)
        count, stride = self._values.get("batchCount", 1), self._values.get(f"stride{name}", 0)
        reach = (columns - 1) * self[leading] + rows + (count - 1) * stride
        many = (
            f"{count:,} matrices of {rows:,} x {columns:,}, {stride:,} elements apart"
            if count > 1
            else (f"a matrix of {rows:,} x {columns:,}")
        )
        self._check_room(
            name,
            one,
            offset,
            reach * dtype.itemsize,
            f"is {many} with {leading} = {self[leading]:,}",
        )
        shape, strides = (rows, columns), (dtype.itemsize, self[leading] * dtype.itemsize)
        if "batchCount" in self._values:
            shape, strides = (count, *shape), (stride * dtype.itemsize, *strides)  # type: ignore[assignment]
        return Operand(self.shown(name), one, offset, dtype, shape, strides)

    def _check_room(self, name: str, one: Allocation, offset: int, count: int, what: str) -> None:
        """Report elements that do not lie in the allocation."""
        room = one.size - offset
        if offset >= 0 and count <= room:
            return
        behind = f", {room:,} from there on" if offset else ""
        hint = "compare the sizes with what was allocated; a matrix lies there column after column"
        if one.asked_in_elements and not offset:
            hint = f"did line {one.made} mean elements? Write {one.maker}(&{one.name}, n * sizeof(...))"
        has = f"{one.name or 'it'} has {one.size:,}{behind}"
        self.report(
            name,
            f"{self.shown(name)} {what}: {count:,} bytes, but {has}",
            hint,
            f"it is made in line {one.made}" if one.made else "",
        )

"""The memories of a launch: its array arguments, module variables, and the layout of shared memory."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from nnlib import device
from nnlib.cuda.language import tree
from nnlib.cuda.language.layout import dtype_of, flat_element, holds_structs, leaves, unit_of
from nnlib.cuda.language.types import Array, Struct, Type, Vector, size_of
from nnlib.cuda.language.types import Pointer as PointerType
from nnlib.cuda.limits import SECTOR
from nnlib.cuda.simulator.addresses import AddressBook
from nnlib.cuda.simulator.compiled import Compiled
from nnlib.cuda.simulator.memory import Memory, NullMemory, Pointer, array_dims
from nnlib.cuda.simulator.observers.observer import Hooks


class SharedLayout(NamedTuple):
    """One __shared__ variable of a block."""

    nbytes: int
    dtype: np.dtype
    dims: tuple[int, ...]
    dynamic: bool  # extern: as large as the launch says
    kind: Type | None  # where it holds structs


class Placed(NamedTuple):
    """A pointer into the middle of an array, what lies in front of it included. offset: bytes."""

    array: np.ndarray
    offset: int


class World:
    """The memory around a launch, for pointers that the kernel finds in memory."""

    def address(self, array: np.ndarray) -> int | None:
        """Where an argument begins, if not where NumPy has it."""
        return None

    def find(self, address: int) -> tuple[str, np.ndarray] | None:
        """Name and bytes of what lies at an address that belongs to no argument."""
        return None


class Bindings:
    """arguments: values for the generated function, pointers for arrays. modules: module variables by name.

    memories: all global ones. null: the null pointer. shared: the layout of each __shared__ variable.
    """

    def __init__(self, compiled: Compiled, kernel: str, args: Any, shared_mem: int, hooks: Hooks,
                 fail: Callable[..., None], world: World | None = None) -> None:
        self.memories: list[Memory] = []
        self._hooks = hooks
        self.null = Pointer(NullMemory(hooks.watch("read-only")))
        self.book = AddressBook(self.null, fail, world or World(), self._reached)
        self.arguments = self._bind(compiled, kernel, args)
        self.modules = {name: self._module_variable(compiled, variable)
                        for name, (variable, _) in compiled.program.globals.items()}
        self.shared = {id(v): _layout(v, shared_mem) for f in compiled.program.functions.values() for v in f.shared}

    def _bind(self, compiled: Compiled, kernel: str, args: Any) -> list[Any]:
        """An array passed twice is one memory, overlapping ones share a home."""
        known: dict[tuple[int, int], Memory] = {}
        written = compiled.written(kernel)
        bound: list[Any] = []
        for variable, value in zip(compiled.program.functions[kernel].parameters, args, strict=True):
            if not isinstance(variable.type, PointerType):
                bound.append(self._by_value(variable.type, value))
                continue
            if not isinstance(value, np.ndarray | Placed):
                bound.append(self.null)
                continue
            value, offset = value if isinstance(value, Placed) else (value, 0)
            key = (value.ctypes.data, value.nbytes)
            memory = known.get(key)
            if memory is None:
                memory = known[key] = Memory(variable.name, value, lead=_lead(value))
                memory.book = self.book
                self.memories.append(memory)
            memory.is_written |= variable.name in written
            target = variable.type.target
            if holds_structs(target) and memory.kind is None:
                memory.kind = Array(target, None)
            bound.append(Pointer(memory, (memory.lead + offset) // unit_of(variable.type.target)))
        for group in _overlapping(self.memories):
            is_written = any(memory.is_written for memory in group)
            for memory in group:
                memory.is_written = is_written
                memory.watch = self._hooks.watch("written" if is_written else "read-only")
        return bound

    def _reached(self, name: str, data: np.ndarray, size: int) -> Memory:
        """Memory that a kernel finds by a pointer in memory, to elements of so many bytes."""
        whole = size in (2, 4, 8) and data.nbytes % size == 0
        memory = Memory(name, data.view(f"u{size}") if whole else data, self._hooks.watch("written"))
        memory.is_written, memory.book = True, self.book
        self.memories.append(memory)
        return memory

    def _by_value(self, kind: Type, value: Any) -> Any:
        """A parameter that is no pointer; of a struct the tuple of its leaves."""
        if not isinstance(kind, Struct | Vector):
            return value
        data = np.frombuffer(value.tobytes(), np.uint8)
        return tuple(self._leaf(leaf.type, data[leaf.offset:leaf.offset + leaf.type.size]) for leaf in leaves(kind))

    def _leaf(self, kind: Type, data: np.ndarray) -> Any:
        value = data.view(dtype_of(kind))[0]
        if isinstance(kind, PointerType):
            return self.book.pointer(value, None, SimpleNamespace(unit=unit_of(kind.target)))
        return value

    def _module_variable(self, compiled: Compiled, variable: tree.Variable) -> Memory:
        constant = variable.space == "constant"
        watch = self._hooks.watch("constant" if constant else "written")
        memory = Memory(variable.name, compiled.variable(variable.name), watch, array_dims(variable.type))
        memory.space, memory.book = variable.space, self.book
        if holds_structs(variable.type):
            memory.kind, memory.dims = variable.type, ()
        if not constant:
            memory.is_written = True
            self.memories.append(memory)
        return memory


def _layout(variable: tree.Variable, shared_mem: int) -> SharedLayout:
    element: Any = flat_element(variable.type)
    base: Any = element.base if isinstance(element, Vector) else element
    named = holds_structs(variable.type)
    return SharedLayout(shared_mem if variable.dynamic else size_of(variable.type), dtype_of(base),
                        () if variable.dynamic or named else array_dims(variable.type), variable.dynamic,
                        variable.type if named else None)


class Home:
    """The bytes that overlapping arguments share."""

    def __init__(self, extent: int) -> None:
        self.extent = extent


def _overlapping(memories: list[Memory]) -> list[list[Memory]]:
    """The memories, those that overlap in one group and with one home."""
    groups: list[list[Memory]] = []
    end = 0
    for memory in sorted(memories, key=_start):
        if not groups or _start(memory) >= end or not memory.nbytes:
            groups.append([])
        groups[-1].append(memory)
        end = max(end, _start(memory) + memory.nbytes)
    for group in groups:
        if len(group) > 1:
            begin = min(_start(memory) - memory.lead for memory in group)
            home = Home(max(_start(memory) + memory.nbytes for memory in group) - begin)
            for memory in group:
                memory.home, memory.at = home, _start(memory) - memory.lead - begin
    return groups


def _start(memory: Memory) -> int:
    return memory.array.ctypes.data


def _lead(array: np.ndarray) -> int:
    """Bytes from the last sector boundary to the array. An allocation begins at one, as on a GPU; a view may not."""
    lead = (array.ctypes.data - device.owner(array).ctypes.data) % SECTOR
    return 0 if lead % array.dtype.itemsize or not array.nbytes else lead

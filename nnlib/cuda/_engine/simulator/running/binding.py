"""The memories of a launch: its array arguments, module variables, and the layout of shared memory."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ....limits import SECTOR
from ...device import owner
from ...errors import ArgumentError
from ...language import tree
from ...language.layout import dtype_of, holds_structs, innermost, leaves, unit_of
from ...language.types import Array, Pointer, Struct, Type, Vector, size_of
from ..compiled import Compiled
from ..memory.addresses import FAR, AddressBook, LostMemory, NullMemory
from ..memory.pointers import PointerValue
from ..memory.spaces import Memory, array_dims
from ..observers.observer import Hooks


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
    """The surroundings of a launch: memory, for pointers that the kernel finds in memory, and where it prints."""

    def address(self, array: np.ndarray) -> int | None:
        """Return where an argument begins, if not where NumPy has it."""
        return None

    def find(self, address: int) -> tuple[str, np.ndarray] | None:
        """Name and bytes of what lies at an address that belongs to no argument."""
        return None

    def show(self, text: str) -> None:
        """Print what the kernel has printed."""
        print(text, end="")

    def lost(self, address: int) -> tuple[str, str]:
        """Describe a pointer to where nothing is found, and say what to do instead."""
        return (
            f"a pointer to {address:#x}, where no array of this launch lies",
            "pass the array as an argument, too",
        )


class Bindings:
    """arguments: values for the generated function, pointers for arrays. modules: module variables by name.

    memories: all global ones. null: the null pointer. shared: the layout of each __shared__ variable.
    """

    def __init__(
        self,
        compiled: Compiled,
        kernel: str,
        args: Any,
        shared_mem: int,
        hooks: Hooks,
        world: World | None = None,
    ) -> None:
        self.memories: list[Memory] = []
        self.saved: list[Any] = []  # arrays, where in them, and what was there
        self._hooks, self._world = hooks, world or World()
        self.null = PointerValue(NullMemory(hooks.watch("read-only")))
        self.book = AddressBook(self.null, self.memories, self._begins, self._find)
        self.modules = {
            name: self._module_variable(compiled, variable)
            for name, (variable, _) in compiled.program.globals.items()
        }
        self.arguments = self._bind(compiled, kernel, args)
        self.shared = {
            id(v): _layout(v, shared_mem)
            for f in compiled.program.functions.values()
            for v in f.shared
        }

    def _bind(self, compiled: Compiled, kernel: str, args: Any) -> list[Any]:
        """Bind arguments: an array passed twice is one memory, overlapping ones share a home."""
        written = compiled.written(kernel)
        known: dict[tuple[int, int], Memory] = {}
        parameters = compiled.program.functions[kernel].parameters
        bound = [
            self._pointer(kernel, variable, value, known, written)
            if isinstance(variable.type, Pointer)
            else value
            for variable, value in zip(parameters, args, strict=True)
        ]
        # Pointers in structs are looked up among the arrays.
        bound = [
            value if isinstance(variable.type, Pointer) else self._by_value(variable.type, value)
            for variable, value in zip(parameters, bound, strict=True)
        ]
        for group in _overlapping(self.memories):
            is_written = any(memory.is_written for memory in group)
            for memory in group:
                memory.is_written = is_written
                memory.watch = self._hooks.watch("written" if is_written else "read-only")
        return bound

    def _pointer(
        self,
        kernel: str,
        variable: tree.Variable,
        value: Any,
        known: dict[tuple[int, int], Memory],
        written: set[str],
    ) -> PointerValue:
        if not isinstance(value, np.ndarray | Placed):
            return self.null
        value, offset = value if isinstance(value, Placed) else (value, 0)
        key = (value.ctypes.data, value.nbytes)
        memory = known.get(key)
        if memory is None:
            memory = known[key] = Memory(variable.name, value, lead=_lead(value))
            memory.book = self.book
            self.memories.append(memory)
        memory.is_written |= variable.name in written
        target: Any = variable.type.target  # type: ignore[union-attr]
        if holds_structs(target) and memory.kind is None:
            memory.kind = Array(target, None)
        unit = unit_of(target)
        start, beyond = divmod(memory.lead + offset, unit)
        if beyond:
            raise ArgumentError(
                f"{kernel}: {variable.name} ({variable.type}) begins {beyond} bytes behind a multiple of {unit}; "
                "pass an array of its own",
                kernel=kernel,
            )
        return PointerValue(memory, start)

    # --- what the kernel finds by pointers in memory ------------------------------------

    def _begins(self, memory: Memory) -> tuple[int, int]:
        """Return where it begins, and where for a kernel: as on a GPU, an allocation begins at a multiple of 256."""
        own = self._world.address(memory.array)
        if own is not None:
            return own, own
        begin, allocation = memory.bytes.ctypes.data, owner(memory.array).ctypes.data
        return begin, FAR // 2 + (allocation << 8) + begin - allocation

    def _find(self, address: int, unit: int, ends: Memory | None) -> Memory:
        """Return what the world has at an address, else the array that ends there."""
        found = self._world.find(address)
        if ends is not None and (found is None or _end(found[1]) == _end(ends.array)):
            return ends
        if found is None:
            return LostMemory(address, *self._world.lost(address), self._hooks.watch("read-only"))
        name, data = found
        whole = unit in (2, 4, 8) and data.nbytes % unit == 0
        memory = Memory(
            name, data.view(f"u{unit}") if whole else data, self._hooks.watch("written")
        )
        memory.is_written, memory.book = True, self.book
        self.memories.append(memory)
        self._save(memory)
        return memory

    def save(self) -> None:
        """Keep what the kernel may change."""
        for memory in self.memories:
            if memory.is_written:
                self._save(memory)

    def _save(self, memory: Memory) -> None:
        self.saved.append((memory.array, ..., memory.array.copy()))

    def restore(self) -> None:
        """Restore what was saved."""
        for data, places, before in reversed(self.saved):
            data[places] = before

    def _by_value(self, kind: Type, value: Any) -> Any:
        """Return a parameter that is no pointer; of a struct the tuple of its leaves."""
        if not isinstance(kind, Struct | Vector):
            return value
        data, found = value.tobytes(), []
        for leaf in leaves(kind):
            part: Any = np.frombuffer(data, dtype_of(leaf.type), 1, leaf.offset)[0]
            if isinstance(leaf.type, Pointer):
                part = self.book.pointer(part, None, unit_of(leaf.type.target))
            found.append(part)
        return tuple(found)

    def _module_variable(self, compiled: Compiled, variable: tree.Variable) -> Memory:
        constant = variable.space == "constant"
        watch = self._hooks.watch("constant" if constant else "written")
        memory = Memory(
            variable.name, compiled.variable(variable.name), watch, array_dims(variable.type)
        )
        memory.space, memory.book = variable.space, self.book
        if holds_structs(variable.type):
            memory.kind, memory.dims = variable.type, ()
        if not constant:
            memory.is_written = True
            self.memories.append(memory)
        return memory


def _layout(variable: tree.Variable, shared_mem: int) -> SharedLayout:
    named = holds_structs(variable.type)
    return SharedLayout(
        shared_mem if variable.dynamic else size_of(variable.type),
        dtype_of(innermost(variable.type)),
        () if variable.dynamic or named else array_dims(variable.type),
        variable.dynamic,
        variable.type if named else None,
    )


class Home:
    """The bytes that overlapping arguments share."""

    def __init__(self, extent: int) -> None:
        self.extent = extent


def _overlapping(memories: list[Memory]) -> list[list[Memory]]:
    """Return the memories, those that overlap in one group and with one home."""
    groups: list[list[Memory]] = []
    end = 0
    for memory in sorted(memories, key=_start):
        if _start(memory) >= end or not memory.nbytes:
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


def _end(array: np.ndarray) -> int:
    return array.ctypes.data + array.nbytes


def _lead(array: np.ndarray) -> int:
    """Return the bytes from the last sector boundary to the array.

    An allocation begins at a boundary, as on a GPU; a view need not.
    """
    lead = (array.ctypes.data - owner(array).ctypes.data) % SECTOR
    return 0 if lead % array.dtype.itemsize or not array.nbytes else lead

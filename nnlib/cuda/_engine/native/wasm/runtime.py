"""Run WebAssembly: with wasmtime on copies of the arrays, or in a browser with Pyodide's dlopen on the arrays themselves.

Both classes are targets of native/policy.py. `load` and `place` serve one launch at a time. `compile` and `space` serve
loops of a host program, whose code finds data by address: `space` is where its arrays live for the whole run.

First used in lesson 07.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import sys
import tempfile
import weakref
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...language.refusal import Refusal
from ..in_place import RUN, InPlace
from .printer import WasmEmitter

Run = Callable[[int, int, int, int], int]
PAGE = 1 << 16
MOST_MODULES = 300  # that `Pyodide.compile` loads; they stay loaded
SMALL_RESERVATION = 1 << 30  # bytes of address space, where it is limited
FIRST_ADDRESS = 64  # of the data; lower addresses stay unused


class Wasmtime:
    """wasmtime, with one memory for all launches: arrays are copied in and, unless the launch found a fault, out again."""

    name, printer, in_place, threads = "WebAssembly (wasmtime)", WasmEmitter, False, 1

    def __init__(self, wasmtime: Any, config: Any = None) -> None:
        self._wasmtime = wasmtime
        self._engine = wasmtime.Engine(config)
        self.free_modules()
        # A store that is freed later, during interpreter shutdown, prints errors: wasmtime is half unloaded by then
        atexit.register(self._close)

    def free_modules(self) -> bool:
        """Free all modules and the memory. Return True: there is room for new ones."""
        self._store, self._memory = self._new_memory()
        return True

    def _new_memory(self) -> tuple[Any, Any]:
        store = self._wasmtime.Store(self._engine)
        limits = self._wasmtime.MemoryType(self._wasmtime.Limits(1, None))
        return store, self._wasmtime.Memory(store, limits)

    def _close(self) -> None:
        self._store.close()
        self._engine.close()

    def load(self, module: bytes, brief: bool = False) -> Run:
        """Compile a module and return its function. brief: unused here, see llvm/runtime.py."""
        return self._run(self.compile(module), self._store, self._memory)

    def compile(self, module: bytes) -> Any:
        """Compile a module, which `load` of a `space` can then run. Raises Refusal."""
        try:
            return self._wasmtime.Module(self._engine, module)
        except self._wasmtime.WasmtimeError as error:
            raise Refusal(f"code that wasmtime does not take: {error}") from None

    def _run(self, compiled: Any, store: Any, memory: Any) -> Run:
        function: Any = self._wasmtime.Instance(store, compiled, [memory]).exports(store)["run"]
        return lambda *numbers: function(store, *numbers)

    def space(self) -> MovedArrays:
        """Return new memory for code that finds its data by address."""
        return MovedArrays(*self._new_memory(), self._run)

    def place(
        self, arrays: Sequence[np.ndarray], scratch: int
    ) -> tuple[list[int], list[np.ndarray], int]:
        """Copy arrays to the code's memory; return their addresses, their views there, and the address of scratch memory."""
        places, at = [], FIRST_ADDRESS
        for array in arrays:
            places.append(at)
            at += -(-array.nbytes // 64) * 64 + 64
        _grow(self._store, self._memory, at + scratch)
        start = ctypes.addressof(self._memory.data_ptr(self._store).contents)
        views = [
            _bytes(start + place, array.nbytes) for place, array in zip(places, arrays, strict=True)
        ]
        for view, array in zip(views, arrays, strict=True):
            view[:] = array.reshape(-1).view(np.uint8)
        return places, views, at


class MovedArrays:
    """A WebAssembly memory in which the arrays of a host program live during its run.

    wasmtime reserves 4 GiB of address space for it, so the memory can grow and its arrays keep their addresses.
    """

    moves = True

    def __init__(self, store: Any, memory: Any, run: Callable[..., Run]) -> None:
        self._store, self._memory, self._load = store, memory, run
        self._start = ctypes.addressof(memory.data_ptr(store).contents)
        self._end = FIRST_ADDRESS
        self._free: dict[int, list[int]] = {}

    def load(self, compiled: Any) -> Run:
        """Load compiled code for this memory."""
        return self._load(compiled, self._store, self._memory)

    def reachable(self, array: np.ndarray) -> np.ndarray:
        """Return a copy of the array in this memory. Its bytes are reused once nothing refers to the copy."""
        room = -(-max(array.nbytes, 1) // 64) * 64
        free = self._free.setdefault(room, [])
        at = free.pop() if free else self._extend(room)
        owner: Any = (ctypes.c_uint8 * array.nbytes).from_address(self._start + at)
        weakref.finalize(owner, free.append, at)
        found = np.frombuffer(owner, array.dtype).reshape(array.shape)
        found[...] = array
        return found

    def _extend(self, room: int) -> int:
        """Return the address of new memory behind everything allocated so far."""
        at, self._end = self._end, self._end + room
        _grow(self._store, self._memory, self._end)
        return at

    def address(self, array: np.ndarray) -> int:
        """Return the address of an array in this memory."""
        return array.ctypes.data - self._start


class Pyodide:
    """The browser: Emscripten's dlopen loads a module like any extension, and it runs on NumPy's own memory."""

    name, printer, in_place, threads = "WebAssembly", WasmEmitter, True, 1
    _modules = 0  # how many `compile` has loaded

    def free_modules(self) -> bool:
        """Return False: Emscripten never unloads what it has loaded."""
        return False

    def load(self, module: bytes, brief: bool = False) -> Run:
        with tempfile.NamedTemporaryFile(suffix=".so", delete=False) as file:
            file.write(module)
        return RUN(("run", ctypes.CDLL(file.name)))

    def compile(self, module: bytes) -> Run:
        """Compile a module and return its function. Raises Refusal when too many modules are loaded already."""
        self._modules += 1
        if self._modules > MOST_MODULES:
            raise Refusal("another module: too many are loaded")
        return self.load(module)

    def space(self) -> InPlace:
        """Return NumPy's own memory, where code finds every array at its address."""
        return InPlace()


def find() -> Any:
    """Return the runtime of this machine, or None."""
    if sys.platform == "emscripten":
        return Pyodide()
    try:
        import wasmtime
    except ImportError:
        return None
    # By default wasmtime reserves 4 GiB of address space, which `ulimit -v` may forbid: then try less
    for reserved in (None, SMALL_RESERVATION):
        config = wasmtime.Config()
        if reserved is not None:
            config.memory_reservation, config.memory_guard_size = reserved, PAGE
            config.memory_may_move = False
        with contextlib.suppress(wasmtime.WasmtimeError):
            return Wasmtime(wasmtime, config)
    return None


def _grow(store: Any, memory: Any, end: int) -> None:
    """Grow a memory to at least `end` bytes."""
    missing = end - memory.size(store) * PAGE
    if missing > 0:
        memory.grow(store, -(-missing // PAGE))


def _bytes(address: int, length: int) -> np.ndarray:
    room: Any = (ctypes.c_uint8 * length).from_address(address)
    return np.frombuffer(room, np.uint8)

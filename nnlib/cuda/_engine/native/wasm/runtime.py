"""Runs WebAssembly: on a laptop by wasmtime, on copies of the arrays; in a page by Pyodide's own dlopen, in place.

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
MOST_KEPT = 300  # modules for loops of programs in a page
LITTLE = 1 << 30  # bytes of addresses, where they are scarce
FIRST = 64  # the first address that is used


class Wasmtime:
    """One memory for all launches; arrays are copied there and, after a launch without a fault, back."""

    name, printer, in_place, threads = "WebAssembly (wasmtime)", WasmEmitter, False, 1

    def __init__(self, wasmtime: Any, config: Any = None) -> None:
        self._wasmtime = wasmtime
        self._engine = wasmtime.Engine(config)
        self.forget()
        atexit.register(self._close)  # later wasmtime's own module is half gone, and says so

    def forget(self) -> bool:
        """Free all modules, and the memory; return True, as there is room again."""
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
        return self._run(self.compile(module), self._store, self._memory)

    def compile(self, module: bytes) -> Any:
        """Return what `space` loads."""
        try:
            return self._wasmtime.Module(self._engine, module)
        except self._wasmtime.WasmtimeError as error:
            raise Refusal(f"code that wasmtime does not take: {error}") from None

    def _run(self, compiled: Any, store: Any, memory: Any) -> Run:
        function: Any = self._wasmtime.Instance(store, compiled, [memory]).exports(store)["run"]
        return lambda *numbers: function(store, *numbers)

    def space(self) -> Space:
        """Return memory for code that finds its data by addresses."""
        return Space(*self._new_memory(), self._run)

    def place(
        self, arrays: Sequence[np.ndarray], scratch: int
    ) -> tuple[list[int], list[np.ndarray], int]:
        """Copy arrays to the code's memory; return their addresses, their views there, and the address of scratch memory."""
        places, at = [], FIRST
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


class Space:
    """A memory of its own, to which arrays move. wasmtime reserves 4 GiB of addresses, so what is there stays there."""

    moves = True

    def __init__(self, store: Any, memory: Any, run: Callable[..., Run]) -> None:
        self._store, self._memory, self._load = store, memory, run
        self._start = ctypes.addressof(memory.data_ptr(store).contents)
        self._end = FIRST
        self._free: dict[int, list[int]] = {}

    def load(self, compiled: Any) -> Run:
        """Load compiled code for this memory."""
        return self._load(compiled, self._store, self._memory)

    def home(self, array: np.ndarray) -> np.ndarray:
        """Return a copy that native code reaches; its memory is used again once nothing refers to it."""
        room = -(-max(array.nbytes, 1) // 64) * 64
        free = self._free.setdefault(room, [])
        at = free.pop() if free else self._more(room)
        owner: Any = (ctypes.c_uint8 * array.nbytes).from_address(self._start + at)
        weakref.finalize(owner, free.append, at)
        found = np.frombuffer(owner, array.dtype).reshape(array.shape)
        found[...] = array
        return found

    def _more(self, room: int) -> int:
        at, self._end = self._end, self._end + room
        _grow(self._store, self._memory, self._end)
        return at

    def address(self, array: np.ndarray) -> int:
        """Return the address of an array in this memory."""
        return array.ctypes.data - self._start


class Pyodide:
    """Emscripten loads our bytes as it loads any extension, and runs them on the memory that NumPy has."""

    name, printer, in_place, threads = "WebAssembly", WasmEmitter, True, 1
    _kept = 0  # modules that `compile` has loaded

    def forget(self) -> bool:
        """Return False: Emscripten never unloads what it has loaded."""
        return False

    def load(self, module: bytes, brief: bool = False) -> Run:
        with tempfile.NamedTemporaryFile(suffix=".so", delete=False) as file:
            file.write(module)
        return RUN(("run", ctypes.CDLL(file.name)))

    def compile(self, module: bytes) -> Run:
        """Return what `space` loads. Raises Refusal where too many modules would stay loaded."""
        self._kept += 1
        if self._kept > MOST_KEPT:
            raise Refusal("another module: too many are loaded")
        return self.load(module)

    def space(self) -> InPlace:
        """Return memory for code that finds its data by addresses."""
        return InPlace()


def find() -> Any:
    """Return the runtime of this machine, or None."""
    if sys.platform == "emscripten":
        return Pyodide()
    try:
        import wasmtime
    except ImportError:
        return None
    # Else it reserves 4 GB of addresses, more than `ulimit -v` may allow
    for reserved in (None, LITTLE):
        config = wasmtime.Config()
        if reserved is not None:
            config.memory_reservation, config.memory_guard_size = reserved, PAGE
            config.memory_may_move = False
        with contextlib.suppress(wasmtime.WasmtimeError):
            return Wasmtime(wasmtime, config)
    return None


def _grow(store: Any, memory: Any, end: int) -> None:
    """Give a memory so many bytes at least."""
    missing = end - memory.size(store) * PAGE
    if missing > 0:
        memory.grow(store, -(-missing // PAGE))


def _bytes(address: int, length: int) -> np.ndarray:
    room: Any = (ctypes.c_uint8 * length).from_address(address)
    return np.frombuffer(room, np.uint8)

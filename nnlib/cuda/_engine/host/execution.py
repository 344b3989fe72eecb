"""One run of a program: from the names that its functions see to how it ends. Lesson 01."""

from __future__ import annotations

import functools
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..errors import KernelError
from .library.blas import Blas
from .library.clock import Clock
from .library.copies import Copies
from .library.devices import DeviceQueries
from .library.ending import ProgramEnd
from .library.files import FileFunctions
from .library.graphs import Graphs
from .library.launches import Launches
from .library.memory import DeviceMemory, HostMemory
from .library.numbers import Numbers
from .library.objects import Objects
from .library.printing import Printer
from .library.random_generators import RandomGenerators
from .library.reading import Reader
from .library.registry import functions_of
from .library.streams import StreamFunctions
from .library.texts import Texts
from .loops.running import Loop, NativeLoop, NativeLoops
from .lowering import values
from .lowering.writer import CallSite, size_of
from .runtime.ending import ABORTED, Exit, LabelJump, Thrown
from .runtime.mistakes import DEEPEST
from .runtime.state import RunState

# Of the library, that only the program calls
PARTS = (
    StreamFunctions,
    Graphs,
    DeviceMemory,
    HostMemory,
    Copies,
    DeviceQueries,
    Numbers,
    Texts,
    Reader,
    FileFunctions,
    Blas,
    RandomGenerators,
)


class Execution(RunState):
    """A program that runs."""

    def run(self, arguments: Sequence[str]) -> int:
        """Run main(argc, argv) and return the exit status."""
        try:
            try:
                with _deep_recursion():
                    status = self._main(arguments)
            except Exit as end:
                status = end.status
            except Thrown as thrown:
                self.output.write(Objects(self).terminated(thrown))
                status = ABORTED
            except KernelError:
                raise
            except (NameError, ZeroDivisionError, RecursionError, MemoryError) as error:
                self.mistakes.explain(error)
            self._end()
        except KernelError as error:
            error.output = str(self.output)
            raise
        finally:
            self.files.close()
        return status & 255

    def _main(self, arguments: Sequence[str]) -> int:
        names = self._namespace()
        for compiled in self.code.compiled:
            exec(compiled, names)
        names["start"]()
        main = self.code.program.functions["main"]
        given = [] if not main.parameters else [len(arguments) + 1, self._argv(arguments)]
        status: int = names[self.code.function_name("main")](*given[: len(main.parameters)]) or 0
        return status

    def _namespace(self) -> dict[str, Any]:
        """Return what the generated code sees: arithmetic, the memory, the library, the program's own names."""
        names, heap, code = self.names, self.heap, self.code
        launches, printer, objects = Launches(self), Printer(self), Objects(self)
        clock, end = Clock(self), ProgramEnd(self)
        is_watched = self.races.has_streams and not self.device.is_gpu
        for name in self.device.program.globals if is_watched else ():
            self.symbol(name)  # streams can race for it, too
        called: list[Callable[..., Any]] = [
            objects.new,
            objects.delete,
            end.check,
            launches.launch,
            launches.launch_pointer,
            self.functions.call_pointer,
        ]
        names |= {function.__name__: self._called(function) for function in called}
        functions: list[Callable[..., Any]] = [
            values.rounding(),
            values.sticky,
            values.divide,
            values.remainder,
            values.quotient,
            values.whole,
            values.built,
            heap.enter,
            heap.leave,
            heap.clear,
            heap.load_bytes,
            heap.store_bytes,
            self.symbol,
            objects.copy_vector,
            objects.free_container,
            objects.end_objects,
            objects.virtual,
            objects.exception,
            self.mistakes.no_result,
            printer.format_at,
            printer.printf,
            printer.fprintf,
            printer.sprintf,
            printer.snprintf,
        ]
        names |= {function.__name__: function for function in functions}
        loops = NativeLoops(heap, self.random, self.device.is_gpu, self.schedule.operations)
        names |= {
            f"N{k}": NativeLoop(source, loops) if source else Loop(loops)
            for k, source in enumerate(code.loops)
        }
        names |= {"LabelJump": LabelJump, "Thrown": Thrown, "clock": clock.ticks}
        names |= code.namespace | {name: [True] for name in code.flags}
        provided = functions_of([launches, printer, clock, end, *(part(self) for part in PARTS)])
        names |= {f"L_{name}": self._called(provided[name]) for name in code.called}
        self._place(names)
        return names

    def _called(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function as the generated code calls it: with the site of the call as the first argument."""

        @functools.wraps(function)
        def called(site: CallSite, *arguments: Any) -> Any:
            self.mistakes.site = site
            result = function(*arguments)
            return 0 if result is None else result

        return called

    def _place(self, names: dict[str, Any]) -> None:
        """Give texts, functions and variables their addresses."""
        for letter in self.code.codes:
            word = "flag" if letter == "?" else letter
            load, store, raw = self.heap.accessors(letter)
            names |= {f"load_{word}": load, f"store_{word}": store, f"raw_{word}": raw}
        for content, name in self.code.texts.items():
            names[name] = self.heap.keep(content)
        for function, name in self.code.addresses.items():
            names[name] = self.heap.claim(function, 1, "text", 0).address
        for variable, name in self.code.variables.items():
            names[name] = self.heap.claim(
                variable.name, size_of(variable.type), "variable", variable.at.line
            ).address

    def _argv(self, arguments: Sequence[str]) -> int:
        given = [self.code.program.file, *arguments]
        texts = [self.heap.keep(text.encode(errors="surrogateescape") + b"\0") for text in given]
        data = np.array([*texts, 0], np.int64).view(np.uint8)
        return self.heap.claim("argv", len(data), "variable", 0, data).address

    def _end(self) -> None:
        """Report what the program has forgotten when main returns."""
        if self.mistakes.unasked is not None:
            raise self.mistakes.unasked
        count = len("".join(self.output.unseen).splitlines())
        if count:
            self.mistakes.note(
                f"{count} line{'s' * (count != 1)} of printf in kernels are not shown, as on a GPU: the "
                "program ended before it waited for them; write cudaDeviceSynchronize();"
            )
        for one in self.heap.allocations.values():
            if (
                not one.freed
                and one.side in ("device", "managed", "pinned", "malloc", "new")
                and not one.internal
            ):
                verb = {"malloc": "free", "new": "delete", "pinned": "cudaFreeHost"}.get(
                    one.side, "cudaFree"
                )
                brackets = "[]" * one.array
                call = (
                    f"{verb}{brackets} {one.name}"
                    if one.side == "new"
                    else f"{verb}({one.name or '...'})"
                )
                self.mistakes.notes.append(
                    f"line {one.made}: {one.size:,} bytes of {one.name or 'memory'} are never "
                    f"freed; write {call};"
                )


_lock = threading.Lock()
_deep: list[int] = []  # Python's own limit, once for each run that is going on


@contextmanager
def _deep_recursion() -> Iterator[None]:
    """Allow calls as deep as C does. Python's limit is one for all threads: the last run to end resets it."""
    with _lock:
        _deep.append(_deep[0] if _deep else sys.getrecursionlimit())
        sys.setrecursionlimit(_deep[0] + DEEPEST)
    try:
        yield
    finally:
        with _lock:
            limit = _deep.pop()
            if not _deep:
                sys.setrecursionlimit(limit)

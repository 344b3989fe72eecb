"""One run of a program: its memory, what it prints, how it ends, and mistakes told with the line they were made in."""

from __future__ import annotations

import struct
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any, NoReturn, TextIO

import numpy as np

from nnlib.cuda.errors import HostError, KernelError
from nnlib.cuda.host.library import copies, devices, memory, standard, streams  # noqa: F401
from nnlib.cuda.host.library.registry import FUNCTIONS
from nnlib.cuda.host.library.streams import stream_of
from nnlib.cuda.host.lowering import values
from nnlib.cuda.host.lowering.writer import Code, Site
from nnlib.cuda.host.runtime.bulk import pieces
from nnlib.cuda.host.runtime.devices import Device
from nnlib.cuda.host.runtime.ending import ABORTED, Exit, Jump
from nnlib.cuda.host.runtime.files import Files
from nnlib.cuda.host.runtime.launches import launch, launch_pointer
from nnlib.cuda.host.runtime.memory import Allocation, Lost, Memory
from nnlib.cuda.host.runtime.printing import Printer
from nnlib.cuda.host.runtime.random_numbers import Random
from nnlib.cuda.host.runtime.schedule import Event, Schedule, Stream
from nnlib.cuda.language import tree
from nnlib.cuda.language.types import size_of

MOST_PRINTED = 64 << 20  # characters
DEEPEST = 10_000  # calls in calls
Endings = Sequence[tuple[int, Callable[[int], None]]]  # destructors: bytes from the beginning, and the function


def _end(address: int, endings: Endings) -> None:
    for offset, destructor in endings:
        destructor(address + offset)


class Process:
    """A program that runs. echo: what is printed goes there, too, as it appears."""

    def __init__(self, code: Code, device: Device, echo: TextIO | None) -> None:
        self.code, self.program, self.device, self.echo = code, code.program, device, echo
        self.memory = Memory()
        self.schedule = Schedule()
        self.files = Files({})
        self.random = Random()
        self.printer = Printer(self)
        self.output: list[str] = []
        self._printed = 0  # characters
        self.notes: list[str] = []
        self.last_error = 0
        self.unasked: HostError | None = None  # a launch that failed, as long as nobody has asked
        self.unseen: list[str] = []  # what kernels have printed since the host last waited for them
        self.handles: dict[int, Stream | Event] = {}
        self.symbols: dict[str, Allocation] = {}
        self.busy: list[Allocation] = []  # those that the GPU may still change
        self.history: list[tuple[int, str, Allocation]] = []  # line, what happened to which memory
        self._texts: dict[str, int] = {}
        self._begun = time.perf_counter()
        self.kept: list[Any] = []  # what must live as long as the run
        device.connect(self)

    # --- running --------------------------------------------------------------------------

    def run(self, arguments: Sequence[str], files: Mapping[str, bytes | str | Path] | None = None) -> int:
        """main(argc, argv); the exit status. files: see Program.run."""
        self.files = Files(files or {})
        self._outside = sys.exc_info()[1]  # what Python is handling where run() is called
        namespace = self._names = self._namespace()
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(limit + DEEPEST)
        try:
            try:
                for compiled in self.code.compiled:
                    exec(compiled, namespace)
                namespace["start"]()
                main = self.program.functions["main"]
                given = [] if not main.parameters else [len(arguments) + 1, self._argv(arguments)]
                status = namespace[self.code.function_name("main")](*given[:len(main.parameters)]) or 0
            except Exit as end:
                status = end.status
            except KernelError:
                raise
            except (NameError, ZeroDivisionError, RecursionError, MemoryError) as error:
                self._explain(error)
            self._end(status & 255)
        except KernelError as error:
            error.output = "".join(self.output)
            raise
        finally:
            sys.setrecursionlimit(limit)
            self.files.close()
        return status & 255

    def _namespace(self) -> dict[str, Any]:
        code, printer = self.code, self.printer
        names: dict[str, Any] = {
            **{function.__name__: function for function in (
                values.single, values.divide, values.remainder, values.quotient, values.whole, values.built,
                self.enter, self.leave, self.clear, self.copy_vector, self.load_bytes, self.store_bytes, self.symbol,
                self.new, self.delete, self.end_objects, self.free_container, self.check, self.no_result,
                printer.format_at, printer.printf, printer.fprintf, printer.sprintf, printer.snprintf)},
            "np": np, "turns": pieces(self.memory, self.random), "Jump": Jump,
            "clock": lambda: int(self.seconds() * 1e6), "launch": partial(launch, self),
            "launch_pointer": partial(launch_pointer, self), "call_pointer": self.call_pointer, **code.namespace,
        }
        for letter in code.codes:
            word = "flag" if letter == "?" else letter
            names[f"load_{word}"], names[f"store_{word}"] = self.memory.accessors(letter, self.rescue)
        for name, content in code.texts.items():
            names[name] = self._keep(name, content)
        for function, name in code.addresses.items():
            names[name] = self.allocate(function, 1, "text", 0).address
        for variable, name in code.variables.items():
            names[name] = self.allocate(variable.name, size_of(variable.type), "variable", variable.at.line).address
        for name in [name for name in names if name.startswith("L_")]:
            names[name] = partial(FUNCTIONS[name[2:]], self)
        return names

    def _keep(self, name: str, content: bytes) -> int:
        data = np.frombuffer(bytearray(content), np.uint8)
        return self.allocate("a text", len(content), "text", 0, data).address

    def _argv(self, arguments: Sequence[str]) -> int:
        texts = [self._keep("argv", text.encode() + b"\0") for text in [self.program.file, *arguments]]
        data = np.array([*texts, 0], np.int64).view(np.uint8)
        return self.allocate("argv", len(data), "variable", 0, data).address

    def _end(self, status: int) -> None:
        """main has returned."""
        if self.unasked is not None:
            raise self.unasked
        count = len("".join(self.unseen).splitlines())
        if count:
            self.notes.append(f"{count} line{'s' * (count != 1)} of printf in kernels are not shown, as on a GPU: the "
                              "program ended before it waited for them; write cudaDeviceSynchronize();")
        for one in self.memory.allocations.values():
            if not one.freed and one.side in ("device", "managed", "pinned", "malloc", "new") and not one.internal:
                verb = {"malloc": "free", "new": "delete", "pinned": "cudaFreeHost"}.get(one.side, "cudaFree")
                brackets = "[]" * one.array
                call = f"{verb}{brackets} {one.name}" if one.side == "new" else f"{verb}({one.name or '...'})"
                self.notes.append(f"line {one.made}: {one.size:,} bytes of {one.name or 'memory'} are never freed; "
                                  f"write {call};")

    # --- mistakes -------------------------------------------------------------------------

    def position(self, frame: FrameType | None = None) -> tree.Position:
        """Where in the program we are."""
        frame = frame or sys._getframe(1)
        while frame is not None:
            known = self.code.positions.get(frame.f_code.co_filename)
            if known is not None:
                at = known[min(frame.f_lineno, len(known)) - 1]
                if at.column:
                    return at
            frame = frame.f_back
        return tree.Position(1, 1)

    def mistake(self, what: str, hint: str, allowed: str = "", at: tree.Position | None = None) -> NoReturn:
        """Raise HostError; if an earlier launch has failed unnoticed, that is what went wrong."""
        if self.unasked is not None:
            raise self.unasked
        raise self.error(what, hint, allowed, at)

    def error(self, what: str, hint: str, allowed: str = "", at: tree.Position | None = None) -> HostError:
        """What the user gets to see."""
        at = at if at is not None and at.column else self.position()
        lines = self.program.text.splitlines()
        line = lines[at.line - 1] if 0 < at.line <= len(lines) else ""
        number = f"{at.line:5d} | "
        message = [what, f"  at {self.program.file}:{at.line}:{at.column}", number + line.replace("\t", " "),
                   " " * (len(number) + at.column - 1) + "^"]
        message += [f"  {allowed}"] * bool(allowed) + [f"  hint: {hint}"] * bool(hint)
        return HostError("\n".join(message), what=what, hint=hint, file=self.program.file, line=at.line,
                         column=at.column)

    def _explain(self, error: BaseException) -> NoReturn:
        """What Python complains about, in terms of the program."""
        trace: TracebackType | None = error.__traceback__
        at = None
        while trace is not None:
            known = self.code.positions.get(trace.tb_frame.f_code.co_filename)
            if known is not None and known[trace.tb_lineno - 1].column:
                at = known[trace.tb_lineno - 1]
            trace = trace.tb_next
        if isinstance(error, NameError):  # also UnboundLocalError
            name = str(error).split("'")[1].removeprefix("v_").rstrip("_")
            self.mistake(f"{name} is read, but it has no value yet", f"give it one where it is declared: {name} = 0",
                         at=at)
        if isinstance(error, ZeroDivisionError):
            self.mistake("an integer is divided by zero", "check the divisor before", at=at)
        if isinstance(error, RecursionError):
            self.mistake(f"the recursion is more than {DEEPEST:,} calls deep",
                         "a recursive function needs a case without a call of itself", at=at)
        self.mistake("the memory of this computer does not suffice", "use smaller arrays", at=at)

    def rescue(self, lost: Lost) -> memoryview:
        """An access outside of plain memory: either it is right after all, or a mistake."""
        one, offset = self.memory.find(lost.address)
        verb = "written" if lost.writes else "read"
        if one is None:
            if 0 <= lost.address < 1 << 32:
                self.mistake(f"{verb} through a null pointer", "did malloc, or what should have set it, come before?")
            self.mistake(f"{verb} through a pointer that points nowhere", "give the pointer a value first")
        name = one.name or "memory"
        if one.freed:
            self.gone(one, verb)
        if not one.on_host:
            self.mistake(f"{name} is memory of the GPU: the host cannot {'write' if lost.writes else 'read'} it",
                         f"copy it: cudaMemcpy({'d' * lost.writes and name or 'host'}, "
                         f"{'host' if lost.writes else name}, bytes, "
                         f"cudaMemcpy{'HostToDevice' if lost.writes else 'DeviceToHost'})",
                         f"it is made by {self.maker(one)} in line {one.made}")
        if one.side == "text" and lost.writes:
            self.mistake("a text in quotes cannot be changed", "make an array of it: char text[] = \"...\";")
        if lost.block and (offset < 0 or offset + lost.size > one.size):
            self.mistake(f"{lost.size:,} bytes are {verb} from byte {offset:,} of {name} on, which has {one.size:,}",
                         "compare with what was allocated; a text has a byte of 0 at its end")
        if offset < 0 or offset + lost.size > one.size:
            count, index = one.size // lost.size, offset // lost.size
            unit = {1: "bytes"}.get(lost.size, f"elements of {lost.size} bytes")
            self.mistake(f"{name}[{index}] is {verb}, but {name} has {count:,} {unit}",
                         "work out by hand which index the last turn of the loop uses" if offset >= 0
                         else "the index is negative",
                         f"it has {one.size:,} bytes, since line {one.made}" if one.made else "")
        self.wait_is_missing(one, offset, lost.size, lost.writes)
        for start, end, line, source in [] if lost.writes else one.hollow:
            if offset < end and start < offset + lost.size:
                self.mistake(f"{name} is read, but it was copied in line {line} from {source.name or 'memory'}, which "
                             "nobody had written", "did the kernel run, and does it write there?",
                             f"{self.maker(source)} in line {source.made} leaves it with whatever was there before")
        if lost.writes and one.hollow:
            one.fill(offset, lost.size)
            self.reopen(one)
        return memoryview(one.data)

    def gone(self, one: Allocation, verb: str, at: tree.Position | None = None) -> NoReturn:
        """Memory that has been freed is used."""
        if one.freed < 0:
            self.mistake(f"{one.name or 'a variable'} is {verb}, but its function has ended",
                         "memory that outlives a function comes from malloc or new", at=at)
        self.mistake(f"{one.name or 'memory'} is {verb} after it was freed in line {one.freed}",
                     "free it after its last use", at=at)

    def maker(self, one: Allocation) -> str:
        """What made it, in the program's words."""
        return {"malloc": "malloc", "new": "new", "pinned": "cudaMallocHost", "managed": "cudaMallocManaged",
                "device": "cudaMalloc", "symbol": "its declaration", "text": "a text"}.get(one.side, "its declaration")

    # --- what the GPU still works on ------------------------------------------------------

    def in_use(self, one: Allocation, start: int, length: int, operation: Any, written: bool) -> None:
        """The GPU reads or writes these bytes of memory that the host sees, until the operation is done."""
        one.pending.append((start, start + length, operation, written))
        self.busy.append(one)
        self.memory.close(one)

    def wait_is_missing(self, one: Allocation, offset: int, size: int, writes: bool) -> None:
        """Complain about a use of what an operation that is not done will change, or still reads."""
        for start, end, operation, written in one.pending:
            if operation.done or end <= offset or offset + size <= start or not (written or writes):
                continue
            what = f"kernel {operation.name}" if operation.kind == "kernel" else f"the {operation.kind}"
            where = f"of line {operation.line} in {operation.stream.name}"
            does = "writes it" if written else "reads it"
            self.mistake(f"{one.name or 'memory'} is {'written' if writes else 'read'} before {what} {where} is done",
                         "wait first: cudaDeviceSynchronize(), or cudaStreamSynchronize(stream)",
                         f"{what} {does}, and the host does not wait for it by itself")

    def reopen(self, one: Allocation) -> None:
        """Plain access again, if nothing is wrong with it any more."""
        if not one.pending and not one.hollow and not one.freed:
            self.memory.open(one)

    def wait(self, operations: Sequence[Any], site: Site, why: str) -> None:
        """The host waits; what kernels have printed appears."""
        self.schedule.wait(operations, site.at.line, why)
        if self.unseen:
            self.write("".join(self.unseen))
            self.unseen = []
        for one in self.busy:
            one.pending = [entry for entry in one.pending if not entry[2].done]
            self.reopen(one)
        self.busy = [one for one in self.busy if one.pending]

    # --- memory ---------------------------------------------------------------------------

    def allocate(self, name: str, size: int, side: str, line: int, data: Any = None) -> Allocation:
        """As Memory.allocate; a mistake where there is no room."""
        one = self.memory.allocate(name, size, side, line, data)
        if one is None:
            self.mistake(f"{size:,} bytes for {name} are more than a program gets here", "use smaller arrays")
        return one

    def enter(self, size: int, name: str) -> int:
        return self.allocate(name, size, "variable", 0).address

    def leave(self, *addresses: int) -> None:
        for address in addresses:
            self.memory.forget(self.memory.allocations[address >> 32])

    def load_bytes(self, address: int, size: int, block: bool = True) -> bytes:
        """block: it is no element of an array."""
        one, offset = self.memory.find(address)
        view = self.memory.readable.get(address >> 32)
        if one is None or view is None or offset < 0 or offset + size > one.size:
            view = self.rescue(Lost(address, size, False, block))
        return bytes(view[offset:offset + size])

    def store_bytes(self, address: int, value: bytes, block: bool = True) -> bytes:
        one, offset = self.memory.find(address)
        view = self.memory.writable.get(address >> 32)
        if one is None or view is None or offset < 0 or offset + len(value) > one.size:
            view = self.rescue(Lost(address, len(value), True, block))
        view[offset:offset + len(value)] = value
        return value

    def copy_vector(self, address: int, element: int, ending: int) -> bytes:
        """A std::vector or std::string by value: with memory of its own. ending: bytes of 0 behind it."""
        first, count, _ = struct.unpack("<qQQ", self.load_bytes(address, 24))
        one = self.allocate("a vector", count * element + ending, "malloc", 0)
        one.internal = True
        if count:
            self.store_bytes(one.address, self.load_bytes(first, count * element))
        return struct.pack("<qQQ", one.address, count, count)

    def free_container(self, address: int) -> None:
        """The end of a std::vector or std::string: its memory goes with it."""
        first, = struct.unpack("<q", self.load_bytes(address, 8))
        one, _ = self.memory.find(first)
        if one is not None and one.internal and not one.freed:
            self.memory.forget(one, self.position().line)

    def clear(self, address: int, size: int) -> None:
        self.store_bytes(address, bytes(size))

    def symbol(self, name: str) -> int:
        """The address of a variable of the GPU."""
        if name not in self.symbols:
            data = self.device.variable(name)
            variable = self.program.globals[name][0]
            self.symbols[name] = self.allocate(name, data.nbytes, "symbol", variable.at.line, data)
        return self.symbols[name].address

    def new(self, site: Site, count: int, size: int, array: bool) -> int:
        if count < 0 or count * size > 1 << 32:
            self.mistake(f"new of {count:,} elements", "the number is not what was meant", at=site.at)
        one = self.allocate(site.result, count * size, "new", self.line(site))
        one.array, one.internal = array, not site.at.column
        self.remember(site, one, "made")
        return one.address

    def end_objects(self, scope: dict[int, Endings]) -> None:
        """The end of a block with such objects, the last first; not where the program ends at once."""
        error = sys.exc_info()[1]
        if error is None or error is self._outside or isinstance(error, Jump):
            for address, endings in reversed(scope.items()):
                _end(address, endings)

    def line(self, site: Site) -> int:
        """Of the program, also for what a header does."""
        return site.at.line if site.at.column else self.position().line

    def delete(self, site: Site, address: int, array: bool, size: int = 1, endings: Endings = ()) -> None:
        """size: of one object; endings: what ends each."""
        verb = "delete[]" if array else "delete"
        if address:
            one = self.freed(site, address, verb, ("new",))
            if one.array != array:
                other = "delete" if array else "delete[]"
                self.mistake(f"{verb} of what new{'[]' * one.array} made", f"write {other}", at=site.at)
            for start in reversed(range(address, address + one.size, size)) if endings else ():
                _end(start, endings)
            self.remember(site, one, "freed")
            self.memory.release(one, self.line(site))

    def freed(self, site: Site, address: int, verb: str, sides: Sequence[str]) -> Allocation:
        """The allocation that is to be freed."""
        one, offset = self.memory.find(address)
        if one is None:
            self.mistake(f"{verb} of an address that was never allocated", "pass what the allocation returned",
                         at=site.at)
        name = one.name or site.names[0] or "memory"
        if one.freed:
            self.mistake(f"{name} is freed twice: first in line {one.freed}", "free it once", at=site.at)
        if one.side not in sides:
            right = {"malloc": "free", "new": "delete[]" if one.array else "delete", "pinned": "cudaFreeHost",
                     "device": "cudaFree", "managed": "cudaFree"}.get(one.side)
            self.mistake(f"{verb} of {name}, which is made by {self.maker(one)}",
                         f"write {right}" if right else "only what was allocated can be freed", at=site.at)
        if offset:
            self.mistake(f"{verb} of an address {offset:,} bytes behind the beginning of {name}",
                         "pass the pointer as the allocation returned it", at=site.at)
        return one

    def remember(self, site: Site, one: Allocation, what: str) -> None:
        """For `Program.memory()`."""
        if not one.internal:
            self.history.append((self.line(site), what, one))

    # --- handles --------------------------------------------------------------------------

    def kernel(self, site: Site, address: int) -> tree.Function:
        """The kernel that a pointer leads to."""
        function = self._function(address)
        if function is None or function.kind != "kernel":
            call = f"{site.call.function.name} needs the name of a kernel" if isinstance(site.call, tree.Call) else (
                "a kernel is launched through a pointer that leads to none" if address else
                "a kernel is launched through a null pointer")
            self.mistake(call, "write the name of a __global__ function", at=site.at)
        return function

    def _function(self, address: int) -> tree.Function | None:
        one, _ = self.memory.find(address)
        return self.program.functions[one.name] if one is not None and one.name in self.code.addresses else None

    def call_pointer(self, site: Site, address: int, *arguments: Any) -> Any:
        """pointer(arguments)"""
        function = self._function(address)
        if function is None or function.kind == "kernel":
            what = "pointer that leads to none" if address else "null pointer"
            self.mistake("the pointer leads to a kernel, which is launched, not called" if function else
                         f"a function is called through a {what}", "write <<<grid, block>>>" if function else
                         "give the pointer the name of a function first", at=site.at)
        return self._names[self.code.function_name(function.name)](*arguments)

    def handle(self, thing: Stream | Event) -> int:
        """What the program holds of a stream or an event."""
        number = (1 << 60) + len(self.handles) + 1
        self.handles[number] = thing
        return number

    def stream(self, site: Site, handle: int) -> Stream:
        """The stream of a handle."""
        return stream_of(self, site, handle)

    def note(self, text: str) -> None:
        """For `Run.notes`, once."""
        if text not in self.notes:
            self.notes.append(text)

    # --- text -----------------------------------------------------------------------------

    def constant_text(self, text: str) -> int:
        """The address of a text of the library's."""
        if text not in self._texts:
            self._texts[text] = self._keep(text, text.encode() + b"\0")
        return self._texts[text]

    def characters(self, address: int) -> bytes:
        """Up to the 0 that ends them."""
        one, offset = self.memory.find(address)
        view = self.memory.readable.get(address >> 32)
        if one is None or view is None or not 0 <= offset < one.size:
            view = self.rescue(Lost(address, 1, False))
        return bytes(view[offset:]).partition(b"\0")[0]

    def text(self, address: int) -> str:
        """The characters up to the 0."""
        return self.characters(address).decode("utf-8", "replace")

    def write(self, text: str) -> None:
        """To the standard output."""
        self.output.append(text)
        self._printed += len(text)
        if self._printed > MOST_PRINTED:
            self.mistake(f"the program has printed more than {MOST_PRINTED >> 20} million characters",
                         "does a loop with printf in it end?")
        if self.echo is not None:
            self.echo.write(text)
            if "\n" in text:
                self.echo.flush()

    def seconds(self) -> float:
        """Since the program began: what the host has taken here, and what the GPU would have taken."""
        return time.perf_counter() - self._begun + self.schedule.host

    # --- ends -----------------------------------------------------------------------------

    def check(self, site: Site, holds: Any) -> None:
        """assert"""
        if not holds:
            line = self.program.text.splitlines()[site.at.line - 1].strip()
            self.write(f"{self.program.file}:{site.at.line}: Assertion failed: {line}\n")
            raise Exit(ABORTED)

    def no_result(self, name: str) -> NoReturn:
        self.mistake(f"{name} ends without a return, but its value is needed", "return a value at its end")

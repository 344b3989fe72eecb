"""The state of one run of a program: its memory, output, files, streams, random numbers and GPU."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TextIO

from ..lowering.writer import LoweredProgram
from .address_space import Allocation
from .devices import Device
from .files import Files
from .function_pointers import FunctionPointers
from .heap import Heap
from .mistakes import Mistakes
from .output import Output
from .random_numbers import Random
from .schedule import Schedule
from .stream_races import StreamRaces
from .streams import Streams


class RunState:
    """State shared by all parts of a running program.

    names: what the generated code sees. echo: where output is also shown as it appears. files: see Program.run.
    """

    def __init__(
        self,
        code: LoweredProgram,
        device: Device,
        echo: TextIO | None = None,
        files: Mapping[str, bytes | str | Path] | None = None,
    ) -> None:
        self.code, self.device, self.names = code, device, dict[str, Any]()
        self.mistakes, self.random, self.schedule = Mistakes(code), Random(), Schedule()
        self.heap, self.output = Heap(self.mistakes), Output(self.mistakes, echo)
        self.files = Files(files or {}, self.mistakes)
        self.functions = FunctionPointers(code, self.heap, self.names)
        self.streams = Streams(self.schedule, self.heap, self.output)
        has_streams = any(name.startswith("cudaStreamCreate") for name in code.called)
        self.races = StreamRaces(self.mistakes, has_streams)
        device.connect(self.heap, self.output, has_streams)
        self._symbols: dict[str, Allocation] = {}

    def variable(self, name: str) -> Allocation:
        """Return the memory of a variable of the GPU."""
        if name not in self._symbols:
            variable, data = self.device.program.globals[name][0], self.device.variable(name)
            side = "managed symbol" if variable.managed else "symbol"
            self._symbols[name] = self.heap.claim(name, data.nbytes, side, variable.at.line, data)
        return self._symbols[name]

    def symbol(self, name: str) -> int:
        """Return the address of a variable of the GPU."""
        return self.variable(name).address
